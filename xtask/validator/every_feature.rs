//! Writes a scene that uses every feature into a folder, as GLB and as glTF, for validators.

use std::error::Error;
use std::fs;
use std::path::PathBuf;

use scene::gltf::{write_glb, write_gltf};
use scene::sample::every_feature;

fn main() -> Result<(), Box<dyn Error>> {
    let folder = PathBuf::from(std::env::args_os().nth(1).ok_or("usage: every_feature FOLDER")?);
    fs::create_dir_all(&folder)?;
    let scene = every_feature();
    fs::write(folder.join("every_feature.glb"), write_glb(&scene)?)?;
    for (name, bytes) in write_gltf(&scene, "every_feature")? {
        fs::write(folder.join(name), bytes)?;
    }
    Ok(())
}
