//! Parses statements.

use super::{Parser, Primary, Target, TargetRef};
use crate::bytecode::{
    Call, Change, Comparison, Condition, Conjunction, Dispatch, Formula, Jump, ObjectOpcode, Operands,
    Operator, RightProperty, Statement, Value, Variable,
};
use crate::text::lex::Token;
use crate::text::word::{DISPATCHES, JUMPS, dispatch_of};

impl Parser<'_> {
    pub(super) fn statement(&mut self) -> Option<()> {
        let Some(Token::Word(word)) = self.peek() else { return self.primary_statement() };
        let word = word.to_ascii_lowercase();
        if let Some((_, jump)) = JUMPS.into_iter().find(|(it, _)| *it == word) {
            self.next();
            let target = if jump == Jump::End && self.peek().is_none() {
                Target::Written(TargetRef::Offset(0))
            } else {
                Target::Written(self.target()?)
            };
            self.push(Statement::Jump(jump, 0), target);
            return Some(());
        }
        let plain = match word.as_str() {
            "return" => Some(Statement::Return),
            "endint" => Some(Statement::EndInterrupt),
            "yield" => Some(Statement::Yield),
            _ => None,
        };
        if let Some(statement) = plain {
            self.next();
            self.push(statement, Target::None);
            return Some(());
        }
        if let Some(result) = self.loop_statement(&word) {
            return result;
        }
        match word.as_str() {
            "if" => self.if_statement(Vec::new()),
            "anchor" | "scriptrv" => {
                self.next();
                let value = self.integer("a number from 0 to 255")?;
                let statement =
                    if word == "anchor" { Statement::Anchor(value) } else { Statement::ScriptResult(value) };
                self.push(statement, Target::None);
                Some(())
            }
            "actor" => {
                self.next();
                let Some(Token::Text(_)) = self.peek() else {
                    return self.expected("the name of the actor in quotes");
                };
                self.next();
                if self.accept("#") {
                    self.integer::<u32>("the number of the actor").map(drop)
                } else {
                    Some(())
                }
            }
            "operands" => {
                self.next();
                if self.accept_word("mm") {
                    self.encoding.operands = Operands::ModManager;
                } else if !self.accept_word("no_right_byte") {
                    return self.expected("mm or no_right_byte");
                }
                self.encoding.right_property = RightProperty::Nothing;
                Some(())
            }
            "start" => {
                self.next();
                let written = self.target()?;
                if self.start.replace(Target::Written(written)).is_some() {
                    return self.fail(1, "the start is already set");
                }
                Some(())
            }
            _ => self.primary_statement(),
        }
    }

    pub(super) fn condition(&mut self) -> Option<Condition> {
        let left = self.value(None, true)?;
        let comparison = match self.peek() {
            Some(Token::Symbol("==")) => Some(Comparison::Equal),
            Some(Token::Symbol(symbol)) => Comparison::ALL.into_iter().find(|it| it.symbol() == *symbol),
            _ => None,
        };
        let Some(comparison) = comparison else { return self.expected("a comparison (= != < > <= >=)") };
        self.next();
        let role = match &left {
            Value::Call(call) | Value::ObjectCall(_, _, call) => self.context.lexicon.result(call.function),
            _ => None,
        };
        let right = self.value(role, true)?;
        let next = if self.accept_word("and") {
            Some(Conjunction::And)
        } else if self.accept_word("or") {
            Some(Conjunction::Or)
        } else {
            None
        };
        Some(Condition { left, comparison, right, next })
    }

    /// Parses a call, an assignment or a step.
    fn primary_statement(&mut self) -> Option<()> {
        let column = self.column();
        let opcode = self.opcode()?;
        let explicit = DISPATCHES.iter().find(|(word, _)| self.accept_word(word)).map(|(_, it)| *it);
        let lexicon = self.context.lexicon;
        let declared = |call: &Call| {
            let function = lexicon.definitions.function(call.function);
            explicit.unwrap_or_else(|| dispatch_of(function.map(|it| it.kind)))
        };
        let primary = self.primary()?;
        let statement = match primary {
            Primary::Call(call) if opcode.is_none() => Statement::Call(declared(&call), call),
            Primary::ObjectCall(object, call) => {
                let dispatch = declared(&call);
                let usual =
                    if dispatch == Dispatch::Function { ObjectOpcode::Function } else { ObjectOpcode::Task };
                Statement::ObjectCall(opcode.unwrap_or(usual), object, dispatch, call)
            }
            Primary::Variable(variable) if explicit.is_none() && opcode.is_none() => {
                let step = [("++", Change::Increment), ("--", Change::Decrement)];
                let step = step.into_iter().find(|(symbol, _)| self.is_symbol(symbol));
                match (step, variable) {
                    (Some((_, change)), Variable::Property(object, reference)) => {
                        self.next();
                        Statement::Step(change, object, reference)
                    }
                    (Some((symbol, _)), _) => {
                        let message = format!(
                            "only properties take {symbol}; write x = x {} 1",
                            symbol.get(..1).unwrap_or("+")
                        );
                        return self.fail(self.column(), message);
                    }
                    (None, variable) => {
                        if !self.is_symbol("=") {
                            return self.expected("= or a call with ( )");
                        }
                        self.next();
                        Statement::Assign(variable, self.formula()?)
                    }
                }
            }
            _ => {
                return self
                    .fail(column, "expected a statement: a call, an assignment, if, goto, gosub, end ...");
            }
        };
        self.push(statement, Target::None);
        Some(())
    }

    fn formula(&mut self) -> Option<Formula> {
        let first = self.value(None, false)?;
        let mut rest = Vec::new();
        while let Some(Token::Symbol(symbol)) = self.peek() {
            let symbol = *symbol;
            let end = match symbol {
                "++" => Some(Change::Increment),
                "--" => Some(Change::Decrement),
                _ => None,
            };
            if end.is_some() {
                self.next();
                return Some(Formula { first, rest, end });
            }
            let Some(operator) = Operator::ALL.into_iter().find(|it| it.symbol() == symbol) else {
                return self.expected("an operator (+ - * / << >> & | ^) or the end of the line");
            };
            self.next();
            rest.push((operator, self.value(None, false)?));
        }
        Some(Formula { first, rest, end: None })
    }
}
