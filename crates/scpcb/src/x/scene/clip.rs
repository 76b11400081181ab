//! Converts animation sets to clips: tracks of translations, rotations and scales.
//!
//! Times are in ticks, 4800 per second unless the file specifies otherwise. Rotations are quaternions as Blitz3D reads them
//! ([`axes::orientation`]); matrices are decomposed. Interpolation between keys is linear.

use std::collections::BTreeMap;

use asset::Report;
use glam::{Quat, Vec3};
use json::{Map, Value, json};
use scene::node::from_affine;
use scene::{Animation, Interpolation, NodeId, Scene, Track};

use super::Frames;
use crate::axes;
use crate::model::keys::{align, sort_and_dedup};
use crate::x::layout::{self, AnimationKeys, AnimationSet, KeyKind};
use crate::x::value::rows;
use crate::x::{XFile, warning};
use asset::counted;

/// Default number of ticks per second.
const TICKS: u32 = 4800;

/// Tolerance for a key to equal the rest transform of its frame.
const TOLERANCE: f32 = 1e-6;

/// Adds a clip for each set that animates a frame.
pub(super) fn add(scene: &mut Scene, file: &XFile, frames: &Frames<'_>, report: &mut Report) {
    let ticks = match file.ticks_per_second {
        Some(0) => {
            report.warn(&warning::TICKS, format!("AnimTicksPerSecond is 0; using {TICKS}"));
            TICKS
        }
        given => given.unwrap_or(TICKS),
    };
    for (number, set) in file.animation_sets.iter().enumerate() {
        let field = format!("animation_sets[{number}]");
        let name = set.name.clone().unwrap_or_else(|| format!("animation {number}"));
        let mut clip = Clip { ticks, keys_of_node: BTreeMap::new(), defects: Defects::default() };
        clip.add(set, frames, &field, report);
        if clip.is_empty(scene) {
            let message = format!("the animation set \"{name:.80}\" has no keys");
            report.warn(&warning::NO_KEYS, message).in_field(field);
            continue;
        }
        clip.defects.warn(&field, report);
        let tracks = clip
            .keys_of_node
            .into_iter()
            .flat_map(|(node, keys_of_node)| keys_of_node.into_tracks(node))
            .collect();
        scene.add_animation(Animation { name, tracks, extras: extras(set) });
    }
}

/// A clip being built.
struct Clip {
    ticks: u32,
    keys_of_node: BTreeMap<NodeId, NodeKeys>,
    defects: Defects,
}

/// The keys of a node, with times in seconds.
#[derive(Debug, Default)]
struct NodeKeys {
    translations: Vec<(f32, Vec3)>,
    rotations: Vec<(f32, Quat)>,
    scales: Vec<(f32, Vec3)>,
}

/// Problems found in the keys of a set.
#[derive(Debug, Default)]
struct Defects {
    before_start: usize,
    not_finite: usize,
    sheared: usize,
    same_time: usize,
}

impl Clip {
    fn add(&mut self, set: &AnimationSet, frames: &Frames<'_>, field: &str, report: &mut Report) {
        for (number, animation) in set.animations.iter().enumerate() {
            let field = format!("{field}.animations[{number}]");
            let Some(node) = target(animation, frames, &field, report) else { continue };
            let is_curved = animation.options.is_some_and(|options| options.position_quality == 0);
            let mut has_positions = false;
            for keys in &animation.keys {
                has_positions |= keys.kind == KeyKind::Position && keys.times.len() > 1;
                self.add_keys(node, keys, frames.scale);
            }
            if is_curved && has_positions {
                let name = animation.frame.as_deref().unwrap_or_default();
                let message =
                    format!("the animation of \"{name:.80}\" uses spline interpolation; converted to linear");
                report.warn(&warning::CURVE, message).in_field(field);
            }
        }
        for keys_of_node in self.keys_of_node.values_mut() {
            let same = [
                sort_keys(&mut keys_of_node.translations),
                sort_keys(&mut keys_of_node.rotations),
                sort_keys(&mut keys_of_node.scales),
            ];
            self.defects.same_time = same.into_iter().fold(self.defects.same_time, usize::saturating_add);
            align(&mut keys_of_node.rotations);
        }
    }

    fn add_keys(&mut self, node: NodeId, keys: &AnimationKeys, scale: f32) {
        let keys_of_node = self.keys_of_node.entry(node).or_default();
        for (ticks, values) in keys.iter() {
            if ticks < 0 {
                self.defects.before_start = self.defects.before_start.saturating_add(1);
                continue;
            }
            let time = seconds(ticks, self.ticks);
            match keys_of_node.add(keys.kind, time, values, scale) {
                KeyResult::Valid => {}
                KeyResult::Sheared => self.defects.sheared = self.defects.sheared.saturating_add(1),
                KeyResult::NotFinite => self.defects.not_finite = self.defects.not_finite.saturating_add(1),
            }
        }
    }

    /// Whether every key equals the rest transform of its frame.
    fn is_empty(&self, scene: &Scene) -> bool {
        self.keys_of_node.iter().all(|(node, keys_of_node)| {
            scene.nodes.get(node.0).is_none_or(|node| {
                let is_same_rotation = |rotation: Quat| rotation.dot(node.rotation).abs() >= 1.0 - TOLERANCE;
                keys_of_node
                    .translations
                    .iter()
                    .all(|(_, translation)| translation.abs_diff_eq(node.translation, TOLERANCE))
                    && keys_of_node.scales.iter().all(|(_, scale)| scale.abs_diff_eq(node.scale, TOLERANCE))
                    && keys_of_node.rotations.iter().all(|(_, rotation)| is_same_rotation(*rotation))
            })
        })
    }
}

/// The result of reading a key.
enum KeyResult {
    Valid,
    Sheared,
    NotFinite,
}

impl NodeKeys {
    fn add(&mut self, kind: KeyKind, time: f32, values: &[f32], scale: f32) -> KeyResult {
        if !values.iter().all(|value| value.is_finite()) {
            return KeyResult::NotFinite;
        }
        match (kind, values) {
            (KeyKind::Rotation, [w, x, y, z]) => {
                let length = Quat::from_xyzw(*x, *y, *z, *w).length_squared();
                if !length.is_finite() || length == 0.0 {
                    return KeyResult::NotFinite;
                }
                self.rotations.push((time, axes::orientation([*w, *x, *y, *z])));
            }
            (KeyKind::Scale, [x, y, z]) => self.scales.push((time, Vec3::new(*x, *y, *z))),
            (KeyKind::Position, [x, y, z]) => {
                let translation = axes::position([*x, *y, *z]) * scale;
                if !translation.is_finite() {
                    return KeyResult::NotFinite;
                }
                self.translations.push((time, translation));
            }
            (KeyKind::Matrix, values) => return self.add_matrix(time, values, scale),
            _ => {}
        }
        KeyResult::Valid
    }

    fn add_matrix(&mut self, time: f32, values: &[f32], scale: f32) -> KeyResult {
        let Ok(numbers) = <[f32; 16]>::try_from(values) else { return KeyResult::NotFinite };
        let mut matrix = axes::matrix(rows(numbers));
        matrix.translation *= scale;
        let nested = from_affine("", matrix);
        let mut node = nested.outer;
        let is_sheared = nested.inner.is_some();
        if let Some(inner) = nested.inner {
            node.rotation *= inner.rotation;
        }
        if !(node.translation.is_finite() && node.rotation.is_finite() && node.scale.is_finite()) {
            return KeyResult::NotFinite;
        }
        self.translations.push((time, node.translation));
        self.rotations.push((time, node.rotation.normalize()));
        self.scales.push((time, node.scale));
        if is_sheared { KeyResult::Sheared } else { KeyResult::Valid }
    }

    fn into_tracks(self, node: NodeId) -> impl Iterator<Item = Track> {
        let linear = Interpolation::Linear;
        let tracks = [
            (!self.translations.is_empty()).then(|| Track::translation(node, linear, self.translations)),
            (!self.rotations.is_empty()).then(|| Track::rotation(node, linear, self.rotations)),
            (!self.scales.is_empty()).then(|| Track::scale(node, linear, self.scales)),
        ];
        tracks.into_iter().flatten()
    }
}

/// Returns the node of the frame that an animation moves.
fn target(
    animation: &layout::Animation,
    frames: &Frames<'_>,
    field: &str,
    report: &mut Report,
) -> Option<NodeId> {
    if animation.keys.iter().all(|keys| keys.times.is_empty()) {
        return None;
    }
    let Some(name) = animation.frame.as_deref() else {
        report
            .warn(&warning::TARGET, "the animation does not refer to a frame and is left out")
            .in_field(field);
        return None;
    };
    let found = frames.find(name, report);
    if found.is_none() {
        let message = format!("the frame \"{name:.80}\" of an animation is not in the file");
        report.warn(&warning::TARGET, message).in_field(field);
    }
    found
}

fn seconds(ticks: i32, per_second: u32) -> f32 {
    #[expect(
        clippy::as_conversions,
        clippy::cast_possible_truncation,
        reason = "rounding to single precision is intended"
    )]
    let seconds = (f64::from(ticks) / f64::from(per_second)) as f32;
    seconds
}

fn sort_keys<T: Copy>(keys: &mut Vec<(f32, T)>) -> usize {
    sort_and_dedup(keys, f32::total_cmp)
}

/// Returns the playback options of a set.
fn extras(set: &AnimationSet) -> Map<String, Value> {
    let options: Vec<Value> = set
        .animations
        .iter()
        .filter_map(|animation| {
            let options = animation.options?;
            Some(json!({
                "frame": animation.frame,
                "open_closed": options.open_closed,
                "position_quality": options.position_quality,
            }))
        })
        .collect();
    let mut extras = Map::new();
    if !options.is_empty() {
        extras.insert("options".into(), options.into());
    }
    extras
}

impl Defects {
    fn warn(&self, field: &str, report: &mut Report) {
        let mut warn = |code, count: usize, one: &str, many: &str| {
            if count > 0 {
                report.warn(code, counted(count, one, many)).in_field(field);
            }
        };
        warn(
            &warning::KEYS,
            self.before_start,
            "key is before time 0 and is left out",
            "keys are before time 0 and are left out",
        );
        warn(
            &warning::NOT_FINITE,
            self.not_finite,
            "key is not finite or a zero-length rotation and is left out",
            "keys are not finite or zero-length rotations and are left out",
        );
        warn(
            &warning::SHEARED,
            self.sheared,
            "key is a sheared matrix; using the closest rotation and scale",
            "keys are sheared matrices; using the closest rotations and scales",
        );
        warn(
            &warning::SAME_TIME,
            self.same_time,
            "key is at the same time as another; the last one is used",
            "keys are at the same time as another; the last one is used",
        );
    }
}
