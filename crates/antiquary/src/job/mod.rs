//! Work on many files at once: described, checked or converted in parallel, one bad file never stopping the rest.

mod convert;
mod destination;
mod import;
mod input;
mod outcome;
mod pack;
mod plan;
mod runner;
mod scan;
mod surroundings;
mod work;

use std::path::PathBuf;

use asset::{Detail, Error, Overwrite};

pub use destination::Destination;
pub use input::{Input, Inputs};
pub use outcome::{Failure, Outcome, Run};
pub use runner::Progress;
pub use scan::{FormatScan, Malformed, Scan};

use crate::catalogue::Catalogue;
use runner::Crew;
use work::{Sorted, Work};

/// What to do when a file fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum OnFailure {
    /// Go on with the others.
    #[default]
    KeepGoing,
    /// Begin no more. The run ends with the first file, in order, that failed.
    Stop,
}

/// What counts as a failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Strictness {
    /// Errors.
    #[default]
    Lenient,
    /// Errors and warnings. What is converted with a warning is not written.
    Strict,
}

/// How work is to be done.
#[derive(Debug, Clone)]
pub struct Job {
    /// The formats to recognise.
    pub catalogue: Catalogue,
    /// Folders in which what files name is looked up; the first laid over the others. When there are none, the game around each
    /// input is found by its layout.
    pub games: Vec<PathBuf>,
    /// Options of formats, as (name, value).
    pub options: Vec<(String, String)>,
    /// How many files are worked on at once; 0 is one for each processor.
    pub threads: usize,
    /// What to do when a file fails.
    pub on_failure: OnFailure,
    /// What counts as a failure.
    pub strictness: Strictness,
    /// Whether outputs may replace files that are no inputs.
    pub overwrite: Overwrite,
    /// Metres are multiplied by this.
    pub scale: f64,
    /// The extension of what conversions write. When there is none, the extension of the output chooses; in a folder each format's
    /// first output is written.
    pub to: Option<String>,
}

impl Job {
    /// A job with nothing special asked for.
    #[must_use]
    pub fn new(catalogue: Catalogue) -> Self {
        Self {
            catalogue,
            games: Vec::new(),
            options: Vec::new(),
            threads: 0,
            on_failure: OnFailure::default(),
            strictness: Strictness::default(),
            overwrite: Overwrite::default(),
            scale: 1.0,
            to: None,
        }
    }

    /// Describes every file.
    ///
    /// # Errors
    /// When the job itself cannot be done: an option or a game folder that there is not. What is wrong with a file stands in
    /// its outcome.
    pub fn describe(&self, inputs: &Inputs, detail: Detail, progress: &dyn Progress) -> Result<Run, Error> {
        self.each(inputs, progress, |work, outcome| {
            let (asset, _) = work.open(outcome)?;
            let mut description = asset.describe(detail);
            asset.look_around(&work.surroundings()?.context(), &mut description);
            outcome.description = Some(description);
            Ok(())
        })
    }

    /// Describes every file briefly and checks it.
    ///
    /// # Errors
    /// When the job itself cannot be done, as with [`Job::describe`].
    pub fn check(&self, inputs: &Inputs, progress: &dyn Progress) -> Result<Run, Error> {
        self.each(inputs, progress, |work, outcome| {
            let (asset, _) = work.open(outcome)?;
            outcome.description = Some(asset.describe(Detail::Brief));
            asset.check(&work.surroundings()?.context(), &mut outcome.warnings);
            Ok(())
        })
    }

    /// Does the same with every file that is of a known format.
    fn each(
        &self,
        inputs: &Inputs,
        progress: &dyn Progress,
        task: impl Fn(&Work<'_>, &mut Outcome) -> Result<(), Error> + Sync,
    ) -> Result<Run, Error> {
        let crew = Crew::new(self.threads, inputs.len())?;
        let sorted = Sorted::new(self, inputs, &crew)?;
        let outcomes = crew.work(self, &sorted.works, progress, |_, work, outcome| task(work, outcome));
        Ok(Run { outcomes, unknown: sorted.unknown, ..Run::default() })
    }
}
