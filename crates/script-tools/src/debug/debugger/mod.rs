//! A session under a debugger: where it is, how it goes on and back, and what stops it.

mod backward;
mod forward;

use std::sync::Arc;

use antiquary::Error;
use antiquary::files::suggest::did_you_mean;
use antiquary::script::{Happening, ScriptSession, SessionActor, SessionStop, Watched, labels};

use crate::debug::breakpoint::{Breakpoints, Hit};
use crate::debug::history::History;
use crate::debug::listing::Listing;

use forward::Goal;

/// After so many ticks the observer is asked whether to pause.
const PAUSE_INTERVAL: u64 = 1024;

/// The group of values in which the offsets of an actor are.
const CURSORS: &str = "cursor";

/// The place to which a subroutine returns, among those values.
pub const RETURN: &str = "return_slot";

/// Where the main run goes on, among those values.
pub const MAIN: &str = "main";

/// How a session goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Motion {
    /// To the next statement of an actor, or of any actor.
    Step(Option<usize>),
    /// To the next statement of an actor in the same run; subroutines run to their end.
    Next(usize),
    /// To where the subroutine of an actor returns, or to the end of the update.
    Out(usize),
    /// To the end of the update.
    Update,
    /// To a breakpoint.
    Continue,
}

/// How a session goes back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Backward {
    /// To the previous statement of an actor, or of any actor.
    Step(Option<usize>),
    /// To the previous breakpoint or fault.
    Stop,
    /// To the start.
    Start,
}

/// Why a session stopped.
#[derive(Debug, Clone, PartialEq)]
pub enum Reason {
    /// It is where it was to go.
    Arrived,
    /// At breakpoints.
    Breakpoints(Vec<Hit>),
    /// A script cannot go on.
    Fault(Box<SessionStop>),
    /// So many updates went by without another reason.
    Bound(u32),
    /// A script waits for something that only the player can do.
    Waiting(String),
    /// The observer asked for a pause.
    Paused,
    /// It went back to the start.
    Start,
}

/// Where a session is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// The number of the actor.
    pub actor: usize,
    /// The update, from 1 on.
    pub update: u32,
    /// The part of the update.
    pub stage: &'static str,
    /// The offset of the statement that runs next, or that failed.
    pub at: Option<u32>,
    /// Its line, from 1 on.
    pub line: Option<usize>,
}

/// Sees what happens while a session runs.
pub trait Observer {
    /// Something happened.
    fn happened(&mut self, happening: &Happening);

    /// Whether the session is to pause; asked from time to time.
    fn is_pausing(&mut self) -> bool;
}

/// A session under a debugger.
#[derive(Debug)]
pub struct Debugger {
    session: ScriptSession,
    /// How many ticks were run since the start: instructions, and visits of tasks.
    tick: u64,
    history: History,
    /// The breakpoints.
    pub breakpoints: Breakpoints,
    /// Whether faults of scripts stop the session.
    pub stops_at_faults: bool,
    /// A motion stops after so many updates.
    pub most_updates: u32,
    actors: Vec<SessionActor>,
    /// What the actors are called, each by another name.
    labels: Vec<String>,
    listings: Vec<Option<Option<Arc<Listing>>>>,
    goal: Goal,
    /// The update after which a motion stops.
    bound: u32,
    /// Where a script failed, until the session goes on.
    failed: Option<Place>,
}

impl Debugger {
    /// A debugger for a session.
    #[must_use]
    pub fn new(session: ScriptSession) -> Self {
        let actors = session.actors();
        Self {
            history: History::new(&session),
            breakpoints: Breakpoints::of(actors.iter().map(|it| it.name.as_str())),
            listings: vec![None; actors.len()],
            labels: labels(&actors),
            actors,
            session,
            tick: 0,
            stops_at_faults: true,
            most_updates: 100_000,
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

    /// What an actor is called, so that each has another name; empty for none.
    #[must_use]
    pub fn name(&self, actor: usize) -> &str {
        self.labels.get(actor).map_or("", String::as_str)
    }

    /// The actor to begin with: the one that was asked for, else the first one with a script.
    #[must_use]
    pub fn first_actor(&self) -> usize {
        let scripted = || self.actors.iter().position(|it| it.is_scripted);
        self.session.focus().or_else(scripted).unwrap_or_default()
    }

    /// The actor that was asked for.
    #[must_use]
    pub fn focus(&self) -> Option<usize> {
        self.session.focus()
    }

    /// An actor by its name, by `NAME#K` with the number of its instance, or by `#` and its number.
    ///
    /// # Errors
    /// When there is none.
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
            Error::usage(format!("no actor is called \"{name}\"{meant}"))
        })
    }

    /// The text of an actor's script; none when it has no script.
    pub fn listing(&mut self, actor: usize) -> Option<Arc<Listing>> {
        let known = self.listings.get_mut(actor)?;
        let read = || {
            let (text, statements) = self.session.source(actor)?;
            Some(Arc::new(Listing::new(text, statements)))
        };
        known.get_or_insert_with(read).clone()
    }

    /// Where the session is; none between two updates.
    #[must_use]
    pub fn place(&self) -> Option<Place> {
        self.failed.clone().or_else(|| {
            let it = self.session.position()?;
            Some(Place { actor: it.actor, update: it.update, stage: it.stage, at: it.at, line: it.line })
        })
    }

    /// How many updates are complete.
    #[must_use]
    pub fn updates(&self) -> u32 {
        self.session.updates()
    }

    /// How many ticks were run since the start: instructions, and visits of tasks.
    #[must_use]
    pub const fn ticks(&self) -> u64 {
        self.tick
    }

    /// The values of an actor, and what is shared by all.
    #[must_use]
    pub fn watch(&self, actor: usize) -> Vec<Watched> {
        self.session.watch(actor)
    }

    /// One of the offsets of an actor, by its name.
    #[must_use]
    pub fn cursor(&self, actor: usize, name: &str) -> Option<u32> {
        let found =
            self.session.watch(actor).into_iter().find(|it| it.group == CURSORS && it.name == name)?;
        u32::from_str_radix(found.value.strip_prefix("0x")?, 16).ok()
    }

    /// A value by its name.
    ///
    /// # Errors
    /// When nothing has this name.
    pub fn get(&self, actor: usize, name: &str) -> Result<String, Error> {
        self.session.get(actor, name)
    }

    /// Whether a condition in the language of the scripts holds for an actor.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn holds(&self, actor: usize, condition: &str) -> Result<bool, Error> {
        self.session.holds(actor, condition)
    }

    /// Changes a value by its name.
    ///
    /// # Errors
    /// When nothing has this name, or it does not take the value.
    pub fn set(&mut self, actor: usize, name: &str, value: &str) -> Result<(), Error> {
        self.session.set(actor, name, value)?;
        // What follows from it is the doing of whoever changed it.
        let _ = self.session.happened();
        self.history.edited(self.tick, actor, name, value);
        Ok(())
    }

    /// The whole state as JSON.
    #[must_use]
    pub fn state(&self) -> antiquary::json::Value {
        self.session.state().root().to_value()
    }

    /// Where a script failed.
    fn place_of(&mut self, fault: &SessionStop, before: Option<usize>) -> Place {
        let named = |actor: &usize| self.actors.get(*actor).is_some_and(|it| it.name == fault.actor);
        let actor = before.filter(named).or_else(|| self.actors.iter().position(|it| it.name == fault.actor));
        let actor = actor.unwrap_or_default();
        let line = self.listing(actor).and_then(|it| it.line_of(fault.at));
        Place { actor, update: fault.update, stage: fault.stage, at: Some(fault.at), line }
    }
}
