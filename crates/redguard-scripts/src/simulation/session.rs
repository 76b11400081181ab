//! A session: a machine, its world, and the progress of the current update.

use std::collections::{BTreeSet, HashSet, VecDeque};
use std::fmt;
use std::sync::Arc;

use asset::thousands;
use json::{Document, Value};
use record::{Error, Result};
use soup::machine::{ActorUpdate, Event, Flag, Machine, Pace, Stage, State, Stop, Trace, World};
use soup::text::call_text;

use super::condition::{self, Subject};
use super::event::{
    Advance, Position, Progress, SessionActor, SessionEvent, SessionEventKind, SessionRequest, SessionStop,
    Watched,
};
use super::{Code, name, save};
use redguard_files::save::Save;
use redguard_world::world::Pose;

/// A world that determines the order in which its actors are updated.
pub(super) trait SessionWorld: World + Send + fmt::Debug {
    /// Clones the world.
    fn boxed_clone(&self) -> Box<dyn SessionWorld>;

    /// Begins an update. Returns the actors to update, in order.
    fn begin_update(&mut self, state: &mut State) -> Vec<usize>;

    /// Prepares an actor for its script. Returns whether the script is run.
    fn before(&mut self, actor: usize, state: &mut State) -> bool {
        let _ = (actor, state);
        true
    }

    /// Finishes an actor after its script.
    fn after(&mut self, actor: usize, state: &mut State) {
        let _ = (actor, state);
    }

    /// Ends an update.
    fn end_update(&mut self, state: &mut State) {
        let _ = state;
    }

    /// Returns the only actor that is updated, if any.
    fn focus(&self) -> Option<usize> {
        None
    }

    /// Describes the player's action that the world waits for; `None` if it does not wait, or if the player's inputs will perform
    /// the action.
    fn waits_for(&self) -> Option<String> {
        None
    }

    /// Serializes the complete state.
    fn state(&self, machine: &Machine) -> Document;

    /// Restores a serialized state.
    fn restore(&mut self, state: &Document, machine: &mut Machine) -> Result<()>;

    /// Loads the supported parts of a saved game.
    fn load(&mut self, save: &Save) -> Result<()> {
        let _ = save;
        Ok(())
    }

    /// Stores the supported parts of the state in a saved game.
    fn store(&self, save: &mut Save) {
        let _ = save;
    }

    /// Returns the events other than calls since the last call of this method: actor, kind, subject and text.
    fn take_pending_events(&mut self) -> Vec<(usize, SessionEventKind, String, String)> {
        Vec::new()
    }

    /// Returns the values of an actor that are specific to this world: group, name and value.
    fn watch(&self, actor: usize) -> Vec<Watched> {
        let _ = actor;
        Vec::new()
    }

    /// Sets a value that is specific to this world. Returns `false` if there is no such value.
    fn set(&mut self, actor: usize, name: &str, value: i32) -> bool {
        let _ = (actor, name, value);
        false
    }

    /// Returns the current pose of all objects.
    fn pose(&self) -> Option<Pose> {
        None
    }
}

/// An actor of a session.
#[derive(Debug, Clone)]
pub(super) struct ActorEntry {
    /// The index of the actor's object in the map.
    pub(super) object: Option<usize>,
    pub(super) name: String,
    pub(super) instance: usize,
    pub(super) is_scripted: bool,
}

impl Clone for Box<dyn SessionWorld> {
    fn clone(&self) -> Self {
        self.boxed_clone()
    }
}

/// Running scripts. A session can be stopped anywhere, inspected, changed, cloned, and continued.
#[derive(Debug, Clone)]
pub struct ScriptSession {
    code: Arc<Code>,
    machine: Machine,
    world: Box<dyn SessionWorld>,
    entries: Arc<Vec<ActorEntry>>,
    /// The actors that are still to be updated in this update.
    waiting: VecDeque<usize>,
    /// The actors whose scripts cannot continue.
    stopped: BTreeSet<usize>,
    /// Whether only one actor is updated.
    is_single: bool,
    current: Option<ActorUpdate>,
    /// Whether an update has begun.
    is_open: bool,
    updates: u32,
    /// The flags as of the last report of changed flags.
    flags: Vec<Flag>,
    /// The calls of the last reported update and of the one before.
    repeats: Repeats,
}

/// A call: caller, offset, arguments and result.
type Repeated = (usize, u32, Vec<i32>, i32);

/// The calls of two consecutive updates.
#[derive(Debug, Clone, Default)]
struct Repeats {
    update: u32,
    now: HashSet<Repeated>,
    before: HashSet<Repeated>,
}

impl Repeats {
    /// Whether the same call was made in the previous update with the same result.
    fn is_repeated(&mut self, event: &Event) -> bool {
        if event.update != self.update {
            let last = std::mem::take(&mut self.now);
            let is_next = event.update == self.update.saturating_add(1);
            self.before = if is_next { last } else { HashSet::new() };
            self.update = event.update;
        }
        let call = (event.caller, event.at, event.parameters.clone(), event.result);
        let is_repeated = self.before.contains(&call);
        self.now.insert(call);
        is_repeated
    }
}

/// The maximum number of pending calls, and of other pending events; scripts can call any number of functions in one update.
pub(super) const MAX_PENDING_EVENTS: usize = 1 << 16;

impl ScriptSession {
    pub(super) fn new(
        code: Arc<Code>,
        machine: Machine,
        world: Box<dyn SessionWorld>,
        entries: Vec<ActorEntry>,
    ) -> Self {
        let mut out = Self {
            code,
            flags: machine.state.flags.clone(),
            machine,
            world,
            entries: Arc::new(entries),
            waiting: VecDeque::new(),
            stopped: BTreeSet::new(),
            is_single: false,
            current: None,
            is_open: false,
            updates: 0,
            repeats: Repeats::default(),
        };
        out.machine.trace = Trace::with_capacity(MAX_PENDING_EVENTS);
        out
    }

    /// Returns the calls since the last call of this method.
    fn take_trace(&mut self) -> Trace {
        std::mem::replace(&mut self.machine.trace, Trace::with_capacity(MAX_PENDING_EVENTS))
    }

    /// Applies the initial state of a request.
    pub(super) fn prepare(&mut self, request: &SessionRequest) -> Result<()> {
        let refused = |error: Error| error.in_field("--save");
        if let Some(save) = save::of(request).map_err(refused)? {
            save::load(&save, &mut self.machine).and_then(|()| self.world.load(&save)).map_err(refused)?;
        }
        if let Some(state) = &request.state {
            self.world.restore(state, &mut self.machine)?;
            self.updates = self.machine.state.update;
        }
        for (flag, value) in &request.flags {
            let number = self.machine.declarations.flag_number(flag);
            let known = number.and_then(|it| self.machine.state.flags.get_mut(usize::from(it)));
            let known = known.ok_or_else(|| name::unknown(flag, &self.code, "flag"))?;
            known.value = name::number(value)?;
        }
        self.flags.clone_from(&self.machine.state.flags);
        Ok(())
    }

    /// Runs until the end of the update, or for one instruction.
    fn run_until(&mut self, advance: Advance) -> std::result::Result<Progress, Stop> {
        if !self.is_open {
            self.waiting = self.world.begin_update(&mut self.machine.state).into();
            self.is_single = self.waiting.len() == 1;
            self.is_open = true;
        }
        let pace = match advance {
            Advance::Update => Pace::Stage,
            Advance::Instruction => Pace::Instruction,
        };
        loop {
            if let Some(current) = &mut self.current {
                let was = current.cursor();
                let outcome = self.machine.resume(current, pace, &mut *self.world);
                let actor = current.actor;
                let is_done = outcome.is_err() || current.is_done();
                // Steps between runs are not worth stopping at.
                let is_step = was.is_some() || current.cursor().is_some();
                if is_done {
                    self.current = None;
                    self.world.after(actor, &mut self.machine.state);
                }
                if let Err(stop) = outcome {
                    // A single actor stops at the same statement again.
                    if !self.is_single {
                        self.stopped.insert(actor);
                    }
                    return Err(stop);
                }
                if is_step && advance == Advance::Instruction && !is_done {
                    return Ok(Progress::Inside);
                }
                continue;
            }
            let Some(actor) = self.waiting.pop_front() else { break };
            if self.stopped.contains(&actor) {
                continue;
            }
            if self.world.before(actor, &mut self.machine.state) {
                self.current = Some(self.machine.begin(actor));
            } else {
                self.world.after(actor, &mut self.machine.state);
            }
        }
        self.world.end_update(&mut self.machine.state);
        self.is_open = false;
        self.updates = self.updates.saturating_add(1);
        Ok(Progress::Complete)
    }

    /// Returns the map's object whose script an actor runs; for a shell, the object of the same name.
    fn object(&self, actor: usize) -> Option<usize> {
        match self.entries.get(actor) {
            Some(it) => it.object,
            None => self.code.object(&self.machine.state.actors.get(actor)?.name),
        }
    }

    /// Returns an actor as the subject of conditions, with a copy of its world.
    fn subject<'s>(&'s self, actor: usize, world: &'s mut dyn World) -> Subject<'s> {
        Subject { code: &self.code, machine: &self.machine, world, actor, object: self.object(actor) }
    }

    fn stopped(&self, stop: &Stop) -> SessionStop {
        let code = json::to_value(stop.code).ok();
        SessionStop {
            code: code.and_then(|it| it.as_str().map(str::to_owned)).unwrap_or_default(),
            actor: self.machine.state.actors.get(stop.actor).map(|it| it.name.clone()).unwrap_or_default(),
            update: stop.update,
            stage: stop.stage.name(),
            at: stop.at,
            message: stop.code.message().to_owned(),
        }
    }

    /// Formats a call as a statement with its result.
    fn call(&self, event: &Event) -> String {
        let object = self.entries.get(event.caller).and_then(|it| it.object).unwrap_or(usize::MAX);
        let text = self.code.with_surroundings(object, &[], |surroundings| {
            call_text(event.function, &event.parameters, surroundings)
        });
        let object = match event.object.as_str() {
            "me" => String::new(),
            named => format!("{named}."),
        };
        let elapsed = event.elapsed.map_or_else(String::new, |ticks| format!(" after {ticks} ticks"));
        let kind = if event.elapsed.is_some() { format!("{} ", event.kind.name()) } else { String::new() };
        format!("{kind}{object}{text}{elapsed} = {}", event.result)
    }

    fn changed_flags(&mut self) -> Vec<SessionEvent> {
        let named = self.machine.declarations.definitions.flags.iter();
        let pairs = self.machine.state.flags.iter().zip(&self.flags).zip(named);
        let changed = pairs.filter(|((now, before), _)| now != before);
        let out = changed.map(|((now, before), defined)| {
            let latch = match (before.is_latched, now.is_latched) {
                (false, true) => ", latched",
                (true, false) => ", unlatched",
                _ => "",
            };
            SessionEvent {
                update: self.machine.state.update,
                actor: self.current.as_ref().map_or(usize::MAX, |current| current.actor),
                kind: SessionEventKind::Flag,
                subject: defined.name.clone(),
                text: format!("{} = {}{latch}", defined.name, now.value),
            }
        });
        let out = out.collect::<Vec<_>>();
        if !out.is_empty() {
            self.flags.clone_from(&self.machine.state.flags);
        }
        out
    }
}

impl ScriptSession {
    /// Advances the session.
    ///
    /// # Errors
    /// Returns an error if a script stops. The events up to that point are available. If the session is continued, that script is
    /// not run again.
    pub fn advance(&mut self, advance: Advance) -> std::result::Result<Progress, Box<SessionStop>> {
        self.run_until(advance).map_err(|stop| Box::new(self.stopped(&stop)))
    }

    /// Returns the number of completed updates.
    #[must_use]
    pub fn updates(&self) -> u32 {
        self.updates
    }

    /// Returns the number of executed instructions.
    #[must_use]
    pub fn instructions(&self) -> u64 {
        self.machine.instructions
    }

    /// Returns the actors.
    #[must_use]
    pub fn actors(&self) -> Vec<SessionActor> {
        let actors = self.machine.state.actors.iter().enumerate();
        actors
            .map(|(number, actor)| match self.entries.get(number) {
                Some(it) => {
                    SessionActor { name: it.name.clone(), instance: it.instance, is_scripted: it.is_scripted }
                }
                // Actors added by scripts: shells, and placeholders for objects that the map does not have.
                None => SessionActor {
                    name: actor.name.clone(),
                    instance: 0,
                    is_scripted: !actor.program.is_empty(),
                },
            })
            .collect()
    }

    /// Returns the number of actors. Scripts may add actors; none is ever removed.
    #[must_use]
    pub fn actor_count(&self) -> usize {
        self.machine.state.actors.len()
    }

    /// Returns the index of the only actor that is updated; `None` if all are.
    #[must_use]
    pub fn focus(&self) -> Option<usize> {
        self.world.focus().or(self.is_single.then_some(0))
    }

    /// Describes the player's action that the session waits for, such as choosing an answer of a menu; `None` if it does not
    /// wait, or if the player's inputs will perform the action.
    #[must_use]
    pub fn waits_for(&self) -> Option<String> {
        self.world.waits_for()
    }

    /// Returns the statement that runs next; `None` between updates.
    #[must_use]
    pub fn position(&self) -> Option<Position> {
        let current = self.current.as_ref()?;
        let at = current.cursor();
        let program = self.machine.state.actors.get(current.actor).map(|it| Arc::clone(&it.program));
        let object = self.object(current.actor);
        let source = object.zip(program.as_deref()).and_then(|(it, program)| self.code.source(it, program));
        Some(Position {
            actor: current.actor,
            update: self.machine.state.update,
            stage: current.stage().name(),
            at,
            line: at.zip(source).and_then(|(at, source)| source.line(at)),
        })
    }

    /// Returns the events since the last call of this method.
    pub fn take_events(&mut self) -> Vec<SessionEvent> {
        let Trace { events, left_out, .. } = self.take_trace();
        let calls = events.iter().filter(|it| it.function != 0);
        let mut out: Vec<SessionEvent> = Vec::new();
        for event in calls {
            let is_repeated = self.repeats.is_repeated(event);
            let is_visit = matches!(event.stage, Stage::Tasks | Stage::Hook);
            out.push(SessionEvent {
                update: event.update,
                actor: event.caller,
                kind: if is_visit || is_repeated {
                    SessionEventKind::Visit
                } else if self.code.lexicon.speaks(event.function) {
                    SessionEventKind::Speech
                } else {
                    SessionEventKind::Call
                },
                subject: self.machine.declarations.function(event.function).to_owned(),
                text: self.call(event),
            });
        }
        let update = self.machine.state.update;
        if left_out > 0 {
            let actor = events.last().map_or(0, |event| event.caller);
            let (kind, subject) = (SessionEventKind::Call, String::new());
            let text = format!("... and {} more calls", thousands(left_out));
            out.push(SessionEvent { update, actor, kind, subject, text });
        }
        let others = self.world.take_pending_events().into_iter();
        out.extend(others.map(|(actor, kind, subject, text)| SessionEvent {
            update,
            actor,
            kind,
            subject,
            text,
        }));
        out.extend(self.changed_flags());
        out
    }

    /// Passes the calls since the last call of this method or of [`take_events`](Self::take_events) to `take`, one object each, and
    /// returns the number of calls that were dropped because too many were pending. `take_events` does not return these calls
    /// again.
    pub fn take_calls(&mut self, take: &mut dyn FnMut(Value)) -> u64 {
        let trace = self.take_trace();
        trace.events.iter().for_each(|event| take(event.json(&self.machine.declarations)));
        trace.left_out
    }

    /// Returns the complete state, from which a session can be continued.
    #[must_use]
    pub fn state(&self) -> Document {
        self.world.state(&self.machine)
    }

    /// Returns the text of an actor's script, and the offset and the one-based line of each statement.
    #[must_use]
    pub fn source(&self, actor: usize) -> Option<(String, Vec<(u32, usize)>)> {
        let program = Arc::clone(&self.machine.state.actors.get(actor)?.program);
        let source = self.code.source(self.object(actor)?, &program)?;
        Some((source.text.clone(), source.lines.clone()))
    }

    /// Returns the values of an actor that can be inspected.
    #[must_use]
    pub fn watch(&self, actor: usize) -> Vec<Watched> {
        let mut out = name::watch(&self.machine, actor);
        out.extend(self.world.watch(actor));
        out
    }

    /// Returns the value of a name, or of an operand that conditions can compare: a function call, or a property of another
    /// actor. Nothing is changed.
    ///
    /// # Errors
    /// Returns an error if the name is unknown.
    pub fn get(&self, actor: usize, name: &str) -> Result<String> {
        let found = self.watch(actor).into_iter().find(|it| it.name.eq_ignore_ascii_case(name));
        if let Some(found) = found {
            return Ok(found.value);
        }
        let declarations = &self.machine.declarations;
        let flag = declarations.flag_number(name);
        let flag = flag.and_then(|it| self.machine.state.flags.get(usize::from(it)));
        if let Some(flag) = flag {
            return Ok(flag.value.to_string());
        }
        if let Some(reference) = declarations.property_number(name) {
            let mut world = self.world.clone();
            let mut state = self.machine.state.clone();
            return Ok(world.property(actor, reference, &mut state).to_string());
        }
        let is_formula = name.contains(|letter: char| "(.#\"'".contains(letter));
        if is_formula {
            return Ok(
                condition::value(&mut self.subject(actor, &mut *self.world.boxed_clone()), name)?.to_string()
            );
        }
        Err(name::unknown(name, &self.code, "variable, flag, attribute or property"))
    }

    /// Whether a condition in the language of the scripts holds for an actor. Nothing is changed, whatever functions it calls.
    ///
    /// # Errors
    /// Returns an error if the condition cannot be parsed.
    pub fn holds(&self, actor: usize, condition: &str) -> Result<bool> {
        condition::holds(&mut self.subject(actor, &mut *self.world.boxed_clone()), condition)
    }

    /// Sets a value by name.
    ///
    /// # Errors
    /// Returns an error if the name is unknown, or the value is not valid for it.
    pub fn set(&mut self, actor: usize, name: &str, value: &str) -> Result<()> {
        let number = name::number(value)?;
        if name::set(&mut self.machine, actor, name, number)? || self.world.set(actor, name, number) {
            return Ok(());
        }
        if name.eq_ignore_ascii_case("menu") {
            return Err(Error::usage(match self.world.waits_for() {
                Some(what) => format!("the menu has no such answer; it waits for {what}"),
                None => "no menu is open".to_owned(),
            }));
        }
        let declarations = Arc::clone(&self.machine.declarations);
        let flag = declarations.flag_number(name);
        let flag = flag.and_then(|it| self.machine.state.flags.get_mut(usize::from(it)));
        if let Some(flag) = flag {
            flag.value = number;
            return Ok(());
        }
        let property = declarations.property_number(name);
        let property = property.and_then(|it| Some((it, declarations.property(it)?.width)));
        let Some((reference, width)) = property else {
            return Err(name::unknown(name, &self.code, "variable, flag, attribute or property"));
        };
        self.world.set_property(actor, reference, width.stored(number), &mut self.machine.state);
        Ok(())
    }

    /// Returns the positions and displayed frames of all moving objects, for rendering; `None` if the world has none.
    #[must_use]
    pub fn pose(&self) -> Option<Pose> {
        self.world.pose()
    }

    /// Returns the saved game `bytes` with the supported parts of the state stored in it; all other parts are kept.
    ///
    /// # Errors
    /// Returns an error if the bytes are not a saved game of this game.
    pub fn save_into(&self, bytes: &[u8]) -> Result<Vec<u8>> {
        let mut save = Save::read(bytes)?;
        save::store(&mut save, &self.machine)?;
        self.world.store(&mut save);
        save.write()
    }
}
