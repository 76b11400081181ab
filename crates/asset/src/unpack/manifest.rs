//! `antiquary.json`.

use std::path::Path;

use json::Value;
use record::Error;
use serde::{Deserialize, Serialize};

use files::GamePath;
use files::disk;

/// The name of the manifest.
pub const MANIFEST: &str = "antiquary.json";

/// What the manifest says it is. The number grows when older programs could misread it.
pub const SCHEMA: &str = "antiquary/unpacked/1";

/// The name of the typed file.
pub(super) const RECORD: &str = "record.json";

/// What the paths of views start with.
pub(super) const VIEWS: &str = "views/";

/// The maximum length of a manifest in bytes.
const LONGEST: u64 = 256 << 20;

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

impl Manifest {
    /// Reads the manifest of an unpacked folder.
    pub(super) fn read(folder: &Path) -> Result<Self, Error> {
        let path = folder.join(MANIFEST);
        if !disk::is_file(&path) {
            let what = format!("is not an unpacked folder: it has no {MANIFEST}");
            return Err(Error::usage(what).in_file(folder));
        }
        let source = disk::open(&path)?;
        if source.len() > LONGEST {
            let what = format!("has {} bytes, but the limit is {LONGEST}", source.len());
            return Err(Error::limit(what).in_file(path));
        }
        Self::parse(&source.read_all()?).map_err(|error| error.in_file(path))
    }

    /// Parses a manifest.
    pub(super) fn parse(json: &[u8]) -> Result<Self, Error> {
        let json: Value = json::from_slice(json)?;
        // Checked first: a later schema may differ in everything but this.
        let schema = json.get("schema").and_then(Value::as_str).unwrap_or_default();
        if schema != SCHEMA {
            let what = format!("unknown schema \"{schema}\" (expected \"{SCHEMA}\")");
            return Err(Error::unsupported(what));
        }
        json::from_value(json)
    }
}

impl Part {
    /// Checks that the path fits the role.
    pub(super) fn check_path(&self) -> Result<(), Error> {
        let normal = GamePath::parse(&self.path).is_ok_and(|path| path.as_str() == self.path);
        let fits = match self.role {
            Role::Record => self.path == RECORD,
            Role::Blob => self.path.starts_with("blobs/"),
            Role::View => self.path.starts_with(VIEWS),
        };
        if normal && fits {
            return Ok(());
        }
        Err(Error::malformed(format!("\"{}\" is not a valid path for a {:?}", self.path, self.role))
            .in_field("parts"))
    }
}
