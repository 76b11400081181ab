//! Fonts and line breaks.

pub mod fnt;
mod wrap;

pub use wrap::{MOVIE_CHARACTERS, wrapped};
