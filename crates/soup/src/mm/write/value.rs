//! Writes the operands of statements.

use std::fmt::Write as _;

use super::{Line, Writer};
use crate::bytecode::{Call, Change, Condition, Conjunction, Formula, Object, Operator, Value, Variable};
use crate::lexicon::{LITERALS, Role, is_word, literal};
use crate::mm::{opcode_of, takes_flag, takes_label};
use crate::text::label_of;

/// The context of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Context {
    /// In a comparison; on the right side with the role of its number.
    Left,
    Right(Option<Role>),
    /// In the arguments of a function.
    Argument(u16, usize),
    Formula,
}

impl Writer<'_> {
    pub(super) fn call(&mut self, call: &Call, line: &mut Line) {
        let lexicon = self.context.lexicon;
        match lexicon.functions.name(i32::from(call.function)) {
            Some(name) => line.text.push_str(name),
            None => {
                self.warn(format!("function {} has no name in Mod Manager", call.function));
                let _ = write!(line.text, "function_{}", call.function);
            }
        }
        let declared = lexicon.definitions.function(call.function);
        if let Some(declared) = declared.filter(|it| usize::try_from(it.params) != Ok(call.arguments.len())) {
            self.warn(format!(
                "{} takes {} arguments, and Mod Manager writes that number",
                declared.name, declared.params
            ));
        }
        if call.function == 0 {
            self.warn("Mod Manager adds a byte to function 0 when it assembles");
        }
        line.text.push('(');
        for (index, value) in call.arguments.iter().enumerate() {
            if index > 0 {
                line.text.push_str(", ");
            }
            self.value(value, Context::Argument(call.function, index), line);
        }
        line.text.push(')');
    }

    pub(super) fn object(&mut self, object: Object, line: &mut Line) {
        let mut padded = |name: &str, padding: u8| {
            line.text.push_str(name);
            if padding != 0 {
                line.lost.push(format!("padding {padding} of {name}"));
            }
        };
        match object {
            Object::Me(padding) => padded("Me", padding),
            Object::Player(padding) => padded("Player", padding),
            Object::Camera(padding) => padded("Camera", padding),
            Object::Named(index) => {
                let text = self.unique_text(u32::from(index)).filter(|text| is_object_name(text));
                if let Some(text) = text {
                    let text = text.to_owned();
                    let is_lower = |it: char| it.is_ascii_lowercase() || it.is_ascii_digit() || it == '_';
                    if !text.chars().all(is_lower) {
                        self.warn("Mod Manager assembles only lowercase names of objects");
                    }
                    line.text.push_str(&text);
                } else {
                    self.warn("the text of Mod Manager cannot contain the name of the object");
                    let _ = write!(line.text, "string_{index}");
                }
            }
            Object::Local(local) => {
                self.warn("Mod Manager does not read objects in variables");
                let _ = write!(line.text, "var{local}");
            }
        }
    }

    /// Returns a text if it is unique in the actor.
    fn unique_text(&self, index: u32) -> Option<&str> {
        let text = self.context.texts.get(usize::try_from(index).ok()?)?.as_str();
        (self.counts.get(text) == Some(&1)).then_some(text)
    }

    pub(super) fn variable(&mut self, variable: Variable, line: &mut Line) {
        let lexicon = self.context.lexicon;
        match variable {
            Variable::Flag(flag) => match lexicon.flags.name(i32::from(flag)) {
                Some(name) => line.text.push_str(name),
                None => {
                    self.warn(format!("flag {flag} has no name in Mod Manager"));
                    let _ = write!(line.text, "flag_{flag}");
                }
            },
            Variable::Local(local) => {
                let _ = write!(line.text, "var{local}");
            }
            Variable::Property(object, reference) => {
                self.object(object, line);
                line.text.push('.');
                match lexicon.references.name(i32::from(reference)) {
                    Some(name) => line.text.push_str(name),
                    None => {
                        self.warn(format!("property {reference} has no name in Mod Manager"));
                        let _ = write!(line.text, "ref_{reference}");
                    }
                }
            }
        }
    }

    pub(super) fn condition(&mut self, condition: &Condition, line: &mut Line) {
        self.value(&condition.left, Context::Left, line);
        let _ = write!(line.text, " {} ", condition.comparison.symbol());
        let role = match &condition.left {
            Value::Call(call) | Value::ObjectCall(_, _, call) => self.context.lexicon.result(call.function),
            _ => None,
        };
        self.value(&condition.right, Context::Right(role), line);
        match condition.next {
            None => {}
            Some(Conjunction::And) => line.text.push_str(" and "),
            Some(Conjunction::Or) => line.text.push_str(" or "),
        }
    }

    pub(super) fn formula(&mut self, formula: &Formula, line: &mut Line) {
        self.value(&formula.first, Context::Formula, line);
        for (operator, value) in &formula.rest {
            let _ = write!(line.text, " {} ", operator_symbol(*operator));
            self.value(value, Context::Formula, line);
        }
        if let Some(end) = formula.end {
            line.text.push_str(symbol(end));
        }
    }

    fn value(&mut self, value: &Value, context: Context, line: &mut Line) {
        let lexicon = self.context.lexicon;
        let has_alternate =
            matches!(context, Context::Argument(function, _) if takes_flag(lexicon, function));
        match value {
            Value::Number(number) | Value::Alternate(number) => {
                if matches!(value, Value::Alternate(_)) != has_alternate {
                    line.lost
                        .push(format!("{number} has opcode {}", if has_alternate { "07" } else { "16" }));
                }
                self.number(*number, context, line);
            }
            Value::Text(index) => {
                let is_label =
                    matches!(context, Context::Argument(function, _) if takes_label(lexicon, function));
                let text = self.unique_text(*index).filter(|it| !is_label && is_quotable(it));
                if let Some(text) = text {
                    let text = text.to_owned();
                    if text.contains(", ") {
                        self.warn("Mod Manager removes the spaces after commas in texts");
                    }
                    let _ = write!(line.text, "\"{text}\"");
                } else {
                    self.warn("the text of Mod Manager cannot contain this text; it is written by number");
                    let _ = write!(line.text, "string_{index}");
                }
            }
            Value::Variable { variable, update, padding } => {
                self.variable(*variable, line);
                if *padding != 0 {
                    line.lost.push(format!("padding {padding}"));
                }
                if let Some(update) = update {
                    self.warn("Mod Manager adds a zero after ++ and -- in conditions when it assembles");
                    line.text.push_str(symbol(*update));
                }
                if matches!((variable, context), (Variable::Property(..), Context::Right(_))) {
                    self.warn("Mod Manager omits a byte after properties on the right when it assembles");
                }
            }
            Value::Call(call) => {
                self.nested(context);
                self.call(call, line);
            }
            Value::ObjectCall(opcode, object, call) => {
                self.nested(context);
                if opcode_of(lexicon, call.function) != *opcode {
                    line.lost.push(format!("has opcode {:02x}", opcode.opcode()));
                }
                self.object(*object, line);
                line.text.push('.');
                self.call(call, line);
            }
        }
    }

    fn nested(&mut self, context: Context) {
        if matches!(context, Context::Argument(..)) {
            self.warn("Mod Manager does not assemble a call as an argument");
        }
    }

    fn number(&mut self, number: i32, context: Context, line: &mut Line) {
        let lexicon = self.context.lexicon;
        let role = match context {
            Context::Argument(function, index) => lexicon.role(function, index),
            Context::Right(role) => role,
            Context::Left | Context::Formula => None,
        };
        let name = match role {
            Some(Role::Dialogue) => {
                let label = label_of(number).filter(|label| is_quotable(label));
                let spoken = label.as_deref().and_then(|label| (self.context.spoken)(label));
                if let (Some(label), Some(spoken)) = (&label, spoken) {
                    line.comment.get_or_insert_with(|| format!("Dlg {label} = {spoken}"));
                }
                label.map(|label| format!("\"{label}\""))
            }
            Some(role @ (Role::Item | Role::Map)) => {
                let name = lexicon.names_of(role).and_then(|names| names.name(number));
                name.filter(|name| is_angle_name(name)).map(|name| format!("<{name}>"))
            }
            _ => None,
        };
        match name {
            Some(name) => line.text.push_str(&name),
            None => {
                let _ = write!(line.text, "{number}");
            }
        }
    }
}

/// `*` and `/` are swapped.
pub(in crate::mm) fn operator_symbol(operator: Operator) -> &'static str {
    match operator {
        Operator::Multiply => "/",
        Operator::Divide => "*",
        other => other.symbol(),
    }
}

pub(super) const fn symbol(change: Change) -> &'static str {
    match change {
        Change::Increment => "++",
        Change::Decrement => "--",
    }
}

/// Returns whether a text can be written in quotes, without another meaning.
fn is_quotable(text: &str) -> bool {
    !text.chars().any(|it| it.is_control() || it == '"') && !text.contains(" //")
}

/// Returns whether a text can be written before a dot.
fn is_object_name(text: &str) -> bool {
    let is_other = ["me", "player", "camera", "if"].iter().any(|it| it.eq_ignore_ascii_case(text))
        || LITERALS.iter().any(|prefix| literal(text, prefix).is_some());
    is_word(text) && !is_other
}

/// Returns whether a name can be written between < and >.
pub(in crate::mm) fn is_angle_name(name: &str) -> bool {
    let is_part = |it: char| it.is_ascii_alphanumeric() || matches!(it, ' ' | '(' | ')' | '\'');
    name.starts_with(|it: char| it.is_ascii_alphanumeric()) && name.chars().all(is_part)
}
