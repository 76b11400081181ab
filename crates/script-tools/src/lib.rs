//! A language server, a debugger and a debug adapter for the scripts of old games.
//!
//! What is known of the language comes from [`antiquary::script`] and [`antiquary::soup::editor`].

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

pub mod debug;
mod framing;
pub mod lsp;

pub use framing::Ended;
