//! Options for converting models to meshes.

use asset::{Context, Target};

use super::interpretation::Interpretation;
use super::material::DrawStyle;
use crate::axes::{AXES, Axes};

/// Options for converting models to meshes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct MeshOptions {
    /// Scale factor, applied to meters.
    pub(crate) scale: f32,
    /// Drawing style of surfaces.
    pub(crate) style: DrawStyle,
    /// Target axes.
    pub(crate) axes: Axes,
    /// Interpretation of ambiguous data.
    pub(crate) interpretation: Interpretation,
    /// Bank that replaces the banks named by faces.
    pub(crate) bank: Option<u16>,
    /// Whether to store the data in the extras that restores the model byte for byte.
    pub(crate) is_restorable: bool,
    /// Whether to show only the first frame.
    pub(crate) is_still: bool,
}

impl MeshOptions {
    /// Returns the settings selected by the options.
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
