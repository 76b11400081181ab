//! The integration tests of this crate: one program, which is compiled and linked faster than one per file.

#![allow(clippy::unwrap_used, clippy::panic, clippy::expect_used, reason = "a test may panic")]

mod b3d;
mod b3d_blender;
mod b3d_import;
mod conversion;
mod corpus;
mod glb;
mod import;
mod pose;
mod tables;
mod x;
mod x_import;
