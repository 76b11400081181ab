//! Water: its motion (`world_wave` of WORLD.INI), and actors that swim in it.

use super::rotation::Angle2048;
use redguard_files::settings::ini::system::System;
use redguard_files::settings::ini::world::{WaveKeys, World};

/// The wave parameters of a world's water.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Wave {
    /// Amplitude in world units; 0 means still water.
    pub amplitude: f64,
    /// Phase advance per tick; 2048 is a full wave.
    pub speed: i32,
    /// Phase per squared distance (in grid cells) from the center of the terrain.
    pub frequency: i32,
}

impl Wave {
    /// Returns the wave parameters of a world in WORLD.INI.
    #[must_use]
    pub fn of_world(world: &World) -> Self {
        let WaveKeys { amplitude, speed, frequency } = world.wave.unwrap_or_default();
        Self { amplitude, speed, frequency }
    }

    /// Returns the wave phase of a terrain vertex, from its offset in columns and rows from the center of the terrain and the time in BIOS
    /// ticks (18.2065 per second). \[E\]
    #[must_use]
    pub fn phase(&self, columns: i64, rows: i64, ticks: u64) -> Angle2048 {
        let square = |number: i64| number.wrapping_mul(number);
        let away = square(columns).wrapping_add(square(rows)).wrapping_mul(self.frequency.into());
        let moved = ticks.cast_signed().wrapping_mul(self.speed.into());
        Angle2048::new(i32::try_from(away.wrapping_add(moved) & 2047).unwrap_or_default())
    }

    /// Returns the height of a vertex above its rest position, in world units upward. The game counts Y down and adds `A cos - A / 2`, so
    /// the mean of all waves is half an amplitude above the rest position. See [`Self::phase`] for the parameters. \[E\]
    #[must_use]
    pub fn rise(&self, columns: i64, rows: i64, ticks: u64) -> f64 {
        if self.amplitude == 0.0 {
            return 0.0;
        }
        self.amplitude / 2.0 - self.amplitude * f64::from(self.phase(columns, rows, ticks).cosine())
    }
}

/// The setting of SYSTEM.INI for swimming actors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SwimSettings {
    /// `swim_depth`, in world units.
    pub depth: i32,
}

impl Default for SwimSettings {
    /// The setting of the shipped game. \[D\]
    fn default() -> Self {
        Self { depth: 40 }
    }
}

/// The animation groups of swimming actors.
const SWIMMING: std::ops::RangeInclusive<u16> = 141..=143;

/// The surfaces in which actors swim: deep water, and water of the terrain.
const SWIMMABLE: std::ops::RangeInclusive<u8> = 2..=4;

impl SwimSettings {
    /// Returns the setting of SYSTEM.INI.
    #[must_use]
    pub fn of_system(system: &System) -> Self {
        Self { depth: system.integer("game", "swim_depth") }
    }

    /// Returns how far the model of an actor in water is drawn below its position, in world units, from its animation group, the surface (0
    /// to 11), and how much water covers the ground there. Swimming adds the setting, for which 0 means 40. \[E\]
    #[must_use]
    pub fn model_drop(&self, group: u16, surface: u8, coverage: i32) -> i32 {
        let depth = if self.depth == 0 { Self::default().depth } else { self.depth };
        let is_swimming = SWIMMING.contains(&group) && SWIMMABLE.contains(&surface);
        (coverage / 4).wrapping_add(if is_swimming { depth } else { 0 })
    }
}

/// The vertices around a moving vertex whose light is recomputed, as offsets in columns to the east and rows to the south. The seventh
/// vertex of its triangles keeps its old light. \[E\]
pub const RELIT: [(i32, i32); 6] = [(0, 0), (-1, 0), (-1, 1), (0, 1), (1, 0), (0, -1)];

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const WAVE: Wave = Wave { amplitude: 32.0, speed: 33, frequency: 4 };

    #[test]
    fn water_rests_half_an_amplitude_below_the_mean_of_its_waves() {
        // The game counts Y down: cos(0) lowers the water by an amplitude, and half of it is added.
        assert_eq!(WAVE.rise(0, 0, 0), -16.0);
        // 16 * 16 * 4 = 1024: half a wave.
        assert_eq!(WAVE.rise(16, 0, 0), 48.0);
        assert_eq!(Wave::default().rise(3, 4, 5), 0.0);
    }

    #[test]
    fn a_phase_depends_on_distance_and_ticks() {
        // (9 + 16) * 4 + 10 * 33 = 430.
        assert_eq!(WAVE.phase(3, -4, 10).get(), 430);
        // 62 * 33 = 2046, and 63 * 33 = 2079 wraps.
        assert_eq!([62, 63].map(|ticks| WAVE.phase(0, 0, ticks).get()), [2046, 31]);
        let mut world = World::new(1);
        world.wave = Some(WaveKeys { amplitude: 32.0, speed: 33, frequency: 4 });
        assert_eq!((Wave::of_world(&world), Wave::of_world(&World::new(1))), (WAVE, Wave::default()));
    }

    #[test]
    fn swimming_lowers_the_model_by_the_setting() {
        let drop = |depth, group, surface| SwimSettings { depth }.model_drop(group, surface, 20);
        assert_eq!([140, 141, 143, 144].map(|group| drop(40, group, 2)), [5, 45, 45, 5]);
        assert_eq!([1, 2, 4, 5].map(|surface| drop(10, 142, surface)), [5, 15, 15, 5]);
        assert_eq!(drop(0, 141, 3), 45);
    }

    proptest! {
        #[test]
        fn water_stays_between_half_an_amplitude_below_and_one_and_a_half_above(
            columns in any::<i64>(), rows in any::<i64>(), ticks in any::<u64>(),
        ) {
            prop_assert!((-16.0..=48.0).contains(&WAVE.rise(columns, rows, ticks)));
        }
    }
}
