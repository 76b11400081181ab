//! Sections of a table, with their warnings.

use std::borrow::Cow;
use std::collections::BTreeSet;

use asset::{Code, Report};
use json::push_member;
use media::ini::{Entry, Ini, Section};

/// A section with the path of its fields.
pub(super) struct Checked<'a> {
    pub(super) section: Section<'a>,
    /// Whether fields have named paths. Fields of a section with a duplicate name are addressed by line.
    has_path: bool,
}

/// The sections of a table, in order.
pub(super) struct Sections<'a>(pub(super) Vec<Checked<'a>>);

impl<'a> Sections<'a> {
    pub(super) fn of(ini: &'a Ini) -> Self {
        let mut seen: BTreeSet<Cow<'a, str>> = BTreeSet::new();
        let checked = |section: Section<'a>| {
            let has_path = seen.insert(section.name.clone());
            Checked { section, has_path }
        };
        Self(ini.sections().into_iter().map(checked).collect())
    }

    /// Returns the first section with a name, ignoring case.
    pub(super) fn get(&self, name: &str) -> Option<&Checked<'a>> {
        self.0.iter().find(|section| media::ini::same(section.section.name.trim(), name))
    }
}

impl Checked<'_> {
    /// Warns about the section.
    pub(super) fn warn(&self, code: &'static Code, message: String, report: &mut Report) {
        let mut path = String::new();
        push_member(&mut path, &self.section.name);
        self.put(code, message, path, (self.section.line, self.section.offset), report);
    }

    /// Warns about an entry.
    pub(super) fn warn_of(
        &self,
        entry: &Entry<'_>,
        code: &'static Code,
        message: String,
        report: &mut Report,
    ) {
        let mut path = String::new();
        push_member(&mut path, &self.section.name);
        push_member(&mut path, &entry.key);
        self.put(code, message, path, (entry.line, entry.offset), report);
    }

    fn put(
        &self,
        code: &'static Code,
        message: String,
        path: String,
        (line, offset): (usize, u64),
        report: &mut Report,
    ) {
        let path = if self.has_path { path } else { format!("lines[{}]", line.saturating_sub(1)) };
        report.warn(code, message).in_field(path).at(offset);
    }
}
