//! Lamps: spherical light sources that shine in all directions or into a cone.

use glam::Vec3A;

/// A spherical light source.
#[derive(Debug, Clone, PartialEq)]
pub struct Lamp {
    /// Center of the sphere.
    pub center: Vec3A,
    /// Light on a surface that is at the lamp and faces it.
    pub light: Vec3A,
    /// Maximum distance; the light falls off linearly up to it.
    pub range: f32,
    /// Radius of the sphere, which makes shadows soft.
    pub radius: f32,
    /// Directions in which the lamp shines; `None` for all.
    pub cone: Option<Cone>,
    /// Bodies of triangles that do not block the light because they are part of the lamp; sorted.
    pub housing: Vec<u32>,
}

/// The cone of a spotlight.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cone {
    /// Unit vector along the axis, away from the lamp.
    pub axis: Vec3A,
    /// Angle from the axis, in radians, up to which the light has full intensity.
    pub inner: f32,
    /// Angle from which on there is no light.
    pub outer: f32,
}

impl Lamp {
    /// Returns the fraction of the light that arrives on a surface without obstacles:
    /// `(1 - distance / range) x cosine`, less outside of the inner cone.
    #[must_use]
    pub fn falloff(&self, position: Vec3A, normal: Vec3A) -> f32 {
        let to_lamp = self.center - position;
        let distance = to_lamp.length();
        let cosine = if distance > 0.0 { to_lamp.dot(normal) / distance } else { 1.0 };
        if !(cosine > 0.0 && distance < self.range) {
            return 0.0;
        }
        let cone = self.cone.map_or(1.0, |cone| cone.falloff(-to_lamp / distance.max(f32::MIN_POSITIVE)));
        (1.0 - distance / self.range) * cosine * cone
    }

    pub(crate) fn is_blocked_by(&self, body: u32) -> bool {
        self.housing.binary_search(&body).is_err()
    }
}

impl Cone {
    fn falloff(&self, direction: Vec3A) -> f32 {
        let angle = direction.dot(self.axis).clamp(-1.0, 1.0).acos();
        ((self.outer - angle) / (self.outer - self.inner).max(1e-4)).clamp(0.0, 1.0)
    }
}
