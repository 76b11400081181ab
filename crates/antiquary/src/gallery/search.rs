//! Search index of all pages: for each page, a script that lists its contents.

use json::json;

use super::FOLDER;
use super::card::{anchor, anchor_of_failure, failed, file_name, folder_and_name};
use super::escape::{link, visible};
use super::section::{CardPart, Item, MAX_WARNINGS, Shown, shown_pictures};

/// Returns the file name of a page's script, by zero-based index.
pub(super) fn name_of(page: usize) -> String {
    format!("{FOLDER}/search-{}.js", page + 1)
}

/// Writes the script of a page. Browsers load scripts from a local folder, but no other files.
pub(super) struct Index<'a> {
    shown: &'a Shown<'a>,
    out: String,
    count: usize,
}

impl<'a> Index<'a> {
    pub(super) fn new(page: usize, shown: &'a Shown<'a>) -> Self {
        Self { shown, out: format!("gallery({page}, [\n"), count: 0 }
    }

    /// Adds an entry: its anchor on the page, name, folder and description, the searchable text, whether it has defects, and
    /// its picture.
    pub(super) fn add(&mut self, item: &Item, heading: &str) {
        let (anchor, input, part) = match item {
            Item::Card(part) => (anchor(part), part.input, Some(part)),
            Item::Failure(input) => (anchor_of_failure(*input), *input, None),
            Item::Container(_) | Item::Table => return,
        };
        let Some(outcome) = self.shown.run.outcomes.get(input) else { return };
        let (folder, name) = folder_and_name(self.shown.name(input));
        let mut text = String::new();
        let mut add_text = |words: &str| {
            text.push(' ');
            text.push_str(words);
        };
        add_text(heading);
        if let Some(format) = outcome.format {
            add_text(format);
        }
        for warning in outcome.warnings.iter().take(MAX_WARNINGS) {
            add_text(warning.code.id);
            add_text(&warning.message);
        }
        let (mut summary, mut picture) = (String::new(), None);
        match part {
            Some(part) => {
                summary = self.summary(part, &mut add_text);
                picture = self.picture(part);
            }
            None => add_text(&failed(outcome)),
        }
        let has_warnings = outcome.warnings.worst().is_some_and(|worst| worst > asset::Severity::Note);
        let [name, folder, summary, text] = [name, folder, &summary, &text].map(visible);
        let is_defective = u8::from(has_warnings || part.is_none());
        let entry = json!([anchor, name, folder, summary, text.trim_start(), is_defective, picture]);
        self.out.push_str(if self.count == 0 { "" } else { ",\n" });
        self.count += 1;
        self.out.push_str(&entry.to_string());
    }

    /// Passes the texts of a card to `add_text`, and returns its summary.
    fn summary(&self, part: &CardPart, add_text: &mut dyn FnMut(&str)) -> String {
        for (path, file) in self.shown.files_on(part) {
            add_text(&file_name(path));
            file.excerpt.iter().for_each(|excerpt| add_text(excerpt));
        }
        self.shown.input(part.input).map(|(_, entry)| entry.summary.clone()).unwrap_or_default()
    }

    /// Returns the picture of a card, relative to the first page; `None` if it is embedded in a page.
    fn picture(&self, part: &CardPart) -> Option<String> {
        let (outcome, entry) = self.shown.input(part.input)?;
        let (path, picture) = shown_pictures(outcome, entry).get(part.range.start).copied()?;
        if self.shown.sources.is_inside(picture) {
            return None;
        }
        let own = || link(self.shown.out, path.as_ref());
        self.shown.sources.file_of(picture).map(str::to_owned).or_else(own)
    }

    pub(super) fn finish(mut self) -> String {
        self.out.push_str("\n]);\n");
        self.out
    }
}
