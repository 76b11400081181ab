//! Expectations of a test.

use std::fmt;

use serde::Deserialize;

use super::position::TextPosition;

/// An expectation of a test.
#[derive(Debug)]
pub(super) struct Expectation {
    pub(super) position: TextPosition,
    pub(super) subject: Subject,
    pub(super) when: When,
}

/// Subject of an expectation.
#[derive(Debug, Clone)]
pub(super) enum Subject {
    /// A line is spoken or shown: its label, or a part of its text.
    Said { line: String, actor: Option<String> },
    /// A function is called: its name, or the full call.
    Called { call: String, result: Option<i64>, actor: Option<String> },
    /// A value matches.
    Value { name: String, wanted: Wanted },
    /// A flag is latched, or not.
    Latch { flag: String, is_latched: bool },
}

/// Condition on a value.
#[derive(Debug, Clone)]
pub(super) enum Wanted {
    Is(String),
    IsNot(String),
    /// Inclusive lower and upper bounds.
    Within(Option<i64>, Option<i64>),
}

/// Updates in which something is expected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct When {
    /// First update to consider.
    pub(super) first: u32,
    /// Last update to consider.
    pub(super) last: u32,
    pub(super) times: Times,
    /// Whether the test specifies the updates explicitly.
    pub(super) is_explicit: bool,
}

/// Expected number of occurrences.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Times {
    Never,
    AtLeastOnce,
    Exactly(u32),
}

/// Expectation as written in the file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Table {
    said: Option<String>,
    called: Option<String>,
    flag: Option<String>,
    value: Option<String>,
    item: Option<String>,
    actor: Option<String>,
    is: Option<Number>,
    is_not: Option<Number>,
    at_least: Option<i64>,
    at_most: Option<i64>,
    latched: Option<bool>,
    result: Option<i64>,
    by: Option<u32>,
    at: Option<u32>,
    after: Option<u32>,
    #[serde(default)]
    never: bool,
    times: Option<u32>,
}

const ONE_OF: &str = "each [[test.expect]] takes exactly one of said, called, flag, value and item";

/// Returns the number of an item that the player owns, as an expression that scripts use.
fn owned(item: &str) -> String {
    format!("HaveItem(#{})", item.trim_start_matches('#'))
}

impl Table {
    /// Returns the expectation, or the problem with it. `updates` is the number of updates that the test runs.
    pub(super) fn expectation(self, position: TextPosition, updates: u32) -> Result<Expectation, String> {
        let when = self.when(updates)?;
        let subject = self.subject()?;
        if matches!(when.times, Times::Exactly(_)) && !subject.is_event() {
            return Err("times is only valid with said and called".to_owned());
        }
        Ok(Expectation { position, subject, when })
    }

    fn when(&self, updates: u32) -> Result<When, String> {
        let behind = |name: &str, it: u32| format!("{name} = {it} is after the last update, {updates}");
        for (name, it) in [("at", self.at), ("by", self.by), ("after", self.after)] {
            if let Some(it) = it.filter(|it| *it > updates) {
                return Err(behind(name, it));
            }
        }
        let (first, last) = match (self.at, self.by, self.after) {
            (Some(0), ..) => return Err("updates are counted from 1".to_owned()),
            (Some(at), None, None) => (at, at),
            (Some(_), ..) => return Err("at cannot be combined with by or after".to_owned()),
            (None, by, after) => (after.map_or(1, |it| it.saturating_add(1)), by.unwrap_or(updates)),
        };
        if first > last {
            return Err("the range contains no update: after is not less than by or updates".to_owned());
        }
        let times = match (self.never, self.times) {
            (true, Some(_)) => return Err("never and times exclude each other".to_owned()),
            (true, None) | (false, Some(0)) => Times::Never,
            (false, Some(times)) => Times::Exactly(times),
            (false, None) => Times::AtLeastOnce,
        };
        let is_explicit = self.at.or(self.by).or(self.after).is_some() || self.never;
        Ok(When { first, last, times, is_explicit })
    }

    fn subject(self) -> Result<Subject, String> {
        let wanted = self.wanted()?;
        let is_event = self.said.is_some() || self.called.is_some();
        if is_event && (wanted.is_some() || self.latched.is_some()) {
            return Err("is, is_not, at_least, at_most and latched are only valid with flag, value and item"
                .to_owned());
        }
        if !is_event && self.actor.is_some() {
            return Err(
                "actor is only valid with said and called; for a value of another actor, write value = \"ACTOR.NAME\""
                    .to_owned(),
            );
        }
        if self.result.is_some() && self.called.is_none() {
            return Err("result is only valid with called".to_owned());
        }
        let (actor, result) = (self.actor, self.result);
        if let Some(item) = self.item {
            let is_alone = [&self.said, &self.called, &self.flag, &self.value].iter().all(|it| it.is_none());
            return match (wanted, self.latched) {
                _ if !is_alone => Err(ONE_OF.to_owned()),
                (_, Some(_)) => Err("latched is only valid with flag".to_owned()),
                (Some(wanted), None) => Ok(Subject::Value { name: owned(&item), wanted }),
                (None, None) => Err("missing item count: specify is, is_not, at_least or at_most".to_owned()),
            };
        }
        match (self.said, self.called, self.flag, self.value) {
            (Some(line), None, None, None) => Ok(Subject::Said { line, actor }),
            (None, Some(call), None, None) => Ok(Subject::Called { call, result, actor }),
            (None, None, Some(flag), None) => match (self.latched, wanted) {
                (Some(is_latched), None) => Ok(Subject::Latch { flag, is_latched }),
                (Some(_), Some(_)) => Err("expect latched and a value separately".to_owned()),
                (None, Some(wanted)) => Ok(Subject::Value { name: flag, wanted }),
                (None, None) => {
                    Err("missing condition of the flag: specify is, is_not, at_least, at_most or latched"
                        .to_owned())
                }
            },
            (None, None, None, Some(name)) => match (self.latched, wanted) {
                (Some(_), _) => Err("latched is only valid with flag".to_owned()),
                (None, Some(wanted)) => Ok(Subject::Value { name, wanted }),
                (None, None) => {
                    Err("missing condition of the value: specify is, is_not, at_least or at_most".to_owned())
                }
            },
            (None, None, None, None) => {
                Err("missing subject: specify said, called, flag, value or item".to_owned())
            }
            _ => Err(ONE_OF.to_owned()),
        }
    }

    fn wanted(&self) -> Result<Option<Wanted>, String> {
        let bounds = self.at_least.or(self.at_most).is_some();
        match (&self.is, &self.is_not, bounds) {
            (None, None, false) => Ok(None),
            (Some(it), None, false) => Ok(Some(Wanted::Is(it.to_string()))),
            (None, Some(it), false) => Ok(Some(Wanted::IsNot(it.to_string()))),
            (None, None, true) => Ok(Some(Wanted::Within(self.at_least, self.at_most))),
            _ => Err("is, is_not and at_least with at_most exclude each other".to_owned()),
        }
    }
}

impl Subject {
    /// Whether the subject is an event rather than a state.
    pub(super) const fn is_event(&self) -> bool {
        matches!(self, Self::Said { .. } | Self::Called { .. })
    }
}

impl Wanted {
    /// Whether a value satisfies the condition.
    pub(super) fn matches(&self, value: &str) -> bool {
        let same = |wanted: &str| match (number(wanted), number(value)) {
            (Some(wanted), Some(value)) => wanted == value,
            _ => wanted.eq_ignore_ascii_case(value),
        };
        match self {
            Self::Is(wanted) => same(wanted),
            Self::IsNot(wanted) => !same(wanted),
            Self::Within(least, most) => number(value).is_some_and(|value| {
                least.is_none_or(|least| value >= least) && most.is_none_or(|most| value <= most)
            }),
        }
    }
}

/// Parses a number, decimal or with the prefix `0x`.
fn number(text: &str) -> Option<i64> {
    match text.strip_prefix("0x") {
        Some(digits) => i64::from_str_radix(digits, 16).ok(),
        None => text.parse().ok(),
    }
}

impl fmt::Display for Wanted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Is(it) => f.write_str(it),
            Self::IsNot(it) => write!(f, "not {it}"),
            Self::Within(Some(least), Some(most)) => write!(f, "{least} to {most}"),
            Self::Within(Some(least), None) => write!(f, "at least {least}"),
            Self::Within(None, most) => write!(f, "at most {}", most.unwrap_or_default()),
        }
    }
}

impl fmt::Display for When {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.times {
            Times::Exactly(1) => f.write_str(" once")?,
            Times::Exactly(times) => write!(f, " {times} times")?,
            Times::Never | Times::AtLeastOnce => {}
        }
        match (self.is_explicit, self.first, self.last) {
            (false, ..) => Ok(()),
            (true, first, last) if first == last => write!(f, " in update {first}"),
            (true, 1, last) => write!(f, " by update {last}"),
            (true, first, last) => write!(f, " in updates {first} to {last}"),
        }
    }
}

impl fmt::Display for Expectation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.when.times == Times::Never { "did not expect " } else { "expected " })?;
        let by = |actor: &Option<String>| actor.as_ref().map_or_else(String::new, |it| format!(" by {it}"));
        match &self.subject {
            Subject::Said { line, actor } => write!(f, "\"{line}\" to be said{}", by(actor))?,
            Subject::Called { call, result, actor } => {
                write!(f, "{call} to be called{}", by(actor))?;
                if let Some(result) = result {
                    write!(f, " with the result {result}")?;
                }
            }
            Subject::Value { name, wanted } => write!(f, "{name} to be {wanted}")?,
            Subject::Latch { flag, is_latched } => {
                write!(f, "{flag} {}to be latched", if *is_latched { "" } else { "not " })?;
            }
        }
        write!(f, "{}", self.when)?;
        if !self.subject.is_event() && !self.when.is_explicit {
            f.write_str(" at the end")?;
        }
        Ok(())
    }
}

/// A number as written in a test.
#[derive(Debug, Clone, Deserialize)]
#[serde(untagged, expecting = "expected a number, true or false")]
pub(super) enum Number {
    Bool(bool),
    Integer(i64),
    Text(String),
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bool(it) => write!(f, "{}", u8::from(*it)),
            Self::Integer(it) => write!(f, "{it}"),
            Self::Text(it) => f.write_str(it),
        }
    }
}
