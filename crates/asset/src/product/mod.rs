//! The products that an opened file can be converted to: a list of offers, each computed on demand.
//!
//! A format returns its [`Products`] in order, and never encodes them. The caller computes the offers that it needs, one at a
//! time: a conversion writes them to files, a program uses their values, a listing shows their names and computes none.

#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::collections::VecDeque;
use std::fmt;

use json::{Document, Map, Value};
use record::{Error, Result};
use scene::product::Data;
use scene::{Compression, Engine, Product, ProductKind, Scene};
use serde::Serialize;

use crate::context::Context;
use crate::report::{Code, Report, Severity};
use crate::typed_view::{UnitField, WithViews};

/// A kind of product that files of a format can be converted to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Offered {
    /// The kind of product.
    pub kind: ProductKind,
    /// Short description: `the room with its textures`.
    pub about: &'static str,
}

/// The role of a product in a conversion.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Role {
    /// The result of the conversion.
    Main,
    /// Data that the main products cannot store, written next to them.
    Companion,
}

/// The way the frames of an animated image are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum FrameFiles {
    /// All frames in one file, if its format supports that.
    Together,
    /// One file for each frame.
    Apart,
}

/// Computes a product. Returns `None` for a product that cannot be computed, with the reason in the report.
type Make<'a> = Box<dyn FnOnce(&mut ProductContext<'_>) -> Result<Option<Product<'a>>> + 'a>;

/// A product that a file can be converted to. Only its description exists until [`Offer::make`] computes it.
pub struct Offer<'a> {
    /// The kind of product.
    pub kind: ProductKind,
    /// Name of the product, as stored in the file; `None` if it is the only one of its kind.
    pub name: Option<Cow<'a, str>>,
    /// Role of the product in a conversion.
    pub role: Role,
    /// The way its frames are written, if it has several.
    pub frames: FrameFiles,
    /// Facts about the product, which become an item of the [index](Products::with_index). Computing the product may add more.
    pub facts: Option<Map<String, Value>>,
    /// Text that the product shows or speaks.
    pub caption: Option<String>,
    /// Offers with equal keys are the same product.
    pub key: Option<u64>,
    /// The kind of product that this one replaces if that kind is not requested: the glyph sheet of a font for programs that show
    /// only images.
    pub fallback_for: Option<ProductKind>,
    /// The source field of the product. Errors about the product as a whole refer to it.
    pub field: Option<&'static str>,
    make: Option<Make<'a>>,
    finish: Finish,
}

impl<'a> Offer<'a> {
    /// Creates the only product of a kind. `make` returns `None` for a product that cannot be computed, after reporting the
    /// reason.
    pub fn new<P: Into<Product<'a>>>(
        kind: ProductKind,
        make: impl FnOnce(&mut ProductContext<'_>) -> Result<Option<P>> + 'a,
    ) -> Self {
        let make: Make<'a> = Box::new(|making| Ok(make(making)?.map(Into::into)));
        Self { make: Some(make), ..Self::note(kind) }
    }

    /// Creates an item of the [index](Products::with_index) that has no product.
    #[must_use]
    pub const fn note(kind: ProductKind) -> Self {
        Self {
            kind,
            name: None,
            role: Role::Main,
            frames: FrameFiles::Together,
            facts: None,
            caption: None,
            key: None,
            fallback_for: None,
            field: None,
            make: None,
            finish: Finish { engine: None, vertices: Vertices::Floats },
        }
    }

    /// Sets the name, for one of several products of its kind.
    #[must_use]
    pub fn named(self, name: impl Into<Cow<'a, str>>) -> Self {
        Self { name: Some(name.into()), ..self }
    }

    /// Makes the offer a companion of other products.
    #[must_use]
    pub fn companion(self) -> Self {
        Self { role: Role::Companion, ..self }
    }

    /// Sets the facts.
    #[must_use]
    pub fn with_facts(self, facts: Map<String, Value>) -> Self {
        Self { facts: Some(facts), ..self }
    }

    /// Sets the way its frames are written.
    #[must_use]
    pub fn with_frames(self, frames: FrameFiles) -> Self {
        Self { frames, ..self }
    }

    /// Sets the text that it shows or speaks.
    #[must_use]
    pub fn with_caption(self, caption: String) -> Self {
        Self { caption: Some(caption), ..self }
    }

    /// Sets the key. All offers with this key are the same product.
    #[must_use]
    pub fn with_key(self, key: u64) -> Self {
        Self { key: Some(key), ..self }
    }

    /// Makes the offer a fallback for conversions that do not request another kind of product.
    #[must_use]
    pub fn fallback_for(self, kind: ProductKind) -> Self {
        Self { fallback_for: Some(kind), ..self }
    }

    /// Sets the source field.
    #[must_use]
    pub fn from_field(self, field: &'static str) -> Self {
        Self { field: Some(field), ..self }
    }

    /// Adds the source [field](Self::field) to an error about the product.
    pub(crate) fn located(&self, error: Error) -> Error {
        match self.field {
            Some(field) if error.offset().is_none() => error.in_field(field),
            _ => error,
        }
    }

    /// Whether it is a main product of a kind, for [`Iterator::filter`].
    #[must_use]
    pub fn is_main(&self, kind: ProductKind) -> bool {
        self.kind == kind && self.role == Role::Main && self.has_product()
    }

    /// Whether it has a product that was not computed yet.
    #[must_use]
    pub const fn has_product(&self) -> bool {
        self.make.is_some()
    }

    /// Computes the product under its own name. Returns `None` if there is none, or if it cannot be computed and the reason was
    /// reported.
    ///
    /// # Errors
    /// When the file is damaged where the product is stored.
    pub fn make(&mut self, report: &mut Report) -> Result<Option<Product<'a>>> {
        let name = self.name.clone().unwrap_or_default();
        self.make_as(&name, report)
    }

    /// Like [`Offer::make`], but with the name of the output file.
    ///
    /// # Errors
    /// The same as [`Offer::make`].
    pub fn make_as(&mut self, name: &str, report: &mut Report) -> Result<Option<Product<'a>>> {
        let Some(make) = self.make.take() else { return Ok(None) };
        let mut unlisted = Map::new();
        let facts = self.facts.as_mut().unwrap_or(&mut unlisted);
        let product = make(&mut ProductContext { name, facts, report });
        let product = product.map_err(|error| self.located(error))?;
        Ok(product.map(|product| self.finish.apply(product)))
    }
}

impl fmt::Debug for Offer<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Offer").field("kind", &self.kind).field("name", &self.name).finish_non_exhaustive()
    }
}

/// The context in which a product is computed.
#[derive(Debug)]
pub struct ProductContext<'a> {
    /// The name of the product.
    pub name: &'a str,
    /// The [facts](Offer::facts) of the offer, to which more can be added.
    pub facts: &'a mut Map<String, Value>,
    /// Losses are added to this report.
    pub report: &'a mut Report,
}

/// The processing that is applied to all scenes.
#[derive(Debug, Clone, Copy)]
struct Finish {
    engine: Option<Engine>,
    vertices: Vertices,
}

impl Finish {
    fn apply(self, mut product: Product<'_>) -> Product<'_> {
        if let Product::Scene(scene) = &mut product {
            if let Some(engine) = self.engine {
                scene.adapt_to(engine);
            }
            if self.vertices == Vertices::Integers {
                scene.quantize();
            }
        }
        product
    }
}

/// An index of all products of a file, with the facts about each and its output files.
#[derive(Debug, Clone, PartialEq)]
pub struct Index {
    /// Members of the object that come before the list.
    pub head: Map<String, Value>,
    /// Name of the list, such as `images`.
    pub list: &'static str,
    /// Layout of the list items.
    pub lines: IndexLayout,
}

/// The layout of the items of an [`Index`] in its JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum IndexLayout {
    /// Each fact on a separate line.
    Expanded,
    /// Each product on one line: for lists of thousands.
    OneLine,
}

/// Adds warnings that concern no single product.
type Closing<'a> = Box<dyn FnOnce(&mut Report) + 'a>;

/// The products that a file can be converted to, in order: an iterator of [offers](Offer). Long lists are computed while they are
/// read.
pub struct Products<'a> {
    parts: VecDeque<Box<dyn Iterator<Item = Offer<'a>> + 'a>>,
    index: Option<Index>,
    closing: Option<Closing<'a>>,
    finish: Finish,
}

impl<'a> Products<'a> {
    /// Creates an empty list. Scenes that are added to it are processed as the options and the target require.
    #[must_use]
    pub fn new(context: &Context<'_>, target: Target<'_>) -> Self {
        let finish = Finish { engine: context.options.engine(), vertices: target.vertices };
        Self { parts: VecDeque::new(), index: None, closing: None, finish }
    }

    /// Adds several offers, which are computed one at a time.
    #[must_use]
    pub fn with_all(mut self, offers: impl IntoIterator<Item = Offer<'a>, IntoIter: 'a>) -> Self {
        self.parts.push_back(Box::new(offers.into_iter()));
        self
    }

    /// Adds an offer.
    #[must_use]
    pub fn with(self, offer: Offer<'a>) -> Self {
        self.with_all([offer])
    }

    /// Adds a scene of the entire file.
    #[must_use]
    pub fn with_scene(self, make: impl FnOnce(&mut ProductContext<'_>) -> Result<Scene> + 'a) -> Self {
        self.with(Offer::new(ProductKind::Scene, |making| make(making).map(Some)))
    }

    /// Adds data about the entire file.
    #[must_use]
    pub fn with_data<T: Serialize + 'a>(self, make: impl FnOnce() -> T + 'a) -> Self {
        self.with(Offer::new(ProductKind::Data, |_| Ok(Some(Data::new(make())))))
    }

    /// Adds all fields of the file as data, each followed by its view [in another unit](crate::Asset::unit_fields), if it has
    /// one.
    #[must_use]
    pub fn with_fields(self, value: &'a impl Serialize, fields: &'static [UnitField]) -> Self {
        if fields.is_empty() {
            return self.with_data(move || value);
        }
        self.with(Offer::new(ProductKind::Data, move |_| {
            Ok(Some(Data::new(WithViews { record: Document::of(value)?, fields })))
        }))
    }

    /// Sets the index of all offers, which is written after them.
    #[must_use]
    pub fn with_index(self, index: Index) -> Self {
        Self { index: Some(index), ..self }
    }

    /// Sets a function that adds warnings after the requested offers have been computed.
    #[must_use]
    pub fn with_closing(self, closing: impl FnOnce(&mut Report) + 'a) -> Self {
        Self { closing: Some(Box::new(closing)), ..self }
    }

    /// Ends the list: reports warnings that concern no single product, and returns the index of all offers.
    pub fn close(self, report: &mut Report) -> Option<Index> {
        if let Some(closing) = self.closing {
            closing(report);
        }
        self.index
    }
}

impl<'a> Iterator for Products<'a> {
    type Item = Offer<'a>;

    fn next(&mut self) -> Option<Offer<'a>> {
        while let Some(part) = self.parts.front_mut() {
            if let Some(offer) = part.next() {
                return Some(Offer { finish: self.finish, ..offer });
            }
            self.parts.pop_front();
        }
        None
    }
}

impl fmt::Debug for Products<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Products").field("index", &self.index).finish_non_exhaustive()
    }
}

/// A file of a product could not be written.
pub static INCOMPLETE: Code = Code {
    id: "CONVERT-W001",
    severity: Severity::Warning,
    title: "file not written",
    about: "One of several files of an output could not be written; the others were. Example: `\"A.ttf\" is not written: the font has no \
            characters`.",
};

/// A file can be read, but not converted.
pub static UNCONVERTIBLE: Code = Code {
    id: "CONVERT-W002",
    severity: Severity::Warning,
    title: "cannot be converted",
    about: "`check` found that a file can be read, but not be converted; `convert` fails with the same message. Example: `the model has \
        no meshes`.",
};

/// A file is too large to check its conversion.
pub static NOT_CHECKED: Code = Code {
    id: "CONVERT-N003",
    severity: Severity::Note,
    title: "conversion not checked",
    about: "`check` builds the scene of a file to report what a conversion would lose, except for files larger than 5 MB, which would \
            take too much memory. `convert --dry-run` reports the losses. Example: `the file is larger than 5 MB; use convert --dry-run \
            to check the conversion`.",
};

/// The warnings that converting any format can raise.
pub static CODES: &[Code] = &[INCOMPLETE, UNCONVERTIBLE, NOT_CHECKED];

/// The target of a conversion.
#[derive(Debug, Clone, Copy)]
pub struct Target<'a> {
    /// Name of the result: of the root node of a scene, of a font, of a palette.
    pub name: &'a str,
    /// Base name of the output files, without extension; safe on every file system.
    pub stem: &'a str,
    /// Factor for lengths in meters; 1 unless the user requested another unit.
    pub scale: f64,
    /// Whether the models that a file refers to are converted to separate files in the same run. If so, the file needs no copies
    /// of them.
    pub separate_models: bool,
    /// The number type of vertices.
    pub vertices: Vertices,
    /// The compression level of PNG files.
    pub compression: Compression,
    /// Whether the products are computed only to check the conversion and then dropped. Images that take long to compute can be
    /// skipped.
    pub is_checked_only: bool,
    /// Whether an animated image is preferred over one image for each frame, unless the options specify otherwise.
    pub is_animated: bool,
    /// Whether only one file can be written, as to standard output. Companions that only repeat the main product are left out.
    pub is_single_file: bool,
}

/// The number type of the vertices of scenes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Vertices {
    /// Floating-point numbers, which every program reads.
    #[default]
    Floats,
    /// [Integers](Scene::quantize) where the game stores integers, so that positions are exact. Scenes for Godot, which cannot
    /// read them, use floating-point numbers nevertheless.
    Integers,
}

impl<'a> Target<'a> {
    /// Creates a target whose output files have the same name as the result.
    #[must_use]
    pub const fn new(name: &'a str, scale: f64) -> Self {
        Self {
            name,
            stem: name,
            scale,
            separate_models: false,
            vertices: Vertices::Floats,
            compression: Compression::Usual,
            is_checked_only: false,
            is_animated: true,
            is_single_file: false,
        }
    }

    /// Returns the scale in single precision.
    #[must_use]
    #[expect(clippy::as_conversions, clippy::cast_possible_truncation, reason = "rounding is meant")]
    pub const fn factor(&self) -> f32 {
        self.scale as f32
    }
}
