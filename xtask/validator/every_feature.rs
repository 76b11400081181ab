//! Writes the scene that uses everything a scene can hold, as GLB and as glTF, into a folder: for validators.

use std::error::Error;
use std::fs;
use std::path::PathBuf;

use scene::gltf::{write_glb, write_gltf};
use scene::sample::every_feature;

fn main() -> Result<(), Box<dyn Error>> {
    let folder = PathBuf::from(std::env::args_os().nth(1).ok_or("give it a folder")?);
    fs::create_dir_all(&folder)?;
    let scene = every_feature();
    fs::write(folder.join("every_feature.glb"), write_glb(&scene)?)?;
    for (name, bytes) in write_gltf(&scene, "every_feature")? {
        fs::write(folder.join(name), bytes)?;
    }
    Ok(())
}
