//! `antiquary script debug`: runs scripts step by step.

mod command;
mod input;
mod prompt;
mod show;

use std::io::{self, BufReader};
use std::path::PathBuf;

use clap::Args;
use script_tools::debug::Debugger;
use script_tools::debug::adapter::{self, Defaults};

use super::run::Start;
use crate::fault::{Fault, Verdict};
use crate::run::session;
use crate::terminal;

use prompt::Prompt;

/// Run scripts step by step, forward and back
///
/// Shows a prompt with commands to set breakpoints (at lines, functions, flags and dialogue), to step forward and back, and to print and set
/// values; `help` lists them. If standard input is not a terminal, commands are read from it line by line, and the exit code is 1 if one of
/// them failed.
///
/// With --dap, an editor is the front end: it starts this command and communicates with it using the Debug Adapter Protocol. Settings that
/// are missing from its launch configuration are taken from the command line.
#[derive(Debug, Args)]
#[command(after_long_help = examples!(
    "Debug an actor" => "script debug Redguard/maps/ISLAND.RGM --actor DREEKIUS",
    "Read the commands from a file" => "script debug Redguard/maps/ISLAND.RGM --actor DREEKIUS < commands.txt",
    "Start the debug adapter, as an editor does" => "script debug --dap",
))]
pub(super) struct Arguments {
    /// A map (.RGM)
    #[arg(value_name = "MAP", required_unless_present = "dap")]
    map: Option<PathBuf>,
    #[command(flatten)]
    start: Start,
    /// Pause after this number of updates in which no breakpoint was reached
    #[arg(long, value_name = "N", default_value_t = 100_000)]
    updates: u32,
    /// Also show visits to tasks, native hooks, and calls that repeat in each update
    #[arg(long, conflicts_with = "dap")]
    trace: bool,
    /// Run as a debug adapter over standard input and output (Debug Adapter Protocol)
    #[arg(long)]
    dap: bool,
}

pub(super) fn run(arguments: Arguments) -> Result<Verdict, Fault> {
    let Arguments { map, start, updates, trace, dap } = arguments;
    let antiquary = start.games.clone().apply(session());
    if dap {
        let request = start.request(&antiquary)?;
        let defaults = Defaults { program: map, definitions: start.definitions, request, updates };
        let mut output = terminal::raw_output();
        let shutdown = adapter::run(&antiquary, defaults, BufReader::new(io::stdin()), &mut output)?;
        return Fault::from_shutdown(shutdown);
    }
    let map = map.unwrap_or_default();
    let mut debugger = Debugger::new(start.open(&antiquary, &map)?);
    debugger.max_updates = updates;
    Prompt::new(debugger, trace).run()
}
