//! Lights. A node positions them; spot and directional lights shine along the node's -Z axis.

use crate::Extras;

/// A light (`KHR_lights_punctual`).
#[derive(Debug, Clone, PartialEq)]
pub struct Light {
    /// Name of the light.
    pub name: String,
    /// Directions in which the light shines.
    pub kind: LightKind,
    /// Linear red, green and blue within 0..1.
    pub color: [f32; 3],
    /// Candela for point and spot lights, lux for directional lights; not negative.
    pub intensity: f32,
    /// Distance in meters beyond which nothing is lit; greater than zero. `None` is unlimited. Directional lights have
    /// no range.
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

/// The kind of a light.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum LightKind {
    /// Shines in all directions.
    #[default]
    Point,
    /// Shines in a cone. Half-angles in radians: `0 <= inner_cone < outer_cone <= π/2`.
    Spot {
        /// Half-angle within which the light has full intensity.
        inner_cone: f32,
        /// Half-angle beyond which there is no light.
        outer_cone: f32,
    },
    /// Shines everywhere from one direction, like the sun.
    Directional,
}
