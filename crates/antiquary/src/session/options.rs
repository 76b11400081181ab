//! Options of each operation. Settings common to all operations are in [`Session`](super::Session).

use std::path::PathBuf;

use asset::option::typed::FormatOptions;
use asset::preset::PRESET;
use asset::{Detail, Error, Vertices};
use scene::{Compression, Engine};

use super::Patterns;

/// Whether the files in containers are processed too. Conversions always include them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum ArchiveContents {
    /// A container counts as one file.
    #[default]
    Skip,
    /// The files in a container are processed as well.
    Check,
}

/// Additional output of a conversion into a folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Overview {
    /// None.
    #[default]
    None,
    /// When folders or containers are converted: a page, `index.html`, that shows all outputs.
    #[cfg(feature = "gallery")]
    Gallery,
}

impl Overview {
    /// Whether the conversion writes a page.
    pub(super) fn is_gallery(self) -> bool {
        self != Self::None
    }
}

/// Output format for images in containers that other programs would display differently than the game does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum ExtractedPictures {
    /// Unchanged.
    #[default]
    AsStored,
    /// PNG files.
    Png,
}

/// Options for [describing](super::Session::describe) files.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct DescribeOptions {
    /// Level of detail.
    pub detail: Detail,
    /// Positions in a map to describe as well, by their coordinates; see [`Asset::at`](asset::Asset::at).
    pub positions: Vec<Vec<f64>>,
}

impl DescribeOptions {
    /// Sets the level of detail.
    #[must_use]
    pub fn detail(self, detail: Detail) -> Self {
        Self { detail, ..self }
    }

    /// Adds a position in a map, by its coordinates.
    #[must_use]
    pub fn position(mut self, coordinates: &[f64]) -> Self {
        self.positions.push(coordinates.to_vec());
        self
    }
}

/// Adds a method for format options to structs that have a list of them.
macro_rules! takes_format_options {
    ($($struct:ident),*) => {$(
        impl $struct {
            /// Adds options of a format, of a builder or of a script language, either from a type such as
            /// [`redguard::world::SceneOptions`] or as names and values from the command line.
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

/// Options for [checking](super::Session::check) files.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct CheckOptions {
    /// Options of formats, as (name, value).
    pub options: Vec<(String, String)>,
    /// If not empty, only warnings with these codes are reported. A code is a full id, a prefix that ends at a hyphen, or an
    /// id that the warning had in the format of the file before it was shared with other formats.
    pub codes: Vec<String>,
    /// Whether the files in containers are checked too.
    pub inside: ArchiveContents,
}

impl CheckOptions {
    /// Adds a code, or a prefix that ends at a hyphen, to the codes that are reported.
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

/// Extent of a conversion into a folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Extent {
    /// The first output of each format, and its further outputs for folders.
    #[default]
    Usual,
    /// Also JSON and CSV where the format supports them, and PNG for settings that the game draws a screen from. The scripts of a file
    /// are written as text to the folder `FILE.scripts`, and all dialogue lines that scripts refer to are written to the table
    /// `lines.csv`.
    Everything,
}

/// Options for [converting](super::Session::convert) files.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct ConvertOptions {
    /// Options of formats, as (name, value).
    pub options: Vec<(String, String)>,
    /// Extension of the output. If `None`, the extension of the output file selects the format; in a folder, the first
    /// output of each format is written.
    pub to: Option<String>,
    /// Extent of a conversion into a folder, for [`Session::convert_to`](super::Session::convert_to).
    pub extent: Extent,
    /// Factor by which lengths in meters are multiplied.
    pub scale: f64,
    /// Additional output of a conversion into a folder.
    pub overview: Overview,
    /// Number format of the vertices in scenes.
    pub vertices: Vertices,
    /// Compression level of PNG files. Images in scenes always have the usual one, so that an unedited image is
    /// recognized by its bytes when the scene is imported.
    pub compression: Compression,
}

impl Default for ConvertOptions {
    fn default() -> Self {
        Self {
            options: Vec::new(),
            to: None,
            extent: Extent::default(),
            scale: 1.0,
            overview: Overview::default(),
            vertices: Vertices::default(),
            compression: Compression::default(),
        }
    }
}

impl ConvertOptions {
    /// Checks the settings that no format checks.
    ///
    /// # Errors
    /// Fails if the scale is not a positive number, or if the selected engine does not open integer vertices.
    pub(super) fn validate(&self) -> Result<(), Error> {
        if !(self.scale.is_finite() && self.scale > 0.0) {
            return Err(Error::usage("the scale must be a number greater than 0"));
        }
        let preset = self.options.iter().rev().find(|(name, _)| name == PRESET.option().name);
        let engine = preset.and_then(|(_, name)| Engine::by_name(name));
        match engine.filter(|engine| self.vertices == Vertices::Integers && !engine.opens_integer_vertices())
        {
            Some(engine) => Err(Error::usage(format!(
                "integer vertices cannot be combined with the preset {}, which does not open files that require KHR_mesh_quantization",
                engine.name()
            ))),
            None => Ok(()),
        }
    }

    /// Sets the extension of the output.
    #[must_use]
    pub fn to(self, extension: impl Into<String>) -> Self {
        Self { to: Some(extension.into()), ..self }
    }

    /// Sets the extent of a conversion into a folder.
    #[must_use]
    pub fn extent(self, extent: Extent) -> Self {
        Self { extent, ..self }
    }

    /// Sets the factor by which lengths in meters are multiplied.
    #[must_use]
    pub fn scale(self, scale: f64) -> Self {
        Self { scale, ..self }
    }

    /// Sets the additional output of a conversion into a folder.
    #[must_use]
    pub fn overview(self, overview: Overview) -> Self {
        Self { overview, ..self }
    }

    /// Sets the number format of the vertices in scenes.
    #[must_use]
    pub fn vertices(self, vertices: Vertices) -> Self {
        Self { vertices, ..self }
    }

    /// Sets the compression level of PNG files.
    #[must_use]
    pub fn compression(self, compression: Compression) -> Self {
        Self { compression, ..self }
    }
}

/// Options for [unpacking](super::Session::unpack) a file.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct UnpackOptions {
    /// Options of formats, as (name, value).
    pub options: Vec<(String, String)>,
}

/// Options for [packing](super::Session::pack) a folder or a scene.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct PackOptions {
    /// Options of formats, as (name, value).
    pub options: Vec<(String, String)>,
    /// Extension of the file to build from a scene or a plain folder. If `None`, the extension of the output selects the
    /// format.
    pub to: Option<String>,
    /// Original file of a scene. It supplies what the scene no longer contains, and the result is compared with it.
    pub base: Option<PathBuf>,
    /// Compression level for files added to a container.
    pub compression: Compression,
}

impl PackOptions {
    /// Sets the extension of the file to build from a scene or a plain folder.
    #[must_use]
    pub fn to(self, extension: impl Into<String>) -> Self {
        Self { to: Some(extension.into()), ..self }
    }

    /// Sets the original file of a scene.
    #[must_use]
    pub fn base(self, file: impl Into<PathBuf>) -> Self {
        Self { base: Some(file.into()), ..self }
    }

    /// Sets the compression level for files added to a container.
    #[must_use]
    pub fn compression(self, compression: Compression) -> Self {
        Self { compression, ..self }
    }
}

/// Options for [building](super::Session::build) a derived file.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct BuildOptions {
    /// Options of the builder, as (name, value).
    pub options: Vec<(String, String)>,
}

/// Options for [editing](super::Session::edit_archive) a container or [replacing](super::Session::replace) one of its
/// entries.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct ArchiveOptions {
    /// Options of formats, as (name, value).
    pub options: Vec<(String, String)>,
    /// Compression level for added files.
    pub compression: Compression,
    /// Whether bytes that belong to no file are dropped.
    pub compact: bool,
}

impl ArchiveOptions {
    /// Sets the compression level for added files.
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

/// Options for [extracting](super::Session::extract) files from a container.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct ExtractOptions {
    /// Files to extract; all of them if there are no patterns.
    pub patterns: Patterns,
    /// Output format for images that other programs would display differently than the game does.
    pub pictures: ExtractedPictures,
}

impl ExtractOptions {
    /// Sets the files to extract.
    #[must_use]
    pub fn patterns(self, patterns: Patterns) -> Self {
        Self { patterns, ..self }
    }

    /// Sets the output format for images that other programs would display differently than the game does.
    #[must_use]
    pub fn pictures(self, pictures: ExtractedPictures) -> Self {
        Self { pictures, ..self }
    }
}

/// Options for [comparing](super::Session::diff) files.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct DiffOptions {
    /// Numbers that differ by at most this much are equal.
    pub tolerance: f64,
    /// Maximum number of field changes to keep; the others are only counted.
    pub limit: usize,
}

impl Default for DiffOptions {
    fn default() -> Self {
        Self { tolerance: 0.0, limit: usize::MAX }
    }
}

impl DiffOptions {
    /// Sets the maximum difference between numbers that are considered equal.
    #[must_use]
    pub fn tolerance(self, tolerance: f64) -> Self {
        Self { tolerance, ..self }
    }

    /// Sets the maximum number of field changes to keep.
    #[must_use]
    pub fn limit(self, limit: usize) -> Self {
        Self { limit, ..self }
    }
}

/// Options for reading and writing scripts.
#[cfg(feature = "scripts")]
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct ScriptOptions {
    /// Options of the language, as (name, value).
    pub options: Vec<(String, String)>,
    /// File with the names of functions and flags, used instead of the game's.
    pub definitions: Option<PathBuf>,
}

#[cfg(feature = "scripts")]
impl ScriptOptions {
    /// Sets the file with the names of functions and flags, used instead of the game's.
    #[must_use]
    pub fn definitions(self, file: impl Into<PathBuf>) -> Self {
        Self { definitions: Some(file.into()), ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refuses_conversion_settings_that_no_format_checks() {
        let options = ConvertOptions::default;
        for scale in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            let error = options().scale(scale).validate().unwrap_err();
            assert_eq!(error.message(), "the scale must be a number greater than 0");
        }
        let preset = |name: &str| ("preset".to_owned(), name.to_owned());
        let integers = |presets: &[&str]| {
            let presets: Vec<_> = presets.iter().map(|name| preset(name)).collect();
            options().vertices(Vertices::Integers).options(&presets).validate()
        };
        let error = integers(&["godot"]).unwrap_err();
        assert!(error.message().contains("the preset godot"), "{error}");
        // The last preset takes precedence.
        assert!(integers(&["blender", "godot"]).is_err());
        assert!(integers(&["godot", "blender"]).is_ok() && integers(&[]).is_ok());
        assert!(options().options(&Vec::from([preset("godot")])).validate().is_ok());
    }
}
