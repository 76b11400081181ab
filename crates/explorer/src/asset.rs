//! Requests for a file's description: its format, its views and its findings.

use antiquary::asset::{Counts, FormatOption, ProductKind};
use antiquary::json::Value;
use antiquary::{Can, Detail, Format, Options, Report};
use serde::Serialize;

use crate::entry::Entry;
use crate::file::File;
use crate::view::{self, View};
use crate::{Explorer, Fault, Response, fault};

#[derive(Serialize)]
struct About<'a> {
    path: &'a str,
    name: &'a str,
    length: u64,
    format: Option<AboutFormat>,
    summary: String,
    counts: Vec<(String, u64)>,
    report: Report,
    error: Option<Value>,
    views: Vec<OfferedView>,
    outputs: Vec<Output>,
    options: &'static [FormatOption],
}

#[derive(Serialize)]
struct AboutFormat {
    id: &'static str,
    name: &'static str,
    game: Option<&'static str>,
}

/// A view that is available for a file.
#[derive(Debug, Clone, Serialize)]
struct OfferedView {
    kind: &'static str,
    label: &'static str,
    items: bool,
}

#[derive(Serialize)]
struct Output {
    extension: &'static str,
    about: String,
}

impl OfferedView {
    fn new(view: View, items: bool) -> Self {
        Self { kind: view.name(), label: view.label(), items }
    }
}

impl Explorer {
    /// Describes a file.
    pub(crate) fn asset(&self, path: &str) -> Result<Response, Fault> {
        let entry = self.file_entry(path)?;
        let length = entry.source()?.len();
        let about = match self.format_of(&entry) {
            Some(format) => self.about_known(&entry, format, length),
            None => self.about_unknown(&entry, length)?,
        };
        Response::json(&about)
    }

    fn about_known<'a>(&self, entry: &'a Entry<'_>, format: &'static Format, length: u64) -> About<'a> {
        let mut about = About::new(entry, length);
        about.format = Some(AboutFormat { id: format.id, name: format.name, game: format.game });
        about.options = format.options;
        match self.file(entry.clone()) {
            Ok(file) => {
                about.describe(&file);
                self.remember_state(entry, Some(&about.report));
            }
            Err(error) => {
                self.remember_state(entry, None);
                about.error = Some(fault::body(&error));
                about.views = vec![OfferedView::new(View::Bytes, false)];
            }
        }
        about
    }

    /// Describes a file without a known format: as a common kind, a text, or bytes.
    fn about_unknown<'a>(&self, entry: &'a Entry<'_>, length: u64) -> Result<About<'a>, Fault> {
        let mut about = About::new(entry, length);
        let source = entry.source()?;
        let known = view::common(&source, entry.name())?;
        about.summary =
            known.as_ref().map_or_else(|| "unknown file".to_owned(), |known| known.about.to_owned());
        about.views.extend(known.map(|known| OfferedView::new(known.view, false)));
        if view::is_text(&source)? {
            about.views.push(OfferedView::new(View::Text, false));
        }
        about.views.push(OfferedView::new(View::Bytes, false));
        Ok(about)
    }
}

impl<'a> About<'a> {
    fn new(entry: &'a Entry<'_>, length: u64) -> Self {
        Self {
            path: &entry.full,
            name: entry.name(),
            length,
            format: None,
            summary: String::new(),
            counts: Vec::new(),
            report: Report::new(),
            error: None,
            views: Vec::new(),
            outputs: Vec::new(),
            options: &[],
        }
    }

    fn describe(&mut self, file: &File<'_>) {
        let options = Options::defaults(file.format().options);
        let mut description = file.asset().describe(Detail::Brief);
        file.asset().describe_in_game(&file.context(&options), &mut description);
        self.summary = description.summary;
        self.counts = counts(&description.counts);
        self.report = file.findings();
        self.views = file.views();
        // A sound or a picture of which only the header is parsed is played or shown by the browser.
        let common = view::common(&file.opened.source, file.entry.name()).ok().flatten();
        let common = common.filter(|known| self.views.iter().all(|view| view.kind != known.view.name()));
        if let Some(known) = common.filter(|_| file.format().products.is_empty()) {
            self.views.insert(0, OfferedView::new(known.view, false));
        }
        let outputs = file.format().outputs().into_iter();
        self.outputs =
            outputs.map(|output| Output { extension: output.extension, about: output.about }).collect();
    }
}

fn counts(counts: &Counts) -> Vec<(String, u64)> {
    counts.iter().map(|(name, count)| (name.to_owned(), count)).collect()
}

impl File<'_> {
    /// Returns the defects found while reading the file, and the findings of its format.
    pub(crate) fn findings(&self) -> Report {
        let options = Options::defaults(self.format().options);
        let mut report = self.opened.report.clone();
        self.asset().check(&self.context(&options), &mut report);
        report.locate(|visitor| self.format().trace(self.asset(), &self.opened.source, visitor));
        report
    }

    /// Returns the available views, those of products first.
    fn views(&self) -> Vec<OfferedView> {
        let mut out = Vec::new();
        for view in view::kinds_of(self.format()) {
            let offered = match view.product().filter(|kind| self.format().makes(*kind)) {
                Some(kind) => self.offered(view, kind),
                None => self.has(view).then(|| OfferedView::new(view, false)),
            };
            out.extend(offered);
        }
        out
    }

    /// Returns the view of a kind of products, if there are any.
    fn offered(&self, view: View, kind: ProductKind) -> Option<OfferedView> {
        // A failure must be visible: the view reports the reason.
        let count = self.list(kind).map_or(1, |items| items.len());
        (count > 0).then(|| OfferedView::new(view, count > 1))
    }

    fn has(&self, view: View) -> bool {
        match view {
            View::Text => view::is_text(&self.opened.source).unwrap_or(false),
            View::Folder => self.format().can(Can::List),
            _ => true,
        }
    }
}
