//! Parses statements.

use super::super::lex::Token;
use super::super::write::operator_symbol;
use super::super::{dispatch_of, opcode_of};
use super::{Block, Parser, Target};
use crate::bytecode::{
    Change, Comparison, Condition, Conjunction, Formula, Jump, Operator, Statement, Variable,
};
use crate::mm::parse::value::Primary;

/// Jumps by keyword.
const JUMPS: [(&str, Jump); 3] = [("goto", Jump::Goto), ("end", Jump::End), ("gosub", Jump::Gosub)];

impl Parser<'_> {
    pub(super) fn statement(&mut self) -> Option<()> {
        let column = self.column();
        match self.peek().cloned() {
            // Before a dot, it is the name of an object.
            Some(Token::Word(word)) if self.peek_next() != Some(&Token::Symbol(".")) => {
                let word = word.to_ascii_lowercase();
                if let Some((_, jump)) = JUMPS.into_iter().find(|(it, _)| *it == word) {
                    self.skip();
                    return self.leads(jump);
                }
                let plain = match word.as_str() {
                    "return" => Some(Statement::Return),
                    "endint" => Some(Statement::EndInterrupt),
                    _ => None,
                };
                if let Some(statement) = plain {
                    self.skip();
                    self.push(statement, Target::None);
                    return Some(());
                }
                if word == "if" {
                    self.skip();
                    return self.condition_statement();
                }
                self.primary_statement()
            }
            Some(Token::Angle(name)) => {
                self.skip();
                self.special(&name, column)
            }
            _ => self.primary_statement(),
        }
    }

    fn leads(&mut self, jump: Jump) -> Option<()> {
        let column = self.column();
        match self.peek() {
            Some(Token::Label(label)) => {
                let label = *label;
                self.skip();
                self.jump(jump, label, column);
            }
            None if jump != Jump::Gosub => self.push(Statement::Jump(jump, 0), Target::None),
            _ => return self.expected("a label such as #0E"),
        }
        Some(())
    }

    /// Parses `<Anchor>=5` and `<TaskPause(#05)>`.
    fn special(&mut self, name: &str, column: usize) -> Option<()> {
        if name.eq_ignore_ascii_case("Anchor") {
            self.expect("=")?;
            let value = self.byte("an anchor from 0 to 255")?;
            self.warn("Mod Manager omits the opcode of <Anchor>; it was added");
            self.push(Statement::Anchor(value), Target::None);
            return Some(());
        }
        let label = name.strip_prefix("TaskPause(#").and_then(|it| it.strip_suffix(')'));
        match label.map(|it| u32::from_str_radix(it, 16)) {
            Some(Ok(label)) => {
                self.warn("<TaskPause> is 1B, which stops the task");
                self.jump(Jump::StopTask, label, column);
                Some(())
            }
            _ => {
                self.fail(column, format!("unknown statement <{name}> (known: <Anchor>=5, <TaskPause(#05)>)"))
            }
        }
    }

    pub(super) fn byte(&mut self, what: &str) -> Option<u8> {
        match self.peek() {
            Some(Token::Number(number)) => match u8::try_from(*number) {
                Ok(number) => {
                    self.skip();
                    Some(number)
                }
                Err(_) => self.expected(what),
            },
            _ => self.expected(what),
        }
    }

    fn condition_statement(&mut self) -> Option<()> {
        let index = self.items.len();
        let is_guard =
            matches!(self.peek(), Some(Token::Angle(name)) if name.eq_ignore_ascii_case("ScriptRv"));
        let block = if is_guard {
            self.skip();
            self.expect("=")?;
            let value = self.byte("a number from 0 to 255")?;
            if value != 1 {
                self.warn("Mod Manager always assembles <ScriptRv> with 1");
            }
            self.push(Statement::ScriptResult(value), Target::None);
            Block::Guard(index)
        } else {
            let mut conditions = Vec::new();
            loop {
                let condition = self.condition()?;
                let is_last = condition.next.is_none();
                conditions.push(condition);
                if is_last {
                    break;
                }
            }
            self.push(Statement::If { conditions, otherwise: 0 }, Target::None);
            Block::If(index)
        };
        self.accept("{");
        self.pending = Some((block, self.line));
        Some(())
    }

    fn condition(&mut self) -> Option<Condition> {
        let left = self.compared(None)?;
        let comparison = match self.peek() {
            Some(Token::Symbol(symbol)) => Comparison::ALL.into_iter().find(|it| it.symbol() == *symbol),
            _ => None,
        };
        let Some(comparison) = comparison else { return self.expected("a comparison (= != < > <= >=)") };
        self.skip();
        let role = match &left {
            crate::bytecode::Value::Call(call) | crate::bytecode::Value::ObjectCall(_, _, call) => {
                self.context.lexicon.result(call.function)
            }
            _ => None,
        };
        let right = self.compared(role)?;
        if matches!(right, crate::bytecode::Value::Variable { variable: Variable::Property(..), .. }) {
            self.warn("Mod Manager omits a byte after properties on the right; it was added");
        }
        let next = if self.accept_word("and") {
            Some(Conjunction::And)
        } else if self.accept_word("or") {
            Some(Conjunction::Or)
        } else {
            None
        };
        Some(Condition { left, comparison, right, next })
    }

    /// Parses `++` or `--`.
    pub(super) fn change(&mut self) -> Option<Change> {
        if self.accept("++") {
            Some(Change::Increment)
        } else if self.accept("--") {
            Some(Change::Decrement)
        } else {
            None
        }
    }

    /// Parses a call, an assignment or a step.
    fn primary_statement(&mut self) -> Option<()> {
        let column = self.column();
        let lexicon = self.context.lexicon;
        let statement = match self.primary(true)? {
            (Primary::Call(call), is_multitask) => {
                Statement::Call(dispatch_of(lexicon, call.function, is_multitask), call)
            }
            (Primary::ObjectCall(object, call), is_multitask) => {
                let dispatch = dispatch_of(lexicon, call.function, is_multitask);
                Statement::ObjectCall(opcode_of(lexicon, call.function), object, dispatch, call)
            }
            (Primary::Variable(variable), _) => match (self.change(), variable) {
                (Some(change), Variable::Property(object, reference)) => {
                    self.warn("Mod Manager does not assemble ++ and -- of properties; they were assembled");
                    Statement::Step(change, object, reference)
                }
                (Some(_), _) => return self.fail(column, "only properties take ++ and --; write x = x + 1"),
                (None, variable) => {
                    self.expect("=")?;
                    Statement::Assign(variable, self.formula()?)
                }
            },
            (Primary::Text(_), _) => return self.fail(column, "expected a statement, found a text"),
        };
        self.push(statement, Target::None);
        Some(())
    }

    fn formula(&mut self) -> Option<Formula> {
        let first = self.value(None)?;
        let mut rest = Vec::new();
        while let Some(Token::Symbol(symbol)) = self.peek() {
            let symbol = *symbol;
            if let Some(end) = self.change() {
                return Some(Formula { first, rest, end: Some(end) });
            }
            let Some(operator) = Operator::ALL.into_iter().find(|it| operator_symbol(*it) == symbol) else {
                return self.expected("an operator (+ - * / << >> & | ^) or the end of the line");
            };
            match operator {
                Operator::Divide => self.warn("* is operator 4, which divides: Mod Manager swaps * and /"),
                Operator::Multiply => {
                    self.warn("/ is operator 3, which multiplies: Mod Manager swaps * and /");
                }
                _ => {}
            }
            self.skip();
            rest.push((operator, self.value(None)?));
        }
        Some(Formula { first, rest, end: None })
    }
}
