#![cfg_attr(docsrs, feature(doc_cfg))]
//! Models and maps of The Elder Scrolls Adventures: Redguard (1998), and computations of its engine. The crate `redguard` contains
//! everything for the game.
//!
//! - [`model`] reads and writes models (`.3D`, `.3DC`), and [`model::rob`] archives of a map's models (`.ROB`); [`axes`] converts their
//!   axes for glTF;
//! - [`map`] reads and writes maps (`.RGM`), and collects the data of their script objects; [`world`] builds the scene of a complete map as
//!   the game displays it, and [`world::model`] scenes of single models with held items;
//! - [`ai`] reads and writes the animation groups of separate script files (`.AI`);
//! - [`terrain`] reads and writes terrains (`.WLD`), with heights, normals and moving water;
//! - [`visibility`] reads and writes visibility trees (`.PVO`), and determines the objects visible from a position;
//! - [`engine`] contains the engine's computations: light, water, fog, sky, held items, animation, sound, text;
//! - [`sample`] generates a small game folder with our own writers.
//!
//! # Glossary
//!
//! - *Object*: a script-controlled object definition of a map (RAHD), an entity class or prefab elsewhere;
//! - *Placement*: an instance of an object (MPOB), with its transform and its initial script variables;
//! - *Actor*: an object with behavior, an NPC or animated object;
//! - *Static*: a mesh instance without a script (MPSO);
//! - *Flat*: a billboard, an image that always faces the camera (MPSF);
//! - *Marker*: a waypoint that scripts reference by number (MPMK); a *location* is such a point relative to an object (RALC);
//! - *Walk map*: a navigation graph with nodes and routes (WDNM);
//! - *Hook*: a native function call of an object at each update (RAHK);
//! - *Attribute*: one of 256 byte-sized properties of an object (RAAT);
//! - *Animation group*: an animation clip, stored as a command list (RAGR, AIAN); its frames are morph targets;
//! - *Bank*: a texture set (`TEXBSI.NNN`), from which images are chosen by index;
//! - *Segment*: an archive entry with one model (ROB);
//! - *World unit*: a twentieth of a meter; *Q8* numbers are fixed-point numbers with 8 fraction bits;
//! - *Angle*: 2048 units per turn; *heading* is yaw;
//! - *Nominal tick*: an update step of scripts and animation, about 12 per second; a *BIOS tick* is a step of the PC timer, about 18.2 per
//!   second;
//! - *Secondary table*: the part of visibility numbering for actors, after the statics.

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]
#![warn(clippy::indexing_slicing, clippy::arithmetic_side_effects, clippy::as_conversions)]
#![cfg_attr(
    test,
    allow(clippy::as_conversions, clippy::arithmetic_side_effects, reason = "numbers in tests are small")
)]

pub(crate) use asset::codes;

pub mod ai;
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

/// The memory use of the scene of a map as large as the largest one of the game, in bytes.
pub(crate) const SCENE_MEMORY: u64 = 240 << 20;
