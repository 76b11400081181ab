//! Tables of settings files for spreadsheets: a row for each item, world, attack or setting.

mod edit;
mod place;
#[cfg(test)]
mod tests;

use std::sync::{Arc, OnceLock};

use asset::{Context, Offer, ProductKind, Products};
use json::{Map, Value};
use scene::product::{Cell, Table};

use super::{Kind, Settings};

pub(super) use edit::{pack, unpack};

/// A row of a table.
type Row = Map<String, Value>;

/// The layout of a table.
#[derive(Debug, Clone, Copy)]
pub(super) struct Layout {
    /// Name of the table.
    name: &'static str,
    rows: Rows,
    /// Columns that identify a row.
    keys: &'static [&'static str],
    columns: &'static [&'static str],
}

/// The rows of a table in the typed settings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Rows {
    Items,
    Worlds,
    Bindings,
    /// The keys of all sections.
    Settings,
    Attacks,
    Defenses,
    Taunts,
    /// The entries of all pages.
    Elements,
    /// The subtitles of all movies.
    Subtitles,
}

const ITEMS: Layout = Layout {
    name: "items",
    rows: Rows::Items,
    keys: &["id"],
    columns: &[
        "id",
        "label",
        "name",
        "name_text",
        "description",
        "description_text",
        "type",
        "type_name",
        "flags",
        "flag_names",
        "hide",
        "total",
        "player_max",
        "player_total",
        "owned_at_start",
        "selected_at_start",
        "use_script",
        "script_instances",
        "bitmap",
        "inventory_object_file",
        "game_object_file",
        "hand_object_file",
        "hilt_object_file",
        "add_item_list",
        "drop_add_item_list",
        "required_item_list",
        "remove_drop_item_list",
        "drop_use_item_list",
    ],
};

const WORLDS: Layout = Layout {
    name: "worlds",
    rows: Rows::Worlds,
    keys: &["id"],
    columns: &[
        "id",
        "map",
        "world",
        "redbook",
        "palette",
        "shade",
        "haze",
        "back_plane",
        "background",
        "compass",
        "flash_filename",
        "sun",
        "ambient",
        "ambientfx",
        "ambientrgb",
        "sunrgb",
        "sunangle",
        "sunskew",
        "fogrgb",
        "sky",
        "skyfx",
        "skyscale",
        "skylevel",
        "skyspeed",
        "sky_xrotate",
        "sky_yrotate",
        "sunimg",
        "sunimgrgb",
        "sunscale",
        "scapeshift",
        "wave",
        "node_maps",
        "rain_delay",
        "rain_drops",
        "rain_start",
        "rain_end",
        "rain_spheres",
    ],
};

const BINDINGS: Layout = Layout {
    name: "bindings",
    rows: Rows::Bindings,
    keys: &["action"],
    columns: &[
        "action",
        "meaning",
        "primary",
        "primary_name",
        "secondary",
        "secondary_name",
        "user",
        "user_name",
        "effective",
        "effective_name",
    ],
};

const SETTINGS: Layout = Layout {
    name: "settings",
    rows: Rows::Settings,
    keys: &["section", "key"],
    columns: &["section", "key", "value", "raw", "default_used", "known", "line"],
};

const ATTACKS: Layout = Layout {
    name: "attacks",
    rows: Rows::Attacks,
    keys: &["index"],
    columns: &[
        "index",
        "loaded",
        "type",
        "type_name",
        "arc",
        "arc_center",
        "elevation",
        "elevation_name",
        "min_range",
        "max_range",
        "first_collide_frame",
        "collide_duration",
        "damage",
        "force",
        "defense",
        "first_defend_frame",
        "defend_duration",
        "animation",
        "animation_group",
        "animation_group_name",
        "animation_comment",
        "col_vertex",
        "col_sphere_size",
        "num_attacks",
        "attack00",
        "attack01",
        "attack02",
        "parts",
        "range",
        "damage_total",
    ],
};

const DEFENSES: Layout = Layout {
    name: "defends",
    rows: Rows::Defenses,
    keys: &["index"],
    columns: &[
        "index",
        "loaded",
        "name",
        "arc",
        "min_range",
        "max_range",
        "first_collide_frame",
        "collide_duration",
        "animation",
        "animation_group",
        "animation_group_name",
        "animation_comment",
    ],
};

const TAUNTS: Layout = Layout {
    name: "taunts",
    rows: Rows::Taunts,
    keys: &["index"],
    columns: &[
        "index",
        "type",
        "type_name",
        "rtx_label",
        "label",
        "text",
        "animation",
        "animation_group",
        "animation_group_name",
    ],
};

const ELEMENTS: Layout = Layout {
    name: "elements",
    rows: Rows::Elements,
    keys: &["page", "index"],
    columns: &[
        "page",
        "page_name",
        "index",
        "text",
        "x",
        "y",
        "texture",
        "justify",
        "output_x",
        "output_y",
        "output_justify",
        "selectable",
        "default",
        "grayed",
        "action",
        "action_name",
        "slider_min",
        "slider_max",
    ],
};

const SUBTITLES: Layout = Layout {
    name: "subtitles",
    rows: Rows::Subtitles,
    keys: &["movie", "index"],
    columns: &["movie", "file", "index", "always", "red", "green", "blue", "start", "stop", "text"],
};

/// Returns the tables of a kind of file.
const fn layouts(kind: Kind) -> &'static [Layout] {
    match kind {
        Kind::Item => &[ITEMS],
        Kind::World => &[WORLDS],
        Kind::Keys => &[BINDINGS],
        Kind::System => &[SETTINGS],
        Kind::Combat => &[ATTACKS, DEFENSES, TAUNTS],
        Kind::Menu => &[ELEMENTS, SUBTITLES],
        Kind::Registry | Kind::Surface | Kind::Fog | Kind::Driver => &[],
    }
}

/// Adds the tables of a file to its products. Several tables have names.
pub(super) fn offer<'a>(
    settings: &'a Settings,
    context: &Context<'a>,
    products: Products<'a>,
) -> Products<'a> {
    let layouts = settings.kind().map_or(&[][..], layouts);
    let typed: Arc<OnceLock<Value>> = Arc::default();
    let offers = layouts.iter().map(|layout| {
        let (typed, context) = (Arc::clone(&typed), context.clone());
        let offer = Offer::new(ProductKind::Table, move |_| {
            let typed = typed.get_or_init(|| settings.typed(Some(&context)).root().to_value());
            Ok(Some(layout.table(typed)))
        });
        if layouts.len() > 1 { offer.named(layout.name) } else { offer }
    });
    products.with_all(offers.collect::<Vec<_>>())
}

impl Layout {
    /// Returns the table of typed settings.
    fn table(&self, typed: &Value) -> Table<'static> {
        let columns = self.columns;
        let rows = self.rows.of(typed).into_iter();
        let cells = move |row: Row| columns.iter().map(|name| cell(row.get(*name))).collect();
        Table::new(columns.iter().copied(), rows.map(cells))
    }
}

impl Rows {
    /// Returns the rows in typed settings.
    fn of(self, typed: &Value) -> Vec<Row> {
        match self {
            Self::Items => list(typed, "items"),
            Self::Worlds => list(typed, "worlds"),
            Self::Bindings => list(typed, "bindings"),
            Self::Attacks => list(typed, "attacks"),
            Self::Defenses => list(typed, "defends"),
            Self::Taunts => list(typed, "taunts"),
            Self::Settings => settings(typed),
            Self::Elements => elements(typed),
            Self::Subtitles => subtitles(typed),
        }
    }
}

/// Returns the objects of a list.
fn list(parent: &Value, name: &str) -> Vec<Row> {
    let items = parent.get(name).and_then(Value::as_array).into_iter().flatten();
    items.filter_map(Value::as_object).cloned().collect()
}

fn settings(typed: &Value) -> Vec<Row> {
    let members = |value: &Value| value.as_object().cloned().unwrap_or_default();
    let mut out = Vec::new();
    for (section, keys) in members(typed.get("sections").unwrap_or(&Value::Null)) {
        for (key, value) in members(&keys) {
            let mut row = members(&value);
            row.insert("section".to_owned(), section.as_str().into());
            row.insert("key".to_owned(), key.into());
            out.push(row);
        }
    }
    out
}

/// Returns the rows of a list in each item of another one, with more members of the item.
fn nested(
    typed: &Value,
    outer: &str,
    inner: &str,
    more: impl Fn(usize, &Row) -> Vec<(&'static str, Value)>,
) -> Vec<Row> {
    let mut out = Vec::new();
    for (number, item) in list(typed, outer).into_iter().enumerate() {
        let more = more(number, &item);
        for mut row in list(&Value::Object(item), inner) {
            row.extend(more.iter().map(|(name, value)| ((*name).to_owned(), value.clone())));
            out.push(row);
        }
    }
    out
}

fn elements(typed: &Value) -> Vec<Row> {
    let member = |page: &Row, name: &str| page.get(name).cloned().unwrap_or_default();
    nested(typed, "pages", "elements", |_, page| {
        vec![("page", member(page, "page")), ("page_name", member(page, "name"))]
    })
}

fn subtitles(typed: &Value) -> Vec<Row> {
    let file = |movie: &Row| movie.get("file").cloned().unwrap_or_default();
    let mut rows = nested(typed, "movies", "captions", |number, movie| {
        vec![("movie", number.into()), ("file", file(movie))]
    });
    for row in &mut rows {
        let color = row.get("color").and_then(Value::as_array).cloned().unwrap_or_default();
        row.extend(["red", "green", "blue"].map(str::to_owned).into_iter().zip(color));
    }
    rows
}

/// Converts a value to a cell.
fn cell(value: Option<&Value>) -> Cell {
    match value {
        None | Some(Value::Null) => Cell::Empty,
        Some(Value::Number(number)) => number.clone().into(),
        Some(Value::Bool(value)) => json::Number::from(u8::from(*value)).into(),
        Some(value) => text(value).into(),
    }
}

/// Converts a value to text: `1, 2` for a list, `1, 2; 3, 4` for a list of lists, 0 or 1 for a Boolean.
fn text(value: &Value) -> String {
    match value {
        Value::Null | Value::Object(_) => String::new(),
        Value::Bool(value) => u8::from(*value).to_string(),
        Value::Number(number) => number.to_string(),
        Value::String(text) => text.clone(),
        Value::Array(items) => {
            let is_nested = matches!(items.first(), Some(Value::Array(_)));
            items.iter().map(text).collect::<Vec<_>>().join(if is_nested { "; " } else { ", " })
        }
    }
}
