//! `antiquary script`: converts scripts to text and back.

mod console;
mod debug;
mod functions;
mod lsp;
mod run;
mod test;

use std::io::Write as _;
use std::path::{Path, PathBuf};

use antiquary::json::{Value, json};
use antiquary::operation::{AssembleResult, DisassembleResult, ListResult, OperationResult, schema};
use antiquary::session::FormattedText;
use antiquary::{Outcome, ScriptOptions, Session, Severity};
use clap::{Args, Subcommand};

use crate::escape::Escaped;
use crate::fault::{Fault, Verdict};
use crate::number::counted;
use crate::outcome::{print_report, write_findings, write_headline, write_report, write_verdict};
use crate::run::{EditArguments, GameArguments, or_json, overwrite, print_json, session, writing};
use crate::style::{ERROR, TITLE};
use crate::terminal::{self, Verbosity};

const GRAPH_SCHEMA: &str = "antiquary/script-graph/1";
const FORMAT_SCHEMA: &str = "antiquary/script-fmt/1";

/// Show, edit, run and test scripts (SOUP, in Redguard maps)
///
/// Disassembling a script and assembling the text gives the same bytes. After an edit, everything that refers to a statement (jumps, the
/// targets of End, task labels and the start) is adjusted.
#[derive(Debug, Args)]
#[command(after_long_help = examples!(
    "Show the script of an actor" => "script disasm Redguard/maps/ISLAND.RGM --actor DREEKIUS",
    "Write the scripts of a map into a folder" => "script disasm Redguard/maps/ISLAND.RGM -o island/",
    "Assemble edited scripts into a copy of the map" => "script asm island/ --map Redguard/maps/ISLAND.RGM -o ISLAND.RGM",
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
    Graph(Graph),
    Fmt(Fmt),
    Lsp(lsp::Arguments),
    Run(run::Arguments),
    Debug(debug::Arguments),
    Functions(functions::Arguments),
    Console(console::Arguments),
    Test(test::Arguments),
}

/// Arguments of both directions.
#[derive(Debug, Args)]
struct Shared {
    /// Read the names of functions, properties and flags from this file instead of the game's SOUP386.DEF
    #[arg(long = "def", value_name = "FILE")]
    definitions: Option<PathBuf>,
    /// Overwrite existing files
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
/// With --json, prints the statements of each script as [offset, opcode, operands], the line of each statement in the text, and the problems
/// found.
#[derive(Debug, Args)]
#[command(after_long_help = examples!(
    "Show the script of an actor" => "script disasm Redguard/maps/ISLAND.RGM --actor DREEKIUS",
    "Write the scripts of a map into a folder" => "script disasm Redguard/maps/ISLAND.RGM -o island/",
    "Show gotos as loops and else branches" => "script disasm Redguard/maps/ISLAND.RGM --structured",
    "Write text for Redguard Mod Manager" => "script disasm Redguard/maps/ISLAND.RGM --dialect mm > ISLAND.txt",
    "Print statements and problems as JSON" => "script disasm Redguard/maps/ISLAND.RGM --json",
))]
struct Disasm {
    /// A map (.RGM); with --raw, the file of a single script
    #[arg(value_name = "MAP")]
    map: PathBuf,
    /// Read the file as the bytes of a single script
    #[arg(long, conflicts_with = "actor")]
    raw: bool,
    /// Show only the script of this actor, given as NAME or #NUMBER
    #[arg(long, value_name = "NAME")]
    actor: Option<String>,
    /// Operand encoding of conditions: `game` (default), or `mm` for bytes written by Redguard Mod Manager
    #[arg(long, value_name = "ENCODING", default_value = "game", hide_default_value = true)]
    soup_operands: String,
    /// Show gotos as loops and else branches where these assemble to exactly the same bytes
    #[arg(long)]
    structured: bool,
    /// Dialect of the text: `antiquary` (default), or `mm` for Redguard Mod Manager, which has no syntax for some statements
    #[arg(long, value_name = "DIALECT", default_value = "antiquary", hide_default_value = true)]
    dialect: String,
    /// Output folder for one script file per actor, instead of standard output
    #[arg(short, long = "output", value_name = "DIR", conflicts_with = "json")]
    out: Option<PathBuf>,
    #[command(flatten)]
    shared: Shared,
}

/// Assemble scripts into a copy of a map
///
/// The line `actor "NAME"` of a script file specifies the actor; without it, the file name does. All errors are reported, and if there are
/// any, nothing is written. Scripts of other actors keep their bytes. Strings that the actor does not have yet are added to its string
/// table.
#[derive(Debug, Args)]
#[command(after_long_help = examples!(
    "Assemble edited scripts into a copy of the map" => "script asm island/ --map Redguard/maps/ISLAND.RGM -o ISLAND.RGM",
    "Assemble one script into a copy of the map" => "script asm island/DREEKIUS.soup --map Redguard/maps/ISLAND.RGM -o ISLAND.RGM",
    "Check script files without writing" => "script asm island/ --map Redguard/maps/ISLAND.RGM -o ISLAND.RGM --dry-run",
    "Assemble a script file of Redguard Mod Manager into a copy of the map" => "script asm ISLAND.txt --dialect mm --map Redguard/maps/ISLAND.RGM -o ISLAND.RGM",
    "Write the bytes of a single script" => "script asm GUARD.soup --raw -o GUARD.AI",
))]
struct Asm {
    /// Script files, folders of them, or the JSON printed by `script disasm`
    #[arg(value_name = "FILE|DIR", required = true)]
    texts: Vec<PathBuf>,
    /// Map to copy
    #[arg(long, value_name = "MAP", required_unless_present = "raw")]
    map: Option<PathBuf>,
    /// Write the bytes of a single script, without a map
    #[arg(long, conflicts_with = "map")]
    raw: bool,
    /// Dialect of the text: `antiquary` (default), or `mm` for Redguard Mod Manager
    #[arg(long, value_name = "DIALECT", default_value = "antiquary", hide_default_value = true)]
    dialect: String,
    /// Output file, or a folder to use the name of MAP
    #[arg(short, long = "output", value_name = "OUT")]
    out: PathBuf,
    /// Assemble without writing
    #[arg(long)]
    dry_run: bool,
    #[command(flatten)]
    edit: EditArguments,
    #[command(flatten)]
    shared: Shared,
}

/// Find names and texts in scripts
///
/// NAME is the complete name of a flag, function, property or attribute, or part of a string or of a line of dialogue; case is ignored. Each
/// match is shown with its map, actor, line in the text and kind: read, set, call, hook, string or says.
#[derive(Debug, Args)]
#[command(after_long_help = examples!(
    "Find scripts that set or read a flag" => "script find After_League Redguard/",
    "Find actors that say a word" => "script find \"league\" Redguard/maps/ISLAND.RGM",
    "Print JSON" => "script find Wait Redguard/maps --json",
))]
struct Find {
    /// Name or text to find
    #[arg(value_name = "NAME")]
    name: String,
    /// Maps, folders or games
    #[arg(value_name = "PATH", required = true)]
    paths: Vec<PathBuf>,
    /// Read the names of functions, properties and flags from this file instead of the game's SOUP386.DEF
    #[arg(long = "def", value_name = "FILE")]
    definitions: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    games: GameArguments,
}

/// Show the calls and the uses of names in the scripts of a game
///
/// Prints a graph in the DOT language of Graphviz, or as JSON with the lines of each edge. Its nodes are the routines of all scripts and
/// the names they use: flags, functions, properties, attributes, animations, items, maps, lines of dialogue and strings.
#[derive(Debug, Args)]
#[command(after_long_help = examples!(
    "Draw the scripts that set and read each flag" => "script graph Redguard/ --only flag | dot -Tsvg > flags.svg",
    "Draw the calls between routines" => "script graph Redguard/maps/ISLAND.RGM --only routine | dot -Tsvg > calls.svg",
    "Print all cross-references as JSON" => "script graph Redguard/ --json",
))]
struct Graph {
    /// Maps, folders or games
    #[arg(value_name = "PATH", required = true)]
    paths: Vec<PathBuf>,
    /// Show only this kind: routine, flag, function, property, attribute, animation, item, map, line (of dialogue) or text (strings); can be
    /// repeated
    #[arg(long, value_name = "KIND")]
    only: Vec<String>,
    /// Read the names of functions, properties and flags from this file instead of the game's SOUP386.DEF
    #[arg(long = "def", value_name = "FILE")]
    definitions: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    games: GameArguments,
}

/// Format script files
///
/// The files are overwritten. Only spaces and empty lines change; comments are kept, and so are lines with syntax errors.
#[derive(Debug, Args)]
#[command(after_long_help = examples!(
    "Format all script files in a folder" => "script fmt island/",
    "List files that need formatting" => "script fmt island/ --check",
))]
struct Fmt {
    /// Script files, or folders of them
    #[arg(value_name = "FILE|DIR", required = true)]
    texts: Vec<PathBuf>,
    /// Write nothing; fail if a file would change
    #[arg(long)]
    check: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub(super) fn run(arguments: Arguments, verbosity: Verbosity) -> Result<Verdict, Fault> {
    match arguments.command {
        Command::Disasm(it) => or_json(it.shared.json, schema::SCRIPT_DISASM, disasm(it, verbosity)),
        Command::Find(it) => or_json(it.json, schema::SCRIPT_FIND, find(it)),
        Command::Graph(it) => or_json(it.json, GRAPH_SCHEMA, graph(&it)),
        Command::Fmt(it) => or_json(it.json, FORMAT_SCHEMA, fmt(&it, verbosity)),
        Command::Lsp(it) => lsp::run(it),
        Command::Run(it) => run::run(&it, verbosity),
        Command::Debug(it) => debug::run(it),
        Command::Functions(it) => functions::run(&it),
        Command::Console(it) => console::run(&it),
        Command::Test(it) => test::run(&it, verbosity),
        Command::Asm(it) => or_json(it.shared.json, schema::SCRIPT_ASM, asm(it, verbosity)),
    }
}

/// Script options with a definitions file, if given.
pub(super) fn script_options(definitions: Option<&Path>) -> ScriptOptions {
    let mut options = ScriptOptions::default();
    options.definitions = definitions.map(Path::to_path_buf);
    options
}

impl Shared {
    fn session(&self) -> Session<'static> {
        self.games.clone().apply(session()).overwrite(overwrite(self.force))
    }

    /// Script options, given as (name, value), with the definitions file.
    fn options(&self, options: &[(String, String)]) -> ScriptOptions {
        script_options(self.definitions.as_deref()).options(options)
    }
}

fn disasm(arguments: Disasm, verbosity: Verbosity) -> Result<Verdict, Fault> {
    let Disasm { map, raw, actor, soup_operands, structured, dialect, out, shared } = arguments;
    let mut options = vec![("soup-operands".to_owned(), soup_operands), ("dialect".to_owned(), dialect)];
    options.extend(structured.then(|| ("structured".to_owned(), String::new())));
    options.extend(actor.map(|actor| ("actor".to_owned(), actor)));
    let (session, options) = (shared.session(), shared.options(&options));
    let (outcome, scripts) = if raw {
        let (outcome, script) = session.disassemble_raw_script(&map, &options)?;
        (outcome, vec![script])
    } else {
        session.disassemble_scripts(&map, &options)?
    };
    if verbosity > Verbosity::Quiet && !outcome.warnings.is_empty() {
        terminal::message(|out| write_findings(out, &outcome, Severity::Note));
    }
    if shared.json {
        return print_json(&DisassembleResult::new(&scripts));
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
    let written = session.write_scripts(&map, &scripts, &folder)?;
    if verbosity > Verbosity::Quiet {
        terminal::message(|out| {
            let count = counted(written.len(), "script", "scripts");
            let input = Escaped(&outcome.input);
            writeln!(out, "{TITLE}{input}{TITLE:#}: {count} -> {}", Escaped(&folder.display().to_string()))
        });
    }
    Ok(Verdict::Success)
}

fn asm(arguments: Asm, verbosity: Verbosity) -> Result<Verdict, Fault> {
    let Asm { texts, map, raw: _, dialect, out, dry_run, edit, shared } = arguments;
    let options = shared.options(&[("dialect".to_owned(), dialect)]);
    let session = edit.apply(shared.session()).writing(writing(dry_run));
    let assembled = match (&map, texts.as_slice()) {
        (Some(map), _) => session.assemble_scripts(&texts, map, &out, &options)?,
        (None, [text]) => session.assemble_raw_script(text, &out, &options)?,
        (None, _) => return Err(Fault::usage("--raw requires exactly one script file")),
    };
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
        print_json(&AssembleResult::new(&assembled, session.writing))?;
    } else if problems.is_empty() && (verbosity > Verbosity::Quiet || !outcome.ok) {
        terminal::message(|out| {
            if let Some(path) = outcome.outputs.first() {
                let would = if dry_run { "would be written to" } else { "->" };
                let bytes = counted(outcome.written.unwrap_or_default(), "byte", "bytes");
                let input = Escaped(&outcome.input);
                writeln!(out, "{TITLE}{input}{TITLE:#}: scripts {would} {} ({bytes})", Escaped(path))?;
            }
            write_findings(out, outcome, Severity::Note)?;
            write_verdict(out, outcome)?;
            if !assembled.before.is_empty() {
                writeln!(out, "{TITLE}{}{TITLE:#} already had these errors:", Escaped(&outcome.input))?;
            }
            write_report(out, &assembled.before, Severity::Error)
        });
    }
    Ok(Verdict::failed_if(!outcome.ok))
}

/// Prints the errors of files, and the warnings about folders.
fn print_problems<'a>(outcomes: impl Iterator<Item = &'a Outcome>) {
    for outcome in outcomes {
        match outcome.ok {
            true if outcome.report_only => print_report(&outcome.warnings),
            true => {}
            false => terminal::message(|out| write_headline(out, outcome)),
        }
    }
}

fn find(arguments: Find) -> Result<Verdict, Fault> {
    let Find { name, paths, definitions, json, games } = arguments;
    let session = games.apply(session());
    let found = session.find_in_scripts(&name, &paths, &script_options(definitions.as_deref()))?;
    let is_ok = found.iter().all(|(outcome, _)| outcome.ok);
    print_problems(found.iter().map(|(outcome, _)| outcome));
    let matches = found.iter().flat_map(|(_, matches)| matches);
    if json {
        return print_json(&ListResult::new(schema::SCRIPT_FIND, matches, is_ok));
    }
    let mut out = terminal::output();
    for found_match in matches {
        let word = |key: &str| found_match.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
        let line = found_match
            .get("line")
            .and_then(Value::as_u64)
            .map_or_else(String::new, |line| format!(":{line}"));
        let (map, actor, text) = (word("map"), word("actor"), word("text"));
        let (map, actor, text) = (Escaped(&map), Escaped(&actor), Escaped(&text));
        writeln!(out, "{map} {actor}{line}: {}: {text}", word("kind"))?;
    }
    out.flush()?;
    Ok(Verdict::failed_if(!is_ok))
}

fn graph(arguments: &Graph) -> Result<Verdict, Fault> {
    let session = arguments.games.clone().apply(session());
    let options = script_options(arguments.definitions.as_deref());
    let (outcomes, graph) = session.graph_of_scripts(&arguments.paths, &options, &arguments.only)?;
    let is_ok = outcomes.iter().all(|outcome| outcome.ok);
    print_problems(outcomes.iter());
    if arguments.json {
        let summary = json!({ "nodes": graph.nodes, "ok": is_ok });
        return print_json(&OperationResult::of(GRAPH_SCHEMA, graph.edges, summary, is_ok));
    }
    let mut out = terminal::output();
    write!(out, "{}", graph.dot())?;
    out.flush()?;
    Ok(Verdict::failed_if(!is_ok))
}

fn fmt(arguments: &Fmt, verbosity: Verbosity) -> Result<Verdict, Fault> {
    let done = session().writing(writing(arguments.check)).format_scripts(&arguments.texts)?;
    let is_failed =
        |changed: &Result<bool, _>| changed.as_ref().map_or(true, |changed| *changed && arguments.check);
    let is_ok = !done.iter().any(|it| is_failed(&it.changed));
    if arguments.json {
        let result = |it: &FormattedText| match &it.changed {
            Ok(changed) => json!({ "file": it.file.display().to_string(), "changed": changed }),
            Err(error) => json!({ "file": it.file.display().to_string(), "error": error.to_string() }),
        };
        let results: Vec<_> = done.iter().map(result).collect();
        let summary = json!({ "ok": is_ok, "check": arguments.check });
        return print_json(&OperationResult::of(FORMAT_SCHEMA, results, summary, is_ok));
    }
    terminal::message(|out| {
        for it in &done {
            let file = it.file.display().to_string();
            let file = Escaped(&file);
            match &it.changed {
                Err(error) => writeln!(out, "{ERROR}error{ERROR:#}: {}", Escaped(&error.to_string()))?,
                Ok(true) if arguments.check => writeln!(out, "{TITLE}{file}{TITLE:#}: would change")?,
                Ok(true) if verbosity > Verbosity::Quiet => {
                    writeln!(out, "{TITLE}{file}{TITLE:#}: formatted")?;
                }
                Ok(_) => {}
            }
        }
        Ok(())
    });
    Ok(Verdict::failed_if(!is_ok))
}
