//! Warnings: what was found amiss, or lost, without stopping the work.

use std::fmt;

use json::Value;
use record::{Error, Locator, Visitor};
use serde::Serialize;
use serde::ser::{SerializeStruct, Serializer};

/// How bad a warning is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Worth knowing; nothing is wrong.
    Note,
    /// Something is amiss or was left out.
    Warning,
    /// Something is wrong with the file, though it could be read on.
    Error,
}

impl Severity {
    /// The word shown to the user.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Note => "note",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// One kind of warning. Its `id` is stable: scripts may rely on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Code {
    /// Like `PCX-W001`: the format, a letter for the severity, a number that is never used again.
    pub id: &'static str,
    /// How bad it is.
    pub severity: Severity,
    /// A few words, for tables.
    pub title: &'static str,
    /// A sentence or two for the book: what it means, what to do, an example message.
    pub about: &'static str,
}

impl Code {
    /// Whether this code is meant: by its whole id, or by a beginning of it up to a hyphen, in whatever letter case.
    #[must_use]
    pub fn is_meant(&self, by: &str) -> bool {
        begins_with(self.id, by)
    }
}

/// Whether an id is this one or begins with it up to a hyphen, in whatever letter case.
fn begins_with(id: &str, by: &str) -> bool {
    let starts = id.get(..by.len()).is_some_and(|start| start.eq_ignore_ascii_case(by));
    starts && matches!(id.as_bytes().get(by.len()), None | Some(b'-'))
}

/// A kind of warning that a format has in common with others.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct SharedCode {
    /// The code.
    #[serde(flatten)]
    pub code: &'static Code,
    /// The id that it had in this format before it was shared. It still selects the code, and is never used for another.
    pub formerly: Option<&'static str>,
}

impl SharedCode {
    /// A code that the format has had from the start.
    #[must_use]
    pub const fn new(code: &'static Code) -> Self {
        Self { code, formerly: None }
    }

    /// Sets the id that it had in this format.
    #[must_use]
    pub const fn formerly(mut self, id: &'static str) -> Self {
        self.formerly = Some(id);
        self
    }

    /// Whether this code is meant: as [`Code::is_meant`] says, or by its former id in the same way.
    #[must_use]
    pub fn is_meant(&self, by: &str) -> bool {
        self.code.is_meant(by) || self.formerly.is_some_and(|id| begins_with(id, by))
    }
}

/// Declares the codes of a format: `NAME = "ID", Severity, "title", "about";`, one after another. Makes a static of each, and
/// `CODES`, the list of all. Numbers are never used again for something else.
#[macro_export]
macro_rules! codes {
    ($($name:ident = $id:literal, $severity:ident, $title:literal, $about:literal;)*) => {
        $(pub(crate) static $name: $crate::Code =
            $crate::Code { id: $id, severity: $crate::Severity::$severity, title: $title, about: $about };)*

        /// Every warning that a file of this format can raise.
        pub static CODES: &[$crate::Code] = &[$($name),*];
    };
}

/// One thing found amiss or lost.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Warning {
    /// What kind of warning it is.
    pub code: &'static Code,
    /// Where in the file, when it concerns some bytes.
    pub offset: Option<u64>,
    /// The field it concerns, like `surfaces[2].texture`; empty when it concerns the whole file.
    pub path: String,
    /// What was found, in a sentence that a user can act on.
    pub message: String,
}

impl Serialize for Warning {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut out = serializer.serialize_struct("Warning", 5)?;
        out.serialize_field("code", self.code.id)?;
        out.serialize_field("severity", &self.code.severity)?;
        out.serialize_field("offset", &self.offset)?;
        out.serialize_field("path", &self.path)?;
        out.serialize_field("message", &self.message)?;
        out.end()
    }
}

/// Shown as `warning PCX-W001: rows[2]: message, at offset 0x1f40`.
impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}: ", self.code.severity, self.code.id)?;
        if !self.path.is_empty() {
            write!(f, "{}: ", self.path)?;
        }
        f.write_str(&self.message)?;
        if let Some(offset) = self.offset {
            write!(f, ", at offset {offset:#x}")?;
        }
        Ok(())
    }
}

/// How often a code was raised, kept or not.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Tally {
    code: &'static Code,
    count: u64,
    kept: u64,
}

/// Collects warnings in the order they are found.
///
/// Bounded: of one code only the first [`Report::LIMIT_PER_CODE`] are kept, the rest is counted, so that a hostile
/// file cannot fill memory with complaints.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Report {
    warnings: Vec<Warning>,
    tallies: Vec<Tally>,
    /// `None` when nobody asks for them.
    fixes: Option<Vec<Fix>>,
}

/// A field whose value is to be another: what a warning tells of is gone then, and nothing is lost.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fix {
    /// What it mends.
    pub code: &'static Code,
    /// The field, like `surfaces[2].texture.name`.
    pub path: String,
    /// Its new value.
    pub value: Value,
}

impl Report {
    /// How many warnings of one code are kept.
    pub const LIMIT_PER_CODE: u64 = 100;

    /// How many fixes are kept.
    pub const LIMIT_OF_FIXES: usize = 10_000;

    /// An empty report.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// An empty report that collects fixes too.
    #[must_use]
    pub fn with_fixes() -> Self {
        Self { fixes: Some(Vec::new()), ..Self::default() }
    }

    /// Adds a fix of something that a warning of this code tells of. `value` is asked for only when fixes are collected.
    pub fn fix(&mut self, code: &'static Code, path: impl Into<String>, value: impl FnOnce() -> Value) {
        if let Some(fixes) = self.fixes.as_mut().filter(|fixes| fixes.len() < Self::LIMIT_OF_FIXES) {
            fixes.push(Fix { code, path: path.into(), value: value() });
        }
    }

    /// The fixes that were collected; none are left.
    pub fn take_fixes(&mut self) -> Vec<Fix> {
        self.fixes.take().unwrap_or_default()
    }

    /// Adds a warning. Its field can be named at once: `report.warn(&MISSING, "no such texture").in_field("surfaces[2].texture")`.
    /// Where that stands in the file is found when somebody asks: [`Report::locate`].
    pub fn warn(&mut self, code: &'static Code, message: impl Into<String>) -> WarningBuilder<'_> {
        let kept = self.count_one(code, 1);
        if !kept {
            return WarningBuilder(None);
        }
        self.warnings.push(Warning { code, offset: None, path: String::new(), message: message.into() });
        WarningBuilder(self.warnings.last_mut())
    }

    /// Adds an error that stops only a part of the work: its message, field and offset.
    pub fn warn_error(&mut self, code: &'static Code, error: &Error) -> WarningBuilder<'_> {
        let noted = self.warn(code, error.message()).in_field(error.path());
        match error.offset() {
            Some(offset) => noted.at(offset),
            None => noted,
        }
    }

    /// Counts one more of a code; whether it is to be kept.
    fn count_one(&mut self, code: &'static Code, count: u64) -> bool {
        let tally = match self.tallies.iter_mut().position(|tally| tally.code.id == code.id) {
            Some(at) => self.tallies.get_mut(at),
            None => {
                self.tallies.push(Tally { code, count: 0, kept: 0 });
                self.tallies.last_mut()
            }
        };
        let Some(tally) = tally else { return false };
        tally.count = tally.count.saturating_add(count);
        let keep = tally.kept < Self::LIMIT_PER_CODE;
        if keep {
            tally.kept = tally.kept.saturating_add(1);
        }
        keep
    }

    /// Finds where the fields that warnings name start in the file. `trace` explains the file, as
    /// [`Format::trace`](crate::Format::trace) does: once for all warnings, and not at all when none waits for its offset. What names no
    /// field of the file stays without offset.
    pub fn locate(&mut self, trace: impl FnOnce(&mut dyn Visitor) -> Result<(), Error>) {
        let is_open = |warning: &Warning| warning.offset.is_none() && !warning.path.is_empty();
        let mut locator =
            Locator::new(self.warnings.iter().filter(|it| is_open(it)).map(|warning| warning.path.as_str()));
        if locator.is_done() {
            return;
        }
        // A file that is damaged is explained up to the damage. What was found by then counts.
        let _ = trace(&mut locator);
        for warning in self.warnings.iter_mut().filter(|it| is_open(it)) {
            warning.offset = locator.offset(&warning.path);
        }
    }

    /// The warnings that were kept, in the order they were found.
    pub fn iter(&self) -> std::slice::Iter<'_, Warning> {
        self.warnings.iter()
    }

    /// The codes of which more were raised than kept, and how many more: "and 3,211 more".
    pub fn more(&self) -> impl Iterator<Item = (&'static Code, u64)> + '_ {
        self.tallies
            .iter()
            .map(|tally| (tally.code, tally.count.saturating_sub(tally.kept)))
            .filter(|(_, more)| *more > 0)
    }

    /// How many were raised of one severity, kept or not.
    #[must_use]
    pub fn count(&self, severity: Severity) -> u64 {
        self.tallies
            .iter()
            .filter(|tally| tally.code.severity == severity)
            .fold(0, |sum, tally| sum.saturating_add(tally.count))
    }

    /// How many were raised of one code, kept or not.
    #[must_use]
    pub fn count_of(&self, code: &Code) -> u64 {
        self.tallies.iter().find(|tally| tally.code.id == code.id).map_or(0, |tally| tally.count)
    }

    /// Whether nothing was raised.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.tallies.is_empty()
    }

    /// Drops what is of other codes.
    pub fn retain(&mut self, keep: impl Fn(&Code) -> bool) {
        self.warnings.retain(|warning| keep(warning.code));
        self.tallies.retain(|tally| keep(tally.code));
        if let Some(fixes) = &mut self.fixes {
            fixes.retain(|fix| keep(fix.code));
        }
    }

    /// The codes that were raised, in the order they were first found, with how often each was.
    pub fn tallies(&self) -> impl Iterator<Item = (&'static Code, u64)> + '_ {
        self.tallies.iter().map(|tally| (tally.code, tally.count))
    }

    /// The worst severity raised.
    #[must_use]
    pub fn worst(&self) -> Option<Severity> {
        self.tallies.iter().map(|tally| tally.code.severity).max()
    }

    /// Adds what another report collected, after what is here already.
    pub fn append(&mut self, other: Self) {
        let more: Vec<_> = other.more().collect();
        for warning in other.warnings {
            if self.count_one(warning.code, 1) {
                self.warnings.push(warning);
            }
        }
        for (code, count) in more {
            if let Some(tally) = self.tallies.iter_mut().find(|tally| tally.code.id == code.id) {
                tally.count = tally.count.saturating_add(count);
            }
        }
    }
}

impl Report {
    /// Adds what another report collected of codes that are not here yet: the same file looked at in another way finds much of the same
    /// in other words.
    pub fn append_new_codes(&mut self, mut other: Self) {
        other.retain(|code| !self.tallies.iter().any(|tally| tally.code.id == code.id));
        self.append(other);
    }
}

impl<'a> IntoIterator for &'a Report {
    type Item = &'a Warning;
    type IntoIter = std::slice::Iter<'a, Warning>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

/// Serialized as the list of kept warnings; a code raised more often ends with an entry that has only `code`,
/// `severity` and `more`.
impl Serialize for Report {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct More {
            code: &'static str,
            severity: Severity,
            more: u64,
        }
        #[derive(Serialize)]
        #[serde(untagged)]
        enum Item<'a> {
            Warning(&'a Warning),
            More(More),
        }
        let more = self.more().map(|(code, more)| More { code: code.id, severity: code.severity, more });
        serializer.collect_seq(self.iter().map(Item::Warning).chain(more.map(Item::More)))
    }
}

/// The warning just added, to tell where it stands.
#[derive(Debug)]
pub struct WarningBuilder<'a>(Option<&'a mut Warning>);

impl WarningBuilder<'_> {
    /// It stands at a byte of the file that is no field's first. Only for what no field path leads to: a byte within a text, an
    /// error's own offset, a file without spans. For all else, name the field and leave the offset to [`Report::locate`].
    pub fn at(self, offset: u64) -> Self {
        self.and(|warning| warning.offset = Some(offset))
    }

    /// It concerns a field, like `surfaces[2].texture`.
    pub fn in_field(self, path: impl Into<String>) -> Self {
        let path = path.into();
        self.and(|warning| warning.path = path)
    }

    fn and(mut self, change: impl FnOnce(&mut Warning)) -> Self {
        if let Some(warning) = self.0.as_deref_mut() {
            change(warning);
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use record::{Span, Visit, Visitor};

    use super::*;

    static LOST: Code =
        Code { id: "TEST-W001", severity: Severity::Warning, title: "lost", about: "A thing is lost." };
    static HINT: Code =
        Code { id: "TEST-N002", severity: Severity::Note, title: "hint", about: "A thing to know." };

    #[test]
    fn a_warning_shows_its_field_and_offset() {
        let mut report = Report::new();
        report.warn(&LOST, "no such texture").at(0x40).in_field("surfaces[2].texture");
        report.warn(&HINT, "bake exists");
        let lines: Vec<_> = report.iter().map(ToString::to_string).collect();
        assert_eq!(
            lines,
            [
                "warning TEST-W001: surfaces[2].texture: no such texture, at offset 0x40",
                "note TEST-N002: bake exists"
            ]
        );
        assert_eq!(report.worst(), Some(Severity::Warning));
    }

    /// A file of fields of four bytes, called `words[0]` and so on.
    fn trace_words(visitor: &mut dyn Visitor) -> Result<(), Error> {
        for (number, start) in (0..16).step_by(4).enumerate() {
            let path = format!("words[{number}]");
            if visitor.span(Span { start, end: start.saturating_add(4), path: &path, value: &number })
                == Visit::Stop
            {
                break;
            }
        }
        Ok(())
    }

    #[test]
    fn a_warning_with_a_field_gets_its_offset_on_demand() {
        let mut report = Report::new();
        report.warn(&LOST, "b").in_field("words[2]");
        report.warn(&LOST, "a").in_field("words[1]");
        report.warn(&LOST, "whole");
        report.warn(&HINT, "no field of the file").in_field("views/a.png");
        report.warn(&LOST, "within").at(6).in_field("words[1]");
        report.locate(trace_words);
        let offsets: Vec<_> = report.iter().map(|warning| warning.offset).collect();
        assert_eq!(offsets, [Some(8), Some(4), None, None, Some(6)]);
    }

    #[test]
    fn a_code_raised_too_often_is_only_counted() {
        let mut report = Report::new();
        for index in 0..3311 {
            report.warn(&LOST, format!("lost {index}"));
        }
        report.warn(&HINT, "still heard");
        assert_eq!(report.iter().count(), 101);
        assert_eq!(report.more().map(|(code, more)| (code.id, more)).collect::<Vec<_>>(), [(LOST.id, 3211)]);
        assert_eq!(report.count(Severity::Warning), 3311);
        assert_eq!(report.count_of(&HINT), 1);
    }

    #[test]
    fn appending_a_report_keeps_all_counts() {
        let (mut first, mut second) = (Report::new(), Report::new());
        for _ in 0..60 {
            first.warn(&LOST, "a");
        }
        for _ in 0..150 {
            second.warn(&LOST, "b");
        }
        first.append(second);
        assert_eq!(first.count_of(&LOST), 210);
        assert_eq!(first.iter().count(), 100);
        assert_eq!(first.more().map(|(_, more)| more).sum::<u64>(), 110);
    }

    #[test]
    fn json_has_code_severity_and_location() {
        let mut report = Report::new();
        report.warn(&LOST, "gone").at(7);
        assert_eq!(
            json::to_value(&report).unwrap(),
            json::json!([{"code": "TEST-W001", "severity": "warning", "offset": 7, "path": "", "message": "gone"}])
        );
    }
}
