//! SOUP, the script language of The Elder Scrolls Adventures: Redguard.
//!
//! [`definitions`] reads `SOUP386.DEF`, which names the functions, properties, attributes, animation groups and global flags that scripts
//! refer to by number. [`bytecode`] reads and writes compiled scripts; [`text`] converts them to and from source text, and [`mm`] to and
//! from the text of Redguard Mod Manager. [`machine`] runs scripts. This crate does not read the game's files; it handles only the scripts
//! in them.
//!
//! # Glossary
//!
//! - **Text**: a string of an actor that its scripts refer to by number.
//! - **Actor**: an object of a map with a script, variables (`var0` and so on) and tasks.
//! - **Main run** and **entry run**: the two cursors of a script. The entry run starts at offset 0, the main run at the script's start
//!   offset.
//! - **Task** and **multitask**: a call that takes more than one update. The main run waits for a task, but not for a multitask.
//! - **Slot**: one of the six places for the tasks of an actor.
//! - **Hook**: the function that the game calls for an actor before its script in each update.
//! - **Gosub** and **return slot**: a jump to a subroutine, and the only return offset that an actor stores.
//! - **Script-return byte** (`scriptrv`) and **anchor byte**: two values of an actor that scripts read and set.
//! - **Latch**: the second bit of a global flag, which is set when the flag changes.
//! - **Stage**: the part of an update in which code of a script runs.

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
mod spoken;
pub mod text;

pub use bytecode::Script;
pub use definitions::Definitions;
pub use lexicon::Lexicon;
pub use routine::Routines;
pub use spoken::{SpokenLines, label_key};
