//! `antiquary script`: scripts as text, and back.

use std::io::Write as _;
use std::path::PathBuf;

use antiquary::asset::sink::WriteMode;
use antiquary::{Job, Overwrite, Severity};
use clap::{Args, Subcommand};
use serde_json::{Map, Value};

use crate::document::{Document, members};
use crate::escape::Escaped;
use crate::fault::{Fault, Verdict};
use crate::number::{count_of, counted};
use crate::outcome::{write_findings, write_headline, write_verdict};
use crate::run::{GameArguments, or_json};
use crate::style::TITLE;
use crate::terminal::{self, Verbosity};

const DISASM_SCHEMA: &str = "antiquary/script-disasm/1";
const FIND_SCHEMA: &str = "antiquary/script-find/1";
const ASM_SCHEMA: &str = "antiquary/script-asm/1";

/// Show and edit scripts as text (SOUP, in maps of Redguard)
///
/// A script that is disassembled and assembled again gives the same bytes. In an edited text, jumps, the targets of End, labels of tasks and
/// the start follow the statements that they name.
#[derive(Debug, Args)]
#[command(after_long_help = examples!(
    "Show the script of an actor" => "script disasm Redguard/maps/ISLAND.RGM --actor DREEKIUS",
    "Write the scripts of a map into a folder" => "script disasm Redguard/maps/ISLAND.RGM -o island/",
    "Put edited scripts into a copy of the map" => "script asm island/ --map Redguard/maps/ISLAND.RGM -o ISLAND.RGM",
))]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Disasm(Disasm),
    Asm(Asm),
    Find(Find),
}

/// What both take.
#[derive(Debug, Args)]
struct Shared {
    /// Take the names of functions, properties and flags from this file instead of the game's SOUP386.DEF
    #[arg(long = "def", value_name = "FILE")]
    definitions: Option<PathBuf>,
    /// Overwrite files that exist
    #[arg(short, long)]
    force: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    games: GameArguments,
}

/// Show scripts as text
///
/// With --json, each script has its statements as [offset, opcode, operands], the line of each in the text, and what is wrong with it.
#[derive(Debug, Args)]
#[command(after_long_help = examples!(
    "Show the script of an actor" => "script disasm Redguard/maps/ISLAND.RGM --actor DREEKIUS",
    "Write the scripts of a map into a folder" => "script disasm Redguard/maps/ISLAND.RGM -o island/",
    "Print statements and what is wrong with them" => "script disasm Redguard/maps/ISLAND.RGM --json",
))]
struct Disasm {
    /// The file with scripts
    #[arg(value_name = "MAP")]
    map: PathBuf,
    /// Only the script of this actor: its name, or # and its number
    #[arg(long, value_name = "NAME")]
    actor: Option<String>,
    /// Who wrote the operands of conditions: `game`, or `mm` for bytes written by Redguard Mod Manager
    #[arg(long, value_name = "WHO", default_value = "game", hide_default_value = true)]
    soup_operands: String,
    /// A folder for one text per actor, instead of standard output
    #[arg(short, long = "output", value_name = "DIR", conflicts_with = "json")]
    out: Option<PathBuf>,
    #[command(flatten)]
    shared: Shared,
}

/// Put scripts into a copy of a map
///
/// A text says in its line `actor "NAME"` whose script it is, else its file name does. All errors are reported, and then nothing is written.
/// What the texts do not name keeps its bytes. Texts in quotes that the actor does not have yet are added to its table.
#[derive(Debug, Args)]
#[command(after_long_help = examples!(
    "Put edited scripts into a copy of the map" => "script asm island/ --map Redguard/maps/ISLAND.RGM -o ISLAND.RGM",
    "Put one script into a copy of the map" => "script asm island/DREEKIUS.soup --map Redguard/maps/ISLAND.RGM -o ISLAND.RGM",
    "Check texts without writing" => "script asm island/ --map Redguard/maps/ISLAND.RGM -o ISLAND.RGM --dry-run",
))]
struct Asm {
    /// Texts, folders of texts, or the JSON that `script disasm` prints
    #[arg(value_name = "FILE|DIR", required = true)]
    texts: Vec<PathBuf>,
    /// The map
    #[arg(long, value_name = "MAP")]
    map: PathBuf,
    /// The output file, or a folder to use the name of MAP
    #[arg(short, long = "output", value_name = "OUT")]
    out: PathBuf,
    /// Assemble without writing
    #[arg(long)]
    dry_run: bool,
    #[command(flatten)]
    shared: Shared,
}

/// Find where scripts name something
///
/// NAME is a flag, function or property, whole and in any letter case, or a part of a text or of a spoken line. Each place is shown with its
/// map, actor, line in the text and kind: read, set, call, hook, string or says.
#[derive(Debug, Args)]
#[command(after_long_help = examples!(
    "Find who sets or reads a flag" => "script find After_League Redguard/",
    "Find who says something" => "script find \"league\" Redguard/maps/ISLAND.RGM",
    "Print JSON" => "script find Wait Redguard/maps --json",
))]
struct Find {
    /// What to find
    #[arg(value_name = "NAME")]
    name: String,
    /// Maps, folders or games
    #[arg(value_name = "PATH", required = true)]
    paths: Vec<PathBuf>,
    /// Take the names of functions, properties and flags from this file instead of the game's SOUP386.DEF
    #[arg(long = "def", value_name = "FILE")]
    definitions: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    games: GameArguments,
}

pub(super) fn run(arguments: Arguments, verbosity: Verbosity) -> Result<Verdict, Fault> {
    match arguments.command {
        Command::Disasm(it) => or_json(it.shared.json, DISASM_SCHEMA, disasm(it, verbosity)),
        Command::Find(it) => or_json(it.json, FIND_SCHEMA, find(it)),
        Command::Asm(it) => or_json(it.shared.json, ASM_SCHEMA, asm(it, verbosity)),
    }
}

impl Shared {
    fn job(&self) -> Job {
        let overwrite = if self.force { Overwrite::Allow } else { Overwrite::Refuse };
        self.games.clone().apply(Job { overwrite, ..Job::default() })
    }
}

fn disasm(arguments: Disasm, verbosity: Verbosity) -> Result<Verdict, Fault> {
    let Disasm { map, actor, soup_operands, out, shared } = arguments;
    let mut options = vec![("soup-operands".to_owned(), soup_operands)];
    options.extend(actor.map(|actor| ("actor".to_owned(), actor)));
    let job = Job { options, ..shared.job() };
    let (outcome, scripts) = job.disassemble_scripts(&map, shared.definitions.as_deref())?;
    if shared.json {
        let mut document = Document::new(terminal::raw_output(), DISASM_SCHEMA);
        for script in &scripts {
            document.result(&script.facts)?;
        }
        document.finish(&Map::new())?;
        return Ok(Verdict::Success);
    }
    let Some(folder) = out else {
        let mut out = terminal::output();
        for (index, script) in scripts.iter().enumerate() {
            if index > 0 {
                writeln!(out)?;
            }
            write!(out, "{}", script.text)?;
        }
        out.flush()?;
        return Ok(Verdict::Success);
    };
    let written = job.write_scripts(&map, &scripts, &folder)?;
    if verbosity > Verbosity::Quiet {
        terminal::message(|out| {
            let count = counted(count_of(written.len()), "script", "scripts");
            let input = Escaped(&outcome.input);
            writeln!(out, "{TITLE}{input}{TITLE:#}: {count} -> {}", Escaped(&folder.display().to_string()))
        });
    }
    Ok(Verdict::Success)
}

fn asm(arguments: Asm, verbosity: Verbosity) -> Result<Verdict, Fault> {
    let Asm { texts, map, out, dry_run, shared } = arguments;
    let writing = if dry_run { WriteMode::DryRun } else { WriteMode::Write };
    let job = Job { writing, ..shared.job() };
    let assembled = job.assemble_scripts(&texts, &map, &out, shared.definitions.as_deref())?;
    let (outcome, problems) = (&assembled.outcome, &assembled.problems);
    if !problems.is_empty() {
        terminal::message(|out| {
            for (file, it) in problems {
                let file = file.display().to_string();
                let (file, message) = (Escaped(&file), Escaped(&it.message));
                writeln!(out, "{file}:{}:{}: error: {message}", it.line, it.column)?;
            }
            Ok(())
        });
    }
    if shared.json {
        let mut document = Document::new(terminal::raw_output(), ASM_SCHEMA);
        document.result(outcome)?;
        document.finish(&members([("ok", outcome.ok.into()), ("dry_run", dry_run.into())]))?;
    } else if problems.is_empty() && (verbosity > Verbosity::Quiet || !outcome.ok) {
        terminal::message(|out| {
            if let Some(path) = outcome.outputs.first() {
                let would = if dry_run { "would be written to" } else { "->" };
                let bytes = counted(outcome.written.unwrap_or_default(), "byte", "bytes");
                let input = Escaped(&outcome.input);
                writeln!(out, "{TITLE}{input}{TITLE:#}: scripts {would} {} ({bytes})", Escaped(path))?;
            }
            write_findings(out, outcome, Severity::Note)?;
            write_verdict(out, outcome)
        });
    }
    Ok(Verdict::failed_if(!outcome.ok))
}

fn find(arguments: Find) -> Result<Verdict, Fault> {
    let Find { name, paths, definitions, json, games } = arguments;
    let job = games.apply(Job::default());
    let found = job.find_in_scripts(&name, &paths, definitions.as_deref())?;
    let is_ok = found.iter().all(|(outcome, _)| outcome.ok);
    for (outcome, _) in found.iter().filter(|(outcome, _)| !outcome.ok) {
        terminal::message(|out| write_headline(out, outcome));
    }
    let places = found.iter().flat_map(|(_, places)| places);
    if json {
        let mut document = Document::new(terminal::raw_output(), FIND_SCHEMA);
        for place in places {
            document.result(place)?;
        }
        document.finish(&members([("ok", is_ok.into())]))?;
        return Ok(Verdict::failed_if(!is_ok));
    }
    let mut out = terminal::output();
    for place in places {
        let word = |key: &str| place.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
        let line =
            place.get("line").and_then(Value::as_u64).map_or_else(String::new, |line| format!(":{line}"));
        let (map, actor, text) = (word("map"), word("actor"), word("text"));
        let (map, actor, text) = (Escaped(&map), Escaped(&actor), Escaped(&text));
        writeln!(out, "{map} {actor}{line}: {}: {text}", word("kind"))?;
    }
    out.flush()?;
    Ok(Verdict::failed_if(!is_ok))
}
