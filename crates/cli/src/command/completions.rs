//! `antiquary completions`: generates shell completions.

use std::io::Write;

use clap::Args;
use clap_complete::Shell;

use crate::fault::{Fault, Verdict};
use crate::terminal;

/// Generate shell completions
///
/// The script completes commands, options, option values and file names. The location of the script depends on the shell; the examples show
/// the usual ones.
#[derive(Debug, Args)]
#[command(after_long_help = examples!(
    "Bash" => "completions bash > ~/.local/share/bash-completion/completions/antiquary",
    "Zsh, in a folder of $fpath" => "completions zsh > ~/.zfunc/_antiquary",
    "Fish" => "completions fish > ~/.config/fish/completions/antiquary.fish",
    "PowerShell" => "completions powershell >> $PROFILE",
))]
pub(crate) struct Arguments {
    /// Shell to generate completions for
    shell: Shell,
}

pub(super) fn run(arguments: &Arguments, command_line: &mut clap::Command) -> Result<Verdict, Fault> {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, command_line, "antiquary", &mut script);
    let mut out = terminal::raw_output();
    out.write_all(&script)?;
    out.flush()?;
    Ok(Verdict::Success)
}
