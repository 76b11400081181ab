//! `fuzz-seeds TARGET FOLDER`: writes the seeds of a target; without arguments, lists the targets.

use std::path::Path;
use std::{env, fs, io};

#[allow(clippy::print_stdout, reason = "a command-line program")]
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
                bodies::target(name).ok_or_else(|| io::Error::other(format!("unknown target {name}")))?;
            for seed in (target.seeds)() {
                fs::write(Path::new(folder).join(&seed.name), &seed.bytes)?;
            }
            Ok(())
        }
        _ => Err(io::Error::other("usage: fuzz-seeds [TARGET FOLDER]")),
    }
}
