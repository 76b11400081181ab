//! A model in another version: what the version has no room for is told.
//!
//! Between the versions before 2.2 and those since, everything is said anew: the models are mirrored, matrices and places are relative in
//! the one and absolute in the other, times are milliseconds or frames ([`space`]). Within each, fields come and go ([`room`]).

mod room;
mod space;
#[cfg(test)]
mod tests;

use asset::{Code, Report};

use super::{Rsm, Version, warning};

/// The model in another version. It poses the same as far as that version can say it; what it cannot goes into the report.
pub(super) fn to_version(model: &Rsm, version: Version, report: &mut Report) -> Rsm {
    let mut out = match (model.version.is_absolute(), version.is_absolute()) {
        (false, true) => space::to_absolute(model, report),
        (true, false) => space::to_relative(model, report),
        _ => model.clone(),
    };
    room::fit(&mut out, model.version, version, report);
    out
}

/// Tells of something that is lost.
fn lost(report: &mut Report, field: impl Into<String>, what: impl Into<String>) {
    tell(report, &warning::LOST, field, what);
}

/// Tells of something that is said in another way.
fn changed(report: &mut Report, field: impl Into<String>, what: impl Into<String>) {
    tell(report, &warning::CHANGED, field, what);
}

fn tell(report: &mut Report, code: &'static Code, field: impl Into<String>, what: impl Into<String>) {
    report.warn(code, what).in_field(field);
}
