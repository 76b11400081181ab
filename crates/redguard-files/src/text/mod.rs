//! Text of the game: its fonts.

pub mod fnt;
