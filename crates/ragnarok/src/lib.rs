//! Formats of Ragnarok Online (2002), a game by Gravity.
//!
//! - [`rsm`] reads and writes models;
//! - [`grf`] reads and writes archives;
//! - [`rsm::pose`] poses a model at any time;
//! - [`axes`] converts the axes of the game to those of glTF;
//! - [`sample`] is a small game folder made by our own writers.
//!
//! The words of the formats:
//!
//! | word | meaning |
//! | --- | --- |
//! | GRF | an archive; its files are deflated, some also encrypted with a variant of DES |
//! | RSM, RSM2 | a model: a hierarchy of meshes; RSM2 is version 2.0 and later |
//! | texture vertex | a pair of texture coordinates, with a color since 1.2 |
//! | offset | a translation of the vertices of a mesh that its children do not inherit |
//! | shade type | none, flat or smooth shading |
//! | volume box | a box without a documented purpose |

#![warn(clippy::indexing_slicing, clippy::arithmetic_side_effects, clippy::as_conversions)]
#![cfg_attr(not(test), warn(clippy::disallowed_methods))]
#![cfg_attr(
    test,
    allow(clippy::as_conversions, clippy::arithmetic_side_effects, reason = "numbers in tests are small")
)]

pub mod affine;
pub mod axes;
pub mod grf;
pub mod rsm;
pub mod sample;

use asset::{Charset, Format, GameInfo, Known};

/// The formats of the game.
pub static FORMATS: &[&Format] = &[&rsm::FORMAT, &grf::FORMAT];

/// Files of its folder and archives that are not supported.
static KNOWN: &[Known] = &[
    Known { pattern: "*.gat", about: "ground of a map: heights and walkable cells; not supported yet" },
    Known { pattern: "*.gnd", about: "ground of a map: surface, textures and lightmaps; not supported yet" },
    Known {
        pattern: "*.rsw",
        about: "map: placement of models, lights, sounds and effects; not supported yet",
    },
    Known {
        pattern: "*.spr",
        about: "sprite: the images of a character, monster or item; not supported yet",
    },
    Known { pattern: "*.act", about: "animation of a sprite; not supported yet" },
    Known { pattern: "*.imf", about: "drawing order of the parts of an old sprite; not supported yet" },
    Known { pattern: "*.pal", about: "256-color palette of a sprite: hair and clothes; not supported yet" },
    Known { pattern: "*.str", about: "effect: animated image layers; not supported yet" },
    Known { pattern: "*.gr2", about: "Granny 3D model, a proprietary format of another company" },
    Known { pattern: "*.rgz", about: "patch: packed files for the game folder; not supported yet" },
    Known { pattern: "*.thor", about: "patch of the Thor patcher; not supported" },
    Known { pattern: "*.ebm", about: "guild emblem: a compressed bitmap; not supported yet" },
    Known { pattern: "*.lub", about: "Lua script, usually compiled" },
    Known { pattern: "*.lua", about: "Lua script in plain text; opens in any editor" },
    Known {
        pattern: "*.bmp",
        about: "image, usually a texture in which magenta is transparent; opens in any image viewer",
    },
    Known { pattern: "*.tga", about: "image, usually a texture with alpha; opens in most image viewers" },
    Known { pattern: "*.jpg", about: "image; opens in any image viewer" },
    Known { pattern: "*.png", about: "image; opens in any image viewer" },
    Known { pattern: "*.gif", about: "image; opens in any image viewer" },
    Known { pattern: "*.ico", about: "icon; opens in any image viewer" },
    Known { pattern: "*.wav", about: "sound; plays in any player" },
    Known { pattern: "*.ogg", about: "Ogg Vorbis sound; plays in any player" },
    Known { pattern: "*.mp3", about: "music; plays in any player" },
    Known {
        pattern: "*.bik",
        about: "Bink movie, a proprietary format of another company; plays in some players",
    },
    Known { pattern: "*.avi", about: "movie; plays in most players" },
    Known { pattern: "*.ttf", about: "font; opens on any system" },
    Known { pattern: "*.otf", about: "font; opens on any system" },
    Known { pattern: "*.eot", about: "font for web pages" },
    Known {
        pattern: "*.txt",
        about: "table or text of the game, in Korean code page 949; opens in any editor",
    },
    Known { pattern: "*.xml", about: "settings or a table in plain text" },
    Known { pattern: "*.json", about: "plain text" },
    Known { pattern: "*.md", about: "plain text" },
    Known { pattern: "*.ini", about: "settings in plain text" },
    Known { pattern: "*.log", about: "plain text" },
    Known { pattern: "*.inf", about: "list of servers or patches in plain text" },
    Known { pattern: "*.csv", about: "table in plain text" },
    Known { pattern: "*.html", about: "page; opens in any browser" },
    Known { pattern: "*.bat", about: "batch file; opens in any editor" },
    Known { pattern: "*.pdf", about: "document; opens in any PDF reader" },
    Known { pattern: "*.zip", about: "ZIP archive; unpack it first" },
    Known { pattern: "*.rpy", about: "recorded game; not supported" },
    Known { pattern: "*.exe", about: "program" },
    Known { pattern: "*.dll", about: "shared library" },
    Known { pattern: "*.asi", about: "sound library" },
    Known { pattern: "*.m3d", about: "sound library" },
    Known { pattern: "*.flt", about: "sound library" },
    Known { pattern: "thumbs.db", about: "thumbnail cache of Windows" },
];

/// The game.
pub static GAME: GameInfo = GameInfo {
    id: "ragnarok",
    name: "Ragnarok Online",
    charset: Charset::Cp949,
    formats: FORMATS,
    markers: &["data/model", "data.grf", "DATA.INI"],
    archives: Some(&grf::ARCHIVES),
    known: KNOWN,
    check: None,
    builders: &[],
    characters: &[],
    sample: sample::write,
};
