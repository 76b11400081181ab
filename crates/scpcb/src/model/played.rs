//! Frame ranges of characters that the game plays, and their uses.
//!
//! Characters of the game have one long animation. Some files divide it into sequences, often with the artist's own names; the
//! ranges that the game plays are in its code.
//!
//! Source: the game's published code (version 1.3.11). If a range begins at an arbitrary current frame, its first frame is the
//! smallest one that it returns to.

use asset::Context;

/// The frame ranges of one character.
#[derive(Debug)]
pub(crate) struct PlayedRanges {
    /// File name in `GFX/npcs`, in lowercase.
    model: &'static str,
    /// Number of frames in the original file, if known. Mods have other characters under the same names.
    length: Option<i32>,
    ranges: &'static [PlayedRange],
}

/// A range of frames that is played.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct PlayedRange {
    pub(crate) first: i32,
    pub(crate) last: i32,
    /// Use of the range.
    pub(crate) name: &'static str,
}

/// Tolerance in frames between a sequence and a played range.
const TOLERANCE: i32 = 3;

const fn played(first: i32, last: i32, name: &'static str) -> PlayedRange {
    PlayedRange { first, last, name }
}

impl PlayedRange {
    /// Whether a sequence is this range, within the tolerance.
    pub(crate) fn matches(&self, first: i32, last: i32) -> bool {
        let is_near = |a: i32, b: i32| a.abs_diff(b) <= TOLERANCE.unsigned_abs();
        is_near(self.first, first) && is_near(self.last, last)
    }
}

impl PlayedRanges {
    /// Returns the ranges of the character with this model's name and folder.
    pub(crate) fn of(context: &Context<'_>) -> Option<&'static Self> {
        let (folder, name) = super::folder_and_name(context)?;
        // Names of characters are distinctive, so their files are recognized outside of the game, too.
        let is_character = folder.is_none_or(|folder| folder == "npcs");
        CHARACTERS.iter().find(|character| is_character && character.model == name)
    }

    /// Returns the ranges if the animation fits: as long as that of the original file, or at least long enough.
    pub(crate) fn in_animation(&self, last: i32) -> &'static [PlayedRange] {
        let fits = match self.length {
            Some(length) => length == last,
            None => self.ranges.iter().all(|range| range.last <= last),
        };
        if fits { self.ranges } else { &[] }
    }
}

const CHARACTERS: &[PlayedRanges] = &[
    PlayedRanges {
        model: "106_2.b3d",
        length: Some(494),
        ranges: &[
            played(105, 110, "attack"),
            played(110, 259, "rise"),
            played(284, 333, "walk"),
            played(334, 494, "idle"),
        ],
    },
    PlayedRanges {
        model: "scp096.b3d",
        length: None,
        ranges: &[
            played(2, 193, "attack"),
            played(193, 311, "get up"),
            played(312, 422, "stand up"),
            played(423, 471, "idle"),
            played(677, 736, "idle to rage"),
            played(737, 822, "rage"),
            played(823, 847, "rage to run"),
            played(737, 906, "start to run"),
            played(907, 935, "run"),
            played(936, 1263, "sit"),
            played(1369, 1382, "idle to walk"),
            played(1383, 1456, "walk"),
            played(1383, 1469, "walk to idle"),
        ],
    },
    PlayedRanges {
        model: "scp-049.b3d",
        length: Some(1120),
        ranges: &[
            played(37, 269, "look around"),
            played(269, 345, "idle"),
            played(358, 393, "walk"),
            played(428, 463, "chase"),
            played(463, 498, "chase to walk"),
            played(537, 660, "kill"),
            played(661, 891, "search 1"),
            played(892, 1119, "search 2"),
        ],
    },
    PlayedRanges {
        model: "zombie1.b3d",
        length: Some(1034),
        ranges: &[
            played(2, 65, "attack 1"),
            played(66, 132, "attack 2"),
            played(133, 157, "die"),
            played(155, 682, "stand up"),
            played(719, 777, "lie"),
            played(778, 926, "idle"),
            played(926, 935, "idle to walk"),
            played(936, 1017, "walk"),
        ],
    },
    PlayedRanges {
        model: "guard.b3d",
        length: Some(622),
        ranges: &[
            played(1, 38, "walk"),
            played(39, 76, "combat walk"),
            played(77, 201, "idle"),
            played(202, 244, "combat idle"),
            played(245, 248, "shoot"),
            played(302, 344, "aim"),
            played(345, 357, "idle to aim"),
        ],
    },
    PlayedRanges {
        model: "classd.b3d",
        length: None,
        ranges: &[played(210, 235, "idle"), played(236, 260, "walk"), played(301, 319, "run")],
    },
    PlayedRanges {
        model: "clerk.b3d",
        length: None,
        ranges: &[played(210, 235, "idle"), played(236, 260, "walk"), played(301, 319, "run")],
    },
    PlayedRanges {
        model: "bll.b3d",
        length: None,
        ranges: &[
            played(2, 74, "idle 1"),
            played(75, 124, "idle 2"),
            played(125, 194, "walk 1"),
            played(195, 264, "walk 2"),
        ],
    },
    PlayedRanges { model: "372.b3d", length: None, ranges: &[played(32, 113, "fly")] },
    PlayedRanges {
        model: "035tentacle.b3d",
        length: None,
        ranges: &[played(2, 32, "attack"), played(33, 174, "idle"), played(283, 389, "appear")],
    },
    PlayedRanges {
        model: "forestmonster.b3d",
        length: Some(570),
        ranges: &[
            played(2, 199, "idle 1"),
            played(200, 297, "idle 2"),
            played(298, 316, "run"),
            played(451, 493, "attack"),
            played(494, 569, "walk"),
        ],
    },
    PlayedRanges {
        model: "scp-939.b3d",
        length: Some(684),
        ranges: &[
            played(18, 68, "attack"),
            played(175, 297, "listen"),
            played(290, 405, "idle"),
            played(449, 464, "run"),
            played(464, 473, "attack to idle"),
            played(644, 683, "walk"),
        ],
    },
    PlayedRanges {
        model: "scp-066.b3d",
        length: None,
        ranges: &[
            played(2, 450, "turn"),
            played(451, 612, "idle"),
            played(636, 646, "idle to turn"),
            played(647, 683, "roll"),
        ],
    },
    PlayedRanges {
        model: "scp-966.b3d",
        length: None,
        ranges: &[
            played(2, 214, "idle"),
            played(214, 257, "echo"),
            played(257, 332, "stare 1"),
            played(332, 457, "stare 2"),
            played(458, 487, "attack 1"),
            played(488, 517, "attack 2"),
            played(518, 557, "attack 3"),
            played(556, 580, "idle to walk"),
            played(580, 628, "walk"),
            played(628, 652, "walk to idle"),
        ],
    },
    PlayedRanges {
        model: "1499-1.b3d",
        length: None,
        ranges: &[played(296, 320, "idle"), played(509, 533, "king idle 1"), played(534, 601, "king idle 2")],
    },
];

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn names_of_a_character_are_unique_and_ranges_are_ascending() {
        for character in CHARACTERS {
            let names: BTreeSet<_> = character.ranges.iter().map(|range| range.name).collect();
            assert_eq!(names.len(), character.ranges.len(), "{}", character.model);
            assert!(character.ranges.iter().all(|range| 0 <= range.first && range.first < range.last));
            assert!(character.length.is_none_or(|length| character.in_animation(length).len() > 1));
        }
    }

    #[test]
    fn ignores_an_animation_of_another_length() {
        let find = |name: &str| CHARACTERS.iter().find(|character| character.model == name).unwrap();
        assert!(find("guard.b3d").in_animation(621).is_empty());
        assert!(find("372.b3d").in_animation(112).is_empty());
        assert_eq!(find("372.b3d").in_animation(113), [played(32, 113, "fly")]);
    }
}
