//! Options of the import of a scene as a room.

use asset::{Choice, Options};

use super::missing::{KEEP, Kept};

/// A dialect that can be written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ImportDialect {
    /// The game's own dialect, version 1.3.11.
    Plain,
    /// RM, of Keter Class Edition.
    Rm,
    /// `RoomMesh2`, of Ultimate Edition Reborn.
    RoomMesh2,
}

/// Whether the images of a scene are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SceneImages {
    /// Written next to the room, unless the game has them already.
    Companions,
    /// Not written.
    Omitted,
}

/// `--dialect`.
const DIALECT: Choice<Option<ImportDialect>> = Choice::new(
    "dialect",
    "Dialect of a room that is imported from a scene.",
    &[
        (
            "auto",
            "rm for a .rm file; otherwise uer if the scene was converted from such a room; otherwise plain",
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
    "Whether to write the images of a scene that is imported as a room.",
    &[
        (
            "beside",
            "written next to the room, where the game looks for them, unless the game has them already",
        ),
        ("none", "not written"),
    ],
    &[SceneImages::Companions, SceneImages::Omitted],
);

asset::format_options! {
    /// Options of the import of a scene as a room.
    pub struct ImportOptions {
        /// The dialect of the room; `None` to choose by the extension, or by the room from which the scene was converted.
        dialect: Option<ImportDialect> = DIALECT;
        /// Whether the images of the scene are written.
        images: SceneImages = IMAGES;
        /// Items to take from the base room if the scene lacks them.
        keep: &[Kept] = KEEP;
    }
}

impl ImportDialect {
    /// The dialect for a file extension and the dialect `origin` of the room from which the scene was converted.
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
