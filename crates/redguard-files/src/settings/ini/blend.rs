//! The blend masks of terrain images. The game uses them to find the surface below an actor where two kinds of ground meet.

/// The shape of the blend mask of a terrain image.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Blend {
    /// No mask.
    None,
    /// Fully opaque.
    Full,
    /// Opaque beyond a diagonal line with a soft edge: the game's pattern, shifted by this number of cells along both axes.
    Pattern(u8),
    /// A linear gradient from one side to the other.
    Gradient,
    /// Opaque beyond a line near one side.
    HardEdge,
}

/// The number of mask cells along the side of a square; each is two world units.
const SIDE: u8 = 128;

impl Blend {
    /// Returns the mask of an image of bank 302.
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

    /// Returns the name of the mask.
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

    /// Returns the opacity of the image at a cell of a square, from 0 to 255: at `u` (0 to 127, west to east) and `v` (0 to 127,
    /// north to south), with the image rotated by `turns` quarter turns.
    ///
    /// It is unknown on which side gradients and edges start in the game; this function uses the western side of an unrotated
    /// image.
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
                // One image is fully opaque as soon as its pattern starts.
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

/// Returns the game's pattern for the sum of both coordinates and both shifts.
fn pattern(sum: i32) -> u8 {
    clamped(sum.saturating_sub(254).saturating_mul(2))
}

fn clamped(number: i32) -> u8 {
    u8::try_from(number.clamp(0, 255)).unwrap_or_default()
}
