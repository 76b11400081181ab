//! Falls: how they accelerate, and their effects on the actor.

use super::ground::GroundSettings;
use super::jump::rise;
use redguard_files::settings::ini::system::System;

/// The effects of falls, in SYSTEM.INI.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FallSettings {
    /// `fall_bounce_height`: the least distance at which an actor lands on another one that lets it bounce, in world units.
    pub bounce_height: i32,
    /// `fall_hurt_height`: the distance above which a fall hurts, in world units.
    pub hurt_height: i32,
    /// `fall_death_height`: the distance above which a fall is deadly, in world units.
    pub death_height: i32,
    /// `fall_hurt_zap`: the health that a fall costs.
    pub hurt_damage: i32,
    /// `player_fall_dead_time`: the time after which the game ends while the player falls, in units of 12 nominal ticks.
    pub dead_time: i32,
}

impl Default for FallSettings {
    /// The settings of the shipped game. \[D\]
    fn default() -> Self {
        Self { bounce_height: 100, hurt_height: 300, death_height: 568, hurt_damage: 10, dead_time: 12 }
    }
}

/// The effect of a fall on an actor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fall {
    /// No effect.
    None,
    /// The actor loses [`FallSettings::hurt_damage`] health.
    Hurt,
    /// The actor dies.
    Dead,
}

/// The surfaces of water: shallow and deep, of models and terrain.
const WATER: std::ops::RangeInclusive<u8> = 1..=4;

/// The surfaces of lava and gloop.
const BURNING: [u8; 2] = [5, 11];

impl FallSettings {
    /// Returns the settings of SYSTEM.INI.
    #[must_use]
    pub fn of_system(system: &System) -> Self {
        let number = |key| system.integer("game", key);
        Self {
            bounce_height: number("fall_bounce_height"),
            hurt_height: number("fall_hurt_height"),
            death_height: number("fall_death_height"),
            hurt_damage: number("fall_hurt_zap"),
            dead_time: number("player_fall_dead_time"),
        }
    }

    /// Returns the effect of landing on a surface (0 to 11), from the distance to the Y where the fall began, in world units times 256. Water
    /// has no effect; lava and gloop do not hurt. \[E\]
    #[must_use]
    pub fn effect(&self, distance: i32, surface: u8) -> Fall {
        let is_above = |height: i32| distance > height.saturating_mul(256);
        match surface {
            _ if WATER.contains(&surface) => Fall::None,
            _ if is_above(self.death_height) => Fall::Dead,
            _ if is_above(self.hurt_height) && !BURNING.contains(&surface) => Fall::Hurt,
            _ => Fall::None,
        }
    }

    /// Whether an actor that lands on one with attribute 98 bounces, from the distance to the Y where the fall began, in world units times
    /// 256. \[E\]
    #[must_use]
    pub const fn bounces(&self, distance: i32) -> bool {
        distance >= self.bounce_height.saturating_mul(256)
    }

    /// Whether the game ends because the player has fallen for this number of nominal ticks. A `player_fall_dead_time` below 3 is 3. \[E\]
    #[must_use]
    pub fn ends_game(&self, ticks: i32) -> bool {
        ticks > self.dead_time.max(3).saturating_mul(12)
    }
}

/// The fine ticks of a fall that does not begin with a jump: the top of a jump.
const EDGE_TIMER: u8 = 30;

/// A falling actor. Y is down, in world units times 256.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Falling {
    /// The Y from which the length of the fall is measured.
    pub origin: i32,
    /// The Y of the actor.
    pub y: i32,
    /// The fine ticks until the fall is as fast as it will be, as a signed byte.
    pub timer: u8,
}

impl Falling {
    /// Returns the fall of an actor that loses the ground. Its length is measured from below: it counts as if it had jumped up to the edge.
    /// The height is that of its jump, in world units. \[E\]
    #[must_use]
    pub fn from_edge(y: i32, height: u8) -> Self {
        Self { origin: y.wrapping_add(i32::from(height).wrapping_mul(256)), y, timer: EDGE_TIMER }
    }

    /// Returns the fall after a jump, from the Y where the jump began and its fine ticks. \[E\]
    #[must_use]
    pub const fn from_jump(origin: i32, y: i32, fine_ticks: u8) -> Self {
        Self { origin, y, timer: fine_ticks }
    }

    /// Returns the fall after an update: along the path of a jump of this height (world units), then at constant speed. \[E\]
    #[must_use]
    pub fn updated(self, height: u8, fine_ticks: u32, ground: &GroundSettings) -> Self {
        let height = i32::from(height);
        let limit = ground.fall_limit();
        if self.timer.cast_signed() > 0 {
            let below = height.wrapping_mul(rise(self.timer)).wrapping_neg();
            let [passed, ..] = fine_ticks.to_le_bytes();
            let y = self.origin.wrapping_add(below.min(limit));
            return Self { y, timer: self.timer.wrapping_sub(passed), ..self };
        }
        let ticks = fine_ticks.wrapping_add(2).cast_signed();
        let step = height.wrapping_mul(rise(0)).wrapping_mul(ticks);
        Self { y: self.y.wrapping_add(step.min(limit)), ..self }
    }

    /// Returns the length of the fall when the actor lands at its current position, in world units times 256. \[E\]
    #[must_use]
    pub const fn distance(&self) -> i32 {
        self.y.wrapping_sub(self.origin).wrapping_abs()
    }
}

#[cfg(test)]
mod tests {
    use super::super::jump::{is_at_top, rising_y};
    use super::*;

    /// The surface of terrain.
    const SCAPE: u8 = 9;

    fn effect(distance: i32) -> Fall {
        FallSettings::default().effect(distance, SCAPE)
    }

    #[test]
    fn a_fall_hurts_above_300_units_and_is_deadly_above_568() {
        let lengths = [300 * 256, 300 * 256 + 1, 568 * 256, 568 * 256 + 1];
        assert_eq!(lengths.map(effect), [Fall::None, Fall::Hurt, Fall::Hurt, Fall::Dead]);
    }

    #[test]
    fn a_fall_from_an_edge_hurts_above_380_units_and_is_deadly_above_648() {
        let of_drop = |drop: i32| effect(Falling { y: drop * 256, ..Falling::from_edge(0, 80) }.distance());
        assert_eq!([380, 381, 648, 649].map(of_drop), [Fall::None, Fall::Hurt, Fall::Hurt, Fall::Dead]);
    }

    #[test]
    fn water_prevents_damage_and_lava_only_hurt() {
        let on = |surface| [400, 600].map(|it| FallSettings::default().effect(it * 256, surface));
        assert_eq!([1, 2, 3, 4].map(on), [[Fall::None, Fall::None]; 4]);
        assert_eq!([5, 11].map(on), [[Fall::None, Fall::Dead]; 2]);
        assert_eq!([0, 6].map(on), [[Fall::Hurt, Fall::Dead]; 2]);
    }

    #[test]
    fn settings_change_the_effects() {
        let settings =
            FallSettings { hurt_height: 0, death_height: 1, bounce_height: 2, ..Default::default() };
        assert_eq!([0, 1, 257].map(|it| settings.effect(it, 0)), [Fall::None, Fall::Hurt, Fall::Dead]);
        assert_eq!([511, 512].map(|it| settings.bounces(it)), [false, true]);
    }

    #[test]
    fn the_game_ends_after_a_fall_of_at_least_36_ticks() {
        let ends = |dead_time, ticks| FallSettings { dead_time, ..Default::default() }.ends_game(ticks);
        assert_eq!([ends(12, 144), ends(12, 145)], [false, true]);
        assert_eq!([ends(2, 36), ends(2, 37), ends(-5, 37), ends(4, 37)], [false, true, true, false]);
    }

    #[test]
    fn a_standing_jump_follows_the_stated_path() {
        let (ground, height) = (GroundSettings::default(), 80);
        let mut path = Vec::new();
        let mut timer = 0;
        while !is_at_top(timer) {
            path.push(rising_y(0, height, timer));
            timer += 8;
        }
        let mut fall = Falling::from_jump(0, *path.last().unwrap(), timer);
        for _ in 0..7 {
            fall = fall.updated(height, 8, &ground);
            path.push(fall.y);
        }
        let hundredths: Vec<i32> = path.iter().map(|y| y * 100 / 256).collect();
        let stated = [-500, -4062, -6468, -7750, -8000, -7750, -6468, -4062, 937, 5937, 10_937];
        assert_eq!(hundredths, stated);
    }

    #[test]
    fn the_final_speed_is_50_units_per_nominal_update() {
        let ground = GroundSettings::default();
        let fall = Falling { origin: 0, y: 1000, timer: 0 };
        let step = |height, fine| fall.updated(height, fine, &ground).y - fall.y;
        assert_eq!(step(80, 8), 50 * 256);
        // At half the frame rate, and at the limit of 2 * 50 - 1 units.
        assert_eq!([step(80, 16), step(255, 16)], [23_040, 25_344]);
    }

    #[test]
    fn a_fall_from_an_edge_begins_at_the_edge() {
        let fall = Falling::from_edge(-500, 80);
        assert_eq!(fall.updated(80, 8, &GroundSettings::default()).y, -500);
        // A timer of 30 - 16 - 16 is below 0.
        let fall = Falling { timer: 14, ..fall }.updated(80, 16, &GroundSettings::default());
        assert_eq!(fall.timer.cast_signed(), -2);
    }
}
