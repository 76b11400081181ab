//! The file of a model in the extras of the mesh that was made from it, so that importers restore what nobody edited.
//!
//! `extras.model` of the mesh has `file`, [the embedded file](scene::embedded), and the options of the conversion that are not the default:
//! `scale` (meters are multiplied by it), `axes`, `delta_sign` and `uv`.

use std::borrow::Cow;

use asset::Choice;
use json::{Map, Value, json};
use scene::{Mesh, embedded};

use super::Model;
use super::interpretation::{DELTA_SIGN, Interpretation, UV};
use super::options::MeshOptions;
use crate::axes::{AXES, Axes};

/// The key in the extras of a mesh.
const NAME: &str = "model";

/// A model and how it became a mesh.
#[derive(Debug, Clone)]
pub(in crate::model) struct Original<'m> {
    /// The model; `None` if it could not be embedded.
    pub(in crate::model) model: Option<Cow<'m, Model>>,
    /// Meters were multiplied by this.
    pub(in crate::model) scale: f32,
    pub(in crate::model) axes: Axes,
    pub(in crate::model) interpretation: Interpretation,
}

/// Embeds a model in the mesh that it became.
pub(in crate::model) fn embed(model: &Model, options: MeshOptions, mesh: &mut Mesh) {
    let mut about = Map::new();
    if options.scale.to_bits() != 1_f32.to_bits() {
        about.insert("scale".to_owned(), json!(options.scale));
    }
    let Interpretation { delta_sign, later_corner_uvs } = options.interpretation;
    put(&mut about, "axes", &AXES, options.axes);
    put(&mut about, "delta_sign", &DELTA_SIGN, delta_sign);
    put(&mut about, "uv", &UV, later_corner_uvs);
    let bytes = model.write().ok();
    if let Some(text) = bytes.and_then(|bytes| embedded::encode(&bytes)) {
        about.insert("file".to_owned(), text.into());
    }
    mesh.extras.insert(NAME.to_owned(), about.into());
}

/// Adds the name of a choice that is not the default.
fn put<T: Copy + PartialEq + Default>(
    about: &mut Map<String, Value>,
    name: &str,
    choice: &Choice<T>,
    value: T,
) {
    if value != T::default()
        && let Some(text) = choice.word(value)
    {
        about.insert(name.to_owned(), text.into());
    }
}

impl Original<'_> {
    /// No model, in meters.
    pub(in crate::model) fn new(axes: Axes) -> Self {
        Self { model: None, scale: 1.0, axes, interpretation: Interpretation::default() }
    }

    /// The original in the extras of a mesh.
    pub(in crate::model) fn of(mesh: &Mesh) -> Option<Self> {
        let about = mesh.extras.get(NAME)?.as_object()?;
        let text = |name: &str| about.get(name).and_then(Value::as_str);
        let scale = about.get("scale").and_then(|scale| json::from_value(scale.clone()).ok());
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
