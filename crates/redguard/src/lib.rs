//! The files of The Elder Scrolls Adventures: Redguard (1998), a game by Bethesda Softworks.
//!
//! One folder per format, grouped by kind:
//!
//! - [`model`] reads and writes models (`.3D`, `.3DC`), [`model::rob`] the models of a map in one file (`.ROB`); [`axes`] converts their
//!   axes for glTF;
//! - [`map`] reads and writes maps (`.RGM`), and gathers what the objects of their scripts consist of; [`world`] puts a whole map together, as
//!   the game shows it, and [`world::model`] single models with what they hold;
//! - [`terrain`] reads and writes terrains (`.WLD`), with heights, normals and moving water;
//! - [`visibility`] reads and writes visibility trees (`.PVO`), and says what is seen from a place;
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
//! - [`engine`] computes what the game does with all this: light, water, fog, sky, what hands hold, animation, sound, text;
//! - [`save`] reads and writes saved games (`.SAV`, `.TSG`);
//! - [`sample`] generates a small game folder with our own writers.
//!
//! Its pictures and animations in formats of paint programs (`.LBM`, `.PCX`, `.ANM`, `.SMK`) are in the crate `paint`.
//!
//! # Glossary
//!
//! | game's word | meaning |
//! | --- | --- |
//! | plane | a face (polygon) of a model of the software renderer |
//! | pose | the vertices and face normals of an animation frame |
//! | node (section 4) | a bounding sphere over a group of faces, for collision detection |
//! | segment (ROB) | a named model in an archive of models |
//! | object (RGM) | what a script controls; it is placed any number of times |
//! | bank, set | a texture archive of the Glide renderer (`TEXBSI.###`) or the software renderer (`TEXTURE.###`) |
//! | keyed | palette color 0 is transparent (color key) |
//! | page (TEXTURE) | a 256-column atlas that interleaves the rows of several textures |
//! | shade, haze table | a color map (look-up table) for light levels and distance fog |
//! | tag, line (RTX) | the four-character key of a dialogue text, and the text with its voice |
//! | timbre, patch (OPL) | an instrument of an FM sound chip, and its MIDI program number |
//! | flag, latch (SAV) | a global script variable, and whether scripts have set it |

#![warn(clippy::indexing_slicing, clippy::arithmetic_side_effects, clippy::as_conversions)]
#![cfg_attr(not(test), warn(clippy::disallowed_methods))]
#![cfg_attr(
    test,
    allow(clippy::as_conversions, clippy::arithmetic_side_effects, reason = "numbers in tests are small")
)]

mod known;
mod shipped;

pub use redguard_files::{picture, save, settings, sound, text};
#[cfg(feature = "scripts")]
pub use redguard_scripts as script;
pub use redguard_world::{axes, engine, lighting, map, model, sample, terrain, visibility, world};

use asset::{Charset, Format, GameInfo};

/// The formats of the game.
pub static FORMATS: &[&Format] = &[
    &picture::palette::FORMAT,
    &picture::texbsi::FORMAT,
    &picture::bsi::FORMAT,
    &picture::gxa::FORMAT,
    &text::fnt::FORMAT,
    &picture::texture::FORMAT,
    &world::model::FORMAT,
    &model::rob::FORMAT,
    &world::FORMAT,
    &terrain::FORMAT,
    &visibility::FORMAT,
    &sound::sfx::FORMAT,
    &sound::rtx::FORMAT,
    &sound::timbre::FORMAT,
    &settings::cht::FORMAT,
    &picture::shade::FORMAT,
    &save::FORMAT,
    &settings::cpf::FORMAT,
    &settings::ini::FORMAT,
    &settings::def::FORMAT,
];

/// The game.
pub static GAME: GameInfo = GameInfo {
    id: "redguard",
    name: "The Elder Scrolls Adventures: Redguard",
    charset: Charset::Cp437,
    formats: FORMATS,
    archives: None,
    known: known::KNOWN,
    markers: &["fxart/ISLAND.COL", "3dart/ART_PAL.COL", "soup386/SOUP386.DEF", "REDGUARD.CHT"],
    check: Some(shipped::check),
    builders: &[&visibility::BUILDER],
    characters: &[asset::game::FilesBelow { extensions: &["3dc"], folder: None }],
    sample: sample::write,
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_know_the_kinds_of_all_files_of_the_game() {
        let media = ["png", "WAV", "other"];
        for extension in FORMATS.iter().flat_map(|format| format.extensions).chain(&media) {
            let name = format!("name.{extension}");
            assert_eq!(settings::ini::kind_of_file(&name), GAME.kind_of_file(&name), "{name}");
        }
    }
}
