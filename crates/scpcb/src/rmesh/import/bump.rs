//! Features that conversions add for bump maps. A room itself has none; the game's table of materials assigns them.

use scene::gltf::Omission;
use scene::{Material, Primitive, Scene};

use super::slot::has_lost_extras;

/// Whether a material has a bump map in the table of materials, or may have one because its extras are lost.
fn is_bumpy(material: &Material) -> bool {
    let entry = material.extras.get("material");
    entry.and_then(|entry| entry.get("bump")).is_some_and(json::Value::is_string) || has_lost_extras(material)
}

/// Whether a primitive has normals and tangents only for a bump map.
pub(super) fn has_bumps(primitive: &Primitive, scene: &Scene) -> bool {
    primitive.material.and_then(|id| scene.materials.get(id.0)).is_some_and(is_bumpy)
}

/// Omitted features, without those that the table of materials restores.
pub(super) fn without_bump_maps<'a>(left_out: &'a Omission, scene: &Scene) -> Option<(&'a str, usize)> {
    let restored = match left_out.what.as_str() {
        "normal textures" => scene.materials.iter().filter(|material| is_bumpy(material)).count(),
        "attributes TANGENT" => {
            let primitives = scene.meshes.iter().flat_map(|mesh| &mesh.primitives);
            primitives.filter(|primitive| has_bumps(primitive, scene)).count()
        }
        _ => 0,
    };
    let count = left_out.count.saturating_sub(restored);
    (count > 0).then_some((left_out.what.as_str(), count))
}
