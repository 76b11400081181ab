//! Parses the text of Redguard Mod Manager into statements.

mod split;
mod statement;
mod value;

use std::collections::{HashMap, HashSet};

use super::lex::{self, Lexeme, Token};
use crate::bytecode::{Encoding, Jump, Placed, Script, Statement};
use crate::text::{Problem, SourceContext};

pub use split::{ActorText, Assignment, split};

/// The result of parsing a script.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parsed {
    /// The script as the game reads it.
    pub script: Script,
    /// New texts of the actor, to append to its existing ones.
    pub new_texts: Vec<String>,
    /// The line and column of the first use of each new text, starting from 1.
    pub places: Vec<(usize, usize)>,
    /// Differences from the bytecode that Mod Manager would write.
    pub warnings: Vec<Problem>,
}

/// The maximum number of errors; parsing stops after it.
const MAX_ERRORS: usize = 1000;

/// The maximum nesting depth of calls.
const MAX_DEPTH: usize = 15;

impl ActorText<'_> {
    /// Parses the script.
    ///
    /// # Errors
    /// Returns all errors in line order.
    pub fn parse(&self, context: &SourceContext<'_>) -> Result<Parsed, Vec<Problem>> {
        let mut parser = Parser::new(context);
        for (number, text) in &self.body {
            parser.line = *number;
            if parser.problems.len() >= MAX_ERRORS {
                let _: Option<()> = parser.fail(1, "too many errors; the rest was not read");
                return Err(parser.problems);
            }
            parser.line(text);
        }
        parser.line = self.end;
        if self.unclosed > 0 {
            parser.warn("blocks without } end with the script; Mod Manager omits their braces");
        }
        for _ in 0..self.unclosed {
            parser.close();
        }
        parser.end_pending();
        parser.line = self.line;
        parser.finish(self.start)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Target {
    None,
    /// The statement with this index.
    Index(usize),
    /// A label, with its line and column.
    Label(u32, usize, usize),
}

#[derive(Debug)]
struct Item {
    statement: Statement,
    target: Target,
}

/// The statement that a block belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Block {
    /// A block whose line has an error.
    Lost,
    If(usize),
    /// `if <ScriptRv>`.
    Guard(usize),
}

struct Parser<'a> {
    context: &'a SourceContext<'a>,
    /// Text numbers; the first one for duplicates.
    texts: HashMap<String, u32>,
    new_texts: Vec<String>,
    places: Vec<(usize, usize)>,
    items: Vec<Item>,
    labels: HashMap<u32, (usize, usize)>,
    blocks: Vec<Block>,
    /// A condition whose block starts on the next line.
    pending: Option<(Block, usize)>,
    problems: Vec<Problem>,
    warnings: Vec<Problem>,
    /// The warnings already given on this line.
    warned: HashSet<&'static str>,
    line: usize,
    tokens: Vec<Lexeme>,
    at: usize,
    /// The column after the last token.
    end: usize,
    depth: usize,
}

impl<'a> Parser<'a> {
    fn new(context: &'a SourceContext<'a>) -> Self {
        Self {
            context,
            texts: context.text_numbers(),
            new_texts: Vec::new(),
            places: Vec::new(),
            items: Vec::new(),
            labels: HashMap::new(),
            blocks: Vec::new(),
            pending: None,
            problems: Vec::new(),
            warnings: Vec::new(),
            warned: HashSet::new(),
            line: 0,
            tokens: Vec::new(),
            at: 0,
            end: 1,
            depth: 0,
        }
    }

    fn fail<T>(&mut self, column: usize, message: impl Into<String>) -> Option<T> {
        self.problems.push(Problem { line: self.line, column, message: message.into() });
        None
    }

    /// Adds a warning once per line.
    fn warn(&mut self, message: &'static str) {
        if self.warnings.len() < MAX_ERRORS && self.warned.insert(message) {
            let column = self.tokens.get(self.at).or(self.tokens.first()).map_or(1, |it| it.column);
            self.warnings.push(Problem { line: self.line, column, message: message.to_owned() });
        }
    }

    fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.at).map(|it| &it.token)
    }

    fn peek_next(&self) -> Option<&Token> {
        self.tokens.get(self.at.saturating_add(1)).map(|it| &it.token)
    }

    fn column(&self) -> usize {
        self.tokens.get(self.at).map_or(self.end, |it| it.column)
    }

    fn skip(&mut self) {
        self.at = self.at.saturating_add(1);
    }

    fn is_symbol(&self, symbol: &str) -> bool {
        matches!(self.peek(), Some(Token::Symbol(it)) if *it == symbol)
    }

    fn accept(&mut self, symbol: &str) -> bool {
        let is_there = self.is_symbol(symbol);
        if is_there {
            self.skip();
        }
        is_there
    }

    fn accept_word(&mut self, word: &str) -> bool {
        let is_there = matches!(self.peek(), Some(Token::Word(it)) if it.eq_ignore_ascii_case(word));
        if is_there {
            self.skip();
        }
        is_there
    }

    fn expected<T>(&mut self, what: &str) -> Option<T> {
        let found = match self.peek() {
            None => "the end of the line".to_owned(),
            Some(Token::Word(it)) => it.clone(),
            Some(Token::Number(it)) => it.to_string(),
            Some(Token::Text(it)) => format!("{it:?}"),
            Some(Token::Angle(it)) => format!("<{it}>"),
            Some(Token::Label(it)) => format!("#{it:02X}"),
            Some(Token::Symbol(it)) => (*it).to_owned(),
        };
        self.fail(self.column(), format!("expected {what}, found {found}"))
    }

    fn expect(&mut self, symbol: &str) -> Option<()> {
        if self.accept(symbol) { Some(()) } else { self.expected(symbol) }
    }

    fn push(&mut self, statement: Statement, target: Target) {
        self.items.push(Item { statement, target });
    }

    fn line(&mut self, text: &str) {
        self.end = text.trim_end().chars().count().saturating_add(1);
        self.warned.clear();
        let (tokens, error) = lex::line(text);
        self.tokens = tokens;
        self.at = 0;
        self.depth = 0;
        if self.accept("{") {
            let block = self.pending.take().map(|(block, _)| block);
            if block.is_none() {
                let _: Option<()> = self.fail(1, "unexpected {: no if precedes it");
            }
            self.blocks.push(block.unwrap_or(Block::Lost));
            let _ = self.ends();
            return;
        }
        self.end_pending();
        let opens = matches!(self.tokens.last(), Some(Lexeme { token: Token::Symbol("{"), .. }));
        let is_if = matches!(self.peek(), Some(Token::Word(word)) if word.eq_ignore_ascii_case("if"));
        let result = match error {
            Some((column, message)) => self.fail(column, message),
            None => self.parse_line(),
        };
        if result.is_none() && (opens || is_if) {
            self.pending = Some((Block::Lost, self.line));
        }
        if opens && let Some((block, _)) = self.pending.take() {
            self.blocks.push(block);
        }
    }

    /// Ends a condition without a block: Mod Manager writes no braces for an empty block.
    fn end_pending(&mut self) {
        if let Some((block, line)) = self.pending.take() {
            let here = std::mem::replace(&mut self.line, line);
            if block != Block::Lost {
                self.warnings.push(Problem {
                    line,
                    column: 1,
                    message:
                        "the block is empty; Mod Manager omits its braces, but cannot read it without them"
                            .to_owned(),
                });
            }
            self.blocks.push(block);
            self.close();
            self.line = here;
        }
    }

    fn close(&mut self) {
        let end = self.items.len();
        match self.blocks.pop() {
            None => {
                let _: Option<()> = self.fail(1, "unexpected }: no block is open");
            }
            Some(Block::If(index)) => {
                if let Some(item) = self.items.get_mut(index) {
                    item.target = Target::Index(end);
                }
            }
            Some(Block::Guard(index)) => {
                let size = match self.items.get(index.saturating_add(1)..) {
                    Some([one]) => one.statement.size(Encoding::default()),
                    _ => 0,
                };
                if size != 5 {
                    let message = "the block after <ScriptRv> must contain one statement of five bytes, such as Goto or Gosub";
                    let _: Option<()> = self.fail(1, message);
                }
            }
            Some(Block::Lost) => {}
        }
    }

    fn parse_line(&mut self) -> Option<()> {
        if self.accept("}") {
            self.close();
        } else if let (Some(Token::Label(label)), Some(Token::Symbol(":"))) = (self.peek(), self.peek_next())
        {
            let label = *label;
            self.at = self.at.saturating_add(2);
            if let Some((_, line)) = self.labels.insert(label, (self.items.len(), self.line)) {
                return self.fail(1, format!("the label #{label:02X} is already on line {line}"));
            }
        } else {
            self.statement()?;
        }
        self.ends()
    }

    fn ends(&mut self) -> Option<()> {
        if self.at < self.tokens.len() { self.expected("the end of the line") } else { Some(()) }
    }

    fn finish(mut self, start: Option<(u32, usize)>) -> Result<Parsed, Vec<Problem>> {
        let (mut offsets, mut at) = (Vec::with_capacity(self.items.len().saturating_add(1)), 0_u32);
        for item in &self.items {
            offsets.push(at);
            at = at
                .saturating_add(u32::try_from(item.statement.size(Encoding::default())).unwrap_or(u32::MAX));
        }
        offsets.push(at);
        let offset = |index: usize| offsets.get(index).copied();
        let line = self.line;
        let start = start.and_then(|(label, column)| match self.labels.get(&label) {
            Some((index, _)) => offset(*index),
            None => self.unknown(label, line, column),
        });
        let mut statements = Vec::with_capacity(self.items.len());
        for (index, item) in std::mem::take(&mut self.items).into_iter().enumerate() {
            statements.push((offset(index).unwrap_or(at), item));
        }
        let mut resolved = Vec::with_capacity(statements.len());
        for (_, item) in &statements {
            resolved.push(match item.target {
                Target::None => None,
                Target::Index(index) => offset(index),
                Target::Label(label, line, column) => {
                    let found = match item.statement {
                        Statement::Jump(jump, _) if jump.targets_task() => self.task(label, &statements),
                        _ => self.labels.get(&label).and_then(|(index, _)| offset(*index)),
                    };
                    found.or_else(|| self.unknown(label, line, column))
                }
            });
        }
        if !self.problems.is_empty() {
            self.problems.sort_by_key(|it| (it.line, it.column));
            return Err(self.problems);
        }
        let placed = |((at, item), target): ((u32, Item), Option<u32>)| {
            let mut statement = item.statement;
            if let (Statement::If { otherwise: it, .. } | Statement::Jump(_, it), Some(target)) =
                (&mut statement, target)
            {
                *it = target;
            }
            Placed { at, statement }
        };
        let statements = statements.into_iter().zip(resolved).map(placed).collect();
        let script =
            Script { statements, encoding: Encoding::default(), start: start.unwrap_or(0), length: at };
        Ok(Parsed { script, new_texts: self.new_texts, places: self.places, warnings: self.warnings })
    }

    /// Returns the offset of a task's operands: within the statement with the label or, as Mod Manager writes it, at the offset itself.
    fn task(&self, label: u32, statements: &[(u32, Item)]) -> Option<u32> {
        let operands = |(at, item): &(u32, Item)| at.checked_add(item.statement.operand_offset()?);
        let named = self.labels.get(&label).and_then(|(index, _)| statements.get(*index));
        if let Some(found) = named.and_then(operands) {
            return Some(found);
        }
        let index = statements.partition_point(|(at, _)| *at <= label).checked_sub(1)?;
        statements.get(index).and_then(operands).filter(|at| *at == label)
    }

    fn unknown(&mut self, label: u32, line: usize, column: usize) -> Option<u32> {
        if self.problems.len() < MAX_ERRORS {
            self.problems.push(Problem { line, column, message: format!("unknown label #{label:02X}") });
        }
        None
    }

    /// Adds a statement with a label as its target.
    fn jump(&mut self, jump: Jump, label: u32, column: usize) {
        self.push(Statement::Jump(jump, 0), Target::Label(label, self.line, column));
    }
}
