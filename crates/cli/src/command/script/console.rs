//! `antiquary script console`: lists the commands and cheats of a game's console.

use std::io::Write as _;

use antiquary::operation::{NoSummary, OperationResult};
use antiquary::script::{ConsoleCommand, Mark, console_commands};
use clap::Args;

use crate::fault::{Fault, Verdict};
use crate::run::{or_json, print_json};
use crate::terminal;

const SCHEMA: &str = "antiquary/script-console/1";

/// List the commands and cheats of the game's console
///
/// Each line has the name, the short name, the arguments, and the effect. Effects that end in [?] are inferred from the name.
#[derive(Debug, Args)]
#[command(after_long_help = examples!(
    "List all commands" => "script console",
    "Show a command with its operations" => "script console object",
    "Print all commands as JSON" => "script console --json",
))]
pub(super) struct Arguments {
    /// Show only the command or cheat with this name or short name
    #[arg(value_name = "NAME")]
    name: Option<String>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub(super) fn run(arguments: &Arguments) -> Result<Verdict, Fault> {
    or_json(arguments.json, SCHEMA, list(arguments))
}

fn list(arguments: &Arguments) -> Result<Verdict, Fault> {
    let commands = console_commands(arguments.name.as_deref())?;
    if arguments.json {
        return print_json(&OperationResult::of(SCHEMA, commands, NoSummary {}, true));
    }
    let mut out = terminal::output();
    for command in &commands {
        writeln!(out, "{}", line(command))?;
        let operations = command.operations.iter().filter(|_| arguments.name.is_some());
        for it in operations {
            let call = format!("{} {}", it.name, it.arguments);
            writeln!(out, "  {call:<32} {}{}", it.effect, doubt(it.mark))?;
        }
    }
    out.flush()?;
    Ok(Verdict::Success)
}

fn line(command: &ConsoleCommand) -> String {
    let kind = command.alias.map_or_else(|| "cheat".to_owned(), |alias| format!("({alias})"));
    let call = format!("{} {}", command.name, command.arguments);
    format!("{call:<34} {kind:<9} {}{}", command.effect, doubt(command.mark))
}

/// The end of a line whose effect is uncertain.
const fn doubt(mark: Mark) -> &'static str {
    match mark {
        Mark::Stated => "",
        _ => " [?]",
    }
}
