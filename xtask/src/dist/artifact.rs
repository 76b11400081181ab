//! The files of a release, and their demonstrations.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::release::{PROGRAM, Release, VERSION, length_of};
use super::target::Target;
use super::{compare, licenses, parts, vscode, windows};
use crate::command::{run, text};
use crate::python::{self, Environment};
use crate::step::{Verdict, passed_with, skipped};
use crate::{Result, blender, capi, demo, paths, web};

/// Files of the project that are part of each archive.
const DOCUMENTS: [&str; 4] = ["README.md", "CHANGELOG.md", "LICENSE-APACHE", "LICENSE-MIT"];

/// The shells with completions, and the file names under which they look for them.
const COMPLETIONS: [(&str, &str); 5] = [
    ("bash", "antiquary.bash"),
    ("elvish", "antiquary.elv"),
    ("fish", "antiquary.fish"),
    ("powershell", "_antiquary.ps1"),
    ("zsh", "_antiquary"),
];

/// Checks and converts the sample games with the Python package, like `antiquary demo`, given the folder.
const WHEEL_DEMO: &str = "
import pathlib, sys, antiquary
folder = pathlib.Path(sys.argv[1])
antiquary.write_samples(folder)
games = sorted(path for path in folder.iterdir() if path.is_dir())
for run in antiquary.check(games), antiquary.convert(games, folder / 'converted'):
    failed = [outcome for outcome in run['results'] if not outcome['ok']]
    assert run['results'] and not failed, failed
";

impl Release {
    /// Builds the program, and packs it with its man pages, completions, licenses and list of parts.
    pub(super) fn program(&self, target: &Target) -> Result<Verdict> {
        self.cargo_build(PROGRAM, target.program)?;
        let folder = self.work(&format!("antiquary-{VERSION}-{}", target.platform));
        self.add_documents(&folder, "cli", target.program)?;
        let program = self.built_program(target);
        fs::copy(&program, folder.join(paths::name(&program)))?;
        fs::copy(web::page().join("licenses.txt"), folder.join("licenses/page.txt"))?;
        let page = parts::of_npm(&paths::root().join("web"), &self.time)?;
        parts::write(&folder, &parts::merged(parts::of_crate(self, "cli", target.program)?, page)?)?;
        self.describe(&folder)?;
        self.pack(&folder, target)
    }

    /// Writes man pages and completions. All programs write the same ones, so that of this machine does it.
    fn describe(&self, folder: &Path) -> Result<()> {
        let native = self.targets.first().map(|target| self.built_program(target)).ok_or("no target")?;
        run(Command::new(&native).args(["man", "-o"]).arg(folder.join("man/man1")))?;
        let completions = folder.join("completions");
        fs::create_dir(&completions)?;
        for (shell, name) in COMPLETIONS {
            let script = text(Command::new(&native).args(["completions", shell]))?;
            fs::write(completions.join(name), script)?;
        }
        Ok(())
    }

    /// Writes the documents of the project, and the licenses of all dependencies of a crate.
    fn add_documents(&self, folder: &Path, name: &str, target: &str) -> Result<()> {
        fs::create_dir_all(folder.join("licenses"))?;
        for document in DOCUMENTS {
            fs::copy(paths::root().join(document), folder.join(document))?;
        }
        licenses::of_standard_library(&folder.join("licenses/rust-standard-library.html"))?;
        licenses::of_dependencies(self, name, target, &folder.join("licenses/dependencies.txt"))
    }

    /// Runs the demonstration of the program. Its files must be the same on all systems.
    pub(super) fn demo(&self, target: &Target) -> Result<Verdict> {
        let program = self.built_program(target);
        let command = if target.system.is_windows() {
            match windows::under_wine(&program) {
                Some(command) => command,
                None => return skipped(windows::NO_WINE),
            }
        } else if self.runs_here(target) {
            Command::new(&program)
        } else {
            return skipped("programs for this processor do not run here");
        };
        let folder = self.demo_folder(target);
        demo::run_quietly(command, &folder)?;
        let reference = self.targets.first().map(|first| self.demo_folder(first)).ok_or("no target")?;
        let count = compare::require_same_files(&reference, &folder)?;
        passed_with(format!("{count} files"))
    }

    fn demo_folder(&self, target: &Target) -> PathBuf {
        self.work(&format!("demo-{}", target.platform))
    }

    /// Builds the C library, and packs it with its headers, licenses and list of parts.
    pub(super) fn library(&self, target: &Target) -> Result<Verdict> {
        let built = self.cargo_build(capi::PACKAGE, target.library)?;
        let folder = self.work(&format!("antiquary-c-{VERSION}-{}", target.platform));
        self.add_documents(&folder, "capi", target.library)?;
        parts::write(&folder, &parts::of_crate(self, "capi", target.library)?)?;
        // Relative to the folder of `antiquary.pc`, so that the archive can be unpacked anywhere.
        capi::install(&built, &folder, target.system, "${pcfiledir}/../..")?;
        self.pack(&folder, target)
    }

    /// Builds the Python package as a wheel.
    pub(super) fn wheel(&self, target: &Target) -> Result<Verdict> {
        let list = self.work(&format!("parts-{}", target.platform));
        fs::create_dir(&list)?;
        parts::write(&list, &parts::of_crate(self, "python", target.library)?)?;
        let mut maturin = environment()?.maturin("dist");
        self.reproducible(maturin.args(["--target", target.library]))?;
        maturin.arg("--sbom-include").arg(list.join(parts::NAME));
        // maturin adds files whose names begin with LICENSE.
        let licenses = python::package().join("LICENSE-DEPENDENCIES.txt");
        licenses::of_dependencies(self, "python", target.library, &licenses)?;
        let built = python::build_wheel(&mut maturin, &self.wheels(target));
        fs::remove_file(licenses)?;
        self.add(&built?)
    }

    fn wheels(&self, target: &Target) -> PathBuf {
        self.work(&format!("wheel-{}", target.platform))
    }

    /// The wheel, which must have been built.
    fn built_wheel(&self, target: &Target) -> Result<PathBuf> {
        let wheels = paths::files_recursive(&self.wheels(target), |path| paths::extension(path) == "whl");
        Ok(wheels.unwrap_or_default().pop().ok_or("the wheel was not built")?)
    }

    /// Installs the wheel, and does with it what the demonstration does.
    pub(super) fn wheel_demo(&self, target: &Target) -> Result<Verdict> {
        if !self.runs_here(target) {
            return skipped("no Python for this system runs here, so the wheel was not tested");
        }
        let environment = environment()?;
        environment.install_wheel(&self.built_wheel(target)?)?;
        let folder = self.work("demo-wheel");
        run(environment.python().args(["-c", WHEEL_DEMO]).arg(&folder))?;
        let [of_program, of_wheel] =
            [self.demo_folder(target), folder].map(|folder| folder.join("converted"));
        passed_with(format!("{} files", compare::require_same_files(&of_program, &of_wheel)?))
    }

    /// Packs the Blender extension with the wheel.
    pub(super) fn blender(&self, target: &Target) -> Result<Verdict> {
        let root = self.work(&format!("blender-{}", target.platform));
        self.add(&blender::pack(&root, &self.built_wheel(target)?)?)
    }

    /// Packs the extension for Visual Studio Code, which is the same for all systems.
    pub(super) fn vscode(&self) -> Result<Verdict> {
        let out = self.files.join(format!("antiquary-vscode-{VERSION}.vsix"));
        vscode::package(&out, &self.time)?;
        length_of(&out)
    }
}

fn environment() -> Result<Environment> {
    Environment::create(&python::find().ok_or_else(python::missing)?)
}
