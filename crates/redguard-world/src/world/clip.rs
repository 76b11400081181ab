//! Animation groups as clips: frames with their times, and other events.
//!
//! Outside of the game, a group is played in the order of its commands from the first one. Backward jumps are followed once. Forward jumps,
//! which the game takes when another group is pending, become separate clips.

use std::collections::BTreeSet;

use json::{Value, json};

use crate::engine::clock::NOMINAL_TICKS_PER_SECOND;
use crate::map::assembled::collect::frame_at;
use crate::map::{AnimationCommand, AnimationGroup};

/// The maximum number of commands followed for a clip.
const MAX_STEPS: usize = 1 << 14;

/// The delay that never ends.
const FOREVER: i32 = 255;

/// A frame of a model with its start time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Step {
    /// The index of the object's model.
    pub(super) model: usize,
    /// The frame of the model.
    pub(super) frame: usize,
    /// The tick at which it is first shown.
    pub(super) start: u32,
}

/// A sequence of frames and events.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Clip {
    /// The frames in order.
    pub(super) steps: Vec<Step>,
    /// Duration in ticks.
    pub(super) ticks: u32,
    /// Whether it continues from an earlier frame.
    pub(super) is_loop: bool,
    /// Other commands, with their ticks.
    pub(super) events: Vec<(u32, AnimationCommand)>,
    /// Indices of the commands with which it may continue when another group is pending.
    pub(super) exits: Vec<usize>,
    /// Whether frames that the models lack were skipped.
    pub(super) lacks_frames: bool,
}

impl Clip {
    /// Creates the clip of a group, starting at one of its commands. `frames` contains the number of frames of each model of the object.
    pub(super) fn of(group: &AnimationGroup, first: usize, frames: &[u8]) -> Self {
        let [ticks, _] = group.animation.to_le_bytes();
        let ticks = u32::from(ticks.max(1));
        let mut out = Self::default();
        let mut followed = BTreeSet::new();
        let mut at = first;
        for _ in 0..MAX_STEPS {
            let Some(command) = group.commands.get(at).copied() else { break };
            let current = at;
            at = at.saturating_add(1);
            let parameters = command.parameters();
            let target = || parameters.first().and_then(|target| usize::try_from(*target).ok());
            match (command.opcode(), parameters.as_slice()) {
                (0, [frame]) => out.show(*frame, ticks, frames),
                (1, _) => break,
                (2 | 14, _) => {
                    if followed.insert(current)
                        && let Some(target) = target()
                    {
                        out.is_loop = true;
                        at = target;
                    }
                }
                (3, _) => {
                    if let Some(target) = target().filter(|target| !out.exits.contains(target)) {
                        out.exits.push(target);
                    }
                }
                (12 | 13, [delay]) if (0..FOREVER).contains(delay) => {
                    out.ticks = out.ticks.saturating_add(delay.unsigned_abs());
                }
                (10, _) => {
                    out.events.push((out.ticks, command));
                    break;
                }
                _ => out.events.push((out.ticks, command)),
            }
        }
        out
    }

    fn show(&mut self, frame: i32, ticks: u32, frames: &[u8]) {
        // Static models have no frames, but are shown.
        let found = frame_at(frame, frames).or_else(|| {
            let is_static = frames.iter().all(|count| *count == 0) && !frames.is_empty();
            (is_static && frame == 0).then_some([0, 0])
        });
        match found.map(|[model, frame]| (usize::try_from(model), usize::try_from(frame))) {
            Some((Ok(model), Ok(frame))) => self.steps.push(Step { model, frame, start: self.ticks }),
            _ => {
                self.lacks_frames = true;
                return;
            }
        }
        self.ticks = self.ticks.saturating_add(ticks);
    }

    /// Returns the extras of the clip in a scene.
    pub(super) fn extras(&self, group: &AnimationGroup) -> Value {
        let [ticks, _] = group.animation.to_le_bytes();
        let event = |(tick, command): &(u32, AnimationCommand)| json!({ "time": seconds(*tick), "name": command.name(), "parameters": command.parameters() });
        json!({
            "group": group.number,
            "ticks_per_frame": ticks.max(1),
            "type": group.kind & 0xff,
            "loop": self.is_loop,
            "events": self.events.iter().map(event).collect::<Vec<_>>(),
        })
    }
}

/// Converts a tick to seconds.
pub(super) fn seconds(tick: u32) -> f32 {
    #[expect(clippy::as_conversions, clippy::cast_precision_loss, reason = "a clip has few ticks")]
    let tick = tick as f32;
    tick / NOMINAL_TICKS_PER_SECOND
}

/// Returns the keys of a value in which each key holds until the next one, and the last one until the end of the clip.
pub(super) fn keys_of<T: Copy + PartialEq>(
    values: impl Iterator<Item = (u32, T)>,
    end: u32,
) -> Vec<(u32, T)> {
    let mut out: Vec<(u32, T)> = Vec::new();
    for (tick, value) in values {
        match out.last_mut() {
            Some((_, last)) if *last == value => {}
            Some((time, last)) if *time == tick => *last = value,
            _ => out.push((tick, value)),
        }
    }
    if let Some((_, value)) = out.last().copied().filter(|(last, _)| *last < end) {
        out.push((end, value));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Creates a command from its opcode and its only parameter.
    fn command(opcode: u32, value: u32) -> AnimationCommand {
        AnimationCommand(opcode | value << 4)
    }

    fn clip(animation: u16, commands: &[(u32, u32)], frames: &[u8]) -> Clip {
        let commands = commands.iter().map(|(opcode, value)| command(*opcode, *value)).collect();
        Clip::of(&AnimationGroup { number: 1, animation, kind: 0, commands }, 0, frames)
    }

    fn steps(clip: &Clip) -> Vec<[usize; 3]> {
        clip.steps.iter().map(|step| [step.model, step.frame, step.start as usize]).collect()
    }

    #[test]
    fn frames_are_numbered_across_all_models() {
        let clip = clip(0x0103, &[(0, 1), (0, 2), (0, 4), (0, 5), (1, 0), (0, 0)], &[2, 3]);
        assert_eq!(steps(&clip), [[0, 1, 0], [1, 0, 3], [1, 2, 6]]);
        assert!(clip.lacks_frames && !clip.is_loop);
        assert_eq!(clip.ticks, 9);
    }

    #[test]
    fn a_backward_jump_is_followed_once_and_a_forward_jump_is_an_exit() {
        let clip = clip(0, &[(0, 0), (0, 1), (3, 5), (2, 1), (0, 2), (0, 3), (1, 0)], &[4]);
        assert_eq!(steps(&clip), [[0, 0, 0], [0, 1, 1], [0, 1, 2], [0, 2, 3], [0, 3, 4]]);
        assert!(clip.is_loop);
        assert_eq!(clip.exits, [5]);
    }

    #[test]
    fn events_have_times_and_delays_hold_a_frame() {
        let clip = clip(2, &[(0, 0), (4, 57), (12, 10), (0, 1), (15, 1), (12, 255), (10, 3), (0, 2)], &[4]);
        assert_eq!(steps(&clip), [[0, 0, 0], [0, 1, 12]]);
        let events: Vec<_> = clip.events.iter().map(|(tick, command)| (*tick, command.name())).collect();
        assert_eq!(
            events,
            [(2, "PlaySound"), (14, "Transition"), (14, "DelayCounter"), (14, "ChangeAnimGroup")]
        );
    }

    #[test]
    fn circular_jumps_terminate() {
        let clip = clip(1, &[(2, 1), (2, 0)], &[1]);
        assert_eq!(clip.steps, []);
    }

    #[test]
    fn a_static_model_is_shown() {
        assert_eq!(steps(&clip(1, &[(0, 0), (1, 0)], &[0])), [[0, 0, 0]]);
    }
}
