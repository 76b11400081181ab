//! Converts a model to another version: losses are reported.
//!
//! Between the versions before 2.2 and those since, everything is stored differently: the models are mirrored, matrices and places are relative in
//! the one and absolute in the other, times are milliseconds or frames ([`space`]). Within each, fields come and go ([`fields`]).

mod fields;
mod short_name;
mod space;
#[cfg(test)]
mod tests;

use asset::{Code, Report};

pub(super) use self::short_name::ShortNames;
use super::{Rsm, Version, warning};

/// Converts a model to another version. It poses the same as far as that version allows; losses are reported.
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
fn lost(report: &mut Report, field: impl Into<String>, what: impl Into<String>) {
    warn(report, &warning::LOST, field, what);
}

/// Reports a change.
fn changed(report: &mut Report, field: impl Into<String>, what: impl Into<String>) {
    warn(report, &warning::CHANGED, field, what);
}

fn warn(report: &mut Report, code: &'static Code, field: impl Into<String>, what: impl Into<String>) {
    report.warn(code, what).in_field(field);
}
