//! Installs the library in the layout of Unix: `include`, `lib` and `lib/pkgconfig`.

use std::env::consts::{DLL_PREFIX, DLL_SUFFIX, OS};
use std::fs;
use std::path::Path;

use super::{PACKAGE, source};
use crate::command::{cargo, run};
use crate::step::{Verdict, passed_with};
use crate::{Result, paths};

/// The version of the library.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The libraries of the system that a program needs to link the static library, as `rustc --print native-static-libs` lists
/// them.
const PRIVATE: &str = match OS.as_bytes() {
    b"linux" => "-lgcc_s -lutil -lrt -lpthread -lm -ldl -lc",
    b"macos" => "-liconv -lSystem -lc -lm",
    b"windows" => "-lkernel32 -lntdll -luserenv -lws2_32 -ldbghelp",
    _ => "-lpthread -lm -lc",
};

/// Builds the library as for a release, and installs it.
pub(super) fn optimized(prefix: &Path) -> Result<Verdict> {
    run(cargo("build --profile dist --package").arg(PACKAGE))?;
    install(&paths::target().join("dist"), prefix)
}

/// Installs the library from the folder in which cargo built it.
pub(super) fn install(built: &Path, prefix: &Path) -> Result<Verdict> {
    let (include, lib) = (prefix.join("include"), prefix.join("lib"));
    let pkgconfig = lib.join("pkgconfig");
    [&include, &pkgconfig].into_iter().try_for_each(fs::create_dir_all)?;
    for header in ["antiquary.h", "antiquary.hpp"] {
        fs::copy(source().join("include").join(header), include.join(header))?;
    }
    let template = fs::read_to_string(source().join("antiquary.pc.in"))?;
    let place = prefix.to_string_lossy().replace('\\', "/");
    let text =
        template.replace("@PREFIX@", &place).replace("@VERSION@", VERSION).replace("@PRIVATE@", PRIVATE);
    fs::write(pkgconfig.join("antiquary.pc"), text)?;
    let shared = shared(built, prefix)?;
    let archive = if cfg!(windows) { "antiquary.lib" } else { "libantiquary.a" };
    let length = fs::copy(built.join(archive), lib.join(archive))?;
    passed_with(format!(
        "{}: {} shared, {} static",
        paths::short(prefix),
        megabytes(shared),
        megabytes(length)
    ))
}

/// Installs the shared library with the links under which linkers and programs look it up. Returns its length in bytes.
fn shared(built: &Path, prefix: &Path) -> Result<u64> {
    let name = format!("{DLL_PREFIX}antiquary{DLL_SUFFIX}");
    let lib = prefix.join("lib");
    if cfg!(windows) {
        let bin = prefix.join("bin");
        fs::create_dir_all(&bin)?;
        fs::copy(built.join("antiquary.dll.lib"), lib.join("antiquary.dll.lib"))?;
        return Ok(fs::copy(built.join(&name), bin.join(&name))?);
    }
    // While the major version is 0, each minor version may change the interface.
    let interface = VERSION.rsplit_once('.').map_or(VERSION, |(interface, _)| interface);
    let versioned = |version: &str| match OS {
        "macos" => format!("libantiquary.{version}.dylib"),
        _ => format!("{name}.{version}"),
    };
    let target = versioned(VERSION);
    replace(&lib.join(&target))?;
    let length = fs::copy(built.join(&name), lib.join(&target))?;
    link(&target, &lib.join(versioned(interface)))?;
    link(&target, &lib.join(&name))?;
    Ok(length)
}

/// Removes an installed file, which programs may still use.
fn replace(path: &Path) -> Result<()> {
    if path.symlink_metadata().is_ok() {
        fs::remove_file(path)?;
    }
    Ok(())
}

#[cfg(unix)]
fn link(target: &str, path: &Path) -> Result<()> {
    replace(path)?;
    Ok(std::os::unix::fs::symlink(target, path)?)
}

#[cfg(not(unix))]
fn link(target: &str, path: &Path) -> Result<()> {
    fs::copy(path.with_file_name(target), path)?;
    Ok(())
}

fn megabytes(length: u64) -> String {
    format!("{:.1} MB", length as f64 / 1e6)
}
