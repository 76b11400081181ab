//! The integration tests of this crate: one program, which is compiled and linked faster than one per file.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may panic")]

mod chunks;
mod crate_path;
mod derive;
mod forms;
mod mini;
mod offsets;
mod sections;
mod versions;
