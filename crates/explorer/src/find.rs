//! The files that name something.

use std::sync::Arc;

use antiquary::job::Query as Wanted;
use antiquary::{Inputs, Job, Progress};
use serde::Serialize;

use crate::query::Query;
use crate::{Explorer, Fault, Request, Response};

/// So many places are told.
const MOST: usize = 5000;

#[derive(Default, Serialize)]
struct Found {
    results: Vec<FoundFile>,
    truncated: bool,
}

#[derive(Serialize)]
struct FoundFile {
    path: String,
    places: Vec<FoundPlace>,
}

#[derive(Serialize)]
struct FoundPlace {
    kind: &'static str,
    field: String,
    text: String,
    offset: Option<u64>,
}

/// Ends a run when nobody waits for the answer.
struct Waiting<'a>(&'a Request<'a>);

impl Progress for Waiting<'_> {
    fn is_cancelled(&self) -> bool {
        self.0.is_cancelled()
    }
}

impl Explorer {
    /// Looks through all files, as `antiquary find` does.
    pub(crate) fn find(&self, query: &Query, request: &Request<'_>) -> Result<Response, Fault> {
        let wanted = Wanted::parse(query.required("q")?)?;
        let mut found = Found::default();
        let mut room = MOST;
        for root in &self.roots {
            let install = Some(Arc::clone(&root.install));
            let job = Job { install, ..Job::new(self.catalog) };
            let run = job.find(&Inputs::gather(&[root.path.clone()]), &wanted, &Waiting(request))?;
            let shown = root.path.display().to_string();
            for outcome in run.outcomes {
                let Some(names) = outcome.names else { continue };
                let below = outcome.input.strip_prefix(&shown).unwrap_or(&outcome.input);
                let path =
                    format!("{}/{}", root.name, below.trim_start_matches(['/', '\\']).replace('\\', "/"));
                found.truncated |= names.more > 0 || names.names.len() > room;
                let places: Vec<_> = names
                    .names
                    .into_iter()
                    .take(room)
                    .map(|name| FoundPlace {
                        kind: name.kind.name(),
                        field: name.path,
                        text: name.text,
                        offset: name.offset,
                    })
                    .collect();
                room = room.saturating_sub(places.len());
                if !places.is_empty() {
                    found.results.push(FoundFile { path, places });
                }
            }
        }
        Response::json(&found)
    }
}
