//! Opens the worlds of old games: reads, checks, converts and writes back their files.
//!
//! One room as values: meshes, materials, images, lights, animations.
//!
//! ```no_run
//! let game = antiquary::Game::open("SCP - Containment Breach")?;
//! let scene = game.file("GFX/map/room2_opt.rmesh")?.scene()?;
//! println!("{} meshes, {} lights", scene.meshes.len(), scene.lights.len());
//! # Ok::<(), antiquary::Error>(())
//! ```
//!
//! Every picture of a game as RGBA, on all processors. A file that is damaged never stops the others.
//!
//! ```no_run
//! antiquary::Game::open("Redguard")?.par_images(|image| match image {
//!     Ok(image) => println!("{}: {} bytes", image.name(), image.to_rgba8().pixels().len()),
//!     Err(error) => eprintln!("{error}"),
//! });
//! # Ok::<(), antiquary::Error>(())
//! ```
//!
//! A model changed and written back. What is not touched stays byte for byte.
//!
//! ```no_run
//! use antiquary::ragnarok::rsm::Rsm;
//!
//! let mut model = antiquary::open("tree.rsm")?.into_typed::<Rsm>()?;
//! model.meshes[0].position[1] -= 1.0;
//! std::fs::write("tree2.rsm", model.write()?)?;
//! # Ok::<(), antiquary::Error>(())
//! ```
//!
//! A GLB in memory, with options that the compiler checks.
//!
//! ```no_run
//! use antiquary::redguard::{lighting::Light, world::SceneOptions};
//!
//! let map = antiquary::Game::open("Redguard")?.file("maps/ISLAND.RGM")?;
//! let glb = map.with_options(&SceneOptions::default().light(Light::Baked))?.to_glb()?;
//! std::fs::write("island.glb", glb)?;
//! # Ok::<(), antiquary::Error>(())
//! ```
//!
//! A whole game checked, in parallel.
//!
//! ```no_run
//! use antiquary::{CheckOptions, Inputs, Session};
//!
//! let inputs = Inputs::gather(&["SCP - Containment Breach".into()]);
//! let run = Session::default().check(&inputs, &CheckOptions::default())?;
//! println!("{} of {} files failed", run.failed(), run.outcomes.len());
//! # Ok::<(), antiquary::Error>(())
//! ```

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

mod catalog;
pub mod diff;
pub mod field;
mod foreign;
#[cfg_attr(not(feature = "gallery"), path = "no_gallery.rs")]
mod gallery;
mod game;
mod opened;
pub mod run;
pub mod sample;
pub mod session;
#[cfg(test)]
mod tests;
#[cfg(feature = "gallery")]
pub mod thumbnail;

use std::path::Path;

pub use asset;
pub use files;
pub use json;
pub use media;
#[cfg(feature = "ragnarok")]
pub use ragnarok;
pub use record;
#[cfg(feature = "redguard")]
pub use redguard;
#[cfg(feature = "scripts")]
pub use redguard::script;
#[cfg(feature = "gallery")]
pub use render;
pub use scene;
#[cfg(feature = "scpcb")]
pub use scpcb;
#[cfg(feature = "scripts")]
pub use soup;

pub use asset::{
    Asset, Can, Code, Context, Counts, Description, Detail, Error, Format, GameInfo, Install, Kind, Options,
    Overwrite, ProductKind, Products, Report, Score, Severity, Sink, Source, Target, Vertices, Warning,
};
pub use catalog::{Catalog, Detected};
pub use game::Game;
pub use opened::{Named, Opened};
pub use record::Record;
pub use run::{ErrorJson, Hint, Outcome, Run, Strictness};
#[cfg(feature = "scripts")]
pub use session::ScriptOptions;
pub use session::{
    ArchiveOptions, BuildOptions, CheckOptions, ConvertOptions, DescribeOptions, Destination, DiffOptions,
    ExtractOptions, Input, Inputs, OnFailure, Overview, PackOptions, Progress, Query, Scan, Session,
    UnpackOptions,
};

/// Every game whose feature is on.
pub static GAMES: &[&GameInfo] = &[
    #[cfg(feature = "scpcb")]
    &scpcb::GAME,
    #[cfg(feature = "ragnarok")]
    &ragnarok::GAME,
    #[cfg(feature = "redguard")]
    &redguard::GAME,
];

/// Every game and format.
pub static CATALOG: Catalog = Catalog::new(GAMES).with_shared(media::FORMATS);

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
pub fn open(path: impl AsRef<Path>) -> Result<Opened, Error> {
    CATALOG.open(path.as_ref())
}

/// Converts one file; the extension of `output` chooses what is written. Neither input nor output are overwritten.
///
/// # Errors
/// When there is no such output. What is wrong with the file stands in the outcome.
pub fn convert(input: &Path, output: &Path) -> Result<Run, Error> {
    let inputs = Inputs::gather(&[input.to_path_buf()]);
    Session::default().convert(&inputs, &Destination::File(output.to_path_buf()), &ConvertOptions::default())
}

impl Default for Session<'static> {
    /// Every game, nothing special asked for.
    fn default() -> Self {
        Self::new(CATALOG)
    }
}
