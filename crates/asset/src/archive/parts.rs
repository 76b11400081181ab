//! Archives whose entries are parts of their own structure: models, sounds, images, lines.

use std::collections::BTreeSet;

use record::{Error, Source};

use super::{Change, EntryChange, EntryChangeKind};
use crate::report::Report;
use crate::unpack::{NEW_ENTRY, Unpacked};

/// An archive in memory whose parts can be removed, renamed and added one after another.
pub trait EditParts {
    /// Removes several entries. All indices refer to the state before the removal.
    ///
    /// # Errors
    /// When an entry does not exist.
    fn remove(&mut self, entries: &BTreeSet<usize>, done: &mut PartChanges<'_>) -> Result<(), Error>;

    /// Renames an entry. The name may have an extension.
    ///
    /// # Errors
    /// When the entry does not exist, or the name is invalid or already in use.
    fn rename(&mut self, entry: usize, to: &str, done: &mut PartChanges<'_>) -> Result<(), Error>;

    /// Converts a file to an entry: replaces the entry that the file name refers to, or adds a new one.
    ///
    /// # Errors
    /// When the name does not refer to an entry, or the file cannot be converted.
    fn put(&mut self, name: &str, content: &Source, done: &mut PartChanges<'_>) -> Result<(), Error>;

    /// Applies all changes: entries are renamed and removed first, and files are added last.
    ///
    /// # Errors
    /// The same as the other methods; also for entries of other archives.
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

/// The changes of entries so far.
#[derive(Debug)]
pub struct PartChanges<'a> {
    /// Receives warnings.
    pub report: &'a mut Report,
    changes: Vec<EntryChange>,
}

impl<'a> PartChanges<'a> {
    /// Creates an empty list.
    #[must_use]
    pub const fn new(report: &'a mut Report) -> Self {
        Self { report, changes: Vec::new() }
    }

    /// Records the change of an entry.
    pub fn note(&mut self, name: impl Into<String>, what: EntryChangeKind) {
        self.changes.push(EntryChange { name: name.into(), what });
    }

    /// Returns the change of an entry that was added or replaced under a name with this stem, ignoring letter case.
    pub fn put_before(&mut self, stem: &str) -> Option<&mut EntryChange> {
        let is_put =
            |what: &EntryChangeKind| matches!(what, EntryChangeKind::Added | EntryChangeKind::Replaced);
        let has_stem = |name: &str| stem_and_extension(name).0.eq_ignore_ascii_case(stem);
        self.changes.iter_mut().find(|change| is_put(&change.what) && has_stem(&change.name))
    }

    /// The changes of entries.
    #[must_use]
    pub fn changes(&self) -> &[EntryChange] {
        &self.changes
    }
}

/// Returns a file name without folders and extension, and the extension in lowercase.
#[must_use]
pub fn stem_and_extension(name: &str) -> (&str, String) {
    let name = name.rsplit(['/', '\\']).next().unwrap_or(name);
    match name.rsplit_once('.') {
        Some((stem, extension)) if !stem.is_empty() => (stem, extension.to_lowercase()),
        _ => (name, String::new()),
    }
}

/// Adds the new views of an unpacked archive that have one of these extensions as entries, and reports each of them.
///
/// # Errors
/// The same as [`EditParts::put`].
pub fn put_new_views(
    archive: &mut impl EditParts,
    folder: &Unpacked,
    extensions: &[&str],
    report: &mut Report,
) -> Result<(), Error> {
    for view in folder.new_views(extensions, report) {
        let view = view?;
        let path = view.path();
        let content = Source::from(view.bytes);
        let mut done = PartChanges::new(report);
        archive.put(&view.name, &content, &mut done).map_err(|error| error.in_file(&path))?;
        let names: Vec<String> = done.changes.iter().map(|change| format!("\"{}\"", change.name)).collect();
        report.warn(&NEW_ENTRY, format!("{path} is a new file and becomes the entry {}", names.join(", ")));
    }
    Ok(())
}
