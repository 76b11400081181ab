//! `cargo xtask blender`: builds the Blender extension with the wheel of the Python package, and tests it in several versions of Blender.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use crate::command::{can_run, run};
use crate::python::{self, Environment};
use crate::step::{Steps, Verdict, passed_except, passed_with, skipped};
use crate::{Chore, Result, corpus, paths, test, tool};

pub(crate) static CHORE: Chore = Chore {
    name: "blender",
    arguments: "[--dist | --bench]",
    about: "builds the Blender extension with its wheel, and tests it in several versions of Blender\n\
            --dist uses the profile of releases; --bench compares import times with Blender's glTF importer",
    run: chore,
};

/// The files of the extension, without tests.
const EXTENSIONS: [&str; 3] = ["py", "toml", "md"];

fn chore(arguments: &[String]) -> Result<ExitCode> {
    let task = match arguments {
        [] => python::Task::Test,
        [argument] if argument == "--dist" => python::Task::TestDist,
        [argument] if argument == "--bench" => python::Task::Bench,
        _ => return Err("unexpected arguments; blender accepts --dist or --bench".into()),
    };
    let mut all = Steps::new();
    run_steps(&mut all, task);
    Ok(all.finish())
}

/// Adds the steps of this chore to those of `cargo xtask test`.
pub(crate) fn steps(steps: &mut Steps) {
    run_steps(steps, python::Task::Test);
}

fn run_steps(steps: &mut Steps, task: python::Task) {
    let mut package = None;
    let is_built = steps.run("blender package", || {
        let Some(python) = python::find() else { return skipped(python::missing()) };
        let environment = Environment::create(&python)?;
        let wheel = environment.install(task)?;
        let built = Package::build(&environment, &wheel)?;
        let length = fs::metadata(&built.zip)?.len();
        let note = format!("{} ({length} bytes)", paths::short(&built.zip));
        package = Some((environment, built));
        passed_with(note)
    });
    let Some((environment, package)) = package.filter(|_| is_built) else { return };
    steps.run("blender manifest", || package.validate());
    if task == python::Task::Bench {
        steps.run("blender import times", || package.bench(&environment));
    } else {
        steps.run("blender tests", || package.test(&environment));
    }
}

/// The extension as a package.
struct Package {
    /// The package, which Blender installs.
    zip: PathBuf,
    /// Its contents.
    folder: PathBuf,
    /// The contents of its wheel.
    library: PathBuf,
}

impl Package {
    /// Collects the files of the extension and the wheel into a package.
    fn build(environment: &Environment, wheel: &Path) -> Result<Self> {
        let root = paths::target().join("blender");
        let (folder, library) = (root.join("antiquary"), root.join("library"));
        paths::empty_folder(&root)?;
        let is_part = |path: &Path| EXTENSIONS.contains(&paths::extension(path).as_str());
        for path in paths::files_recursive(&source(), is_part)? {
            let name = path.strip_prefix(source())?.to_path_buf();
            if !name.starts_with("tests") {
                copy(&path, &folder.join(&name))?;
            }
        }
        for license in ["LICENSE-APACHE", "LICENSE-MIT"] {
            copy(&paths::root().join(license), &folder.join(license))?;
        }
        let file = wheel.file_name().ok_or("the wheel has no name")?;
        copy(wheel, &folder.join("wheels").join(file))?;
        let manifest = folder.join("blender_manifest.toml");
        fs::write(&manifest, with_wheel(&fs::read_to_string(&manifest)?, &file.to_string_lossy())?)?;
        let platform = platform(&file.to_string_lossy())?;
        let zip = root.join(format!("antiquary-{}-{platform}.zip", env!("CARGO_PKG_VERSION")));
        // Folders are added with their contents.
        let mut names =
            fs::read_dir(&folder)?.map(|entry| Ok(entry?.file_name())).collect::<Result<Vec<_>>>()?;
        names.sort();
        let mut pack = environment.module("zipfile");
        run(pack.arg("-c").arg(&zip).args(&names).current_dir(&folder))?;
        run(environment.module("zipfile").arg("-e").arg(wheel).arg(&library))?;
        Ok(Self { zip, folder, library })
    }

    /// Lets Blender validate the package, if there is a program `blender`. The tests check the manifest in any case.
    fn validate(&self) -> Result<Verdict> {
        if !can_run("blender") {
            return skipped(
                "Blender's program was not found, so it did not validate the package; the tests check its manifest",
            );
        }
        run(Command::new("blender").args(["--command", "extension", "validate"]).arg(&self.zip))?;
        passed_with("validated by Blender")
    }

    /// Runs the tests in all versions of Blender at the same time.
    fn test(&self, environment: &Environment) -> Result<Verdict> {
        let folders = tool::blenders_of_extension()?;
        if folders.is_empty() {
            return skipped(
                "no version of bpy could be installed, so the extension was not tested in Blender",
            );
        }
        let names: Vec<_> = folders.iter().map(|folder| version_of(folder)).collect();
        let results: Vec<_> = std::thread::scope(|scope| {
            let mut tests = Vec::new();
            for (folder, name) in folders.iter().zip(&names) {
                let test = || self.test_in(environment, folder, name).map_err(|error| error.to_string());
                tests.push(scope.spawn(test));
            }
            let panicked = |_| Err("a thread panicked".to_owned());
            tests.into_iter().map(|test| test.join().unwrap_or_else(panicked)).collect()
        });
        let skipped_tests = results.into_iter().collect::<std::result::Result<Vec<_>, _>>()?;
        passed_except(names.join(", "), skipped_tests.into_iter().flatten())
    }

    /// Runs the tests in one version of Blender. Returns the skipped ones, each with the reason.
    fn test_in(&self, environment: &Environment, folder: &Path, name: &str) -> Result<Vec<String>> {
        let list = paths::target().join(format!("skipped-tests-{name}.txt"));
        test::remove_list(&list)?;
        let mut pytest = environment.module("pytest");
        corpus::set_variable(&mut pytest)?;
        pytest.env("ANTIQUARY_SKIPPED", &list).env("ANTIQUARY_PACKAGE", &self.zip);
        self.prepare(&mut pytest, folder)?;
        run(pytest.args(["--quiet", "-p", "no:cacheprovider"]).current_dir(source().join("tests")))?;
        Ok(test::read_list(&list)?.into_iter().map(|reason| format!("{name}: {reason}")).collect())
    }

    /// Compares import times with those of Blender's glTF importer.
    fn bench(&self, environment: &Environment) -> Result<Verdict> {
        for folder in tool::blenders_of_extension()? {
            let mut script = environment.python();
            self.prepare(&mut script, &folder)?;
            run(script.arg(source().join("tests/import_times.py")))?;
        }
        passed_with("")
    }

    /// Lets a command import `bpy`, the extension and its library.
    fn prepare(&self, command: &mut Command, blender: &Path) -> Result<()> {
        let modules = std::env::join_paths([blender, &self.library])?;
        command.env("PYTHONPATH", modules).env("ANTIQUARY_EXTENSION", &self.folder);
        command.env("PYTHONDONTWRITEBYTECODE", "1");
        Ok(())
    }
}

/// The name of a folder with a version of Blender: that of the package with its version.
fn version_of(folder: &Path) -> String {
    folder.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// The folder of the extension.
fn source() -> PathBuf {
    paths::root().join("editors/blender")
}

fn copy(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to.parent().ok_or("a file has no folder")?)?;
    fs::copy(from, to)?;
    Ok(())
}

/// Adds the wheel and its platform to the manifest, in place of the comment that announces them.
fn with_wheel(manifest: &str, wheel: &str) -> Result<String> {
    let comment = "# The list of wheels and of their platforms is added by `cargo xtask blender`.\n";
    if !manifest.contains(comment) {
        return Err("blender_manifest.toml has no comment that announces the wheels".into());
    }
    let platform = platform(wheel)?;
    let lines = format!("platforms = [\"{platform}\"]\nwheels = [\"./wheels/{wheel}\"]\n");
    Ok(manifest.replace(comment, &lines))
}

/// Blender's name for the platform of a wheel, which the name of the wheel ends with.
fn platform(wheel: &str) -> Result<&'static str> {
    let tag = wheel.trim_end_matches(".whl").rsplit('-').next().unwrap_or_default();
    let is_arm = tag.ends_with("arm64") || tag.ends_with("aarch64");
    match (tag, is_arm) {
        (tag, false) if tag.contains("linux") => Ok("linux-x64"),
        (tag, true) if tag.contains("linux") => Ok("linux-arm64"),
        (tag, false) if tag.starts_with("win") => Ok("windows-x64"),
        (tag, true) if tag.starts_with("win") => Ok("windows-arm64"),
        (tag, false) if tag.starts_with("macosx") => Ok("macos-x64"),
        (tag, true) if tag.starts_with("macosx") => Ok("macos-arm64"),
        _ => Err(format!("{wheel}: Blender has no name for this platform").into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_manifest_of_the_package_lists_the_wheel_and_its_platform() {
        let manifest = fs::read_to_string(source().join("blender_manifest.toml")).unwrap();
        let written = with_wheel(&manifest, "antiquary-0.1.0-cp311-abi3-manylinux_2_35_x86_64.whl").unwrap();
        assert!(written.contains("platforms = [\"linux-x64\"]\n"), "{written}");
        assert!(written.contains("/antiquary-0.1.0-cp311-abi3-manylinux_2_35_x86_64.whl\"]\n"), "{written}");
        assert!(written.contains(&format!("version = \"{}\"\n", env!("CARGO_PKG_VERSION"))), "{written}");
    }

    #[test]
    fn platforms_have_the_names_of_blender() {
        assert_eq!(platform("a-1-cp311-abi3-macosx_11_0_arm64.whl").unwrap(), "macos-arm64");
        assert_eq!(platform("a-1-cp311-abi3-win_amd64.whl").unwrap(), "windows-x64");
        assert!(platform("a-1-py3-none-any.whl").is_err());
    }
}
