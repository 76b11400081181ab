//! The history of a session: snapshots at intervals, between which it is replayed.

use antiquary::script::{Advance, ScriptSession, SessionEvent, SessionStop};

/// Maximum number of snapshots. When it is exceeded, every other snapshot is dropped.
const MAX_SNAPSHOTS: usize = 32;

/// Initial distance of snapshots, in ticks.
const FIRST_INTERVAL: u64 = 256;

/// A session at a past tick. A tick is one instruction, or one visit of a task.
#[derive(Debug)]
struct Snapshot {
    tick: u64,
    session: ScriptSession,
}

/// A value that was set by the user.
#[derive(Debug, Clone)]
struct Edit {
    tick: u64,
    actor: usize,
    name: String,
    value: String,
}

/// The result of one tick.
#[derive(Debug)]
pub(crate) struct Tick {
    /// The fault that stopped a script.
    pub(crate) fault: Option<Box<SessionStop>>,
    pub(crate) events: Vec<SessionEvent>,
}

/// Runs one tick.
pub(crate) fn tick(session: &mut ScriptSession) -> Tick {
    let fault = session.advance(Advance::Instruction).err();
    Tick { fault, events: session.take_events() }
}

/// The history of a session.
#[derive(Debug)]
pub(crate) struct History {
    /// Snapshots in ascending order; the first is at tick 0. Each is the state before the edits of its tick.
    snapshots: Vec<Snapshot>,
    interval: u64,
    edits: Vec<Edit>,
}

/// A section of the history that is replayed.
#[derive(Debug)]
pub(crate) struct Replay<'a> {
    pub(crate) tick: u64,
    pub(crate) session: ScriptSession,
    edits: &'a [Edit],
}

impl History {
    pub(crate) fn new(session: &ScriptSession) -> Self {
        let first = Snapshot { tick: 0, session: session.clone() };
        Self { snapshots: vec![first], interval: FIRST_INTERVAL, edits: Vec::new() }
    }

    /// Records that the session reached a tick.
    pub(crate) fn record_tick(&mut self, tick: u64, session: &ScriptSession) {
        let last = self.snapshots.last().map_or(0, |it| it.tick);
        if tick < last.saturating_add(self.interval) {
            return;
        }
        self.snapshots.push(Snapshot { tick, session: session.clone() });
        if self.snapshots.len() > MAX_SNAPSHOTS {
            let mut is_kept = false;
            self.snapshots.retain(|_| {
                is_kept = !is_kept;
                is_kept
            });
            self.interval = self.interval.saturating_mul(2);
        }
    }

    /// Records that a value was set at a tick, which discards the snapshots after it.
    pub(crate) fn record_edit(&mut self, tick: u64, actor: usize, name: &str, value: &str) {
        self.snapshots.retain(|it| it.tick <= tick);
        self.edits.push(Edit { tick, actor, name: name.to_owned(), value: value.to_owned() });
    }

    /// Discards edits made after a tick.
    pub(crate) fn forget_edits_after(&mut self, tick: u64) {
        if let Some(first) = self.edits.iter().map(|it| it.tick).find(|it| *it > tick) {
            self.snapshots.retain(|it| it.tick <= first);
            self.edits.retain(|it| it.tick <= tick);
        }
    }

    /// Starts a replay from the last snapshot at or before a tick.
    pub(crate) fn replay(&self, tick: u64) -> Option<Replay<'_>> {
        let behind = self.snapshots.partition_point(|it| it.tick <= tick);
        let snapshot = self.snapshots.get(behind.checked_sub(1)?)?;
        let edits = self.edits.partition_point(|it| it.tick < snapshot.tick);
        let mut out = Replay {
            tick: snapshot.tick,
            session: snapshot.session.clone(),
            edits: self.edits.get(edits..).unwrap_or_default(),
        };
        out.edit();
        Some(out)
    }
}

impl Replay<'_> {
    /// Replays one tick.
    pub(crate) fn tick(&mut self) -> Tick {
        let out = tick(&mut self.session);
        self.tick = self.tick.saturating_add(1);
        self.edit();
        out
    }

    /// Applies the edits of the current tick.
    fn edit(&mut self) {
        while let Some((first, rest)) = self.edits.split_first()
            && first.tick <= self.tick
        {
            // An edit that was accepted once is accepted again, because the state is the same.
            let _ = self.session.set(first.actor, &first.name, &first.value);
            self.edits = rest;
        }
    }
}
