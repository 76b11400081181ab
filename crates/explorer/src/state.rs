//! The state of each file of a folder: what `check` finds in it, a part of the folder at a time.

use antiquary::files::layer::EntryKind;
use antiquary::{Report, Severity};
use quick_cache::sync::{Cache, DefaultLifecycle};
use quick_cache::{DefaultHashBuilder, OptionsBuilder, UnitWeighter};
use serde::Serialize;
use twox_hash::XxHash3_128;

use crate::entry::Entry;
use crate::query::Query;
use crate::{Explorer, Fault, Request, Response};

/// So many files are checked for one answer, and no more after so many bytes.
const FILES: usize = crate::tree::COUNT;
const BYTES: u64 = 256 << 10;
/// A longer file is not checked unless it is opened: an archive of gigabytes would be unpacked whole.
const LARGEST: u64 = 32 << 20;
/// The states of so many files are kept.
const KEPT: u64 = 1 << 18;
/// A guess: what is kept grows.
const FEW: usize = 1024;

/// What `check` finds in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum State {
    /// Of no known format.
    Unknown,
    Ok,
    Warning,
    /// It has errors, or cannot be read at all.
    Error,
    /// Too large to be checked unasked: who opens it has it checked.
    Large,
}

/// The state of a file, and how much is wrong with it.
#[derive(Debug, Clone, Copy, Serialize)]
pub(crate) struct Findings {
    state: State,
    errors: u64,
    warnings: u64,
}

/// The findings of files, by what tells the files apart.
#[derive(Debug)]
pub(crate) struct States(Cache<u128, Findings>);

impl States {
    pub(crate) fn new() -> Self {
        let mut options = OptionsBuilder::new();
        options.estimated_items_capacity(FEW).weight_capacity(KEPT);
        let kept = options.build().map(|options| {
            Cache::with_options(
                options,
                UnitWeighter,
                DefaultHashBuilder::default(),
                DefaultLifecycle::default(),
            )
        });
        Self(kept.unwrap_or_else(|_| Cache::new(FEW)))
    }
}

#[derive(Serialize)]
struct Page<'a> {
    path: &'a str,
    total: usize,
    from: usize,
    /// Where the rest begins; null at the end.
    next: Option<usize>,
    files: Vec<Checked>,
}

#[derive(Serialize)]
struct Checked {
    name: String,
    #[serde(flatten)]
    findings: Findings,
}

impl Explorer {
    /// Checks some of the files of a folder. Who wants all asks again from `next` on.
    pub(crate) fn states(&self, query: &Query, request: &Request<'_>) -> Result<Response, Fault> {
        let mut folder = self.entry(query.required("at")?)?;
        if folder.kind == EntryKind::File {
            folder = self.inside(&folder)?;
        }
        let from = query.number("from")?.unwrap_or(0_usize);
        let entries: Vec<_> =
            folder.list()?.into_iter().filter(|entry| entry.kind == EntryKind::File).collect();
        let (mut files, mut bytes) = (Vec::new(), 0_u64);
        for listed in entries.iter().skip(from).take(FILES) {
            if bytes > BYTES || request.is_cancelled() {
                break;
            }
            let file = folder.child(listed)?;
            let (findings, checked) = self.findings_of(&file);
            bytes = bytes.saturating_add(checked);
            files.push(Checked { name: file.name().to_owned(), findings });
        }
        let next = from.saturating_add(files.len());
        let next = Some(next).filter(|next| *next < entries.len());
        Response::json(&Page { path: &folder.full, total: entries.len(), from, next, files })
    }

    /// What is wrong with a file, and how many bytes were checked to know it.
    fn findings_of(&self, entry: &Entry<'_>) -> (Findings, u64) {
        if let Some(known) = self.states.0.get(&key(entry)) {
            return (known, 0);
        }
        let Ok(source) = entry.source() else { return (self.remember_state(entry, None), 0) };
        let length = source.len();
        if length > LARGEST {
            return (Findings::without(State::Large), 0);
        }
        if self.format_of(entry).is_none() {
            return (Findings::without(State::Unknown), 0);
        }
        // Not kept: thousands of files that nobody looks at would push out those that somebody does.
        let report = self.opened(entry.clone()).map(|file| file.findings());
        (self.remember_state(entry, report.as_ref().ok()), length)
    }

    /// Keeps what was found in a file; `None` where it cannot be read.
    pub(crate) fn remember_state(&self, entry: &Entry<'_>, report: Option<&Report>) -> Findings {
        let findings = report.map_or(Findings { errors: 1, ..Findings::without(State::Error) }, Findings::of);
        self.states.0.insert(key(entry), findings);
        findings
    }
}

/// What tells a file apart from all others, and from itself before it or its game was changed.
fn key(entry: &Entry<'_>) -> u128 {
    let key = format!("{}\0{}", entry.key(), entry.root.game_files.now().number);
    XxHash3_128::oneshot(key.as_bytes())
}

impl Findings {
    const fn without(state: State) -> Self {
        Self { state, errors: 0, warnings: 0 }
    }

    fn of(report: &Report) -> Self {
        let (errors, warnings) = (report.count(Severity::Error), report.count(Severity::Warning));
        let state = match (errors, warnings) {
            (0, 0) => State::Ok,
            (0, _) => State::Warning,
            _ => State::Error,
        };
        Self { state, errors, warnings }
    }
}
