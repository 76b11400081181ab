//! Palettes as painters use them: `.act` (Adobe), `.gpl` (GIMP, Krita, Inkscape, Aseprite) and JSON.

use record::{Error, Result};
use scene::product::{Data, Layout};
use serde_json::{Value, json};

use asset::picture::{Colors, from_hex, hex};

use super::layout::Palette;

/// Every colour with its index, its channels and its usual spelling.
#[must_use]
pub fn to_json(colors: &Colors, name: &str) -> Value {
    let color = |(index, color): (usize, &[u8; 3])| {
        let [red, green, blue] = *color;
        json!({ "index": index, "r": red, "g": green, "b": blue, "hex": hex(*color) })
    };
    let list: Vec<Value> = colors.0.iter().enumerate().map(color).collect();
    json!({ "palette": name, "colors": list })
}

/// Colours from a file of any of the kinds known here: `.COL`, `.act`, `.gpl`, JSON.
///
/// # Errors
/// When it is none of them, or does not have 256 colours.
pub fn read_any(bytes: &[u8]) -> Result<Colors> {
    let start = bytes.trim_ascii_start();
    if start.starts_with(b"GIMP Palette") {
        from_gpl(bytes)
    } else if start.starts_with(b"{") || start.starts_with(b"[") {
        from_json(bytes)
    } else if matches!(bytes.len(), 768 | 772) {
        from_act(bytes)
    } else {
        Palette::read(bytes, &mut asset::Report::new()).map(|palette| palette.colors)
    }
}

/// Colours of an Adobe colour table: 768 bytes, or 772 where the number of colours and the clear one follow.
///
/// # Errors
/// For another length, or fewer colours.
pub fn from_act(bytes: &[u8]) -> Result<Colors> {
    let (colors, rest) = bytes.split_at_checked(768).unwrap_or((bytes, &[]));
    if let [high, low, _, _] = rest {
        let count = u16::from_be_bytes([*high, *low]);
        if count != 256 {
            return Err(wrong_number(usize::from(count)));
        }
    } else if !rest.is_empty() {
        let message = format!("a colour table has 768 or 772 bytes, this file {}", bytes.len());
        return Err(Error::malformed(message).at(0));
    }
    Colors::from_bytes(colors).ok_or_else(|| wrong_number(colors.len().checked_div(3).unwrap_or_default()))
}

/// Colours of a GIMP palette.
///
/// # Errors
/// When a line is no colour, or there are not 256.
pub fn from_gpl(bytes: &[u8]) -> Result<Colors> {
    let text = String::from_utf8_lossy(bytes);
    let mut lines = text.lines().enumerate().map(|(index, line)| (index.saturating_add(1), line.trim()));
    if lines.next().is_none_or(|(_, first)| first != "GIMP Palette") {
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
            (Some(Ok(red)), Some(Ok(green)), Some(Ok(blue))) => colors.push([red, green, blue]),
            _ => return Err(Error::malformed(format!("line {number} is no colour: {line:.60?}"))),
        }
    }
    from_list(&colors)
}

/// Colours of a JSON file: a list, or an object with the list `colors`, each an object with `r`, `g`, `b` or `hex`, or a text
/// like `#12ab9f`.
///
/// # Errors
/// When an item is no colour, its channels and its text differ, or there are not 256.
pub fn from_json(bytes: &[u8]) -> Result<Colors> {
    let value: Value = serde_json::from_slice(bytes).map_err(|error| Error::malformed(error.to_string()))?;
    let list = value.as_array().or_else(|| value.get("colors")?.as_array());
    let list = list.ok_or_else(|| Error::malformed("there is no list of colours").in_field("colors"))?;
    let color = |(index, item): (usize, &Value)| {
        color_of(item).map_err(|error| error.in_item(index).in_field("colors"))
    };
    let colors: Vec<[u8; 3]> = list.iter().enumerate().map(color).collect::<Result<_>>()?;
    from_list(&colors)
}

fn color_of(item: &Value) -> Result<[u8; 3]> {
    let no_color = || Error::malformed("it is no colour: r, g and b from 0 to 255, or hex like #12ab9f");
    let text = item.as_str().or_else(|| item.get("hex")?.as_str());
    let by_text = text.map(|text| from_hex(text).ok_or_else(no_color)).transpose()?;
    let channel =
        |name: &str| item.get(name).map(|value| value.as_u64().and_then(|value| u8::try_from(value).ok()));
    let by_channels = match (channel("r"), channel("g"), channel("b")) {
        (None, None, None) => None,
        (Some(Some(red)), Some(Some(green)), Some(Some(blue))) => Some([red, green, blue]),
        _ => return Err(no_color()),
    };
    match (by_channels, by_text) {
        (Some(channels), Some(text)) if channels != text => Err(Error::malformed(format!(
            "r, g and b say {}, but hex says {}: change both alike, or take one away",
            hex(channels),
            hex(text)
        ))),
        (Some(color), _) | (None, Some(color)) => Ok(color),
        (None, None) => Err(no_color()),
    }
}

fn from_list(colors: &[[u8; 3]]) -> Result<Colors> {
    let exact: Result<&[[u8; 3]; 256], _> = colors.try_into();
    exact.map(|colors| Colors(Box::new(*colors))).map_err(|_| wrong_number(colors.len()))
}

fn wrong_number(found: usize) -> Error {
    Error::malformed(format!("a palette of the game has 256 colours, this one {found}"))
}

/// The colors as data, one a line.
#[must_use]
pub fn to_data(colors: &Colors, name: &str) -> Data<'static> {
    Data::new(to_json(colors, name)).with_layout(Layout::Lines)
}
