//! Random number generator shared by the entire game.

/// The state of the generator.
///
/// ```
/// use antiquary_soup::machine::Random;
///
/// let mut random = Random::default();
/// assert_eq!([random.draw(), random.draw(), random.draw()], [16838, 5758, 10113]);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Random {
    state: u32,
}

impl Default for Random {
    fn default() -> Self {
        Self::new(1)
    }
}

impl Random {
    /// Creates a generator with this state; the game starts with 1.
    #[must_use]
    pub const fn new(state: u32) -> Self {
        Self { state }
    }

    /// Returns the state.
    #[must_use]
    pub const fn state(&self) -> u32 {
        self.state
    }

    fn advance(&mut self) -> u32 {
        self.state = self.state.wrapping_mul(1_103_515_245).wrapping_add(12_345);
        self.state >> 16
    }

    /// Returns the next number, from 0 to 32767.
    pub fn draw(&mut self) -> u16 {
        let [low, high, ..] = (self.advance() & 0x7fff).to_le_bytes();
        u16::from_le_bytes([low, high])
    }

    /// Implements `QuickRnd`: returns the next number combined with a mask by bitwise AND.
    pub fn masked(&mut self, mask: i32) -> i32 {
        i32::from(self.draw()) & mask
    }

    /// Implements `Rnd`: returns a number below a bound. It takes the low bits of the next number that the bound requires, modulo the
    /// bound, so that small numbers are more frequent. Returns 0 for bounds of 0 and less.
    pub fn below(&mut self, bound: i32) -> i32 {
        let draw = i32::from(self.draw());
        let mask =
            (1..15).map(|bits| (1_i32 << bits).wrapping_sub(1)).find(|mask| *mask >= bound.wrapping_sub(1));
        let number = if bound > 16_384 { draw } else { mask.map_or(draw, |mask| draw & mask) };
        if bound <= 0 { 0 } else { number.checked_rem(bound).unwrap_or_default() }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn starts_with_state_1() {
        let mut random = Random::default();
        // 1103515245 + 12345 = 1103527590, and the upper half of it is 16838.
        assert_eq!((random.draw(), random.state()), (16_838, 1_103_527_590));
        assert_eq!(Random::default().masked(0xff), 16_838 & 0xff);
    }

    #[test]
    fn uses_the_smallest_mask_that_covers_a_bound() {
        // 16838 = 0x41C6.
        let below = |bound| Random::default().below(bound);
        // Masks 1, 3, 7, 7: 0, 2, 6 modulo 5, 6.
        assert_eq!([2, 3, 5, 8].map(below), [0, 2, 1, 6]);
        assert_eq!([16_384, 16_385, 20_000].map(below), [16_838 & 16_383, 16_838 % 16_385, 16_838]);
        assert_eq!([1, 0, -4].map(below), [0, 0, 0]);
    }

    proptest! {
        #[test]
        fn returns_numbers_below_the_bound(state in any::<u32>(), bound in 1_i32..100_000) {
            let number = Random::new(state).below(bound);
            prop_assert!((0..bound).contains(&number));
        }
    }
}
