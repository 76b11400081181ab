//! Converts a room that stands in memory to GLB. No file is read: so it works in a browser too.
//!
//! ```console
//! $ cargo run --example room_in_memory -- room.glb
//! ```
#![allow(clippy::print_stdout, reason = "a program that talks to people")]
#![allow(unreachable_pub, reason = "tests call it")]

use std::sync::Arc;

use antiquary::asset::MemorySink;
use antiquary::asset::layer::MemoryLayer;
use antiquary::{Error, Inputs, Install, Job, Source, scpcb};

/// A room with its textures, all of them bytes under names: here those of the sample game.
fn files() -> Result<Vec<(String, Vec<u8>)>, Error> {
    let mut files = MemorySink::new();
    scpcb::sample::write(&mut files)?;
    Ok(files.into_files())
}

/// Converts one of the files; the others are where its textures and props are found.
pub fn convert(files: Vec<(String, Vec<u8>)>, room: &str) -> Result<Vec<u8>, Error> {
    let files = files.into_iter().map(|(name, bytes)| (name, Source::from(bytes)));
    let install = Arc::new(Install::new(vec![Arc::new(MemoryLayer::new("memory", files)?)]));
    let inputs = Inputs::of_install(&install, room)?;
    let job = Job { install: Some(install), ..Job::default() };
    let (outcome, outputs) = job.convert_to_memory(&inputs, Some("glb"))?;
    for warning in &outcome.warnings {
        println!("{warning}");
    }
    if let Some(failure) = outcome.error {
        return Err(Error::malformed(failure.message));
    }
    let (_, glb) = outputs.into_files().into_iter().next().ok_or_else(|| Error::malformed("no output"))?;
    Ok(glb)
}

#[allow(dead_code, reason = "tests call what it calls")]
fn main() -> Result<(), Error> {
    let glb = convert(files()?, "gfx/map/hall_opt.rmesh")?;
    println!("{} bytes of GLB", glb.len());
    if let Some(out) = std::env::args_os().nth(1) {
        std::fs::write(&out, glb)?;
    }
    Ok(())
}
