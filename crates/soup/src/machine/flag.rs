//! The global flags of a game.

use super::declarations::Declarations;
use crate::definitions::FlagKind;

/// A global flag.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Flag {
    /// What scripts read and assign.
    pub value: i32,
    /// Whether it was set: what `TestGlobalFlag` tells.
    pub is_latched: bool,
    /// What setting it does.
    pub kind: FlagKind,
    /// Its value in a new game.
    pub default: i32,
}

impl Flag {
    /// `SetGlobalFlag`. Whether a flag that toggles each time is latched is not stated; here it is.
    pub fn set(&mut self) {
        let toggled = i32::from(self.value == 0);
        match self.kind {
            FlagKind::Bool if self.is_latched => return,
            FlagKind::Bool | FlagKind::FlipFlop => self.value = toggled,
            FlagKind::Counter if self.value == 0 => return,
            FlagKind::Counter => self.value = self.value.wrapping_sub(1),
            FlagKind::Number => {}
        }
        self.is_latched = true;
    }

    /// `ResetGlobalFlag`: the value stays.
    pub const fn reset(&mut self) {
        self.is_latched = false;
    }

    /// Whether it is as in a new game.
    #[must_use]
    pub const fn is_at_start(&self) -> bool {
        self.value == self.default && !self.is_latched
    }
}

/// The flags of a new game.
pub(super) fn of_new_game(declarations: &Declarations) -> Vec<Flag> {
    let flags = declarations.definitions.flags.iter().map(|it| {
        let default = i32::try_from(it.default).unwrap_or_default();
        Flag { value: default, is_latched: false, kind: it.kind, default }
    });
    flags.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn flag(kind: FlagKind, value: i32) -> Flag {
        Flag { value, is_latched: false, kind, default: value }
    }

    #[test]
    fn each_kind_of_flag_is_set_in_its_own_way() {
        let set_twice = |kind, value| {
            let mut flag = flag(kind, value);
            [(); 2].map(|()| {
                flag.set();
                (flag.value, flag.is_latched)
            })
        };
        assert_eq!(set_twice(FlagKind::Bool, 0), [(1, true), (1, true)]);
        assert_eq!(set_twice(FlagKind::FlipFlop, 5), [(0, true), (1, true)]);
        assert_eq!(set_twice(FlagKind::Counter, 1), [(0, true), (0, true)]);
        assert_eq!(set_twice(FlagKind::Counter, 0), [(0, false), (0, false)]);
        assert_eq!(set_twice(FlagKind::Number, 7), [(7, true), (7, true)]);
    }

    #[test]
    fn a_reset_flag_can_be_set_again() {
        let mut flag = flag(FlagKind::Bool, 0);
        flag.set();
        flag.reset();
        assert_eq!((flag.value, flag.is_latched, flag.is_at_start()), (1, false, false));
        flag.set();
        assert_eq!(flag.value, 0);
    }
}
