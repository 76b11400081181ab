//! Conversion of a model to another version. Losses are reported.
//!
//! Versions before 2.2 and versions since 2.2 store everything differently: models are mirrored, matrices and positions are relative or
//! absolute, and times are milliseconds or frames ([`space`]). Versions within each group only add and remove fields ([`fields`]).

mod fields;
mod short_name;
mod space;
#[cfg(test)]
mod tests;

use asset::{Code, Report};

pub(super) use self::short_name::ShortNames;
use super::{Rsm, Version, warning};

/// Converts a model to another version. Its poses stay the same as far as that version allows. Losses are reported.
pub(super) fn to_version(model: &Rsm, version: Version, report: &mut Report) -> Rsm {
    let mut out = match (model.version.is_absolute(), version.is_absolute()) {
        (false, true) => space::to_absolute(model, report),
        (true, false) => space::to_relative(model, report),
        _ => model.clone(),
    };
    fields::apply(&mut out, model.version, version, report);
    out
}

/// Reports a loss.
fn lost(report: &mut Report, field: impl Into<String>, message: impl Into<String>) {
    warn(report, &warning::LOST, field, message);
}

/// Reports a change.
fn changed(report: &mut Report, field: impl Into<String>, message: impl Into<String>) {
    warn(report, &warning::CHANGED, field, message);
}

fn warn(report: &mut Report, code: &'static Code, field: impl Into<String>, message: impl Into<String>) {
    report.warn(code, message).in_field(field);
}
