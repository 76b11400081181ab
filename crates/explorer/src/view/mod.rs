//! Views of a file, independent of its format.

mod bytes;
mod charset;
mod common;
mod fields;
mod map;
mod origin;
mod picture;
mod scene;
mod script;
mod sound;
mod span;
mod table;
mod text;
mod thumbnail;

use antiquary::asset::ProductKind;
use antiquary::{Can, Format};

pub(crate) use self::bytes::BYTES;
pub(crate) use self::common::common;
pub(crate) use self::script::has_scripts;
pub(crate) use self::table::ROWS;
pub(crate) use self::text::is_text;
use crate::query::Query;
use crate::{Explorer, Fault, Response};

/// A view of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum View {
    Scene,
    Image,
    Pixels,
    Sound,
    Font,
    Table,
    Text,
    Script,
    Data,
    Folder,
    Fields,
    Locate,
    Bytes,
    Map,
    Report,
    Thumbnail,
}

/// Every view with its name in requests and its label on a page.
const VIEWS: [(View, &str, &str); 16] = [
    (View::Scene, "scene", "Scene"),
    (View::Image, "image", "Image"),
    (View::Pixels, "pixels", "Pixels"),
    (View::Sound, "sound", "Sound"),
    (View::Font, "font", "Font"),
    (View::Table, "table", "Table"),
    (View::Text, "text", "Text"),
    (View::Script, "script", "Scripts"),
    (View::Data, "data", "Data"),
    (View::Folder, "folder", "Files"),
    (View::Fields, "fields", "Fields"),
    (View::Locate, "locate", "Locate"),
    (View::Bytes, "bytes", "Bytes"),
    (View::Map, "map", "Map"),
    (View::Report, "report", "Report"),
    (View::Thumbnail, "thumbnail", "Thumbnail"),
];

impl View {
    pub(crate) fn parse(name: &str) -> Result<Self, Fault> {
        let found = VIEWS.iter().find(|(_, known, _)| *known == name);
        let unknown = || Fault::request(format!("unknown kind of view \"{name}\""));
        found.map(|(view, ..)| *view).ok_or_else(unknown)
    }

    pub(crate) fn name(self) -> &'static str {
        self.row().map_or("", |(_, name, _)| name)
    }

    pub(crate) fn label(self) -> &'static str {
        self.row().map_or("", |(.., label)| label)
    }

    fn row(self) -> Option<(Self, &'static str, &'static str)> {
        VIEWS.iter().find(|(view, ..)| *view == self).copied()
    }

    /// Returns the kind of product that the view shows, if any.
    pub(crate) fn product(self) -> Option<ProductKind> {
        let kind = ProductKind::ALL.into_iter().find(|kind| Self::of(*kind) == Some(self));
        match self {
            Self::Pixels => Some(ProductKind::Image),
            _ => kind,
        }
    }

    /// Returns the view of a kind of product. Subtitles have none: they are a download.
    fn of(kind: ProductKind) -> Option<Self> {
        Some(match kind {
            ProductKind::Scene => Self::Scene,
            ProductKind::Image => Self::Image,
            ProductKind::Sound => Self::Sound,
            ProductKind::Font => Self::Font,
            ProductKind::Table => Self::Table,
            ProductKind::Text => Self::Text,
            ProductKind::Data => Self::Data,
            _ => return None,
        })
    }
}

/// Returns the views that files of a format may have, in display order.
pub(crate) fn kinds_of(format: &Format) -> Vec<View> {
    let mut out: Vec<View> = Vec::new();
    for view in format.products.iter().filter_map(|offered| View::of(offered.kind)) {
        if !out.contains(&view) {
            out.push(view);
        }
    }
    if !out.contains(&View::Text) {
        out.push(View::Text);
    }
    if has_scripts(format) {
        out.push(View::Script);
    }
    if format.can(Can::List) {
        out.push(View::Folder);
    }
    // Structured data duplicates the fields, so it follows the other products. Images of a format whose default is data are drawn from
    // only some of its files.
    let is_data = format.products.first().is_some_and(|offered| offered.kind == ProductKind::Data);
    out.sort_by_key(|view| match view {
        View::Data => 2,
        View::Image if is_data => 1,
        _ => 0,
    });
    out.extend([View::Fields, View::Bytes, View::Report]);
    out
}

impl Explorer {
    /// Returns one view of a file.
    pub(crate) fn view(&self, path: &str, query: &Query) -> Result<Response, Fault> {
        let view = View::parse(query.required("kind")?)?;
        let entry = self.file_entry(path)?;
        let format = self.format_of(&entry);
        // Browsers show files that formats do not convert, such as a sound of which only the header is parsed.
        let makes = |kind| format.is_some_and(|format| format.makes(kind));
        match view {
            View::Bytes => return self.bytes_view(&entry, query),
            View::Map => return self.map_view(&entry, query),
            View::Text if format.is_none() => return text::raw(&entry, query),
            View::Pixels if !makes(ProductKind::Image) => {
                return picture::common_pixels(&common::decoded(&entry)?);
            }
            View::Thumbnail if format.is_none() => {
                return Ok(common::thumbnail(&entry).unwrap_or_else(|_| Response::nothing()));
            }
            View::Image | View::Sound if !view.product().is_some_and(makes) => return common::show(&entry),
            _ => {}
        }
        let file = match self.file(entry) {
            Err(_) if view == View::Thumbnail => return Ok(Response::nothing()),
            file => file?,
        };
        match view {
            View::Scene => self.scene_view(&file, query),
            View::Image => self.image_view(&file, query),
            View::Pixels => self.pixels_view(&file, query),
            View::Sound => self.sound_view(&file, query),
            View::Font => self.font_view(&file, query),
            View::Table => self.table_view(&file, query),
            View::Text => text::show(&file, query),
            View::Script => self.script_view(&file, query),
            View::Data => text::data(&file, query),
            View::Fields => fields::show(&file, query),
            View::Locate => fields::locate(&file, query),
            View::Report => Response::json(&file.findings()),
            View::Thumbnail => self.thumbnail_view(&file, query),
            View::Folder | View::Bytes | View::Map => {
                Err(Fault::request(format!("\"{}\" is not a view of a single file", view.name())))
            }
        }
    }
}
