//! `antiquary man`: generates man pages.

use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;

use antiquary::Error;
use antiquary::asset::{FolderSink, Guard, Sink};
use clap::Args;
use clap_mangen::Man;

use crate::escape::Escaped;
use crate::fault::{Fault, Verdict};
use crate::run::{DryRunArguments, overwrite, session};
use crate::terminal::{self, Verbosity};

/// The name and version in the footer of each page.
const SOURCE: &str = concat!("antiquary ", env!("CARGO_PKG_VERSION"));

/// Generate man pages
///
/// Writes one page in the format of `man` for each command: antiquary.1 has the overview, antiquary-convert.1 has `antiquary convert`. The
/// pages describe the options of all formats.
#[derive(Debug, Args)]
#[command(after_long_help = examples!(
    "Install the pages for the current user" => "man -o ~/.local/share/man/man1",
    "Replace the pages of an earlier version" => "man -o ~/.local/share/man/man1 --force",
))]
pub(crate) struct Arguments {
    /// Output folder, created if necessary
    #[arg(short, long = "output", value_name = "DIR")]
    out: PathBuf,
    /// Overwrite existing files
    #[arg(short, long)]
    force: bool,
    #[command(flatten)]
    dry: DryRunArguments,
}

pub(super) fn run(
    arguments: &Arguments,
    command_line: clap::Command,
    verbosity: Verbosity,
) -> Result<Verdict, Fault> {
    let overwrite = overwrite(arguments.force);
    let writing = arguments.dry.apply(session()).writing;
    let mut sink = FolderSink::new(&arguments.out, Arc::new(Guard::new(overwrite).with(writing)));
    let mut command_line = command_line.disable_help_subcommand(true);
    command_line.build();
    put_pages(&command_line, &mut sink)?;
    let written = sink.finish()?;
    if arguments.dry.dry_run || verbosity == Verbosity::Verbose {
        let mut out = terminal::output();
        written.iter().try_for_each(|path| writeln!(out, "{}", Escaped(&path.to_string_lossy())))?;
        out.flush()?;
    }
    Ok(Verdict::Success)
}

/// Writes the page of a command and those of its subcommands.
fn put_pages(command: &clap::Command, sink: &mut dyn Sink) -> Result<(), Error> {
    let page = Man::new(command.clone()).source(SOURCE).manual("Antiquary");
    let mut text = Vec::new();
    page.render(&mut text)?;
    sink.put(&page.get_filename(), &text)?;
    command.get_subcommands().try_for_each(|below| put_pages(below, sink))
}
