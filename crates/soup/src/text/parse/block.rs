//! Blocks: `if`, `else`, `while`, `loop`, and the gotos that they stand for.

use super::{Parser, Place, Target};
use crate::bytecode::{Condition, Jump, Statement};
use crate::text::lex::Token;

/// An open block.
#[derive(Debug)]
pub(super) struct Block {
    kind: Kind,
    /// Its line.
    pub(super) line: usize,
    /// The gotos that lead behind it.
    leaving: Vec<usize>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Its line has an error.
    Lost,
    /// `if`, with the number of its statement.
    If(usize),
    /// `else`.
    Else,
    /// `while`, with the number of its statement.
    While(usize),
    /// `loop`, with the number of the statement that it begins with.
    Loop(usize),
}

impl Block {
    /// The block of a line that has an error.
    pub(super) const fn lost(line: usize) -> Self {
        Self { kind: Kind::Lost, line, leaving: Vec::new() }
    }
}

impl Parser<'_> {
    fn open(&mut self, kind: Kind, leaving: Vec<usize>) {
        self.blocks.push(Block { kind, line: self.line, leaving });
    }

    /// Sets where a statement leads.
    fn lead(&mut self, index: usize, target: usize) {
        if let Some(item) = self.items.get_mut(index) {
            item.target = Target::Index(target);
        }
    }

    /// Adds a goto; its number.
    fn goto(&mut self, target: Target) -> usize {
        let index = self.items.len();
        self.push(Statement::Jump(Jump::Goto, 0), target);
        index
    }

    /// `if`, with a block or with a label behind `else`.
    pub(super) fn if_statement(&mut self, leaving: Vec<usize>) -> Option<()> {
        self.next();
        let conditions = self.conditions()?;
        let index = self.items.len();
        let statement = Statement::If { conditions, otherwise: 0 };
        if self.takes("{") {
            self.push(statement, Target::None);
            self.open(Kind::If(index), leaving);
            return Some(());
        }
        if !leaving.is_empty() {
            return self.expected("and, or, or {");
        }
        if !self.takes_word("else") {
            return self.expected("and, or, {, or else with a label");
        }
        let place: Place = self.place()?;
        self.push(statement, Target::Place(place));
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

    /// `while`, `loop`, `break`, `continue`, and `else` where it cannot stand; `None` for all other words.
    pub(super) fn loop_statement(&mut self, word: &str) -> Option<Option<()>> {
        let column = self.column();
        Some(match word {
            "while" => self.while_statement(),
            "loop" => {
                self.next();
                let begin = self.items.len();
                self.need("{").map(|()| self.open(Kind::Loop(begin), Vec::new()))
            }
            "break" | "continue" => {
                self.next();
                self.leave(word, column)
            }
            "else" => self.fail(column, "else stands behind the } of an if: } else {"),
            _ => return None,
        })
    }

    fn while_statement(&mut self) -> Option<()> {
        self.next();
        let conditions = self.conditions()?;
        if !self.takes("{") {
            return self.expected("and, or, or {");
        }
        let index = self.items.len();
        self.push(Statement::If { conditions, otherwise: 0 }, Target::None);
        self.open(Kind::While(index), Vec::new());
        Some(())
    }

    /// `break` and `continue`.
    fn leave(&mut self, word: &str, column: usize) -> Option<()> {
        let index = self.items.len();
        let mut around = self.blocks.iter_mut().rev();
        let found = around.find_map(|block| match block.kind {
            Kind::While(begin) | Kind::Loop(begin) => Some((block, Some(begin))),
            // Whether it was a loop is not known.
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

    /// Ends a block behind its `}`, or goes on with `else`.
    pub(super) fn close(&mut self) -> Option<()> {
        let column = self.column();
        let Some(block) = self.blocks.pop() else {
            return self.fail(1, "unexpected }: no block is open");
        };
        if self.takes_word("else") {
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

    /// `} else {` and `} else if`.
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
                .fail(column, format!("else without if: the block from line {line} is that of {what}"));
        }
        leaving.push(self.goto(Target::None));
        if let Kind::If(index) = kind {
            self.lead(index, self.items.len());
        }
        if self.takes("{") {
            self.open(Kind::Else, leaving);
            return Some(());
        }
        match self.peek() {
            Some(Token::Word(word)) if word.eq_ignore_ascii_case("if") => self.if_statement(leaving),
            _ => self.expected("{ or if"),
        }
    }
}
