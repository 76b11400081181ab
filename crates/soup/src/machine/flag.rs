//! Global flags of a game.

use super::declarations::Declarations;
use crate::definitions::FlagKind;

/// A global flag.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Flag {
    /// The value that scripts read and assign.
    pub value: i32,
    /// Whether the flag was set: the result of `TestGlobalFlag`.
    pub is_latched: bool,
    /// The effect of setting it.
    pub kind: FlagKind,
    /// The value in a new game.
    pub default: i32,
}

impl Flag {
    /// Implements `SetGlobalFlag`. The source does not specify whether a flag that toggles every time is latched; here it is.
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

    /// Implements `ResetGlobalFlag`, which keeps the value.
    pub const fn reset(&mut self) {
        self.is_latched = false;
    }

    /// Returns whether it has its state of a new game.
    #[must_use]
    pub const fn is_at_start(&self) -> bool {
        self.value == self.default && !self.is_latched
    }
}

/// Returns the flags of a new game.
pub(super) fn initial_flags(declarations: &Declarations) -> Vec<Flag> {
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
    fn sets_each_kind_of_flag() {
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
    fn sets_a_flag_again_after_a_reset() {
        let mut flag = flag(FlagKind::Bool, 0);
        flag.set();
        flag.reset();
        assert_eq!((flag.value, flag.is_latched, flag.is_at_start()), (1, false, false));
        flag.set();
        assert_eq!(flag.value, 0);
    }
}
