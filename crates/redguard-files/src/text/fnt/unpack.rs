//! Unpacks a font to an editable sheet and a glyph list, and packs it again.

use asset::unpack::EditedView;
use asset::{Error, Parts, Report, Unpacked, ViewSource};
use json::{Content, Document, Node, Step, Value};
use record::{Bytes, Result};
use scene::image::Indexed8;
use scene::product::Data;
use serde::{Deserialize, Serialize};

use super::glyph_table::{GlyphTable, Row, State};
use super::layout::{Font, Glyph};
use super::metrics::{FIRST_CODE, code_of};
use super::sheet::{Grid, cut};
use super::warning;
use media::picture::{Edited, Index0, ViewPalettes, read_view};

/// The view that contains the glyph sheet.
const SHEET: &str = "sheet";

/// The view that contains the glyph list.
const TABLE: &str = "glyphs";

/// The blob that contains the pixels of all glyphs, one after another.
const PIXELS: &str = "pixels.bin";

/// Information required for packing.
#[derive(Debug, Serialize, Deserialize)]
struct PackInfo {
    /// The sizes of the glyphs in the pixel blob.
    sizes: Vec<(u16, u16)>,
    /// The cells of the sheet; `None` if there is no sheet.
    grid: Option<Grid>,
    views: ViewPalettes,
}

/// Returns the index of the glyph chunk.
fn chunk_index(font: &Font) -> Result<usize> {
    let area = font.sections.iter().position(|section| matches!(section, super::Section::Fbmp(_)));
    area.ok_or_else(|| Error::usage("the FBMP chunk is missing").in_field("sections"))
}

/// Returns the record with the pixels of all glyphs combined in one member.
fn document(font: &Font, chunk: usize) -> Result<Document> {
    let mut record = Document::of(font)?.root().to_value();
    let pixels: Vec<u8> = font.glyphs().iter().flat_map(|glyph| glyph.pixels.iter()).copied().collect();
    if let Some(Value::Object(chunk)) = record.pointer_mut(&format!("/sections/{chunk}/FBMP")) {
        let glyphs = chunk.get_mut("glyphs").and_then(Value::as_array_mut).into_iter().flatten();
        glyphs.filter_map(Value::as_object_mut).for_each(|glyph| drop(glyph.remove("pixels")));
        chunk.insert("pixels".to_owned(), "".into());
    }
    let mut document = Document::of_value(&record)?;
    let path = [Step::Member("sections"), Step::Item(chunk), Step::Member("FBMP"), Step::Member("pixels")];
    document.set_bytes(&path, &pixels)?;
    Ok(document)
}

pub(super) fn unpack(font: &Font, parts: &mut Parts<'_>, report: &mut Report) -> Result<()> {
    let chunk = chunk_index(font)?;
    let blobs = parts.document_with_blobs(document(font, chunk)?, &mut |path, _| match path {
        [.., Step::Member("FBMP"), Step::Member("pixels")] => Some(PIXELS.to_owned()),
        _ => None,
    })?;
    let chunk = format!("/sections/{chunk}/FBMP");
    let sizes = font.glyphs().iter().map(|glyph| (glyph.width, glyph.height)).collect();
    let mut info = PackInfo { sizes, grid: None, views: ViewPalettes::default() };
    let grid = Grid::new(font.glyphs());
    if !parts.wants_views() {
        info.grid = grid.draw(font.glyphs()).is_ok().then_some(grid);
        return parts.context(&info);
    }
    match grid.draw(font.glyphs()) {
        Ok(sheet) => {
            let palette = Index0::Clear.apply(&font.colors());
            let picture = Indexed8::new(sheet.width, sheet.height, sheet.indices, palette.clone());
            let picture = picture?;
            let shows: Vec<_> =
                blobs.get(&format!("{chunk}/pixels")).map(ViewSource::Blob).into_iter().collect();
            let view = parts.view(SHEET, picture, &shows)?;
            info.views.note(view, &palette, "the file's");
            let glyphs = format!("{chunk}/glyphs");
            let table = Data::new(GlyphTable::new(font.glyphs(), grid));
            parts.view(TABLE, table, &[ViewSource::Record(&glyphs)])?;
            info.grid = Some(grid);
        }
        Err(error) => drop(report.warn(&warning::NO_VIEWS, error.message())),
    }
    parts.context(&info)
}

/// Returns the font of the record without pixels, and the pixels of all glyphs.
fn read_record(folder: &Unpacked) -> Result<(Font, Vec<u8>)> {
    let malformed = |message: &str| Error::malformed(message).in_file("record.json");
    let (document, _) = folder.document_with_blobs()?;
    let sections = document.root().get("sections").map(Node::content);
    let chunk = match sections {
        Some(Content::List(sections)) => sections.iter().find_map(|section| section.get("FBMP")),
        _ => None,
    };
    let chunk = chunk.ok_or_else(|| malformed("the FBMP chunk is missing in sections"))?;
    let pixels = match chunk.get("pixels").map(Node::content) {
        Some(Content::Bytes(pixels)) => pixels.to_vec(),
        _ => return Err(malformed("FBMP does not refer to its pixel blob")),
    };
    let mut record = document.root().to_value();
    let chunks = record.get_mut("sections").and_then(Value::as_array_mut).into_iter().flatten();
    let chunk = chunks.filter_map(|section| section.get_mut("FBMP")?.as_object_mut()).next();
    let chunk = chunk.ok_or_else(|| malformed("the FBMP chunk is missing in sections"))?;
    chunk.remove("pixels");
    let glyphs = chunk.get_mut("glyphs").and_then(Value::as_array_mut).into_iter().flatten();
    for glyph in glyphs.filter_map(Value::as_object_mut) {
        glyph.insert("pixels".to_owned(), "".into());
    }
    let font = Document::of_value(&record)?.read().map_err(|error| error.in_file("record.json"))?;
    Ok((font, pixels))
}

pub(super) fn pack(folder: &Unpacked, report: &mut Report) -> Result<Vec<u8>> {
    let (mut font, pixels) = read_record(folder)?;
    let info: PackInfo = folder.context()?;
    let edited = folder.edited_views()?;
    let old = split(&info.sizes, &pixels)?;
    let sizes: Vec<_> = font.glyphs().iter().map(|glyph| (glyph.width, glyph.height)).collect();
    let glyphs = if edited.is_empty() && sizes == info.sizes {
        let pairs = font.glyphs().iter().zip(old);
        pairs.map(|(glyph, old)| Glyph { pixels: old.pixels, ..glyph.clone() }).collect()
    } else {
        let grid = info.grid.ok_or_else(|| {
            Error::usage("the font was unpacked without a sheet, so glyph sizes cannot be changed")
                .in_file("record.json")
        })?;
        cut_glyphs(&font, grid, &old, &edited, &info.views, report)?
    };
    if let Some(area) = font.glyphs_mut() {
        *area = glyphs;
    }
    font.write()
}

/// Splits pixels into glyphs that have only size and pixels.
fn split(sizes: &[(u16, u16)], pixels: &[u8]) -> Result<Vec<Glyph>> {
    let mut rest = pixels;
    let mut glyph = |(width, height): &(u16, u16)| {
        let (own, behind) = rest.split_at_checked(usize::from(*width).saturating_mul((*height).into()))?;
        rest = behind;
        Some(Glyph { width: *width, height: *height, pixels: own.into(), ..Glyph::default() })
    };
    let glyphs: Option<Vec<Glyph>> = sizes.iter().map(&mut glyph).collect();
    glyphs.filter(|_| rest.is_empty()).ok_or_else(|| {
        Error::usage(format!("the file has {} bytes, which does not match the glyph sizes", pixels.len()))
            .in_file(format!("blobs/{PIXELS}"))
    })
}

/// Builds the glyphs from the list or the record, with pixels from the sheet.
fn cut_glyphs(
    font: &Font,
    grid: Grid,
    old: &[Glyph],
    edited: &[EditedView],
    views: &ViewPalettes,
    report: &mut Report,
) -> Result<Vec<Glyph>> {
    let view = |name: &str| edited.iter().find(|view| view.stem() == name);
    let before = grid.draw(old)?;
    let sheet = match view(SHEET) {
        Some(view) => read_view(view, &views.palette(&view.name)?, Some(&before), &warning::INEXACT, report)?,
        None => before,
    };
    let table = match view(TABLE) {
        Some(view) => view.data::<GlyphTable>()?.sorted().map_err(|error| error.in_file(view.path()))?,
        None => {
            check_cells(font.glyphs(), grid)?;
            GlyphTable::new(font.glyphs(), grid)
        }
    };
    let mut out: Vec<Glyph> = Vec::new();
    for row in table.rows() {
        let index = usize::try_from(row.code.saturating_sub(FIRST_CODE)).unwrap_or(usize::MAX);
        // Gaps between codes are filled with disabled glyphs.
        while out.len() < index {
            out.push(blank());
        }
        out.push(glyph_of(row, font.glyphs().get(index), &sheet)?);
    }
    Ok(out)
}

/// Returns a disabled glyph with one transparent pixel.
fn blank() -> Glyph {
    Glyph { width: 1, height: 1, pixels: Bytes(vec![0]), ..Glyph::default() }
}

fn glyph_of(row: &Row, recorded: Option<&Glyph>, sheet: &Edited) -> Result<Glyph> {
    let area = row.rectangle();
    let pixels = cut(sheet, area).ok_or_else(|| {
        let message = format!(
            "code {}: {} x {} pixels at {}, {} are outside of the sheet of {} x {} pixels",
            row.code, area.width, area.height, area.x, area.y, sheet.width, sheet.height
        );
        Error::usage(message).in_file(format!("views/{TABLE}.json"))
    })?;
    let enabled = recorded.map_or(0, |glyph| glyph.enabled);
    Ok(Glyph {
        enabled: if row.state == State::On { enabled.max(1) } else { 0 },
        offset_left: row.offset_left,
        offset_top: row.offset_top,
        width: area.width,
        height: area.height,
        pixels: Bytes(pixels),
    })
}

/// Checks that glyphs that were only resized in the record fit into the cells of the sheet.
fn check_cells(glyphs: &[Glyph], grid: Grid) -> Result<()> {
    match glyphs.iter().enumerate().find(|(_, glyph)| !grid.fits(glyph.width, glyph.height)) {
        Some((index, glyph)) => Err(Error::usage(format!(
            "code {} has {} x {} pixels, but its cell on the sheet has {}; move it in views/{TABLE}.json",
            code_of(index),
            glyph.width,
            glyph.height,
            grid.cell()
        ))
        .in_file("record.json")),
        None => Ok(()),
    }
}
