//! A language server, a debugger and a debug adapter for the scripts of old games.
//!
//! Nothing here knows a language: that comes through the traits of [`antiquary::asset::script`].

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

pub mod debug;
mod framing;
pub mod lsp;

pub use framing::Ended;
