//! How a model moves: its keys as clips, the whole and each sequence.
//!
//! Between two keys the engine goes straight, and turns along the shorter arc; before the first and behind the last key it stands still. A
//! clip starts and ends at frames where there need be no key, so it gets one there. A node without keys of a kind stays as it is.
//!
//! Source: the engine's `animation.cpp` and `animator.cpp`.

use asset::Report;
use glam::{Quat, Vec3};
use scene::{Interpolation, Scene, Track};
use serde_json::json;

use super::chunk::Chunk;
use super::layout::{self, Keys, Sequence};
use super::scene::Nodes;
use super::warning;
use crate::axes;
use asset::counted;

/// Frames a second where the model gives none: a game that asks for a speed of 1 moves on by a frame at each update, of which there are
/// 60 a second.
const USUAL_FPS: f64 = 60.0;

/// What can be meant as frames a second.
const SANE_FPS: std::ops::RangeInclusive<f64> = 0.001..=100_000.0;

/// What all clips together may cost: a hostile file can ask for thousands of sequences of thousands of nodes.
const LEAST_BUDGET: usize = 1 << 21;

/// What a track costs beside its keys.
const TRACK_COST: usize = 64;

/// Length and speed of the animation.
#[derive(Debug, Clone, Copy)]
pub(super) struct Timing {
    pub(super) last: i32,
    fps: f64,
}

/// The keys of a node, in frame order, in glTF's axes.
#[derive(Debug, Default)]
struct Motion {
    place: usize,
    positions: Vec<(i32, Vec3)>,
    scales: Vec<(i32, Vec3)>,
    rotations: Vec<(i32, Quat)>,
}

impl Motion {
    fn is_still(&self) -> bool {
        self.positions.is_empty() && self.scales.is_empty() && self.rotations.is_empty()
    }

    fn last(&self) -> Option<i32> {
        let positions = self.positions.last().map(|(frame, _)| *frame);
        let scales = self.scales.last().map(|(frame, _)| *frame);
        let rotations = self.rotations.last().map(|(frame, _)| *frame);
        positions.max(scales).max(rotations)
    }

    fn cost(&self) -> usize {
        let tracks = [self.positions.len(), self.scales.len(), self.rotations.len()];
        tracks
            .iter()
            .filter(|keys| **keys > 0)
            .fold(0, |cost, keys| cost.saturating_add(TRACK_COST).saturating_add(keys.saturating_mul(4)))
    }
}

/// What is amiss with keys.
#[derive(Debug, Default)]
struct Amiss {
    not_finite: usize,
    twice: usize,
}

/// Adds the clips: the whole animation first, then the sequences in file order.
pub(super) fn add(scene: &mut Scene, nodes: &Nodes<'_>, scale: f32, report: &mut Report) {
    let motions: Vec<Motion> = nodes
        .iter()
        .map(|(place, node)| motion(place, node.node, scale, nodes, report))
        .filter(|motion| !motion.is_still())
        .collect();
    let sequences = sequences(nodes);
    if motions.is_empty() {
        if !sequences.is_empty() {
            let message =
                format!("{}, but nothing that moves", counted(sequences.len(), "sequence", "sequences"));
            report.warn(&warning::NO_KEYS, message);
        }
        return;
    }
    let timing = timing(nodes, &motions, report);
    tell_more_timing(nodes, report);
    tell_outside(nodes, timing, report);
    let whole = motions.iter().fold(0_usize, |cost, motion| cost.saturating_add(motion.cost()));
    let mut budget = LEAST_BUDGET.max(whole.saturating_mul(4));
    add_clip(scene, nodes, &motions, "animation".to_owned(), (0, timing.last), timing);
    budget = budget.saturating_sub(whole);
    let mut left_out = 0_usize;
    for (number, found) in sequences.iter().enumerate() {
        let Sequence { name, first, last, .. } = found.sequence;
        if first > last {
            let message = format!(
                "the sequence \"{name:.80}\" ends before it starts ({first} to {last}) and is left out"
            );
            report.warn(&warning::BAD_SEQUENCE, message).in_field(found.field(nodes));
            continue;
        }
        if whole > budget {
            left_out = left_out.saturating_add(1);
            continue;
        }
        budget = budget.saturating_sub(whole);
        let name = if name.is_empty() { format!("sequence {number}") } else { name.short() };
        add_clip(scene, nodes, &motions, name, (*first, *last), timing);
    }
    if left_out > 0 {
        let message = format!(
            "{} of so many moving nodes are too much, and are left out",
            counted(left_out, "sequence", "sequences")
        );
        report.warn(&warning::MANY_SEQUENCES, message);
    }
}

/// A sequence, and where it stands: the place of its node, and which of its chunks it is.
pub(super) struct Found<'a> {
    pub(super) sequence: &'a Sequence,
    place: usize,
    index: usize,
}

impl Found<'_> {
    pub(super) fn field(&self, nodes: &Nodes<'_>) -> String {
        format!("{}.chunks[{}]", nodes.field(self.place), self.index)
    }
}

/// The sequences in file order.
pub(super) fn sequences<'a>(nodes: &Nodes<'a>) -> Vec<Found<'a>> {
    let mut sequences = Vec::new();
    for (place, node) in nodes.iter() {
        for (index, chunk) in node.node.chunks.iter().enumerate() {
            if let Chunk::Sequence(sequence) = chunk {
                sequences.push(Found { sequence, place, index });
            }
        }
    }
    sequences
}

/// What the model says of the length and speed of its animation, the first time it does.
fn stated<'a>(nodes: &Nodes<'a>) -> Option<&'a layout::Animation> {
    all_stated(nodes).next()
}

fn all_stated<'a, 'b>(nodes: &'b Nodes<'a>) -> impl Iterator<Item = &'a layout::Animation> + use<'a, 'b> {
    nodes.iter().flat_map(|(_, node)| node.node.chunks.iter()).filter_map(|chunk| match chunk {
        Chunk::Animation(animation) => Some(animation),
        _ => None,
    })
}

/// Tells of lengths and speeds other than the first, which counts.
pub(super) fn tell_more_timing(nodes: &Nodes<'_>, report: &mut Report) {
    let mut all = all_stated(nodes).map(|animation| (animation.frames, animation.fps));
    let Some((frames, fps)) = all.next() else { return };
    for (other_frames, other_fps) in all {
        if other_frames != frames || other_fps.to_bits() != fps.to_bits() {
            let message = format!("{other_frames} frames at {other_fps} a second are passed over");
            report.warn(&warning::MORE_TIMING, message);
        }
    }
}

fn timing(nodes: &Nodes<'_>, motions: &[Motion], report: &mut Report) -> Timing {
    let stated = stated(nodes);
    let last = match stated.map(|animation| animation.frames).filter(|frames| *frames > 0) {
        Some(frames) => frames,
        None => {
            let last = motions.iter().filter_map(Motion::last).max().unwrap_or_default().max(0);
            let message = format!(
                "the model does not say how long its animation is; it goes to the last key, frame {last}"
            );
            report.warn(&warning::NO_LENGTH, message);
            last
        }
    };
    let fps = f64::from(stated.map_or(0.0, |animation| animation.fps));
    if SANE_FPS.contains(&fps) {
        return Timing { last, fps };
    }
    let message = match stated {
        Some(_) if fps != 0.0 => format!("{fps} frames a second cannot be; {USUAL_FPS} are taken"),
        _ => {
            format!("the model does not say how fast its animation is; {USUAL_FPS} frames a second are taken")
        }
    };
    report.warn(&warning::NO_SPEED, message);
    Timing { last, fps: USUAL_FPS }
}

/// Tells of keys beyond the ends of the animation.
pub(super) fn tell_outside(nodes: &Nodes<'_>, timing: Timing, report: &mut Report) {
    for (place, node) in nodes.iter() {
        let frames = keys(node.node).flat_map(|keys| keys.keys.iter()).map(|key| key.frame);
        let outside = frames.filter(|frame| !(0..=timing.last).contains(frame)).count();
        if outside > 0 {
            let keys = counted(outside, "key stands", "keys stand");
            let message = format!("{keys} outside the frames 0 to {}", timing.last);
            report.warn(&warning::KEY_OUTSIDE, message).in_field(nodes.field(place));
        }
    }
}

impl Timing {
    /// As the model states it; nothing when it does not.
    pub(super) fn stated(nodes: &Nodes<'_>) -> Option<Self> {
        let last = stated(nodes)?.frames;
        (last > 0).then_some(Self { last, fps: USUAL_FPS })
    }
}

fn keys(node: &layout::Node) -> impl Iterator<Item = &Keys> {
    node.chunks.iter().filter_map(|chunk| match chunk {
        Chunk::Keys(keys) => Some(keys),
        _ => None,
    })
}

fn motion(place: usize, node: &layout::Node, scale: f32, nodes: &Nodes<'_>, report: &mut Report) -> Motion {
    let mut motion = Motion { place, ..Motion::default() };
    let mut amiss = Amiss::default();
    for key in keys(node).flat_map(|keys| keys.keys.iter()) {
        let frame = key.frame;
        if let Some(position) = key.position {
            amiss.put(&mut motion.positions, frame, axes::position(position) * scale, Vec3::is_finite);
        }
        if let Some(size) = key.scale {
            amiss.put(&mut motion.scales, frame, Vec3::from(size), Vec3::is_finite);
        }
        if let Some(turn) = key.rotation {
            let is_turn = turn.iter().all(|number| number.is_finite()) && turn != [0.0; 4];
            let turn = axes::orientation(turn);
            amiss.put(&mut motion.rotations, frame, turn, |turn| {
                is_turn && turn.is_finite() && turn.length_squared() > 0.5
            });
        }
    }
    amiss.settle(&mut motion.positions);
    amiss.settle(&mut motion.scales);
    amiss.settle(&mut motion.rotations);
    align(&mut motion.rotations);
    if amiss.not_finite > 0 {
        let message = format!("{} not finite, and left out", counted(amiss.not_finite, "key is", "keys are"));
        report.warn(&warning::NOT_FINITE, message).in_field(nodes.field(place));
    }
    if amiss.twice > 0 {
        let keys = counted(amiss.twice, "key has", "keys have");
        let message = format!("{keys} the same frame as a later one, which counts");
        report.warn(&warning::SAME_FRAME, message).in_field(nodes.field(place));
    }
    motion
}

impl Amiss {
    fn put<T>(&mut self, keys: &mut Vec<(i32, T)>, frame: i32, value: T, is_sound: impl Fn(T) -> bool)
    where
        T: Copy,
    {
        if is_sound(value) {
            keys.push((frame, value));
        } else {
            self.not_finite = self.not_finite.saturating_add(1);
        }
    }

    /// Sorts keys by frame; of several with one frame the last one stays.
    fn settle<T: Copy>(&mut self, keys: &mut Vec<(i32, T)>) {
        let before = keys.len();
        keys.sort_by_key(|(frame, _)| *frame);
        keys.reverse();
        keys.dedup_by_key(|(frame, _)| *frame);
        keys.reverse();
        self.twice = self.twice.saturating_add(before.saturating_sub(keys.len()));
    }
}

/// Lets each turn have the sign that is nearer to the one before.
fn align(turns: &mut [(i32, Quat)]) {
    let mut before = None;
    for (_, turn) in turns {
        if before.is_some_and(|before| turn.dot(before) < 0.0) {
            *turn = -*turn;
        }
        before = Some(*turn);
    }
}

fn add_clip(
    scene: &mut Scene,
    nodes: &Nodes<'_>,
    motions: &[Motion],
    name: String,
    range: (i32, i32),
    timing: Timing,
) {
    let mut tracks = Vec::new();
    for motion in motions {
        let Some(id) = nodes.get(motion.place).map(|place| place.id) else { continue };
        let positions = cut(&motion.positions, range, |a, b, share| a.lerp(b, share));
        let scales = cut(&motion.scales, range, |a, b, share| a.lerp(b, share));
        let rotations = cut(&motion.rotations, range, |a, b, share| a.slerp(b, share));
        let linear = Interpolation::Linear;
        tracks.push(Track::translation(id, linear, timed(positions, range.0, timing.fps)));
        tracks.push(Track::rotation(id, linear, timed(rotations, range.0, timing.fps)));
        tracks.push(Track::scale(id, linear, timed(scales, range.0, timing.fps)));
    }
    tracks.retain(|track| !track.times.is_empty());
    let mut extras = scene::Extras::new();
    extras.insert("frames".into(), json!([range.0, range.1]));
    extras.insert("frames_per_second".into(), json!(timing.fps));
    scene.add_animation(scene::Animation { name, tracks, extras });
}

/// The keys of a part of the animation, with one at each end.
fn cut<T: Copy>(keys: &[(i32, T)], (first, last): (i32, i32), mix: impl Fn(T, T, f32) -> T) -> Vec<(i32, T)> {
    let Some(start) = sample(keys, first, &mix) else { return Vec::new() };
    let mut cut = vec![(first, start)];
    cut.extend(keys.iter().filter(|(frame, _)| (first..last).contains(frame) && *frame > first));
    if last > first {
        cut.extend(sample(keys, last, &mix).map(|end| (last, end)));
    }
    cut
}

/// What the keys come to in a frame.
fn sample<T: Copy>(keys: &[(i32, T)], frame: i32, mix: &impl Fn(T, T, f32) -> T) -> Option<T> {
    let next = keys.partition_point(|(key, _)| *key <= frame);
    let before = next.checked_sub(1).and_then(|index| keys.get(index));
    match (before, keys.get(next)) {
        (Some((at, a)), Some((to, b))) if *at < frame => {
            let [at, to, frame] = [*at, *to, frame].map(f64::from);
            Some(mix(*a, *b, single((frame - at) / (to - at))))
        }
        (Some((_, value)), _) | (None, Some((_, value))) => Some(*value),
        (None, None) => None,
    }
}

/// Keys by seconds, rising: frames too many to be told apart are left out.
fn timed<T>(keys: Vec<(i32, T)>, first: i32, fps: f64) -> impl Iterator<Item = (f32, T)> {
    let mut before = -1.0_f32;
    keys.into_iter().filter_map(move |(frame, value)| {
        let time = single((f64::from(frame) - f64::from(first)) / fps);
        let rises = time > before;
        before = before.max(time);
        rises.then_some((time, value))
    })
}

#[expect(
    clippy::as_conversions,
    clippy::cast_possible_truncation,
    reason = "rounding to single precision is meant"
)]
fn single(number: f64) -> f32 {
    number as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_is_cut_exactly_where_there_is_no_key() {
        let keys = [(0, 0.0), (10, 10.0), (20, 0.0)];
        let mix = |a: f32, b: f32, share: f32| a + (b - a) * share;
        assert_eq!(cut(&keys, (5, 15), mix), [(5, 5.0), (10, 10.0), (15, 5.0)]);
        assert_eq!(cut(&keys, (10, 20), mix), [(10, 10.0), (20, 0.0)]);
        assert_eq!(cut(&keys, (25, 30), mix), [(25, 0.0), (30, 0.0)]);
        assert_eq!(cut(&keys, (-5, -5), mix), [(-5, 0.0)]);
        assert_eq!(cut(&[], (0, 9), mix), []);
    }

    #[test]
    fn the_later_of_two_keys_with_one_frame_counts() {
        let mut keys = vec![(5, 'a'), (1, 'b'), (5, 'c'), (1, 'd'), (3, 'e')];
        let mut amiss = Amiss::default();
        amiss.settle(&mut keys);
        assert_eq!(keys, [(1, 'd'), (3, 'e'), (5, 'c')]);
        assert_eq!(amiss.twice, 2);
    }

    #[test]
    fn times_rise_even_where_floats_cannot_tell_frames_apart() {
        let keys = vec![(0, 'a'), (i32::MAX - 1, 'b'), (i32::MAX, 'c')];
        let times: Vec<_> = timed(keys, 0, 60.0).map(|(_, value)| value).collect();
        assert_eq!(times, ['a', 'b']);
    }
}
