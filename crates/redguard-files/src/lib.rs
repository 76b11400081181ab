//! The files of The Elder Scrolls Adventures: Redguard (1998) that stand alone. The crate `redguard` has everything of the game.
//!
//! - [`picture`]: [`picture::palette`] reads and writes palettes (`.COL`), and selects the palette of an image;
//!   [`picture::texbsi`] the texture banks of the Glide renderer (`TEXBSI.###`), [`picture::bsi`] its single images (`.BSI`);
//!   [`picture::texture`] the texture sets of the software renderer (`TEXTURE.###`); [`picture::gxa`] the bitmaps of the menus (`.GXA`);
//!   [`picture::shade`] shade tables (`SHADE.###`, `HAZE.###`);
//! - [`sound`]: [`sound::sfx`] reads and writes the sound effects (`.SFX`), [`sound::rtx`] the dialogue with its voices (`.RTX`),
//!   [`sound::timbre`] the instruments of its music on FM sound chips (`.OPL`, `.AD`);
//! - [`text`]: [`text::fnt`] reads and writes fonts (`.FNT`);
//! - [`settings`]: [`settings::cht`] reads and writes the cheat states (`REDGUARD.CHT`), [`settings::cpf`] the console settings
//!   (`REDGUARD.CPF`), [`settings::ini`] the texts that say what worlds, items and fights are like (`.INI`), [`settings::def`] the names that
//!   scripts know (`SOUP386.DEF`);
//! - [`save`] reads and writes saved games (`.SAV`, `.TSG`).

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]
#![warn(clippy::indexing_slicing, clippy::arithmetic_side_effects, clippy::as_conversions)]
#![cfg_attr(
    test,
    allow(clippy::as_conversions, clippy::arithmetic_side_effects, reason = "numbers in tests are small")
)]

pub(crate) use asset::codes;

mod fixed_size;
pub mod picture;
pub mod save;
pub mod settings;
pub mod sound;
pub mod text;
