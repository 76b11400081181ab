//! The manifest, `antiquary.json`.

use std::path::Path;

use json::Value;
use record::Error;
use serde::{Deserialize, Serialize};

use files::GamePath;
use files::disk;

/// File name of the manifest.
pub const MANIFEST: &str = "antiquary.json";

/// Schema of the manifest. The number increases when older programs could misread it.
pub const SCHEMA: &str = "antiquary/unpacked/1";

/// File name of the record.
pub(super) const RECORD: &str = "record.json";

/// Prefix of the paths of views.
pub(super) const VIEWS: &str = "views/";

/// The maximum length of a manifest in bytes.
const LONGEST: u64 = 256 << 20;

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Manifest {
    pub(super) schema: String,
    /// The format's id.
    pub(super) format: String,
    /// Data that is needed to read the record, such as a version or flags. Null if there is none.
    #[serde(default)]
    pub(super) context: Value,
    /// Character set of names and texts, if it is not the game's own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) charset: Option<String>,
    pub(super) source: SourceNote,
    /// The original record, [compressed](super::original), for comparison with an edited one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) original: Option<String>,
    pub(super) parts: Vec<Part>,
}

/// The original file.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct SourceNote {
    /// Name without folders.
    pub(super) name: String,
    pub(super) length: u64,
    pub(super) sha256: String,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Part {
    /// Path relative to the folder.
    pub(super) path: String,
    pub(super) role: Role,
    pub(super) sha256: String,
    /// Sources of a view.
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

/// The source of a view.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Shown {
    /// A blob, by its path.
    Blob(String),
    /// A part of the record, by its JSON pointer, with its original digest.
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
        // The schema is checked first, because a later one may differ in everything else.
        let schema = json.get("schema").and_then(Value::as_str).unwrap_or_default();
        if schema != SCHEMA {
            let what = format!("unknown schema \"{schema}\" (expected \"{SCHEMA}\")");
            return Err(Error::unsupported(what));
        }
        json::from_value(json)
    }
}

impl Part {
    /// Checks that the path matches the role.
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
