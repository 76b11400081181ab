//! Search for names in a game.

use std::collections::HashSet;

use asset::wildcard::matches_glob;
use asset::{Error, NameKind, Named, Names, Report};
use files::suggest::did_you_mean;
use record::Locator;

use super::work::Work;
use super::{Input, Inputs, Session};
use crate::run::{FoundName, FoundNames, Outcome, Run};

/// A search query.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Query {
    /// Kind of name to find; `None` for any kind.
    kind: Option<NameKind>,
    /// Search pattern in lower case.
    pattern: String,
}

/// Maximum number of occurrences kept per file.
const MAX_NAMES: usize = 10_000;

/// Maximum number of characters kept of a text.
const MAX_TEXT_LENGTH: usize = 200;

impl Query {
    /// Parses `TEXT`, which is searched for in all names and texts, or `KIND:NAME`, the full name of a thing of that kind,
    /// in which `*` matches any characters and `?` matches one. Letter case is ignored. Folders and extensions are optional.
    ///
    /// # Errors
    /// Returns [`Kind::Usage`](asset::Kind::Usage) if the text is empty, or if the kind is unknown but similar to an
    /// existing one.
    pub fn parse(text: &str) -> Result<Self, Error> {
        let (kind, pattern) = match text.split_once(':') {
            Some((word, pattern)) => {
                match NameKind::ALL.iter().find(|kind| kind.name() == word.to_lowercase()) {
                    Some(kind) => (Some(*kind), pattern),
                    None => {
                        let meant = did_you_mean(word, NameKind::ALL.iter().map(|kind| kind.name()));
                        if !meant.is_empty() && !pattern.starts_with(' ') {
                            return Err(Error::usage(format!("unknown kind of name \"{word}\"{meant}")));
                        }
                        (None, text)
                    }
                }
            }
            None => (None, text),
        };
        if pattern.trim().is_empty() {
            return Err(Error::usage("empty search; specify TEXT or KIND:NAME"));
        }
        Ok(Self { kind, pattern: pattern.to_lowercase() })
    }

    /// Whether a name matches the query.
    #[must_use]
    pub fn matches(&self, kind: NameKind, text: &str) -> bool {
        match self.kind {
            None => text.to_lowercase().contains(&self.pattern),
            Some(NameKind::Text) => kind == NameKind::Text && text.to_lowercase().contains(&self.pattern),
            Some(wanted) if wanted == kind => {
                let name = text.rsplit(['/', '\\']).next().unwrap_or(text);
                let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
                [text, name, stem].iter().any(|name| matches_glob(&self.pattern, name))
            }
            Some(_) => false,
        }
    }

    /// Returns a text, or the part of a long text around the match.
    fn excerpt(&self, text: &str) -> String {
        let letters: Vec<char> = text.chars().take(MAX_TEXT_LENGTH + 1).collect();
        if letters.len() <= MAX_TEXT_LENGTH {
            return text.to_owned();
        }
        // Lower-casing can change the length of a text; the position need not be exact.
        let lower = text.to_lowercase();
        let before = lower.find(&self.pattern).and_then(|at| lower.get(..at)).unwrap_or_default();
        let from = before.chars().count().saturating_sub(MAX_TEXT_LENGTH / 4);
        let part: String = text.chars().skip(from).take(MAX_TEXT_LENGTH).collect();
        let (start, end) =
            (if from > 0 { "..." } else { "" }, if text.ends_with(&part) { "" } else { "..." });
        format!("{start}{part}{end}")
    }
}

/// Collects the names that match a query.
struct Finder<'a> {
    query: &'a Query,
    found: FoundNames,
    /// Fields with a match, if any kind of name matches: a field may be visited as more than one kind.
    fields: HashSet<String>,
}

impl<'a> Finder<'a> {
    fn new(query: &'a Query) -> Self {
        Self { query, found: FoundNames::default(), fields: HashSet::new() }
    }

    fn take(&mut self, named: Named<'_>) {
        let Self { query, found, fields } = self;
        let is_match = |text: &str| query.matches(named.kind, text);
        if !is_match(named.text) && (named.also.is_empty() || !is_match(named.also)) {
            return;
        }
        let path = named.path.to_string();
        if query.kind.is_none() && !path.is_empty() && fields.contains(&path) {
            return;
        }
        if found.names.len() >= MAX_NAMES {
            found.more += 1;
            return;
        }
        if query.kind.is_none() {
            fields.insert(path.clone());
        }
        let text = query.excerpt(named.text);
        found.names.push(FoundName { kind: named.kind, text, path, offset: None });
    }

    /// Checks the name of the file itself.
    fn take_file(&mut self, kind: NameKind, name: &str) {
        self.take(Named::new(kind, name, format_args!("")));
    }

    /// Returns the occurrences, if there are any.
    fn finish(self) -> Option<FoundNames> {
        Some(self.found).filter(|found| !found.names.is_empty())
    }
}

impl Session<'_> {
    /// Finds the occurrences of names in files and in the files of containers: [`Outcome::names`]. File names are searched
    /// too, including those of files without a known format.
    ///
    /// # Errors
    /// Fails if a game folder does not exist. Errors of a single file are in its outcome.
    pub fn find(&self, inputs: &Inputs, query: &Query) -> Result<Run, Error> {
        let (mut run, _) = self.each_inside(inputs, &[], |work, outcome| find_in(work, query, outcome))?;
        for input in inputs {
            let outcome = self.find_file(input, query);
            outcome.iter().for_each(|outcome| self.progress.outcome(outcome));
            run.outcomes.extend(outcome);
        }
        Ok(run)
    }

    /// Checks the name of a file without a known format.
    fn find_file(&self, input: &Input, query: &Query) -> Option<Outcome> {
        let name = name_of(input);
        let kind = NameKind::of_media(&name).filter(|_| !self.catalog.has_extension(&name))?;
        let mut finder = Finder::new(query);
        finder.take_file(kind, &name);
        let mut outcome = Outcome::new(input.shown(), None);
        outcome.ok = true;
        outcome.names = Some(finder.finish()?);
        Some(outcome)
    }
}

fn name_of(input: &Input) -> String {
    input.relative().file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// Returns a path and its parents: the bytes of a field may be traced only as part of a parent.
fn with_parents(path: &str) -> impl Iterator<Item = &str> {
    let paths = std::iter::successors(Some(path), |path| path.get(..path.rfind(['.', '['])?));
    paths.take(4).enumerate().filter_map(|(depth, path)| {
        let is_part = path.contains(['.', '[']) || (depth == 0 && !path.is_empty());
        is_part.then_some(path)
    })
}

fn find_in(work: &Work<'_>, query: &Query, outcome: &mut Outcome) -> Result<(), Error> {
    let format = work.format()?;
    let names: &Names = &format.names;
    let mut finder = Finder::new(query);
    if let Some(kind) = names.file {
        finder.take_file(kind, &name_of(work.input));
    }
    if names.are_inside() {
        let (asset, source) = work.open(outcome)?;
        names.visit(&*asset, &work.game_context()?.context(), &mut |named| finder.take(named))?;
        let mut locator = Locator::new(finder.found.names.iter().flat_map(|name| with_parents(&name.path)));
        if !locator.is_done() {
            // A damaged file is traced up to the damage.
            let _ = format.trace(&*asset, &source, &mut locator);
        }
        for name in &mut finder.found.names {
            name.offset = with_parents(&name.path).find_map(|path| locator.offset(path));
        }
    }
    // Defects of files are reported by `check`.
    outcome.warnings = Report::new();
    outcome.names = finder.finish();
    Ok(())
}
