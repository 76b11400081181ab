//! The program `antiquary`.

fn main() {}
