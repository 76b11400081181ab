//! The integration tests of this crate: one program, which is compiled and linked faster than one per file.

#![allow(clippy::unwrap_used, clippy::panic, clippy::expect_used, reason = "a test may panic")]

mod blender;
mod corpus;
mod glb;
mod import;
mod pack;
