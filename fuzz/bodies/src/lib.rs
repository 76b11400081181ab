//! What each fuzz target does with its input, and what it starts from. Nothing here writes to disk.
//!
//! The programs in `fuzz/fuzz_targets` are one line each: they hand their input to a [`Target`] of this list. `tests/replay.rs` does the
//! same with every seed and every file below `fuzz/regressions`, on a stable compiler.

#![allow(
    clippy::panic,
    clippy::expect_used,
    clippy::missing_panics_doc,
    reason = "a panic is how a target says that it found something"
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
    /// What it is called, here and in `fuzz/fuzz_targets`.
    pub name: &'static str,
    /// What must hold.
    pub about: &'static str,
    /// Tries one input. It panics when something that must hold does not.
    pub run: fn(&[u8]),
    /// What fuzzing starts from.
    pub seeds: fn() -> Vec<Seed>,
}

/// All targets.
pub static TARGETS: [Target; 11] = [
    Target {
        name: "any",
        about: "every reader, and everything that is done with what it reads, ends with a result or an error",
        run: any::run,
        seeds: seed::files,
    },
    Target {
        name: "roundtrip",
        about: "what can be read can be unpacked, and packed again gives the same bytes",
        run: roundtrip::run,
        seeds: seed::files,
    },
    Target {
        name: "edit",
        about: "an edited record is packed or refused; what was packed and can be read comes back the same",
        run: edit::run,
        seeds: seed::edits,
    },
    Target {
        name: "folder",
        about: "an unpacked folder of which every part may lie is packed or refused",
        run: folder::run,
        seeds: seed::folders,
    },
    Target {
        name: "replace",
        about: "an archive with a replaced entry is refused, or can be read and has as many entries",
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
        about: "a scene becomes a file of each format that can be made of scenes, and that can be read, or is refused",
        run: import::run,
        seeds: seed::scenes,
    },
    Target {
        name: "image",
        about: "a picture is decoded and made fit for glTF, or refused",
        run: image::run,
        seeds: seed::pictures,
    },
    Target {
        name: "script",
        about: "bytecode becomes text and comes back; the text of a script is assembled, or refused",
        run: script::run,
        seeds: seed::scripts,
    },
    Target {
        name: "explorer",
        about: "the explorer answers any request on any file, and says why where it cannot",
        run: explorer::run,
        seeds: seed::requests,
    },
    Target {
        name: "machine",
        about: "any scripts, names and answers of a host run to an end; the same state gives the same, and comes back from JSON",
        run: machine::run,
        seeds: seed::runs,
    },
];

/// The target of this name.
#[must_use]
pub fn target(name: &str) -> Option<&'static Target> {
    TARGETS.iter().find(|target| target.name == name)
}

/// Tries one input on the target of this name.
pub fn run(name: &str, input: &[u8]) {
    let target = target(name).expect("targets are listed");
    (target.run)(input);
}
