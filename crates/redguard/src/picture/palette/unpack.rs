//! A palette as a folder to edit, and back.

use asset::picture::{Colors, Index0};
use asset::{Parts, Report, Shows, Unpacked};
use record::{Error, Result};
use scene::image::{encode_indexed_png, to_act, to_gpl};

use super::{Palette, interchange, swatch};

/// The ways a palette can be edited: name of the view, how it is written and read.
type View = (&'static str, fn(&Palette) -> Result<Vec<u8>>, fn(&[u8]) -> Result<Colors>);

const VIEWS: &[View] = &[
    (
        "palette.png",
        |palette| Ok(encode_indexed_png(&swatch::picture(&palette.colors)?)),
        swatch::from_picture,
    ),
    ("palette.act", |palette| Ok(to_act(&opaque(palette))), interchange::from_act),
    ("palette.gpl", |palette| Ok(to_gpl(&opaque(palette), "palette").into()), interchange::from_gpl),
    (
        "palette.json",
        |palette| interchange::to_data(&palette.colors, "palette").to_json(),
        interchange::from_json,
    ),
];

fn opaque(palette: &Palette) -> Vec<[u8; 4]> {
    Index0::Opaque.apply(&palette.colors)
}

pub(super) fn unpack(palette: &Palette, parts: &mut Parts<'_>) -> Result<()> {
    parts.typed(palette)?;
    if !parts.wants_views() {
        return Ok(());
    }
    for (name, write, _) in VIEWS {
        parts.view(name, &write(palette)?, &[Shows::Record("/colors")])?;
    }
    Ok(())
}

pub(super) fn pack(folder: &Unpacked, _report: &mut Report) -> Result<Vec<u8>> {
    let mut palette: Palette = folder.typed()?;
    let edited = folder.edited_views()?;
    if let [first, second, ..] = edited.as_slice() {
        let message = format!(
            "views/{} and views/{} show the same colours and were both edited: put one of them back as it was unpacked",
            first.name, second.name
        );
        return Err(Error::usage(message));
    }
    for view in &edited {
        if let Some((name, _, read)) = VIEWS.iter().find(|(name, ..)| *name == view.name) {
            palette.colors = read(&view.bytes).map_err(|error| error.in_file(format!("views/{name}")))?;
        }
    }
    palette.write()
}
