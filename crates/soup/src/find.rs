//! Finds the statements of a script that refer to a name.

use std::collections::BTreeSet;

use crate::Lexicon;
use crate::bytecode::{Call, Object, Script, Statement, Value, Variable};
use crate::lexicon::Role;
use crate::text::label_of;

/// Something that a statement refers to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Named {
    /// A global flag.
    Flag(u16),
    /// A function.
    Function(u16),
    /// A property of an object.
    Property(u16),
    /// A text of the actor.
    Text(u32),
    /// An attribute of an actor.
    Attribute(i32),
    /// An animation group.
    AnimationGroup(i32),
    /// An item.
    Item(i32),
    /// A map.
    Map(i32),
    /// A dialogue label of four characters.
    Label(i32),
}

/// A search query: the numbers to search for.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Query {
    named: BTreeSet<Named>,
}

/// The kind of reference in a statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Mention {
    /// Reads a flag, a property or an attribute.
    Read,
    /// Changes a flag, a property or an attribute.
    Set,
    /// Calls a function.
    Call,
    /// Sets a function as the actor's native hook.
    Hook,
    /// Refers to a text of the actor.
    Text,
    /// Refers to a line of dialogue.
    Says,
    /// Has another named number as an argument: an item, a map or an animation group.
    Argument,
}

impl Mention {
    /// Returns its name in JSON.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Set => "set",
            Self::Call => "call",
            Self::Hook => "hook",
            Self::Text => "string",
            Self::Says => "says",
            Self::Argument => "argument",
        }
    }
}

/// Functions that only read the flag or attribute in their argument.
pub(crate) const READERS: [&str; 3] = ["TestGlobalFlag", "GetMyAttr", "GetAttribute"];

impl Named {
    /// Returns what a number refers to as an argument with this role.
    fn from_role(role: Role, number: i32) -> Option<Self> {
        Some(match role {
            Role::Flag => Self::Flag(u16::try_from(number).ok()?),
            Role::Attribute => Self::Attribute(number),
            Role::AnimationGroup => Self::AnimationGroup(number),
            Role::Item => Self::Item(number),
            Role::Map => Self::Map(number),
            Role::Dialogue => Self::Label(number),
        })
    }

    /// Returns its name in the game, or the text of the actor.
    #[must_use]
    pub fn name(self, lexicon: &Lexicon, texts: &[String]) -> Option<String> {
        let of = |role: Role, number: i32| lexicon.names_of(role)?.name(number).map(str::to_owned);
        match self {
            Self::Flag(flag) => lexicon.flags.name(i32::from(flag)).map(str::to_owned),
            Self::Function(function) => lexicon.functions.name(i32::from(function)).map(str::to_owned),
            Self::Property(reference) => lexicon.references.name(i32::from(reference)).map(str::to_owned),
            Self::Text(index) => texts.get(usize::try_from(index).ok()?).cloned(),
            Self::Attribute(number) => of(Role::Attribute, number),
            Self::AnimationGroup(number) => of(Role::AnimationGroup, number),
            Self::Item(number) => of(Role::Item, number),
            Self::Map(number) => of(Role::Map, number),
            Self::Label(number) => label_of(number),
        }
    }
}

impl Named {
    /// Converts A to Z in a label to lowercase, because the game ignores their case.
    fn folded(self) -> Self {
        match self {
            Self::Label(number) => {
                Self::Label(i32::from_le_bytes(number.to_le_bytes().map(|byte| byte.to_ascii_lowercase())))
            }
            other => other,
        }
    }
}

impl Query {
    /// Creates a query for a name. A flag, function, property or attribute has to match the complete name, ignoring letter case; a text or
    /// a spoken line matches if it contains the name. `labels` are the dialogue labels of the matching spoken lines.
    #[must_use]
    pub fn new(name: &str, lexicon: &Lexicon, texts: &[String], labels: &BTreeSet<String>) -> Self {
        let definitions = &lexicon.definitions;
        let number = |position: Option<usize>| position.and_then(|it| u16::try_from(it).ok());
        let is_it = |known: &str| known.eq_ignore_ascii_case(name);
        let part = name.to_lowercase();
        let flag = number(definitions.flags.iter().position(|it| is_it(&it.name)));
        let function = number(definitions.functions.iter().position(|it| is_it(&it.name)));
        let reference = number(definitions.references.iter().position(|it| is_it(it)));
        let attribute = definitions.attributes.iter().position(|it| it.as_deref().is_some_and(is_it));
        let texts = texts.iter().enumerate().filter(|(_, text)| text.to_lowercase().contains(&part));
        let texts = texts.filter_map(|(index, _)| Some(Named::Text(u32::try_from(index).ok()?)));
        let labels = labels
            .iter()
            .filter_map(|label| Some(Named::Label(i32::from_le_bytes(label.as_bytes().try_into().ok()?))))
            .map(Named::folded);
        let numbers = [
            flag.map(Named::Flag),
            function.map(Named::Function),
            reference.map(Named::Property),
            attribute.and_then(|it| i32::try_from(it).ok()).map(Named::Attribute),
        ];
        Self { named: numbers.into_iter().flatten().chain(texts).chain(labels).collect() }
    }

    /// Returns whether the query contains this function.
    #[must_use]
    pub fn is_function(&self, function: u16) -> bool {
        self.named.contains(&Named::Function(function))
    }
}

impl Script {
    /// Returns the indices of the matching statements, with each kind of reference once.
    #[must_use]
    pub fn find_mentions(&self, query: &Query, lexicon: &Lexicon) -> Vec<(usize, Mention)> {
        let found = self.mentions(lexicon).filter(|(.., named)| query.named.contains(&named.folded()));
        let mut out: Vec<_> = found.map(|(index, mention, _)| (index, mention)).collect();
        out.dedup();
        out
    }

    /// Returns the labels of the lines of dialogue that the script refers to.
    #[must_use]
    pub fn labels(&self, lexicon: &Lexicon) -> BTreeSet<String> {
        let labels = self.mentions(lexicon).filter_map(|(.., named)| match named {
            Named::Label(number) => label_of(number),
            _ => None,
        });
        labels.collect()
    }

    /// Returns all references as the statement index, the kind of reference and its target, each once per statement.
    pub fn mentions(&self, lexicon: &Lexicon) -> impl Iterator<Item = (usize, Mention, Named)> {
        self.statements.iter().enumerate().flat_map(|(index, it)| {
            let mut finder = Finder { lexicon, found: BTreeSet::new() };
            finder.statement(&it.statement);
            finder.found.into_iter().map(move |(mention, named)| (index, mention, named))
        })
    }
}

struct Finder<'a> {
    lexicon: &'a Lexicon,
    found: BTreeSet<(Mention, Named)>,
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
        self.found.insert((Mention::Text, Named::Text(text)));
    }

    fn variable(&mut self, variable: Variable, how: Mention) {
        match variable {
            Variable::Flag(flag) => drop(self.found.insert((how, Named::Flag(flag)))),
            Variable::Local(_) => {}
            Variable::Property(object, reference) => {
                self.object(object);
                self.found.insert((how, Named::Property(reference)));
            }
        }
    }

    fn call(&mut self, call: &Call) {
        self.found.insert((Mention::Call, Named::Function(call.function)));
        for (index, value) in call.arguments.iter().enumerate() {
            if let (Value::Number(number) | Value::Alternate(number), Some(role)) =
                (value, self.lexicon.role(call.function, index))
                && let Some(named) = Named::from_role(role, *number)
            {
                let how = match role {
                    Role::Flag | Role::Attribute => self.how(call.function),
                    Role::Dialogue => Mention::Says,
                    Role::AnimationGroup | Role::Item | Role::Map => Mention::Argument,
                };
                self.found.insert((how, named));
            }
            self.value(value);
        }
    }

    /// Returns whether a function reads or changes its flag or attribute.
    fn how(&self, function: u16) -> Mention {
        let name = self.lexicon.functions.name(i32::from(function)).unwrap_or_default();
        if READERS.iter().any(|it| it.eq_ignore_ascii_case(name)) { Mention::Read } else { Mention::Set }
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
    fn only_updates_and_setter_functions_change_flags() {
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
        let query = Query::new("GREMLIN", &lexicon, &[], &BTreeSet::new());
        for (bytes, expected) in table {
            let script = Script::read(&bytes, 0, Operands::Engine);
            assert_eq!(script.find_mentions(&query, &lexicon), [(0, expected)], "{bytes:02x?}");
        }
    }
}
