#![cfg_attr(docsrs, feature(doc_cfg))]
//! Writes the schemas of file formats in the languages of other programs: Kaitai structs, patterns of ImHex, and reference pages.
//!
//! A [`Schema`](record::schema::Schema) is generated from the declaration of a record. [`Model::of`] converts it to types and fields as
//! these languages have them; a writer for each language then only prints them. A declaration can contain code: a reader that is written
//! by hand, or a condition that calls a function. Such a part is [opaque](Opaque): bytes without fields, with the reason.
//!
//! # Glossary
//!
//! | term | meaning |
//! | --- | --- |
//! | model | the types and fields of a format, ready to print ([`Model`]) |
//! | opaque part | bytes whose structure the declaration cannot say ([`Opaque`]) |
//! | open type | a type that extends to the end of its section or file, because its own end is unknown |

mod expression;
mod hexpat;
mod ksy;
mod lower;
mod markdown;
mod model;
mod name;

pub use model::{Coverage, Model, Opaque};

/// What a document says about the format in general.
#[derive(Debug, Clone, Copy)]
pub struct About<'a> {
    /// The id of the format: `redguard.sfx`.
    pub id: &'a str,
    /// The name of the format.
    pub name: &'a str,
    /// Usual file extensions, in lowercase, without the dot.
    pub extensions: &'a [&'a str],
}

/// A language in which a schema can be written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Language {
    /// A Kaitai struct (`.ksy`), from which the Kaitai compiler generates readers in many programming languages.
    Kaitai,
    /// A pattern of the hex editor ImHex (`.hexpat`).
    ImHex,
    /// A reference page in Markdown.
    Markdown,
}

impl Language {
    /// All languages.
    pub const ALL: [Self; 3] = [Self::Kaitai, Self::ImHex, Self::Markdown];

    /// The extension of files in the language, without the dot.
    #[must_use]
    pub const fn extension(self) -> &'static str {
        match self {
            Self::Kaitai => "ksy",
            Self::ImHex => "hexpat",
            Self::Markdown => "md",
        }
    }

    /// Writes a document.
    #[must_use]
    pub fn write(self, about: &About<'_>, model: &Model) -> String {
        match self {
            Self::Kaitai => ksy::write(about, model),
            Self::ImHex => hexpat::write(about, model),
            Self::Markdown => markdown::write(about, model),
        }
    }
}
