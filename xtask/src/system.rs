//! The operating systems that the project is built for, and the names of the files that the compiler writes there.

use std::path::Path;

/// An operating system, with the conventions of its libraries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum System {
    Linux,
    MacOs,
    /// Windows, with the libraries of MinGW-w64.
    WindowsGnu,
    /// Windows, with the libraries of Visual C++.
    WindowsMsvc,
}

impl System {
    /// The system that this program runs on.
    pub(crate) const HOST: Self = if cfg!(target_os = "macos") {
        Self::MacOs
    } else if cfg!(all(windows, target_env = "msvc")) {
        Self::WindowsMsvc
    } else if cfg!(windows) {
        Self::WindowsGnu
    } else {
        Self::Linux
    };

    pub(crate) const fn is_windows(self) -> bool {
        matches!(self, Self::WindowsGnu | Self::WindowsMsvc)
    }

    /// The file name of a program.
    pub(crate) fn program(self, name: &str) -> String {
        if self.is_windows() { format!("{name}.exe") } else { name.to_owned() }
    }

    /// The file name of a shared library.
    pub(crate) fn shared_library(self, name: &str) -> String {
        match self {
            Self::Linux => format!("lib{name}.so"),
            Self::MacOs => format!("lib{name}.dylib"),
            Self::WindowsGnu | Self::WindowsMsvc => format!("{name}.dll"),
        }
    }

    /// The file name of a static library.
    pub(crate) fn static_library(self, name: &str) -> String {
        if self == Self::WindowsMsvc { format!("{name}.lib") } else { format!("lib{name}.a") }
    }

    /// The file name of the library with which programs are linked to a shared one, if that is a separate file.
    pub(crate) fn import_library(self, name: &str) -> Option<String> {
        match self {
            Self::Linux | Self::MacOs => None,
            Self::WindowsGnu => Some(format!("lib{name}.dll.a")),
            Self::WindowsMsvc => Some(format!("{name}.dll.lib")),
        }
    }
}

/// Creates a symbolic link, or a copy of the file where links need permission.
pub(crate) fn link(target: &str, path: &Path) -> std::io::Result<()> {
    #[cfg(unix)]
    return std::os::unix::fs::symlink(target, path);
    #[cfg(not(unix))]
    std::fs::copy(path.with_file_name(target), path).map(drop)
}
