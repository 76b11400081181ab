//! Finds errors in scripts: statements that stop the game and statements without a valid meaning.

use crate::Lexicon;
use crate::SpokenLines;
use crate::bytecode::{
    Call, Jump, Object, Operands, Operator, RightProperty, Script, Statement, Value, Variable,
};
use crate::lexicon::{Role, suggestion};
use crate::text::label_of;

/// A defect of a script.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// The code of the kind of defect, such as `pc_out_of_range`.
    pub code: &'static str,
    /// The severity.
    pub severity: Severity,
    /// The byte offset of the statement.
    pub at: u32,
    /// The message: what was found and what was expected.
    pub message: String,
}

/// The severity of a defect.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Severity {
    /// The game stops or does something unintended.
    Error,
    /// The game may continue.
    Warning,
}

impl Severity {
    /// Returns its name in lowercase.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
        }
    }
}

/// The valid ranges of the numbers and texts in a script.
#[derive(Debug, Clone, Copy)]
pub struct Bounds<'a> {
    /// The names of the game.
    pub lexicon: &'a Lexicon,
    /// The texts of the actor; `None` if unknown.
    pub texts: Option<&'a [String]>,
    /// The number of variables of the actor; 0 if unknown.
    pub locals: usize,
    /// The number of locations of the actor without its home; `None` if unknown.
    pub locations: Option<usize>,
    /// The names of the objects of the map; `None` if unknown.
    pub objects: Option<&'a [String]>,
    /// The lines of dialogue by label; `None` if unknown.
    pub lines: Option<&'a SpokenLines>,
}

impl<'a> Bounds<'a> {
    /// Returns bounds with only the names of the game.
    #[must_use]
    pub const fn new(lexicon: &'a Lexicon) -> Self {
        Self { lexicon, texts: None, locals: 0, locations: None, objects: None, lines: None }
    }
}

/// The maximum number of defects per script.
const MAX_DEFECTS: usize = 1000;

impl Script {
    /// Returns the defects in the order of the statements, at most 1000.
    #[must_use]
    pub fn diagnose(&self, bounds: &Bounds<'_>) -> Vec<Diagnostic> {
        let mut checker = Checker { script: self, bounds, at: 0, out: Vec::new() };
        checker.encoding();
        let mut is_guarded = false;
        for it in &self.statements {
            if checker.out.len() >= MAX_DEFECTS {
                break;
            }
            checker.at = it.at;
            checker.statement(&it.statement, is_guarded);
            is_guarded = matches!(it.statement, Statement::ScriptResult(_));
        }
        checker.out.truncate(MAX_DEFECTS);
        checker.out
    }
}

struct Checker<'a> {
    script: &'a Script,
    bounds: &'a Bounds<'a>,
    at: u32,
    out: Vec<Diagnostic>,
}

impl Checker<'_> {
    fn report(&mut self, code: &'static str, severity: Severity, message: String) {
        self.out.push(Diagnostic { code, severity, at: self.at, message });
    }

    fn error(&mut self, code: &'static str, message: String) {
        self.report(code, Severity::Error, message);
    }

    fn warn(&mut self, code: &'static str, message: String) {
        self.report(code, Severity::Warning, message);
    }

    /// Checks the encoding and the start offset.
    fn encoding(&mut self) {
        let script = self.script;
        if script.start != 0 && script.find(script.start).is_none_or(|(_, inside)| inside != 0) {
            let message =
                format!("the main run begins at 0x{:x}, which is not the start of a statement", script.start);
            self.error("pc_out_of_range", message);
        }
        let encoding = script.encoding;
        if encoding.operands == Operands::Engine && encoding.right_property == RightProperty::Nothing {
            let message = "properties on the right side of comparisons have no update byte here; otherwise the conditions would not lead to statements";
            self.warn("right_property", message.to_owned());
        }
        if encoding.operands == Operands::Engine && script.defects() > 0 {
            let other = Self::with_mm_operands(script);
            if other.defects() == 0 {
                let message =
                    "the bytecode appears to come from Redguard Mod Manager; try --soup-operands mm";
                self.warn("mod_manager_operands", message.to_owned());
            }
        }
    }

    fn with_mm_operands(script: &Script) -> Script {
        Script::read(&script.write(), script.start, Operands::ModManager)
    }

    fn statement(&mut self, statement: &Statement, is_guarded: bool) {
        match statement {
            Statement::Call(_, call) => self.own_call(call),
            Statement::ObjectCall(_, object, _, call) => self.object_call(*object, call),
            Statement::If { conditions, otherwise } => {
                for condition in conditions {
                    self.value(&condition.left);
                    self.value(&condition.right);
                }
                self.target(*otherwise);
            }
            Statement::Jump(jump, target) if jump.targets_task() => self.task_label(*target),
            Statement::Jump(jump, target) => {
                self.target(*target);
                if *target == self.script.length && *jump != Jump::End {
                    self.warn(
                        "pc_out_of_range",
                        format!("0x{target:x} is the end of the script; nothing stands there"),
                    );
                }
            }
            Statement::Assign(variable, formula) => {
                self.variable(*variable);
                self.value(&formula.first);
                for (operator, value) in &formula.rest {
                    self.value(value);
                    if *operator == Operator::Divide
                        && matches!(value, Value::Number(0) | Value::Alternate(0))
                    {
                        self.error("division_by_zero", "a division by zero; the game stops here".to_owned());
                    }
                }
                if formula.end.is_some() {
                    self.error(
                        "bad_operator",
                        "the formula ends with ++ or --; the game stops here".to_owned(),
                    );
                }
            }
            Statement::Step(_, object, reference) => self.variable(Variable::Property(*object, *reference)),
            Statement::Unreadable(bytes) if is_guarded && bytes.first() == Some(&0x12) => {
                let message = "a return after scriptrv; the meaning of the four bytes after it is unknown";
                self.warn("scriptrv_return", message.to_owned());
            }
            Statement::Unreadable(bytes) => {
                let first = bytes.first().copied().unwrap_or_default();
                let count = bytes.len();
                let message = format!("{count} bytes, the first 0x{first:02x}, are not a valid statement");
                self.error("unknown_opcode", message);
            }
            _ => {}
        }
        let is_jump = matches!(statement, Statement::Jump(..) | Statement::Unreadable(_));
        if is_guarded && !is_jump {
            let message = "scriptrv skips five bytes, but the next statement is not a jump of five bytes";
            self.warn("scriptrv_guard", message.to_owned());
        }
    }

    fn target(&mut self, target: u32) {
        match self.script.find(target) {
            Some((_, 0)) => {}
            Some(_) => self.error("jump_into_statement", format!("0x{target:x} is inside of a statement")),
            None => {
                let length = self.script.length;
                self.error(
                    "pc_out_of_range",
                    format!("0x{target:x} is outside of the script (0x{length:x} bytes)"),
                );
            }
        }
    }

    fn task_label(&mut self, target: u32) {
        let script = self.script;
        let operands = script.find(target).and_then(|(index, inside)| {
            let statement = &script.statements.get(index)?.statement;
            (statement.operand_offset() == Some(inside)).then_some(())
        });
        if operands.is_none() {
            self.error(
                "label_without_task",
                format!("0x{target:x} is not where the operands of a task begin"),
            );
        }
    }

    fn object(&mut self, object: Object) {
        match object {
            Object::Named(text) => {
                self.text(u32::from(text));
                self.object_name(usize::from(text));
            }
            Object::Local(local) => self.local(local),
            Object::Me(_) | Object::Player(_) | Object::Camera(_) => {}
        }
    }

    fn text(&mut self, index: u32) {
        let Some(count) = self.bounds.texts.map(<[String]>::len) else { return };
        if usize::try_from(index).is_ok_and(|index| index >= count) {
            self.error("bad_string_index", format!("there is no text {index}; the actor has {count}"));
        }
    }

    /// Checks that the map has the object that a text names.
    fn object_name(&mut self, text: usize) {
        let (Some(texts), Some(objects)) = (self.bounds.texts, self.bounds.objects) else { return };
        let Some(name) = texts.get(text) else { return };
        if !objects.iter().any(|known| known.eq_ignore_ascii_case(name)) {
            let hint = suggestion(name, objects.iter().map(String::as_str));
            self.warn("unknown_object", format!("the map has no object called \"{name}\"{hint}"));
        }
    }

    /// Checks that there is a line of dialogue with a label.
    fn line(&mut self, number: i32) {
        let Some(lines) = self.bounds.lines else { return };
        let Some(label) = label_of(number) else { return };
        if lines.get(&label).is_none() {
            self.warn("unknown_label", format!("there is no line of dialogue with the label '{label}'"));
        }
    }

    /// Checks that the actor has a location.
    fn location(&mut self, number: i32) {
        let Some(count) = self.bounds.locations else { return };
        if usize::try_from(number).map_or(true, |number| number > count) {
            let message =
                format!("there is no location {number}; the actor has locations 0 (its home) to {count}");
            self.warn("bad_location", message);
        }
    }

    /// Reports a text where an argument requires a number.
    fn text_for(&mut self, text: u32, role: Role) {
        let index = usize::try_from(text).unwrap_or(usize::MAX);
        let Some(text) = self.bounds.texts.and_then(|texts| texts.get(index)) else { return };
        let hint =
            self.bounds.lexicon.names_of(role).map_or_else(String::new, |names| names.suggestion(text));
        let message =
            format!("expected the number of {}, found the text \"{text}\"{hint}", role.with_article());
        self.warn("text_as_number", message);
    }

    fn local(&mut self, local: u8) {
        let count = self.bounds.locals;
        // An object that is not in the map has no variables.
        if count > 0 && usize::from(local) >= count {
            self.warn(
                "bad_variable_index",
                format!("there is no var{local}; the actor has {count} variables"),
            );
        }
    }

    fn flag(&mut self, flag: i32) {
        let count = self.bounds.lexicon.definitions.flags.len();
        if usize::try_from(flag).map_or(true, |flag| flag >= count) {
            self.warn("bad_flag_index", format!("flag {flag} has no name; the game defines {count}"));
        }
    }

    fn variable(&mut self, variable: Variable) {
        match variable {
            Variable::Flag(flag) => self.flag(i32::from(flag)),
            Variable::Local(local) => self.local(local),
            Variable::Property(object, reference) => {
                self.object(object);
                let count = self.bounds.lexicon.definitions.references.len();
                // Without SOUP386.DEF, no property has a name.
                if count > 0 && usize::from(reference) >= count {
                    let message = format!("property {reference} has no name; the game defines {count}");
                    self.warn("bad_reference", message);
                }
            }
        }
    }

    /// Checks a call on the actor itself.
    fn own_call(&mut self, call: &Call) {
        if let (true, Some(Value::Number(number) | Value::Alternate(number))) =
            (self.bounds.lexicon.takes_location(call.function), call.arguments.first())
        {
            self.location(*number);
        }
        self.call(call);
    }

    fn object_call(&mut self, object: Object, call: &Call) {
        self.object(object);
        match object {
            Object::Me(_) => self.own_call(call),
            _ => self.call(call),
        }
    }

    fn call(&mut self, call: &Call) {
        let lexicon = self.bounds.lexicon;
        match lexicon.definitions.function(call.function) {
            None => {
                let count = lexicon.definitions.functions.len();
                let message = format!("function {} has no name; the game defines {count}", call.function);
                self.error("bad_function", message);
            }
            Some(function) if usize::try_from(function.params) != Ok(call.arguments.len()) => {
                let (name, expected, found) = (&function.name, function.params, call.arguments.len());
                self.error(
                    "wrong_parameter_count",
                    format!(
                        "{name} takes {expected} {}, found {found}",
                        if expected == 1 { "argument" } else { "arguments" }
                    ),
                );
            }
            Some(_) => {}
        }
        for (index, value) in call.arguments.iter().enumerate() {
            let role = lexicon.role(call.function, index);
            match value {
                Value::Call(_) | Value::ObjectCall(..) => {
                    let message = "a call as an argument; the game does not evaluate it";
                    self.error("nested_call", message.to_owned());
                }
                Value::Number(flag) | Value::Alternate(flag) if role == Some(Role::Flag) => self.flag(*flag),
                Value::Number(label) | Value::Alternate(label) if role == Some(Role::Dialogue) => {
                    self.line(*label);
                }
                Value::Text(text) => {
                    if let Some(role) = role {
                        self.text_for(*text, role);
                    }
                }
                _ => {}
            }
            self.value(value);
        }
    }

    fn value(&mut self, value: &Value) {
        match value {
            Value::Number(_) | Value::Alternate(_) => {}
            Value::Text(index) => self.text(*index),
            Value::Variable { variable, .. } => self.variable(*variable),
            Value::Call(call) => self.own_call(call),
            Value::ObjectCall(_, object, call) => self.object_call(*object, call),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::Definitions;

    /// Diagnostic codes and byte offsets.
    type Found = Vec<(&'static str, u32)>;

    fn codes(bytes: &[u8]) -> Found {
        let lexicon = Lexicon::new(Definitions::shipped(), &BTreeMap::new(), &BTreeMap::new());
        let texts = ["KEEPER", "unused"].map(str::to_owned);
        let objects = ["KEEPER".to_owned()];
        let lines = SpokenLines::from_iter([("AB01".to_owned(), "Hello.".to_owned())]);
        let bounds = Bounds {
            texts: Some(&texts),
            locals: 3,
            locations: Some(1),
            objects: Some(&objects),
            lines: Some(&lines),
            ..Bounds::new(&lexicon)
        };
        let script = Script::read(bytes, 0, Operands::Engine);
        script.diagnose(&bounds).into_iter().map(|it| (it.code, it.at)).collect()
    }

    #[test]
    fn reports_each_defect_with_its_code_and_offset() {
        let table: [(&[u8], Found); 13] = [
            (&[0x12, 0x04, 0, 0, 0, 0], vec![]),
            (&[0x12, 0x04, 2, 0, 0, 0], vec![("jump_into_statement", 1)]),
            (&[0x12, 0x04, 6, 0, 0, 0], vec![("pc_out_of_range", 1)]),
            (&[0x11, 0xff, 0xff, 0xff, 0xff], vec![("pc_out_of_range", 0)]),
            (&[0x18, 0xff], vec![("unknown_opcode", 1)]),
            (&[0x02, 1, 0, 0], vec![("wrong_parameter_count", 0)]),
            (&[0x02, 0xff, 0xff, 0], vec![("bad_function", 0)]),
            (&[0x0a, 3, 0x15, 2, 0, 0, 0, 0], vec![("bad_variable_index", 0), ("bad_string_index", 0)]),
            (&[0x06, 0, 9, 7, 0, 0, 0, 0, 10, 0], vec![("bad_flag_index", 0), ("bad_operator", 0)]),
            (&[0x00, 17, 0, 0, 0x1b, 1, 0, 0, 0, 0x1c, 0, 0, 0, 0], vec![("label_without_task", 9)]),
            (&[0x02, 10, 0, 1, 0x02, 0, 0], vec![("nested_call", 0)]),
            (&[0x1e, 1, 0x12, 0, 0, 0, 0], vec![("scriptrv_return", 2)]),
            (&[0x1e, 1, 0x18], vec![("scriptrv_guard", 2)]),
        ];
        for (bytes, expected) in table {
            assert_eq!(codes(bytes), expected, "{bytes:02x?}");
        }
    }

    #[test]
    fn reports_names_missing_from_the_map_or_the_game() {
        let number = |value: i32| [&[0x16][..], &value.to_le_bytes()].concat();
        let call = |name: &str, arguments: &[Vec<u8>]| {
            let at = Definitions::shipped().functions.iter().position(|it| it.name == name).unwrap();
            let at = u16::try_from(at).unwrap().to_le_bytes();
            let count = u8::try_from(arguments.len()).unwrap();
            [&[2][..], &at, &[count], &arguments.concat()].concat()
        };
        let label = |text: &[u8; 4]| number(i32::from_le_bytes(*text));
        let text = |index: i32| [&[0x15][..], &index.to_le_bytes()].concat();
        let table: [(Vec<u8>, &[&str]); 8] = [
            (call("RTX", &[label(b"ab01")]), &[]),
            (call("RTX", &[label(b"zzzz")]), &["unknown_label"]),
            (call("RTX", &[text(0)]), &["text_as_number"]),
            (call("AddItem", &[text(1), number(1)]), &["text_as_number"]),
            (call("MoveToLocation", &[number(1), number(4)]), &[]),
            (call("MoveToLocation", &[number(2), number(4)]), &["bad_location"]),
            (vec![0x0a, 0, 0x16, 9, 0, 0, 0, 4, 0x16, 0, 0, 0, 0, 0], &["division_by_zero"]),
            (vec![0x0a, 0, 0x16, 9, 0, 0, 0, 4, 0x16, 1, 0, 0, 0, 0], &[]),
        ];
        for (bytes, expected) in table {
            let found: Vec<_> = codes(&bytes).into_iter().map(|(code, _)| code).collect();
            assert_eq!(found, expected, "{bytes:02x?}");
        }
    }

    #[test]
    fn detects_bytecode_of_redguard_mod_manager() {
        let bytes = [0x03, 0x0a, 0, 10, 0, 0, 7, 1, 0, 0, 0, 0, 16, 0, 0, 0];
        assert!(codes(&bytes).contains(&("mod_manager_operands", 0)));
    }
}
