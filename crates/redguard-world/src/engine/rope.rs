//! Ropes and chains: the positions and swinging of their links.

use super::clock::FrameScale;
use super::rotation::{Angle2048, integer_sine};
use crate::map::Rope;

/// The distance between links of the shipped link models in world units; the game uses the length of the model. \[E\]
pub const LINK_LENGTH: i32 = 16;

/// The bits of a rope's type that disable swinging. \[E\]
const FIXED: i32 = 0x04 | 0x08;

/// The bit of a rope's type that is set if it has an end model. \[E\]
const HAS_END_MODEL: i32 = 0x10;

/// The bit of a rope's type that starts it at its maximum deflection. \[E\]
const STARTS_AT_MAXIMUM: i32 = 0x20;

/// The speed of a rope without a speed. \[E\]
const SPEED: i32 = 199;

/// Returns the distance of a link below the base of its rope, in world units, Y down. The first link, number 0, is at the base. \[E\]
#[must_use]
pub const fn link_drop(link: i32, length: i32) -> i32 {
    link.wrapping_mul(length)
}

/// Returns the distance of the end model below the base of its rope, in world units: one link below the last link. `None` if the rope has
/// no end model. \[E\]
#[must_use]
pub fn end_drop(rope: &Rope, length: i32) -> Option<i32> {
    (rope.kind & HAS_END_MODEL != 0).then(|| link_drop(rope.links.into(), length))
}

/// The swinging state of a rope.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Swing {
    /// Phase: 256 times an angle of 2048 per turn.
    phase: i32,
    speed: i32,
    amplitude: i32,
}

impl Swing {
    /// Returns the state of a rope when its map is entered; `None` if it does not swing. \[E\]
    #[must_use]
    pub fn of(rope: &Rope) -> Option<Self> {
        let speed = if rope.speed < 1 { SPEED } else { rope.speed };
        let phase = if rope.kind & STARTS_AT_MAXIMUM != 0 { Angle2048::QUARTER.get() << 8 } else { 0 };
        (rope.kind & FIXED == 0).then_some(Self { phase, speed, amplitude: rope.swing })
    }

    /// Returns the state after an update. \[E\]
    #[must_use]
    pub const fn updated(self, scale: FrameScale) -> Self {
        let step = scale.of(self.speed.wrapping_mul(64));
        Self { phase: self.phase.wrapping_add(step), ..self }
    }

    /// Returns the rotation of each link relative to the previous one, in 256ths of an angle unit. \[E\]
    #[must_use]
    pub fn step(&self) -> i32 {
        integer_sine(Angle2048::new(self.phase >> 8)).wrapping_mul(self.amplitude) >> 9
    }

    /// Returns the pitch of a link: the negated sum of the steps of the links after the first one, up to the link before this one. \[E\]
    #[must_use]
    pub fn pitch(&self, link: i32) -> Angle2048 {
        let steps = link.saturating_sub(1).max(0);
        Angle2048::new(self.step().wrapping_mul(steps).wrapping_neg() >> 8)
    }
}

/// The sound that a rope plays when it swings through its center, one of three.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RopeSound {
    /// Slow swing.
    Slow,
    /// Medium swing.
    Medium,
    /// Fast swing.
    Fast,
}

/// Returns the sound of a rope at a zero crossing, from the strength of its swing and the maximum strength; `None` for small swings. \[E\]
#[must_use]
pub const fn sound(strength: i32, greatest: i32) -> Option<RopeSound> {
    let quarter = greatest / 4;
    if quarter <= 2 || strength < quarter {
        return None;
    }
    Some(match strength {
        _ if strength >= quarter.saturating_mul(3) => RopeSound::Fast,
        _ if strength >= quarter.saturating_mul(2) => RopeSound::Medium,
        _ => RopeSound::Slow,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rope(kind: i32, speed: i32) -> Rope {
        Rope {
            id: 0,
            position: [0; 3],
            angle: 0,
            kind,
            swing: 100,
            speed,
            links: 5,
            end_model: asset::FixedText([0; 9]),
            link_model: asset::FixedText([0; 9]),
            sounds: [0; 3],
            unknown_40: record::Raw([0; 16]),
        }
    }

    #[test]
    fn the_first_link_hangs_at_the_base() {
        assert_eq!([0, 1, 4].map(|link| link_drop(link, LINK_LENGTH)), [0, 16, 64]);
        assert_eq!((end_drop(&rope(0x10, 1), LINK_LENGTH), end_drop(&rope(0, 1), 16)), (Some(80), None));
    }

    #[test]
    fn a_rope_swings_by_the_sine_of_its_phase() {
        assert_eq!((Swing::of(&rope(4, 1)), Swing::of(&rope(8, 1))), (None, None));
        let far = Swing::of(&rope(0x20, 0)).unwrap();
        // 65536 * 100 / 512 = 12800 = 50 * 256.
        assert_eq!(far.step(), 12_800);
        assert_eq!([0, 1, 2, 3].map(|link| far.pitch(link).get()), [0, 0, 1998, 1948]);
        let start = Swing::of(&rope(0, 0)).unwrap();
        assert_eq!(start.step(), 0);
        // 199 * 64 = 12736; 12736 / 256 = 49: sin(49 * pi / 1024) * 65536 = 9814.9.
        let next = start.updated(FrameScale::NOMINAL);
        assert_eq!(next.step(), 9814 * 100 / 512);
    }

    #[test]
    fn the_sound_depends_on_the_strength_of_the_swing() {
        use RopeSound::{Fast, Medium, Slow};
        let at = |strength| sound(strength, 40);
        assert_eq!([9, 10, 20, 30].map(at), [None, Some(Slow), Some(Medium), Some(Fast)]);
        assert_eq!(sound(8, 8), None);
    }
}
