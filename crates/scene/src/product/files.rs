//! Where encoders put the files they make.

use super::ProductKind;
use crate::Result;
use crate::gltf::SharedFile;

/// What the files of a product are called.
#[derive(Debug, Clone, Copy)]
pub struct Naming<'a> {
    /// The name without extension.
    pub stem: &'a str,
    /// A name that must not be used, in any letter case: that of the file the product was made from.
    pub taken: Option<&'a str>,
    /// The URI, relative to the product, of the folder of files that several `.gltf` documents refer to, with a trailing slash; `None` if products share nothing.
    pub shared: Option<&'a str>,
}

impl<'a> Naming<'a> {
    /// Names that start with a stem.
    #[must_use]
    pub const fn new(stem: &'a str) -> Self {
        Self { stem, taken: None, shared: None }
    }

    /// The stem with an extension.
    #[must_use]
    pub fn main(&self, extension: &str) -> String {
        format!("{}.{extension}", self.stem)
    }

    pub(super) fn is_taken(&self, name: &str) -> bool {
        self.taken.is_some_and(|taken| taken.to_lowercase() == name.to_lowercase())
    }
}

/// Takes the files of one product, the main one first or last as its kind has it.
pub trait Files {
    /// Takes a file; `kind` says what is in it.
    ///
    /// # Errors
    /// When it cannot be written.
    fn put(&mut self, name: &str, kind: ProductKind, bytes: &[u8]) -> Result<()>;

    /// Takes a file that several products name, into the folder that [`Naming::shared`] tells, unless it is there.
    ///
    /// # Errors
    /// When it cannot be written.
    fn share(&mut self, file: &SharedFile<'_>) -> Result<()> {
        let kind = if file.is_image() { ProductKind::Image } else { ProductKind::Data };
        self.put(&file.name, kind, &file.bytes())
    }

    /// Is told of a file that belongs to the product and could not be made.
    fn lose(&mut self, loss: Loss);
}

/// A file beside the main one that could not be made.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Loss {
    /// What it would have been called.
    pub file: String,
    /// Why there is none.
    pub reason: String,
}

/// One encoded file.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct EncodedFile {
    /// Its name.
    pub name: String,
    /// What is in it.
    pub kind: ProductKind,
    /// Its bytes.
    pub bytes: Vec<u8>,
}

/// Keeps files in memory.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Memory {
    /// The files in the order they were made.
    pub files: Vec<EncodedFile>,
    /// What could not be made.
    pub losses: Vec<Loss>,
}

impl Files for Memory {
    fn put(&mut self, name: &str, kind: ProductKind, bytes: &[u8]) -> Result<()> {
        self.files.push(EncodedFile { name: name.to_owned(), kind, bytes: bytes.to_vec() });
        Ok(())
    }

    fn lose(&mut self, loss: Loss) {
        self.losses.push(loss);
    }
}
