//! Products: the format-independent results of reading a file, which are scenes, images, sounds, fonts, tables, texts,
//! subtitles or data.
//!
//! Formats create products and encode nothing; [`ENCODERS`] convert products to files, [`decode`] converts files to
//! products. A new output format is one row of the table.

mod data;
mod decoder;
mod encoder;
mod files;
mod font;
mod picture;
mod subtitle;
mod table;
#[cfg(test)]
mod tests;

use std::fmt;

use serde::Serialize;

pub use self::{
    data::{Data, Layout},
    decoder::{DECODERS, Decoded, Decoder, decode, decoder_for},
    encoder::{Companions, ENCODERS, Encoder, FrameSupport, encode, encoder_for, encoders_of},
    files::{EncodeOptions, EncodedFile, Files, Memory, SkippedFile},
    font::FontProduct,
    picture::Picture,
    subtitle::{Cue, Subtitles},
    table::{Cell, Table},
};

use crate::{Scene, Sound};

/// A result of reading a file. It may borrow from the opened file.
#[non_exhaustive]
pub enum Product<'a> {
    /// A three-dimensional scene.
    Scene(Box<Scene>),
    /// An image, static or animated.
    Image(Picture),
    /// A sound.
    Sound(Sound),
    /// A bitmap font.
    Font(Box<FontProduct>),
    /// Rows and columns.
    Table(Table<'a>),
    /// Unicode text for people.
    Text(String),
    /// Texts of a film with their times.
    Subtitles(Subtitles),
    /// Structured data.
    Data(Data<'a>),
}

/// The kinds of [`Product`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum ProductKind {
    /// A three-dimensional scene.
    Scene,
    /// An image, static or animated.
    Image,
    /// A sound.
    Sound,
    /// A font.
    Font,
    /// Rows and columns.
    Table,
    /// Text for people.
    Text,
    /// Texts of a film with their times.
    Subtitles,
    /// Structured data.
    Data,
}

impl ProductKind {
    /// All kinds, in the order of the table.
    pub const ALL: [Self; 8] = [
        Self::Scene,
        Self::Image,
        Self::Sound,
        Self::Font,
        Self::Table,
        Self::Text,
        Self::Subtitles,
        Self::Data,
    ];

    /// Returns the name shown to users, such as `scene`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Scene => "scene",
            Self::Image => "image",
            Self::Sound => "sound",
            Self::Font => "font",
            Self::Table => "table",
            Self::Text => "text",
            Self::Subtitles => "subtitles",
            Self::Data => "data",
        }
    }
}

impl fmt::Display for ProductKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl Product<'_> {
    /// Returns the kind of product.
    #[must_use]
    pub const fn kind(&self) -> ProductKind {
        match self {
            Self::Scene(_) => ProductKind::Scene,
            Self::Image(_) => ProductKind::Image,
            Self::Sound(_) => ProductKind::Sound,
            Self::Font(_) => ProductKind::Font,
            Self::Table(_) => ProductKind::Table,
            Self::Text(_) => ProductKind::Text,
            Self::Subtitles(_) => ProductKind::Subtitles,
            Self::Data(_) => ProductKind::Data,
        }
    }
}

impl fmt::Debug for Product<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Scene(scene) => write!(f, "Scene({:?})", scene.name),
            Self::Image(picture) => picture.fmt(f),
            Self::Sound(sound) => write!(f, "Sound({:?}, {} bytes)", sound.form, sound.data.len()),
            Self::Font(font) => write!(f, "Font({:?})", font.font.name),
            Self::Table(table) => table.fmt(f),
            Self::Text(text) => write!(f, "Text({} bytes)", text.len()),
            Self::Subtitles(subtitles) => write!(f, "Subtitles({} cues)", subtitles.cues.len()),
            Self::Data(data) => data.fmt(f),
        }
    }
}

impl From<Scene> for Product<'_> {
    fn from(scene: Scene) -> Self {
        Self::Scene(Box::new(scene))
    }
}

impl<T: Into<Picture>> From<T> for Product<'_> {
    fn from(picture: T) -> Self {
        Self::Image(picture.into())
    }
}

impl From<Sound> for Product<'_> {
    fn from(sound: Sound) -> Self {
        Self::Sound(sound)
    }
}

impl From<FontProduct> for Product<'_> {
    fn from(font: FontProduct) -> Self {
        Self::Font(Box::new(font))
    }
}

impl<'a> From<Table<'a>> for Product<'a> {
    fn from(table: Table<'a>) -> Self {
        Self::Table(table)
    }
}

impl From<Subtitles> for Product<'_> {
    fn from(subtitles: Subtitles) -> Self {
        Self::Subtitles(subtitles)
    }
}

impl<'a> From<Data<'a>> for Product<'a> {
    fn from(data: Data<'a>) -> Self {
        Self::Data(data)
    }
}
