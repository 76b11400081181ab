//! Settings of the game: cheat states, the console, the texts that the program and its maps are set up with.

pub mod cht;
pub mod cpf;
pub mod def;
pub mod ini;
