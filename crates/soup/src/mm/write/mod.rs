//! Writes statements in the text format of Redguard Mod Manager.

mod value;

use std::collections::HashMap;
use std::fmt::Write as _;

use crate::bytecode::{Dispatch, Encoding, Jump, Script, Statement, Variable};
use crate::diagnose::{Diagnostic, Severity};
use crate::text::structure::{Form, Structure, Style};
use crate::text::{SourceContext, Text};

use super::{dispatch_of, opcode_of};

pub(super) use value::operator_symbol;

/// The header of an actor's script.
#[derive(Debug, Clone, Copy, Default)]
pub struct ActorFacts<'a> {
    /// The variables.
    pub variables: &'a [i32],
    /// The attributes by number.
    pub attributes: &'a [u8],
}

/// Returns the first lines of a text: a map by its name without extension, and the numbers of its worlds.
#[must_use]
pub fn header(map: &str, worlds: &[i32]) -> String {
    let numbers: Vec<_> = worlds.iter().map(ToString::to_string).collect();
    let plural = if worlds.len() > 1 { "s" } else { "" };
    format!("Maps\\{map}.RGM\nID{plural}: {}\n\n", numbers.join(", "))
}

/// The code for statements that the format cannot express.
const LOST: &str = "mm_lost";

/// The code for statements that Mod Manager reads differently.
const MISREAD: &str = "mm_misread";

impl Script {
    /// Returns the script in the format of Redguard Mod Manager, and everything that the format cannot express: `mm_lost`, an error, where
    /// assembling it gives other bytes, and `mm_misread`, a warning, where only Mod Manager would give other bytes.
    #[must_use]
    pub fn mm_text(&self, context: &SourceContext<'_>, facts: &ActorFacts<'_>) -> (Text, Vec<Diagnostic>) {
        let mut writer = Writer {
            script: self,
            context,
            counts: context.text_counts(),
            out: Text { text: String::new(), lines: Vec::with_capacity(self.statements.len()) },
            line: 1,
            structure: Structure::of(self, Style::Flat),
            blocks: Vec::new(),
            found: Vec::new(),
            at: 0,
        };
        writer.write(facts);
        (writer.out, writer.found)
    }
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
    found: Vec<Diagnostic>,
    /// The offset of the current statement.
    at: u32,
}

/// The maximum indentation depth.
const MAX_INDENT: usize = 48;

/// The maximum number of findings per script.
const MAX_FINDINGS: usize = 1000;

/// Returns the label for an offset.
fn label(at: u32) -> String {
    format!("#{at:02X}")
}

/// The line of a statement.
#[derive(Default)]
struct Line {
    text: String,
    comment: Option<String>,
    /// The parts that the format cannot express.
    lost: Vec<String>,
}

impl Writer<'_> {
    fn put(&mut self, line: &str) {
        if !line.is_empty() {
            for _ in 0..self.blocks.len().saturating_add(1).min(MAX_INDENT) {
                self.out.text.push_str("  ");
            }
        }
        self.put_raw(line);
    }

    fn put_raw(&mut self, line: &str) {
        self.out.text.push_str(line);
        self.out.text.push('\n');
        self.line = self.line.saturating_add(1);
    }

    fn report(&mut self, code: &'static str, severity: Severity, message: String) {
        if self.found.len() < MAX_FINDINGS {
            self.found.push(Diagnostic { code, severity, at: self.at, message });
        }
    }

    fn report_lost(&mut self, message: impl Into<String>) {
        self.report(LOST, Severity::Error, message.into());
    }

    fn warn(&mut self, message: impl Into<String>) {
        self.report(MISREAD, Severity::Warning, message.into());
    }

    fn write(&mut self, facts: &ActorFacts<'_>) {
        if self.script.encoding != Encoding::default() {
            self.report_lost(
                "the operand encoding of conditions is lost; they are assembled as the game reads them",
            );
        }
        self.facts(facts);
        let start = self.start();
        self.put_raw("{");
        let mut guard = None;
        for index in 0..=self.script.statements.len() {
            while self.blocks.last() == Some(&index) {
                self.blocks.pop();
                self.put("}");
            }
            if guard == Some(index) {
                self.blocks.push(index.saturating_add(1));
            }
            let at = self.script.statements.get(index).map_or(self.script.length, |it| it.at);
            if self.structure.labels.contains(&index) || start == Some(index) {
                self.put("");
                self.put(&format!("{}:", label(at)));
            }
            let Some(it) = self.script.statements.get(index) else { break };
            self.at = it.at;
            self.out.lines.push(self.line);
            let is_guard = self.statement_line(index, &it.statement);
            guard = is_guard.then_some(index.saturating_add(1));
        }
        self.put_raw("}");
    }

    /// Writes the header of the script.
    fn facts(&mut self, facts: &ActorFacts<'_>) {
        let last = facts.variables.len().saturating_sub(2);
        if facts.variables.len() > 4 {
            for (number, value) in facts.variables.iter().enumerate().take(last).skip(2) {
                self.put_raw(&format!("var{number} = {value}"));
            }
            self.put_raw("");
        }
        let mut is_any = false;
        for (number, value) in facts.attributes.iter().enumerate().filter(|(_, value)| **value != 0) {
            let name = self.context.lexicon.definitions.attribute(number);
            let name = name.map_or_else(|| format!("attribute_{number}"), str::to_owned);
            // It uses signed bytes.
            self.put_raw(&format!("{name} = {}", value.cast_signed()));
            is_any = true;
        }
        if is_any {
            self.put_raw("");
        }
    }

    /// Writes the name and the start of the main run. Returns the statement there.
    fn start(&mut self) -> Option<usize> {
        let name: String =
            self.context.actor.chars().map(|it| if it.is_control() { '?' } else { it }).collect();
        let start = self.script.start;
        let found = self.script.find(start).filter(|_| start != 0);
        match found {
            Some((index, 0)) => {
                self.put_raw(&format!("{name} (Execution starts at {})", label(start)));
                Some(index)
            }
            _ if start == 0 => {
                self.put_raw(&name);
                None
            }
            _ => {
                self.report_lost(format!(
                    "the main run begins at 0x{start:x}, which is not the start of a statement"
                ));
                self.put_raw(&format!("{name} // lost: execution starts at {}", label(start)));
                None
            }
        }
    }

    /// Writes the line of a statement and opens its block. Returns whether the next statement is its block.
    fn statement_line(&mut self, index: usize, statement: &Statement) -> bool {
        let mut line = Line::default();
        let is_expressible = self.statement(index, statement, &mut line);
        let Line { text, comment, lost } = line;
        lost.iter().for_each(|it| self.report_lost(it.as_str()));
        let mut written = if is_expressible { text } else { format!("// {text}") };
        if !lost.is_empty() {
            let _ = write!(written, " // lost: {}", lost.join("; "));
        } else if let Some(comment) = comment {
            let plain: String = comment.chars().map(|it| if it.is_control() { ' ' } else { it }).collect();
            let _ = write!(written, " // {plain}");
        }
        self.put(&written);
        match (self.structure.forms.get(index), statement) {
            (Some(Form::If(end)), Statement::If { .. }) => {
                let end = *end;
                self.put("{");
                self.blocks.push(end);
                false
            }
            (_, Statement::ScriptResult(_)) if is_expressible => {
                self.put("{");
                true
            }
            _ => false,
        }
    }

    /// Returns whether the statement after one can be the block of `if <ScriptRv>`.
    fn has_guarded(&self, index: usize) -> bool {
        let next = index.saturating_add(1);
        let statement = self.script.statements.get(next).map(|it| &it.statement);
        let is_inside = self.blocks.last().is_none_or(|end| *end > next);
        is_inside
            && statement.is_some_and(|it| {
                let is_word = !matches!(
                    it,
                    Statement::Unreadable(_) | Statement::Jump(Jump::PauseTask | Jump::ResumeTask, _)
                );
                is_word && it.size(self.script.encoding) == 5
            })
    }

    /// Formats a statement. Returns whether the format can express it.
    fn statement(&mut self, index: usize, statement: &Statement, line: &mut Line) -> bool {
        let lexicon = self.context.lexicon;
        match statement {
            Statement::Call(dispatch, call) => {
                let is_multitask = *dispatch == Dispatch::Multitask;
                if dispatch_of(lexicon, call.function, is_multitask) != *dispatch {
                    line.lost.push(runs_as(*dispatch));
                }
                line.text.push_str(if is_multitask { "@" } else { "" });
                self.call(call, line);
            }
            Statement::ObjectCall(opcode, object, dispatch, call) => {
                let is_multitask = *dispatch == Dispatch::Multitask;
                if dispatch_of(lexicon, call.function, is_multitask) != *dispatch {
                    line.lost.push(runs_as(*dispatch));
                }
                if opcode_of(lexicon, call.function) != *opcode {
                    line.lost.push(format!("has opcode {:02x}", opcode.opcode()));
                }
                self.object(*object, line);
                line.text.push_str(if is_multitask { ".@" } else { "." });
                self.call(call, line);
            }
            Statement::If { conditions, otherwise } => {
                line.text.push_str("if ");
                conditions.iter().for_each(|it| self.condition(it, line));
                if !matches!(self.structure.forms.get(index), Some(Form::If(_))) {
                    line.lost.push(format!("else to {}, which is not the end of a block", label(*otherwise)));
                    return false;
                }
            }
            Statement::Jump(jump, target) => return self.jump(*jump, *target, line),
            Statement::Assign(variable, formula) => {
                if let Variable::Flag(flag) = variable {
                    let flag = lexicon.definitions.flags.get(usize::from(*flag));
                    line.comment = flag.and_then(|it| it.comment.clone());
                }
                self.variable(*variable, line);
                line.text.push_str(" = ");
                self.formula(formula, line);
            }
            Statement::Step(change, object, reference) => {
                self.warn("Mod Manager does not assemble ++ and -- of properties");
                self.variable(Variable::Property(*object, *reference), line);
                line.text.push_str(value::symbol(*change));
            }
            Statement::Return => line.text.push_str("Return"),
            Statement::EndInterrupt => line.text.push_str("Endint"),
            Statement::Anchor(value) => {
                self.warn("Mod Manager omits the opcode of <Anchor> when it assembles");
                let _ = write!(line.text, "<Anchor>={value}");
            }
            Statement::Yield => {
                line.text.push_str("yield");
                line.lost.push("no equivalent in this format".to_owned());
                return false;
            }
            Statement::ScriptResult(value) => {
                let _ = write!(line.text, "if <ScriptRv> = {value}");
                if !self.has_guarded(index) {
                    line.lost.push("the next statement does not have five bytes".to_owned());
                    return false;
                }
                if *value != 1 {
                    self.warn("Mod Manager always assembles <ScriptRv> with 1");
                }
            }
            Statement::Unreadable(bytes) => {
                line.text.push_str("bytes");
                for byte in bytes {
                    let _ = write!(line.text, " {byte:02x}");
                }
                line.lost.push("not a valid statement".to_owned());
                return false;
            }
        }
        true
    }

    fn jump(&mut self, jump: Jump, target: u32, line: &mut Line) -> bool {
        let text = &mut line.text;
        if jump.targets_task() {
            let found = self.script.find(target).and_then(|(index, inside)| {
                let statement = &self.script.statements.get(index)?.statement;
                (statement.operand_offset() == Some(inside)).then_some(())
            });
            let word = match jump {
                Jump::PauseTask => "pause_task ",
                Jump::ResumeTask => "resume_task ",
                _ => "<TaskPause(",
            };
            let end = if jump == Jump::StopTask { ")>" } else { "" };
            let _ = write!(text, "{word}{}{end}", label(target));
            if jump != Jump::StopTask {
                line.lost.push("no equivalent in this format".to_owned());
                return false;
            }
            if found.is_none() {
                line.lost.push("no task has operands there".to_owned());
                return false;
            }
            self.warn(
                "1B stops the task; Mod Manager calls it <TaskPause> and loses its label when it assembles",
            );
            return true;
        }
        text.push_str(match jump {
            Jump::End => "End",
            Jump::Gosub => "Gosub",
            _ => "Goto",
        });
        if target != 0 || jump == Jump::Gosub {
            let _ = write!(text, " {}", label(target));
        }
        if !matches!(self.script.find(target), Some((_, 0))) {
            line.lost.push("no statement starts there".to_owned());
            return false;
        }
        if target > u32::from(u16::MAX) {
            self.warn("Mod Manager assembles 16-bit labels");
        }
        true
    }
}

fn runs_as(dispatch: Dispatch) -> String {
    let kind = match dispatch {
        Dispatch::Task => "task",
        Dispatch::Multitask => "multitask",
        Dispatch::Function => "function",
    };
    format!("runs as a {kind}, unlike its declaration")
}
