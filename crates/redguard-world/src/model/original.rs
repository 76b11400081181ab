//! The file of a model in the extras of the mesh created from it, so that importers can restore unedited data.
//!
//! `extras.model` of the mesh contains `file`, [the embedded file](scene::embedded), and the non-default options of the conversion: `scale`
//! (a factor applied to meters), `axes`, `delta_sign` and `uv`.

use std::borrow::Cow;

use asset::Choice;
use json::{Map, Value, json};
use scene::{Mesh, embedded};

use super::Model;
use super::interpretation::{DELTA_SIGN, Interpretation, UV};
use super::options::MeshOptions;
use crate::axes::{AXES, Axes};

/// Key in the extras of a mesh.
const NAME: &str = "model";

/// A model and the settings it was converted with.
#[derive(Debug, Clone)]
pub(in crate::model) struct Original<'m> {
    /// The model; `None` if it could not be embedded.
    pub(in crate::model) model: Option<Cow<'m, Model>>,
    /// Factor that was applied to meters.
    pub(in crate::model) scale: f32,
    pub(in crate::model) axes: Axes,
    pub(in crate::model) interpretation: Interpretation,
}

/// Embeds a model in the mesh created from it.
pub(in crate::model) fn embed(model: &Model, options: MeshOptions, mesh: &mut Mesh) {
    let mut extras = Map::new();
    if options.scale.to_bits() != 1_f32.to_bits() {
        extras.insert("scale".to_owned(), json!(options.scale));
    }
    let Interpretation { delta_sign, later_corner_uvs } = options.interpretation;
    insert_choice(&mut extras, "axes", &AXES, options.axes);
    insert_choice(&mut extras, "delta_sign", &DELTA_SIGN, delta_sign);
    insert_choice(&mut extras, "uv", &UV, later_corner_uvs);
    let bytes = model.write().ok();
    if let Some(text) = bytes.and_then(|bytes| embedded::encode(&bytes)) {
        extras.insert("file".to_owned(), text.into());
    }
    mesh.extras.insert(NAME.to_owned(), extras.into());
}

/// Inserts the name of a choice if it is not the default.
fn insert_choice<T: Copy + PartialEq + Default>(
    extras: &mut Map<String, Value>,
    name: &str,
    choice: &Choice<T>,
    value: T,
) {
    if value != T::default()
        && let Some(text) = choice.word(value)
    {
        extras.insert(name.to_owned(), text.into());
    }
}

impl Original<'_> {
    /// Creates an original without a model, in meters.
    pub(in crate::model) fn new(axes: Axes) -> Self {
        Self { model: None, scale: 1.0, axes, interpretation: Interpretation::default() }
    }

    /// Reads the original from the extras of a mesh.
    pub(in crate::model) fn of(mesh: &Mesh) -> Option<Self> {
        let extras = mesh.extras.get(NAME)?.as_object()?;
        let text = |name: &str| extras.get(name).and_then(Value::as_str);
        let scale = extras.get("scale").and_then(|scale| json::from_value(scale.clone()).ok());
        let bytes = text("file").and_then(embedded::decode);
        Some(Self {
            model: bytes.and_then(|bytes| Model::read(&bytes).ok()).map(Cow::Owned),
            scale: scale.filter(|scale: &f32| scale.is_normal() && *scale > 0.0).unwrap_or(1.0),
            axes: AXES.meaning(text("axes").unwrap_or_default()),
            interpretation: Interpretation {
                delta_sign: DELTA_SIGN.meaning(text("delta_sign").unwrap_or_default()),
                later_corner_uvs: UV.meaning(text("uv").unwrap_or_default()),
            },
        })
    }
}
