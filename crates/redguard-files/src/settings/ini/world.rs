//! WORLD.INI: the map, terrain, palette, light and sky of each world.

use std::collections::BTreeMap;
use std::f64::consts::TAU;
use std::sync::Arc;

use asset::{Context, Found, NameKind, NameVisitor, Named as Name};
use json::{Document, Value, json, push_member};
use media::ini::Ini;

use super::Kind;
use super::key::Key;
use super::lookup::{Entry, Lookup, Section};
use super::row::{Row, integer_of, integers_of};
use super::unknown;
use super::value::{SYNTAX, indexed, integer};
use crate::location::Named;

/// The name of the only section.
const SECTION: &str = "world";

/// The beginning of the keys of worlds.
const PREFIX: &str = "world_";

/// A world of the game. Missing and bad values are replaced as in the game.
#[derive(Debug, Clone, PartialEq)]
pub struct World {
    /// The number of the world.
    pub id: u32,
    /// The path of the map, relative to the game's folder: `MAPS\ISLAND.rgm`.
    pub map: Option<String>,
    /// The path of the terrain.
    pub terrain: Option<String>,
    /// The path of the palette. If it is not in the folder `3dart`, the game uses the one in `fxart`.
    pub palette: Option<String>,
    /// The track of the CD; `None` or -1 keeps the music.
    pub redbook: Option<i32>,
    /// The path of the pictures of the loading screen.
    pub loading_pictures: Option<String>,
    /// The angle that is added to the heading of the compass, 2048 per turn.
    pub compass: i32,
    /// The water waves.
    pub wave: Option<WaveKeys>,
    /// The distance that the terrain is moved down, in world units.
    pub scape_shift: i16,
    /// The ambient light: red, green and blue.
    pub ambient: [i32; 3],
    /// The sunlight added at perpendicular incidence. The game reads three of the four numbers.
    pub sun: [i32; 3],
    /// The elevation of the sun, 2048 per turn.
    pub sun_angle: i32,
    /// The sideways rotation of the sun, 2048 per turn.
    pub sun_skew: i32,
    /// The far clipping distance in world units; 0 for the game's default.
    pub back_plane: i32,
    /// The ambient light of sprites and effects.
    pub ambient_fx: i32,
    /// The color of fog and background: red, green and blue.
    pub fog: [i32; 3],
    /// The sky settings.
    pub sky: SkyKeys,
    /// The rain settings.
    pub rain: RainKeys,
    /// The paths of the node maps; no shipped game has any.
    pub node_maps: Vec<String>,
}

/// The waves of the water of a world.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct WaveKeys {
    /// Amplitude in world units.
    pub amplitude: f64,
    /// Phase advance per tick, 2048 per wave.
    pub speed: i32,
    /// Phase per squared distance from the center of the terrain.
    pub frequency: i32,
}

/// The rain of a world. Its units are unknown.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RainKeys {
    /// Time between two drops.
    pub delay: Option<i32>,
    /// Largest number of drops.
    pub drops: Option<i32>,
    /// Height at which drops start.
    pub start: Option<i32>,
    /// Height at which drops end.
    pub end: Option<i32>,
    /// Spheres in which rain falls: X, Y, Z and radius in world units.
    pub spheres: Vec<[i32; 4]>,
}

/// The sky and sun settings of a world.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SkyKeys {
    /// The path of the image of the moving sky; `None` for no sky.
    pub image: Option<String>,
    /// The number of texels of the image per 65,000 world units.
    pub scale: i32,
    /// The height of the sky in world units, Y down.
    pub level: i32,
    /// The speed of the sky in 16ths of a texel per tick.
    pub speed: i32,
    /// The path of the image of the sun; `None` for no sun.
    pub sun_image: Option<String>,
    /// The color of the sun: red, green and blue.
    pub sun_color: [i32; 3],
    /// The size of the sun in hundredths; 0 for the game's default.
    pub sun_scale: i32,
}

impl SkyKeys {
    /// Creates the settings of a world that does not define a sky.
    #[must_use]
    pub fn new() -> Self {
        World::new(0).sky
    }

    fn read(row: Row<'_>) -> Self {
        Self {
            image: row.text("world_skyfx"),
            scale: row.integer("world_skyscale"),
            level: row.integer("world_skylevel"),
            speed: row.integer("world_skyspeed"),
            sun_image: row.text("world_sunimg"),
            sun_color: row.integers("world_sunimgrgb").unwrap_or_default(),
            sun_scale: integer(row.written("world_sunscale")),
        }
    }

    /// Returns the color of the sun with 8 bits per channel; numbers out of range are clamped.
    #[must_use]
    pub fn sun_rgb(&self) -> [u8; 3] {
        self.sun_color.map(|channel| u8::try_from(channel.clamp(0, 255)).unwrap_or(u8::MAX))
    }
}

impl Default for SkyKeys {
    fn default() -> Self {
        Self::new()
    }
}

impl World {
    /// Creates a world without settings.
    #[must_use]
    pub fn new(id: u32) -> Self {
        Self::read(id, None, &[])
    }

    /// Reads a world. `numbered` are the keys that differ by a number in the name.
    fn read(id: u32, section: Option<&Section<'_>>, numbered: &[&Entry<'_>]) -> Self {
        let row = Row::new(section, keys(), Some(id));
        Self {
            id,
            map: row.text("world_map"),
            terrain: row.text("world_world"),
            palette: row.text("world_palette"),
            redbook: row.optional_integer("world_redbook"),
            loading_pictures: row.text("world_flash_filename"),
            compass: row.integer("world_compass"),
            wave: WaveKeys::of(&row.value("world_wave")),
            scape_shift: i16::try_from(row.integer("world_scapeshift")).unwrap_or_default(),
            ambient: row.integers("world_ambientrgb").unwrap_or_default(),
            sun: row.integers("world_sunrgb").unwrap_or_default(),
            sun_angle: row.integer("world_sunangle"),
            sun_skew: row.integer("world_sunskew"),
            back_plane: row.integer("world_back_plane"),
            ambient_fx: row.integer("world_ambientfx"),
            fog: row.integers("world_fogrgb").unwrap_or_default(),
            sky: SkyKeys::read(row),
            rain: RainKeys {
                delay: row.optional_integer("world_rain_delay"),
                drops: row.optional_integer("world_rain_drops"),
                start: row.optional_integer("world_rain_start"),
                end: row.optional_integer("world_rain_end"),
                spheres: values(numbered, "world_rain_sphere#[]").iter().filter_map(integers_of).collect(),
            },
            node_maps: values(numbered, "world_node_map#[]")
                .iter()
                .filter_map(|map| map.as_str().map(str::to_owned))
                .collect(),
        }
    }

    /// Returns the direction of the sunlight: a unit vector, X right, Y down, Z forward.
    #[must_use]
    pub fn sun_direction(&self) -> [f64; 3] {
        let turn = |angle: i32| f64::from(angle.rem_euclid(2048)) / 2048.0 * TAU;
        let (angle, skew) = (turn(self.sun_angle), turn(self.sun_skew));
        let parts = [angle.sin(), angle.cos(), skew.sin()].map(|part| (16_000.0 * part).trunc());
        let length = parts.iter().map(|part| part * part).sum::<f64>().sqrt();
        // Adding 0 turns -0 into 0.
        parts.map(|part| part / length + 0.0)
    }
}

impl WaveKeys {
    fn of(value: &Value) -> Option<Self> {
        let Value::Array(numbers) = value else { return None };
        let [amplitude, speed, frequency] = numbers.as_slice() else { return None };
        Some(Self {
            amplitude: amplitude.as_f64()?,
            speed: integer_of(speed)?,
            frequency: integer_of(frequency)?,
        })
    }
}

/// Returns the declared keys.
fn keys() -> &'static [Key] {
    Kind::World.group(SECTION).map_or(&[], |group| group.keys)
}

/// Returns the values of the keys that differ by a number in the name, in the order of these numbers.
fn values(numbered: &[&Entry<'_>], name: &str) -> Vec<Value> {
    let Some(key) = keys().iter().find(|key| key.name == name) else { return Vec::new() };
    let value = |entry: &&Entry<'_>| Some((entry.name.number(name)?, key.read(Some(entry.value())).value));
    let mut found: Vec<(u32, Value)> = numbered.iter().filter_map(value).collect();
    found.sort_by_key(|(number, _)| *number);
    found.into_iter().map(|(_, value)| value).collect()
}

impl World {
    /// Returns the CD track that the game plays, or `None` if the world keeps the current track or has no music.
    #[must_use]
    pub fn track(&self) -> Option<i32> {
        self.redbook.filter(|track| *track > 0)
    }
}

/// The registration of a map or terrain in WORLD.INI.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Registration {
    /// The number of the world that the game uses: the first one.
    pub world: u32,
    /// The numbers of the other worlds.
    pub alternatives: Vec<u32>,
    /// The path of the world's palette.
    pub palette: Option<String>,
}

impl Registration {
    /// Returns the numbers of all worlds, first the one that the game uses.
    pub fn worlds(&self) -> impl Iterator<Item = u32> {
        std::iter::once(self.world).chain(self.alternatives.iter().copied())
    }

    /// Visits the numbers of all worlds, as names of the registered file.
    pub fn visit_names(&self, take: NameVisitor<'_>) {
        for number in self.worlds() {
            take(Name::new(NameKind::World, &number.to_string(), format_args!("")));
        }
    }
}

/// A key that the game ignores because it does not start with `world_`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IgnoredKey {
    /// The one-based line number.
    pub line: usize,
    /// The offset of the line.
    pub offset: u64,
    /// The key.
    pub key: String,
    /// The value.
    pub value: String,
}

/// A key that occurs twice; the first one takes precedence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RepeatedKey {
    /// The key in lower case.
    pub key: String,
    /// The value that takes precedence.
    pub first: String,
    /// A value that is ignored.
    pub later: String,
    /// The offset of the line that is ignored.
    pub offset: u64,
}

/// The worlds of a game.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Worlds {
    /// The number of the world in which a new game starts.
    pub start_world: i32,
    /// The number of the map's marker at which a new game starts.
    pub start_marker: i32,
    /// The worlds, sorted by number.
    pub worlds: Vec<World>,
    /// Keys that the game ignores.
    pub ignored: Vec<IgnoredKey>,
    /// Repeated keys.
    pub repeated: Vec<RepeatedKey>,
}

/// The folders that contain palettes.
const ART: [&str; 2] = ["fxart", "3dart"];

impl Worlds {
    /// Reads the table.
    #[must_use]
    pub fn read(ini: &Ini) -> Self {
        Self::of(&Lookup::new(ini))
    }

    fn of(lookup: &Lookup<'_>) -> Self {
        let Some(section) = lookup.section(SECTION) else { return Self::default() };
        let is_of_world = |base: &str| base.starts_with(PREFIX);
        let mut numbered: BTreeMap<u32, Vec<&Entry<'_>>> = BTreeMap::new();
        for entry in section.firsts().filter(|entry| is_of_world(&entry.name.base)) {
            let Some(id) = entry.name.index else { continue };
            let of_world = numbered.entry(id).or_default();
            of_world.extend(entry.name.base.ends_with(|it: char| it.is_ascii_digit()).then_some(entry));
        }
        let ignored = section
            .firsts()
            .filter(|entry| entry.name.index.is_some() && !is_of_world(&entry.name.base))
            .map(|entry| IgnoredKey {
                line: entry.line,
                offset: entry.offset,
                key: entry.written.as_ref().to_owned(),
                value: entry.raw.as_ref().to_owned(),
            });
        let repeated = section.entries.iter().filter(|entry| !entry.is_first).map(|entry| RepeatedKey {
            key: entry.name.to_string(),
            first: section
                .entry(&entry.name.base, entry.name.index)
                .map_or_else(String::new, |first| first.raw.as_ref().to_owned()),
            later: entry.raw.as_ref().to_owned(),
            offset: entry.offset,
        });
        let row = Row::new(Some(section), keys(), None);
        Self {
            start_world: row.integer("start_world"),
            start_marker: row.integer("start_marker"),
            worlds: numbered.iter().map(|(id, entries)| World::read(*id, Some(section), entries)).collect(),
            ignored: ignored.collect(),
            repeated: repeated.collect(),
        }
    }

    /// Returns the worlds of the game that a file belongs to. They are read only once.
    #[must_use]
    pub fn of_game(context: &Context<'_>) -> Option<Arc<Self>> {
        let found = Named::Worlds.find(context)?;
        let read = || {
            let ini = Ini::of_install(context, &Named::Worlds.name(context), SYNTAX)
                .ok_or_else(|| record::Error::malformed("no settings"))?;
            let size = context.install.open(&found.location)?.len();
            Ok((Self::read(&ini), usize::try_from(size).unwrap_or(usize::MAX)))
        };
        context.install.decoded(&found.location, "worlds", read).ok()
    }

    /// Returns the world with this number.
    #[must_use]
    pub fn get(&self, id: u32) -> Option<&World> {
        let at = self.worlds.binary_search_by_key(&id, |world| world.id).ok()?;
        self.worlds.get(at)
    }

    /// Returns the registration of a map, given its file name without folders and extension.
    #[must_use]
    pub fn of_map(&self, stem: &str) -> Option<Registration> {
        self.registration(stem, |world| world.map.as_deref())
    }

    /// Returns the registration of a terrain, given its file name without folders and extension.
    #[must_use]
    pub fn of_terrain(&self, stem: &str) -> Option<Registration> {
        self.registration(stem, |world| world.terrain.as_deref())
    }

    /// Returns the first world whose sun has this image, given its file name without folders and extension.
    #[must_use]
    pub fn of_sun(&self, stem: &str) -> Option<&World> {
        let is_match = |path: &str| stem_of(path).eq_ignore_ascii_case(stem);
        self.worlds.iter().find(|world| world.sky.sun_image.as_deref().is_some_and(is_match))
    }

    fn registration(&self, stem: &str, file: impl Fn(&World) -> Option<&str>) -> Option<Registration> {
        let is_match =
            |world: &&World| file(world).is_some_and(|path| stem_of(path).eq_ignore_ascii_case(stem));
        let mut found = self.worlds.iter().filter(is_match);
        let world = found.next()?;
        let alternatives = found.map(|world| world.id).collect();
        Some(Registration { world: world.id, alternatives, palette: world.palette.clone() })
    }

    /// Converts the registrations of maps or terrains to JSON, by file name without folders and extension. If the game is known, the
    /// palettes that exist are included.
    fn by_stem(&self, context: Option<&Context<'_>>, file: impl Fn(&World) -> Option<&str>) -> Document {
        let mut by_stem: BTreeMap<String, Vec<&World>> = BTreeMap::new();
        for world in &self.worlds {
            if let Some(path) = file(world) {
                by_stem.entry(stem_of(path).to_uppercase()).or_default().push(world);
            }
        }
        Document::object(|out| {
            for (stem, worlds) in &by_stem {
                let Some((first, others)) = worlds.split_first() else { continue };
                let on_disk = context.and_then(|context| palette_on_disk(context, first.palette.as_deref()?));
                let others: Vec<u32> = others.iter().map(|world| world.id).collect();
                let value = json!({ "world": first.id, "alternatives": others,
                    "palette": first.palette, "palette_on_disk": on_disk });
                out.put(stem, &value);
            }
        })
    }
}

/// Visits the numbers of the worlds and of the tracks of their music. The names of their maps are further names.
pub(super) fn visit_names(ini: &Ini, take: NameVisitor<'_>) {
    let worlds = Worlds::read(ini);
    let sections = ini.sections();
    for section in sections.iter().filter(|it| it.name.trim().eq_ignore_ascii_case("world")) {
        let mut start = String::new();
        push_member(&mut start, section.name.trim());
        for entry in &section.entries {
            let (kind, number, world) = match indexed(&entry.key) {
                Some((name, id)) if matches!(&*name, "world_map" | "world_world") => {
                    (NameKind::World, id.to_string(), worlds.get(id))
                }
                Some((name, id)) if name == "world_redbook" => {
                    let world = worlds.get(id);
                    let Some(track) = world.and_then(World::track) else { continue };
                    (NameKind::Track, track.to_string(), world)
                }
                None if entry.key.eq_ignore_ascii_case("start_world") => {
                    let id = u32::try_from(integer(&entry.value)).ok();
                    let Some(world) = id.and_then(|id| worlds.get(id)) else { continue };
                    (NameKind::World, world.id.to_string(), Some(world))
                }
                _ => continue,
            };
            let mut path = start.clone();
            push_member(&mut path, &SYNTAX.key_name(&entry.key));
            let map = world.and_then(|world| world.map.as_deref().or(world.terrain.as_deref()));
            let also = map.map(stem_of).unwrap_or_default();
            take(Name { also, ..Name::new(kind, &number, format_args!("{path}")) });
        }
    }
}

/// The entry of `test_map_order` that ends the list.
const END_OF_TEST: i64 = -2;

/// Converts the worlds to JSON. If the game is known, the files that exist are included.
pub(super) fn to_json(ini: &Ini, context: Option<&Context<'_>>) -> Document {
    let lookup = Lookup::new(ini);
    let worlds = Worlds::of(&lookup);
    let section = lookup.section(SECTION);
    let ignored = |it: &IgnoredKey| json!([it.line, it.key, it.value]);
    let repeated = |it: &RepeatedKey| json!({ "key": it.key, "first": it.first, "later": it.later });
    Document::object(|out| {
        for (key, reading) in Row::new(section, keys(), None).readings() {
            out.put(key.name, &until_end(reading.value));
        }
        out.list("worlds", worlds.worlds.iter().map(|world| world_to_json(world, section)))
            .put("palette_by_rgm", &worlds.by_stem(context, |world| world.map.as_deref()))
            .put("palette_by_wld", &worlds.by_stem(context, |world| world.terrain.as_deref()))
            .list("malformed_keys", worlds.ignored.iter().map(ignored))
            .list("repeated_keys", worlds.repeated.iter().map(repeated))
            .put("unknown_keys", &unknown::to_json(&lookup, Kind::World));
    })
}

/// Ends a list before -2.
fn until_end(value: Value) -> Value {
    match value {
        Value::Array(numbers) => {
            numbers.into_iter().take_while(|number| number.as_i64() != Some(END_OF_TEST)).collect()
        }
        value => value,
    }
}

/// Converts a world to JSON: its keys without the prefix, and the direction of its sun.
fn world_to_json(world: &World, section: Option<&Section<'_>>) -> Document {
    Document::object(|out| {
        out.put("id", &world.id);
        for (key, reading) in Row::new(section, keys(), Some(world.id)).readings() {
            out.put(key.base().strip_prefix(PREFIX).unwrap_or(key.base()), &reading.value);
        }
        out.put("node_maps", &world.node_maps)
            .put("rain_spheres", &world.rain.spheres)
            .put("sun_direction", &world.sun_direction());
    })
}

/// Finds a file of the game by its path, ignoring case.
#[must_use]
pub fn find(context: &Context<'_>, path: &str) -> Option<Found> {
    context.install.find(&path.replace('\\', "/")).found()
}

/// Finds a palette by its path in WORLD.INI: at the path itself, otherwise in the folders of both renderers.
#[must_use]
pub fn find_palette(context: &Context<'_>, path: &str) -> Option<Found> {
    let name = path.rsplit(['\\', '/']).next().unwrap_or(path);
    find(context, path).or_else(|| ART.iter().find_map(|folder| find(context, &format!("{folder}/{name}"))))
}

fn palette_on_disk(context: &Context<'_>, path: &str) -> Option<String> {
    find_palette(context, path).map(|found| found.location.path().to_string())
}

/// Returns the file name of a path without folders and extension.
#[must_use]
pub fn stem_of(path: &str) -> &str {
    let name = path.rsplit(['\\', '/']).next().unwrap_or(path);
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}
