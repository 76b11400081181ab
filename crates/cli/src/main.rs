//! The program `antiquary`: opens the worlds of old games.
//!
//! [`arguments`] says what can be asked for; each command stands in a file of its own below [`command`]. Which formats there are, what can
//! be asked of them and what they become is declared by the library; nothing here knows a format.

mod arguments;
mod change;
mod command;
mod document;
mod fault;
mod format_option;
mod number;
mod outcome;
mod run;
mod shown;
mod style;
mod table;
mod terminal;
mod tree;

use std::process::ExitCode;

fn main() -> ExitCode {
    let (cli, matches) = match arguments::parse(std::env::args_os()) {
        Ok(parsed) => parsed,
        // Help and version are no errors; the exit code tells them apart.
        Err(error) => error.exit(),
    };
    let verdict = match cli.command {
        Some(command) => command.run(cli.loudness.level(), &matches, arguments::command),
        None => arguments::print_overview(),
    };
    match verdict {
        Ok(verdict) => verdict.exit_code(),
        Err(fault) => fault.exit_code(),
    }
}
