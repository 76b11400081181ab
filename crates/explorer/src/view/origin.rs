//! Adds the field of origin to the extras of each part of a scene, so that the page can link the scene to the fields.

use antiquary::Asset;
use antiquary::asset::ScenePart;
use antiquary::json::{Map, Value};
use antiquary::scene::Scene;

/// Name of the member in the extras.
const FIELD: &str = "field";

/// Adds the field of origin to the extras of nodes and primitives, if known.
pub(super) fn add(scene: &mut Scene, asset: &dyn Asset) {
    for node in &mut scene.nodes {
        let packed = node.packed_extras.as_ref().and_then(|packed| antiquary::json::to_value(packed).ok());
        let mut extras = match packed {
            Some(Value::Object(extras)) => extras,
            _ => node.extras.clone(),
        };
        if let Some(field) = asset.origin(ScenePart { name: &node.name, extras: &extras }) {
            add_field(&mut extras, field);
            (node.extras, node.packed_extras) = (extras, None);
        }
    }
    for mesh in &mut scene.meshes {
        let name = &mesh.name;
        for primitive in &mut mesh.primitives {
            if let Some(field) = asset.origin(ScenePart { name, extras: &primitive.extras }) {
                add_field(&mut primitive.extras, field);
            }
        }
    }
}

fn add_field(extras: &mut Map<String, Value>, field: String) {
    extras.insert(FIELD.to_owned(), Value::from(field));
}
