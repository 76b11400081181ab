//! Tables of the game: rooms, materials, and those in [`table`].
//!
//! Text is in Windows-1252. Source: the game's INI functions (version 1.3.11).

pub(crate) mod lookup;
pub mod materials;
pub mod rooms;
pub mod table;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use asset::{Charset, Context, Report};
use media::ini::Ini;
use record::{Result, Source};

/// Reads a table.
fn read(source: &Source) -> Result<Ini> {
    Ini::read(source, Charset::Windows1252)
}

/// Returns a table of the game that contains a file. It is read once and shared.
pub(crate) fn of_install(context: &Context<'_>, path: &str) -> Option<Arc<Ini>> {
    Ini::of_install(context, path, Charset::Windows1252)
}

/// Packs an unpacked table.
fn pack(folder: &asset::Unpacked, _report: &mut Report) -> Result<Vec<u8>> {
    Ini::pack(folder, Charset::Windows1252)
}
