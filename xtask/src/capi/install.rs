//! Installs the library in the layout of Unix: `include`, `lib` and `lib/pkgconfig`.

use std::fs;
use std::path::Path;

use super::{PACKAGE, source};
use crate::command::{cargo, run};
use crate::step::{Verdict, passed_with};
use crate::system::{System, link};
use crate::{Result, paths};

/// The version of the library.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The libraries of the system that a program needs to link the static library, as `rustc --print native-static-libs` lists
/// them.
const fn private(system: System) -> &'static str {
    match system {
        System::Linux => "-lgcc_s -lutil -lrt -lpthread -lm -ldl -lc",
        System::MacOs => "-liconv -lSystem -lc -lm",
        System::WindowsGnu | System::WindowsMsvc => "-lkernel32 -lntdll -luserenv -lws2_32 -ldbghelp",
    }
}

/// Builds the library as for a release, and installs it.
pub(super) fn optimized(prefix: &Path) -> Result<Verdict> {
    run(cargo("build --profile dist --package").arg(PACKAGE))?;
    install_here(&paths::target().join("dist"), prefix)
}

/// Installs the library of this system from the folder in which cargo built it.
pub(super) fn install_here(built: &Path, prefix: &Path) -> Result<Verdict> {
    install(built, prefix, System::HOST, &prefix.to_string_lossy().replace('\\', "/"))
}

/// Installs the library of a system from the folder in which cargo built it. `place` is the prefix in `antiquary.pc`.
pub(crate) fn install(built: &Path, prefix: &Path, system: System, place: &str) -> Result<Verdict> {
    let (include, lib) = (prefix.join("include"), prefix.join("lib"));
    let pkgconfig = lib.join("pkgconfig");
    [&include, &pkgconfig].into_iter().try_for_each(fs::create_dir_all)?;
    for header in ["antiquary.h", "antiquary.hpp"] {
        fs::copy(source().join("include").join(header), include.join(header))?;
    }
    let template = fs::read_to_string(source().join("antiquary.pc.in"))?;
    let text = template.replace("@PREFIX@", place).replace("@VERSION@", VERSION);
    fs::write(pkgconfig.join("antiquary.pc"), text.replace("@PRIVATE@", private(system)))?;
    let shared = shared(built, prefix, system)?;
    let archive = system.static_library("antiquary");
    let length = fs::copy(built.join(&archive), lib.join(&archive))?;
    passed_with(format!(
        "{}: {} shared, {} static",
        paths::short(prefix),
        megabytes(shared),
        megabytes(length)
    ))
}

/// Installs the shared library with the links under which linkers and programs look it up. Returns its length in bytes.
fn shared(built: &Path, prefix: &Path, system: System) -> Result<u64> {
    let name = system.shared_library("antiquary");
    let lib = prefix.join("lib");
    if let Some(import) = system.import_library("antiquary") {
        let bin = prefix.join("bin");
        fs::create_dir_all(&bin)?;
        fs::copy(built.join(&import), lib.join(&import))?;
        return Ok(fs::copy(built.join(&name), bin.join(&name))?);
    }
    // While the major version is 0, each minor version may change the interface.
    let interface = VERSION.rsplit_once('.').map_or(VERSION, |(interface, _)| interface);
    let versioned = |version: &str| match system {
        System::MacOs => format!("libantiquary.{version}.dylib"),
        _ => format!("{name}.{version}"),
    };
    let target = versioned(VERSION);
    replace(&lib.join(&target))?;
    let length = fs::copy(built.join(&name), lib.join(&target))?;
    for alias in [versioned(interface), name.clone()].map(|alias| lib.join(alias)) {
        replace(&alias)?;
        link(&target, &alias)?;
    }
    Ok(length)
}

/// Removes an installed file, which programs may still use.
fn replace(path: &Path) -> Result<()> {
    if path.symlink_metadata().is_ok() {
        fs::remove_file(path)?;
    }
    Ok(())
}

fn megabytes(length: u64) -> String {
    format!("{:.1} MB", length as f64 / 1e6)
}
