//! The licenses of all dependencies, which each file of a release contains.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::release::Release;
use crate::command::{run, text};
use crate::{Result, paths, tool};

/// Writes the licenses of all dependencies of a crate that are compiled for a Rust target.
pub(super) fn of_dependencies(release: &Release, name: &str, target: &str, out: &Path) -> Result<()> {
    let policy = fs::read_to_string(paths::root().join("deny.toml"))?;
    let config = release.work("about.toml");
    fs::write(&config, configuration(&policy).ok_or("deny.toml has no list of allowed licenses")?)?;
    let about = &mut Command::new(tool::cargo_about()?);
    about.args(["about", "generate", "--locked", "--offline", "--fail", "--target", target]);
    about.arg("--manifest-path").arg(paths::root().join("crates").join(name).join("Cargo.toml"));
    about.arg("--config").arg(&config).arg("--output-file").arg(out);
    run(about.arg(paths::root().join("xtask/src/dist/licenses.hbs")))
}

/// The configuration of cargo-about: the licenses that the policy for dependencies allows, and no use of the network.
fn configuration(policy: &str) -> Option<String> {
    let (_, list) = policy.split_once("\nallow = [")?;
    let (list, _) = list.split_once(']')?;
    Some(format!(
        "accepted = [{list}]\nignore-build-dependencies = true\nignore-dev-dependencies = true\nno-clearly-defined = true\n"
    ))
}

/// Writes the licenses of the standard library of Rust, which is part of every program.
pub(super) fn of_standard_library(out: &Path) -> Result<()> {
    let sysroot = text(Command::new("rustc").args(["--print", "sysroot"]))?;
    let page = PathBuf::from(sysroot.trim()).join("share/doc/rust/COPYRIGHT-library.html");
    let copied = fs::copy(&page, out);
    copied
        .map_err(|error| format!("the licenses of Rust's standard library ({}): {error}", page.display()))?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_allowed_licenses_are_those_of_the_policy() {
        let policy = fs::read_to_string(paths::root().join("deny.toml")).unwrap();
        let configuration = configuration(&policy).unwrap();
        assert!(configuration.contains("  \"MIT\",\n"), "{configuration}");
        assert!(!configuration.contains("openssl"), "{configuration}");
    }
}
