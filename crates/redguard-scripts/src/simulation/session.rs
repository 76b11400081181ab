//! A session: a machine, its world, and how far an update has come.

use std::collections::{BTreeSet, HashSet, VecDeque};
use std::fmt;
use std::sync::Arc;

use asset::thousands;
use json::{Document, Value};
use record::{Error, Result};
use soup::machine::{Event, Flag, Machine, Pace, Stage, State, Stop, Trace, Turn, World};
use soup::text::call_text;

use super::condition::{self, Subject};
use super::happening::{
    Advance, Happening, HappeningKind, Position, Progress, SessionActor, SessionRequest, SessionStop, Watched,
};
use super::{Code, name, save};
use redguard_files::save::Save;
use redguard_world::world::Pose;

/// A world whose actors are updated in an order of its own.
pub(super) trait SessionWorld: World + Send + fmt::Debug {
    /// The same world, to go on with on its own.
    fn copied(&self) -> Box<dyn SessionWorld>;

    /// Begins an update; gives the actors that are updated, in their order.
    fn begin_update(&mut self, state: &mut State) -> Vec<usize>;

    /// What happens to an actor before its script; whether the script is run.
    fn before(&mut self, actor: usize, state: &mut State) -> bool {
        let _ = (actor, state);
        true
    }

    /// What happens to an actor behind its script.
    fn behind(&mut self, actor: usize, state: &mut State) {
        let _ = (actor, state);
    }

    /// Ends an update.
    fn end_update(&mut self, state: &mut State) {
        let _ = state;
    }

    /// The actor that was asked for.
    fn focus(&self) -> Option<usize> {
        None
    }

    /// What it waits for that only the player can do; `None` if nothing, or if the player's inputs are going to do it.
    fn waits_for(&self) -> Option<String> {
        None
    }

    /// The whole state.
    fn state(&self, machine: &Machine) -> Document;

    /// Takes a state back.
    fn restore(&mut self, state: &Document, machine: &mut Machine) -> Result<()>;

    /// Takes over what it knows of a saved game.
    fn load(&mut self, save: &Save) -> Result<()> {
        let _ = save;
        Ok(())
    }

    /// Puts what it knows into a saved game.
    fn store(&self, save: &mut Save) {
        let _ = save;
    }

    /// What happened beside the calls since this was last asked: the actor, what it is, its subject and its text.
    fn take_happenings(&mut self) -> Vec<(usize, HappeningKind, String, String)> {
        Vec::new()
    }

    /// Values of an actor that only this world has: the group, the name and the value.
    fn watch(&self, actor: usize) -> Vec<Watched> {
        let _ = actor;
        Vec::new()
    }

    /// Changes a value that only this world has; whether there is one.
    fn set(&mut self, actor: usize, name: &str, value: i32) -> bool {
        let _ = (actor, name, value);
        false
    }

    /// Where everything is.
    fn pose(&self) -> Option<Pose> {
        None
    }
}

/// An actor of a session.
#[derive(Debug, Clone)]
pub(super) struct Person {
    /// Its object in the map.
    pub(super) object: Option<usize>,
    pub(super) name: String,
    pub(super) instance: usize,
    pub(super) is_scripted: bool,
}

impl Clone for Box<dyn SessionWorld> {
    fn clone(&self) -> Self {
        self.copied()
    }
}

/// Scripts that run. A session can be stopped anywhere, looked into, changed, copied, and gone on with.
#[derive(Debug, Clone)]
pub struct ScriptSession {
    code: Arc<Code>,
    machine: Machine,
    world: Box<dyn SessionWorld>,
    people: Arc<Vec<Person>>,
    /// The actors that are still to be updated.
    waiting: VecDeque<usize>,
    /// The actors whose scripts cannot go on.
    stopped: BTreeSet<usize>,
    /// Whether one actor is updated and no other.
    is_alone: bool,
    turn: Option<Turn>,
    /// Whether an update has begun.
    is_open: bool,
    updates: u32,
    /// The flags as they were when that was last told.
    flags: Vec<Flag>,
    /// The calls of the update that was told last, and of the one before.
    repeats: Repeats,
}

/// Who called what from where, with which arguments and answer.
type Repeated = (usize, u32, Vec<i32>, i32);

/// The calls of two updates.
#[derive(Debug, Clone, Default)]
struct Repeats {
    update: u32,
    now: HashSet<Repeated>,
    before: HashSet<Repeated>,
}

impl Repeats {
    /// Whether the same call was made in the update before, with the same answer.
    fn is_again(&mut self, event: &Event) -> bool {
        if event.update != self.update {
            let last = std::mem::take(&mut self.now);
            let is_next = event.update == self.update.saturating_add(1);
            self.before = if is_next { last } else { HashSet::new() };
            self.update = event.update;
        }
        let call = (event.caller, event.at, event.parameters.clone(), event.result);
        let is_again = self.before.contains(&call);
        self.now.insert(call);
        is_again
    }
}

/// So many calls, and so many other happenings, are kept until they are asked for: scripts can call as often in one update as they like.
pub(super) const MOST_UNTOLD: usize = 1 << 16;

impl ScriptSession {
    pub(super) fn new(
        code: Arc<Code>,
        machine: Machine,
        world: Box<dyn SessionWorld>,
        people: Vec<Person>,
    ) -> Self {
        let mut out = Self {
            code,
            flags: machine.state.flags.clone(),
            machine,
            world,
            people: Arc::new(people),
            waiting: VecDeque::new(),
            stopped: BTreeSet::new(),
            is_alone: false,
            turn: None,
            is_open: false,
            updates: 0,
            repeats: Repeats::default(),
        };
        out.machine.trace = Trace::of(MOST_UNTOLD);
        out
    }

    /// The calls since this was last asked.
    fn take_trace(&mut self) -> Trace {
        std::mem::replace(&mut self.machine.trace, Trace::of(MOST_UNTOLD))
    }

    /// Takes what a request says of the start.
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

    /// Goes on until the update ends, or for one instruction.
    fn go_on(&mut self, advance: Advance) -> std::result::Result<Progress, Stop> {
        if !self.is_open {
            self.waiting = self.world.begin_update(&mut self.machine.state).into();
            self.is_alone = self.waiting.len() == 1;
            self.is_open = true;
        }
        let pace = match advance {
            Advance::Update => Pace::Whole,
            Advance::Instruction => Pace::One,
        };
        loop {
            if let Some(turn) = &mut self.turn {
                let was = turn.cursor();
                let gone = self.machine.go_on(turn, pace, &mut *self.world);
                let actor = turn.actor;
                let is_done = gone.is_err() || turn.is_done();
                // Steps between runs are not worth stopping at.
                let is_step = was.is_some() || turn.cursor().is_some();
                if is_done {
                    self.turn = None;
                    self.world.behind(actor, &mut self.machine.state);
                }
                if let Err(stop) = gone {
                    // One alone stops at the same place again.
                    if !self.is_alone {
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
                self.turn = Some(self.machine.begin(actor));
            } else {
                self.world.behind(actor, &mut self.machine.state);
            }
        }
        self.world.end_update(&mut self.machine.state);
        self.is_open = false;
        self.updates = self.updates.saturating_add(1);
        Ok(Progress::Complete)
    }

    /// The object of the map whose script an actor has; of a shell the one that is called like it.
    fn object(&self, actor: usize) -> Option<usize> {
        match self.people.get(actor) {
            Some(it) => it.object,
            None => self.code.object(&self.machine.state.actors.get(actor)?.name),
        }
    }

    /// An actor for conditions, with a copy of its world.
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

    /// A call as a statement, with what it gave back.
    fn call(&self, event: &Event) -> String {
        let object = self.people.get(event.caller).and_then(|it| it.object).unwrap_or(usize::MAX);
        let text = self
            .code
            .with_surroundings(object, &[], |around| call_text(event.function, &event.parameters, around));
        let object = match event.object.as_str() {
            "me" => String::new(),
            named => format!("{named}."),
        };
        let elapsed = event.elapsed.map_or_else(String::new, |ticks| format!(" after {ticks} ticks"));
        let kind = if event.elapsed.is_some() { format!("{} ", event.kind.name()) } else { String::new() };
        format!("{kind}{object}{text}{elapsed} = {}", event.result)
    }

    fn changed_flags(&mut self) -> Vec<Happening> {
        let named = self.machine.declarations.definitions.flags.iter();
        let pairs = self.machine.state.flags.iter().zip(&self.flags).zip(named);
        let changed = pairs.filter(|((now, before), _)| now != before);
        let out = changed.map(|((now, before), defined)| {
            let latch = match (before.is_latched, now.is_latched) {
                (false, true) => ", latched",
                (true, false) => ", unlatched",
                _ => "",
            };
            Happening {
                update: self.machine.state.update,
                actor: self.turn.as_ref().map_or(usize::MAX, |turn| turn.actor),
                kind: HappeningKind::Flag,
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
    /// Goes on.
    ///
    /// # Errors
    /// What stopped a script. What happened until then can be asked for. When it is gone on with, that script is not run any more.
    pub fn advance(&mut self, advance: Advance) -> std::result::Result<Progress, Box<SessionStop>> {
        self.go_on(advance).map_err(|stop| Box::new(self.stopped(&stop)))
    }

    /// How many updates are complete.
    #[must_use]
    pub fn updates(&self) -> u32 {
        self.updates
    }

    /// How many instructions were run.
    #[must_use]
    pub fn instructions(&self) -> u64 {
        self.machine.instructions
    }

    /// The actors.
    #[must_use]
    pub fn actors(&self) -> Vec<SessionActor> {
        let actors = self.machine.state.actors.iter().enumerate();
        actors
            .map(|(number, actor)| match self.people.get(number) {
                Some(it) => {
                    SessionActor { name: it.name.clone(), instance: it.instance, is_scripted: it.is_scripted }
                }
                // What scripts added: shells, and objects that the map does not have.
                None => SessionActor {
                    name: actor.name.clone(),
                    instance: 0,
                    is_scripted: !actor.program.is_empty(),
                },
            })
            .collect()
    }

    /// How many actors there are. Scripts may add some; none goes away.
    #[must_use]
    pub fn actor_count(&self) -> usize {
        self.machine.state.actors.len()
    }

    /// The number of the actor that was asked for; none where all run.
    #[must_use]
    pub fn focus(&self) -> Option<usize> {
        self.world.focus().or(self.is_alone.then_some(0))
    }

    /// What the session waits for that only the player can do, such as choosing an answer of a menu; `None` if nothing, or if the player's inputs
    /// are going to do it.
    #[must_use]
    pub fn waits_for(&self) -> Option<String> {
        self.world.waits_for()
    }

    /// What runs next; none where no update is open.
    #[must_use]
    pub fn position(&self) -> Option<Position> {
        let turn = self.turn.as_ref()?;
        let at = turn.cursor();
        let program = self.machine.state.actors.get(turn.actor).map(|it| Arc::clone(&it.program));
        let object = self.object(turn.actor);
        let source = object.zip(program.as_deref()).and_then(|(it, program)| self.code.source(it, program));
        Some(Position {
            actor: turn.actor,
            update: self.machine.state.update,
            stage: turn.stage().name(),
            at,
            line: at.zip(source).and_then(|(at, source)| source.line(at)),
        })
    }

    /// What happened since this was last asked.
    pub fn happened(&mut self) -> Vec<Happening> {
        let Trace { events, left_out, .. } = self.take_trace();
        let told = events.iter().filter(|it| it.function != 0);
        let mut out: Vec<Happening> = Vec::new();
        for event in told {
            let is_again = self.repeats.is_again(event);
            let is_visit = matches!(event.stage, Stage::Tasks | Stage::Hook);
            out.push(Happening {
                update: event.update,
                actor: event.caller,
                kind: if is_visit || is_again {
                    HappeningKind::Visit
                } else if self.code.lexicon.speaks(event.function) {
                    HappeningKind::Speech
                } else {
                    HappeningKind::Call
                },
                subject: self.machine.declarations.function(event.function).to_owned(),
                text: self.call(event),
            });
        }
        let update = self.machine.state.update;
        if left_out > 0 {
            let actor = events.last().map_or(0, |event| event.caller);
            let (kind, subject) = (HappeningKind::Call, String::new());
            let text = format!("... and {} more calls", thousands(left_out));
            out.push(Happening { update, actor, kind, subject, text });
        }
        let others = self.world.take_happenings().into_iter();
        out.extend(others.map(|(actor, kind, subject, text)| Happening {
            update,
            actor,
            kind,
            subject,
            text,
        }));
        out.extend(self.changed_flags());
        out
    }

    /// Passes the calls made since the last call of this method or of [`happened`](Self::happened) to `take`, one object each, and returns how
    /// many more there were than are kept. `happened` does not return them again.
    pub fn take_calls(&mut self, take: &mut dyn FnMut(Value)) -> u64 {
        let trace = self.take_trace();
        trace.events.iter().for_each(|event| take(event.json(&self.machine.declarations)));
        trace.left_out
    }

    /// The whole state, from which a session can go on.
    #[must_use]
    pub fn state(&self) -> Document {
        self.world.state(&self.machine)
    }

    /// The text of an actor's script, and for each statement its offset and its line, from 1 on.
    #[must_use]
    pub fn source(&self, actor: usize) -> Option<(String, Vec<(u32, usize)>)> {
        let program = Arc::clone(&self.machine.state.actors.get(actor)?.program);
        let source = self.code.source(self.object(actor)?, &program)?;
        Some((source.text.clone(), source.lines.clone()))
    }

    /// What can be looked at from an actor.
    #[must_use]
    pub fn watch(&self, actor: usize) -> Vec<Watched> {
        let mut out = name::watch(&self.machine, actor);
        out.extend(self.world.watch(actor));
        out
    }

    /// The value of something by its name, or of what a condition can compare: a call of a function, a property of another actor. Nothing is changed
    /// by it.
    ///
    /// # Errors
    /// When there is nothing with this name.
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
                condition::value(&mut self.subject(actor, &mut *self.world.copied()), name)?.to_string()
            );
        }
        Err(name::unknown(name, &self.code, "variable, flag, attribute or property"))
    }

    /// Whether a condition in the language of the scripts holds for an actor. Nothing is changed by it, whatever it calls.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn holds(&self, actor: usize, condition: &str) -> Result<bool> {
        condition::holds(&mut self.subject(actor, &mut *self.world.copied()), condition)
    }

    /// Changes something by its name.
    ///
    /// # Errors
    /// When there is nothing with this name, or it does not take the value.
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

    /// Positions and shown frames of everything that moves, for a picture of what happened; none where the world has none.
    #[must_use]
    pub fn pose(&self) -> Option<Pose> {
        self.world.pose()
    }

    /// The bytes of a saved game with what is known of the state in it; all else in it stays.
    ///
    /// # Errors
    /// When the bytes are no saved game of this game.
    pub fn save_into(&self, bytes: &[u8]) -> Result<Vec<u8>> {
        let mut save = Save::read(bytes)?;
        save::store(&mut save, &self.machine)?;
        self.world.store(&mut save);
        save.write()
    }
}
