#![cfg_attr(docsrs, feature(doc_cfg))]
//! The common interface of all file formats.
//!
//! A [`Format`] declares how its files are recognized, opened and packed, and which files they can be converted to. An opened
//! file is an [`Asset`]. Defects and losses are collected in a [`Report`]. The files of the surrounding game are read from an
//! [`Install`], and output is written to a [`Sink`]; both are defined by the crate `files`.
//!
//! # Glossary
//!
//! - **Asset**: an opened file of any format.
//! - **Blob**: a run of bytes that an unpacked folder stores in a file next to `record.json`.
//! - **Companion**: a file that another file refers to and that is written along with it.
//! - **Entry**: a file in an archive.
//! - **Extract**: copy entries out of an archive. **Unpack**: write one file as an editable folder. **Pack**: build the file from
//!   that folder.
//! - **Game**: a set of formats, with the files by which an installation is recognized.
//! - **Offer**: a product that a file can be converted to, before it is computed.
//! - **Probe**: the name, the length and the first bytes of a file, from which its format is detected.
//! - **Product**: the result of a conversion: a scene, an image, audio or data. An encoder writes it to a file.
//! - **Record**: the fields of a file, as stored in `record.json` of an unpacked folder.
//! - **Reference**: the name of a file or an object in a field of another file.
//! - **Sheet**: a list of records as a CSV table in an unpacked folder.
//! - **Stem**: a file name without its extension.
//! - **View**: a file of an unpacked folder that shows a part of the record in an editable form, such as an image.

#![warn(clippy::indexing_slicing, clippy::arithmetic_side_effects, clippy::as_conversions)]
#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

pub mod archive;
mod asset;
pub mod build;
mod change;
pub mod container;
mod context;
pub mod convert;
mod count;
mod fixed_text;
pub mod format;
pub mod game;
mod items;
mod names;
pub mod option;
pub mod product;
pub mod reference;
mod report;
pub mod setting;
pub mod typed_view;
pub mod unpack;
pub mod wildcard;

pub use archive::Archive;
pub use asset::{Asset, Counts, Description, Detail, ScenePart, item_index};
pub use change::{FieldChange, RecordChange};
pub use context::Context;
pub use count::{counted, size, thousands};
pub use files::{
    Charset, CharsetScope, Folder, FolderSink, Found, GamePath, Guard, Install, Links, Location, Lookup,
    Match, MemorySink, OpenedFiles, Overwrite, PathError, Sink, replace_charset,
};
pub use fixed_text::FixedText;
pub use format::{
    Can, Companion, CompanionPlace, Entries, Format, Import, ImportScene, Imported, Output, OutputWriter,
    Probe, SaveAs, SceneFile, Score,
};
pub use game::{GameInfo, KnownFile};
pub use items::{Items, MissingItems, first_few};
pub use names::{NameKind, NameVisitor, Named, Names, VisitNames};
pub use option::preset;
pub use option::typed::FormatOptions;
pub use option::{Choice, Flag, FormatOption, Number, OptionValue, Options, Text, ViewerDefault, Words};
pub use product::{
    FrameFiles, Index, IndexLayout, Offer, Offered, ProductContext, Products, Role, Target, Vertices,
};
pub use record::{Error, Kind, Result, Source, Span, Visit, Visitor};
pub use reference::Reference;
pub use report::{Code, Fix, Report, Severity, SharedCode, Warning, WarningBuilder};
pub use scene::ProductKind;
pub use setting::SettingDoc;
pub use unpack::{Parts, Unpacked, ViewSource};
