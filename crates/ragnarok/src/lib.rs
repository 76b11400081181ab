//! The files of Ragnarok Online (2002), a game by Gravity.
//!
//! - [`rsm`] reads and writes models;
//! - [`grf`] reads and writes archives;
//! - [`rsm::pose`] poses a model at any time;
//! - [`axes`] says how the game's space becomes glTF's;
//! - [`sample`] is a small game folder made by our own writers.

#![cfg_attr(
    test,
    allow(clippy::as_conversions, clippy::arithmetic_side_effects, reason = "numbers in tests are small")
)]

pub mod affine;
pub mod axes;
pub mod grf;
pub mod rsm;
pub mod sample;

use asset::{Charset, Format, Game, Known};

/// The formats of the game.
pub static FORMATS: &[&Format] = &[&rsm::FORMAT, &grf::FORMAT];

/// What stands in its folder and archives and is not read.
static KNOWN: &[Known] = &[
    Known { pattern: "*.gat", about: "ground of a map: heights and where one can walk; not read yet" },
    Known { pattern: "*.gnd", about: "ground of a map: its surface, textures and light; not read yet" },
    Known { pattern: "*.rsw", about: "map: where models, lights, sounds and effects stand; not read yet" },
    Known { pattern: "*.spr", about: "sprite: the pictures of a character, monster or item; not read yet" },
    Known {
        pattern: "*.act",
        about: "animation of a sprite: which picture stands where and when; not read yet",
    },
    Known { pattern: "*.imf", about: "order in which the parts of an old sprite are drawn; not read yet" },
    Known { pattern: "*.pal", about: "256 colours for a sprite: hair and clothes; not read yet" },
    Known { pattern: "*.str", about: "effect: layers of pictures that move and fade; not read yet" },
    Known { pattern: "*.gr2", about: "Granny 3D model, in a closed format of another company" },
    Known { pattern: "*.rgz", about: "patch: packed files for the game folder; not read yet" },
    Known { pattern: "*.thor", about: "patch of the Thor patcher; not read" },
    Known { pattern: "*.ebm", about: "emblem of a guild: a packed bitmap; not read yet" },
    Known { pattern: "*.lub", about: "Lua script, mostly compiled" },
    Known { pattern: "*.lua", about: "Lua script as plain text; any editor opens it" },
    Known {
        pattern: "*.bmp",
        about: "picture, mostly a texture in which magenta is clear; any program opens it",
    },
    Known { pattern: "*.tga", about: "picture, mostly a texture with alpha; most programs open it" },
    Known { pattern: "*.jpg", about: "picture; any program opens it" },
    Known { pattern: "*.png", about: "picture; any program opens it" },
    Known { pattern: "*.wav", about: "sound; any player plays it" },
    Known { pattern: "*.mp3", about: "music; any player plays it" },
    Known {
        pattern: "*.bik",
        about: "Bink movie, in a closed format of another company; some players show it",
    },
    Known { pattern: "*.ttf", about: "font; any system opens it" },
    Known { pattern: "*.eot", about: "font for web pages" },
    Known {
        pattern: "*.txt",
        about: "table or text of the game, in Korean code page 949; any editor opens it",
    },
    Known { pattern: "*.xml", about: "settings or a table as plain text" },
    Known { pattern: "*.json", about: "plain text" },
    Known { pattern: "*.md", about: "plain text" },
    Known { pattern: "*.ini", about: "settings as plain text" },
    Known { pattern: "*.log", about: "plain text" },
    Known { pattern: "*.rpy", about: "recorded game; not read" },
    Known { pattern: "*.exe", about: "program" },
    Known { pattern: "*.dll", about: "program library" },
    Known { pattern: "*.asi", about: "program library for sound" },
    Known { pattern: "*.m3d", about: "program library for sound" },
    Known { pattern: "*.flt", about: "program library for sound" },
    Known { pattern: "thumbs.db", about: "small pictures that Windows keeps" },
];

/// The game.
pub static GAME: Game = Game {
    id: "ragnarok",
    name: "Ragnarok Online",
    charset: Charset::Cp949,
    formats: FORMATS,
    markers: &["data/model", "data.grf", "DATA.INI"],
    archives: Some(&grf::ARCHIVES),
    known: KNOWN,
    sample: sample::write,
};
