//! Runs updates of actors, one run and one instruction at a time.

use std::sync::Arc;

use super::Machine;
use super::actor::Task;
use super::fault::{FaultCode, Stage, Stop};
use super::program::{Instruction, Program, skipped};
use super::world::{CallKind, ObjectName, World};
use crate::bytecode::{Call, Dispatch, Jump, Statement};

/// The execution context of a statement.
#[derive(Debug, Clone, Copy)]
pub(super) struct Frame<'p> {
    /// The actor that runs the statement.
    pub(super) caller: usize,
    /// The actor that `me` and local variables refer to: in the arguments of a call, the called actor.
    pub(super) actor: usize,
    pub(super) stage: Stage,
    pub(super) at: u32,
    pub(super) texts: &'p Texts<'p>,
}

/// The texts that statements refer to by number.
#[derive(Debug, Clone, Copy)]
pub(super) struct Texts<'p> {
    /// The texts of the actor that last entered its script.
    pub(super) own: &'p [String],
    /// The texts of the actor that started the visited task.
    pub(super) starter: &'p [String],
}

impl<'p> Texts<'p> {
    /// Returns a text. If a visited task names a text that the actor which last entered its script does not have, the game reads unrelated
    /// memory; this function returns the text of the actor that started the task.
    pub(super) fn get(&self, number: u32) -> Result<&'p str, FaultCode> {
        let number = usize::try_from(number).map_err(|_| FaultCode::BadStringIndex)?;
        let text = self.own.get(number).or_else(|| self.starter.get(number));
        text.map(String::as_str).ok_or(FaultCode::BadStringIndex)
    }
}

/// The amount of an update to run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pace {
    /// The rest of the current stage.
    Stage,
    /// One instruction, or one visit of a task.
    Instruction,
}

/// An update of an actor in progress.
#[derive(Debug, Clone, PartialEq)]
pub struct ActorUpdate {
    /// The actor.
    pub actor: usize,
    phase: Phase,
    /// The number of instructions that the run may still execute.
    left: u64,
}

/// The next step of an update.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    Hook,
    Script,
    /// Continues at an offset.
    Entry(u32),
    /// Visits the task in a slot.
    Tasks(usize),
    /// Checks whether the main run may continue.
    Gate,
    /// Continues at an offset.
    Main(u32),
    Done,
}

/// The control flow after a statement.
enum Flow {
    Next,
    Goto(u32),
    /// The run ends.
    Stop(RunEnd),
}

/// The way in which a run ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum RunEnd {
    /// Continues after the statement.
    Pause,
    /// `end`: continues at the offset and cancels what the actor waits for.
    End(u32),
    /// Continues at the beginning.
    Interrupt,
    /// A return without a gosub: the main run continues at the beginning, even if the entry run ended.
    Return,
}

impl ActorUpdate {
    /// Returns whether the update is finished.
    #[must_use]
    pub const fn is_done(&self) -> bool {
        matches!(self.phase, Phase::Done)
    }

    /// Returns the offset of the next statement in an entry or main run.
    #[must_use]
    pub const fn cursor(&self) -> Option<u32> {
        match self.phase {
            Phase::Entry(at) | Phase::Main(at) => Some(at),
            _ => None,
        }
    }

    /// Returns the next stage of the update.
    #[must_use]
    pub const fn stage(&self) -> Stage {
        match self.phase {
            Phase::Hook => Stage::Hook,
            Phase::Script | Phase::Entry(_) => Stage::Entry,
            Phase::Tasks(_) => Stage::Tasks,
            Phase::Gate | Phase::Main(_) | Phase::Done => Stage::Main,
        }
    }
}

impl Machine {
    /// Starts an update of an actor.
    #[must_use]
    pub fn begin(&self, actor: usize) -> ActorUpdate {
        let known = self.state.actors.get(actor);
        let is_updated = known.is_some_and(|it| !it.control.is_without_update());
        ActorUpdate { actor, phase: if is_updated { Phase::Hook } else { Phase::Done }, left: self.limit }
    }

    /// Runs one update of an actor.
    ///
    /// # Errors
    /// Returns the reason why the script stopped. The machine keeps its state at that moment.
    pub fn update(&mut self, actor: usize, world: &mut dyn World) -> Result<(), Stop> {
        let mut update = self.begin(actor);
        while !update.is_done() {
            self.resume(&mut update, Pace::Stage, world)?;
        }
        Ok(())
    }

    /// Continues an update.
    ///
    /// # Errors
    /// Returns the reason why the script stopped.
    pub fn resume(
        &mut self,
        update: &mut ActorUpdate,
        pace: Pace,
        world: &mut dyn World,
    ) -> Result<(), Stop> {
        let actor = update.actor;
        match update.phase {
            Phase::Hook => {
                self.hook(actor, world)?;
                update.phase = Phase::Script;
            }
            Phase::Script => update.phase = self.enter(actor),
            Phase::Entry(at) => {
                update.phase = match self.run(update, at, Stage::Entry, pace, world)? {
                    Some(at) => Phase::Entry(at),
                    None => self.after_entry(actor),
                };
            }
            Phase::Tasks(slot) => {
                self.visit(actor, slot, world)?;
                let next = slot.saturating_add(1);
                update.phase = if next < super::SLOTS { Phase::Tasks(next) } else { Phase::Gate };
            }
            Phase::Gate => {
                update.phase = match self.state.actors.get(actor) {
                    Some(it) if it.control.is_without_tasks() || !it.is_blocked() => {
                        update.left = self.limit;
                        Phase::Main(it.main)
                    }
                    _ => Phase::Done,
                };
            }
            Phase::Main(at) => {
                update.phase = match self.run(update, at, Stage::Main, pace, world)? {
                    Some(at) => Phase::Main(at),
                    None => Phase::Done,
                };
            }
            Phase::Done => {}
        }
        Ok(())
    }

    /// Runs the native hook, unless an unpaused task blocks it.
    fn hook(&mut self, actor: usize, world: &mut dyn World) -> Result<(), Stop> {
        let Some(it) = self.state.actors.get(actor) else { return Ok(()) };
        let is_busy = it.slots.iter().flatten().any(|task| !task.is_paused);
        let hook = it.hook.clone().filter(|_| !is_busy && !it.control.is_without_hook());
        let Some(hook) = hook else { return Ok(()) };
        let source = self.source();
        let texts = Texts { own: &source.texts, starter: &[] };
        let frame = Frame { caller: actor, actor, stage: Stage::Hook, at: 0, texts: &texts };
        let declared = self.declarations.parameters.get(usize::from(hook.call.function));
        let count = u32::try_from(hook.call.arguments.len()).ok();
        let result = match declared {
            None => Err(FaultCode::BadFunction),
            Some(declared) if Some(*declared) != count => Err(FaultCode::WrongParameterCount),
            Some(_) => self.call(&hook.call, actor, ObjectName::Me, CallKind::Hook, frame, world).map(|_| ()),
        };
        result.map_err(|code| self.stop(code, frame))
    }

    /// Enters the script of an actor and returns the first phase.
    fn enter(&mut self, actor: usize) -> Phase {
        let Some(it) = self.state.actors.get(actor) else { return Phase::Done };
        if it.control.is_without_script() {
            return Phase::Done;
        }
        let is_ordinary = !it.control.is_without_tasks();
        let entry = it.entry.filter(|entry| !is_ordinary || !it.is_entry_blocked(*entry));
        if is_ordinary {
            self.state.source = actor;
        }
        match entry {
            Some(at) => Phase::Entry(at),
            None => self.after_entry(actor),
        }
    }

    /// Returns the phase after the entry run.
    fn after_entry(&self, actor: usize) -> Phase {
        let is_without_tasks = self.state.actors.get(actor).is_some_and(|it| it.control.is_without_tasks());
        if is_without_tasks { Phase::Gate } else { Phase::Tasks(0) }
    }

    /// Visits the task in a slot, unless it is paused.
    fn visit(&mut self, actor: usize, slot: usize, world: &mut dyn World) -> Result<(), Stop> {
        let scale = self.state.frame_scale;
        let Some(task) = self.task_mut(actor, slot).filter(|task| !task.is_paused) else { return Ok(()) };
        let elapsed = i32::from(task.timer).wrapping_mul(scale) >> 8;
        task.timer = task.timer.wrapping_add(1);
        let (call, order, scratch) = (Arc::clone(&task.call), task.order, task.scratch);
        let starter = Arc::clone(&task.program);
        let kind = if task.is_blocking { CallKind::Task } else { CallKind::Multitask };
        let at = task.at;
        let source = self.source();
        let texts = Texts { own: &source.texts, starter: &starter.texts };
        let frame = Frame { caller: actor, actor, stage: Stage::Tasks, at, texts: &texts };
        let words = (Some(elapsed), scratch);
        let answer = self.invoke(&call, actor, ObjectName::Me, kind, frame, words, world);
        let (result, scratch) = answer.map_err(|code| self.stop(code, frame))?;
        if let Some(stored) = self.state.actors.get_mut(actor).and_then(|it| it.slots.get_mut(slot)) {
            match stored {
                Some(task) if task.order != order => {}
                _ if result == 0 => *stored = None,
                Some(task) => task.scratch = scratch,
                None => {}
            }
        }
        Ok(())
    }

    /// Returns the code of the actor that last entered its script.
    pub(super) fn source(&self) -> Arc<Program> {
        self.state.actors.get(self.state.source).map(|it| Arc::clone(&it.program)).unwrap_or_default()
    }

    fn task_mut(&mut self, actor: usize, slot: usize) -> Option<&mut Task> {
        self.state.actors.get_mut(actor)?.slots.get_mut(slot)?.as_mut()
    }

    /// Runs from an offset until a statement ends the run. Returns the offset to continue at if the run stopped before its end.
    fn run(
        &mut self,
        update: &mut ActorUpdate,
        mut at: u32,
        stage: Stage,
        pace: Pace,
        world: &mut dyn World,
    ) -> Result<Option<u32>, Stop> {
        let actor = update.actor;
        let source = self.source();
        let texts = Texts { own: &source.texts, starter: &[] };
        let mut frame = Frame { caller: actor, actor, stage, at, texts: &texts };
        let Some(program) = self.state.actors.get(actor).map(|it| Arc::clone(&it.program)) else {
            return Ok(None);
        };
        loop {
            frame.at = at;
            let read;
            let instruction = match program.known(at) {
                Some(instruction) => instruction,
                None => {
                    read = program.read(at, &self.declarations).map_err(|code| self.stop(code, frame))?;
                    &read
                }
            };
            update.left = match update.left.checked_sub(instruction.weight) {
                Some(left) => left,
                None => return Err(self.stop(FaultCode::Limit, frame)),
            };
            self.instructions = self.instructions.wrapping_add(1);
            let flow = self.execute(instruction, &program, frame, world);
            at = match flow.map_err(|code| self.stop(code, frame))? {
                Flow::Next => instruction.next,
                Flow::Goto(target) => target,
                Flow::Stop(end) => {
                    self.finish(end, instruction.next, frame, world);
                    return Ok(None);
                }
            };
            if pace == Pace::Instruction {
                return Ok(Some(at));
            }
        }
    }

    #[inline]
    fn execute(
        &mut self,
        instruction: &Instruction,
        program: &Arc<Program>,
        frame: Frame<'_>,
        world: &mut dyn World,
    ) -> Result<Flow, FaultCode> {
        Ok(match &instruction.statement {
            Statement::Assign(variable, formula) => {
                let value = self.formula(formula, frame, world)?;
                self.assign(*variable, value, frame, world)?;
                Flow::Next
            }
            Statement::If { conditions, otherwise } => {
                if self.holds(conditions, frame, world)? {
                    Flow::Next
                } else {
                    Flow::Goto(*otherwise)
                }
            }
            Statement::Jump(Jump::Goto, target) => Flow::Goto(*target),
            Statement::Jump(Jump::End, target) => Flow::Stop(RunEnd::End(*target)),
            Statement::Jump(Jump::Gosub, target) => {
                if let Some(actor) = self.state.actors.get_mut(frame.actor) {
                    actor.return_slot = Some(instruction.next);
                    actor.saved_script_rv = actor.script_rv;
                }
                Flow::Goto(*target)
            }
            Statement::Jump(Jump::StopTask, label) => {
                self.with_tasks(frame, *label, |slot| *slot = None);
                Flow::Next
            }
            Statement::Jump(Jump::PauseTask, label) => {
                self.with_tasks(frame, *label, |slot| pause(slot, true));
                Flow::Next
            }
            Statement::Jump(Jump::ResumeTask, label) => {
                self.with_tasks(frame, *label, |slot| pause(slot, false));
                Flow::Next
            }
            Statement::Call(dispatch, call) => {
                self.self_call(*dispatch, call, instruction, program, frame, world)?
            }
            Statement::ObjectCall(_, object, dispatch, call) => {
                let named = self.named(*object, frame)?;
                let receiver = self.object(*object, frame, world)?;
                match dispatch {
                    Dispatch::Function => {
                        self.call(call, receiver, named, CallKind::Function, frame, world)?;
                    }
                    Dispatch::Task | Dispatch::Multitask => {
                        let operand = instruction.at.wrapping_add(OBJECT_OPERAND);
                        let kind = kind_of(*dispatch);
                        self.start(call, receiver, named, kind, (program, operand), frame, world)?;
                    }
                }
                Flow::Next
            }
            Statement::Step(change, object, reference) => {
                let variable = crate::bytecode::Variable::Property(*object, *reference);
                self.step(variable, *change, frame, world)?;
                Flow::Next
            }
            Statement::Return => match self.state.actors.get_mut(frame.actor) {
                Some(actor) => match actor.return_slot {
                    Some(target) => {
                        actor.script_rv = actor.saved_script_rv;
                        Flow::Goto(target)
                    }
                    None => Flow::Stop(RunEnd::Return),
                },
                None => Flow::Stop(RunEnd::Return),
            },
            Statement::EndInterrupt => Flow::Stop(RunEnd::Interrupt),
            Statement::Anchor(value) => {
                if let Some(actor) = self.state.actors.get_mut(frame.actor) {
                    actor.anchor = *value;
                }
                Flow::Next
            }
            Statement::Yield => Flow::Stop(RunEnd::Pause),
            Statement::ScriptResult(expected) => {
                let actual = self.state.actors.get(frame.actor).map_or(0, |it| it.script_rv);
                let target = skipped(instruction.next);
                match actual == *expected {
                    true => Flow::Next,
                    // Not all bytes to skip exist.
                    false if target > program.len() => return Err(FaultCode::PcOutOfRange),
                    false => Flow::Goto(target),
                }
            }
            Statement::Unreadable(_) => return Err(FaultCode::UnknownOpcode),
        })
    }

    fn self_call(
        &mut self,
        dispatch: Dispatch,
        call: &Call,
        instruction: &Instruction,
        program: &Arc<Program>,
        frame: Frame<'_>,
        world: &mut dyn World,
    ) -> Result<Flow, FaultCode> {
        let kind = kind_of(dispatch);
        if dispatch == Dispatch::Function {
            self.call(call, frame.actor, ObjectName::Me, kind, frame, world)?;
            return Ok(Flow::Next);
        }
        let code = (program, instruction.at.wrapping_add(SELF_OPERAND));
        self.start(call, frame.actor, ObjectName::Me, kind, code, frame, world)?;
        Ok(if dispatch == Dispatch::Task { Flow::Stop(RunEnd::Pause) } else { Flow::Next })
    }

    /// Starts a task for an object, unless it has one from the same statement. Its function runs once, and the slot is used regardless of
    /// the result.
    #[expect(clippy::too_many_arguments, reason = "all that a call consists of")]
    fn start(
        &mut self,
        call: &Call,
        receiver: usize,
        object: ObjectName<'_>,
        kind: CallKind,
        (program, operand): (&Arc<Program>, u32),
        frame: Frame<'_>,
        world: &mut dyn World,
    ) -> Result<(), FaultCode> {
        let is_known = |task: &Task| task.is_at(program, operand);
        if self.state.actors.get(receiver).is_some_and(|it| it.slots.iter().flatten().any(is_known)) {
            return Ok(());
        }
        let words = (Some(0), [0; 4]);
        let (_, scratch) = self.invoke(call, receiver, object, kind, frame, words, world)?;
        let Some(actor) = self.state.actors.get_mut(receiver) else { return Ok(()) };
        let slot = actor.slots.iter_mut().find(|slot| slot.is_none()).ok_or(FaultCode::TooManyTasks)?;
        *slot = Some(Task {
            program: Arc::clone(program),
            operand,
            at: frame.at,
            call: Arc::new(call.clone()),
            is_blocking: kind == CallKind::Task,
            is_paused: false,
            timer: 1,
            scratch,
            order: actor.started,
        });
        actor.started = actor.started.wrapping_add(1);
        Ok(())
    }

    fn with_tasks(&mut self, frame: Frame<'_>, label: u32, run: impl Fn(&mut Option<Task>)) {
        if let Some(actor) = self.state.actors.get_mut(frame.actor) {
            actor.each_task_at(label, run);
        }
    }

    /// Ends a run.
    fn finish(&mut self, end: RunEnd, next: u32, frame: Frame<'_>, world: &mut dyn World) {
        let Some(actor) = self.state.actors.get_mut(frame.actor) else { return };
        let cursor = match end {
            RunEnd::Pause => next,
            RunEnd::End(target) => target,
            RunEnd::Interrupt | RunEnd::Return => 0,
        };
        if frame.stage == Stage::Entry {
            actor.entry = Some(cursor);
        } else {
            actor.main = cursor;
        }
        if end == RunEnd::Return {
            actor.main = 0;
        }
        if frame.stage == Stage::Main && matches!(end, RunEnd::End(_)) {
            world.on_end(frame.actor, &mut self.state);
        }
    }

    fn stop(&self, code: FaultCode, frame: Frame<'_>) -> Stop {
        Stop { code, actor: frame.caller, update: self.state.update, stage: frame.stage, at: frame.at }
    }
}

/// The offset of the operands of a call on the actor itself: they follow the opcode.
const SELF_OPERAND: u32 = 1;

/// The offset of the operands of a call on an object: they follow the opcode, the object and the dispatch.
const OBJECT_OPERAND: u32 = 4;

const fn kind_of(dispatch: Dispatch) -> CallKind {
    match dispatch {
        Dispatch::Task => CallKind::Task,
        Dispatch::Multitask => CallKind::Multitask,
        Dispatch::Function => CallKind::Function,
    }
}

fn pause(slot: &mut Option<Task>, is_paused: bool) {
    if let Some(task) = slot {
        task.is_paused = is_paused;
    }
}
