//! Evaluates a track at any time.

use crate::number::single;
use glam::Quat;
use scene::{Interpolation, Target, Track};

/// A track of a node's translation, rotation (x, y, z, w) or scale. Values with three components are padded with 0.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Curve<'a> {
    track: &'a Track,
    width: usize,
}

impl<'a> Curve<'a> {
    /// Returns `None` for other types of tracks, and for those without keys.
    pub(crate) fn of(track: &'a Track) -> Option<Self> {
        let width = match track.target {
            Target::Translation(_) | Target::Scale(_) => 3,
            Target::Rotation(_) => 4,
            _ => return None,
        };
        (!track.times.is_empty()).then_some(Self { track, width })
    }

    pub(crate) fn times(&self) -> &'a [f32] {
        &self.track.times
    }

    pub(crate) fn interpolation(&self) -> Interpolation {
        self.track.interpolation
    }

    /// Returns the value of a key.
    pub(crate) fn key(&self, key: usize) -> [f32; 4] {
        match self.track.interpolation {
            Interpolation::CubicSpline => self.numbers(key.saturating_mul(3).saturating_add(1)),
            Interpolation::Step | Interpolation::Linear => self.numbers(key),
        }
    }

    fn numbers(&self, index: usize) -> [f32; 4] {
        let start = index.saturating_mul(self.width);
        let numbers = self.track.values.get(start..start.saturating_add(self.width)).unwrap_or_default();
        let mut out = [0.0; 4];
        for (out, number) in out.iter_mut().zip(numbers) {
            *out = *number;
        }
        out
    }

    /// Returns the value at a time. Before the first and after the last key, it is constant.
    pub(crate) fn at(&self, time: f64) -> [f32; 4] {
        let times = &self.track.times;
        let after = times.partition_point(|key| f64::from(*key) <= time);
        let Some(before) = after.checked_sub(1) else { return self.key(0) };
        let (Some(start), Some(end)) = (times.get(before), times.get(after)) else {
            return self.key(times.len().saturating_sub(1));
        };
        let (start, end) = (f64::from(*start), f64::from(*end));
        let share = single((time - start) / (end - start));
        let [a, b] = [self.key(before), self.key(after)];
        match self.track.interpolation {
            Interpolation::Step => a,
            Interpolation::Linear if self.width == 4 => {
                let [a, b] = [a, b].map(|rotation| unit(Quat::from_array(rotation)));
                // Along the shorter arc.
                a.slerp(if a.dot(b) < 0.0 { -b } else { b }, share).to_array()
            }
            Interpolation::Linear => weighted_sum([(a, 1.0 - share), (b, share), (a, 0.0), (a, 0.0)]),
            Interpolation::CubicSpline => {
                let out = self.numbers(before.saturating_mul(3).saturating_add(2));
                let into = self.numbers(after.saturating_mul(3));
                let (step, t) = (single(end - start), share);
                let (t2, t3) = (t * t, t * t * t);
                weighted_sum([
                    (a, 2.0 * t3 - 3.0 * t2 + 1.0),
                    (out, step * (t3 - 2.0 * t2 + t)),
                    (b, 3.0 * t2 - 2.0 * t3),
                    (into, step * (t3 - t2)),
                ])
            }
        }
    }
}

fn weighted_sum(parts: [([f32; 4], f32); 4]) -> [f32; 4] {
    let mut sum = [0.0; 4];
    for (numbers, weight) in parts {
        for (sum, number) in sum.iter_mut().zip(numbers) {
            *sum += number * weight;
        }
    }
    sum
}

/// Normalizes a quaternion; one without length becomes the identity.
pub(crate) fn unit(rotation: Quat) -> Quat {
    if rotation.is_finite() && rotation.length_squared() > 0.0 {
        rotation.normalize()
    } else {
        Quat::IDENTITY
    }
}

#[cfg(test)]
mod tests {
    use glam::Vec3;
    use scene::NodeId;

    use super::*;

    #[test]
    fn interpolates_as_gltf_does() {
        let node = NodeId(0);
        let positions = [(1.0, Vec3::ZERO), (3.0, Vec3::new(4.0, 8.0, 0.0))];
        let track = Track::translation(node, Interpolation::Linear, positions);
        let line = Curve::of(&track).unwrap();
        assert_eq!([0.0, 1.0, 2.0, 3.0, 9.0].map(|time| line.at(time)[0]), [0.0, 0.0, 2.0, 4.0, 4.0]);
        let track = Track::translation(node, Interpolation::Step, positions);
        assert_eq!(Curve::of(&track).unwrap().at(2.9)[0], 0.0);
        let mut track = Track::translation(node, Interpolation::CubicSpline, positions);
        // In-tangent, value, out-tangent; flat at both keys.
        track.values = [[0.0; 3], [0.0; 3], [0.0; 3], [0.0; 3], [4.0, 8.0, 0.0], [0.0; 3]].concat();
        let spline = Curve::of(&track).unwrap();
        assert_eq!([1.0, 2.0, 3.0].map(|time| spline.at(time)[1]), [0.0, 4.0, 8.0]);
        assert!((spline.at(1.5)[1] - 8.0 * (3.0 * 0.0625 - 2.0 * 0.015_625)).abs() < 1e-6);
    }

    #[test]
    fn rotates_along_the_shorter_arc_whatever_the_length() {
        let rotations = [(0.0, Quat::from_rotation_y(0.2) * 3.0), (1.0, -Quat::from_rotation_y(0.6))];
        let track = Track::rotation(NodeId(0), Interpolation::Linear, rotations);
        let rotation = Quat::from_array(Curve::of(&track).unwrap().at(0.5));
        assert!(rotation.abs_diff_eq(Quat::from_rotation_y(0.4), 1e-6), "{rotation}");
        assert!(Curve::of(&Track { times: Vec::new(), ..track }).is_none());
    }
}
