//! Text styles, disabled if the output is not a terminal or if `NO_COLOR` is set.

use anstyle::{AnsiColor, Style};
use antiquary::Severity;

/// Errors.
pub(crate) const ERROR: Style = AnsiColor::Red.on_default().bold();
/// Warnings.
pub(crate) const WARNING: Style = AnsiColor::Yellow.on_default().bold();
/// Notes.
pub(crate) const NOTE: Style = AnsiColor::Cyan.on_default().bold();
/// File names and table headers.
pub(crate) const TITLE: Style = Style::new().bold();
/// Secondary text.
pub(crate) const DIMMED: Style = Style::new().dimmed();

/// The style of a severity.
pub(crate) const fn of(severity: Severity) -> Style {
    match severity {
        Severity::Note => NOTE,
        Severity::Warning => WARNING,
        Severity::Error => ERROR,
    }
}
