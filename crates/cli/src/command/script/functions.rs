//! `antiquary script functions`: lists the functions that scripts can call.

use super::script_options;
use std::io::Write as _;
use std::path::PathBuf;

use antiquary::operation::{NoSummary, OperationResult};
use clap::Args;

use crate::escape::Escaped;
use crate::fault::{Fault, Verdict};
use crate::run::{GameArguments, or_json, print_json, session};
use crate::terminal;

const SCHEMA: &str = "antiquary/script-functions/1";

/// List the functions that scripts can call, and how each is simulated
///
/// Each line shows the number of the function, its kind, its name with the number of parameters, how `script run` simulates it, and a
/// description. The simulation is exact, simplified, or recorded, which means that the call is shown but has no effect.
#[derive(Debug, Args)]
#[command(after_long_help = examples!(
    "List the functions of the original game" => "script functions",
    "Print the functions of your game as JSON" => "script functions --game Redguard/ --json",
))]
pub(super) struct Arguments {
    /// Read the names of functions from this file instead of the game's SOUP386.DEF
    #[arg(long = "def", value_name = "FILE")]
    definitions: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    games: GameArguments,
}

pub(super) fn run(arguments: &Arguments) -> Result<Verdict, Fault> {
    or_json(arguments.json, SCHEMA, list(arguments))
}

fn list(arguments: &Arguments) -> Result<Verdict, Fault> {
    let session = arguments.games.clone().apply(session());
    let functions = session.script_functions(&script_options(arguments.definitions.as_deref()))?;
    if arguments.json {
        return print_json(&OperationResult::of(SCHEMA, functions, NoSummary {}, true));
    }
    let mut out = terminal::output();
    for it in &functions {
        let run = format!("{:?}", it.run).to_lowercase();
        let call = format!("{} {}({})", it.kind, it.name, it.parameters);
        let call = Escaped(&call).to_string();
        writeln!(out, "{:>3}  {call:<36} {run:<10} {}", it.number, it.about)?;
    }
    out.flush()?;
    Ok(Verdict::Success)
}
