//! Animation sets as clips: tracks of translations, rotations and scales.
//!
//! Files count time in ticks, 4800 to the second unless they say otherwise. Rotations are quaternions as Blitz3D reads them
//! ([`axes::orientation`]); matrices are decomposed. Between two keys is a straight line.

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

/// Ticks per second where the file is silent.
const TICKS: u32 = 4800;

/// Tolerance for a key to equal the rest transform of its frame.
const SAME: f32 = 1e-6;

/// Adds a clip for each set that moves something.
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
        let mut clip = Clip { ticks, moves: BTreeMap::new(), defects: Defects::default() };
        clip.take(set, frames, &field, report);
        if clip.is_empty(scene) {
            let message = format!("the animation set \"{name:.80}\" has no keys");
            report.warn(&warning::NO_KEYS, message).in_field(field);
            continue;
        }
        clip.defects.warn(&field, report);
        let tracks = clip.moves.into_iter().flat_map(|(node, moves)| moves.into_tracks(node)).collect();
        scene.add_animation(Animation { name, tracks, extras: extras(set) });
    }
}

/// A clip being built.
struct Clip {
    ticks: u32,
    moves: BTreeMap<NodeId, Moves>,
    defects: Defects,
}

/// The keys of a node, with seconds.
#[derive(Debug, Default)]
struct Moves {
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
    fn take(&mut self, set: &AnimationSet, frames: &Frames<'_>, field: &str, report: &mut Report) {
        for (number, animation) in set.animations.iter().enumerate() {
            let field = format!("{field}.animations[{number}]");
            let Some(node) = target(animation, frames, &field, report) else { continue };
            let is_curved = animation.options.is_some_and(|options| options.position_quality == 0);
            let mut has_positions = false;
            for keys in &animation.keys {
                has_positions |= keys.kind == KeyKind::Position && keys.times.len() > 1;
                self.take_keys(node, keys, frames.scale);
            }
            if is_curved && has_positions {
                let name = animation.frame.as_deref().unwrap_or_default();
                let message =
                    format!("the animation of \"{name:.80}\" uses spline interpolation; converted to linear");
                report.warn(&warning::CURVE, message).in_field(field);
            }
        }
        for moves in self.moves.values_mut() {
            let same = [
                in_order(&mut moves.translations),
                in_order(&mut moves.rotations),
                in_order(&mut moves.scales),
            ];
            self.defects.same_time = same.into_iter().fold(self.defects.same_time, usize::saturating_add);
            align(&mut moves.rotations);
        }
    }

    fn take_keys(&mut self, node: NodeId, keys: &AnimationKeys, scale: f32) {
        let moves = self.moves.entry(node).or_default();
        for (ticks, values) in keys.iter() {
            if ticks < 0 {
                self.defects.before_start = self.defects.before_start.saturating_add(1);
                continue;
            }
            let time = seconds(ticks, self.ticks);
            match moves.take(keys.kind, time, values, scale) {
                Taken::Whole => {}
                Taken::Sheared => self.defects.sheared = self.defects.sheared.saturating_add(1),
                Taken::NotFinite => self.defects.not_finite = self.defects.not_finite.saturating_add(1),
            }
        }
    }

    /// Whether every key equals the rest transform of its frame.
    fn is_empty(&self, scene: &Scene) -> bool {
        self.moves.iter().all(|(node, moves)| {
            scene.nodes.get(node.0).is_none_or(|node| {
                let same_turn = |turn: Quat| turn.dot(node.rotation).abs() >= 1.0 - SAME;
                moves.translations.iter().all(|(_, place)| place.abs_diff_eq(node.translation, SAME))
                    && moves.scales.iter().all(|(_, scale)| scale.abs_diff_eq(node.scale, SAME))
                    && moves.rotations.iter().all(|(_, turn)| same_turn(*turn))
            })
        })
    }
}

/// The result of reading a key.
enum Taken {
    Whole,
    Sheared,
    NotFinite,
}

impl Moves {
    fn take(&mut self, kind: KeyKind, time: f32, values: &[f32], scale: f32) -> Taken {
        if !values.iter().all(|value| value.is_finite()) {
            return Taken::NotFinite;
        }
        match (kind, values) {
            (KeyKind::Rotation, [w, x, y, z]) => {
                let length = Quat::from_xyzw(*x, *y, *z, *w).length_squared();
                if !length.is_finite() || length == 0.0 {
                    return Taken::NotFinite;
                }
                self.rotations.push((time, axes::orientation([*w, *x, *y, *z])));
            }
            (KeyKind::Scale, [x, y, z]) => self.scales.push((time, Vec3::new(*x, *y, *z))),
            (KeyKind::Position, [x, y, z]) => {
                let place = axes::position([*x, *y, *z]) * scale;
                if !place.is_finite() {
                    return Taken::NotFinite;
                }
                self.translations.push((time, place));
            }
            (KeyKind::Matrix, values) => return self.take_matrix(time, values, scale),
            _ => {}
        }
        Taken::Whole
    }

    fn take_matrix(&mut self, time: f32, values: &[f32], scale: f32) -> Taken {
        let Ok(numbers) = <[f32; 16]>::try_from(values) else { return Taken::NotFinite };
        let mut matrix = axes::matrix(rows(numbers));
        matrix.translation *= scale;
        let nested = from_affine("", matrix);
        let mut node = nested.outer;
        let is_sheared = nested.inner.is_some();
        if let Some(inner) = nested.inner {
            node.rotation *= inner.rotation;
        }
        if !(node.translation.is_finite() && node.rotation.is_finite() && node.scale.is_finite()) {
            return Taken::NotFinite;
        }
        self.translations.push((time, node.translation));
        self.rotations.push((time, node.rotation.normalize()));
        self.scales.push((time, node.scale));
        if is_sheared { Taken::Sheared } else { Taken::Whole }
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

/// The node of the frame that an animation moves.
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
        reason = "rounding to single precision is meant"
    )]
    let seconds = (f64::from(ticks) / f64::from(per_second)) as f32;
    seconds
}

fn in_order<T: Copy>(keys: &mut Vec<(f32, T)>) -> usize {
    sort_and_dedup(keys, f32::total_cmp)
}

/// How the set is to be played, as far as the file says.
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
