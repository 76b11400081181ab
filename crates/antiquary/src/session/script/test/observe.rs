//! Observes a session to verify the expectations of a test.

use std::collections::{BTreeMap, BTreeSet};

use json::Value;

use super::TestFailure;
use super::expectation::{Expectation, Subject, Times};
use crate::script::{ScriptSession, SessionActor, SessionEvent, SessionEventKind};

/// Maximum number of events shown in a failure.
const MAX_SHOWN: usize = 8;

/// Maximum number of changes of a value that are kept.
const MAX_CHANGES: usize = 1 << 16;

/// Observer of one expectation.
#[derive(Debug)]
pub(super) struct Watch<'a> {
    expectation: &'a Expectation,
    /// Updates in which the event occurred, or after which the state matched.
    matched: Vec<u32>,
    /// Events of the same kind, or changes of the value: the update and the text.
    others: Vec<(u32, String)>,
    /// Error that prevented the observation.
    error: Option<String>,
}

impl<'a> Watch<'a> {
    pub(super) const fn new(expectation: &'a Expectation) -> Self {
        Self { expectation, matched: Vec::new(), others: Vec::new(), error: None }
    }

    /// Observes an update that is complete, or that stopped early.
    pub(super) fn update(&mut self, session: &ScriptSession, update: u32, happened: &UpdateEvents) {
        match &self.expectation.subject {
            Subject::Said { line, actor } => {
                for it in happened.lines.iter().filter(|it| is_by(actor, &it.actor)) {
                    self.event(update, it.is(line), format!("{} {}", it.actor, it.text()));
                }
            }
            Subject::Called { call, result, actor } => {
                for it in happened.calls.iter().filter(|it| is_by(actor, &it.actor)) {
                    let is_match = it.is(call) && result.is_none_or(|result| it.result == Some(result));
                    self.event(update, is_match, format!("{} {}", it.actor, it.text));
                }
            }
            Subject::Value { name, wanted } => match value(session, name) {
                Ok(value) => self.state(update, wanted.matches(&value), value),
                Err(error) => self.error = Some(error),
            },
            Subject::Latch { flag, is_latched } => match latch(session, flag) {
                Ok(now) => {
                    let text = if now { "latched" } else { "not latched" };
                    self.state(update, now == *is_latched, text.to_owned());
                }
                Err(error) => self.error = Some(error),
            },
        }
    }

    /// Records an event of the expected kind.
    fn event(&mut self, update: u32, is_match: bool, text: String) {
        let when = self.expectation.when;
        if is_match && (when.first..=when.last).contains(&update) {
            self.matched.push(update);
        }
        if self.others.len() < MAX_CHANGES {
            self.others.push((update, text));
        }
    }

    /// Records a value after an update. Only changes are kept.
    fn state(&mut self, update: u32, is_match: bool, value: String) {
        let when = self.expectation.when;
        if !when.is_explicit {
            // Only the state after the last update counts.
            self.matched.clear();
        }
        if is_match && (when.first..=when.last).contains(&update) {
            self.matched.push(update);
        }
        let is_new = self.others.last().is_none_or(|(_, before)| *before != value);
        if is_new && self.others.len() < MAX_CHANGES {
            self.others.push((update, value));
        }
    }

    /// Returns the failure if the expectation was not met.
    pub(super) fn failure(self) -> Option<TestFailure> {
        let Expectation { position, subject, when } = self.expectation;
        if let Some(error) = self.error {
            return Some(TestFailure::new(*position, error));
        }
        let is_match = match when.times {
            Times::Never => self.matched.is_empty(),
            Times::AtLeastOnce => !self.matched.is_empty(),
            Times::Exactly(times) => u32::try_from(self.matched.len()) == Ok(times),
        };
        if is_match {
            return None;
        }
        let mut out = TestFailure::new(*position, self.expectation.to_string());
        out.instead = match when.times {
            Times::Never | Times::Exactly(1..) if !self.matched.is_empty() => vec![in_updates(&self.matched)],
            _ if subject.is_event() => events(subject, &self.others),
            _ => changes(&self.others),
        };
        Some(out)
    }
}

fn in_updates(updates: &[u32]) -> String {
    let noun = if updates.len() == 1 { "update" } else { "updates" };
    let shown: Vec<_> = updates.iter().take(MAX_SHOWN).map(u32::to_string).collect();
    let more = if updates.len() > MAX_SHOWN { ", ..." } else { "" };
    format!("{} in {noun} {}{more}", counted(updates.len()), shown.join(", "))
}

fn counted(times: usize) -> String {
    if times == 1 { "once".to_owned() } else { format!("{times} times") }
}

/// Lists the events of the expected kind; of calls, only those of the same function, if there are any.
fn events(subject: &Subject, others: &[(u32, String)]) -> Vec<String> {
    let function = match subject {
        Subject::Called { call, .. } => Some(name_of(call)),
        _ => None,
    };
    let is_same = |text: &str| {
        let call = text.split_once(' ').map_or(text, |(_, call)| call);
        function.as_ref().is_none_or(|function| name_of(call) == *function)
    };
    let mut kept: Vec<_> = others.iter().filter(|(_, text)| is_same(text)).collect();
    let mut out = Vec::new();
    if kept.is_empty() {
        let names: BTreeSet<_> = others.iter().map(|(_, text)| text.as_str()).collect();
        if function.is_some() && !names.is_empty() {
            let names: BTreeSet<_> = names
                .into_iter()
                .map(|it| display_name(it.split_once(' ').map_or(it, |(_, it)| it)))
                .collect();
            let names: Vec<_> = names.into_iter().collect();
            return vec![format!("functions called: {}", names.join(", "))];
        }
        let nothing = if function.is_some() { "nothing was called" } else { "nothing was said" };
        return vec![nothing.to_owned()];
    }
    let count = kept.len();
    kept.truncate(MAX_SHOWN);
    out.extend(kept.iter().map(|(update, text)| format!("update {update}: {text}")));
    if count > MAX_SHOWN {
        out.push(format!("and {} more", count.saturating_sub(MAX_SHOWN)));
    }
    out
}

/// Lists the changes of a value.
fn changes(others: &[(u32, String)]) -> Vec<String> {
    let Some(((_, first), rest)) = others.split_first() else { return vec!["no update was run".to_owned()] };
    let mut out = vec![format!("it was {first}")];
    out.extend(rest.iter().take(MAX_SHOWN).map(|(update, value)| format!("{value} after update {update}")));
    let mut line = out.join(", then ");
    if rest.len() > MAX_SHOWN {
        line.push_str(", ...");
    }
    vec![line]
}

/// Events of an update.
#[derive(Debug, Default)]
pub(super) struct UpdateEvents {
    lines: Vec<DialogueLine>,
    calls: Vec<FunctionCall>,
}

/// A line that was spoken or shown.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct DialogueLine {
    actor: String,
    label: String,
    spoken: String,
}

/// A function call.
#[derive(Debug, Clone)]
struct FunctionCall {
    actor: String,
    text: String,
    result: Option<i64>,
}

impl DialogueLine {
    fn is(&self, line: &str) -> bool {
        self.label == line || self.spoken.to_lowercase().contains(&line.to_lowercase())
    }

    fn text(&self) -> String {
        match self.spoken.as_str() {
            "" => format!("'{}'", self.label),
            spoken if spoken.contains(&format!("'{}'", self.label)) => spoken.to_owned(),
            spoken => format!("'{}' {spoken}", self.label),
        }
    }
}

impl FunctionCall {
    /// Whether the call is of the named function, or is this exact call.
    fn is(&self, call: &str) -> bool {
        if call.contains('(') {
            plain(&statement(&self.text)) == plain(call)
        } else {
            name_of(&self.text) == name_of(call)
        }
    }
}

impl UpdateEvents {
    /// Extracts the events that a session reports.
    pub(super) fn of(
        happened: Vec<SessionEvent>,
        names: &[String],
        spoken: &BTreeMap<String, String>,
    ) -> Self {
        let mut out = Self::default();
        for it in happened {
            let actor = names.get(it.actor).cloned().unwrap_or_default();
            match it.kind {
                SessionEventKind::Line => {
                    out.line(DialogueLine { actor, label: it.subject, spoken: it.text });
                }
                SessionEventKind::Call | SessionEventKind::Speech => {
                    for label in labels(&it.text) {
                        let spoken = spoken.get(label).cloned().unwrap_or_default();
                        out.line(DialogueLine { actor: actor.clone(), label: label.to_owned(), spoken });
                    }
                    let result = it.text.rsplit_once(" = ").and_then(|(_, result)| result.parse().ok());
                    out.calls.push(FunctionCall { actor, text: it.text, result });
                }
                _ => {}
            }
        }
        out
    }

    /// Adds a line, unless both a call and the world report it.
    fn line(&mut self, line: DialogueLine) {
        let known = self.lines.iter_mut().find(|it| it.actor == line.actor && it.label == line.label);
        match known {
            Some(known) if known.spoken.is_empty() => *known = line,
            Some(_) => {}
            None => self.lines.push(line),
        }
    }
}

/// Returns the text spoken with each label in the script of an actor, based on the comments in its source text.
pub(super) fn spoken_in(text: &str) -> BTreeMap<String, String> {
    let mut out = BTreeMap::new();
    for line in text.lines() {
        let Some((code, comment)) = line.split_once("    ; ") else { continue };
        if let [label] = labels(code).as_slice() {
            out.insert((*label).to_owned(), comment.trim().to_owned());
        }
    }
    out
}

/// Returns the dialogue labels in the text of a call.
fn labels(text: &str) -> Vec<&str> {
    text.split('\'').skip(1).step_by(2).filter(|it| it.chars().count() == 4).collect()
}

/// Returns a call without its result and duration.
fn statement(text: &str) -> String {
    let text = text.rsplit_once(" = ").map_or(text, |(text, _)| text);
    match text.rsplit_once(" after ") {
        Some((text, ticks)) if ticks.ends_with(" ticks") => text.to_owned(),
        _ => text.to_owned(),
    }
}

/// Normalizes a call: lower case, without spaces outside of quotes, and without the keyword for its kind.
fn plain(call: &str) -> String {
    let mut is_quoted = false;
    let call = without_kind(call.trim());
    let kept = call.chars().filter(|character| {
        if matches!(character, '"' | '\'') {
            is_quoted = !is_quoted;
        }
        is_quoted || !character.is_whitespace()
    });
    let text: String = kept.collect();
    text.strip_prefix("Me.").or_else(|| text.strip_prefix("me.")).unwrap_or(&text).to_lowercase()
}

fn without_kind(call: &str) -> &str {
    let kinds = ["task ", "multitask ", "function ", "hook "];
    kinds.iter().find_map(|kind| call.strip_prefix(kind)).unwrap_or(call)
}

/// Returns the function name of a call, without the object.
fn display_name(call: &str) -> &str {
    let name = without_kind(call.trim()).split('(').next().unwrap_or_default();
    name.rsplit('.').next().unwrap_or_default().trim()
}

fn name_of(call: &str) -> String {
    display_name(call).to_lowercase()
}

fn is_by(wanted: &Option<String>, actor: &str) -> bool {
    wanted.as_ref().is_none_or(|wanted| wanted.eq_ignore_ascii_case(actor))
}

/// Returns the actor and the name of a value: `LAMP.var0`, `BARREL#1.pos.vy`, or `var0` of the first actor.
pub(super) fn resolved<'a>(session: &ScriptSession, name: &'a str) -> (usize, &'a str) {
    let actors = session.actors();
    let of_actor = name.match_indices('.').find_map(|(at, _)| {
        let (actor, rest) = name.split_at_checked(at)?;
        let (actor, instance) = match actor.split_once('#') {
            Some((actor, instance)) => (actor, instance.parse().ok()?),
            None => (actor, 0),
        };
        let is_it = |it: &SessionActor| it.name.eq_ignore_ascii_case(actor) && it.instance == instance;
        Some((actors.iter().position(is_it)?, rest.strip_prefix('.')?))
    });
    of_actor.unwrap_or_else(|| {
        let own =
            name.split_at_checked(3).filter(|(me, _)| me.eq_ignore_ascii_case("me.")).map(|(_, rest)| rest);
        (0, own.unwrap_or(name))
    })
}

fn value(session: &ScriptSession, name: &str) -> Result<String, String> {
    let (actor, name) = resolved(session, name);
    session.get(actor, name).map_err(|error| error.to_string())
}

/// Whether a flag is latched. The state contains only flags that differ from a new game.
fn latch(session: &ScriptSession, flag: &str) -> Result<bool, String> {
    session.get(0, flag).map_err(|error| error.to_string())?;
    let state = session.state().root().to_value();
    let flags = state.get("flags").and_then(Value::as_object);
    let known = flags.and_then(|flags| flags.iter().find(|(name, _)| name.eq_ignore_ascii_case(flag)));
    let latch = known.and_then(|(_, it)| it.get("latch"));
    Ok(latch.is_some_and(|it| it.as_bool() == Some(true) || it.as_i64().is_some_and(|it| it != 0)))
}
