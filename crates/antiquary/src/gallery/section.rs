//! Sections of the gallery: one for each format, one for failures, one for files that were not converted; and their division
//! into pages.

use std::collections::{BTreeMap, HashSet};
use std::ops::Range;
use std::path::Path;

use asset::Format;
use scene::ProductKind;

use super::pictures::{Picture, Sources};
use super::watch::{File, GalleryEntry};
use crate::catalog::Catalog;
use crate::run::{FormatRun, Outcome, Run};

/// Everything that the gallery shows.
#[derive(Clone, Copy)]
pub(super) struct Shown<'a> {
    pub(super) run: &'a Run,
    /// Display names of the inputs, in the order of the outcomes, which is also the order of `entries`.
    pub(super) names: &'a [String],
    pub(super) entries: &'a BTreeMap<usize, GalleryEntry>,
    pub(super) catalog: Catalog,
    /// Folder of the first page.
    pub(super) out: &'a Path,
    pub(super) sources: &'a Sources,
}

/// A group of items with a heading.
pub(super) struct Section {
    pub(super) kind: SectionKind,
    pub(super) items: Vec<Item>,
}

pub(super) enum SectionKind {
    /// Outputs of the files of a format.
    Format(&'static Format, FormatRun),
    Failed,
    NotConverted,
}

/// An item, which is never split across pages.
pub(super) enum Item {
    Card(CardPart),
    /// Failed input, by index.
    Failure(usize),
    /// Container of a game that cannot be opened, by index.
    Container(usize),
    /// Table of all files that were not converted.
    Table,
}

/// The part of an input on one card. An input with very many pictures or sounds has several cards.
pub(super) struct CardPart {
    pub(super) input: usize,
    /// Range of its pictures, if there are several, or of its listed sounds.
    pub(super) range: Range<usize>,
    /// Zero-based index of the card, of `count` cards.
    pub(super) number: usize,
    pub(super) count: usize,
}

/// Maximum number of sounds with a player each; more share one player.
const FEW_SOUNDS: usize = 3;
/// Maximum number of warnings shown per file; the rest is counted.
pub(super) const MAX_WARNINGS: usize = 30;
/// Maximum number of pictures or sounds of an input on a card.
const MAX_ON_CARD: usize = 240;
/// Approximate length of a page in bytes, which browsers show without delay and which is comfortable to scroll through.
const PAGE: usize = 240_000;

impl Shown<'_> {
    /// Returns the outcome and the gallery entry of an input; `None` if the entry is empty or does not cover all outputs.
    pub(super) fn input(&self, index: usize) -> Option<(&Outcome, &GalleryEntry)> {
        let (outcome, entry) = (self.run.outcomes.get(index)?, self.entries.get(&index)?);
        (outcome.outputs.len() == entry.files.len() && !entry.files.is_empty()).then_some((outcome, entry))
    }

    /// Returns the display name of an input.
    pub(super) fn name(&self, index: usize) -> &str {
        let outcome = || self.run.outcomes.get(index).map(|outcome| outcome.input.as_str());
        self.names.get(index).map(String::as_str).or_else(outcome).unwrap_or_default()
    }

    /// Returns all sections, in the order of the formats.
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

    /// Returns the cards of an input.
    fn cards(&self, input: usize) -> Vec<Item> {
        let Some((outcome, entry)) = self.input(input) else { return Vec::new() };
        let pictures = shown_pictures(outcome, entry).len();
        let sounds = if is_list(entry) { sounds_of(entry).count() } else { 0 };
        let all = pictures.max(sounds);
        let count = all.div_ceil(MAX_ON_CARD).max(1);
        let part = |number: usize| {
            let start = number * MAX_ON_CARD;
            let range = start..start + MAX_ON_CARD;
            Item::Card(CardPart { input, range, number, count })
        };
        (0..count).map(part).collect()
    }

    /// Returns the files of an input on one of its cards, with their paths.
    pub(super) fn files_on(&self, part: &CardPart) -> impl Iterator<Item = (&str, &File)> {
        let share = |all: usize| {
            let place =
                |number: usize| all.saturating_mul(number).checked_div(part.count).unwrap_or_default();
            place(part.number)..place(part.number + 1)
        };
        self.input(part.input).into_iter().flat_map(move |(outcome, entry)| {
            let range = share(entry.files.len());
            let files = outcome.outputs.iter().map(String::as_str).zip(&entry.files);
            files.skip(range.start).take(range.len())
        })
    }

    /// Returns the approximate length of an item on a page, in bytes.
    fn weight(&self, item: &Item) -> usize {
        let warnings = |outcome: &Outcome| outcome.warnings.iter().take(MAX_WARNINGS).count();
        let warnings_length = |input: usize| self.run.outcomes.get(input).map_or(0, warnings) * 160;
        match item {
            Item::Card(part) => {
                let text = |(path, file): (&str, &File)| {
                    let excerpt = file.excerpt.as_ref().map_or(0, String::len);
                    // A path appears as a link, and its file name as text.
                    excerpt + path.len() * 2 + 200
                };
                warnings_length(part.input) + 500 + self.files_on(part).map(text).sum::<usize>()
            }
            Item::Failure(input) => warnings_length(*input) + 200,
            Item::Container(_) => 200,
            Item::Table => 10_000,
        }
    }

    /// Divides the sections into pages: the index of each section on a page, and the range of its items.
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

/// Iterates over the sounds among the files of an input.
pub(super) fn sounds_of(entry: &GalleryEntry) -> impl Iterator<Item = &File> {
    entry.files.iter().filter(|file| file.kind == Some(ProductKind::Sound))
}

/// Whether the sounds of an input are shown as a list: if they are many, or have spoken text.
pub(super) fn is_list(entry: &GalleryEntry) -> bool {
    sounds_of(entry).nth(FEW_SOUNDS).is_some() || sounds_of(entry).any(|file| file.excerpt.is_some())
}

/// Returns the pictures that represent an input, with their files. If there are many, the overview image that some formats
/// write is omitted.
pub(super) fn shown_pictures<'a>(
    outcome: &'a Outcome,
    entry: &'a GalleryEntry,
) -> Vec<(&'a str, &'a Picture)> {
    let pictures = outcome.outputs.iter().zip(&entry.files);
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
