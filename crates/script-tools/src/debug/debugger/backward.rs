//! Going back in a session: its history is replayed up to the target tick.

use antiquary::script::ScriptSession;

use super::forward::Goal;
use super::{Backward, Debugger, Observer, PAUSE_INTERVAL, Reason};
use crate::debug::history::Tick;

/// The observer requested a pause.
struct Pausing;

impl Debugger {
    /// Goes back. Past events are not reported again, and edits made after the target are discarded.
    pub fn go_back(&mut self, motion: Backward, observer: &mut dyn Observer) -> Reason {
        self.goal = Goal::Never;
        let found = match motion {
            Backward::Start => Ok(None),
            Backward::Step(actor) => self.search_back(observer, |_, session, _| {
                let position = session.position();
                position.is_some_and(|it| it.at.is_some() && actor.is_none_or(|actor| actor == it.actor))
            }),
            Backward::Stop => self.search_back(observer, |it, session, tick| {
                let hits = it.breakpoints.hits(session, &tick.events);
                !hits.is_empty() || (it.stops_at_faults && tick.fault.is_some())
            }),
        };
        match found {
            Ok(found) => self.go_to(found.unwrap_or(0), motion),
            Err(Pausing) => Reason::Paused,
        }
    }

    /// The last tick before the current one for which the predicate is true.
    fn search_back(
        &self,
        observer: &mut dyn Observer,
        predicate: impl Fn(&Self, &ScriptSession, &Tick) -> bool,
    ) -> Result<Option<u64>, Pausing> {
        // The last tick that has not been searched.
        let mut last = self.tick.saturating_sub(1);
        // Each section of the history starts after a snapshot, whose own tick is the last one of the previous section.
        while let Some(mut replay) = last.checked_sub(1).and_then(|before| self.history.replay(before)) {
            let first = replay.tick;
            let mut found = None;
            while replay.tick < last {
                let ticked = replay.tick();
                if predicate(self, &replay.session, &ticked) {
                    found = Some(replay.tick);
                }
                if replay.tick.is_multiple_of(PAUSE_INTERVAL) && observer.should_pause() {
                    return Err(Pausing);
                }
            }
            if found.is_some() {
                return Ok(found);
            }
            last = first;
        }
        Ok(None)
    }

    /// Goes back to a tick.
    fn go_to(&mut self, target: u64, motion: Backward) -> Reason {
        // At least one tick is replayed, so that its effects are known.
        let Some(mut replay) = self.history.replay(target.saturating_sub(1)) else { return Reason::Start };
        let mut last = None;
        let mut before = None;
        while replay.tick < target {
            before = replay.session.position();
            last = Some(replay.tick());
        }
        let (session, tick) = (replay.session, replay.tick);
        self.history.forget_edits_after(tick);
        (self.session, self.tick, self.failed) = (session, tick, None);
        let Some(Tick { fault, events }) = last else { return Reason::Start };
        if let Some(fault) = fault.filter(|_| motion == Backward::Stop && self.stops_at_faults) {
            self.failed = Some(self.fault_position(&fault, before.map(|it| it.actor)));
            return Reason::Fault(fault);
        }
        let hits = self.breakpoints.hits(&self.session, &events);
        if hits.is_empty() { Reason::Arrived } else { Reason::Breakpoints(hits) }
    }
}
