//! Texture animations: the transform of texture coordinates at any time.
//!
//! Texture coordinates are rotated around the center of the texture, then scaled relative to the center, then translated. The document
//! describes a rotation around the corner, but the later program of its author, which was compared with the game, rotates around the
//! center.

use glam::{DMat2, DVec2};

use super::track::Track;
use crate::rsm::TextureAnimation;

/// The animation of one texture of a mesh.
#[derive(Debug, Clone, PartialEq)]
pub struct UvAnimation {
    /// Zero-based index into the mesh's textures.
    pub texture: i32,
    /// Translation along u and v.
    pub translation: [Option<Track<f64>>; 2],
    /// Scale of u and v.
    pub scale: [Option<Track<f64>>; 2],
    /// Rotation in radians.
    pub rotation: Option<Track<f64>>,
}

/// A transform of texture coordinates.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct UvTransformState {
    /// Translation, applied last.
    pub translation: DVec2,
    /// Scale relative to the center of the texture, applied after the rotation.
    pub scale: DVec2,
    /// Rotation around the center of the texture in radians, from +u toward +v, applied first.
    pub rotation: f64,
}

/// Center of rotation and scale.
const CENTER: DVec2 = DVec2::new(0.5, 0.5);

impl UvTransformState {
    /// The identity transform.
    pub const REST: Self = Self { translation: DVec2::ZERO, scale: DVec2::ONE, rotation: 0.0 };

    /// Transforms texture coordinates.
    #[must_use]
    pub fn apply(&self, uv: DVec2) -> DVec2 {
        self.scale * (DMat2::from_angle(self.rotation) * (uv - CENTER)) + CENTER + self.translation
    }
}

impl UvAnimation {
    /// Creates the animation of a record. Of several tracks of a kind, the last one with keys is used. Unknown kinds are ignored.
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

    /// Iterates over the tracks.
    pub fn tracks(&self) -> impl Iterator<Item = &Track<f64>> {
        self.translation.iter().chain(&self.scale).flatten().chain(&self.rotation)
    }

    /// Returns the transform at a frame.
    #[must_use]
    pub fn at(&self, frame: f64) -> UvTransformState {
        self.state(|track| track.at(frame))
    }

    /// Returns the transform just before a frame.
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
