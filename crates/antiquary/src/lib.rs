#![cfg_attr(docsrs, feature(doc_cfg))]
//! Reads, checks, converts, edits and writes the files of old games.
//!
//! A [`Game`] finds files by name, [`open`] reads a single file, and a [`Session`] works on many files at once. An [`Opened`]
//! file returns its contents as values: a scene, images, sounds, texts, tables, or the fields of its typed form.
//!
//! # Examples
//!
//! Reading one room as values (meshes, materials, images, lights, animations):
//!
//! ```no_run
//! let game = antiquary::Game::open("SCP - Containment Breach")?;
//! let scene = game.file("GFX/map/room2_opt.rmesh")?.scene()?;
//! println!("{} meshes, {} lights", scene.meshes.len(), scene.lights.len());
//! # Ok::<(), antiquary::Error>(())
//! ```
//!
//! Decoding every image of a game to RGBA on all processors. A damaged file does not stop the others:
//!
//! ```no_run
//! antiquary::Game::open("Redguard")?.par_images(|image| match image {
//!     Ok(image) => println!("{}: {} bytes", image.name(), image.to_rgba8().pixels().len()),
//!     Err(error) => eprintln!("{error}"),
//! });
//! # Ok::<(), antiquary::Error>(())
//! ```
//!
//! Changing a model and writing it back. Everything that was not changed stays byte-identical:
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
//! Creating a GLB in memory, with options that the compiler checks:
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
//! Checking an entire game in parallel:
//!
//! ```no_run
//! use antiquary::{CheckOptions, Inputs, Session};
//!
//! let inputs = Inputs::collect(&["SCP - Containment Breach".into()]);
//! let run = Session::default().check(&inputs, &CheckOptions::default())?;
//! println!("{} of {} files failed", run.failed(), run.outcomes.len());
//! # Ok::<(), antiquary::Error>(())
//! ```
//!
//! # Cargo features
//!
//! All features are enabled by default.
//!
//! | feature | enables |
//! | --- | --- |
//! | `games` | support for every game; `scpcb`, `ragnarok` and `redguard` enable a single one |
//! | `scripts` | disassembling, assembling, searching, running and testing scripts |
//! | `gallery` | thumbnails, and the page that shows the outputs of a conversion |
//! | `fs` | files on disk; without it, all files are in memory |
//! | `parallel` | processing files on several threads |
//! | `font` | converting fonts to TrueType |
//!
//! # Glossary
//!
//! | word | meaning |
//! | --- | --- |
//! | catalog | the list of games and formats that are recognized |
//! | input | a file to process: on disk, in memory, or an entry of a container |
//! | container | a file that contains other files, its entries; also called an archive |
//! | install | the folders and archives in which a game looks up its files, in order of precedence |
//! | product | a value that a file is converted to: a scene, image, sound, font, table, text, subtitles or data |
//! | companion | a file written together with another one that refers to it |
//! | unpack, pack | to write a file as a folder of editable parts, and to build the file from such a folder |
//! | base | the original file of an edited scene, which supplies data that the scene lost |
//! | outcome, run | the result of processing one file, and the results of all files |

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

mod catalog;
pub mod diff;
pub mod field;
#[cfg_attr(not(feature = "gallery"), path = "no_gallery.rs")]
mod gallery;
mod game;
mod known_files;
mod opened;
pub mod operation;
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
    Extent, ExtractOptions, Input, Inputs, OnFailure, Overview, PackOptions, Progress, Query, Scan, Session,
    UnpackOptions,
};

/// Every game whose cargo feature is enabled.
pub static GAMES: &[&GameInfo] = &[
    #[cfg(feature = "scpcb")]
    &scpcb::GAME,
    #[cfg(feature = "ragnarok")]
    &ragnarok::GAME,
    #[cfg(feature = "redguard")]
    &redguard::GAME,
];

/// Catalog of every game and format.
pub static CATALOG: Catalog = Catalog::new(GAMES).with_shared(media::FORMATS).with_extended(EXTENDED);

/// Formats that belong to no game, with the additions of a game.
static EXTENDED: &[&Format] = &[
    #[cfg(feature = "redguard")]
    &redguard::film::FORMAT,
];

/// Iterates over every format: game by game, then those that do not belong to a game.
pub fn formats() -> impl Iterator<Item = &'static Format> {
    CATALOG.formats()
}

/// Looks up a format by its id (`scpcb.rmesh`) or by the part after the game (`rmesh`).
///
/// # Errors
/// Returns [`Kind::Usage`] if no format matches (the message suggests the nearest id), or if formats of several games match.
pub fn format(id: &str) -> Result<&'static Format, Error> {
    CATALOG.format(id)
}

/// Detects the format of a file, by its content first and by its name second. Returns `None` if no known format matches.
///
/// # Errors
/// Fails if the file cannot be read.
pub fn detect(source: &Source, name: Option<&str>) -> Result<Option<Detected>, Error> {
    CATALOG.detect(source, name)
}

/// Opens a file of any known format.
///
/// # Errors
/// Fails if the file cannot be read, is empty, has no known format, or is malformed.
pub fn open(path: impl AsRef<Path>) -> Result<Opened, Error> {
    CATALOG.open(path.as_ref())
}

/// Converts one file. The extension of `output` selects the output format. Existing files, including the input, are never
/// overwritten.
///
/// # Errors
/// Fails if the format has no such output. A defect of the file itself is reported in the outcome.
pub fn convert(input: &Path, output: &Path) -> Result<Run, Error> {
    let inputs = Inputs::collect(&[input.to_path_buf()]);
    Session::default().convert(&inputs, &Destination::File(output.to_path_buf()), &ConvertOptions::default())
}

impl Default for Session<'static> {
    /// Creates a session with every game and default settings.
    fn default() -> Self {
        Self::new(CATALOG)
    }
}
