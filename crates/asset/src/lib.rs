//! What every file format of an old game offers, and where its files are found.
//!
//! A format is a [`Format`]: how its files are recognised, opened and packed, and what they can be converted to. An opened file is
//! an [`Asset`]. The game around it is an [`Install`], which finds files whatever their letter case. What is written goes
//! into a [`Sink`]; defects and losses go into a [`Report`].

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

pub mod archive;
mod asset;
pub mod build;
mod change;
mod charset;
pub mod container;
mod context;
pub mod convert;
mod count;
pub mod disk;
mod fixed_text;
pub mod format;
pub mod game;
pub mod ini;
pub mod install;
mod items;
pub mod layer;
#[cfg(feature = "fs")]
pub mod lock;
pub mod name;
mod names;
mod opened;
pub mod option;
mod path;
pub mod picture;
pub mod product;
pub mod reference;
mod report;
pub mod sink;
pub mod suggest;
pub mod typed_view;
pub mod unpack;
pub mod walk;
pub mod wildcard;

pub use archive::Archive;
pub use asset::{Asset, Counts, Description, Detail, ScenePart, item_index};
pub use change::{FieldChange, RecordChange};
pub use charset::{Charset, CharsetScope, replace_charset};
pub use context::Context;
pub use count::{counted, size, thousands};
pub use fixed_text::FixedText;
pub use format::{
    Can, Companion, CompanionPlace, Entries, Format, Import, ImportScene, Imported, Output, OutputWriter,
    Probe, SaveAs, SceneFile, Score, record_spans,
};
pub use game::{GameInfo, Known};
pub use install::{Folder, Found, Install, Location, Lookup, Match};
pub use items::{Items, MissingItems, first_few};
pub use names::{NameKind, Named, Names, TakeName, TellNames};
pub use opened::OpenedFiles;
pub use option::preset;
pub use option::typed::FormatOptions;
pub use option::{Choice, Flag, FormatOption, Number, OptionValue, Options, Text, ViewerDefault, Words};
pub use path::{GamePath, PathError};
pub use product::{
    FrameFiles, Index, IndexLayout, Offer, Offered, ProductContext, Products, Role, Target, Vertices,
};
pub use record::{Error, Kind, Result, Source, Span, Visit, Visitor};
pub use reference::Reference;
pub use report::{Code, Fix, Report, Severity, SharedCode, Warning, WarningBuilder};
pub use scene::ProductKind;
pub use sink::{FolderSink, Guard, MemorySink, Overwrite, Sink};
pub use unpack::{Parts, Unpacked, ViewSource};
pub use walk::Links;
