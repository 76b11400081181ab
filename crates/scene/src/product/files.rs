//! Output files of encoders.

use super::ProductKind;
use crate::Result;
use crate::compression::Compression;
use crate::gltf::SharedFile;

/// How the files of a product are named and compressed.
#[derive(Debug, Clone, Copy)]
pub struct EncodeOptions<'a> {
    /// The file name without extension.
    pub stem: &'a str,
    /// A file name that must not be used, in any letter case: the name of the source file.
    pub taken: Option<&'a str>,
    /// The URI, relative to the product, of the folder of files that several `.gltf` documents refer to, with a
    /// trailing slash; `None` if products share nothing.
    pub shared: Option<&'a str>,
    /// The compression level of PNG files.
    pub compression: Compression,
}

impl<'a> EncodeOptions<'a> {
    /// Creates options for file names that start with a stem.
    #[must_use]
    pub const fn new(stem: &'a str) -> Self {
        Self { stem, taken: None, shared: None, compression: Compression::Usual }
    }

    /// Returns the stem with an extension.
    #[must_use]
    pub fn main(&self, extension: &str) -> String {
        format!("{}.{extension}", self.stem)
    }

    pub(super) fn is_taken(&self, name: &str) -> bool {
        self.taken.is_some_and(|taken| taken.to_lowercase() == name.to_lowercase())
    }
}

/// Receives the files of one product. Depending on the kind, the main file comes first or last.
pub trait Files {
    /// Receives a file with content of a kind.
    ///
    /// # Errors
    /// If the file cannot be written.
    fn put(&mut self, name: &str, kind: ProductKind, bytes: &[u8]) -> Result<()>;

    /// Receives a file that several products refer to, for the folder [`EncodeOptions::shared`]. An existing file is kept.
    ///
    /// # Errors
    /// If the file cannot be written.
    fn share(&mut self, file: &SharedFile<'_>) -> Result<()> {
        let kind = if file.is_image() { ProductKind::Image } else { ProductKind::Data };
        self.put(&file.name, kind, &file.bytes())
    }

    /// Receives a report about a file of the product that could not be created.
    fn report_skipped(&mut self, file: SkippedFile);
}

/// A companion file that could not be created.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct SkippedFile {
    /// Name of the missing file.
    pub file: String,
    /// The reason why it is missing.
    pub reason: String,
}

/// An encoded file.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct EncodedFile {
    /// Name of the file.
    pub name: String,
    /// Kind of its content.
    pub kind: ProductKind,
    /// Content of the file.
    pub bytes: Vec<u8>,
}

/// Keeps files in memory.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Memory {
    /// The files in the order they were written.
    pub files: Vec<EncodedFile>,
    /// The files that could not be created.
    pub skipped: Vec<SkippedFile>,
}

impl Files for Memory {
    fn put(&mut self, name: &str, kind: ProductKind, bytes: &[u8]) -> Result<()> {
        self.files.push(EncodedFile { name: name.to_owned(), kind, bytes: bytes.to_vec() });
        Ok(())
    }

    fn report_skipped(&mut self, file: SkippedFile) {
        self.skipped.push(file);
    }
}
