//! A world that returns results from a file.

use std::collections::{BTreeMap, HashMap};
use std::fmt;

use json::Value as Json;
use serde::Deserialize;

use super::actor::Actor;
use super::declarations::Declarations;
use super::fault::FaultCode;
use super::world::{Invocation, ObjectName, State, World};

/// The contents of a host file. All members are optional.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct HostFile {
    /// Results of functions, one per call. The last one repeats.
    pub results: BTreeMap<String, Vec<i32>>,
    /// Results of functions, one per update. The last one repeats.
    pub queries: BTreeMap<String, Vec<i32>>,
    /// The length of each update in 1/256 of a nominal update. The last one repeats.
    pub frame_scale: Vec<i32>,
    /// The result of all other functions.
    pub default: i32,
    /// The initial state.
    pub start: HostStart,
}

/// The initial state.
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

/// The initial state of a global flag.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HostFlag {
    /// The value.
    pub value: i32,
    /// Whether the flag was set: 0 or 1, or false or true.
    #[serde(default)]
    pub latch: Latch,
}

/// Whether a flag was set, as a number or a Boolean.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(untagged)]
pub enum Latch {
    /// As a number; 0 means no.
    Number(i64),
    /// As a Boolean.
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

/// An invalid host file.
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
    /// Returns an error if the file is not JSON or has unknown members.
    pub fn read(json: &[u8]) -> Result<Self, HostError> {
        json::from_slice(json).map_err(|error| HostError(error.to_string()))
    }

    /// Reads a file from parsed JSON.
    ///
    /// # Errors
    /// The same as for [`read`](Self::read).
    pub fn from_json(json: Json) -> Result<Self, HostError> {
        json::from_value(json).map_err(|error| HostError(error.to_string()))
    }
}

/// The maximum number of objects. A script that counts could otherwise name any number of them.
const MAX_OBJECTS: usize = 1 << 14;

/// A world that returns results from a file: every object that a script names exists, all properties start at 0, and only the actor is
/// updated.
#[derive(Debug, Clone)]
pub struct RecordedWorld {
    results: HashMap<u16, Results>,
    queries: HashMap<u16, Vec<i32>>,
    scales: Vec<i32>,
    default: i32,
    /// The number of each object by lowercase name.
    objects: HashMap<String, usize>,
    /// Object names by number.
    names: Vec<String>,
    properties: BTreeMap<(usize, u16), i32>,
}

/// Results and the number of those already used.
#[derive(Debug, Clone)]
struct Results {
    values: Vec<i32>,
    used: usize,
}

impl RecordedWorld {
    /// Creates the world of a file with one actor, number 0. Applies the initial state of the file to `state`.
    ///
    /// # Errors
    /// Returns an error if the file names functions, flags or properties that the game does not have.
    pub fn new(file: HostFile, state: &mut State, declarations: &Declarations) -> Result<Self, HostError> {
        let by_number = |values: BTreeMap<String, Vec<i32>>, member: &str| {
            let mut out = HashMap::new();
            for (name, values) in values {
                let number = declarations.function_number(&name);
                let number = number.ok_or_else(|| unknown(&format!("{member}.{name}"), "function"))?;
                if !values.is_empty() {
                    out.insert(number, values);
                }
            }
            Ok::<_, HostError>(out)
        };
        let results = by_number(file.results, "results")?;
        let mut out = Self {
            results: results
                .into_iter()
                .map(|(number, values)| (number, Results { values, used: 0 }))
                .collect(),
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
            let field = format!("start.properties.{name}");
            let (object, reference) =
                property_of(&name, declarations).ok_or_else(|| unknown(&field, "property"))?;
            let object = out.number(object, state);
            let width = declarations.width(reference).ok_or_else(|| unknown(&field, "property"))?;
            out.properties.insert((object, reference), width.stored(value));
        }
        Ok(out)
    }

    /// Starts an update.
    pub fn begin_update(&self, state: &mut State) {
        state.update = state.update.saturating_add(1);
        state.frame_scale = at_or_last(&self.scales, state.update).unwrap_or(256);
    }

    /// Returns the properties other than 0, as `object.name`.
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

    /// Returns the number of a known object.
    fn known(&self, name: &str) -> Option<usize> {
        self.objects.get(&name.to_lowercase()).copied()
    }

    /// Returns the number of an object, which is added if it is unknown.
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

fn unknown(field: &str, noun: &str) -> HostError {
    HostError(format!("{field}: the game has no such {noun}"))
}

/// Splits `object.name` into the object and the property. Both names may contain dots.
fn property_of<'a>(name: &'a str, declarations: &Declarations) -> Option<(&'a str, u16)> {
    let dots = name.match_indices('.').map(|(at, _)| at);
    dots.into_iter().find_map(|at| {
        let (object, rest) = name.split_at_checked(at)?;
        let reference = declarations.property_number(rest.strip_prefix('.')?)?;
        Some((object, reference))
    })
}

/// Returns the result of an update; the last one repeats.
fn at_or_last(values: &[i32], update: u32) -> Option<i32> {
    let index = usize::try_from(update.saturating_sub(1)).unwrap_or(usize::MAX);
    values.get(index).or_else(|| values.last()).copied()
}

impl World for RecordedWorld {
    fn call(
        &mut self,
        call: &mut Invocation<'_>,
        state: &mut State,
        _: &Declarations,
    ) -> Result<Option<i32>, FaultCode> {
        if let Some(results) = self.results.get_mut(&call.function) {
            let result = results.values.get(results.used).or_else(|| results.values.last()).copied();
            results.used = results.used.saturating_add(1);
            return Ok(result);
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
            _ if state.actors.len() >= MAX_OBJECTS => {
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
