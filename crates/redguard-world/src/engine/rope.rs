//! Ropes and chains: the positions and swinging of their links.

use super::clock::FrameScale;
use super::rotation::{Angle2048, integer_sine};
use crate::map::Rope;
use redguard_files::settings::ini::system::System;

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

/// The settings of SYSTEM.INI for actors on ropes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RopeSettings {
    /// `rope_jump_add`: the speed that is added when an actor leaves a rope, in world units per nominal update.
    pub jump_add: i32,
    /// `rope_attach_angle`: the largest difference of heading at which an actor takes a rope of type 1, 2048 per turn.
    pub attach_angle: i32,
}

impl Default for RopeSettings {
    /// The settings of the shipped game. \[D\]
    fn default() -> Self {
        Self { jump_add: 18, attach_angle: 512 }
    }
}

/// The movement of a link in a nominal update below which a rope counts as still.
const STILL: i32 = 0x1800;

/// The direction key that is held when an actor leaves a rope.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LeavingKey {
    /// None.
    None,
    /// Up.
    Up,
    /// Down.
    Down,
}

impl RopeSettings {
    /// Returns the settings of SYSTEM.INI.
    #[must_use]
    pub fn of_system(system: &System) -> Self {
        let number = |key| system.integer("game", key);
        Self { jump_add: number("rope_jump_add"), attach_angle: number("rope_attach_angle") }
    }

    /// Whether an actor can take a rope of type 1 from either side with its heading. Only the low ten bits of the setting count. \[E\]
    #[must_use]
    pub fn can_attach(&self, actor: Angle2048, rope: Angle2048) -> bool {
        let is_near = |rope: Angle2048| actor.difference(rope).wrapping_abs() <= self.attach_angle & 0x3ff;
        is_near(rope) || is_near(rope.plus(1024))
    }

    /// Returns the forward speed of an actor that leaves a rope, in world units times 256 per nominal update, from the amplitude of the rope
    /// and the movement of its link in the update. On a rope that is almost still, the key decides. \[E\]
    #[must_use]
    pub fn leaving_speed(&self, amplitude: i32, movement: i32, scale: FrameScale, key: LeavingKey) -> i32 {
        let jump = self.jump_add.wrapping_shl(8);
        if amplitude < 6 && movement.wrapping_abs() < scale.of(STILL) {
            return match key {
                LeavingKey::None => 0,
                LeavingKey::Up => jump,
                LeavingKey::Down => jump.wrapping_neg(),
            };
        }
        let swing = movement.wrapping_abs().wrapping_shl(8).checked_div(scale.0).unwrap_or_default();
        let speed = jump.wrapping_add(swing);
        if movement < 0 { speed.wrapping_neg() } else { speed }
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
    fn a_rope_is_taken_from_both_sides() {
        let can = |setting, heading| {
            let settings = RopeSettings { attach_angle: setting, ..Default::default() };
            settings.can_attach(Angle2048::new(heading), Angle2048::ZERO)
        };
        assert_eq!([0, 10, 11, 1014, 2038].map(|it| can(10, it)), [true, true, false, true, true]);
        // 1034 is 10 in ten bits.
        assert!(!can(1034, 11) && can(512, 512));
    }

    #[test]
    fn a_swinging_rope_throws_the_actor() {
        use LeavingKey::{Down, None, Up};
        let settings = RopeSettings::default();
        let still = |key| settings.leaving_speed(5, 6143, FrameScale::NOMINAL, key);
        assert_eq!([still(None), still(Up), still(Down)], [0, 4608, -4608]);
        let speed =
            |amplitude, movement, scale| settings.leaving_speed(amplitude, movement, FrameScale(scale), Up);
        assert_eq!([speed(5, 6144, 256), speed(6, -1000, 256), speed(6, 1000, 128)], [10_752, -5608, 6608]);
    }

    #[test]
    fn the_sound_depends_on_the_strength_of_the_swing() {
        use RopeSound::{Fast, Medium, Slow};
        let at = |strength| sound(strength, 40);
        assert_eq!([9, 10, 20, 30].map(at), [None, Some(Slow), Some(Medium), Some(Fast)]);
        assert_eq!(sound(8, 8), None);
    }
}
