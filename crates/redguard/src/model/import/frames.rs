//! Determines the frames of a model from morph targets and animations.
//!
//! Morph targets become frames, in order, when no animation uses them, when they are named "frame 1", "frame 2" and so on, or when the
//! animation shows them one after another. Any other animation is sampled: each keyframe becomes a frame. The first frame is the base mesh.

use std::collections::BTreeMap;

use record::{Error, Result};
use scene::{Interpolation, Mesh, NodeId, Scene, Target, Track};

use super::MeshInstance;

/// The frames of all mesh instances of a model.
#[derive(Debug)]
pub(super) struct Frames<'a> {
    /// At least one.
    pub(super) count: usize,
    /// The times in seconds at which the animation is sampled; `None` when each morph target is a frame.
    keys: Option<Vec<f32>>,
    /// The morph weight tracks of nodes, from the first animation that has one.
    tracks: BTreeMap<NodeId, &'a Track>,
}

/// The most frames of a model.
const MOST: usize = 1 << 14;
/// The most weights over all keyframes of an animation.
const MOST_WEIGHTS: usize = 1 << 24;

/// Weights below this are treated as zero.
const NONE: f32 = 1e-4;

impl<'a> Frames<'a> {
    pub(super) fn of(scene: &'a Scene, instances: &[MeshInstance]) -> Result<Self> {
        let meshes: Vec<&Mesh> =
            instances.iter().filter_map(|instance| scene.meshes.get(instance.mesh.0)).collect();
        let targets = meshes.iter().map(|mesh| target_count(mesh)).max().unwrap_or_default();
        let found = tracks(scene);
        let tracks: Vec<&Track> =
            instances.iter().filter_map(|instance| found.get(&instance.node).copied()).collect();
        let named = |mesh: &&&Mesh| target_count(mesh) > 0;
        let is_named = targets > 0 && meshes.iter().filter(named).all(|mesh| is_named(mesh));
        let is_direct = tracks.is_empty() || is_named || tracks.iter().all(|track| is_sequential(track));
        let keys = if is_direct { None } else { Some(keys(&tracks)?) };
        let count = keys.as_ref().map_or(targets, Vec::len).saturating_add(1);
        if count > MOST {
            return Err(Error::limit(format!("the model would have {count} frames (limit: {MOST})")));
        }
        Ok(Self { count, keys, tracks: found })
    }

    /// The nonzero morph weights of a mesh instance in a frame.
    pub(super) fn weights(&self, scene: &Scene, instance: &MeshInstance, frame: usize) -> Vec<(usize, f64)> {
        let Some(mesh) = scene.meshes.get(instance.mesh.0) else { return Vec::new() };
        let targets = target_count(mesh);
        let Some(index) = frame.checked_sub(1) else {
            return if self.keys.is_some() { nonzero(&mesh.weights) } else { Vec::new() };
        };
        match &self.keys {
            None => (index < targets).then_some((index, 1.0)).into_iter().collect(),
            Some(keys) => {
                let time = keys.get(index).copied().unwrap_or_default();
                match self.tracks.get(&instance.node) {
                    Some(track) => nonzero(&at(track, time, targets)),
                    None => nonzero(&mesh.weights),
                }
            }
        }
    }
}

fn target_count(mesh: &Mesh) -> usize {
    mesh.primitives.first().map_or(0, |primitive| primitive.targets.len())
}

fn nonzero(weights: &[f32]) -> Vec<(usize, f64)> {
    let all = weights.iter().copied().enumerate();
    all.filter(|(_, weight)| weight.abs() > NONE)
        .map(|(target, weight)| (target, f64::from(weight)))
        .collect()
}

/// Whether morph targets are named "frame 1" and so on, as in our own conversions.
fn is_named(mesh: &Mesh) -> bool {
    let mut names = (1_usize..).zip(&mesh.target_names);
    !mesh.target_names.is_empty() && names.all(|(number, name)| *name == format!("frame {number}"))
}

/// The morph weight tracks of nodes, from the first animation that has one.
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

/// The number of values per keyframe of a track.
fn width(track: &Track) -> usize {
    track.values.len().checked_div(track.times.len()).unwrap_or_default().max(1)
}

/// The weights of a keyframe.
fn key(track: &Track, number: usize) -> &[f32] {
    let width = width(track);
    let start = number.saturating_mul(width);
    let values = track.values.get(start..start.saturating_add(width)).unwrap_or_default();
    match track.interpolation {
        // The value is stored between its tangents.
        Interpolation::CubicSpline => {
            let third = width / 3;
            values.get(third..third.saturating_mul(2)).unwrap_or_default()
        }
        Interpolation::Step | Interpolation::Linear => values,
    }
}

/// Whether a track shows all targets one after another, in order.
fn is_sequential(track: &Track) -> bool {
    let mut last = 0_usize;
    for number in 0..track.times.len() {
        let mut nonzero = key(track, number).iter().enumerate().filter(|(_, weight)| weight.abs() > 1e-3);
        match (nonzero.next(), nonzero.next()) {
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

/// The times of all keyframes, without those that change nothing.
fn keys(tracks: &[&Track]) -> Result<Vec<f32>> {
    let mut times: Vec<f32> = tracks.iter().flat_map(|track| track.times.iter().copied()).collect();
    times.sort_by(f32::total_cmp);
    times.dedup();
    let weights = tracks.iter().map(|track| width(track)).fold(0, usize::saturating_add);
    if times.len().saturating_mul(weights) > MOST_WEIGHTS {
        return Err(Error::limit(format!(
            "the animation has too many keyframes to import ({})",
            times.len()
        )));
    }
    let mut previous: Option<Vec<Vec<f32>>> = None;
    times.retain(|time| {
        let now: Vec<Vec<f32>> = tracks.iter().map(|track| at(track, *time, width(track))).collect();
        let is_new = previous.as_ref() != Some(&now);
        previous = Some(now);
        is_new
    });
    Ok(times)
}

/// The weights at a time.
fn at(track: &Track, time: f32, targets: usize) -> Vec<f32> {
    let next = track.times.partition_point(|key| *key <= time);
    let from = next.saturating_sub(1);
    let previous = key(track, from);
    let pair = track.times.get(from).zip(track.times.get(next));
    let mut out: Vec<f32> = match pair {
        Some((start, end)) if track.interpolation != Interpolation::Step && *start < time => {
            let share = (time - start) / (end - start);
            previous.iter().zip(key(track, next)).map(|(a, b)| a + (b - a) * share).collect()
        }
        _ => previous.to_vec(),
    };
    out.truncate(targets);
    out
}
