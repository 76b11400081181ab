//! Converts clips to keys at frames and to sequences.

use std::collections::{BTreeMap, BTreeSet};

use asset::Report;
use glam::{Quat, Vec3};
use record::{Error, Result};
use scene::{Interpolation, NodeId, Scene, Target};

use super::super::animation::sample;
use super::super::chunk::{self, Chunk};
use super::super::kept::Kept;
use super::super::layout::{Animation, Key, Keys, Sequence};
use super::super::text::CText;
use super::super::{B3d, warning};
use super::base::{Base, is_same_point, is_same_rotation};
use super::node::{KeysSource, Nodes};
use super::transform::Transform;
use super::{Import, file_rotation};
use crate::axes;
use crate::import::curve::{Curve, unit};
use crate::number::single;

/// Maximum number of keys. A short clip may require any number of frames.
const MAX_KEYS: usize = 1 << 22;

/// Common frame rates of other programs. The first with a frame for each key is used.
const COMMON_FRAME_RATES: [f64; 8] = [24.0, 25.0, 30.0, 48.0, 50.0, 60.0, 100.0, 120.0];

/// Maximum number of clips. Each is compared with all keys.
const MAX_CLIPS: usize = 1 << 10;

/// Frame rate if none of the common ones fits.
const DEFAULT_FRAME_RATE: f64 = 60.0;

/// Tolerance of key times in frames: times are rounded.
const FRAME_TOLERANCE: f64 = 0.02;

/// A clip with its frame range.
#[derive(Debug)]
struct PlacedClip<'a> {
    clip: &'a scene::Animation,
    first: i32,
    last: i32,
    /// Whether its frame range was known. Known ranges may overlap other clips.
    is_known: bool,
    tracks: BTreeMap<Target, Curve<'a>>,
}

/// All clips with their frame ranges.
#[derive(Debug)]
pub(super) struct Timeline<'a> {
    speed: f64,
    clips: Vec<PlacedClip<'a>>,
    /// Last frame of all clips.
    last: i32,
    /// Targets animated by a clip.
    moved: BTreeSet<Target>,
    keys_left: usize,
}

impl<'a> Timeline<'a> {
    pub(super) fn of(scene: &'a Scene, kept: Option<&Kept>, base: Option<&Base<'_>>) -> Result<Self> {
        let of_nodes = |clip: &'a scene::Animation| {
            let mut tracks = BTreeMap::new();
            for track in &clip.tracks {
                if let Some(curve) = Curve::of(track) {
                    tracks.extend(track.targets().map(|target| (target, curve)));
                }
            }
            (!tracks.is_empty()).then_some((clip, tracks))
        };
        let found: Vec<_> = scene.animations.iter().filter_map(of_nodes).collect();
        if found.len() > MAX_CLIPS {
            return Err(Error::limit(format!("{} animations exceed the limit of {MAX_CLIPS}", found.len())));
        }
        let stored = |clip: &scene::Animation, name: &str| clip.extras.get(name).cloned();
        let speed_of = |clip: &scene::Animation| stored(clip, "frames_per_second")?.as_f64();
        let known_speed = kept
            .and_then(|kept| kept.frames_per_second)
            .or_else(|| found.iter().find_map(|(clip, _)| speed_of(clip)))
            .filter(|speed| (0.001..=100_000.0).contains(speed));
        let curves = || found.iter().flat_map(|(_, tracks)| tracks.values().copied());
        let speed = known_speed.unwrap_or_else(|| fitting_frame_rate(&curves().collect::<Vec<_>>()));
        let mut timeline =
            Self { speed, clips: Vec::new(), last: 0, moved: BTreeSet::new(), keys_left: MAX_KEYS };
        let before = base.and_then(|base| declared(base.model)).unwrap_or_default();
        let mut next = if base.is_some() { before.checked_add(1) } else { Some(0) };
        let mut unplaced = Vec::new();
        for (clip, tracks) in found {
            let frames = kept.and_then(|kept| kept.frames(&clip.name)).or_else(|| {
                let frames = stored(clip, "frames").filter(|_| known_speed.is_some())?;
                json::from_value::<(i32, i32)>(frames).ok().filter(|(first, last)| first <= last)
            });
            timeline.moved.extend(tracks.keys().copied());
            match frames {
                Some((first, last)) => {
                    timeline.last = timeline.last.max(last);
                    timeline.clips.push(PlacedClip { clip, first, last, is_known: true, tracks });
                }
                None => unplaced.push((clip, tracks)),
            }
        }
        if base.is_none() && !timeline.clips.is_empty() {
            next = timeline.last.checked_add(1);
        }
        // The complete animation comes before its ranges.
        timeline.clips.sort_by_key(|placed| std::cmp::Reverse(placed.last.abs_diff(placed.first)));
        for (clip, tracks) in unplaced {
            let end = tracks
                .values()
                .filter_map(|curve| curve.times().last())
                .fold(0.0_f32, |end, time| end.max(*time));
            let too_long = || Error::limit(format!("the animation \"{:.80}\" is too long", clip.name));
            let first = next.ok_or_else(too_long)?;
            let length =
                frame(f64::from(end) * speed - FRAME_TOLERANCE, f64::ceil).ok_or_else(too_long)?.max(0);
            let last = first.checked_add(length).ok_or_else(too_long)?;
            (next, timeline.last) = (last.checked_add(1), timeline.last.max(last));
            timeline.clips.push(PlacedClip { clip, first, last, is_known: false, tracks });
        }
        Ok(timeline)
    }

    /// Whether there are no clips.
    pub(super) fn is_static(&self) -> bool {
        self.clips.is_empty()
    }

    /// Whether a clip moves a node.
    pub(super) fn moves(&self, node: NodeId) -> bool {
        Kind::ALL.iter().any(|kind| self.moved.contains(&kind.target(node)))
    }

    /// Writes the length and frame rate of the animation, and its sequences.
    pub(super) fn add_to(&self, model: &mut B3d, base: Option<&Base<'_>>, report: &mut Report) {
        if self.is_static() {
            if base.is_some_and(|base| has_keys(base.model)) {
                report.warn(&warning::MISSING, "the original model has an animation, but the scene has none");
                remove_timing(&mut model.chunks);
            }
            return;
        }
        let sequence = |placed: &PlacedClip<'_>| {
            let kept = placed.clip.extras.get("sequence").and_then(|name| name.as_str());
            let name = kept.unwrap_or(&placed.clip.name).replace('\0', "");
            Chunk::Sequence(Sequence {
                name: CText::from(name.as_str()),
                first: placed.first,
                last: placed.last,
                ..Sequence::default()
            })
        };
        // The complete animation is not a sequence, unless it is the only clip of another program.
        let is_complete =
            |placed: &&PlacedClip<'_>| placed.is_known && placed.first == 0 && placed.last == self.last;
        let new: Vec<Chunk> = match base {
            Some(_) => self.clips.iter().filter(|placed| !placed.is_known).map(sequence).collect(),
            None => self.clips.iter().filter(|placed| !is_complete(placed)).map(sequence).collect(),
        };
        let mut timing = false;
        set_length(&mut model.chunks, self.last, &mut timing);
        let Some(Chunk::Node(root)) = model.chunks.iter_mut().rfind(|chunk| matches!(chunk, Chunk::Node(_)))
        else {
            return;
        };
        let insertion_index = |chunks: &[Chunk]| {
            let last =
                chunks.iter().rposition(|chunk| matches!(chunk, Chunk::Sequence(_) | Chunk::Animation(_)));
            let before_nodes = || {
                chunks
                    .iter()
                    .position(|chunk| matches!(chunk, Chunk::Node(_) | Chunk::Keys(_) | Chunk::Bone(_)))
            };
            last.map(|last| last.saturating_add(1)).or_else(before_nodes).unwrap_or(chunks.len())
        };
        if !timing {
            let animation = Animation { frames: self.last, fps: single(self.speed), ..Animation::default() };
            root.chunks.insert(insertion_index(&root.chunks), Chunk::Animation(animation));
        }
        for sequence in new {
            root.chunks.insert(insertion_index(&root.chunks), sequence);
        }
    }

    /// Returns the keys of a track at frames: its own, and additional ones where it is not linear.
    fn frames(&mut self, placed: usize, target: Target) -> Result<Vec<(i32, [f32; 4])>> {
        let (speed, left) = (self.speed, self.keys_left);
        let Some(placed) = self.clips.get(placed) else { return Ok(Vec::new()) };
        let Some(curve) = placed.tracks.get(&target) else { return Ok(Vec::new()) };
        let too_many =
            || Error::limit(format!("the animation \"{:.80}\" has too many keys", placed.clip.name));
        let (first, last) = (f64::from(placed.first), f64::from(placed.last));
        let at = |number: i32| curve.at((f64::from(number) - first) / speed);
        let mut out: BTreeMap<i32, [f32; 4]> = BTreeMap::new();
        let mut before: Option<i32> = None;
        for (key, time) in curve.times().iter().enumerate() {
            let exact = (first + f64::from(*time) * speed).clamp(first, last);
            let near = frame(exact, f64::round).ok_or_else(too_many)?;
            match curve.interpolation() {
                Interpolation::Linear if (exact - f64::from(near)).abs() <= FRAME_TOLERANCE => {
                    out.insert(near, curve.key(key));
                }
                Interpolation::Linear => {
                    for number in [frame(exact, f64::floor), frame(exact, f64::ceil)] {
                        let number = number.ok_or_else(too_many)?;
                        out.insert(number, at(number));
                    }
                }
                Interpolation::Step => {
                    if let (Some(before), Some(hold)) = (before, near.checked_sub(1))
                        && hold > before
                    {
                        let value =
                            out.get(&before).copied().unwrap_or_else(|| curve.key(key.saturating_sub(1)));
                        out.insert(hold, value);
                    }
                    out.insert(near, curve.key(key));
                }
                Interpolation::CubicSpline => {
                    let start = before.map_or(near, |before| before.saturating_add(1));
                    let count = usize::try_from(near.saturating_sub(start)).unwrap_or_default();
                    if out.len().saturating_add(count) > left {
                        return Err(too_many());
                    }
                    out.extend((start..near).map(|number| (number, at(number))));
                    out.insert(near, curve.key(key));
                }
            }
            before = Some(near);
        }
        if out.len() > left {
            return Err(too_many());
        }
        self.keys_left = left.saturating_sub(out.len());
        Ok(out.into_iter().collect())
    }
}

/// Returns the frame rate with a frame for each key: a common one, or the one of the closest keys.
fn fitting_frame_rate(curves: &[Curve<'_>]) -> f64 {
    let is_near = |time: f32, speed: f64| {
        let frame = f64::from(time) * speed;
        (frame - frame.round()).abs() <= FRAME_TOLERANCE
    };
    let fits = |speed: &f64| {
        let mut times = curves.iter().flat_map(Curve::times);
        times.all(|time| is_near(*time, *speed))
    };
    let gaps = curves.iter().flat_map(|curve| curve.times().windows(2)).filter_map(|pair| match pair {
        [a, b] => Some(f64::from(*b) - f64::from(*a)),
        _ => None,
    });
    let closest = gaps.fold(f64::INFINITY, f64::min).recip().round();
    let closest = Some(closest).filter(|speed| (1.0..=1000.0).contains(speed));
    COMMON_FRAME_RATES.into_iter().chain(closest).find(fits).unwrap_or(DEFAULT_FRAME_RATE)
}

/// Returns the rounded frame number.
fn frame(number: f64, round: fn(f64) -> f64) -> Option<i32> {
    let number = round(number);
    #[expect(clippy::as_conversions, clippy::cast_possible_truncation, reason = "integer and within bounds")]
    let integer = (number.abs() <= 1e9).then_some(number as i32);
    integer
}

/// Returns the last frame that a model declares or has keys for.
fn declared(model: &B3d) -> Option<i32> {
    let (mut declared, mut last) = (None, None);
    model.visit(&mut |chunk, _| match chunk {
        Chunk::Animation(animation) if declared.is_none() && animation.frames > 0 => {
            declared = Some(animation.frames);
        }
        Chunk::Keys(keys) => last = last.max(keys.keys.iter().map(|key| key.frame).max()),
        _ => {}
    });
    declared.max(last)
}

fn has_keys(model: &B3d) -> bool {
    let mut has = false;
    model.visit(&mut |chunk, _| has |= matches!(chunk, Chunk::Keys(_)));
    has
}

/// Removes the declared length and the sequences of an animation.
fn remove_timing(chunks: &mut Vec<Chunk>) {
    chunks.retain(|chunk| !matches!(chunk, Chunk::Animation(_) | Chunk::Sequence(_)));
    for chunk in chunks {
        if let Some(chunks) = chunk.chunks_mut() {
            remove_timing(chunks);
        }
    }
}

/// Extends the declared length if necessary. Sets `is_done` if there is a declaration.
fn set_length(chunks: &mut [Chunk], last: i32, is_done: &mut bool) {
    for chunk in chunks {
        if let Chunk::Animation(animation) = chunk {
            animation.frames =
                if animation.frames > 0 { animation.frames.max(last) } else { animation.frames };
            *is_done = true;
        } else if let Some(chunks) = chunk.chunks_mut() {
            set_length(chunks, last, is_done);
        }
    }
}

/// Interpolation of rotations between two keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Path {
    /// Spherical, as in the engine.
    Arc,
    /// Normalized linear, as in Blender, which writes a key for each frame.
    Chord,
}

/// The kind of value of a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Position,
    Scale,
    Rotation,
}

impl Kind {
    const ALL: [Self; 3] = [Self::Position, Self::Scale, Self::Rotation];

    fn target(self, node: NodeId) -> Target {
        match self {
            Self::Position => Target::Translation(node),
            Self::Scale => Target::Scale(node),
            Self::Rotation => Target::Rotation(node),
        }
    }

    fn of_transform(self, transform: &Transform) -> [f32; 4] {
        let wide = |value: Vec3| [value.x, value.y, value.z, 0.0];
        match self {
            Self::Position => wide(transform.translation),
            Self::Scale => wide(transform.scale),
            Self::Rotation => transform.rotation.to_array(),
        }
    }

    fn interpolate(self, path: Path, a: [f32; 4], b: [f32; 4], share: f32) -> [f32; 4] {
        match self {
            Self::Rotation => {
                let [a, b] = [a, b].map(|turn| unit(Quat::from_array(turn)));
                let b = if a.dot(b) < 0.0 { -b } else { b };
                let turn = match path {
                    Path::Arc => a.slerp(b, share),
                    Path::Chord => unit(a * (1.0 - share) + b * share),
                };
                turn.to_array()
            }
            Self::Position | Self::Scale => {
                let mut out = a;
                for (out, b) in out.iter_mut().zip(b) {
                    *out += (b - *out) * share;
                }
                out
            }
        }
    }

    fn is_same(self, a: [f32; 4], b: [f32; 4]) -> bool {
        let point = |[x, y, z, _]: [f32; 4]| Vec3::new(x, y, z);
        match self {
            Self::Rotation => is_same_rotation(unit(Quat::from_array(a)), unit(Quat::from_array(b))),
            Self::Position | Self::Scale => is_same_point(point(a), point(b)),
        }
    }

    /// Returns the value of a key of the file in the scene's axes.
    fn of_key(self, key: &Key, scale: f32) -> Option<[f32; 4]> {
        match self {
            Self::Position => {
                key.position.map(|position| (axes::position(position) * scale).extend(0.0).to_array())
            }
            Self::Scale => key.scale.map(|[x, y, z]| [x, y, z, 0.0]),
            Self::Rotation => key.rotation.map(|rotation| axes::orientation(rotation).to_array()),
        }
    }
}

/// Values at frames.
type Channel = BTreeMap<i32, [f32; 4]>;

/// Adds the keys of the clips to all nodes.
pub(super) fn add<'a>(import: &mut Import<'a>, nodes: &mut Nodes<'a>) -> Result<()> {
    if import.timeline.is_static() {
        for node in &mut nodes.list {
            node.keys = KeysSource::New(Vec::new());
        }
        return Ok(());
    }
    for number in 0..nodes.list.len() {
        let Some(node) = nodes.get(number) else { continue };
        let (transform, own) = (node.transform, node.base.map(|(_, node)| node));
        let Some(source) = node.source else { continue };
        let rest = match import.scene.nodes.get(source.0) {
            // A node that only its keys move keeps its transform.
            Some(_) if node.is_kept_transform => transform,
            Some(node) => Transform::of(node),
            None => transform,
        };
        let mut channels = Vec::new();
        let mut is_changed = false;
        for kind in Kind::ALL {
            let before = own.map(|own| channel_of(own, kind, import.scale)).unwrap_or_default();
            let (channel, changed) = channel(import, source, kind, before, (rest, transform))?;
            is_changed |= changed;
            channels.push((kind, channel));
        }
        if is_changed {
            let new_keys = keys(import, channels)?;
            if let Some(node) = nodes.get_mut(number) {
                node.keys = KeysSource::New(new_keys);
            }
        }
    }
    Ok(())
}

/// Returns the values of a node's own keys. Of several with one frame, the last one is used.
fn channel_of(node: &chunk::Node, kind: Kind, scale: f32) -> Channel {
    let lists = node.chunks.iter().filter_map(|chunk| match chunk {
        Chunk::Keys(keys) => Some(keys),
        _ => None,
    });
    let keys = lists.flat_map(|keys| &keys.keys);
    let valued = keys.filter_map(|key| Some((key.frame, kind.of_key(key, scale)?)));
    valued.filter(|(_, value)| value.iter().all(|number| number.is_finite())).collect()
}

/// Returns the values of one kind: the original ones, and those of clips that differ; also whether any clip differs.
fn channel(
    import: &mut Import<'_>,
    source: NodeId,
    kind: Kind,
    mut channel: Channel,
    (rest, transform): (Transform, Transform),
) -> Result<(Channel, bool)> {
    let (rest, initial) = (kind.of_transform(&rest), kind.of_transform(&transform));
    let target = kind.target(source);
    let mut is_changed = false;
    let timeline = &mut import.timeline;
    let is_used = !channel.is_empty() || !kind.is_same(rest, initial) || timeline.moved.contains(&target);
    if !is_used {
        return Ok((channel, false));
    }
    let mut old_keys = sorted(&channel);
    for index in 0..timeline.clips.len() {
        let Some(placed) = timeline.clips.get(index) else { continue };
        let (first, last, is_known) = (placed.first, placed.last, placed.is_known);
        let old = |number: f64| at(&old_keys, kind, Path::Arc, number).unwrap_or(initial);
        let is_old = |value: [f32; 4], number: f64| {
            [Path::Arc, Path::Chord]
                .into_iter()
                .any(|path| kind.is_same(value, at(&old_keys, kind, path, number).unwrap_or(initial)))
        };
        let curve = placed.tracks.get(&target).copied();
        let is_as_before = match curve {
            Some(curve) => curve.times().iter().enumerate().all(|(key, time)| {
                let number = (f64::from(first) + f64::from(*time) * timeline.speed).min(f64::from(last));
                // Times are rounded.
                let near =
                    if (number - number.round()).abs() <= FRAME_TOLERANCE { number.round() } else { number };
                is_old(curve.key(key), near)
            }),
            // A conversion leaves out tracks that do not change their target.
            None => {
                let start = old_keys.partition_point(|(frame, _)| *frame < first);
                let within = old_keys.iter().skip(start).take_while(|(frame, _)| *frame <= last);
                let mut values = within.map(|(_, value)| *value).chain([old(first.into()), old(last.into())]);
                values.all(|value| kind.is_same(value, rest))
            }
        };
        if is_as_before && (is_known || channel.is_empty()) {
            continue;
        }
        let mut new = timeline.frames(index, target)?;
        if new.is_empty() {
            new.push((first, rest));
        }
        // Adjacent frames keep their values.
        if is_known && !channel.is_empty() {
            for adjacent in [first.checked_sub(1), last.checked_add(1)].into_iter().flatten() {
                let is_inside = old_keys.iter().any(|(frame, _)| *frame < adjacent)
                    && old_keys.iter().any(|(frame, _)| *frame > adjacent);
                if is_inside {
                    channel.insert(adjacent, old(adjacent.into()));
                }
            }
        }
        channel.retain(|frame, _| !(first..=last).contains(frame));
        for (end, value) in [(first, new.first().copied()), (last, new.last().copied())] {
            if let Some((_, value)) = value {
                channel.insert(end, value);
            }
        }
        timeline.keys_left =
            timeline.keys_left.checked_sub(2).ok_or_else(|| Error::limit("too many keys"))?;
        channel.extend(new);
        old_keys = sorted(&channel);
        is_changed = true;
    }
    Ok((channel, is_changed))
}

fn sorted(channel: &Channel) -> Vec<(i32, [f32; 4])> {
    channel.iter().map(|(frame, value)| (*frame, *value)).collect()
}

/// Returns the value at any time, which may be between two frames.
fn at(keys: &[(i32, [f32; 4])], kind: Kind, path: Path, number: f64) -> Option<[f32; 4]> {
    let [low, high] = [frame(number, f64::floor)?, frame(number, f64::ceil)?];
    let mix = |a, b, share| kind.interpolate(path, a, b, share);
    let (low_value, high_value) = (sample(keys, low, &mix)?, sample(keys, high, &mix)?);
    let share = single(number - f64::from(low));
    Some(if low == high { low_value } else { mix(low_value, high_value, share) })
}

/// Returns the key chunks: one for all kinds if they have the same frames, else one for each.
fn keys(import: &Import<'_>, channels: Vec<(Kind, Channel)>) -> Result<Vec<Keys>> {
    let channels: Vec<(Kind, Channel)> =
        channels.into_iter().filter(|(_, channel)| !channel.is_empty()).collect();
    let Some((_, first)) = channels.first() else { return Ok(Vec::new()) };
    let is_alike = channels.iter().all(|(_, channel)| channel.keys().eq(first.keys()));
    let groups: Vec<Vec<(Kind, Channel)>> =
        if is_alike { vec![channels] } else { channels.into_iter().map(|channel| vec![channel]).collect() };
    let node = scene::Node::named("animation");
    let mut out = Vec::new();
    for group in groups {
        let mut keys = Keys::default();
        let mut by_frame: BTreeMap<i32, Key> = BTreeMap::new();
        for (kind, channel) in group {
            keys.flags |= match kind {
                Kind::Position => Keys::POSITIONS,
                Kind::Scale => Keys::SCALES,
                Kind::Rotation => Keys::ROTATIONS,
            };
            for (frame, value) in channel {
                let key = by_frame.entry(frame).or_insert(Key { frame, ..Key::default() });
                let [x, y, z, _] = value;
                match kind {
                    Kind::Position => key.position = Some(import.game_position(Vec3::new(x, y, z), &node)?),
                    Kind::Scale => key.scale = Some([x, y, z]),
                    Kind::Rotation => key.rotation = Some(file_rotation(unit(Quat::from_array(value)))),
                }
            }
        }
        keys.keys = by_frame.into_values().collect();
        out.push(keys);
    }
    Ok(out)
}
