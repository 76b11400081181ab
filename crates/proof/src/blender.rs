//! Blender through its Python module `bpy`, where that is installed.

use std::ffi::OsStr;
use std::path::PathBuf;
use std::process::{Command, Output};

/// The environment variable that lists the folders of `bpy`, one for each version, separated like those of `PATH`.
const VARIABLE: &str = "ANTIQUARY_BPY";

/// An installed version of Blender.
#[derive(Debug)]
pub struct Blender {
    /// The folder of the module; `None` for the module of the system.
    folder: Option<PathBuf>,
    /// The version, such as `4.5.15`.
    pub version: String,
}

impl Blender {
    /// Returns all installed versions. If there are none, reports that the test is skipped.
    pub fn all() -> Vec<Self> {
        let folders = std::env::var_os(VARIABLE).unwrap_or_default();
        let given: Vec<_> =
            std::env::split_paths(&folders).filter(|folder| !folder.as_os_str().is_empty()).collect();
        let found: Vec<Self> = match given.is_empty() {
            true => Self::find(None).into_iter().collect(),
            false => given.into_iter().filter_map(|folder| Self::find(Some(folder))).collect(),
        };
        if found.is_empty() {
            corpus::skip("python3 has no module bpy (pip install bpy)");
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

    /// Runs a script with arguments.
    ///
    /// # Panics
    /// If the script fails.
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
