//! The single random number stream shared by the entire game. \[E=\]

use super::rotation::Angle2048;

pub use soup::machine::Random;

/// Draws the direction in which a sky moves: eleven bits of one draw. \[E\]
pub fn sky_direction(random: &mut Random) -> Angle2048 {
    Angle2048::new(random.draw().into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sky_direction_uses_one_draw() {
        let mut random = Random::default();
        assert_eq!(sky_direction(&mut random).get(), 16_838 & 2047);
        assert_eq!(random.draw(), 5758);
    }
}
