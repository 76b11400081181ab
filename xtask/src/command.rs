//! Runs other programs. Each command is printed before it runs, and a failure is an error that contains it.
//! The working directory is the root of the project unless another one is set.

use std::ffi::OsStr;
use std::io::Read;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use crate::{Result, paths};

/// The cargo that started this program, with arguments separated by spaces.
pub(crate) fn cargo(words: &str) -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(words.split_whitespace());
    command
}

/// The program of this project, as last built.
pub(crate) fn antiquary() -> Command {
    Command::new(paths::program())
}

/// Runs a command that must succeed. Its output is visible.
pub(crate) fn run(command: &mut Command) -> Result<()> {
    println!("$ {}", shown(command));
    prepare(command);
    let status = command.status().map_err(|error| cannot_start(command, &error))?;
    if status.success() { Ok(()) } else { Err(format!("{:.80} ended with {status}", shown(command)).into()) }
}

/// npm with a working directory.
pub(crate) fn npm_in(folder: &Path) -> Command {
    let mut command = Command::new(if cfg!(windows) { "npm.cmd" } else { "npm" });
    command.current_dir(folder);
    command
}

/// Runs npm in a folder; it must succeed.
pub(crate) fn npm(folder: &Path, arguments: &[&str]) -> Result<()> {
    run(npm_in(folder).args(arguments))
}

/// Runs a command and returns its output, whether it succeeded or not. It is not connected to the terminal.
pub(crate) fn output(command: &mut Command) -> Result<Output> {
    println!("$ {}", shown(command));
    quiet_output(command)
}

/// Returns the standard output of a command that must succeed. The command is not printed and not connected to the terminal.
pub(crate) fn text(command: &mut Command) -> Result<String> {
    let output = quiet_output(command)?;
    if output.status.success() {
        return Ok(String::from_utf8(output.stdout)?);
    }
    let stderr = String::from_utf8_lossy(&output.stderr);
    Err(format!("{:.80} ended with {}: {}", shown(command), output.status, stderr.trim()).into())
}

/// Returns the standard output and standard error of a command that must succeed, interleaved in their original order.
pub(crate) fn transcript(command: &mut Command) -> Result<String> {
    prepare(command);
    let (mut reader, writer) = std::io::pipe()?;
    command.stdout(writer.try_clone()?).stderr(writer);
    let mut child = command.spawn().map_err(|error| cannot_start(command, &error))?;
    // The command holds the write ends of the pipe; reading does not end while they are open.
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
pub(crate) fn can_run(program: impl AsRef<OsStr>) -> bool {
    quiet_output(Command::new(program).arg("--version")).is_ok_and(|output| output.status.success())
}

fn quiet_output(command: &mut Command) -> Result<Output> {
    prepare(command);
    Ok(command.output().map_err(|error| cannot_start(command, &error))?)
}

fn prepare(command: &mut Command) {
    if command.get_current_dir().is_none() {
        command.current_dir(paths::root());
    }
    command.stdin(Stdio::null());
}

fn cannot_start(command: &Command, error: &std::io::Error) -> String {
    format!("{} cannot be started: {error}", name(command))
}

/// The command as typed in a shell.
fn shown(command: &Command) -> String {
    let variables = command.get_envs().filter_map(|(name, value)| {
        Some(format!("{}={}", name.to_string_lossy(), quoted(&paths::short(Path::new(value?)))))
    });
    let arguments = command.get_args().map(|argument| quoted(&paths::short(Path::new(argument))));
    variables.chain([name(command)]).chain(arguments).collect::<Vec<_>>().join(" ")
}

/// The program's path if it is in this project, otherwise its file name.
fn name(command: &Command) -> String {
    let path = Path::new(command.get_program());
    if path.starts_with(paths::root()) || path.starts_with(paths::target()) {
        return quoted(&paths::short(path));
    }
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}

fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_=./:,@+%".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) { word.to_owned() } else { format!("'{word}'") }
}
