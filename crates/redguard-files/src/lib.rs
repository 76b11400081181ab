#![cfg_attr(docsrs, feature(doc_cfg))]
//! Self-contained file formats of The Elder Scrolls Adventures: Redguard (1998). The crate `redguard` covers the entire game.
//!
//! - [`picture`]: [`picture::palette`] reads and writes palettes (`.COL`), and selects the palette of an image;
//!   [`picture::texbsi`] handles the texture banks of the Glide renderer (`TEXBSI.###`), [`picture::bsi`] its single images
//!   (`.BSI`);
//!   [`picture::texture`] the texture sets of the software renderer (`TEXTURE.###`); [`picture::gxa`] the bitmaps of the menus
//!   (`.GXA`);
//!   [`picture::shade`] shade tables (`SHADE.###`, `HAZE.###`).
//! - [`sound`]: [`sound::sfx`] reads and writes sound effects (`.SFX`), [`sound::rtx`] dialogue with voices (`.RTX`),
//!   [`sound::timbre`] the FM synthesis instruments of the music (`.OPL`, `.AD`).
//! - [`film`] reads the headers of films (`.SMK`), and converts their subtitles.
//! - [`text`]: [`text::fnt`] reads and writes fonts (`.FNT`); [`wrap`] breaks texts into lines.
//! - [`settings`]: [`settings::cht`] reads and writes the cheat states (`REDGUARD.CHT`), [`settings::cpf`] the console settings
//!   (`REDGUARD.CPF`), [`settings::ini`] the definitions of worlds, items and combat (`.INI`), [`settings::def`] the names
//!   available to
//!   scripts (`SOUP386.DEF`).
//! - [`location`] finds the files that SYSTEM.INI names.
//! - [`screen`] draws the pages of the menu and the HUD.
//! - [`save`] reads and writes saved games (`.SAV`, `.TSG`).
//!
//! # Glossary
//!
//! The formats' own words, and the common terms for them:
//!
//! | format | term |
//! | --- | --- |
//! | texture set, texture bank | texture archive: numbered images that models refer to by archive and index |
//! | `.COL` | palette (color lookup table) of 256 RGB colors |
//! | shade table, haze table | colormap: maps palette index and light (or fog) level to a palette index |
//! | record of a texture set | an image, or an animation of several frames |
//! | transparent index | color key |
//! | `.GXA` bitmap | multi-frame palettized bitmap (sprite sheet) |
//! | effect | sound effect (sample) |
//! | line | dialogue line: a string with an optional voice recording |
//! | tag, label | string ID of a dialogue line |
//! | timbre, patch | FM synthesis instrument; MIDI program |
//! | operator, voice | FM oscillator; a modulator and carrier pair |
//! | glyph cell | glyph bitmap |
//! | flag, attribute | global variable of the scripts; variable of one object |

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]
#![warn(clippy::indexing_slicing, clippy::arithmetic_side_effects, clippy::as_conversions)]
#![cfg_attr(
    test,
    allow(clippy::as_conversions, clippy::arithmetic_side_effects, reason = "numbers in tests are small")
)]

pub(crate) use asset::codes;

pub mod film;
mod fixed_size;
pub mod location;
pub mod picture;
pub mod save;
pub mod screen;
pub mod settings;
pub mod sound;
pub mod text;
pub mod wrap;
