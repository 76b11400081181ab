//! Execution of the scripts of a map: a single script with recorded answers, or all scripts in a world built from the map.
//!
//! Each actor has a script, executed by [`soup::machine`], and a body with its position, attributes and animation. The game
//! functions that affect bodies are simulated in one module per subject and listed in `function.rs`; calls of all other functions
//! are only recorded.

mod action;
mod attachment;
mod body;
mod call;
mod condition;
mod dialogue;
mod event;
mod field;
mod function;
mod game;
mod host;
mod item;
mod map;
mod motion;
mod name;
mod paths;
mod player;
mod query;
mod save;
mod session;
mod sync;
#[cfg(test)]
mod tests;
mod walk;
mod window;
mod world;

use std::sync::{Arc, OnceLock};

use asset::Report;
use record::{Error, Result};
use scene::Scene;
use soup::bytecode::{Call, Operands, Script, Value};
use soup::machine::{Actor, DEFAULT_LIMIT, Declarations, Hook, Program};
use soup::text::SourceContext;
use soup::{Lexicon, SpokenLines};

use crate::script::{OPERANDS, ScriptContext};
use redguard_world::map::script::{Scripts, lexicon_of};
use redguard_world::map::{Map, Object};
use redguard_world::world::Pose;

pub use event::{
    Advance, Position, Progress, Reach, SessionActor, SessionEvent, SessionEventKind, SessionRequest,
    SessionStop, Watched, labels, parse_flag, updates_in,
};
pub use function::{Fidelity, FunctionFacts};
pub use session::ScriptSession;

use session::ActorEntry;

/// Starts a session that runs scripts of a map: a single actor if the request has a file of answers, otherwise everything that
/// the map places.
///
/// # Errors
/// Returns an error if the definitions cannot be read, or the map does not have a requested object.
pub fn run(map: &Map, script_context: &ScriptContext<'_>, request: &SessionRequest) -> Result<ScriptSession> {
    let scripts = Scripts::of_game(map, &script_context.context, script_context.definitions)?;
    let code = Code::new(&scripts, script_context.context.options.choice(&OPERANDS));
    let request =
        &SessionRequest { world: request.world.or_else(|| save::world(request)), ..request.clone() };
    let index = request.actor.as_deref().map(|name| scripts.find(name)).transpose()?;
    scripts.check_limits(index.filter(|_| request.host.is_some()))?;
    let mut session = match (&request.host, index) {
        (Some(_), None) => {
            return Err(Error::usage(
                "required with --host, because recorded answers are for a single actor",
            )
            .in_field("--actor"));
        }
        (Some(_), Some(index)) => host::session(&scripts, code, index, request)?,
        (None, _) => map::session(&scripts, &code, script_context, request)?,
    };
    session.prepare(request)?;
    Ok(session)
}

/// Describes the functions that the scripts of a game call, and how each is simulated.
///
/// # Errors
/// Returns an error if the definitions cannot be read.
pub fn functions(script_context: &ScriptContext<'_>) -> Result<Vec<FunctionFacts>> {
    let lexicon = lexicon_of(&script_context.context, script_context.definitions)?;
    Ok(function::facts(lexicon.definitions()))
}

/// Builds an animated scene of a map from consecutive poses.
///
/// # Errors
/// Returns an error if the scene would be too large.
pub fn animation(
    map: &Map,
    script_context: &ScriptContext<'_>,
    poses: &[Pose],
    report: &mut Report,
) -> Result<Scene> {
    let name = script_context.file_name.rsplit_once('.').map_or(script_context.file_name, |(stem, _)| stem);
    redguard_world::world::animated_scene(map, &script_context.context, name, poses, report)
}

/// The scripts of a map, for inspection while they run.
#[derive(Debug)]
pub(super) struct Code {
    pub(super) lexicon: Lexicon,
    pub(super) declarations: Arc<Declarations>,
    pub(super) spoken: Option<Arc<SpokenLines>>,
    operands: Operands,
    /// The names of the objects of the map.
    names: Vec<String>,
    /// The text of each script, created on first use.
    sources: Vec<OnceLock<Source>>,
}

/// The text of a script, and the line of each statement by its offset.
#[derive(Debug, Clone, Default)]
pub(super) struct Source {
    pub(super) text: String,
    pub(super) lines: Vec<(u32, usize)>,
}

impl Source {
    /// Returns the line of the statement that contains an offset.
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

    /// Returns the script of an object.
    fn program(&self, scripts: &Scripts<'_>, object: &Object) -> Arc<Program> {
        let bytes = scripts.sections.script(object).unwrap_or_default();
        let texts = scripts.texts(object);
        let (base, start) = (object.script_offset, object.script_start);
        Arc::new(Program::new(bytes, base, start, self.operands, texts, &self.declarations))
    }

    /// Creates an instance of an object in its initial state.
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

    /// Returns the text of an object's script.
    fn source(&self, object: usize, program: &Program) -> Option<&Source> {
        let slot = self.sources.get(object)?;
        Some(slot.get_or_init(|| {
            let script = Script::read(program.bytes(), program.start, self.operands);
            self.with_surroundings(object, &program.texts, |surroundings| {
                let text = script.text(surroundings);
                let at = script.statements.iter().map(|it| it.at);
                Source { lines: at.zip(text.lines.iter().copied()).collect(), text: text.text }
            })
        }))
    }

    fn with_surroundings<T>(
        &self,
        object: usize,
        texts: &[String],
        run: impl FnOnce(&SourceContext<'_>) -> T,
    ) -> T {
        let actor = self.names.get(object).map_or("", String::as_str);
        let spoken = |label: &str| self.spoken.as_ref()?.get(label).map(str::to_owned);
        run(&SourceContext { lexicon: &self.lexicon, actor, index: object, texts, spoken: &spoken })
    }

    /// Returns the index of the object with this name.
    pub(super) fn object(&self, name: &str) -> Option<usize> {
        self.names.iter().position(|it| it.eq_ignore_ascii_case(name))
    }

    /// Returns the spoken text of a dialogue label.
    pub(super) fn spoken(&self, label: &str) -> Option<&str> {
        self.spoken.as_ref()?.get(label)
    }
}

/// Returns the maximum number of instructions of a run.
const fn limit(request: &SessionRequest) -> u64 {
    if request.limit == 0 { DEFAULT_LIMIT } else { request.limit }
}

/// Creates the description of an actor of a session.
fn actor_entry(object: usize, name: String, instance: usize, actor: &Actor) -> ActorEntry {
    ActorEntry { object: Some(object), name, instance, is_scripted: !actor.program.is_empty() }
}
