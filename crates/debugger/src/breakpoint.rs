//! Breakpoints.

use antiquary::asset::script::session::{Happening, HappeningKind, Position};

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

    /// Adds one, and gives its number. One that exists is not added again.
    pub fn add(&mut self, trigger: Trigger) -> u32 {
        if let Some(known) = self.all.iter().find(|it| it.trigger == trigger) {
            return known.id;
        }
        self.last = self.last.saturating_add(1);
        self.all.push(Breakpoint { id: self.last, trigger, hits: 0 });
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

    /// The breakpoints at a position, and at what happened on the way there.
    pub(crate) fn hits(&self, position: Option<&Position>, happened: &[Happening]) -> Vec<Hit> {
        let place = position.and_then(|it| Some((it.actor, it.at?)));
        let hit = |it: &Breakpoint| {
            let happening = match &it.trigger {
                trigger @ Trigger::Statement { .. } => {
                    let (actor, at) = place?;
                    return self
                        .is_statement(trigger, actor, at)
                        .then_some(Hit { id: it.id, happening: None });
                }
                Trigger::Call(name) => happened
                    .iter()
                    .find(|it| it.kind == HappeningKind::Call && it.subject.eq_ignore_ascii_case(name)),
                Trigger::Flag(name) => happened.iter().find(|it| {
                    let is_named = name.as_ref().is_none_or(|name| it.subject.eq_ignore_ascii_case(name));
                    it.kind == HappeningKind::Flag && is_named
                }),
                Trigger::Dialogue => happened.iter().find(|it| is_dialogue(it)),
            };
            Some(Hit { id: it.id, happening: Some(happening?.clone()) })
        };
        self.all.iter().filter_map(hit).collect()
    }

    /// Counts a hit.
    pub(crate) fn count(&mut self, id: u32) {
        if let Some(it) = self.all.iter_mut().find(|it| it.id == id) {
            it.hits = it.hits.saturating_add(1);
        }
    }
}

/// Whether something was said. A world from a file of answers knows no lines: there, the functions that say them count.
fn is_dialogue(it: &Happening) -> bool {
    let subject = it.subject.to_ascii_lowercase();
    let is_spoken = || subject.contains("rtx") && !subject.contains("nortx");
    it.kind == HappeningKind::Line || (it.kind == HappeningKind::Call && is_spoken())
}
