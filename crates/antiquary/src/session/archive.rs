//! Adding, removing and renaming files in a container.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use asset::archive::{Archive, Change, Content, EditMode, Editing, Entry, stem_and_extension};
use asset::container::Container;
use asset::{Charset, Error, Format, GamePath, Report, Source};
use files::lock::FileLock;
use files::sink::WriteMode;
use scene::Compression;
use serde::Serialize;

pub use asset::archive::{EntryChange, EntryChangeKind};

pub use super::archive_output::ArchiveOutput;
use super::archive_output::{Edit, EditedContainer, EntryIndex};
use super::assemble::path_in_game;
use super::pattern::Patterns;
use super::replace::{find, folded};
use super::{ArchiveOptions, Input, Inputs, Session};
use crate::run::Outcome;

/// A change to the entries of a container.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum ArchiveEdit {
    /// Adds files, and all files in folders, below a folder of the container. An existing entry of the same name is
    /// replaced.
    Add {
        /// Files and folders on disk.
        files: Vec<PathBuf>,
        /// Folder in the container; may be empty.
        folder: String,
        /// Name of a single file in the container; `None` keeps the file's own name.
        name: Option<String>,
    },
    /// Removes the entries that match the patterns. A container that consists of parts may keep an entry without content if
    /// removing it would change others.
    Remove(Patterns),
    /// Renames files and folders. A new name that ends with a slash is a folder in which they keep their own names.
    Rename(Vec<(String, String)>),
    /// Adds all files of other containers, one container after another, with their stored bytes. Files that a patch marks as
    /// removed are removed.
    Merge(Vec<PathBuf>),
}

/// Result of editing a container.
#[derive(Debug, Serialize)]
#[non_exhaustive]
pub struct EditedArchive {
    /// Outcome of the edit.
    #[serde(flatten)]
    pub outcome: Outcome,
    /// Changes to the entries.
    pub changes: Vec<EntryChange>,
}

impl EditedArchive {
    /// Creates the result for a container that could not be edited at all.
    #[must_use]
    pub const fn failed(outcome: Outcome) -> Self {
        Self { changes: Vec::new(), outcome }
    }
}

impl Session<'_> {
    /// Writes a container with changes to its entries. The written container is opened again before it gets its final name.
    /// In place, new bytes are appended and the data that makes them effective is written last; if anything fails, the
    /// container is restored. The container is locked in the meantime, so other runs wait. With [`ArchiveOptions::compact`],
    /// bytes that belong to no file are dropped; in place, the entire container is then rewritten and replaced atomically.
    ///
    /// A container that consists of [parts](Editing::Parts) is always rewritten and checked; defects that it did not have
    /// before are reported.
    ///
    /// # Errors
    /// Fails if the files do not exist, if two of them would get the same name, or if the container cannot be read or
    /// written.
    pub fn edit_archive(
        &self,
        archive: &Path,
        edit: &ArchiveEdit,
        output: &ArchiveOutput,
        options: &ArchiveOptions,
    ) -> Result<EditedArchive, Error> {
        let mut outcome = Outcome::new(archive.display().to_string(), None);
        let in_archive = |error: Error| error.in_file(archive);
        let changes_file = matches!(output, ArchiveOutput::InPlace) && self.writing == WriteMode::Write;
        let lock = changes_file.then(|| FileLock::acquire(archive)).transpose()?;
        let (format, container, length) = self.container(archive, &mut Report::new()).map_err(in_archive)?;
        outcome.format = Some(format.id);
        let edit = self
            .planned(format, &container, edit, options.compression, &mut outcome.warnings)
            .map_err(in_archive)?;
        let editing = EditedContainer {
            session: self,
            archive,
            format,
            lock: lock.as_ref(),
            before: &container,
            edit: &edit,
            options: &options.options,
        };
        let appends = format.editing() == Editing::Files && !options.compact;
        let changes = match output {
            ArchiveOutput::InPlace if appends => editing.append(length, &mut outcome)?,
            ArchiveOutput::InPlace | ArchiveOutput::File(_) => {
                let mode = if options.compact { EditMode::Compact } else { EditMode::Keep };
                editing.write(output, mode, &mut outcome)?
            }
        };
        Ok(EditedArchive { changes, outcome })
    }

    fn planned(
        &self,
        format: &Format,
        container: &Container,
        edit: &ArchiveEdit,
        compression: Compression,
        report: &mut Report,
    ) -> Result<Edit, Error> {
        match edit {
            ArchiveEdit::Add { files, folder, name } => {
                let files = Inputs::collect_with(files, self.links, &());
                report.append(files.warnings());
                match format.editing() {
                    Editing::Parts => added_parts(&files, folder, name.as_deref()),
                    Editing::Files | Editing::Fixed => {
                        added(&files, folder, name.as_deref(), (self.catalog.charset_of(format), compression))
                    }
                }
            }
            ArchiveEdit::Remove(patterns) => removed(container, patterns),
            ArchiveEdit::Rename(pairs) => renamed(container, pairs),
            ArchiveEdit::Merge(archives) => self.merged(container, archives),
        }
    }

    /// Returns the changes that merge other containers into this one, in order.
    fn merged(&self, base: &Container, archives: &[PathBuf]) -> Result<Edit, Error> {
        let known = EntryIndex::new(base);
        let is_mark = |entry: &Entry<'_>| entry.content == Content::Removed;
        let archive: &dyn Archive = base;
        // A patch keeps the removal marks of other patches, because it is applied to files that it does not contain.
        let keeps_marks = archive.entries().any(|entry| is_mark(&entry));
        let mut merged: BTreeMap<String, Option<Change>> = BTreeMap::new();
        for path in archives {
            let (_, other, _) =
                self.container(path, &mut Report::new()).map_err(|error| error.in_file(path))?;
            let other = Arc::new(other);
            let (entries, mut seen): (&dyn Archive, _) = (&*other, HashSet::new());
            for (index, entry) in (0..).zip(entries.entries()) {
                let folded = folded(&entry.name);
                let drops = is_mark(&entry) && !keeps_marks;
                let is_known_folder = entry.content == Content::Folder && known.find(&folded).is_some();
                // If several entries of a container share a name, the first one is used.
                if is_known_folder || !seen.insert(folded.clone()) {
                    continue;
                }
                let take = (!drops).then(|| Change::Take { from: other.clone(), index });
                merged.insert(folded, take);
            }
        }
        let changes = merged.into_iter().filter_map(|(folded, take)| {
            // A removal mark removes an existing entry.
            take.or_else(|| known.find(&folded).map(Change::Remove))
        });
        Ok(Edit { changes: changes.collect(), inputs: archives.to_vec() })
    }
}

fn added(
    files: &Inputs,
    folder: &str,
    name: Option<&str>,
    (charset, compression): (Charset, Compression),
) -> Result<Edit, Error> {
    let name_of = |input: &Input| {
        let own = name.map_or_else(|| path_in_game(input.relative(), charset), ToOwned::to_owned);
        let joined = if folder.is_empty() { own } else { format!("{folder}/{own}") };
        let name = GamePath::parse(&joined).map_err(|why| Error::usage(why.to_string()))?;
        Ok(name.as_str().to_owned())
    };
    put(files, name, &name_of, compression)
}

/// Adds files as parts, each under its own name, without folders.
fn added_parts(files: &Inputs, folder: &str, name: Option<&str>) -> Result<Edit, Error> {
    if !folder.is_empty() {
        return Err(Error::usage("archives of this format have no folders; leave out --folder"));
    }
    let name_of = |input: &Input| {
        let own = input.path().file_name().unwrap_or_default().to_string_lossy().into_owned();
        let (_, extension) = stem_and_extension(&own);
        Ok(match name {
            Some(name) if name.contains('.') => name.to_owned(),
            Some(name) => format!("{name}.{extension}"),
            None => own,
        })
    };
    put(files, name, &name_of, Compression::default())
}

/// Adds files to a container under the names that `name_of` returns.
fn put(
    files: &Inputs,
    name: Option<&str>,
    name_of: &dyn Fn(&Input) -> Result<String, Error>,
    compression: Compression,
) -> Result<Edit, Error> {
    let mut out = Edit { changes: Vec::new(), inputs: Vec::new() };
    let mut seen: HashMap<String, PathBuf> = HashMap::new();
    if name.is_some() && files.len() > 1 {
        return Err(Error::usage("--name applies to a single file, but several files were given"));
    }
    for input in files {
        let in_input = |error: Error| error.in_file(input.path());
        let name = name_of(input).map_err(in_input)?;
        if let Some(other) = seen.insert(folded(&name), input.path().to_path_buf()) {
            let what = format!("would be \"{name}\" in the archive, as would {}", other.display());
            return Err(in_input(Error::usage(what)));
        }
        let content: Source = input.source_for_each_read().map_err(in_input)?;
        out.changes.push(Change::Put { name, content, compression });
        out.inputs.push(input.path().to_path_buf());
    }
    if out.changes.is_empty() {
        return Err(Error::usage("no files to add"));
    }
    Ok(out)
}

/// Returns the removal of all entries that match the patterns. A pattern that equals an entry's name selects only that
/// entry, even if it contains wildcards. A pattern without matches is tried as a name without its extension, then as an
/// index.
fn removed(archive: &dyn Archive, patterns: &Patterns) -> Result<Edit, Error> {
    let known = EntryIndex::new(archive);
    let mut chosen = BTreeSet::new();
    for pattern in patterns.iter() {
        if let Some(index) = known.find(&folded(pattern.text())) {
            chosen.insert(index);
            continue;
        }
        let entries = (0..).zip(archive.entries());
        let mut matching = entries.filter(|(_, entry)| pattern.matches(&entry.name)).peekable();
        if matching.peek().is_none() {
            let text = pattern.text();
            let found = find(archive, text);
            let no_match = |_| Error::usage(format!("no entry matches \"{text}\""));
            chosen.insert(if text.contains(['*', '?']) { found.map_err(no_match)? } else { found? });
        }
        chosen.extend(matching.map(|(index, _)| index));
    }
    Ok(Edit { changes: chosen.into_iter().map(Change::Remove).collect(), inputs: Vec::new() })
}

fn renamed(archive: &dyn Archive, pairs: &[(String, String)]) -> Result<Edit, Error> {
    let mut out = Edit { changes: Vec::new(), inputs: Vec::new() };
    let mut rename = |index: usize, to: String| out.changes.push(Change::Rename(index, to));
    for (from, to) in pairs {
        let old = folded(from.trim_end_matches(['/', '\\']));
        let is_into = to.ends_with(['/', '\\']);
        let own = old.rsplit('/').next().unwrap_or_default().chars().count();
        let new = |name: &str| match is_into {
            // The entry's own name, as the archive spells it.
            true => format!("{to}{}", last(name, own)),
            false => to.clone(),
        };
        let below = format!("{old}/");
        let mut moved = false;
        for (index, entry) in (0..).zip(archive.entries()) {
            let name = folded(&entry.name);
            if let Some(rest) = name.strip_prefix(&below) {
                let kept = last(&entry.name, rest.chars().count());
                let folder: String = entry.name.chars().take(old.chars().count()).collect();
                rename(index, format!("{}/{kept}", new(&folder)));
                moved = true;
            }
        }
        if !moved {
            let index = find(archive, from)?;
            let name = archive.entry(index).map(|entry| entry.name.into_owned()).unwrap_or_default();
            let own = name.replace('\\', "/").rsplit('/').next().unwrap_or_default().chars().count();
            let to = if is_into { format!("{to}{}", last(&name, own)) } else { to.clone() };
            rename(index, to);
        }
    }
    Ok(out)
}

/// Returns the last `count` characters of a name.
fn last(name: &str, count: usize) -> String {
    name.chars().skip(name.chars().count().saturating_sub(count)).collect()
}
