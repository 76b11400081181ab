//! Textures that move: what becomes of texture coordinates at a time.
//!
//! The texture coordinates are turned around the middle of the texture, then multiplied from there, then moved. The document says that
//! they turn around the corner; its author's later program, drawn against the game, turns them around the middle.

use glam::{DMat2, DVec2};

use super::track::Track;
use crate::rsm::TextureAnimation;

/// How one texture of a mesh moves.
#[derive(Debug, Clone, PartialEq)]
pub struct UvAnimation {
    /// Zero-based, into the mesh's textures.
    pub texture: i32,
    /// Along u and v.
    pub translation: [Option<Track<f64>>; 2],
    /// Of u and v.
    pub scale: [Option<Track<f64>>; 2],
    /// Radians.
    pub rotation: Option<Track<f64>>,
}

/// What becomes of texture coordinates.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct UvTransformState {
    /// Added last.
    pub translation: DVec2,
    /// Multiplied around the middle of the texture.
    pub scale: DVec2,
    /// Radians, around the middle of the texture, first; from +u towards +v.
    pub rotation: f64,
}

/// Around which texture coordinates are turned and multiplied.
const MIDDLE: DVec2 = DVec2::new(0.5, 0.5);

impl UvTransformState {
    /// Nothing moves.
    pub const REST: Self = Self { translation: DVec2::ZERO, scale: DVec2::ONE, rotation: 0.0 };

    /// Where texture coordinates go.
    #[must_use]
    pub fn apply(&self, uv: DVec2) -> DVec2 {
        self.scale * (DMat2::from_angle(self.rotation) * (uv - MIDDLE)) + MIDDLE + self.translation
    }
}

impl UvAnimation {
    /// The motion of a record. Of several tracks of a kind the last with keys counts; kinds that are unknown do nothing.
    #[must_use]
    pub fn of(animation: &TextureAnimation) -> Self {
        let track = |kind: i32, rest: f64| {
            let tracks = animation.tracks.iter().rev().filter(|track| track.kind == kind);
            let keys = tracks.map(|track| track.keys.iter().map(|key| (key.frame, f64::from(key.value))));
            keys.into_iter().find_map(|keys| Track::new(keys, Some(rest)))
        };
        Self {
            texture: animation.texture,
            translation: [track(0, 0.0), track(1, 0.0)],
            scale: [track(2, 1.0), track(3, 1.0)],
            rotation: track(4, 0.0),
        }
    }

    /// Its tracks.
    pub fn tracks(&self) -> impl Iterator<Item = &Track<f64>> {
        self.translation.iter().chain(&self.scale).flatten().chain(&self.rotation)
    }

    /// What becomes of texture coordinates at a frame.
    #[must_use]
    pub fn at(&self, frame: f64) -> UvTransformState {
        self.state(|track| track.at(frame))
    }

    /// The same just before a frame.
    #[must_use]
    pub fn until(&self, frame: f64) -> UvTransformState {
        self.state(|track| track.until(frame))
    }

    fn state(&self, value: impl Fn(&Track<f64>) -> f64) -> UvTransformState {
        let of = |track: &Option<Track<f64>>, rest: f64| track.as_ref().map_or(rest, &value);
        let both = |[u, v]: &[Option<Track<f64>>; 2], rest: f64| DVec2::new(of(u, rest), of(v, rest));
        UvTransformState {
            translation: both(&self.translation, 0.0),
            scale: both(&self.scale, 1.0),
            rotation: of(&self.rotation, 0.0),
        }
    }
}
