//! The products of a font: a font, a glyph sheet, or an image of a text.

use asset::{Context, Error, Offer, ProductKind, Products, Report, Target};
use json::{Map, Value, json};
use scene::font::draw_text;
use scene::product::FontProduct;

use super::check::glyphs_field;
use super::layout::{Font, Glyph};
use super::metrics::{FIRST_CODE, character_of, code_of, code_of_character};
use super::{TEXT, warning};

/// Returns the font, or its glyph sheet if the target is an image format. If a text is requested, its image comes first.
pub(super) fn products<'a>(font: &'a Font, context: &Context<'a>, target: Target<'a>) -> Products<'a> {
    let name = target.name;
    let product = move || FontProduct {
        font: font.pixel_font(name, shown_palette(font)),
        metadata: facts(font),
        glyph_metadata: glyph_metadata(font),
    };
    let font_offer = Offer::new(ProductKind::Font, move |making| {
        report_left_out(font, making.report);
        Ok(Some(product()))
    })
    .from_field("sections");
    let products = Products::new(context, target);
    if let Some(text) = context.options.text(&TEXT) {
        let image = Offer::new(ProductKind::Image, move |making| {
            let text = drawable(font, text, making.report);
            let picture = draw_text(&font.pixel_font(name, shown_palette(font)), &text);
            picture.map(Some).map_err(|error| Error::usage(error.to_string()))
        });
        return products.with(image).with(font_offer.fallback_for(ProductKind::Image));
    }
    let sheet = Offer::new(ProductKind::Image, move |_| product().sheet().map(|(_, sheet)| Some(sheet)))
        .from_field("sections");
    products.with(font_offer).with(sheet.fallback_for(ProductKind::Font))
}

/// Returns the palette of the outputs: color 0 is fully transparent.
fn shown_palette(font: &Font) -> Vec<[u8; 4]> {
    let mut palette: Vec<[u8; 4]> =
        font.colors().0.iter().map(|[red, green, blue]| [*red, *green, *blue, 255]).collect();
    if let Some(first) = palette.first_mut() {
        *first = [0; 4];
    }
    palette
}

fn report_left_out(font: &Font, report: &mut Report) {
    let count = font.glyphs().len();
    let off = font.glyphs().iter().filter(|glyph| !glyph.is_enabled()).count();
    if off > 0 {
        let message = format!("{off} of {count} glyphs are disabled");
        report.warn(&warning::LEFT_OUT, message).in_field(glyphs_field(font));
    }
    let beyond = (0..count).filter(|index| character_of(code_of(*index)).is_none()).count();
    if beyond > 0 {
        let message = format!("{beyond} of {count} glyphs are above code 255");
        report.warn(&warning::LEFT_OUT, message).in_field(glyphs_field(font));
    }
}

/// Returns the metadata of the font.
fn facts(font: &Font) -> Map<String, Value> {
    object(json!({
        "description": font.header.description,
        "line_height": font.header.line_height,
        "baseline": font.baseline(),
        "first_code": FIRST_CODE,
        "palette": font.colors(),
    }))
}

/// Returns the metadata of each glyph.
fn glyph_metadata(font: &Font) -> Vec<Map<String, Value>> {
    let glyph = |(index, glyph): (usize, &Glyph)| {
        let code = code_of(index);
        let character = character_of(code);
        object(json!({
            "codepoint": code,
            "character": character,
            "unicode": character.map(|character| format!("U+{:04X}", u32::from(character))),
            "enabled": glyph.is_enabled(),
            "width": glyph.width,
            "height": glyph.height,
            "offset_left": glyph.offset_left,
            "offset_top": glyph.offset_top,
            "advance": font.advance(index),
        }))
    };
    font.glyphs().iter().enumerate().map(glyph).collect()
}

fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(members) => members,
        _ => Map::new(),
    }
}

/// Returns the drawable characters of a text, with `\n` between lines. Each missing or disabled character is reported once.
fn drawable(font: &Font, text: &str, report: &mut Report) -> String {
    let mut reported = Vec::new();
    let mut out = String::new();
    for character in unescaped(text).chars() {
        if character == '\n' {
            out.push(character);
            continue;
        }
        let glyph = font.index_of(character).and_then(|index| font.glyphs().get(index));
        let enabled = glyph.is_some_and(Glyph::is_enabled);
        if enabled {
            out.extend(code_of_character(character).and_then(character_of));
        } else if !reported.contains(&character) {
            reported.push(character);
            match glyph {
                Some(_) => report.warn(&warning::NOT_DRAWN, format!("{character:?} is disabled in the font")),
                None => report.warn(&warning::MISSING, format!("the font has no glyph for {character:?}")),
            };
        }
    }
    out
}

/// Resolves the escapes `\n` and `\\`.
fn unescaped(text: &str) -> String {
    let mut out = String::new();
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        let next = letters.peek().copied();
        match (letter, next) {
            ('\\', Some('n' | '\\')) => {
                letters.next();
                out.push(if next == Some('n') { '\n' } else { '\\' });
            }
            ('\r', Some('\n')) => {}
            _ => out.push(letter),
        }
    }
    out
}
