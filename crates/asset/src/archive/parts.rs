//! Containers whose entries are parts of their own form: models, sounds, images, lines.

use std::collections::BTreeSet;

use record::{Error, Source};

use super::{Change, EntryChange, EntryFate};
use crate::report::Report;
use crate::unpack::{NEW_ENTRY, Unpacked};

/// A container in memory whose parts are removed, renamed and put one after another.
pub trait EditParts {
    /// Removes entries, all at once: the numbers are those before any is gone.
    ///
    /// # Errors
    /// When there is no such entry.
    fn remove(&mut self, entries: &BTreeSet<usize>, done: &mut PartChanges<'_>) -> Result<(), Error>;

    /// Gives an entry another name, which may have an extension.
    ///
    /// # Errors
    /// When there is no such entry, or the name is invalid or that of another one.
    fn rename(&mut self, entry: usize, to: &str, done: &mut PartChanges<'_>) -> Result<(), Error>;

    /// Makes an entry of a file: in the place of the one that the name of the file means, or a new one.
    ///
    /// # Errors
    /// When the name means no entry, or the file cannot become one.
    fn put(&mut self, name: &str, content: &Source, done: &mut PartChanges<'_>) -> Result<(), Error>;

    /// Makes all changes: entries are renamed and removed first, and files are put last.
    ///
    /// # Errors
    /// As the other functions, and for entries of other containers.
    fn make(&mut self, changes: &[Change], report: &mut Report) -> Result<Vec<EntryChange>, Error> {
        let mut done = PartChanges::new(report);
        let mut removed = BTreeSet::new();
        for change in changes {
            match change {
                Change::Rename(entry, to) => self.rename(*entry, to, &mut done)?,
                Change::Remove(entry) => drop(removed.insert(*entry)),
                Change::Take { .. } => {
                    let message = "archives of this format cannot be merged; extract the entries, then use `antiquary archive add`";
                    return Err(Error::unsupported(message));
                }
                Change::Put { .. } => {}
            }
        }
        self.remove(&removed, &mut done)?;
        for change in changes {
            if let Change::Put { name, content, .. } = change {
                self.put(name, content, &mut done).map_err(|error| error.in_file(name))?;
            }
        }
        Ok(done.changes)
    }
}

/// What became of the entries so far.
#[derive(Debug)]
pub struct PartChanges<'a> {
    /// Takes warnings.
    pub report: &'a mut Report,
    changes: Vec<EntryChange>,
}

impl<'a> PartChanges<'a> {
    /// No changes yet.
    #[must_use]
    pub const fn new(report: &'a mut Report) -> Self {
        Self { report, changes: Vec::new() }
    }

    /// Notes what became of an entry.
    pub fn note(&mut self, name: impl Into<String>, what: EntryFate) {
        self.changes.push(EntryChange { name: name.into(), what });
    }

    /// The entry that was put under a name with this stem; letter case does not matter.
    pub fn put_before(&mut self, stem: &str) -> Option<&mut EntryChange> {
        let is_put = |what: &EntryFate| matches!(what, EntryFate::Added | EntryFate::Replaced);
        let has_stem = |name: &str| stem_and_extension(name).0.eq_ignore_ascii_case(stem);
        self.changes.iter_mut().find(|change| is_put(&change.what) && has_stem(&change.name))
    }

    /// What became of the entries.
    #[must_use]
    pub fn changes(&self) -> &[EntryChange] {
        &self.changes
    }
}

/// A file name without folders and extension, and the extension in lower case.
#[must_use]
pub fn stem_and_extension(name: &str) -> (&str, String) {
    let name = name.rsplit(['/', '\\']).next().unwrap_or(name);
    match name.rsplit_once('.') {
        Some((stem, extension)) if !stem.is_empty() => (stem, extension.to_lowercase()),
        _ => (name, String::new()),
    }
}

/// Makes entries of the new files in the views of an unpacked container, those with one of these extensions; each is noted.
///
/// # Errors
/// As [`EditParts::put`].
pub fn put_new_views(
    container: &mut impl EditParts,
    folder: &Unpacked,
    extensions: &[&str],
    report: &mut Report,
) -> Result<(), Error> {
    for view in folder.new_views(extensions, report) {
        let view = view?;
        let path = view.path();
        let content = Source::from(view.bytes);
        let mut done = PartChanges::new(report);
        container.put(&view.name, &content, &mut done).map_err(|error| error.in_file(&path))?;
        let names: Vec<String> = done.changes.iter().map(|change| format!("\"{}\"", change.name)).collect();
        report.warn(&NEW_ENTRY, format!("{path} is a new file and becomes the entry {}", names.join(", ")));
    }
    Ok(())
}
