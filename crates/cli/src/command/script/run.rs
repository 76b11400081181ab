//! `antiquary script run`: runs scripts and tells what happens.

use std::io::Write;
use std::path::PathBuf;

use antiquary::asset::script::session::{
    Advance, Happening, HappeningKind, ScriptSession, SessionRequest, SessionStop,
};
use antiquary::{Job, Overwrite};
use clap::{ArgGroup, Args};
use serde_json::{Map, Value, json};

use crate::document::Document;
use crate::escape::Escaped;
use crate::fault::{Fault, Verdict};
use crate::run::{GameArguments, or_json};
use crate::style::{ERROR, TITLE};
use crate::terminal::{self, Verbosity};

const SCHEMA: &str = "antiquary/script-run/1";

/// Nominal updates in a second.
const UPDATES_PER_SECOND: f64 = 12.14;

/// So many calls are kept for `--json`.
const MOST_CALLS: usize = 4 << 20;

/// Run scripts as the game does, and tell what they do
///
/// Without --host all that the map places runs in a world made from the map. With --host one actor runs alone, and the file answers for the world.
/// Each line tells the update, the actor, and what happened: calls with what they gave back, flags that changed, and lines that were spoken. With
/// --trace, tasks are shown each time they are visited.
#[derive(Debug, Args)]
#[command(group = ArgGroup::new("length").args(["updates", "seconds"]))]
#[command(after_long_help = examples!(
    "Run ten seconds of a map" => "script run Redguard/maps/ISLAND.RGM --seconds 10",
    "Run one actor with a flag set" => "script run Redguard/maps/ISLAND.RGM --actor DREEKIUS --set After_League=1",
    "Go on from a saved game, and save what came of it" => "script run Redguard/maps/ISLAND.RGM --actor DREEKIUS --save SAVEGAME.SAV --save-to NEW.SAV",
    "Run an actor alone with answers from a file" => "script run Redguard/maps/ISLAND.RGM --actor DREEKIUS --host host.json --updates 20 --json",
))]
pub(super) struct Arguments {
    /// The file with scripts
    #[arg(value_name = "MAP")]
    map: PathBuf,
    #[command(flatten)]
    start: Start,
    /// How many updates to run
    #[arg(long, value_name = "N")]
    updates: Option<u32>,
    /// How many seconds of the game to run; an update takes 1/12.14 of one [default: 10]
    #[arg(long, value_name = "S")]
    seconds: Option<f64>,
    /// At the end, write a copy of the saved game with the flags as they are then
    #[arg(long, value_name = "FILE.SAV", requires = "save")]
    save_to: Option<PathBuf>,
    /// Overwrite the copy if it exists
    #[arg(short, long, requires = "save_to")]
    force: bool,
    /// Show each visit of a task, too
    #[arg(long, conflicts_with = "json")]
    trace: bool,
    /// Print one JSON object with the state at the end and all calls
    #[arg(long)]
    json: bool,
}

/// What a session begins with.
#[derive(Debug, Args)]
pub(super) struct Start {
    /// Only this actor: its name, or # and its number
    #[arg(long, value_name = "NAME")]
    pub(super) actor: Option<String>,
    /// Which instance of the actor; the first is 0
    #[arg(long, value_name = "K", default_value_t = 0, requires = "actor")]
    pub(super) instance: usize,
    /// Take the answers of the game's functions from this file of JSON
    #[arg(long, value_name = "FILE", requires = "actor")]
    pub(super) host: Option<PathBuf>,
    /// What the player does, as JSON
    #[arg(long, value_name = "FILE", conflicts_with = "host")]
    pub(super) player: Option<PathBuf>,
    /// The number of the world, where several use the map
    #[arg(long, value_name = "N", conflicts_with = "host")]
    pub(super) world: Option<i64>,
    /// Begin with this state, as `--json` prints it
    #[arg(long, value_name = "FILE", conflicts_with = "host")]
    pub(super) state: Option<PathBuf>,
    /// Begin with the flags of this saved game
    #[arg(long, value_name = "FILE.SAV", conflicts_with = "state")]
    pub(super) save: Option<PathBuf>,
    /// Begin with a flag at this value; may be given again
    #[arg(long = "set", value_name = "FLAG=VALUE")]
    pub(super) flags: Vec<String>,
    /// Stop a run after so many instructions, a protection that the game does not have
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    pub(super) limit: u64,
    /// Take the names of functions, properties and flags from this file instead of the game's SOUP386.DEF
    #[arg(long = "def", value_name = "FILE")]
    pub(super) definitions: Option<PathBuf>,
    #[command(flatten)]
    pub(super) games: GameArguments,
}

impl Start {
    /// The request, with all files read. `trace` calls are kept.
    pub(super) fn request(&self, job: &Job, trace: usize) -> Result<SessionRequest, Fault> {
        let read = |file: &Option<PathBuf>| file.as_deref().map(|file| job.read_json(file)).transpose();
        let flags = self.flags.iter().map(|it| match it.split_once('=') {
            Some((flag, value)) => Ok((flag.trim().to_owned(), value.trim().to_owned())),
            None => Err(Fault::usage(format!("--set takes FLAG=VALUE, not \"{it}\""))),
        });
        Ok(SessionRequest {
            actor: self.actor.clone(),
            instance: self.instance,
            host: read(&self.host)?,
            player: read(&self.player)?,
            world: self.world,
            limit: self.limit.max(1),
            flags: flags.collect::<Result<_, _>>()?,
            state: read(&self.state)?.map(state_of),
            save: self.save.as_deref().map(|save| job.read_save(save)).transpose()?,
            trace,
        })
    }

    /// Opens the session.
    pub(super) fn open(&self, map: &std::path::Path, trace: usize) -> Result<Box<dyn ScriptSession>, Fault> {
        let job = self.games.clone().apply(Job::default());
        let request = self.request(&job, trace)?;
        Ok(job.run_scripts(map, self.definitions.as_deref(), &request)?.1)
    }
}

/// The state in what `--json` prints, or the JSON as it is.
fn state_of(json: Value) -> Value {
    json.pointer("/results/0/state").cloned().unwrap_or(json)
}

pub(super) fn run(arguments: &Arguments, verbosity: Verbosity) -> Result<Verdict, Fault> {
    or_json(arguments.json, SCHEMA, go(arguments, verbosity))
}

fn go(arguments: &Arguments, verbosity: Verbosity) -> Result<Verdict, Fault> {
    let updates = arguments.count()?;
    let mut session = arguments.start.open(&arguments.map, if arguments.json { MOST_CALLS } else { 0 })?;
    let mut stop = None;
    let mut out = terminal::output();
    while stop.is_none() && session.updates() < updates {
        stop = session.advance(Advance::Update).err();
        if !arguments.json {
            for it in session.happened() {
                let is_shown = it.kind != HappeningKind::Visit || arguments.trace;
                if is_shown && verbosity > Verbosity::Quiet {
                    write_happening(&mut out, session.as_ref(), &it)?;
                }
            }
        }
    }
    let written = match stop {
        None => arguments.write_save(session.as_ref())?,
        Some(_) => Vec::new(),
    };
    let file = arguments.map.display().to_string();
    if let Some(stop) = &stop {
        out.flush()?;
        terminal::message(|out| {
            writeln!(out, "{ERROR}error{ERROR:#}: {}: {}", Escaped(&file), Escaped(&stop.to_string()))
        });
    }
    if arguments.json {
        let mut document = Document::new(terminal::raw_output(), SCHEMA);
        document.result(&result(arguments, session.as_ref(), stop.as_deref()))?;
        document.finish(&Map::new())?;
    } else {
        out.flush()?;
        if verbosity > Verbosity::Quiet {
            let (updates, instructions) = (session.updates(), session.instructions());
            terminal::message(|out| {
                writeln!(
                    out,
                    "{TITLE}{}{TITLE:#}: {updates} updates, {instructions} instructions",
                    Escaped(&file)
                )?;
                for save in &written {
                    writeln!(out, "saved to {}", Escaped(&save.display().to_string()))?;
                }
                Ok(())
            });
        }
    }
    Ok(Verdict::failed_if(stop.is_some()))
}

impl Arguments {
    /// Writes the copy of the saved game, if one is wanted.
    fn write_save(&self, session: &dyn ScriptSession) -> Result<Vec<PathBuf>, Fault> {
        let Some((save, out)) = self.start.save.as_deref().zip(self.save_to.as_deref()) else {
            return Ok(Vec::new());
        };
        let overwrite = if self.force { Overwrite::Allow } else { Overwrite::Refuse };
        let start = &self.start;
        let files = [&start.host, &start.player, &start.state, &start.definitions];
        let inputs: Vec<_> = files.into_iter().flatten().chain([&self.map]).map(PathBuf::as_path).collect();
        Ok(Job { overwrite, ..Job::default() }.write_save(session, save, &inputs, out)?)
    }

    /// How many updates are run.
    fn count(&self) -> Result<u32, Fault> {
        if let Some(updates) = self.updates {
            return Ok(updates);
        }
        let seconds = self.seconds.unwrap_or(10.0);
        if !(0.0..=1e6).contains(&seconds) {
            return Err(Fault::usage("--seconds takes 0 to 1000000"));
        }
        #[expect(
            clippy::as_conversions,
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "checked above"
        )]
        let updates = (seconds * UPDATES_PER_SECOND).round() as u32;
        Ok(updates)
    }
}

fn result(arguments: &Arguments, session: &dyn ScriptSession, stop: Option<&SessionStop>) -> Value {
    let (trace, left_out) = session.trace();
    let status = match stop.map(|it| it.code.as_str()) {
        None => "ok",
        Some("limit") => "limit",
        Some(_) => "fault",
    };
    let actor =
        session.actors().first().filter(|_| arguments.start.actor.is_some()).map(|it| it.name.clone());
    let map = arguments.map.file_name().unwrap_or_default().to_string_lossy();
    let stop = stop.map(|it| {
        json!({
            "code": it.code, "update": it.update, "stage": it.stage, "at": it.at, "actor": it.actor, "message": it.message,
        })
    });
    json!({
        "map": map,
        "actor": actor,
        "instance": arguments.start.actor.as_ref().map(|_| arguments.start.instance),
        "status": status,
        "updates": session.updates(),
        "instructions": session.instructions(),
        "stop": stop,
        "state": session.state(),
        "trace": trace,
        "trace_left_out": left_out,
    })
}

/// One line of what happened.
pub(super) fn write_happening(
    out: &mut impl Write,
    session: &dyn ScriptSession,
    it: &Happening,
) -> std::io::Result<()> {
    let actors = session.actors();
    let actor = actors.get(it.actor).map_or("", |it| it.name.as_str());
    writeln!(out, "{:>6}  {:<9} {}", it.update, Escaped(actor), Escaped(&it.text))
}
