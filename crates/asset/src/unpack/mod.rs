//! Files unpacked for editing: a folder with the fields as JSON, long byte runs, and editable views.
//!
//! ```text
//! antiquary.json   manifest: format, context, source, all parts with their digests
//! record.json      the fields of the file
//! blobs/           byte runs that are not edited by hand
//! views/           the same content in editable forms
//! ```
//! Packing uses the record and the blobs for views that were not edited, so nothing changes; edited views are encoded. If both a
//! view and the part of the record that it shows were edited, packing fails, because either could be the intended edit.

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

/// The manifest does not list a file in the folder.
pub static UNLISTED: Code = Code {
    id: "PACK-W001",
    severity: Severity::Warning,
    title: "file not listed",
    about: "A file in `blobs/` or `views/` is not listed in `antiquary.json`, so it is not packed. Formats that support adding entries \
            accept new views of a suitable type; other parts must be added to `record.json` first. Example: `views/new.png is not listed \
            in antiquary.json and is ignored`.",
};

/// The packed file cannot be read.
pub static UNREADABLE: Code = Code {
    id: "PACK-W002",
    severity: Severity::Warning,
    title: "packed file unreadable",
    about: "The packed file is not a valid file of its format: edited fields contradict each other. Without `--allow-damaged` this is an \
            error and nothing is written. Example: `the packed file is unreadable: frames: expected 3 items, but only 2 are left`.",
};

/// The packed file is not recognized as its format.
pub static UNRECOGNIZED: Code = Code {
    id: "PACK-E010",
    severity: Severity::Error,
    title: "packed file not recognized",
    about: "By its name and content, the edited file would be detected as another format or as none, because a signature, a keyword or a \
        length was edited. It is not written without `--allow-damaged`. Example: `the file is no longer recognized as paint.pcx`.",
};

/// Some parts have no files in the unpacked folder.
pub static WITHOUT_VIEW: Code = Code {
    id: "PACK-W003",
    severity: Severity::Warning,
    title: "too many parts",
    about: "The file has too many images, sounds or other parts to write each of them to a file. The rest is in \
            `record.json`, where it can be edited; packing keeps everything. Example: `12 parts have no separate files, because there \
            are more than 8192: edit record.json instead`.",
};

/// An existing file next to the packed one is not replaced.
pub static KEPT_COMPANION: Code = Code {
    id: "PACK-N004",
    severity: Severity::Note,
    title: "existing file kept",
    about: "An image in a scene has the same name as a different file next to the packed file. Such a file is never replaced, \
            not even with `--force`: it may be one of the game's own. To write the scene's image, delete or rename the file first. \
            Example: `GFX/map/wall.jpg was kept; the scene's image of that name is different`.",
};

/// Companions were not written, because the packed file has no folder.
pub static UNWRITTEN_COMPANIONS: Code = Code {
    id: "PACK-W005",
    severity: Severity::Warning,
    title: "companion files not written",
    about: "The packed file refers to files that come with the scene, such as textures. They are written next to it, which is impossible \
            for standard output. Specify an output file with `-o`. Example: `not written: wall.jpg, floor.jpg`.",
};

/// `set` added a field, which may be misspelled.
pub static NEW_FIELD: Code = Code {
    id: "PACK-W006",
    severity: Severity::Warning,
    title: "new field",
    about: "`set` added a key or section that the file did not have. If the name is misspelled, the game ignores it. \
            Example: `items[\"player_maxx[4]\"]: added; the file did not have it; did you mean \"Player_Max[4]\"?`.",
};

/// A file built from a scene lacks items of the original.
pub static MISSING_ITEMS: Code = Code {
    id: "PACK-W007",
    severity: Severity::Warning,
    title: "fewer items than the original",
    about: "The file built from a scene lacks items of the original file given with `--base`. Other programs drop data that they do not \
            support. Items without names have numbers, starting at 0. Example: `collision spheres: sphere 1 is gone; 2 of 3 are left`.",
};

/// A new view becomes an entry.
pub static NEW_ENTRY: Code = Code {
    id: "PACK-N008",
    severity: Severity::Note,
    title: "new entry",
    about: "A file in `views/` that was not unpacked becomes a new entry of the packed file: a sound, an image or a model. Its name \
            determines the entry. Example: `views/118.wav is a new file and becomes the entry \"118.wav\"`.",
};

/// Rows were removed from a view.
pub static ROW_REMOVED: Code = Code {
    id: "PACK-W009",
    severity: Severity::Warning,
    title: "entry removed",
    about: "Some entries were removed from a view that lists the entries of the file. The packed file does not contain them. \
            Example: `2 lines are not in views/texts.json and were removed: ab12, ab13`.",
};

/// The warnings that packing any format can raise.
pub static CODES: &[Code] = &[
    UNLISTED,
    UNREADABLE,
    WITHOUT_VIEW,
    KEPT_COMPANION,
    UNWRITTEN_COMPANIONS,
    NEW_FIELD,
    MISSING_ITEMS,
    NEW_ENTRY,
    ROW_REMOVED,
    UNRECOGNIZED,
];
