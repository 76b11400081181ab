//! `Data/rooms.ini`: which rooms the game has, how they join, where they may stand.

use std::collections::BTreeMap;

use asset::{
    Asset, Code, Context, Counts, Description, Detail, Format, Offered, Place, Probe, ProductKind, Products,
    Report, Score, Severity,
};
use record::{Error, Result};
use serde_json::{Map, Value};

use super::{Ini, Section, of_install, pack, same};

/// The table of rooms.
pub static FORMAT: Format = Format {
    id: "scpcb.rooms",
    name: "SCP – Containment Breach table of rooms",
    game: Some("scpcb"),
    extensions: &[],
    probe,
    open: |source, _| Ok(Box::new(Rooms(Ini::read(source)?))),
    pack: Some(pack),
    import: None,
    products: &[Offered { kind: ProductKind::Data, about: "the rooms with all their settings" }],
    save_as: &[],
    spans: Some(|asset, _, visitor| {
        asset.typed::<Rooms>().into_iter().for_each(|table| table.0.trace(visitor));
        Ok(())
    }),
    archive: None,
    options: &[],
    codes: &[MESH_MISSING, NO_ENTRY, TWICE, SHAPE],
};

static MESH_MISSING: Code = Code {
    id: "ROOMS-W001",
    severity: Severity::Warning,
    title: "room without file",
    about: "An entry names a mesh that is not there. The game stops when it places the room. Example: `[room2] the mesh \
            \"GFX\\map\\room2.rmesh\" is not there`.",
};

static NO_ENTRY: Code = Code {
    id: "ROOMS-N002",
    severity: Severity::Note,
    title: "file without entry",
    about: "A room file in the folder of the rooms is in no entry. The game loads some by name (the `mt` tunnels), others are left-overs. \
            Example: `\"GFX/map/mt1.rmesh\" is in no entry`.",
};

static TWICE: Code = Code {
    id: "ROOMS-W003",
    severity: Severity::Warning,
    title: "room named twice",
    about: "Two entries have one name; the game reads the first twice. Example: `[room2] is there 2 times`.",
};

static SHAPE: Code = Code {
    id: "ROOMS-W004",
    severity: Severity::Warning,
    title: "unknown shape",
    about: "The shape of a room is none that the game knows: 1, 2, 2C, 3 or 4. Example: `[room2] the shape \"5\" is none of 1, 2, 2C, 3, 4`.",
};

/// The section that names the sounds of emitters.
const AMBIENCE: &str = "room ambience";

/// Where the table stands in the game.
const PATH: &str = "Data/rooms.ini";

fn probe(file: &Probe<'_>) -> Option<Score> {
    let named = file.name == "rooms.ini";
    named.then_some(Score::LIKELY).or(Some(Score::NEVER))
}

/// The table of rooms.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rooms(Ini);

impl Rooms {
    /// The entries that are rooms: those with a mesh.
    fn rooms(&self) -> Vec<Section<'_>> {
        self.0.sections().into_iter().filter(|section| section.get("mesh path").is_some()).collect()
    }

    fn to_json(&self) -> Value {
        let sections = self.0.sections();
        Value::Array(sections.iter().map(|section| Value::Object(entry(section))).collect())
    }
}

/// A section with its name.
fn entry(section: &Section<'_>) -> Map<String, Value> {
    let mut out = Map::new();
    out.insert("name".into(), section.name.as_ref().into());
    out.extend(section.to_json());
    out
}

/// What the table of the game around a room says of it: name, shape, zones and the rest under their keys. Nothing when there is
/// no table, or the room is not in it.
pub(crate) fn of_room(context: &Context<'_>) -> Option<Map<String, Value>> {
    let place = context.place.as_ref()?;
    let table = of_install(context, PATH)?;
    let sections = table.sections();
    let section =
        sections.iter().find(|section| section.get("mesh path").is_some_and(|path| is_at(path, place)))?;
    Some(entry(section))
}

fn is_at(path: &str, place: &Place) -> bool {
    same(&path.replace('\\', "/"), place.path().as_str())
}

/// The sound file of an emitter's number, counted from 1.
pub(crate) fn ambience(context: &Context<'_>, number: i32) -> Option<String> {
    let table = of_install(context, PATH)?;
    let section = table.section(AMBIENCE)?;
    section.get(&format!("ambience{number}")).map(str::to_owned)
}

impl Asset for Rooms {
    fn describe(&self, detail: Detail) -> Description {
        let rooms = self.rooms();
        let fields = match detail {
            Detail::Full => self.to_json(),
            Detail::Brief => Value::Array(rooms.iter().map(|room| room.name.as_ref().into()).collect()),
        };
        let noun = if rooms.len() == 1 { "room" } else { "rooms" };
        Description {
            summary: format!("table of {} {noun}", rooms.len()),
            counts: Counts::new().with("rooms", rooms.len()),
            fields,
            ..Description::default()
        }
    }

    fn check(&self, context: &Context<'_>, report: &mut Report) {
        let mut meshes = Vec::new();
        let mut names: BTreeMap<String, usize> = BTreeMap::new();
        for room in self.rooms() {
            let name = &room.name;
            let count = names.entry(name.to_lowercase()).or_default();
            *count = count.saturating_add(1);
            let Some(mesh) = room.entry("mesh path") else { continue };
            match context.install.find(&mesh.value).found() {
                Some(found) => meshes.push(found.place),
                None => {
                    let message = format!("[{name}] the mesh \"{}\" is not there", mesh.value);
                    report.warn(&MESH_MISSING, message).at(mesh.offset);
                }
            }
            match room.entry("shape") {
                Some(shape) if !["1", "2", "2c", "3", "4"].contains(&&*shape.value.to_lowercase()) => {
                    let message = format!("[{name}] the shape \"{}\" is none of 1, 2, 2C, 3, 4", shape.value);
                    report.warn(&SHAPE, message).at(shape.offset);
                }
                _ => {}
            }
        }
        for (name, count) in names.iter().filter(|(_, count)| **count > 1) {
            report.warn(&TWICE, format!("[{name}] is there {count} times"));
        }
        for place in context.install.folder("GFX/map").files() {
            let is_room = place.path().extension().eq_ignore_ascii_case("rmesh");
            if is_room && !meshes.contains(&place) {
                report.warn(&NO_ENTRY, format!("\"{}\" is in no entry", place.path()));
            }
        }
    }

    fn products(&self, _context: &Context<'_>, out: &mut Products<'_>) -> Result<(), Error> {
        out.fields(self.to_json())
    }

    fn unpack(
        &self,
        _context: &Context<'_>,
        parts: &mut asset::Parts<'_>,
        _report: &mut Report,
    ) -> Result<(), Error> {
        parts.typed(&self.0)
    }
}
