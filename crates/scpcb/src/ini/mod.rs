//! The game's tables: rooms, materials, and those in [`table`].
//!
//! Text is windows-1252. Source: the game's INI functions (version 1.3.11).

pub(crate) mod known;
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

/// A table of the game around a file, read once for all that ask.
pub(crate) fn of_install(context: &Context<'_>, path: &str) -> Option<Arc<Ini>> {
    Ini::of_install(context, path, Charset::Windows1252)
}

/// Puts an unpacked table together again.
fn pack(folder: &asset::Unpacked, _report: &mut Report) -> Result<Vec<u8>> {
    Ini::pack(folder, Charset::Windows1252)
}
