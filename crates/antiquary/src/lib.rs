//! Opens the worlds of old games: reads, checks, converts and writes back their files.
//!
//! ```no_run
//! use antiquary::{Detail, Inputs, Job};
//!
//! // One file.
//! let room = antiquary::open("GFX/map/room2_opt.rmesh".as_ref())?;
//! println!("{}: {}", room.format.name, room.asset.describe(Detail::Brief).summary);
//!
//! // A whole game, in parallel.
//! let run = Job::default().check(&Inputs::gather(&["SCP - Containment Breach".into()]), &())?;
//! println!("{} of {} files failed", run.failed(), run.outcomes.len());
//! # Ok::<(), antiquary::Error>(())
//! ```

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

mod catalog;
pub mod diff;
pub mod field;
mod foreign;
mod gallery;
pub mod job;
pub mod run;
pub mod sample;
#[cfg(test)]
mod tests;
pub mod thumbnail;

use std::path::Path;

pub use asset;
pub use audio;
pub use paint;
pub use ragnarok;
pub use record;
pub use redguard;
pub use render;
pub use scene;
pub use scpcb;

pub use asset::{
    Asset, Can, Code, Context, Counts, Description, Detail, Error, Format, Game, Install, Kind, Options,
    Overwrite, Report, Score, Severity, Sink, Source, Target, Vertices, Warning,
};
pub use catalog::{Catalog, Detected, Opened};
pub use job::{Destination, Input, Inputs, Job, OnFailure, Overview, Progress, Query, Scan};
pub use record::Record;
pub use run::{Failure, Hint, Outcome, Run, Strictness};

/// Every game.
pub static GAMES: &[&Game] = &[&scpcb::GAME, &ragnarok::GAME, &redguard::GAME];

/// Every game and format.
pub static CATALOG: Catalog = Catalog::new(GAMES).with_shared(&[paint::FORMATS, audio::FORMATS]);

/// Every format: game by game, then those that belong to no game.
pub fn formats() -> impl Iterator<Item = &'static Format> {
    CATALOG.formats()
}

/// A format by its id, `scpcb.rmesh`, or by the part after the game, `rmesh`.
///
/// # Errors
/// [`Kind::Usage`] when there is none, with the nearest.
pub fn format(id: &str) -> Result<&'static Format, Error> {
    CATALOG.format(id)
}

/// What a file is: by its content first, by its name second. `None` when it is of no known format.
///
/// # Errors
/// When it cannot be read.
pub fn detect(source: &Source, name: Option<&str>) -> Result<Option<Detected>, Error> {
    CATALOG.detect(source, name)
}

/// Opens a file of any known format.
///
/// # Errors
/// When it cannot be read, is empty, of no known format, or not sound.
pub fn open(path: &Path) -> Result<Opened, Error> {
    CATALOG.open(path)
}

/// Converts one file; the extension of `output` chooses what is written. Neither input nor output are overwritten.
///
/// # Errors
/// When there is no such output. What is wrong with the file stands in the outcome.
pub fn convert(input: &Path, output: &Path) -> Result<Run, Error> {
    let inputs = Inputs::gather(&[input.to_path_buf()]);
    Job::default().convert(&inputs, &Destination::File(output.to_path_buf()), &())
}

impl Default for Job {
    /// Every game, nothing special asked for.
    fn default() -> Self {
        Self::new(CATALOG)
    }
}
