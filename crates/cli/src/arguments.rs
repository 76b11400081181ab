//! The command line: commands, options, and their help.

use std::ffi::OsString;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;

use antiquary::asset::Charset;
use antiquary::{Can, Format};
use clap::builder::StyledStr;
use clap::error::ErrorKind;
use clap::{ArgAction, ArgMatches, Args, CommandFactory, FromArgMatches, Parser};

use crate::command::Command;
use crate::escape::{Escaped, is_safe};
use crate::fault::{Fault, Verdict};
use crate::format_option;
use crate::terminal::{self, Verbosity};

/// Read, check, convert, edit and write the files of old games
#[derive(Debug, Parser)]
#[command(name = "antiquary", version, max_term_width = 110, infer_subcommands = false)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
    /// Read and write names and text in this charset, such as big5 or windows-1251, instead of the game's default
    #[arg(long, global = true, value_name = "CHARSET", value_parser = charset, display_order = 899)]
    pub(crate) charset: Option<Charset>,
    /// Follow symbolic links in folders even if they lead outside of the folder and the game
    #[arg(long, global = true, display_order = 898)]
    pub(crate) follow_links: bool,
    #[command(flatten)]
    pub(crate) verbosity: VerbosityArguments,
}

fn charset(label: &str) -> Result<Charset, String> {
    Charset::named(label).map_err(|error| error.message().to_owned())
}

/// Options for the amount of messages.
#[derive(Debug, Args)]
pub(crate) struct VerbosityArguments {
    /// Print errors only: no warnings, summary or progress bar
    #[arg(short, long, global = true, conflicts_with = "verbose", display_order = 900)]
    quiet: bool,
    /// Also print notes and the name of each file written
    #[arg(short, long, global = true, action = ArgAction::SetTrue, display_order = 901)]
    verbose: bool,
}

impl VerbosityArguments {
    pub(crate) fn level(&self) -> Verbosity {
        match (self.quiet, self.verbose) {
            (true, _) => Verbosity::Quiet,
            (false, true) => Verbosity::Verbose,
            (false, false) => Verbosity::Normal,
        }
    }
}

/// Commands grouped by task. Each command is in exactly one group.
const GROUPS: &[(&str, &[&str])] = &[
    ("Inspect", &["formats", "scan", "view", "info", "list", "find", "hex", "diff"]),
    ("Check", &["check"]),
    ("Convert and extract", &["convert", "extract"]),
    ("Edit", &["set", "replace", "archive", "build", "script", "unpack", "pack"]),
    ("Getting started", &["demo", "completions", "help"]),
];

/// Commands that take format options.
const WITH_FORMAT_OPTIONS: &[&str] = &["check", "convert", "unpack"];

/// The complete command line, including the options that formats declare. The help shows the options of the `relevant` formats only.
pub(crate) fn command(relevant: &[&'static Format]) -> clap::Command {
    let mut command = Cli::command();
    for name in WITH_FORMAT_OPTIONS {
        command = command.mut_subcommand(name, |command| {
            let command = command.args(format_option::arguments(|_| true, relevant));
            with_format_note(command, (name, "FILE"), relevant)
        });
    }
    command = command.mut_subcommand("replace", |command| {
        let command = command.args(format_option::arguments(format_option::apply_to_replace, relevant));
        with_format_note(command, ("replace", "ARCHIVE"), relevant)
    });
    command = command.mut_subcommand("archive", |archive| {
        archive.mut_subcommand("add", |add| {
            let add = add.args(format_option::arguments(format_option::apply_to_archive_add, relevant));
            with_format_note(add, ("archive add", "ARCHIVE"), relevant)
        })
    });
    command = command.mut_subcommand("build", |build| build.args(format_option::builder_arguments()));
    command = command.mut_subcommand("pack", |pack| pack.args(format_option::import_arguments()));
    command = command.mut_subcommand("convert", |convert| {
        convert.mut_arg("to", |to| to.value_parser(format_option::outputs()))
    });
    command = command.mut_subcommands(with_real_names);
    let template = template(&command);
    command.help_template(template)
}

/// The command line with the options of all formats shown, for completions.
pub(crate) fn with_all_options() -> clap::Command {
    command(&antiquary::formats().collect::<Vec<_>>())
}

/// Adds a note on how to see the format options that the help does not show, given the name of the command and of its argument for files.
fn with_format_note(
    command: clap::Command,
    (name, file): (&str, &str),
    relevant: &[&'static Format],
) -> clap::Command {
    let note = match relevant {
        [] => format!(
            "Format options:\n  Some formats have additional options. Run `antiquary {name} {file} --help` to show the options for \
             {file}, or `antiquary formats ID` to show the options of a format."
        ),
        _ => "Run `antiquary formats ID` to show the options of other formats.".to_owned(),
    };
    let examples = command.get_after_long_help().cloned().unwrap_or_default();
    command.after_long_help(StyledStr::from(format!("{note}\n\n{}", examples.ansi())))
}

/// Parses the command line.
pub(crate) fn parse(arguments: impl Iterator<Item = OsString>) -> Result<(Cli, ArgMatches), clap::Error> {
    let arguments: Vec<_> = arguments.collect();
    let requests_help = arguments.iter().any(|argument| argument == "--help" || argument == "-h");
    let relevant = if requests_help { format_option::relevant(&arguments) } else { Vec::new() };
    let mut command = command(&relevant);
    let matches = command.try_get_matches_from_mut(&arguments);
    let matches = matches.map_err(|error| {
        let error = escaped_error(&arguments).unwrap_or(error);
        with_path_hint(error, &arguments, &mut command)
    })?;
    let cli = Cli::from_arg_matches(&matches).map_err(|error| error.format(&mut command))?;
    Ok((cli, matches))
}

/// Replaces the error for a path given in place of a command by one that suggests a command for it.
fn with_path_hint(error: clap::Error, arguments: &[OsString], command: &mut clap::Command) -> clap::Error {
    let path = arguments.get(1).map(Path::new).filter(|path| path.exists());
    let Some(path) = path.filter(|_| error.kind() == ErrorKind::InvalidSubcommand) else { return error };
    let shown = Escaped(&path.to_string_lossy()).to_string();
    let (kind, try_it) = match path.is_dir() {
        true => ("folder", format!("`antiquary view {shown}` or `antiquary scan {shown}`")),
        false => ("file", format!("`antiquary info {shown}`")),
    };
    let message = format!("{shown} is a {kind}, not a command; try {try_it}");
    clap::Error::raw(ErrorKind::InvalidSubcommand, message + "\n").with_cmd(command)
}

/// Prints the overview that `antiquary` shows without a command.
pub(crate) fn print_overview() -> Result<Verdict, Fault> {
    let help = command(&[]).render_help();
    let mut out = terminal::output();
    writeln!(out, "{}", help.ansi())?;
    let more =
        "Run `antiquary COMMAND --help` for details and examples, or `antiquary demo` for a demonstration.";
    writeln!(out, "{more}")?;
    out.flush()?;
    Ok(Verdict::Success)
}

/// The same error with unsafe characters escaped, because a shell may have expanded file names into the command line.
fn escaped_error(arguments: &[OsString]) -> Option<clap::Error> {
    let lossy = |argument: &OsString| argument.to_string_lossy().into_owned();
    if arguments.iter().all(|argument| is_safe(&lossy(argument))) {
        return None;
    }
    let safe = arguments.iter().map(|argument| Escaped(&lossy(argument)).to_string());
    command(&[]).try_get_matches_from(safe).err()
}

/// Help template of the overview: a description, the commands in groups, and the global options.
fn template(command: &clap::Command) -> StyledStr {
    let commands: Vec<_> = GROUPS.iter().flat_map(|(_, names)| *names).collect();
    let width = commands.iter().map(|name| name.len()).max().unwrap_or(0);
    let mut text = String::from("{about-with-newline}\n{usage-heading} {usage}\n");
    for (title, names) in GROUPS {
        // Writing into a string does not fail.
        let _ = write!(text, "\n\u{1b}[1;4m{title}:\u{1b}[0m\n");
        for name in *names {
            let about = match command.find_subcommand(name).and_then(clap::Command::get_about) {
                Some(about) => about.to_string(),
                None => "Show help for a command".to_owned(),
            };
            let _ = writeln!(text, "  \u{1b}[1m{name:width$}\u{1b}[0m  {about}");
        }
    }
    text.push_str("\n\u{1b}[1;4mOptions:\u{1b}[0m\n{options}");
    StyledStr::from(text)
}

/// Replaces the placeholders in examples by the names of a real format, so that they can be copied and run.
fn with_real_names(command: clap::Command) -> clap::Command {
    let Some(help) = command.get_after_long_help().map(|help| help.ansi().to_string()) else {
        return command;
    };
    let Some(format) = antiquary::formats().next() else { return command };
    let extension = format.extensions.first().copied().unwrap_or_default();
    let output = format.default_output().unwrap_or("json");
    let archive = antiquary::formats().find(|format| format.can(Can::List) && !format.is_convertible());
    let archive = archive.and_then(|format| format.extensions.first()).copied().unwrap_or("archive");
    let help = help
        .replace("{archive}", archive)
        .replace("{id}", format.id)
        .replace("{game}", format.game.unwrap_or_default())
        .replace("{extension}", extension)
        .replace("{output}", output);
    command.after_long_help(help)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_definition_is_valid() {
        command(&[]).debug_assert();
    }

    #[test]
    fn every_command_is_in_exactly_one_group() {
        let command = command(&[]);
        let grouped: Vec<_> = GROUPS.iter().flat_map(|(_, names)| names.iter().copied()).collect();
        for known in command.get_subcommands().map(clap::Command::get_name) {
            assert_eq!(grouped.iter().filter(|name| **name == known).count(), 1, "{known}");
        }
        for name in grouped.into_iter().filter(|name| *name != "help") {
            assert!(command.find_subcommand(name).is_some(), "{name}");
        }
    }

    #[test]
    fn every_command_has_examples_without_placeholders() {
        for command in command(&[]).get_subcommands() {
            let help = command.get_after_long_help().map(ToString::to_string).unwrap_or_default();
            let examples = help.matches("$ antiquary").count();
            assert!((2..=6).contains(&examples), "{}: {examples} examples", command.get_name());
            assert!(!help.contains(['{', '}']), "{help}");
            assert!(command.get_long_about().is_some(), "{}", command.get_name());
        }
    }
}
