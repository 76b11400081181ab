//! Text of the game: the fonts that it is set in.

pub mod fnt;
