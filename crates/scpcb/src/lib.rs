//! The files of SCP – Containment Breach (2012), a game by Regalis11 made with Blitz3D.
//!
//! - [`rmesh`] reads and writes rooms;
//! - [`ini`] reads and writes the tables of rooms and materials;
//! - [`axes`] says how the game's space becomes glTF's.
//! - [`sample`] is a small game folder made by our own writers.

#![cfg_attr(
    test,
    allow(clippy::as_conversions, clippy::arithmetic_side_effects, reason = "numbers in tests are small")
)]

pub mod axes;
pub mod b3d;
pub mod ini;
mod model;
pub mod rmesh;
pub mod sample;
mod string;
pub mod x;

pub use string::BlitzString;

use asset::{Charset, Format, Game};

/// The formats of the game.
pub static FORMATS: &[&Format] =
    &[&rmesh::FORMAT, &x::FORMAT, &b3d::FORMAT, &ini::rooms::FORMAT, &ini::materials::FORMAT];

/// The game.
pub static GAME: Game = Game {
    id: "scpcb",
    name: "SCP – Containment Breach",
    charset: Charset::Windows1252,
    formats: FORMATS,
    markers: &["GFX/map", "Data/rooms.ini"],
    archives: None,
    known: &[],
    sample: sample::write,
};

#[cfg(test)]
mod tests {
    /// The game alone, as installs are told it.
    pub(crate) static GAMES: &[&asset::Game] = &[&crate::GAME];
}
