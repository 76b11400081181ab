//! Palette formats of paint programs: `.act` (Adobe), `.gpl` (GIMP, Krita, Inkscape, Aseprite), and JSON.

use json::{Value, json};
use record::{Error, Result};
use scene::ProductKind;
use scene::product::{Data, Layout, decode};

use media::picture::{Colors, from_hex, hex};

use super::layout::Palette;
use super::swatch;

/// The version of the JSON, as in redguard-preservation.
const VERSION: &str = "redguard-col-v1";

/// Converts a palette to JSON: its version, and every color with its index, its channels and its hex notation.
#[must_use]
pub fn to_json(colors: &Colors, name: &str) -> Value {
    let color = |(index, color): (usize, &[u8; 3])| {
        let [red, green, blue] = *color;
        json!({ "index": index, "r": red, "g": green, "b": blue, "hex": hex(*color) })
    };
    let list: Vec<Value> = colors.0.iter().enumerate().map(color).collect();
    json!({ "version": VERSION, "palette": name, "colors": list })
}

/// Reads colors from a file in any supported format: `.COL`, `.act`, `.gpl`, JSON.
///
/// # Errors
/// Returns an error if the format is unknown, or there are not 256 colors.
pub fn read_any(bytes: &[u8]) -> Result<Colors> {
    let start = bytes.trim_ascii_start();
    if start.starts_with(b"GIMP Palette") {
        from_file(bytes, "gpl")
    } else if start.starts_with(b"{") || start.starts_with(b"[") {
        from_json(&json::from_slice(bytes)?)
    } else if matches!(bytes.len(), 768 | 772) {
        from_file(bytes, "act")
    } else {
        Palette::read(bytes, &mut asset::Report::new()).map(|palette| palette.colors)
    }
}

/// Reads a palette in a format of paint programs, selected by extension.
fn from_file(bytes: &[u8], extension: &str) -> Result<Colors> {
    swatch::from_picture(&decode(bytes, extension, ProductKind::Image)?.into_image()?)
}

/// Reads a palette in JSON: a list, or an object with the list `colors`, of objects with `r`, `g`, `b` or `hex`, or of strings
/// such as `#12ab9f`.
///
/// # Errors
/// Returns an error if an item is not a color, its channels and hex notation differ, or there are not 256 colors.
pub fn from_json(value: &Value) -> Result<Colors> {
    let list = value.as_array().or_else(|| value.get("colors")?.as_array());
    let list = list.ok_or_else(|| Error::malformed("the list of colors is missing").in_field("colors"))?;
    let color = |(index, item): (usize, &Value)| {
        color_of(item).map_err(|error| error.in_item(index).in_field("colors"))
    };
    let colors: Vec<[u8; 3]> = list.iter().enumerate().map(color).collect::<Result<_>>()?;
    from_list(&colors)
}

fn color_of(item: &Value) -> Result<[u8; 3]> {
    let no_color =
        || Error::malformed("not a color (expected r, g and b from 0 to 255, or hex such as #12ab9f)");
    let text = item.as_str().or_else(|| item.get("hex")?.as_str());
    let from_text = text.map(|text| from_hex(text).ok_or_else(no_color)).transpose()?;
    let channel =
        |name: &str| item.get(name).map(|value| value.as_u64().and_then(|value| u8::try_from(value).ok()));
    let from_channels = match (channel("r"), channel("g"), channel("b")) {
        (None, None, None) => None,
        (Some(Some(red)), Some(Some(green)), Some(Some(blue))) => Some([red, green, blue]),
        _ => return Err(no_color()),
    };
    match (from_channels, from_text) {
        (Some(channels), Some(text)) if channels != text => Err(Error::malformed(format!(
            "r, g and b are {}, but hex is {}; change both or remove one",
            hex(channels),
            hex(text)
        ))),
        (Some(color), _) | (None, Some(color)) => Ok(color),
        (None, None) => Err(no_color()),
    }
}

fn from_list(colors: &[[u8; 3]]) -> Result<Colors> {
    let exact: Result<&[[u8; 3]; 256], _> = colors.try_into();
    exact.map(|colors| Colors(Box::new(*colors))).map_err(|_| wrong_color_count(colors.len()))
}

fn wrong_color_count(found: usize) -> Error {
    Error::malformed(format!("expected 256 colors, found {found}"))
}

/// Returns the colors as data, one per line.
#[must_use]
pub fn to_data(colors: &Colors, name: &str) -> Data<'static> {
    Data::new(to_json(colors, name)).with_layout(Layout::Lines)
}
