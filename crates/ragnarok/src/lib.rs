//! Formats of Ragnarok Online (2002), a game by Gravity.
//!
//! - [`rsm`] reads and writes models;
//! - [`grf`] reads and writes archives;
//! - [`rsm::pose`] computes the pose of a model at any time;
//! - [`axes`] converts the axes of the game to those of glTF;
//! - [`sample`] writes a small sample game folder.
//!
//! # Glossary
//!
//! | term | meaning |
//! | --- | --- |
//! | GRF | an archive; its files are compressed with zlib, some also encrypted with a variant of DES |
//! | RSM, RSM2 | a model: a hierarchy of meshes with keyframe animations; RSM2 is version 2.0 and later |
//! | texture vertex | a pair of texture coordinates, with a color since 1.2 |
//! | offset | a translation of a mesh's vertices that its children do not inherit |
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

use asset::{Charset, Format, GameInfo, KnownFile};

/// The formats of the game.
pub static FORMATS: &[&Format] = &[&rsm::FORMAT, &grf::FORMAT];

/// Unsupported files in the game folder and its archives.
static KNOWN: &[KnownFile] = &[
    KnownFile { pattern: "*.gat", about: "ground of a map: heights and walkable cells; not supported yet" },
    KnownFile {
        pattern: "*.gnd",
        about: "ground of a map: surface, textures and lightmaps; not supported yet",
    },
    KnownFile {
        pattern: "*.rsw",
        about: "map: placement of models, lights, sounds and effects; not supported yet",
    },
    KnownFile {
        pattern: "*.spr",
        about: "sprite: the images of a character, monster or item; not supported yet",
    },
    KnownFile { pattern: "*.act", about: "animation of a sprite; not supported yet" },
    KnownFile { pattern: "*.imf", about: "drawing order of the parts of an old sprite; not supported yet" },
    KnownFile {
        pattern: "*.pal",
        about: "256-color palette of a sprite: hair and clothes; not supported yet",
    },
    KnownFile { pattern: "*.str", about: "effect: animated image layers; not supported yet" },
    KnownFile { pattern: "*.gr2", about: "Granny 3D model, a proprietary format of another company" },
    KnownFile { pattern: "*.rgz", about: "patch: packed files for the game folder; not supported yet" },
    KnownFile { pattern: "*.thor", about: "patch of the Thor patcher; not supported" },
    KnownFile { pattern: "*.ebm", about: "guild emblem: a compressed bitmap; not supported yet" },
    KnownFile { pattern: "*.lub", about: "Lua script, usually compiled" },
    KnownFile { pattern: "*.lua", about: "Lua script in plain text; opens in any editor" },
    KnownFile {
        pattern: "*.bmp",
        about: "image, usually a texture in which magenta is transparent; opens in any image viewer",
    },
    KnownFile { pattern: "*.tga", about: "image, usually a texture with alpha; opens in most image viewers" },
    KnownFile { pattern: "*.jpg", about: "image; opens in any image viewer" },
    KnownFile { pattern: "*.png", about: "image; opens in any image viewer" },
    KnownFile { pattern: "*.gif", about: "image; opens in any image viewer" },
    KnownFile { pattern: "*.ico", about: "icon; opens in any image viewer" },
    KnownFile { pattern: "*.wav", about: "sound; plays in any player" },
    KnownFile { pattern: "*.ogg", about: "Ogg Vorbis sound; plays in any player" },
    KnownFile { pattern: "*.mp3", about: "music; plays in any player" },
    KnownFile {
        pattern: "*.bik",
        about: "Bink movie, a proprietary format of another company; plays in some players",
    },
    KnownFile { pattern: "*.avi", about: "movie; plays in most players" },
    KnownFile { pattern: "*.ttf", about: "font; opens on any system" },
    KnownFile { pattern: "*.otf", about: "font; opens on any system" },
    KnownFile { pattern: "*.eot", about: "font for web pages" },
    KnownFile {
        pattern: "*.txt",
        about: "table or text of the game, in Korean code page 949; opens in any editor",
    },
    KnownFile { pattern: "*.xml", about: "settings or a table in plain text" },
    KnownFile { pattern: "*.json", about: "plain text" },
    KnownFile { pattern: "*.md", about: "plain text" },
    KnownFile { pattern: "*.ini", about: "settings in plain text" },
    KnownFile { pattern: "*.log", about: "plain text" },
    KnownFile { pattern: "*.inf", about: "list of servers or patches in plain text" },
    KnownFile { pattern: "*.csv", about: "table in plain text" },
    KnownFile { pattern: "*.html", about: "page; opens in any browser" },
    KnownFile { pattern: "*.bat", about: "batch file; opens in any editor" },
    KnownFile { pattern: "*.pdf", about: "document; opens in any PDF reader" },
    KnownFile { pattern: "*.zip", about: "ZIP archive; unpack it first" },
    KnownFile { pattern: "*.rpy", about: "recorded game; not supported" },
    KnownFile { pattern: "*.exe", about: "program" },
    KnownFile { pattern: "*.dll", about: "shared library" },
    KnownFile { pattern: "*.asi", about: "sound library" },
    KnownFile { pattern: "*.m3d", about: "sound library" },
    KnownFile { pattern: "*.flt", about: "sound library" },
    KnownFile { pattern: "thumbs.db", about: "thumbnail cache of Windows" },
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
