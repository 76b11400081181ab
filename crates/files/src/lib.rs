#![cfg_attr(docsrs, feature(doc_cfg))]
//! Access to the files of a game: case-insensitive lookup in folders and archives, and safe writing.
//!
//! - [`install`] finds files in an [`Install`], which consists of [`layer`]s of folders and archives that hide one another;
//! - [`GamePath`] is a path within a game, and [`name`] makes names that every file system accepts; [`Charset`] decodes names,
//!   and [`suggest`] finds similar ones;
//! - [`disk`] opens only regular files, [`walk`] traverses folders, and [`lock`] prevents two runs from changing the same file;
//! - [`sink`] writes files: all of them or none, and never over one of the [`OpenedFiles`].
//!
//! # Glossary
//!
//! - **Folded name**: a name in the form in which names are compared, ignoring letter case and composition.
//! - **Layer**: a folder, an archive or a set of files in memory; a file in an upper layer hides files of the same name in lower
//!   layers.
//! - **Location**: the layer and the path of a file.
//! - **Unfinished file**: a file that is written under a temporary name.
//! - **Shared file**: a file that several outputs refer to and that is written once.

#![warn(clippy::indexing_slicing, clippy::arithmetic_side_effects, clippy::as_conversions)]
#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

mod charset;
pub mod disk;
pub mod install;
pub mod layer;
#[cfg(feature = "fs")]
pub mod lock;
pub mod name;
mod opened;
mod path;
pub mod sink;
pub mod suggest;
pub mod walk;

pub use charset::{Charset, CharsetScope, replace_charset};
pub use install::{Folder, Found, Install, Location, Lookup, Match};
pub use opened::OpenedFiles;
pub use path::{GamePath, PathError};
pub use record::{Error, Kind, Result, Source};
pub use sink::{FolderSink, Guard, MemorySink, Overwrite, Sink};
pub use walk::Links;
