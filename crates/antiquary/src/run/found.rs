//! Where something is named.

use asset::NameKind;
use serde::Serialize;

/// A place where something is named.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct FoundName {
    /// What the name stands for.
    pub kind: NameKind,
    /// The name as the file has it; of a long text the part around what was looked for.
    pub text: String,
    /// The field that holds it; empty when the file itself is called so.
    pub path: String,
    /// Where the field starts, where that is known.
    pub offset: Option<u64>,
}

/// What was found in a file.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct FoundNames {
    /// The places, in the order of the file.
    pub names: Vec<FoundName>,
    /// How many there are besides.
    pub more: u64,
}
