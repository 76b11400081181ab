//! Comparison of two files.

use antiquary::diff::{Change, ChangeKind};
use antiquary::json::Value;
use antiquary::session::Status;
use antiquary::{DiffOptions, Input, Session};
use serde::Serialize;

use crate::entry::Entry;
use crate::query::Query;
use crate::{Explorer, Fault, Response, fault};

/// Maximum number of changes in a list; the others are counted.
const CHANGES: usize = 10_000;

#[derive(Serialize)]
struct Difference {
    equal: bool,
    status: Status,
    changes: Vec<ReportedChange>,
    /// Number of fields that differ, listed or not.
    count: u64,
    error: Option<Value>,
}

#[derive(Serialize)]
struct ReportedChange {
    path: String,
    kind: &'static str,
    before: Value,
    after: Value,
}

impl Explorer {
    /// Compares two files field by field.
    pub(crate) fn compare(&self, query: &Query) -> Result<Response, Fault> {
        let (a, b) = (self.file_entry(query.required("a")?)?, self.file_entry(query.required("b")?)?);
        let input = |entry: &Entry<'_>| Ok::<_, Fault>(Input::of_source(&entry.full, entry.source()?));
        let comparison = Session::new(self.catalog).diff_inputs(
            &input(&a)?,
            &input(&b)?,
            &DiffOptions::default().limit(CHANGES),
        );
        let Some(pair) = comparison.pairs.into_iter().next() else {
            let equal =
                Difference { equal: true, status: Status::Equal, changes: Vec::new(), count: 0, error: None };
            return Response::json(&equal);
        };
        let kept = pair.changes.len() as u64;
        Response::json(&Difference {
            equal: false,
            status: pair.status,
            changes: pair.changes.into_iter().map(reported).collect(),
            count: kept + pair.more,
            error: pair.error.as_ref().map(fault::body),
        })
    }
}

fn reported(change: Change) -> ReportedChange {
    let (kind, before, after) = match change.what {
        ChangeKind::Changed { from, to } => ("changed", from, to),
        ChangeKind::Added { to } => ("added", Value::Null, to),
        ChangeKind::Removed { from } => ("removed", from, Value::Null),
        ChangeKind::Lines { removed, added, .. } => {
            let kind = match (removed.is_empty(), added.is_empty()) {
                (true, _) => "added",
                (_, true) => "removed",
                _ => "changed",
            };
            let text = |lines: Vec<String>| match lines.is_empty() {
                true => Value::Null,
                false => lines.join("\n").into(),
            };
            (kind, text(removed), text(added))
        }
        ChangeKind::Bytes { from_length, to_length, first_difference } => {
            let bytes =
                |length| Value::from(format!("{length} bytes, different from byte {first_difference} on"));
            ("changed", bytes(from_length), bytes(to_length))
        }
    };
    ReportedChange { path: change.path, kind, before, after }
}
