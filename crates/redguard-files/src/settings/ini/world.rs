//! WORLD.INI: which map, terrain and palette belong together.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use asset::{Context, Found};
use json::{Document, json};
use media::ini::Ini;

use super::value::{indexed, integer, integers};

/// A world of the game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct World {
    /// Its number.
    pub id: u32,
    /// Its map, from the folder of the game on: `MAPS\ISLAND.rgm`.
    pub map: Option<String>,
    /// Its terrain.
    pub terrain: Option<String>,
    /// Its palette. Where the folder `3dart` lacks it, the game takes the one in `fxart`.
    pub palette: Option<String>,
    /// How its water moves: amplitude, speed and frequency.
    pub wave: Option<[i32; 3]>,
    /// How far its terrain is moved down, in world units.
    pub scape_shift: i16,
    /// The light that is everywhere: red, green and blue.
    pub ambient: [i32; 3],
    /// What the sun adds where it shines straight. The game reads three of the four numbers.
    pub sun: [i32; 3],
    /// How high the sun stands, 2048 for a turn.
    pub sun_angle: i32,
    /// How far it is turned to the side, 2048 for a turn.
    pub sun_skew: i32,
    /// Nothing farther is drawn, in world units; 0 for what the game has.
    pub back_plane: i32,
    /// The light of sprites and effects; 0 for what the game has.
    pub ambient_fx: i32,
    /// The color of fog and of the background: red, green and blue.
    pub fog: [i32; 3],
    /// Its sky.
    pub sky: SkyKeys,
    /// Its maps of nodes, which no shipped game has.
    pub node_maps: Vec<String>,
}

/// What a world says of its sky and its sun.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SkyKeys {
    /// The image of the sky, which moves; without it there is no sky.
    pub image: Option<String>,
    /// How many texels of it 65,000 world units have; 0 for what the game has.
    pub scale: i32,
    /// Its height in world units, Y down; 0 for what the game has.
    pub level: i32,
    /// Its speed: the game takes the low byte, in 16ths of a texel per tick.
    pub speed: i32,
    /// The image of the sun; without it there is none.
    pub sun_image: Option<String>,
    /// The color of the sun: red, green and blue.
    pub sun_color: [i32; 3],
    /// The size of the sun in hundredths; 0 for what the game has.
    pub sun_scale: i32,
}

impl SkyKeys {
    /// A sky of which nothing is said.
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

    /// The color of the sun in 8 bits per channel; numbers beyond are clamped.
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
    /// A world of which nothing is said.
    #[must_use]
    pub const fn new(id: u32) -> Self {
        Self {
            id,
            map: None,
            terrain: None,
            palette: None,
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

/// What a map or terrain is registered as.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Registration {
    /// The world that counts: the first one.
    pub world: u32,
    /// The others.
    pub alternatives: Vec<u32>,
    /// The palette of the world.
    pub palette: Option<String>,
}

/// A key that the game does not look at, because it does not start with `world_`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IgnoredKey {
    /// The number of its line, from 1 on.
    pub line: usize,
    /// The offset of its line.
    pub offset: u64,
    /// The key.
    pub key: String,
    /// Its value.
    pub value: String,
}

/// A key that stands there twice; the first one counts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RepeatedKey {
    /// The key in lower case.
    pub key: String,
    /// The value that counts.
    pub first: String,
    /// One that does not.
    pub later: String,
    /// The offset of the line that does not count.
    pub offset: u64,
}

/// The worlds of a game.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Worlds {
    /// The worlds by their numbers.
    pub worlds: Vec<World>,
    /// Keys that the game ignores.
    pub ignored: Vec<IgnoredKey>,
    /// Keys that repeat.
    pub repeated: Vec<RepeatedKey>,
}

/// The folders in which palettes are.
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

    /// The worlds of the game around a file, read once for all that ask.
    #[must_use]
    pub fn of_game(context: &Context<'_>) -> Option<Arc<Self>> {
        let found = context.install.find("WORLD.INI").found()?;
        let read = || {
            let ini = super::of_game(context, "WORLD.INI")
                .ok_or_else(|| record::Error::malformed("no settings"))?;
            let size = context.install.open(&found.location)?.len();
            Ok((Self::read(&ini), usize::try_from(size).unwrap_or(usize::MAX)))
        };
        context.install.decoded(&found.location, "worlds", read).ok()
    }

    /// A world by its number.
    #[must_use]
    pub fn get(&self, id: u32) -> Option<&World> {
        self.worlds.iter().find(|world| world.id == id)
    }

    /// What the map of this name, without folders and extension, is registered as.
    #[must_use]
    pub fn of_map(&self, stem: &str) -> Option<Registration> {
        self.registration(stem, |world| world.map.as_deref())
    }

    /// What the terrain of this name, without folders and extension, is registered as.
    #[must_use]
    pub fn of_terrain(&self, stem: &str) -> Option<Registration> {
        self.registration(stem, |world| world.terrain.as_deref())
    }

    /// The first world whose sun has the image of this name, without folders and extension.
    #[must_use]
    pub fn of_sun(&self, stem: &str) -> Option<&World> {
        let is_it = |path: &str| stem_of(path).eq_ignore_ascii_case(stem);
        self.worlds.iter().find(|world| world.sky.sun_image.as_deref().is_some_and(is_it))
    }

    fn registration(&self, stem: &str, file: impl Fn(&World) -> Option<&str>) -> Option<Registration> {
        let is_it = |world: &&World| file(world).is_some_and(|path| stem_of(path).eq_ignore_ascii_case(stem));
        let mut found = self.worlds.iter().filter(is_it);
        let world = found.next()?;
        let alternatives = found.map(|world| world.id).collect();
        Some(Registration { world: world.id, alternatives, palette: world.palette.clone() })
    }

    /// What they say, with the files that are there where the game around is known.
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

/// A color where there are three numbers.
fn set_color(color: &mut [i32; 3], value: &str) {
    if let Some(numbers) = integers(value).first_chunk::<3>() {
        *color = *numbers;
    }
}

/// The low sixteen bits, as the game takes them.
const fn to_i16(number: i32) -> i16 {
    let [low, high, ..] = number.to_le_bytes();
    i16::from_le_bytes([low, high])
}

/// A file of the game by its path, in any letter case.
#[must_use]
pub fn find(context: &Context<'_>, path: &str) -> Option<Found> {
    context.install.find(&path.replace('\\', "/")).found()
}

/// A palette that WORLD.INI names: as it says, else in the folders of either renderer.
#[must_use]
pub fn find_palette(context: &Context<'_>, path: &str) -> Option<Found> {
    let name = path.rsplit(['\\', '/']).next().unwrap_or(path);
    find(context, path).or_else(|| ART.iter().find_map(|folder| find(context, &format!("{folder}/{name}"))))
}

fn palette_on_disk(context: &Context<'_>, path: &str) -> Option<String> {
    find_palette(context, path).map(|found| found.location.path().to_string())
}

/// The name of a file without its folders and extension.
#[must_use]
pub fn stem_of(path: &str) -> &str {
    let name = path.rsplit(['\\', '/']).next().unwrap_or(path);
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}
