//! The source field of each node or primitive, in its extras. Rooms that contain the model have the same extras; the key indicates
//! that the field belongs to the model.

use asset::ScenePart;
use json::Value;
use scene::Extras;

/// Key of the extras.
const FIELD: &str = "model_field";

/// Returns the extras for a node or primitive converted from the field at this path.
pub(crate) fn of_field(path: String) -> Extras {
    Extras::from_iter([(FIELD.to_owned(), Value::from(path))])
}

/// Returns the path of the source field of a part of a scene.
pub(crate) fn field_of(part: &ScenePart<'_>) -> Option<String> {
    part.text(FIELD).map(str::to_owned)
}
