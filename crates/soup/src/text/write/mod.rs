//! Writes statements as source text.

mod value;

use std::collections::HashMap;
use std::fmt::Write as _;

use super::SourceContext;
use super::structure::{Form, Structure, Style, is_plain_end};
use super::word::word_of;
use crate::bytecode::{
    Call, Dispatch, ObjectOpcode, Operands, RightProperty, Script, Statement, Value, Variable,
};
use crate::lexicon::Role;

pub(crate) use value::quoted;
use value::{put_opcode, symbol};

/// A script as source text.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Text {
    /// The text; each line ends with a line feed.
    pub text: String,
    /// The line of each statement, starting from 1.
    pub lines: Vec<usize>,
}

/// The maximum indentation depth.
const MAX_INDENT: usize = 24;

/// The maximum length of spoken text in a comment, in characters.
const MAX_COMMENT: usize = 72;

/// Returns the label of the statement at an offset.
#[must_use]
pub fn label_at(at: u32) -> String {
    format!("L{at:04X}")
}

impl Script {
    /// Returns the script as source text; [`Script::parse`](Script::parse) converts it back to the same bytes.
    #[must_use]
    pub fn text(&self, context: &SourceContext<'_>) -> Text {
        self.styled(context, Style::Flat)
    }

    /// Returns the script as source text with `while`, `loop`, `else`, `break` and `continue` where they correspond exactly to its gotos;
    /// [`Script::parse`](Script::parse) converts it back to the same bytes. An omitted goto has the line of the brace that implies it.
    #[must_use]
    pub fn structured_text(&self, context: &SourceContext<'_>) -> Text {
        self.styled(context, Style::Structured)
    }

    fn styled(&self, context: &SourceContext<'_>, style: Style) -> Text {
        let mut writer = Writer {
            script: self,
            context,
            counts: context.text_counts(),
            out: Text { text: String::new(), lines: Vec::with_capacity(self.statements.len()) },
            line: 1,
            structure: Structure::of(self, style),
            blocks: Vec::new(),
        };
        writer.write();
        writer.out
    }
}

/// Returns a call with the values of its arguments as source text: `SetGlobalFlag(#After_League)`.
#[must_use]
pub fn call_text(function: u16, parameters: &[i32], context: &SourceContext<'_>) -> String {
    let flags = |index: usize| context.lexicon.role(function, index) == Some(Role::Flag);
    let argument = |(index, number): (usize, &i32)| match flags(index) {
        true => Value::Alternate(*number),
        false => Value::Number(*number),
    };
    let call = Call { function, arguments: parameters.iter().enumerate().map(argument).collect() };
    let script = Script::default();
    let writer = Writer {
        script: &script,
        context,
        counts: HashMap::new(),
        out: Text::default(),
        line: 1,
        structure: Structure::of(&script, Style::Flat),
        blocks: Vec::new(),
    };
    let mut out = String::new();
    writer.call(&call, &mut out, &mut None);
    out
}

struct Writer<'a> {
    script: &'a Script,
    context: &'a SourceContext<'a>,
    /// The number of occurrences of each text of the actor.
    counts: HashMap<&'a str, usize>,
    out: Text,
    /// The number of the next line.
    line: usize,
    structure: Structure,
    /// The statements after the open blocks, the innermost last.
    blocks: Vec<usize>,
}

impl Writer<'_> {
    fn put(&mut self, line: &str) {
        let indent = if line.is_empty() { 0 } else { self.blocks.len().min(MAX_INDENT) };
        for _ in 0..indent {
            self.out.text.push_str("    ");
        }
        self.out.text.push_str(line);
        self.out.text.push('\n');
        self.line = self.line.saturating_add(1);
    }

    fn write(&mut self) {
        let start = self.header();
        self.put("");
        let mut is_first = true;
        let mut index = 0_usize;
        loop {
            // The `}` of a loop and `} else {` are statements too.
            let form = self.structure.forms.get(index).copied();
            let is_end = matches!(form, Some(Form::Close | Form::Else(_)));
            while self.blocks.last() == Some(&index) {
                self.blocks.pop();
                if !(is_end && self.blocks.last() != Some(&index)) {
                    self.put("}");
                }
            }
            self.labels(index, start, is_first);
            is_first = false;
            let Some(it) = self.script.statements.get(index) else { break };
            self.out.lines.push(self.line);
            match form {
                Some(Form::Close) => self.put("}"),
                Some(Form::Else(end)) => index = self.otherwise(index, end, start),
                _ => {
                    if let Some(last) = self.structure.loops.get(&index).copied() {
                        self.put("loop {");
                        self.blocks.push(last);
                        if let Some(line) = self.out.lines.last_mut() {
                            *line = self.line;
                        }
                    }
                    self.statement_line(index, &it.statement, "");
                }
            }
            index = index.saturating_add(1);
        }
    }

    /// Writes the header. Returns the statement that is labeled as the start.
    fn header(&mut self) -> Option<usize> {
        let name = quoted(self.context.actor);
        let header = format!("actor {name} #{}", self.context.index);
        self.put(&header);
        let encoding = self.script.encoding;
        match (encoding.operands, encoding.right_property) {
            (Operands::ModManager, _) => self.put("operands mm"),
            (Operands::Engine, RightProperty::Nothing) => self.put("operands no_right_byte"),
            (Operands::Engine, RightProperty::UpdateByte) => {}
        }
        match self.script.find(self.script.start) {
            _ if self.script.start == 0 => None,
            Some((index, 0)) => Some(index),
            _ => {
                let target = self.target(self.script.start, 0);
                self.put(&format!("start {target}"));
                None
            }
        }
    }

    fn labels(&mut self, index: usize, start: Option<usize>, is_first: bool) {
        let is_labelled = self.structure.labels.contains(&index);
        if !is_labelled && start != Some(index) {
            return;
        }
        let blocks = std::mem::take(&mut self.blocks);
        // A blank line separates a label from the text above.
        if !is_first {
            self.put("");
        }
        if start == Some(index) {
            self.put("start:");
        }
        if is_labelled {
            let label = self.label(index);
            self.put(&format!("{label}:"));
        }
        self.blocks = blocks;
    }

    /// Writes a goto as `} else {`, or as `} else if` with the next condition if the second block contains only that. Returns the last
    /// written statement.
    fn otherwise(&mut self, index: usize, end: usize, start: Option<usize>) -> usize {
        let next = index.saturating_add(1);
        let form = |index: usize| self.structure.forms.get(index).copied();
        let is_only_condition = match form(next) {
            Some(Form::If(last)) => last == end || form(last) == Some(Form::Else(end)),
            _ => false,
        };
        let is_named = self.structure.labels.contains(&next)
            || start == Some(next)
            || self.structure.loops.contains_key(&next);
        match self.script.statements.get(next).filter(|_| is_only_condition && !is_named) {
            Some(it) => {
                self.out.lines.push(self.line);
                self.statement_line(next, &it.statement, "} else ");
                next
            }
            None => {
                self.put("} else {");
                self.blocks.push(end);
                index
            }
        }
    }

    /// Writes the line of a statement after a prefix, and opens its block.
    fn statement_line(&mut self, index: usize, statement: &Statement, before: &str) {
        let (mut text, mut comment) = (before.to_owned(), None);
        let is_guarded = index
            .checked_sub(1)
            .and_then(|before| self.script.statements.get(before))
            .is_some_and(|it| matches!(it.statement, Statement::ScriptResult(_)));
        if is_guarded {
            text.push_str("    ");
        }
        let block = self.statement(index, statement, &mut text, &mut comment);
        if let Some(comment) = comment {
            let _ = write!(text, "    ; \"{comment}\"");
        }
        self.put(&text);
        self.blocks.extend(block);
    }

    fn label(&self, index: usize) -> String {
        let at = self.script.statements.get(index).map_or(self.script.length, |it| it.at);
        label_at(at)
    }

    /// Formats an offset with the label of its statement. `usual` is the expected distance of such offsets from the start of the statement.
    fn target(&self, offset: u32, usual: u32) -> String {
        match self.script.find(offset) {
            Some((index, inside)) if inside == usual => self.label(index),
            Some((index, inside)) => format!("{}+{inside}", self.label(index)),
            None => format!("0x{offset:x}"),
        }
    }

    /// Writes a statement. Returns the end of the block that it opens.
    fn statement(
        &self,
        index: usize,
        statement: &Statement,
        out: &mut String,
        comment: &mut Option<String>,
    ) -> Option<usize> {
        let form = self.structure.forms.get(index).copied().unwrap_or(Form::Plain);
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
                out.push_str(if matches!(form, Form::While(_)) { "while " } else { "if " });
                for condition in conditions {
                    self.condition(condition, out, comment);
                }
                if let Form::If(end) | Form::While(end) = form {
                    out.push_str(" {");
                    return Some(end);
                }
                let _ = write!(out, " else {}", self.target(*otherwise, 0));
            }
            Statement::Jump(..) if form == Form::Break => out.push_str("break"),
            Statement::Jump(..) if form == Form::Continue => out.push_str("continue"),
            Statement::Jump(jump, target) => {
                out.push_str(word_of(*jump));
                if !is_plain_end(statement) {
                    let usual = if jump.targets_task() { self.operand_offset(*target) } else { 0 };
                    out.push(' ');
                    out.push_str(&self.target(*target, usual));
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

    /// Returns the offset of the operands within a statement; 0 if it takes no slot.
    fn operand_offset(&self, target: u32) -> u32 {
        let found = self.script.find(target).and_then(|(index, _)| self.script.statements.get(index));
        found.and_then(|it| it.statement.operand_offset()).unwrap_or(0)
    }
}
