//! The extension for Visual Studio Code as a file that it installs.

use std::path::Path;
use std::process::Command;

use super::parts;
use crate::archive::Time;
use crate::command::run;
use crate::{Result, editors, tool};

/// Packages the extension, with the list of its parts.
pub(super) fn package(out: &Path, time: &Time) -> Result<()> {
    let folder = editors::compile()?;
    parts::write(&folder, &parts::of_npm(&folder, time)?)?;
    let vsce = &mut Command::new("node");
    vsce.arg(tool::vsce()?).args(["package", "--skip-license", "--out"]).arg(out);
    run(vsce.env("SOURCE_DATE_EPOCH", time.seconds.to_string()).current_dir(folder))
}
