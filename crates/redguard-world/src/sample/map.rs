//! The map of the island: the keeper, who walks and looks around, and the objects around him.

use asset::FixedText;
use record::{Raw, Result};

use super::flag::STEPS;
use super::script::script_of;
use crate::axes::MAP_ORIGIN_Z;
use crate::map::assembled::{
    AssembledCommand, AssembledGroup, AssembledHook, AssembledMap, AssembledModel, AssembledObject,
    AssembledSection, AttributeMap, HookArgument,
};
use crate::map::{
    DrawMode, Extra, Flat, Light, Marker, Placement, Rope, Route, Size, Static, WalkMap, WalkNode,
};
use crate::terrain::Grid;

/// Position of the landing on the eastern shore, in world units: X, Y (down), Z.
const MIDDLE: [i32; 3] = [54_272, -40, 32_768];

/// First vertex of the lower edge of the keeper's right forearm, the eighth part of eight vertices each.
const RIGHT_HAND: i16 = 7 * 8 + 2;

/// A lower corner of the keeper's chest, the first part.
const BELT: i16 = 2;

/// Numbers of animation groups.
const PANIC: u16 = 0;
const IDLE: u16 = 1;
const GUST: u16 = 10;

fn name<const N: usize>(text: &str) -> FixedText<N> {
    FixedText::new(text).unwrap_or_default()
}

/// A position on the ground or the water, relative to the landing.
fn on_ground(grid: &Grid, x: i32, z: i32) -> [i32; 3] {
    let [a, _, c] = at(x, 0, z);
    let (down, rest) = ((MAP_ORIGIN_Z - c) / 256, (MAP_ORIGIN_Z - c) % 256);
    let height = |right: i32, below: i32| {
        let corner = |number: i32| usize::try_from(number).unwrap_or_default();
        grid.height(corner(a / 256 + right), corner(down + below))
    };
    let mix = |from: i32, to: i32, part: i32| from + (to - from) * part / 256;
    let row = |below: i32| mix(height(0, below), height(1, below), a % 256);
    [a, -mix(row(0), row(1), rest), c]
}

/// A position in world units, relative to the landing.
fn at(x: i32, y: i32, z: i32) -> [i32; 3] {
    let [a, b, c] = MIDDLE;
    [a + x, b + y, c + z]
}

/// Converts a position to 256ths, the unit of placements, ropes and locations.
fn in_256ths(position: [i32; 3]) -> [i32; 3] {
    position.map(|number| number * 256)
}

fn object(text: &str) -> AssembledObject {
    AssembledObject {
        alias: Some(text.to_lowercase()),
        extra: Some(no_attachments()),
        ..AssembledObject::new(name(text))
    }
}

const fn no_attachments() -> Extra {
    Extra {
        grip0: 0,
        grip1: 0,
        scabbard0: 0,
        scabbard1: 0,
        frame_count: 0,
        texture_set: 0,
        contact_vertex: 0,
        contact_radius: 0,
        taunt: 0,
        sphere_scale: 0,
        stat: -1,
        unknown_16: 0,
        range_min: 0,
        range_ideal: 0,
        range_max: 0,
    }
}

/// The keeper, who walks in the 12 frames after the first.
fn keeper() -> AssembledObject {
    let show = |frame| AssembledCommand::Known(0, vec![0, frame]);
    let start = AssembledCommand::Target(0, Box::new(show(1)));
    let steps = std::iter::once(start).chain((2..=12).map(show));
    let walk = steps.chain([AssembledCommand::Known(4, vec![1, 0]), AssembledCommand::Known(2, vec![0])]);
    let idle = vec![show(0), AssembledCommand::Known(5, vec![0]), AssembledCommand::Known(1, vec![0])];
    let group = |number, kind, commands| AssembledGroup { number, animation: 2, kind, commands };
    let model = AssembledModel {
        number: Some(0),
        kind: 'c',
        path: "fxart\\walker01.3d".to_owned(),
        frame_count: 13,
        face_count: 90,
    };
    AssembledObject {
        is_actor: 1,
        size: 0,
        frame_count: 13,
        most_group: i32::from(IDLE),
        attributes: Some(AttributeMap([(1, 13), (3, 100), (9, 4)].into())),
        models: Some(vec![model]),
        animation_groups: Some(vec![group(PANIC, 0, idle), group(IDLE, 1, walk.collect())]),
        texts: Some(vec!["lamp".to_owned(), "barrel".to_owned()]),
        hook: Some(AssembledHook { function: 19, arguments: Vec::<HookArgument>::new() }),
        locations: Some(vec![in_256ths([0, 0, 200]), in_256ths([160, 0, 200])]),
        extra: Some(Extra {
            grip0: RIGHT_HAND,
            grip1: RIGHT_HAND + 1,
            scabbard0: BELT,
            scabbard1: BELT + 4,
            frame_count: 13,
            ..no_attachments()
        }),
        ..object("KEEPER")
    }
}

/// A flag that waves gently or wildly, controlled by its script.
fn flag() -> AssembledObject {
    let show = |frame| AssembledCommand::Known(0, vec![0, frame]);
    // Repeats until another group is queued or the repetitions are over.
    let waves = |first: i32| {
        let start = AssembledCommand::Target(0, Box::new(show(first)));
        let frames = std::iter::once(start).chain((1..STEPS).map(|step| show(first + step)));
        let leave = STEPS + 2;
        let end = AssembledCommand::Target(leave, Box::new(AssembledCommand::Known(1, vec![0])));
        frames
            .chain([AssembledCommand::Known(3, vec![leave]), AssembledCommand::Known(2, vec![0]), end])
            .collect()
    };
    let group = |number, commands| AssembledGroup { number, animation: 1, kind: 0, commands };
    let model = AssembledModel {
        number: Some(0),
        kind: 'c',
        path: "fxart\\flag01.3d".to_owned(),
        frame_count: 17,
        face_count: 30,
    };
    AssembledObject {
        frame_count: 17,
        most_group: i32::from(GUST),
        attributes: Some(AttributeMap::default()),
        models: Some(vec![model]),
        animation_groups: Some(vec![group(IDLE, waves(1)), group(GUST, waves(1 + STEPS))]),
        ..object("FLAG2")
    }
}

fn placement(text: &str, id: u32, position: [i32; 3], turn: i32, variables: &[i32]) -> Placement {
    Placement {
        id,
        kind: 1,
        is_active: 1,
        object: name(text),
        model: FixedText::default(),
        has_mesh: 1,
        position: in_256ths(position),
        angles: [0, turn, 0],
        texture: 0,
        intensity: 0,
        radius: 0,
        mesh_slot: 0,
        world: 1,
        color: [0; 3],
        variables: (!variables.is_empty()).then(|| variables.to_vec()),
    }
}

fn static_model(model: &str, id: u32, position: [i32; 3], scale: [i32; 3]) -> Static {
    const ONE: i32 = 1 << 28;
    let [x, y, z] = scale;
    Static {
        id,
        model: name(model),
        position,
        matrix: [x * ONE, 0, 0, 0, y * ONE, 0, 0, 0, z * ONE],
        unknown_40: 0,
    }
}

/// Rotates a static model by a quarter turn: forward becomes right.
fn rotated(model: &Static) -> Static {
    let [x, _, _, _, y, _, _, _, z] = model.matrix;
    Static { matrix: [0, 0, x, 0, y, 0, -z, 0, 0], ..model.clone() }
}

/// Static models around the landing.
fn statics() -> Vec<Static> {
    let grid = Grid::of(&super::terrain::island());
    let ground = |x, z| on_ground(&grid, x, z);
    let one = [1, 1, 1];
    let palms = [(-60, -190), (130, -260), (60, 230), (-260, -140), (200, 150), (-330, 120)];
    let palms = (1010..).zip(palms).map(|(id, (x, z))| {
        let palm = static_model("PALMTR01", id, ground(x, z), one);
        if id % 2 == 0 { rotated(&palm) } else { palm }
    });
    let mut out = vec![
        static_model("CRATE01", 1000, ground(200, -40), one),
        // Half a turn around the vertical axis.
        static_model("CRATE01", 1001, ground(200, 20), [-1, 1, -1]),
        static_model("FERN01", 1002, ground(-150, 90), one),
        static_model("FERN01", 1003, ground(-120, 110), one),
        static_model("HUT01", 1004, ground(-180, 200), one),
        static_model("LANTRN01", 1005, ground(-60, 14), one),
        rotated(&static_model("BRIDGE01", 1006, at(760, 0, 60), one)),
        rotated(&static_model("BOAT01", 1007, at(1040, 46, 190), one)),
    ];
    out.extend(palms);
    out
}

fn light(id: u32, position: [i32; 3], color: [i16; 3]) -> Light {
    Light {
        id,
        world: 1,
        position,
        radius: 300,
        unknown_16: 0,
        color,
        unknown_1e: 0,
        is_active: 1,
        unknown_20: Raw([0; 10]),
    }
}

fn walk_map() -> WalkMap {
    let positions = [at(0, 0, 0), at(0, 0, 200), at(160, 0, 200)];
    let routes: [&[(u16, u16)]; 3] = [&[(1, 200)], &[(0, 200), (2, 160)], &[(1, 160)]];
    let node = |(position, routes): ([i32; 3], &[(u16, u16)])| WalkNode {
        number: None,
        length: None,
        position,
        unknown_0a: 0,
        routes: routes.iter().map(|(target, cost)| Route { target: *target, cost: *cost }).collect(),
    };
    let nodes = positions.into_iter().zip(routes).map(node).collect();
    WalkMap { length: None, node_count: None, position: MIDDLE, radius: 400, nodes }
}

/// Adds the scripts of objects.
fn with_scripts(mut objects: Vec<AssembledObject>) -> Result<Vec<AssembledObject>> {
    for object in &mut objects {
        let texts = object.texts.as_deref().unwrap_or_default();
        object.script = Some(script_of(&object.name.text(), texts)?.into());
    }
    Ok(objects)
}

fn objects() -> Vec<AssembledObject> {
    let model = |path: &str| AssembledModel {
        number: Some(0),
        kind: 's',
        path: path.to_owned(),
        frame_count: 0,
        face_count: 34,
    };
    let barrel =
        AssembledObject { models: Some(vec![model("fxart\\barrel01.3d")]), size: 1, ..object("BARREL") };
    let hook = |function| Some(AssembledHook { function, arguments: Vec::new() });
    vec![
        AssembledObject { is_actor: 1, hook: hook(11), ..object("CYRUS") },
        AssembledObject { hook: hook(19), ..object("CAMERA") },
        AssembledObject { hook: None, ..keeper() },
        barrel,
        object("LAMP"),
        flag(),
    ]
}

fn size(width: i32, height: i32) -> Size {
    let half = [width / 2, height, width / 2];
    Size {
        unknown_00: 0,
        extent: [width, height, width],
        centre: [0; 3],
        positive: [width / 2, 0, width / 2],
        negative: half,
        number: None,
    }
}

/// Builds the map.
pub(super) fn island() -> Result<Vec<u8>> {
    let mut map = AssembledMap::new(with_scripts(objects())?);
    for section in &mut map.sections {
        match section {
            AssembledSection::Placements(it) => {
                it.records = vec![
                    placement("KEEPER", 1, at(0, 0, 0), 512, &[3, 0, -1]),
                    placement("BARREL", 2, at(120, 0, 40), 0, &[]),
                    placement("BARREL", 3, at(150, 0, 60), 300, &[]),
                    Placement {
                        kind: 4,
                        intensity: 200,
                        radius: 250,
                        color: [255, 200, 120],
                        ..placement("LAMP", 4, at(-60, -80, 0), 0, &[1])
                    },
                    placement(
                        "FLAG2",
                        5,
                        on_ground(&Grid::of(&super::terrain::island()), 90, -120),
                        256,
                        &[],
                    ),
                ];
            }
            AssembledSection::Statics(it) => it.records = statics(),
            AssembledSection::Ropes(it) => {
                it.records = vec![Rope {
                    id: 5000,
                    position: in_256ths(at(165, -118, -260)),
                    angle: 256,
                    kind: 16,
                    swing: 40,
                    speed: 60,
                    links: 6,
                    end_model: name("CRATE01"),
                    link_model: name("ROPE01"),
                    sounds: [0; 3],
                    unknown_40: Raw([0; 16]),
                }];
            }
            AssembledSection::Lights(it) => {
                it.records = vec![
                    light(6000, at(-60, -50, 0), [255, 180, 90]),
                    light(6001, at(200, -20, 0), [-40, -40, -20]),
                ];
            }
            AssembledSection::Flats(it) => {
                it.records = vec![Flat {
                    id: 7000,
                    unknown_04: 0,
                    position: at(70, -30, 100),
                    texture: 352 << 7 | 1,
                    unknown_16: 0,
                }];
            }
            AssembledSection::Markers(it) => {
                let marker = |position| Marker { position, flag: 1 };
                it.records = vec![marker(at(0, 0, -300)), marker(at(0, 0, 300))];
            }
            AssembledSection::Sizes(it) => it.records = vec![size(16, 40), size(24, 30)],
            AssembledSection::WalkMaps(it) => it.records = vec![walk_map()],
            AssembledSection::DrawModes(it) => {
                it.records = vec![DrawMode { texture_set: 352, image: 1, flags: 2, alpha: 200 }];
            }
            _ => {}
        }
    }
    map.split()?.write()
}

/// A map with one object and one record of each other kind.
pub(super) fn specimen() -> Result<Vec<u8>> {
    let commands = vec![AssembledCommand::Known(0, vec![0, 1]), AssembledCommand::Known(1, vec![0])];
    let keeper = AssembledObject {
        animation_groups: Some(vec![AssembledGroup { number: IDLE, animation: 2, kind: 0, commands }]),
        hook: Some(AssembledHook { function: 11, arguments: Vec::new() }),
        locations: None,
        ..keeper()
    };
    let mut map = AssembledMap::new(with_scripts(vec![keeper])?);
    map.sections
        .retain(|section| !matches!(section, AssembledSection::Ropes(_) | AssembledSection::Lights(_)));
    for section in &mut map.sections {
        match section {
            AssembledSection::Placements(it) => {
                it.records = vec![placement("KEEPER", 1, MIDDLE, 512, &[7, 0])];
            }
            AssembledSection::Statics(it) => it.records = vec![static_model("CRATE01", 2, MIDDLE, [1, 1, 1])],
            AssembledSection::Markers(it) => it.records = vec![Marker { position: MIDDLE, flag: 1 }],
            AssembledSection::DrawModes(it) => {
                it.records = vec![DrawMode { texture_set: 302, image: 0, flags: 2, alpha: 99 }];
            }
            _ => {}
        }
    }
    map.split()?.write()
}
