//! Completions at a position.

use super::cursor::{Cursor, is_before_label, is_one_of, is_symbol_at, word_at};
use super::hover::{about_flag, about_function};
use super::name::{NameKind, names};
use super::{EditContext, Position, Span};
use crate::lexicon::{KEYWORDS, Names, Role, is_word};
use crate::text::lex::{self, Lexeme, Token};

/// A completion.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Completion {
    /// The text to insert.
    pub text: String,
    /// The kind of name.
    pub kind: NameKind,
    /// A short description.
    pub detail: String,
}

/// Completions at a position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Completions {
    /// The range that each completion replaces.
    pub span: Span,
    /// The completions, in no particular order.
    pub items: Vec<Completion>,
    /// Whether the list is truncated. A longer prefix may give other completions.
    pub is_truncated: bool,
}

/// The maximum number of completions.
const MAX_COMPLETIONS: usize = 2000;

/// Keywords that do not start a statement.
const INSIDE: [&str; 9] = ["else", "and", "or", "alt", "pad", "me", "player", "camera", "actor"];

/// Objects that every script can use.
const OBJECTS: [&str; 3] = ["Me", "Player", "Camera"];

/// Returns the completions at a position; `None` in comments and after numbers.
#[must_use]
pub fn complete(text: &str, context: &EditContext<'_>, at: Position) -> Option<Completions> {
    let line = text.lines().nth(at.line).unwrap_or_default();
    let before: String = line.chars().take(at.column).collect();
    let column = before.chars().count();
    let (mut tokens, error) = lex::line(&before);
    let insertion = Insertion { line: at.line, column, rest: line.chars().skip(at.column).collect() };
    let end = error.as_ref().map_or(column, |(column, _)| column.saturating_sub(1));
    let code = tokens.last().map_or(0, |it| it.column.saturating_add(it.length).saturating_sub(1));
    let is_comment = error.is_none() && before.chars().skip(code).any(|it| it == ';');
    if is_comment {
        return None;
    }
    // The word before the cursor.
    let is_open = |it: &Lexeme| matches!(it.token, Token::Word(_)) && code == column;
    let prefix = if error.is_none() { tokens.pop_if(|it| is_open(it)) } else { None };
    if prefix.is_none()
        && code == column
        && matches!(tokens.last(), Some(Lexeme { token: Token::Number(_), .. }))
    {
        return None;
    }
    let start = prefix.as_ref().map_or(end, |it| it.column.saturating_sub(1));
    let prefix = match prefix {
        Some(Lexeme { token: Token::Word(word), .. }) => word,
        _ => before.chars().skip(end.saturating_add(1)).collect(),
    };
    let mut cursor = Cursor::default();
    for index in 0..tokens.len() {
        cursor.pass(&tokens, index, context.source.lexicon);
    }
    let quote = before.chars().nth(end).filter(|_| error.is_some());
    let mut out = Builder { context, items: Vec::new(), prefix: prefix.to_lowercase(), is_truncated: false };
    let span = match quote {
        Some('\'') => {
            out.lines("");
            insertion.to_quote(end.saturating_add(1), '\'', &mut out.items)
        }
        Some('"') => {
            out.in_quotes(&tokens, &cursor);
            insertion.to_quote(end.saturating_add(1), '"', &mut out.items)
        }
        Some(_) => return None,
        None => {
            let from = out.plain(text, &tokens, &cursor).unwrap_or(start);
            Span { line: at.line, start: from, end: column }
        }
    };
    Some(Completions { span, items: out.items, is_truncated: out.is_truncated })
}

/// The position to insert at.
struct Insertion {
    line: usize,
    column: usize,
    /// The rest of the line.
    rest: String,
}

impl Insertion {
    /// Returns the range from a column to the closing quote. If there is none, appends a quote to each completion.
    fn to_quote(&self, start: usize, quote: char, items: &mut [Completion]) -> Span {
        let code = self.rest.split(';').next().unwrap_or_default();
        let closing = code.chars().position(|it| it == quote);
        match closing {
            Some(length) => Span { line: self.line, start, end: self.column.saturating_add(length) },
            None => {
                items.iter_mut().for_each(|it| it.text.push(quote));
                Span { line: self.line, start, end: self.column }
            }
        }
    }
}

struct Builder<'a> {
    context: &'a EditContext<'a>,
    items: Vec<Completion>,
    /// The existing prefix in lowercase.
    prefix: String,
    is_truncated: bool,
}

impl Builder<'_> {
    fn put(&mut self, text: impl Into<String>, kind: NameKind, detail: impl Into<String>) {
        if self.items.len() >= MAX_COMPLETIONS {
            self.is_truncated = true;
            return;
        }
        self.items.push(Completion { text: text.into(), kind, detail: detail.into() });
    }

    fn words(&mut self, words: &[&str]) {
        words.iter().for_each(|word| self.put(*word, NameKind::Keyword, ""));
    }

    /// Adds dialogue labels that start with the prefix, and those whose spoken text contains it.
    fn lines(&mut self, quote: &str) {
        let context = self.context;
        for (label, spoken) in context.lines.iter() {
            let is_match = self.prefix.len() < 3 || spoken.to_lowercase().contains(&self.prefix);
            if label.to_lowercase().starts_with(&self.prefix) || is_match {
                self.put(format!("{quote}{label}{quote}"), NameKind::Line, spoken);
            }
            if self.is_truncated {
                return;
            }
        }
    }

    fn in_quotes(&mut self, tokens: &[Lexeme], cursor: &Cursor) {
        let context = self.context;
        let follows_hash = matches!(tokens.last(), Some(Lexeme { token: Token::Symbol("#"), .. }));
        if follows_hash {
            let role = cursor.role(context.source.lexicon);
            let names = role.and_then(|role| Some((role, context.source.lexicon.names_of(role)?)));
            if let Some((role, names)) = names {
                self.numbered(names, role, |name| Some(name.to_owned()));
            }
            return;
        }
        if word_at(tokens, 0).is_some_and(|word| word.eq_ignore_ascii_case("actor")) && tokens.len() == 1 {
            context.objects.iter().for_each(|name| self.put(name, NameKind::Text, "object of the map"));
            return;
        }
        self.texts(|text| text.to_owned());
        let is_text = |name: &&String| !context.source.texts.contains(name);
        for name in context.objects.iter().filter(is_text) {
            self.put(escaped(name), NameKind::Text, "object of the map, a new text of the actor");
        }
    }

    /// Adds the texts of the actor.
    fn texts(&mut self, written: impl Fn(&str) -> String) {
        let context = self.context;
        for (number, text) in context.source.texts.iter().enumerate() {
            let is_object = context.objects.iter().any(|name| name.eq_ignore_ascii_case(text));
            let what = if is_object { "object of the map" } else { "text of the actor" };
            self.put(written(&escaped(text)), NameKind::Text, format!("{what}, string_{number}"));
        }
    }

    /// Adds the names of numbers.
    fn numbered(&mut self, names: &Names, role: Role, written: impl Fn(&str) -> Option<String>) {
        let kind = NameKind::from_role(role);
        for (number, name) in names.iter() {
            let Some(text) = written(name) else { continue };
            let detail = match (role, usize::try_from(number)) {
                (Role::Flag, Ok(number)) => about_flag(self.context.source.lexicon, number).0,
                _ => format!("{} {number}", role.noun()),
            };
            self.put(text, kind, detail);
        }
    }

    /// Adds completions outside of quotes. Returns the start of the prefix if it is not the last word.
    fn plain(&mut self, text: &str, tokens: &[Lexeme], cursor: &Cursor) -> Option<usize> {
        let lexicon = self.context.source.lexicon;
        let last = tokens.len().checked_sub(1);
        let is_last = |symbol: &str| last.is_some_and(|last| is_symbol_at(tokens, last, symbol));
        if is_last("#") {
            let role = cursor.role(lexicon)?;
            self.numbered(lexicon.names_of(role)?, role, |name| {
                Some(if is_word(name) { name.to_owned() } else { format!("\"{name}\"") })
            });
            return None;
        }
        if is_last(".") {
            self.functions();
            let path = path_start(tokens);
            for (number, name) in lexicon.references.iter() {
                self.put(name, NameKind::Property, format!("property {number}"));
            }
            return path;
        }
        let before = last.and_then(|last| word_at(tokens, last)).unwrap_or_default();
        if last.is_some_and(|last| is_before_label(tokens.get(last))) {
            self.labels(text);
            return None;
        }
        match before.to_ascii_lowercase().as_str() {
            "operands" => self.words(&["mm", "no_right_byte"]),
            "opcode" => self.words(&["task", "function"]),
            "task" | "multitask" | "function" => {
                self.functions();
                self.objects();
            }
            _ if tokens.is_empty() => {
                let begins = |word: &&str| !is_one_of(word, &INSIDE);
                let words: Vec<&str> = KEYWORDS.into_iter().filter(begins).collect();
                self.words(&words);
                self.values();
            }
            _ => self.value(tokens, cursor),
        }
        None
    }

    fn labels(&mut self, text: &str) {
        let mut found: Vec<String> = Vec::new();
        for it in names(text, self.context.source.lexicon) {
            if it.kind == NameKind::Label && it.access == super::Access::Declared && !found.contains(&it.name)
            {
                found.push(it.name);
            }
            if found.len() >= MAX_COMPLETIONS {
                self.is_truncated = true;
                break;
            }
        }
        found.into_iter().for_each(|name| self.put(name, NameKind::Label, "label"));
    }

    /// Adds completions where a value or a conjunction may follow.
    fn value(&mut self, tokens: &[Lexeme], cursor: &Cursor) {
        let last = tokens.last().map(|it| &it.token);
        let is_value = match last {
            Some(Token::Symbol(symbol)) => !matches!(*symbol, ")" | "++" | "--" | "{" | "}" | ":"),
            Some(Token::Word(word)) => is_one_of(word, &["if", "and", "or", "while"]),
            _ => false,
        };
        if !is_value {
            if word_at(tokens, 0).is_some_and(|word| is_one_of(word, &["if", "while"])) {
                self.words(&["and", "or", "else"]);
            }
            return;
        }
        let lexicon = self.context.source.lexicon;
        match cursor.role(lexicon) {
            Some(Role::Dialogue) => self.lines("'"),
            Some(role) => {
                if let Some(names) = lexicon.names_of(role) {
                    self.numbered(names, role, |name| {
                        Some(if is_word(name) { format!("#{name}") } else { format!("#\"{name}\"") })
                    });
                }
            }
            None => {}
        }
        self.values();
        self.texts(|text| format!("\"{text}\""));
    }

    /// Adds the possible starts of a value or a statement.
    fn values(&mut self) {
        let lexicon = self.context.source.lexicon;
        for (number, name) in lexicon.flags.iter() {
            let detail = usize::try_from(number).map(|number| about_flag(lexicon, number).0);
            self.put(name, NameKind::Flag, detail.unwrap_or_default());
        }
        self.functions();
        self.objects();
    }

    fn functions(&mut self) {
        let lexicon = self.context.source.lexicon;
        for (number, name) in lexicon.functions.iter() {
            let declared = u16::try_from(number).ok().and_then(|number| about_function(lexicon, number));
            self.put(name, NameKind::Function, declared.unwrap_or_default());
        }
    }

    fn objects(&mut self) {
        self.words(&OBJECTS);
        for local in 0..self.context.locals.min(256) {
            self.put(format!("var{local}"), NameKind::Local, "variable of the actor");
        }
    }
}

/// Returns the start of the path after an object's dot, if it already contains words.
fn path_start(tokens: &[Lexeme]) -> Option<usize> {
    let mut at = tokens.len().checked_sub(1)?;
    let mut start = None;
    // `Me.pos.` is the object and one word of the path.
    while let Some(before) = at.checked_sub(2)
        && is_symbol_at(tokens, before, ".")
    {
        start = tokens.get(at.checked_sub(1)?).map(|it| it.column.saturating_sub(1));
        at = before;
    }
    start
}

/// Returns a text escaped for use in quotes.
fn escaped(text: &str) -> String {
    let mut out = crate::text::quoted(text);
    out.pop();
    out.drain(..1);
    out
}
