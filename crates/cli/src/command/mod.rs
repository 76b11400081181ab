//! The commands, each in a file of its own.

/// Examples for a help text: what one wants, and how it is done.
macro_rules! examples {
    ($($what:literal => $how:literal),+ $(,)?) => {
        concat!("\u{1b}[1;4mExamples:\u{1b}[0m", $("\n  ", $what, "\n      $ antiquary ", $how),+)
    };
}

mod check;
mod completions;
mod convert;
mod demo;
mod diff;
mod extract;
mod formats;
mod hex;
mod info;
mod list;
mod overview;
mod pack;
mod replace;
mod scan;
mod set;
mod unpack;

use clap::{ArgMatches, Subcommand};

use crate::fault::{Fault, Verdict};
use crate::format_option;
use crate::terminal::Loudness;

/// What can be done.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Formats(formats::Arguments),
    Scan(scan::Arguments),
    #[command(visible_alias = "read")]
    Info(info::Arguments),
    Hex(hex::Arguments),
    Check(check::Arguments),
    Convert(convert::Arguments),
    List(list::Arguments),
    Extract(extract::Arguments),
    Diff(diff::Arguments),
    Set(set::Arguments),
    Replace(replace::Arguments),
    Unpack(unpack::Arguments),
    Pack(pack::Arguments),
    Demo(demo::Arguments),
    Completions(completions::Arguments),
}

impl Command {
    /// Does it. What was given for the options of formats is taken from `matches`; `command_line` is the whole command line, for completions.
    pub(crate) fn run(
        self,
        loudness: Loudness,
        matches: &ArgMatches,
        command_line: fn() -> clap::Command,
    ) -> Result<Verdict, Fault> {
        match self {
            Self::Formats(arguments) => formats::run(&arguments),
            Self::Scan(arguments) => scan::run(&arguments, loudness),
            Self::Info(arguments) => info::run(&arguments, loudness),
            Self::Hex(arguments) => hex::run(&arguments),
            Self::Check(arguments) => check::run(arguments, format_option::given(matches), loudness),
            Self::Convert(arguments) => convert::run(arguments, format_option::given(matches), loudness),
            Self::List(arguments) => list::run(&arguments, loudness),
            Self::Extract(arguments) => extract::run(&arguments, loudness),
            Self::Diff(arguments) => diff::run(&arguments, loudness),
            Self::Replace(arguments) => replace::run(arguments, loudness),
            Self::Set(arguments) => set::run(&arguments, loudness),
            Self::Unpack(arguments) => unpack::run(arguments, format_option::given(matches), loudness),
            Self::Pack(arguments) => pack::run(&arguments, loudness),
            Self::Demo(arguments) => demo::run(&arguments, loudness),
            Self::Completions(arguments) => completions::run(&arguments, &mut command_line()),
        }
    }
}
