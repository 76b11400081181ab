//! Parses values and names.

use super::{MAX_DEPTH, Parser, Primary, TargetRef};
use crate::bytecode::{Call, Change, Object, ObjectOpcode, Value, Variable};
use crate::lexicon::{KEYWORDS, Role, literal, suggestion};
use crate::text::lex::Token;

/// The maximum length of new texts. The longest text of the game has a few hundred bytes.
const MAX_TEXT: usize = 1 << 16;

impl Parser<'_> {
    pub(super) fn opcode(&mut self) -> Option<Option<ObjectOpcode>> {
        if !self.accept_word("opcode") {
            return Some(None);
        }
        if self.accept_word("task") {
            return Some(Some(ObjectOpcode::Task));
        }
        if self.accept_word("function") {
            return Some(Some(ObjectOpcode::Function));
        }
        self.expected("task or function")
    }

    /// Parses a value. In a condition, it may be incremented or decremented first.
    pub(super) fn value(&mut self, role: Option<Role>, is_compared: bool) -> Option<Value> {
        let column = self.column();
        let change = if self.accept("++") {
            Some(Change::Increment)
        } else if self.accept("--") {
            Some(Change::Decrement)
        } else {
            None
        };
        if change.is_some() && !is_compared {
            return self.fail(column, "++ and -- are allowed only before an operand of a condition");
        }
        if change.is_none()
            && let Some(literal) = self.literal(role)
        {
            return literal;
        }
        let opcode = self.opcode()?;
        let primary = self.primary()?;
        match primary {
            Primary::Variable(variable) if opcode.is_none() => {
                let is_property = matches!(variable, Variable::Property(..));
                let padding = if !is_compared && !is_property && self.accept_word("pad") {
                    self.integer("the padding")?
                } else {
                    0
                };
                Some(Value::Variable { variable, update: change, padding })
            }
            Primary::Call(call) if change.is_none() && opcode.is_none() => Some(Value::Call(call)),
            Primary::ObjectCall(object, call) if change.is_none() => {
                Some(Value::ObjectCall(opcode.unwrap_or(ObjectOpcode::Function), object, call))
            }
            Primary::Text(index) if change.is_none() && opcode.is_none() => Some(Value::Text(index)),
            _ => self.fail(column, "++ and -- apply only to variables"),
        }
    }

    /// Parses a number in any of its forms; returns `None` for other tokens.
    fn literal(&mut self, role: Option<Role>) -> Option<Option<Value>> {
        let column = self.column();
        let token = self.peek()?.clone();
        Some(match token {
            Token::Number(_) | Token::Symbol("-") => self.number().map(Value::Number),
            Token::Label(label) => {
                self.next();
                let bytes: Vec<u8> = label.bytes().collect();
                match <[u8; 4]>::try_from(bytes) {
                    Ok(bytes) => Some(Value::Number(i32::from_le_bytes(bytes))),
                    Err(_) => self.fail(column, "a dialogue label must have four ASCII characters"),
                }
            }
            Token::Word(word) if word.eq_ignore_ascii_case("alt") => {
                self.next();
                self.number().map(Value::Alternate)
            }
            Token::Symbol("#") => {
                self.next();
                self.named(role, column)
            }
            _ => return None,
        })
    }

    fn named(&mut self, role: Option<Role>, column: usize) -> Option<Value> {
        let name = match self.next() {
            Some(Token::Word(name) | Token::Text(name)) => name,
            _ => return self.fail(column, "expected a name after #"),
        };
        let Some((role, names)) = role.and_then(|role| Some((role, self.context.lexicon.names_of(role)?)))
        else {
            return self.fail(column, format!("expected a number without a name, found #{name}"));
        };
        match names.number(&name) {
            Some(number) if role == Role::Flag => Some(Value::Alternate(number)),
            Some(number) => Some(Value::Number(number)),
            None => {
                let message = format!("unknown {} {name}{}", role.noun(), names.suggestion(&name));
                self.fail(column, message)
            }
        }
    }

    /// Parses a 32-bit number.
    fn number(&mut self) -> Option<i32> {
        let column = self.column();
        let is_negative = self.accept("-");
        let Some(Token::Number(number)) = self.peek().cloned() else { return self.expected("a number") };
        self.next();
        let number = if is_negative { number.checked_neg() } else { Some(number) };
        let fits = number
            .and_then(|it| i32::try_from(it).ok().or_else(|| Some(u32::try_from(it).ok()?.cast_signed())));
        match fits {
            Some(number) => Some(number),
            None => self.fail(column, "the number does not fit in 32 bits"),
        }
    }

    pub(super) fn integer<T: TryFrom<i64>>(&mut self, what: &str) -> Option<T> {
        let column = self.column();
        let Some(Token::Number(number)) = self.peek().cloned() else { return self.expected(what) };
        self.next();
        match T::try_from(number) {
            Ok(number) => Some(number),
            Err(_) => self.fail(column, format!("expected {what}, found {number}")),
        }
    }

    /// Parses an offset, or a label with an optional number of bytes after it.
    pub(super) fn target(&mut self) -> Option<TargetRef> {
        let column = self.column();
        match self.peek().cloned() {
            Some(Token::Number(_)) => Some(TargetRef::Offset(self.integer("a 32-bit offset")?)),
            Some(Token::Word(name)) => {
                self.next();
                let plus = if self.accept("+") { Some(self.integer("a number of bytes")?) } else { None };
                Some(TargetRef::Label { name, plus, line: self.line, column })
            }
            _ => self.expected("a label"),
        }
    }

    fn text(&mut self, text: String, column: usize) -> u32 {
        if let Some(index) = self.texts.get(&text) {
            return *index;
        }
        if text.len() > MAX_TEXT {
            let _: Option<()> = self.fail(column, format!("the text has more than {MAX_TEXT} bytes"));
        }
        let count = self.context.texts.len().saturating_add(self.places.len());
        let index = u32::try_from(count).unwrap_or(u32::MAX);
        self.texts.insert(text, index);
        self.places.push((self.line, column));
        index
    }

    /// Parses an expression that starts with a name.
    pub(super) fn primary(&mut self) -> Option<Primary> {
        let column = self.column();
        match self.peek().cloned() {
            Some(Token::Text(text)) => {
                self.next();
                let index = self.text(text, column);
                self.text_or_object(index, column)
            }
            Some(Token::Word(word)) => {
                self.next();
                self.word(&word, column)
            }
            _ => self.expected("a name, a number or a text"),
        }
    }

    fn text_or_object(&mut self, index: u32, column: usize) -> Option<Primary> {
        if !self.is_symbol(".") {
            return Some(Primary::Text(index));
        }
        match u8::try_from(index) {
            Ok(index) => self.member(Object::Named(index)),
            Err(_) => {
                self.fail(column, "an object can only be named by one of the first 256 texts of the actor")
            }
        }
    }

    fn word(&mut self, word: &str, column: usize) -> Option<Primary> {
        let fixed: Option<fn(u8) -> Object> = match word.to_ascii_lowercase().as_str() {
            "me" => Some(Object::Me),
            "player" => Some(Object::Player),
            "camera" => Some(Object::Camera),
            _ => None,
        };
        if let Some(object) = fixed {
            let padding = if self.accept_word("pad") { self.integer("the padding")? } else { 0 };
            return self.member(object(padding));
        }
        if self.is_symbol("(") {
            let function = self.function(word, column)?;
            return Some(Primary::Call(self.call(function)?));
        }
        if let Some(index) = literal(word, "string_") {
            return self.text_or_object(index, column);
        }
        if let Some(local) = literal(word, "var") {
            let Ok(local) = u8::try_from(local) else {
                return self.fail(column, "expected a variable from var0 to var255");
            };
            if self.is_symbol(".") {
                return self.member(Object::Local(local));
            }
            return Some(Primary::Variable(Variable::Local(local)));
        }
        if let Some(flag) = literal(word, "flag_") {
            return match u16::try_from(flag) {
                Ok(flag) => Some(Primary::Variable(Variable::Flag(flag))),
                Err(_) => self.fail(column, "expected a flag from flag_0 to flag_65535"),
            };
        }
        let lexicon = self.context.lexicon;
        if let Some(flag) = lexicon.flags.number(word).and_then(|it| u16::try_from(it).ok()) {
            return Some(Primary::Variable(Variable::Flag(flag)));
        }
        if KEYWORDS.iter().any(|it| it.eq_ignore_ascii_case(word)) {
            return self.fail(column, format!("unexpected {word}"));
        }
        let flags = lexicon.definitions.flags.iter().map(|it| it.name.as_str());
        let functions = lexicon.definitions.functions.iter().map(|it| it.name.as_str());
        let words = [
            "if", "goto", "gosub", "return", "yield", "endint", "anchor", "scriptrv", "while", "loop",
            "break", "continue", "Me", "Player", "Camera",
        ];
        let hint = suggestion(word, flags.chain(functions).chain(words));
        self.fail(column, format!("unknown name {word}{hint}"))
    }

    /// Parses a property of an object or a call on it.
    fn member(&mut self, object: Object) -> Option<Primary> {
        if !self.accept(".") {
            return self.expected(". and a property or a function of the object");
        }
        let column = self.column();
        let mut path = String::new();
        loop {
            let Some(Token::Word(word)) = self.peek().cloned() else {
                return self.expected("the name of a property or a function");
            };
            self.next();
            path.push_str(&word);
            if !self.accept(".") {
                break;
            }
            path.push('.');
        }
        if self.is_symbol("(") {
            let function = self.function(&path, column)?;
            return Some(Primary::ObjectCall(object, self.call(function)?));
        }
        match self.context.lexicon.property_number(&path) {
            Some(reference) => Some(Primary::Variable(Variable::Property(object, reference))),
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
                let role = self.context.lexicon.role(function, arguments.len());
                arguments.push(self.value(role, false)?);
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
        arguments.shrink_to_fit();
        Some(Call { function, arguments })
    }
}
