//! How water moves: `world_wave` of WORLD.INI.

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

/// A whole wave.
const TURN: u32 = 2048;

impl Wave {
    /// How far a corner is above its rest, in world units upwards. It is so many columns and rows from the middle of the terrain; there are
    /// 18.2065 ticks a second. The middle of all waves lies half an amplitude above the rest.
    #[must_use]
    pub fn rise(&self, columns: i64, rows: i64, ticks: u64) -> f64 {
        if self.amplitude == 0 {
            return 0.0;
        }
        let square = |number: i64| number.wrapping_mul(number);
        let away = square(columns).wrapping_add(square(rows)).wrapping_mul(self.frequency.into());
        let moved = ticks.cast_signed().wrapping_mul(self.speed.into());
        let phase = away.wrapping_add(moved) & i64::from(TURN - 1);
        let angle = f64::from(u16::try_from(phase).unwrap_or_default()) / f64::from(TURN);
        let amplitude = f64::from(self.amplitude);
        // The game counts Y down: y + A cos - A/2.
        amplitude / 2.0 - amplitude * (std::f64::consts::TAU * angle).cos()
    }
}
