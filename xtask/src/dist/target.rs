//! The systems that releases are built for, and the tools for that.

use std::path::Path;
use std::process::Command;

use crate::command::{can_run, text};
use crate::step::{Verdict, passed};
use crate::system::System;
use crate::{Result, python};

/// A system that releases are built for.
pub(super) struct Target {
    /// The system in file names, as in those of Blender's extensions.
    pub(super) platform: &'static str,
    pub(super) system: System,
    /// The Rust target of the program.
    pub(super) program: &'static str,
    /// The Rust target of the C library and the Python package, which use the C library of the system.
    pub(super) library: &'static str,
    /// Programs that build for the system, each with the command that installs it.
    tools: &'static [(&'static str, &'static str)],
}

/// The command that installs the tools for Windows.
const MINGW: &str =
    "apt install gcc-mingw-w64-x86-64 (Debian, Ubuntu), or the package mingw-w64-gcc of other systems";

pub(super) const WINDOWS: Target = Target {
    platform: "windows-x64",
    system: System::WindowsGnu,
    program: "x86_64-pc-windows-gnu",
    library: "x86_64-pc-windows-gnu",
    tools: &[("x86_64-w64-mingw32-gcc", MINGW), ("x86_64-w64-mingw32-dlltool", MINGW)],
};

/// The targets of a Linux machine. The program for Linux is linked statically with musl, so that it runs on any distribution.
static ON_LINUX: [Target; 2] = [
    Target {
        platform: "linux-x64",
        system: System::Linux,
        program: "x86_64-unknown-linux-musl",
        library: "x86_64-unknown-linux-gnu",
        tools: &[("cc", "apt install gcc libc6-dev (Debian, Ubuntu), or the package gcc of other systems")],
    },
    WINDOWS,
];

/// The targets of a Mac.
static ON_MACOS: [Target; 2] = [
    Target {
        platform: "macos-arm64",
        system: System::MacOs,
        program: "aarch64-apple-darwin",
        library: "aarch64-apple-darwin",
        tools: &[("cc", "xcode-select --install")],
    },
    Target {
        platform: "macos-x64",
        system: System::MacOs,
        program: "x86_64-apple-darwin",
        library: "x86_64-apple-darwin",
        tools: &[],
    },
];

impl Target {
    /// The targets that are built on this machine, which can run programs of the first.
    pub(super) fn of_host() -> Result<&'static [Self]> {
        match (std::env::consts::OS, std::env::consts::ARCH) {
            ("linux", "x86_64") => Ok(&ON_LINUX),
            ("macos", "aarch64") => Ok(&ON_MACOS),
            (system, processor) => Err(format!(
                "releases cannot be built on {system} with {processor}, only on Linux with x86_64 or macOS with aarch64"
            )
            .into()),
        }
    }

    /// What is missing to build the program, each with the way to install it.
    pub(super) fn missing_for_program(&self) -> Result<Vec<String>> {
        let mut missing: Vec<_> = missing_target(self.program)?.into_iter().collect();
        missing.extend(
            self.tools.iter().filter(|(tool, _)| !can_run(tool)).map(|(tool, how)| not_found(tool, how)),
        );
        Ok(missing)
    }
}

/// Checks that everything that the builds need is installed. The error lists all that is missing.
pub(super) fn check(targets: &[Target]) -> Result<Verdict> {
    let mut missing = Vec::new();
    for target in targets {
        missing.extend(target.missing_for_program()?);
        if target.library != target.program {
            missing.extend(missing_target(target.library)?);
        }
    }
    for tool in ["node", "npm"].into_iter().filter(|tool| !can_run(tool)) {
        missing.push(not_found(tool, "https://nodejs.org, 20.19 or later"));
    }
    if python::find().is_none() {
        missing.push(not_found("Python 3.11 or later with pip and venv", "apt install python3 python3-venv"));
    }
    if text(Command::new("git").args(["rev-parse", "HEAD"])).is_err() {
        missing.push(
            "this folder is not a clone of the git repository, whose last commit gives the release its time"
                .into(),
        );
    }
    if missing.is_empty() { passed() } else { Err(missing.join("\n  ").into()) }
}

/// An error if the standard library of a Rust target is not installed.
fn missing_target(name: &str) -> Result<Option<String>> {
    let library = text(Command::new("rustc").args(["--print", "target-libdir", "--target", name]))?;
    let is_installed = Path::new(library.trim()).is_dir();
    let how = format!("rustup target add {name}");
    Ok((!is_installed).then(|| not_found(&format!("the Rust target {name}"), &how)))
}

fn not_found(what: &str, how: &str) -> String {
    format!("{what} was not found; to install it: {how}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missing_tools_are_named_with_the_command_that_installs_them() {
        let target = Target {
            platform: "moon-x64",
            system: System::Linux,
            program: "x86_64-unknown-linux-none",
            library: "x86_64-unknown-linux-none",
            tools: &[("moon-gcc", "apt install gcc-moon")],
        };
        let error = check(&[target]).err().unwrap().to_string();
        assert!(error.contains("to install it: rustup target add x86_64-unknown-linux-none"), "{error}");
        assert!(error.contains("moon-gcc was not found; to install it: apt install gcc-moon"), "{error}");
        assert_eq!(error.matches("x86_64-unknown-linux-none was").count(), 1, "{error}");
    }
}
