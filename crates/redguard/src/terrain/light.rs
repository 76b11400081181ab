//! How the sun lights terrain: no lights of the map reach it.

use glam::Vec3;

use crate::number::single;
use crate::settings::ini::world::World;

/// The daylight of a world. Channels are from 0 to 255, as they are shown.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Daylight {
    /// Red, green and blue that are everywhere.
    pub ambient: [f32; 3],
    /// What the sun adds where it shines straight.
    pub sun: [f32; 3],
    /// Where its light goes, with unit length, with the game's axes: X right, Y down, Z forward.
    pub direction: [f32; 3],
}

/// A whole turn of the sun.
const TURN: f64 = 2048.0;

/// The length that the game gives the sun's direction before it makes whole numbers of it.
const LENGTH: f64 = 16_000.0;

impl Daylight {
    /// What WORLD.INI says of a world.
    #[must_use]
    pub fn of_world(world: &World) -> Self {
        let sine = |angle: i32| (LENGTH * (f64::from(angle) * std::f64::consts::TAU / TURN).sin()).trunc();
        // A quarter of a turn on: the cosine.
        let numbers = [world.sun_angle, world.sun_angle.wrapping_add(512), world.sun_skew].map(sine);
        let direction = Vec3::from(numbers.map(single)).normalize_or(Vec3::Y);
        let channels = |color: [i32; 3]| color.map(|channel| single(channel.into()));
        Self { ambient: channels(world.ambient), sun: channels(world.sun), direction: direction.to_array() }
    }

    /// The light on ground with this normal: Y up, X to the west and Z to the north, as [`Grid::normal`](super::Grid::normal) gives it.
    #[must_use]
    pub fn on(&self, normal: [f32; 3]) -> [u8; 3] {
        let normal = Vec3::from(crate::axes::direction(normal));
        let weight = (-Vec3::from(self.direction).dot(normal)).max(0.0);
        let mut channels =
            self.ambient.into_iter().zip(self.sun).map(|(ambient, sun)| byte(ambient + weight * sun));
        std::array::from_fn(|_| channels.next().unwrap_or_default())
    }
}

#[expect(
    clippy::as_conversions,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "saturating and dropping the fraction are meant"
)]
const fn byte(number: f32) -> u8 {
    number as u8
}
