//! Changes one field of a room and writes the room. Nothing else in it changes.
//!
//! ```console
//! $ cargo run --example change_field -- room.rmesh new_room.rmesh
//! ```
#![allow(clippy::print_stdout, reason = "prints its result")]
#![allow(unreachable_pub, reason = "tests call it")]

use antiquary::scpcb::rmesh::RMesh;
use antiquary::{Error, Opened};

/// Returns the bytes of the room with another texture on its first textured surface.
pub fn change_texture(file: &Opened, texture: &str) -> Result<Vec<u8>, Error> {
    let mut room = file.typed::<RMesh>().cloned().ok_or_else(|| Error::usage("the file is not a room"))?;
    let names = room.surfaces.iter_mut().filter_map(|surface| surface.texture.name.as_mut());
    let first = names.into_iter().next().ok_or_else(|| Error::usage("the room has no textures"))?;
    *first = texture.into();
    room.write()
}

#[allow(dead_code, reason = "tests call what it calls")]
fn main() -> Result<(), Error> {
    let mut arguments = std::env::args_os().skip(1);
    let (Some(from), Some(to)) = (arguments.next(), arguments.next()) else {
        return Err(Error::usage("expected two arguments: a room and an output file"));
    };
    let bytes = change_texture(&antiquary::open(&from)?, "new.png")?;
    std::fs::write(&to, &bytes)?;
    println!("{} bytes", bytes.len());
    Ok(())
}
