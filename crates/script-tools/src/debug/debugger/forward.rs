//! Running a session forward until it stops.

use super::{Debugger, Motion, Observer, PAUSE_INTERVAL, RETURN, Reason};
use crate::debug::history::{Tick, tick};

/// The end of a motion.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Goal {
    /// At a statement of an actor, or of any.
    Statement { actor: Option<usize>, stage: Option<&'static str> },
    /// After the statement at this offset has run.
    After { actor: usize, at: u32, stage: &'static str },
    /// At an offset.
    Offset { actor: usize, at: u32, stage: &'static str },
    /// At an offset, or at the end of the update.
    Return { actor: usize, at: Option<u32> },
    /// At the end of the update.
    Update,
    /// Never.
    Never,
}

impl Debugger {
    /// Runs a motion.
    pub fn go(&mut self, motion: Motion, observer: &mut dyn Observer) -> Reason {
        self.bound = self.session.updates().saturating_add(self.max_updates.max(1));
        let here = self.session.position();
        self.goal = match motion {
            Motion::Step(actor) => Goal::Statement { actor, stage: None },
            Motion::Next(actor) => match here.and_then(|it| Some((it.actor, it.at?, it.stage))) {
                Some((known, at, stage)) if known == actor => Goal::After { actor, at, stage },
                _ => Goal::Statement { actor: Some(actor), stage: None },
            },
            Motion::Out(actor) => Goal::Return { actor, at: self.cursor(actor, RETURN) },
            Motion::Update => Goal::Update,
            Motion::Continue => Goal::Never,
        };
        self.resume(observer)
    }

    /// Resumes a motion that was paused.
    pub fn resume(&mut self, observer: &mut dyn Observer) -> Reason {
        loop {
            if self.tick.is_multiple_of(PAUSE_INTERVAL) && observer.should_pause() {
                return Reason::Paused;
            }
            let before = self.session.position();
            let updates = self.session.updates();
            self.failed = None;
            let Tick { fault, events } = tick(&mut self.session);
            self.tick = self.tick.saturating_add(1);
            self.history.record_tick(self.tick, &self.session);
            for it in &events {
                observer.on_event(it);
            }
            let hits = self.breakpoints.hits(&self.session, &events);
            let hits = self.breakpoints.count_hits(hits);
            if let Some(fault) = fault.filter(|_| self.stops_at_faults) {
                self.failed = Some(self.fault_position(&fault, before.map(|it| it.actor)));
                return Reason::Fault(fault);
            }
            if !hits.is_empty() {
                return Reason::Breakpoints(hits);
            }
            let is_update_complete = self.session.updates() > updates;
            if self.is_reached(is_update_complete) {
                return Reason::Arrived;
            }
            let is_stepping = is_update_complete && self.goal != Goal::Never;
            if let Some(what) = is_stepping.then(|| self.session.waits_for()).flatten() {
                return Reason::Waiting(what);
            }
            if self.session.updates() >= self.bound {
                return Reason::UpdateLimit(self.max_updates);
            }
        }
    }

    /// Whether the motion has reached its goal.
    fn is_reached(&mut self, is_update_complete: bool) -> bool {
        let here = self.session.position();
        let here = here.and_then(|it| Some((it.actor, it.at?, it.stage)));
        if let Goal::After { actor, at, stage } = self.goal {
            let following = self.listing(actor).and_then(|it| it.next_after(at));
            let is_elsewhere = here.is_none_or(|(known, now, _)| known == actor && Some(now) != following);
            let is_call = following.is_some() && is_elsewhere && self.cursor(actor, RETURN) == following;
            self.goal = match following {
                Some(at) if is_call && here.is_some() => Goal::Offset { actor, at, stage },
                _ => Goal::Statement { actor: Some(actor), stage: Some(stage) },
            };
        }
        match self.goal {
            Goal::Statement { actor, stage } => here.is_some_and(|(known, _, run)| {
                actor.is_none_or(|actor| actor == known) && stage.is_none_or(|stage| stage == run)
            }),
            Goal::Offset { actor, at, stage } => here == Some((actor, at, stage)),
            Goal::Return { actor, at } => {
                is_update_complete || here.is_some_and(|(known, now, _)| known == actor && Some(now) == at)
            }
            Goal::Update => is_update_complete,
            Goal::After { .. } | Goal::Never => false,
        }
    }
}
