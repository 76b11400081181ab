//! Compiles the examples in C and C++ with all warnings as errors, and runs them on the sample games.

use std::env::consts::EXE_SUFFIX;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use super::{folder, prefix, sample, source};
use crate::command::{antiquary, can_run, output, run, text};
use crate::step::{Verdict, passed_except, skipped};
use crate::{Result, paths};

/// An example, its arguments, and a line that it must print. Arguments that begin with `@` are files of the sample games, and those
/// that begin with `>` are outputs.
type Example = (&'static str, &'static [&'static str], &'static str);

/// The calls of the examples.
const CALLS: &[Example] = &[
    ("meshes", &["@scpcb/GFX/map/hall_opt.rmesh"], " triangles, "),
    ("meshes", &["@redguard/maps/ISLAND.RGM", "light=baked"], " meshes, "),
    ("edit", &["@scpcb/GFX/map/hall_opt.rmesh", "entities[0].position[0]=12.5", ">edited.rmesh"], " = 12.5"),
    ("convert", &["@ragnarok", ">converted"], " 0 failed"),
    ("media", &["@redguard/ENGLISH.RTX"], "sound "),
    ("archive", &["@ragnarok/data.grf", "@scpcb/GFX/map/hall_opt.rmesh", ">added.grf"], "added"),
    ("game", &["@scpcb"], " files were opened"),
    ("game", &["@redguard"], " files were opened"),
    ("game", &["@ragnarok"], " files were opened"),
];

/// An operation of the example `json` with its arguments, the words of the program for the same operation, and options of both.
/// The program takes outputs, which begin with `>`, with `-o`.
type Operation = (&'static [&'static str], &'static [&'static str], &'static [&'static str]);

/// The operations whose JSON is compared with that of the program.
const OPERATIONS: &[Operation] = &[
    (&["info", "@scpcb/GFX/map/hall_opt.rmesh"], &["info"], &["full"]),
    (&["check", "@scpcb"], &["check"], &[]),
    (&["check", "@redguard"], &["check"], &["strict", "jobs=1"]),
    (&["scan", "@ragnarok"], &["scan"], &[]),
    (&["diff", "@redguard/maps/ISLAND.RGM", "@scpcb/GFX/map/hall_opt.rmesh"], &["diff"], &[]),
    (&["find", "@redguard", "model:*"], &["find"], &[]),
    (&["list", "@ragnarok/data.grf"], &["list"], &["grep=rsm"]),
    (&["convert", "@ragnarok", ">all"], &["convert"], &["force"]),
    (&["convert", "@scpcb/GFX/map/hall_opt.rmesh", ">hall.glb"], &["convert"], &["dry-run", "force"]),
    (&["convert", "@redguard/maps", ">everything"], &["convert"], &["everything", "force"]),
    (&["unpack", "@scpcb/GFX/map/hall_opt.rmesh", ">hall"], &["unpack"], &["force"]),
    (&["pack", ">hall", ">packed.rmesh"], &["pack"], &["force"]),
    (&["pack", "@missing", ">packed.rmesh"], &["pack"], &["force"]),
    (
        &["set", "@scpcb/GFX/map/hall_opt.rmesh", "entities[*].position[0]=1.5", ">set.rmesh"],
        &["set"],
        &["force"],
    ),
    (&["build", "lightmaps", "@scpcb/GFX/map/hall_opt.rmesh", ">lit/"], &["build"], &["force"]),
    (
        &["archive-add", "@ragnarok/data.grf", "@scpcb/GFX/map/hall_opt.rmesh", ">added.grf"],
        &["archive", "add"],
        &["force", "folder=data"],
    ),
    (&["disasm", "@redguard/maps/ISLAND.RGM"], &["script", "disasm"], &["structured"]),
    (&["run", "@redguard/maps/ISLAND.RGM"], &["script", "run"], &["updates=20", "frames=>run.glb", "force"]),
];

/// Compiles and runs the examples.
pub(super) fn check() -> Result<Verdict> {
    let (cc, cpp) = (compiler("CC", "cc"), compiler("CXX", "c++"));
    let Some(cc) = cc else {
        return skipped("no C compiler was found, so the examples were not compiled; set CC");
    };
    let mut left_out = Vec::new();
    if cpp.is_none() {
        left_out
            .push("no C++ compiler was found, so the example in C++ was not compiled; set CXX".to_owned());
    }
    let flags = match flags()? {
        Some(flags) => flags,
        None => {
            left_out.push("pkg-config was not found, so antiquary.pc was not used".to_owned());
            plain_flags()
        }
    };
    for name in ["meshes", "edit", "convert", "media", "archive", "json"] {
        compile_c(&cc, &[], &source().join(format!("examples/{name}.c")), &program(name), &flags)?;
    }
    compile_c(&cc, &[], &source().join("tests-c/damaged.c"), &program("damaged"), &flags)?;
    if let Some(cpp) = &cpp {
        let from = source().join("examples/game.cpp");
        let command = &mut Command::new(cpp);
        command.args(["-std=c++17", "-Wall", "-Wextra", "-Werror", "-O1"]).arg(from);
        run(command.arg("-o").arg(program("game")).args(&flags))?;
    }
    let mut count = 0;
    for (name, arguments, expected) in CALLS.iter().filter(|(name, ..)| *name != "game" || cpp.is_some()) {
        let printed = call(name, arguments)?;
        if !printed.contains(expected) {
            return Err(format!("{name} did not print \"{expected}\":\n{printed}").into());
        }
        count += 1;
    }
    cancel()?;
    for operation in OPERATIONS {
        compare(operation)?;
    }
    count += OPERATIONS.len() + 1;
    damaged()?;
    passed_except(format!("{count} runs, {} with the same JSON as the program", OPERATIONS.len()), left_out)
}

/// Compiles an example with the strictest warnings.
pub(super) fn compile_c(cc: &Path, more: &[&str], from: &Path, to: &Path, flags: &[String]) -> Result<()> {
    let command = &mut Command::new(cc);
    command.args(["-std=c11", "-D_POSIX_C_SOURCE=200809L", "-Wall", "-Wextra", "-Werror", "-g", "-O1"]);
    run(command.args(more).arg(from).arg("-o").arg(to).args(flags))
}

/// The compiler of an environment variable, or the one of the system.
pub(super) fn compiler(variable: &str, default: &str) -> Option<PathBuf> {
    let name = std::env::var_os(variable).unwrap_or_else(|| default.into());
    can_run(&name).then(|| name.into())
}

/// The flags of pkg-config, which must know the library.
fn flags() -> Result<Option<Vec<String>>> {
    if !can_run("pkg-config") {
        return Ok(None);
    }
    let command = &mut Command::new("pkg-config");
    command.env("PKG_CONFIG_PATH", prefix().join("lib/pkgconfig"));
    let flags = text(command.args(["--cflags", "--libs", "antiquary"]))?;
    Ok(Some(flags.split_whitespace().map(str::to_owned).collect()))
}

fn plain_flags() -> Vec<String> {
    let (include, lib) = (prefix().join("include"), prefix().join("lib"));
    vec![format!("-I{}", include.display()), format!("-L{}", lib.display()), "-lantiquary".to_owned()]
}

/// A compiled example.
pub(super) fn program(name: &str) -> PathBuf {
    folder().join(format!("{name}{EXE_SUFFIX}"))
}

/// Lets a command find the shared library.
pub(super) fn with_library(command: &mut Command) -> &mut Command {
    let lib = prefix().join("lib");
    command.env("LD_LIBRARY_PATH", &lib).env("DYLD_LIBRARY_PATH", lib)
}

/// The option with the path of a sample or output.
fn resolved_option(option: &str) -> String {
    match option.split_once('=') {
        Some((name, value)) => format!("{name}={}", resolved(value)),
        None => option.to_owned(),
    }
}

/// The argument with the path of a sample or output.
pub(super) fn resolved(argument: &str) -> String {
    let path = match argument.split_at_checked(1) {
        Some(("@", name)) => sample().join(name),
        Some((">", name)) => folder().join("out").join(name),
        _ => return argument.to_owned(),
    };
    paths::short(&path)
}

/// Runs an example, which must succeed, and returns its output.
fn call(name: &str, arguments: &[&str]) -> Result<String> {
    std::fs::create_dir_all(folder().join("out"))?;
    let command = &mut Command::new(program(name));
    command.args(arguments.iter().map(|argument| resolved(argument)));
    let output = output(with_library(command))?;
    let (printed, errors) = (String::from_utf8(output.stdout)?, String::from_utf8_lossy(&output.stderr));
    match output.status.success() {
        true => Ok(printed),
        false => Err(format!("{name} ended with {}: {errors}{printed}", output.status).into()),
    }
}

/// Cancels a conversion from its callback.
fn cancel() -> Result<()> {
    let command = &mut Command::new(program("convert"));
    command.args(["@scpcb", ">canceled", "1"].map(resolved));
    let output = output(with_library(command))?;
    let errors = String::from_utf8_lossy(&output.stderr);
    match output.status.success() || !errors.contains("canceled") {
        true => Err(format!("the conversion was not canceled: {errors}").into()),
        false => Ok(()),
    }
}

/// Compares the JSON of an operation with that of the program.
fn compare((arguments, words, options): &Operation) -> Result<()> {
    let options: Vec<_> = options.iter().map(|option| resolved_option(option)).collect();
    let mut of_example = Command::new(program("json"));
    of_example.args(arguments.iter().map(|argument| resolved(argument))).arg("--").args(&options);
    let of_example = output(with_library(&mut of_example))?;
    let mut of_program = antiquary();
    of_program.args(*words);
    for (index, argument) in arguments.iter().enumerate().skip(1) {
        if index > 1 && argument.starts_with('>') {
            of_program.arg("-o");
        }
        of_program.arg(resolved(argument));
    }
    of_program.args(options.iter().map(|option| format!("--{option}"))).arg("--json");
    let of_program = output(&mut of_program)?;
    if of_example.status.code() != of_program.status.code() {
        let errors = String::from_utf8_lossy(&of_example.stderr);
        return Err(format!(
            "json {}: ended with {}, the program with {}: {errors}",
            arguments.join(" "),
            of_example.status,
            of_program.status
        )
        .into());
    }
    let [ours, theirs]: [Value; 2] =
        [serde_json::from_slice(&of_example.stdout)?, serde_json::from_slice(&of_program.stdout)?];
    match ours == theirs {
        true => Ok(()),
        false => Err(format!(
            "json {}: the JSON differs from that of the program:\n{ours:.2000}\n{theirs:.2000}",
            arguments.join(" ")
        )
        .into()),
    }
}

/// Small files of the sample games, to be damaged.
pub(super) fn small_files() -> Result<Vec<PathBuf>> {
    const MAX_LENGTH: u64 = 48 << 10;
    let is_small = |path: &Path| path.metadata().is_ok_and(|data| data.len() <= MAX_LENGTH);
    let mut files = paths::files_recursive(&sample(), is_small)?;
    files.retain(|path| !path.starts_with(sample().join("converted")));
    Ok(files)
}

/// Number of damaged inputs.
const DAMAGED: &str = "10000";

/// Growth of memory that the allocator may cause, in bytes.
const GROWTH: &str = "16000000";

/// Opens damaged inputs in one process, whose memory must not grow.
fn damaged() -> Result<()> {
    let command = &mut Command::new(program("damaged"));
    run(with_library(command.args([DAMAGED, GROWTH]).args(small_files()?)))
}
