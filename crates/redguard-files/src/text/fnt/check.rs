//! Checks a font.

use asset::Report;

use super::layout::{Font, RDAT, RDAT_SIZE, Section};
use super::metrics::{FIRST_CODE, code_of};
use super::warning;

/// The number of glyphs that texts can use.
const USABLE: usize = 224;

/// The bytes after the end tag in one of the game's fonts.
const ZEROS: [u8; 4] = [0; 4];

pub(super) fn check(font: &Font, report: &mut Report) {
    check_header(font, report);
    check_sections(font, report);
    check_glyphs(font, report);
    let is_usual = font.rest.is_empty() || *font.rest == ZEROS;
    if !font.end {
        report.warn(&warning::NO_END, "the END tag is missing");
        if font.rest.is_empty() {
            report.fix(&warning::NO_END, "end", || true.into());
        }
    }
    if !is_usual || (!font.end && !font.rest.is_empty()) {
        let message = format!("{} unexpected bytes after the end", font.rest.len());
        report.warn(&warning::LEFT_OVER, message).in_field("rest");
    }
}

fn check_header(font: &Font, report: &mut Report) {
    let header = &font.header;
    match (header.has_palette, font.palette()) {
        (0, Some(_)) => {
            let message = "has_palette is 0, but there is a palette";
            report.warn(&warning::NO_PALETTE_READ, message).in_field("header.has_palette");
        }
        (0, None) | (_, Some(_)) => {}
        (value, None) => {
            let message = format!("has_palette is {value}, but there is no BPAL or FPAL chunk");
            report.warn(&warning::NO_PALETTE, message).in_field("header.has_palette");
        }
    }
    let has_rdat = font.sections.iter().any(|section| matches!(section, Section::Rdat(_)));
    if header.has_rdat != 0 && !has_rdat {
        let message =
            format!("has_rdat is {}, but there is no RDAT chunk of {RDAT_SIZE} bytes", header.has_rdat);
        report.warn(&warning::NO_RDAT, message).in_field("header.has_rdat");
    }
    if u32::from(header.character_start) != FIRST_CODE {
        let message = format!(
            "character_start is {}, but the game always starts at code {FIRST_CODE}",
            header.character_start
        );
        report.warn(&warning::START, message).in_field("header.character_start");
    }
    let count = font.glyphs().len();
    if count > USABLE {
        let message = format!("there are {count} glyphs, but texts can only use {USABLE}");
        report.warn(&warning::TOO_MANY, message).in_field("header.character_count");
    }
}

/// Reports unknown chunks and palettes with 8 bits per channel.
fn check_sections(font: &Font, report: &mut Report) {
    for (index, section) in font.sections.iter().enumerate() {
        let field = format!("sections[{index}]");
        match section {
            Section::Bpal(colors) | Section::Fpal(colors) if !colors.is_six_bit() => {
                let largest = colors.bytes().iter().max().copied().unwrap_or_default();
                report
                    .warn(
                        &warning::EIGHT_BIT,
                        format!("the palette has values up to {largest}; assuming 8 bits per channel"),
                    )
                    .in_field(field.clone());
            }
            Section::Fbmp(fbmp) if !fbmp.rest.is_empty() => {
                let message = format!("{} unexpected bytes after the glyphs", fbmp.rest.len());
                report.warn(&warning::LEFT_OVER, message).in_field(format!("{field}.rest"));
            }
            Section::Other { tag, data } => {
                let what = match tag.0 {
                    RDAT if data.len() != usize::try_from(RDAT_SIZE).unwrap_or_default() => {
                        format!("should have {RDAT_SIZE} bytes")
                    }
                    known if [*b"FNHD", *b"BPAL", *b"FPAL", *b"FBMP", RDAT].contains(&known) => {
                        "is a duplicate".to_owned()
                    }
                    _ => "is unknown".to_owned(),
                };
                let message = format!("the chunk \"{tag}\" of {} bytes {what}", data.len());
                report.warn(&warning::OTHER, message).in_field(field);
            }
            _ => {}
        }
    }
}

/// Returns the field path of the glyph list.
pub(super) fn glyphs_field(font: &Font) -> String {
    let section = font.sections.iter().position(|section| matches!(section, Section::Fbmp(_)));
    format!("sections[{}].glyphs", section.unwrap_or_default())
}

fn check_glyphs(font: &Font, report: &mut Report) {
    let line = i32::from(font.header.line_height);
    let field = glyphs_field(font);
    let (mut below, mut farthest) = (0_usize, 0_i32);
    for (index, glyph) in font.glyphs().iter().enumerate().filter(|(_, glyph)| glyph.is_enabled()) {
        if glyph.width == 0 || glyph.height == 0 {
            let message = format!(
                "code {} is enabled, but has {} x {} pixels",
                code_of(index),
                glyph.width,
                glyph.height
            );
            report.warn(&warning::EMPTY, message).in_field(format!("{field}[{index}]"));
        }
        let bottom = i32::from(glyph.offset_top).saturating_add(glyph.height.into());
        if bottom > line {
            below = below.saturating_add(1);
            farthest = farthest.max(bottom.saturating_sub(line));
        }
    }
    if below > 0 {
        let message = match below {
            1 => format!("1 glyph extends below the line height of {line} pixels, by {farthest}"),
            _ => format!("{below} glyphs extend below the line height of {line} pixels, by up to {farthest}"),
        };
        report.warn(&warning::BELOW, message).in_field(field);
    }
}
