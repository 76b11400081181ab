//! `cargo xtask test`: all checks that a change must pass.

use std::collections::BTreeSet;
use std::fs;
use std::io::ErrorKind;
use std::path::Path;
use std::process::ExitCode;

use crate::command::{cargo, run};
use crate::step::{Steps, Verdict, passed, passed_except, passed_with};
use crate::{
    Chore, Result, api, blender, capi, corpus, deny, docs, editors, features, fuzz, generated, package,
    paths, python, schemas, tool, validate, web,
};

pub(crate) static CHORE: Chore = Chore {
    name: "test",
    arguments: "[--full]",
    about: "checks formatting and lints, runs all tests, converts and validates games, builds packages and the book\n\
            --full adds slow tests: files truncated at every length, long fuzzing",
    run: chore,
};

/// The extent of the tests.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Extent {
    Usual,
    Full,
}

fn chore(arguments: &[String]) -> Result<ExitCode> {
    let extent = match arguments {
        [] => Extent::Usual,
        [argument] if argument == "--full" => Extent::Full,
        _ => return Err("unexpected argument; test accepts only --full".into()),
    };
    let mut steps = Steps::new();
    steps.run("format", || {
        run(&mut cargo("fmt --all --check"))?;
        for manifest in SEPARATE {
            run(&mut cargo(&format!("fmt --manifest-path {manifest} --check")))?;
        }
        passed()
    });
    steps.run("clippy", || {
        run(&mut cargo("clippy --release --workspace --all-targets -- --deny warnings"))?;
        let benches = "clippy --manifest-path benches/Cargo.toml --release --all-targets -- --deny warnings";
        run(cargo(benches).env("CARGO_TARGET_DIR", paths::target()))?;
        passed()
    });
    // The page is embedded in the program, so it is built first.
    steps.run("page", web::build);
    steps.run("page checks", web::check);
    let is_built = steps.run("build", || {
        // The program and the examples are built along with the tests.
        run(&mut cargo("test --release --workspace --no-run"))?;
        passed()
    });
    if is_built {
        steps.run("tests", || run_tests(extent));
        validate::steps(&mut steps);
        schemas::steps(&mut steps);
        web::test_steps(&mut steps);
        capi::steps(
            &mut steps,
            match extent {
                Extent::Usual => capi::Extent::Usual,
                Extent::Full => capi::Extent::Sanitized,
            },
        );
        steps.run("pages", || {
            passed_with(format!("{} generated sections are up to date", generated::compare()?))
        });
    }
    deny::steps(&mut steps);
    package::steps(&mut steps);
    api::steps(&mut steps);
    features::steps(&mut steps);
    editors::steps(&mut steps);
    if is_built {
        python::steps(&mut steps);
        blender::steps(&mut steps);
    }
    steps.run("links", docs::follow_links);
    steps.run("book", || docs::build(&[]));
    steps.run("api docs", || {
        run(cargo(
            "doc --release --workspace --lib --no-deps --exclude antiquary-capi --exclude antiquary-python",
        )
        .env("RUSTDOCFLAGS", "--deny warnings"))?;
        passed()
    });
    if is_built && extent == Extent::Full {
        fuzz::fuzz(&mut steps, FULL_FUZZING);
    }
    Ok(steps.finish())
}

/// The manifests of workspaces within this one.
const SEPARATE: [&str; 2] = ["fuzz/Cargo.toml", "benches/Cargo.toml"];

/// Fuzzing time for each target with `--full`, in seconds.
const FULL_FUZZING: u64 = 300;

fn run_tests(extent: Extent) -> Result<Verdict> {
    let command = &mut cargo("test --release --workspace --no-fail-fast");
    corpus::set_variable(command)?;
    command.env("ANTIQUARY_BPY", std::env::join_paths(tool::blenders()?)?);
    if extent == Extent::Full {
        command.env("ANTIQUARY_FULL", "1");
    }
    // Tests that cannot run on this machine append the reason to this file.
    let list = paths::target().join("skipped-tests.txt");
    remove_list(&list)?;
    run(command.env("ANTIQUARY_SKIPPED", &list))?;
    passed_except("", read_list(&list)?)
}

/// Removes the list of skipped tests of an earlier run.
pub(crate) fn remove_list(list: &Path) -> Result<()> {
    match fs::remove_file(list) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(error.into()),
        _ => Ok(()),
    }
}

/// Reads the list of skipped tests, each with the reason.
pub(crate) fn read_list(list: &Path) -> Result<BTreeSet<String>> {
    match fs::read_to_string(list) {
        Ok(lines) => Ok(lines.lines().map(str::to_owned).collect()),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(BTreeSet::new()),
        Err(error) => Err(error.into()),
    }
}
