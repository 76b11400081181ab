//! From the game's axes to glTF's, the one place where they change.
//!
//! The game counts X to the right, Y down and Z forward, which is right-handed. glTF has Y up, so X and Y are negated, which turns the world
//! and does not mirror it: the corners of a face keep their order. Twenty world units make a metre, as in other programs that export the
//! game's models.

use asset::Choice;

/// World units to the metre.
pub const UNITS_PER_METRE: f32 = 20.0;

/// `--axes`.
pub(crate) const AXES: Choice<Axes> = Choice::new(
    "axes",
    "How the game's axes (X right, Y down, Z forward) are turned. None of these mirrors.",
    &[
        ("rgpre", "X and Y negated: Y up, Z as in the file, as redguard-preservation writes it"),
        ("yflip", "Y and Z negated: Y up, X as in the file"),
        ("raw", "as in the file, Y down"),
    ],
    &[Axes::Forward, Axes::Right, Axes::Raw],
);

/// How the game's axes become those of a scene. All of these turn the world; none mirrors it.
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
    /// Those of a name.
    pub(crate) fn of_name(name: &str) -> Option<Self> {
        [Self::Forward, Self::Right, Self::Raw].into_iter().find(|axes| axes.name() == name)
    }

    /// What they are called in `--axes`.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Forward => "rgpre",
            Self::Right => "yflip",
            Self::Raw => "raw",
        }
    }

    /// A place in metres.
    #[must_use]
    pub fn position(self, place: [f32; 3]) -> [f32; 3] {
        self.direction(place).map(|number| number / UNITS_PER_METRE)
    }

    /// A place in world units out of one in metres.
    #[must_use]
    pub fn game_position(self, [x, y, z]: [f64; 3]) -> [f64; 3] {
        let turned = match self {
            Self::Forward => [-x, -y, z],
            Self::Right => [x, -y, -z],
            Self::Raw => [x, y, z],
        };
        turned.map(|number| number * f64::from(UNITS_PER_METRE))
    }

    /// A direction, as long as it was; the same way back.
    #[must_use]
    pub const fn direction(self, [x, y, z]: [f32; 3]) -> [f32; 3] {
        match self {
            Self::Forward => [-x, -y, z],
            Self::Right => [x, -y, -z],
            Self::Raw => [x, y, z],
        }
    }
}

/// A place in metres, with the usual axes.
#[must_use]
pub fn position(place: [f32; 3]) -> [f32; 3] {
    Axes::Forward.position(place)
}

/// A direction with the usual axes, as long as it was.
#[must_use]
pub const fn direction(direction: [f32; 3]) -> [f32; 3] {
    Axes::Forward.direction(direction)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_world_is_turned_and_not_mirrored() {
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
