//! Converts keys to clips: one for the entire animation and one for each sequence.
//!
//! Between two keys the engine interpolates linearly, and rotates along the shorter arc. Before the first and after the last key,
//! the value is constant. A clip may start and end between keys, so a key is added there. A node without keys of a type keeps its
//! value. A value that is constant within a sequence has one key there, and none if it never changes at all.
//!
//! Source: the engine's `animation.cpp` and `animator.cpp`.

use asset::Report;
use glam::{Quat, Vec3};
use json::json;
use scene::{Interpolation, Scene, Track};

use super::chunk::{self, Chunk};
use super::layout::{self, Keys, Sequence};
use super::nodes::Nodes;
use super::warning;
use crate::axes;
use crate::model::keys::{align, sort_and_dedup};
use crate::model::played::PlayedRanges;
use crate::number::single;
use asset::counted;

/// Default frame rate. A game that plays at a speed of 1 advances by a frame at each update, 60 times per second.
const DEFAULT_FPS: f64 = 60.0;

/// Valid frame rates.
const VALID_FPS: std::ops::RangeInclusive<f64> = 0.001..=100_000.0;

/// Minimum budget for all clips. A malicious file can contain thousands of sequences of thousands of nodes.
const MIN_BUDGET: usize = 1 << 21;

/// Cost of a track in addition to its keys.
const TRACK_COST: usize = 64;

/// Length and frame rate of the animation.
#[derive(Debug, Clone, Copy)]
pub(super) struct Timing {
    pub(super) last: i32,
    fps: f64,
}

/// The keys of a node in frame order, in glTF's axes.
#[derive(Debug, Default)]
struct NodeTracks {
    node: usize,
    positions: Vec<(i32, Vec3)>,
    scales: Vec<(i32, Vec3)>,
    rotations: Vec<(i32, Quat)>,
}

impl NodeTracks {
    fn is_static(&self) -> bool {
        self.positions.is_empty() && self.scales.is_empty() && self.rotations.is_empty()
    }

    fn last(&self) -> Option<i32> {
        let positions = self.positions.last().map(|(frame, _)| *frame);
        let scales = self.scales.last().map(|(frame, _)| *frame);
        let rotations = self.rotations.last().map(|(frame, _)| *frame);
        positions.max(scales).max(rotations)
    }

    /// Whether a key ever differs from the node's own transform.
    fn moves(&self, nodes: &Nodes<'_>, scene: &Scene) -> bool {
        let node = nodes.get(self.node).and_then(|node| scene.nodes.get(node.id.0));
        node.is_some_and(|node| {
            self.positions.iter().any(|(_, value)| *value != node.translation)
                || self.scales.iter().any(|(_, value)| *value != node.scale)
                || self.rotations.iter().any(|(_, value)| *value != node.rotation)
        })
    }

    /// Returns the cost of the keys within these frames, with one at each end.
    fn cost(&self, range: (i32, i32)) -> usize {
        let tracks = [
            keys_within(&self.positions, range),
            keys_within(&self.scales, range),
            keys_within(&self.rotations, range),
        ];
        let keys = tracks.iter().flatten().fold(0_usize, |sum, keys| sum.saturating_add(*keys));
        tracks.iter().flatten().count().saturating_mul(TRACK_COST).saturating_add(keys.saturating_mul(4))
    }
}

/// Problems in keys.
#[derive(Debug, Default)]
struct Defects {
    not_finite: usize,
}

/// Adds the clips: the entire animation first, then the sequences in file order, then further ranges that the game plays of its own
/// characters. A sequence that the game plays is named after its use.
pub(super) fn add(
    scene: &mut Scene,
    nodes: &Nodes<'_>,
    scale: f32,
    played: Option<&PlayedRanges>,
    report: &mut Report,
) {
    let node_tracks: Vec<NodeTracks> = nodes
        .iter()
        .map(|(index, entry)| tracks_of(index, entry.node, scale, nodes, report))
        .filter(|tracks| !tracks.is_static())
        .collect();
    let sequences = sequences(nodes);
    if node_tracks.is_empty() {
        if !sequences.is_empty() {
            let message =
                format!("{}, but no animated nodes", counted(sequences.len(), "sequence", "sequences"));
            report.warn(&warning::NO_KEYS, message);
        }
        return;
    }
    let timing = timing(nodes, &node_tracks, report);
    warn_other_timing(nodes, report);
    warn_keys_outside(nodes, timing, report);
    let cost = |range: (i32, i32)| {
        node_tracks.iter().fold(0_usize, |cost, tracks| cost.saturating_add(tracks.cost(range)))
    };
    // Without any track there would be no clip.
    let moves = node_tracks.iter().any(|tracks| tracks.moves(nodes, scene));
    let full_cost = cost((0, timing.last));
    let mut budget = MIN_BUDGET.max(full_cost.saturating_mul(4)).saturating_sub(full_cost);
    let played = played.map_or(&[][..], |played| played.in_animation(timing.last));
    let clip =
        Clip { name: "animation".to_owned(), sequence: None, range: (0, timing.last), is_short: false };
    add_clip(scene, nodes, &node_tracks, clip, timing);
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
        let range = (*first, *last);
        let Some(rest) = budget.checked_sub(cost(range)) else {
            left_out = left_out.saturating_add(1);
            continue;
        };
        budget = rest;
        let own = if name.is_empty() { format!("sequence {number}") } else { name.short() };
        let played_range = played.iter().find(|played| played.matches(*first, *last));
        let clip = match played_range {
            Some(played_range) => {
                Clip { name: played_range.name.to_owned(), sequence: Some(own), range, is_short: moves }
            }
            None => Clip { name: own, sequence: None, range, is_short: moves },
        };
        add_clip(scene, nodes, &node_tracks, clip, timing);
    }
    for range in played {
        let is_same_range =
            |found: &FoundSequence<'_>| range.matches(found.sequence.first, found.sequence.last);
        let (name, frames) = (range.name.to_owned(), (range.first, range.last));
        if !sequences.iter().any(is_same_range)
            && let Some(rest) = budget.checked_sub(cost(frames))
        {
            budget = rest;
            let clip = Clip { name, sequence: None, range: frames, is_short: moves };
            add_clip(scene, nodes, &node_tracks, clip, timing);
        }
    }
    if left_out > 0 {
        let message =
            format!("{} left out: they would have too many keys", counted(left_out, "sequence", "sequences"));
        report.warn(&warning::MANY_SEQUENCES, message);
    }
}

/// A sequence with the index of its node and its index in the chunks of the node.
pub(super) struct FoundSequence<'a> {
    pub(super) sequence: &'a Sequence,
    node: usize,
    index: usize,
}

impl FoundSequence<'_> {
    pub(super) fn field(&self, nodes: &Nodes<'_>) -> String {
        format!("{}.chunks[{}]", nodes.field(self.node), self.index)
    }
}

/// Returns the sequences in file order.
pub(super) fn sequences<'a>(nodes: &Nodes<'a>) -> Vec<FoundSequence<'a>> {
    let mut sequences = Vec::new();
    for (node, entry) in nodes.iter() {
        for (index, chunk) in entry.node.chunks.iter().enumerate() {
            if let Chunk::Sequence(sequence) = chunk {
                sequences.push(FoundSequence { sequence, node, index });
            }
        }
    }
    sequences
}

/// Returns the first declaration of the length and frame rate of the animation.
fn declared<'a>(nodes: &Nodes<'a>) -> Option<&'a layout::Animation> {
    all_declared(nodes).next()
}

fn all_declared<'a, 'b>(nodes: &'b Nodes<'a>) -> impl Iterator<Item = &'a layout::Animation> + use<'a, 'b> {
    nodes.iter().flat_map(|(_, node)| node.node.chunks.iter()).filter_map(|chunk| match chunk {
        Chunk::Animation(animation) => Some(animation),
        _ => None,
    })
}

/// Reports lengths and frame rates that differ from the first declaration, which is used.
pub(super) fn warn_other_timing(nodes: &Nodes<'_>, report: &mut Report) {
    let mut all = all_declared(nodes).map(|animation| (animation.frames, animation.fps));
    let Some((frames, fps)) = all.next() else { return };
    for (other_frames, other_fps) in all {
        if other_frames != frames || other_fps.to_bits() != fps.to_bits() {
            let message = format!("{other_frames} frames at {other_fps} per second ignored");
            report.warn(&warning::MORE_TIMING, message);
        }
    }
}

fn timing(nodes: &Nodes<'_>, node_tracks: &[NodeTracks], report: &mut Report) -> Timing {
    let declared = declared(nodes);
    let last = match declared.map(|animation| animation.frames).filter(|frames| *frames > 0) {
        Some(frames) => frames,
        None => {
            let last = node_tracks.iter().filter_map(NodeTracks::last).max().unwrap_or_default().max(0);
            let message = format!("no animation length; using the last key, frame {last}");
            report.warn(&warning::NO_LENGTH, message);
            last
        }
    };
    let fps = f64::from(declared.map_or(0.0, |animation| animation.fps));
    if VALID_FPS.contains(&fps) {
        return Timing { last, fps };
    }
    let message = match declared {
        Some(_) if fps != 0.0 => format!("invalid frame rate {fps}; using {DEFAULT_FPS} frames per second"),
        _ => {
            format!("no frame rate; using {DEFAULT_FPS} frames per second")
        }
    };
    report.warn(&warning::NO_SPEED, message);
    Timing { last, fps: DEFAULT_FPS }
}

/// Reports keys outside of the animation.
pub(super) fn warn_keys_outside(nodes: &Nodes<'_>, timing: Timing, report: &mut Report) {
    for (index, entry) in nodes.iter() {
        let frames = keys(entry.node).flat_map(|keys| keys.keys.iter()).map(|key| key.frame);
        let outside = frames.filter(|frame| !(0..=timing.last).contains(frame)).count();
        if outside > 0 {
            let keys = counted(outside, "key is", "keys are");
            let message = format!("{keys} outside of frames 0 to {}", timing.last);
            report.warn(&warning::KEY_OUTSIDE, message).in_field(nodes.field(index));
        }
    }
}

impl Timing {
    /// Returns the timing that the model declares; `None` if there is none.
    pub(super) fn declared(nodes: &Nodes<'_>) -> Option<Self> {
        let last = declared(nodes)?.frames;
        (last > 0).then_some(Self { last, fps: DEFAULT_FPS })
    }
}

fn keys(node: &chunk::Node) -> impl Iterator<Item = &Keys> {
    node.chunks.iter().filter_map(|chunk| match chunk {
        Chunk::Keys(keys) => Some(keys),
        _ => None,
    })
}

fn tracks_of(
    index: usize,
    node: &chunk::Node,
    scale: f32,
    nodes: &Nodes<'_>,
    report: &mut Report,
) -> NodeTracks {
    let mut tracks = NodeTracks { node: index, ..NodeTracks::default() };
    let mut defects = Defects::default();
    for key in keys(node).flat_map(|keys| keys.keys.iter()) {
        let frame = key.frame;
        if let Some(position) = key.position {
            defects.put(&mut tracks.positions, frame, axes::position(position) * scale, Vec3::is_finite);
        }
        if let Some(size) = key.scale {
            defects.put(&mut tracks.scales, frame, Vec3::from(size), Vec3::is_finite);
        }
        if let Some(rotation) = key.rotation {
            let is_valid_rotation = rotation.iter().all(|number| number.is_finite()) && rotation != [0.0; 4];
            let rotation = axes::orientation(rotation);
            defects.put(&mut tracks.rotations, frame, rotation, |rotation| {
                is_valid_rotation && rotation.is_finite() && rotation.length_squared() > 0.5
            });
        }
    }
    let overridden = [
        sort_and_dedup(&mut tracks.positions, i32::cmp),
        sort_and_dedup(&mut tracks.scales, i32::cmp),
        sort_and_dedup(&mut tracks.rotations, i32::cmp),
    ];
    let overridden = overridden.into_iter().fold(0, usize::saturating_add);
    align(&mut tracks.rotations);
    if defects.not_finite > 0 {
        let message =
            format!("{} not finite and left out", counted(defects.not_finite, "key is", "keys are"));
        report.warn(&warning::NOT_FINITE, message).in_field(nodes.field(index));
    }
    if overridden > 0 {
        let keys = counted(overridden, "key is", "keys are");
        let message = format!("{keys} overridden by a later key at the same frame");
        report.warn(&warning::SAME_FRAME, message).in_field(nodes.field(index));
    }
    tracks
}

impl Defects {
    fn put<T>(&mut self, keys: &mut Vec<(i32, T)>, frame: i32, value: T, is_valid: impl Fn(T) -> bool)
    where
        T: Copy,
    {
        if is_valid(value) {
            keys.push((frame, value));
        } else {
            self.not_finite = self.not_finite.saturating_add(1);
        }
    }
}

/// A clip to add.
struct Clip {
    name: String,
    /// Name in the file, if it differs.
    sequence: Option<String>,
    /// First and last frame.
    range: (i32, i32),
    /// Whether redundant keys are left out.
    is_short: bool,
}

impl Clip {
    /// Returns the keys of a track: none if it never differs from the node's own value, one if it is constant within the clip.
    fn cut<T: Copy + PartialEq>(
        &self,
        keys: &[(i32, T)],
        rest: T,
        mix: impl Fn(T, T, f32) -> T,
    ) -> Vec<(i32, T)> {
        if self.is_short && keys.iter().all(|(_, value)| *value == rest) {
            return Vec::new();
        }
        let mut cut = cut(keys, self.range, mix);
        if self.is_short
            && let Some((_, first)) = cut.first().copied()
            && cut.iter().all(|(_, value)| *value == first)
        {
            cut.truncate(1);
        }
        cut
    }
}

fn add_clip(scene: &mut Scene, nodes: &Nodes<'_>, node_tracks: &[NodeTracks], clip: Clip, timing: Timing) {
    let range = clip.range;
    let mut tracks = Vec::new();
    for keys in node_tracks {
        let Some(id) = nodes.get(keys.node).map(|node| node.id) else { continue };
        let Some(node) = scene.nodes.get(id.0) else { continue };
        let positions = clip.cut(&keys.positions, node.translation, |a, b, share| a.lerp(b, share));
        let scales = clip.cut(&keys.scales, node.scale, |a, b, share| a.lerp(b, share));
        let rotations = clip.cut(&keys.rotations, node.rotation, |a, b, share| a.slerp(b, share));
        let linear = Interpolation::Linear;
        tracks.push(Track::translation(id, linear, timed(positions, range.0, timing.fps)));
        tracks.push(Track::rotation(id, linear, timed(rotations, range.0, timing.fps)));
        tracks.push(Track::scale(id, linear, timed(scales, range.0, timing.fps)));
    }
    tracks.retain(|track| !track.times.is_empty());
    let mut extras = scene::Extras::new();
    extras.insert("frames".into(), json!([range.0, range.1]));
    extras.insert("frames_per_second".into(), json!(timing.fps));
    if let Some(sequence) = clip.sequence {
        extras.insert("sequence".into(), sequence.into());
    }
    scene.add_animation(scene::Animation { name: clip.name, tracks, extras });
}

/// Returns the number of keys of a track within these frames, with one at each end; `None` without any keys.
fn keys_within<T>(keys: &[(i32, T)], (first, last): (i32, i32)) -> Option<usize> {
    let before = keys.partition_point(|(frame, _)| *frame <= first);
    let after = keys.partition_point(|(frame, _)| *frame < last);
    (!keys.is_empty()).then_some(after.saturating_sub(before).saturating_add(2))
}

/// Returns the keys of a range of the animation, with one at each end.
fn cut<T: Copy>(keys: &[(i32, T)], (first, last): (i32, i32), mix: impl Fn(T, T, f32) -> T) -> Vec<(i32, T)> {
    let Some(start) = sample(keys, first, &mix) else { return Vec::new() };
    let mut cut = vec![(first, start)];
    cut.extend(keys.iter().filter(|(frame, _)| (first..last).contains(frame) && *frame > first));
    if last > first {
        cut.extend(sample(keys, last, &mix).map(|end| (last, end)));
    }
    cut
}

/// Returns the value at a frame.
pub(super) fn sample<T: Copy>(keys: &[(i32, T)], frame: i32, mix: &impl Fn(T, T, f32) -> T) -> Option<T> {
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

/// Returns the keys with strictly increasing times in seconds. Frames that round to the same time are left out.
fn timed<T>(keys: Vec<(i32, T)>, first: i32, fps: f64) -> impl Iterator<Item = (f32, T)> {
    let mut before = -1.0_f32;
    keys.into_iter().filter_map(move |(frame, value)| {
        let time = single((f64::from(frame) - f64::from(first)) / fps);
        let rises = time > before;
        before = before.max(time);
        rises.then_some((time, value))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn interpolates_keys_at_the_ends_of_a_range() {
        let keys = [(0, 0.0), (10, 10.0), (20, 0.0)];
        let mix = |a: f32, b: f32, share: f32| a + (b - a) * share;
        assert_eq!(cut(&keys, (5, 15), mix), [(5, 5.0), (10, 10.0), (15, 5.0)]);
        assert_eq!(cut(&keys, (10, 20), mix), [(10, 10.0), (20, 0.0)]);
        assert_eq!(cut(&keys, (25, 30), mix), [(25, 0.0), (30, 0.0)]);
        assert_eq!(cut(&keys, (-5, -5), mix), [(-5, 0.0)]);
        assert_eq!(cut(&[], (0, 9), mix), []);
    }

    #[test]
    fn leaves_out_frames_that_round_to_the_same_time() {
        let keys = vec![(0, 'a'), (i32::MAX - 1, 'b'), (i32::MAX, 'c')];
        let times: Vec<_> = timed(keys, 0, 60.0).map(|(_, value)| value).collect();
        assert_eq!(times, ['a', 'b']);
    }
}
