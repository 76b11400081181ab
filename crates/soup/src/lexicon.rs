//! The names that source text may use for numbers.

use std::collections::{BTreeMap, HashMap};

use crate::Definitions;

/// The names of a game in source text. A name with another possible meaning is not used; its number is written instead.
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

/// The meaning of the number in an argument.
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
    /// Returns the noun for messages.
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

    /// Returns the noun with its article.
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

/// Functions with an argument that is more than a number: the argument index, its role and the functions.
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

/// Functions whose first argument is a location of the actor.
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

/// Functions that speak a line.
const SPEAKING: [&str; 5] = ["AmbientRtx", "RTX", "rtxAnim", "RTXp", "RTXpAnim"];

/// Functions whose result is more than a number.
const RESULTS: [(&str, Role); 1] = [("ActiveItem", Role::Item)];

impl Lexicon {
    /// Returns the number of a function from its name or from `function_12`.
    pub(crate) fn function_number(&self, name: &str) -> Option<u16> {
        numbered(&self.functions, name, "function_")
    }

    /// Returns the number of an object property from its name or from `ref_12`.
    pub(crate) fn property_number(&self, name: &str) -> Option<u16> {
        numbered(&self.references, name, "ref_")
    }

    /// Creates the names of a game with its items and maps.
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

    /// Returns the names as the game declares them.
    #[must_use]
    pub const fn definitions(&self) -> &Definitions {
        &self.definitions
    }

    /// Returns whether a function speaks a line.
    #[must_use]
    pub fn speaks(&self, function: u16) -> bool {
        let function = self.definitions.functions.get(usize::from(function));
        function.is_some_and(|it| SPEAKING.iter().any(|known| known.eq_ignore_ascii_case(&it.name)))
    }

    /// Returns whether the first argument of a function is a location of the actor.
    pub(crate) fn takes_location(&self, function: u16) -> bool {
        let function = self.definitions.functions.get(usize::from(function));
        function.is_some_and(|it| LOCATIONS.iter().any(|known| known.eq_ignore_ascii_case(&it.name)))
    }

    /// Returns the role of an argument of a function.
    pub(crate) fn role(&self, function: u16, argument: usize) -> Option<Role> {
        self.roles.get(&(function, argument)).copied()
    }

    /// Returns the role of the result of a function.
    pub(crate) fn result(&self, function: u16) -> Option<Role> {
        self.results.get(&function).copied()
    }

    /// Returns the names of a role.
    pub(crate) const fn names_of(&self, role: Role) -> Option<&Names> {
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
    /// Numbers by lowercase name.
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

    /// Returns all names with their numbers, in numeric order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (i32, &str)> {
        self.names.iter().map(|(number, name)| (*number, name.as_str()))
    }

    /// Returns a suggestion with a similar known name, to append to a message.
    pub(crate) fn suggestion(&self, written: &str) -> String {
        suggestion(written, self.names.values().map(String::as_str))
    }
}

/// The maximum length of a name to compare.
const MAX_LENGTH: usize = 64;

/// Returns a suggestion with a similar known name, to append to a message.
pub(crate) fn suggestion<'a>(written: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    if written.len() > MAX_LENGTH {
        return String::new();
    }
    let written = written.to_lowercase();
    let closest = known
        .into_iter()
        .map(|name| (strsim::damerau_levenshtein(&written, &name.to_lowercase()), name))
        .filter(|(distance, name)| *distance <= name.chars().count().div_ceil(3))
        .min_by_key(|(distance, _)| *distance);
    closest.map_or_else(String::new, |(_, name)| format!("; did you mean {name}?"))
}

/// The keywords of the language.
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

/// Keywords that can be labels too: `loop:`.
pub(crate) const BLOCK_WORDS: [&str; 4] = ["while", "loop", "break", "continue"];

/// The prefixes of literals such as `flag_12`.
pub(crate) const LITERALS: [&str; 5] = ["flag_", "function_", "ref_", "string_", "var"];

/// Returns the number of a name or a literal.
fn numbered(names: &Names, name: &str, prefix: &str) -> Option<u16> {
    match literal(name, prefix) {
        Some(number) => u16::try_from(number).ok(),
        None => names.number(name).and_then(|it| u16::try_from(it).ok()),
    }
}

/// Returns the number of a literal such as `flag_12`.
pub(crate) fn literal(name: &str, prefix: &str) -> Option<u32> {
    let digits = name
        .get(..prefix.len())
        .filter(|it| it.eq_ignore_ascii_case(prefix))
        .and(name.get(prefix.len()..))?;
    let is_number = !digits.is_empty() && digits.bytes().all(|it| it.is_ascii_digit());
    is_number.then_some(())?;
    digits.parse().ok()
}

/// Returns whether the name needs no quotes.
pub(crate) fn is_word(name: &str) -> bool {
    let mut chars = name.chars();
    chars.next().is_some_and(|it| it.is_ascii_alphabetic() || it == '_')
        && chars.all(|it| it.is_ascii_alphanumeric() || it == '_')
}

/// Returns whether it is a word without another meaning.
pub(crate) fn is_plain(name: &str) -> bool {
    let is_literal = || LITERALS.iter().any(|prefix| literal(name, prefix).is_some());
    is_word(name) && !KEYWORDS.iter().any(|word| word.eq_ignore_ascii_case(name)) && !is_literal()
}

/// Returns whether it consists of words joined with dots.
fn is_path(name: &str) -> bool {
    name.split('.').all(is_word) && literal(name, "ref_").is_none()
}

/// Returns whether it can be written in quotes.
fn is_quotable(name: &str) -> bool {
    !name.is_empty() && !name.chars().any(|it| it.is_control() || it == '"' || it == '\\')
}
