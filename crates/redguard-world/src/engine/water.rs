//! Water motion: `world_wave` of WORLD.INI.

use super::rotation::Angle2048;
use redguard_files::settings::ini::world::World;

/// The wave parameters of a world's water.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Wave {
    /// Amplitude in world units; 0 means still water.
    pub amplitude: i32,
    /// Phase advance per tick; 2048 is a full wave.
    pub speed: i32,
    /// Phase per squared distance (in grid cells) from the center of the terrain.
    pub frequency: i32,
}

impl Wave {
    /// Returns the wave parameters of a world in WORLD.INI.
    #[must_use]
    pub fn of_world(world: &World) -> Self {
        let [amplitude, speed, frequency] = world.wave.unwrap_or_default();
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
        if self.amplitude == 0 {
            return 0.0;
        }
        let amplitude = f64::from(self.amplitude);
        amplitude / 2.0 - amplitude * f64::from(self.phase(columns, rows, ticks).cosine())
    }
}

/// The vertices around a moving vertex whose light is recomputed, as offsets in columns to the east and rows to the south. The seventh
/// vertex of its triangles keeps its old light. \[E\]
pub const RELIT: [(i32, i32); 6] = [(0, 0), (-1, 0), (-1, 1), (0, 1), (1, 0), (0, -1)];

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const WAVE: Wave = Wave { amplitude: 32, speed: 33, frequency: 4 };

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
