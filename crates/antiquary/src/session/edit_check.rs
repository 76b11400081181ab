//! Findings in an edited file that its original does not have.

use std::collections::HashMap;
use std::sync::Arc;

use asset::unpack::UNRECOGNIZED;
use asset::{
    Context, Error, Format, Install, Location, OpenedFiles, Options, ProductKind, Report, Severity, Source,
    Target, Warning,
};

use super::installs::Installs;
use super::{Input, Session, check_conversion};
use crate::catalog::open_as;

/// An edited file.
pub(super) struct EditedFile<'a> {
    pub(super) format: &'static Format,
    /// Name, which helps to recognize the format.
    pub(super) name: &'a str,
    /// The original file; `None` if it is unknown.
    pub(super) original: Option<&'a Source>,
    pub(super) edited: &'a Source,
    /// Input whose game contains the files that the edited one refers to.
    pub(super) around: &'a Input,
}

impl Session<'_> {
    /// Reports findings in an edited file that its original does not have; if the original is unknown, reports only errors.
    /// Also reports a file that is no longer recognized. A file that cannot be read is not reported here.
    ///
    /// # Errors
    /// Fails if a game folder cannot be read.
    pub(super) fn check_edit(&self, file: &EditedFile<'_>, report: &mut Report) -> Result<(), Error> {
        // Files that are only checked are not registered as inputs: the output may replace one of them.
        let installs = Installs::new(self, &OpenedFiles::new())?;
        let install = installs.of(file.around)?;
        let location = installs.location(file.around, &install);
        let find = |source: &Source| findings(file, source, &install, location.clone());
        let game = file.around.game(self.catalog);
        let detect = |source: &Source| self.catalog.detect_in(source, Some(file.name), game).ok().flatten();
        let is_recognized =
            |source: &Source| detect(source).is_some_and(|found| found.format.id == file.format.id);
        if !is_recognized(file.edited) && file.original.is_none_or(is_recognized) {
            let now =
                detect(file.edited).map_or_else(String::new, |now| format!(", but as {}", now.format.id));
            let message = format!("the file is no longer recognized as {}{now}", file.format.id);
            report.warn(&UNRECOGNIZED, message);
        }
        let Ok(mut found) = find(file.edited) else { return Ok(()) };
        let known = match file.original {
            Some(original) => find(original).unwrap_or_default(),
            None => {
                found.retain(|warning| warning.code.severity == Severity::Error);
                Vec::new()
            }
        };
        let mut known = Findings::new(&known);
        let fresh: Vec<&Warning> = found.iter().filter(|warning| !known.take_exact(warning)).collect();
        for warning in fresh.into_iter().filter(|warning| !known.take_similar(warning)) {
            let is_reported =
                |other: &Warning| other.code.id == warning.code.id && other.message == warning.message;
            if !report.iter().any(is_reported) {
                let added = report.warn(warning.code, &*warning.message).in_field(&*warning.path);
                if let Some(offset) = warning.offset {
                    added.at(offset);
                }
            }
        }
        Ok(())
    }
}

/// Returns the findings of reading and checking a file, except notes.
fn findings(
    file: &EditedFile<'_>,
    source: &Source,
    install: &Arc<Install>,
    location: Option<Location>,
) -> Result<Vec<Warning>, Error> {
    let (format, mut report) = (file.format, Report::new());
    let asset = open_as(format, source, &mut report)?;
    let options = Options::defaults(format.options);
    let context = Context { install, location, options: &options };
    asset.check(&context, &mut report);
    // A scene could need more memory than the edit, and its format reports damage on its own.
    if !format.makes(ProductKind::Scene) {
        check_conversion(format, (&*asset, source.len()), &context, Target::new(file.name, 1.0), &mut report);
    }
    report.locate(|visitor| format.trace(&*asset, source, visitor));
    Ok(report.iter().filter(|warning| warning.code.severity > Severity::Note).cloned().collect())
}

/// Findings of an original file. Each one accounts for at most one finding of the edited file.
struct Findings<'a> {
    exact: HashMap<(&'static str, String), usize>,
    /// By the message without its numbers: data that moved has other offsets and indices.
    similar: HashMap<(&'static str, String), Vec<&'a str>>,
}

impl<'a> Findings<'a> {
    fn new(all: &'a [Warning]) -> Self {
        let mut out = Self { exact: HashMap::new(), similar: HashMap::new() };
        for warning in all {
            let count = out.exact.entry((warning.code.id, warning.message.clone())).or_default();
            *count += 1;
            let key = (warning.code.id, without_numbers(&warning.message));
            out.similar.entry(key).or_default().push(&warning.message);
        }
        out
    }

    /// Whether the original has the same finding; removes it.
    fn take_exact(&mut self, warning: &Warning) -> bool {
        let key = (warning.code.id, warning.message.clone());
        let Some(count) = self.exact.get_mut(&key).filter(|count| **count > 0) else { return false };
        *count -= 1;
        let key = (warning.code.id, without_numbers(&warning.message));
        if let Some(similar) = self.similar.get_mut(&key)
            && let Some(at) = similar.iter().position(|message| **message == warning.message)
        {
            similar.swap_remove(at);
        }
        true
    }

    /// Whether the original has a finding that differs only in its numbers and covers at least the same number of cases;
    /// removes it.
    fn take_similar(&mut self, warning: &Warning) -> bool {
        let key = (warning.code.id, without_numbers(&warning.message));
        let count = leading_count(&warning.message);
        let Some(similar) = self.similar.get_mut(&key) else { return false };
        let Some(at) = similar.iter().position(|message| leading_count(message) >= count) else {
            return false;
        };
        similar.swap_remove(at);
        true
    }
}

/// Replaces the numbers in a message with `#`.
fn without_numbers(message: &str) -> String {
    let mut out = String::with_capacity(message.len());
    let mut chars = message.chars().peekable();
    while let Some(letter) = chars.next() {
        let is_hexadecimal = letter == '0' && chars.peek() == Some(&'x');
        if !letter.is_ascii_digit() {
            out.push(letter);
            continue;
        }
        out.push('#');
        if is_hexadecimal {
            chars.next();
        }
        while chars
            .next_if(|next| if is_hexadecimal { next.is_ascii_hexdigit() } else { next.is_ascii_digit() })
            .is_some()
        {}
    }
    out
}

/// Returns the number of cases that a message starts with: `3 corners have ...`.
fn leading_count(message: &str) -> Option<u64> {
    let (number, _) = message.split_once(' ')?;
    number.replace(',', "").parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    asset::codes! {
        ODD = "ODD-W001", Warning, "odd", "It is odd. Example: \"odd\".";
    }

    #[test]
    fn reports_more_cases_but_not_moved_findings() {
        let reported = |messages: &[&str]| {
            let mut report = Report::new();
            for message in messages {
                report.warn(&ODD, *message);
            }
            report.iter().cloned().collect::<Vec<_>>()
        };
        let before = reported(&["at 0x1c: a", "at 0x20: a", "3 of 4 corners"]);
        let new = |messages: &[&str]| {
            let mut known = Findings::new(&before);
            let after = reported(messages);
            let fresh: Vec<_> = after.iter().filter(|warning| !known.take_exact(warning)).collect();
            let fresh = fresh.into_iter().filter(|warning| !known.take_similar(warning));
            fresh.map(|warning| warning.message.clone()).collect::<Vec<_>>()
        };
        assert!(new(&["at 0x20: a", "at 0xff: a", "2 of 9 corners"]).is_empty());
        assert_eq!(new(&["at 0x20: a", "at 0x1c: a", "at 0x2c: a"]), ["at 0x2c: a"]);
        assert_eq!(new(&["4 of 4 corners", "at 0x1c: b"]), ["4 of 4 corners", "at 0x1c: b"]);
        assert_eq!(CODES.len(), 1);
    }
}
