//! Options of each kind of work. What is common to all work is in the [`Session`](super::Session).

use std::path::PathBuf;

use asset::archive::Compression;
use asset::option::typed::FormatOptions;
use asset::{Detail, Vertices};

use super::Patterns;

/// Whether the files in containers are worked on too. Conversions always reach into them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum ArchiveContents {
    /// A container counts as one file.
    #[default]
    Skip,
    /// The files in it count as well.
    Check,
}

/// What a conversion into a folder writes in addition to the files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Overview {
    /// Nothing.
    #[default]
    None,
    /// When folders or containers are converted: a page, `index.html`, that shows everything that was written.
    #[cfg(feature = "gallery")]
    Gallery,
}

impl Overview {
    /// Whether there is a page.
    pub(super) fn is_gallery(self) -> bool {
        self != Self::None
    }
}

/// What images in containers are extracted as that other programs would show in another way than the game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum ExtractedPictures {
    /// As they are.
    #[default]
    AsStored,
    /// As PNG files.
    Png,
}

/// How files are [described](super::Session::describe).
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct DescribeOptions {
    /// How much is said.
    pub detail: Detail,
    /// Places in a map that are described as well, each by its coordinates: [`Asset::at`](asset::Asset::at).
    pub places: Vec<Vec<f64>>,
}

impl DescribeOptions {
    /// Sets how much is said.
    #[must_use]
    pub fn detail(self, detail: Detail) -> Self {
        Self { detail, ..self }
    }

    /// Adds a place in a map, by its coordinates.
    #[must_use]
    pub fn place(mut self, coordinates: &[f64]) -> Self {
        self.places.push(coordinates.to_vec());
        self
    }
}

/// Adds a method for options of formats to structs that have a list of them.
macro_rules! takes_format_options {
    ($($struct:ident),*) => {$(
        impl $struct {
            /// Adds options of a format, of a builder or of a script language. They are those of a type like
            /// [`redguard::world::SceneOptions`], or names and values as they are given on the command line.
            #[must_use]
            pub fn options(mut self, options: &(impl FormatOptions + ?Sized)) -> Self {
                self.options.extend_from_slice(options.chosen());
                self
            }
        }
    )*};
}

takes_format_options!(ArchiveOptions, BuildOptions, CheckOptions, ConvertOptions, PackOptions, UnpackOptions);
#[cfg(feature = "scripts")]
takes_format_options!(ScriptOptions);

/// How files are [checked](super::Session::check).
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct CheckOptions {
    /// Options of formats, as (name, value).
    pub options: Vec<(String, String)>,
    /// If there are any, only warnings with these codes are reported. A code is a whole id, its beginning up to a
    /// hyphen, or an id that it had in the format of the file before it was shared with others.
    pub codes: Vec<String>,
    /// Whether the files in containers are checked too.
    pub inside: ArchiveContents,
}

impl CheckOptions {
    /// Adds a code, or its beginning up to a hyphen, to those that are reported.
    #[must_use]
    pub fn code(mut self, code: impl Into<String>) -> Self {
        self.codes.push(code.into());
        self
    }

    /// Sets whether the files in containers are checked too.
    #[must_use]
    pub fn inside(self, inside: ArchiveContents) -> Self {
        Self { inside, ..self }
    }
}

/// How files are [converted](super::Session::convert).
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct ConvertOptions {
    /// Options of formats, as (name, value).
    pub options: Vec<(String, String)>,
    /// The extension of what is written. If there is none, the extension of the output file decides; in a folder, the first output of each
    /// format is written.
    pub to: Option<String>,
    /// Meters are multiplied by this.
    pub scale: f64,
    /// What is written for a whole folder in addition to its files.
    pub overview: Overview,
    /// The numbers that vertices of scenes are written as.
    pub vertices: Vertices,
}

impl Default for ConvertOptions {
    fn default() -> Self {
        let (overview, vertices) = (Overview::default(), Vertices::default());
        Self { options: Vec::new(), to: None, scale: 1.0, overview, vertices }
    }
}

impl ConvertOptions {
    /// Sets the extension of what is written.
    #[must_use]
    pub fn to(self, extension: impl Into<String>) -> Self {
        Self { to: Some(extension.into()), ..self }
    }

    /// Sets what meters are multiplied by.
    #[must_use]
    pub fn scale(self, scale: f64) -> Self {
        Self { scale, ..self }
    }

    /// Sets what is written for a whole folder in addition to its files.
    #[must_use]
    pub fn overview(self, overview: Overview) -> Self {
        Self { overview, ..self }
    }

    /// Sets the numbers that vertices of scenes are written as.
    #[must_use]
    pub fn vertices(self, vertices: Vertices) -> Self {
        Self { vertices, ..self }
    }
}

/// How a file is [unpacked](super::Session::unpack).
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct UnpackOptions {
    /// Options of formats, as (name, value).
    pub options: Vec<(String, String)>,
}

/// How a folder or a scene is [packed](super::Session::pack).
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct PackOptions {
    /// Options of formats, as (name, value).
    pub options: Vec<(String, String)>,
    /// The extension of what a scene or a plain folder becomes. If there is none, the extension of the output decides.
    pub to: Option<String>,
    /// The file that a scene was made from, which supplies what the scene no longer has, and which the result is compared with.
    pub base: Option<PathBuf>,
    /// How hard files are compressed that are put into a container.
    pub compression: Compression,
}

impl PackOptions {
    /// Sets the extension of what a scene or a plain folder becomes.
    #[must_use]
    pub fn to(self, extension: impl Into<String>) -> Self {
        Self { to: Some(extension.into()), ..self }
    }

    /// Sets the file that a scene was made from.
    #[must_use]
    pub fn base(self, file: impl Into<PathBuf>) -> Self {
        Self { base: Some(file.into()), ..self }
    }

    /// Sets how hard files are compressed that are put into a container.
    #[must_use]
    pub fn compression(self, compression: Compression) -> Self {
        Self { compression, ..self }
    }
}

/// How a file is [built](super::Session::build) from another one.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct BuildOptions {
    /// Options of the builder, as (name, value).
    pub options: Vec<(String, String)>,
}

/// How a container is [edited](super::Session::edit_archive), or one entry of it [replaced](super::Session::replace).
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct ArchiveOptions {
    /// Options of formats, as (name, value).
    pub options: Vec<(String, String)>,
    /// How hard files are compressed that are put into it.
    pub compression: Compression,
    /// Whether bytes that belong to no file are dropped.
    pub compact: bool,
}

impl ArchiveOptions {
    /// Sets how hard files are compressed that are put into it.
    #[must_use]
    pub fn compression(self, compression: Compression) -> Self {
        Self { compression, ..self }
    }

    /// Sets whether bytes that belong to no file are dropped.
    #[must_use]
    pub fn compact(self, compact: bool) -> Self {
        Self { compact, ..self }
    }
}

/// What is [extracted](super::Session::extract) from a container.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct ExtractOptions {
    /// Which files; all of them if there are no patterns.
    pub patterns: Patterns,
    /// What images are extracted as that other programs would show in another way than the game.
    pub pictures: ExtractedPictures,
}

impl ExtractOptions {
    /// Sets which files are extracted.
    #[must_use]
    pub fn patterns(self, patterns: Patterns) -> Self {
        Self { patterns, ..self }
    }

    /// Sets what images are extracted as that other programs would show in another way than the game.
    #[must_use]
    pub fn pictures(self, pictures: ExtractedPictures) -> Self {
        Self { pictures, ..self }
    }
}

/// How files are [compared](super::Session::diff).
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct DiffOptions {
    /// Numbers that differ by no more are equal.
    pub tolerance: f64,
    /// No more changes of fields are kept; the others are counted.
    pub limit: usize,
}

impl Default for DiffOptions {
    fn default() -> Self {
        Self { tolerance: 0.0, limit: usize::MAX }
    }
}

impl DiffOptions {
    /// Sets by how much numbers may differ that are equal.
    #[must_use]
    pub fn tolerance(self, tolerance: f64) -> Self {
        Self { tolerance, ..self }
    }

    /// Sets how many changes of fields are kept.
    #[must_use]
    pub fn limit(self, limit: usize) -> Self {
        Self { limit, ..self }
    }
}

/// How scripts are read and written.
#[cfg(feature = "scripts")]
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct ScriptOptions {
    /// Options of the language, as (name, value).
    pub options: Vec<(String, String)>,
    /// A file with the names of functions and flags that takes the place of the game's.
    pub definitions: Option<PathBuf>,
}

#[cfg(feature = "scripts")]
impl ScriptOptions {
    /// Sets the file with the names of functions and flags that takes the place of the game's.
    #[must_use]
    pub fn definitions(self, file: impl Into<PathBuf>) -> Self {
        Self { definitions: Some(file.into()), ..self }
    }
}
