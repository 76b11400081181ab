//! Determines the frames of a model from morph targets and animations.
//!
//! Morph targets named "frame 1", "frame 2" and so on, as in our own conversions, become those frames; other targets of the mesh become the
//! frames after them. Morph targets without such names become frames in order if no animation uses them, or if the animation shows them one
//! after another. Any other animation is sampled: each keyframe becomes a frame. The first frame is the base mesh.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use asset::Report;
use record::{Error, Result};
use scene::{Interpolation, Mesh, MeshId, Scene, Target, Track};

use super::super::warning;
use super::{MeshInstance, Tracks};

/// The frames of all mesh instances of a model.
#[derive(Debug)]
pub(super) struct Frames<'a> {
    /// Number of frames; at least one.
    pub(super) count: usize,
    /// Times in seconds at which the animation is sampled; `None` when each morph target is a frame.
    keys: Option<Vec<f32>>,
    /// Frame of each morph target of a mesh. The targets of unlisted meshes are frames in order.
    numbers: BTreeMap<MeshId, Vec<usize>>,
    /// Morph weight tracks of nodes, from the first animation that has one.
    tracks: Rc<Tracks<'a>>,
}

/// Maximum number of frames of a model.
const MAX_FRAMES: usize = 1 << 14;
/// Maximum number of weights over all keyframes of an animation.
const MAX_WEIGHTS: usize = 1 << 24;

/// Weights below this are treated as zero.
const ZERO_WEIGHT: f32 = 1e-4;

impl<'a> Frames<'a> {
    pub(super) fn of(
        scene: &'a Scene,
        moving: Rc<Tracks<'a>>,
        instances: &[MeshInstance],
        report: &mut Report,
    ) -> Result<Self> {
        let meshes: Vec<&Mesh> =
            instances.iter().filter_map(|instance| scene.meshes.get(instance.mesh.0)).collect();
        let targets = meshes.iter().map(|mesh| target_count(mesh)).max().unwrap_or_default();
        let tracks: Vec<&Track> =
            instances.iter().filter_map(|instance| moving.get(&instance.node).copied()).collect();
        let numbers = named_frames(scene, instances, report)?;
        let is_direct =
            tracks.is_empty() || !numbers.is_empty() || tracks.iter().all(|track| is_sequential(track));
        let keys = if is_direct { None } else { Some(keys(&tracks)?) };
        let last = numbers.values().flatten().copied().max().unwrap_or_default();
        let count = keys.as_ref().map_or(targets.max(last), Vec::len).saturating_add(1);
        if count > MAX_FRAMES {
            return Err(Error::limit(format!("the model would have {count} frames (limit: {MAX_FRAMES})")));
        }
        Ok(Self { count, keys, numbers, tracks: moving })
    }

    /// Nonzero morph weights of a mesh instance in a frame.
    pub(super) fn weights(&self, scene: &Scene, instance: &MeshInstance, frame: usize) -> Vec<(usize, f64)> {
        let Some(mesh) = scene.meshes.get(instance.mesh.0) else { return Vec::new() };
        let targets = target_count(mesh);
        let Some(index) = frame.checked_sub(1) else {
            return if self.keys.is_some() { nonzero(&mesh.weights) } else { Vec::new() };
        };
        match (&self.keys, self.numbers.get(&instance.mesh)) {
            (None, Some(numbers)) => {
                let target = numbers.iter().position(|number| *number == frame);
                target.map(|target| (target, 1.0)).into_iter().collect()
            }
            (None, None) => (index < targets).then_some((index, 1.0)).into_iter().collect(),
            (Some(keys), _) => {
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
    all.filter(|(_, weight)| weight.abs() > ZERO_WEIGHT)
        .map(|(target, weight)| (target, f64::from(weight)))
        .collect()
}

/// Parses the frame number in the name of a morph target ("frame 1" and so on).
fn number_of(name: &str) -> Option<usize> {
    let digits = name.strip_prefix("frame ")?;
    let number: usize = digits.parse().ok().filter(|number| (1..MAX_FRAMES).contains(number))?;
    (number.to_string() == digits).then_some(number)
}

/// Frames of the morph targets of each mesh with target names, if any target is named after a frame. Other targets follow the last frame,
/// in order.
fn named_frames(
    scene: &Scene,
    instances: &[MeshInstance],
    report: &mut Report,
) -> Result<BTreeMap<MeshId, Vec<usize>>> {
    let meshes: BTreeSet<MeshId> = instances.iter().map(|instance| instance.mesh).collect();
    let named = || meshes.iter().filter_map(|id| Some((*id, names(scene.meshes.get(id.0)?)?)));
    let existing: BTreeSet<usize> =
        named().flat_map(|(_, names)| names).filter_map(|name| number_of(name)).collect();
    let Some(last) = existing.last().copied() else { return Ok(BTreeMap::new()) };
    if let Some(missing) = (1..=last).find(|number| !existing.contains(number)) {
        return Err(Error::usage(format!(
            "the shape key \"frame {missing}\" is missing, but \"frame {last}\" exists; restore it, or rename the keys after it"
        )));
    }
    let mut appended: Vec<&str> = Vec::new();
    let mut out = BTreeMap::new();
    for (id, names) in named() {
        let mut numbers: Vec<usize> = Vec::with_capacity(names.len());
        for name in names {
            let number = number_of(name).filter(|number| !numbers.contains(number)).unwrap_or_else(|| {
                let at = appended.iter().position(|existing| existing == name).unwrap_or_else(|| {
                    appended.push(name);
                    appended.len().saturating_sub(1)
                });
                last.saturating_add(at).saturating_add(1)
            });
            numbers.push(number);
        }
        out.insert(id, numbers);
    }
    for (name, number) in appended.iter().zip(last.saturating_add(1)..) {
        let message = format!("the shape key \"{name}\" becomes frame {number}");
        report.warn(&warning::NEW_FRAME, message);
    }
    Ok(out)
}

/// Names of the morph targets of a mesh, if all have one.
fn names(mesh: &Mesh) -> Option<&[String]> {
    let count = target_count(mesh);
    mesh.target_names.get(..count).filter(|names| !names.is_empty())
}

/// Morph weight tracks of nodes, from the first animation that has one.
pub(super) fn tracks(scene: &Scene) -> Tracks<'_> {
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

/// Number of values per keyframe of a track.
fn values_per_key(track: &Track) -> usize {
    track.values.len().checked_div(track.times.len()).unwrap_or_default().max(1)
}

/// Weights of a keyframe.
fn key(track: &Track, number: usize) -> &[f32] {
    let values_per_key = values_per_key(track);
    let start = number.saturating_mul(values_per_key);
    let values = track.values.get(start..start.saturating_add(values_per_key)).unwrap_or_default();
    match track.interpolation {
        // The value is stored between its tangents.
        Interpolation::CubicSpline => {
            let third = values_per_key / 3;
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

/// Times of all keyframes, without keyframes that change nothing.
fn keys(tracks: &[&Track]) -> Result<Vec<f32>> {
    let mut times: Vec<f32> = tracks.iter().flat_map(|track| track.times.iter().copied()).collect();
    times.sort_by(f32::total_cmp);
    times.dedup();
    let weights = tracks.iter().map(|track| values_per_key(track)).fold(0, usize::saturating_add);
    if times.len().saturating_mul(weights) > MAX_WEIGHTS {
        return Err(Error::limit(format!(
            "the animation has too many keyframes to import ({})",
            times.len()
        )));
    }
    let mut previous: Option<Vec<Vec<f32>>> = None;
    times.retain(|time| {
        let now: Vec<Vec<f32>> = tracks.iter().map(|track| at(track, *time, values_per_key(track))).collect();
        let is_new = previous.as_ref() != Some(&now);
        previous = Some(now);
        is_new
    });
    Ok(times)
}

/// Weights at a time.
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
