//! From statements to text.

use std::collections::{BTreeSet, HashMap};
use std::fmt::Write as _;

use super::{Surroundings, label_of};
use crate::bytecode::{
    Call, Change, Condition, Conjunction, Dispatch, Formula, Object, ObjectOpcode, Operands, RightProperty,
    Script, Statement, Value, Variable,
};
use crate::definitions::FunctionKind;
use crate::lexicon::{Role, is_word};

/// A script as text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Text {
    /// The text, with a line feed at the end of each line.
    pub text: String,
    /// The line of each statement, from 1 on.
    pub lines: Vec<usize>,
}

/// Deeper blocks are indented no further.
const DEEPEST: usize = 24;

/// So much of what is spoken stands in a comment.
const LONGEST_COMMENT: usize = 72;

/// The label of the statement at an offset, where one is needed.
#[must_use]
pub fn place_label(at: u32) -> String {
    format!("L{at:04X}")
}

impl Script {
    /// The script as text; [`Script::parse`](Script::parse) takes it back to the same bytes.
    #[must_use]
    pub fn text(&self, around: &Surroundings<'_>) -> Text {
        let mut counts: HashMap<&str, usize> = HashMap::new();
        for text in around.texts {
            let count = counts.entry(text).or_default();
            *count = count.saturating_add(1);
        }
        let mut writer = Writer {
            script: self,
            around,
            counts,
            out: Text { text: String::new(), lines: Vec::with_capacity(self.statements.len()) },
            line: 1,
            labels: BTreeSet::new(),
            blocks: Vec::new(),
        };
        writer.write();
        writer.out
    }
}

struct Writer<'a> {
    script: &'a Script,
    around: &'a Surroundings<'a>,
    /// How often the actor has each text.
    counts: HashMap<&'a str, usize>,
    out: Text,
    /// The number of the line that is written next.
    line: usize,
    /// The statements that need a label.
    labels: BTreeSet<usize>,
    /// The statements before which the open blocks end, the innermost last.
    blocks: Vec<usize>,
}

impl Writer<'_> {
    fn put(&mut self, line: &str) {
        let indent = if line.is_empty() { 0 } else { self.blocks.len().min(DEEPEST) };
        for _ in 0..indent {
            self.out.text.push_str("    ");
        }
        self.out.text.push_str(line);
        self.out.text.push('\n');
        self.line = self.line.saturating_add(1);
    }

    /// Whether the statement's block can be written in braces.
    fn block_end(&self, index: usize, otherwise: u32) -> Option<usize> {
        let (end, inside) = self.script.find(otherwise)?;
        let fits = inside == 0 && end > index && self.blocks.last().is_none_or(|outer| end <= *outer);
        fits.then_some(end)
    }

    fn write(&mut self) {
        self.collect_labels();
        let name = quoted(self.around.actor);
        let header = format!("actor {name} #{}", self.around.index);
        self.put(&header);
        let encoding = self.script.encoding;
        match (encoding.operands, encoding.right_property) {
            (Operands::ModManager, _) => self.put("operands mm"),
            (Operands::Engine, RightProperty::Nothing) => self.put("operands no_right_byte"),
            (Operands::Engine, RightProperty::UpdateByte) => {}
        }
        let start = match self.script.find(self.script.start) {
            _ if self.script.start == 0 => None,
            Some((index, 0)) => Some(index),
            _ => {
                let place = self.place(self.script.start, 0);
                self.put(&format!("start {place}"));
                None
            }
        };
        self.put("");
        let count = self.script.statements.len();
        let mut is_guarded = false;
        let mut is_first = true;
        for index in 0..=count {
            while self.blocks.last() == Some(&index) {
                self.blocks.pop();
                self.put("}");
            }
            let depth = std::mem::take(&mut self.blocks);
            if self.labels.contains(&index) || start == Some(index) {
                // A label stands apart from what is above it.
                if !is_first {
                    self.put("");
                }
                if start == Some(index) {
                    self.put("start:");
                }
                if self.labels.contains(&index) {
                    let label = self.label(index);
                    self.put(&format!("{label}:"));
                }
            }
            self.blocks = depth;
            let Some(it) = self.script.statements.get(index) else { break };
            is_first = false;
            self.out.lines.push(self.line);
            let (mut text, mut comment) = (String::new(), None);
            let block = self.statement(index, &it.statement, &mut text, &mut comment);
            if is_guarded {
                text.insert_str(0, "    ");
            }
            is_guarded = matches!(it.statement, Statement::ScriptResult(_));
            if let Some(comment) = comment {
                let _ = write!(text, "    ; \"{comment}\"");
            }
            self.put(&text);
            self.blocks.extend(block);
        }
    }

    /// Finds out which statements are named.
    fn collect_labels(&mut self) {
        let mut blocks: Vec<usize> = Vec::new();
        for (index, it) in self.script.statements.iter().enumerate() {
            while blocks.last() == Some(&index) {
                blocks.pop();
            }
            let Some(target) = it.statement.target() else { continue };
            self.blocks = std::mem::take(&mut blocks);
            let end = match it.statement {
                Statement::If { .. } => self.block_end(index, target),
                _ => None,
            };
            blocks = std::mem::take(&mut self.blocks);
            match end {
                Some(end) => blocks.push(end),
                None if is_plain_end(&it.statement) => {}
                None => self.labels.extend(self.script.find(target).map(|(named, _)| named)),
            }
        }
        if let Some((named, 1..)) = self.script.find(self.script.start).filter(|_| self.script.start != 0) {
            self.labels.insert(named);
        }
    }

    fn label(&self, index: usize) -> String {
        let at = self.script.statements.get(index).map_or(self.script.length, |it| it.at);
        place_label(at)
    }

    /// An offset by the label of its statement; `usual` is how far behind its beginning such offsets lie.
    fn place(&self, offset: u32, usual: u32) -> String {
        match self.script.find(offset) {
            Some((index, inside)) if inside == usual => self.label(index),
            Some((index, inside)) => format!("{}+{inside}", self.label(index)),
            None => format!("0x{offset:x}"),
        }
    }

    /// Writes a statement; the end of the block that it opens.
    fn statement(
        &self,
        index: usize,
        statement: &Statement,
        out: &mut String,
        comment: &mut Option<String>,
    ) -> Option<usize> {
        match statement {
            Statement::Call(dispatch, call) => {
                self.dispatch(*dispatch, call.function, out);
                self.call(call, out, comment);
            }
            Statement::ObjectCall(opcode, object, dispatch, call) => {
                let usual =
                    if *dispatch == Dispatch::Function { ObjectOpcode::Function } else { ObjectOpcode::Task };
                put_opcode(*opcode, usual, out);
                self.dispatch(*dispatch, call.function, out);
                self.object(*object, out);
                out.push('.');
                self.call(call, out, comment);
            }
            Statement::If { conditions, otherwise } => {
                out.push_str("if ");
                for condition in conditions {
                    self.condition(condition, out, comment);
                }
                let block = self.block_end(index, *otherwise);
                match block {
                    Some(_) => out.push_str(" {"),
                    None => {
                        let _ = write!(out, " else {}", self.place(*otherwise, 0));
                    }
                }
                return block;
            }
            Statement::Jump(jump, target) => {
                out.push_str(super::parse::word_of(*jump));
                if !is_plain_end(statement) {
                    let usual = if jump.is_of_task() { self.operand_offset(*target) } else { 0 };
                    out.push(' ');
                    out.push_str(&self.place(*target, usual));
                }
            }
            Statement::Assign(variable, formula) => {
                self.variable(*variable, out);
                out.push_str(" = ");
                self.formula(formula, out, comment);
            }
            Statement::Step(change, object, reference) => {
                self.variable(Variable::Property(*object, *reference), out);
                out.push_str(symbol(*change));
            }
            Statement::Return => out.push_str("return"),
            Statement::EndInterrupt => out.push_str("endint"),
            Statement::Anchor(value) => {
                let _ = write!(out, "anchor {value}");
            }
            Statement::Yield => out.push_str("yield"),
            Statement::ScriptResult(value) => {
                let _ = write!(out, "scriptrv {value}");
            }
            Statement::Unreadable(bytes) => {
                out.push_str("bytes");
                for byte in bytes {
                    let _ = write!(out, " {byte:02x}");
                }
            }
        }
        None
    }

    /// How far behind the beginning of a statement its operands begin; 0 where it takes no slot.
    fn operand_offset(&self, target: u32) -> u32 {
        let found = self.script.find(target).and_then(|(index, _)| self.script.statements.get(index));
        found.and_then(|it| it.statement.operand_offset()).unwrap_or(0)
    }

    /// How a call runs, where it is not as the function is declared.
    fn dispatch(&self, dispatch: Dispatch, function: u16, out: &mut String) {
        let declared = self.around.lexicon.definitions.function(function).map(|it| it.kind);
        if dispatch_of(declared) != dispatch {
            out.push_str(match dispatch {
                Dispatch::Task => "task ",
                Dispatch::Multitask => "multitask ",
                Dispatch::Function => "function ",
            });
        }
    }

    fn call(&self, call: &Call, out: &mut String, comment: &mut Option<String>) {
        let lexicon = self.around.lexicon;
        match lexicon.functions.name(i32::from(call.function)) {
            Some(name) => out.push_str(name),
            None => {
                let _ = write!(out, "function_{}", call.function);
            }
        }
        out.push('(');
        for (index, value) in call.arguments.iter().enumerate() {
            if index > 0 {
                out.push_str(", ");
            }
            let role = lexicon.role(call.function, index);
            if let (Some(Role::Dialogue), Value::Number(number)) = (role, value) {
                let spoken = label_of(*number).and_then(|label| (self.around.spoken)(&label));
                *comment = comment.take().or_else(|| spoken.map(|text| shortened(&text)));
            }
            self.value(value, role, out, comment);
        }
        out.push(')');
    }

    fn object(&self, object: Object, out: &mut String) {
        let mut padded = |name: &str, padding: u8| {
            out.push_str(name);
            if padding != 0 {
                let _ = write!(out, " pad {padding} ");
            }
        };
        match object {
            Object::Me(padding) => padded("Me", padding),
            Object::Player(padding) => padded("Player", padding),
            Object::Camera(padding) => padded("Camera", padding),
            Object::Named(text) => self.text(u32::from(text), out),
            Object::Local(local) => {
                let _ = write!(out, "var{local}");
            }
        }
    }

    /// A text of the actor; by its number where several are equal.
    fn text(&self, index: u32, out: &mut String) {
        let texts = self.around.texts;
        let found = usize::try_from(index).ok().and_then(|index| texts.get(index));
        match found.filter(|text| self.counts.get(text.as_str()) == Some(&1)) {
            Some(text) => out.push_str(&quoted(text)),
            None => {
                let _ = write!(out, "string_{index}");
            }
        }
    }

    fn variable(&self, variable: Variable, out: &mut String) {
        let lexicon = self.around.lexicon;
        match variable {
            Variable::Flag(flag) => match lexicon.flags.name(i32::from(flag)) {
                Some(name) => out.push_str(name),
                None => {
                    let _ = write!(out, "flag_{flag}");
                }
            },
            Variable::Local(local) => {
                let _ = write!(out, "var{local}");
            }
            Variable::Property(object, reference) => {
                self.object(object, out);
                out.push('.');
                match lexicon.references.name(i32::from(reference)) {
                    Some(name) => out.push_str(name),
                    None => {
                        let _ = write!(out, "ref_{reference}");
                    }
                }
            }
        }
    }

    fn condition(&self, condition: &Condition, out: &mut String, comment: &mut Option<String>) {
        self.value(&condition.left, None, out, comment);
        let _ = write!(out, " {} ", condition.comparison.symbol());
        let role = match &condition.left {
            Value::Call(call) | Value::ObjectCall(_, _, call) => self.around.lexicon.result(call.function),
            _ => None,
        };
        self.value(&condition.right, role, out, comment);
        match condition.next {
            None => {}
            Some(Conjunction::And) => out.push_str(" and "),
            Some(Conjunction::Or) => out.push_str(" or "),
        }
    }

    fn formula(&self, formula: &Formula, out: &mut String, comment: &mut Option<String>) {
        self.value(&formula.first, None, out, comment);
        for (operator, value) in &formula.rest {
            let _ = write!(out, " {} ", operator.symbol());
            self.value(value, None, out, comment);
        }
        if let Some(end) = formula.end {
            let _ = write!(out, " {}", symbol(end));
        }
    }

    fn value(&self, value: &Value, role: Option<Role>, out: &mut String, comment: &mut Option<String>) {
        match value {
            Value::Number(number) => match role {
                Some(Role::Dialogue) => match label_of(*number) {
                    Some(label) => {
                        let _ = write!(out, "'{label}'");
                    }
                    None => {
                        let _ = write!(out, "{number}");
                    }
                },
                Some(role) if role != Role::Flag => self.named(*number, role, out),
                _ => {
                    let _ = write!(out, "{number}");
                }
            },
            Value::Alternate(number) => match role {
                Some(Role::Flag) if self.around.lexicon.flags.name(*number).is_some() => {
                    self.named(*number, Role::Flag, out);
                }
                _ => {
                    let _ = write!(out, "alt {number}");
                }
            },
            Value::Text(index) => self.text(*index, out),
            Value::Variable { variable, update, padding } => {
                out.push_str(update.map_or("", symbol));
                self.variable(*variable, out);
                if *padding != 0 {
                    let _ = write!(out, " pad {padding}");
                }
            }
            Value::Call(call) => self.call(call, out, comment),
            Value::ObjectCall(opcode, object, call) => {
                put_opcode(*opcode, ObjectOpcode::Function, out);
                self.object(*object, out);
                out.push('.');
                self.call(call, out, comment);
            }
        }
    }

    /// A number by its name.
    fn named(&self, number: i32, role: Role, out: &mut String) {
        let name = self.around.lexicon.of_role(role).and_then(|names| names.name(number));
        let _ = match name {
            Some(name) if is_word(name) => write!(out, "#{name}"),
            Some(name) => write!(out, "#\"{name}\""),
            None => write!(out, "{number}"),
        };
    }
}

/// How a function runs that is declared so; without declaration as a function.
pub(super) const fn dispatch_of(declared: Option<FunctionKind>) -> Dispatch {
    match declared {
        Some(FunctionKind::Task) => Dispatch::Task,
        Some(FunctionKind::Multitask) => Dispatch::Multitask,
        Some(FunctionKind::Function) | None => Dispatch::Function,
    }
}

const fn symbol(change: Change) -> &'static str {
    match change {
        Change::Increment => "++",
        Change::Decrement => "--",
    }
}

fn put_opcode(opcode: ObjectOpcode, usual: ObjectOpcode, out: &mut String) {
    if opcode != usual {
        out.push_str(match opcode {
            ObjectOpcode::Task => "opcode task ",
            ObjectOpcode::Function => "opcode function ",
        });
    }
}

/// Whether it is an End that leads to the beginning.
const fn is_plain_end(statement: &Statement) -> bool {
    matches!(statement, Statement::Jump(crate::bytecode::Jump::End, 0))
}

/// A text in quotes.
pub(crate) fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for it in text.chars() {
        match it {
            '"' | '\\' => {
                out.push('\\');
                out.push(it);
            }
            it if it.is_control() => {
                let _ = write!(out, "\\u{{{:x}}}", u32::from(it));
            }
            it => out.push(it),
        }
    }
    out.push('"');
    out
}

/// A text as a comment: one line, and not longer than a reader wants.
fn shortened(text: &str) -> String {
    let plain: String = text.chars().map(|it| if it.is_control() { ' ' } else { it }).collect();
    let mut out: String = plain.chars().take(LONGEST_COMMENT).collect();
    if plain.chars().nth(LONGEST_COMMENT).is_some() {
        out.push_str(" ...");
    }
    out
}
