//! Reading single fields of a file.

use asset::{Asset, Can, Detail, Error, Format, Report, Source};
use json::{Document, Members, Node};

use super::typed::{Typed, root_of};
use super::{Input, Session, described};
use crate::field::{Field, FieldPath, path_of};
use crate::run::Outcome;

impl Session<'_> {
    /// Describes a file by the fields that match the paths: [`Description::fields`](asset::Description) has one member for
    /// each, named by its path. Fields are looked up in the output of `info --full`, then in the record that `unpack`
    /// writes, then in the record's [view](Asset::field_view).
    ///
    /// # Errors
    /// Fails if a game folder does not exist. Errors of the file are in its outcome, including a field that does not exist.
    pub fn fields(&self, input: &Input, paths: &[FieldPath]) -> Result<Outcome, Error> {
        let inputs = input.clone().into();
        let mut run = self.each(&inputs, &[], |work, outcome| {
            let (asset, source, mut description) = described(work, outcome, Detail::Full)?;
            description.fields = extract(&description.fields, (work.format()?, &*asset, &source), paths)?;
            outcome.description = Some(description);
            Ok(())
        })?;
        run.outcomes.pop().ok_or_else(|| Error::usage("the file has no known format").in_file(input.path()))
    }
}

fn extract(
    description: &Document,
    (format, asset, source): (&'static Format, &dyn Asset, &Source),
    paths: &[FieldPath],
) -> Result<Document, Error> {
    let mut record = None;
    let mut failed = None;
    let found = Document::object(|members| {
        for path in paths {
            let path = &*path.in_record(asset, description.root());
            let Err(error) = put(path, description.root(), members) else { continue };
            if record.is_none() && format.can(Can::Pack) {
                record = Typed::unpack(format, asset, source, "", &mut Report::new()).ok();
            }
            let root = record.as_ref().and_then(|record| root_of(record).ok());
            let is_found = root.is_some_and(|root| {
                put(path, root, members).is_ok()
                    || asset.field_view(root).is_some_and(|view| put(path, view.root(), members).is_ok())
            });
            if !is_found {
                failed.get_or_insert(error);
            }
        }
    });
    failed.map_or(Ok(found), Err)
}

/// Adds the fields that match a path, each under its own path.
fn put(path: &FieldPath, root: Node<'_>, members: &mut Members<'_>) -> Result<(), Error> {
    path.each(root, &mut |field| {
        if let Field::Existing { way, node } = field {
            members.put(&path_of(root, way), &node);
        }
        Ok(())
    })
}
