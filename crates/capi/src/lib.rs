//! The C interface of Antiquary. `include/antiquary.h` is generated from this crate and documents each function.
//!
//! Objects are owned by a table, and C holds keys of it ([`handle`]), so a handle that is used after it was freed is an
//! error. Unsafe code is limited to pointers of the caller: [`pointer`] reads and writes through them, and each function
//! wraps its arguments once. No panic leaves a function ([`call`]).

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]
#![allow(
    clippy::missing_safety_doc,
    reason = "the top of the header describes the requirements of all functions"
)]

mod archive;
mod buffers;
mod call;
mod error;
mod failure;
mod field;
mod file;
mod format;
mod game;
mod handle;
mod image;
mod operation;
mod options;
mod pointer;
mod product;
mod progress;
mod report;
mod run;
mod scene;
mod script;
mod sound;
mod status;
mod string;
mod table;
#[cfg(test)]
mod tests;
mod version;
