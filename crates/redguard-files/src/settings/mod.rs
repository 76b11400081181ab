//! Settings of the game: cheat states, console settings, script definitions, and text settings of the program and its worlds.

pub mod cht;
pub mod cpf;
pub mod def;
pub mod ini;
