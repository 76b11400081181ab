//! Combat: the damage of a hit, distances and times, and the burning time of torches.

use media::ini::Ini;
use redguard_files::settings::ini::lookup::Lookup;
use redguard_files::settings::ini::value::integer;

/// Returns the damage of a hit, from the damage of the attack, the strength of the attacker and the armor of the target, the latter two in
/// percent. \[E\]
#[must_use]
pub fn damage(damage: i32, strength: i32, armor: i32) -> i32 {
    let scaled = strength.wrapping_add(100).wrapping_mul(damage) / 100;
    scaled.wrapping_sub(scaled.wrapping_mul(armor) / 100)
}

/// Returns the initial burning time of a torch: 1.5 times `torch_time` of ITEM.INI, rounded half to even, at most 255. 0 is read as 1. \[E\]
///
/// The result for negative numbers is our reading: 0. \[?\]
#[must_use]
pub fn torch_time(torch_time: i32) -> u8 {
    let setting = if torch_time == 0 { 1 } else { torch_time };
    let number = crate::number::nearest_even(crate::number::float(setting) * 1.5);
    u8::try_from(number.clamp(0, 255)).unwrap_or_default()
}

/// The settings of the section `[misc]` of COMBAT.INI that affect distances and times.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CombatSettings {
    /// `in_combat_threshold`: the distance below which `isFighting` is true, in world units.
    pub threshold: i32,
    /// `non_engaged_spacing`: the angle between attackers below which one steps aside, 2048 per turn.
    pub spacing: i32,
    /// `cyrus_defend_interval`: the nominal ticks between two defenses of the player.
    pub defend_interval: i32,
    /// `node_timer`: the nominal ticks without sight of the target after which an actor follows it along the walk maps.
    pub pursuit_delay: i32,
}

impl Default for CombatSettings {
    /// The settings of the shipped game. \[D\]
    fn default() -> Self {
        Self { threshold: 200, spacing: 500, defend_interval: 2, pursuit_delay: 120 }
    }
}

impl CombatSettings {
    /// Returns the settings of COMBAT.INI; 0 for missing ones.
    #[must_use]
    pub fn read(combat: &Ini) -> Self {
        let lookup = Lookup::new(combat);
        let misc = lookup.section("misc");
        let number = |key| misc.and_then(|section| section.value(key, None)).map_or(0, integer);
        Self {
            threshold: number("in_combat_threshold"),
            spacing: number("non_engaged_spacing"),
            defend_interval: number("cyrus_defend_interval"),
            pursuit_delay: number("node_timer"),
        }
    }

    /// `isFighting`: whether an opponent at this horizontal distance (world units times 256) is being fought. \[E\]
    #[must_use]
    pub const fn is_fighting(&self, distance: i32) -> bool {
        distance < self.threshold.wrapping_shl(8)
    }

    /// Whether the player may defend again after a number of nominal ticks. \[E\]
    #[must_use]
    pub const fn may_defend(&self, ticks: i32) -> bool {
        ticks > self.defend_interval
    }

    /// Whether an actor that lost sight of its target this number of nominal ticks ago follows it along the walk maps. \[E\]
    #[must_use]
    pub const fn is_pursuing(&self, ticks: i32) -> bool {
        ticks > self.pursuit_delay
    }
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
        assert_eq!([0, 1, 3, 60, 61, 100].map(torch_time), [2, 2, 4, 90, 92, 150]);
        assert_eq!([170, 171, i32::MAX, -1].map(torch_time), [255, 255, 255, 0]);
    }

    #[test]
    fn a_fight_ends_at_exactly_the_threshold() {
        let settings = CombatSettings::default();
        assert_eq!([51_199, 51_200].map(|it| settings.is_fighting(it)), [true, false]);
        assert_eq!([2, 3].map(|it| settings.may_defend(it)), [false, true]);
        assert_eq!([120, 121].map(|it| settings.is_pursuing(it)), [false, true]);
    }

    #[test]
    fn reads_the_first_value_of_each_key() {
        let text =
            b"[misc]\nin_combat_threshold = 7\nIN_COMBAT_THRESHOLD = 8\n[MISC]\nnode_timer = 9 ; ticks\n";
        let ini = Ini::parse(text, asset::Charset::Cp437).unwrap();
        let found = CombatSettings::read(&ini);
        assert_eq!(found, CombatSettings { threshold: 7, spacing: 0, defend_interval: 0, pursuit_delay: 9 });
    }
}
