//! What is needed to search in all pages from any of them: for each page a script that names what is on it.

use json::json;

use super::FOLDER;
use super::card::{anchor, anchor_of_failure, failed, file_name, folder_and_name};
use super::escape::{link, visible};
use super::section::{Item, MOST_WARNINGS, Part, Shown, shown_pictures};

/// What the script of a page is called, counted from 0.
pub(super) fn name_of(page: usize) -> String {
    format!("{FOLDER}/search-{}.js", page + 1)
}

/// Writes the script of a page. Browsers open scripts from a folder on disk, other files they do not.
pub(super) struct Index<'a> {
    shown: &'a Shown<'a>,
    out: String,
    count: usize,
}

impl<'a> Index<'a> {
    pub(super) fn new(page: usize, shown: &'a Shown<'a>) -> Self {
        Self { shown, out: format!("gallery({page}, [\n"), count: 0 }
    }

    /// Adds what is to be found: where it is on its page, its name, folder and description, all that is searched, whether something
    /// is amiss, and its picture.
    pub(super) fn add(&mut self, item: &Item, heading: &str) {
        let (anchor, input, part) = match item {
            Item::Card(part) => (anchor(part), part.input, Some(part)),
            Item::Failure(input) => (anchor_of_failure(*input), *input, None),
            Item::Container(_) | Item::Table => return,
        };
        let Some(outcome) = self.shown.run.outcomes.get(input) else { return };
        let (folder, name) = folder_and_name(self.shown.name(input));
        let mut text = String::new();
        let mut say = |words: &str| {
            text.push(' ');
            text.push_str(words);
        };
        say(heading);
        if let Some(format) = outcome.format {
            say(format);
        }
        for warning in outcome.warnings.iter().take(MOST_WARNINGS) {
            say(warning.code.id);
            say(&warning.message);
        }
        let (mut summary, mut picture) = (String::new(), None);
        match part {
            Some(part) => {
                summary = self.summary(part, &mut say);
                picture = self.picture(part);
            }
            None => say(&failed(outcome)),
        }
        let is_amiss = outcome.warnings.worst().is_some_and(|worst| worst > asset::Severity::Note);
        let [name, folder, summary, text] = [name, folder, &summary, &text].map(visible);
        let amiss = u8::from(is_amiss || part.is_none());
        let entry = json!([anchor, name, folder, summary, text.trim_start(), amiss, picture]);
        self.out.push_str(if self.count == 0 { "" } else { ",\n" });
        self.count += 1;
        self.out.push_str(&entry.to_string());
    }

    /// What a card says, given to `say`, and its line.
    fn summary(&self, part: &Part, say: &mut dyn FnMut(&str)) -> String {
        for (path, file) in self.shown.files_on(part) {
            say(&file_name(path));
            file.excerpt.iter().for_each(|excerpt| say(excerpt));
        }
        self.shown.input(part.input).map(|(_, shot)| shot.summary.clone()).unwrap_or_default()
    }

    /// A picture for the card, as the first page would show it; none that stands in a page itself.
    fn picture(&self, part: &Part) -> Option<String> {
        let (outcome, shot) = self.shown.input(part.input)?;
        let (path, picture) = shown_pictures(outcome, shot).get(part.range.start).copied()?;
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
