//! Compiles the example in C# as a program, without Unity, and runs it on the sample games.

use std::process::Command;

use super::example::{resolved, with_library};
use super::{folder, source};
use crate::Result;
use crate::command::{can_run, output, run};
use crate::step::{Verdict, passed_with, skipped};

/// Compiles and runs the example with Mono.
pub(super) fn check() -> Result<Verdict> {
    if !can_run("mcs") || !can_run("mono") {
        return skipped("Mono (mcs, mono) was not found, so the example in C# was not run");
    }
    let unity = source().join("examples/unity");
    let program = folder().join("unity.exe");
    let command = &mut Command::new("mcs");
    command.args(["-warnaserror", "-unsafe-", &format!("-out:{}", program.display())]);
    run(command.arg(unity.join("Antiquary.cs")).arg(unity.join("Program.cs")))?;
    let command = &mut Command::new("mono");
    command.arg(&program).arg(resolved("@scpcb/GFX/map/hall_opt.rmesh"));
    let output = output(with_library(command))?;
    let printed = String::from_utf8(output.stdout)?;
    if !output.status.success() || !printed.contains("triangles") || !printed.contains("malformed") {
        let errors = String::from_utf8_lossy(&output.stderr);
        return Err(format!("the example in C# ended with {}: {errors}{printed}", output.status).into());
    }
    passed_with("with Mono")
}
