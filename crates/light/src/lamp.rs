//! Lamps: balls that shine around them, or into a cone.

use glam::Vec3A;

/// A ball that shines.
#[derive(Debug, Clone, PartialEq)]
pub struct Lamp {
    /// Its center.
    pub center: Vec3A,
    /// The light on a surface that is right at it and faces it.
    pub light: Vec3A,
    /// How far it shines: its light falls off evenly until there.
    pub range: f32,
    /// Its radius, which makes shadows soft.
    pub radius: f32,
    /// Where it shines; `None` for everywhere.
    pub cone: Option<Cone>,
    /// The bodies of triangles that do not stop its light, sorted: what the lamp is made of.
    pub housing: Vec<u32>,
}

/// Where a spotlight shines.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cone {
    /// Its axis, of length 1, away from the lamp.
    pub axis: Vec3A,
    /// As bright as it gets up to this angle from the axis, in radians.
    pub inner: f32,
    /// Dark from this angle on.
    pub outer: f32,
}

impl Lamp {
    /// Which share of its light there is on a surface at a place, nothing in between: `(1 - distance / range) x cosine`, less outside of the inner cone.
    #[must_use]
    pub fn share(&self, place: Vec3A, normal: Vec3A) -> f32 {
        let way = self.center - place;
        let distance = way.length();
        let cosine = if distance > 0.0 { way.dot(normal) / distance } else { 1.0 };
        if !(cosine > 0.0 && distance < self.range) {
            return 0.0;
        }
        let cone = self.cone.map_or(1.0, |cone| cone.share(-way / distance.max(f32::MIN_POSITIVE)));
        (1.0 - distance / self.range) * cosine * cone
    }

    pub(crate) fn is_shaded_by(&self, body: u32) -> bool {
        self.housing.binary_search(&body).is_err()
    }
}

impl Cone {
    fn share(&self, direction: Vec3A) -> f32 {
        let angle = direction.dot(self.axis).clamp(-1.0, 1.0).acos();
        ((self.outer - angle) / (self.outer - self.inner).max(1e-4)).clamp(0.0, 1.0)
    }
}
