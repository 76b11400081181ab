//! Lights. A node places them; spots and directional lights shine along the node's -Z.

use crate::Extras;

/// A light (`KHR_lights_punctual`).
#[derive(Debug, Clone, PartialEq)]
pub struct Light {
    /// What the light is called.
    pub name: String,
    /// Which way it shines.
    pub kind: LightKind,
    /// Linear red, green, blue, within 0..1.
    pub color: [f32; 3],
    /// Candela for points and spots, lux for directional lights; not negative.
    pub intensity: f32,
    /// Metres after which nothing is lit; more than zero. `None` has no end. Directional lights have none.
    pub range: Option<f32>,
    /// Written as `extras`.
    pub extras: Extras,
}

impl Default for Light {
    fn default() -> Self {
        Self {
            name: String::new(),
            kind: LightKind::Point,
            color: [1.0; 3],
            intensity: 1.0,
            range: None,
            extras: Extras::new(),
        }
    }
}

/// Which way a light shines.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum LightKind {
    /// All around.
    #[default]
    Point,
    /// A cone. Half-angles in radians: `0 <= inner_cone < outer_cone <= π/2`.
    Spot {
        /// Full light within.
        inner_cone: f32,
        /// No light beyond.
        outer_cone: f32,
    },
    /// Everywhere from one side, like the sun.
    Directional,
}
