//! The prompt: reads and runs commands.

use std::collections::BTreeSet;
use std::io::{self, Write};

use antiquary::script::{SessionEvent, SessionEventKind, labels};
use script_tools::debug::{Backward, Debugger, MAIN, Motion, Observer, Reason, Trigger};

use super::super::run::write_event;
use super::command::{Command, Group, Location};
use super::input::{Input, Words};
use super::show;
use crate::escape::Escaped;
use crate::fault::{Fault, Verdict};
use crate::interrupt::InterruptListener;
use crate::style::ERROR;
use crate::terminal::{self, Output};

/// Maximum number of statements run by one step command.
const MAX_STEPS: u32 = 1_000_000;

/// A session at a prompt.
pub(super) struct Prompt {
    debugger: Debugger,
    /// The selected actor, whose text and values are shown.
    actor: usize,
    /// Whether visits of tasks are shown.
    is_tracing: bool,
    out: Output,
}

/// The reason that a command failed.
enum Failure {
    /// The command cannot be run.
    Command(String),
    /// The output cannot be written.
    Output(io::Error),
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::Output(error)
    }
}

impl From<antiquary::Error> for Failure {
    fn from(error: antiquary::Error) -> Self {
        Self::Command(error.to_string())
    }
}

/// Prints events and handles Ctrl-C.
struct Printer<'a> {
    out: &'a mut Output,
    actors: Vec<String>,
    is_tracing: bool,
    interrupts: InterruptListener,
    failed: Option<io::Error>,
}

impl Observer for Printer<'_> {
    fn on_event(&mut self, it: &SessionEvent) {
        if self.failed.is_none() && (self.is_tracing || it.kind != SessionEventKind::Visit) {
            self.failed = write_event(&mut self.out, &self.actors, it).err();
        }
    }

    fn should_pause(&mut self) -> bool {
        self.interrupts.is_pressed() || self.failed.is_some()
    }
}

impl Prompt {
    pub(super) fn new(debugger: Debugger, is_tracing: bool) -> Self {
        let actor = debugger.first_actor();
        Self { debugger, actor, is_tracing, out: terminal::output() }
    }

    /// Reads and runs commands until the end of the input.
    pub(super) fn run(mut self) -> Result<Verdict, Fault> {
        let mut input = Input::open();
        let mut last: Option<Command> = None;
        let mut has_failed = false;
        if input.is_terminal() {
            writeln!(self.out, "type help for a list of commands")?;
        }
        loop {
            self.out.flush()?;
            let prompt = format!("({}) ", Escaped(self.debugger.name(self.actor)));
            let Some(line) = input.next(&prompt, || self.words())? else { break };
            if !input.is_terminal() && !line.trim().is_empty() {
                writeln!(self.out, "{prompt}{}", Escaped(line.trim()))?;
            }
            let command = match Command::read(&line) {
                Ok(Some(Command::Quit)) => break,
                Ok(Some(command)) => command,
                Ok(None) => match last.clone().filter(|_| input.is_terminal()) {
                    Some(command) => command,
                    None => continue,
                },
                Err(why) => {
                    self.print_error(&why)?;
                    has_failed = true;
                    continue;
                }
            };
            last = Some(command.clone()).filter(Command::is_repeated);
            match self.run_command(command) {
                Ok(()) => {}
                Err(Failure::Command(why)) => {
                    self.print_error(&why)?;
                    has_failed = true;
                }
                Err(Failure::Output(error)) => return Err(error.into()),
            }
        }
        self.out.flush()?;
        Ok(Verdict::failed_if(has_failed && !input.is_terminal()))
    }

    fn print_error(&mut self, why: &str) -> io::Result<()> {
        writeln!(self.out, "{ERROR}error{ERROR:#}: {}", Escaped(why))
    }

    fn run_command(&mut self, command: Command) -> Result<(), Failure> {
        let actor = self.actor;
        match command {
            Command::Help => show::help(&mut self.out)?,
            Command::Break(location, stop_condition) => {
                let trigger = self.trigger(location)?;
                if let Some(condition) = &stop_condition.condition {
                    let owner = if let Trigger::Statement { actor, .. } = trigger { actor } else { actor };
                    self.debugger.holds(owner, condition)?;
                }
                let id = self.debugger.breakpoints.add_conditional(trigger, stop_condition);
                self.breakpoints(Some(id))?;
            }
            Command::Delete(None) => self.debugger.breakpoints.clear(),
            Command::Delete(Some(id)) => {
                if !self.debugger.breakpoints.remove(id) {
                    return Err(Failure::Command(format!("breakpoint {id} does not exist")));
                }
            }
            Command::Breaks => self.breakpoints(None)?,
            Command::Continue(updates) => {
                let usual = self.debugger.max_updates;
                self.debugger.max_updates = updates.unwrap_or(usual);
                let result = self.go(Motion::Continue, 1);
                self.debugger.max_updates = usual;
                result?;
            }
            Command::Step(count) => self.go(Motion::Step(self.stepped_actor()), count)?,
            Command::Next(count) => self.go(Motion::Next(actor), count)?,
            Command::Out => self.go(Motion::Out(actor), 1)?,
            Command::Finish => self.go(Motion::Update, 1)?,
            Command::Back(count) => self.go_back(Backward::Step(Some(actor)), count)?,
            Command::Reverse => self.go_back(Backward::Stop, 1)?,
            Command::Restart => self.go_back(Backward::Start, 1)?,
            Command::List(line) => self.list(line)?,
            Command::Print(name) => {
                let value = self.debugger.get(actor, &name)?;
                writeln!(self.out, "{} = {}", Escaped(&name), Escaped(&value))?;
            }
            Command::Set(name, value) => {
                self.debugger.set(actor, &name, &value)?;
                let value = self.debugger.get(actor, &name)?;
                writeln!(self.out, "{} = {}", Escaped(&name), Escaped(&value))?;
            }
            Command::Show(group, text) => self.show(group, &text)?,
            Command::Actors(text) => self.actors(&text)?,
            Command::Actor(name) => {
                self.actor = self.debugger.find(&name)?;
                self.list(None)?;
            }
            Command::Where => show::position(&mut self.out, &mut self.debugger)?,
            Command::State => {
                for line in format!("{:#}", self.debugger.state()).lines() {
                    writeln!(self.out, "{}", Escaped(line))?;
                }
            }
            Command::Quit => {}
        }
        Ok(())
    }

    /// The actor to step: the selected one, or any if nothing has run and no actor was requested.
    fn stepped_actor(&self) -> Option<usize> {
        (self.debugger.ticks() > 0 || self.debugger.focus().is_some()).then_some(self.actor)
    }

    fn go(&mut self, motion: Motion, count: u32) -> Result<(), Failure> {
        self.repeat(count, |debugger, printer| debugger.go(motion, printer))
    }

    fn go_back(&mut self, motion: Backward, count: u32) -> Result<(), Failure> {
        self.repeat(count, |debugger, printer| debugger.go_back(motion, printer))
    }

    /// Moves `count` times, or until the first unexpected stop, and shows the new position.
    fn repeat(
        &mut self,
        count: u32,
        step: impl Fn(&mut Debugger, &mut Printer<'_>) -> Reason,
    ) -> Result<(), Failure> {
        self.out.flush()?;
        let (actors, is_tracing) = (labels(self.debugger.actors()), self.is_tracing);
        let interrupts = InterruptListener::start();
        let mut printer = Printer { out: &mut self.out, actors, is_tracing, interrupts, failed: None };
        let mut reason = Reason::Arrived;
        for _ in 0..count.min(MAX_STEPS) {
            reason = step(&mut self.debugger, &mut printer);
            if reason != Reason::Arrived || printer.should_pause() {
                break;
            }
        }
        if let Some(error) = printer.failed {
            return Err(error.into());
        }
        if let Some(position) = self.debugger.position() {
            self.actor = position.actor;
        }
        show::reason(&mut self.out, &reason)?;
        show::position(&mut self.out, &mut self.debugger)?;
        Ok(())
    }

    fn trigger(&mut self, location: Location) -> Result<Trigger, Failure> {
        let (actor, at) = match location {
            Location::Call(name) => return Ok(Trigger::Call(name)),
            Location::Flag(name) => return Ok(Trigger::Flag(name)),
            Location::Dialogue => return Ok(Trigger::Dialogue),
            Location::Line(actor, line) => {
                let (actor, listing) = self.listing(actor.as_deref())?;
                let found = listing.statement_from(line);
                let why = || Failure::Command(format!("no statement at or after line {line}"));
                (actor, found.ok_or_else(why)?.0)
            }
            Location::Offset(actor, at) => {
                let (actor, listing) = self.listing(actor.as_deref())?;
                if !listing.has(at) {
                    return Err(Failure::Command(format!("no statement starts at 0x{at:x}")));
                }
                (actor, at)
            }
        };
        Ok(Trigger::Statement { actor, at })
    }

    /// An actor, by default the selected one, and its text.
    fn listing(
        &mut self,
        name: Option<&str>,
    ) -> Result<(usize, std::sync::Arc<script_tools::debug::Listing>), Failure> {
        let actor = name.map_or(Ok(self.actor), |name| self.debugger.find(name))?;
        let listing = self.debugger.listing(actor);
        let name = self.debugger.name(actor);
        Ok((actor, listing.ok_or_else(|| Failure::Command(format!("{name} has no script")))?))
    }

    fn breakpoints(&mut self, only: Option<u32>) -> io::Result<()> {
        let all = self.debugger.breakpoints.all().to_vec();
        if all.is_empty() {
            return writeln!(self.out, "no breakpoints");
        }
        for it in all.iter().filter(|it| only.is_none_or(|id| id == it.id)) {
            show::breakpoint(&mut self.out, &mut self.debugger, it)?;
        }
        Ok(())
    }

    fn list(&mut self, around: Option<usize>) -> Result<(), Failure> {
        let (actor, listing) = self.listing(None)?;
        let position = self.debugger.position().filter(|it| it.actor == actor);
        let here = match position {
            Some(position) => position.line,
            None => self.debugger.cursor(actor, MAIN).and_then(|at| listing.line_of(at)),
        };
        show::list(&mut self.out, &self.debugger, actor, &listing, here, around)?;
        Ok(())
    }

    fn show(&mut self, group: Group, text: &str) -> io::Result<()> {
        let all = self.debugger.watch(self.actor);
        let text = text.to_lowercase();
        let state = self.debugger.state();
        let changed = state.get("flags").and_then(|it| it.as_object());
        let is_shown = |it: &&antiquary::script::Watched| {
            let matches = it.name.to_lowercase().contains(&text);
            matches
                && match group {
                    Group::Locals => it.group == "local",
                    Group::Tasks => it.group == "task",
                    Group::Flags if text.is_empty() => {
                        it.group == "flag" && changed.is_none_or(|changed| changed.contains_key(&it.name))
                    }
                    Group::Flags => it.group == "flag",
                    Group::All => it.group != "flag",
                }
        };
        if show::values(&mut self.out, all.iter().filter(is_shown))? == 0 {
            writeln!(self.out, "none")?;
        }
        Ok(())
    }

    fn actors(&mut self, text: &str) -> io::Result<()> {
        let text = text.to_lowercase();
        for (index, it) in self.debugger.actors().iter().enumerate() {
            if it.is_scripted && it.name.to_lowercase().contains(&text) {
                let mark = if index == self.actor { "=>" } else { "" };
                writeln!(self.out, "{mark:>3} #{index:<4} {}#{}", Escaped(&it.name), it.instance)?;
            }
        }
        Ok(())
    }

    /// Words for completion in the current state.
    fn words(&mut self) -> Words {
        let named = |groups: fn(&str) -> bool, all: &[antiquary::script::Watched]| {
            all.iter().filter(|it| groups(it.group)).map(|it| it.name.clone()).collect::<Vec<_>>()
        };
        let watched = self.debugger.watch(self.actor);
        let scripted = self.debugger.actors().iter().filter(|it| it.is_scripted);
        let actors: BTreeSet<String> = scripted.map(|it| it.name.clone()).collect();
        let text = self.debugger.listing(self.actor).map(|it| functions(&it.text)).unwrap_or_default();
        Words {
            actors: actors.into_iter().collect(),
            functions: text,
            values: named(|_| true, &watched),
            flags: named(|group| group == "flag", &watched),
        }
    }
}

/// The words that precede opening parentheses.
fn functions(text: &str) -> Vec<String> {
    let is_part = |it: char| it.is_alphanumeric() || it == '_';
    let before =
        text.match_indices('(').filter_map(|(at, _)| text.get(..at)?.rsplit(|it| !is_part(it)).next());
    let names: BTreeSet<&str> = before.filter(|it| !it.is_empty()).collect();
    names.into_iter().map(str::to_owned).collect()
}
