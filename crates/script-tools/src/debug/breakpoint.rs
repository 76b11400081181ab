//! Breakpoints.

use antiquary::script::{ScriptSession, SessionEvent, SessionEventKind};

use crate::debug::stop_condition::StopCondition;

/// The event that triggers a breakpoint.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Trigger {
    /// Before a statement runs.
    Statement {
        /// Index of the actor. Other instances of the actor stop too.
        actor: usize,
        /// Offset of the statement in the bytecode.
        at: u32,
    },
    /// After a call of the function with this name.
    Call(String),
    /// After a change of the flag with this name, or of any flag.
    Flag(Option<String>),
    /// After a line of dialogue or a text on screen.
    Dialogue,
}

/// A breakpoint.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Breakpoint {
    /// One-based number.
    pub id: u32,
    /// The event that triggers it.
    pub trigger: Trigger,
    /// Additional condition for stopping.
    pub stop_condition: StopCondition,
    /// Number of times it was reached with its condition true, while running forward.
    pub reached: u64,
    /// Number of times it stopped the session.
    pub hits: u64,
}

/// All breakpoints of a session.
#[derive(Debug, Clone, Default)]
pub struct Breakpoints {
    all: Vec<Breakpoint>,
    /// Number of the most recently added breakpoint.
    last: u32,
    /// For each actor, the first actor with the same name, whose script it shares.
    scripts: Vec<usize>,
}

/// A breakpoint that stopped the session.
#[derive(Debug, Clone, PartialEq)]
pub struct Hit {
    /// Number of the breakpoint.
    pub id: u32,
    /// The event; `None` for a stop before a statement.
    pub event: Option<SessionEvent>,
}

impl Breakpoints {
    /// Creates an empty list of breakpoints for actors with these names.
    pub(crate) fn new<'a>(names: impl Iterator<Item = &'a str>) -> Self {
        let mut first = std::collections::HashMap::new();
        let scripts = names.enumerate().map(|(actor, name)| *first.entry(name).or_insert(actor)).collect();
        Self { scripts, ..Self::default() }
    }

    /// All breakpoints.
    #[must_use]
    pub fn all(&self) -> &[Breakpoint] {
        &self.all
    }

    /// Adds an unconditional breakpoint and returns its number. An existing breakpoint is not added again.
    pub fn add(&mut self, trigger: Trigger) -> u32 {
        self.add_conditional(trigger, StopCondition::default())
    }

    /// Adds a breakpoint and returns its number. An existing breakpoint is not added again.
    pub fn add_conditional(&mut self, trigger: Trigger, stop_condition: StopCondition) -> u32 {
        if let Some(known) =
            self.all.iter().find(|it| it.trigger == trigger && it.stop_condition == stop_condition)
        {
            return known.id;
        }
        self.last = self.last.saturating_add(1);
        self.all.push(Breakpoint { id: self.last, trigger, stop_condition, reached: 0, hits: 0 });
        self.last
    }

    /// Removes a breakpoint by its number. Returns whether it existed.
    pub fn remove(&mut self, id: u32) -> bool {
        let before = self.all.len();
        self.all.retain(|it| it.id != id);
        self.all.len() < before
    }

    /// Removes all breakpoints.
    pub fn clear(&mut self) {
        self.all.clear();
    }

    /// Whether a breakpoint stops before a statement of an actor.
    #[must_use]
    pub fn is_at(&self, actor: usize, at: u32) -> bool {
        self.all.iter().any(|it| self.is_statement(&it.trigger, actor, at))
    }

    fn is_statement(&self, trigger: &Trigger, actor: usize, at: u32) -> bool {
        match trigger {
            Trigger::Statement { actor: known, at: offset } => {
                *offset == at && self.scripts.get(*known) == self.scripts.get(actor)
            }
            _ => false,
        }
    }

    /// The breakpoints at the current position of the session and at the given events, if their conditions are true.
    pub(crate) fn hits(&self, session: &ScriptSession, events: &[SessionEvent]) -> Vec<Hit> {
        if self.all.is_empty() {
            return Vec::new();
        }
        let position = session.position();
        let here = position.as_ref().map_or_else(|| session.focus().unwrap_or_default(), |it| it.actor);
        let statement = position.and_then(|it| Some((it.actor, it.at?)));
        let actors = session.actor_count();
        let hit = |it: &Breakpoint| {
            // A flag that changed between two runs belongs to no actor.
            let matches =
                |actor| it.stop_condition.matches(session, if actor < actors { actor } else { here });
            let first = |is_trigger: &dyn Fn(&SessionEvent) -> bool| {
                events.iter().find(|it| is_trigger(it) && matches(it.actor))
            };
            let event = match &it.trigger {
                trigger @ Trigger::Statement { .. } => {
                    let (actor, at) = statement?;
                    let is_hit = self.is_statement(trigger, actor, at) && matches(actor);
                    return is_hit.then_some(Hit { id: it.id, event: None });
                }
                Trigger::Call(name) => first(&|it| {
                    let is_call = matches!(it.kind, SessionEventKind::Call | SessionEventKind::Speech);
                    is_call && it.subject.eq_ignore_ascii_case(name)
                }),
                Trigger::Flag(name) => first(&|it| {
                    let is_named = name.as_ref().is_none_or(|name| it.subject.eq_ignore_ascii_case(name));
                    it.kind == SessionEventKind::Flag && is_named
                }),
                Trigger::Dialogue => first(&is_dialogue),
            };
            Some(Hit { id: it.id, event: Some(event?.clone()) })
        };
        self.all.iter().filter_map(hit).collect()
    }

    /// Counts the reached breakpoints. Returns those that stop the session this time.
    pub(crate) fn count_hits(&mut self, hits: Vec<Hit>) -> Vec<Hit> {
        let mut is_due = |hit: &Hit| {
            let Some(it) = self.all.iter_mut().find(|it| it.id == hit.id) else { return false };
            it.reached = it.reached.saturating_add(1);
            let is_due = it.stop_condition.is_due(it.reached);
            it.hits = it.hits.saturating_add(is_due.into());
            is_due
        };
        hits.into_iter().filter(|hit| is_due(hit)).collect()
    }
}

/// Whether an event is a line of dialogue. A world simulated from a file of results has no lines; there, the functions that speak them
/// count.
fn is_dialogue(it: &SessionEvent) -> bool {
    matches!(it.kind, SessionEventKind::Line | SessionEventKind::Speech)
}
