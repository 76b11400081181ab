//! A glTF file is read or refused, and a scene that was read can be written and read again.
//!
//! Parts: the file, then the contents of the files that it refers to, in the order of the requests.

use antiquary::scene::gltf::{read, write_glb};
use antiquary::scene::{Primitive, Scene};

use crate::part::split;

pub(crate) fn run(input: &[u8]) {
    let mut parts = split(input);
    let file = parts.next().unwrap_or_default();
    let Ok(found) = read(file, &mut |_| parts.next().map(<[u8]>::to_vec)) else { return };
    let Ok(glb) = write_glb(&found.scene) else { return };
    let again = read(&glb, &mut |_| None).expect("the written GLB can be read");
    assert_eq!(shown(&again.scene), shown(&found.scene), "meshes were lost");
}

/// The number of meshes with triangles. Empty meshes are not written to glTF.
fn shown(scene: &Scene) -> usize {
    let has_triangles = |part: &Primitive| !part.positions.is_empty() && !part.indices.is_empty();
    scene.meshes.iter().filter(|mesh| mesh.primitives.iter().any(has_triangles)).count()
}
