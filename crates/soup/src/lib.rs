//! SOUP, the script language of The Elder Scrolls Adventures: Redguard.
//!
//! [`definitions`] reads `SOUP386.DEF`, which names what scripts know by number: functions, properties, attributes, animation groups and global
//! flags. [`bytecode`] reads scripts and writes them back; [`text`] shows them as people edit them, [`mm`] as another program does. The language knows nothing of the files in which scripts stand.

#![warn(clippy::indexing_slicing, clippy::arithmetic_side_effects, clippy::as_conversions)]
#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

pub mod bytecode;
pub mod definitions;
pub mod diagnose;
pub mod editor;
pub mod find;
mod flow;
mod lexicon;
pub mod machine;
pub mod mm;
mod renumber;
mod routine;
pub mod text;

pub use bytecode::Script;
pub use definitions::Definitions;
pub use lexicon::Lexicon;
pub use routine::Routines;
