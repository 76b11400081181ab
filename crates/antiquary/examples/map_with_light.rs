//! Converts a Redguard map to GLB in memory, with the game's lighting baked into the vertex colors.
//!
//! ```console
//! $ cargo run --release --example map_with_light -- Redguard maps/ISLAND.RGM island.glb
//! ```
#![allow(clippy::print_stdout, reason = "prints its result")]
#![allow(unreachable_pub, reason = "tests call it")]

use std::path::Path;

use antiquary::redguard::lighting::Light;
use antiquary::redguard::world::{Layer, SceneOptions};
use antiquary::{Error, Game};

/// Converts a map to GLB. The compiler checks the names and values of the options.
pub fn glb(game: &Path, map: &str) -> Result<Vec<u8>, Error> {
    let options = SceneOptions::default().light(Light::Baked).with(&[Layer::Sky]);
    let map = Game::open(game)?.file(map)?.with_options(&options)?;
    let glb = map.to_glb()?;
    for warning in &map.warnings() {
        println!("{warning}");
    }
    Ok(glb)
}

#[allow(dead_code, reason = "tests call what it calls")]
fn main() -> Result<(), Error> {
    let mut arguments = std::env::args().skip(1);
    let (Some(game), Some(map), Some(out)) = (arguments.next(), arguments.next(), arguments.next()) else {
        return Err(Error::usage(
            "expected three arguments: the folder of the game, a map in it and an output file",
        ));
    };
    std::fs::write(out, glb(game.as_ref(), &map)?)?;
    Ok(())
}
