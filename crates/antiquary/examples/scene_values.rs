//! Reads one model or map of a game as values for a custom engine: meshes, materials, images, lights, animations.
//!
//! ```console
//! $ cargo run --example scene_values -- "SCP - Containment Breach" GFX/map/room2_opt.rmesh
//! ```
#![allow(clippy::print_stdout, reason = "prints its result")]
#![allow(unreachable_pub, reason = "tests call it")]

use std::path::Path;

use antiquary::{Error, Game};

/// Summarizes the scene of a file.
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
        return Err(Error::usage("expected two arguments: the folder of a game and a file in it"));
    };
    println!("{}", summary(game.as_ref(), &file)?);
    Ok(())
}
