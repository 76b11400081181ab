//! Playback of an actor's animation groups, command by command and tick by tick.

use serde::{Deserialize, Serialize};

use crate::map::{AnimationCommand, AnimationGroup};

/// The maximum number of commands read in one update: a group whose jumps form a loop shows nothing further.
const MAX_COMMANDS: usize = 1 << 12;

/// The delay that never ends.
const FOREVER: u8 = 255;

/// The interruption mode of a group, from the low byte of its type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GroupKind {
    /// Type 0: can be interrupted.
    Interruptible,
    /// Type 1: plays to its end.
    Uninterruptible,
    /// Type 2: does not return to the default group early.
    NoReturn,
    /// Any other type.
    Other,
}

impl GroupKind {
    /// Returns the mode of a group.
    #[must_use]
    pub const fn of(group: &AnimationGroup) -> Self {
        match group.kind & 0xff {
            0 => Self::Interruptible,
            1 => Self::Uninterruptible,
            2 => Self::NoReturn,
            _ => Self::Other,
        }
    }
}

/// The urgency of a request for a group.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Request {
    /// Waits until the current group ends or is left.
    Waiting,
    /// Starts at once, unless the group is already current and not being left.
    Forced,
}

/// The playback state of an actor's animation groups.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Playback {
    /// The number of the current group.
    group: Option<u16>,
    /// The index of the next command.
    next: usize,
    /// The number of further updates with ticks for which the frame is shown.
    countdown: u8,
    /// The number of remaining backward jumps; 0 for unlimited.
    loops: u8,
    /// The pending group.
    pending: Option<u16>,
    /// Whether a forward jump was taken.
    is_leaving: bool,
    /// The remaining ticks of a delay.
    delay: u8,
    /// The index of the current entry of the frame table.
    frame: Option<u32>,
}

/// The parameters of an update.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Update {
    /// The nominal ticks of the update: see [`GameClock`](super::clock::GameClock).
    pub ticks: u32,
    /// The number added to the ticks of each frame.
    pub modifier: u8,
    /// The group that plays when no other does.
    pub default_group: u16,
}

/// The result of a command.
enum Step {
    /// Continue with the next command.
    Continue,
    /// Show a frame.
    Show(u32),
    /// The group has ended.
    End,
    /// Stop reading commands in this update.
    Hold,
}

impl Playback {
    /// Returns the current group.
    #[must_use]
    pub const fn group(&self) -> Option<u16> {
        self.group
    }

    /// Returns the pending group.
    #[must_use]
    pub const fn pending(&self) -> Option<u16> {
        self.pending
    }

    /// Returns the index of the current entry of the actor's frame table.
    #[must_use]
    pub const fn frame(&self) -> Option<u32> {
        self.frame
    }

    /// Returns the number of frames of the current group before the current frame.
    #[must_use]
    pub fn progress(&self, groups: &[AnimationGroup]) -> i32 {
        let group = self.group.and_then(|group| find(groups, group));
        let read = group.and_then(|group| group.commands.get(..self.next.min(group.commands.len())));
        let frames = read.map_or(0, |read| read.iter().filter(|command| command.opcode() == 0).count());
        i32::try_from(frames.saturating_sub(1)).unwrap_or(i32::MAX)
    }

    /// Limits the number of backward jumps; 0 for unlimited.
    pub const fn set_loops(&mut self, loops: u8) {
        self.loops = loops;
    }

    /// Requests a group; a group that the actor lacks is replaced by the default. A lower number does not replace a higher pending one.
    /// \[E\]
    pub fn request(&mut self, group: u16, request: Request, groups: &[AnimationGroup], default_group: u16) {
        let group = if find(groups, group).is_some() { group } else { default_group };
        match request {
            Request::Waiting => self.pending = Some(self.pending.map_or(group, |other| other.max(group))),
            Request::Forced if self.group == Some(group) && !self.is_leaving => {}
            Request::Forced => self.start(group, 0),
        }
    }

    fn start(&mut self, group: u16, next: usize) {
        let frame = self.frame;
        *self = Self { group: Some(group), next, frame, ..Self::default() };
    }

    /// Advances playback. Returns the commands read other than frames and jumps (sounds, marks, events, transitions), in their order.
    ///
    /// The low byte of the group's animation number plus the modifier is the number of updates with ticks that a frame lasts. An update
    /// with several ticks skips further frames. An update without ticks reads only the commands before the next frame. \[E\]
    ///
    /// A frame with a duration of 0 lasts 256 updates, following byte arithmetic. \[?\]
    pub fn update(&mut self, groups: &[AnimationGroup], update: Update) -> Vec<AnimationCommand> {
        let mut events = Vec::new();
        if self.countdown > 0 {
            self.countdown = self.countdown.saturating_sub(u8::from(update.ticks > 0));
            return events;
        }
        if self.delay > 0 {
            if self.delay != FOREVER {
                self.delay = self.delay.saturating_sub(u8::try_from(update.ticks).unwrap_or(u8::MAX));
            }
            return events;
        }
        let mut skipped = update.ticks.saturating_sub(1);
        for _ in 0..MAX_COMMANDS {
            let Some(group) = self.current(groups, update.default_group) else { break };
            match self.step(group, update.default_group, &mut events) {
                Step::Continue => {}
                Step::End => self.group = None,
                Step::Hold => break,
                Step::Show(_) if update.ticks == 0 => {
                    self.next = self.next.saturating_sub(1);
                    break;
                }
                Step::Show(frame) => {
                    self.frame = Some(frame);
                    if skipped == 0 {
                        let [duration, _] = group.animation.to_le_bytes();
                        self.countdown = duration.wrapping_add(update.modifier).wrapping_sub(1);
                        break;
                    }
                    skipped = skipped.saturating_sub(1);
                }
            }
        }
        events
    }

    /// Returns the current group; if there is none, starts the pending group or the default one.
    fn current<'a>(
        &mut self,
        groups: &'a [AnimationGroup],
        default_group: u16,
    ) -> Option<&'a AnimationGroup> {
        let is_known = |group: u16| find(groups, group).is_some();
        // A group that the actor lacks shows nothing and blocks no other.
        if !self.group.is_some_and(is_known) {
            match self.pending.filter(|group| is_known(*group)) {
                Some(next) => self.start(next, 0),
                None if self.group.is_none() => self.start(default_group, 0),
                None => {}
            }
        }
        find(groups, self.group?)
    }

    /// Executes the next command.
    fn step(
        &mut self,
        group: &AnimationGroup,
        default_group: u16,
        events: &mut Vec<AnimationCommand>,
    ) -> Step {
        let Some(command) = group.commands.get(self.next).copied() else { return Step::End };
        self.next = self.next.saturating_add(1);
        let parameters = command.parameters();
        let first = parameters.first().copied().unwrap_or_default();
        let index = |number: i32| usize::try_from(number).unwrap_or(usize::MAX);
        match command.opcode() {
            0 => return Step::Show(first.unsigned_abs()),
            1 => return Step::End,
            2 | 14 => {
                let is_last = self.loops == 1;
                self.loops = self.loops.saturating_sub(1);
                if !is_last {
                    self.next = index(first);
                }
            }
            3 if self.takes_forward_jump(group, default_group) => {
                self.is_leaving = true;
                self.next = index(first);
            }
            3 => {}
            10 => {
                let [target, frame] = [0, 1].map(|at: usize| parameters.get(at).copied().unwrap_or_default());
                self.start(u16::try_from(target).unwrap_or(default_group), index(frame));
            }
            12 | 13 => {
                let [delay, ..] = first.to_le_bytes();
                self.delay = delay;
                return Step::Hold;
            }
            _ => events.push(command),
        }
        Step::Continue
    }

    /// Whether a forward jump is taken. \[E\]
    fn takes_forward_jump(&self, group: &AnimationGroup, default_group: u16) -> bool {
        let waits = self.pending.filter(|pending| Some(*pending) != self.group);
        let is_kept = GroupKind::of(group) == GroupKind::NoReturn && waits == Some(default_group);
        self.loops == 0 && (self.is_leaving || waits.is_some()) && !is_kept
    }
}

/// Returns the group with this number.
fn find(groups: &[AnimationGroup], number: u16) -> Option<&AnimationGroup> {
    groups.iter().find(|group| group.number == number)
}

/// The state of an actor that selects its default group. The first applicable variant is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Posture {
    /// The player in deep water.
    Swimming,
    /// On a rope.
    OnRope,
    /// In actor state 15.
    State15,
    /// Putting a weapon away.
    Sheathing,
    /// Drawing a weapon, or with one in the hand.
    Armed,
    /// With a torch.
    WithTorch,
    /// None of the above.
    Idle,
}

/// Returns the default group of a living actor, from its attribute 44. A dead actor uses 123 or 124. \[E\]
#[must_use]
pub const fn default_group(posture: Posture, attribute_44: u16) -> u16 {
    match posture {
        Posture::Swimming => 141,
        Posture::OnRope => 79,
        Posture::State15 => 7,
        Posture::Armed => 8,
        Posture::WithTorch => 5,
        Posture::Sheathing | Posture::Idle => attribute_44,
    }
}

/// Returns the group for an animation number of COMBAT.INI. \[E\]
#[must_use]
pub const fn combat_group(animation: u16) -> u16 {
    animation.wrapping_add(97)
}

/// Returns the group for a taunt number of COMBAT.INI. \[E\]
#[must_use]
pub const fn taunt_group(taunt: u16) -> u16 {
    taunt.wrapping_add(152)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn group(number: u16, animation: u16, kind: u16, commands: &[(u32, u32)]) -> AnimationGroup {
        let commands = commands.iter().map(|(opcode, value)| AnimationCommand(opcode | value << 4)).collect();
        AnimationGroup { number, animation, kind, commands }
    }

    const TICK: Update = Update { ticks: 1, modifier: 0, default_group: 1 };

    /// Returns the frames of a number of updates.
    fn frames(
        playback: &mut Playback,
        groups: &[AnimationGroup],
        updates: usize,
        update: Update,
    ) -> Vec<u32> {
        (0..updates)
            .map(|_| {
                playback.update(groups, update);
                playback.frame().unwrap_or(u32::MAX)
            })
            .collect()
    }

    #[test]
    fn the_group_sets_the_duration_of_a_frame() {
        let groups = [group(1, 0x0503, 0, &[(0, 7), (0, 8), (2, 0)])];
        assert_eq!(frames(&mut Playback::default(), &groups, 7, TICK), [7, 7, 7, 8, 8, 8, 7]);
        let longer = Update { modifier: 1, ..TICK };
        assert_eq!(frames(&mut Playback::default(), &groups, 5, longer), [7, 7, 7, 7, 8]);
    }

    #[test]
    fn several_ticks_skip_frames_and_no_ticks_keep_the_frame() {
        let groups = [group(1, 1, 0, &[(4, 9), (0, 0), (0, 1), (0, 2), (0, 3), (2, 1)])];
        let three = Update { ticks: 3, ..TICK };
        assert_eq!(frames(&mut Playback::default(), &groups, 3, three), [2, 1, 0]);
        let mut playback = Playback::default();
        let none = Update { ticks: 0, ..TICK };
        // The commands before the first frame are read once.
        assert_eq!([none, none, TICK].map(|update| playback.update(&groups, update).len()), [1, 0, 0]);
        assert_eq!(playback.frame(), Some(0));
        // More ticks do not shorten the current frame.
        let slow = [group(1, 3, 0, &[(0, 0), (0, 1), (2, 0)])];
        assert_eq!(frames(&mut Playback::default(), &slow, 4, three), [0, 0, 0, 1]);
    }

    #[test]
    fn the_pending_or_default_group_follows_the_end_of_a_group() {
        let groups = [group(1, 1, 0, &[(0, 10), (2, 0)]), group(5, 1, 1, &[(0, 50), (1, 0)])];
        let mut playback = Playback::default();
        playback.request(5, Request::Waiting, &groups, 1);
        assert_eq!(frames(&mut playback, &groups, 3, TICK), [50, 10, 10]);
        assert_eq!((playback.group(), playback.pending()), (Some(1), None));
    }

    #[test]
    fn a_forward_jump_is_taken_when_another_group_is_pending() {
        let walk = |kind| group(3, 1, kind, &[(0, 30), (3, 4), (2, 0), (1, 0), (0, 39), (1, 0)]);
        let groups = [group(1, 1, 0, &[(0, 10), (2, 0)]), walk(0)];
        let mut playback = Playback::default();
        playback.request(3, Request::Forced, &groups, 1);
        assert_eq!(frames(&mut playback, &groups, 2, TICK), [30, 30]);
        playback.request(1, Request::Waiting, &groups, 1);
        assert_eq!(frames(&mut playback, &groups, 2, TICK), [39, 10]);
        // A group of type 2 does not return to the default one.
        let groups = [groups[0].clone(), walk(2)];
        let mut playback = Playback::default();
        playback.request(3, Request::Forced, &groups, 1);
        playback.update(&groups, TICK);
        playback.request(1, Request::Waiting, &groups, 1);
        assert_eq!(frames(&mut playback, &groups, 3, TICK), [30, 30, 30]);
    }

    #[test]
    fn loops_are_counted_down() {
        let groups = [group(1, 1, 0, &[(0, 0), (2, 0), (0, 9), (1, 0)])];
        let mut playback = Playback::default();
        playback.request(1, Request::Forced, &groups, 1);
        playback.set_loops(3);
        assert_eq!(frames(&mut playback, &groups, 5, TICK), [0, 0, 0, 9, 0]);
    }

    #[test]
    fn a_higher_request_is_kept_and_a_missing_group_becomes_the_default() {
        let groups = [group(1, 1, 0, &[(0, 0)]), group(4, 1, 0, &[(0, 0)]), group(9, 1, 0, &[(0, 0)])];
        let mut playback = Playback::default();
        playback.request(9, Request::Waiting, &groups, 1);
        playback.request(4, Request::Waiting, &groups, 1);
        assert_eq!(playback.pending(), Some(9));
        let mut playback = Playback::default();
        playback.request(77, Request::Waiting, &groups, 1);
        assert_eq!(playback.pending(), Some(1));
    }

    #[test]
    fn delays_hold_a_frame() {
        let groups = [group(1, 1, 0, &[(0, 0), (12, 2), (0, 1), (12, 255), (0, 2)])];
        let found = frames(&mut Playback::default(), &groups, 8, TICK);
        // The update that reads the delay, and its two ticks.
        assert_eq!(found, [0, 0, 0, 0, 1, 1, 1, 1]);
    }

    #[test]
    fn postures_select_the_default_group() {
        use Posture::{Armed, Idle, OnRope, Sheathing, State15, Swimming, WithTorch};
        let all = [Swimming, OnRope, State15, Sheathing, Armed, WithTorch, Idle];
        assert_eq!(all.map(|posture| default_group(posture, 2)), [141, 79, 7, 2, 8, 5, 2]);
        assert_eq!((combat_group(3), taunt_group(3)), (100, 155));
    }

    proptest! {
        #[test]
        fn updates_terminate_for_any_commands(
            commands in proptest::collection::vec((0_u32..16, 0_u32..20), 0..20), ticks in 0_u32..5, animation in any::<u16>(),
        ) {
            let groups = [group(1, animation, 0, &commands), group(2, 1, 2, &commands)];
            let mut playback = Playback::default();
            for _ in 0..20 {
                let update = Update { ticks, ..TICK };
                prop_assert!(playback.update(&groups, update).len() <= MAX_COMMANDS);
                playback.request(2, Request::Waiting, &groups, 1);
            }
        }
    }
}
