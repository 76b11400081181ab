//! Fonts.

pub mod fnt;
