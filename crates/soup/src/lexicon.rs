//! Which names a text may use for which numbers.

use std::collections::{BTreeMap, HashMap};

use crate::Definitions;

/// The names of a game as texts use them. A name that could be read as something else is not used: its number is written instead.
#[derive(Debug, Clone, Default)]
pub struct Lexicon {
    pub(crate) definitions: Definitions,
    pub(crate) functions: Names,
    pub(crate) flags: Names,
    pub(crate) references: Names,
    attributes: Names,
    groups: Names,
    items: Names,
    maps: Names,
    roles: HashMap<(u16, usize), Role>,
    results: HashMap<u16, Role>,
}

/// What the number of an argument stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Role {
    Flag,
    Attribute,
    AnimationGroup,
    Item,
    Map,
    Dialogue,
}

impl Role {
    /// What it is called in messages.
    pub(crate) const fn noun(self) -> &'static str {
        match self {
            Self::Flag => "flag",
            Self::Attribute => "attribute",
            Self::AnimationGroup => "animation group",
            Self::Item => "item",
            Self::Map => "map",
            Self::Dialogue => "dialogue label",
        }
    }

    /// The same with its article.
    pub(crate) const fn with_article(self) -> &'static str {
        match self {
            Self::Flag => "a flag",
            Self::Attribute => "an attribute",
            Self::AnimationGroup => "an animation group",
            Self::Item => "an item",
            Self::Map => "a map",
            Self::Dialogue => "a line of dialogue",
        }
    }
}

/// The functions of which an argument is more than a number: the argument, what it stands for, and the functions.
const ROLES: [(usize, Role, &[&str]); 6] = [
    (0, Role::Flag, &["SetGlobalFlag", "ResetGlobalFlag", "TestGlobalFlag"]),
    (0, Role::Attribute, &["GetMyAttr", "SetMyAttr", "GetAttribute", "SetAttribute"]),
    (0, Role::AnimationGroup, &["PushAnimation", "PlayAnimation", "PushControlAnimation", "WaitAnimFrame"]),
    (
        0,
        Role::Item,
        &[
            "ActiveItem",
            "AddItem",
            "DropItem",
            "HandItem",
            "HaveItem",
            "SelectItem",
            "ShowItem",
            "ShowItemNoRtx",
        ],
    ),
    (0, Role::Map, &["LoadWorld"]),
    (
        0,
        Role::Dialogue,
        &[
            "ACTIVATE",
            "AddLog",
            "AmbientRtx",
            "menuAddItem",
            "RTX",
            "rtxAnim",
            "RTXp",
            "RTXpAnim",
            "TorchActivate",
        ],
    ),
];

/// The functions whose first argument is a location of the actor.
const LOCATIONS: [&str; 10] = [
    "AtNodeLocation",
    "DistanceFromLocation",
    "DistanceToLocation",
    "FaceLocation",
    "GotoLocation",
    "MoveLocation",
    "MoveNodeLocation",
    "MoveToLocation",
    "SetLocation",
    "WanderToLocation",
];

/// The functions that say a line.
const SPEAKING: [&str; 5] = ["AmbientRtx", "RTX", "rtxAnim", "RTXp", "RTXpAnim"];

/// The functions whose result is more than a number.
const RESULTS: [(&str, Role); 1] = [("ActiveItem", Role::Item)];

impl Lexicon {
    /// A function by its name, or by its number: `function_12`.
    pub(crate) fn function_number(&self, name: &str) -> Option<u16> {
        numbered(&self.functions, name, "function_")
    }

    /// A property of objects by its name, or by its number: `ref_12`.
    pub(crate) fn property_number(&self, name: &str) -> Option<u16> {
        numbered(&self.references, name, "ref_")
    }

    /// The names of a game, with those of its items and maps.
    #[must_use]
    pub fn new(
        definitions: &Definitions,
        items: &BTreeMap<i32, String>,
        maps: &BTreeMap<i32, String>,
    ) -> Self {
        let numbered = |names: Vec<&str>, is_usable: fn(&str) -> bool| {
            let names = names.into_iter().enumerate();
            Names::new(names.map(|(number, name)| (i32::try_from(number).unwrap_or(-1), name)), is_usable)
        };
        let named = |names: &'_ [Option<String>]| {
            Names::new(
                names
                    .iter()
                    .enumerate()
                    .filter_map(|(number, name)| Some((i32::try_from(number).ok()?, name.as_deref()?))),
                is_quotable,
            )
        };
        let of_map = |names: &BTreeMap<i32, String>| {
            Names::new(names.iter().map(|(n, it)| (*n, it.as_str())), is_quotable)
        };
        let functions: Vec<&str> = definitions.functions.iter().map(|it| it.name.as_str()).collect();
        let mut roles = HashMap::new();
        let mut results = HashMap::new();
        for (number, name) in functions.iter().enumerate() {
            let Ok(number) = u16::try_from(number) else { break };
            for (argument, role, known) in ROLES {
                if known.iter().any(|known| known.eq_ignore_ascii_case(name)) {
                    roles.insert((number, argument), role);
                }
            }
            results.extend(
                RESULTS
                    .iter()
                    .filter(|(known, _)| known.eq_ignore_ascii_case(name))
                    .map(|(_, it)| (number, *it)),
            );
        }
        Self {
            functions: numbered(functions, is_plain),
            flags: numbered(definitions.flags.iter().map(|it| it.name.as_str()).collect(), is_plain),
            references: numbered(definitions.references.iter().map(String::as_str).collect(), is_path),
            attributes: named(&definitions.attributes),
            groups: named(&definitions.animation_groups),
            items: of_map(items),
            maps: of_map(maps),
            roles,
            results,
            definitions: definitions.clone(),
        }
    }

    /// The names as the game declares them.
    #[must_use]
    pub const fn definitions(&self) -> &Definitions {
        &self.definitions
    }

    /// Whether a function says a line.
    #[must_use]
    pub fn speaks(&self, function: u16) -> bool {
        let function = self.definitions.functions.get(usize::from(function));
        function.is_some_and(|it| SPEAKING.iter().any(|known| known.eq_ignore_ascii_case(&it.name)))
    }

    /// Whether the first argument of a function is a location of the actor.
    pub(crate) fn takes_location(&self, function: u16) -> bool {
        let function = self.definitions.functions.get(usize::from(function));
        function.is_some_and(|it| LOCATIONS.iter().any(|known| known.eq_ignore_ascii_case(&it.name)))
    }

    /// What an argument of a function stands for.
    pub(crate) fn role(&self, function: u16, argument: usize) -> Option<Role> {
        self.roles.get(&(function, argument)).copied()
    }

    /// What the result of a function stands for.
    pub(crate) fn result(&self, function: u16) -> Option<Role> {
        self.results.get(&function).copied()
    }

    /// The names of what numbers stand for.
    pub(crate) const fn of_role(&self, role: Role) -> Option<&Names> {
        Some(match role {
            Role::Flag => &self.flags,
            Role::Attribute => &self.attributes,
            Role::AnimationGroup => &self.groups,
            Role::Item => &self.items,
            Role::Map => &self.maps,
            Role::Dialogue => return None,
        })
    }
}

/// Names of one kind.
#[derive(Debug, Clone, Default)]
pub(crate) struct Names {
    names: BTreeMap<i32, String>,
    /// By the name in lower case.
    numbers: HashMap<String, i32>,
}

impl Names {
    fn new<'a>(all: impl IntoIterator<Item = (i32, &'a str)>, is_usable: fn(&str) -> bool) -> Self {
        let mut out = Self::default();
        for (number, name) in all {
            let key = name.to_lowercase();
            if is_usable(name) && !out.numbers.contains_key(&key) {
                out.numbers.insert(key, number);
                out.names.insert(number, name.to_owned());
            }
        }
        out
    }

    pub(crate) fn name(&self, number: i32) -> Option<&str> {
        self.names.get(&number).map(String::as_str)
    }

    pub(crate) fn number(&self, name: &str) -> Option<i32> {
        self.numbers.get(&name.to_lowercase()).copied()
    }

    /// All names with their numbers, in the order of these.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (i32, &str)> {
        self.names.iter().map(|(number, name)| (*number, name.as_str()))
    }

    /// A known name that is near to an unknown one, as the end of a sentence.
    pub(crate) fn suggestion(&self, written: &str) -> String {
        suggestion(written, self.names.values().map(String::as_str))
    }
}

/// Nothing is like a longer name.
const LONGEST: usize = 64;

/// A known name that is near to an unknown one, as the end of a sentence.
pub(crate) fn suggestion<'a>(written: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    if written.len() > LONGEST {
        return String::new();
    }
    let written = written.to_lowercase();
    let near = known
        .into_iter()
        .map(|name| (strsim::damerau_levenshtein(&written, &name.to_lowercase()), name))
        .filter(|(distance, name)| *distance <= name.chars().count().div_ceil(3))
        .min_by_key(|(distance, _)| *distance);
    near.map_or_else(String::new, |(_, name)| format!("; did you mean {name}?"))
}

/// The words of the language.
pub(crate) const KEYWORDS: [&str; 32] = [
    "if",
    "else",
    "and",
    "or",
    "goto",
    "gosub",
    "end",
    "return",
    "endint",
    "yield",
    "anchor",
    "scriptrv",
    "stop_task",
    "pause_task",
    "resume_task",
    "bytes",
    "task",
    "multitask",
    "function",
    "opcode",
    "alt",
    "pad",
    "me",
    "player",
    "camera",
    "start",
    "actor",
    "operands",
    "while",
    "loop",
    "break",
    "continue",
];

/// Those of them that can be labels too: `loop:`.
pub(crate) const BLOCK_WORDS: [&str; 4] = ["while", "loop", "break", "continue"];

/// The beginnings of literals: `flag_12`.
pub(crate) const LITERALS: [&str; 5] = ["flag_", "function_", "ref_", "string_", "var"];

/// What a name or a literal stands for.
fn numbered(names: &Names, name: &str, prefix: &str) -> Option<u16> {
    match literal(name, prefix) {
        Some(number) => u16::try_from(number).ok(),
        None => names.number(name).and_then(|it| u16::try_from(it).ok()),
    }
}

/// The number of a literal such as `flag_12`.
pub(crate) fn literal(name: &str, prefix: &str) -> Option<u32> {
    let digits = name
        .get(..prefix.len())
        .filter(|it| it.eq_ignore_ascii_case(prefix))
        .and(name.get(prefix.len()..))?;
    let is_number = !digits.is_empty() && digits.bytes().all(|it| it.is_ascii_digit());
    is_number.then_some(())?;
    digits.parse().ok()
}

/// Whether it can be a name without quotes.
pub(crate) fn is_word(name: &str) -> bool {
    let mut chars = name.chars();
    chars.next().is_some_and(|it| it.is_ascii_alphabetic() || it == '_')
        && chars.all(|it| it.is_ascii_alphanumeric() || it == '_')
}

/// Whether it is a word with no other meaning.
pub(crate) fn is_plain(name: &str) -> bool {
    let is_literal = || LITERALS.iter().any(|prefix| literal(name, prefix).is_some());
    is_word(name) && !KEYWORDS.iter().any(|word| word.eq_ignore_ascii_case(name)) && !is_literal()
}

/// Whether it consists of words with dots between them.
fn is_path(name: &str) -> bool {
    name.split('.').all(is_word) && literal(name, "ref_").is_none()
}

/// Whether it can stand in quotes.
fn is_quotable(name: &str) -> bool {
    !name.is_empty() && !name.chars().any(|it| it.is_control() || it == '"' || it == '\\')
}
