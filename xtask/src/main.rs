//! Every chore of the project as one command: `cargo xtask help`.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a command-line program")]

mod api;
#[cfg(test)]
mod arithmetic;
mod bench;
mod blender;
mod capi;
mod catalog;
mod ci;
mod command;
mod corpus;
#[cfg(test)]
mod cycle;
mod demo;
mod deny;
mod docs;
mod editors;
mod features;
mod fuzz;
mod generated;
mod links;
#[cfg(test)]
mod neutral;
#[cfg(test)]
mod overview;
mod package;
mod paths;
mod python;
mod rust_version;
mod schemas;
mod step;
mod test;
mod tool;
mod validate;
mod web;
#[cfg(test)]
mod words;

use std::process::ExitCode;

/// The error of a chore: a message for the user.
type Error = Box<dyn std::error::Error>;
type Result<T> = std::result::Result<T, Error>;

/// A subcommand of this program.
struct Chore {
    name: &'static str,
    /// The usage of its arguments.
    arguments: &'static str,
    about: &'static str,
    run: fn(&[String]) -> Result<ExitCode>,
}

static CHORES: &[&Chore] = &[
    &demo::CHORE,
    &test::CHORE,
    &bench::CHORE,
    &fuzz::CHORE,
    &docs::CHORE,
    &schemas::CHORE,
    &corpus::CHORE,
    &package::CHORE,
    &api::CHORE,
    &features::CHORE,
    &deny::CHORE,
    &editors::CHORE,
    &capi::CHORE,
    &python::CHORE,
    &blender::CHORE,
    &web::CHORE,
    &ci::CHORE,
];

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let name = arguments.next().unwrap_or_default();
    let rest: Vec<_> = arguments.collect();
    if matches!(name.as_str(), "" | "help" | "-h" | "--help") || rest.iter().any(|word| word == "--help") {
        print!("{}", help());
        return ExitCode::SUCCESS;
    }
    let Some(chore) = CHORES.iter().find(|chore| chore.name == name) else {
        eprintln!("error: unknown chore \"{name}\"\n\n{}", help());
        return ExitCode::from(2);
    };
    match (chore.run)(&rest) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn help() -> String {
    let usages: Vec<_> = CHORES
        .iter()
        .map(|chore| (format!("cargo xtask {} {}", chore.name, chore.arguments), chore.about))
        .collect();
    let width = usages.iter().map(|(usage, _)| usage.len()).max().unwrap_or_default();
    let mut out = String::from("Every chore of the project as one command.\n\n");
    for (usage, about) in usages {
        for (index, line) in about.lines().enumerate() {
            let left = if index == 0 { usage.as_str() } else { "" };
            out.push_str(&format!("  {left:width$}  {line}\n"));
        }
    }
    out.push_str(
        "\nANTIQUARY_CORPUS is the folder of public game files that some tests read (default: ../shared/corpus).\n\
         CARGO_TARGET_DIR is the folder for build output and installed tools (default: target).\n",
    );
    out
}
