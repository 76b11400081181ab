//! What the page shows of one file.

use std::fmt::Write;
use std::path::Path;

use asset::{ProductKind, Severity, size, thousands};

use super::escape::{data, html, link};
use super::page::tally;
use super::watch::{File, Picture, Shot};
use crate::run::Outcome;

/// More sounds than this share one player.
const FEW_SOUNDS: usize = 3;

/// So many warnings of a file are shown; the rest is counted.
const MOST_WARNINGS: usize = 30;
/// How a card begins that takes the whole width of the page.
pub(super) const WIDE_CARD: &str = "<article class=\"card wide\">";
/// More pictures than this take the whole width of the page.
const FEW: usize = 6;
/// The largest a small picture is shown at.
const WIDE: u32 = 256;
const HIGH: u32 = 192;
/// What fonts are shown with.
const PANGRAM: &str = "The quick brown fox jumps over the lazy dog. 0123456789";

/// Writes cards, and keeps account of what stands in the page and what beside it.
pub(super) struct Cards<'a> {
    out: &'a Path,
    room: usize,
    fonts: String,
    font_count: u64,
    beside: Vec<(String, Vec<u8>)>,
}

impl<'a> Cards<'a> {
    /// For files below a folder; so many bytes may stand in the page.
    pub(super) fn new(out: &'a Path, room: usize) -> Self {
        Self { out, room, fonts: String::new(), font_count: 0, beside: Vec::new() }
    }

    /// Style rules for the fonts that were shown.
    pub(super) fn fonts(&self) -> &str {
        &self.fonts
    }

    /// Pictures that must stand beside the page.
    pub(super) fn into_beside(self) -> Vec<(String, Vec<u8>)> {
        self.beside
    }

    /// Writes the card of one input.
    pub(super) fn write(
        &mut self,
        out: &mut String,
        index: usize,
        name: &str,
        outcome: &Outcome,
        shot: &Shot,
    ) {
        let (folder, called) = name.rsplit_once('/').map_or(("", name), |(folder, called)| (folder, called));
        let pictures = shown_pictures(&shot.files);
        let sounds: Vec<&File> =
            shot.files.iter().filter(|file| file.kind == Some(ProductKind::Sound)).collect();
        let is_list = sounds.len() > FEW_SOUNDS || sounds.iter().any(|file| file.excerpt.is_some());
        let is_wide = pictures.len() > FEW || sounds.len() > FEW;
        out.push_str(if is_wide { WIDE_CARD } else { "<article class=\"card\">" });
        out.push('\n');
        let describes =
            if shot.summary.is_empty() { called.to_owned() } else { format!("{called}: {}", shot.summary) };
        match pictures.as_slice() {
            [] => self.write_blank(out, shot),
            [(file, picture)] => self.write_shot(out, index, file, picture, &describes),
            several => {
                out.push_str("<div class=\"tiles\">");
                for (number, (file, picture)) in (0_usize..).zip(several) {
                    self.write_tile(out, (index, number), file, picture);
                }
                out.push_str("</div>\n");
            }
        }
        if is_list {
            self.write_sounds(out, &sounds);
        }
        for file in shot.files.iter().filter(|file| !is_list || file.kind != Some(ProductKind::Sound)) {
            self.write_playable(out, file, called);
        }
        let _ = writeln!(out, "<h3><bdi>{}</bdi></h3>", html(called));
        if !folder.is_empty() {
            let _ = writeln!(out, "<p class=\"where\"><bdi>{}</bdi></p>", html(folder));
        }
        if !shot.summary.is_empty() {
            let _ = writeln!(out, "<p class=\"what\">{}</p>", html(&shot.summary));
        }
        self.write_links(out, shot, &pictures, if is_list { &sounds } else { &[] });
        write_amiss(out, outcome);
        out.push_str("</article>\n");
    }

    fn link(&self, file: &File) -> String {
        link(self.out, &file.path).unwrap_or_else(|| "#".to_owned())
    }

    /// A card without a picture says what was written.
    fn write_blank(&self, out: &mut String, shot: &Shot) {
        let shows_itself = |file: &File| match file.kind {
            Some(kind) => {
                use ProductKind as K;
                matches!(kind, K::Sound | K::Font | K::Text | K::Table)
            }
            None => false,
        };
        if shot.files.iter().any(shows_itself) {
            return;
        }
        if let Some(excerpt) = shot.files.iter().find_map(|file| file.excerpt.as_deref()) {
            write_excerpt(out, excerpt);
            return;
        }
        if let Some(file) = shot.files.first() {
            let extension = file.path.extension().unwrap_or_default().to_string_lossy();
            let _ = writeln!(
                out,
                "<a class=\"shot blank\" href=\"{}\" tabindex=\"-1\" aria-hidden=\"true\">{}</a>",
                self.link(file),
                html(&extension.to_uppercase())
            );
        }
    }

    fn write_shot(&mut self, out: &mut String, index: usize, file: &File, picture: &Picture, alt: &str) {
        let class = if picture.drawn { "shot drawn" } else { "shot check" };
        let _ = write!(out, "<a class=\"{class}\" href=\"{}\">", self.link(file));
        self.write_image(out, (index, 0), file, picture, alt);
        out.push_str("</a>\n");
    }

    fn write_tile(&mut self, out: &mut String, place: (usize, usize), file: &File, picture: &Picture) {
        let name = file.path.file_name().unwrap_or_default().to_string_lossy();
        let _ = write!(out, "<a href=\"{}\" title=\"{}\">", self.link(file), html(&name));
        self.write_image(out, place, file, picture, &name);
        out.push_str("</a>");
    }

    fn write_image(
        &mut self,
        out: &mut String,
        place: (usize, usize),
        file: &File,
        picture: &Picture,
        alt: &str,
    ) {
        let source = self.source(place, file, picture);
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

    /// Where a picture comes from: the page, while there is room; then the written file itself, or a file beside the page.
    fn source(&mut self, (index, number): (usize, usize), file: &File, picture: &Picture) -> String {
        if !picture.data.is_empty()
            && let Some(room) = self.room.checked_sub(picture.data.len())
        {
            self.room = room;
            return data(picture.mime, &picture.data);
        }
        if !picture.drawn {
            return self.link(file);
        }
        let name = format!("gallery/{index:06}-{number}.jpg");
        self.beside.push((name.clone(), picture.data.clone()));
        name
    }

    /// Many sounds, or sounds in which something is said: a row for each, and one player for all.
    fn write_sounds(&self, out: &mut String, sounds: &[&File]) {
        out.push_str("<ul class=\"sounds\">\n");
        for file in sounds {
            let name = html(&file.path.file_name().unwrap_or_default().to_string_lossy());
            let link = self.link(file);
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

    /// Sounds to be heard, fonts and texts to be read.
    fn write_playable(&mut self, out: &mut String, file: &File, called: &str) {
        match file.kind {
            Some(ProductKind::Sound) => {
                let (source, label) = (self.link(file), html(called));
                let _ = writeln!(
                    out,
                    "<audio controls preload=\"none\" aria-label=\"{label}\" src=\"{source}\"></audio>"
                );
            }
            Some(ProductKind::Font) => self.write_font(out, file),
            Some(ProductKind::Text | ProductKind::Table) => {
                write_excerpt(out, file.excerpt.as_deref().unwrap_or_default());
            }
            _ => {}
        }
    }

    fn write_font(&mut self, out: &mut String, file: &File) {
        let source = match &file.font {
            Some(bytes) if bytes.len() <= self.room => {
                self.room = self.room.saturating_sub(bytes.len());
                data("font/ttf", bytes)
            }
            _ => self.link(file),
        };
        let family = format!("shown-{}", self.font_count);
        self.font_count = self.font_count.saturating_add(1);
        let _ = writeln!(self.fonts, "@font-face {{ font-family: \"{family}\"; src: url(\"{source}\"); }}");
        let _ = writeln!(out, "<p class=\"sample\" style=\"font-family: '{family}'\">{PANGRAM}</p>");
    }

    /// Links to the written files. Where there are several pictures, or a list of sounds, they are links themselves.
    fn write_links(&self, out: &mut String, shot: &Shot, pictures: &[(&File, &Picture)], sounds: &[&File]) {
        let several = if pictures.len() > 1 { pictures } else { &[] };
        let is_listed = |file: &&File| {
            let is_tile = several.iter().any(|(shown, _)| std::ptr::eq(*shown, *file));
            !is_tile && (sounds.is_empty() || file.kind != Some(ProductKind::Sound))
        };
        let listed: Vec<_> = shot.files.iter().filter(is_listed).collect();
        if listed.is_empty() {
            return;
        }
        let many = if listed.len() > 8 { " many" } else { "" };
        let _ = write!(out, "<p class=\"files{many}\">");
        for file in listed {
            let name = file.path.file_name().unwrap_or_default().to_string_lossy();
            let (link, name, size) = (self.link(file), html(&name), size(file.bytes));
            let _ = write!(out, "<span><a href=\"{link}\">{name}</a> {size}</span>");
        }
        out.push_str("</p>\n");
    }
}

/// The beginning of a text.
fn write_excerpt(out: &mut String, excerpt: &str) {
    if !excerpt.trim().is_empty() {
        let _ = writeln!(out, "<pre tabindex=\"0\">{}</pre>", html(excerpt));
    }
}

/// The pictures that stand for an input. Where there are many, the overview that formats write of them is not shown too.
fn shown_pictures(files: &[File]) -> Vec<(&File, &Picture)> {
    let all: Vec<_> = files.iter().filter_map(|file| Some((file, file.picture.as_ref()?))).collect();
    if all.len() < 3 {
        return all;
    }
    let is_overview = |file: &File| {
        let below = file.path.with_extension("");
        let named = file.path.parent().map(|folder| folder.join(file.path.file_name().unwrap_or_default()));
        all.iter().any(|(other, _)| {
            let folder = other.path.parent();
            folder == Some(below.as_path()) || (folder.is_some() && folder == named.as_deref())
        })
    };
    let shown: Vec<_> = all.iter().copied().filter(|(file, _)| !is_overview(file)).collect();
    if shown.is_empty() { all } else { shown }
}

/// By how much a small picture is enlarged: whole pixels stay whole.
fn enlarged(width: u32, height: u32) -> u32 {
    let times = |side: u32, most: u32| most.checked_div(side).unwrap_or(1);
    times(width, WIDE).min(times(height, HIGH)).clamp(1, 4)
}

/// Why an input failed, in a sentence without the folders it stands in.
pub(super) fn failed(outcome: &Outcome) -> String {
    let Some(failure) = &outcome.error else { return "failed because of its warnings".to_owned() };
    let mut out = String::new();
    if !failure.path.is_empty() {
        let _ = write!(out, "{}: ", failure.path);
    }
    out.push_str(&failure.message);
    if let Some(offset) = failure.offset {
        let _ = write!(out, ", at offset {offset:#x}");
    }
    out
}

/// What was amiss with an input, behind a click.
pub(super) fn write_amiss(out: &mut String, outcome: &Outcome) {
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
    for warning in sorted.into_iter().take(MOST_WARNINGS) {
        shown = shown.saturating_add(1);
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
    let more = all.into_iter().fold(0, u64::saturating_add).saturating_sub(shown);
    if more > 0 {
        let _ = write!(out, "<li>and {} more</li>", thousands(more));
    }
    out.push_str("</ul></details>\n");
}
