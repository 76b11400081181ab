//! A small file of each format, version and encoding, built byte by byte, for golden dumps and fuzzing seeds.

use asset::Sink;
use record::{Bytes, Result};

use super::saved_game::saved_game;
use super::{EVENTS, MATERIALS, ROOMS};
use crate::b3d::{
    Animation, B3d, Bone, Brush, Brushes, Chunk, Key, Keys, Mesh, Node, Sequence, Texture, Textures,
    Triangles, Vertex, VertexForm, Vertices, Weight, blend, fx, texture,
};
use crate::cbmap::{Map, OldMap, Piece, PlacedRoom};
use crate::rmesh::TRAILER;

/// A triangle on the ground, as a Wavefront OBJ file.
const WAVEFRONT: &[u8] =
    b"mtllib plate.mtl\no Plate\nv 0 0 0\nv 256 0 0\nv 0 0 -256\nvt 0 0\nvt 1 0\nvt 0 1\nvn 0 1 0\n\
    usemtl Wall\nf 1/1/1 2/2/1 3/3/1\n";

/// Writes the files, each into a folder named after its format.
///
/// # Errors
/// If the sink fails.
pub fn specimens(sink: &mut dyn Sink) -> Result<()> {
    for (name, bytes) in [
        ("rmesh/plain.rmesh", room("RoomMesh", &[])),
        ("rmesh/trigger-box.rmesh", room("RoomMesh.HasTriggerBox", &trigger_boxes())),
        ("rmesh/rm-0.rm", rm(0)),
        ("rmesh/rm-1.rm", rm(1)),
        ("rmesh/roommesh2.rmesh", roommesh2()),
        ("x/text.x", text_model()),
        ("x/binary-32.x", binary_model(32)),
        ("x/binary-64.x", binary_model(64)),
        ("x/compressed-text.x", compressed(&text_model())),
        ("x/compressed-binary.x", compressed(&binary_model(32))),
        ("b3d/model.b3d", blitz_model().write()?),
        ("3ds/plate.3ds", super::three_ds::model()),
        ("obj/plate.obj", WAVEFRONT.into()),
        ("cbmap/map.cbmap2", map_with_all_grids().write()?),
        ("cbmap/map.cbmap", OldMap { rooms: super::map().rooms }.write()?),
        ("save/save.txt", saved_game().write()?),
        ("npcs/NPCs.ini", "[Guard]\nspeed = 2.0\nscale = 0.29\n[Gaurd]\nspeed = fast\n".into()),
        ("npcbones/NPCBones.ini", BONES.into()),
        ("events/events.ini", EVENTS.into()),
        ("scp294/SCP-294.ini", DRINKS.into()),
        ("chunks/1499chunks.ini", CHUNKS.into()),
        ("achievements/achievementstrings.ini", ACHIEVEMENTS.into()),
        ("loadingscreens/loadingscreens.ini", LOADING_SCREENS.into()),
        ("options/options.ini", OPTIONS.into()),
        ("rooms/rooms.ini", ROOMS.into()),
        ("materials/materials.ini", MATERIALS.into()),
    ] {
        sink.put(name, &bytes)?;
    }
    Ok(())
}

const BONES: &str = "\
[Guard]
head_bonename = Neck
head_controller_max = 1
head_controlleraxis1 = yaw
head_controlleraxis1_min = -60
head_controlleraxis1_inverse = true
";

const DRINKS: &str = "\
; Two drinks.
[Tea|Green Tea]
color = 87,62,45
alpha = 0.9
glow = false
blur = 5.5
[Lava]
color = 255,80
glow = yes
sound = SFX\\lava.ogg
lethal = true
";

const CHUNKS: &str = "\
[general]
count = 1
[chunk0]
count = 0
obj0 = 3
obj0-x = -6
obj0-z = 18
obj0-yaw = RANDOM
obj1 = 2
";

const ACHIEVEMENTS: &str = "[s0]\r\nstring1=Well Read\r\nimage=AchvPage\r\nAchvDesc=Read everything.\r\n";

const LOADING_SCREENS: &str = "\
[The Hall]
image path = hall.png
align x = middle
align y = sideways
text1 = It hums.
disablebackground = true
";

const OPTIONS: &str = "\
[options]
width = 1280
fullscreen = false
mouse sensitivity = 0.0
[audio]
music volume = 0.5
[binds]
Up key = 17
";

/// A map with rooms, a forest and tunnels.
fn map_with_all_grids() -> Map {
    let piece = |name: &str| Piece { x: 1, y: 2, name: name.into(), quarter_turns: 3 };
    let mut map = super::map();
    map.rooms.push(PlacedRoom {
        x: 3,
        y: 4,
        room: "room860".into(),
        quarter_turns: 1,
        event: "room860".into(),
        event_chance: 0.5,
    });
    map.forest = vec![piece("scp-860-1 path"), piece("scp-860-1 bridge")];
    map.tunnels = vec![piece("maintenance tunnel corner")];
    map
}

/// A string in Blitz3D's encoding. All strings are short.
fn string(text: &str) -> Vec<u8> {
    let [low, ..] = text.len().to_le_bytes();
    [&[low, 0, 0, 0], text.as_bytes()].concat()
}

fn floats(values: &[f32]) -> Vec<u8> {
    values.iter().copied().flat_map(f32::to_le_bytes).collect()
}

fn number(number: i32) -> Vec<u8> {
    number.to_le_bytes().to_vec()
}

/// A textured triangle on the floor. Each vertex is followed by `normal`.
fn surface(texture: &str, normal: &[f32]) -> Vec<u8> {
    let vertex = |x: f32, z: f32| {
        let coordinates = floats(&[x, 0.0, z, 0.25, 0.5, 0.0, 0.0]);
        [coordinates, vec![255, 128, 0], floats(normal)].concat()
    };
    let vertices = [vertex(0.0, 0.0), vertex(0.0, 256.0), vertex(256.0, 0.0)].concat();
    let triangle = [0, 1, 2].map(number).concat();
    [vec![1], string(""), vec![1], string(texture), number(3), vertices, number(1), triangle].concat()
}

/// A collision triangle.
fn invisible() -> Vec<u8> {
    let vertices = floats(&[0.0, 0.0, 0.0, 0.0, 0.0, 64.0, 64.0, 0.0, 0.0]);
    [number(3), vertices, number(1), [0, 1, 2].map(number).concat()].concat()
}

fn trigger_boxes() -> Vec<u8> {
    [number(1), number(1), invisible(), string("alarm")].concat()
}

/// The position of all entities.
const POSITION: [f32; 3] = [256.0, 512.0, 768.0];

/// An entity of a class, with the fields after its position.
fn entity(class: &str, rest: &[Vec<u8>]) -> Vec<u8> {
    [string(class), floats(&POSITION), rest.concat()].concat()
}

/// A room of the game, with one entity of each class.
fn room(header: &str, trigger_boxes: &[u8]) -> Vec<u8> {
    let entities = [
        entity("screen", &[string("screen/plan.png")]),
        entity("waypoint", &[]),
        entity("light", &[floats(&[600.0]), string("128 255 255"), floats(&[2.0])]),
        entity(
            "spotlight",
            &[
                floats(&[800.0]),
                string("255 255 255"),
                floats(&[1.5]),
                string("90 0 0"),
                number(35),
                number(45),
            ],
        ),
        entity("soundemitter", &[number(1), floats(&[500.0])]),
        entity("playerstart", &[string("0 45 0")]),
        [string("model"), string("lamp.x"), floats(&POSITION), floats(&[0.0, 90.0, 0.0, 1.0, 2.0, 3.0])]
            .concat(),
    ];
    [
        string(header),
        number(1),
        surface("wall.jpg", &[]),
        number(1),
        invisible(),
        trigger_boxes.to_vec(),
        number(7),
        entities.concat(),
    ]
    .concat()
}

/// A room of the mod Keter Class Edition.
fn rm(version: u8) -> Vec<u8> {
    let rotation = floats(&[0.0, 90.0, 0.0, 50.0, 0.0, 0.5]);
    let buttons: Vec<f32> = (1_u8..=12).map(f32::from).collect();
    let identifier = if version == 0 { Vec::new() } else { number(7) };
    let entities = [
        entity("item", &[string("battery"), vec![1], rotation]),
        entity(
            "door",
            &[
                number(2),
                identifier,
                number(3),
                string("1234"),
                floats(&[90.0]),
                vec![1, 0, 1, 0],
                floats(&buttons),
            ],
        ),
        entity("waypoint", &[]),
        entity("subroom", &[number(512), number(256), number(-1)]),
    ];
    [
        string("RM"),
        vec![version],
        number(1),
        surface("wall.jpg", &[]),
        number(1),
        surface("decal.png", &[]),
        number(1),
        invisible(),
        trigger_boxes(),
        number(4),
        entities.concat(),
    ]
    .concat()
}

/// A room with normals.
fn roommesh2() -> Vec<u8> {
    let rotation_and_scale = || floats(&[0.0, 90.0, 0.0, 1.0, 2.0, 3.0]);
    let light = |color: &str| [floats(&[512.0]), string(color), floats(&[1.5])].concat();
    let entities = [
        entity("light", &[light("255 0 128"), vec![1], floats(&[0.25]), vec![0], vec![0; 128]]),
        entity(
            "spotlight",
            &[light("1 2 3"), vec![0], floats(&[0.0]), vec![1], floats(&[45.0, 90.0, 60.5]), vec![9; 128]],
        ),
        entity("mesh", &[string("lamp"), rotation_and_scale(), vec![1], number(4), string("")]),
        entity("waypoint", &[]),
        entity("save_screen", &[string("monitor.b3d"), rotation_and_scale(), string("save.png")]),
    ];
    [
        string("RoomMesh2"),
        number(1),
        surface("wall.jpg", &[0.0, 0.0, 1.0]),
        number(1),
        invisible(),
        number(5),
        entities.concat(),
        TRAILER.to_vec(),
    ]
    .concat()
}

/// A textured triangle in the text encoding.
fn text_model() -> Vec<u8> {
    b"xof 0303txt 0032\n\
      Frame panel {\n  FrameTransformMatrix { 1;0;0;0; 0;1;0;0; 0;0;1;0; 0;2;0;1;; }\n  Mesh {\n    3;\n    0;0;0;, 0;1;0;, 1;0;0;;\n    1;\n    3;0,1,2;;\n    \
      MeshTextureCoords { 3; 0;1;, 0;0;, 1;1;; }\n    MeshMaterialList {\n      1; 1; 0;;\n      \
      Material paint { 1;1;1;1;; 0;; 0;0;0;; 0;0;0;; TextureFilename { \"panel.png\"; } }\n    }\n  }\n}\n"
        .to_vec()
}

/// Token numbers of the binary encoding.
mod token {
    pub(super) const NAME: u16 = 1;
    pub(super) const INTEGERS: u16 = 6;
    pub(super) const FLOATS: u16 = 7;
    pub(super) const OPEN: u16 = 10;
    pub(super) const CLOSE: u16 = 11;
}

/// A token with a count before its contents.
fn counted(token: u16, count: usize, bytes: &[u8]) -> Vec<u8> {
    let [low, ..] = count.to_le_bytes();
    [&token.to_le_bytes()[..], &[low, 0, 0, 0], bytes].concat()
}

/// A triangle in the binary encoding, with floats of `bits` bits.
fn binary_model(bits: u32) -> Vec<u8> {
    let integers = |numbers: &[i32]| {
        let bytes: Vec<u8> = numbers.iter().copied().flat_map(i32::to_le_bytes).collect();
        counted(token::INTEGERS, numbers.len(), &bytes)
    };
    let floats = |numbers: &[f32]| {
        let bytes: Vec<u8> = match bits {
            64 => numbers.iter().flat_map(|number| f64::from(*number).to_le_bytes()).collect(),
            _ => floats(numbers),
        };
        counted(token::FLOATS, numbers.len(), &bytes)
    };
    [
        format!("xof 0303bin {bits:04}").into_bytes(),
        counted(token::NAME, 4, b"Mesh"),
        counted(token::NAME, 5, b"panel"),
        token::OPEN.to_le_bytes().to_vec(),
        integers(&[3]),
        floats(&[0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 1.0, 0.0, 0.0]),
        integers(&[1, 3, 0, 1, 2]),
        token::CLOSE.to_le_bytes().to_vec(),
    ]
    .concat()
}

/// A file with one MSZIP block, stored without compression.
fn compressed(file: &[u8]) -> Vec<u8> {
    let Some((header, body)) = file.split_at_checked(16) else { return Vec::new() };
    let encoding = if header.ends_with(b"txt 0032") { b"tzip0032" } else { b"bzip0032" };
    let size = |bytes: usize| u16::try_from(bytes).unwrap_or(u16::MAX).to_le_bytes();
    let [low, high] = size(body.len());
    // The last block of a deflate stream, stored: its length, and the complement of its length.
    let stored = [b"CK\x01", &[low, high, !low, !high][..], body].concat();
    let [total_low, total_high] = size(file.len());
    [
        b"xof 0303",
        &encoding[..],
        &[total_low, total_high, 0, 0],
        &[low, high],
        &size(stored.len())[..],
        &stored[..],
    ]
    .concat()
}

/// A triangle with an animated bone.
fn blitz_model() -> B3d {
    let vertex = |x: f32, y: f32| Vertex {
        position: [x, y, 0.0],
        normal: Some([0.0, 0.0, -1.0]),
        color: Some([1.0, 0.5, 0.25, 1.0]),
        coordinates: [x, 1.0 - y].into(),
    };
    let vertices = Vertices {
        flags: VertexForm::NORMALS | VertexForm::COLORS,
        coordinate_sets: 1,
        coordinate_size: 2,
        vertices: vec![vertex(0.0, 0.0), vertex(0.0, 1.0), vertex(1.0, 0.0)],
        rest: Bytes::default(),
    };
    let triangles = Triangles { brush: 0, triangles: vec![[0, 1, 2]], rest: Bytes::default() };
    let mesh = Mesh {
        brush: -1,
        chunks: vec![Chunk::Vertices(Box::new(vertices)), Chunk::Triangles(triangles)],
        rest: Bytes::default(),
    };
    let key = |frame: i32, x: f32| Key {
        frame,
        position: Some([x, 0.0, 0.0]),
        scale: None,
        rotation: Some([1.0, 0.0, 0.0, 0.0]),
    };
    let bone = node(
        "bone",
        vec![
            Chunk::Bone(Bone { weights: vec![Weight { vertex: 1, weight: 1.0 }], rest: Bytes::default() }),
            Chunk::Keys(Keys {
                flags: Keys::POSITIONS | Keys::ROTATIONS,
                keys: vec![key(0, 0.0), key(10, 1.0)],
                rest: Bytes::default(),
            }),
        ],
    );
    let root = node(
        "panel",
        vec![
            Chunk::Mesh(mesh),
            Chunk::Animation(Animation { flags: 0, frames: 10, fps: 25.0, rest: Bytes::default() }),
            Chunk::Sequence(Sequence {
                name: "swing".into(),
                first: 0,
                last: 10,
                unknown: 0,
                rest: Bytes::default(),
            }),
            bone,
        ],
    );
    let texture = Texture {
        file: "panel.png".into(),
        flags: texture::COLOR,
        blend: blend::MULTIPLY,
        position: [0.0; 2],
        scale: [1.0; 2],
        rotation: 0.0,
    };
    let brush = Brush {
        name: "paint".into(),
        color: [1.0; 4],
        shininess: 0.0,
        blend: 0,
        fx: fx::DOUBLE_SIDED,
        textures: vec![0],
    };
    let textures = Chunk::Textures(Textures { textures: vec![texture], rest: Bytes::default() });
    let brushes = Chunk::Brushes(Brushes { texture_count: 1, brushes: vec![brush], rest: Bytes::default() });
    B3d { chunks: vec![textures, brushes, root], ..B3d::new() }
}

fn node(name: &str, chunks: Vec<Chunk>) -> Chunk {
    Chunk::Node(Box::new(Node {
        name: name.into(),
        position: [0.0; 3],
        scale: [1.0; 3],
        rotation: [1.0, 0.0, 0.0, 0.0],
        chunks,
        rest: Bytes::default(),
    }))
}
