//! From the game's axes to glTF's, the one place where they change.
//!
//! The game counts X to the right, Y down and Z forward. glTF has Y up, so X and Y are negated, which turns the world and does not mirror it:
//! the corners of a face keep their order. Twenty world units make a metre, as in other programs that export the game's models.

/// World units to the metre.
pub const UNITS_PER_METRE: f32 = 20.0;

/// A place in metres.
#[must_use]
pub fn position([x, y, z]: [f32; 3]) -> [f32; 3] {
    [-x / UNITS_PER_METRE, -y / UNITS_PER_METRE, z / UNITS_PER_METRE]
}

/// A direction, as long as it was.
#[must_use]
pub const fn direction([x, y, z]: [f32; 3]) -> [f32; 3] {
    [-x, -y, z]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_world_is_turned_and_not_mirrored() {
        let [x, y, z] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]].map(direction);
        let cross = |a: [f32; 3], b: [f32; 3]| {
            [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
        };
        assert_eq!(cross(x, y), z);
        assert_eq!(position([20.0, -40.0, 5.0]), [-1.0, 2.0, 0.25]);
    }
}
