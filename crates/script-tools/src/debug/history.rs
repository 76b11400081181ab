//! The past of a session: copies at intervals, between which it is run again.

use antiquary::script::{Advance, Happening, ScriptSession, SessionStop};

/// So many copies are kept. When there are more, every other one is dropped.
const MOST_SNAPSHOTS: usize = 32;

/// The first distance of copies in ticks.
const FIRST_INTERVAL: u64 = 256;

/// A session at some tick of its past. A tick is one instruction, or one visit of a task.
#[derive(Debug)]
struct Snapshot {
    tick: u64,
    session: ScriptSession,
}

/// A value that was changed from outside.
#[derive(Debug, Clone)]
struct Edit {
    tick: u64,
    actor: usize,
    name: String,
    value: String,
}

/// What one tick did.
#[derive(Debug)]
pub(crate) struct Tick {
    /// What stopped a script.
    pub(crate) fault: Option<Box<SessionStop>>,
    pub(crate) happened: Vec<Happening>,
}

/// Runs one tick.
pub(crate) fn tick(session: &mut ScriptSession) -> Tick {
    let fault = session.advance(Advance::Instruction).err();
    Tick { fault, happened: session.happened() }
}

/// The past of a session.
#[derive(Debug)]
pub(crate) struct History {
    /// In ascending order; the first one is at tick 0. Each is as it was before the edits of its tick.
    snapshots: Vec<Snapshot>,
    interval: u64,
    edits: Vec<Edit>,
}

/// A part of the past that is run again.
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

    /// The session has come to a tick.
    pub(crate) fn arrived(&mut self, tick: u64, session: &ScriptSession) {
        let last = self.snapshots.last().map_or(0, |it| it.tick);
        if tick < last.saturating_add(self.interval) {
            return;
        }
        self.snapshots.push(Snapshot { tick, session: session.clone() });
        if self.snapshots.len() > MOST_SNAPSHOTS {
            let mut is_kept = false;
            self.snapshots.retain(|_| {
                is_kept = !is_kept;
                is_kept
            });
            self.interval = self.interval.saturating_mul(2);
        }
    }

    /// A value was changed at a tick; another future follows.
    pub(crate) fn edited(&mut self, tick: u64, actor: usize, name: &str, value: &str) {
        self.snapshots.retain(|it| it.tick <= tick);
        self.edits.push(Edit { tick, actor, name: name.to_owned(), value: value.to_owned() });
    }

    /// Forgets what was changed after a tick.
    pub(crate) fn forget_edits_after(&mut self, tick: u64) {
        if let Some(first) = self.edits.iter().map(|it| it.tick).find(|it| *it > tick) {
            self.snapshots.retain(|it| it.tick <= first);
            self.edits.retain(|it| it.tick <= tick);
        }
    }

    /// The past from the last copy at or before a tick.
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
    /// Runs one tick again.
    pub(crate) fn tick(&mut self) -> Tick {
        let out = tick(&mut self.session);
        self.tick = self.tick.saturating_add(1);
        self.edit();
        out
    }

    /// Changes what was changed at this tick.
    fn edit(&mut self) {
        while let Some((first, rest)) = self.edits.split_first()
            && first.tick <= self.tick
        {
            // What was accepted once is accepted again: the state is the same.
            let _ = self.session.set(first.actor, &first.name, &first.value);
            self.edits = rest;
        }
    }
}
