//! `cargo xtask test`: everything that must hold before a change is taken.

use std::collections::BTreeSet;
use std::fs;
use std::io::ErrorKind;
use std::process::ExitCode;

use crate::command::{cargo, run};
use crate::step::{Steps, Verdict, passed, passed_except, passed_with};
use crate::{
    Chore, Result, api, corpus, deny, docs, editors, features, fuzz, generated, package, place, tool,
    validate, web,
};

pub(crate) static CHORE: Chore = Chore {
    name: "test",
    arguments: "[--full]",
    about: "formatting, lints, all tests, everything converted and validated, packages, the book\n\
            --full adds what takes long: files cut at every length, long fuzzing",
    run: chore,
};

/// How much is tested.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Extent {
    Usual,
    Full,
}

fn chore(arguments: &[String]) -> Result<ExitCode> {
    let extent = match arguments {
        [] => Extent::Usual,
        [argument] if argument == "--full" => Extent::Full,
        _ => return Err("test knows only --full".into()),
    };
    let mut steps = Steps::new();
    steps.run("format", || {
        run(&mut cargo("fmt --all --check"))?;
        run(&mut cargo("fmt --manifest-path fuzz/Cargo.toml --check"))?;
        passed()
    });
    steps.run("clippy", || {
        run(&mut cargo("clippy --release --workspace --all-targets -- --deny warnings"))?;
        passed()
    });
    // The program holds the page that is there when it is built.
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
        web::test_steps(&mut steps);
        steps.run("pages", || {
            passed_with(format!("{} parts say what the program says", generated::compare()?))
        });
    }
    deny::steps(&mut steps);
    package::steps(&mut steps);
    api::steps(&mut steps);
    features::steps(&mut steps);
    editors::steps(&mut steps);
    steps.run("links", docs::follow_links);
    steps.run("book", || docs::build(&[]));
    steps.run("api docs", || {
        run(cargo("doc --release --workspace --lib --no-deps").env("RUSTDOCFLAGS", "--deny warnings"))?;
        passed()
    });
    if is_built && extent == Extent::Full {
        fuzz::fuzz(&mut steps, FULL_FUZZING);
    }
    Ok(steps.finish())
}

/// Seconds for each fuzz target.
const FULL_FUZZING: u64 = 300;

fn run_tests(extent: Extent) -> Result<Verdict> {
    let command = &mut cargo("test --release --workspace --no-fail-fast");
    corpus::tell(command)?;
    command.env("ANTIQUARY_BPY", std::env::join_paths(tool::blenders()?)?);
    if extent == Extent::Full {
        command.env("ANTIQUARY_FULL", "1");
    }
    // Tests that cannot run on this machine append a line with the reason.
    let list = place::target().join("skipped-tests.txt");
    match fs::remove_file(&list) {
        Err(error) if error.kind() != ErrorKind::NotFound => return Err(error.into()),
        _ => {}
    }
    run(command.env("ANTIQUARY_SKIPPED", &list))?;
    let skipped = match fs::read_to_string(&list) {
        Ok(lines) => lines.lines().map(str::to_owned).collect::<BTreeSet<_>>(),
        Err(error) if error.kind() == ErrorKind::NotFound => BTreeSet::new(),
        Err(error) => return Err(error.into()),
    };
    passed_except("", skipped)
}
