//! Combat: the damage of a hit, and the burning time of torches.

/// Returns the damage of a hit, from the damage of the attack, the strength of the attacker and the armor of the target, the latter two in
/// percent. \[E\]
#[must_use]
pub fn damage(damage: i32, strength: i32, armor: i32) -> i32 {
    let scaled = strength.wrapping_add(100).wrapping_mul(damage) / 100;
    scaled.wrapping_sub(scaled.wrapping_mul(armor) / 100)
}

/// Returns the initial burning time of a torch: 1.5 times `torch_time` of ITEM.INI, rounded half to even, at most 255. \[E\]
#[must_use]
pub fn torch_time(torch_time: u8) -> u8 {
    let number = crate::number::nearest_even(f32::from(torch_time) * 1.5);
    u8::try_from(number).unwrap_or(u8::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn armor_reduces_damage_after_strength_is_added() {
        // 20 * 150 / 100 = 30, minus 30% (9).
        assert_eq!((damage(20, 50, 30), damage(7, 0, 0), damage(10, 0, 100)), (21, 7, 0));
        // 33 * 7 / 100 = 2.3.
        assert_eq!(damage(33, 0, 7), 31);
    }

    #[test]
    fn torches_burn_one_and_a_half_times_their_setting() {
        assert_eq!([0, 1, 3, 100, 200].map(torch_time), [0, 2, 4, 150, 255]);
    }
}
