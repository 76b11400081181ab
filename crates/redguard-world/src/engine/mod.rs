//! How the game's engine computes what its files only state: one file per subject, pure functions.
//!
//! Time is always a parameter; nothing here reads a clock or keeps a state of its own. Positions are in world units with the game's axes
//! (X right, Y down, Z forward) unless a function says otherwise; `Q8` numbers are world units times 256, as models and placements store
//! them. Integers wrap at 32 bits, `>>` keeps the sign, divisions drop the remainder.
//!
//! Each item says how sure its source is, with the marks of the book's page about the engine: \[E\] stated of the game's program,
//! \[E=\] confirmed by a second source or by arithmetic, \[D\] from shipped data or settings, \[O\] from older notes only, \[?\] open.
//!
//! Source: redguard-preservation 0.10.4, which describes the Glide program of 1998.

pub mod animation;
pub mod camera;
pub mod cheat;
pub mod clock;
pub mod combat;
pub mod console;
pub mod flat;
pub mod fog;
pub mod ground;
pub mod held;
pub mod hud;
pub mod light;
pub mod movement;
pub mod random;
pub mod rope;
pub mod rotation;
pub mod sky;
pub mod sound;
pub mod sun;
pub mod text;
pub mod texture;
pub mod visibility;
pub mod water;
