//! The engine's computations on the values in the game's files: one file per subject, pure functions.
//!
//! Time is always a parameter: nothing here reads a clock or keeps global state. Positions are in world units with the game's axes (X
//! right, Y down, Z forward) unless a function documents otherwise. `Q8` numbers are world units times 256, the form in which models and
//! placements store them. Integers wrap at 32 bits, `>>` is an arithmetic shift, and divisions truncate.
//!
//! Values of SYSTEM.INI are fields of structures whose defaults are the shipped game; [`settings`] reads all of them from a file.
//!
//! Each item carries the confidence of its source, with the tags of the book's page about the engine: \[E\] stated about the game's
//! program, \[E=\] confirmed by a second source or by arithmetic, \[D\] from shipped data or settings, \[O\] from older notes only, \[?\]
//! open.
//!
//! Source: redguard-preservation 0.10.4, which describes the Glide program of 1998.

pub mod animation;
pub mod camera;
pub mod cheat;
pub mod clock;
pub mod combat;
pub mod console;
pub mod dialog;
pub mod fall;
pub mod flat;
pub mod fog;
pub mod ground;
pub mod held;
pub mod hud;
pub mod jump;
pub mod light;
pub mod movement;
pub mod player;
pub mod random;
pub mod rope;
pub mod rotation;
pub mod settings;
pub mod sky;
pub mod slide;
pub mod sound;
pub mod sun;
pub mod text;
pub mod texture;
pub mod visibility;
pub mod water;
