//! Every chore of the project as one command.

fn main() {}
