//! The files of a game: found whatever their letter case, and written safely.
//!
//! - [`install`] finds files in an [`Install`], layers of folders and archives that hide one another ([`layer`]);
//! - [`path`](GamePath) and [`name`] are paths within a game, and names that every file system accepts; [`Charset`] decodes them, [`suggest`] guesses
//!   which one was meant;
//! - [`disk`] opens regular files only, [`walk`] goes through folders, [`lock`] keeps two runs out of one folder;
//! - [`sink`] writes files: all of them or none, and never over one of the [`OpenedFiles`].

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
