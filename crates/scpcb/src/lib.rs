#![cfg_attr(docsrs, feature(doc_cfg))]
//! Formats of SCP – Containment Breach (2012), a game by Regalis11 made with Blitz3D.
//!
//! - [`rmesh`] reads and writes rooms;
//! - [`rmesh`] reads and writes rooms;
//! - [`b3d`] and [`x`] read and write models, [`three_ds`] and [`obj`] read them;
//! - [`cbmap`] reads and writes maps of the map creator, and assembles their rooms into a scene;
//! - [`ini`] reads and writes the tables: rooms, materials, characters, events, drinks, options, ...
//! - [`save`] reads and writes saved games;
//! - [`axes`] converts between the axes of the game and those of glTF;
//! - [`sample`] writes a small synthetic game folder with the writers of this crate.
//!
//! # Glossary
//!
//! The words of the game and its engine, with the usual term:
//!
//! | word | usual term |
//! | --- | --- |
//! | brush | material: color, blending and up to eight texture layers |
//! | fx | material flags: full bright (unlit), vertex colors, flat shading, ... |
//! | entity | placed object of a room: a class name and its fields; in a model, a scene node |
//! | waypoint | node of the navigation graph |
//! | trigger box | trigger volume |
//! | prop | static model |
//! | screen | image that the player can look at |
//! | sound emitter | looping ambient sound source |
//! | cell | tile of the map's grid, one room each |
//! | event | script of a room in a map |
//! | plain room | RMesh file in the dialect of the original game |
//! | game unit | 1/256 m in rooms |

#![warn(clippy::indexing_slicing, clippy::arithmetic_side_effects, clippy::as_conversions)]
#![cfg_attr(not(test), warn(clippy::disallowed_methods))]
#![cfg_attr(
    test,
    allow(clippy::as_conversions, clippy::arithmetic_side_effects, reason = "numbers in tests are small")
)]

pub mod axes;
pub mod b3d;
pub mod cbmap;
mod import;
pub mod ini;
mod model;
mod nested;
mod number;
pub mod obj;
pub mod rmesh;
pub mod sample;
pub mod save;
mod string;
pub mod three_ds;
pub mod x;

pub use model::ModelOptions;
pub use string::BlitzString;

use asset::{Charset, Format, GameInfo, KnownFile};

/// The formats of the game.
pub static FORMATS: &[&Format] = &[
    &rmesh::FORMAT,
    &x::FORMAT,
    &b3d::FORMAT,
    &three_ds::FORMAT,
    &obj::FORMAT,
    &cbmap::FORMAT,
    &ini::rooms::FORMAT,
    &ini::materials::FORMAT,
    &ini::table::NPCS,
    &ini::table::NPC_BONES,
    &ini::table::EVENTS,
    &ini::table::DRINKS,
    &ini::table::CHUNKS,
    &ini::table::ACHIEVEMENTS,
    &ini::table::LOADING_SCREENS,
    &ini::table::OPTIONS,
    &save::FORMAT,
];

/// Known files of the game folder that are not supported.
static KNOWN: &[KnownFile] = &[
    KnownFile { pattern: "*.jpg", about: "image, usually a texture; opens in any image viewer" },
    KnownFile {
        pattern: "*.png",
        about: "image, usually a texture or a lightmap; opens in any image viewer",
    },
    KnownFile { pattern: "*.bmp", about: "image, usually a lightmap; opens in any image viewer" },
    KnownFile { pattern: "*.tga", about: "image; opens in most image viewers" },
    KnownFile { pattern: "*.gif", about: "image; opens in any image viewer" },
    KnownFile { pattern: "*.sc", about: "JPEG image of a screen in the game; rename it to .jpg to open it" },
    KnownFile { pattern: "*.mtl", about: "materials of a Wavefront model; read with the model" },
    KnownFile { pattern: "*.ogg", about: "Ogg Vorbis sound; plays in any player" },
    KnownFile { pattern: "*.wav", about: "sound; plays in any player" },
    KnownFile { pattern: "*.mp3", about: "sound; plays in any player" },
    KnownFile { pattern: "*.avi", about: "movie; plays in most players" },
    KnownFile { pattern: "*.wmv", about: "movie; plays in most players" },
    KnownFile { pattern: "*.ttf", about: "font; opens on any system" },
    KnownFile { pattern: "*.otf", about: "font; opens on any system" },
    KnownFile { pattern: "*.fon", about: "Windows bitmap font" },
    KnownFile {
        pattern: "*.ini",
        about: "settings and tables in plain text; those of the game are supported, those of mods are not",
    },
    KnownFile { pattern: "*.bb", about: "source code of the game in Blitz3D; opens in any editor" },
    KnownFile { pattern: "*.bmx", about: "source code of a tool in BlitzMax; opens in any editor" },
    KnownFile { pattern: "*.decls", about: "declarations of library functions for Blitz3D, in plain text" },
    KnownFile { pattern: "*.txt", about: "plain text" },
    KnownFile { pattern: "*.md", about: "plain text" },
    KnownFile { pattern: "*.log", about: "log in plain text" },
    KnownFile { pattern: "*.xml", about: "settings or a table in plain text" },
    KnownFile { pattern: "*.json", about: "plain text" },
    KnownFile { pattern: "*.cfg", about: "settings in plain text" },
    KnownFile { pattern: "*.bat", about: "batch file; opens in any editor" },
    KnownFile { pattern: "*.pdf", about: "document; opens in any PDF reader" },
    KnownFile { pattern: "*.psd", about: "Photoshop image, the source of a texture" },
    KnownFile { pattern: "*.blend", about: "Blender scene, the source of a model" },
    KnownFile { pattern: "*.ico", about: "icon; opens in any image viewer" },
    KnownFile { pattern: "*.zip", about: "ZIP archive; unpack it first" },
    KnownFile { pattern: "*.exe", about: "program" },
    KnownFile { pattern: "*.dll", about: "shared library" },
    KnownFile { pattern: "thumbs.db", about: "thumbnail cache of Windows" },
];

/// The game's entry in the list of games.
pub static GAME: GameInfo = GameInfo {
    id: "scpcb",
    name: "SCP – Containment Breach",
    charset: Charset::Windows1252,
    formats: FORMATS,
    markers: &["GFX/map", "Data/rooms.ini"],
    archives: None,
    known: KNOWN,
    check: None,
    builders: &[&rmesh::LIGHTMAPS],
    characters: &[asset::game::FilesBelow { extensions: &["b3d", "x"], folder: Some("npcs") }],
    sample: sample::write,
};

#[cfg(test)]
mod tests {
    /// The game, as the list that an install takes.
    pub(crate) static GAMES: &[&asset::GameInfo] = &[&crate::GAME];
}
