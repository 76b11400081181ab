//! The files of The Elder Scrolls Adventures: Redguard (1998), a game by Bethesda Softworks.
//!
//! One folder per format, grouped by what the formats are of:
//!
//! - [`model`] reads and writes models (`.3D`, `.3DC`), [`model::rob`] the models of a map in one file (`.ROB`); [`axes`] says how they
//!   stand in glTF;
//! - [`picture`]: [`picture::palette`] reads and writes palettes (`.COL`), and says which palette a picture is shown with;
//!   [`picture::texbsi`] the texture banks of the Glide renderer (`TEXBSI.###`), [`picture::bsi`] its single images (`.BSI`);
//!   [`picture::texture`] the texture sets of the software renderer (`TEXTURE.###`); [`picture::gxa`] the bitmaps of the menus (`.GXA`);
//!   [`picture::shade`] tables of shades (`SHADE.###`, `HAZE.###`);
//! - [`sound`]: [`sound::sfx`] reads and writes the sound effects (`.SFX`), [`sound::rtx`] the dialogue with its voices (`.RTX`);
//! - [`text`]: [`text::fnt`] reads and writes fonts (`.FNT`);
//! - [`settings`]: [`settings::cht`] reads and writes which cheats are on (`REDGUARD.CHT`), [`settings::cpf`] how the console looks
//!   (`REDGUARD.CPF`);
//! - [`save`] reads and writes saved games (`.SAV`, `.TSG`);
//! - [`sample`] is a small game folder made by our own writers.
//!
//! Its pictures and films of paint programs (`.LBM`, `.PCX`, `.ANM`, `.SMK`) are in the crate `paint`.

#![cfg_attr(
    test,
    allow(clippy::as_conversions, clippy::arithmetic_side_effects, reason = "numbers in tests are small")
)]

pub(crate) use asset::codes;

pub mod axes;
mod known;
pub mod model;
pub mod picture;
pub mod sample;
pub mod save;
pub mod settings;
pub mod sound;
pub mod text;

use asset::{Charset, Format, Game};

/// The formats of the game.
pub static FORMATS: &[&Format] = &[
    &picture::palette::FORMAT,
    &picture::texbsi::FORMAT,
    &picture::bsi::FORMAT,
    &picture::gxa::FORMAT,
    &text::fnt::FORMAT,
    &picture::texture::FORMAT,
    &model::FORMAT,
    &model::rob::FORMAT,
    &sound::sfx::FORMAT,
    &sound::rtx::FORMAT,
    &settings::cht::FORMAT,
    &picture::shade::FORMAT,
    &save::FORMAT,
    &settings::cpf::FORMAT,
];

/// The game.
pub static GAME: Game = Game {
    id: "redguard",
    name: "The Elder Scrolls Adventures: Redguard",
    charset: Charset::Cp437,
    formats: FORMATS,
    archives: None,
    known: known::KNOWN,
    markers: &["fxart/ISLAND.COL", "3dart/ART_PAL.COL", "soup386/SOUP386.DEF", "REDGUARD.CHT"],
    sample: sample::write,
};
