//! Reads one model or map of a game as values: meshes, materials, images, lights, animations, for an engine of your own.
//!
//! ```console
//! $ cargo run --example scene_values -- "SCP - Containment Breach" GFX/map/room2_opt.rmesh
//! ```
#![allow(clippy::print_stdout, reason = "a program that talks to people")]
#![allow(unreachable_pub, reason = "tests call it")]

use std::path::Path;

use antiquary::{Error, Game};

/// What the scene of a file consists of.
pub fn summary(game: &Path, file: &str) -> Result<String, Error> {
    let file = Game::open(game)?.file(file)?;
    let scene = file.scene()?;
    let primitives = scene.meshes.iter().flat_map(|mesh| &mesh.primitives);
    let vertices: usize = primitives.map(|primitive| primitive.positions.len()).sum();
    for warning in &file.warnings() {
        println!("{warning}");
    }
    Ok(format!(
        "{} meshes with {vertices} vertices, {} materials, {} images, {} lights, {} animations",
        scene.meshes.len(),
        scene.materials.len(),
        scene.images.len(),
        scene.lights.len(),
        scene.animations.len(),
    ))
}

#[allow(dead_code, reason = "tests call what it calls")]
fn main() -> Result<(), Error> {
    let mut arguments = std::env::args().skip(1);
    let (Some(game), Some(file)) = (arguments.next(), arguments.next()) else {
        return Err(Error::usage("name the folder of a game and a file in it"));
    };
    println!("{}", summary(game.as_ref(), &file)?);
    Ok(())
}
