//! `fuzz-seeds TARGET FOLDER`: writes what a target starts from, and lists the targets when it is asked for nothing.

use std::path::Path;
use std::{env, fs, io};

#[allow(clippy::print_stdout, reason = "it is asked for")]
fn main() -> io::Result<()> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    match arguments.as_slice() {
        [] => {
            for target in &bodies::TARGETS {
                println!("{}\t{}", target.name, target.about);
            }
            Ok(())
        }
        [name, folder] => {
            let target =
                bodies::target(name).ok_or_else(|| io::Error::other(format!("there is no target {name}")))?;
            for seed in (target.seeds)() {
                fs::write(Path::new(folder).join(&seed.name), &seed.bytes)?;
            }
            Ok(())
        }
        _ => Err(io::Error::other("usage: fuzz-seeds [TARGET FOLDER]")),
    }
}
