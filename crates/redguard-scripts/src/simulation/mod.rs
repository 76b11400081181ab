//! Scripts of a map that run, alone with answers from a file or in a world made from the map.
//!
//! Each actor has a script, which [`soup::machine`] runs, and a body: its place, its attributes, its animation. What the game's functions do to
//! bodies is in one file per subject; `function.rs` lists them. All others are recorded.

mod act;
mod ask;
mod body;
mod call;
mod condition;
mod dialogue;
mod family;
mod field;
mod function;
mod game;
mod happening;
mod host;
mod item;
mod map;
mod motion;
mod name;
mod paths;
mod player;
mod save;
mod session;
mod sync;
#[cfg(test)]
mod tests;
mod walk;
mod window;
mod world;

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use asset::Report;
use record::{Error, Result};
use scene::Scene;
use soup::Lexicon;
use soup::bytecode::{Call, Operands, Script, Value};
use soup::machine::{Actor, DEFAULT_LIMIT, Declarations, Hook, Program};
use soup::text::Surroundings;

use crate::script::{OPERANDS, ScriptContext};
use redguard_world::map::script::{Scripts, lexicon_of};
use redguard_world::map::{Map, Object};
use redguard_world::world::Pose;

pub use function::{Fidelity, FunctionFacts};
pub use happening::{
    Advance, Happening, HappeningKind, Position, Progress, Reach, SessionActor, SessionRequest, SessionStop,
    Watched, labels,
};
pub use session::ScriptSession;

use session::Person;

/// Opens the scripts of a map to be run: with a file of answers one actor alone, else all that the map places.
///
/// # Errors
/// When the definitions cannot be read, or the map does not have what is asked for.
pub fn run(map: &Map, around: &ScriptContext<'_>, request: &SessionRequest) -> Result<ScriptSession> {
    let scripts = Scripts::of_game(map, &around.context, around.definitions)?;
    let code = Code::new(&scripts, around.context.options.choice(&OPERANDS));
    let request =
        &SessionRequest { world: request.world.or_else(|| save::world(request)), ..request.clone() };
    let index = request.actor.as_deref().map(|name| scripts.find(name)).transpose()?;
    scripts.refuse_too_much(index.filter(|_| request.host.is_some()))?;
    let mut session = match (&request.host, index) {
        (Some(_), None) => {
            return Err(Error::usage("answers from a file are for one actor").in_field("--actor"));
        }
        (Some(_), Some(index)) => host::session(&scripts, code, index, request)?,
        (None, _) => map::session(&scripts, &code, around, request)?,
    };
    session.prepare(request)?;
    Ok(session)
}

/// The functions that the scripts of a game call, and what each does here.
///
/// # Errors
/// When the definitions cannot be read.
pub fn functions(around: &ScriptContext<'_>) -> Result<Vec<FunctionFacts>> {
    let lexicon = lexicon_of(&around.context, around.definitions)?;
    Ok(function::facts(lexicon.definitions()))
}

/// A map over time: a scene in which everything moves as the poses say, one after another.
///
/// # Errors
/// When the scene would be too large.
pub fn film(map: &Map, around: &ScriptContext<'_>, poses: &[Pose], report: &mut Report) -> Result<Scene> {
    let name = around.file_name.rsplit_once('.').map_or(around.file_name, |(stem, _)| stem);
    redguard_world::world::film(map, &around.context, name, poses, report)
}

/// The scripts of a map, for reading while they run.
#[derive(Debug)]
pub(super) struct Code {
    pub(super) lexicon: Lexicon,
    pub(super) declarations: Arc<Declarations>,
    pub(super) spoken: Option<Arc<BTreeMap<String, String>>>,
    operands: Operands,
    /// The names of the objects of the map.
    names: Vec<String>,
    /// The text of each script, once it was asked for.
    sources: Vec<OnceLock<Source>>,
}

/// The text of a script, and the line of each statement by its offset.
#[derive(Debug, Clone, Default)]
pub(super) struct Source {
    pub(super) text: String,
    pub(super) lines: Vec<(u32, usize)>,
}

impl Source {
    /// The line of the statement at an offset, or of that in which it lies.
    fn line(&self, at: u32) -> Option<usize> {
        let behind = self.lines.partition_point(|(known, _)| *known <= at);
        self.lines.get(behind.checked_sub(1)?).map(|(_, line)| *line)
    }
}

impl Code {
    fn new(scripts: &Scripts<'_>, operands: Operands) -> Arc<Self> {
        let names: Vec<String> = scripts.map.objects().iter().map(|it| it.name.text()).collect();
        Arc::new(Self {
            lexicon: scripts.lexicon.clone(),
            declarations: Arc::new(Declarations::new(scripts.lexicon.definitions())),
            spoken: scripts.spoken.clone(),
            operands,
            sources: names.iter().map(|_| OnceLock::new()).collect(),
            names,
        })
    }

    /// The script of an object.
    fn program(&self, scripts: &Scripts<'_>, object: &Object) -> Arc<Program> {
        let bytes = scripts.sections.script(object).unwrap_or_default();
        let texts = scripts.texts(object);
        let (base, start) = (object.script_offset, object.script_start);
        Arc::new(Program::new(bytes, base, start, self.operands, texts, &self.declarations))
    }

    /// An instance of an object as it is when the map is loaded.
    pub(super) fn actor(&self, scripts: &Scripts<'_>, object: &Object, instance: usize) -> Actor {
        let program = self.program(scripts, object);
        let variables = scripts.sections.variables(object).unwrap_or_default();
        let locals = variables.get(instance).map(|it| it.to_vec()).unwrap_or_default();
        let hook = scripts.sections.hook(object).flatten().map(|hook| {
            let argument = |(opcode, number): &(u8, i32)| match opcode {
                0x16 => Value::Alternate(*number),
                _ => Value::Number(*number),
            };
            let arguments = hook.arguments.iter().map(argument).collect();
            Arc::new(Hook { call: Call { function: hook.function, arguments } })
        });
        let mut actor = Actor::new(object.name.text(), program, locals);
        actor.hook = hook;
        actor
    }

    /// The text of the script of an object.
    fn source(&self, object: usize, program: &Program) -> Option<&Source> {
        let place = self.sources.get(object)?;
        Some(place.get_or_init(|| {
            let script = Script::read(program.bytes(), program.start, self.operands);
            self.with_surroundings(object, &program.texts, |around| {
                let text = script.text(around);
                let at = script.statements.iter().map(|it| it.at);
                Source { lines: at.zip(text.lines.iter().copied()).collect(), text: text.text }
            })
        }))
    }

    fn with_surroundings<T>(
        &self,
        object: usize,
        texts: &[String],
        run: impl FnOnce(&Surroundings<'_>) -> T,
    ) -> T {
        let actor = self.names.get(object).map_or("", String::as_str);
        let spoken = |label: &str| self.spoken.as_ref()?.get(label).cloned();
        run(&Surroundings { lexicon: &self.lexicon, actor, index: object, texts, spoken: &spoken })
    }

    /// The object with a name.
    pub(super) fn object(&self, name: &str) -> Option<usize> {
        self.names.iter().position(|it| it.eq_ignore_ascii_case(name))
    }

    /// What is spoken with a dialogue label.
    pub(super) fn spoken(&self, label: &str) -> Option<&str> {
        self.spoken.as_ref()?.get(label).map(String::as_str)
    }
}

/// How many instructions a run may have.
const fn limit(request: &SessionRequest) -> u64 {
    if request.limit == 0 { DEFAULT_LIMIT } else { request.limit }
}

/// An actor of a session.
fn person(object: usize, name: String, instance: usize, actor: &Actor) -> Person {
    Person { object: Some(object), name, instance, is_scripted: !actor.program.is_empty() }
}
