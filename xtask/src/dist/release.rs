//! Builds the files of a release in a temporary folder, which gets its name when all are complete.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::target::Target;
use super::{compare, licenses, parts, vscode, windows};
use crate::archive::{self, Time};
use crate::command::{cargo, run, text};
use crate::python::{self, Environment};
use crate::step::{Verdict, passed_with, skipped};
use crate::{Result, blender, capi, demo, paths, web};

/// The package of the program.
pub(super) const PROGRAM: &str = "antiquary-cli";

/// The version of all files.
const VERSION: &str = env!("CARGO_PKG_VERSION");

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

/// The folder of all releases.
fn releases() -> PathBuf {
    paths::target().join("releases")
}

/// The folder of the release with complete files.
pub(super) fn finished() -> PathBuf {
    releases().join(VERSION)
}

/// A release whose files are being built.
pub(super) struct Release {
    targets: &'static [Target],
    /// The complete files.
    files: PathBuf,
    /// Everything from which they are made.
    work: PathBuf,
    pub(super) time: Time,
}

/// Removes unfinished files, also if a step has failed.
impl Drop for Release {
    fn drop(&mut self) {
        if let Err(error) = fs::remove_dir_all(unfinished()) {
            eprintln!("warning: {} cannot be removed: {error}", paths::short(&unfinished()));
        }
    }
}

fn unfinished() -> PathBuf {
    releases().join("unfinished")
}

impl Release {
    /// Creates the folders, and downloads the sources of all dependencies.
    pub(super) fn begin(targets: &'static [Target]) -> Result<Self> {
        run(&mut cargo("fetch --locked"))?;
        let time = Time::of_commit()?;
        paths::empty_folder(&unfinished())?;
        let [files, work] = ["files", "work"].map(|name| unfinished().join(name));
        [&files, &work].into_iter().try_for_each(fs::create_dir)?;
        Ok(Self { targets, files, work, time })
    }

    /// A folder for intermediate files.
    pub(super) fn work(&self, name: &str) -> PathBuf {
        self.work.join(name)
    }

    /// The folder with the sources of the last commit, for tools that write into it.
    pub(super) fn sources(&self) -> Result<PathBuf> {
        let folder = self.work("sources");
        if !folder.exists() {
            run(Command::new("git")
                .args(["checkout-index", "--all"])
                .arg(format!("--prefix={}/", folder.display())))?;
        }
        Ok(folder)
    }

    /// Lets the results of a build depend on the sources alone: not on the folders of this machine, nor on the current time.
    fn reproducible<'c>(&self, command: &'c mut Command) -> Result<&'c mut Command> {
        let mut folders = vec![(paths::root().to_path_buf(), "/antiquary")];
        let cargo_home = paths::cargo_home()?;
        folders.push((cargo_home.clone(), "/cargo"));
        let registries = fs::read_dir(cargo_home.join("registry/src"))?;
        for registry in registries {
            folders.push((registry?.path(), "/cargo"));
        }
        folders.push((paths::target().to_path_buf(), "/target"));
        // The last one that matches is used.
        let flags = folders.iter().map(|(from, to)| format!("--remap-path-prefix={}={to}", from.display()));
        command.env("CARGO_ENCODED_RUSTFLAGS", flags.collect::<Vec<_>>().join("\x1f"));
        Ok(command.env("SOURCE_DATE_EPOCH", self.time.seconds.to_string()))
    }

    /// Builds a package for a Rust target. Returns the folder with the results.
    fn cargo_build(&self, package: &str, target: &str) -> Result<PathBuf> {
        let build = &mut cargo("build --locked --profile dist");
        run(self.reproducible(build.args(["--package", package, "--target", target]))?)?;
        Ok(paths::target().join(target).join("dist"))
    }

    /// Packs a folder as an archive, whose name is that of the folder with the extension that is usual on the system.
    fn pack(&self, folder: &Path, target: &Target) -> Result<Verdict> {
        let top = paths::name(folder);
        let out = if target.system.is_windows() {
            let out = self.files.join(format!("{top}.zip"));
            archive::zip(folder, &top, &out, &self.time)?;
            out
        } else {
            let out = self.files.join(format!("{top}.tar.gz"));
            archive::tar_gz(folder, &top, &out, &self.time)?;
            out
        };
        length_of(&out)
    }

    /// Copies a file, and notes its name and length.
    fn add(&self, file: &Path) -> Result<Verdict> {
        let out = self.files.join(paths::name(file));
        fs::copy(file, &out)?;
        length_of(&out)
    }

    /// The program, as cargo has built it.
    pub(super) fn built_program(&self, target: &Target) -> PathBuf {
        paths::target().join(target.program).join("dist").join(target.system.program("antiquary"))
    }

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

    /// Whether programs for a target run on this machine without help.
    fn runs_here(&self, target: &Target) -> bool {
        self.targets.first().is_some_and(|first| first.platform == target.platform)
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
        let environment = environment()?;
        // maturin adds files whose names begin with LICENSE.
        let licenses = python::package().join("LICENSE-DEPENDENCIES.txt");
        licenses::of_dependencies(self, "python", target.library, &licenses)?;
        let mut maturin = environment.maturin("dist");
        self.reproducible(maturin.args(["--target", target.library]))?;
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

    /// Checks that no file contains a path of this machine, writes the checksums, and gives the folder its name. Returns the folder.
    pub(super) fn finish(&self) -> Result<PathBuf> {
        for file in paths::files_recursive(&self.files, |_| true)? {
            require_no_paths(&file)?;
        }
        fs::write(self.files.join("SHA256SUMS"), archive::checksums(&self.files)?)?;
        if finished().exists() {
            fs::remove_dir_all(finished())?;
        }
        fs::rename(&self.files, finished())?;
        Ok(finished())
    }
}

/// Fails if a file of an archive contains the path of this project, or of the home of cargo.
fn require_no_paths(file: &Path) -> Result<()> {
    let folders = [paths::root().to_path_buf(), paths::cargo_home()?];
    for (name, bytes) in archive::entries(file)? {
        for folder in folders.iter().map(|folder| folder.to_string_lossy()) {
            if bytes.windows(folder.len()).any(|window| window == folder.as_bytes()) {
                return Err(format!("{}: {name} contains the path {folder}", paths::name(file)).into());
            }
        }
    }
    Ok(())
}

fn environment() -> Result<Environment> {
    Environment::create(&python::find().ok_or_else(python::missing)?)
}

/// A note with the name and length of a file.
fn length_of(file: &Path) -> Result<Verdict> {
    let length = fs::metadata(file)?.len();
    passed_with(format!("{} ({:.1} MB)", paths::name(file), length as f64 / 1e6))
}
