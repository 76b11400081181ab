//! Parses source text into statements.

mod block;
mod statement;
mod target;
mod value;

use std::collections::{BTreeMap, HashMap};
use std::fmt;

use super::SourceContext;
use super::lex::{Lexeme, Lexer, Token, is_blank};
use crate::bytecode::{Call, Encoding, Object, Script, Statement, Variable};
use crate::lexicon::{BLOCK_WORDS, KEYWORDS};
use block::Block;

/// An error in a line of source text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The line, starting from 1.
    pub line: usize,
    /// The column in characters, starting from 1.
    pub column: usize,
    /// The message: what was found and what was expected.
    pub message: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: error: {}", self.line, self.column, self.message)
    }
}

/// The result of parsing source text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parsed {
    /// The script.
    pub script: Script,
    /// New texts of the actor, to append to its existing ones.
    pub new_texts: Vec<String>,
    /// The line and column of the first use of each new text, starting from 1.
    pub places: Vec<(usize, usize)>,
}

/// Returns the name of the actor in the header of source text, and its number in the map.
#[must_use]
pub fn actor_of(text: &str) -> Option<(String, Option<usize>)> {
    text.lines().find_map(|line| match Lexer::new(line).take(5).collect::<Vec<_>>().as_slice() {
        [Lexeme { token: Token::Word(word), .. }, Lexeme { token: Token::Text(name), .. }, rest @ ..]
            if word.eq_ignore_ascii_case("actor") =>
        {
            let index = match rest {
                [_, Lexeme { token: Token::Number(index), .. }] => usize::try_from(*index).ok(),
                _ => None,
            };
            Some((name.clone(), index))
        }
        _ => None,
    })
}

/// The maximum number of errors; parsing stops after it.
const MAX_ERRORS: usize = 1000;

/// The maximum number of statements. The longest script of the game has a few thousand.
const MAX_STATEMENTS: usize = 1 << 18;

/// The maximum nesting depth of blocks.
const MAX_BLOCK_DEPTH: usize = 1 << 16;

/// The maximum number of labels to search for suggestions.
const MAX_LABELS: usize = 10_000;

/// The maximum nesting depth of calls.
const MAX_DEPTH: usize = 15;

impl Script {
    /// Parses source text. See the [module](crate::text) for the syntax.
    ///
    /// # Errors
    /// Returns all errors in line order.
    pub fn parse(text: &str, context: &SourceContext<'_>) -> Result<Parsed, Vec<Problem>> {
        Self::parse_with_lines(text, context).map(|(parsed, _)| parsed)
    }

    /// Parses source text and returns the line of each statement too, starting from 1.
    pub(crate) fn parse_with_lines(
        text: &str,
        context: &SourceContext<'_>,
    ) -> Result<(Parsed, Vec<usize>), Vec<Problem>> {
        let mut parser = Parser::new(context);
        for (index, line) in text.lines().enumerate() {
            parser.line = index.saturating_add(1);
            if parser.problems.len() >= MAX_ERRORS {
                let _: Option<()> = parser.fail(1, "too many errors; the rest was not read");
                return Err(parser.problems);
            }
            if parser.items.len() > MAX_STATEMENTS {
                let message = format!("the script has more than {MAX_STATEMENTS} statements");
                let _: Option<()> = parser.fail(1, message);
                return Err(parser.problems);
            }
            if parser.blocks.len() > MAX_BLOCK_DEPTH {
                let message = format!("blocks are nested more than {MAX_BLOCK_DEPTH} levels deep");
                let _: Option<()> = parser.fail(1, message);
                return Err(parser.problems);
            }
            parser.line(line);
        }
        let lines = std::mem::take(&mut parser.lines);
        Ok((parser.finish()?, lines))
    }
}

/// The target of a statement.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Target {
    None,
    /// The statement with this index.
    Index(usize),
    Written(TargetRef),
}

/// A target as written in source text.
#[derive(Debug, Clone, PartialEq, Eq)]
enum TargetRef {
    Offset(u32),
    Label { name: String, plus: Option<u32>, line: usize, column: usize },
}

#[derive(Debug)]
struct Item {
    statement: Statement,
    target: Target,
}

/// The first part of a statement or a value.
enum Primary {
    Variable(Variable),
    Call(Call),
    ObjectCall(Object, Call),
    Text(u32),
}

struct Parser<'a> {
    context: &'a SourceContext<'a>,
    /// Text numbers; the first one for duplicates. New texts follow those of the actor.
    texts: HashMap<String, u32>,
    /// The line and column where each new text first appears.
    places: Vec<(usize, usize)>,
    encoding: Encoding,
    items: Vec<Item>,
    /// The line of each item.
    lines: Vec<usize>,
    labels: BTreeMap<String, (usize, usize)>,
    start: Option<Target>,
    /// The open blocks.
    blocks: Vec<Block>,
    problems: Vec<Problem>,
    line: usize,
    lexer: Lexer<'a>,
    /// The current token and the next one.
    tokens: [Option<Lexeme>; 2],
    /// The column after the last token.
    end: usize,
    depth: usize,
}

impl<'a> Parser<'a> {
    fn new(context: &'a SourceContext<'a>) -> Self {
        Self {
            context,
            texts: context.text_numbers(),
            places: Vec::new(),
            encoding: Encoding::default(),
            items: Vec::new(),
            lines: Vec::new(),
            labels: BTreeMap::new(),
            start: None,
            blocks: Vec::new(),
            problems: Vec::new(),
            line: 0,
            lexer: Lexer::new(""),
            tokens: [None, None],
            end: 1,
            depth: 0,
        }
    }

    fn fail<T>(&mut self, column: usize, message: impl Into<String>) -> Option<T> {
        self.problems.push(Problem { line: self.line, column, message: message.into() });
        None
    }

    fn peek(&self) -> Option<&Token> {
        let [here, _] = &self.tokens;
        here.as_ref().map(|it| &it.token)
    }

    fn peek_next(&self) -> Option<&Token> {
        let [_, behind] = &self.tokens;
        behind.as_ref().map(|it| &it.token)
    }

    fn column(&self) -> usize {
        let [here, _] = &self.tokens;
        here.as_ref().map_or(self.end, |it| it.column)
    }

    fn next(&mut self) -> Option<Token> {
        let [here, behind] = &mut self.tokens;
        let lexeme = std::mem::replace(here, behind.take());
        *behind = self.lexer.next();
        Some(lexeme?.token)
    }

    fn is_symbol(&self, symbol: &str) -> bool {
        matches!(self.peek(), Some(Token::Symbol(it)) if *it == symbol)
    }

    fn accept(&mut self, symbol: &str) -> bool {
        let is_there = self.is_symbol(symbol);
        if is_there {
            self.next();
        }
        is_there
    }

    fn accept_word(&mut self, word: &str) -> bool {
        let is_there = matches!(self.peek(), Some(Token::Word(it)) if it.eq_ignore_ascii_case(word));
        if is_there {
            self.next();
        }
        is_there
    }

    /// Describes the current token for messages.
    fn found(&self) -> String {
        match self.peek() {
            None => "the end of the line".to_owned(),
            Some(Token::Word(it)) => it.clone(),
            Some(Token::Number(it)) => it.to_string(),
            Some(Token::Text(it)) => format!("{it:?}"),
            Some(Token::Label(it)) => format!("'{it}'"),
            Some(Token::Symbol(it)) => (*it).to_owned(),
        }
    }

    fn expected<T>(&mut self, what: &str) -> Option<T> {
        let message = format!("expected {what}, found {}", self.found());
        self.fail(self.column(), message)
    }

    fn expect(&mut self, symbol: &str) -> Option<()> {
        if self.accept(symbol) { Some(()) } else { self.expected(symbol) }
    }

    fn line(&mut self, text: &'a str) {
        self.end = text.trim_end_matches(is_blank).chars().count().saturating_add(1);
        let code = text.split(';').next().unwrap_or_default().trim_matches(is_blank);
        if let Some(("bytes", hex)) = code.split_once(' ') {
            return self.bytes(hex);
        }
        // The line is read twice to keep only two tokens in memory at a time.
        let mut scan = Lexer::new(text);
        let is = |token: &Token, symbol: &str| matches!(token, Token::Symbol(it) if *it == symbol);
        let (mut closes, mut opens, mut is_empty) = (false, false, true);
        for Lexeme { token, .. } in scan.by_ref() {
            closes |= is_empty && is(&token, "}");
            opens = is(&token, "{");
            is_empty = false;
        }
        // The part after an error was not read.
        opens |= scan.error.is_some() && code.ends_with('{');
        let open_blocks = self.blocks.len().saturating_sub(closes.into()).saturating_add(opens.into());
        self.lexer = Lexer::new(text);
        self.tokens = [self.lexer.next(), self.lexer.next()];
        self.depth = 0;
        let result = match scan.error {
            Some((column, message)) => self.fail(column, message),
            None if is_empty => Some(()),
            None => self.parse_line(),
        };
        if result.is_none() && self.blocks.len() < open_blocks {
            // Prevents a second error at its end.
            self.blocks.push(Block::lost(self.line));
        }
    }

    fn bytes(&mut self, hex: &str) {
        let bytes: Option<Vec<u8>> = hex
            .split_whitespace()
            .map(|it| Some(it).filter(|it| it.len() == 2).and_then(|it| u8::from_str_radix(it, 16).ok()))
            .collect();
        match bytes {
            Some(bytes) => self.push(Statement::Unreadable(bytes), Target::None),
            None => {
                let _: Option<()> =
                    self.fail(1, "expected bytes as two hexadecimal digits each: bytes 08 ff");
            }
        }
    }

    fn push(&mut self, statement: Statement, target: Target) {
        self.items.push(Item { statement, target });
        self.lines.push(self.line);
    }

    fn parse_line(&mut self) -> Option<()> {
        if self.accept("}") {
            self.close()?;
        } else if let (Some(Token::Word(name)), Some(Token::Symbol(":"))) = (self.peek(), self.peek_next()) {
            let name = name.clone();
            self.next();
            self.next();
            self.label(&name)?;
        } else {
            self.statement()?;
        }
        if self.peek().is_some() { self.expected("the end of the line") } else { Some(()) }
    }

    fn label(&mut self, name: &str) -> Option<()> {
        let index = self.items.len();
        if name.eq_ignore_ascii_case("start") {
            if self.start.replace(Target::Index(index)).is_some() {
                return self.fail(1, "the start is already set");
            }
            return Some(());
        }
        let is = |words: &[&str]| words.iter().any(|it| it.eq_ignore_ascii_case(name));
        if is(&KEYWORDS) && !is(&BLOCK_WORDS) {
            return self.fail(1, format!("{name} is a keyword and cannot be a label"));
        }
        if let Some((_, line)) = self.labels.insert(name.to_owned(), (index, self.line)) {
            return self.fail(1, format!("the label {name} is already on line {line}"));
        }
        Some(())
    }
}
