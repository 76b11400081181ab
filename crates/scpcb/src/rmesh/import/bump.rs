//! What conversions add for bump maps: a room names none, its game's table of materials does.

use scene::gltf::Omission;
use scene::{Material, Primitive, Scene};

use super::slot::has_lost_extras;

/// Whether a material has a bump map by the table of materials, or may have one as it no longer says anything of the table.
fn is_bumpy(material: &Material) -> bool {
    let entry = material.extras.get("material");
    entry.and_then(|entry| entry.get("bump")).is_some_and(json::Value::is_string) || has_lost_extras(material)
}

/// Whether a primitive has normals and tangents for a bump map only.
pub(super) fn has_bumps(primitive: &Primitive, scene: &Scene) -> bool {
    primitive.material.and_then(|id| scene.materials.get(id.0)).is_some_and(is_bumpy)
}

/// What was left out, less what comes back from the table of materials.
pub(super) fn not_ours<'a>(left_out: &'a Omission, scene: &Scene) -> Option<(&'a str, usize)> {
    let ours = match left_out.what.as_str() {
        "normal textures" => scene.materials.iter().filter(|material| is_bumpy(material)).count(),
        "attributes TANGENT" => {
            let primitives = scene.meshes.iter().flat_map(|mesh| &mesh.primitives);
            primitives.filter(|primitive| has_bumps(primitive, scene)).count()
        }
        _ => 0,
    };
    let count = left_out.count.saturating_sub(ours);
    (count > 0).then_some((left_out.what.as_str(), count))
}
