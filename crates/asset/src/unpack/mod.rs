//! A file unpacked for editing: a folder with the typed file as JSON, long byte runs, and views that people edit.
//!
//! ```text
//! antiquary.json   the manifest: format, context, source, every part with its digest
//! record.json      the typed file
//! blobs/           byte runs that nobody edits by hand
//! views/           the same content as people edit it
//! ```
//! Packing takes a view that was not touched from the record and the blobs, so nothing changes; a view that was touched is
//! encoded anew. A view and what it shows both edited cannot be told apart, and is refused.

mod blob;
mod digest;
mod manifest;
mod memory;
mod original;
mod parts;
pub mod sheet;
#[cfg(test)]
mod tests;
mod typed;
mod unpacked;

pub use blob::BlobNames;
pub use manifest::{MANIFEST, SCHEMA};
pub use memory::MemoryParts;
pub use parts::{BlobNamer, Parts, ViewSource};
pub use typed::TypedParts;
pub use unpacked::{EditedView, Unpacked};

use crate::report::{Code, Severity};

/// A file in the folder that the manifest does not list.
pub static UNLISTED: Code = Code {
    id: "PACK-W001",
    severity: Severity::Warning,
    title: "file not listed",
    about: "A file in `blobs/` or `views/` is not listed in `antiquary.json`, so it is not packed. A format whose entries can be added takes new views, \
            if they are of its kind; other parts have to be named in `record.json` first. \
            Example: `views/new.png is not listed in antiquary.json and is ignored`.",
};

/// A packed file that cannot be read again.
pub static UNREADABLE: Code = Code {
    id: "PACK-W002",
    severity: Severity::Warning,
    title: "packed file unreadable",
    about: "The packed file is not a valid file of its format: fields that were edited contradict each other. Without `--allow-damaged` this is an \
            error and nothing is written. Example: `the packed file is unreadable: frames: expected 3 items, but only 2 are left`.",
};

/// A packed file that is no longer recognized.
pub static UNRECOGNIZED: Code = Code {
    id: "PACK-E010",
    severity: Severity::Error,
    title: "packed file not recognized",
    about: "By its name and content the edited file would be taken for another format, or for none: a signature, a keyword or a length was edited. It is             not written without `--allow-damaged`. Example: `the file is no longer recognized as paint.pcx`.",
};

/// Parts that have no files of their own in an unpacked folder.
pub static WITHOUT_VIEW: Code = Code {
    id: "PACK-W003",
    severity: Severity::Warning,
    title: "too many parts",
    about: "The file has so many images, sounds or other parts that not all of them become files in the unpacked folder. The rest is in \
            `record.json`, and can only be edited there; packing keeps everything. Example: `12 parts are without a file of their own, because there \
            are more than 8192: edit record.json instead`.",
};

/// A file beside the packed one that is not replaced.
pub static BESIDE_KEPT: Code = Code {
    id: "PACK-N004",
    severity: Severity::Note,
    title: "file beside kept",
    about: "A scene has an image under the name of a file that stands beside the packed file and holds something else. Such a file is never replaced, \
            not even with `--force`: it may be one of the game's own. Delete or rename it first to get the scene's image. \
            Example: `GFX/map/wall.jpg is kept; the image of that name in the scene is another one`.",
};

/// Files that go beside the packed one, which goes nowhere.
pub static NOT_BESIDE: Code = Code {
    id: "PACK-W005",
    severity: Severity::Warning,
    title: "files beside not written",
    about: "The packed file names files that come with the scene, such as textures. They are written beside it, but standard output has no place \
            beside it. Name a file with `-o` instead. Example: `not written: wall.jpg, floor.jpg`.",
};

/// A field that `set` added, which may be a misspelled one.
pub static NEW_FIELD: Code = Code {
    id: "PACK-W006",
    severity: Severity::Warning,
    title: "new field",
    about: "`set` added a key or section that the file did not have. If the name is misspelled, the game ignores it. \
            Example: `items[\"player_maxx[4]\"]: added; the file did not have it; did you mean \"Player_Max[4]\"?`.",
};

/// A scene with less in it than the file it was made from.
pub static FEWER: Code = Code {
    id: "PACK-W007",
    severity: Severity::Warning,
    title: "fewer items than the original",
    about: "The file that a scene became no longer has items of the file of `--base`, which the scene was made from: other programs drop what they do not know. Items without names have \
            numbers, from 0 on. Example: `collision spheres: sphere 1 is gone; 2 of 3 are left`.",
};

/// A new view that becomes an entry.
pub static NEW_ENTRY: Code = Code {
    id: "PACK-N008",
    severity: Severity::Note,
    title: "new entry",
    about: "A file in `views/` that was not unpacked becomes a new entry of the packed file: a sound, an image or a model. Its name says which one. \
            Example: `views/118.wav is a new file and becomes the entry \"118.wav\"`.",
};

/// A row that was removed from a view.
pub static ROW_REMOVED: Code = Code {
    id: "PACK-W009",
    severity: Severity::Warning,
    title: "entry removed",
    about: "A view lists the entries of the file, and some were removed from it. They are not in the packed file. \
            Example: `2 lines are not in views/texts.json and were removed: ab12, ab13`.",
};

/// The warnings that packing any format can raise.
pub static CODES: &[Code] = &[
    UNLISTED,
    UNREADABLE,
    WITHOUT_VIEW,
    BESIDE_KEPT,
    NOT_BESIDE,
    NEW_FIELD,
    FEWER,
    NEW_ENTRY,
    ROW_REMOVED,
    UNRECOGNIZED,
];
