//! Where a script names something.

use std::collections::BTreeSet;

use crate::Lexicon;
use crate::bytecode::{Call, Object, Script, Statement, Value, Variable};
use crate::lexicon::Role;
use crate::text::label_of;

/// What is looked for, by its numbers.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Wanted {
    flag: Option<u16>,
    function: Option<u16>,
    reference: Option<u16>,
    /// Texts of the actor.
    texts: BTreeSet<u32>,
    /// Dialogue labels.
    labels: BTreeSet<String>,
}

/// How a statement names something.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Mention {
    /// A flag or a property is read.
    Read,
    /// It is changed.
    Set,
    /// A function is called.
    Call,
    /// The actor's native hook is the function.
    Hook,
    /// A text of the actor is named.
    Text,
    /// A line of dialogue is named.
    Says,
}

impl Mention {
    /// Its word in JSON.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Set => "set",
            Self::Call => "call",
            Self::Hook => "hook",
            Self::Text => "string",
            Self::Says => "says",
        }
    }
}

impl Wanted {
    /// What a name stands for: a flag, a function or a property by its whole name in any letter case, and texts and spoken lines by a part.
    /// `labels` are the dialogue labels of which the spoken text has the part.
    #[must_use]
    pub fn new(name: &str, lexicon: &Lexicon, texts: &[String], labels: BTreeSet<String>) -> Self {
        let definitions = &lexicon.definitions;
        let number = |position: Option<usize>| position.and_then(|it| u16::try_from(it).ok());
        let is_it = |known: &str| known.eq_ignore_ascii_case(name);
        let part = name.to_lowercase();
        let texts = texts.iter().enumerate().filter(|(_, text)| text.to_lowercase().contains(&part));
        Self {
            flag: number(definitions.flags.iter().position(|it| is_it(&it.name))),
            function: number(definitions.functions.iter().position(|it| is_it(&it.name))),
            reference: number(definitions.references.iter().position(|it| is_it(it))),
            texts: texts.filter_map(|(index, _)| u32::try_from(index).ok()).collect(),
            labels,
        }
    }

    /// Whether it is this function.
    #[must_use]
    pub fn is_function(&self, function: u16) -> bool {
        self.function == Some(function)
    }
}

impl Script {
    /// The statements that name what is wanted, by their numbers; each way of naming it once.
    #[must_use]
    pub fn find_mentions(&self, wanted: &Wanted, lexicon: &Lexicon) -> Vec<(usize, Mention)> {
        let mut out = Vec::new();
        for (index, it) in self.statements.iter().enumerate() {
            let mut finder = Finder { wanted, lexicon, found: BTreeSet::new() };
            finder.statement(&it.statement);
            out.extend(finder.found.into_iter().map(|mention| (index, mention)));
        }
        out
    }
}

struct Finder<'a> {
    wanted: &'a Wanted,
    lexicon: &'a Lexicon,
    found: BTreeSet<Mention>,
}

impl Finder<'_> {
    fn statement(&mut self, statement: &Statement) {
        match statement {
            Statement::Call(_, call) => self.call(call),
            Statement::ObjectCall(_, object, _, call) => {
                self.object(*object);
                self.call(call);
            }
            Statement::If { conditions, .. } => {
                for condition in conditions {
                    self.value(&condition.left);
                    self.value(&condition.right);
                }
            }
            Statement::Assign(variable, formula) => {
                self.variable(*variable, Mention::Set);
                self.value(&formula.first);
                formula.rest.iter().for_each(|(_, value)| self.value(value));
            }
            Statement::Step(_, object, reference) => {
                self.variable(Variable::Property(*object, *reference), Mention::Set);
            }
            _ => {}
        }
    }

    fn object(&mut self, object: Object) {
        if let Object::Named(text) = object {
            self.text(u32::from(text));
        }
    }

    fn text(&mut self, text: u32) {
        if self.wanted.texts.contains(&text) {
            self.found.insert(Mention::Text);
        }
    }

    fn variable(&mut self, variable: Variable, how: Mention) {
        let is_it = match variable {
            Variable::Flag(flag) => self.wanted.flag == Some(flag),
            Variable::Local(_) => false,
            Variable::Property(object, reference) => {
                self.object(object);
                self.wanted.reference == Some(reference)
            }
        };
        if is_it {
            self.found.insert(how);
        }
    }

    fn call(&mut self, call: &Call) {
        if self.wanted.is_function(call.function) {
            self.found.insert(Mention::Call);
        }
        for (index, value) in call.arguments.iter().enumerate() {
            if let Value::Number(number) | Value::Alternate(number) = value {
                match self.lexicon.role(call.function, index) {
                    Some(Role::Flag)
                        if u16::try_from(*number).is_ok_and(|it| self.wanted.flag == Some(it)) =>
                    {
                        self.found.insert(self.of_flag_function(call.function));
                    }
                    Some(Role::Dialogue)
                        if label_of(*number).is_some_and(|it| self.wanted.labels.contains(&it)) =>
                    {
                        self.found.insert(Mention::Says);
                    }
                    _ => {}
                }
            }
            self.value(value);
        }
    }

    /// What a function about flags does with one.
    fn of_flag_function(&self, function: u16) -> Mention {
        let name = self.lexicon.functions.name(i32::from(function)).unwrap_or_default();
        if name.eq_ignore_ascii_case("TestGlobalFlag") { Mention::Read } else { Mention::Set }
    }

    fn value(&mut self, value: &Value) {
        match value {
            Value::Number(_) | Value::Alternate(_) => {}
            Value::Text(text) => self.text(*text),
            Value::Variable { variable, update, .. } => {
                self.variable(*variable, if update.is_some() { Mention::Set } else { Mention::Read });
            }
            Value::Call(call) => self.call(call),
            Value::ObjectCall(_, object, call) => {
                self.object(*object);
                self.call(call);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::Definitions;
    use crate::bytecode::Operands;

    #[test]
    fn flags_are_set_by_updates_and_by_functions_and_read_by_the_rest() {
        let lexicon = Lexicon::new(Definitions::shipped(), &BTreeMap::new(), &BTreeMap::new());
        let function = |name: &str| {
            let at = Definitions::shipped().functions.iter().position(|it| it.name == name).unwrap();
            u16::try_from(at).unwrap().to_le_bytes()
        };
        let flag_call = |name: &str| [&[2][..], &function(name), &[1, 0x16, 3, 0, 0, 0]].concat();
        let condition = |update: u8| vec![3, 6, 3, 0, update, 0, 7, 1, 0, 0, 0, 0, 16, 0, 0, 0];
        let table = [
            (flag_call("SetGlobalFlag"), Mention::Set),
            (flag_call("ResetGlobalFlag"), Mention::Set),
            (flag_call("TestGlobalFlag"), Mention::Read),
            (condition(0), Mention::Read),
            (condition(10), Mention::Set),
            (vec![6, 3, 0, 7, 1, 0, 0, 0, 0], Mention::Set),
            (vec![0x0a, 3, 6, 3, 0, 0], Mention::Read),
        ];
        let wanted = Wanted::new("GREMLIN", &lexicon, &[], BTreeSet::new());
        for (bytes, expected) in table {
            let script = Script::read(&bytes, 0, Operands::Engine);
            assert_eq!(script.find_mentions(&wanted, &lexicon), [(0, expected)], "{bytes:02x?}");
        }
    }
}
