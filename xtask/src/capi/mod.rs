//! `cargo xtask capi`: builds and tests the C interface, generates its header, and installs it.

mod example;
mod install;
mod sanitizer;
mod unity;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use crate::command::{cargo, run};
use crate::step::{Steps, Verdict, passed, passed_with};
use crate::{Chore, Result, corpus, demo, paths, tool};

pub(crate) static CHORE: Chore = Chore {
    name: "capi",
    arguments: "[--write] [--sanitize] [--install PREFIX]",
    about: "builds and tests the C interface, and compiles and runs its examples in C, C++ and C#\n\
            --write first generates the header\n\
            --sanitize also uses the address sanitizer and Miri, which need a nightly toolchain\n\
            --install builds only the library, optimized, and installs it below PREFIX, with pkg-config files",
    run: chore,
};

/// The package.
const PACKAGE: &str = "antiquary-capi";

/// The package, and that of the program, which the examples are compared with. Built together, they share all dependencies.
const PACKAGES: &str = "--package antiquary-capi --package antiquary-cli";

/// The parts that are tested.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Extent {
    Usual,
    /// Also with the address sanitizer and Miri.
    Sanitized,
}

fn chore(arguments: &[String]) -> Result<ExitCode> {
    let (mut writes, mut extent) = (false, Extent::Usual);
    let mut arguments = arguments.iter();
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--write" => writes = true,
            "--sanitize" => extent = Extent::Sanitized,
            "--install" => {
                let prefix = arguments.next().ok_or("--install needs a folder, such as /usr/local")?;
                let mut all = Steps::new();
                all.run("install", || install::optimized(&std::path::absolute(prefix)?));
                return Ok(all.finish());
            }
            other => {
                let known = "--write, --sanitize and --install PREFIX";
                return Err(format!("unexpected argument {other}; capi accepts {known}").into());
            }
        }
    }
    let mut all = Steps::new();
    if writes {
        all.run("C header", write_header);
    }
    all.run("C header", check_header);
    let is_built = all.run("build", || {
        run(&mut cargo(&format!("build --release {PACKAGES}")))?;
        passed()
    });
    if is_built {
        all.run("tests", test);
        use_library(&mut all, extent);
    }
    Ok(all.finish())
}

/// Adds the steps of this chore to those of `cargo xtask test`, which has already built the program and all tests.
pub(crate) fn steps(steps: &mut Steps, extent: Extent) {
    steps.run("C header", check_header);
    let is_built = steps.run("C library", || {
        // With the same packages and targets as the tests, only the libraries for C are built.
        run(&mut cargo("build --release --workspace --lib --tests"))?;
        passed()
    });
    if is_built {
        use_library(steps, extent);
    }
}

/// Installs the library, and compiles and runs the examples with it.
fn use_library(steps: &mut Steps, extent: Extent) {
    let is_installed = steps.run("C installation", || {
        paths::empty_folder(&folder())?;
        demo::make(&sample())?;
        install::install(&paths::target().join("release"), &prefix())
    });
    if is_installed {
        steps.run("C examples", example::check);
        steps.run("C# example", unity::check);
        steps.run("C memory", sanitizer::valgrind);
        if extent == Extent::Sanitized {
            steps.run("C address sanitizer", sanitizer::address);
            steps.run("C Miri", sanitizer::miri);
        }
    }
}

fn test() -> Result<Verdict> {
    let command = &mut cargo(&format!("test --release {PACKAGES} --lib"));
    corpus::set_variable(command)?;
    run(command)?;
    passed()
}

/// The crate.
fn source() -> PathBuf {
    paths::root().join("crates/capi")
}

/// The folder for everything that the steps write.
fn folder() -> PathBuf {
    paths::target().join("capi")
}

/// The folder in which the library is installed for the examples.
fn prefix() -> PathBuf {
    folder().join("prefix")
}

/// The sample games.
fn sample() -> PathBuf {
    folder().join("sample")
}

/// The header, as committed.
fn header() -> PathBuf {
    source().join("include/antiquary.h")
}

/// Generates the header.
fn generate_header(out: &Path) -> Result<()> {
    let command = &mut Command::new(tool::cbindgen()?);
    command.current_dir(source()).args(["--quiet", "--config", "cbindgen.toml", "--output"]);
    run(command.arg(out).arg("."))
}

fn write_header() -> Result<Verdict> {
    generate_header(&header())?;
    passed_with(paths::short(&header()))
}

/// Checks that the committed header is the generated one.
fn check_header() -> Result<Verdict> {
    fs::create_dir_all(paths::target())?;
    let now = paths::target().join("antiquary.h");
    generate_header(&now)?;
    if fs::read_to_string(&now)? != fs::read_to_string(header())? {
        let what = paths::short(&header());
        return Err(format!("{what} does not match the crate; to update it: cargo xtask capi --write").into());
    }
    let functions = fs::read_to_string(&now)?.matches("antiquary_error *error);").count();
    passed_with(format!("up to date, {functions} functions with errors"))
}
