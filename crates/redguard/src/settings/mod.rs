//! Settings of the game: cheat states and the console.

pub mod cht;
pub mod cpf;
