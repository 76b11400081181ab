//! What a conversion of whole folders tells in the end: what came of each format, and where to look at it.

use antiquary::{Catalogue, Run};

use crate::command::scan::write_known;
use crate::number::{size, thousands};
use crate::run::DryRunArguments;
use crate::shown::Shown;
use crate::style::{ERROR, NOTE, TITLE};
use crate::table::Table;
use crate::terminal::{self, Loudness};

/// Tells what came of the files of each format, and which files were not read.
pub(super) fn write_overview(run: &Run, catalogue: Catalogue) {
    let formats = run.by_format(catalogue);
    if formats.is_empty() && run.known.is_empty() {
        return;
    }
    let mut table = Table::new(&["FORMAT", "FILES", "CONVERTED", "FAILED", "WARNINGS", "READ", "WRITTEN"]);
    for format in &formats {
        table.row([
            format.format.unwrap_or("not recognised").into(),
            thousands(format.files),
            thousands(format.well),
            thousands(format.failed),
            thousands(format.warnings),
            size(format.bytes),
            size(format.written),
        ]);
    }
    terminal::message(|out| {
        if !formats.is_empty() {
            writeln!(out)?;
            table.write(out, 0)?;
        }
        write_known(out, &run.known)?;
        writeln!(out)
    });
}

/// Tells where the gallery stands, or why it does not.
pub(super) fn write_gallery(run: &Run, dry: DryRunArguments, loudness: Loudness) {
    let Some(page) = &run.gallery else { return };
    terminal::message(|out| match &page.error {
        Some(failure) => {
            writeln!(out, "{ERROR}error{ERROR:#}: {}", Shown(&failure.sentence))?;
            let hint = "--force replaces files that are there already, --no-gallery writes no such page";
            writeln!(out, "{NOTE}hint{NOTE:#}: {hint}")
        }
        None if dry.dry_run && loudness > Loudness::Quiet => {
            writeln!(out, "and a gallery: {}", Shown(&page.path))
        }
        None if loudness > Loudness::Quiet => {
            writeln!(out, "look at it: {TITLE}{}{TITLE:#}", Shown(&page.path))
        }
        None => Ok(()),
    });
}
