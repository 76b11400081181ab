//! The answers of the language in the terms of all languages.

use asset::Severity;
use asset::script::editor::{
    NameAccess, NameInText, ScriptName, TextCompletion, TextCompletions, TextFinding, TextPosition, TextRange,
};
use soup::editor::{Access, Completions, Finding, NameKind, Occurrence, Position, Span};

/// The kinds of names of the language, and what they are for all languages.
const KINDS: [(NameKind, ScriptName); 12] = [
    (NameKind::Keyword, ScriptName::Keyword),
    (NameKind::Label, ScriptName::Label),
    (NameKind::Local, ScriptName::Local),
    (NameKind::Flag, ScriptName::Flag),
    (NameKind::Function, ScriptName::Function),
    (NameKind::Property, ScriptName::Property),
    (NameKind::Text, ScriptName::Text),
    (NameKind::Line, ScriptName::Line),
    (NameKind::Attribute, ScriptName::Attribute),
    (NameKind::AnimationGroup, ScriptName::AnimationGroup),
    (NameKind::Item, ScriptName::Item),
    (NameKind::Map, ScriptName::Map),
];

pub(super) fn kind(kind: ScriptName) -> NameKind {
    KINDS.iter().find(|(_, known)| *known == kind).map_or(NameKind::Keyword, |(kind, _)| *kind)
}

fn script_name(kind: NameKind) -> ScriptName {
    KINDS.iter().find(|(known, _)| *known == kind).map_or(ScriptName::Keyword, |(_, name)| *name)
}

pub(super) const fn position(at: TextPosition) -> Position {
    Position { line: at.line, column: at.column }
}

pub(super) const fn range(span: Span) -> TextRange {
    TextRange { line: span.line, start: span.start, end: span.end }
}

pub(super) fn name(it: Occurrence) -> NameInText {
    let access = match it.access {
        Access::Declared => NameAccess::Declared,
        Access::Read => NameAccess::Read,
        Access::Written => NameAccess::Written,
    };
    NameInText { range: range(it.span), kind: script_name(it.kind), name: it.name, access }
}

pub(super) fn finding(it: Finding) -> TextFinding {
    let severity = match it.severity {
        soup::editor::Severity::Error => Severity::Error,
        soup::editor::Severity::Warning => Severity::Warning,
        soup::editor::Severity::Note => Severity::Note,
    };
    TextFinding { range: range(it.span), severity, code: it.code, message: it.message }
}

pub(super) fn completions(it: Completions) -> TextCompletions {
    let item = |it: soup::editor::Completion| TextCompletion {
        text: it.text,
        kind: script_name(it.kind),
        detail: it.detail,
    };
    let items = it.items.into_iter().map(item).collect();
    TextCompletions { range: range(it.span), items, is_cut: it.is_cut }
}
