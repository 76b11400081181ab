//! What every file format of an old game offers.
//!
//! A format is a [`Format`]: how its files are recognised, opened and packed, and what they can be converted to. An opened file is
//! an [`Asset`]. Defects and losses go into a [`Report`]. The files of the game around it come from an [`Install`], and what is written goes into a
//! [`Sink`]: both are those of the crate `files`.

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
    Probe, SaveAs, SceneFile, Score, record_spans,
};
pub use game::{GameInfo, Known};
pub use items::{Items, MissingItems, first_few};
pub use names::{NameKind, Named, Names, TakeName, TellNames};
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
pub use unpack::{Parts, Unpacked, ViewSource};
