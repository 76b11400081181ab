//! The sections of the gallery: one for each format, one for what failed, one for what was not converted; and how they are divided among
//! pages.

use std::collections::{BTreeMap, HashSet};
use std::ops::Range;
use std::path::Path;

use asset::Format;
use scene::ProductKind;

use super::pictures::{Picture, Sources};
use super::watch::{File, Shot};
use crate::catalog::Catalog;
use crate::run::{FormatRun, Outcome, Run};

/// All that is shown.
#[derive(Clone, Copy)]
pub(super) struct Shown<'a> {
    pub(super) run: &'a Run,
    /// The inputs as they are shown, in the order of the outcomes; so are the numbers of the shots.
    pub(super) names: &'a [String],
    pub(super) shots: &'a BTreeMap<usize, Shot>,
    pub(super) catalog: Catalog,
    /// The folder of the first page.
    pub(super) out: &'a Path,
    pub(super) sources: &'a Sources,
}

/// What belongs together.
pub(super) struct Section {
    pub(super) kind: SectionKind,
    pub(super) items: Vec<Item>,
}

pub(super) enum SectionKind {
    /// What files of a format became.
    Format(&'static Format, FormatRun),
    Failed,
    NotConverted,
}

/// One thing that is not divided.
pub(super) enum Item {
    Card(Part),
    /// An input that failed, by its number.
    Failure(usize),
    /// A container of the games that cannot be opened, by its number.
    Container(usize),
    /// All that was not converted.
    Table,
}

/// What of an input stands on a card. An input with very many pictures or sounds has several cards.
pub(super) struct Part {
    pub(super) input: usize,
    /// Which of its pictures, where there are several, or of its listed sounds.
    pub(super) range: Range<usize>,
    /// Which of how many cards it is, counted from 0.
    pub(super) number: usize,
    pub(super) count: usize,
}

/// More sounds than this share one player.
const FEW_SOUNDS: usize = 3;
/// So many warnings of a file are shown; the rest is counted.
pub(super) const MOST_WARNINGS: usize = 30;
/// So many pictures or sounds of an input stand on a card.
const MOST_ON_CARD: usize = 240;
/// About so many bytes of text are on a page. Browsers show so much at once, and it is well below what one has the patience to look through.
const PAGE: usize = 240_000;

impl Shown<'_> {
    /// The outcome of an input and what is shown of it. `None` unless all that was shown is there.
    pub(super) fn input(&self, index: usize) -> Option<(&Outcome, &Shot)> {
        let (outcome, shot) = (self.run.outcomes.get(index)?, self.shots.get(&index)?);
        (outcome.outputs.len() == shot.files.len() && !shot.files.is_empty()).then_some((outcome, shot))
    }

    /// What an input is called.
    pub(super) fn name(&self, index: usize) -> &str {
        let outcome = || self.run.outcomes.get(index).map(|outcome| outcome.input.as_str());
        self.names.get(index).map(String::as_str).or_else(outcome).unwrap_or_default()
    }

    /// All sections, in the order of the formats.
    pub(super) fn sections(&self) -> Vec<Section> {
        let mut by_format: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for (index, outcome) in self.run.outcomes.iter().enumerate() {
            by_format.entry(outcome.format.unwrap_or_default()).or_default().push(index);
        }
        let mut out = Vec::new();
        for of_format in self.run.by_format(self.catalog) {
            let Some(id) = of_format.format else { continue };
            let Some(format) = self.catalog.formats().find(|format| format.id == id) else { continue };
            let inputs = by_format.remove(id).unwrap_or_default();
            let items: Vec<_> = inputs.into_iter().flat_map(|input| self.cards(input)).collect();
            if !items.is_empty() {
                out.push(Section { kind: SectionKind::Format(format, of_format), items });
            }
        }
        let failed = self.run.outcomes.iter().enumerate().filter(|(_, outcome)| !outcome.ok);
        let mut items: Vec<_> = failed.map(|(input, _)| Item::Failure(input)).collect();
        items.extend((0..self.run.containers.len()).map(Item::Container));
        if !items.is_empty() {
            out.push(Section { kind: SectionKind::Failed, items });
        }
        if !(self.run.left_out.is_empty() && self.run.known.is_empty() && self.run.unknown.is_empty()) {
            out.push(Section { kind: SectionKind::NotConverted, items: vec![Item::Table] });
        }
        out
    }

    /// The cards of an input.
    fn cards(&self, input: usize) -> Vec<Item> {
        let Some((outcome, shot)) = self.input(input) else { return Vec::new() };
        let pictures = shown_pictures(outcome, shot).len();
        let sounds = if is_list(shot) { sounds_of(shot).count() } else { 0 };
        let all = pictures.max(sounds);
        let count = all.div_ceil(MOST_ON_CARD).max(1);
        let part = |number: usize| {
            let start = number * MOST_ON_CARD;
            let range = start..start + MOST_ON_CARD;
            Item::Card(Part { input, range, number, count })
        };
        (0..count).map(part).collect()
    }

    /// The files of an input, with their paths, of which a card tells: a share for each of its cards.
    pub(super) fn files_on(&self, part: &Part) -> impl Iterator<Item = (&str, &File)> {
        let share = |all: usize| {
            let place =
                |number: usize| all.saturating_mul(number).checked_div(part.count).unwrap_or_default();
            place(part.number)..place(part.number + 1)
        };
        self.input(part.input).into_iter().flat_map(move |(outcome, shot)| {
            let range = share(shot.files.len());
            let files = outcome.outputs.iter().map(String::as_str).zip(&shot.files);
            files.skip(range.start).take(range.len())
        })
    }

    /// About how many bytes a thing takes on a page.
    fn weight(&self, item: &Item) -> usize {
        let warnings = |outcome: &Outcome| outcome.warnings.iter().take(MOST_WARNINGS).count();
        let amiss = |input: usize| self.run.outcomes.get(input).map_or(0, warnings) * 160;
        match item {
            Item::Card(part) => {
                let text = |(path, file): (&str, &File)| {
                    let excerpt = file.excerpt.as_ref().map_or(0, String::len);
                    // A path stands there as an address, and its name besides.
                    excerpt + path.len() * 2 + 200
                };
                amiss(part.input) + 500 + self.files_on(part).map(text).sum::<usize>()
            }
            Item::Failure(input) => amiss(*input) + 200,
            Item::Container(_) => 200,
            Item::Table => 10_000,
        }
    }

    /// Divides the sections among pages: the number of each section on a page, and which of its items.
    pub(super) fn pages(&self, sections: &[Section]) -> Vec<Vec<(usize, Range<usize>)>> {
        let mut pages = vec![Vec::new()];
        let mut full = 0_usize;
        for (number, section) in sections.iter().enumerate() {
            let mut start = 0;
            for (at, item) in section.items.iter().enumerate() {
                let weight = self.weight(item);
                let sum = full + weight;
                if sum > PAGE && full > 0 {
                    if let (Some(page), true) = (pages.last_mut(), start < at) {
                        page.push((number, start..at));
                    }
                    pages.push(Vec::new());
                    start = at;
                    full = weight;
                } else {
                    full = sum;
                }
            }
            if let Some(page) = pages.last_mut() {
                page.push((number, start..section.items.len()));
            }
        }
        pages
    }
}

/// The sounds among the files of an input.
pub(super) fn sounds_of(shot: &Shot) -> impl Iterator<Item = &File> {
    shot.files.iter().filter(|file| file.kind == Some(ProductKind::Sound))
}

/// Whether the sounds of an input are a list: many, or such in which something is said.
pub(super) fn is_list(shot: &Shot) -> bool {
    sounds_of(shot).nth(FEW_SOUNDS).is_some() || sounds_of(shot).any(|file| file.excerpt.is_some())
}

/// The pictures that stand for an input, with the files they are of. Where there are many, the overview that formats write of them is
/// not shown too.
pub(super) fn shown_pictures<'a>(outcome: &'a Outcome, shot: &'a Shot) -> Vec<(&'a str, &'a Picture)> {
    let pictures = outcome.outputs.iter().zip(&shot.files);
    let all: Vec<_> =
        pictures.filter_map(|(path, file)| Some((path.as_str(), file.picture.as_ref()?))).collect();
    if all.len() < 3 {
        return all;
    }
    let folders: HashSet<&Path> = all.iter().filter_map(|(path, _)| Path::new(path).parent()).collect();
    let is_overview = |path: &str| {
        let path = Path::new(path);
        folders.contains(path) || folders.contains(path.with_extension("").as_path())
    };
    let shown: Vec<_> = all.iter().copied().filter(|(path, _)| !is_overview(path)).collect();
    if shown.is_empty() { all } else { shown }
}
