//! Breakpoints.

use antiquary::script::{Happening, HappeningKind, ScriptSession};

use crate::debug::stop_condition::StopCondition;

/// What a session stops at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Trigger {
    /// Before a statement runs.
    Statement {
        /// The number of the actor; other instances of it stop too.
        actor: usize,
        /// The offset of the statement.
        at: u32,
    },
    /// After a function was called; its name.
    Call(String),
    /// After a flag changed: its name, or any flag.
    Flag(Option<String>),
    /// After something was said or shown.
    Dialogue,
}

/// A breakpoint.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Breakpoint {
    /// Its number, from 1 on.
    pub id: u32,
    /// What it stops at.
    pub trigger: Trigger,
    /// When it stops there.
    pub stops_when: StopCondition,
    /// How often it was reached while its condition held, going on.
    pub reached: u64,
    /// How often it has stopped the session.
    pub hits: u64,
}

/// All breakpoints of a session.
#[derive(Debug, Clone, Default)]
pub struct Breakpoints {
    all: Vec<Breakpoint>,
    /// The number of the last one.
    last: u32,
    /// For each actor the first one with the same name, whose script it shares.
    scripts: Vec<usize>,
}

/// A breakpoint that stopped the session.
#[derive(Debug, Clone, PartialEq)]
pub struct Hit {
    /// Its number.
    pub id: u32,
    /// What happened, unless it stops before a statement.
    pub happening: Option<Happening>,
}

impl Breakpoints {
    /// No breakpoints, for actors with these names.
    pub(crate) fn of<'a>(names: impl Iterator<Item = &'a str>) -> Self {
        let mut first = std::collections::HashMap::new();
        let scripts = names.enumerate().map(|(actor, name)| *first.entry(name).or_insert(actor)).collect();
        Self { scripts, ..Self::default() }
    }

    /// All of them.
    #[must_use]
    pub fn all(&self) -> &[Breakpoint] {
        &self.all
    }

    /// Adds one that always stops, and gives its number. One that exists is not added again.
    pub fn add(&mut self, trigger: Trigger) -> u32 {
        self.add_conditional(trigger, StopCondition::default())
    }

    /// Adds one, and gives its number. One that exists is not added again.
    pub fn add_conditional(&mut self, trigger: Trigger, stops_when: StopCondition) -> u32 {
        if let Some(known) = self.all.iter().find(|it| it.trigger == trigger && it.stops_when == stops_when) {
            return known.id;
        }
        self.last = self.last.saturating_add(1);
        self.all.push(Breakpoint { id: self.last, trigger, stops_when, reached: 0, hits: 0 });
        self.last
    }

    /// Removes one by its number; whether it existed.
    pub fn remove(&mut self, id: u32) -> bool {
        let before = self.all.len();
        self.all.retain(|it| it.id != id);
        self.all.len() < before
    }

    /// Removes all.
    pub fn clear(&mut self) {
        self.all.clear();
    }

    /// Whether one stops before a statement of an actor.
    #[must_use]
    pub fn is_at(&self, actor: usize, at: u32) -> bool {
        self.all.iter().any(|it| self.is_statement(&it.trigger, actor, at))
    }

    fn is_statement(&self, trigger: &Trigger, actor: usize, at: u32) -> bool {
        match trigger {
            Trigger::Statement { actor: known, at: place } => {
                *place == at && self.scripts.get(*known) == self.scripts.get(actor)
            }
            _ => false,
        }
    }

    /// The breakpoints where a session is, and at what happened on the way there, whose conditions hold.
    pub(crate) fn hits(&self, session: &ScriptSession, happened: &[Happening]) -> Vec<Hit> {
        if self.all.is_empty() {
            return Vec::new();
        }
        let position = session.position();
        let here = position.as_ref().map_or_else(|| session.focus().unwrap_or_default(), |it| it.actor);
        let place = position.and_then(|it| Some((it.actor, it.at?)));
        let actors = session.actor_count();
        let hit = |it: &Breakpoint| {
            // A flag that changed between two runs belongs to nobody.
            let is_met = |actor| it.stops_when.is_met(session, if actor < actors { actor } else { here });
            let first = |is_wanted: &dyn Fn(&Happening) -> bool| {
                happened.iter().find(|it| is_wanted(it) && is_met(it.actor))
            };
            let happening = match &it.trigger {
                trigger @ Trigger::Statement { .. } => {
                    let (actor, at) = place?;
                    let is_hit = self.is_statement(trigger, actor, at) && is_met(actor);
                    return is_hit.then_some(Hit { id: it.id, happening: None });
                }
                Trigger::Call(name) => first(&|it| {
                    let is_call = matches!(it.kind, HappeningKind::Call | HappeningKind::Speech);
                    is_call && it.subject.eq_ignore_ascii_case(name)
                }),
                Trigger::Flag(name) => first(&|it| {
                    let is_named = name.as_ref().is_none_or(|name| it.subject.eq_ignore_ascii_case(name));
                    it.kind == HappeningKind::Flag && is_named
                }),
                Trigger::Dialogue => first(&is_dialogue),
            };
            Some(Hit { id: it.id, happening: Some(happening?.clone()) })
        };
        self.all.iter().filter_map(hit).collect()
    }

    /// Counts that breakpoints were reached; those that stop the session this time.
    pub(crate) fn reach(&mut self, hits: Vec<Hit>) -> Vec<Hit> {
        let mut is_due = |hit: &Hit| {
            let Some(it) = self.all.iter_mut().find(|it| it.id == hit.id) else { return false };
            it.reached = it.reached.saturating_add(1);
            let is_due = it.stops_when.is_due(it.reached);
            it.hits = it.hits.saturating_add(is_due.into());
            is_due
        };
        hits.into_iter().filter(|hit| is_due(hit)).collect()
    }
}

/// Whether something was said. A world from a file of answers knows no lines: there, the functions that say them count.
fn is_dialogue(it: &Happening) -> bool {
    matches!(it.kind, HappeningKind::Line | HappeningKind::Speech)
}
