//! A world that answers from a file.

use std::collections::{BTreeMap, HashMap};
use std::fmt;

use json::Value as Json;
use serde::Deserialize;

use super::actor::Actor;
use super::declarations::Declarations;
use super::fault::FaultCode;
use super::world::{Invocation, ObjectName, State, World};

/// What a file says of the world: all members may be missing.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct HostFile {
    /// Answers of functions, one for each call. The last one repeats.
    pub results: BTreeMap<String, Vec<i32>>,
    /// Answers of functions, one for each update. The last one repeats.
    pub queries: BTreeMap<String, Vec<i32>>,
    /// How long each update is, in 256ths of a nominal one. The last one repeats.
    pub frame_scale: Vec<i32>,
    /// What all other functions answer.
    pub default: i32,
    /// The state at the start.
    pub start: HostStart,
}

/// The state at the start.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct HostStart {
    /// The script-return byte of the actor.
    pub script_rv: u8,
    /// Global flags by name.
    pub flags: BTreeMap<String, HostFlag>,
    /// Properties by object and name: `player.torch_timer`.
    pub properties: BTreeMap<String, i32>,
}

/// A global flag at the start.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HostFlag {
    /// Its value.
    pub value: i32,
    /// Whether it was set: 0 or 1, or false or true.
    #[serde(default)]
    pub latch: Latch,
}

/// Whether a flag was set, as a number or a word.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(untagged)]
pub enum Latch {
    /// As a number; 0 for no.
    Number(i64),
    /// As a word.
    Word(bool),
}

impl Default for Latch {
    fn default() -> Self {
        Self::Word(false)
    }
}

impl Latch {
    pub(super) const fn is_set(self) -> bool {
        match self {
            Self::Number(number) => number != 0,
            Self::Word(is_set) => is_set,
        }
    }
}

/// A host file that cannot be taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HostError(String);

impl fmt::Display for HostError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for HostError {}

impl HostFile {
    /// Reads a file.
    ///
    /// # Errors
    /// When it is not JSON, or has members that are not known.
    pub fn read(json: &[u8]) -> Result<Self, HostError> {
        json::from_slice(json).map_err(|error| HostError(error.to_string()))
    }

    /// The file of some JSON.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    pub fn from_json(json: Json) -> Result<Self, HostError> {
        json::from_value(json).map_err(|error| HostError(error.to_string()))
    }
}

/// So many objects are kept at most: a script that counts can name any number of them.
const MOST_OBJECTS: usize = 1 << 14;

/// A world that answers from a file: every object that a script names exists, all properties are 0 until they are set, and no other object is updated.
#[derive(Debug, Clone)]
pub struct RecordedWorld {
    results: HashMap<u16, Answers>,
    queries: HashMap<u16, Vec<i32>>,
    scales: Vec<i32>,
    default: i32,
    /// The number of each object by its name in lower case.
    objects: HashMap<String, usize>,
    /// The names of the objects by number.
    names: Vec<String>,
    properties: BTreeMap<(usize, u16), i32>,
}

/// Answers, and how many were given.
#[derive(Debug, Clone)]
struct Answers {
    all: Vec<i32>,
    given: usize,
}

impl RecordedWorld {
    /// The world of a file around one actor, which has the number 0. The state is changed to what the file says of the start.
    ///
    /// # Errors
    /// When the file names functions, flags or properties that the game does not have.
    pub fn new(file: HostFile, state: &mut State, declarations: &Declarations) -> Result<Self, HostError> {
        let by_number = |answers: BTreeMap<String, Vec<i32>>, member: &str| {
            let mut out = HashMap::new();
            for (name, answers) in answers {
                let number = declarations.function_number(&name);
                let number = number.ok_or_else(|| unknown(&format!("{member}.{name}"), "function"))?;
                if !answers.is_empty() {
                    out.insert(number, answers);
                }
            }
            Ok::<_, HostError>(out)
        };
        let results = by_number(file.results, "results")?;
        let mut out = Self {
            results: results.into_iter().map(|(number, all)| (number, Answers { all, given: 0 })).collect(),
            queries: by_number(file.queries, "queries")?,
            scales: file.frame_scale,
            default: file.default,
            objects: HashMap::from([("me".to_owned(), 0)]),
            names: vec!["me".to_owned()],
            properties: BTreeMap::new(),
        };
        if let Some(actor) = state.actors.first_mut() {
            actor.script_rv = file.start.script_rv;
        }
        for (name, flag) in file.start.flags {
            let number = declarations.flag_number(&name);
            let known = number.and_then(|it| state.flags.get_mut(usize::from(it)));
            let known = known.ok_or_else(|| unknown(&format!("start.flags.{name}"), "flag"))?;
            (known.value, known.is_latched) = (flag.value, flag.latch.is_set());
        }
        for (name, value) in file.start.properties {
            let place = format!("start.properties.{name}");
            let (object, reference) =
                property_of(&name, declarations).ok_or_else(|| unknown(&place, "property"))?;
            let object = out.number(object, state);
            let width = declarations.width(reference).ok_or_else(|| unknown(&place, "property"))?;
            out.properties.insert((object, reference), width.stored(value));
        }
        Ok(out)
    }

    /// Begins an update.
    pub fn begin_update(&self, state: &mut State) {
        state.update = state.update.saturating_add(1);
        state.frame_scale = at_or_last(&self.scales, state.update).unwrap_or(256);
    }

    /// The properties that are not 0, as `object.name`.
    #[must_use]
    pub fn properties(&self, declarations: &Declarations) -> BTreeMap<String, i32> {
        let set = self.properties.iter().filter(|(_, value)| **value != 0);
        let named = set.filter_map(|((object, reference), value)| {
            let object = self.names.get(*object)?;
            let name = declarations.property(*reference)?.name;
            Some((format!("{object}.{name}"), *value))
        });
        named.collect()
    }

    /// The number of an object, if it is known.
    fn known(&self, name: &str) -> Option<usize> {
        self.objects.get(&name.to_lowercase()).copied()
    }

    /// The number of an object, which is added if it is not known.
    fn number(&mut self, name: &str, state: &mut State) -> usize {
        if let Some(number) = self.known(name) {
            return number;
        }
        let key = name.to_lowercase();
        let number = state.actors.len();
        state.actors.push(Actor { name: name.to_owned(), ..Actor::default() });
        self.names.push(key.clone());
        self.objects.insert(key, number);
        number
    }
}

fn unknown(place: &str, noun: &str) -> HostError {
    HostError(format!("{place}: the game has no such {noun}"))
}

/// The object and the property of `object.name`. Names of both may have dots.
fn property_of<'a>(name: &'a str, declarations: &Declarations) -> Option<(&'a str, u16)> {
    let dots = name.match_indices('.').map(|(at, _)| at);
    dots.into_iter().find_map(|at| {
        let (object, rest) = name.split_at_checked(at)?;
        let reference = declarations.property_number(rest.strip_prefix('.')?)?;
        Some((object, reference))
    })
}

/// The answer of an update; the last one repeats.
fn at_or_last(answers: &[i32], update: u32) -> Option<i32> {
    let index = usize::try_from(update.saturating_sub(1)).unwrap_or(usize::MAX);
    answers.get(index).or_else(|| answers.last()).copied()
}

impl World for RecordedWorld {
    fn answer(
        &mut self,
        call: &mut Invocation<'_>,
        state: &mut State,
        _: &Declarations,
    ) -> Result<Option<i32>, FaultCode> {
        if let Some(answers) = self.results.get_mut(&call.function) {
            let answer = answers.all.get(answers.given).or_else(|| answers.all.last()).copied();
            answers.given = answers.given.saturating_add(1);
            return Ok(answer);
        }
        let queries = self.queries.get(&call.function);
        Ok(queries.and_then(|queries| at_or_last(queries, state.update)))
    }

    fn fallback(&mut self, _: &Invocation<'_>, _: &mut State) -> i32 {
        self.default
    }

    fn object(&mut self, name: ObjectName<'_>, state: &mut State) -> Result<usize, FaultCode> {
        Ok(match name {
            ObjectName::Me => 0,
            _ if state.actors.len() >= MOST_OBJECTS => {
                self.known(&name.to_string()).ok_or(FaultCode::TooManyObjects)?
            }
            _ => self.number(&name.to_string(), state),
        })
    }

    fn property(&mut self, actor: usize, reference: u16, _: &mut State) -> i32 {
        self.properties.get(&(actor, reference)).copied().unwrap_or_default()
    }

    fn set_property(&mut self, actor: usize, reference: u16, value: i32, _: &mut State) {
        self.properties.insert((actor, reference), value);
    }
}
