//! Unpacks a palette to a folder for editing, and packs it again.

use asset::{Parts, Report, Unpacked, ViewSource};
use record::{Error, Result};

use super::{Palette, interchange, swatch};

/// The name of every view, without its extension.
const VIEW: &str = "palette";

/// Writes the palette as an image and in the palette formats of paint programs and scripts.
pub(super) fn unpack(palette: &Palette, parts: &mut Parts<'_>) -> Result<()> {
    parts.typed(palette)?;
    if !parts.wants_views() {
        return Ok(());
    }
    let shows = [ViewSource::Record("/colors")];
    for extension in ["png", "act", "gpl"] {
        parts.view_as(VIEW, extension, swatch::picture(&palette.colors)?, &shows)?;
    }
    parts.view(VIEW, interchange::to_data(&palette.colors, VIEW), &shows).map(drop)
}

pub(super) fn pack(folder: &Unpacked, _report: &mut Report) -> Result<Vec<u8>> {
    let mut palette: Palette = folder.typed()?;
    let edited = folder.edited_views()?;
    if let [first, second, ..] = edited.as_slice() {
        let message = format!(
            "views/{} and views/{} show the same colors and were both edited; restore one of them",
            first.name, second.name
        );
        return Err(Error::usage(message));
    }
    if let [view] = edited.as_slice() {
        let colors = match view.name.ends_with(".json") {
            true => interchange::from_json(&view.data()?),
            false => swatch::from_picture(&view.image()?),
        };
        palette.colors = colors.map_err(|error| error.in_file(view.path()))?;
    }
    palette.write()
}
