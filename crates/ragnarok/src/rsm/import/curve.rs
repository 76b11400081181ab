//! Conversion of a track to keys at integer frames.
//!
//! Models interpolate like linear glTF tracks: along lines, and along the shorter arc. A step becomes two keys at one frame.

use glam::{DQuat, DVec3};
use record::{Error, Result};
use scene::{Interpolation, Target, Track};

use super::Import;
use super::clock::{Clock, Frame, is_spline};
use crate::rsm::pose::{Blend, unit};

/// A value that can be sampled from a track.
pub(super) trait Sampled: Blend + PartialEq {
    /// Number of components.
    const NUMBERS: usize;

    /// Creates a value from its components.
    fn of(numbers: &[f32]) -> Self;

    /// Interpolates a spline between two keys with their tangents. `seconds` is the length of the segment, `share` is between 0 and 1.
    fn spline(from: [Self; 2], to: [Self; 2], seconds: f64, share: f64) -> Self;
}

/// Returns the Hermite weights of the start, its tangent, the end, and its tangent.
fn hermite(share: f64) -> [f64; 4] {
    let (square, cube) = (share * share, share * share * share);
    [2.0 * cube - 3.0 * square + 1.0, cube - 2.0 * square + share, 3.0 * square - 2.0 * cube, cube - square]
}

fn number(numbers: &[f32], at: usize) -> f64 {
    numbers.get(at).copied().map_or(0.0, f64::from)
}

impl Sampled for f64 {
    const NUMBERS: usize = 1;

    fn of(numbers: &[f32]) -> Self {
        number(numbers, 0)
    }

    fn spline([from, out_tangent]: [Self; 2], [to, in_tangent]: [Self; 2], seconds: f64, share: f64) -> Self {
        let [a, b, c, d] = hermite(share);
        a * from + b * seconds * out_tangent + c * to + d * seconds * in_tangent
    }
}

impl Sampled for DVec3 {
    const NUMBERS: usize = 3;

    fn of(numbers: &[f32]) -> Self {
        Self::new(number(numbers, 0), number(numbers, 1), number(numbers, 2))
    }

    fn spline([from, out_tangent]: [Self; 2], [to, in_tangent]: [Self; 2], seconds: f64, share: f64) -> Self {
        let [a, b, c, d] = hermite(share);
        from * a + out_tangent * (b * seconds) + to * c + in_tangent * (d * seconds)
    }
}

impl Sampled for DQuat {
    const NUMBERS: usize = 4;

    fn of(numbers: &[f32]) -> Self {
        Self::from_xyzw(number(numbers, 0), number(numbers, 1), number(numbers, 2), number(numbers, 3))
    }

    fn spline([from, out_tangent]: [Self; 2], [to, in_tangent]: [Self; 2], seconds: f64, share: f64) -> Self {
        let [a, b, c, d] = hermite(share);
        unit(from * a + out_tangent * (b * seconds) + to * c + in_tangent * (d * seconds))
    }
}

/// The offset or scale of a texture.
impl Sampled for Pair {
    const NUMBERS: usize = 2;

    fn of(numbers: &[f32]) -> Self {
        Self(glam::DVec2::new(number(numbers, 0), number(numbers, 1)))
    }

    fn spline([from, out_tangent]: [Self; 2], [to, in_tangent]: [Self; 2], seconds: f64, share: f64) -> Self {
        let [a, b, c, d] = hermite(share);
        Self(from.0 * a + out_tangent.0 * (b * seconds) + to.0 * c + in_tangent.0 * (d * seconds))
    }
}

/// A pair of numbers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Pair(pub(super) glam::DVec2);

impl Blend for Pair {
    fn blend(self, to: Self, share: f64) -> Self {
        Self(self.0.lerp(to.0, share))
    }
}

/// Keys at integer frames, the first at frame 0. At most two keys are at one frame, where the value jumps.
pub(super) type Keys<T> = Vec<(i32, T)>;

/// Returns the track of a target in the selected clip.
pub(super) fn find<'a>(import: &Import<'a>, target: Target) -> Option<&'a Track> {
    import.tracks.get(&target).copied()
}

/// Returns the keys of a target. `None` if it is not animated.
pub(super) fn keys<T: Sampled>(import: &mut Import<'_>, target: Target) -> Result<Option<Keys<T>>> {
    let Some(track) = find(import, target) else { return Ok(None) };
    let mut curve = Curve { clock: import.clock, track, out: Vec::new(), left: import.keys_left };
    curve.sample()?;
    import.keys_left = curve.left;
    Ok(Some(curve.out))
}

struct Curve<'a, T> {
    clock: Clock,
    track: &'a Track,
    out: Keys<T>,
    left: usize,
}

impl<T: Sampled> Curve<'_, T> {
    fn sample(&mut self) -> Result<()> {
        let first = self.value(0);
        self.push(0, first)?;
        let mut before = first;
        for (key, time) in self.track.times.iter().enumerate() {
            let value = self.value(key);
            let frame = self.clock.frame(*time)?;
            match (self.track.interpolation, frame) {
                (Interpolation::Step, Frame::At(frame) | Frame::Between(_, frame)) => {
                    self.push(frame, before)?;
                    self.push(frame, value)?;
                }
                (_, Frame::At(frame)) => {
                    self.fill(frame)?;
                    self.push(frame, value)?;
                }
                (_, Frame::Between(floor, ceil)) => {
                    self.fill(floor)?;
                    for frame in [floor, ceil] {
                        let value = self.at(self.clock.seconds(frame));
                        self.push(frame, value)?;
                    }
                }
            }
            before = value;
        }
        Ok(())
    }

    /// Adds keys along a spline up to a frame.
    fn fill(&mut self, until: i32) -> Result<()> {
        if !is_spline(self.track) {
            return Ok(());
        }
        let step = self.clock.step();
        let mut frame = self.out.last().map_or(0, |(frame, _)| *frame).saturating_add(step);
        while frame < until {
            let value = self.at(self.clock.seconds(frame));
            self.push(frame, value)?;
            frame = frame.saturating_add(step);
        }
        Ok(())
    }

    fn push(&mut self, frame: i32, value: T) -> Result<()> {
        let at_frame = self.out.iter().rev().take(2).filter(|(other, _)| *other == frame).count();
        match self.out.last_mut() {
            // The frame has already been passed, because two keys are closer than one frame.
            Some((last, _)) if frame < *last => return Ok(()),
            Some((last, last_value)) if *last == frame && *last_value == value => return Ok(()),
            Some((_, last_value)) if at_frame == 2 => {
                *last_value = value;
                return Ok(());
            }
            _ => {}
        }
        self.left = self
            .left
            .checked_sub(1)
            .ok_or_else(|| Error::limit("the clip needs more keys than a model may have".to_owned()))?;
        self.out.push((frame, value));
        Ok(())
    }

    fn part(&self, key: usize, part: usize) -> T {
        let parts = if is_spline(self.track) { 3 } else { 1 };
        let start = key.saturating_mul(parts).saturating_add(part).saturating_mul(T::NUMBERS);
        T::of(self.track.values.get(start..).unwrap_or_default())
    }

    fn value(&self, key: usize) -> T {
        self.part(key, usize::from(is_spline(self.track)))
    }

    /// Returns the value at a time.
    fn at(&self, seconds: f64) -> T {
        let next = self.track.times.partition_point(|time| f64::from(*time) <= seconds);
        let Some(before) = next.checked_sub(1) else { return self.value(0) };
        let (Some(start), Some(end)) = (self.track.times.get(before), self.track.times.get(next)) else {
            return self.value(before);
        };
        let (start, end) = (f64::from(*start), f64::from(*end));
        let share = (seconds - start) / (end - start);
        match self.track.interpolation {
            Interpolation::Step => self.value(before),
            Interpolation::Linear => self.value(before).blend(self.value(next), share),
            Interpolation::CubicSpline => T::spline(
                [self.value(before), self.part(before, 2)],
                [self.value(next), self.part(next, 0)],
                end - start,
                share,
            ),
        }
    }
}

/// Removes keys that are on the line between others, within a tolerance.
pub(super) fn thin(keys: &mut Vec<(i32, f64)>, tolerance: f64) {
    let mut out: Vec<(i32, f64)> = Vec::with_capacity(keys.len());
    let mut anchor: Option<(i32, f64)> = None;
    let mut last: Option<(i32, f64)> = None;
    let (mut min_slope, mut max_slope) = (f64::NEG_INFINITY, f64::INFINITY);
    for key in keys.iter().copied() {
        let (Some(from), Some(before)) = (anchor, last) else {
            out.push(key);
            (anchor, last) = (Some(key), Some(key));
            continue;
        };
        let slope = |from: (i32, f64), value: f64| (value - from.1) / f64::from(key.0.saturating_sub(from.0));
        let is_jump = key.0 == before.0;
        let on_line = !is_jump && (min_slope..=max_slope).contains(&slope(from, key.1));
        let from = if on_line {
            from
        } else {
            if out.last() != Some(&before) {
                out.push(before);
            }
            (min_slope, max_slope) = (f64::NEG_INFINITY, f64::INFINITY);
            if is_jump {
                out.push(key);
                (anchor, last) = (Some(key), Some(key));
                continue;
            }
            anchor = Some(before);
            before
        };
        min_slope = min_slope.max(slope(from, key.1 - tolerance));
        max_slope = max_slope.min(slope(from, key.1 + tolerance));
        last = Some(key);
    }
    if let Some(end) = last
        && out.last() != Some(&end)
    {
        out.push(end);
    }
    *keys = out;
}

#[cfg(test)]
mod tests {
    use super::*;
    use scene::NodeId;

    fn sampled(interpolation: Interpolation, times: &[f32], values: &[f32]) -> Keys<f64> {
        let (times, values) = (times.to_vec(), values.to_vec());
        let target = Target::Weights(NodeId(0));
        let track = Track { target, also: Vec::new(), interpolation, times, values };
        let clock = Clock { frames_per_second: 10.0, length: 0 };
        let mut curve = Curve { clock, track: &track, out: Vec::new(), left: 100 };
        curve.sample().unwrap();
        curve.out
    }

    #[test]
    fn keys_are_at_integer_frames() {
        let keys = sampled(Interpolation::Linear, &[0.1, 0.3], &[1.0, 3.0]);
        assert_eq!(keys, [(0, 1.0), (1, 1.0), (3, 3.0)]);
        let keys = sampled(Interpolation::Linear, &[0.0, 0.25, 0.5], &[0.0, 5.0, 0.0]);
        let expected = [(0, 0.0), (2, 4.0), (3, 4.0), (5, 0.0)];
        for ((frame, value), (at, wanted)) in keys.iter().zip(expected) {
            assert!(*frame == at && (value - wanted).abs() < 1e-6, "{keys:?}");
        }
        assert_eq!(keys.len(), 4);
    }

    #[test]
    fn steps_become_two_keys_and_splines_many() {
        let keys = sampled(Interpolation::Step, &[0.0, 0.5], &[1.0, 2.0]);
        assert_eq!(keys, [(0, 1.0), (5, 1.0), (5, 2.0)]);
        // From 0 to 1 with horizontal tangents.
        let keys = sampled(Interpolation::CubicSpline, &[0.0, 1.0], &[0.0, 0.0, 0.0, 0.0, 1.0, 0.0]);
        assert_eq!(keys.len(), 11);
        assert!((keys[5].1 - 0.5).abs() < 1e-9 && keys[1].1 < 0.05, "{keys:?}");
    }

    #[test]
    fn thin_removes_keys_on_a_line_and_keeps_jumps() {
        let mut keys = vec![(0, 0.0), (1, 1.0), (2, 2.0), (3, 3.0), (3, 0.0), (4, 1.0), (6, 3.0), (7, 0.0)];
        thin(&mut keys, 1e-6);
        assert_eq!(keys, [(0, 0.0), (3, 3.0), (3, 0.0), (6, 3.0), (7, 0.0)]);
    }
}
