//! `cargo xtask docs`: the book.

use std::process::{Command, ExitCode};

use crate::command::{cargo, run};
use crate::step::{Steps, Verdict, passed_with};
use crate::{Chore, Result, generated, links, paths, tool};

pub(crate) static CHORE: Chore = Chore {
    name: "docs",
    arguments: "[--open] [--write]",
    about: "builds the book into target/book and checks its links\n\
            --write first updates the generated sections, such as formats, warnings and commands\n\
            --open opens the book in a browser",
    run: chore,
};

fn chore(arguments: &[String]) -> Result<ExitCode> {
    let (mut open, mut write) = (false, false);
    for argument in arguments {
        match argument.as_str() {
            "--open" => open = true,
            "--write" => write = true,
            other => {
                return Err(format!("unexpected argument {other}; docs accepts --open and --write").into());
            }
        }
    }
    let mut steps = Steps::new();
    if write {
        steps.run("pages", || {
            build_program()?;
            run(&mut cargo("build --release --package xtask --example fields"))?;
            let changed = generated::write()?;
            passed_with(if changed.is_empty() { "nothing changed".to_owned() } else { changed.join(", ") })
        });
    }
    steps.run("links", follow_links);
    steps.run("book", || build(if open { &["--open"] } else { &[] }));
    Ok(steps.finish())
}

/// Builds the program with the release profile, as all other chores do.
pub(crate) fn build_program() -> Result<()> {
    run(&mut cargo("build --release --package antiquary-cli"))
}

/// Checks every link of the pages at the root and of the book.
pub(crate) fn follow_links() -> Result<Verdict> {
    passed_with(format!("{} links resolve", links::check()?))
}

/// Builds the book.
pub(crate) fn build(more: &[&str]) -> Result<Verdict> {
    let book = paths::target().join("book");
    run(Command::new(tool::mdbook()?).args(["build", "docs", "--dest-dir"]).arg(&book).args(more))?;
    passed_with(paths::short(&book.join("index.html")))
}
