//! The commands, one per file.

/// Examples for a help text: a task and its command line.
macro_rules! examples {
    ($($what:literal => $how:literal),+ $(,)?) => {
        concat!("\u{1b}[1;4mExamples:\u{1b}[0m", $("\n  ", $what, "\n      $ antiquary ", $how),+)
    };
}

mod archive;
mod build;
mod check;
mod completions;
mod convert;
mod demo;
mod diff;
mod extract;
mod find;
mod formats;
mod hex;
mod info;
mod list;
mod overview;
mod pack;
mod replace;
mod scan;
mod script;
mod set;
mod unpack;
mod view;

use clap::{ArgMatches, Subcommand};

use crate::fault::{Fault, Verdict};
use crate::format_option;
use crate::terminal::Verbosity;

/// The subcommands.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Formats(formats::Arguments),
    Scan(scan::Arguments),
    View(view::Arguments),
    #[command(visible_alias = "read")]
    Info(info::Arguments),
    Hex(hex::Arguments),
    Check(check::Arguments),
    Convert(convert::Arguments),
    List(list::Arguments),
    Find(find::Arguments),
    Extract(extract::Arguments),
    Diff(diff::Arguments),
    Set(set::Arguments),
    Replace(replace::Arguments),
    Archive(archive::Arguments),
    Build(build::Arguments),
    Script(Box<script::Arguments>),
    Unpack(unpack::Arguments),
    Pack(pack::Arguments),
    Demo(demo::Arguments),
    Completions(completions::Arguments),
}

impl Command {
    /// Runs the command. Format options are taken from `matches`; `command_line` is the clap command, for completions.
    pub(crate) fn run(
        self,
        verbosity: Verbosity,
        matches: &ArgMatches,
        command_line: fn() -> clap::Command,
    ) -> Result<Verdict, Fault> {
        match self {
            Self::Formats(arguments) => formats::run(&arguments),
            Self::Scan(arguments) => scan::run(&arguments, verbosity),
            Self::View(arguments) => view::run(&arguments),
            Self::Info(arguments) => info::run(&arguments, verbosity),
            Self::Hex(arguments) => hex::run(&arguments),
            Self::Check(arguments) => check::run(arguments, &format_option::given(matches), verbosity),
            Self::Convert(arguments) => convert::run(arguments, &format_option::given(matches), verbosity),
            Self::Find(arguments) => find::run(arguments, verbosity),
            Self::List(arguments) => list::run(&arguments, verbosity),
            Self::Extract(arguments) => extract::run(&arguments, verbosity),
            Self::Diff(arguments) => diff::run(&arguments, verbosity),
            Self::Replace(arguments) => replace::run(arguments, &format_option::given(matches), verbosity),
            Self::Archive(arguments) => archive::run(arguments, &format_option::given(matches), verbosity),
            Self::Build(arguments) => build::run(arguments, &format_option::given(matches), verbosity),
            Self::Script(arguments) => script::run(*arguments, verbosity),
            Self::Set(arguments) => set::run(&arguments, verbosity),
            Self::Unpack(arguments) => unpack::run(arguments, &format_option::given(matches), verbosity),
            Self::Pack(arguments) => pack::run(&arguments, &format_option::given(matches), verbosity),
            Self::Demo(arguments) => demo::run(&arguments, verbosity),
            Self::Completions(arguments) => completions::run(&arguments, &mut command_line()),
        }
    }
}
