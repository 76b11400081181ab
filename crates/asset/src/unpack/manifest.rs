//! `antiquary.json`.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The name of the manifest.
pub const MANIFEST: &str = "antiquary.json";

/// What the manifest says it is. The number grows when older programs could misread it.
pub const SCHEMA: &str = "antiquary/unpacked/1";

/// The name of the typed file.
pub(super) const RECORD: &str = "record.json";

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Manifest {
    pub(super) schema: String,
    /// The format's id.
    pub(super) format: String,
    /// What the record cannot be read without: a version, flags. Null when there is nothing.
    #[serde(default)]
    pub(super) context: Value,
    /// The charset of names and texts, where it is not the game's own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) charset: Option<String>,
    pub(super) source: SourceNote,
    /// The record as it was unpacked, [compressed](super::original), so that an edited one can be compared with it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) original: Option<String>,
    pub(super) parts: Vec<Part>,
}

/// The file that was unpacked.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct SourceNote {
    /// Without folders.
    pub(super) name: String,
    pub(super) length: u64,
    pub(super) sha256: String,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Part {
    /// Relative to the folder.
    pub(super) path: String,
    pub(super) role: Role,
    pub(super) sha256: String,
    /// For a view: what it shows.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) shows: Vec<Shown>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Role {
    Record,
    Blob,
    View,
}

/// What a view shows.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Shown {
    /// A blob, by its path.
    Blob(String),
    /// A part of the record, by its JSON pointer, with the digest it had.
    Record { pointer: String, sha256: String },
}
