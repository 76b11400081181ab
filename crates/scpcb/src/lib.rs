//! Formats of SCP – Containment Breach (2012), a game by Regalis11 made with Blitz3D.
//!
//! - [`rmesh`] reads and writes rooms;
//! - [`b3d`] and [`x`] read and write models, [`three_ds`] and [`obj`] read them;
//! - [`cbmap`] reads and writes maps of the map creator, and lays out their rooms;
//! - [`ini`] reads and writes the tables: rooms, materials, characters, events, drinks, options, ...
//! - [`save`] reads and writes saved games;
//! - [`axes`] converts the axes of the game to those of glTF;
//! - [`sample`] is a small game folder made by our own writers.
//!
//! The words of the game and its engine:
//!
//! | word | meaning |
//! | --- | --- |
//! | brush | a material: color, blending and up to eight texture layers |
//! | fx | bit flags of a brush or entity: full bright, vertex colors, flat shading, ... |
//! | entity | an object in a room: a class name and its fields |
//! | waypoint | a node of the navigation graph |
//! | trigger box | an invisible region that triggers an event |
//! | prop | a static model in a room |
//! | screen | an image that the player can look at |
//! | cell | where a room stands on the grid of a map |
//! | event | what happens in a room of a map |
//! | plain room | the RMesh dialect of the original game |

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

use asset::{Charset, Format, GameInfo, Known};

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

/// Files of its folder that are not supported.
static KNOWN: &[Known] = &[
    Known { pattern: "*.jpg", about: "image, usually a texture; opens in any image viewer" },
    Known { pattern: "*.png", about: "image, usually a texture or a lightmap; opens in any image viewer" },
    Known { pattern: "*.bmp", about: "image, usually a lightmap; opens in any image viewer" },
    Known { pattern: "*.tga", about: "image; opens in most image viewers" },
    Known { pattern: "*.gif", about: "image; opens in any image viewer" },
    Known { pattern: "*.sc", about: "JPEG image of a screen in the game; rename it to .jpg to open it" },
    Known { pattern: "*.mtl", about: "materials of a Wavefront model; read with the model" },
    Known { pattern: "*.ogg", about: "Ogg Vorbis sound; plays in any player" },
    Known { pattern: "*.wav", about: "sound; plays in any player" },
    Known { pattern: "*.mp3", about: "sound; plays in any player" },
    Known { pattern: "*.avi", about: "movie; plays in most players" },
    Known { pattern: "*.wmv", about: "movie; plays in most players" },
    Known { pattern: "*.ttf", about: "font; opens on any system" },
    Known { pattern: "*.otf", about: "font; opens on any system" },
    Known { pattern: "*.fon", about: "Windows bitmap font" },
    Known {
        pattern: "*.ini",
        about: "settings and tables in plain text; those of the game are supported, those of mods are not",
    },
    Known { pattern: "*.bb", about: "source code of the game in Blitz3D; opens in any editor" },
    Known { pattern: "*.bmx", about: "source code of a tool in BlitzMax; opens in any editor" },
    Known { pattern: "*.decls", about: "declarations of library functions for Blitz3D, in plain text" },
    Known { pattern: "*.txt", about: "plain text" },
    Known { pattern: "*.md", about: "plain text" },
    Known { pattern: "*.log", about: "log in plain text" },
    Known { pattern: "*.xml", about: "settings or a table in plain text" },
    Known { pattern: "*.json", about: "plain text" },
    Known { pattern: "*.cfg", about: "settings in plain text" },
    Known { pattern: "*.bat", about: "batch file; opens in any editor" },
    Known { pattern: "*.pdf", about: "document; opens in any PDF reader" },
    Known { pattern: "*.psd", about: "Photoshop image, the source of a texture" },
    Known { pattern: "*.blend", about: "Blender scene, the source of a model" },
    Known { pattern: "*.ico", about: "icon; opens in any image viewer" },
    Known { pattern: "*.zip", about: "ZIP archive; unpack it first" },
    Known { pattern: "*.exe", about: "program" },
    Known { pattern: "*.dll", about: "shared library" },
    Known { pattern: "thumbs.db", about: "thumbnail cache of Windows" },
];

/// The game.
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
    /// The game, as a list for installs.
    pub(crate) static GAMES: &[&asset::GameInfo] = &[&crate::GAME];
}
