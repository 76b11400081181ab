//! `cargo xtask dist`: builds the files of a release.

mod artifact;
mod compare;
mod licenses;
mod parts;
mod release;
mod start;
mod target;
mod vscode;
mod windows;

use std::process::ExitCode;

use self::release::Release;
use self::target::Target;
use crate::step::{Steps, Verdict, passed, passed_with};
use crate::{Chore, Result, paths, web};

pub(crate) static CHORE: Chore = Chore {
    name: "dist",
    arguments: "[--compare]",
    about: "builds the files of a release into target/releases/VERSION: on Linux for Linux and Windows, on macOS for macOS\n\
            --compare builds them again in a clone of the last commit, and compares all bytes",
    run: chore,
};

fn chore(arguments: &[String]) -> Result<ExitCode> {
    let compares = match arguments {
        [] => false,
        [argument] if argument == "--compare" => true,
        _ => return Err("unexpected arguments; dist accepts only --compare".into()),
    };
    let targets = Target::of_host()?;
    let mut all = Steps::new();
    if (!compares || all.run("last commit", compare::require_commit)) && build(&mut all, targets) && compares
    {
        all.run("comparison", compare::build_again);
    }
    Ok(all.finish())
}

/// Adds the steps of this chore to those of `cargo xtask test`, which has already built the program.
pub(crate) fn steps(steps: &mut Steps) {
    steps.run("windows program", windows::test);
}

/// Builds all files. Returns `false`, and leaves those of an earlier build, if a step failed.
fn build(steps: &mut Steps, targets: &'static [Target]) -> bool {
    let mut begun = None;
    let is_ready = steps.run("tools", || target::check(targets))
        && steps.run("page", web::build)
        && steps.run("sources", || {
            begun = Some(Release::begin(targets)?);
            passed()
        });
    let Some(release) = begun.filter(|_| is_ready) else { return false };
    let mut is_complete = true;
    for target in targets {
        let mut step = |what: &str, run: &dyn Fn() -> Result<Verdict>| {
            is_complete &= steps.run(&format!("{what} for {}", target.platform), run);
        };
        step("program", &|| release.program(target));
        step("demo", &|| release.demo(target));
        step("C library", &|| release.library(target));
        step("wheel", &|| release.wheel(target));
        step("wheel demo", &|| release.wheel_demo(target));
        step("Blender extension", &|| release.blender(target));
    }
    is_complete &= steps.run("VS Code extension", || release.vscode());
    is_complete &= steps.run("start", || start::measure(&release.built_program(&targets[0])));
    is_complete && steps.run("checksums", || passed_with(paths::short(&release.finish()?)))
}
