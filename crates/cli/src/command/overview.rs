//! The final report of a folder conversion: a table by format, and the path of the gallery.

use antiquary::asset::counted;
use antiquary::{Catalog, Run};

use crate::command::scan::write_known;
use crate::escape::Escaped;
use crate::number::{size, thousands};
use crate::run::DryRunArguments;
use crate::style::{ERROR, NOTE, TITLE};
use crate::table::Table;
use crate::terminal::{self, Verbosity};

/// Prints the results by format, and the known files that were not read.
pub(super) fn write_overview(run: &Run, catalog: Catalog) {
    let formats = run.by_format(catalog);
    if formats.is_empty() && run.known.is_empty() {
        return;
    }
    let mut table = Table::new(&["FORMAT", "FILES", "CONVERTED", "FAILED", "WARNINGS", "READ", "WRITTEN"]);
    for format in &formats {
        table.row([
            format.format.unwrap_or("unrecognized").into(),
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

/// Prints the number and size of the files that scenes share.
pub(super) fn write_shared(run: &Run) {
    let Some(shared) = &run.shared else { return };
    let files = counted(shared.files, "file", "files");
    terminal::message(|out| {
        writeln!(out, "shared by scenes: {files}, {}, in {}", size(shared.bytes), Escaped(&shared.folder))
    });
}

/// Prints the path of the gallery, or the reason it was not written.
pub(super) fn write_gallery(run: &Run, dry: DryRunArguments, verbosity: Verbosity) {
    let Some(page) = &run.gallery else { return };
    terminal::message(|out| match &page.error {
        Some(failure) => {
            writeln!(out, "{ERROR}error{ERROR:#}: {}", Escaped(&failure.to_string()))?;
            let hint = "use --force to overwrite existing files, or --no-gallery to skip this page";
            writeln!(out, "{NOTE}hint{NOTE:#}: {hint}")
        }
        None if dry.dry_run && verbosity > Verbosity::Quiet => {
            writeln!(out, "gallery: {}", Escaped(&page.path))
        }
        None if verbosity > Verbosity::Quiet => {
            writeln!(out, "gallery: {TITLE}{}{TITLE:#}", Escaped(&page.path))
        }
        None => Ok(()),
    });
}
