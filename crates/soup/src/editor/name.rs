//! Finds names in source text and their meaning.

use super::cursor::{Cursor, is_before_label, is_one_of, is_symbol_at, word_at};
use super::{Position, Span};
use crate::Lexicon;
use crate::find::READERS;
use crate::lexicon::{KEYWORDS, Role, literal};
use crate::text::lex::{self, Lexeme, Token};

/// The kind of a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum NameKind {
    /// A keyword.
    Keyword,
    /// A label of the source text.
    Label,
    /// A variable of the actor.
    Local,
    /// A global flag.
    Flag,
    /// A function.
    Function,
    /// A property of an object.
    Property,
    /// A text of the actor, which may be the name of another object.
    Text,
    /// A line of dialogue.
    Line,
    /// An attribute of an actor.
    Attribute,
    /// An animation group.
    AnimationGroup,
    /// An item.
    Item,
    /// A map.
    Map,
}

impl NameKind {
    /// Returns whether the name is local to its source text.
    #[must_use]
    pub const fn is_local(self) -> bool {
        matches!(self, Self::Label | Self::Local | Self::Keyword)
    }

    pub(super) const fn from_role(role: Role) -> Self {
        match role {
            Role::Flag => Self::Flag,
            Role::Attribute => Self::Attribute,
            Role::AnimationGroup => Self::AnimationGroup,
            Role::Item => Self::Item,
            Role::Map => Self::Map,
            Role::Dialogue => Self::Line,
        }
    }
}

/// The kind of access to a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Access {
    /// A declaration.
    Declared,
    /// A use.
    Read,
    /// A modification.
    Written,
}

/// A name in source text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Occurrence {
    /// The range without quotes.
    pub span: Span,
    /// The kind of name.
    pub kind: NameKind,
    /// The name as spelled in its declaration.
    pub name: String,
    /// The kind of access.
    pub access: Access,
}

/// Returns the names in source text, in order, without unknown names.
#[must_use]
pub fn names(text: &str, lexicon: &Lexicon) -> Vec<Occurrence> {
    let mut out = Vec::new();
    for (line, text) in text.lines().enumerate() {
        let (mut tokens, _) = lex::line(text);
        if word_at(&tokens, 0).is_some_and(|word| word.eq_ignore_ascii_case("bytes")) {
            tokens.truncate(1);
        }
        Scanner { lexicon, line, tokens: &tokens, out: &mut out }.scan();
    }
    out
}

/// Returns the name at a position; the second one if two names meet there.
#[must_use]
pub fn name_at(text: &str, lexicon: &Lexicon, at: Position) -> Option<Occurrence> {
    let line = text.lines().nth(at.line)?;
    let mut found = names(line, lexicon);
    found.retain(|it| it.span.touches(Position { line: 0, ..at }));
    let mut it = found.pop()?;
    it.span.line = at.line;
    Some(it)
}

struct Scanner<'a> {
    lexicon: &'a Lexicon,
    line: usize,
    tokens: &'a [Lexeme],
    out: &'a mut Vec<Occurrence>,
}

impl Scanner<'_> {
    fn put(&mut self, start: usize, length: usize, kind: NameKind, name: String, access: Access) {
        let span = Span { line: self.line, start, end: start.saturating_add(length) };
        self.out.push(Occurrence { span, kind, name, access });
    }

    /// Adds a token as a name.
    fn put_token(&mut self, at: usize, kind: NameKind, name: String, access: Access) {
        let Some(it) = self.tokens.get(at) else { return };
        let quote = usize::from(matches!(it.token, Token::Text(_) | Token::Label(_)));
        let start = it.column.saturating_sub(1).saturating_add(quote);
        let length = it.length.saturating_sub(quote.saturating_mul(2));
        self.put(start, length, kind, name, access);
    }

    fn scan(&mut self) {
        let tokens = self.tokens;
        let mut cursor = Cursor::default();
        // The part before the `=` of a statement is modified.
        let is_statement = !word_at(tokens, 0).is_some_and(|word| is_one_of(word, &["if", "while"]));
        let equals = tokens.iter().position(|it| it.token == Token::Symbol("=")).filter(|_| is_statement);
        let mut at = 0_usize;
        while let Some(it) = tokens.get(at) {
            let before = at.checked_sub(1);
            let follows = |symbol: &str| before.is_some_and(|it| is_symbol_at(tokens, it, symbol));
            let following = at.saturating_add(1);
            let role = cursor.role(self.lexicon);
            let is_changed = || {
                let is_stepped = |at: usize| is_symbol_at(tokens, at, "++") || is_symbol_at(tokens, at, "--");
                equals.is_some_and(|equals| at < equals)
                    || before.is_some_and(is_stepped)
                    || is_stepped(following)
                        && following.saturating_add(1) == tokens.len()
                        && equals.is_none()
            };
            let access = if is_changed() { Access::Written } else { Access::Read };
            let mut next = following;
            match &it.token {
                Token::Word(word) if follows("#") => self.numbered(at, word, role, &cursor),
                Token::Text(word) if follows("#") => self.numbered(at, word, role, &cursor),
                Token::Word(_) if follows(".") => next = self.member(at, equals),
                Token::Word(word) => {
                    let is_label = is_before_label(before.and_then(|it| tokens.get(it)));
                    self.word(at, word, is_label, access);
                }
                Token::Text(text) => {
                    // The header declares the actor of the script.
                    let is_actor = at == 1 && word_at(tokens, 0).is_some_and(|it| is_one_of(it, &["actor"]));
                    let access = if is_actor { Access::Declared } else { Access::Read };
                    self.put_token(at, NameKind::Text, text.clone(), access);
                }
                Token::Label(label) => {
                    self.put_token(at, NameKind::Line, label.clone(), Access::Read);
                }
                Token::Number(_) | Token::Symbol(_) => {}
            }
            for passed in at..next {
                cursor.pass(tokens, passed, self.lexicon);
            }
            at = next;
        }
    }

    /// Adds a name after `#`.
    fn numbered(&mut self, at: usize, name: &str, role: Option<Role>, cursor: &Cursor) {
        let Some(role) = role else { return };
        let names = self.lexicon.names_of(role);
        let Some(known) = names.and_then(|names| names.name(names.number(name)?)) else { return };
        let function =
            cursor.call().and_then(|(function, _)| self.lexicon.functions.name(i32::from(function)));
        let is_changed = matches!(role, Role::Flag | Role::Attribute)
            && function.is_some_and(|function| !is_one_of(function, &READERS));
        let access = if is_changed { Access::Written } else { Access::Read };
        let known = known.to_owned();
        self.put_token(at, NameKind::from_role(role), known, access);
    }

    /// Adds the words after an object's dot. Returns the index of the token after them.
    fn member(&mut self, at: usize, equals: Option<usize>) -> usize {
        let tokens = self.tokens;
        let mut end = at.saturating_add(1);
        while is_symbol_at(tokens, end, ".") && word_at(tokens, end.saturating_add(1)).is_some() {
            end = end.saturating_add(2);
        }
        let words = tokens.get(at..end).unwrap_or_default().iter().filter_map(|it| match &it.token {
            Token::Word(word) => Some(word.as_str()),
            _ => None,
        });
        let path: Vec<&str> = words.collect();
        let path = path.join(".");
        let (Some(first), Some(last)) = (tokens.get(at), tokens.get(end.saturating_sub(1))) else {
            return end;
        };
        let start = first.column.saturating_sub(1);
        let length = last.column.saturating_add(last.length).saturating_sub(first.column);
        let lexicon = self.lexicon;
        if is_symbol_at(tokens, end, "(") {
            if let Some(number) = lexicon.function_number(&path) {
                let name = lexicon.functions.name(i32::from(number)).map_or(path, str::to_owned);
                self.put(start, length, NameKind::Function, name, Access::Read);
            }
            return end;
        }
        if let Some(number) = lexicon.property_number(&path) {
            let name = lexicon.references.name(i32::from(number)).map_or(path, str::to_owned);
            let is_stepped = is_symbol_at(tokens, end, "++") || is_symbol_at(tokens, end, "--");
            let is_changed = equals.is_some_and(|equals| at < equals) || is_stepped;
            let access = if is_changed { Access::Written } else { Access::Read };
            self.put(start, length, NameKind::Property, name, access);
        }
        end
    }

    fn word(&mut self, at: usize, word: &str, is_label: bool, access: Access) {
        let (tokens, lexicon) = (self.tokens, self.lexicon);
        let following = at.saturating_add(1);
        let is_keyword = is_one_of(word, &KEYWORDS);
        if at == 0 && is_symbol_at(tokens, following, ":") && !is_keyword {
            return self.put_token(at, NameKind::Label, word.to_owned(), Access::Declared);
        }
        if is_label && !is_keyword {
            return self.put_token(at, NameKind::Label, word.to_owned(), Access::Read);
        }
        if is_symbol_at(tokens, following, "(") && !is_keyword {
            if let Some(number) = lexicon.function_number(word) {
                let name = lexicon.functions.name(i32::from(number)).unwrap_or(word).to_owned();
                self.put_token(at, NameKind::Function, name, Access::Read);
            }
            return;
        }
        if is_keyword {
            return self.put_token(at, NameKind::Keyword, word.to_ascii_lowercase(), Access::Read);
        }
        if let Some(number) = literal(word, "var").filter(|it| *it <= 255) {
            return self.put_token(at, NameKind::Local, format!("var{number}"), access);
        }
        let flag = lexicon.flags.number(word).or_else(|| i32::try_from(literal(word, "flag_")?).ok());
        if let Some(flag) = flag {
            let name = lexicon.flags.name(flag).unwrap_or(word).to_owned();
            self.put_token(at, NameKind::Flag, name, access);
        }
    }
}
