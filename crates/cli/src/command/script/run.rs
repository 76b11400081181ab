//! `antiquary script run`: runs scripts and prints events.

use super::script_options;
use std::io::Write;
use std::path::{Path, PathBuf};

use antiquary::files::suggest::did_you_mean;
use antiquary::json::json;
use antiquary::operation::{ResultWriter, schema};
use antiquary::script::{
    Reach, ScriptSession, SessionActor, SessionEvent, SessionEventKind, SessionRequest, labels, parse_flag,
    updates_in,
};
use antiquary::session::{RunRequest, ScriptRun, WrittenRun};
use antiquary::{ErrorJson, Session, Severity};
use clap::{ArgGroup, Args};

use crate::escape::Escaped;
use crate::fault::{Fault, Verdict};
use crate::number::counted;
use crate::outcome::write_findings;
use crate::run::{GameArguments, or_json, overwrite, session};
use crate::style::{ERROR, TITLE};
use crate::terminal::{self, Verbosity};

/// Run scripts as the game does, and print what they do
///
/// Without --host, all objects of the map run in a simulated world, or only the actor of --actor. With --host, only that actor runs, and the
/// file supplies the results of the game's functions. Each line shows the update, the actor, and the event: calls with their results,
/// changed flags, and lines of dialogue. A call that repeats in the next update with the same result is shown only with --trace, as are
/// visits to tasks and native hooks.
#[derive(Debug, Args)]
#[command(group = ArgGroup::new("length").args(["updates", "seconds"]))]
#[command(after_long_help = examples!(
    "Run ten seconds of a map" => "script run Redguard/maps/ISLAND.RGM --seconds 10",
    "Run one actor with a flag set" => "script run Redguard/maps/ISLAND.RGM --actor DREEKIUS --set After_League=1",
    "Write a minute of a map as an animation" => "script run Redguard/maps/ISLAND.RGM --seconds 60 --frames island.glb",
    "Continue a saved game and save the result" => "script run Redguard/maps/ISLAND.RGM --actor DREEKIUS --save SAVEGAME.SAV --save-to NEW.SAV",
    "Run a single actor with results from a file" => "script run Redguard/maps/ISLAND.RGM --actor DREEKIUS --host host.json --updates 20 --json",
))]
pub(super) struct Arguments {
    /// A map (.RGM)
    #[arg(value_name = "MAP")]
    map: PathBuf,
    #[command(flatten)]
    start: Start,
    /// Number of updates to run
    #[arg(long, value_name = "N")]
    updates: Option<u32>,
    /// Number of seconds of game time to run; an update takes 1/12.14 of a second [default: 10]
    #[arg(long, value_name = "S")]
    seconds: Option<f64>,
    /// Write all movements to this .glb file, as an animation of the entire map
    #[arg(long, value_name = "FILE", conflicts_with = "host")]
    frames: Option<PathBuf>,
    /// At the end, write a copy of the saved game of --save with the final flags and items
    #[arg(long, value_name = "FILE.SAV", requires = "save")]
    save_to: Option<PathBuf>,
    /// Overwrite the files of --frames and --save-to if they exist
    #[arg(short, long)]
    force: bool,
    /// Show only the events of this actor, given as NAME or NAME#INSTANCE; can be repeated
    #[arg(long, value_name = "NAME", conflicts_with = "json")]
    only: Vec<String>,
    /// Show only these kinds of events, separated by commas: call, speech, visit, line, flag or recorded
    #[arg(long, value_name = "KIND", value_delimiter = ',', conflicts_with = "json", value_parser = parse_kind)]
    kind: Vec<SessionEventKind>,
    /// Also show visits to tasks, native hooks, and calls that repeat in each update
    #[arg(long, conflicts_with = "json")]
    trace: bool,
    /// Print one JSON object with the final state and all calls
    #[arg(long)]
    json: bool,
}

/// Options for the initial state of a session.
#[derive(Debug, Args)]
pub(super) struct Start {
    /// Run only this actor, given as NAME or #NUMBER
    #[arg(long, value_name = "NAME")]
    pub(super) actor: Option<String>,
    /// Instance of the actor, zero-based
    #[arg(long, value_name = "K", default_value_t = 0, requires = "actor")]
    pub(super) instance: usize,
    /// Read the results of the game's functions from this JSON file
    #[arg(long, value_name = "FILE", requires = "actor")]
    pub(super) host: Option<PathBuf>,
    /// Read the actions of the player from this JSON file
    #[arg(long, value_name = "FILE", conflicts_with = "host")]
    pub(super) player: Option<PathBuf>,
    /// With --player, update all actors instead of those near the player
    ///
    /// The game updates active actors and those in the 18 x 18 cells of 512 world units around the camera. Without --player, all actors
    /// are updated.
    #[arg(long, conflicts_with = "host")]
    pub(super) everywhere: bool,
    /// Number of the world, if several worlds use the map
    #[arg(long, value_name = "N", conflicts_with = "host")]
    pub(super) world: Option<i64>,
    /// Start from the state in this file, as printed by `script run --json`
    #[arg(long, value_name = "FILE", conflicts_with = "host")]
    pub(super) state: Option<PathBuf>,
    /// Start with the flags and items of this saved game
    #[arg(long, value_name = "FILE.SAV", conflicts_with = "state")]
    pub(super) save: Option<PathBuf>,
    /// Start with this value of a flag; can be repeated
    #[arg(long = "set", value_name = "FLAG=VALUE")]
    pub(super) flags: Vec<String>,
    /// Stop after this number of instructions; the game has no such limit
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    pub(super) limit: u64,
    /// Read the names of functions, properties and flags from this file instead of the game's SOUP386.DEF
    #[arg(long = "def", value_name = "FILE")]
    pub(super) definitions: Option<PathBuf>,
    #[command(flatten)]
    pub(super) games: GameArguments,
}

impl Start {
    /// The request for the session, with the contents of all files.
    pub(super) fn request(&self, antiquary: &Session<'_>) -> Result<SessionRequest, Fault> {
        let read = |file: &Option<PathBuf>| file.as_deref().map(|file| antiquary.read_json(file)).transpose();
        Ok(SessionRequest {
            actor: self.actor.clone(),
            instance: self.instance,
            host: read(&self.host)?,
            player: read(&self.player)?,
            reach: if self.everywhere { Reach::Everywhere } else { Reach::AroundPlayer },
            world: self.world,
            limit: self.limit.max(1),
            flags: self.flags.iter().map(|flag| parse_flag(flag)).collect::<Result<_, _>>()?,
            state: self.state.as_deref().map(|file| antiquary.read_state(file)).transpose()?,
            save: self.save.as_deref().map(|save| antiquary.read_save(save)).transpose()?,
        })
    }

    /// Opens the session.
    pub(super) fn open(&self, antiquary: &Session<'_>, map: &Path) -> Result<ScriptSession, Fault> {
        let request = self.request(antiquary)?;
        Ok(antiquary.run_scripts(map, &script_options(self.definitions.as_deref()), &request)?.1)
    }
}

pub(super) fn run(arguments: &Arguments, verbosity: Verbosity) -> Result<Verdict, Fault> {
    match Run::open(arguments) {
        Ok(run) => run.go(verbosity),
        Err(fault) => or_json(arguments.json, schema::SCRIPT_RUN, Err(fault)),
    }
}

/// A session that is run to the end.
struct Run<'a> {
    arguments: &'a Arguments,
    antiquary: Session<'static>,
    run: ScriptRun,
}

impl<'a> Run<'a> {
    fn open(arguments: &'a Arguments) -> Result<Self, Fault> {
        let updates = arguments.count()?;
        let start = &arguments.start;
        let antiquary = start.games.clone().apply(session()).overwrite(overwrite(arguments.force));
        let request = RunRequest {
            map: arguments.map.clone(),
            options: script_options(start.definitions.as_deref()),
            session: start.request(&antiquary)?,
            updates,
            animation: arguments.frames.clone(),
            save_copy: start.save.clone().zip(arguments.save_to.clone()),
        };
        let run = ScriptRun::new(&antiquary, request)?;
        let actors = run.session().actors();
        arguments.check_only(&actors, &labels(&actors))?;
        Ok(Self { arguments, antiquary, run })
    }

    fn go(mut self, verbosity: Verbosity) -> Result<Verdict, Fault> {
        let written = match self.arguments.json {
            true => self.run_for_json()?,
            false => {
                self.run_and_print(verbosity)?;
                self.run.write_files(&self.antiquary)?
            }
        };
        let file = self.arguments.map.display().to_string();
        terminal::message(|out| {
            for stop in self.run.stops() {
                writeln!(out, "{ERROR}error{ERROR:#}: {}: {}", Escaped(&file), Escaped(&stop.to_string()))?;
            }
            Ok(())
        });
        if !self.arguments.json && verbosity > Verbosity::Quiet {
            self.summarize(&file, &written);
        }
        Ok(Verdict::failed_if(!self.run.stops().is_empty()))
    }

    /// Runs all updates and prints the events of each.
    fn run_and_print(&mut self, verbosity: Verbosity) -> Result<(), Fault> {
        let mut out = terminal::output();
        let mut actors = self.run.session().actors();
        let mut names = labels(&actors);
        while self.run.advance()? {
            let events = self.run.session_mut().take_events();
            if verbosity == Verbosity::Quiet {
                continue;
            }
            // Scripts can add actors: shells, and objects that the map does not have.
            if actors.len() != self.run.session().actor_count() {
                actors = self.run.session().actors();
                names = labels(&actors);
            }
            for it in events.iter().filter(|it| self.arguments.shows(&actors, &names, it)) {
                write_event(&mut out, &names, it)?;
            }
        }
        out.flush()?;
        Ok(())
    }

    /// Runs all updates and prints one object. Calls are written as they are made, because their number is unlimited.
    fn run_for_json(&mut self) -> Result<WrittenRun, Fault> {
        let mut writer = ResultWriter::new(terminal::raw_output(), schema::SCRIPT_RUN);
        writer.begin_result("trace")?;
        let ran = self.write_calls(&mut writer);
        let written = ran.and_then(|()| Ok(self.run.write_files(&self.antiquary)?));
        writer.end_list()?;
        writer.members(&self.run.end())?;
        writer.member("state", &self.run.session().state())?;
        writer.end_result()?;
        writer.finish(&match &written {
            Err(Fault::Failed(error)) => json!({ "error": ErrorJson::from(error) }),
            _ => json!({}),
        })?;
        written
    }

    /// Runs all updates and writes their calls.
    fn write_calls(&mut self, writer: &mut ResultWriter<impl Write>) -> Result<(), Fault> {
        while self.run.advance()? {
            let mut written = Ok(());
            self.run.take_calls(&mut |call| {
                if written.is_ok() {
                    written = writer.item(&call);
                }
            });
            written?;
        }
        Ok(())
    }

    fn summarize(&self, file: &str, written: &WrittenRun) {
        let session = self.run.session();
        let updates = counted(session.updates(), "update", "updates");
        let instructions = counted(session.instructions(), "instruction", "instructions");
        let stopped = match self.run.stops().len() {
            0 => String::new(),
            count => format!(", {} stopped", counted(count, "script", "scripts")),
        };
        terminal::message(|out| {
            if let Some(outcome) = &written.animation {
                write_findings(out, outcome, Severity::Note)?;
                for path in &outcome.outputs {
                    writeln!(out, "{TITLE}{}{TITLE:#}: {} poses", Escaped(path), self.run.pose_count())?;
                }
            }
            writeln!(out, "{TITLE}{}{TITLE:#}: {updates}, {instructions}{stopped}", Escaped(file))?;
            for save in &written.saves {
                writeln!(out, "saved to {}", Escaped(&save.display().to_string()))?;
            }
            Ok(())
        });
    }
}

/// Parses the name of a kind of event.
fn parse_kind(text: &str) -> Result<SessionEventKind, String> {
    let names = || SessionEventKind::ALL.iter().map(|kind| kind.name());
    let found = SessionEventKind::ALL.into_iter().find(|kind| kind.name() == text);
    found.ok_or_else(|| format!("expected one of {}", names().collect::<Vec<_>>().join(", ")))
}

impl Arguments {
    /// Refuses names that no actor has.
    fn check_only(&self, actors: &[SessionActor], labels: &[String]) -> Result<(), Fault> {
        let known = || actors.iter().map(|it| it.name.as_str()).chain(labels.iter().map(String::as_str));
        for only in &self.only {
            if !known().any(|name| name.eq_ignore_ascii_case(only)) {
                let meant = did_you_mean(only, known());
                return Err(Fault::usage(format!("--only: no actor is named \"{only}\"{meant}")));
            }
        }
        Ok(())
    }

    /// Whether an event is shown. `labels` are the labels of the actors.
    fn shows(&self, actors: &[SessionActor], labels: &[String], it: &SessionEvent) -> bool {
        let matches_kind = match self.kind.is_empty() {
            true => it.kind != SessionEventKind::Visit || self.trace,
            false => self.kind.contains(&it.kind),
        };
        let names = [actors.get(it.actor).map(|it| &it.name), labels.get(it.actor)];
        let matches_name = |only: &String| names.iter().flatten().any(|name| name.eq_ignore_ascii_case(only));
        matches_kind && (self.only.is_empty() || self.only.iter().any(matches_name))
    }

    /// Number of updates to run.
    fn count(&self) -> Result<u32, Fault> {
        if let Some(updates) = self.updates {
            return Ok(updates);
        }
        Ok(updates_in(self.seconds.unwrap_or(10.0))?)
    }
}

/// Writes an event as one line.
pub(super) fn write_event(out: &mut impl Write, actors: &[String], it: &SessionEvent) -> std::io::Result<()> {
    let actor = actors.get(it.actor).map_or("", String::as_str);
    let actor = Escaped(actor).to_string();
    writeln!(out, "{:>6}  {actor:<9} {}", it.update, Escaped(&it.text))
}
