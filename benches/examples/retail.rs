//! Writes a synthetic install of Redguard of realistic size into a new folder:
//! `cargo run --release --manifest-path benches/Cargo.toml --example retail -- DIR`.

use std::path::PathBuf;

use antiquary::Overwrite;
use antiquary::asset::{FolderSink, Guard};

fn main() {
    let Some(folder) = std::env::args_os().nth(1).map(PathBuf::from) else {
        eprintln!("usage: retail DIR");
        std::process::exit(2);
    };
    let mut sink = FolderSink::new(&folder, Guard::new(Overwrite::Refuse).into());
    benches::retail::write(&mut sink).expect("the install is written");
    let written = sink.finish().expect("the install is written");
    println!("{} files in {}", written.len(), folder.display());
}
