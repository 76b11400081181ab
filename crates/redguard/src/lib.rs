#![cfg_attr(docsrs, feature(doc_cfg))]
//! Files of *The Elder Scrolls Adventures: Redguard* (1998), a game by Bethesda Softworks.
//!
//! One folder per format, grouped by kind:
//!
//! - [`model`] reads and writes models (`.3D`, `.3DC`), and [`model::rob`] archives of the models of a map (`.ROB`); [`axes`] converts
//!   their axes for glTF.
//! - [`map`] reads and writes maps (`.RGM`), and resolves the sections of the objects in them; [`world`] assembles a map as the game shows
//!   it, and [`world::model`] reads single models with their attachments.
//! - [`terrain`] reads and writes terrains (`.WLD`), with heights, normals and moving water.
//! - [`visibility`] reads and writes visibility trees (`.PVO`), finds the objects visible from a position, and builds trees.
//! - [`picture`]: [`picture::palette`] reads and writes palettes (`.COL`), and selects the palette of an image; [`picture::texbsi`] reads
//!   and writes the texture banks of the Glide renderer (`TEXBSI.###`), [`picture::bsi`] single images (`.BSI`), [`picture::texture`] the
//!   texture sets of the software renderer (`TEXTURE.###`), [`picture::gxa`] the bitmaps of the menus (`.GXA`), and [`picture::shade`]
//!   shade tables (`SHADE.###`, `HAZE.###`).
//! - [`sound`]: [`sound::sfx`] reads and writes sound effects (`.SFX`), [`sound::rtx`] dialogue texts with voices (`.RTX`), and
//!   [`sound::timbre`] the instruments of the music on FM sound chips (`.OPL`, `.AD`).
//! - [`film`] reads the headers of films (`.SMK`), and converts their subtitles.
//! - [`text`]: [`text::fnt`] reads and writes fonts (`.FNT`); [`wrap`] breaks texts into lines.
//! - [`settings`]: [`settings::cht`] reads and writes the cheat states (`REDGUARD.CHT`), [`settings::cpf`] the console settings
//!   (`REDGUARD.CPF`), [`settings::ini`] the settings of worlds, items and combat (`.INI`), and [`settings::def`] the names used by scripts
//!   (`SOUP386.DEF`).
//! - [`ai`] reads and writes the animation groups of separate script files (`.AI`), of which the game was shipped without any.
//! - [`location`] finds the files that SYSTEM.INI names, and [`screen`] draws the pages of the menu and the HUD from the settings.
//! - [`engine`] computes the behavior of the game: light, water, fog, sky, attachments, animation, sound, text.
//! - [`save`] reads and writes saved games (`.SAV`, `.TSG`).
//! - [`sample`] generates a small game folder with our own writers.
//!
//! Images and animations in the formats of paint programs (`.LBM`, `.PCX`, `.ANM`) are in the crate `media`.
//!
//! # Glossary
//!
//! | term | meaning |
//! | --- | --- |
//! | plane | a face (polygon) of a model of the software renderer |
//! | pose | the vertices and face normals of an animation frame |
//! | node (section 4) | a bounding sphere over a group of faces, for collision detection |
//! | segment (ROB) | a named model in an archive of models |
//! | object (RGM) | a scripted entity type; a map places any number of instances of it |
//! | static (RGM) | a placed model without a script |
//! | flat (RGM) | a sprite: an image that faces the camera |
//! | list, run (PVO) | the objects visible from a cell, and a range of object numbers in it |
//! | patch (PVO) | an additional object that is visible from a cell |
//! | bank, set | a texture archive of the Glide renderer (`TEXBSI.###`), and one of the software renderer (`TEXTURE.###`) |
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

pub use redguard_files::{film, location, picture, save, screen, settings, sound, text, wrap};
#[cfg(feature = "scripts")]
pub use redguard_scripts as script;
pub use redguard_world::{ai, axes, engine, lighting, map, model, sample, terrain, visibility, world};

use asset::{Charset, Format, GameInfo};

/// Formats of the game.
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
    &ai::FORMAT,
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
    fn settings_and_game_agree_on_kinds_of_files() {
        let media = ["png", "WAV", "other"];
        for extension in FORMATS.iter().flat_map(|format| format.extensions).chain(&media) {
            let name = format!("name.{extension}");
            assert_eq!(settings::ini::kind_of_file(&name), GAME.kind_of_file(&name), "{name}");
        }
    }
}
