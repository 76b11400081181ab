//! Animated values.
//!
//! Between two keys, vectors and numbers are interpolated linearly, rotations along the shorter arc. After the last key, the value is held.
//! Before the first key, the value is interpolated from the rest value at frame 0, or the first key is held if there is no rest value.
//! Of several keys at a frame, the first ends the segment before it, and the last starts the segment after it.

use glam::{DQuat, DVec3};

/// A value that can be interpolated.
pub trait Blend: Copy {
    /// Interpolates toward another value. `share` is between 0 and 1.
    #[must_use]
    fn blend(self, to: Self, share: f64) -> Self;
}

impl Blend for f64 {
    fn blend(self, to: Self, share: f64) -> Self {
        self + (to - self) * share
    }
}

impl Blend for DVec3 {
    fn blend(self, to: Self, share: f64) -> Self {
        self + (to - self) * share
    }
}

/// Cosine above which linear interpolation is as exact as the arc.
const LINEAR_COSINE: f64 = 0.999_999_5;

impl Blend for DQuat {
    fn blend(self, to: Self, share: f64) -> Self {
        let (from, mut to) = (unit(self), unit(to));
        let mut cosine = from.dot(to);
        if cosine < 0.0 {
            (to, cosine) = (-to, -cosine);
        }
        if cosine > LINEAR_COSINE {
            return unit(from + (to - from) * share);
        }
        let angle = cosine.min(1.0).acos();
        let sine = angle.sin();
        from * (((1.0 - share) * angle).sin() / sine) + to * ((share * angle).sin() / sine)
    }
}

/// Normalizes a rotation. A quaternion of length zero becomes the identity.
pub(crate) fn unit(rotation: DQuat) -> DQuat {
    let length = rotation.length();
    if length == 0.0 { DQuat::IDENTITY } else { rotation / length }
}

/// Keys in order of their frames.
#[derive(Debug, Clone, PartialEq)]
pub struct Track<T> {
    keys: Vec<(f64, T)>,
    first: T,
    rest: Option<T>,
}

impl<T: Blend> Track<T> {
    /// Creates a track of keys. `None` if there are none. The value `rest`, if there is one, applies at frame 0 if the keys start later.
    pub fn new(keys: impl IntoIterator<Item = (i32, T)>, rest: Option<T>) -> Option<Self> {
        let mut keys: Vec<_> = keys.into_iter().map(|(frame, value)| (f64::from(frame), value)).collect();
        keys.sort_by(|(a, _), (b, _)| a.total_cmp(b));
        let (_, first) = *keys.first()?;
        Some(Self { keys, first, rest })
    }

    /// Returns the value at a frame.
    #[must_use]
    pub fn at(&self, frame: f64) -> T {
        self.between(self.keys.partition_point(|(key, _)| *key <= frame), frame)
    }

    /// Returns the value just before a frame. It differs from the value at the frame if several keys are at it.
    #[must_use]
    pub fn until(&self, frame: f64) -> T {
        self.between(self.keys.partition_point(|(key, _)| *key < frame), frame)
    }

    /// Iterates over the frames of the keys in ascending order. A frame may occur several times.
    pub fn frames(&self) -> impl Iterator<Item = f64> + '_ {
        self.keys.iter().map(|(frame, _)| *frame)
    }

    /// Interpolates between the key with the index `next` and the key before it.
    fn between(&self, next: usize, frame: f64) -> T {
        let before = next.checked_sub(1).and_then(|before| self.keys.get(before)).copied();
        let from = before.or_else(|| Some((0.0, self.rest?)));
        match (from, self.keys.get(next).copied()) {
            (Some((start, from)), Some((end, to))) if end > start => {
                from.blend(to, (frame - start) / (end - start))
            }
            (_, Some((_, to))) => to,
            (Some((_, from)), None) => from,
            (None, None) => self.first,
        }
    }
}

/// A value that may be animated.
#[derive(Debug, Clone, PartialEq)]
pub enum Value<T> {
    /// A constant value.
    Fixed(T),
    /// A value with keys.
    Moving(Track<T>),
}

impl<T: Blend> Value<T> {
    /// Creates an animated value if there are keys, otherwise a constant one.
    pub fn new(keys: Option<Track<T>>, fixed: T) -> Self {
        keys.map_or(Self::Fixed(fixed), Self::Moving)
    }

    /// Returns the value at a frame.
    #[must_use]
    pub fn at(&self, frame: f64) -> T {
        match self {
            Self::Fixed(value) => *value,
            Self::Moving(track) => track.at(frame),
        }
    }

    /// Returns the value just before a frame.
    #[must_use]
    pub fn until(&self, frame: f64) -> T {
        match self {
            Self::Fixed(value) => *value,
            Self::Moving(track) => track.until(frame),
        }
    }

    /// The track, if the value is animated.
    #[must_use]
    pub fn track(&self) -> Option<&Track<T>> {
        match self {
            Self::Fixed(_) => None,
            Self::Moving(track) => Some(track),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::{FRAC_PI_2, PI};

    fn track(keys: &[(i32, f64)], rest: Option<f64>) -> Track<f64> {
        Track::new(keys.iter().copied(), rest).unwrap()
    }

    #[test]
    fn before_the_first_key_the_value_is_held_or_blends_from_rest() {
        let keys = [(20, 4.0), (10, 2.0)];
        assert_eq!(track(&keys, None).at(5.0), 2.0);
        assert_eq!(track(&keys, Some(1.0)).at(5.0), 1.5);
        assert_eq!(track(&keys, Some(1.0)).at(15.0), 3.0);
        assert_eq!(track(&keys, Some(1.0)).at(99.0), 4.0);
        assert_eq!(track(&[(-10, 2.0), (10, 4.0)], Some(1.0)).at(0.0), 3.0);
        assert_eq!(track(&[(0, 2.0)], Some(1.0)).at(0.0), 2.0);
        assert!(Track::<f64>::new([], Some(1.0)).is_none());
    }

    #[test]
    fn several_keys_at_one_frame_are_a_jump() {
        let track = track(&[(0, 0.0), (10, 1.0), (10, 7.0), (10, 5.0), (20, 6.0)], None);
        assert_eq!((track.at(5.0), track.until(10.0), track.at(10.0), track.at(15.0)), (0.5, 1.0, 5.0, 5.5));
    }

    #[test]
    fn rotations_take_the_shorter_arc_at_any_length() {
        let rotation = |angle: f64| DQuat::from_rotation_z(angle);
        let half = rotation(0.0).blend(-rotation(FRAC_PI_2) * 3.0, 0.5);
        assert!(half.angle_between(rotation(FRAC_PI_2 / 2.0)) < 1e-9);
        let near = rotation(1.0).blend(rotation(1.0 + 1e-5), 0.5);
        assert!(near.is_normalized() && near.angle_between(rotation(1.0 + 5e-6)) < 1e-9);
        assert!(rotation(PI - 0.1).blend(rotation(-PI + 0.1), 0.5).angle_between(rotation(PI)) < 1e-7);
        assert_eq!(unit(DQuat::from_array([0.0; 4])), DQuat::IDENTITY);
    }
}
