//! The keys of REGISTRY.INI. The shipped game does not open its archives, so none of them has an effect.
//!
//! Source: redguard-preservation 0.10.4.

use super::super::key::{Group, Key};

/// The sections with their keys.
pub(super) const GROUPS: &[Group] = &[
    Group {
        section: "registry",
        about: "Archives, each with a pattern for the files that it replaces, separated by blanks.",
        keys: &[],
    },
    Group { section: "file32", about: "Access to files.", keys: FILE32 },
];

const fn switch(name: &'static str, shipped: &'static str, about: &'static str) -> Key {
    Key::switch(name, shipped, about).without_effect()
}

const FILE32: &[Key] = &[
    switch("use_registry", "false", "Looks files up in the archives."),
    switch("use_32bit", "true", "Uses 32-bit file access."),
    switch("archive_file_first", "false", "Looks files up in the archives before the folders."),
    switch("local_path", "true", "Uses relative paths."),
    switch("ignore_registry_errors", "false", "Ignores failed lookups in the archives."),
    switch("registry_log", "false", "Logs lookups in the archives."),
    switch("advanced_exist", "true", "Uses another test for the existence of files."),
];
