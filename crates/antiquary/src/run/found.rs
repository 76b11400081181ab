//! Occurrences of names.

use asset::NameKind;
use serde::Serialize;

/// An occurrence of a name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct FoundName {
    /// Kind of thing that the name refers to.
    pub kind: NameKind,
    /// Name as stored in the file; for a long text, the part around the match.
    pub text: String,
    /// Path of the field that contains the name; empty if it is the name of the file itself.
    pub path: String,
    /// Offset of the field, if known.
    pub offset: Option<u64>,
}

/// Names found in a file.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct FoundNames {
    /// Occurrences, in file order.
    pub names: Vec<FoundName>,
    /// Number of further occurrences.
    pub more: u64,
}
