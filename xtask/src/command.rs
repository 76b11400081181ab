//! Running other programs: each is shown before it runs, and one that fails is an error that names it.
//! They run in the project's folder unless told otherwise.

use std::ffi::OsStr;
use std::io::Read;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use crate::{Result, place};

/// Cargo, as it started this program, with these words behind it.
pub(crate) fn cargo(words: &str) -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(words.split_whitespace());
    command
}

/// The program that this project makes, as it was built last.
pub(crate) fn antiquary() -> Command {
    Command::new(place::program())
}

/// Runs a command that must succeed; what it prints is seen.
pub(crate) fn run(command: &mut Command) -> Result<()> {
    println!("$ {}", shown(command));
    prepare(command);
    let status = command.status().map_err(|error| cannot_start(command, &error))?;
    if status.success() { Ok(()) } else { Err(format!("{:.80} ended with {status}", shown(command)).into()) }
}

/// npm, in a folder.
pub(crate) fn npm_in(folder: &Path) -> Command {
    let mut command = Command::new(if cfg!(windows) { "npm.cmd" } else { "npm" });
    command.current_dir(folder);
    command
}

/// Runs npm in a folder; it must succeed.
pub(crate) fn npm(folder: &Path, arguments: &[&str]) -> Result<()> {
    run(npm_in(folder).args(arguments))
}

/// Runs a command and gives what it printed, whether it succeeded or not. It sees no terminal.
pub(crate) fn output(command: &mut Command) -> Result<Output> {
    println!("$ {}", shown(command));
    quiet_output(command)
}

/// What a command that must succeed prints. It sees no terminal and is not shown.
pub(crate) fn text(command: &mut Command) -> Result<String> {
    let output = quiet_output(command)?;
    if output.status.success() {
        return Ok(String::from_utf8(output.stdout)?);
    }
    let complaint = String::from_utf8_lossy(&output.stderr);
    Err(format!("{:.80} ended with {}: {}", shown(command), output.status, complaint.trim()).into())
}

/// What a command that must succeed prints, results and messages in the order in which they come.
pub(crate) fn transcript(command: &mut Command) -> Result<String> {
    prepare(command);
    let (mut reader, writer) = std::io::pipe()?;
    command.stdout(writer.try_clone()?).stderr(writer);
    let mut child = command.spawn().map_err(|error| cannot_start(command, &error))?;
    // The command holds the writing ends of the pipe; with them open, reading would not end.
    command.stdout(Stdio::null()).stderr(Stdio::null());
    let mut out = String::new();
    reader.read_to_string(&mut out)?;
    let status = child.wait()?;
    if status.success() {
        Ok(out)
    } else {
        Err(format!("{:.80} ended with {status}: {out}", shown(command)).into())
    }
}

/// Whether a program can be started.
pub(crate) fn is_there(program: impl AsRef<OsStr>) -> bool {
    quiet_output(Command::new(program).arg("--version")).is_ok_and(|output| output.status.success())
}

fn quiet_output(command: &mut Command) -> Result<Output> {
    prepare(command);
    Ok(command.output().map_err(|error| cannot_start(command, &error))?)
}

fn prepare(command: &mut Command) {
    if command.get_current_dir().is_none() {
        command.current_dir(place::root());
    }
    command.stdin(Stdio::null());
}

fn cannot_start(command: &Command, error: &std::io::Error) -> String {
    format!("{} cannot be started: {error}", name(command))
}

/// The command as one would type it.
fn shown(command: &Command) -> String {
    let variables = command.get_envs().filter_map(|(name, value)| {
        Some(format!("{}={}", name.to_string_lossy(), quoted(&place::short(Path::new(value?)))))
    });
    let arguments = command.get_args().map(|argument| quoted(&place::short(Path::new(argument))));
    variables.chain([name(command)]).chain(arguments).collect::<Vec<_>>().join(" ")
}

/// The program's path if it is one of ours, otherwise its bare name.
fn name(command: &Command) -> String {
    let path = Path::new(command.get_program());
    if path.starts_with(place::root()) || path.starts_with(place::target()) {
        return quoted(&place::short(path));
    }
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}

fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_=./:,@+%".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) { word.to_owned() } else { format!("'{word}'") }
}
