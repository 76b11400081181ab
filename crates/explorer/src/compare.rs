//! How two files differ.

use antiquary::diff::{Change, ChangeKind};
use antiquary::job::Status;
use antiquary::{Input, Job};
use serde::Serialize;
use serde_json::Value;

use crate::place::Place;
use crate::query::Query;
use crate::{Explorer, Fault, Response};

/// So many changes are told; the others are counted.
const CHANGES: usize = 10_000;

#[derive(Serialize)]
struct Difference {
    equal: bool,
    status: Status,
    changes: Vec<Told>,
    /// How many fields differ, told or not.
    count: u64,
    error: Option<String>,
}

#[derive(Serialize)]
struct Told {
    path: String,
    kind: &'static str,
    before: Value,
    after: Value,
}

impl Explorer {
    /// Compares two files field by field.
    pub(crate) fn compare(&self, query: &Query) -> Result<Response, Fault> {
        let (a, b) = (self.file_place(query.required("a")?)?, self.file_place(query.required("b")?)?);
        let input = |place: &Place<'_>| Ok::<_, Fault>(Input::of_source(&place.full, place.source()?));
        let comparison = Job::new(self.catalog).diff_inputs(&input(&a)?, &input(&b)?, CHANGES);
        let Some(pair) = comparison.pairs.into_iter().next() else {
            let equal =
                Difference { equal: true, status: Status::Equal, changes: Vec::new(), count: 0, error: None };
            return Response::json(&equal);
        };
        let kept = u64::try_from(pair.changes.len()).unwrap_or(u64::MAX);
        Response::json(&Difference {
            equal: false,
            status: pair.status,
            changes: pair.changes.into_iter().map(told).collect(),
            count: kept.saturating_add(pair.more),
            error: pair.error.map(|error| error.sentence),
        })
    }
}

fn told(change: Change) -> Told {
    let (kind, before, after) = match change.what {
        ChangeKind::Changed { from, to } => ("changed", from, to),
        ChangeKind::Added { to } => ("added", Value::Null, to),
        ChangeKind::Removed { from } => ("removed", from, Value::Null),
        ChangeKind::Bytes { from_length, to_length, first_difference } => {
            let bytes =
                |length| Value::from(format!("{length} bytes, different from byte {first_difference} on"));
            ("changed", bytes(from_length), bytes(to_length))
        }
    };
    Told { path: change.path, kind, before, after }
}
