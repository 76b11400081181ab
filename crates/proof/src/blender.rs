//! Blender, as far as its Python module `bpy` is installed.

use std::ffi::OsStr;
use std::path::PathBuf;
use std::process::{Command, Output};

/// The environment variable with the folders that `bpy` is installed in, one for each version, separated like those of `PATH`.
const VARIABLE: &str = "ANTIQUARY_BPY";

/// A version of Blender.
#[derive(Debug)]
pub struct Blender {
    /// The folder with its module; `None` for that of the system.
    folder: Option<PathBuf>,
    /// Its version.
    pub version: String,
}

impl Blender {
    /// All versions at hand. If there are none, says that the test is skipped.
    pub fn all() -> Vec<Self> {
        let folders = std::env::var_os(VARIABLE).unwrap_or_default();
        let given: Vec<_> =
            std::env::split_paths(&folders).filter(|folder| !folder.as_os_str().is_empty()).collect();
        let found: Vec<Self> = match given.is_empty() {
            true => Self::find(None).into_iter().collect(),
            false => given.into_iter().filter_map(|folder| Self::find(Some(folder))).collect(),
        };
        if found.is_empty() {
            eprintln!(
                "SKIPPED: python3 has no module bpy (pip install bpy), so nothing goes through Blender"
            );
        }
        found
    }

    fn find(folder: Option<PathBuf>) -> Option<Self> {
        let mut blender = Self { folder, version: String::new() };
        let output = blender.python("import bpy; print('version', bpy.app.version_string)", &[] as &[&str]);
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let version = text.lines().find_map(|line| line.strip_prefix("version "))?;
        version.clone_into(&mut blender.version);
        Some(blender)
    }

    /// Runs a script with arguments. It must succeed.
    pub fn run(&self, script: &str, arguments: &[impl AsRef<OsStr>]) {
        let output = self.python(script, arguments);
        assert!(
            output.status.success(),
            "Blender {}: {}",
            self.version,
            String::from_utf8_lossy(&output.stderr)
        );
    }

    fn python(&self, script: &str, arguments: &[impl AsRef<OsStr>]) -> Output {
        let mut command = Command::new("python3");
        command.arg("-c").arg(script).args(arguments);
        if let Some(folder) = &self.folder {
            command.env("PYTHONPATH", folder);
        }
        match command.output() {
            Ok(output) => output,
            Err(_) => Output { status: Default::default(), stdout: Vec::new(), stderr: Vec::new() },
        }
    }
}
