//! The models and maps of The Elder Scrolls Adventures: Redguard (1998), and what its engine makes of them. The crate `redguard` has everything of
//! the game.
//!
//! - [`model`] reads and writes models (`.3D`, `.3DC`), [`model::rob`] the models of a map in one file (`.ROB`); [`axes`] converts their
//!   axes for glTF;
//! - [`map`] reads and writes maps (`.RGM`), and gathers what the objects of their scripts consist of; [`world`] puts a whole map together, as
//!   the game shows it, and [`world::model`] single models with what they hold;
//! - [`terrain`] reads and writes terrains (`.WLD`), with heights, normals and moving water;
//! - [`visibility`] reads and writes visibility trees (`.PVO`), and says what is seen from a place;
//! - [`engine`] computes what the game does with all this: light, water, fog, sky, what hands hold, animation, sound, text;
//! - [`sample`] generates a small game folder with our own writers.

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]
#![warn(clippy::indexing_slicing, clippy::arithmetic_side_effects, clippy::as_conversions)]
#![cfg_attr(
    test,
    allow(clippy::as_conversions, clippy::arithmetic_side_effects, reason = "numbers in tests are small")
)]

pub(crate) use asset::codes;

pub mod axes;
pub mod engine;
pub mod lighting;
pub mod map;
pub mod model;
#[doc(hidden)]
pub mod number;
pub mod sample;
pub mod terrain;
pub mod visibility;
pub mod world;

/// The scene of a map with as much in it as the largest of the game, in bytes.
pub(crate) const SCENE_MEMORY: u64 = 240 << 20;
