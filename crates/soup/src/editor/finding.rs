//! Finds errors in source text.

use std::collections::BTreeSet;

use super::name::{NameKind, names};
use super::{EditContext, MapKnowledge, Span};
use crate::bytecode::Script;
use crate::diagnose::{self, Bounds, Diagnostic};
use crate::lexicon::suggestion;
use crate::text::lex;

/// An error in a part of source text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The range.
    pub span: Span,
    /// The severity.
    pub severity: Severity,
    /// The code of the kind of defect, such as `wrong_parameter_count`, or `syntax` if the source text cannot be assembled.
    pub code: &'static str,
    /// The message: what was found and what was expected.
    pub message: String,
}

/// The severity of a finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Severity {
    /// The source text cannot be assembled, or the game stops.
    Error,
    /// The game may continue.
    Warning,
    /// A note.
    Note,
}

/// The maximum number of texts to search for suggestions.
const MAX_TEXTS: usize = 10_000;

/// Returns the findings for source text in line order. If it cannot be assembled, returns the syntax errors; otherwise the defects of the
/// resulting script and notes about new texts.
#[must_use]
pub fn findings(text: &str, context: &EditContext<'_>) -> Vec<Finding> {
    let (parsed, lines_of) = match Script::parse_with_lines(text, &context.source) {
        Ok(parsed) => parsed,
        Err(problems) => {
            let lines: Vec<&str> = text.lines().collect();
            let finding = |it: crate::text::Problem| Finding {
                span: span_at(&lines, it.line.saturating_sub(1), it.column),
                severity: Severity::Error,
                code: "syntax",
                message: it.message,
            };
            return problems.into_iter().map(finding).collect();
        }
    };
    let is_known = context.map == MapKnowledge::Known;
    let texts = [context.source.texts, &parsed.new_texts].concat();
    let bounds = Bounds {
        texts: is_known.then_some(&texts),
        locals: context.locals,
        objects: is_known.then_some(context.objects),
        lines: Some(context.lines).filter(|lines| !lines.is_empty()),
        ..Bounds::new(context.source.lexicon)
    };
    let script = &parsed.script;
    let lines: Vec<&str> = text.lines().collect();
    let line_of = |it: &Diagnostic| {
        let statement = script.find(it.at).map_or(0, |(index, _)| index);
        lines_of.get(statement).or(lines_of.last()).map_or(0, |line| line.saturating_sub(1))
    };
    let found = script.diagnose(&bounds).into_iter().chain(script.diagnose_flow());
    let mut out: Vec<Finding> = found
        .map(|it| Finding {
            span: line_span(&lines, line_of(&it)),
            severity: match it.severity {
                diagnose::Severity::Error => Severity::Error,
                diagnose::Severity::Warning => Severity::Warning,
            },
            code: it.code,
            message: it.message,
        })
        .collect();
    if context.map == MapKnowledge::Known && !parsed.new_texts.is_empty() {
        let new: BTreeSet<&str> = parsed.new_texts.iter().map(String::as_str).collect();
        let existing = context.source.texts.iter().take(MAX_TEXTS);
        let existing: Vec<&str> = existing.map(String::as_str).collect();
        out.extend(new_texts(text, &bounds, &new, &existing));
    }
    out.sort_by_key(|it| it.span);
    out
}

/// Returns notes about texts that the actor does not have yet.
fn new_texts(text: &str, bounds: &Bounds<'_>, new: &BTreeSet<&str>, existing: &[&str]) -> Vec<Finding> {
    let found = names(text, bounds.lexicon).into_iter();
    let found = found.filter(|it| {
        it.kind == NameKind::Text && it.access != super::Access::Declared && new.contains(it.name.as_str())
    });
    let finding = |it: super::Occurrence| {
        let hint = suggestion(&it.name, existing.iter().copied());
        let message = format!("a new text; assembling adds it to the actor{hint}");
        Finding { span: it.span, severity: Severity::Note, code: "new_text", message }
    };
    found.map(finding).collect()
}

/// Returns the token at a column, starting from 1; after the last token, its last character.
fn span_at(lines: &[&str], line: usize, column: usize) -> Span {
    let text = lines.get(line).copied().unwrap_or_default();
    let start = column.saturating_sub(1);
    let (tokens, error) = lex::line(text);
    let token = tokens.iter().find(|it| it.column <= column && column < it.column.saturating_add(it.length));
    if let Some(it) = token {
        let start = it.column.saturating_sub(1);
        return Span { line, start, end: start.saturating_add(it.length) };
    }
    let length = text.trim_end().chars().count();
    if error.is_some() && start < length {
        return Span { line, start, end: length };
    }
    let end = tokens.last().map_or(length, |it| it.column.saturating_add(it.length).saturating_sub(1));
    Span { line, start: end.saturating_sub(1), end }
}

/// Returns the range of the code of a line.
fn line_span(lines: &[&str], line: usize) -> Span {
    let text = lines.get(line).copied().unwrap_or_default();
    let (tokens, _) = lex::line(text);
    let start = tokens.first().map_or(0, |it| it.column.saturating_sub(1));
    let end = tokens.last().map_or(0, |it| it.column.saturating_add(it.length).saturating_sub(1));
    Span { line, start, end }
}
