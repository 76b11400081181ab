//! What a font becomes: a sheet with BMFont and JSON, a TrueType font, a text as a picture.

use asset::{Charset, Context, Error, Report, Sink, Target};
use record::{Result, json as record_json};
use scene::font::{Atlas, PixelFont, draw_text, write_bmfont, write_ttf};
use scene::image::encode_indexed_png;
use serde_json::{Value, json};

use super::drawn::{FIRST_CODE, character_of, code_of};
use super::layout::{Font, SECTIONS_AT};
use super::{TEXT, warning};

pub(super) fn export(
    font: &Font,
    context: &Context<'_>,
    target: &Target<'_>,
    sink: &mut dyn Sink,
    report: &mut Report,
) -> Result<()> {
    let pixels = font.pixel_font(target.stem, shown_palette(font));
    match (target.output.extension, context.options.text(TEXT.name)) {
        ("png", Some(text)) => {
            let text = drawable(font, text, report);
            let picture = draw_text(&pixels, &text).map_err(|error| Error::usage(error.to_string()))?;
            return sink.put(&target.main_name(), &encode_indexed_png(&picture));
        }
        ("ttf", _) => {
            tell_left_out(font, report);
            let bytes = write_ttf(&pixels).map_err(|error| asset::from_scene(&error))?;
            return sink.put(&target.main_name(), &bytes);
        }
        _ => {}
    }
    let atlas = Atlas::new(&pixels.glyphs)
        .map_err(|error| Error::limit(error.to_string()).at(SECTIONS_AT).in_field("sections"))?;
    let page = target.side_name("png");
    match target.output.extension {
        "json" => sink.put(&target.main_name(), &facts(font, &atlas, None)?),
        "fnt" => {
            tell_left_out(font, report);
            sink.put(&page, &painted(&pixels, &atlas)?)?;
            sink.put(&bmfont_name(context, target), write_bmfont(&pixels, &atlas, &page).as_bytes())
        }
        _ => {
            tell_left_out(font, report);
            sink.put(&page, &painted(&pixels, &atlas)?)?;
            sink.put(&apart(target), write_bmfont(&pixels, &atlas, &page).as_bytes())?;
            sink.put(&target.side_name("json"), &facts(font, &atlas, Some(&page))?)?;
            match write_ttf(&pixels) {
                Ok(bytes) => sink.put(&target.side_name("ttf"), &bytes),
                Err(error) => {
                    report.warn(&warning::NO_TTF, error.to_string());
                    Ok(())
                }
            }
        }
    }
}

/// The palette of outputs: the first colour is nothing at all.
fn shown_palette(font: &Font) -> Vec<[u8; 4]> {
    let mut palette: Vec<[u8; 4]> =
        font.colors().0.iter().map(|[red, green, blue]| [*red, *green, *blue, 255]).collect();
    if let Some(first) = palette.first_mut() {
        *first = [0; 4];
    }
    palette
}

fn painted(font: &PixelFont, atlas: &Atlas) -> Result<Vec<u8>> {
    let sheet = atlas.paint(font).map_err(|error| asset::from_scene(&error))?;
    Ok(encode_indexed_png(&sheet))
}

/// The name of BMFont's file where it must not be mistaken for the game's: both end in `.fnt`.
fn apart(target: &Target<'_>) -> String {
    target.side_name("bmfont.fnt")
}

/// The name that was asked for, unless it is that of the file itself: where letter case does not matter the two would be one.
fn bmfont_name(context: &Context<'_>, target: &Target<'_>) -> String {
    let own = context.place.as_ref().map(|place| place.path().name());
    let main = target.main_name();
    if own.is_some_and(|own| own.to_lowercase() == main.to_lowercase()) { apart(target) } else { main }
}

fn tell_left_out(font: &Font, report: &mut Report) {
    let count = font.glyphs().len();
    let off = font.glyphs().iter().filter(|glyph| !glyph.is_enabled()).count();
    if off > 0 {
        let message = format!("{off} of {count} glyphs are switched off");
        report.warn(&warning::LEFT_OUT, message).in_field("glyphs");
    }
    let beyond = (0..count).filter(|index| character_of(code_of(*index)).is_none()).count();
    if beyond > 0 {
        let message = format!("{beyond} of {count} glyphs are beyond code 255");
        report.warn(&warning::LEFT_OUT, message).in_field("glyphs");
    }
}

/// What is to be known of each glyph.
fn facts(font: &Font, atlas: &Atlas, page: Option<&str>) -> Result<Vec<u8>> {
    let glyph = |((index, glyph), (x, y)): ((usize, &super::Glyph), &(u32, u32))| {
        let code = code_of(index);
        let character = character_of(code);
        json!({
            "codepoint": code,
            "character": character,
            "unicode": character.map(|character| format!("U+{:04X}", u32::from(character))),
            "enabled": glyph.is_enabled(),
            "x": x,
            "y": y,
            "width": glyph.width,
            "height": glyph.height,
            "offset_left": glyph.offset_left,
            "offset_top": glyph.offset_top,
            "advance": font.advance(index),
        })
    };
    let glyphs: Vec<Value> = font.glyphs().iter().enumerate().zip(&atlas.places).map(glyph).collect();
    let mut sheet = json!({ "width": atlas.width, "height": atlas.height });
    if let (Some(page), Some(sheet)) = (page, sheet.as_object_mut()) {
        sheet.insert("file".to_owned(), page.into());
    }
    let facts = json!({
        "description": font.header.description,
        "line_height": font.header.line_height,
        "baseline": font.baseline(),
        "first_code": FIRST_CODE,
        "sheet": sheet,
        "palette": font.colors(),
        "glyphs": glyphs,
    });
    record_json::to_vec(&facts)
}

/// A text as the glyphs of a font can show it: `\n` between lines. What the font does not have, or has switched off, is told once.
fn drawable(font: &Font, text: &str, report: &mut Report) -> String {
    let mut told = Vec::new();
    let mut out = String::new();
    for character in unescaped(text).chars() {
        if character == '\n' {
            out.push(character);
            continue;
        }
        let code = code_for(character);
        let index = code.and_then(|code| usize::try_from(code.checked_sub(FIRST_CODE)?).ok());
        let glyph = index.and_then(|index| font.glyphs().get(index));
        let enabled = glyph.is_some_and(super::Glyph::is_enabled);
        if enabled {
            out.extend(code.and_then(character_of));
        } else if !told.contains(&character) {
            told.push(character);
            match glyph {
                Some(_) => {
                    report.warn(&warning::NOT_DRAWN, format!("{character:?} is switched off in the font"))
                }
                None => report.warn(&warning::MISSING, format!("the font does not have {character:?}")),
            };
        }
    }
    out
}

/// The code of a character in code page 437.
fn code_for(character: char) -> Option<u32> {
    let house = character_of(127).filter(|house| *house == character).map(|_| 127);
    let mut buffer = [0; 4];
    let bytes = Charset::Cp437.encode(character.encode_utf8(&mut buffer));
    house
        .or_else(|| bytes.and_then(|bytes| bytes.first().copied()).map(u32::from).filter(|code| *code != 127))
}

/// A text with `\n` as a line break and `\\` as a backslash.
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
