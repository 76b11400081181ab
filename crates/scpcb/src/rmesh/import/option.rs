//! What can be chosen when a scene becomes a room.

use asset::{Choice, Options};

use super::gone::{KEEP, Kept};

/// A dialect that can be written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ImportDialect {
    /// The game's own, version 1.3.11.
    Plain,
    /// RM, of Keter Class Edition.
    Rm,
    /// `RoomMesh2`, of Ultimate Edition Reborn.
    RoomMesh2,
}

/// Whether the images of a scene are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SceneImages {
    /// Next to the room, unless the game has them already.
    Beside,
    /// Not at all.
    Omitted,
}

/// `--dialect`.
const DIALECT: Choice<Option<ImportDialect>> = Choice::new(
    "dialect",
    "The dialect of a room that is made of a scene.",
    &[
        (
            "auto",
            "RM for a .rm file; otherwise RoomMesh2 if the scene was converted from such a room, else plain",
        ),
        ("plain", "the game's own, version 1.3.11"),
        ("rm", "RM, of Keter Class Edition"),
        ("uer", "RoomMesh2, of Ultimate Edition Reborn"),
    ],
    &[None, Some(ImportDialect::Plain), Some(ImportDialect::Rm), Some(ImportDialect::RoomMesh2)],
);

/// `--images`.
const IMAGES: Choice<SceneImages> = Choice::new(
    "images",
    "What to do with the images of a scene that becomes a room.",
    &[
        (
            "beside",
            "written next to the room, where the game looks for them, unless the game has them already",
        ),
        ("none", "not written"),
    ],
    &[SceneImages::Beside, SceneImages::Omitted],
);

asset::format_options! {
    /// How a scene becomes a room.
    pub struct ImportOptions {
        /// The dialect of the room; `None` for that of its extension, or of the room that the scene was converted from.
        dialect: Option<ImportDialect> = DIALECT;
        /// Whether the images of the scene are written.
        images: SceneImages = IMAGES;
        /// What is taken from the room of the base where the scene no longer has it.
        keep: &[Kept] = KEEP;
    }
}

impl ImportDialect {
    /// The dialect of a file with an extension, made of a scene that came from a room of the dialect `origin`.
    pub(super) fn chosen(options: &Options, extension: &str, origin: Option<Self>) -> Self {
        let usual = || match (extension, origin) {
            ("rm", _) => Self::Rm,
            (_, Some(Self::RoomMesh2)) => Self::RoomMesh2,
            _ => Self::Plain,
        };
        options.choice(&DIALECT).unwrap_or_else(usual)
    }
}

impl SceneImages {
    pub(super) fn chosen(options: &Options) -> Self {
        options.choice(&IMAGES)
    }
}
