//! How models are converted to meshes.

use asset::{Context, Target};

use super::interpretation::Interpretation;
use super::material::DrawStyle;
use crate::axes::{AXES, Axes};

/// How models are converted to meshes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct MeshOptions {
    /// The scale factor, applied to meters.
    pub(crate) scale: f32,
    /// How its surfaces are drawn.
    pub(crate) style: DrawStyle,
    /// The target axes.
    pub(crate) axes: Axes,
    /// How ambiguous data is interpreted.
    pub(crate) interpretation: Interpretation,
    /// The bank that images are taken from in place of their own.
    pub(crate) bank: Option<u16>,
    /// Whether its extras hold what brings the model back byte for byte.
    pub(crate) is_restorable: bool,
    /// Whether only the first frame is shown.
    pub(crate) is_still: bool,
}

impl MeshOptions {
    /// As selected by the options.
    pub(crate) fn from_options(context: &Context<'_>, target: &Target<'_>) -> Self {
        Self {
            scale: target.factor(),
            style: DrawStyle::default(),
            axes: context.options.choice(&AXES),
            interpretation: Interpretation::from_options(context.options),
            bank: None,
            is_restorable: true,
            is_still: false,
        }
    }
}
