//! The program `antiquary`: reads, checks, converts and edits files of old games.
//!
//! [`arguments`] defines the command line; each command is in its own file under [`command`]. The formats, their options and their outputs
//! are declared by the library; nothing here is specific to a format.

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

mod arguments;
mod change;
mod command;
mod escape;
mod fault;
mod format_option;
mod interrupt;
mod number;
mod outcome;
mod run;
mod style;
mod table;
mod terminal;
mod tree;

use std::process::ExitCode;

use terminal::Verbosity;

/// Exit code that shells report after SIGINT (128 plus its number).
const INTERRUPTED: i32 = 130;

fn main() -> ExitCode {
    // On SIGINT, SIGTERM and SIGHUP, remove unfinished files. If the handler cannot be installed, the program still works.
    let _ = ctrlc::set_handler(|| {
        if interrupt::is_caught() {
            return;
        }
        antiquary::files::sink::abandon();
        std::process::exit(INTERRUPTED);
    });
    let (cli, matches) = match arguments::parse(std::env::args_os()) {
        Ok(parsed) => parsed,
        // Help and version also end up here; clap chooses the exit code.
        Err(error) => error.exit(),
    };
    if let Some(charset) = cli.charset {
        antiquary::asset::replace_charset(charset);
    }
    if cli.follow_links {
        run::follow_links();
    }
    if cli.verbosity.level() > Verbosity::Quiet {
        run::check_games(&matches);
    }
    let verdict = match cli.command {
        Some(command) => command.run(cli.verbosity.level(), &matches, arguments::with_all_options),
        None => arguments::print_overview(),
    };
    match verdict {
        Ok(verdict) => verdict.exit_code(),
        Err(fault) => fault.exit_code(),
    }
}
