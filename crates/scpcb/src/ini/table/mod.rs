//! Tables of the game with known sections and keys. Their contents are declared in [`schema`].

mod check;
mod chunk;
mod drink;
pub mod schema;
mod section;
#[cfg(test)]
mod tests;
mod value;
mod warning;

use std::marker::PhantomData;

use ::scene::product::{Cell, Table as Rows};
use asset::{
    Asset, Context, Counts, Description, Detail, FieldChange, Format, NameKind, Names, Offer, Offered, Parts,
    Probe, ProductKind, Products, RecordChange, Report, Score, Target, counted,
};
use json::{Document, Map, Node, Step, Value};
use media::ini::{Ini, Section};
use record::Result;

pub use warning::CODES;

use super::{pack, read};
use schema::Schema;

/// The type of a table.
pub trait Kind: Send + Sync + 'static {
    /// Sections and keys of the table.
    const SCHEMA: &'static Schema;
}

/// An opened table.
#[derive(Debug)]
pub struct Table<K> {
    ini: Ini,
    kind: PhantomData<fn() -> K>,
}

/// Declares the format of each table and its marker type.
macro_rules! tables {
    ($($kind:ident, $format:ident, $schema:ident, $about:literal;)*) => {
        $(
            #[doc = $about]
            #[derive(Debug)]
            pub enum $kind {}

            impl Kind for $kind {
                const SCHEMA: &'static Schema = &schema::$schema;
            }

            #[doc = $about]
            pub static $format: Format = format::<$kind>(schema::$schema.id, schema::$schema.name);
        )*
    };
}

tables! {
    Npcs, NPCS, NPCS, "Size and speed of characters.";
    NpcBones, NPC_BONES, NPC_BONES, "Bones of characters that turn to the player.";
    Events, EVENTS, EVENTS, "Events of rooms.";
    Drinks, DRINKS, DRINKS, "Drinks of SCP-294.";
    Chunks, CHUNKS, CHUNKS, "Pieces of the dimension of SCP-1499.";
    Achievements, ACHIEVEMENTS, ACHIEVEMENTS, "Achievements.";
    LoadingScreens, LOADING_SCREENS, LOADING_SCREENS, "Loading screens.";
    GameOptions, OPTIONS, OPTIONS, "Options of the game.";
}

const fn format<K: Kind>(id: &'static str, name: &'static str) -> Format {
    Format::new(id, name, |source, _| Ok(Box::new(Table::<K> { ini: read(source)?, kind: PhantomData })))
        .game("scpcb")
        .probe(probe::<K>)
        .pack(pack)
        .products(&[
            Offered { kind: ProductKind::Data, about: "the sections with their values" },
            Offered { kind: ProductKind::Table, about: "a row for each section" },
        ])
        .spans(|asset, _, visitor| {
            asset.typed::<Table<K>>().into_iter().for_each(|table| table.ini.trace(visitor));
            Ok(())
        })
        .names(Names::NONE.reported(|asset, _, take| {
            asset.typed::<Table<K>>().into_iter().for_each(|table| {
                table.ini.visit_names(NameKind::Label, &|name| crate::GAME.kind_of_file(name), take);
            });
            Ok(())
        }))
        .codes(CODES)
}

/// Recognizes a table by its name. If other programs use the name, too, a file that begins only with unknown keys is not
/// recognized.
fn probe<K: Kind>(file: &Probe<'_>) -> Option<Score> {
    let schema = K::SCHEMA;
    let is_named = file.name == schema.file_name();
    let fits = is_named && (!schema.is_common_name || may_have_keys_of(schema, file.head));
    Some(if fits { Score::LIKELY } else { Score::NEVER })
}

fn may_have_keys_of(schema: &Schema, head: &[u8]) -> bool {
    let Ok(ini) = Ini::parse(head, asset::Charset::Windows1252) else { return true };
    let sections = ini.sections();
    let mut keys = sections.iter().flat_map(|section| {
        let rule = schema.section(&section.name);
        section.entries.iter().map(move |entry| rule.and_then(|rule| rule.key(&entry.key)).is_some())
    });
    let has_none = keys.clone().next().is_none();
    has_none || keys.any(|is_known| is_known)
}

impl<K: Kind> Table<K> {
    /// Returns the parsed file.
    #[must_use]
    pub fn ini(&self) -> &Ini {
        &self.ini
    }

    /// Returns a section as a row: its name, and its values by kind.
    fn row(section: &Section<'_>) -> Map<String, Value> {
        let rule = K::SCHEMA.section(&section.name);
        let mut out = Map::new();
        out.insert("name".into(), section.name.as_ref().into());
        for entry in &section.entries {
            let kind = rule.and_then(|rule| rule.key(&entry.key)).map(|key| key.kind);
            let value =
                kind.map_or_else(|| entry.value.as_ref().into(), |kind| value::typed(kind, &entry.value));
            out.entry(entry.key.to_lowercase()).or_insert(value);
        }
        out
    }

    fn to_json(&self) -> Value {
        Value::Array(self.ini.sections().iter().map(|section| Self::row(section).into()).collect())
    }

    /// Returns the columns of all keys, and a row for each section.
    fn rows(&self) -> (Vec<String>, Vec<Map<String, Value>>) {
        let rows: Vec<_> = self.ini.sections().iter().map(Self::row).collect();
        let mut columns: Vec<String> = Vec::new();
        for name in rows.iter().flat_map(Map::keys) {
            if columns.len() < MAX_COLUMNS && !columns.contains(name) {
                columns.push(name.clone());
            }
        }
        (columns, rows)
    }
}

/// Maximum number of columns. The largest table of the game has 25.
const MAX_COLUMNS: usize = 256;

/// Returns the cells of a row.
fn cells(row: &Map<String, Value>, columns: &[String]) -> Vec<Cell> {
    columns.iter().map(|name| cell(row.get(name))).collect()
}

fn cell(value: Option<&Value>) -> Cell {
    match value {
        None | Some(Value::Null) => Cell::Empty,
        Some(Value::Number(number)) => number.clone().into(),
        Some(Value::String(text)) => text.as_str().into(),
        Some(Value::Array(channels)) => {
            channels.iter().map(ToString::to_string).collect::<Vec<_>>().join(",").into()
        }
        Some(other) => other.to_string().into(),
    }
}

impl<K: Kind> Asset for Table<K> {
    fn field_view(&self, record: Node<'_>) -> Option<Document> {
        self.ini.field_view(record)
    }

    fn field_alias(&self, _record: Node<'_>, path: &str) -> Option<String> {
        self.ini.field_alias(path)
    }

    fn record_change(
        &self,
        record: Node<'_>,
        path: &[Step<'_>],
        change: FieldChange<'_>,
    ) -> Result<Option<Vec<RecordChange>>> {
        self.ini.record_change(record, path, change)
    }

    fn describe(&self, detail: Detail) -> Description {
        let sections = self.ini.sections();
        let [one, many] = K::SCHEMA.noun;
        let values = sections.iter().map(|section| section.entries.len()).sum::<usize>();
        let fields = match detail {
            Detail::Full => self.to_json().into(),
            Detail::Brief => Document::list(sections.iter().map(|section| &section.name)),
        };
        Description {
            summary: format!("table of {}", counted(sections.len(), one, many)),
            counts: Counts::new().with(many, sections.len()).with("values", values),
            fields,
            derived: K::SCHEMA.derived(),
            ..Description::default()
        }
    }

    fn check(&self, context: &Context<'_>, report: &mut Report) {
        check::check(K::SCHEMA, &self.ini, context, report);
    }

    fn products<'a>(&'a self, context: &Context<'a>, target: Target<'a>) -> Result<Products<'a>> {
        let table = Offer::new(ProductKind::Table, |_| {
            let (columns, rows) = self.rows();
            let names = columns.clone();
            Ok(Some(Rows::new(columns, rows.into_iter().map(move |row| cells(&row, &names)))))
        });
        Ok(Products::new(context, target).with_data(|| self.to_json()).with(table))
    }

    fn unpack(&self, _context: &Context<'_>, parts: &mut Parts<'_>, _report: &mut Report) -> Result<()> {
        parts.typed(&self.ini)
    }
}
