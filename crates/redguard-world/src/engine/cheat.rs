//! The effects of cheats on their values when they are typed, and on the game.

use redguard_files::settings::cht::{Activation, CHEATS, Cheat};

/// Returns the cheat with this name (case-insensitive).
#[must_use]
pub fn named(name: &str) -> Option<&'static Cheat> {
    CHEATS.iter().find(|cheat| cheat.name.eq_ignore_ascii_case(name))
}

/// Returns the value of a cheat after its name was typed in the game: 1 if it was 0, otherwise 0. \[E\]
#[must_use]
pub const fn typed_in_game(value: u32) -> u32 {
    if value == 0 { 1 } else { 0 }
}

/// Returns the value of a cheat after its name was entered in the console: the lowest bit of the value plus 1. \[E\]
#[must_use]
pub const fn entered_in_console(value: u32) -> u32 {
    value.wrapping_add(1) & 1
}

/// Whether a cheat with this value has an effect. \[E\]
#[must_use]
pub fn is_effective(cheat: &Cheat, value: u32) -> bool {
    match cheat.activation {
        Activation::NotZero => value != 0,
        Activation::One => value == 1,
        Activation::Never => false,
    }
}

/// The distance to the player that scripts receive with `neversaydie`. \[E\]
pub const NEVERSAYDIE_DISTANCE: i32 = 9_999_999;

/// The value at which `goldfinger` keeps the torch. \[E\]
pub const GOLDFINGER_TORCH: i32 = 100;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn typing_and_entering_differ_for_values_above_1() {
        assert_eq!([0, 1, 2, 3].map(typed_in_game), [1, 0, 0, 0]);
        assert_eq!([0, 1, 2, 3].map(entered_in_console), [1, 0, 1, 0]);
        assert_eq!(entered_in_console(u32::MAX), 0);
    }

    #[test]
    fn some_cheats_require_the_value_1() {
        let with_2: Vec<&str> =
            CHEATS.iter().filter(|cheat| is_effective(cheat, 2)).map(|cheat| cheat.name).collect();
        for name in ["moonraker", "drevil", "drno", "goldfinger", "neversaydie", "yeahbaby"] {
            assert!(with_2.contains(&name), "{name}");
        }
        for name in ["nodemarker", "task", "magiccarpet"] {
            assert!(!with_2.contains(&name) && is_effective(named(name).unwrap(), 1), "{name}");
        }
        assert!(!is_effective(named("OddJob").unwrap(), 1) && named("goldeneye").is_none());
    }
}
