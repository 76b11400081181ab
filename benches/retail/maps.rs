//! The maps of the synthetic install, their records, and the worlds that use them.
//!
//! All maps together have as many records as those of a real install. The first one, the island, has 1,691 statics, 600 placements and
//! 300 objects.

use std::fmt::Write;

use antiquary::asset::{FixedText, MemorySink};
use antiquary::record::Result;
use antiquary::redguard::map::assembled::{
    AssembledCommand, AssembledGroup, AssembledMap, AssembledModel, AssembledObject, AssembledSection,
};
use antiquary::redguard::map::{Flat, Light, Map, Placement, Static};
use antiquary::{Sink, redguard};

use super::{FIRST_BANK, FRAMES, MOVING, Random, STILL};

/// Number of maps.
pub const MAPS: usize = 27;
/// Number of outdoor maps, which have a terrain.
const OUTDOORS: usize = 4;
/// Frames in an animation group.
const SHOWN: i32 = 11;
/// Numbers of records on the island.
const ISLAND: Size =
    Size { objects: 300, models: 80, placements: 600, statics: 1691, flats: 200, lights: 300 };
/// Numbers of records in all maps together.
const ALL: Size =
    Size { objects: 1664, models: 1107, placements: 3147, statics: 4161, flats: 956, lights: 1925 };

/// Numbers of records of each kind.
#[derive(Clone, Copy)]
struct Size {
    objects: usize,
    /// Objects with an animated model.
    models: usize,
    placements: usize,
    statics: usize,
    flats: usize,
    lights: usize,
}

impl Size {
    /// Returns the size of a map: the first one is the island, the others have equal shares of the rest.
    fn of(number: usize) -> Self {
        if number == 0 {
            return ISLAND;
        }
        let share = |of: fn(&Self) -> usize| {
            let (left, maps) = (of(&ALL) - of(&ISLAND), MAPS - 1);
            left / maps + usize::from(number - 1 < left % maps)
        };
        Self {
            objects: share(|it| it.objects),
            models: share(|it| it.models),
            placements: share(|it| it.placements),
            statics: share(|it| it.statics),
            flats: share(|it| it.flats),
            lights: share(|it| it.lights),
        }
    }
}

/// Records of the sample map that are copied into the maps.
struct Pattern {
    map: AssembledMap,
    object: AssembledObject,
    placement: Placement,
    fixed: Static,
    flat: Flat,
    light: Light,
}

impl Pattern {
    fn new(map: &Map) -> Self {
        let assembled = map.assemble();
        let objects = assembled.sections.iter().find_map(|section| match section {
            AssembledSection::Objects(it) => it.records.iter().find(|it| it.name.text() == "KEEPER"),
            _ => None,
        });
        Self {
            object: objects.expect("a keeper").clone(),
            placement: map.placements().first().expect("a placement").clone(),
            fixed: map.statics().first().expect("a static").clone(),
            flat: map.flats().first().expect("a flat").clone(),
            light: map.lights().first().expect("a light").clone(),
            map: assembled,
        }
    }
}

/// Writes the maps, their terrains, the script definitions and the list of worlds.
pub(super) fn write(sink: &mut dyn Sink, random: &mut Random) -> Result<()> {
    let mut sample = MemorySink::new();
    redguard::sample::write(&mut sample)?;
    let files = sample.into_files();
    let file = |end: &str| &files.iter().find(|(name, _)| name.ends_with(end)).expect("a file").1;
    let pattern = Pattern::new(&Map::read(file("ISLAND.RGM"))?);
    for number in 0..MAPS {
        sink.put(&format!("maps/MAP{number:05}.RGM"), &map(&pattern, number, random)?)?;
        if number < OUTDOORS {
            sink.put(&format!("maps/MAP{number:05}.WLD"), file("ISLAND.WLD"))?;
        }
    }
    sink.put("soup386/SOUP386.DEF", file("SOUP386.DEF"))?;
    sink.put("WORLD.INI", worlds().as_bytes())
}

/// The list of worlds: one for each map, and two more for other times of day on the island.
fn worlds() -> String {
    let mut text = "[world]\r\nstart_world = 0\r\n".to_owned();
    for number in 0..MAPS + 2 {
        let map = if number < MAPS { number } else { 0 };
        let mut line = |key: &str, value: &str| {
            write!(text, "world_{key}[{number}] = {value}\r\n").expect("text can be written");
        };
        line("map", &format!("MAPS\\MAP{map:05}.RGM"));
        if map < OUTDOORS {
            line("world", &format!("MAPS\\MAP{map:05}.WLD"));
        }
        line("palette", "FXART\\ISLAND.COL");
        line("ambientrgb", "96,96,112");
        line("sunrgb", "160,150,120");
        line("fogrgb", "150,190,230");
    }
    text
}

fn map(pattern: &Pattern, number: usize, random: &mut Random) -> Result<Vec<u8>> {
    let size = Size::of(number);
    let mut assembled = pattern.map.clone();
    for section in &mut assembled.sections {
        match section {
            AssembledSection::Objects(it) => {
                let all = 0..size.objects;
                it.records = all.map(|index| object(pattern, number, index, size)).collect::<Result<_>>()?;
            }
            AssembledSection::Placements(it) => {
                let all = 0..size.placements;
                it.records =
                    all.map(|index| placement(pattern, index, size, random)).collect::<Result<_>>()?;
            }
            AssembledSection::Statics(it) => {
                let all = 0..size.statics;
                it.records = all.map(|index| fixed(pattern, number, index, random)).collect::<Result<_>>()?;
            }
            AssembledSection::Flats(it) => {
                let flat = |id: usize| Flat {
                    id: id as u32,
                    position: position(random),
                    texture: (FIRST_BANK + random.below(400) as u16) << 7 | random.below(12) as u16,
                    ..pattern.flat.clone()
                };
                it.records = (0..size.flats).map(flat).collect();
            }
            AssembledSection::Lights(it) => {
                let light =
                    |id: usize| Light { id: id as u32, position: position(random), ..pattern.light.clone() };
                it.records = (0..size.lights).map(light).collect();
            }
            AssembledSection::Ropes(it) => it.records.clear(),
            _ => {}
        }
    }
    assembled.split()?.write()
}

/// A position in world units.
fn position(random: &mut Random) -> [i32; 3] {
    [4096 + random.below(56_000) as i32, -40, 4096 + random.below(56_000) as i32]
}

/// An object. The first ones are animated; the very first one, the player, has 152 animation groups instead of 4.
fn object(pattern: &Pattern, map: usize, index: usize, size: Size) -> Result<AssembledObject> {
    let name = FixedText::new(&format!("ACTOR{index:03}"))?;
    if index >= size.models {
        return Ok(AssembledObject { name, models: None, animation_groups: None, ..pattern.object.clone() });
    }
    let model = AssembledModel {
        number: Some(0),
        kind: 'c',
        path: format!("fxart\\MOVE{:04}.3DC", (map * 40 + index) % MOVING),
        frame_count: FRAMES as u8,
        face_count: 144,
    };
    let groups = if index == 0 { 152 } else { 4 };
    Ok(AssembledObject {
        name,
        frame_count: FRAMES as u32,
        most_group: groups - 1,
        models: Some(vec![model]),
        animation_groups: Some((0..groups).map(group).collect()),
        ..pattern.object.clone()
    })
}

fn group(number: i32) -> AssembledGroup {
    let show = |step: i32| AssembledCommand::Known(0, vec![0, (number * 7 + step) % FRAMES as i32]);
    let commands = (0..SHOWN).map(show).chain([AssembledCommand::Known(1, vec![0])]).collect();
    AssembledGroup { number: number as u16, animation: 2, kind: 0, commands }
}

/// A placement: one for each animated object, and the others with static models.
fn placement(pattern: &Pattern, index: usize, size: Size, random: &mut Random) -> Result<Placement> {
    let (object, model) = if index < size.models {
        (index, String::new())
    } else {
        (size.models + index % (size.objects - size.models), format!("STILL{:03}", index % STILL))
    };
    Ok(Placement {
        id: index as u32,
        object: FixedText::new(&format!("ACTOR{object:03}"))?,
        model: FixedText::new(&model)?,
        position: position(random).map(|number| number * 256),
        ..pattern.placement.clone()
    })
}

/// A static of one of the models in the archive of the map.
fn fixed(pattern: &Pattern, map: usize, index: usize, random: &mut Random) -> Result<Static> {
    let model = 30 + index % 110;
    Ok(Static {
        id: index as u32,
        model: FixedText::new(&format!("S{map:02}_{model:03}"))?,
        position: position(random),
        ..pattern.fixed.clone()
    })
}
