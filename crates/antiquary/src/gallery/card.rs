//! The card of a file on a gallery page.

use std::collections::HashSet;
use std::fmt::Write;
use std::path::Path;

use asset::{ProductKind, Severity, counted, size, thousands};

use super::escape::{html, link};
use super::pictures::Picture;
use super::section::{CardPart, MAX_WARNINGS, Shown, is_list, shown_pictures, sounds_of};
use super::watch::File;
use crate::run::Outcome;

/// Maximum number of file links on a card; the rest is counted.
const MAX_LINKS: usize = 240;
/// Start tag of a card that spans the full width of the page.
pub(super) const WIDE_CARD: &str = "<article class=\"card wide\"";
/// Maximum number of pictures on a card of normal width.
const FEW: usize = 6;
/// Maximum size in pixels to which a small picture is enlarged.
const WIDE: u32 = 256;
const HIGH: u32 = 192;
/// Sample text for fonts.
const PANGRAM: &str = "The quick brown fox jumps over the lazy dog. 0123456789";

/// Writes the cards of one page.
pub(super) struct Cards<'a> {
    shown: &'a Shown<'a>,
    /// Relative path to the folder of the first page.
    up: &'a str,
    fonts: String,
    font_count: u64,
}

/// A written file: its path and its details.
type Written<'a> = (&'a str, &'a File);

impl<'a> Cards<'a> {
    pub(super) fn new(shown: &'a Shown<'a>, up: &'a str) -> Self {
        Self { shown, up, fonts: String::new(), font_count: 0 }
    }

    /// Returns the style rules for the fonts that were shown.
    pub(super) fn fonts(&self) -> &str {
        &self.fonts
    }

    /// Writes the card of an input, or one of its cards.
    pub(super) fn write(&mut self, out: &mut String, part: &CardPart) {
        let Some((outcome, entry)) = self.shown.input(part.input) else { return };
        let (folder, title) = folder_and_name(self.shown.name(part.input));
        let written: Vec<Written<'_>> =
            outcome.outputs.iter().map(String::as_str).zip(&entry.files).collect();
        let pictures = shown_pictures(outcome, entry);
        let is_list = is_list(entry);
        let is_listed = |file: &File| is_list && file.kind == Some(ProductKind::Sound);
        let on_card = |at: usize| part.range.contains(&at);
        let tiles: Vec<_> =
            (0_usize..).zip(&pictures).filter(|(at, _)| on_card(*at)).map(|(_, tile)| *tile).collect();
        let listed = written.iter().filter(|(_, file)| is_listed(file));
        let sounds: Vec<_> =
            (0_usize..).zip(listed).filter(|(at, _)| on_card(*at)).map(|(_, sound)| *sound).collect();
        let is_wide = pictures.len() > FEW || sounds_of(entry).count() > FEW;
        out.push_str(if is_wide { WIDE_CARD } else { "<article class=\"card\"" });
        let _ = writeln!(out, " id=\"{}\">", anchor(part));
        let describes =
            if entry.summary.is_empty() { title.to_owned() } else { format!("{title}: {}", entry.summary) };
        match pictures.as_slice() {
            [] => self.write_blank(out, &written),
            [(path, picture)] => self.write_shot(out, path, picture, &describes),
            _ => {
                out.push_str("<div class=\"tiles\">");
                tiles.iter().for_each(|(path, picture)| self.write_tile(out, path, picture));
                out.push_str("</div>\n");
            }
        }
        if !sounds.is_empty() {
            self.write_sounds(out, &sounds);
        }
        let is_first = part.number == 0;
        if is_first {
            for (path, file) in written.iter().filter(|(_, file)| !is_listed(file)) {
                self.write_playable(out, path, file, title);
            }
        }
        let _ = write!(out, "<h3><bdi>{}</bdi>", html(title));
        if part.count > 1 {
            let number = part.number + 1;
            let _ = write!(out, " <small>({number} of {})</small>", part.count);
        }
        out.push_str("</h3>\n");
        if !folder.is_empty() {
            let _ = writeln!(out, "<p class=\"where\"><bdi>{}</bdi></p>", html(folder));
        }
        if !entry.summary.is_empty() {
            let _ = writeln!(out, "<p class=\"what\">{}</p>", html(&entry.summary));
        }
        if is_first {
            let tiles: HashSet<&str> = match pictures.as_slice() {
                [] | [_] => HashSet::new(),
                several => several.iter().map(|(path, _)| *path).collect(),
            };
            let is_elsewhere = |(path, file): &&Written<'_>| tiles.contains(path) || is_listed(file);
            let others: Vec<_> = written.iter().filter(|it| !is_elsewhere(it)).copied().collect();
            self.write_links(out, &others);
            write_defects(out, outcome);
        }
        out.push_str("</article>\n");
    }

    fn link(&self, path: &str) -> String {
        let link = link(self.shown.out, Path::new(path));
        link.map_or_else(|| "#".to_owned(), |link| format!("{}{link}", self.up))
    }

    /// Writes a placeholder with the extension for a card without a picture.
    fn write_blank(&self, out: &mut String, written: &[Written<'_>]) {
        let shows_itself = |file: &File| match file.kind {
            Some(kind) => {
                use ProductKind as K;
                matches!(kind, K::Sound | K::Font | K::Text | K::Table)
            }
            None => false,
        };
        if written.iter().any(|(_, file)| shows_itself(file)) {
            return;
        }
        if let Some(excerpt) = written.iter().find_map(|(_, file)| file.excerpt.as_deref()) {
            write_excerpt(out, excerpt);
            return;
        }
        if let Some((path, _)) = written.first() {
            let extension = Path::new(path).extension().unwrap_or_default().to_string_lossy();
            let _ = writeln!(
                out,
                "<a class=\"shot blank\" href=\"{}\" tabindex=\"-1\" aria-hidden=\"true\">{}</a>",
                self.link(path),
                html(&extension.to_uppercase())
            );
        }
    }

    fn write_shot(&self, out: &mut String, path: &str, picture: &Picture, alt: &str) {
        let class = if picture.drawn { "shot drawn" } else { "shot check" };
        let _ = write!(out, "<a class=\"{class}\" href=\"{}\">", self.link(path));
        self.write_image(out, path, picture, alt);
        out.push_str("</a>\n");
    }

    fn write_tile(&self, out: &mut String, path: &str, picture: &Picture) {
        let name = file_name(path);
        let _ = write!(out, "<a href=\"{}\" title=\"{}\">", self.link(path), html(&name));
        self.write_image(out, path, picture, &name);
        out.push_str("</a>");
    }

    fn write_image(&self, out: &mut String, path: &str, picture: &Picture, alt: &str) {
        let source = self.shown.sources.of(picture, self.up).unwrap_or_else(|| self.link(path));
        let enlarged = if picture.drawn { 1 } else { enlarged(picture.width, picture.height) };
        let (width, height) =
            (picture.width.saturating_mul(enlarged), picture.height.saturating_mul(enlarged));
        let class = if enlarged > 1 { " class=\"tiny\"" } else { "" };
        let live = if picture.moves { " data-live" } else { "" };
        let _ = write!(
            out,
            "<img loading=\"lazy\" decoding=\"async\" width=\"{width}\" height=\"{height}\" alt=\"{}\"{class}{live} src=\"{source}\">",
            html(alt)
        );
    }

    /// Writes a row for each of many sounds, or of sounds with spoken text; all rows share one player.
    fn write_sounds(&self, out: &mut String, sounds: &[Written<'_>]) {
        out.push_str("<ul class=\"sounds\">\n");
        for (path, file) in sounds {
            let name = html(&file_name(path));
            let link = self.link(path);
            let _ = write!(
                out,
                "<li><button type=\"button\" data-play=\"{link}\" aria-label=\"play {name}\">\u{25b6}</button> <a href=\"{link}\">{name}</a>"
            );
            match file.excerpt.as_deref().filter(|said| !said.trim().is_empty()) {
                Some(said) => {
                    let _ = writeln!(out, " <q>{}</q></li>", html(said));
                }
                None => out.push_str("</li>\n"),
            }
        }
        out.push_str("</ul>\n");
    }

    /// Writes a player for a sound, or a sample of a font or text.
    fn write_playable(&mut self, out: &mut String, path: &str, file: &File, title: &str) {
        match file.kind {
            Some(ProductKind::Sound) => {
                let (source, label) = (self.link(path), html(title));
                let _ = writeln!(
                    out,
                    "<audio controls preload=\"none\" aria-label=\"{label}\" src=\"{source}\"></audio>"
                );
            }
            Some(ProductKind::Font) => self.write_font(out, path, file),
            Some(ProductKind::Text | ProductKind::Table) => {
                write_excerpt(out, file.excerpt.as_deref().unwrap_or_default());
            }
            _ => {}
        }
    }

    fn write_font(&mut self, out: &mut String, path: &str, file: &File) {
        let kept = file.font.and_then(|key| self.shown.sources.of_key(key, self.up));
        let source = kept.unwrap_or_else(|| self.link(path));
        let family = format!("shown-{}", self.font_count);
        self.font_count += 1;
        let _ = writeln!(self.fonts, "@font-face {{ font-family: \"{family}\"; src: url(\"{source}\"); }}");
        let _ = writeln!(out, "<p class=\"sample\" style=\"font-family: '{family}'\">{PANGRAM}</p>");
    }

    /// Writes links to files that are not shown as tiles or in a list.
    fn write_links(&self, out: &mut String, written: &[Written<'_>]) {
        if written.is_empty() {
            return;
        }
        let many = if written.len() > 8 { " many" } else { "" };
        let _ = write!(out, "<p class=\"files{many}\">");
        for (path, file) in written.iter().take(MAX_LINKS) {
            let name = html(&file_name(path));
            let (link, size) = (self.link(path), size(file.bytes));
            let _ = write!(out, "<span><a href=\"{link}\">{name}</a> {size}</span>");
        }
        let more = written.len().saturating_sub(MAX_LINKS);
        if more > 0 {
            let _ = write!(out, "<span>and {}</span>", counted(more, "more file", "more files"));
        }
        out.push_str("</p>\n");
    }
}

/// Returns the anchor of a card.
pub(super) fn anchor(part: &CardPart) -> String {
    match part.number {
        0 => format!("f{}", part.input),
        number => format!("f{}-{}", part.input, number + 1),
    }
}

/// Returns the anchor of the row of an input that failed.
pub(super) fn anchor_of_failure(input: usize) -> String {
    format!("x{input}")
}

/// Splits the path of an input into folder and name.
pub(super) fn folder_and_name(name: &str) -> (&str, &str) {
    name.rsplit_once('/').unwrap_or(("", name))
}

/// Returns the last component of a path.
pub(super) fn file_name(path: &str) -> String {
    Path::new(path).file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// Writes the start of a text.
fn write_excerpt(out: &mut String, excerpt: &str) {
    if !excerpt.trim().is_empty() {
        let _ = writeln!(out, "<pre tabindex=\"0\">{}</pre>", html(excerpt));
    }
}

/// Returns the integer factor by which a small picture is enlarged.
fn enlarged(width: u32, height: u32) -> u32 {
    let times = |side: u32, most: u32| most.checked_div(side).unwrap_or(1);
    times(width, WIDE).min(times(height, HIGH)).clamp(1, 4)
}

/// Returns the reason why an input failed, without its folders.
pub(super) fn failed(outcome: &Outcome) -> String {
    let Some(error) = &outcome.error else { return "failed because of its warnings".to_owned() };
    let mut out = String::new();
    let path = error.path();
    if !path.is_empty() {
        let _ = write!(out, "{path}: ");
    }
    out.push_str(error.message());
    if let Some(offset) = error.offset() {
        let _ = write!(out, ", at offset {offset:#x}");
    }
    out
}

/// Writes the defects of an input as collapsed details.
pub(super) fn write_defects(out: &mut String, outcome: &Outcome) {
    let tallies =
        [Severity::Error, Severity::Warning, Severity::Note].map(|severity| tally(outcome, severity));
    let tallies: Vec<_> = tallies.into_iter().flatten().collect();
    let Some(worst) = outcome.warnings.worst() else { return };
    let class = match worst {
        Severity::Note => "",
        Severity::Warning => " class=\"warn\"",
        Severity::Error => " class=\"bad\"",
    };
    let _ = write!(out, "<details><summary{class}>{}</summary><ul>", tallies.join(", "));
    let mut shown = 0_u64;
    let mut sorted: Vec<_> = outcome.warnings.iter().collect();
    sorted.sort_by_key(|warning| std::cmp::Reverse(warning.code.severity));
    for warning in sorted.into_iter().take(MAX_WARNINGS) {
        shown += 1;
        let _ = write!(out, "<li><code>{}</code> ", html(warning.code.id));
        if !warning.path.is_empty() {
            let _ = write!(out, "{}: ", html(&warning.path));
        }
        out.push_str(&html(&warning.message));
        if let Some(offset) = warning.offset {
            let _ = write!(out, ", at offset {offset:#x}");
        }
        out.push_str("</li>");
    }
    let all =
        [Severity::Error, Severity::Warning, Severity::Note].map(|severity| outcome.warnings.count(severity));
    let more = all.into_iter().sum::<u64>().saturating_sub(shown);
    if more > 0 {
        let _ = write!(out, "<li>and {} more</li>", thousands(more));
    }
    out.push_str("</ul></details>\n");
}

/// Returns the number of warnings of one severity in words; `None` if there are none.
pub(super) fn tally(outcome: &Outcome, severity: Severity) -> Option<String> {
    let (one, many) = match severity {
        Severity::Note => ("note", "notes"),
        Severity::Warning => ("warning", "warnings"),
        Severity::Error => ("error", "errors"),
    };
    let count = outcome.warnings.count(severity);
    (count > 0).then(|| counted(count, one, many))
}
