//! The maps of the made-up install, what stands in them, and the worlds that name them.
//!
//! All maps together have as much as those of real installs: 1,691 statics, 600 placements and 300 objects stand on the first, the island.

use std::fmt::Write;

use antiquary::asset::{FixedText, MemorySink};
use antiquary::record::Result;
use antiquary::redguard::map::whole::{
    WholeCommand, WholeGroup, WholeMap, WholeModel, WholeObject, WholeSection,
};
use antiquary::redguard::map::{Flat, Light, Map, Placement, Static};
use antiquary::{Sink, redguard};

use super::{Dice, FIRST_BANK, FRAMES, MOVING, STILL};

/// Maps.
pub const MAPS: usize = 27;
/// Maps that lie under the sky, on a terrain.
const OUTDOORS: usize = 4;
/// Frames that a group of animation shows.
const SHOWN: i32 = 11;
/// What stands on the island.
const ISLAND: Size =
    Size { objects: 300, models: 80, placements: 600, statics: 1691, flats: 200, lights: 300 };
/// What stands in all maps.
const ALL: Size =
    Size { objects: 1664, models: 1107, placements: 3147, statics: 4161, flats: 956, lights: 1925 };

/// How much there is of everything.
#[derive(Clone, Copy)]
struct Size {
    objects: usize,
    /// Objects with a model that moves.
    models: usize,
    placements: usize,
    statics: usize,
    flats: usize,
    lights: usize,
}

impl Size {
    /// Of the map with this number: the first one is the island, the others share what it leaves.
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

/// Records of the sample's map, of which those of the maps are copies.
struct Pattern {
    map: WholeMap,
    object: WholeObject,
    placement: Placement,
    fixed: Static,
    flat: Flat,
    light: Light,
}

impl Pattern {
    fn new(map: &Map) -> Self {
        let whole = map.whole();
        let objects = whole.sections.iter().find_map(|section| match section {
            WholeSection::Objects(it) => it.records.iter().find(|it| it.name.text() == "KEEPER"),
            _ => None,
        });
        Self {
            object: objects.expect("a keeper").clone(),
            placement: map.placements().first().expect("a placement").clone(),
            fixed: map.statics().first().expect("a static").clone(),
            flat: map.flats().first().expect("a flat").clone(),
            light: map.lights().first().expect("a light").clone(),
            map: whole,
        }
    }
}

/// Writes the maps, their terrains and what names them.
pub(super) fn write(sink: &mut dyn Sink, dice: &mut Dice) -> Result<()> {
    let mut sample = MemorySink::new();
    redguard::sample::write(&mut sample)?;
    let files = sample.into_files();
    let file = |end: &str| &files.iter().find(|(name, _)| name.ends_with(end)).expect("a file").1;
    let pattern = Pattern::new(&Map::read(file("ISLAND.RGM"))?);
    for number in 0..MAPS {
        sink.put(&format!("maps/MAP{number:05}.RGM"), &map(&pattern, number, dice)?)?;
        if number < OUTDOORS {
            sink.put(&format!("maps/MAP{number:05}.WLD"), file("ISLAND.WLD"))?;
        }
    }
    sink.put("soup386/SOUP386.DEF", file("SOUP386.DEF"))?;
    sink.put("WORLD.INI", worlds().as_bytes())
}

/// The worlds: one for each map, and two more times of day of the island.
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

fn map(pattern: &Pattern, number: usize, dice: &mut Dice) -> Result<Vec<u8>> {
    let size = Size::of(number);
    let mut whole = pattern.map.clone();
    for section in &mut whole.sections {
        match section {
            WholeSection::Objects(it) => {
                let all = 0..size.objects;
                it.records = all.map(|index| object(pattern, number, index, size)).collect::<Result<_>>()?;
            }
            WholeSection::Placements(it) => {
                let all = 0..size.placements;
                it.records = all.map(|index| placement(pattern, index, size, dice)).collect::<Result<_>>()?;
            }
            WholeSection::Statics(it) => {
                let all = 0..size.statics;
                it.records = all.map(|index| fixed(pattern, number, index, dice)).collect::<Result<_>>()?;
            }
            WholeSection::Flats(it) => {
                let flat = |id: usize| Flat {
                    id: id as u32,
                    position: place(dice),
                    texture: (FIRST_BANK + dice.roll(400) as u16) << 7 | dice.roll(12) as u16,
                    ..pattern.flat.clone()
                };
                it.records = (0..size.flats).map(flat).collect();
            }
            WholeSection::Lights(it) => {
                let light =
                    |id: usize| Light { id: id as u32, position: place(dice), ..pattern.light.clone() };
                it.records = (0..size.lights).map(light).collect();
            }
            WholeSection::Ropes(it) => it.records.clear(),
            _ => {}
        }
    }
    whole.spread()?.write()
}

/// A place in world units.
fn place(dice: &mut Dice) -> [i32; 3] {
    [4096 + dice.roll(56_000) as i32, -40, 4096 + dice.roll(56_000) as i32]
}

/// An object: the first ones move, the player first of all, who has half of all groups.
fn object(pattern: &Pattern, map: usize, index: usize, size: Size) -> Result<WholeObject> {
    let name = FixedText::new(&format!("ACTOR{index:03}"))?;
    if index >= size.models {
        return Ok(WholeObject { name, models: None, animation_groups: None, ..pattern.object.clone() });
    }
    let model = WholeModel {
        number: Some(0),
        kind: 'c',
        path: format!("fxart\\MOVE{:04}.3DC", (map * 40 + index) % MOVING),
        frame_count: FRAMES as u8,
        face_count: 144,
    };
    let groups = if index == 0 { 152 } else { 4 };
    Ok(WholeObject {
        name,
        frame_count: FRAMES as u32,
        most_group: groups - 1,
        models: Some(vec![model]),
        animation_groups: Some((0..groups).map(group).collect()),
        ..pattern.object.clone()
    })
}

fn group(number: i32) -> WholeGroup {
    let show = |step: i32| WholeCommand::Known(0, vec![0, (number * 7 + step) % FRAMES as i32]);
    let commands = (0..SHOWN).map(show).chain([WholeCommand::Known(1, vec![0])]).collect();
    WholeGroup { number: number as u16, animation: 2, kind: 0, commands }
}

/// A placement: each object that moves stands once, and all others are models that only stand there.
fn placement(pattern: &Pattern, index: usize, size: Size, dice: &mut Dice) -> Result<Placement> {
    let (object, model) = if index < size.models {
        (index, String::new())
    } else {
        (size.models + index % (size.objects - size.models), format!("STILL{:03}", index % STILL))
    };
    Ok(Placement {
        id: index as u32,
        object: FixedText::new(&format!("ACTOR{object:03}"))?,
        model: FixedText::new(&model)?,
        position: place(dice).map(|number| number * 256),
        ..pattern.placement.clone()
    })
}

/// A static of one of the models in the archive of the map.
fn fixed(pattern: &Pattern, map: usize, index: usize, dice: &mut Dice) -> Result<Static> {
    let model = 30 + index % 110;
    Ok(Static {
        id: index as u32,
        model: FixedText::new(&format!("S{map:02}_{model:03}"))?,
        position: place(dice),
        ..pattern.fixed.clone()
    })
}
