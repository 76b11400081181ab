//! What can be said, checked and shown of one image, in a bank or alone.

use asset::Report;
use record::{Error, Result};
use scene::image::Film8;
use serde_json::{Map, Value, json};

use super::layout::{Header, Image, Section};
use super::pixel::{Form, PLAIN_ENCODING, ROWS_ENCODING, Shape};
use super::warning::ImageCodes;
use crate::picture::palette::{Chosen, Shelf, Shown};
use asset::picture::{Budget, Index0};

/// An image within its file.
pub(crate) struct Place<'a> {
    pub(crate) image: &'a Image,
    /// Where it starts in the file.
    pub(crate) base: u64,
    /// The field it is, like `entries[3].image`.
    pub(crate) field: String,
    pub(crate) codes: &'static ImageCodes,
}

impl Place<'_> {
    /// Everything amiss with it.
    pub(crate) fn check(&self, report: &mut Report) {
        self.check_sections(report);
        match self.image.shape(self.base) {
            Ok(shape) => self.check_pixels(&shape, report),
            Err(error) => self.damaged(&error, report),
        }
    }

    /// Reports that it cannot be shown.
    pub(crate) fn damaged(&self, error: &Error, report: &mut Report) {
        report.warn_error(self.codes.damaged, &error.clone().in_field(self.field.clone()));
    }

    fn check_sections(&self, report: &mut Report) {
        let mut warn = |message: String| {
            report.warn(self.codes.sections, message).in_field(format!("{}.sections", self.field));
        };
        let sections = &self.image.sections;
        let kinds = [
            ("marker (BSIF, IFHD)", sections.iter().filter(|section| is_marker(section)).count()),
            ("BHDR", sections.iter().filter(|section| matches!(section, Section::Header(_))).count()),
            ("CMAP", sections.iter().filter(|section| matches!(section, Section::Palette(_))).count()),
            ("DATA", sections.iter().filter(|section| matches!(section, Section::Data(_))).count()),
        ];
        for (name, count) in kinds.into_iter().filter(|(_, count)| *count > 1) {
            warn(format!("{count} sections {name} instead of one: the first counts"));
        }
        if !sections.iter().any(is_marker) {
            warn("no marker, BSIF or IFHD".to_owned());
        }
        for section in sections {
            if let Section::Unknown(tag, _) = section {
                warn(format!("the section \"{}\" is not known", tag.escape_ascii()));
            }
        }
    }

    /// The first section of a kind, as a field of the file.
    fn section(&self, kind: fn(&Section) -> bool) -> String {
        format!("{}.sections[{}]", self.field, self.image.section_of(kind))
    }

    fn check_pixels(&self, shape: &Shape, report: &mut Report) {
        if let Err(error) = Budget::default().take(shape.width, shape.height, shape.frames) {
            self.damaged(&error, report);
        }
        let rows = match self.image.rows(shape) {
            Ok(rows) => rows,
            Err(error) => return self.damaged(&error, report),
        };
        let Some((_, header)) = self.image.header() else { return };
        let field = |name: &str| {
            let section = self.section(|section| matches!(section, Section::Header(_)));
            format!("{section}.{name}")
        };
        let Header { width, height, frame_count, anim_delay, data_encoding, .. } = *header;
        if width == 0 || height == 0 {
            let message = format!("{width} x {height} pixels");
            report.warn(self.codes.empty, message).in_field(field("width"));
        }
        if anim_delay < 0 {
            let message = format!("a delay of {anim_delay} ms");
            report.warn(self.codes.delay, message).in_field(field("anim_delay"));
        }
        let (usual, moves) = match shape.form {
            Form::Plain => (PLAIN_ENCODING, false),
            Form::Rows => (ROWS_ENCODING, true),
        };
        let is_static =
            matches!(self.image.sections.iter().find(|section| is_marker(section)), Some(Section::Static(_)));
        if data_encoding != usual || (moves && is_static) {
            let marker = if moves && is_static { " under the marker BSIF" } else { "" };
            let frames = if frame_count == 1 { "frame" } else { "frames" };
            let message = format!("encoding {data_encoding} for {frame_count} {frames}{marker}");
            report.warn(self.codes.encoding, message).in_field(field("data_encoding"));
        }
        self.check_data(shape, &rows, report);
        if let Some(colors) = self.image.palette()
            && !colors.is_six_bit()
        {
            let most = colors.bytes().iter().max().copied().unwrap_or_default();
            let message = format!("the palette goes up to {most}: it is taken as 8 bits a channel");
            let palette = self.section(|section| matches!(section, Section::Palette(_)));
            report.warn(self.codes.palette, message).in_field(palette);
        }
    }

    fn check_data(&self, shape: &Shape, rows: &[usize], report: &mut Report) {
        let Some((_, data)) = self.image.data() else { return };
        let field = self.section(|section| matches!(section, Section::Data(_)));
        let width = usize::try_from(shape.width).unwrap_or(usize::MAX);
        let table = shape.table_size();
        let in_table = rows.iter().filter(|start| **start < table).count();
        if in_table > 0 && width > 0 {
            let message = format!("{in_table} rows start within the table of rows");
            report.warn(self.codes.in_table, message).in_field(field.as_str());
        }
        let end = rows.iter().map(|start| start.saturating_add(width)).max().unwrap_or(table).max(table);
        if end < data.len() {
            let left = data.len().saturating_sub(end);
            let message = format!("{left} bytes stand behind the pixels");
            report.warn(self.codes.left_over, message).in_field(field);
        }
    }

    /// The image as it is shown; `None`, with a warning, when it cannot be or has no pixels.
    pub(crate) fn film(
        &self,
        shelf: &Shelf,
        key: Index0,
        budget: &mut Budget,
        report: &mut Report,
    ) -> Option<(Film8, Chosen)> {
        match self.try_film(shelf, key, budget, report) {
            Ok(film) => film,
            Err(error) => {
                self.damaged(&error, report);
                None
            }
        }
    }

    fn try_film(
        &self,
        shelf: &Shelf,
        key: Index0,
        budget: &mut Budget,
        report: &mut Report,
    ) -> Result<Option<(Film8, Chosen)>> {
        let shape = self.image.shape(self.base)?;
        if shape.width == 0 || shape.height == 0 {
            let message = format!("{} x {} pixels", shape.width, shape.height);
            report.warn(self.codes.empty, message).in_field(self.field.as_str());
            return Ok(None);
        }
        budget.take(shape.width, shape.height, shape.frames)?;
        let chosen = shelf.choose(self.image.palette());
        let film = self.image.frames(&shape)?.film(key.apply(&chosen.colors))?;
        Ok(Some((film, chosen)))
    }

    /// What pictures cannot say of it.
    pub(crate) fn facts(&self) -> Map<String, Value> {
        let Some((_, header)) = self.image.header() else { return Map::new() };
        let Header {
            x_offset,
            y_offset,
            width,
            height,
            export_flags,
            frame_count,
            anim_delay,
            tex_scale,
            ..
        } = *header;
        let animated = self.image.sections.iter().any(|section| matches!(section, Section::Animated(_)));
        let scale = if tex_scale == 0 { 256 } else { tex_scale };
        let facts = json!({
            "kind": if animated { "IFHD" } else { "BSIF" },
            "width": width,
            "height": height,
            "x_offset": x_offset,
            "y_offset": y_offset,
            "frames": frame_count,
            "anim_delay_ms": anim_delay,
            "anim_delay_ticks": self.image.ticks(),
            "tex_scale": tex_scale,
            "scale": f64::from(scale) / 256.0,
            "has_palette": self.image.palette().is_some(),
            "export_flags": export_flags,
        });
        match facts {
            Value::Object(facts) => facts,
            _ => Map::new(),
        }
    }
}

fn is_marker(section: &Section) -> bool {
    matches!(section, Section::Static(_) | Section::Animated(_))
}

/// Counts which images were shown with a palette that may not be theirs, and tells it at the end.
#[derive(Debug, Default)]
pub(crate) struct Uncertain {
    guessed: Option<(String, usize)>,
    grey: usize,
}

impl Uncertain {
    pub(crate) fn count(&mut self, chosen: &Chosen) {
        match &chosen.shown {
            Shown::Guessed(name) => {
                let (_, count) = self.guessed.get_or_insert_with(|| (name.clone(), 0));
                *count = count.saturating_add(1);
            }
            Shown::Grey => self.grey = self.grey.saturating_add(1),
            Shown::Asked(_) | Shown::Belonging(_) | Shown::Embedded => {}
        }
    }

    pub(crate) fn tell(
        self,
        shelf: &Shelf,
        guessed: &'static asset::Code,
        grey: &'static asset::Code,
        report: &mut Report,
    ) {
        let images =
            |count: usize| if count == 1 { "1 image is".to_owned() } else { format!("{count} images are") };
        if let Some((name, count)) = self.guessed {
            report.warn(guessed, format!("{} shown with {name}: --palette chooses another", images(count)));
        }
        if self.grey > 0 && !shelf.is_grey_wanted() {
            report.warn(grey, format!("{} shown in grey: --palette chooses a palette", images(self.grey)));
        }
    }
}
