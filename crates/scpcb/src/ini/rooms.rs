//! `Data/rooms.ini`: the rooms of the game, their shapes, and the zones they may occur in.

use std::collections::BTreeMap;

use asset::{
    Asset, Code, Context, Counts, Description, Detail, FieldChange, Format, Location, NameKind, Names,
    Offered, Probe, ProductKind, Products, RecordChange, Report, Score, Severity, Target,
};
use json::{Document, Map, Node, Step, Value};
use record::{Error, Result, Source};

use media::ini::{Entry, Ini, Section, same};

use super::{of_install, pack, read};

/// The table of rooms.
pub static FORMAT: Format = Format::new("scpcb.rooms", "SCP – Containment Breach room table", open)
    .game("scpcb")
    .probe(probe)
    .pack(pack)
    .products(&[Offered { kind: ProductKind::Data, about: "the rooms with all their settings" }])
    .spans(|asset, _, visitor| {
        asset.typed::<Rooms>().into_iter().for_each(|table| table.0.trace(visitor));
        Ok(())
    })
    .names(Names::NONE.reported(|asset, _, take| {
        asset.typed::<Rooms>().into_iter().for_each(|table| {
            table.0.visit_names(NameKind::Room, &|name| crate::GAME.kind_of_file(name), take);
        });
        Ok(())
    }))
    .codes(&[MESH_MISSING, NO_ENTRY, DUPLICATE, SHAPE, SOUND_MISSING]);

fn open(source: &Source, _report: &mut Report) -> Result<Box<dyn Asset>> {
    Ok(Box::new(Rooms(read(source)?)))
}

static MESH_MISSING: Code = Code {
    id: "ROOMS-W001",
    severity: Severity::Warning,
    title: "missing room file",
    about: "The mesh of a room was not found. The game stops when it places the room. Example: `[room2] mesh \
            \"GFX\\map\\room2.rmesh\" was not found`.",
};

static NO_ENTRY: Code = Code {
    id: "ROOMS-N002",
    severity: Severity::Note,
    title: "file without entry",
    about: "A room file in the folder of rooms has no entry in the table. The game loads some by name (the `mt` tunnels), others are unused. \
            Example: `\"GFX/map/mt1.rmesh\" has no entry`.",
};

static DUPLICATE: Code = Code {
    id: "ROOMS-W003",
    severity: Severity::Warning,
    title: "duplicate room",
    about: "Two entries have the same name; the game reads the first one twice. Example: `[room2] occurs 2 times`.",
};

static SHAPE: Code = Code {
    id: "ROOMS-W004",
    severity: Severity::Warning,
    title: "unknown shape",
    about: "The shape of a room is not one of 1, 2, 2C, 3 or 4. Example: `[room2] unknown shape \"5\" (known: 1, 2, 2C, 3, 4)`.",
};

static SOUND_MISSING: Code = Code {
    id: "ROOMS-W005",
    severity: Severity::Warning,
    title: "missing sound file",
    about: "A sound of the sound emitters in rooms was not found. Example: `[room ambience] sound \"SFX\\hum.ogg\" was not found`.",
};

/// Name of the section with the sounds of emitters.
pub(crate) const AMBIENCE: &str = "room ambience";

/// Path of the table in the game.
pub(crate) const PATH: &str = "Data/rooms.ini";

fn probe(file: &Probe<'_>) -> Option<Score> {
    let named = file.name == "rooms.ini";
    named.then_some(Score::LIKELY).or(Some(Score::NEVER))
}

/// The table of rooms.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rooms(Ini);

impl Rooms {
    /// Returns the sections that are rooms: those with a mesh.
    fn rooms(&self) -> Vec<Section<'_>> {
        self.0.sections().into_iter().filter(|section| section.get("mesh path").is_some()).collect()
    }

    fn to_json(&self) -> Value {
        let sections = self.0.sections();
        Value::Array(sections.iter().map(|section| Value::Object(entry(section))).collect())
    }
}

/// Returns the values of a section with its name.
fn entry(section: &Section<'_>) -> Map<String, Value> {
    let mut out = Map::new();
    out.insert("name".into(), section.name.as_ref().into());
    for (key, value) in section.to_json() {
        out.entry(key).or_insert(value);
    }
    out
}

/// Returns the entry of the context's room in the room table of the game: name, shape, zones and other values by key; `None` if
/// there is no table, or the room is not in it.
pub(crate) fn of_room(context: &Context<'_>) -> Option<Map<String, Value>> {
    let location = context.location.as_ref()?;
    let table = of_install(context, PATH)?;
    let sections = table.sections();
    let section =
        sections.iter().find(|section| section.get("mesh path").is_some_and(|path| is_at(path, location)))?;
    Some(entry(section))
}

fn is_at(path: &str, location: &Location) -> bool {
    same(&path.replace('\\', "/"), location.path().as_str())
}

/// The sound of an emitter in the game's table.
pub(crate) enum Ambience {
    /// There is no table, or it has no sounds.
    NoTable,
    /// The table does not contain the number.
    Unknown,
    /// File of the sound, relative to the game folder.
    File(String),
}

/// Returns the sound with this one-based number.
pub(crate) fn ambience(context: &Context<'_>, number: i32) -> Ambience {
    let Some(table) = of_install(context, PATH) else { return Ambience::NoTable };
    let Some(section) = table.section(AMBIENCE) else { return Ambience::NoTable };
    let file = section.get(&format!("ambience{number}"));
    file.map_or(Ambience::Unknown, |file| Ambience::File(file.to_owned()))
}

impl Asset for Rooms {
    fn field_view(&self, record: Node<'_>) -> Option<Document> {
        self.0.field_view(record)
    }

    fn field_alias(&self, _record: Node<'_>, path: &str) -> Option<String> {
        self.0.field_alias(path)
    }

    fn record_change(
        &self,
        record: Node<'_>,
        path: &[Step<'_>],
        change: FieldChange<'_>,
    ) -> Result<Option<Vec<RecordChange>>> {
        self.0.record_change(record, path, change)
    }

    fn describe(&self, detail: Detail) -> Description {
        let rooms = self.rooms();
        let fields = match detail {
            Detail::Full => self.to_json().into(),
            Detail::Brief => Document::list(rooms.iter().map(|room| &room.name)),
        };
        let noun = if rooms.len() == 1 { "room" } else { "rooms" };
        Description {
            summary: format!("table of {} {noun}", rooms.len()),
            counts: Counts::new().with("rooms", rooms.len()),
            fields,
            derived: &["[*].name"],
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
                Some(found) => meshes.push(found.location),
                None => {
                    let message = format!("[{name}] mesh \"{}\" was not found", mesh.value);
                    report.warn(&MESH_MISSING, message).at(mesh.offset);
                }
            }
            match room.entry("shape") {
                Some(shape) if !["1", "2", "2c", "3", "4"].contains(&&*shape.value.to_lowercase()) => {
                    let message =
                        format!("[{name}] unknown shape \"{}\" (known: 1, 2, 2C, 3, 4)", shape.value);
                    report.warn(&SHAPE, message).at(shape.offset);
                }
                _ => {}
            }
        }
        let ambience = self.0.section(AMBIENCE);
        let is_sound = |entry: &&Entry<'_>| entry.key.to_lowercase().starts_with("ambience");
        for sound in ambience.iter().flat_map(|section| &section.entries).filter(is_sound) {
            if context.install.find(&sound.value).found().is_none() {
                let message = format!("[{AMBIENCE}] sound \"{}\" was not found", sound.value);
                report.warn(&SOUND_MISSING, message).at(sound.offset);
            }
        }
        for (name, count) in names.iter().filter(|(_, count)| **count > 1) {
            report.warn(&DUPLICATE, format!("[{name}] occurs {count} times"));
        }
        for location in context.install.folder("GFX/map").files() {
            let is_room = location.path().extension().eq_ignore_ascii_case("rmesh");
            if is_room && !meshes.contains(&location) {
                report.warn(&NO_ENTRY, format!("\"{}\" has no entry", location.path()));
            }
        }
    }

    fn products<'a>(&'a self, context: &Context<'a>, target: Target<'a>) -> Result<Products<'a>, Error> {
        Ok(Products::new(context, target).with_data(|| self.to_json()))
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
