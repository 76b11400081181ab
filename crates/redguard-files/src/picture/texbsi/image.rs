//! Checks, describes and decodes an image, in a bank or in a separate file.

use asset::Report;
use json::{Map, Value, json};
use media::picture::{Budget, Index0};
use record::{Error, Result};
use scene::image::IndexedAnimation;

use super::layout::{Header, Image, Section};
use super::pixel::{ImageLayout, PLAIN_ENCODING, PixelEncoding, ROWS_ENCODING};
use super::warning::{IMAGE, ImageCodes};
use crate::picture::palette::{ChosenPalette, PaletteChoices, PaletteOrigin};

/// An image and its location in its file.
pub(crate) struct LocatedImage<'a> {
    pub(crate) image: &'a Image,
    /// The offset of the image in the file.
    pub(crate) base: u64,
    /// The field path of the image, such as `entries[3].image`.
    pub(crate) field: String,
    pub(crate) codes: &'static ImageCodes,
}

impl Image {
    /// Decodes the image with its palette, for use by a model; `None` if it is damaged or empty.
    #[must_use]
    pub fn animation(
        &self,
        palettes: &PaletteChoices,
        budget: &mut Budget,
    ) -> Option<(IndexedAnimation, ChosenPalette)> {
        let located = LocatedImage { image: self, base: 0, field: "image".into(), codes: &IMAGE };
        located.animation(palettes, Index0::Clear, budget, &mut Report::new())
    }
}

impl LocatedImage<'_> {
    /// Reports all defects.
    pub(crate) fn check(&self, report: &mut Report) {
        self.check_sections(report);
        match self.image.layout(self.base) {
            Ok(layout) => self.check_pixels(&layout, report),
            Err(error) => self.damaged(&error, report),
        }
    }

    /// Reports that the image cannot be decoded.
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
            warn(format!("{count} sections {name} instead of one; using the first"));
        }
        if !sections.iter().any(is_marker) {
            warn("the marker (BSIF or IFHD) is missing".to_owned());
        }
        for section in sections {
            if let Section::Unknown(tag, _) = section {
                warn(format!("unknown section \"{}\"", tag.escape_ascii()));
            }
        }
    }

    /// Returns the field path of the first section of a kind.
    fn section(&self, kind: fn(&Section) -> bool) -> String {
        format!("{}.sections[{}]", self.field, self.image.section_of(kind))
    }

    fn check_pixels(&self, layout: &ImageLayout, report: &mut Report) {
        if let Err(error) = Budget::default().take(layout.width, layout.height, layout.frames) {
            self.damaged(&error, report);
        }
        let rows = match self.image.rows(layout) {
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
            let message = format!("the size is {width} x {height} pixels");
            report.warn(self.codes.empty, message).in_field(field("width"));
        }
        if anim_delay < 0 {
            let message = format!("the frame delay is {anim_delay} ms");
            report.warn(self.codes.delay, message).in_field(field("anim_delay"));
        }
        let (usual, moves) = match layout.encoding {
            PixelEncoding::Plain => (PLAIN_ENCODING, false),
            PixelEncoding::Rows => (ROWS_ENCODING, true),
        };
        let is_static =
            matches!(self.image.sections.iter().find(|section| is_marker(section)), Some(Section::Static(_)));
        if data_encoding != usual || (moves && is_static) {
            let marker = if moves && is_static { " with the marker BSIF" } else { "" };
            let frames = if frame_count == 1 { "frame" } else { "frames" };
            let message = format!("encoding {data_encoding} for {frame_count} {frames}{marker}");
            report.warn(self.codes.encoding, message).in_field(field("data_encoding"));
        }
        self.check_data(layout, &rows, report);
        if let Some(colors) = self.image.palette()
            && !colors.is_six_bit()
        {
            let largest = colors.bytes().iter().max().copied().unwrap_or_default();
            let message = format!("the palette has values up to {largest}; assuming 8 bits per channel");
            let palette = self.section(|section| matches!(section, Section::Palette(_)));
            report.warn(self.codes.palette, message).in_field(palette);
        }
    }

    fn check_data(&self, layout: &ImageLayout, rows: &[usize], report: &mut Report) {
        let Some((_, data)) = self.image.data() else { return };
        let field = self.section(|section| matches!(section, Section::Data(_)));
        let width = usize::try_from(layout.width).unwrap_or(usize::MAX);
        let table = layout.table_size();
        let in_table = rows.iter().filter(|start| **start < table).count();
        if in_table > 0 && width > 0 {
            let message = format!("{in_table} rows start within the row table");
            report.warn(self.codes.in_table, message).in_field(field.as_str());
        }
        let end = rows.iter().map(|start| start.saturating_add(width)).max().unwrap_or(table).max(table);
        if end < data.len() {
            let left = data.len().saturating_sub(end);
            let message = format!("{left} unexpected bytes after the pixels");
            report.warn(self.codes.left_over, message).in_field(field);
        }
    }

    /// Decodes the image; `None`, with a warning, if it is damaged or empty.
    pub(crate) fn animation(
        &self,
        palettes: &PaletteChoices,
        key: Index0,
        budget: &mut Budget,
        report: &mut Report,
    ) -> Option<(IndexedAnimation, ChosenPalette)> {
        match self.try_animation(palettes, key, budget, report) {
            Ok(animation) => animation,
            Err(error) => {
                self.damaged(&error, report);
                None
            }
        }
    }

    fn try_animation(
        &self,
        palettes: &PaletteChoices,
        key: Index0,
        budget: &mut Budget,
        report: &mut Report,
    ) -> Result<Option<(IndexedAnimation, ChosenPalette)>> {
        let layout = self.image.layout(self.base)?;
        if layout.width == 0 || layout.height == 0 {
            let message = format!("the size is {} x {} pixels", layout.width, layout.height);
            report.warn(self.codes.empty, message).in_field(self.field.as_str());
            return Ok(None);
        }
        budget.take(layout.width, layout.height, layout.frames)?;
        let chosen = palettes.choose(self.image.palette());
        let animation = self.image.frames(&layout)?.animation(key.apply(&chosen.colors))?;
        Ok(Some((animation, chosen)))
    }

    /// Returns the metadata that image files cannot store.
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

/// Counts the images whose palette is uncertain, for a single warning at the end.
#[derive(Debug, Default)]
pub(crate) struct UncertainPalettes {
    guessed: Option<(String, usize)>,
    grayscale: usize,
}

impl UncertainPalettes {
    pub(crate) fn count(&mut self, chosen: &ChosenPalette) {
        match &chosen.origin {
            PaletteOrigin::Guessed(name) => {
                let (_, count) = self.guessed.get_or_insert_with(|| (name.clone(), 0));
                *count = count.saturating_add(1);
            }
            PaletteOrigin::Grey => self.grayscale = self.grayscale.saturating_add(1),
            PaletteOrigin::Requested(_) | PaletteOrigin::OfMap(_) | PaletteOrigin::Embedded => {}
        }
    }

    pub(crate) fn report(
        &self,
        palettes: &PaletteChoices,
        guessed: &'static asset::Code,
        no_palette: &'static asset::Code,
        report: &mut Report,
    ) {
        let images = |count: usize| if count == 1 { "1 image".to_owned() } else { format!("{count} images") };
        if let Some((name, count)) = &self.guessed {
            report.warn(
                guessed,
                format!(
                    "{} converted with the palette {name}; choose another one with --palette",
                    images(*count)
                ),
            );
        }
        if self.grayscale > 0 && !palettes.is_gray_requested() {
            report.warn(
                no_palette,
                format!("{} converted to grayscale; choose a palette with --palette", images(self.grayscale)),
            );
        }
    }
}
