//! What an opened file can become: a list of offers, each made only when somebody asks for it.
//!
//! A format returns its [`Products`], in order, and never encodes anything. Whoever reads the list makes the offers that it wants, one at a
//! time: a conversion writes them to files, a program uses their values, a list shows their names and makes none.

#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::collections::VecDeque;
use std::fmt;

use json::{Document, Map, Value};
use record::{Error, Result};
use scene::product::Data;
use scene::{Engine, Product, ProductKind, Scene};
use serde::Serialize;

use crate::context::Context;
use crate::report::{Code, Report, Severity};
use crate::typed_view::{UnitField, WithViews};

/// A kind of product that the files of a format become.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Offered {
    /// The kind.
    pub kind: ProductKind,
    /// What it shows, in a few words: `the room with its textures`.
    pub about: &'static str,
}

/// What a product is to a conversion.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Role {
    /// What is converted.
    Main,
    /// Data that the main products cannot hold, written beside them.
    Companion,
}

/// How the frames of a moving image are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum FrameFiles {
    /// To one file, where it can hold them.
    Together,
    /// To a file each.
    Apart,
}

/// Makes a product, or returns `None` for one that cannot be shown, with the reason in the report.
type Make<'a> = Box<dyn FnOnce(&mut ProductContext<'_>) -> Result<Option<Product<'a>>> + 'a>;

/// A product that a file can become. It is made by [`Offer::make`]; until then only its description exists.
pub struct Offer<'a> {
    /// Its kind.
    pub kind: ProductKind,
    /// Its name among several, as the format has it; `None` when the file becomes this one product.
    pub name: Option<Cow<'a, str>>,
    /// What it is to a conversion.
    pub role: Role,
    /// How its frames are written, where it has several.
    pub frames: FrameFiles,
    /// What is known of it: an item of the [index](Products::with_index), where there is one. Making the product may add to it.
    pub facts: Option<Map<String, Value>>,
    /// The text that it shows or speaks.
    pub caption: Option<String>,
    /// Offers of one key are the same product.
    pub key: Option<u64>,
    /// The kind of product that this one replaces where that kind is not wanted: the sheet of a font for programs that show only images.
    pub fallback_for: Option<ProductKind>,
    /// The field that it is made of, in which errors about the whole product are located.
    pub field: Option<&'static str>,
    make: Option<Make<'a>>,
    finish: Finish,
}

impl<'a> Offer<'a> {
    /// The one product of a kind that a file becomes. `make` returns `None` for one that cannot be shown, and has reported why.
    pub fn new<P: Into<Product<'a>>>(
        kind: ProductKind,
        make: impl FnOnce(&mut ProductContext<'_>) -> Result<Option<P>> + 'a,
    ) -> Self {
        let make: Make<'a> = Box::new(|making| Ok(make(making)?.map(Into::into)));
        Self { make: Some(make), ..Self::note(kind) }
    }

    /// An item of the [index](Products::with_index) that has no product.
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

    /// The same as one of several products of its kind.
    #[must_use]
    pub fn named(self, name: impl Into<Cow<'a, str>>) -> Self {
        Self { name: Some(name.into()), ..self }
    }

    /// The same as a companion of others.
    #[must_use]
    pub fn companion(self) -> Self {
        Self { role: Role::Companion, ..self }
    }

    /// The same with what is known of it.
    #[must_use]
    pub fn with_facts(self, facts: Map<String, Value>) -> Self {
        Self { facts: Some(facts), ..self }
    }

    /// The same with frames that are written in this way.
    #[must_use]
    pub fn with_frames(self, frames: FrameFiles) -> Self {
        Self { frames, ..self }
    }

    /// The same with the text that it shows or speaks.
    #[must_use]
    pub fn with_caption(self, caption: String) -> Self {
        Self { caption: Some(caption), ..self }
    }

    /// The same as all offers of this key.
    #[must_use]
    pub fn with_key(self, key: u64) -> Self {
        Self { key: Some(key), ..self }
    }

    /// The same for use where products of another kind are not wanted.
    #[must_use]
    pub fn fallback_for(self, kind: ProductKind) -> Self {
        Self { fallback_for: Some(kind), ..self }
    }

    /// The same, made of this field.
    #[must_use]
    pub fn made_of(self, field: &'static str) -> Self {
        Self { field: Some(field), ..self }
    }

    /// An error about the product, located in the [field](Self::field) that it is made of.
    pub(crate) fn located(&self, error: Error) -> Error {
        match self.field {
            Some(field) if error.offset().is_none() => error.in_field(field),
            _ => error,
        }
    }

    /// Whether it is a main product of a kind; for [`Iterator::filter`].
    #[must_use]
    pub fn is_main(&self, kind: ProductKind) -> bool {
        self.kind == kind && self.role == Role::Main && self.has_product()
    }

    /// Whether it has a product that was not made yet.
    #[must_use]
    pub const fn has_product(&self) -> bool {
        self.make.is_some()
    }

    /// Makes the product under its own name. `None` when it has none, or it cannot be shown: then the report says why.
    ///
    /// # Errors
    /// When the file is damaged where the product is stored.
    pub fn make(&mut self, report: &mut Report) -> Result<Option<Product<'a>>> {
        let name = self.name.clone().unwrap_or_default();
        self.make_as(&name, report)
    }

    /// As [`Offer::make`], under the name of the file that it is written to.
    ///
    /// # Errors
    /// As [`Offer::make`].
    pub fn make_as(&mut self, name: &str, report: &mut Report) -> Result<Option<Product<'a>>> {
        let Some(make) = self.make.take() else { return Ok(None) };
        let mut unlisted = Map::new();
        let facts = self.facts.as_mut().unwrap_or(&mut unlisted);
        let made = make(&mut ProductContext { name, facts, report });
        let made = made.map_err(|error| self.located(error))?;
        Ok(made.map(|product| self.finish.apply(product)))
    }
}

impl fmt::Debug for Offer<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Offer").field("kind", &self.kind).field("name", &self.name).finish_non_exhaustive()
    }
}

/// A product that is being made.
#[derive(Debug)]
pub struct ProductContext<'a> {
    /// The name it will have.
    pub name: &'a str,
    /// The [facts](Offer::facts) of the offer; more may be added.
    pub facts: &'a mut Map<String, Value>,
    /// What is lost on the way.
    pub report: &'a mut Report,
}

/// What is done to all scenes, whatever they show.
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

/// The data that lists all products of a file, with what is known of each and the files it was written to.
#[derive(Debug, Clone, PartialEq)]
pub struct Index {
    /// Members before the list.
    pub head: Map<String, Value>,
    /// The name of the list, like `images`.
    pub list: &'static str,
    /// How the items of the list are laid out.
    pub lines: IndexLayout,
}

/// How the items of an [`Index`] are laid out in its JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum IndexLayout {
    /// Each fact on a line of its own.
    Expanded,
    /// Each product on one line: for lists of thousands.
    OneLine,
}

/// Adds warnings that concern no single product.
type Closing<'a> = Box<dyn FnOnce(&mut Report) + 'a>;

/// What a file can become, in order: an iterator of [offers](Offer). A list of thousands is computed while it is read.
pub struct Products<'a> {
    parts: VecDeque<Box<dyn Iterator<Item = Offer<'a>> + 'a>>,
    index: Option<Index>,
    closing: Option<Closing<'a>>,
    finish: Finish,
}

impl<'a> Products<'a> {
    /// No products yet. Scenes among those that are added are made as the options and the target ask for.
    #[must_use]
    pub fn new(context: &Context<'_>, target: Target<'_>) -> Self {
        let finish = Finish { engine: context.options.engine(), vertices: target.vertices };
        Self { parts: VecDeque::new(), index: None, closing: None, finish }
    }

    /// The same with several more, which are computed one at a time.
    #[must_use]
    pub fn with_all(mut self, offers: impl IntoIterator<Item = Offer<'a>, IntoIter: 'a>) -> Self {
        self.parts.push_back(Box::new(offers.into_iter()));
        self
    }

    /// The same with one more.
    #[must_use]
    pub fn with(self, offer: Offer<'a>) -> Self {
        self.with_all([offer])
    }

    /// The same with the scene that the whole file becomes.
    #[must_use]
    pub fn with_scene(self, make: impl FnOnce(&mut ProductContext<'_>) -> Result<Scene> + 'a) -> Self {
        self.with(Offer::new(ProductKind::Scene, |making| make(making).map(Some)))
    }

    /// The same with data about the whole file.
    #[must_use]
    pub fn with_data<T: Serialize + 'a>(self, make: impl FnOnce() -> T + 'a) -> Self {
        self.with(Offer::new(ProductKind::Data, |_| Ok(Some(Data::new(make())))))
    }

    /// The same with every field of the file as data, and behind the fields that have them those
    /// [in other units](crate::Asset::unit_fields).
    #[must_use]
    pub fn with_fields(self, value: &'a impl Serialize, fields: &'static [UnitField]) -> Self {
        if fields.is_empty() {
            return self.with_data(move || value);
        }
        self.with(Offer::new(ProductKind::Data, move |_| {
            Ok(Some(Data::new(WithViews { record: Document::of(value)?, fields })))
        }))
    }

    /// The same with an index of all offers, to be written after them.
    #[must_use]
    pub fn with_index(self, index: Index) -> Self {
        Self { index: Some(index), ..self }
    }

    /// The same with warnings that are known only when the offers that are wanted have been made.
    #[must_use]
    pub fn with_closing(self, closing: impl FnOnce(&mut Report) + 'a) -> Self {
        Self { closing: Some(Box::new(closing)), ..self }
    }

    /// Ends the list: reports what concerns no single product, and returns the index of all offers.
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

/// A file of a product that could not be made.
pub static INCOMPLETE: Code = Code {
    id: "CONVERT-W001",
    severity: Severity::Warning,
    title: "file not written",
    about: "One of several files of an output could not be made; the others were. Example: `\"A.ttf\" is not written: the font has no \
            characters`.",
};

/// A file that a check finds to be convertible to nothing.
pub static UNCONVERTIBLE: Code = Code {
    id: "CONVERT-W002",
    severity: Severity::Warning,
    title: "cannot be converted",
    about: "`check` found that a file can be read, but not be converted; `convert` fails with the same message. Example: `the model has no meshes`.",
};

/// A file so large that a check does not look for what its conversion would tell.
pub static NOT_REHEARSED: Code = Code {
    id: "CONVERT-N003",
    severity: Severity::Note,
    title: "conversion not tried",
    about: "`check` makes the scene of a file to see what a conversion would lose, but not of a file larger than 5 MB: that would take too much memory. \
            `convert --dry-run` tells it. Example: `the file is larger than 5 MB; convert --dry-run tells what is lost`.",
};

/// The warnings that converting any format can raise.
pub static CODES: &[Code] = &[INCOMPLETE, UNCONVERTIBLE, NOT_REHEARSED];

/// What products are made for.
#[derive(Debug, Clone, Copy)]
pub struct Target<'a> {
    /// What the whole is called: the root of a scene, a font, a palette.
    pub name: &'a str,
    /// What its files are called, without extension; safe for every file system.
    pub stem: &'a str,
    /// Meters are multiplied by this; 1 unless the user asked for another unit.
    pub scale: f64,
    /// Whether the models that a file names become files of their own in the same run: then it need not hold copies of them.
    pub models_apart: bool,
    /// As what vertices are written.
    pub vertices: Vertices,
    /// Whether the products are made only to check the conversion, and then dropped: images that take long to compute are not needed.
    pub is_checked_only: bool,
    /// Whether several frames are better one moving image than an image each, unless the options say otherwise.
    pub is_animated: bool,
}

/// As what the vertices of scenes are written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Vertices {
    /// Floating-point numbers, which every program reads.
    #[default]
    Floats,
    /// [Integers](Scene::quantize) where the game has them: positions are exact. Scenes for Godot, which does not read them, have floating-point numbers all the same.
    Integers,
}

impl<'a> Target<'a> {
    /// A whole whose files are called like it.
    #[must_use]
    pub const fn new(name: &'a str, scale: f64) -> Self {
        Self {
            name,
            stem: name,
            scale,
            models_apart: false,
            vertices: Vertices::Floats,
            is_checked_only: false,
            is_animated: true,
        }
    }

    /// The scale for lengths in single precision.
    #[must_use]
    #[expect(clippy::as_conversions, clippy::cast_possible_truncation, reason = "rounding is meant")]
    pub const fn factor(&self) -> f32 {
        self.scale as f32
    }
}
