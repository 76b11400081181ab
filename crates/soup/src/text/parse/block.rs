//! Parses blocks (`if`, `else`, `while`, `loop`) and creates the gotos that they imply.

use super::{Parser, Target, TargetRef};
use crate::bytecode::{Condition, Jump, Statement};
use crate::text::lex::Token;

/// An open block.
#[derive(Debug)]
pub(super) struct Block {
    kind: Kind,
    /// Its line number.
    pub(super) line: usize,
    /// The gotos to its end.
    leaving: Vec<usize>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// A block whose line has an error.
    Lost,
    /// `if`, with its statement index.
    If(usize),
    /// `else`.
    Else,
    /// `while`, with its statement index.
    While(usize),
    /// `loop`, with the index of its first statement.
    Loop(usize),
}

impl Block {
    /// Creates the block of a line with an error.
    pub(super) const fn lost(line: usize) -> Self {
        Self { kind: Kind::Lost, line, leaving: Vec::new() }
    }
}

impl Parser<'_> {
    fn open(&mut self, kind: Kind, leaving: Vec<usize>) {
        self.blocks.push(Block { kind, line: self.line, leaving });
    }

    /// Sets the target of a statement.
    fn lead(&mut self, index: usize, target: usize) {
        if let Some(item) = self.items.get_mut(index) {
            item.target = Target::Index(target);
        }
    }

    /// Adds a goto and returns its index.
    fn goto(&mut self, target: Target) -> usize {
        let index = self.items.len();
        self.push(Statement::Jump(Jump::Goto, 0), target);
        index
    }

    /// Parses `if`, with a block or with `else` and a label.
    pub(super) fn if_statement(&mut self, leaving: Vec<usize>) -> Option<()> {
        self.next();
        let conditions = self.conditions()?;
        let index = self.items.len();
        let statement = Statement::If { conditions, otherwise: 0 };
        if self.accept("{") {
            self.push(statement, Target::None);
            self.open(Kind::If(index), leaving);
            return Some(());
        }
        if !leaving.is_empty() {
            return self.expected("and, or, or {");
        }
        if !self.accept_word("else") {
            return self.expected("and, or, {, or else with a label");
        }
        let target: TargetRef = self.target()?;
        self.push(statement, Target::Written(target));
        Some(())
    }

    fn conditions(&mut self) -> Option<Vec<Condition>> {
        let mut conditions = Vec::new();
        loop {
            let condition = self.condition()?;
            let is_last = condition.next.is_none();
            conditions.push(condition);
            if is_last {
                return Some(conditions);
            }
        }
    }

    /// Parses `while`, `loop`, `break`, `continue`, and reports a misplaced `else`; returns `None` for all other words.
    pub(super) fn loop_statement(&mut self, word: &str) -> Option<Option<()>> {
        let column = self.column();
        Some(match word {
            "while" => self.while_statement(),
            "loop" => {
                self.next();
                let begin = self.items.len();
                self.expect("{").map(|()| self.open(Kind::Loop(begin), Vec::new()))
            }
            "break" | "continue" => {
                self.next();
                self.leave(word, column)
            }
            "else" => self.fail(column, "else must follow the } of an if: } else {"),
            _ => return None,
        })
    }

    fn while_statement(&mut self) -> Option<()> {
        self.next();
        let conditions = self.conditions()?;
        if !self.accept("{") {
            return self.expected("and, or, or {");
        }
        let index = self.items.len();
        self.push(Statement::If { conditions, otherwise: 0 }, Target::None);
        self.open(Kind::While(index), Vec::new());
        Some(())
    }

    /// Parses `break` and `continue`.
    fn leave(&mut self, word: &str, column: usize) -> Option<()> {
        let index = self.items.len();
        let mut enclosing = self.blocks.iter_mut().rev();
        let found = enclosing.find_map(|block| match block.kind {
            Kind::While(begin) | Kind::Loop(begin) => Some((block, Some(begin))),
            // It may have been a loop.
            Kind::Lost => Some((block, None)),
            Kind::If(_) | Kind::Else => None,
        });
        let Some((block, begin)) = found else {
            return self.fail(column, format!("{word} outside of a loop"));
        };
        let target = match begin {
            Some(begin) if word == "continue" => Target::Index(begin),
            _ => {
                block.leaving.push(index);
                Target::None
            }
        };
        self.goto(target);
        Some(())
    }

    /// Ends a block after its `}`, or continues it with `else`.
    pub(super) fn close(&mut self) -> Option<()> {
        let column = self.column();
        let Some(block) = self.blocks.pop() else {
            return self.fail(1, "unexpected }: no block is open");
        };
        if self.accept_word("else") {
            return self.otherwise(block, column);
        }
        match block.kind {
            Kind::While(begin) | Kind::Loop(begin) => {
                self.goto(Target::Index(begin));
            }
            Kind::If(_) | Kind::Else | Kind::Lost => {}
        }
        let end = self.items.len();
        if let Kind::If(index) | Kind::While(index) = block.kind {
            self.lead(index, end);
        }
        block.leaving.into_iter().for_each(|index| self.lead(index, end));
        Some(())
    }

    /// Parses the rest of `} else {` and `} else if`.
    fn otherwise(&mut self, block: Block, column: usize) -> Option<()> {
        let Block { kind, line, mut leaving } = block;
        let what = match kind {
            Kind::If(_) | Kind::Lost => None,
            Kind::Else => Some("else"),
            Kind::While(_) => Some("while"),
            Kind::Loop(_) => Some("loop"),
        };
        if let Some(what) = what {
            return self
                .fail(column, format!("else without if: the block from line {line} belongs to {what}"));
        }
        leaving.push(self.goto(Target::None));
        if let Kind::If(index) = kind {
            self.lead(index, self.items.len());
        }
        if self.accept("{") {
            self.open(Kind::Else, leaving);
            return Some(());
        }
        match self.peek() {
            Some(Token::Word(word)) if word.eq_ignore_ascii_case("if") => self.if_statement(leaving),
            _ => self.expected("{ or if"),
        }
    }
}
