//! A session under a debugger: its position, motions forward and back, and stops.

mod backward;
mod forward;

use std::sync::Arc;

use antiquary::Error;
use antiquary::files::suggest::did_you_mean;
use antiquary::script::{ScriptSession, SessionActor, SessionEvent, SessionStop, Watched, labels};

use crate::debug::breakpoint::{Breakpoints, Hit};
use crate::debug::history::History;
use crate::debug::listing::Listing;

use forward::Goal;

/// Number of ticks between checks for a pause.
const PAUSE_INTERVAL: u64 = 1024;

/// Group of values that contains the offsets of an actor.
const CURSORS: &str = "cursor";

/// Name of the offset to which a subroutine returns.
pub const RETURN: &str = "return_slot";

/// Name of the offset at which the main run continues.
pub const MAIN: &str = "main";

/// A motion forward.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Motion {
    /// To the next statement of an actor, or of any actor.
    Step(Option<usize>),
    /// To the next statement of an actor in the same run, stepping over subroutines.
    Next(usize),
    /// To the return of the actor's subroutine, or to the end of the update.
    Out(usize),
    /// To the end of the update.
    Update,
    /// To a breakpoint.
    Continue,
}

/// A motion back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Backward {
    /// To the previous statement of an actor, or of any actor.
    Step(Option<usize>),
    /// To the previous breakpoint or fault.
    Stop,
    /// To the start.
    Start,
}

/// The reason that a session stopped.
#[derive(Debug, Clone, PartialEq)]
pub enum Reason {
    /// The motion is complete.
    Arrived,
    /// At breakpoints.
    Breakpoints(Vec<Hit>),
    /// A script failed.
    Fault(Box<SessionStop>),
    /// This number of updates passed without another reason.
    UpdateLimit(u32),
    /// A script waits for an action of the player.
    Waiting(String),
    /// The observer requested a pause.
    Paused,
    /// The session is back at the start.
    Start,
}

/// The position of a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Position {
    /// Index of the actor.
    pub actor: usize,
    /// One-based number of the update.
    pub update: u32,
    /// Stage of the update.
    pub stage: &'static str,
    /// Offset of the statement that runs next, or that failed.
    pub at: Option<u32>,
    /// One-based line of the statement.
    pub line: Option<usize>,
}

/// Receives the events of a running session.
pub trait Observer {
    /// Called for each event.
    fn on_event(&mut self, event: &SessionEvent);

    /// Whether to pause the session. Called at intervals.
    fn should_pause(&mut self) -> bool;
}

/// A session under a debugger.
#[derive(Debug)]
pub struct Debugger {
    session: ScriptSession,
    /// Number of ticks since the start: instructions, and visits of tasks.
    tick: u64,
    history: History,
    /// The breakpoints of the session.
    pub breakpoints: Breakpoints,
    /// Whether faults of scripts stop the session.
    pub stops_at_faults: bool,
    /// Maximum number of updates of one motion.
    pub max_updates: u32,
    actors: Vec<SessionActor>,
    /// Unique names of the actors.
    labels: Vec<String>,
    listings: Vec<Option<Option<Arc<Listing>>>>,
    goal: Goal,
    /// Number of the update after which the motion stops.
    bound: u32,
    /// Position of a failure, until the session continues.
    failed: Option<Position>,
}

impl Debugger {
    /// Creates a debugger for a session.
    #[must_use]
    pub fn new(session: ScriptSession) -> Self {
        let actors = session.actors();
        Self {
            history: History::new(&session),
            breakpoints: Breakpoints::new(actors.iter().map(|it| it.name.as_str())),
            listings: vec![None; actors.len()],
            labels: labels(&actors),
            actors,
            session,
            tick: 0,
            stops_at_faults: true,
            max_updates: 100_000,
            goal: Goal::Never,
            bound: u32::MAX,
            failed: None,
        }
    }

    /// The actors.
    #[must_use]
    pub fn actors(&self) -> &[SessionActor] {
        &self.actors
    }

    /// The unique name of an actor; empty if there is no such actor.
    #[must_use]
    pub fn name(&self, actor: usize) -> &str {
        self.labels.get(actor).map_or("", String::as_str)
    }

    /// The initial actor: the requested one, otherwise the first one with a script.
    #[must_use]
    pub fn first_actor(&self) -> usize {
        let scripted = || self.actors.iter().position(|it| it.is_scripted);
        self.session.focus().or_else(scripted).unwrap_or_default()
    }

    /// The requested actor.
    #[must_use]
    pub fn focus(&self) -> Option<usize> {
        self.session.focus()
    }

    /// Finds an actor by its name, by `NAME#K` with the number of its instance, or by `#` and its index.
    ///
    /// # Errors
    /// If there is no such actor.
    pub fn find(&self, name: &str) -> Result<usize, Error> {
        let (base, number) = match name.rsplit_once('#') {
            Some((base, number)) => (base, number.parse::<usize>().ok()),
            None => (name, None),
        };
        let found = match number {
            Some(number) if base.is_empty() => Some(number).filter(|it| *it < self.actors.len()),
            _ => self.actors.iter().position(|it| {
                let is_instance = number.is_none_or(|number| it.instance == number);
                it.name.eq_ignore_ascii_case(base) && is_instance
            }),
        };
        found.ok_or_else(|| {
            let meant = did_you_mean(name, self.actors.iter().map(|it| it.name.as_str()));
            Error::usage(format!("no actor is named \"{name}\"{meant}"))
        })
    }

    /// The text of an actor's script; `None` if it has no script.
    pub fn listing(&mut self, actor: usize) -> Option<Arc<Listing>> {
        let known = self.listings.get_mut(actor)?;
        let read = || {
            let (text, statements) = self.session.source(actor)?;
            Some(Arc::new(Listing::new(text, statements)))
        };
        known.get_or_insert_with(read).clone()
    }

    /// The current position; `None` between two updates.
    #[must_use]
    pub fn position(&self) -> Option<Position> {
        self.failed.clone().or_else(|| {
            let it = self.session.position()?;
            Some(Position { actor: it.actor, update: it.update, stage: it.stage, at: it.at, line: it.line })
        })
    }

    /// Number of complete updates.
    #[must_use]
    pub fn updates(&self) -> u32 {
        self.session.updates()
    }

    /// Number of ticks since the start: instructions, and visits of tasks.
    #[must_use]
    pub const fn ticks(&self) -> u64 {
        self.tick
    }

    /// The values of an actor, and the shared values.
    #[must_use]
    pub fn watch(&self, actor: usize) -> Vec<Watched> {
        self.session.watch(actor)
    }

    /// An offset of an actor, by its name.
    #[must_use]
    pub fn cursor(&self, actor: usize, name: &str) -> Option<u32> {
        let found =
            self.session.watch(actor).into_iter().find(|it| it.group == CURSORS && it.name == name)?;
        u32::from_str_radix(found.value.strip_prefix("0x")?, 16).ok()
    }

    /// Returns a value by its name.
    ///
    /// # Errors
    /// If there is no value with this name.
    pub fn get(&self, actor: usize, name: &str) -> Result<String, Error> {
        self.session.get(actor, name)
    }

    /// Whether a condition in the script language is true for an actor.
    ///
    /// # Errors
    /// If the condition cannot be parsed.
    pub fn holds(&self, actor: usize, condition: &str) -> Result<bool, Error> {
        self.session.holds(actor, condition)
    }

    /// Sets a value by its name.
    ///
    /// # Errors
    /// If there is no value with this name, or the new value is invalid.
    pub fn set(&mut self, actor: usize, name: &str, value: &str) -> Result<(), Error> {
        self.session.set(actor, name, value)?;
        // Events caused by the edit are not reported.
        let _ = self.session.take_events();
        self.history.record_edit(self.tick, actor, name, value);
        Ok(())
    }

    /// The complete state as JSON.
    #[must_use]
    pub fn state(&self) -> antiquary::json::Value {
        self.session.state().root().to_value()
    }

    /// The position of a fault.
    fn fault_position(&mut self, fault: &SessionStop, before: Option<usize>) -> Position {
        let named = |actor: &usize| self.actors.get(*actor).is_some_and(|it| it.name == fault.actor);
        let actor = before.filter(named).or_else(|| self.actors.iter().position(|it| it.name == fault.actor));
        let actor = actor.unwrap_or_default();
        let line = self.listing(actor).and_then(|it| it.line_of(fault.at));
        Position { actor, update: fault.update, stage: fault.stage, at: Some(fault.at), line }
    }
}
