//! A map over time: the poses of all objects while its scripts ran, as one animation.

use glam::{Quat, Vec3};
use record::{Error, Result};
use scene::{Animation, Extras, Interpolation, Target, Track};

use super::builder::SceneBuilder;
use crate::map::assembled::collect::frame_at;

/// The poses of all objects at one time.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Pose {
    /// Time in seconds since the start.
    pub seconds: f32,
    /// One for each placed object, in the order of the file.
    pub objects: Vec<ObjectPose>,
}

/// An object's position, orientation and frame.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ObjectPose {
    /// Index of the placement in the file.
    pub object: usize,
    /// Position in the file's units: world units times 256.
    pub position: [i32; 3],
    /// Orientation: a row-major matrix from object space to the space of the file.
    pub orientation: [[f32; 3]; 3],
    /// Index of the current entry of its frame table.
    pub frame: Option<u32>,
    /// Whether the object is visible.
    pub is_visible: bool,
}

/// The maximum number of morph weights in an animation.
const MAX_WEIGHTS: usize = 32 << 20;

/// The name of the animation.
const NAME: &str = "scripts";

impl SceneBuilder<'_> {
    /// Adds one animation that applies the poses to all objects.
    pub(super) fn animate(&mut self, poses: &[Pose]) -> Result<()> {
        let pose_tracks = std::mem::take(&mut self.pose_tracks);
        let mut tracks = Vec::new();
        let mut weights = 0_usize;
        for pose_track in &pose_tracks {
            let of = |pose: &Pose| {
                let at = pose.objects.binary_search_by_key(&pose_track.placement, |it| it.object).ok()?;
                Some((pose.seconds, *pose.objects.get(at)?))
            };
            let poses: Vec<(f32, ObjectPose)> = poses.iter().filter_map(of).collect();
            let positions = poses.iter().map(|(time, it)| (*time, self.fine_position(it.position)));
            tracks.extend(linear(Target::Translation(pose_track.node), positions, |it: Vec3| {
                it.to_array().to_vec()
            }));
            let rotations = poses.iter().map(|(time, it)| {
                let matrix = it.orientation.map(|row| row.map(f64::from));
                let nested = self.rotated("", &matrix, Vec3::ZERO);
                (*time, nested.outer.rotation)
            });
            tracks.extend(linear(Target::Rotation(pose_track.node), rotations, |it: Quat| {
                it.to_array().to_vec()
            }));
            let is_visible = poses.iter().map(|(time, it)| (*time, it.is_visible));
            tracks.extend(stepped(Target::Scale(pose_track.node), is_visible, true, scale));
            let frames: Vec<(f32, Option<[usize; 2]>)> =
                poses.iter().map(|(time, it)| (*time, frame_of(*it, &pose_track.frames))).collect();
            for part in &pose_track.parts {
                if pose_track.parts.len() > 1 {
                    let is_shown = frames
                        .iter()
                        .map(|(time, it)| (*time, it.map_or(0, |[model, _]| model) == part.index));
                    tracks.extend(stepped(Target::Scale(part.node), is_shown, part.index == 0, scale));
                }
                let targets = part.frames.saturating_sub(1);
                if part.mesh.is_none() || targets == 0 {
                    continue;
                }
                let own = frames.iter().filter_map(|(time, it)| match it {
                    Some([model, frame]) if *model == part.index => Some((*time, *frame)),
                    None if part.index == 0 => Some((*time, 0)),
                    _ => None,
                });
                let value = |frame: usize| {
                    (1..=targets).map(|target| if target == frame { 1.0 } else { 0.0 }).collect::<Vec<f32>>()
                };
                let track = stepped(Target::Weights(part.node), own, 0, value);
                weights = weights.saturating_add(track.as_ref().map_or(0, |it| it.values.len()));
                if weights > MAX_WEIGHTS {
                    let message = "the animation has too many frames; run fewer updates";
                    return Err(Error::limit(message));
                }
                tracks.extend(track);
            }
        }
        self.scene.add_animation(Animation { name: NAME.to_owned(), tracks, extras: Extras::new() });
        Ok(())
    }
}

fn scale(is_visible: bool) -> Vec<f32> {
    vec![if is_visible { 1.0 } else { 0.0 }; 3]
}

/// Returns the current model and its frame.
fn frame_of(pose: ObjectPose, frames: &[u8]) -> Option<[usize; 2]> {
    let frame = i32::try_from(pose.frame?).ok()?;
    let [model, frame] = frame_at(frame, frames)?;
    Some([usize::try_from(model).ok()?, usize::try_from(frame).ok()?])
}

/// Creates a track that interpolates linearly between poses; `None` if the value never changes.
fn linear<T: Copy + PartialEq>(
    target: Target,
    poses: impl Iterator<Item = (f32, T)>,
    numbers: impl Fn(T) -> Vec<f32>,
) -> Option<Track> {
    let mut keys: Vec<(f32, T)> = Vec::new();
    let mut last: Option<(f32, T)> = None;
    for (time, value) in poses {
        match (keys.last(), last) {
            (Some((_, current)), Some(before)) if *current != value => {
                // The value was constant until the previous pose.
                if keys.last().is_some_and(|(time, _)| *time < before.0) {
                    keys.push(before);
                }
                keys.push((time, value));
            }
            (None, _) => keys.push((time, value)),
            _ => {}
        }
        last = Some((time, value));
    }
    track(target, Interpolation::Linear, keys, numbers)
}

/// Creates a track that holds each value until the next pose; `None` if the value always equals the default of the scene.
fn stepped<T: Copy + PartialEq>(
    target: Target,
    poses: impl Iterator<Item = (f32, T)>,
    default: T,
    numbers: impl Fn(T) -> Vec<f32>,
) -> Option<Track> {
    let mut keys: Vec<(f32, T)> = Vec::new();
    let mut end = 0.0;
    for (time, value) in poses {
        if keys.last().is_none_or(|(_, current)| *current != value) {
            keys.push((time, value));
        }
        end = time;
    }
    if let [(time, value)] = keys.as_slice() {
        if *value == default {
            return None;
        }
        // Some programs ignore an animation with a single key.
        let last = (end.max(time.next_up()), *value);
        keys.push(last);
    }
    track(target, Interpolation::Step, keys, numbers)
}

fn track<T: Copy>(
    target: Target,
    interpolation: Interpolation,
    keys: Vec<(f32, T)>,
    numbers: impl Fn(T) -> Vec<f32>,
) -> Option<Track> {
    (keys.len() > 1).then(|| Track {
        target,
        also: Vec::new(),
        interpolation,
        times: keys.iter().map(|(time, _)| *time).collect(),
        values: keys.into_iter().flat_map(|(_, value)| numbers(value)).collect(),
    })
}

#[cfg(test)]
mod tests {
    use scene::NodeId;

    use super::*;

    #[test]
    fn a_constant_value_has_no_keys() {
        let poses = |values: &[i16]| {
            let poses = values.iter().zip(0_u8..).map(|(value, time)| (f32::from(time), f32::from(*value)));
            poses.collect::<Vec<_>>()
        };
        let track = |values: &[i16]| {
            linear(Target::Translation(NodeId(0)), poses(values).into_iter(), |it| vec![it])
                .map(|it| (it.times, it.values))
        };
        assert_eq!(track(&[5, 5, 5]), None);
        // The movement begins after the third pose.
        assert_eq!(track(&[5, 5, 5, 8, 8]), Some((vec![0.0, 2.0, 3.0], vec![5.0, 5.0, 8.0])));
        assert_eq!(track(&[5, 6, 7]), Some((vec![0.0, 1.0, 2.0], vec![5.0, 6.0, 7.0])));
    }

    #[test]
    fn a_constant_track_has_distinct_times_even_after_hours() {
        let poses = [(10_000.0, 1.0_f32); 2].into_iter();
        let track = stepped(Target::Scale(NodeId(0)), poses, 0.0, |it| vec![it; 3]).unwrap();
        assert!(track.times[0] < track.times[1], "{:?}", track.times);
    }

    #[test]
    fn a_value_holds_until_it_changes() {
        let track = |values: &[usize]| {
            let poses = values.iter().zip(0_u8..).map(|(value, time)| (f32::from(time), *value));
            stepped(Target::Weights(NodeId(0)), poses, 0, |it| vec![if it == 1 { 1.0 } else { 0.0 }])
                .map(|it| (it.times, it.values))
        };
        assert_eq!(track(&[0, 0]), None);
        assert_eq!(track(&[1, 1, 1]), Some((vec![0.0, 2.0], vec![1.0, 1.0])));
        assert_eq!(track(&[0, 0, 1, 1, 0]), Some((vec![0.0, 2.0, 4.0], vec![0.0, 1.0, 0.0])));
    }
}
