//! How an opened file makes its products: one after another, each only when somebody wants it.
//!
//! A format offers what a file can become to a [`Products`], in order, and never encodes anything. Behind it stands a [`Receiver`]: one
//! that writes files, one that lists names, one that keeps a single product. Only what it asks for is made, one product at a time.

#[cfg(test)]
mod tests;

use std::borrow::Cow;

use record::Result;
use record::json::Document;
use scene::product::Data;
use scene::{Engine, Product, ProductKind, Scene};
use serde::Serialize;
use serde_json::{Map, Value};

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

/// What is known of a product before it is made.
#[derive(Debug, Clone, PartialEq)]
pub struct Item<'a> {
    /// Its kind.
    pub kind: ProductKind,
    /// Its name among several, as the format has it; `None` when the file becomes this one product.
    pub name: Option<Cow<'a, str>>,
    /// What it is to a conversion.
    pub role: Role,
    /// What becomes of its frames, where it has several.
    pub frames: FrameFiles,
    /// What is to be known of it: a line of the [index](Products::index), where there is one.
    pub facts: Option<Map<String, Value>>,
    /// What is said in it, for those who list it.
    pub caption: Option<String>,
    /// Items of one key are one product, which is made once.
    pub key: Option<u64>,
}

/// What a product is to a conversion.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// What is converted.
    Main,
    /// It says what the main products cannot hold, and is written beside them.
    Companion,
}

/// What becomes of the frames of a moving image.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FrameFiles {
    /// One file, where it can hold them.
    Together,
    /// A file for each.
    Apart,
}

impl<'a> Item<'a> {
    /// The one product of a kind that a file becomes.
    #[must_use]
    pub const fn whole(kind: ProductKind) -> Self {
        Self {
            kind,
            name: None,
            role: Role::Main,
            frames: FrameFiles::Together,
            facts: None,
            caption: None,
            key: None,
        }
    }

    /// One of several products of a kind.
    #[must_use]
    pub fn named(kind: ProductKind, name: impl Into<Cow<'a, str>>) -> Self {
        Self { name: Some(name.into()), ..Self::whole(kind) }
    }

    /// The same as a companion of others.
    #[must_use]
    pub fn companion(self) -> Self {
        Self { role: Role::Companion, ..self }
    }

    /// The same with what is to be known of it.
    #[must_use]
    pub fn with_facts(self, facts: Map<String, Value>) -> Self {
        Self { facts: Some(facts), ..self }
    }

    /// The same with what becomes of its frames.
    #[must_use]
    pub fn with_frames(self, frames: FrameFiles) -> Self {
        Self { frames, ..self }
    }

    /// The same with what is said in it.
    #[must_use]
    pub fn with_caption(self, caption: String) -> Self {
        Self { caption: Some(caption), ..self }
    }

    /// The same, known to be one product with all items of this key.
    #[must_use]
    pub fn with_key(self, key: u64) -> Self {
        Self { key: Some(key), ..self }
    }
}

/// The data that lists all products of a file, with what is to be known of each and the files it was written to.
#[derive(Debug, Clone, PartialEq)]
pub struct Index {
    /// What stands in front of the list.
    pub head: Map<String, Value>,
    /// What the list is called, like `images`.
    pub list: &'static str,
    /// How the lines of the list stand.
    pub lines: IndexLayout,
}

/// How the lines of an [`Index`] stand in its JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IndexLayout {
    /// Each fact on a line of its own.
    Expanded,
    /// Each product on one line: for lists of thousands.
    OneLine,
}

/// Takes what a file offers.
pub trait Receiver {
    /// Whether products of a kind are wanted at all.
    fn wants(&self, kind: ProductKind) -> bool;

    /// Whether images are written to files that are made for moving ones.
    fn wants_animation(&self) -> bool;

    /// The name that a product will have, if it is wanted and was not taken before.
    ///
    /// # Errors
    /// When it cannot have a name.
    fn begin(&mut self, item: &Item<'_>) -> Result<Option<String>>;

    /// Takes a product under the name that [`Receiver::begin`] gave.
    ///
    /// # Errors
    /// When it cannot be kept.
    fn take(&mut self, item: Item<'_>, name: &str, product: Product<'_>, report: &mut Report) -> Result<()>;

    /// Is told of an item whose product was not wanted or could not be made.
    ///
    /// # Errors
    /// When it cannot be kept.
    fn pass(&mut self, item: Item<'_>) -> Result<()>;

    /// Takes the index of everything before.
    ///
    /// # Errors
    /// When it cannot be kept.
    fn index(&mut self, index: Index) -> Result<()>;
}

/// Where a file's products go.
pub struct Products<'a> {
    receiver: &'a mut dyn Receiver,
    report: &'a mut Report,
    target: Target<'a>,
    engine: Option<Engine>,
}

/// A product that is being made.
#[derive(Debug)]
pub struct ProductContext<'a> {
    /// The name it will have.
    pub name: &'a str,
    /// What is to be known of it, where the item has facts; more may be added.
    pub facts: &'a mut Map<String, Value>,
    /// What is lost on the way.
    pub report: &'a mut Report,
}

impl<'a> Products<'a> {
    /// What is offered goes to a receiver, what is lost into a report.
    pub fn new(receiver: &'a mut dyn Receiver, report: &'a mut Report, target: Target<'a>) -> Self {
        Self { receiver, report, target, engine: None }
    }

    /// The same, with scenes made for an engine.
    #[must_use]
    pub fn for_engine(self, engine: Option<Engine>) -> Self {
        Self { engine, ..self }
    }

    /// The name of the whole, and the unit of its lengths.
    #[must_use]
    pub const fn target(&self) -> Target<'a> {
        self.target
    }

    /// Where losses go that concern no single product.
    pub fn report(&mut self) -> &mut Report {
        self.report
    }

    /// Whether products of a kind are wanted at all. For formats that must choose between two; [`Products::offer`] asks by itself.
    #[must_use]
    pub fn wants(&self, kind: ProductKind) -> bool {
        self.receiver.wants(kind)
    }

    /// Whether several frames are better one moving image than an image each, unless something else is asked for.
    #[must_use]
    pub fn wants_animation(&self) -> bool {
        self.receiver.wants_animation()
    }

    /// Offers a product, which is made at once if it is wanted. `make` gives `None` for one that cannot be shown, and has reported why.
    ///
    /// # Errors
    /// Whatever `make` or the receiver fails with.
    pub fn offer<'p, P: Into<Product<'p>>>(
        &mut self,
        item: Item<'_>,
        make: impl FnOnce(&mut ProductContext<'_>) -> Result<Option<P>>,
    ) -> Result<()> {
        let Some(name) = self.receiver.begin(&item)? else { return self.receiver.pass(item) };
        let mut item = item;
        let has_facts = item.facts.is_some();
        let mut facts = item.facts.take().unwrap_or_default();
        let made = make(&mut ProductContext { name: &name, facts: &mut facts, report: self.report })?;
        item.facts = has_facts.then_some(facts);
        match made {
            Some(product) => {
                let mut product = product.into();
                if let Product::Scene(scene) = &mut product {
                    self.finish(scene);
                }
                self.receiver.take(item, &name, product, self.report)
            }
            None => self.receiver.pass(item),
        }
    }

    /// What is done to all scenes, whatever they show.
    fn finish(&self, scene: &mut Scene) {
        if let Some(engine) = self.engine {
            scene.adapt_to(engine);
        }
        if self.target.vertices == Vertices::Integers {
            scene.quantize();
        }
    }

    /// Offers every field of the file as data.
    ///
    /// # Errors
    /// When the receiver cannot keep it.
    pub fn fields(&mut self, value: impl Serialize) -> Result<()> {
        self.offer(Item::whole(ProductKind::Data), |_| Ok(Some(Data::new(value))))
    }

    /// The same with the fields [in other units](crate::Asset::unit_fields) behind those that store them.
    ///
    /// # Errors
    /// When the value cannot be serialized, or the receiver cannot keep it.
    pub fn fields_in_units(&mut self, value: &impl Serialize, fields: &'static [UnitField]) -> Result<()> {
        self.offer(Item::whole(ProductKind::Data), |_| {
            Ok(Some(Data::new(WithViews { record: Document::of(value)?, fields })))
        })
    }

    /// Offers the scene that the whole file becomes.
    ///
    /// # Errors
    /// Whatever `make` or the receiver fails with.
    pub fn scene(&mut self, make: impl FnOnce(&mut ProductContext<'_>) -> Result<Scene>) -> Result<()> {
        self.offer(Item::whole(ProductKind::Scene), |making| make(making).map(Some))
    }

    /// Adds a line to the index for something that has no product.
    ///
    /// # Errors
    /// When the receiver cannot keep it.
    pub fn note(&mut self, kind: ProductKind, facts: Map<String, Value>) -> Result<()> {
        self.receiver.pass(Item::whole(kind).with_facts(facts))
    }

    /// Ends the list of products with their index.
    ///
    /// # Errors
    /// When the receiver cannot keep it.
    pub fn index(&mut self, index: Index) -> Result<()> {
        self.receiver.index(index)
    }
}

impl std::fmt::Debug for Products<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Products({:?})", self.target)
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
}

/// As what the vertices of scenes are written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
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
        }
    }

    /// The scale for lengths in single precision.
    #[must_use]
    #[expect(clippy::as_conversions, clippy::cast_possible_truncation, reason = "rounding is meant")]
    pub const fn factor(&self) -> f32 {
        self.scale as f32
    }
}
