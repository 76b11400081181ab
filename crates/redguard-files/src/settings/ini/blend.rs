//! Where on a square its image counts: the game asks it for what an actor stands on, where one ground runs into another.

/// How far into a square its image counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Blend {
    /// Nowhere in particular: the image has no mask.
    None,
    /// Everywhere.
    Full,
    /// Beyond a slanted line, with a soft edge: the pattern of the game, moved by so many places along both axes.
    Pattern(u8),
    /// From one side to the other, softly.
    Gradient,
    /// Beyond a line near one side.
    HardEdge,
}

/// Places along a side of a square; each is two world units.
const SIDE: u8 = 128;

impl Blend {
    /// That of an image of bank 302.
    #[must_use]
    pub const fn of_image(image: u8) -> Self {
        match image {
            0 => Self::Full,
            5 => Self::Pattern(109),
            7 => Self::Pattern(32),
            30 => Self::Pattern(128),
            32 => Self::Pattern(64),
            6 | 52 => Self::Gradient,
            31 => Self::HardEdge,
            _ => Self::None,
        }
    }

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Full => "full",
            Self::Pattern(_) => "custom_pattern",
            Self::Gradient => "gradient",
            Self::HardEdge => "hard_edge",
        }
    }

    /// How much the image counts at a place of a square, from 0 to 255: at `u` of 128 places from west to east, `v` of 128 from north to south, with
    /// the image turned so many times by a quarter.
    ///
    /// What is known of the game does not say which side gradients and edges begin at; here it is the western one of an image that is not turned.
    #[must_use]
    pub fn at(self, u: u8, v: u8, turns: u8) -> u8 {
        let last = SIDE - 1;
        let (u, v) = (u.min(last), v.min(last));
        let (across, down) = match turns & 3 {
            0 => (u, v),
            1 => (v.abs_diff(last), u),
            2 => (u.abs_diff(last), v.abs_diff(last)),
            _ => (v, u.abs_diff(last)),
        };
        match self {
            Self::None => 0,
            Self::Full => 255,
            Self::Pattern(moved) => {
                let sum =
                    [across, down, moved, moved].map(i32::from).into_iter().fold(0, i32::saturating_add);
                let value = pattern(sum);
                // One image counts wherever its pattern begins.
                if moved == 64 && value > 0 { 255 } else { value }
            }
            Self::Gradient => match across {
                ..=28 => 0,
                29..=99 => clamped(i32::from(across).saturating_sub(28).saturating_mul(455) >> 7),
                _ => 255,
            },
            Self::HardEdge if across >= 5 => 255,
            Self::HardEdge => 0,
        }
    }
}

/// The game's pattern, by the sum of both of its places.
fn pattern(sum: i32) -> u8 {
    clamped(sum.saturating_sub(254).saturating_mul(2))
}

fn clamped(number: i32) -> u8 {
    u8::try_from(number.clamp(0, 255)).unwrap_or_default()
}
