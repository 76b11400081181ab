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

use asset::{Charset, Format, Game, Known};

/// The formats of the game.
pub static FORMATS: &[&Format] =
    &[&rmesh::FORMAT, &x::FORMAT, &b3d::FORMAT, &ini::rooms::FORMAT, &ini::materials::FORMAT];

/// What stands in its folder and is not read.
static KNOWN: &[Known] = &[
    Known { pattern: "*.jpg", about: "picture, mostly a texture; any program opens it" },
    Known { pattern: "*.png", about: "picture, mostly a texture or a lightmap; any program opens it" },
    Known { pattern: "*.bmp", about: "picture, mostly a lightmap; any program opens it" },
    Known { pattern: "*.tga", about: "picture; most programs open it" },
    Known { pattern: "*.gif", about: "picture; any program opens it" },
    Known {
        pattern: "*.sc",
        about: "JPEG picture on a screen in the game; any program opens it once it is called .jpg",
    },
    Known { pattern: "*.ogg", about: "Ogg Vorbis sound; any player plays it" },
    Known { pattern: "*.wav", about: "sound; any player plays it" },
    Known { pattern: "*.mp3", about: "sound; any player plays it" },
    Known { pattern: "*.avi", about: "movie; most players show it" },
    Known { pattern: "*.wmv", about: "movie; most players show it" },
    Known { pattern: "*.ttf", about: "font; any system opens it" },
    Known { pattern: "*.fon", about: "bitmap font of Windows" },
    Known {
        pattern: "*.ini",
        about: "settings and tables of the game as plain text; those of rooms and materials are read",
    },
    Known { pattern: "*.bb", about: "source text of the game, in Blitz3D; any editor opens it" },
    Known { pattern: "*.bmx", about: "source text of a tool, in BlitzMax; any editor opens it" },
    Known { pattern: "*.decls", about: "names of library functions for Blitz3D, as plain text" },
    Known { pattern: "*.txt", about: "plain text; a saved game is called save.txt too, and is not text" },
    Known { pattern: "*.md", about: "plain text" },
    Known { pattern: "*.cbmap", about: "map of the map creator; without a public layout" },
    Known { pattern: "*.cbmap2", about: "map of the map creator; without a public layout" },
    Known { pattern: "*.exe", about: "program" },
    Known { pattern: "*.dll", about: "program library" },
    Known { pattern: "thumbs.db", about: "small pictures that Windows keeps" },
];

/// The game.
pub static GAME: Game = Game {
    id: "scpcb",
    name: "SCP – Containment Breach",
    charset: Charset::Windows1252,
    formats: FORMATS,
    markers: &["GFX/map", "Data/rooms.ini"],
    archives: None,
    known: KNOWN,
    sample: sample::write,
};

#[cfg(test)]
mod tests {
    /// The game alone, as installs are told it.
    pub(crate) static GAMES: &[&asset::Game] = &[&crate::GAME];
}
