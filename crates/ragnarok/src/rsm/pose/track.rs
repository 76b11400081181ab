//! Values over time.
//!
//! Between two keys vectors and numbers go along a straight line, rotations along the shorter arc. After the last key it holds.
//! Before the first key it comes from the value at rest, which is at frame 0, or holds the first key where there is no such value.
//! Of several keys at a frame, the first ends the segment before it, and the last starts the one after it.

use glam::{DQuat, DVec3};

/// A value that has keys.
pub trait Blend: Copy {
    /// The value at a share of the way to another.
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

/// Above this cosine a straight line is as good as the arc.
const NEARLY_THE_SAME: f64 = 0.999_999_5;

impl Blend for DQuat {
    fn blend(self, to: Self, share: f64) -> Self {
        let (from, mut to) = (unit(self), unit(to));
        let mut cosine = from.dot(to);
        if cosine < 0.0 {
            (to, cosine) = (-to, -cosine);
        }
        if cosine > NEARLY_THE_SAME {
            return unit(from + (to - from) * share);
        }
        let angle = cosine.min(1.0).acos();
        let sine = angle.sin();
        from * (((1.0 - share) * angle).sin() / sine) + to * ((share * angle).sin() / sine)
    }
}

/// The rotation at unit length; none for one without any.
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
    /// A track of these keys; `None` when there are none. With a value at rest, that is at frame 0 where the keys start later.
    pub fn new(keys: impl IntoIterator<Item = (i32, T)>, rest: Option<T>) -> Option<Self> {
        let mut keys: Vec<_> = keys.into_iter().map(|(frame, value)| (f64::from(frame), value)).collect();
        keys.sort_by(|(a, _), (b, _)| a.total_cmp(b));
        let (_, first) = *keys.first()?;
        Some(Self { keys, first, rest })
    }

    /// The value at a frame.
    #[must_use]
    pub fn at(&self, frame: f64) -> T {
        self.between(self.keys.partition_point(|(key, _)| *key <= frame), frame)
    }

    /// The value just before a frame, which differs from that at the frame where several keys are at it.
    #[must_use]
    pub fn until(&self, frame: f64) -> T {
        self.between(self.keys.partition_point(|(key, _)| *key < frame), frame)
    }

    /// The frames of the keys, rising; the same one may come several times.
    pub fn frames(&self) -> impl Iterator<Item = f64> + '_ {
        self.keys.iter().map(|(frame, _)| *frame)
    }

    /// The value between the key at a place and that before it.
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

/// Something that moves, or stays as it is.
#[derive(Debug, Clone, PartialEq)]
pub enum Value<T> {
    /// It stays.
    Fixed(T),
    /// It moves.
    Moving(Track<T>),
}

impl<T: Blend> Value<T> {
    /// Moving where there are keys.
    pub fn new(keys: Option<Track<T>>, fixed: T) -> Self {
        keys.map_or(Self::Fixed(fixed), Self::Moving)
    }

    /// The value at a frame.
    #[must_use]
    pub fn at(&self, frame: f64) -> T {
        match self {
            Self::Fixed(value) => *value,
            Self::Moving(track) => track.at(frame),
        }
    }

    /// The value just before a frame.
    #[must_use]
    pub fn until(&self, frame: f64) -> T {
        match self {
            Self::Fixed(value) => *value,
            Self::Moving(track) => track.until(frame),
        }
    }

    /// The keys.
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
    fn before_the_first_key_it_holds_or_comes_from_rest() {
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
    fn keys_of_one_frame_are_a_jump_from_the_first_to_the_last() {
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
