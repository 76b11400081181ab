//! Conversion from the game's axes to glTF's.
//!
//! In the game, X points right, Y down and Z forward, which is right-handed. glTF has Y up, so X and Y are negated. This rotates the world
//! without mirroring it, so the winding order of faces is preserved. Twenty world units are one meter, as in other programs that export the
//! game's models.

use asset::Choice;

/// World units per meter.
pub const UNITS_PER_METER: f32 = 20.0;

/// `--axes`.
pub(crate) const AXES: Choice<Axes> = Choice::new(
    "axes",
    "Rotation of the game's axes (X right, Y down, Z forward). No value mirrors the scene.",
    &[
        ("rgpre", "negate X and Y: Y up, Z unchanged, as in redguard-preservation"),
        ("yflip", "negate Y and Z: Y up, X unchanged"),
        ("raw", "unchanged, Y down"),
    ],
    &[Axes::Forward, Axes::Right, Axes::Raw],
);

/// The mapping from the game's axes to those of a scene. All of these are rotations; none mirrors.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Axes {
    /// (-x, -y, z): Y up, the game's forward is glTF's backward.
    #[default]
    Forward,
    /// (x, -y, -z): Y up, the game's right is glTF's right.
    Right,
    /// (x, y, z): Y down.
    Raw,
}

impl Axes {
    /// Converts a position to meters.
    #[must_use]
    pub fn position(self, position: [f32; 3]) -> [f32; 3] {
        self.direction(position).map(|number| number / UNITS_PER_METER)
    }

    /// Converts a position in meters to world units.
    #[must_use]
    pub fn game_position(self, [x, y, z]: [f64; 3]) -> [f64; 3] {
        let rotated = match self {
            Self::Forward => [-x, -y, z],
            Self::Right => [x, -y, -z],
            Self::Raw => [x, y, z],
        };
        rotated.map(|number| number * f64::from(UNITS_PER_METER))
    }

    /// Converts a direction without changing its length. The conversion is its own inverse.
    #[must_use]
    pub const fn direction(self, [x, y, z]: [f32; 3]) -> [f32; 3] {
        match self {
            Self::Forward => [-x, -y, z],
            Self::Right => [x, -y, -z],
            Self::Raw => [x, y, z],
        }
    }
}

/// The Z of the first row of terrain in world units: the origin of map scenes.
pub const MAP_ORIGIN_Z: i32 = 65_536;

/// Converts a position on a map to meters with the default axes, relative to the corner of its terrain.
#[must_use]
pub fn map_position([x, y, z]: [f64; 3]) -> [f64; 3] {
    let units = f64::from(UNITS_PER_METER);
    // Avoid -0.
    [-x / units + 0.0, -y / units + 0.0, (z - f64::from(MAP_ORIGIN_Z)) / units]
}

/// Converts a position to meters with the default axes.
#[must_use]
pub fn position(position: [f32; 3]) -> [f32; 3] {
    Axes::Forward.position(position)
}

/// Converts a direction with the default axes without changing its length.
#[must_use]
pub const fn direction(direction: [f32; 3]) -> [f32; 3] {
    Axes::Forward.direction(direction)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axes_rotate_and_do_not_mirror() {
        for axes in [Axes::Forward, Axes::Right, Axes::Raw] {
            let [x, y, z] =
                [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]].map(|one| axes.direction(one));
            let cross = |a: [f32; 3], b: [f32; 3]| {
                [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
            };
            assert_eq!(cross(x, y), z, "{axes:?}");
        }
        assert_eq!(position([20.0, -40.0, 5.0]), [-1.0, 2.0, 0.25]);
        assert_eq!(Axes::Right.position([20.0, -40.0, 5.0]), [1.0, 2.0, -0.25]);
        assert_eq!(Axes::Right.game_position([1.0, 2.0, -0.25]), [20.0, -40.0, 5.0]);
        assert_eq!(Axes::Forward.game_position([-1.0, 2.0, 0.25]), [20.0, -40.0, 5.0]);
    }
}
