//! The files that name something.

use std::sync::Arc;

use antiquary::job::Query as Wanted;
use antiquary::run::FoundName;
use antiquary::{Inputs, Job, Progress};
use serde::Serialize;
use serde_json::Value;

use crate::query::Query;
use crate::{Explorer, Fault, Request, Response, fault};

/// So many places are told.
const MOST: usize = 5000;

#[derive(Default, Serialize)]
struct Found {
    results: Vec<FoundFile>,
    /// Files that could not be looked through.
    failed: Vec<FailedFile>,
    truncated: bool,
}

#[derive(Serialize)]
struct FoundFile {
    path: String,
    places: Vec<FoundField>,
}

#[derive(Serialize)]
struct FailedFile {
    path: String,
    error: Value,
}

#[derive(Serialize)]
struct FoundField {
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
            let job = Job { install: Some(Arc::clone(&root.install)), ..Job::new(self.catalog) };
            let shown = root.path.display().to_string();
            for outcome in job
                .find(&Inputs::gather(std::slice::from_ref(&root.path)), &wanted, &Waiting(request))?
                .outcomes
            {
                let below = outcome.input.strip_prefix(&shown).unwrap_or(&outcome.input).replace('\\', "/");
                let path =
                    format!("{}/{}", root.name, below.trim_matches('/')).trim_end_matches('/').to_owned();
                if let Some(error) = &outcome.error {
                    found.failed.push(FailedFile { path: path.clone(), error: fault::body(error) });
                }
                // A name that is not shown is none that can be opened: one behind a link that leads out, or one in another character set.
                let Some(names) = outcome.names.filter(|_| self.entry(&path).is_ok()) else { continue };
                found.truncated |= names.more > 0 || names.names.len() > room;
                let places: Vec<_> = names.names.into_iter().take(room).map(found_field).collect();
                room = room.saturating_sub(places.len());
                if !places.is_empty() {
                    found.results.push(FoundFile { path, places });
                }
            }
        }
        Response::json(&found)
    }
}

fn found_field(name: FoundName) -> FoundField {
    FoundField { kind: name.kind.name(), field: name.path, text: name.text, offset: name.offset }
}
