//! The files that name something: a line of JSON for each, as soon as it is found.

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

/// So many places are told.
const MOST: usize = 5000;

/// Takes a part of an answer as soon as it is there.
pub(crate) type Part<'a> = &'a (dyn Fn(Vec<u8>) + Sync);

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
    /// The view that shows it best; null where that is the first one.
    view: Option<&'static str>,
}

/// Takes what a run finds in a root, and ends the run when nobody waits for the answer.
struct Search<'a> {
    explorer: &'a Explorer,
    request: &'a Request<'a>,
    root: &'a Root,
    tally: &'a Mutex<Tally>,
    part: Part<'a>,
}

/// What was found so far.
struct Tally {
    /// How many places may still be told.
    room: usize,
    truncated: bool,
}

impl Progress for Search<'_> {
    fn outcome(&self, outcome: &Outcome) {
        let path = self.path_of(&outcome.input);
        if let Some(error) = &outcome.error {
            self.tell_failure(&path, error);
        }
        for warning in outcome.warnings.iter().filter(|_| outcome.report_only) {
            self.tell(&json!({ "path": path, "warning": warning.message }));
        }
        // A name that is not shown is none that can be opened: one behind a link that leads out, or one in another character set.
        let (Some(names), Ok(entry)) = (outcome.names.as_ref(), self.explorer.entry(&path)) else { return };
        let shower = Shower::of(self.explorer, &entry);
        let places: Vec<_> = {
            let mut tally = self.tally.lock().unwrap_or_else(PoisonError::into_inner);
            tally.truncated |= names.more > 0 || names.names.len() > tally.room;
            let places: Vec<_> = names.names.iter().take(tally.room).map(|name| shower.field(name)).collect();
            tally.room -= places.len();
            places
        };
        if !places.is_empty() {
            self.tell(&FoundFile { path, places });
        }
    }

    fn is_cancelled(&self) -> bool {
        self.request.is_cancelled()
    }
}

impl Search<'_> {
    /// A path of the run as requests have it.
    fn path_of(&self, input: &str) -> String {
        let shown = self.root.path.display().to_string();
        let below = input.strip_prefix(&shown).unwrap_or(input).replace('\\', "/");
        format!("{}/{}", self.root.name, below.trim_matches('/')).trim_end_matches('/').to_owned()
    }

    fn tell_failure(&self, path: &str, error: &Error) {
        self.tell(&json!({ "path": path, "error": fault::body(error) }));
    }

    fn tell(&self, line: &impl Serialize) {
        (self.part)(line_of(line));
    }

    fn run(&self, catalog: Catalog, wanted: &Wanted) {
        let install = self.root.game_files.now().install;
        let session = Session::new(catalog).install(install).links(self.root.links).progress(self);
        let inputs = session.gather(std::slice::from_ref(&self.root.path));
        if let Err(error) = session.find(&inputs, wanted) {
            self.tell_failure(&self.root.name, &error);
        }
    }
}

/// A value in a line of its own.
fn line_of(value: &impl Serialize) -> Vec<u8> {
    let mut line = serde_json::to_vec(value).unwrap_or_else(|_| Value::Null.to_string().into_bytes());
    line.push(b'\n');
    line
}

impl Explorer {
    /// Looks through all files, as `antiquary find` does, and gives each as soon as something is found in it.
    pub(crate) fn find_in_parts(
        &self,
        query: &Query,
        request: &Request<'_>,
        part: Part<'_>,
    ) -> Result<(), Fault> {
        let wanted = Wanted::parse(query.required("q")?)?;
        let tally = Mutex::new(Tally { room: MOST, truncated: false });
        for root in &self.roots {
            Search { explorer: self, request, root, tally: &tally, part }.run(self.catalog, &wanted);
        }
        let tally = tally.into_inner().unwrap_or_else(PoisonError::into_inner);
        part(line_of(&json!({ "truncated": tally.truncated })));
        Ok(())
    }

    /// The same at once.
    pub(crate) fn find(&self, query: &Query, request: &Request<'_>) -> Result<Response, Fault> {
        let lines = Mutex::new(Vec::new());
        self.find_in_parts(query, request, &|part| {
            lines.lock().unwrap_or_else(PoisonError::into_inner).extend(part);
        })?;
        Ok(Response::bytes(LINES, lines.into_inner().unwrap_or_else(PoisonError::into_inner)))
    }
}

/// The views that a file with names has.
struct Shower {
    has_scripts: bool,
    has_table: bool,
    has_scene: bool,
    is_text: bool,
}

impl Shower {
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

    /// Where a name is seen: a line of dialogue in its row, what is said in the script, what is placed in the picture, a setting in its line.
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
