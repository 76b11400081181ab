//! The files of The Elder Scrolls Adventures: Redguard (1998), a game by Bethesda Softworks.
//!
//! - [`palette`] reads and writes palettes (`.COL`), and says which palette a picture is shown with;
//! - [`texbsi`] reads and writes the texture banks of the Glide renderer (`TEXBSI.###`), [`bsi`] its single images (`.BSI`);
//! - [`model`] reads and writes models (`.3D`, `.3DC`), [`axes`] says how they stand in glTF;
//! - [`rob`] reads and writes the models of a map in one file (`.ROB`);
//! - [`gxa`] reads and writes the bitmaps of the menus (`.GXA`);
//! - [`fnt`] reads and writes fonts (`.FNT`);
//! - [`texture`] reads and writes the texture sets of the software renderer (`TEXTURE.###`);
//! - [`sfx`] reads and writes the sound effects (`.SFX`), [`rtx`] the dialogue with its voices (`.RTX`), [`sound`] is what they share;
//! - [`anm`] reads and writes films of Deluxe Paint (`.ANM`);
//! - [`cht`] reads and writes which cheats are on (`REDGUARD.CHT`);
//! - [`lbm`] and [`pcx`] read and write pictures of paint programs (`.LBM`, `.PCX`);
//! - [`shade`] reads and writes tables of shades (`SHADE.###`, `HAZE.###`);
//! - [`save`] reads and writes saved games (`.SAV`, `.TSG`), [`cpf`] the console's settings (`REDGUARD.CPF`);
//! - [`smk`] tells what is in a Smacker film (`.SMK`);
//! - [`picture`] is what they have in common: frames, timing, what is seen through;
//! - [`sample`] is a small game folder made by our own writers.

#![cfg_attr(
    test,
    allow(clippy::as_conversions, clippy::arithmetic_side_effects, reason = "numbers in tests are small")
)]

pub(crate) use asset::codes;

pub mod anm;
pub mod axes;
mod blob;
pub mod bsi;
pub mod cht;
pub mod cpf;
pub mod fnt;
pub mod gxa;
mod known;
pub mod lbm;
pub mod model;
mod name;
pub mod palette;
pub mod pcx;
pub mod picture;
#[cfg(test)]
mod proof;
mod raw;
pub mod rob;
pub mod rtx;
pub mod sample;
pub mod save;
pub mod sfx;
pub mod shade;
pub mod smk;
pub mod sound;
pub mod texbsi;
pub mod texture;

pub use name::FixedText;
pub use raw::Raw;

use asset::{Charset, Format, Game};

/// The formats of the game.
pub static FORMATS: &[&Format] = &[
    &palette::FORMAT,
    &texbsi::FORMAT,
    &bsi::FORMAT,
    &gxa::FORMAT,
    &fnt::FORMAT,
    &texture::FORMAT,
    &model::FORMAT,
    &rob::FORMAT,
    &sfx::FORMAT,
    &rtx::FORMAT,
    &cht::FORMAT,
    &anm::FORMAT,
    &lbm::FORMAT,
    &pcx::FORMAT,
    &shade::FORMAT,
    &save::FORMAT,
    &cpf::FORMAT,
    &smk::FORMAT,
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
