//! What can be computed anew from a file: `antiquary build`.

use json::Value;
use record::Result;

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

/// Makes a file from one that is read.
pub type Build = fn(&dyn Asset, &BuildRequest<'_>, &mut Report) -> Result<Built>;

/// What to build from, and for where.
#[derive(Clone, Copy)]
pub struct BuildRequest<'a> {
    /// The file in the game around it, and what was chosen.
    pub context: &'a Context<'a>,
    /// The name of the file that is made, without a folder.
    pub name: &'a str,
    /// Told from time to time how far it is, from 0 to 1.
    pub progress: &'a (dyn Fn(f32) + Sync),
}

impl std::fmt::Debug for BuildRequest<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("BuildRequest")
            .field("context", &self.context)
            .field("name", &self.name)
            .finish_non_exhaustive()
    }
}

/// What was made.
#[derive(Debug, Clone, PartialEq)]
pub struct Built {
    /// The file.
    pub bytes: Vec<u8>,
    /// Files that it refers to, for the same folder: each with its name.
    pub companions: Vec<(String, Vec<u8>)>,
    /// What there is to say of it, as an object.
    pub figures: Value,
}
