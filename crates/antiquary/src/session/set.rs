//! Setting fields of a file: the file is unpacked into memory, its record is edited, and it is packed again.

use files::disk;
use std::borrow::Cow;
use std::path::Path;
use std::sync::Arc;

use asset::unpack::NEW_FIELD;
use asset::{Asset, Detail, Error, Format, Guard, Report, Source, Unpacked};
use json::{Content, Document, Node};
use serde::Serialize;

use super::edit_check::EditedFile;
use super::edit_plan::{Added, Expected, Plan, resolves};
use super::field_edit::FieldEdit;
use super::pack::write_with;
use super::typed::{Typed, root_of};
use super::{Input, Inputs, Session};
use crate::catalog::open_as;
use crate::diff::{Change, Differences, compare};
use crate::field::{Field, FieldPath, kind_of, path_of};
use crate::run::Outcome;

/// Handling of a file in which no path leads to a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Unmatched {
    Fails,
    LeftAlone,
}

/// A file with edited fields.
#[derive(Debug, Serialize)]
#[non_exhaustive]
pub struct Edited {
    /// Outcome of the edit.
    #[serde(flatten)]
    pub outcome: Outcome,
    /// Fields that differ from the original file, up to the requested limit.
    pub changes: Vec<Change>,
    /// Number of further fields that differ.
    pub more: u64,
    /// Bytes of the edited file.
    #[serde(skip)]
    pub bytes: Vec<u8>,
}

impl Edited {
    /// Returns a copy without the bytes, for reporting.
    #[must_use]
    pub fn without_bytes(&self) -> Self {
        let Self { changes, more, outcome, .. } = self;
        Self { bytes: Vec::new(), changes: changes.clone(), more: *more, outcome: outcome.clone() }
    }

    /// Creates the result for a file that could not be processed at all.
    #[must_use]
    pub const fn failed(outcome: Outcome) -> Self {
        Self { bytes: Vec::new(), changes: Vec::new(), more: 0, outcome }
    }
}

impl Session<'_> {
    /// Edits fields of a file in memory. Copies and removals are applied first, all at once; then values are set in order.
    /// The result is read again to verify the values. At most `limit` changes are kept.
    ///
    /// # Errors
    /// Fails if the file cannot be read or packed, if it lacks a field, or if a field cannot hold the value.
    pub fn set(&self, input: &Input, edits: &[FieldEdit], limit: usize) -> Result<Edited, Error> {
        let in_file = |error: Error| if input.is_on_disk() { error.in_file(input.path()) } else { error };
        let (source, format) = input.recognize(self.catalog).map_err(in_file)?;
        let unmatched = Unmatched::Fails;
        let edited = self.set_fields(input, (source, format), edits, (limit, unmatched)).map_err(in_file)?;
        edited.ok_or_else(|| Error::usage("matches no field"))
    }

    /// Edits fields of many files, and writes those in which the paths lead to a field, below the folder `out`, with the
    /// folder structure of the inputs. Calls `take` with each result. Returns the number of files that were left unchanged,
    /// because no path leads to a field in them or because, in a folder, they cannot be edited.
    ///
    /// # Errors
    /// Returns the first error of `take`. Errors of a single file are in its outcome.
    pub fn set_all<E>(
        &self,
        (inputs, edits): (&Inputs, &[FieldEdit]),
        limit: usize,
        out: &Path,
        take: &mut dyn FnMut(&Edited) -> Result<(), E>,
    ) -> Result<u64, E> {
        let guard = self.guard_over(inputs.iter().filter(|input| input.is_on_disk()).map(Input::path));
        let mut left_alone = 0_u64;
        for input in inputs {
            match self.set_one(input, edits, limit, (out, &guard)) {
                Ok(Some(edited)) => take(&edited)?,
                Ok(None) => left_alone += 1,
                Err(error) => {
                    let error = error.in_file(input.path());
                    take(&Edited::failed(Outcome::failed(input.path(), &error)))?;
                }
            }
        }
        Ok(left_alone)
    }

    pub(super) fn set_one(
        &self,
        input: &Input,
        edits: &[FieldEdit],
        limit: usize,
        (out, guard): (&Path, &Arc<Guard>),
    ) -> Result<Option<Edited>, Error> {
        let (source, detected) = input.detect(self.catalog)?;
        let format = match detected.map(|detected| detected.format) {
            Some(format) if format.pack.is_some() || input.root().is_none() => format,
            Some(_) => return Ok(None),
            None if input.root().is_some() => return Ok(None),
            None => return Err(input.unknown(self.catalog, &source)),
        };
        let edited = self.set_fields(input, (source, format), edits, (limit, Unmatched::LeftAlone))?;
        let Some(mut edited) = edited else { return Ok(None) };
        if edited.outcome.ok {
            let file = out.join(input.relative());
            let original = Some(input.path()).filter(|_| input.is_on_disk());
            let written = write_with(guard, original, &file, &edited.bytes)?;
            edited.outcome.outputs = written.iter().map(|path| path.display().to_string()).collect();
        }
        Ok(Some(edited))
    }

    /// Returns `None` if no path leads to a field and that is not a failure.
    fn set_fields(
        &self,
        input: &Input,
        (source, format): (Source, &'static Format),
        edits: &[FieldEdit],
        (limit, unmatched): (usize, Unmatched),
    ) -> Result<Option<Edited>, Error> {
        let name = input.path().display().to_string();
        let mut outcome = Outcome::new(name.clone(), Some(format.id));
        if format.pack.is_none() {
            let why = format!("`{}` files cannot be packed, so their fields cannot be set", format.id);
            return Err(Error::unsupported(why));
        }
        let (asset, mut unpacked) = unpack(format, &source, &name)?;
        let root = root_of(&unpacked)?;
        let is_matched = |edit: &FieldEdit| resolves(&*asset, root, &edit.path);
        if unmatched == Unmatched::LeftAlone && !edits.iter().any(is_matched) {
            return Ok(None);
        }
        let derived = asset.describe(Detail::Brief).derived;
        let is_own = |path: &FieldPath| {
            let view = || asset.field_view(root).is_some_and(|view| path.get(view.root()).is_some());
            path.get(root).is_some() || view()
        };
        let has_alias = |path: &FieldPath| matches!(path.in_record(&*asset, root), Cow::Owned(_));
        let is_derived = |edit: &&FieldEdit| {
            let path = &edit.path;
            path.is_below_any(derived) && !is_own(path) && !has_alias(path)
        };
        if let Some(edit) = edits.iter().find(is_derived) {
            let path = edit.path.text();
            let message = format!("\"{path}\" is derived from other fields, so it cannot be set");
            return Err(Error::usage(message));
        }
        for edit in edits {
            let path = edit.path.in_record(&*asset, root);
            refuse_context(&path, &unpacked)?;
            if !edit.sets_bytes() {
                refuse_blobs(&path, &unpacked)?;
            }
        }
        let (bytes, expected) =
            pack_first_that_fits((format, &*asset), &mut unpacked, edits, &mut outcome.warnings)?;
        outcome.length = u64::try_from(bytes.len()).ok();
        let again = Source::from(bytes);
        let (_, now) = unpack(format, &again, &name).map_err(|error| {
            Error::usage(format!("with these values the file would be unreadable: {error}"))
        })?;
        let file = EditedFile { format, name: &name, original: Some(&source), edited: &again, around: input };
        self.check_edit(&file, &mut outcome.warnings)?;
        let root = root_of(&now)?;
        expected.iter().try_for_each(|expected| expected.check(root))?;
        let mut differences = Differences::new(limit);
        let (before, now) = (Typed::Unpacked(unpacked), Typed::Unpacked(now));
        compare((before.root()?, &before), (now.root()?, &now), &mut differences)?;
        drop((before, now));
        outcome.ok = !outcome.is_refused(self.strictness);
        let count = differences.count();
        let changes = differences.into_kept();
        let more = count.saturating_sub(changes.len() as u64);
        Ok(Some(Edited { bytes: again.read_all()?.into_owned(), changes, more, outcome }))
    }

    /// Writes an edited file to another path than the original, or into a folder under the same name. With
    /// [`WriteMode::DryRun`](files::sink::WriteMode), nothing is written.
    ///
    /// # Errors
    /// Fails if the file cannot be written.
    pub fn write_edited(&self, mut edited: Edited, out: &Path) -> Result<Edited, Error> {
        if edited.outcome.ok {
            let file = Path::new(&edited.outcome.input);
            let own = file.file_name().unwrap_or_default();
            let is_folder = disk::is_folder(out) || super::destination::ends_in_slash(out);
            let out = if is_folder { out.join(own) } else { out.to_path_buf() };
            let original = Some(file).filter(|file| disk::is_file(file));
            let written = write_with(&self.guard_over([file].into_iter()), original, &out, &edited.bytes)?;
            edited.outcome.outputs = written.iter().map(|path| path.display().to_string()).collect();
        }
        Ok(edited)
    }
}

fn unpack(format: &'static Format, source: &Source, name: &str) -> Result<(Box<dyn Asset>, Unpacked), Error> {
    let asset = open_as(format, source, &mut Report::new())?;
    let unpacked = Typed::unpack(format, &*asset, source, name, &mut Report::new())?;
    Ok((asset, unpacked))
}

/// Rejects a path that leads to data that the manifest stores next to the record.
fn refuse_context(path: &FieldPath, unpacked: &Unpacked) -> Result<(), Error> {
    let context = Document::of_value(unpacked.context_value())?;
    if path.get(root_of(unpacked)?).is_none() && path.get(context.root()).is_some() {
        let text = path.text();
        return Err(Error::usage(format!(
            "\"{text}\" cannot be set: it describes how the file was unpacked"
        )));
    }
    Ok(())
}

/// Rejects a path that leads to a byte array or into one.
fn refuse_blobs(path: &FieldPath, unpacked: &Unpacked) -> Result<(), Error> {
    let root = root_of(unpacked)?;
    for (so_far, node) in path.walk(root) {
        refuse_blob(&so_far, node, unpacked)?;
    }
    if path.is_pattern() {
        let refuse = &mut |field: Field<'_, '_>| match field {
            Field::Existing { way, node } => refuse_blob(&path_of(root, way), node, unpacked),
            Field::NewItem { .. } | Field::NewMember { .. } => Ok(()),
        };
        let mut refused = None;
        // A path that does not resolve here may resolve in a view.
        let _ = path.each(root, &mut |field| {
            if let Err(error) = refuse(field) {
                refused.get_or_insert(error);
            }
            Ok(())
        });
        if let Some(error) = refused {
            return Err(error);
        }
    }
    Ok(())
}

/// Rejects bytes that are stored outside the record, which cannot be set like fields.
fn refuse_blob(path: &str, node: Node<'_>, unpacked: &Unpacked) -> Result<(), Error> {
    let named = unpacked.blob_name(node).map(str::to_owned);
    let (name, length) = match (node.content(), named) {
        (Content::Bytes(bytes), Some(name)) => (name, bytes.len() as u64),
        (Content::Object(members), _) if members.len() == 1 => {
            let Some(Content::Text(name)) = members.get("blob").map(Node::content) else { return Ok(()) };
            let Some((bytes, _)) = unpacked.blob_source(name) else { return Ok(()) };
            (name.to_owned(), bytes.len())
        }
        _ => return Ok(()),
    };
    Err(Error::usage(format!(
        "\"{path}\" consists of {}, which can only be set to pairs of hexadecimal digits: unpack the file, edit blobs/{name} or its view, and pack it again",
        asset::counted(length, "byte", "bytes")
    )))
}

fn document_of(unpacked: &Unpacked) -> Result<&Document, Error> {
    unpacked.document().ok_or_else(|| Error::usage("the file was not unpacked into memory"))
}

/// Packs the file with the likeliest meanings of the values, or else with another meaning of one of them. The unpacked file
/// is left unchanged.
fn pack_first_that_fits(
    (format, asset): (&'static Format, &dyn Asset),
    unpacked: &mut Unpacked,
    edits: &[FieldEdit],
    report: &mut Report,
) -> Result<(Vec<u8>, Vec<Expected>), Error> {
    let mut first_report = Report::new();
    let Plan { file, expected, missing, ambiguous, added } =
        Plan::of(asset, document_of(unpacked)?, edits, None)?;
    let file = file.into_owned();
    let first = match pack_as(format, unpacked, file, &mut first_report) {
        Ok(bytes) => {
            report.append(first_report);
            for Added { path, guess } in added {
                report.warn(&NEW_FIELD, format!("added; the file did not have it{guess}")).in_field(path);
            }
            return Ok((bytes, expected));
        }
        Err(error) => error,
    };
    for index in ambiguous {
        let mut its_report = Report::new();
        let Plan { file, expected, .. } = Plan::of(asset, document_of(unpacked)?, edits, Some(index))?;
        let file = file.into_owned();
        if let Ok(bytes) = pack_as(format, unpacked, file, &mut its_report) {
            report.append(its_report);
            return Ok((bytes, expected));
        }
    }
    match missing {
        Some(missing) => Err(Error::usage(missing)),
        None => Err(does_not_fit(&first, root_of(unpacked)?, edits)),
    }
}

/// Packs the unpacked file with another record, then restores its own.
fn pack_as(
    format: &'static Format,
    unpacked: &mut Unpacked,
    file: Document,
    report: &mut Report,
) -> Result<Vec<u8>, Error> {
    let own = unpacked.replace_document(file)?;
    let bytes = super::pack::pack_bytes(format, unpacked, report);
    unpacked.replace_document(own)?;
    bytes
}

/// Returns the reason why the values were rejected.
fn does_not_fit(error: &Error, record: Node<'_>, edits: &[FieldEdit]) -> Error {
    let shown: String = error.message().chars().take(240).collect();
    let more = if shown.len() < error.message().len() { "..." } else { "" };
    let field = match (edits, error.path()) {
        (_, path) if !path.is_empty() => path,
        ([only], _) => only.path.text().to_owned(),
        _ => "the values".to_owned(),
    };
    let is_its_own =
        |only: &FieldEdit| field == only.path.text() && !error.message().starts_with("expected ");
    let holds = match edits {
        [only] if is_its_own(only) => {
            only.path.get(record).map(|node| format!("; it holds {}", kind_of(node.content())))
        }
        _ => None,
    };
    Error::usage(format!("{field}: {shown}{more}{}", holds.unwrap_or_default()))
}
