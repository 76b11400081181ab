//! Sorts inputs by format, and provides the context for processing one.

use std::collections::{BTreeSet, HashMap};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, OnceLock};

use asset::{Asset, Context, Error, Format, Install, Location, OpenedFiles, Options, Severity, Source};

use super::installs::Installs;
use super::skipped::SkippedFiles;
use super::workers::Workers;
use super::{Input, Inputs, Session};
use crate::catalog::{Catalog, Detected, open_as};
use crate::known_files::common_kind_of;
use crate::run::{Hint, Outcome};

/// A file and its format, before it is opened.
pub(super) struct Work<'a> {
    pub(super) input: &'a Input,
    /// Format of the file, or the reason why it cannot be processed.
    pub(super) found: Result<&'static Format, Error>,
    pub(super) options: Arc<Options>,
    installs: Arc<Installs>,
}

/// Install, location and options for processing a file.
pub(super) struct GameContext<'a> {
    install: Arc<Install>,
    location: Option<Location>,
    options: &'a Options,
}

impl GameContext<'_> {
    pub(super) fn context(&self) -> Context<'_> {
        Context { install: &self.install, location: self.location.clone(), options: self.options }
    }
}

impl Work<'_> {
    /// Opens the file. Warnings go into the outcome, even if opening fails.
    pub(super) fn open(&self, outcome: &mut Outcome) -> Result<(Box<dyn Asset>, Source), Error> {
        let format = self.format()?;
        let source = self.input.source()?;
        outcome.length = Some(source.len());
        let asset = open_as(format, &source, &mut outcome.warnings)?;
        Ok((asset, source))
    }

    pub(super) fn format(&self) -> Result<&'static Format, Error> {
        self.found.clone()
    }

    /// Finds the game that contains the file.
    pub(super) fn game_context(&self) -> Result<GameContext<'_>, Error> {
        let install = self.installs.of(self.input)?;
        let location = self.installs.location(self.input, &install);
        Ok(GameContext { install, location, options: &self.options })
    }
}

/// Inputs sorted into files to process and files to skip.
pub(super) struct Sorted<'a> {
    pub(super) works: Vec<Work<'a>>,
    /// Files in folders that have no known format.
    pub(super) skipped: SkippedFiles,
    installs: Arc<Installs>,
}

impl<'a> Sorted<'a> {
    /// Returns the errors of the games' containers that were opened so far.
    pub(super) fn failures(&self) -> Vec<Error> {
        self.installs.failures()
    }

    /// Returns advice for inputs that were given directly and have warnings because their references could not be looked up.
    pub(super) fn hints(&self, outcomes: &[Outcome]) -> Vec<Hint> {
        let has_warnings = |outcome: &Outcome| outcome.warnings.worst() >= Some(Severity::Warning);
        let named = self.works.iter().zip(outcomes).filter(|(work, outcome)| {
            work.input.root().is_none() && has_warnings(outcome) && self.installs.lacks_game(work.input)
        });
        named.take(1).map(|(_, outcome)| Hint::NoGameAround { input: outcome.input.clone() }).collect()
    }

    /// Handles files as raw bytes of one format.
    pub(super) fn unparsed(
        session: &Session<'_>,
        inputs: &'a [Input],
        format: &'static Format,
        opened: &OpenedFiles,
    ) -> Result<Self, Error> {
        let installs = Arc::new(Installs::new(session, opened)?);
        let options = Arc::<Options>::default();
        let works = inputs.iter().map(|input| Work {
            input,
            found: Ok(format),
            options: Arc::clone(&options),
            installs: Arc::clone(&installs),
        });
        let skipped = SkippedFiles::new(session.catalog.games());
        Ok(Self { works: works.collect(), skipped, installs })
    }

    pub(super) fn new(
        session: &Session<'_>,
        options: &[(String, String)],
        inputs: &'a Inputs,
        opened: &OpenedFiles,
        workers: &Workers,
    ) -> Result<Self, Error> {
        let files: Vec<_> = inputs.iter().collect();
        Self::of_files(session, options, &files, opened, workers)
    }

    /// Detects the formats of files. A file that was given directly must have a known format; a file in a folder need not.
    pub(super) fn of_files(
        session: &Session<'_>,
        options: &[(String, String)],
        files: &[&'a Input],
        opened: &OpenedFiles,
        workers: &Workers,
    ) -> Result<Self, Error> {
        let installs = Arc::new(Installs::new(session, opened)?);
        let found: Vec<OnceLock<_>> = files.iter().map(|_| OnceLock::new()).collect();
        workers.each(files.len(), |index| {
            if let (Some(input), Some(slot)) = (files.get(index), found.get(index)) {
                let reserved = workers.reserve_for_input(input);
                let _ = slot.set(detect(session, input, &installs));
                drop(reserved);
            }
        });
        let mut known = Vec::new();
        let mut unknown = Vec::new();
        for (input, found) in files.iter().copied().zip(found) {
            match found.into_inner() {
                Some(Ok(Some(detected))) => known.push((input, Ok(detected.format))),
                Some(Err(error)) => known.push((input, Err(error))),
                Some(Ok(None)) | None if input.root().is_some() => {
                    unknown.push(input);
                }
                Some(Ok(None)) | None => {
                    // This call returns the reason.
                    known.push((input, input.recognize(session.catalog).map(|(_, format)| format)));
                }
            }
        }
        let skipped = skipped(session, &known, &unknown, &installs);
        let options = parsed(session.catalog, options, &known)?;
        let works = known.into_iter().map(|(input, found)| {
            let id = found.as_ref().map_or("", |format| format.id);
            let options = options.get(id).cloned().unwrap_or_default();
            Work { input, found, options, installs: Arc::clone(&installs) }
        });
        Ok(Self { works: works.collect(), skipped, installs })
    }
}

/// Counts files without a format. Each belongs to the game that contains it; if there is none, to the games of the other
/// files.
fn skipped(
    session: &Session<'_>,
    known: &[(&Input, Result<&'static Format, Error>)],
    unknown: &[&Input],
    installs: &Installs,
) -> SkippedFiles {
    let found: BTreeSet<_> = known.iter().filter_map(|(_, found)| found.as_ref().ok()?.game).collect();
    let found: Vec<_> = found.into_iter().collect();
    let mut out = SkippedFiles::new(session.catalog.games());
    for input in unknown {
        match installs.game_of(input) {
            Some(game) => out.add(input.path(), &[game.id], || content(input)),
            None => out.add(input.path(), &found, || content(input)),
        }
    }
    out
}

/// Returns the common kind of a file on disk. Files in containers are not unpacked for this.
fn content(input: &Input) -> Option<&'static str> {
    let source = input.is_on_disk().then(|| input.source().ok())??;
    common_kind_of(&source).ok()?
}

fn detect(session: &Session<'_>, input: &Input, installs: &Installs) -> Result<Option<Detected>, Error> {
    // A container may have hundreds of thousands of files that were not requested by name; they are not unpacked.
    if input.root().is_some()
        && input.member().is_some_and(|member| !session.catalog.has_extension(&member.name()))
    {
        return Ok(None);
    }
    let detect = || Ok(input.detect_in(session.catalog, installs.game_of(input))?.1);
    catch_unwind(AssertUnwindSafe(detect))
        .unwrap_or_else(|_| Err(Error::unsupported("internal error while detecting the format of this file")))
}

/// Returns the options for each format that occurs, by id.
fn parsed(
    catalog: Catalog,
    given: &[(String, String)],
    known: &[(&Input, Result<&'static Format, Error>)],
) -> Result<HashMap<&'static str, Arc<Options>>, Error> {
    let mut formats: Vec<&'static Format> = Vec::new();
    for format in known.iter().filter_map(|(_, found)| found.as_ref().ok()) {
        if !formats.iter().any(|known| known.id == format.id) {
            formats.push(format);
        }
    }
    // If no format was detected, check the options against all formats.
    if formats.is_empty() {
        formats = catalog.formats().collect();
    }
    let declared: Vec<_> = formats.iter().map(|format| format.options).collect();
    let options = Options::parse_for(&declared, given)?;
    Ok(formats.iter().map(|format| format.id).zip(options.into_iter().map(Arc::new)).collect())
}
