//! Converts a room in memory to GLB. No file is read, so this works in a browser too.
//!
//! ```console
//! $ cargo run --example room_in_memory -- room.glb
//! ```
#![allow(clippy::print_stdout, reason = "prints its result")]
#![allow(unreachable_pub, reason = "tests call it")]

use antiquary::asset::MemorySink;
use antiquary::{Error, Game, Source, scpcb};

/// Converts one of the files; its textures and props are looked up among the others.
pub fn convert(files: Vec<(String, Vec<u8>)>, room: &str) -> Result<Vec<u8>, Error> {
    let game = Game::from_files(files.into_iter().map(|(name, bytes)| (name, Source::from(bytes))))?;
    let room = game.file(room)?;
    let glb = room.to_glb()?;
    for warning in &room.warnings() {
        println!("{warning}");
    }
    Ok(glb)
}

#[allow(dead_code, reason = "tests call what it calls")]
fn main() -> Result<(), Error> {
    let mut files = MemorySink::new();
    scpcb::sample::write(&mut files)?;
    let glb = convert(files.into_files(), "gfx/map/hall_opt.rmesh")?;
    println!("{} bytes of GLB", glb.len());
    if let Some(out) = std::env::args_os().nth(1) {
        std::fs::write(&out, glb)?;
    }
    Ok(())
}
