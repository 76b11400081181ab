//! `cargo xtask docs`: the book.

use std::process::{Command, ExitCode};

use crate::command::{cargo, run};
use crate::step::{Steps, Verdict, passed_with};
use crate::{Chore, Result, generated, links, place, tool};

pub(crate) static CHORE: Chore = Chore {
    name: "docs",
    arguments: "[--open] [--write]",
    about: "builds the book into target/book and follows its links\n\
            --write first brings up to date what the program itself tells: formats, warnings, commands\n\
            --open shows it in a browser",
    run: chore,
};

fn chore(arguments: &[String]) -> Result<ExitCode> {
    let (mut open, mut write) = (false, false);
    for argument in arguments {
        match argument.as_str() {
            "--open" => open = true,
            "--write" => write = true,
            other => return Err(format!("docs does not know {other}").into()),
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

/// Builds the program as everything else is built.
pub(crate) fn build_program() -> Result<()> {
    run(&mut cargo("build --release --package antiquary-cli"))
}

/// Follows every link of the README and the book.
pub(crate) fn follow_links() -> Result<Verdict> {
    passed_with(format!("{} links lead somewhere", links::check()?))
}

/// Builds the book.
pub(crate) fn build(more: &[&str]) -> Result<Verdict> {
    let book = place::target().join("book");
    run(Command::new(tool::mdbook()?).args(["build", "docs", "--dest-dir"]).arg(&book).args(more))?;
    passed_with(place::short(&book.join("index.html")))
}
