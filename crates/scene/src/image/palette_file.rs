//! Palette files: `.act` (Adobe) and `.gpl` (GIMP, Krita, Inkscape, Aseprite). They cannot store alpha.

#![warn(clippy::indexing_slicing, clippy::arithmetic_side_effects, clippy::as_conversions)]

use record::{Error, Result};

/// Number of colors in an Adobe color table.
const ACT_COLORS: usize = 256;

/// Maximum number of colors, limited by one-byte indices.
const MAX_COLORS: usize = 256;

/// Encodes an Adobe color table: 256 colors of three bytes; if there are fewer, their number follows.
#[must_use]
pub fn to_act(palette: &[[u8; 4]]) -> Vec<u8> {
    let colors = palette.iter().take(ACT_COLORS);
    let mut out: Vec<u8> = colors.flat_map(|[red, green, blue, _]| [*red, *green, *blue]).collect();
    out.resize(ACT_COLORS.saturating_mul(3), 0);
    if let Some(count) = u16::try_from(palette.len()).ok().filter(|count| *count < 256) {
        out.extend_from_slice(&count.to_be_bytes());
        // No color is transparent.
        out.extend_from_slice(&u16::MAX.to_be_bytes());
    }
    out
}

/// Encodes a GIMP palette with 16 colors per row.
#[must_use]
pub fn to_gpl(palette: &[[u8; 4]], name: &str) -> String {
    let name: String = name.chars().filter(|character| !character.is_control()).collect();
    let mut out = format!("GIMP Palette\nName: {name}\nColumns: 16\n#\n");
    for (index, [red, green, blue, _]) in palette.iter().enumerate() {
        out.push_str(&format!("{red:3} {green:3} {blue:3}\tindex {index}\n"));
    }
    out
}

/// Decodes an Adobe color table: 768 bytes, or 772 if the number of colors and the transparent color follow.
///
/// # Errors
/// [`Malformed`](record::Kind::Malformed) for any other length, or an invalid number of colors.
pub fn from_act(bytes: &[u8]) -> Result<Vec<[u8; 4]>> {
    let room = ACT_COLORS.saturating_mul(3);
    let (colors, rest) = bytes.split_at_checked(room).unwrap_or((&[], bytes));
    let count = match rest {
        [] => ACT_COLORS,
        [high, low, _, _] if !colors.is_empty() => usize::from(u16::from_be_bytes([*high, *low])),
        _ => {
            let message = format!("a color table has 768 or 772 bytes, this file has {}", bytes.len());
            return Err(Error::malformed(message).at(0));
        }
    };
    if count == 0 || count > ACT_COLORS {
        let message = format!("the color table has a count of {count} colors (expected 1 to {ACT_COLORS})");
        return Err(Error::malformed(message).at(768));
    }
    let (colors, _) = colors.as_chunks::<3>();
    Ok(colors.iter().take(count).map(|[red, green, blue]| [*red, *green, *blue, 255]).collect())
}

/// The first line of a GIMP palette.
const GPL: &str = "GIMP Palette";

/// Whether bytes look like a GIMP palette.
#[must_use]
pub fn is_gpl(bytes: &[u8]) -> bool {
    bytes.trim_ascii_start().starts_with(GPL.as_bytes())
}

/// Decodes a GIMP palette.
///
/// # Errors
/// [`Malformed`](record::Kind::Malformed) if a line is not a color, or if there are no colors or more than 256.
pub fn from_gpl(bytes: &[u8]) -> Result<Vec<[u8; 4]>> {
    let text = String::from_utf8_lossy(bytes);
    let mut lines = text.lines().enumerate().map(|(index, line)| (index.saturating_add(1), line.trim()));
    if lines.next().is_none_or(|(_, first)| first != GPL) {
        return Err(Error::malformed("a GIMP palette starts with \"GIMP Palette\"").at(0));
    }
    let is_header = |line: &str| line.starts_with("Name:") || line.starts_with("Columns:");
    let mut colors = Vec::new();
    for (number, line) in lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#')) {
        if is_header(line) {
            continue;
        }
        let mut channels = line.split_whitespace().map(str::parse::<u8>);
        match (channels.next(), channels.next(), channels.next()) {
            (Some(Ok(red)), Some(Ok(green)), Some(Ok(blue))) => colors.push([red, green, blue, 255]),
            _ => return Err(Error::malformed(format!("line {number} is not a color: {line:.60?}"))),
        }
        if colors.len() > MAX_COLORS {
            return Err(Error::malformed(format!("the palette has more than {MAX_COLORS} colors")));
        }
    }
    if colors.is_empty() {
        return Err(Error::malformed("the palette has no colors"));
    }
    Ok(colors)
}
