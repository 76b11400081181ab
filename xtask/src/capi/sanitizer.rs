//! Runs the examples under Valgrind and the address sanitizer, and the tests of the crate under Miri.

use std::process::Command;

use super::example::{compile_c, compiler, program, resolved, small_files, with_library};
use super::{PACKAGE, folder, prefix, source};
use crate::command::{can_run, run, text};
use crate::step::{Verdict, passed, passed_with, skipped};
use crate::{Result, paths, tool};

/// Runs examples under Valgrind, with all leaks as errors.
pub(super) fn valgrind() -> Result<Verdict> {
    if !can_run("valgrind") {
        return skipped("valgrind was not found, so the examples were not run under it");
    }
    if !program("edit").exists() {
        return skipped("the examples were not compiled");
    }
    let runs: &[&[&str]] = &[
        &["edit", "@scpcb/GFX/map/hall_opt.rmesh", "entities[0].position[0]=12.5", ">valgrind.rmesh"],
        &["media", "@redguard/ENGLISH.RTX"],
        &["archive", "@ragnarok/data.grf", "@scpcb/GFX/map/hall_opt.rmesh", ">valgrind.grf"],
    ];
    for words in runs {
        let [name, arguments @ ..] = words else { continue };
        let command = &mut Command::new("valgrind");
        command.args([
            "--quiet",
            "--error-exitcode=99",
            "--leak-check=full",
            "--errors-for-leak-kinds=definite",
        ]);
        command.arg(program(name)).args(arguments.iter().map(|argument| resolved(argument)));
        run(with_library(command))?;
    }
    passed_with(format!("{} examples", runs.len()))
}

/// Builds the library with the address sanitizer, and runs examples and damaged inputs with it.
pub(super) fn address() -> Result<Verdict> {
    let Some(nightly) = tool::nightly() else {
        return skipped("no nightly toolchain was found, so the address sanitizer was not used");
    };
    let Some(cc) = compiler("CLANG", "clang").or_else(|| compiler("CC", "cc")) else {
        return skipped("no C compiler was found, so the address sanitizer was not used");
    };
    let host = text(Command::new("rustup").args(["run", &nightly, "rustc", "--print", "host-tuple"]))?;
    let target = host.trim();
    if target != "x86_64-unknown-linux-gnu" && target != "aarch64-unknown-linux-gnu" {
        return skipped(format!("the address sanitizer is not used on {target}"));
    }
    let build = &mut Command::new("rustup");
    build.args(["run", &nightly, "cargo", "build", "--package", PACKAGE, "--target", target]);
    build.args(["--config", "profile.dev.opt-level=1", "--config", "profile.dev.debug=false"]);
    let built = paths::target().join("sanitized");
    run(build.env("RUSTFLAGS", "-Zsanitizer=address").env("CARGO_TARGET_DIR", &built))?;
    let library = built.join(target).join("debug/libantiquary.a");
    let flags = [
        format!("-I{}", prefix().join("include").display()),
        library.display().to_string(),
        "-lpthread".to_owned(),
        "-lm".to_owned(),
        "-ldl".to_owned(),
    ];
    let sanitized = |name: &str| folder().join(format!("{name}-sanitized"));
    for (name, from) in
        [("edit", "examples/edit.c"), ("meshes", "examples/meshes.c"), ("damaged", "tests-c/damaged.c")]
    {
        compile_c(&cc, &["-fsanitize=address"], &source().join(from), &sanitized(name), &flags)?;
    }
    let edit = ["@scpcb/GFX/map/hall_opt.rmesh", "entities[0].position[0]=12.5", ">sanitized.rmesh"];
    run(Command::new(sanitized("edit")).args(edit.map(resolved)))?;
    run(Command::new(sanitized("meshes")).arg(resolved("@redguard/maps/ISLAND.RGM")))?;
    run(Command::new(sanitized("damaged")).args(["1000", "0"]).args(small_files()?))?;
    passed_with("2 examples and 1000 damaged inputs")
}

/// Runs the tests of handles, errors and pointers under Miri.
pub(super) fn miri() -> Result<Verdict> {
    let Some(nightly) = tool::nightly() else {
        return skipped("no nightly toolchain was found, so Miri was not used");
    };
    let can_run = text(Command::new("rustup").args(["run", &nightly, "cargo", "miri", "--version"])).is_ok();
    if !can_run {
        return skipped("Miri was not found; to install it: rustup component add miri --toolchain nightly");
    }
    let command = &mut Command::new("rustup");
    command.args(["run", &nightly, "cargo", "miri", "test", "--package", PACKAGE, "miri_"]);
    command
        .env("MIRIFLAGS", "-Zmiri-disable-isolation")
        .env("CARGO_TARGET_DIR", paths::target().join("miri"));
    run(command)?;
    passed()
}
