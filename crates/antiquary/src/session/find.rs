//! Where in a game something is named.

use asset::wildcard::is_called;
use asset::{Error, NameKind, Named, Names, Report};
use files::suggest::did_you_mean;
use record::Locator;

use super::work::Work;
use super::{Input, Inputs, Session};
use crate::run::{FoundName, FoundNames, Outcome, Run};

/// What is looked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Query {
    /// What the name must stand for; anything where it is `None`.
    kind: Option<NameKind>,
    /// In lower case.
    pattern: String,
}

/// So many places are kept of a file.
const MOST_NAMES: usize = 10_000;

/// So many letters of a text are kept.
const LONGEST_TEXT: usize = 200;

impl Query {
    /// Reads `TEXT`, which is looked for in all names and texts, or `KIND:NAME`, the whole name of something of that kind, in which `*` stands for
    /// any letters and `?` for one. Letter case does not matter. Folders and extensions need not be given.
    ///
    /// # Errors
    /// [`Kind::Usage`](asset::Kind::Usage) when it is empty, or when the kind is none but nearly one.
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
            return Err(Error::usage("nothing to look for: give a text, or KIND:NAME"));
        }
        Ok(Self { kind, pattern: pattern.to_lowercase() })
    }

    /// Whether this is what is looked for.
    #[must_use]
    pub fn is_met(&self, kind: NameKind, text: &str) -> bool {
        match self.kind {
            None => text.to_lowercase().contains(&self.pattern),
            Some(NameKind::Text) => kind == NameKind::Text && text.to_lowercase().contains(&self.pattern),
            Some(wanted) if wanted == kind => {
                let name = text.rsplit(['/', '\\']).next().unwrap_or(text);
                let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
                [text, name, stem].iter().any(|name| is_called(&self.pattern, name))
            }
            Some(_) => false,
        }
    }

    /// A text, or the part of a long one around what is looked for.
    fn excerpt(&self, text: &str) -> String {
        let letters: Vec<char> = text.chars().take(LONGEST_TEXT + 1).collect();
        if letters.len() <= LONGEST_TEXT {
            return text.to_owned();
        }
        // Letters may be longer in lower case; the place need not be exact.
        let lower = text.to_lowercase();
        let before = lower.find(&self.pattern).and_then(|at| lower.get(..at)).unwrap_or_default();
        let from = before.chars().count().saturating_sub(LONGEST_TEXT / 4);
        let part: String = text.chars().skip(from).take(LONGEST_TEXT).collect();
        let (start, end) =
            (if from > 0 { "..." } else { "" }, if text.ends_with(&part) { "" } else { "..." });
        format!("{start}{part}{end}")
    }
}

/// Keeps the names that are looked for.
struct Finder<'a> {
    query: &'a Query,
    found: FoundNames,
}

impl<'a> Finder<'a> {
    fn new(query: &'a Query) -> Self {
        Self { query, found: FoundNames::default() }
    }

    fn take(&mut self, named: Named<'_>) {
        let Self { query, found } = self;
        let is_met = |text: &str| query.is_met(named.kind, text);
        if !is_met(named.text) && (named.also.is_empty() || !is_met(named.also)) {
            return;
        }
        if found.names.len() >= MOST_NAMES {
            found.more += 1;
            return;
        }
        let path = named.path.to_string();
        // A field may be told as more than one kind.
        if query.kind.is_none()
            && found.names.last().is_some_and(|last| last.path == path && !path.is_empty())
        {
            return;
        }
        let text = query.excerpt(named.text);
        found.names.push(FoundName { kind: named.kind, text, path, offset: None });
    }

    /// The file itself.
    fn take_file(&mut self, kind: NameKind, name: &str) {
        self.take(Named::new(kind, name, format_args!("")));
    }

    /// What was found, if anything was.
    fn finish(self) -> Option<FoundNames> {
        Some(self.found).filter(|found| !found.names.is_empty())
    }
}

impl Session<'_> {
    /// Finds the places in files, and in the files of containers, where something is named: [`Outcome::names`]. Files themselves count, also those
    /// that are of no format.
    ///
    /// # Errors
    /// When a game folder does not exist. What is wrong with a file is in its outcome.
    pub fn find(&self, inputs: &Inputs, query: &Query) -> Result<Run, Error> {
        let (mut run, _) = self.each_inside(inputs, &[], |work, outcome| find_in(work, query, outcome))?;
        for input in inputs {
            let outcome = self.find_file(input, query);
            outcome.iter().for_each(|outcome| self.progress.outcome(outcome));
            run.outcomes.extend(outcome);
        }
        Ok(run)
    }

    /// A file of no format that is called so.
    fn find_file(&self, input: &Input, query: &Query) -> Option<Outcome> {
        let name = name_of(input);
        let kind = NameKind::of_media(&name).filter(|_| !self.catalog.knows_extension(&name))?;
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

/// A path, and what the last field of it is a part of: its bytes may be told as a whole.
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
        names.tell(&*asset, &work.game_context()?.context(), &mut |named| finder.take(named))?;
        let mut locator = Locator::new(finder.found.names.iter().flat_map(|name| with_parents(&name.path)));
        if !locator.is_done() {
            // A damaged file is explained up to the damage.
            let _ = format.trace(&*asset, &source, &mut locator);
        }
        for name in &mut finder.found.names {
            name.offset = with_parents(&name.path).find_map(|path| locator.offset(path));
        }
    }
    // What is amiss with files is what `check` is asked for.
    outcome.warnings = Report::new();
    outcome.names = finder.finish();
    Ok(())
}
