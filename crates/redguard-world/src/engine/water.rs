//! How water moves: `world_wave` of WORLD.INI.

use super::rotation::Angle2048;
use redguard_files::settings::ini::world::World;

/// How the water of a world moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Wave {
    /// World units; 0 keeps the water still.
    pub amplitude: i32,
    /// How far a wave comes in a tick: 2048 are a whole one.
    pub speed: i32,
    /// How fast waves follow each other away from the middle of the terrain.
    pub frequency: i32,
}

impl Wave {
    /// What WORLD.INI says of a world.
    #[must_use]
    pub fn of_world(world: &World) -> Self {
        let [amplitude, speed, frequency] = world.wave.unwrap_or_default();
        Self { amplitude, speed, frequency }
    }

    /// Where in the wave a corner of the terrain is, so many columns and rows from the middle of the terrain, after so many BIOS ticks (18.2065
    /// a second). \[E\]
    #[must_use]
    pub fn phase(&self, columns: i64, rows: i64, ticks: u64) -> Angle2048 {
        let square = |number: i64| number.wrapping_mul(number);
        let away = square(columns).wrapping_add(square(rows)).wrapping_mul(self.frequency.into());
        let moved = ticks.cast_signed().wrapping_mul(self.speed.into());
        Angle2048::new(i32::try_from(away.wrapping_add(moved) & 2047).unwrap_or_default())
    }

    /// How far a corner is above its rest, in world units upwards: the game counts Y down and adds `A cos - A / 2`, so that the middle of all
    /// waves lies half an amplitude above the rest. See [`Self::phase`] for the parameters. \[E\]
    #[must_use]
    pub fn rise(&self, columns: i64, rows: i64, ticks: u64) -> f64 {
        if self.amplitude == 0 {
            return 0.0;
        }
        let amplitude = f64::from(self.amplitude);
        amplitude / 2.0 - amplitude * f64::from(self.phase(columns, rows, ticks).cosine())
    }
}

/// The corners around a corner that moves whose light is computed again, by columns to the east and rows to the south; the seventh that its
/// triangles touch keeps its old light. \[E\]
pub const RELIT: [(i32, i32); 6] = [(0, 0), (-1, 0), (-1, 1), (0, 1), (1, 0), (0, -1)];

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const WAVE: Wave = Wave { amplitude: 32, speed: 33, frequency: 4 };

    #[test]
    fn water_rests_half_an_amplitude_below_the_middle_of_its_waves() {
        // The game counts Y down: cos(0) sinks by an amplitude, and half of it is added.
        assert_eq!(WAVE.rise(0, 0, 0), -16.0);
        // 16 * 16 * 4 = 1024: half a wave away.
        assert_eq!(WAVE.rise(16, 0, 0), 48.0);
        assert_eq!(Wave::default().rise(3, 4, 5), 0.0);
    }

    #[test]
    fn a_phase_comes_from_the_distance_and_from_the_ticks() {
        // (9 + 16) * 4 + 10 * 33 = 430.
        assert_eq!(WAVE.phase(3, -4, 10).get(), 430);
        // 62 * 33 = 2046, and 63 * 33 = 2079 wraps.
        assert_eq!([62, 63].map(|ticks| WAVE.phase(0, 0, ticks).get()), [2046, 31]);
        let mut world = World::new(1);
        world.wave = Some([32, 33, 4]);
        assert_eq!((Wave::of_world(&world), Wave::of_world(&World::new(1))), (WAVE, Wave::default()));
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
