//! The folders, flags and files of a release that is being built.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::target::Target;
use crate::archive::{self, Time};
use crate::command::{cargo, run};
use crate::step::{Verdict, passed_with};
use crate::{Result, paths};

/// The version of all files.
pub(super) const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The package of the program.
pub(super) const PROGRAM: &str = "antiquary-cli";

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
    pub(super) targets: &'static [Target],
    /// The complete files.
    pub(super) files: PathBuf,
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
    pub(super) fn reproducible<'c>(&self, command: &'c mut Command) -> Result<&'c mut Command> {
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
    pub(super) fn cargo_build(&self, package: &str, target: &str) -> Result<PathBuf> {
        let build = &mut cargo("build --locked --profile dist");
        run(self.reproducible(build.args(["--package", package, "--target", target]))?)?;
        Ok(paths::target().join(target).join("dist"))
    }

    /// The program, as cargo has built it.
    pub(super) fn built_program(&self, target: &Target) -> PathBuf {
        paths::target().join(target.program).join("dist").join(target.system.program("antiquary"))
    }

    /// Whether programs for a target run on this machine without help.
    pub(super) fn runs_here(&self, target: &Target) -> bool {
        self.targets.first().is_some_and(|first| first.platform == target.platform)
    }

    /// Packs a folder as an archive, whose name is that of the folder with the extension that is usual on the system.
    pub(super) fn pack(&self, folder: &Path, target: &Target) -> Result<Verdict> {
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
    pub(super) fn add(&self, file: &Path) -> Result<Verdict> {
        let out = self.files.join(paths::name(file));
        fs::copy(file, &out)?;
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

/// A note with the name and length of a file.
pub(super) fn length_of(file: &Path) -> Result<Verdict> {
    let length = fs::metadata(file)?.len();
    passed_with(format!("{} ({:.1} MB)", paths::name(file), length as f64 / 1e6))
}
