//! A glTF file is read or refused, and a scene that was read can be written and read again.
//!
//! Parts: the file, then what the files beside it hold, one after another in the order they are asked for.

use antiquary::scene::gltf::{read, write_glb};
use antiquary::scene::{Primitive, Scene};

use crate::part::split;

pub(crate) fn run(input: &[u8]) {
    let mut parts = split(input);
    let file = parts.next().unwrap_or_default();
    let Ok(found) = read(file, &mut |_| parts.next().map(<[u8]>::to_vec)) else { return };
    let Ok(glb) = write_glb(&found.scene) else { return };
    let again = read(&glb, &mut |_| None).expect("our own GLB can be read");
    assert_eq!(shown(&again.scene), shown(&found.scene), "meshes were lost");
}

/// How many meshes have triangles. glTF has no others, so an empty one is not written.
fn shown(scene: &Scene) -> usize {
    let has_triangles = |part: &Primitive| !part.positions.is_empty() && !part.indices.is_empty();
    scene.meshes.iter().filter(|mesh| mesh.primitives.iter().any(has_triangles)).count()
}
