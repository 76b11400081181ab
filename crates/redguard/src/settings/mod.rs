//! What the game keeps of its settings: which cheats are on, how the console looks.

pub mod cht;
pub mod cpf;
