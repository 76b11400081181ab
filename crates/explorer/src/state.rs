//! State of each file in a folder: the findings of `check`, for a part of the folder at a time.

use antiquary::files::layer::EntryKind;
use antiquary::{Report, Severity};
use quick_cache::sync::{Cache, DefaultLifecycle};
use quick_cache::{DefaultHashBuilder, OptionsBuilder, UnitWeighter};
use serde::Serialize;
use twox_hash::XxHash3_128;

use crate::entry::Entry;
use crate::query::Query;
use crate::{Explorer, Fault, Request, Response};

/// Limits of one answer: number of files, and number of bytes after which no further file is checked.
const FILES: usize = crate::tree::COUNT;
const BYTES: u64 = 256 << 10;
/// Maximum length in bytes of a file that is checked without being opened; an archive of several gigabytes would have to be
/// unpacked completely.
const MAX_CHECKED_LENGTH: u64 = 32 << 20;
/// Maximum number of states in the cache.
const MAX_STATES: u64 = 1 << 18;
/// Initial size of the cache.
const INITIAL_STATES: usize = 1024;

/// Summary of the findings of `check`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum State {
    /// No known format.
    Unknown,
    Ok,
    Warning,
    /// Errors were found, or the file cannot be read.
    Error,
    /// Too large to be checked automatically; checked when it is opened.
    Large,
}

/// State of a file, and the number of its findings.
#[derive(Debug, Clone, Copy, Serialize)]
pub(crate) struct Findings {
    state: State,
    errors: u64,
    warnings: u64,
}

/// Findings of files, by file key.
#[derive(Debug)]
pub(crate) struct States(Cache<u128, Findings>);

impl States {
    pub(crate) fn new() -> Self {
        let mut options = OptionsBuilder::new();
        options.estimated_items_capacity(INITIAL_STATES).weight_capacity(MAX_STATES);
        let kept = options.build().map(|options| {
            Cache::with_options(
                options,
                UnitWeighter,
                DefaultHashBuilder::default(),
                DefaultLifecycle::default(),
            )
        });
        Self(kept.unwrap_or_else(|_| Cache::new(INITIAL_STATES)))
    }
}

#[derive(Serialize)]
struct Page<'a> {
    path: &'a str,
    total: usize,
    from: usize,
    /// Start of the remaining files; null at the end.
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
    /// Checks some of the files of a folder. Request `next` until it is null to check all.
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

    /// Returns the findings of a file, and the number of bytes checked.
    fn findings_of(&self, entry: &Entry<'_>) -> (Findings, u64) {
        if let Some(known) = self.states.0.get(&key(entry)) {
            return (known, 0);
        }
        let Ok(source) = entry.source() else { return (self.remember_state(entry, None), 0) };
        let length = source.len();
        if length > MAX_CHECKED_LENGTH {
            return (Findings::without(State::Large), 0);
        }
        if self.format_of(entry).is_none() {
            return (Findings::without(State::Unknown), 0);
        }
        // The opened file is not cached: thousands of background checks would evict the files that the user is looking at.
        let report = self.opened(entry.clone()).map(|file| file.findings());
        (self.remember_state(entry, report.as_ref().ok()), length)
    }

    /// Stores the findings of a file; `None` if it cannot be read.
    pub(crate) fn remember_state(&self, entry: &Entry<'_>, report: Option<&Report>) -> Findings {
        let findings = report.map_or(Findings { errors: 1, ..Findings::without(State::Error) }, Findings::of);
        self.states.0.insert(key(entry), findings);
        findings
    }
}

/// Returns a key that differs between files, and changes with the file and its game.
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
