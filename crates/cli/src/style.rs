//! The colours of the program. They are left out where the output is no terminal or `NO_COLOR` is set.

use anstyle::{AnsiColor, Style};
use antiquary::Severity;

/// What failed.
pub(crate) const ERROR: Style = AnsiColor::Red.on_default().bold();
/// What is amiss.
pub(crate) const WARNING: Style = AnsiColor::Yellow.on_default().bold();
/// What is worth knowing.
pub(crate) const NOTE: Style = AnsiColor::Cyan.on_default().bold();
/// Names of files and titles of tables.
pub(crate) const TITLE: Style = Style::new().bold();
/// What is there for those who look for it.
pub(crate) const QUIET: Style = Style::new().dimmed();

/// The colour of a severity.
pub(crate) const fn of(severity: Severity) -> Style {
    match severity {
        Severity::Note => NOTE,
        Severity::Warning => WARNING,
        Severity::Error => ERROR,
    }
}
