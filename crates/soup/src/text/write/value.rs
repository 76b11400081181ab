//! Writes calls, objects, conditions and formulas.

use std::fmt::Write as _;

use super::{MAX_COMMENT, Writer};
use crate::bytecode::{
    Call, Change, Condition, Conjunction, Dispatch, Formula, Object, ObjectOpcode, Value, Variable,
};
use crate::lexicon::{Role, is_word};
use crate::text::label_of;
use crate::text::word::dispatch_of;

impl Writer<'_> {
    /// Writes the dispatch of a call if it differs from the declaration of the function.
    pub(super) fn dispatch(&self, dispatch: Dispatch, function: u16, out: &mut String) {
        let declared = self.context.lexicon.definitions.function(function).map(|it| it.kind);
        if dispatch_of(declared) != dispatch {
            out.push_str(match dispatch {
                Dispatch::Task => "task ",
                Dispatch::Multitask => "multitask ",
                Dispatch::Function => "function ",
            });
        }
    }

    pub(super) fn call(&self, call: &Call, out: &mut String, comment: &mut Option<String>) {
        let lexicon = self.context.lexicon;
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
                let spoken = label_of(*number).and_then(|label| (self.context.spoken)(&label));
                *comment = comment.take().or_else(|| spoken.map(|text| shortened(&text)));
            }
            self.value(value, role, out, comment);
        }
        out.push(')');
    }

    pub(super) fn object(&self, object: Object, out: &mut String) {
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

    /// Writes a text of the actor, by number if it is not unique.
    fn text(&self, index: u32, out: &mut String) {
        let texts = self.context.texts;
        let found = usize::try_from(index).ok().and_then(|index| texts.get(index));
        match found.filter(|text| self.counts.get(text.as_str()) == Some(&1)) {
            Some(text) => out.push_str(&quoted(text)),
            None => {
                let _ = write!(out, "string_{index}");
            }
        }
    }

    pub(super) fn variable(&self, variable: Variable, out: &mut String) {
        let lexicon = self.context.lexicon;
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

    pub(super) fn condition(&self, condition: &Condition, out: &mut String, comment: &mut Option<String>) {
        self.value(&condition.left, None, out, comment);
        let _ = write!(out, " {} ", condition.comparison.symbol());
        let role = match &condition.left {
            Value::Call(call) | Value::ObjectCall(_, _, call) => self.context.lexicon.result(call.function),
            _ => None,
        };
        self.value(&condition.right, role, out, comment);
        match condition.next {
            None => {}
            Some(Conjunction::And) => out.push_str(" and "),
            Some(Conjunction::Or) => out.push_str(" or "),
        }
    }

    pub(super) fn formula(&self, formula: &Formula, out: &mut String, comment: &mut Option<String>) {
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
                Some(Role::Flag) if self.context.lexicon.flags.name(*number).is_some() => {
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

    /// Writes a number by its name.
    fn named(&self, number: i32, role: Role, out: &mut String) {
        let name = self.context.lexicon.names_of(role).and_then(|names| names.name(number));
        let _ = match name {
            Some(name) if is_word(name) => write!(out, "#{name}"),
            Some(name) => write!(out, "#\"{name}\""),
            None => write!(out, "{number}"),
        };
    }
}

pub(super) const fn symbol(change: Change) -> &'static str {
    match change {
        Change::Increment => "++",
        Change::Decrement => "--",
    }
}

pub(super) fn put_opcode(opcode: ObjectOpcode, usual: ObjectOpcode, out: &mut String) {
    if opcode != usual {
        out.push_str(match opcode {
            ObjectOpcode::Task => "opcode task ",
            ObjectOpcode::Function => "opcode function ",
        });
    }
}

/// Returns a text in quotes.
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

/// Returns a text shortened to one line for a comment.
fn shortened(text: &str) -> String {
    let plain: String = text.chars().map(|it| if it.is_control() { ' ' } else { it }).collect();
    let mut out: String = plain.chars().take(MAX_COMMENT).collect();
    if plain.chars().nth(MAX_COMMENT).is_some() {
        out.push_str(" ...");
    }
    out
}
