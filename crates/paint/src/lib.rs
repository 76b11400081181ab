//! Files of paint and film programs, which games use as they are and no game owns.
//!
//! - [`anm`] reads and writes films of Deluxe Paint Animator (`.ANM`), [`lbm`] pictures of Deluxe Paint (`.LBM`);
//! - [`pcx`] reads and writes pictures of PC Paintbrush (`.PCX`);
//! - [`smk`] reads what the header of a Smacker film tells (`.SMK`).

#![cfg_attr(
    test,
    allow(clippy::as_conversions, clippy::arithmetic_side_effects, reason = "numbers in tests are small")
)]

pub(crate) use asset::codes;

pub mod anm;
pub mod lbm;
pub mod pcx;
pub mod smk;
mod specimen;

pub use specimen::specimens;

use asset::Format;

/// The formats, which belong to no game.
pub static FORMATS: &[&Format] = &[&anm::FORMAT, &lbm::FORMAT, &pcx::FORMAT, &smk::FORMAT];
