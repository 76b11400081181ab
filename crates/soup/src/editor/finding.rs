//! What is wrong with a text, and where.

use std::collections::BTreeSet;

use super::name::{NameKind, names};
use super::{Known, MapKnowledge, Span};
use crate::bytecode::Script;
use crate::diagnose::{self, Bounds, Diagnostic};
use crate::lexicon::suggestion;
use crate::text::lex;

/// What is wrong with a part of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The part.
    pub span: Span,
    /// How bad it is.
    pub severity: Severity,
    /// What kind of defect it is: `wrong_parameter_count`; `syntax` where the text cannot be assembled.
    pub code: &'static str,
    /// What was found, and what was expected.
    pub message: String,
}

/// How bad something is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Severity {
    /// The text cannot be assembled, or the game stops.
    Error,
    /// The game may go on.
    Warning,
    /// Worth knowing.
    Note,
}

/// Of more texts none is suggested.
const MOST_TEXTS: usize = 10_000;

/// What is wrong with a text: why it cannot be assembled; else what is wrong with the script that it makes, and which texts would be new. In the
/// order of the lines.
#[must_use]
pub fn findings(text: &str, known: &Known<'_>) -> Vec<Finding> {
    let (parsed, lines_of) = match Script::parse_with_lines(text, &known.around) {
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
    let is_known = known.map == MapKnowledge::Known;
    let texts = [known.around.texts, &parsed.new_texts].concat();
    let bounds = Bounds {
        texts: is_known.then_some(&texts),
        locals: known.locals,
        objects: is_known.then_some(known.objects),
        lines: Some(known.lines).filter(|lines| !lines.is_empty()),
        ..Bounds::new(known.around.lexicon)
    };
    let script = &parsed.script;
    let lines: Vec<&str> = text.lines().collect();
    let line_of = |it: &Diagnostic| {
        let statement = script.find(it.at).map_or(0, |(index, _)| index);
        lines_of.get(statement).or(lines_of.last()).map_or(0, |line| line.saturating_sub(1))
    };
    let found = script.diagnose(&bounds).into_iter().chain(script.diagnose_ways());
    let mut out: Vec<Finding> = found
        .map(|it| Finding {
            span: whole_line(&lines, line_of(&it)),
            severity: match it.severity {
                diagnose::Severity::Error => Severity::Error,
                diagnose::Severity::Warning => Severity::Warning,
            },
            code: it.code,
            message: it.message,
        })
        .collect();
    if known.map == MapKnowledge::Known && !parsed.new_texts.is_empty() {
        let new: BTreeSet<&str> = parsed.new_texts.iter().map(String::as_str).collect();
        let known = known.around.texts.iter().take(MOST_TEXTS);
        let known: Vec<&str> = known.map(String::as_str).collect();
        out.extend(new_texts(text, &bounds, &new, &known));
    }
    out.sort_by_key(|it| it.span);
    out
}

/// Notes about texts that the actor does not have yet.
fn new_texts(text: &str, bounds: &Bounds<'_>, new: &BTreeSet<&str>, known: &[&str]) -> Vec<Finding> {
    let found = names(text, bounds.lexicon).into_iter();
    let found = found.filter(|it| {
        it.kind == NameKind::Text && it.access != super::Access::Declared && new.contains(it.name.as_str())
    });
    let finding = |it: super::Occurrence| {
        let near = suggestion(&it.name, known.iter().copied());
        let message = format!("a new text: assembling adds it to those of the actor{near}");
        Finding { span: it.span, severity: Severity::Note, code: "new_text", message }
    };
    found.map(finding).collect()
}

/// The token at a column, from 1 on; behind the last one the last character.
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

/// The code of a line.
fn whole_line(lines: &[&str], line: usize) -> Span {
    let text = lines.get(line).copied().unwrap_or_default();
    let (tokens, _) = lex::line(text);
    let start = tokens.first().map_or(0, |it| it.column.saturating_sub(1));
    let end = tokens.last().map_or(0, |it| it.column.saturating_add(it.length).saturating_sub(1));
    Span { line, start, end }
}
