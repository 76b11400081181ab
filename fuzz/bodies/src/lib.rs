//! The code and seeds of the fuzz targets. Nothing is written to disk.
//!
//! The programs in `fuzz/fuzz_targets` pass their input to a [`Target`] of this list. `tests/replay.rs` runs the targets with every seed
//! and every file below `fuzz/regressions`, on a stable compiler.

#![allow(
    clippy::panic,
    clippy::expect_used,
    clippy::missing_panics_doc,
    reason = "targets report findings by panicking"
)]

mod any;
mod edit;
mod explorer;
mod folder;
mod gltf;
mod image;
mod import;
mod machine;
mod part;
mod replace;
mod roundtrip;
mod script;
mod seed;
mod subject;

pub use part::SEPARATOR;
pub use seed::Seed;
pub use subject::ONLY;

/// A fuzz target.
#[derive(Debug)]
pub struct Target {
    /// Its name, also in `fuzz/fuzz_targets`.
    pub name: &'static str,
    /// The property that it tests.
    pub about: &'static str,
    /// Tests one input. Panics if the property does not hold.
    pub run: fn(&[u8]),
    /// The seeds.
    pub seeds: fn() -> Vec<Seed>,
}

/// All targets.
pub static TARGETS: [Target; 11] = [
    Target {
        name: "any",
        about: "every reader, and every operation on the files it opens, returns a result or an error",
        run: any::run,
        seeds: seed::files,
    },
    Target {
        name: "roundtrip",
        about: "a readable file can be unpacked and packed to the same bytes",
        run: roundtrip::run,
        seeds: seed::files,
    },
    Target {
        name: "edit",
        about: "an edited record is packed or refused; a readable packed file can be unpacked and packed to the same bytes",
        run: edit::run,
        seeds: seed::edits,
    },
    Target {
        name: "folder",
        about: "an unpacked folder with any contents is packed or refused",
        run: folder::run,
        seeds: seed::folders,
    },
    Target {
        name: "replace",
        about: "replacing an entry of an archive is refused, or the archive can be read and has the same number of entries",
        run: replace::run,
        seeds: seed::replacements,
    },
    Target {
        name: "gltf",
        about: "a glTF file is read or refused; a scene that was read is written and read again",
        run: gltf::run,
        seeds: seed::scenes,
    },
    Target {
        name: "import",
        about: "a scene is written as a readable file of each format that can be built from scenes, or refused",
        run: import::run,
        seeds: seed::scenes,
    },
    Target {
        name: "image",
        about: "an image is decoded and converted for glTF, or refused",
        run: image::run,
        seeds: seed::pictures,
    },
    Target {
        name: "script",
        about: "bytecode is disassembled to text that assembles to the same bytes; any text is assembled or refused",
        run: script::run,
        seeds: seed::scripts,
    },
    Target {
        name: "explorer",
        about: "the explorer answers any request for any file, with an error message if necessary",
        run: explorer::run,
        seeds: seed::requests,
    },
    Target {
        name: "machine",
        about: "any scripts, names and host answers terminate; execution is deterministic, and states survive a round trip through JSON",
        run: machine::run,
        seeds: seed::runs,
    },
];

/// Returns the target with a name.
#[must_use]
pub fn target(name: &str) -> Option<&'static Target> {
    TARGETS.iter().find(|target| target.name == name)
}

/// Tests one input with the target of a name.
pub fn run(name: &str, input: &[u8]) {
    let target = target(name).expect("targets are listed");
    (target.run)(input);
}
