//! Which field of a model each node or primitive was made of, in its extras. A room that shows the model has the same extras, so that the name says
//! whose field it is.

use asset::ScenePart;
use json::Value;
use scene::Extras;

/// The member of the extras.
const FIELD: &str = "model_field";

/// The extras of what was made of a field, given by its path.
pub(crate) fn of_field(path: String) -> Extras {
    Extras::from_iter([(FIELD.to_owned(), Value::from(path))])
}

/// The path of the field that a part of a model was made of.
pub(crate) fn field_of(part: &ScenePart<'_>) -> Option<String> {
    part.text(FIELD).map(str::to_owned)
}
