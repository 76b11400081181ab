//! `antiquary completions`: completing commands with the tab key.

use std::io::Write;

use clap::Args;
use clap_complete::Shell;

use crate::fault::{Fault, Verdict};
use crate::terminal;

/// Print a script that lets a shell complete commands
///
/// The script completes commands, options, the words that options take and file names with the tab key. Where it belongs depends on the
/// shell; the examples show the usual places.
#[derive(Debug, Args)]
#[command(after_long_help = examples!(
    "Bash" => "completions bash > ~/.local/share/bash-completion/completions/antiquary",
    "Zsh, in a folder of $fpath" => "completions zsh > ~/.zfunc/_antiquary",
    "Fish" => "completions fish > ~/.config/fish/completions/antiquary.fish",
    "PowerShell" => "completions powershell >> $PROFILE",
))]
pub(crate) struct Arguments {
    /// The shell
    shell: Shell,
}

pub(super) fn run(arguments: &Arguments, command_line: &mut clap::Command) -> Result<Verdict, Fault> {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, command_line, "antiquary", &mut script);
    let mut out = terminal::raw_output();
    out.write_all(&script)?;
    out.flush()?;
    Ok(Verdict::Well)
}
