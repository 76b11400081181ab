//! Which field each part of a scene was made of, written into its extras: what the page needs to link the picture and the fields.

use antiquary::Asset;
use antiquary::asset::ScenePart;
use antiquary::json::{Map, Value};
use antiquary::scene::Scene;

/// The member of the extras.
const FIELD: &str = "field";

/// Says in the extras of nodes and primitives from which field they came, where that is known.
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
