//! BMFont: a text file with the position of each character on a sheet (AngelCode's format, text form, one page).

use std::fmt::Write as _;

use super::{Atlas, PixelFont};

/// Describes a font whose sheet is the image `page`, the name of a file in the same directory. Characters are
/// identified by their Unicode code points, in ascending order.
#[must_use]
pub fn write_bmfont(font: &PixelFont, atlas: &Atlas, page: &str) -> String {
    let quoted = |text: &str| text.replace(|character: char| character == '"' || character.is_control(), "_");
    let size = font.line_height;
    let mut out = format!(
        "info face=\"{}\" size={size} bold=0 italic=0 charset=\"\" unicode=1 stretchH=100 smooth=0 aa=1 \
         padding=0,0,0,0 spacing=1,1 outline=0\n",
        quoted(&font.name)
    );
    // Each channel holds the image itself, not an outline.
    let _ = writeln!(
        out,
        "common lineHeight={size} base={} scaleW={} scaleH={} pages=1 packed=0 alphaChnl=0 redChnl=0 greenChnl=0 \
         blueChnl=0",
        font.baseline, atlas.width, atlas.height
    );
    let _ = writeln!(out, "page id=0 file=\"{}\"", quoted(page));
    let placed = font.glyphs.iter().zip(&atlas.positions);
    let mut lines: Vec<_> =
        placed.filter_map(|(glyph, place)| Some((u32::from(glyph.character?), glyph, place))).collect();
    lines.sort_by_key(|(id, ..)| *id);
    let _ = writeln!(out, "chars count={}", lines.len());
    for (id, glyph, (x, y)) in lines {
        let _ = writeln!(
            out,
            "char id={id} x={x} y={y} width={} height={} xoffset={} yoffset={} xadvance={} page=0 chnl=15",
            glyph.width, glyph.height, glyph.left, glyph.top, glyph.advance
        );
    }
    out
}
