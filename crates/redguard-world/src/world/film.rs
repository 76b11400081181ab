//! A map over time: where everything was while its scripts ran, as one animation.

use glam::{Quat, Vec3};
use record::{Error, Result};
use scene::{Animation, Extras, Interpolation, Target, Track};

use super::maker::Maker;
use crate::map::whole::gather::shown;

/// Where everything is at one time.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Pose {
    /// The time in seconds since the start.
    pub seconds: f32,
    /// One for each placed object, in the order of the file.
    pub objects: Vec<ObjectPose>,
}

/// Where an object is, and what it shows.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ObjectPose {
    /// Its number in the file.
    pub object: usize,
    /// Its place as the file stores places.
    pub position: [i32; 3],
    /// Its rotation: a matrix, row by row, from directions of the object to those of the file.
    pub orientation: [[f32; 3]; 3],
    /// The entry of its table of frames that is shown.
    pub frame: Option<u32>,
    /// Whether it is shown.
    pub is_visible: bool,
}

/// So many numbers of morph weights an animation has at most.
const MOST_WEIGHTS: usize = 32 << 20;

/// The name of the animation.
const NAME: &str = "scripts";

impl Maker<'_> {
    /// Adds one animation that moves everything as the poses say.
    pub(super) fn film(&mut self, poses: &[Pose]) -> Result<()> {
        let stands = std::mem::take(&mut self.stands);
        let mut tracks = Vec::new();
        let mut weights = 0_usize;
        for stand in &stands {
            let of = |pose: &Pose| {
                let at = pose.objects.binary_search_by_key(&stand.placement, |it| it.object).ok()?;
                Some((pose.seconds, *pose.objects.get(at)?))
            };
            let poses: Vec<(f32, ObjectPose)> = poses.iter().filter_map(of).collect();
            let places = poses.iter().map(|(time, it)| (*time, self.fine_place(it.position)));
            tracks.extend(linear(Target::Translation(stand.node), places, |it: Vec3| it.to_array().to_vec()));
            let turns = poses.iter().map(|(time, it)| {
                let matrix = it.orientation.map(|row| row.map(f64::from));
                let nested = self.turned("", &matrix, Vec3::ZERO);
                (*time, nested.outer.rotation)
            });
            tracks.extend(linear(Target::Rotation(stand.node), turns, |it: Quat| it.to_array().to_vec()));
            let is_visible = poses.iter().map(|(time, it)| (*time, it.is_visible));
            tracks.extend(stepped(Target::Scale(stand.node), is_visible, true, scale));
            let frames: Vec<(f32, Option<[usize; 2]>)> =
                poses.iter().map(|(time, it)| (*time, frame_of(*it, &stand.frames))).collect();
            for part in &stand.parts {
                if stand.parts.len() > 1 {
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
                if weights > MOST_WEIGHTS {
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

/// The model and its frame that are shown.
fn frame_of(pose: ObjectPose, frames: &[u8]) -> Option<[usize; 2]> {
    let frame = i32::try_from(pose.frame?).ok()?;
    let [model, frame] = shown(frame, frames)?;
    Some([usize::try_from(model).ok()?, usize::try_from(frame).ok()?])
}

/// A value that moves evenly from one pose to the next; nothing if it never changes.
fn linear<T: Copy + PartialEq>(
    target: Target,
    poses: impl Iterator<Item = (f32, T)>,
    numbers: impl Fn(T) -> Vec<f32>,
) -> Option<Track> {
    let mut keys: Vec<(f32, T)> = Vec::new();
    let mut last: Option<(f32, T)> = None;
    for (time, value) in poses {
        match (keys.last(), last) {
            (Some((_, known)), Some(before)) if *known != value => {
                // It stood still until the pose before.
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

/// A value that holds until the next pose; nothing if it always is as the scene has it.
fn stepped<T: Copy + PartialEq>(
    target: Target,
    poses: impl Iterator<Item = (f32, T)>,
    usual: T,
    numbers: impl Fn(T) -> Vec<f32>,
) -> Option<Track> {
    let mut keys: Vec<(f32, T)> = Vec::new();
    let mut end = 0.0;
    for (time, value) in poses {
        if keys.last().is_none_or(|(_, known)| *known != value) {
            keys.push((time, value));
        }
        end = time;
    }
    if let [(time, value)] = keys.as_slice() {
        if *value == usual {
            return None;
        }
        // One key alone is no animation to some programs.
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
    fn what_stands_still_has_no_keys() {
        let poses = |values: &[i16]| {
            let poses = values.iter().zip(0_u8..).map(|(value, time)| (f32::from(time), f32::from(*value)));
            poses.collect::<Vec<_>>()
        };
        let track = |values: &[i16]| {
            linear(Target::Translation(NodeId(0)), poses(values).into_iter(), |it| vec![it])
                .map(|it| (it.times, it.values))
        };
        assert_eq!(track(&[5, 5, 5]), None);
        // It begins to move behind the second pose.
        assert_eq!(track(&[5, 5, 5, 8, 8]), Some((vec![0.0, 2.0, 3.0], vec![5.0, 5.0, 8.0])));
        assert_eq!(track(&[5, 6, 7]), Some((vec![0.0, 1.0, 2.0], vec![5.0, 6.0, 7.0])));
    }

    #[test]
    fn a_value_that_always_holds_has_two_times_after_hours() {
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
