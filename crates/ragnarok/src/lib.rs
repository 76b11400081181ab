//! The files of Ragnarok Online (2002), a game by Gravity.
//!
//! - [`rsm`] reads and writes models;
//! - [`grf`] reads and writes archives;
//! - [`model`] poses a model at any time;
//! - [`axes`] says how the game's space becomes glTF's;
//! - [`sample`] is a small game folder made by our own writers.

#![cfg_attr(
    test,
    allow(clippy::as_conversions, clippy::arithmetic_side_effects, reason = "numbers in tests are small")
)]

pub mod axes;
pub mod grf;
pub mod model;
mod name;
pub mod rsm;
pub mod sample;

pub use name::Name;

use asset::{Charset, Format, Game};

/// The formats of the game.
pub static FORMATS: &[&Format] = &[&rsm::FORMAT, &grf::FORMAT];

/// The game.
pub static GAME: Game = Game {
    id: "ragnarok",
    name: "Ragnarok Online",
    charset: Charset::Cp949,
    formats: FORMATS,
    markers: &["data/model", "data.grf", "DATA.INI"],
    archives: Some(&grf::ARCHIVES),
    known: &[],
    sample: sample::write,
};
