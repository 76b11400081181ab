//! Searching for names: one line of JSON for each file, as soon as it is found.

use std::sync::{Mutex, PoisonError};

use antiquary::asset::{NameKind, ProductKind};
use antiquary::json::{Value, json};
use antiquary::run::{FoundName, Outcome};
use antiquary::session::Query as Wanted;
use antiquary::{Catalog, Error, Progress, Session};
use serde::Serialize;

use crate::entry::Entry;
use crate::query::Query;
use crate::response::LINES;
use crate::root::Root;
use crate::view::{self, View};
use crate::{Explorer, Fault, Request, Response, fault};

/// Maximum number of occurrences in an answer.
const MAX_OCCURRENCES: usize = 5000;

/// Receiver of the parts of an answer, as soon as they are available.
pub(crate) type SendPart<'a> = &'a (dyn Fn(Vec<u8>) + Sync);

#[derive(Serialize)]
struct FoundFile {
    path: String,
    places: Vec<FoundField>,
}

#[derive(Serialize)]
struct FoundField {
    kind: &'static str,
    field: String,
    text: String,
    offset: Option<u64>,
    /// View that shows the occurrence best; null for the first view.
    view: Option<&'static str>,
}

/// Receives the results of a search in a root, and cancels it if the request is canceled.
struct Search<'a> {
    explorer: &'a Explorer,
    request: &'a Request<'a>,
    root: &'a Root,
    tally: &'a Mutex<Tally>,
    part: SendPart<'a>,
}

/// Results so far.
struct Tally {
    /// Number of occurrences that may still be sent.
    remaining: usize,
    truncated: bool,
}

impl Progress for Search<'_> {
    fn outcome(&self, outcome: &Outcome) {
        let path = self.path_of(&outcome.input);
        if let Some(error) = &outcome.error {
            self.send_failure(&path, error);
        }
        for warning in outcome.warnings.iter().filter(|_| outcome.report_only) {
            self.send(&json!({ "path": path, "warning": warning.message }));
        }
        // A name that cannot be resolved cannot be opened: it is behind a link that leads out of the root, or in another
        // character set.
        let (Some(names), Ok(entry)) = (outcome.names.as_ref(), self.explorer.entry(&path)) else { return };
        let chooser = ViewChooser::of(self.explorer, &entry);
        let places: Vec<_> = {
            let mut tally = self.tally.lock().unwrap_or_else(PoisonError::into_inner);
            tally.truncated |= names.more > 0 || names.names.len() > tally.remaining;
            let places: Vec<_> =
                names.names.iter().take(tally.remaining).map(|name| chooser.field(name)).collect();
            tally.remaining -= places.len();
            places
        };
        if !places.is_empty() {
            self.send(&FoundFile { path, places });
        }
    }

    fn is_cancelled(&self) -> bool {
        self.request.is_cancelled()
    }
}

impl Search<'_> {
    /// Converts a path of the run to a path for requests.
    fn path_of(&self, input: &str) -> String {
        let shown = self.root.path.display().to_string();
        let below = input.strip_prefix(&shown).unwrap_or(input).replace('\\', "/");
        format!("{}/{}", self.root.name, below.trim_matches('/')).trim_end_matches('/').to_owned()
    }

    fn send_failure(&self, path: &str, error: &Error) {
        self.send(&json!({ "path": path, "error": fault::body(error) }));
    }

    fn send(&self, line: &impl Serialize) {
        (self.part)(line_of(line));
    }

    fn run(&self, catalog: Catalog, wanted: &Wanted) {
        let install = self.root.game_files.now().install;
        let session = Session::new(catalog).install(install).links(self.root.links).progress(self);
        let inputs = session.collect_inputs(std::slice::from_ref(&self.root.path));
        if let Err(error) = session.find(&inputs, wanted) {
            self.send_failure(&self.root.name, &error);
        }
    }
}

/// Serializes a value as one line.
fn line_of(value: &impl Serialize) -> Vec<u8> {
    let mut line = serde_json::to_vec(value).unwrap_or_else(|_| Value::Null.to_string().into_bytes());
    line.push(b'\n');
    line
}

impl Explorer {
    /// Searches all files, as `antiquary find` does, and sends each as soon as something is found in it.
    pub(crate) fn find_in_parts(
        &self,
        query: &Query,
        request: &Request<'_>,
        part: SendPart<'_>,
    ) -> Result<(), Fault> {
        let wanted = Wanted::parse(query.required("q")?)?;
        let tally = Mutex::new(Tally { remaining: MAX_OCCURRENCES, truncated: false });
        for root in &self.roots {
            Search { explorer: self, request, root, tally: &tally, part }.run(self.catalog, &wanted);
        }
        let tally = tally.into_inner().unwrap_or_else(PoisonError::into_inner);
        part(line_of(&json!({ "truncated": tally.truncated })));
        Ok(())
    }

    /// Like [`Explorer::find_in_parts`], but returns all lines at once.
    pub(crate) fn find(&self, query: &Query, request: &Request<'_>) -> Result<Response, Fault> {
        let lines = Mutex::new(Vec::new());
        self.find_in_parts(query, request, &|part| {
            lines.lock().unwrap_or_else(PoisonError::into_inner).extend(part);
        })?;
        Ok(Response::bytes(LINES, lines.into_inner().unwrap_or_else(PoisonError::into_inner)))
    }
}

/// The available views of a file with names.
struct ViewChooser {
    has_scripts: bool,
    has_table: bool,
    has_scene: bool,
    is_text: bool,
}

impl ViewChooser {
    fn of(explorer: &Explorer, entry: &Entry<'_>) -> Self {
        let format = explorer.format_of(entry);
        let makes = |kind| format.is_some_and(|format| format.makes(kind));
        let is_text = || entry.source().is_ok_and(|source| view::is_text(&source).unwrap_or(false));
        let (has_table, has_scene) = (makes(ProductKind::Table), makes(ProductKind::Scene));
        Self {
            has_scripts: format.is_some_and(view::has_scripts),
            has_table,
            has_scene,
            is_text: !has_scene && is_text(),
        }
    }

    fn field(&self, name: &FoundName) -> FoundField {
        FoundField {
            kind: name.kind.name(),
            field: name.path.clone(),
            text: name.text.clone(),
            offset: name.offset,
            view: self.view(name),
        }
    }

    /// Returns the view that shows a name best: a dialogue line in its table row, spoken text in the script, a placed object
    /// in the scene, a setting in its line of text.
    fn view(&self, name: &FoundName) -> Option<&'static str> {
        if name.path.is_empty() {
            return None;
        }
        let is_placed = matches!(name.kind, NameKind::Model | NameKind::Texture | NameKind::Map)
            || name.path.ends_with(".object");
        Some(match () {
            () if self.has_scripts && !is_placed => View::Script.name(),
            () if self.has_scene => View::Scene.name(),
            () if self.is_text => View::Text.name(),
            () if self.has_table => View::Table.name(),
            () => return None,
        })
    }
}
