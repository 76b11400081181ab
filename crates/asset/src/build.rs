//! Derived files that are computed from another file: `antiquary build`.

use json::Value;
use record::Result;

use crate::{Asset, Context, FormatOption, Report};

/// A kind of file that is computed from another one.
#[derive(Debug, Clone, Copy)]
pub struct Builder {
    /// Name on the command line: `pvo`.
    pub name: &'static str,
    /// Description of the output, in a sentence.
    pub about: &'static str,
    /// Format of the input file.
    pub input: &'static str,
    /// Format of the output file.
    pub output: &'static str,
    /// Available options.
    pub options: &'static [FormatOption],
    /// Builds the output.
    pub build: Build,
}

/// Builds a file from an opened one.
pub type Build = fn(&dyn Asset, &BuildRequest<'_>, &mut Report) -> Result<Built>;

/// The input of a [`Build`].
#[derive(Clone, Copy)]
pub struct BuildRequest<'a> {
    /// The input file's surroundings, and the selected options.
    pub context: &'a Context<'a>,
    /// Name of the output file, without a folder.
    pub name: &'a str,
    /// Called from time to time with the progress, from 0 to 1.
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

/// The output of a [`Build`].
#[derive(Debug, Clone, PartialEq)]
pub struct Built {
    /// Contents of the output file.
    pub bytes: Vec<u8>,
    /// Names and contents of files that the output refers to, for the same folder.
    pub companions: Vec<(String, Vec<u8>)>,
    /// Statistics about the output, as an object.
    pub figures: Value,
}
