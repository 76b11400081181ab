//! What can be computed anew from a file: `antiquary build`.

use record::Result;
use serde_json::Value;

use crate::{Asset, Context, FormatOption, Report};

/// A kind of file that is computed from another one.
#[derive(Debug, Clone, Copy)]
pub struct Builder {
    /// What it is called: `pvo`.
    pub name: &'static str,
    /// What it makes, in a sentence.
    pub about: &'static str,
    /// The format of the file that it is made from.
    pub input: &'static str,
    /// The format of what is made.
    pub output: &'static str,
    /// What can be chosen.
    pub options: &'static [FormatOption],
    /// Makes it.
    pub build: Build,
}

/// Makes a file from one that is read, in the game around it. The function is told from time to time how far it is, from 0 to 1.
pub type Build = fn(&dyn Asset, &Context<'_>, &(dyn Fn(f32) + Sync), &mut Report) -> Result<Built>;

/// What was made.
#[derive(Debug, Clone, PartialEq)]
pub struct Built {
    /// The file.
    pub bytes: Vec<u8>,
    /// What there is to say of it, as an object.
    pub figures: Value,
}
