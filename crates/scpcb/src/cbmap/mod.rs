//! Maps of the map creator: the rooms of a facility with their cells, rotations and events.

mod check;
mod grid;
mod layout;
mod piece;
mod plan;
mod scene;
mod template;
#[cfg(test)]
mod tests;
mod warning;

use asset::typed_view::{Unit, UnitField};
use asset::{
    Asset, Context, Counts, Description, Detail, Format, NameKind, Names, Offered, Parts, ProductContext,
    ProductKind, Products, Report, ScenePart, Target, Unpacked, counted,
};
use json::{Document, json};
use record::{Error, Record, Result, Source, Visitor, read_whole, trace_whole, write_whole};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

pub use layout::{Map, OldMap, Piece, PlacedRoom};
pub use warning::CODES;

use crate::rmesh;
use plan::Plan;

/// Maps of the map creator, in both versions.
pub static FORMAT: Format = Format::new("scpcb.cbmap", "SCP – Containment Breach map", open)
    .game("scpcb")
    .extensions(&["cbmap2", "cbmap"])
    .pack(pack)
    .products(&[
        Offered {
            kind: ProductKind::Scene,
            about: "all rooms laid out as in the game, with textures, lights and props",
        },
        Offered { kind: ProductKind::Data, about: "every field of the file" },
    ])
    .schema(Map::schema)
    .spans(spans)
    .options(rmesh::RoomOptions::DECLARED)
    .names(Names::of_file(NameKind::Map).in_fields(&[
        ("room", NameKind::Room),
        ("event", NameKind::Label),
        ("author", NameKind::Text),
        ("description", NameKind::Text),
    ]))
    .codes(CODES);

/// An opened map: a [`Map`] or an [`OldMap`].
#[derive(Debug)]
pub struct OpenMap<M>(pub M);

/// Common interface of both versions.
trait MapFile: Record<Context = ()> + Serialize + DeserializeOwned + Send + Sync {
    /// Display name of the version.
    const DIALECT: &str;
    /// Identifier of the version in unpacked folders.
    const VERSION: Version;

    /// Returns the version-independent plan.
    fn plan(&self) -> Plan<'_>;
}

impl MapFile for Map {
    const DIALECT: &str = "cbmap2 (map creator 2)";
    const VERSION: Version = Version::Cbmap2;

    fn plan(&self) -> Plan<'_> {
        Plan {
            rooms: &self.rooms,
            forest: &self.forest,
            tunnels: &self.tunnels,
            zone_rows: [self.light_row, self.heavy_row],
            header: Some((&self.author, &self.description)),
            rest: &self.rest,
        }
    }
}

impl MapFile for OldMap {
    const DIALECT: &str = "cbmap (map creator 1)";
    const VERSION: Version = Version::Cbmap;

    fn plan(&self) -> Plan<'_> {
        Plan {
            rooms: &self.rooms,
            forest: &[],
            tunnels: &[],
            zone_rows: plan::DEFAULT_ZONE_ROWS,
            header: None,
            rest: &[],
        }
    }
}

/// The two versions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Version {
    Cbmap,
    Cbmap2,
}

impl Version {
    /// Detects the version. The newer version starts with text; the older one starts with the coordinates of a room and the length
    /// of its name, which is short.
    fn of(bytes: &[u8]) -> Self {
        if matches!(bytes, [_, _, _, 0, 0, 0, ..]) { Self::Cbmap } else { Self::Cbmap2 }
    }
}

/// Additional data in an unpacked folder.
#[derive(Debug, Serialize, Deserialize)]
struct PackContext {
    version: Version,
}

/// Maximum file size in bytes. A map with a room on every cell has 100 KB.
const MAX_LENGTH: u64 = 16 << 20;

fn open(source: &Source, _report: &mut Report) -> Result<Box<dyn Asset>> {
    if source.len() > MAX_LENGTH {
        let message = format!("the file has {} bytes; the limit for maps is {MAX_LENGTH}", source.len());
        return Err(Error::limit(message));
    }
    let bytes = source.read_all()?;
    if bytes.is_empty() {
        return Err(Error::malformed("the file is empty").at(0));
    }
    Ok(match Version::of(&bytes) {
        Version::Cbmap => Box::new(OpenMap(OldMap::read(&bytes)?)),
        Version::Cbmap2 => Box::new(OpenMap(Map::read(&bytes)?)),
    })
}

fn spans(_asset: &dyn Asset, source: &Source, visitor: &mut dyn Visitor) -> Result<()> {
    let bytes = source.read_all()?;
    match Version::of(&bytes) {
        Version::Cbmap => trace_whole::<OldMap>(&bytes, (), visitor),
        Version::Cbmap2 => trace_whole::<Map>(&bytes, (), visitor),
    }
}

fn pack(folder: &Unpacked, _report: &mut Report) -> Result<Vec<u8>> {
    let PackContext { version } = folder.context()?;
    match version {
        Version::Cbmap => folder.typed::<OldMap>()?.write(),
        Version::Cbmap2 => folder.typed::<Map>()?.write(),
    }
}

impl Map {
    /// Reads a map.
    ///
    /// # Errors
    /// Fails if the file ends early, or a count is larger than the remaining bytes.
    pub fn read(bytes: &[u8]) -> Result<Self> {
        read_whole(bytes, ())
    }

    /// Writes the map. An unmodified map yields the bytes it was read from.
    ///
    /// # Errors
    /// Fails if the author or the description contains a line break.
    pub fn write(&self) -> Result<Vec<u8>> {
        write_whole(self, ())
    }
}

impl OldMap {
    /// Reads a map.
    ///
    /// # Errors
    /// Fails if the file ends early.
    pub fn read(bytes: &[u8]) -> Result<Self> {
        read_whole(bytes, ())
    }

    /// Writes the map. An unmodified map yields the bytes it was read from.
    ///
    /// # Errors
    /// Does not fail for maps that were read.
    pub fn write(&self) -> Result<Vec<u8>> {
        write_whole(self, ())
    }
}

impl<M: MapFile + 'static> Asset for OpenMap<M> {
    /// A map contains all its rooms.
    fn scene_memory(&self) -> u64 {
        240 << 20
    }

    fn describe(&self, detail: Detail) -> Description {
        let plan = self.0.plan();
        let rooms = counted(plan.rooms.len(), "room", "rooms");
        let by = plan.author().map_or_else(String::new, |author| format!(" by {author}"));
        Description {
            summary: format!("map{by}, {rooms}"),
            dialect: M::DIALECT.to_owned(),
            counts: Counts::new()
                .with("rooms", plan.rooms.len())
                .with("forest pieces", plan.forest.len())
                .with("tunnel pieces", plan.tunnels.len())
                .with("events", plan.rooms.iter().filter(|room| !room.event.is_empty()).count()),
            fields: match detail {
                Detail::Brief => plan.brief(),
                Detail::Full => Document::of(&self.0).unwrap_or_default(),
            },
            ..Description::default()
        }
    }

    fn check(&self, context: &Context<'_>, report: &mut Report) {
        check::check(&self.0.plan(), context, report);
    }

    fn unit_fields(&self) -> &'static [UnitField] {
        const fn field(owner: &'static str) -> UnitField {
            let unit = Unit::DEGREES_OF_QUARTERS;
            UnitField { owner, stored: "quarter_turns", name: "degrees", unit }
        }
        const FIELDS: [UnitField; 3] = [field("rooms/*"), field("forest/*"), field("tunnels/*")];
        &FIELDS
    }

    fn origin(&self, part: ScenePart<'_>) -> Option<String> {
        // Pieces of the tunnels and the forest have a cell, but no zone.
        part.extras.get("zone")?;
        let cell = part.extras.get("cell")?;
        let index = self.0.plan().rooms.iter().position(|room| *cell == json!([room.x, room.y]))?;
        Some(format!("rooms[{index}]"))
    }

    fn products<'a>(&'a self, context: &Context<'a>, target: Target<'a>) -> Result<Products<'a>> {
        let asset_context = context.clone();
        let make = move |making: &mut ProductContext<'_>| {
            Ok(scene::to_scene(&self.0.plan(), &asset_context, &target, making.report))
        };
        Ok(Products::new(context, target).with_scene(make).with_fields(&self.0, self.unit_fields()))
    }

    fn unpack(&self, _context: &Context<'_>, parts: &mut Parts<'_>, _report: &mut Report) -> Result<()> {
        parts.context(&PackContext { version: M::VERSION })?;
        parts.typed(&self.0)
    }
}
