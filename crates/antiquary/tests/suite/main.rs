//! The integration tests of this crate: one program, which is compiled and linked faster than one per file.

#![allow(clippy::unwrap_used, clippy::panic, clippy::expect_used, reason = "a test may panic")]

mod base;
mod blender;
mod examples;
mod find;
mod fixes;
mod golden;
mod json_page;
mod own_game;
mod packed;
mod paths;
mod screens;
mod shown;
mod typed;
mod values;
mod warnings;
