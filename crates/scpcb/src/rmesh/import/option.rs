//! What can be chosen when a scene becomes a room.

use asset::{Choice, FormatOption, Options};

use super::gone::KEEP;

/// A dialect that can be written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Dialect {
    Plain,
    Rm,
    RoomMesh2,
}

/// Whether the images of a scene are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Images {
    Beside,
    Omitted,
}

/// `--dialect`.
const DIALECT: Choice<Option<Dialect>> = Choice::new(
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
    &[None, Some(Dialect::Plain), Some(Dialect::Rm), Some(Dialect::RoomMesh2)],
);

/// `--images`.
const IMAGES: Choice<Images> = Choice::new(
    "images",
    "What to do with the images of a scene that becomes a room.",
    &[
        (
            "beside",
            "written next to the room, where the game looks for them, unless the game has them already",
        ),
        ("none", "not written"),
    ],
    &[Images::Beside, Images::Omitted],
);

pub(in crate::rmesh) const OPTIONS: &[FormatOption] = &[DIALECT.option(), IMAGES.option(), KEEP.option()];

impl Dialect {
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

impl Images {
    pub(super) fn chosen(options: &Options) -> Self {
        options.choice(&IMAGES)
    }
}
