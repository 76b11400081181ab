//! Problems of a nested file, reported in the report of the file that refers to it.

use std::collections::BTreeMap;

use asset::{Code, Report, Severity, Warning};

/// Reports the problems of the file `name` under one code: the first problem of each code in that file, with the number of further
/// ones. Returns the number of notes, which are not reported.
pub(crate) fn report(
    found: &Report,
    name: &str,
    code: &'static Code,
    field: &str,
    report: &mut Report,
) -> u64 {
    let mut first: BTreeMap<&str, &Warning> = BTreeMap::new();
    for warning in found.iter().filter(|warning| warning.code.severity > Severity::Note) {
        first.entry(warning.code.id).or_insert(warning);
    }
    for Warning { code: of_file, message, .. } in first.into_values() {
        let more = match found.count_of(of_file).saturating_sub(1) {
            0 => String::new(),
            more => format!(" (and {more} more)"),
        };
        report.warn(code, format!("{name}: {message}{more}")).in_field(field);
    }
    found.count(Severity::Note)
}
