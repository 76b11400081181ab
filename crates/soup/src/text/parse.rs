//! From text to statements.

use std::collections::{BTreeMap, HashMap};
use std::fmt;

use super::Surroundings;
use super::lex::{self, Lexeme, Token};
use super::write::dispatch_of;
use crate::bytecode::{
    Call, Change, Comparison, Condition, Conjunction, Dispatch, Encoding, Formula, Jump, Object,
    ObjectOpcode, Operands, Operator, Placed, RightProperty, Script, Statement, Value, Variable,
};
use crate::lexicon::{KEYWORDS, Role, literal, suggestion};

/// What is wrong with a line of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The line, from 1 on.
    pub line: usize,
    /// The column in characters, from 1 on.
    pub column: usize,
    /// What was found, and what was expected.
    pub message: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: error: {}", self.line, self.column, self.message)
    }
}

/// A text that was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parsed {
    /// The script.
    pub script: Script,
    /// Texts that the actor does not have yet, to be added behind those that it has.
    pub new_texts: Vec<String>,
}

/// Whose script a text says it is: its name, and its number in the map.
#[must_use]
pub fn actor_of(text: &str) -> Option<(String, Option<usize>)> {
    text.lines().find_map(|line| match lex::line(line).0.as_slice() {
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

/// Jumps by their words.
const JUMPS: [(&str, Jump); 6] = [
    ("goto", Jump::Goto),
    ("end", Jump::End),
    ("gosub", Jump::Gosub),
    ("stop_task", Jump::StopTask),
    ("pause_task", Jump::PauseTask),
    ("resume_task", Jump::ResumeTask),
];

/// How a jump is written.
pub(super) fn word_of(jump: Jump) -> &'static str {
    JUMPS.iter().find(|(_, it)| *it == jump).map_or("goto", |(word, _)| word)
}

/// How dispatch is written.
const DISPATCHES: [(&str, Dispatch); 3] =
    [("task", Dispatch::Task), ("multitask", Dispatch::Multitask), ("function", Dispatch::Function)];

/// After so many errors a text is not read on.
const MOST: usize = 1000;

/// Of more labels none is suggested.
const MOST_LABELS: usize = 10_000;

/// Calls stand in calls no deeper.
const DEEPEST: usize = 15;

impl Script {
    /// Reads the text of a script.
    ///
    /// # Errors
    /// All that is wrong with it, line by line.
    pub fn parse(text: &str, around: &Surroundings<'_>) -> Result<Parsed, Vec<Problem>> {
        let mut parser = Parser::new(around);
        for (index, line) in text.lines().enumerate() {
            parser.line = index.saturating_add(1);
            if parser.problems.len() >= MOST {
                let _: Option<()> = parser.fail(1, "too many errors; the rest was not read");
                return Err(parser.problems);
            }
            parser.line(line);
        }
        parser.finish()
    }
}

/// Where a statement leads.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Target {
    None,
    /// Before the statement with this number.
    Index(usize),
    Place(Place),
}

/// A place that a text names.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Place {
    Offset(u32),
    Label { name: String, plus: Option<u32>, line: usize, column: usize },
}

#[derive(Debug)]
struct Item {
    statement: Statement,
    target: Target,
}

/// What begins a statement or a value.
enum Primary {
    Variable(Variable),
    Call(Call),
    ObjectCall(Object, Call),
    Text(u32),
}

struct Parser<'a> {
    around: &'a Surroundings<'a>,
    /// Texts by number; of equal ones the first.
    texts: HashMap<String, u32>,
    new_texts: Vec<String>,
    encoding: Encoding,
    items: Vec<Item>,
    labels: BTreeMap<String, (usize, usize)>,
    start: Option<Target>,
    /// The open blocks: their statements, or `None` after an error, and their lines.
    blocks: Vec<(Option<usize>, usize)>,
    problems: Vec<Problem>,
    line: usize,
    tokens: Vec<Lexeme>,
    at: usize,
    /// The column behind the last token.
    end: usize,
    depth: usize,
}

impl<'a> Parser<'a> {
    fn new(around: &'a Surroundings<'a>) -> Self {
        let mut texts = HashMap::new();
        for (index, text) in around.texts.iter().enumerate() {
            if let Ok(index) = u32::try_from(index) {
                texts.entry(text.clone()).or_insert(index);
            }
        }
        Self {
            around,
            texts,
            new_texts: Vec::new(),
            encoding: Encoding::default(),
            items: Vec::new(),
            labels: BTreeMap::new(),
            start: None,
            blocks: Vec::new(),
            problems: Vec::new(),
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

    fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.at).map(|it| &it.token)
    }

    fn peek_behind(&self) -> Option<&Token> {
        self.tokens.get(self.at.saturating_add(1)).map(|it| &it.token)
    }

    fn column(&self) -> usize {
        self.tokens.get(self.at).map_or(self.end, |it| it.column)
    }

    fn next(&mut self) -> Option<Token> {
        let token = self.peek().cloned();
        self.at = self.at.saturating_add(1);
        token
    }

    fn is_symbol(&self, symbol: &str) -> bool {
        matches!(self.peek(), Some(Token::Symbol(it)) if *it == symbol)
    }

    fn takes(&mut self, symbol: &str) -> bool {
        let is_there = self.is_symbol(symbol);
        if is_there {
            self.at = self.at.saturating_add(1);
        }
        is_there
    }

    fn takes_word(&mut self, word: &str) -> bool {
        let is_there = matches!(self.peek(), Some(Token::Word(it)) if it.eq_ignore_ascii_case(word));
        if is_there {
            self.at = self.at.saturating_add(1);
        }
        is_there
    }

    /// What stands here, for messages.
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

    fn need(&mut self, symbol: &str) -> Option<()> {
        if self.takes(symbol) { Some(()) } else { self.expected(symbol) }
    }

    fn line(&mut self, text: &str) {
        self.end = text.trim_end().chars().count().saturating_add(1);
        let code = text.split(';').next().unwrap_or_default().trim();
        if let Some(("bytes", hex)) = code.split_once(' ') {
            return self.bytes(hex);
        }
        let (tokens, error) = lex::line(text);
        self.tokens = tokens;
        self.at = 0;
        self.depth = 0;
        let before = self.blocks.len();
        let result = match error {
            Some((column, message)) => self.fail(column, message),
            None if self.tokens.is_empty() => Some(()),
            None => self.whole_line(),
        };
        let opens = matches!(self.tokens.last(), Some(Lexeme { token: Token::Symbol("{"), .. }));
        if result.is_none() && opens && self.blocks.len() == before {
            // So that its end is no second error.
            self.blocks.push((None, self.line));
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
    }

    fn whole_line(&mut self) -> Option<()> {
        if self.takes("}") {
            match self.blocks.pop() {
                None => return self.fail(1, "unexpected }: no block is open"),
                Some((Some(index), _)) => {
                    let end = self.items.len();
                    if let Some(item) = self.items.get_mut(index) {
                        item.target = Target::Index(end);
                    }
                }
                Some((None, _)) => {}
            }
        } else if let (Some(Token::Word(name)), Some(Token::Symbol(":"))) = (self.peek(), self.peek_behind())
        {
            let name = name.clone();
            self.at = self.at.saturating_add(2);
            self.label(&name)?;
        } else {
            self.statement()?;
        }
        if self.at < self.tokens.len() { self.expected("the end of the line") } else { Some(()) }
    }

    fn label(&mut self, name: &str) -> Option<()> {
        let index = self.items.len();
        if name.eq_ignore_ascii_case("start") {
            if self.start.replace(Target::Index(index)).is_some() {
                return self.fail(1, "the start is already given");
            }
            return Some(());
        }
        if KEYWORDS.iter().any(|it| it.eq_ignore_ascii_case(name)) {
            return self.fail(1, format!("{name} is a word of the language and cannot be a label"));
        }
        if let Some((_, line)) = self.labels.insert(name.to_owned(), (index, self.line)) {
            return self.fail(1, format!("the label {name} is already on line {line}"));
        }
        Some(())
    }

    fn statement(&mut self) -> Option<()> {
        let Some(Token::Word(word)) = self.peek() else { return self.primary_statement() };
        let word = word.to_ascii_lowercase();
        if let Some((_, jump)) = JUMPS.into_iter().find(|(it, _)| *it == word) {
            self.next();
            let target = if jump == Jump::End && self.peek().is_none() {
                Target::Place(Place::Offset(0))
            } else {
                Target::Place(self.place()?)
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
        match word.as_str() {
            "if" => self.condition_statement(),
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
                if self.takes("#") {
                    self.integer::<u32>("the number of the actor").map(drop)
                } else {
                    Some(())
                }
            }
            "operands" => {
                self.next();
                if self.takes_word("mm") {
                    self.encoding.operands = Operands::ModManager;
                } else if !self.takes_word("no_right_byte") {
                    return self.expected("mm or no_right_byte");
                }
                self.encoding.right_property = RightProperty::Nothing;
                Some(())
            }
            "start" => {
                self.next();
                let place = self.place()?;
                if self.start.replace(Target::Place(place)).is_some() {
                    return self.fail(1, "the start is already given");
                }
                Some(())
            }
            _ => self.primary_statement(),
        }
    }

    fn condition_statement(&mut self) -> Option<()> {
        self.next();
        let mut conditions = Vec::new();
        loop {
            let condition = self.condition()?;
            let is_last = condition.next.is_none();
            conditions.push(condition);
            if is_last {
                break;
            }
        }
        let statement = Statement::If { conditions, otherwise: 0 };
        if self.takes("{") {
            self.blocks.push((Some(self.items.len()), self.line));
            self.push(statement, Target::None);
        } else if self.takes_word("else") {
            let place = self.place()?;
            self.push(statement, Target::Place(place));
        } else {
            return self.expected("and, or, {, or else with a label");
        }
        Some(())
    }

    fn condition(&mut self) -> Option<Condition> {
        let left = self.value(None, true)?;
        let comparison = match self.peek() {
            Some(Token::Symbol("==")) => Some(Comparison::Equal),
            Some(Token::Symbol(symbol)) => Comparison::ALL.into_iter().find(|it| it.symbol() == *symbol),
            _ => None,
        };
        let Some(comparison) = comparison else { return self.expected("a comparison (= != < > <= >=)") };
        self.next();
        let role = match &left {
            Value::Call(call) | Value::ObjectCall(_, _, call) => self.around.lexicon.result(call.function),
            _ => None,
        };
        let right = self.value(role, true)?;
        let next = if self.takes_word("and") {
            Some(Conjunction::And)
        } else if self.takes_word("or") {
            Some(Conjunction::Or)
        } else {
            None
        };
        Some(Condition { left, comparison, right, next })
    }

    /// A call, an assignment or a step.
    fn primary_statement(&mut self) -> Option<()> {
        let column = self.column();
        let opcode = self.opcode()?;
        let given = DISPATCHES.iter().find(|(word, _)| self.takes_word(word)).map(|(_, it)| *it);
        let lexicon = self.around.lexicon;
        let declared = |call: &Call| {
            let function = lexicon.definitions.function(call.function);
            given.unwrap_or_else(|| dispatch_of(function.map(|it| it.kind)))
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
            Primary::Variable(variable) if given.is_none() && opcode.is_none() => {
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

    fn opcode(&mut self) -> Option<Option<ObjectOpcode>> {
        if !self.takes_word("opcode") {
            return Some(None);
        }
        if self.takes_word("task") {
            return Some(Some(ObjectOpcode::Task));
        }
        if self.takes_word("function") {
            return Some(Some(ObjectOpcode::Function));
        }
        self.expected("task or function")
    }

    /// A value; in a condition it may be changed before.
    fn value(&mut self, role: Option<Role>, is_compared: bool) -> Option<Value> {
        let column = self.column();
        let change = if self.takes("++") {
            Some(Change::Increment)
        } else if self.takes("--") {
            Some(Change::Decrement)
        } else {
            None
        };
        if change.is_some() && !is_compared {
            return self.fail(column, "++ and -- stand only in front of what a condition compares");
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
                let padding = if !is_compared && !is_property && self.takes_word("pad") {
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
            _ => self.fail(column, "++ and -- change variables only"),
        }
    }

    /// A number in one of its forms; `None` when something else stands here.
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
                    Err(_) => self.fail(column, "a dialogue label has four characters of ASCII"),
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
            _ => return self.fail(column, "expected a name behind #"),
        };
        let Some((role, names)) = role.and_then(|role| Some((role, self.around.lexicon.of_role(role)?)))
        else {
            return self
                .fail(column, format!("a number is expected here, which has no names such as #{name}"));
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

    /// A number with 32 bits.
    fn number(&mut self) -> Option<i32> {
        let column = self.column();
        let is_negative = self.takes("-");
        let Some(Token::Number(number)) = self.peek().cloned() else { return self.expected("a number") };
        self.next();
        let number = if is_negative { number.checked_neg() } else { Some(number) };
        let fits = number
            .and_then(|it| i32::try_from(it).ok().or_else(|| Some(u32::try_from(it).ok()?.cast_signed())));
        match fits {
            Some(number) => Some(number),
            None => self.fail(column, "the number does not fit into 32 bits"),
        }
    }

    fn integer<T: TryFrom<i64>>(&mut self, what: &str) -> Option<T> {
        let column = self.column();
        let Some(Token::Number(number)) = self.peek().cloned() else { return self.expected(what) };
        self.next();
        match T::try_from(number) {
            Ok(number) => Some(number),
            Err(_) => self.fail(column, format!("expected {what}, found {number}")),
        }
    }

    /// A label, with or without bytes behind it, or an offset.
    fn place(&mut self) -> Option<Place> {
        let column = self.column();
        match self.peek().cloned() {
            Some(Token::Number(_)) => Some(Place::Offset(self.integer("an offset with 32 bits")?)),
            Some(Token::Word(name)) => {
                self.next();
                let plus = if self.takes("+") { Some(self.integer("a number of bytes")?) } else { None };
                Some(Place::Label { name, plus, line: self.line, column })
            }
            _ => self.expected("a label"),
        }
    }

    fn text(&mut self, text: String) -> u32 {
        if let Some(index) = self.texts.get(&text) {
            return *index;
        }
        let count = self.around.texts.len().saturating_add(self.new_texts.len());
        let index = u32::try_from(count).unwrap_or(u32::MAX);
        self.texts.insert(text.clone(), index);
        self.new_texts.push(text);
        index
    }

    /// What begins with a name.
    fn primary(&mut self) -> Option<Primary> {
        let column = self.column();
        match self.peek().cloned() {
            Some(Token::Text(text)) => {
                self.next();
                let index = self.text(text);
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
            let padding = if self.takes_word("pad") { self.integer("the padding")? } else { 0 };
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
                return self.fail(column, "variables go from var0 to var255");
            };
            if self.is_symbol(".") {
                return self.member(Object::Local(local));
            }
            return Some(Primary::Variable(Variable::Local(local)));
        }
        if let Some(flag) = literal(word, "flag_") {
            return match u16::try_from(flag) {
                Ok(flag) => Some(Primary::Variable(Variable::Flag(flag))),
                Err(_) => self.fail(column, "flags go from flag_0 to flag_65535"),
            };
        }
        let lexicon = self.around.lexicon;
        if let Some(flag) = lexicon.flags.number(word).and_then(|it| u16::try_from(it).ok()) {
            return Some(Primary::Variable(Variable::Flag(flag)));
        }
        if KEYWORDS.iter().any(|it| it.eq_ignore_ascii_case(word)) {
            return self.fail(column, format!("unexpected {word}"));
        }
        let flags = lexicon.definitions.flags.iter().map(|it| it.name.as_str());
        let functions = lexicon.definitions.functions.iter().map(|it| it.name.as_str());
        let words = [
            "if", "goto", "gosub", "return", "yield", "endint", "anchor", "scriptrv", "Me", "Player",
            "Camera",
        ];
        let near = suggestion(word, flags.chain(functions).chain(words));
        self.fail(column, format!("unknown name {word}{near}"))
    }

    /// A property or a call of an object.
    fn member(&mut self, object: Object) -> Option<Primary> {
        if !self.takes(".") {
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
            if !self.takes(".") {
                break;
            }
            path.push('.');
        }
        if self.is_symbol("(") {
            let function = self.function(&path, column)?;
            return Some(Primary::ObjectCall(object, self.call(function)?));
        }
        let names = &self.around.lexicon.references;
        let known =
            literal(&path, "ref_").and_then(|it| i32::try_from(it).ok()).or_else(|| names.number(&path));
        match known.and_then(|it| u16::try_from(it).ok()) {
            Some(reference) => Some(Primary::Variable(Variable::Property(object, reference))),
            None => {
                let message = format!("unknown property {path}{}", names.suggestion(&path));
                self.fail(column, message)
            }
        }
    }

    fn function(&mut self, name: &str, column: usize) -> Option<u16> {
        let names = &self.around.lexicon.functions;
        let known =
            literal(name, "function_").and_then(|it| i32::try_from(it).ok()).or_else(|| names.number(name));
        match known.and_then(|it| u16::try_from(it).ok()) {
            Some(function) => Some(function),
            None => {
                let message = format!("unknown function {name}{}", names.suggestion(name));
                self.fail(column, message)
            }
        }
    }

    fn call(&mut self, function: u16) -> Option<Call> {
        let column = self.column();
        self.need("(")?;
        self.depth = self.depth.saturating_add(1);
        if self.depth > DEEPEST {
            return self.fail(column, "calls are nested too deeply");
        }
        let mut arguments = Vec::new();
        if !self.takes(")") {
            loop {
                let role = self.around.lexicon.role(function, arguments.len());
                arguments.push(self.value(role, false)?);
                if self.takes(")") {
                    break;
                }
                if !self.takes(",") {
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
        Some(Call { function, arguments })
    }

    fn finish(mut self) -> Result<Parsed, Vec<Problem>> {
        for (_, line) in std::mem::take(&mut self.blocks) {
            self.line = line;
            let _: Option<()> = self.fail(1, "the block has no end; add a line with }");
        }
        let (mut offsets, mut at) = (Vec::with_capacity(self.items.len().saturating_add(1)), 0_u32);
        for item in &self.items {
            offsets.push(at);
            at = at.saturating_add(u32::try_from(item.statement.size(self.encoding)).unwrap_or(u32::MAX));
        }
        offsets.push(at);
        let start = self.start.take().map_or(Some(0), |target| self.resolve(&target, None, &offsets));
        let mut statements = Vec::with_capacity(self.items.len());
        for index in 0..self.items.len() {
            let Some(item) = self.items.get(index) else { break };
            let (mut statement, target) = (item.statement.clone(), item.target.clone());
            let jump = if let Statement::Jump(jump, _) = &statement { Some(*jump) } else { None };
            if target != Target::None {
                let resolved = self.resolve(&target, jump, &offsets).unwrap_or(0);
                match &mut statement {
                    Statement::If { otherwise: it, .. } | Statement::Jump(_, it) => *it = resolved,
                    _ => {}
                }
            }
            statements.push(Placed { at: offsets.get(index).copied().unwrap_or(at), statement });
        }
        if !self.problems.is_empty() {
            self.problems.sort_by_key(|it| (it.line, it.column));
            return Err(self.problems);
        }
        let script = Script { statements, encoding: self.encoding, start: start.unwrap_or(0), length: at };
        Ok(Parsed { script, new_texts: self.new_texts })
    }

    fn resolve(&mut self, target: &Target, jump: Option<Jump>, offsets: &[u32]) -> Option<u32> {
        let offset = |index: usize| offsets.get(index).copied();
        match target {
            Target::None => None,
            Target::Index(index) => offset(*index),
            Target::Place(Place::Offset(offset)) => Some(*offset),
            Target::Place(Place::Label { name, plus, line, column }) => {
                let Some((index, _)) = self.labels.get(name) else {
                    if self.problems.len() >= MOST {
                        return None;
                    }
                    let near = suggestion(name, self.labels.keys().take(MOST_LABELS).map(String::as_str));
                    self.line = *line;
                    return self.fail(*column, format!("unknown label {name}{near}"));
                };
                let inside = plus.unwrap_or_else(|| {
                    let named = self.items.get(*index).filter(|_| jump.is_some_and(Jump::is_of_task));
                    named.and_then(|it| it.statement.operand_offset()).unwrap_or(0)
                });
                offset(*index).map(|at| at.saturating_add(inside))
            }
        }
    }
}
