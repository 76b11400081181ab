//! Parses values and names.

use super::super::lex::Token;
use super::super::{opcode_of, takes_flag, takes_label};
use super::{MAX_DEPTH, Parser};
use crate::bytecode::{Call, Object, Value, Variable};
use crate::lexicon::{Role, literal, suggestion};

/// The first part of a statement or a value.
pub(super) enum Primary {
    Variable(Variable),
    Call(Call),
    ObjectCall(Object, Call),
    Text(u32),
}

impl Parser<'_> {
    /// Parses an operand of a comparison.
    pub(super) fn compared(&mut self, role: Option<Role>) -> Option<Value> {
        let mut value = self.value(role)?;
        let column = self.column();
        if let Some(change) = self.change() {
            let Value::Variable { update, .. } = &mut value else {
                return self.fail(column, "++ and -- apply only to variables");
            };
            *update = Some(change);
            self.warn("Mod Manager adds a zero after ++ and -- in conditions; it was omitted");
        }
        Some(value)
    }

    pub(super) fn value(&mut self, role: Option<Role>) -> Option<Value> {
        if let Some(number) = self.number()? {
            return Some(Value::Number(number));
        }
        let column = self.column();
        if let Some(Token::Angle(name)) = self.peek().cloned() {
            self.skip();
            return self.angle(&name, role, column).map(Value::Number);
        }
        Some(match self.primary(false)?.0 {
            Primary::Variable(variable) => variable.value(),
            Primary::Call(call) => Value::Call(call),
            Primary::ObjectCall(object, call) => {
                Value::ObjectCall(opcode_of(self.context.lexicon, call.function), object, call)
            }
            Primary::Text(index) => Value::Text(index),
        })
    }

    /// Parses a number; the inner value is `None` for other tokens.
    fn number(&mut self) -> Option<Option<i32>> {
        let is_negative = self.is_symbol("-");
        let token = if is_negative { self.peek_next() } else { self.peek() };
        let Some(Token::Number(number)) = token else {
            return if is_negative { self.expected("a value") } else { Some(None) };
        };
        let number = if is_negative { number.checked_neg() } else { Some(*number) };
        let column = self.column();
        self.at = self.at.saturating_add(if is_negative { 2 } else { 1 });
        if self.is_symbol(".") {
            return self.fail(
                column,
                "a number is not an object; Mod Manager writes the value of a variable instead of its name: write var and its number",
            );
        }
        match number.and_then(|it| i32::try_from(it).ok()) {
            Some(number) => Some(Some(number)),
            None => self.fail(column, "the number does not fit in 32 bits"),
        }
    }

    /// Returns the number of an item or a map.
    fn angle(&mut self, name: &str, role: Option<Role>, column: usize) -> Option<i32> {
        let lexicon = self.context.lexicon;
        let roles = match role {
            Some(role @ (Role::Item | Role::Map)) => vec![role],
            _ => vec![Role::Map, Role::Item],
        };
        let names: Vec<_> = roles.iter().filter_map(|it| lexicon.names_of(*it)).collect();
        match names.iter().find_map(|names| names.number(name)) {
            Some(number) => Some(number),
            None => {
                let hint = names.first().map_or_else(String::new, |names| names.suggestion(name));
                let what = if let [role] = roles.as_slice() { role.noun() } else { "item or map" };
                self.fail(column, format!("unknown {what} <{name}>{hint}"))
            }
        }
    }

    fn text(&mut self, text: &str, column: usize) -> u32 {
        if let Some(index) = self.texts.get(text) {
            return *index;
        }
        let count = self.context.texts.len().saturating_add(self.new_texts.len());
        let index = u32::try_from(count).unwrap_or(u32::MAX);
        self.texts.insert(text.to_owned(), index);
        self.new_texts.push(text.to_owned());
        self.places.push((self.line, column));
        index
    }

    /// Parses an expression that starts with a name, and returns whether its call is a multitask.
    pub(super) fn primary(&mut self, is_statement: bool) -> Option<(Primary, bool)> {
        let column = self.column();
        let is_multitask = is_statement && self.accept("@");
        match self.peek().cloned() {
            Some(Token::Text(text)) if !is_multitask => {
                self.skip();
                Some((Primary::Text(self.text(&text, column)), false))
            }
            Some(Token::Word(word)) => {
                self.skip();
                if is_multitask || self.is_symbol("(") {
                    let function = self.function(&word, column)?;
                    return Some((Primary::Call(self.call(function)?), is_multitask));
                }
                if self.is_symbol(".") {
                    let object = self.object(&word, column)?;
                    return self.member(object, is_statement);
                }
                Some((self.name(&word, column)?, false))
            }
            Some(Token::Number(_)) => {
                self.number()?;
                self.fail(column, "expected a statement, found a number")
            }
            _ => self.expected("a name, a number or a text"),
        }
    }

    fn name(&mut self, word: &str, column: usize) -> Option<Primary> {
        if let Some(index) = literal(word, "string_") {
            return Some(Primary::Text(index));
        }
        if let Some(local) = literal(word, "var") {
            return match u8::try_from(local) {
                Ok(local) => Some(Primary::Variable(Variable::Local(local))),
                Err(_) => self.fail(column, "expected a variable from var0 to var255"),
            };
        }
        let lexicon = self.context.lexicon;
        let flag = literal(word, "flag_").and_then(|it| i32::try_from(it).ok());
        let flag = flag.or_else(|| lexicon.flags.number(word));
        if let Some(flag) = flag.and_then(|it| u16::try_from(it).ok()) {
            return Some(Primary::Variable(Variable::Flag(flag)));
        }
        let flags = lexicon.definitions.flags.iter().map(|it| it.name.as_str());
        let functions = lexicon.definitions.functions.iter().map(|it| it.name.as_str());
        let words = ["if", "Goto", "Gosub", "Return", "Endint", "End", "Me", "Player", "Camera"];
        let hint = suggestion(word, flags.chain(functions).chain(words));
        self.fail(column, format!("unknown name {word}{hint}"))
    }

    fn object(&mut self, word: &str, column: usize) -> Option<Object> {
        match word.to_ascii_lowercase().as_str() {
            "me" => return Some(Object::Me(0)),
            "player" => return Some(Object::Player(0)),
            "camera" => return Some(Object::Camera(0)),
            _ => {}
        }
        if let Some(local) = literal(word, "var").and_then(|it| u8::try_from(it).ok()) {
            return Some(Object::Local(local));
        }
        let index = match literal(word, "string_") {
            Some(index) => index,
            None => self.text(word, column),
        };
        match u8::try_from(index) {
            Ok(index) => Some(Object::Named(index)),
            Err(_) => {
                self.fail(column, "an object can only be named by one of the first 256 texts of the actor")
            }
        }
    }

    /// Parses a property of an object or a call on it.
    fn member(&mut self, object: Object, is_statement: bool) -> Option<(Primary, bool)> {
        self.expect(".")?;
        let is_multitask = is_statement && self.accept("@");
        let column = self.column();
        let mut path = String::new();
        loop {
            let Some(Token::Word(word)) = self.peek().cloned() else {
                return self.expected("the name of a property or a function");
            };
            self.skip();
            path.push_str(&word);
            if !self.accept(".") {
                break;
            }
            path.push('.');
        }
        if is_multitask || self.is_symbol("(") {
            let function = self.function(&path, column)?;
            return Some((Primary::ObjectCall(object, self.call(function)?), is_multitask));
        }
        match self.context.lexicon.property_number(&path) {
            Some(reference) => Some((Primary::Variable(Variable::Property(object, reference)), false)),
            None => {
                let message =
                    format!("unknown property {path}{}", self.context.lexicon.references.suggestion(&path));
                self.fail(column, message)
            }
        }
    }

    fn function(&mut self, name: &str, column: usize) -> Option<u16> {
        match self.context.lexicon.function_number(name) {
            Some(function) => Some(function),
            None => {
                let message =
                    format!("unknown function {name}{}", self.context.lexicon.functions.suggestion(name));
                self.fail(column, message)
            }
        }
    }

    fn call(&mut self, function: u16) -> Option<Call> {
        let column = self.column();
        self.expect("(")?;
        self.depth = self.depth.saturating_add(1);
        if self.depth > MAX_DEPTH {
            return self.fail(column, "calls are nested too deeply");
        }
        let mut arguments = Vec::new();
        if !self.accept(")") {
            loop {
                arguments.push(self.argument(function, arguments.len())?);
                if self.accept(")") {
                    break;
                }
                if !self.accept(",") {
                    return self.expected(", or )");
                }
            }
        }
        self.depth = self.depth.saturating_sub(1);
        if function == 0 && !arguments.is_empty() {
            return self.fail(column, "function 0 takes no arguments");
        }
        if arguments.len() > 255 {
            return self.fail(column, format!("{} arguments, but a call has at most 255", arguments.len()));
        }
        let declared = self.context.lexicon.definitions.function(function);
        if declared.is_some_and(|it| usize::try_from(it.params) != Ok(arguments.len())) {
            self.warn(
                "Mod Manager writes the declared number of arguments, regardless of the arguments here",
            );
        }
        if function == 0 {
            self.warn("Mod Manager adds a byte to function 0; it was omitted");
        }
        Some(Call { function, arguments })
    }

    fn argument(&mut self, function: u16, index: usize) -> Option<Value> {
        let lexicon = self.context.lexicon;
        let column = self.column();
        if takes_label(lexicon, function)
            && let Some(Token::Text(label)) = self.peek()
        {
            let bytes: Vec<u8> = label.bytes().collect();
            self.skip();
            return match <[u8; 4]>::try_from(bytes) {
                Ok(bytes) => Some(Value::Number(i32::from_le_bytes(bytes))),
                Err(_) => self.fail(column, "a dialogue label must have four ASCII characters"),
            };
        }
        let value = self.value(lexicon.role(function, index))?;
        Some(match value {
            Value::Number(number) if takes_flag(lexicon, function) => Value::Alternate(number),
            value @ (Value::Call(_) | Value::ObjectCall(..)) => {
                self.warn("Mod Manager does not assemble a call as an argument");
                value
            }
            value => value,
        })
    }
}
