//! A palette as a folder to edit, and back.

use asset::{Parts, Report, Shows, Unpacked};
use record::{Error, Result, json};

use super::{Palette, interchange, swatch};

/// The ways a palette can be edited: name of the view, how it is written and read.
type View = (&'static str, fn(&Palette) -> Result<Vec<u8>>, fn(&[u8]) -> Result<super::Colors>);

const VIEWS: &[View] = &[
    ("palette.png", |palette| swatch::to_png(&palette.colors), swatch::from_picture),
    ("palette.act", |palette| Ok(interchange::to_act(&palette.colors)), interchange::from_act),
    (
        "palette.gpl",
        |palette| Ok(interchange::to_gpl(&palette.colors, "palette").into()),
        interchange::from_gpl,
    ),
    ("palette.json", |palette| interchange::pretty(&palette.colors, "palette"), interchange::from_json),
];

pub(super) fn unpack(palette: &Palette, parts: &mut Parts<'_>) -> Result<()> {
    parts.record(json::to_vec(palette)?)?;
    for (name, write, _) in VIEWS {
        parts.view(name, &write(palette)?, &[Shows::Record("/colors")])?;
    }
    Ok(())
}

pub(super) fn pack(folder: &Unpacked, _report: &mut Report) -> Result<Vec<u8>> {
    let mut palette: Palette =
        json::from_slice(&folder.record()?).map_err(|error| error.in_file("record.json"))?;
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
