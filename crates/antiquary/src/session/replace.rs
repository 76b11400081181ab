//! Replacing one entry of a container.

use files::disk;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use asset::archive::{Archive, Entry};
use asset::container::Container;
use asset::{Can, Context, Error, FolderSink, Format, Report, Source};
use files::name::composed;
use files::sink::WriteMode;
use files::suggest::nearest;
use serde::Serialize;

use super::edit_check::EditedFile;
use super::work::Sorted;
use super::workers::Workers;
use super::{ArchiveOptions, Input, Inputs, Session};
use crate::run::Outcome;

/// Result of replacing an entry of a container.
#[derive(Debug, Serialize)]
#[non_exhaustive]
pub struct Replaced {
    /// Outcome of the operation.
    #[serde(flatten)]
    pub outcome: Outcome,
    /// Index of the entry, if found.
    pub number: Option<usize>,
    /// Name of the entry.
    pub entry: String,
}

impl Replaced {
    /// Creates the result for an archive that could not be processed at all.
    #[must_use]
    pub const fn failed(entry: String, outcome: Outcome) -> Self {
        Self { number: None, entry, outcome }
    }
}

impl Session<'_> {
    /// Writes a container with the content of `file` in one of its entries. The entry is selected by its name (ignoring
    /// letter case if that is unambiguous) or by its index in the list. The written container is opened again before it gets
    /// its final name. With [`WriteMode::DryRun`](files::sink::WriteMode), nothing is written.
    ///
    /// # Errors
    /// Fails if the entry does not exist, if it cannot hold the content, or if the container cannot be read or written.
    pub fn replace(
        &self,
        archive: &Path,
        entry: &str,
        file: &Path,
        out: &Path,
        options: &ArchiveOptions,
    ) -> Result<Replaced, Error> {
        let mut outcome = Outcome::new(archive.display().to_string(), None);
        let in_archive = |error: Error| error.in_file(archive);
        let (format, container, _) = self.container(archive, &mut Report::new()).map_err(in_archive)?;
        outcome.format = Some(format.id);
        let number = find(&container, entry).map_err(in_archive)?;
        let name = container.entry(number).map(|entry| entry.name.into_owned()).unwrap_or_default();
        let content = Input::file(file).source()?;
        let out = match disk::is_folder(out) || super::destination::ends_in_slash(out) {
            true => out.join(archive.file_name().unwrap_or_default()),
            false => out.to_path_buf(),
        };
        let opened = self.opened();
        let guard = self.guard(&opened);
        [archive, file].into_iter().for_each(|input| guard.protect(input));
        let mut sink = FolderSink::for_file(&out, "archive", Arc::new(guard)).with_permissions_of(archive);
        let file_name = file.file_name().unwrap_or_default().to_string_lossy();
        let change = Change { container: &container, number, name: &file_name, content: &content };
        let inputs = Inputs::from(Input::file(archive));
        let sorted = Sorted::new(self, &options.options, &inputs, &opened, &Workers::new(1))?;
        let work = sorted.works.first().ok_or_else(|| Error::usage("no such archive"))?;
        let around = work.game_context()?;
        let context = around.context();
        let report = &mut outcome.warnings;
        let written = match self.writing {
            WriteMode::DryRun => {
                sink.put_with("archive", |_| Ok(()))?;
                let mut counted = Counted::default();
                change.write(&context, &mut counted, report).map_err(in_archive)?;
                counted.0
            }
            WriteMode::Write => {
                let mut counted = 0;
                sink.put_with("archive", |out| {
                    let mut out = Counting { out, count: 0 };
                    change.write(&context, &mut out, report).map_err(in_archive)?;
                    counted = out.count;
                    Ok(())
                })?;
                sink.pending().try_for_each(|written| {
                    change.check(format, written)?;
                    if format.can(Can::Pack) {
                        let (original, edited) = (Input::file(archive).source()?, disk::open(written)?);
                        let around = Input::file(archive);
                        let file = EditedFile {
                            format,
                            name: &archive.to_string_lossy(),
                            original: Some(&original),
                            edited: &edited,
                            around: &around,
                        };
                        self.check_edit(&file, report)?;
                    }
                    Ok::<(), Error>(())
                })?;
                counted
            }
        };
        if !format.can(Can::Pack) {
            self.check_entry(&change, &name, archive, report)?;
        }
        outcome.length = Some(written);
        outcome.ok = !outcome.is_refused(self.strictness);
        if outcome.ok {
            let paths: Vec<PathBuf> = sink.finish()?;
            outcome.outputs = paths.iter().map(|path| path.display().to_string()).collect();
        }
        Ok(Replaced { number: Some(number), entry: name, outcome })
    }
}

impl Session<'_> {
    /// Reports findings in the new content of an entry that the old content does not have.
    fn check_entry(
        &self,
        change: &Change<'_>,
        name: &str,
        archive: &Path,
        report: &mut Report,
    ) -> Result<(), Error> {
        let Some(found) = self.catalog.detect(change.content, Some(name))? else { return Ok(()) };
        let Ok(original) = change.container.open(change.number) else { return Ok(()) };
        let file = EditedFile {
            format: found.format,
            name,
            original: Some(&original),
            edited: change.content,
            around: &Input::file(archive),
        };
        self.check_edit(&file, report)
    }
}

/// An entry and its new content.
struct Change<'a> {
    container: &'a Container,
    number: usize,
    name: &'a str,
    content: &'a Source,
}

impl Change<'_> {
    fn write(&self, context: &Context<'_>, out: &mut dyn Write, report: &mut Report) -> Result<(), Error> {
        self.container.replace(context, self.number, self.name, self.content, out, report)
    }

    /// Checks that the written container can be opened and has the same number of entries, and that the entry can be read.
    fn check(&self, format: &Format, written: &Path) -> Result<(), Error> {
        let wrong = |why: &str| {
            Error::unsupported(format!(
                "the written archive is invalid ({why}) and was discarded; this is a bug in antiquary"
            ))
        };
        let again = Container::open(format, &disk::open(written)?, &mut Report::new());
        let again = again.map_err(|error| wrong(error.message()))?;
        if again.count() != self.container.count() {
            return Err(wrong("the number of entries differs"));
        }
        again.open(self.number).map(drop).map_err(|error| wrong(error.message()))
    }
}

/// Returns the form in which names in containers are compared.
pub(super) fn folded(name: &str) -> String {
    composed(name).replace('\\', "/").to_lowercase()
}

/// Returns the index of the requested entry.
pub(super) fn find(archive: &dyn Archive, wanted: &str) -> Result<usize, Error> {
    let numbers = |fits: &dyn Fn(&Entry<'_>) -> bool| -> Vec<usize> {
        let entries = (0..).zip(archive.entries());
        entries.filter(|(_, entry)| fits(entry)).map(|(number, _)| number).collect()
    };
    let exact = numbers(&|entry| entry.name == wanted);
    let alike = numbers(&|entry| folded(&entry.name) == folded(wanted));
    // The extension may be omitted if the rest is unambiguous.
    let stem = |name: &str| name.rsplit_once('.').map_or(name.to_owned(), |(stem, _)| stem.to_owned());
    let bare = || numbers(&|entry| stem(&folded(&entry.name)) == folded(wanted));
    let found = match (exact.is_empty(), alike.is_empty()) {
        (false, _) => exact,
        (true, false) => alike,
        (true, true) => bare(),
    };
    match found.as_slice() {
        [only] => return Ok(*only),
        [] => {}
        several => {
            let listed: Vec<_> = several.iter().take(8).map(ToString::to_string).collect();
            let message = format!(
                "{} entries are named \"{wanted}\"; use one of the numbers {}",
                several.len(),
                listed.join(", ")
            );
            return Err(Error::usage(message));
        }
    }
    let is_number = !wanted.is_empty() && wanted.bytes().all(|digit| digit.is_ascii_digit());
    if is_number {
        let number = wanted.parse().ok().filter(|number| *number < archive.count());
        return number.ok_or_else(|| {
            let count = archive.count();
            Error::usage(format!("there is no entry {wanted}: the archive has {count}, numbered from 0"))
        });
    }
    // Names without their extension are compared with a name that has none.
    let has_extension = wanted.contains('.');
    let named = |name: &str| if has_extension { folded(name) } else { stem(&folded(name)) };
    let names: Vec<String> = archive.entries().map(|entry| named(&entry.name)).collect();
    let guess = nearest(&folded(wanted), names.iter().map(String::as_str));
    let guess = guess.and_then(|guess| archive.entries().find(|entry| named(&entry.name) == guess));
    let hint = match guess {
        Some(entry) => format!("; did you mean \"{}\"?", entry.name),
        None => "; run `antiquary list` to see all entries".to_owned(),
    };
    Err(Error::usage(format!("there is no entry \"{wanted}\"{hint}")))
}

/// Counts bytes without writing them.
#[derive(Default)]
struct Counted(u64);

impl Write for Counted {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Counts the bytes it writes.
struct Counting<'a> {
    out: &'a mut dyn Write,
    count: u64,
}

impl Write for Counting<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.out.write(bytes)?;
        self.count += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}
