//! Inputs sorted into known and unknown, and what is needed to work on one.

use std::collections::{BTreeSet, HashMap};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, OnceLock};

use asset::{Asset, Context, Error, Format, Install, Options, Place, Source};

use super::runner::Crew;
use super::stranger::Strangers;
use super::surroundings::Surroundings;
use super::{Input, Inputs, Job};
use crate::catalogue::{Detected, open_as};
use crate::run::{Failure, Outcome};

/// One file, and what is known about it before it is opened.
pub(super) struct Work<'a> {
    pub(super) input: &'a Input,
    /// Its format, or why there is nothing to be done with it.
    pub(super) found: Result<&'static Format, Error>,
    options: Arc<Options>,
    surroundings: Arc<Surroundings>,
}

/// The game around a file, as its format sees it.
pub(super) struct Around<'a> {
    install: Arc<Install>,
    place: Option<Place>,
    options: &'a Options,
}

impl Around<'_> {
    pub(super) fn context(&self) -> Context<'_> {
        Context { install: &self.install, place: self.place.clone(), options: self.options }
    }
}

impl Work<'_> {
    /// Opens the file. What was found amiss goes into the outcome, even when it cannot be opened in the end.
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

    /// Finds the game around the file.
    pub(super) fn surroundings(&self) -> Result<Around<'_>, Error> {
        let install = self.surroundings.of(self.input)?;
        let place = match self.input.held() {
            _ if self.input.place().is_some() => self.input.place().cloned(),
            Some(held) => install.place_in(&held.path, &held.name()),
            None if self.input.is_on_disk() => install.place_of(self.input.path()),
            None => None,
        };
        Ok(Around { install, place, options: &self.options })
    }
}

/// Inputs sorted into what can be worked on and what is unknown.
pub(super) struct Sorted<'a> {
    pub(super) works: Vec<Work<'a>>,
    /// Files in folders that are of no known format.
    pub(super) strangers: Strangers,
    surroundings: Arc<Surroundings>,
}

impl<'a> Sorted<'a> {
    /// The containers of the games that cannot be opened or are damaged, as far as the work has come upon them.
    pub(super) fn failures(&self) -> Vec<Failure> {
        self.surroundings.failures().iter().map(Failure::from).collect()
    }

    /// Files that are not to be opened as what they are.
    pub(super) fn as_they_are(
        job: &Job,
        inputs: &'a [Input],
        format: &'static Format,
    ) -> Result<Self, Error> {
        let surroundings = Arc::new(Surroundings::new(job)?);
        let options = Arc::<Options>::default();
        let works = inputs.iter().map(|input| Work {
            input,
            found: Ok(format),
            options: Arc::clone(&options),
            surroundings: Arc::clone(&surroundings),
        });
        let strangers = Strangers::new(job.catalogue.games());
        Ok(Self { works: works.collect(), strangers, surroundings })
    }

    pub(super) fn new(job: &Job, inputs: &'a Inputs, crew: &Crew) -> Result<Self, Error> {
        let files: Vec<_> = inputs.iter().collect();
        Self::of_files(job, &files, crew)
    }

    /// Recognises files. One that was named itself must be of a known format; one in a folder need not be.
    pub(super) fn of_files(job: &Job, files: &[&'a Input], crew: &Crew) -> Result<Self, Error> {
        let surroundings = Arc::new(Surroundings::new(job)?);
        let found: Vec<OnceLock<_>> = files.iter().map(|_| OnceLock::new()).collect();
        crew.each(files.len(), |index| {
            if let (Some(input), Some(slot)) = (files.get(index), found.get(index)) {
                let _ = slot.set(detect(job, input));
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
                    // Tells why.
                    known.push((input, input.recognise(job.catalogue).map(|(_, format)| format)));
                }
            }
        }
        let strangers = strangers(job, &known, &unknown, &surroundings);
        let options = options(job, &known)?;
        let works = known.into_iter().map(|(input, found)| {
            let id = found.as_ref().map_or("", |format| format.id);
            let options = options.get(id).cloned().unwrap_or_default();
            Work { input, found, options, surroundings: Arc::clone(&surroundings) }
        });
        Ok(Self { works: works.collect(), strangers, surroundings })
    }
}

/// Counts the files that are of no format. Each belongs to the game around it; where there is none, to the games of the other files.
fn strangers(
    job: &Job,
    known: &[(&Input, Result<&'static Format, Error>)],
    unknown: &[&Input],
    surroundings: &Surroundings,
) -> Strangers {
    let found: BTreeSet<_> = known.iter().filter_map(|(_, found)| found.as_ref().ok()?.game).collect();
    let found: Vec<_> = found.into_iter().collect();
    let mut out = Strangers::new(job.catalogue.games());
    for input in unknown {
        match surroundings.game_of(input) {
            Some(game) => out.add(input.path(), &[game.id]),
            None => out.add(input.path(), &found),
        }
    }
    out
}

fn detect(job: &Job, input: &Input) -> Result<Option<Detected>, Error> {
    let detect = || Ok(input.detect(job.catalogue)?.1);
    catch_unwind(AssertUnwindSafe(detect))
        .unwrap_or_else(|_| Err(Error::unsupported("the program failed while recognising this file")))
}

/// What was chosen for each format that occurs, by its id.
fn options(
    job: &Job,
    known: &[(&Input, Result<&'static Format, Error>)],
) -> Result<HashMap<&'static str, Arc<Options>>, Error> {
    let mut formats: Vec<&'static Format> = Vec::new();
    for format in known.iter().filter_map(|(_, found)| found.as_ref().ok()) {
        if !formats.iter().any(|known| known.id == format.id) {
            formats.push(format);
        }
    }
    // Where nothing was recognised, there is no telling which options are meant.
    if formats.is_empty() {
        formats = job.catalogue.formats().collect();
    }
    let declared: Vec<_> = formats.iter().map(|format| format.options).collect();
    let options = Options::parse_for(&declared, &job.options)?;
    Ok(formats.iter().map(|format| format.id).zip(options.into_iter().map(Arc::new)).collect())
}
