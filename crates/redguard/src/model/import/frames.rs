//! Which shapes are the frames of a model.
//!
//! Morph targets are frames, in their order, where no clip moves them, where they are called "frame 1", "frame 2" and so on, or where the
//! clip shows one after the other. Any other clip is followed: each of its keys is a frame. The first frame is the shape at rest.

use std::collections::BTreeMap;

use record::{Error, Result};
use scene::{Interpolation, Mesh, NodeId, Scene, Target, Track};

use super::Part;

/// The frames of all parts of a model.
#[derive(Debug)]
pub(super) struct Frames<'a> {
    /// At least one.
    pub(super) count: usize,
    /// The seconds at which a clip is followed; `None` where each morph target is a frame.
    keys: Option<Vec<f32>>,
    /// What moves the morph targets of nodes: of several clips the first.
    tracks: BTreeMap<NodeId, &'a Track>,
}

/// More frames than this are refused.
const MOST: usize = 1 << 14;
/// More weights than this at all keys of a clip together are refused.
const MOST_WEIGHTS: usize = 1 << 24;

/// Weights below this are none.
const NONE: f32 = 1e-4;

impl<'a> Frames<'a> {
    pub(super) fn of(scene: &'a Scene, parts: &[Part]) -> Result<Self> {
        let meshes: Vec<&Mesh> = parts.iter().filter_map(|part| scene.meshes.get(part.mesh.0)).collect();
        let targets = meshes.iter().map(|mesh| target_count(mesh)).max().unwrap_or_default();
        let found = tracks(scene);
        let tracks: Vec<&Track> = parts.iter().filter_map(|part| found.get(&part.node).copied()).collect();
        let named = |mesh: &&&Mesh| target_count(mesh) > 0;
        let is_named = targets > 0 && meshes.iter().filter(named).all(|mesh| is_named(mesh));
        let is_direct = tracks.is_empty() || is_named || tracks.iter().all(|track| is_in_turn(track));
        let keys = if is_direct { None } else { Some(keys(&tracks)?) };
        let count = keys.as_ref().map_or(targets, Vec::len).saturating_add(1);
        if count > MOST {
            return Err(Error::limit(format!("{count} frames are more than a model may have ({MOST})")));
        }
        Ok(Self { count, keys, tracks: found })
    }

    /// How much of each morph target of a part a frame shows, without those that it does not show.
    pub(super) fn weights(&self, scene: &Scene, part: &Part, frame: usize) -> Vec<(usize, f64)> {
        let Some(mesh) = scene.meshes.get(part.mesh.0) else { return Vec::new() };
        let targets = target_count(mesh);
        let Some(behind) = frame.checked_sub(1) else {
            return if self.keys.is_some() { shown(&mesh.weights) } else { Vec::new() };
        };
        match &self.keys {
            None => (behind < targets).then_some((behind, 1.0)).into_iter().collect(),
            Some(keys) => {
                let time = keys.get(behind).copied().unwrap_or_default();
                match self.tracks.get(&part.node) {
                    Some(track) => shown(&at(track, time, targets)),
                    None => shown(&mesh.weights),
                }
            }
        }
    }
}

fn target_count(mesh: &Mesh) -> usize {
    mesh.primitives.first().map_or(0, |primitive| primitive.targets.len())
}

fn shown(weights: &[f32]) -> Vec<(usize, f64)> {
    let all = weights.iter().copied().enumerate();
    all.filter(|(_, weight)| weight.abs() > NONE)
        .map(|(target, weight)| (target, f64::from(weight)))
        .collect()
}

/// Whether morph targets are called "frame 1" and so on, as our own conversions call them.
fn is_named(mesh: &Mesh) -> bool {
    let mut names = (1_usize..).zip(&mesh.target_names);
    !mesh.target_names.is_empty() && names.all(|(number, name)| *name == format!("frame {number}"))
}

/// What moves the morph targets of nodes: of several clips the first.
fn tracks(scene: &Scene) -> BTreeMap<NodeId, &Track> {
    let mut out = BTreeMap::new();
    for track in scene.animations.iter().flat_map(|animation| &animation.tracks) {
        if let Target::Weights(node) = track.target
            && !track.times.is_empty()
        {
            out.entry(node).or_insert(track);
        }
    }
    out
}

/// How many numbers each key of a track has.
fn width(track: &Track) -> usize {
    track.values.len().checked_div(track.times.len()).unwrap_or_default().max(1)
}

/// The weights at a key.
fn key(track: &Track, number: usize) -> &[f32] {
    let width = width(track);
    let start = number.saturating_mul(width);
    let values = track.values.get(start..start.saturating_add(width)).unwrap_or_default();
    match track.interpolation {
        // The value stands between its tangents.
        Interpolation::CubicSpline => {
            let third = width / 3;
            values.get(third..third.saturating_mul(2)).unwrap_or_default()
        }
        Interpolation::Step | Interpolation::Linear => values,
    }
}

/// Whether a track shows one target after the other, all of them, in their order.
fn is_in_turn(track: &Track) -> bool {
    let mut last = 0_usize;
    for number in 0..track.times.len() {
        let mut shown = key(track, number).iter().enumerate().filter(|(_, weight)| weight.abs() > 1e-3);
        match (shown.next(), shown.next()) {
            (None, _) if last == 0 => {}
            (Some((target, weight)), None) if (weight - 1.0).abs() < 1e-3 => {
                let target = target.saturating_add(1);
                if target != last && target != last.saturating_add(1) {
                    return false;
                }
                last = target;
            }
            _ => return false,
        }
    }
    last == key(track, 0).len()
}

/// The times of all keys, without those at which nothing has changed since the one before.
fn keys(tracks: &[&Track]) -> Result<Vec<f32>> {
    let mut times: Vec<f32> = tracks.iter().flat_map(|track| track.times.iter().copied()).collect();
    times.sort_by(f32::total_cmp);
    times.dedup();
    let weights = tracks.iter().map(|track| width(track)).fold(0, usize::saturating_add);
    if times.len().saturating_mul(weights) > MOST_WEIGHTS {
        return Err(Error::limit(format!(
            "a clip with {} keys is more than this program follows",
            times.len()
        )));
    }
    let mut before: Option<Vec<Vec<f32>>> = None;
    times.retain(|time| {
        let now: Vec<Vec<f32>> = tracks.iter().map(|track| at(track, *time, width(track))).collect();
        let is_new = before.as_ref() != Some(&now);
        before = Some(now);
        is_new
    });
    Ok(times)
}

/// The weights at a time.
fn at(track: &Track, time: f32, targets: usize) -> Vec<f32> {
    let next = track.times.partition_point(|key| *key <= time);
    let from = next.saturating_sub(1);
    let before = key(track, from);
    let pair = track.times.get(from).zip(track.times.get(next));
    let mut out: Vec<f32> = match pair {
        Some((start, end)) if track.interpolation != Interpolation::Step && *start < time => {
            let share = (time - start) / (end - start);
            before.iter().zip(key(track, next)).map(|(a, b)| a + (b - a) * share).collect()
        }
        _ => before.to_vec(),
    };
    out.truncate(targets);
    out
}
