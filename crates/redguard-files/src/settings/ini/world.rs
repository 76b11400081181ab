//! WORLD.INI: the map, terrain, palette, light and sky of each world.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use asset::{Context, Found, NameKind, NameVisitor, Named as Name};
use json::{Document, json, push_member};
use media::ini::Ini;

use super::location::Named;
use super::value::{SYNTAX, indexed, integer, integers};

/// A world of the game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct World {
    /// The number of the world.
    pub id: u32,
    /// The path of the map, relative to the game's folder: `MAPS\ISLAND.rgm`.
    pub map: Option<String>,
    /// The path of the terrain.
    pub terrain: Option<String>,
    /// The path of the palette. If it is not in the folder `3dart`, the game uses the one in `fxart`.
    pub palette: Option<String>,
    /// The CD track of the music; `None` or -1 to keep the current one, another number below 1 for no music.
    pub redbook: Option<i32>,
    /// The water waves: amplitude, speed and frequency.
    pub wave: Option<[i32; 3]>,
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
    /// The ambient light of sprites and effects; 0 for the game's default.
    pub ambient_fx: i32,
    /// The color of fog and background: red, green and blue.
    pub fog: [i32; 3],
    /// The sky settings.
    pub sky: SkyKeys,
    /// The paths of the node maps; no shipped game has any.
    pub node_maps: Vec<String>,
}

/// The sky and sun settings of a world.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SkyKeys {
    /// The path of the image of the moving sky; `None` for no sky.
    pub image: Option<String>,
    /// The number of texels of the image per 65,000 world units; 0 for the game's default.
    pub scale: i32,
    /// The height of the sky in world units, Y down; 0 for the game's default.
    pub level: i32,
    /// The speed of the sky: the game uses the low byte, in 16ths of a texel per tick.
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
    pub const fn new() -> Self {
        Self {
            image: None,
            scale: 0,
            level: 0,
            speed: 0,
            sun_image: None,
            sun_color: [255, 255, 200],
            sun_scale: 0,
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
    pub const fn new(id: u32) -> Self {
        Self {
            id,
            map: None,
            terrain: None,
            palette: None,
            redbook: None,
            wave: None,
            scape_shift: 0,
            ambient: [128; 3],
            sun: [128, 128, 100],
            sun_angle: 0,
            sun_skew: 0,
            back_plane: 0,
            ambient_fx: 0,
            fog: [0; 3],
            sky: SkyKeys::new(),
            node_maps: Vec::new(),
        }
    }
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
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Worlds {
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
        let mut out = Self::default();
        let mut first: BTreeMap<String, String> = BTreeMap::new();
        let mut worlds: BTreeMap<u32, World> = BTreeMap::new();
        let mut nodes: BTreeMap<u32, Vec<(u32, String)>> = BTreeMap::new();
        for entry in ini
            .sections()
            .iter()
            .filter(|it| it.name.trim().eq_ignore_ascii_case("world"))
            .flat_map(|it| &it.entries)
        {
            let (key, value) = (entry.key.to_lowercase(), entry.value.as_ref());
            if let Some(known) = first.get(&key) {
                let (first, later) = (known.clone(), value.to_owned());
                out.repeated.push(RepeatedKey { key, first, later, offset: entry.offset });
                continue;
            }
            first.insert(key.clone(), value.to_owned());
            let Some((name, id)) = indexed(&key) else { continue };
            let Some(name) = name.strip_prefix("world_") else {
                let (key, value) = (entry.key.as_ref().to_owned(), value.to_owned());
                out.ignored.push(IgnoredKey { line: entry.line, offset: entry.offset, key, value });
                continue;
            };
            let world = worlds.entry(id).or_insert_with(|| World::new(id));
            let text = Some(value.to_owned()).filter(|value| !value.is_empty());
            match name {
                "map" => world.map = text,
                "world" => world.terrain = text,
                "palette" => world.palette = text,
                "redbook" => world.redbook = text.is_some().then(|| integer(value)),
                "scapeshift" => world.scape_shift = to_i16(integer(value)),
                "wave" => world.wave = integers(value).first_chunk::<3>().copied(),
                "ambientrgb" => set_color(&mut world.ambient, value),
                "sunrgb" => set_color(&mut world.sun, value),
                "sunangle" => world.sun_angle = integer(value),
                "sunskew" => world.sun_skew = integer(value),
                "back_plane" => world.back_plane = integer(value),
                "ambientfx" => world.ambient_fx = integer(value),
                "fogrgb" => set_color(&mut world.fog, value),
                "skyfx" => world.sky.image = text,
                "skyscale" => world.sky.scale = integer(value),
                "skylevel" => world.sky.level = integer(value),
                "skyspeed" => world.sky.speed = integer(value),
                "sunimg" => world.sky.sun_image = text,
                "sunimgrgb" => set_color(&mut world.sky.sun_color, value),
                "sunscale" => world.sky.sun_scale = integer(value),
                _ => {
                    let number = name.strip_prefix("node_map").and_then(|number| match number {
                        "" => Some(0),
                        number => number.parse().ok(),
                    });
                    if let (Some(number), Some(text)) = (number, text) {
                        nodes.entry(id).or_default().push((number, text));
                    }
                }
            }
        }
        for (id, mut maps) in nodes {
            maps.sort_by_key(|(number, _)| *number);
            if let Some(world) = worlds.get_mut(&id) {
                world.node_maps = maps.into_iter().map(|(_, map)| map).collect();
            }
        }
        out.worlds = worlds.into_values().collect();
        out
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
        self.worlds.iter().find(|world| world.id == id)
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

    /// Converts the worlds to JSON. If the game is known, the files that exist are included.
    pub(super) fn to_json(&self, context: Option<&Context<'_>>) -> Document {
        let world = |it: &World| {
            json!({ "id": it.id, "map": it.map, "world": it.terrain, "palette": it.palette, "wave": it.wave,
                "node_maps": it.node_maps })
        };
        let by_stem = |file: &dyn Fn(&World) -> Option<&str>| {
            let stems: BTreeSet<String> =
                self.worlds.iter().filter_map(file).map(|path| stem_of(path).to_uppercase()).collect();
            Document::object(|out| {
                for stem in &stems {
                    let Some(it) = self.registration(stem, file) else { continue };
                    let on_disk =
                        context.and_then(|context| palette_on_disk(context, it.palette.as_deref()?));
                    let value = json!({ "world": it.world, "alternatives": it.alternatives,
                        "palette": it.palette, "palette_on_disk": on_disk });
                    out.put(stem, &value);
                }
            })
        };
        let ignored = |it: &IgnoredKey| json!([it.line, it.key, it.value]);
        let repeated = |it: &RepeatedKey| json!({ "key": it.key, "first": it.first, "later": it.later });
        Document::object(|out| {
            out.list("worlds", self.worlds.iter().map(world))
                .put("palette_by_rgm", &by_stem(&|world| world.map.as_deref()))
                .put("palette_by_wld", &by_stem(&|world| world.terrain.as_deref()))
                .list("malformed_keys", self.ignored.iter().map(ignored))
                .list("repeated_keys", self.repeated.iter().map(repeated));
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
            push_member(&mut path, &entry.key);
            let map = world.and_then(|world| world.map.as_deref().or(world.terrain.as_deref()));
            let also = map.map(stem_of).unwrap_or_default();
            take(Name { also, ..Name::new(kind, &number, format_args!("{path}")) });
        }
    }
}

/// Sets a color if the value has three numbers.
fn set_color(color: &mut [i32; 3], value: &str) {
    if let Some(numbers) = integers(value).first_chunk::<3>() {
        *color = *numbers;
    }
}

/// Returns the low sixteen bits, which the game uses.
const fn to_i16(number: i32) -> i16 {
    let [low, high, ..] = number.to_le_bytes();
    i16::from_le_bytes([low, high])
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
