//! Warnings: defects and losses that do not stop the operation.

use std::fmt;

use json::Value;
use record::{Error, Locator, Visitor};
use serde::Serialize;
use serde::ser::{SerializeStruct, Serializer};

/// The severity of a warning.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Information; nothing is wrong.
    Note,
    /// Something may be wrong or was left out.
    Warning,
    /// The file has a defect, but reading could continue.
    Error,
}

impl Severity {
    /// The word for messages.
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
    /// Unique id such as `PCX-W001`: the format, a letter for the severity, and a number. Numbers are never reused.
    pub id: &'static str,
    /// Severity of the warning.
    pub severity: Severity,
    /// Short title, for tables.
    pub title: &'static str,
    /// Explanation in a sentence or two: the meaning, the remedy, and an example message.
    pub about: &'static str,
}

impl Code {
    /// Whether `by` is this code's id, or a prefix of it up to a hyphen, ignoring letter case.
    #[must_use]
    pub fn matches(&self, by: &str) -> bool {
        has_prefix(self.id, by)
    }
}

/// Whether `by` is `id` or a prefix of it up to a hyphen, ignoring letter case.
fn has_prefix(id: &str, by: &str) -> bool {
    let starts = id.get(..by.len()).is_some_and(|start| start.eq_ignore_ascii_case(by));
    starts && matches!(id.as_bytes().get(by.len()), None | Some(b'-'))
}

/// A code that several formats raise.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct SharedCode {
    /// The code.
    #[serde(flatten)]
    pub code: &'static Code,
    /// Former id in this format, from before the code was shared. It still selects the code and is never reused.
    pub formerly: Option<&'static str>,
}

impl SharedCode {
    /// Declares a code that never had another id in the format.
    #[must_use]
    pub const fn new(code: &'static Code) -> Self {
        Self { code, formerly: None }
    }

    /// Sets the former id in this format.
    #[must_use]
    pub const fn formerly(mut self, id: &'static str) -> Self {
        self.formerly = Some(id);
        self
    }

    /// Whether `by` refers to this code, as decided by [`Code::matches`], or to its former id.
    #[must_use]
    pub fn matches(&self, by: &str) -> bool {
        self.code.matches(by) || self.formerly.is_some_and(|id| has_prefix(id, by))
    }
}

/// Declares the codes of a format as `NAME = "ID", Severity, "title", "about";`, one after another. Creates a static for each
/// code and the list `CODES` of all codes. Numbers are never reused.
#[macro_export]
macro_rules! codes {
    ($($name:ident = $id:literal, $severity:ident, $title:literal, $about:literal;)*) => {
        $(pub(crate) static $name: $crate::Code =
            $crate::Code { id: $id, severity: $crate::Severity::$severity, title: $title, about: $about };)*

        /// Every warning that a file of this format can raise.
        pub static CODES: &[$crate::Code] = &[$($name),*];
    };
}

/// A defect or a loss.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Warning {
    /// The kind of warning.
    pub code: &'static Code,
    /// Offset in the file, in bytes, if the warning concerns certain bytes.
    pub offset: Option<u64>,
    /// Path of the field, such as `surfaces[2].texture`; empty if the warning concerns the entire file.
    pub path: String,
    /// Description of the problem, in a sentence that a user can act on.
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

/// Number of warnings with a code, kept or dropped.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Tally {
    code: &'static Code,
    count: u64,
    kept: u64,
}

/// A list of warnings in the order of detection.
///
/// Its size is limited: only the first [`Report::LIMIT_PER_CODE`] warnings of a code are kept and the rest are counted, so a
/// hostile file cannot exhaust memory.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Report {
    warnings: Vec<Warning>,
    tallies: Vec<Tally>,
    /// `None` if fixes are not collected.
    fixes: Option<Vec<Fix>>,
}

/// A new value for a field that resolves a warning without losing information.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fix {
    /// Code of the resolved warning.
    pub code: &'static Code,
    /// Path of the field, such as `surfaces[2].texture.name`.
    pub path: String,
    /// New value.
    pub value: Value,
}

impl Report {
    /// Maximum number of kept warnings for each code.
    pub const LIMIT_PER_CODE: u64 = 100;

    /// Maximum number of kept fixes.
    pub const LIMIT_OF_FIXES: usize = 10_000;

    /// Creates an empty report.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Creates an empty report that also collects fixes.
    #[must_use]
    pub fn with_fixes() -> Self {
        Self { fixes: Some(Vec::new()), ..Self::default() }
    }

    /// Adds a fix for a warning with this code. `value` is only called if fixes are collected.
    pub fn fix(&mut self, code: &'static Code, path: impl Into<String>, value: impl FnOnce() -> Value) {
        if let Some(fixes) = self.fixes.as_mut().filter(|fixes| fixes.len() < Self::LIMIT_OF_FIXES) {
            fixes.push(Fix { code, path: path.into(), value: value() });
        }
    }

    /// Removes and returns the collected fixes.
    pub fn take_fixes(&mut self) -> Vec<Fix> {
        self.fixes.take().unwrap_or_default()
    }

    /// Adds a warning. Its field can be set at once: `report.warn(&MISSING, "no such texture").in_field("surfaces[2].texture")`.
    /// The field's offset in the file is found later by [`Report::locate`].
    pub fn warn(&mut self, code: &'static Code, message: impl Into<String>) -> WarningBuilder<'_> {
        let kept = self.count_one(code, 1);
        if !kept {
            return WarningBuilder(None);
        }
        self.warnings.push(Warning { code, offset: None, path: String::new(), message: message.into() });
        WarningBuilder(self.warnings.last_mut())
    }

    /// Adds a warning for an error that stops only a part of the operation, with its message, field and offset.
    pub fn warn_error(&mut self, code: &'static Code, error: &Error) -> WarningBuilder<'_> {
        let warning = self.warn(code, error.message()).in_field(error.path());
        match error.offset() {
            Some(offset) => warning.at(offset),
            None => warning,
        }
    }

    /// Counts a warning. Returns whether it is kept.
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

    /// Finds the offsets of the fields that warnings refer to. `trace` traces the file, as
    /// [`Format::trace`](crate::Format::trace) does. It is called once for all warnings, or not at all if no warning needs an
    /// offset. Warnings about unknown fields keep no offset.
    pub fn locate(&mut self, trace: impl FnOnce(&mut dyn Visitor) -> Result<(), Error>) {
        let is_open = |warning: &Warning| warning.offset.is_none() && !warning.path.is_empty();
        let mut locator =
            Locator::new(self.warnings.iter().filter(|it| is_open(it)).map(|warning| warning.path.as_str()));
        if locator.is_done() {
            return;
        }
        // A damaged file is traced up to the damage; the offsets found until then are used.
        let _ = trace(&mut locator);
        for warning in self.warnings.iter_mut().filter(|it| is_open(it)) {
            warning.offset = locator.offset(&warning.path);
        }
    }

    /// Iterates over the kept warnings, in the order of detection.
    pub fn iter(&self) -> std::slice::Iter<'_, Warning> {
        self.warnings.iter()
    }

    /// Iterates over the codes with dropped warnings, and the number of those: "and 3,211 more".
    pub fn more(&self) -> impl Iterator<Item = (&'static Code, u64)> + '_ {
        self.tallies
            .iter()
            .map(|tally| (tally.code, tally.count.saturating_sub(tally.kept)))
            .filter(|(_, more)| *more > 0)
    }

    /// Returns the number of warnings with a severity, kept or dropped.
    #[must_use]
    pub fn count(&self, severity: Severity) -> u64 {
        self.tallies
            .iter()
            .filter(|tally| tally.code.severity == severity)
            .fold(0, |sum, tally| sum.saturating_add(tally.count))
    }

    /// Returns the number of warnings with a code, kept or dropped.
    #[must_use]
    pub fn count_of(&self, code: &Code) -> u64 {
        self.tallies.iter().find(|tally| tally.code.id == code.id).map_or(0, |tally| tally.count)
    }

    /// Whether there are no warnings.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.tallies.is_empty()
    }

    /// Keeps only the codes for which `keep` returns true.
    pub fn retain(&mut self, keep: impl Fn(&Code) -> bool) {
        self.warnings.retain(|warning| keep(warning.code));
        self.tallies.retain(|tally| keep(tally.code));
        if let Some(fixes) = &mut self.fixes {
            fixes.retain(|fix| keep(fix.code));
        }
    }

    /// Iterates over the raised codes in the order of detection, with the number of warnings.
    pub fn tallies(&self) -> impl Iterator<Item = (&'static Code, u64)> + '_ {
        self.tallies.iter().map(|tally| (tally.code, tally.count))
    }

    /// The highest severity of all warnings.
    #[must_use]
    pub fn worst(&self) -> Option<Severity> {
        self.tallies.iter().map(|tally| tally.code.severity).max()
    }

    /// Appends the warnings of another report.
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
    /// Appends the warnings of another report whose codes are not in this one. It combines two reports on the same file, which
    /// often contain the same findings in different words.
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

/// Serialized as the list of kept warnings; for a code with dropped warnings, an entry with only `code`, `severity` and `more`
/// follows.
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

/// The warning that was just added, for setting its location.
#[derive(Debug)]
pub struct WarningBuilder<'a>(Option<&'a mut Warning>);

impl WarningBuilder<'_> {
    /// Sets the offset in the file. Use it only if no field path leads to the bytes: a byte within a text, an error's own offset,
    /// a file without spans. Otherwise set the field, and leave the offset to [`Report::locate`].
    pub fn at(self, offset: u64) -> Self {
        self.update(|warning| warning.offset = Some(offset))
    }

    /// Sets the field, such as `surfaces[2].texture`.
    pub fn in_field(self, path: impl Into<String>) -> Self {
        let path = path.into();
        self.update(|warning| warning.path = path)
    }

    fn update(mut self, change: impl FnOnce(&mut Warning)) -> Self {
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
        Code { id: "TEST-W001", severity: Severity::Warning, title: "lost", about: "Something is lost." };
    static HINT: Code =
        Code { id: "TEST-N002", severity: Severity::Note, title: "hint", about: "Additional information." };

    #[test]
    fn displays_field_and_offset_of_a_warning() {
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

    /// Traces a file with fields of four bytes, named `words[0]` and so on.
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
    fn locates_the_fields_of_warnings_on_demand() {
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
    fn counts_warnings_beyond_the_limit() {
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
    fn keeps_all_counts_when_reports_are_appended() {
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
    fn serializes_code_severity_and_location() {
        let mut report = Report::new();
        report.warn(&LOST, "gone").at(7);
        assert_eq!(
            json::to_value(&report).unwrap(),
            json::json!([{"code": "TEST-W001", "severity": "warning", "offset": 7, "path": "", "message": "gone"}])
        );
    }
}
