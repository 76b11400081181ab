//! Paths of the project and its build output.

use std::env;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

/// The root of the project.
pub(crate) fn root() -> &'static Path {
    static ROOT: LazyLock<PathBuf> = LazyLock::new(|| {
        let xtask = env::var_os("CARGO_MANIFEST_DIR").unwrap_or_else(|| env!("CARGO_MANIFEST_DIR").into());
        Path::new(&xtask).parent().map(Path::to_path_buf).unwrap_or_default()
    });
    &ROOT
}

/// The folder of this program and all other build output: `target/release`.
fn release() -> &'static Path {
    static RELEASE: LazyLock<PathBuf> = LazyLock::new(|| {
        let here = env::current_exe().unwrap_or_default();
        here.parent().unwrap_or(&here).to_path_buf()
    });
    &RELEASE
}

/// The folder for generated files: `target`.
pub(crate) fn target() -> &'static Path {
    release().parent().unwrap_or(release())
}

/// The folder for tools that chores install.
pub(crate) fn tools() -> PathBuf {
    target().join("tools")
}

/// The program of this project.
pub(crate) fn program() -> PathBuf {
    built("antiquary")
}

/// The example that writes a scene with every feature.
pub(crate) fn every_feature() -> PathBuf {
    built("examples/every_feature")
}

/// The example that prints the fields of all formats.
pub(crate) fn fields() -> PathBuf {
    built("examples/fields")
}

fn built(name: &str) -> PathBuf {
    release().join(format!("{name}{}", env::consts::EXE_SUFFIX))
}

/// Whether this is the continuous integration of the project, which installs missing tools.
pub(crate) fn is_ci() -> bool {
    env::var_os("CI").is_some_and(|value| value == "true")
}

/// A path relative to the root of the project, or unchanged if it is outside.
pub(crate) fn short(path: &Path) -> String {
    path.strip_prefix(root()).unwrap_or(path).to_string_lossy().into_owned()
}

/// Creates an empty folder, and removes an existing one with its contents.
pub(crate) fn empty_folder(path: &Path) -> std::io::Result<()> {
    if path.exists() {
        std::fs::remove_dir_all(path)?;
    }
    std::fs::create_dir_all(path)
}

/// All files below a folder for which `is_wanted` returns `true`, sorted by path.
pub(crate) fn files_recursive(
    folder: &Path,
    is_wanted: impl Fn(&Path) -> bool,
) -> std::io::Result<Vec<PathBuf>> {
    let mut out = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder)? {
            let entry = entry?;
            if entry.file_type()?.is_dir() {
                folders.push(entry.path());
            } else if is_wanted(&entry.path()) {
                out.push(entry.path());
            }
        }
    }
    out.sort();
    Ok(out)
}

/// The file extension in lower case; empty if there is none.
pub(crate) fn extension(path: &Path) -> String {
    path.extension().unwrap_or_default().to_string_lossy().to_lowercase()
}
