//! The hall: a room of eight meters with two pillars, a bench, a crate, a glass pane and a sign.
//!
//! Every face is a rectangle with a top left corner, a direction to the right and a direction down; its front faces along
//! `right x down`. Game units, left-handed.

use glam::Vec3;
use scene::color::linear_to_srgb;
use scene::image::Rgba8;

use super::canvas::{chance, clouds, is_ink, paint};
use super::light::{Block, Lamp, Lighting, as_float};
use super::{lampshade, plant};
use crate::rmesh::{
    Entity, Header, InvisibleSurface, Light, Model, PlayerStart, RMesh, Screen, SoundEmitter, Spotlight,
    Surface, TextureKind, TextureSlot, TriggerBox, Vertex, Waypoint,
};

const METER: f32 = 256.0;
/// Half the hall's width, and the hall's height.
const HALF: f32 = 4.0 * METER;
const HEIGHT: f32 = 3.0 * METER;

/// Width and height of the lightmap in pixels, and its pixels per meter.
const LIGHTMAP: u32 = 512;
const DENSITY: f32 = 20.0;
/// Margin in pixels around each rectangle, which prevents bleeding from neighbors.
const MARGIN: u32 = 2;

const LAMPS: [Lamp; 3] = [
    Lamp {
        at: Vec3::new(-512.0, 690.0, -384.0),
        color: Vec3::new(1.05, 0.92, 0.70),
        reach: 420.0,
        radius: 40.0,
    },
    Lamp {
        at: Vec3::new(512.0, 690.0, 320.0),
        color: Vec3::new(1.05, 0.92, 0.70),
        reach: 420.0,
        radius: 40.0,
    },
    Lamp { at: Vec3::new(0.0, 360.0, 930.0), color: Vec3::new(0.35, 0.65, 1.1), reach: 280.0, radius: 24.0 },
];

/// The room, and its images with their paths.
pub(super) struct Hall {
    pub(super) room: RMesh,
    pub(super) pictures: Vec<(String, Rgba8)>,
}

/// A rectangular face.
#[derive(Debug, Clone, Copy)]
struct Face {
    corner: Vec3,
    right: Vec3,
    down: Vec3,
}

impl Face {
    fn new(corner: [f32; 3], right: [f32; 3], down: [f32; 3]) -> Self {
        Self { corner: corner.into(), right: right.into(), down: down.into() }
    }

    fn normal(&self) -> Vec3 {
        self.right.cross(self.down).normalize_or_zero()
    }

    fn at(&self, across: f32, along: f32) -> Vec3 {
        self.corner + self.right * across + self.down * along
    }
}

/// The outer faces of a box: front, back, left, right, top.
fn block_faces(block: &Block) -> [Face; 5] {
    let (low, high) = (block.low, block.high);
    let size = high - low;
    let down = [0.0, -size.y, 0.0];
    [
        Face::new([low.x, high.y, low.z], [size.x, 0.0, 0.0], down),
        Face::new([high.x, high.y, high.z], [-size.x, 0.0, 0.0], down),
        Face::new([low.x, high.y, high.z], [0.0, 0.0, -size.z], down),
        Face::new([high.x, high.y, low.z], [0.0, 0.0, size.z], down),
        Face::new([low.x, high.y, high.z], [size.x, 0.0, 0.0], [0.0, 0.0, -size.z]),
    ]
}

fn block(low: [f32; 3], high: [f32; 3]) -> Block {
    Block { low: low.into(), high: high.into() }
}

fn pillars_and_bench() -> [Block; 3] {
    [
        block([-704.0, 0.0, 320.0], [-512.0, HEIGHT, 512.0]),
        block([320.0, 0.0, -640.0], [512.0, HEIGHT, -448.0]),
        block([-192.0, 0.0, 704.0], [576.0, 112.0, 896.0]),
    ]
}

fn crate_block() -> Block {
    block([-160.0, 0.0, -96.0], [32.0, 192.0, 96.0])
}

/// The inner faces of the walls.
fn walls() -> [Face; 4] {
    let (wide, down) = (2.0 * HALF, [0.0, -HEIGHT, 0.0]);
    [
        Face::new([-HALF, HEIGHT, HALF], [wide, 0.0, 0.0], down),
        Face::new([HALF, HEIGHT, -HALF], [-wide, 0.0, 0.0], down),
        Face::new([-HALF, HEIGHT, -HALF], [0.0, 0.0, wide], down),
        Face::new([HALF, HEIGHT, HALF], [0.0, 0.0, -wide], down),
    ]
}

fn floor() -> Face {
    Face::new([-HALF, 0.0, HALF], [2.0 * HALF, 0.0, 0.0], [0.0, 0.0, -2.0 * HALF])
}

fn ceiling() -> Face {
    Face::new([-HALF, HEIGHT, -HALF], [2.0 * HALF, 0.0, 0.0], [0.0, 0.0, 2.0 * HALF])
}

fn sign() -> Face {
    Face::new([-448.0, 560.0, HALF - 6.0], [896.0, 0.0, 0.0], [0.0, -160.0, 0.0])
}

/// The lightmap, with rectangles packed row by row and the light computed for each pixel.
struct Lightmap<'a> {
    lighting: &'a Lighting<'a>,
    pixels: Vec<[f32; 3]>,
    /// The position of the next rectangle, and the height of the current row.
    next: (u32, u32),
    row: u32,
}

impl<'a> Lightmap<'a> {
    fn new(lighting: &'a Lighting<'a>) -> Self {
        let count = usize::try_from(LIGHTMAP * LIGHTMAP).unwrap_or_default();
        Self { lighting, pixels: vec![[0.0; 3]; count], next: (0, 0), row: 0 }
    }

    /// Packs a face and computes its light. Returns its lightmap coordinates: left, top, right, bottom.
    fn add(&mut self, face: &Face) -> [f32; 4] {
        let (width, height) = (texels(face.right.length()), texels(face.down.length()));
        let (outer_width, outer_height) = (width + MARGIN * 2, height + MARGIN * 2);
        if self.next.0 + outer_width > LIGHTMAP {
            self.next = (0, self.next.1 + self.row);
            self.row = 0;
        }
        let (left, top) = self.next;
        self.next.0 = left + outer_width;
        self.row = self.row.max(outer_height);
        // The margin repeats the light at the edge of the face.
        for y in 0..outer_height {
            for x in 0..outer_width {
                let part = |at: u32, size: u32| {
                    ((as_float(at) - as_float(MARGIN) + 0.5) / as_float(size)).clamp(0.0, 1.0)
                };
                let light = self.lighting.at(face.at(part(x, width), part(y, height)), face.normal());
                self.set(left + x, top + y, light);
            }
        }
        let uv = |at: u32| as_float(at + MARGIN) / as_float(LIGHTMAP);
        [uv(left), uv(top), uv(left + width), uv(top + height)]
    }

    fn set(&mut self, x: u32, y: u32, light: Vec3) {
        let index = usize::try_from(y * LIGHTMAP + x).unwrap_or(usize::MAX);
        if let Some(pixel) = self.pixels.get_mut(index) {
            *pixel = as_stored(light);
        }
    }

    fn picture(&self) -> Rgba8 {
        paint(LIGHTMAP, LIGHTMAP, |x, y| {
            let index = usize::try_from(y * LIGHTMAP + x).unwrap_or(usize::MAX);
            let [red, green, blue] = self.pixels.get(index).copied().unwrap_or_default();
            [red, green, blue, 1.0]
        })
    }
}

/// Converts light to the game's lightmaps: display values, half as bright as shown.
fn as_stored(light: Vec3) -> [f32; 3] {
    light.to_array().map(|channel| linear_to_srgb(channel.min(1.0)) * 0.5)
}

#[expect(
    clippy::as_conversions,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "small and positive"
)]
fn texels(length: f32) -> u32 {
    (length / METER * DENSITY).ceil().max(1.0) as u32
}

fn slot(kind: TextureKind, name: &str) -> TextureSlot {
    TextureSlot { kind, name: Some(name.into()) }
}

/// A lightmapped surface of several faces; the texture repeats every `tile` units.
fn lightmapped(texture: &str, faces: &[Face], tile: f32, lightmap: &mut Lightmap<'_>) -> Surface {
    let mut surface = Surface {
        lightmap: slot(TextureKind::LIGHTMAP, "hall_lm1.png"),
        texture: slot(TextureKind::OPAQUE, texture),
        vertices: Vec::new(),
        triangles: Vec::new(),
    };
    for face in faces {
        let [left, top, right, bottom] = lightmap.add(face);
        let (across, along) = (face.right.length() / tile, face.down.length() / tile);
        add_face(&mut surface, face, [0.0, 0.0, across, along], [left, top, right, bottom], |_| [255; 3]);
    }
    surface
}

/// Adds a face; rectangles of texture coordinates are left, top, right, bottom.
fn add_face(
    surface: &mut Surface,
    face: &Face,
    [left, top, right, bottom]: [f32; 4],
    [lm_left, lm_top, lm_right, lm_bottom]: [f32; 4],
    color: impl Fn(Vec3) -> [u8; 3],
) {
    let first = u32::try_from(surface.vertices.len()).unwrap_or(u32::MAX);
    let corners = [
        (face.at(0.0, 0.0), [left, top], [lm_left, lm_top]),
        (face.at(1.0, 0.0), [right, top], [lm_right, lm_top]),
        (face.at(1.0, 1.0), [right, bottom], [lm_right, lm_bottom]),
        (face.at(0.0, 1.0), [left, bottom], [lm_left, lm_bottom]),
    ];
    surface.vertices.extend(corners.map(|(at, texture_uv, lightmap_uv)| Vertex {
        position: at.to_array(),
        texture_uv,
        lightmap_uv,
        color: color(at),
    }));
    for triangle in [[0, 1, 2], [0, 2, 3]] {
        surface.triangles.push(triangle.map(|corner: u32| first + corner));
    }
}

/// A crate with vertex lighting and without a lightmap, as the game's converter bakes props into rooms.
fn crate_surface(lighting: &Lighting<'_>) -> Surface {
    let mut surface = Surface {
        lightmap: slot(TextureKind::OPAQUE, ""),
        texture: slot(TextureKind::OPAQUE, "crate.png"),
        vertices: Vec::new(),
        triangles: Vec::new(),
    };
    for face in block_faces(&crate_block()) {
        let middle = face.at(0.5, 0.5);
        add_face(&mut surface, &face, [0.0, 0.0, 1.0, 1.0], [0.0; 4], |corner| {
            as_stored(lighting.at(corner.lerp(middle, 0.05), face.normal())).map(to_byte)
        });
    }
    surface
}

#[expect(
    clippy::as_conversions,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "clamped"
)]
fn to_byte(level: f32) -> u8 {
    (level.clamp(0.0, 1.0) * 255.0).round() as u8
}

fn glass() -> Surface {
    let mut surface = Surface {
        lightmap: slot(TextureKind::OPAQUE, ""),
        texture: slot(TextureKind::TRANSPARENT, "glass.png"),
        vertices: Vec::new(),
        triangles: Vec::new(),
    };
    let pane = Face::new([512.0, 640.0, -544.0], [512.0, 0.0, 0.0], [0.0, -640.0, 0.0]);
    add_face(&mut surface, &pane, [0.0, 0.0, 1.0, 1.25], [0.0; 4], |_| [255; 3]);
    surface
}

/// The sides of a box as an invisible surface.
fn invisible(block: &Block) -> InvisibleSurface {
    let mut surface = InvisibleSurface::default();
    for face in block_faces(block) {
        let first = u32::try_from(surface.vertices.len()).unwrap_or(u32::MAX);
        let corners = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)];
        surface.vertices.extend(corners.map(|(across, along)| face.at(across, along).to_array()));
        for triangle in [[0, 1, 2], [0, 2, 3]] {
            surface.triangles.push(triangle.map(|corner: u32| first + corner));
        }
    }
    surface
}

fn entities() -> Vec<Entity> {
    let mut out: Vec<Entity> = LAMPS
        .iter()
        .zip(["255 240 205", "255 240 205", "120 165 220"])
        .map(|(lamp, color)| {
            Entity::Light(Light {
                position: lamp.at.to_array(),
                range: 1200.0,
                color: color.into(),
                intensity: 1.0,
                ..Light::default()
            })
        })
        .collect();
    out.push(Entity::Spotlight(Spotlight {
        position: [0.0, 700.0, 600.0],
        range: 900.0,
        color: "255 255 255".into(),
        intensity: 1.2,
        angles: "60 0 0".into(),
        inner_cone_angle: 35,
        outer_cone_angle: 60,
    }));
    out.push(Entity::Screen(Screen { position: [0.0, 320.0, 980.0], image: "plan.png".into() }));
    let corners = [[-640.0, 16.0, -640.0], [-640.0, 16.0, 0.0], [0.0, 16.0, 400.0], [700.0, 16.0, 0.0]];
    out.extend(corners.map(|position| Entity::Waypoint(Waypoint { position })));
    out.push(Entity::SoundEmitter(SoundEmitter { position: [0.0, 640.0, 0.0], sound: 1, range: 900.0 }));
    out.extend(props());
    out.push(Entity::PlayerStart(PlayerStart {
        position: [-640.0, 112.0, -800.0],
        angles: "0 -35 0".into(),
    }));
    out
}

/// Two lamps on the ceiling above the warm lights, a tall plant, a small one, and one that has fallen over.
fn props() -> impl Iterator<Item = Entity> {
    let model = |file: &str, position: [f32; 3], rotation: [f32; 3], scale: [f32; 3]| {
        Entity::Model(Model { file: file.into(), position, rotation, scale })
    };
    let lamps = LAMPS
        .iter()
        .take(2)
        .map(move |lamp| model(lampshade::MODEL, [lamp.at.x, HEIGHT, lamp.at.z], [0.0; 3], [1.0; 3]));
    let plants = [
        ([-400.0, 0.0, 850.0], [0.0, 20.0, 0.0], [1.4, 1.7, 1.4]),
        ([450.0, 112.0, 800.0], [0.0, -60.0, 0.0], [0.8; 3]),
        ([760.0, 38.0, 300.0], [0.0, 35.0, 82.0], [0.9; 3]),
    ];
    lamps.chain(plants.map(|(position, rotation, scale)| model(plant::MODEL, position, rotation, scale)))
}

fn pictures(lightmap: &Lightmap<'_>) -> Vec<(String, Rgba8)> {
    let tiles = paint(256, 256, |x, y| {
        let joint = x % 128 < 3 || y % 128 < 3;
        let shade = 0.42 + 0.16 * clouds(x, y, 256, 1) + 0.03 * chance(x / 128, y / 128, 9);
        let level = if joint { 0.16 } else { shade };
        [level, level * 0.99, level * 0.94, 1.0]
    });
    let concrete = paint(256, 256, |x, y| {
        let stain = clouds(x, y, 256, 2);
        let seam = if y % 256 < 2 { 0.8 } else { 1.0 };
        let level = (0.48 + 0.24 * stain + 0.04 * chance(x, y, 3)) * seam;
        [level, level * 0.985, level * 0.95, 1.0]
    });
    let plank = paint(128, 128, |x, y| {
        let edge = x < 10 || y < 10 || x > 117 || y > 117 || x.abs_diff(y) < 6;
        let grain = 0.5 + 0.3 * clouds(x, y.wrapping_mul(4) % 256, 256, 4);
        let level = if edge {
            grain * 0.75
        } else if y % 32 < 2 {
            0.2
        } else {
            grain
        };
        [level, level * 0.74, level * 0.45, 1.0]
    });
    let pane = paint(128, 128, |x, y| {
        let streak = if (x.wrapping_add(y)) % 96 < 14 { 0.22 } else { 0.0 };
        let frame = x < 4 || y < 4 || x > 123 || y > 123;
        if frame {
            [0.25, 0.28, 0.3, 1.0]
        } else {
            [0.65, 0.85, 0.9, 0.18 + streak + 0.05 * clouds(x, y, 128, 5)]
        }
    });
    let letters = paint(448, 80, |x, y| {
        let (column, row) = (x.saturating_sub(8) / 8, y.saturating_sub(12) / 8);
        let border = x < 4 || y < 4 || x > 443 || y > 75;
        let ink = x >= 8 && y >= 12 && is_ink("ANTIQUARY", column, row);
        if border || ink { [0.95, 0.92, 0.8, 1.0] } else { [0.06, 0.16, 0.2, 1.0] }
    });
    let plan = paint(128, 128, |x, y| {
        let wall = x < 6 || y < 6 || x > 121 || y > 121 || ((20..32).contains(&x) && (32..44).contains(&y));
        let line = if wall { 0.9 } else { 0.15 + 0.08 * noise_grid(x, y) };
        [line * 0.4, line, line * 0.6, 1.0]
    });
    [
        ("GFX/map/tiles.png", tiles),
        ("GFX/map/concrete.png", concrete),
        ("GFX/map/crate.png", plank),
        ("GFX/map/glass.png", pane),
        ("GFX/map/sign.png", letters),
        ("GFX/map/hall_lm1.png", lightmap.picture()),
        ("GFX/screens/plan.png", plan),
    ]
    .map(|(path, picture)| (path.to_owned(), picture))
    .into()
}

fn noise_grid(x: u32, y: u32) -> f32 {
    if x.is_multiple_of(16) || y.is_multiple_of(16) { 1.0 } else { 0.0 }
}

pub(super) fn build() -> Hall {
    let blocks = pillars_and_bench();
    let mut solid = blocks.to_vec();
    solid.push(crate_block());
    let thick = 64.0;
    for (low, high) in [
        ([-HALF - thick, -thick, -HALF], [-HALF, HEIGHT + thick, HALF]),
        ([HALF, -thick, -HALF], [HALF + thick, HEIGHT + thick, HALF]),
        ([-HALF, -thick, -HALF - thick], [HALF, HEIGHT + thick, -HALF]),
        ([-HALF, -thick, HALF], [HALF, HEIGHT + thick, HALF + thick]),
        ([-HALF, -thick, -HALF], [HALF, 0.0, HALF]),
        ([-HALF, HEIGHT, -HALF], [HALF, HEIGHT + thick, HALF]),
    ] {
        solid.push(block(low, high));
    }
    let lighting = Lighting { lamps: &LAMPS, blocks: &solid, ambient: Vec3::new(0.075, 0.08, 0.09) };
    let mut lightmap = Lightmap::new(&lighting);
    let upright: Vec<Face> =
        walls().into_iter().chain([ceiling()]).chain(blocks.iter().flat_map(block_faces)).collect();
    let surfaces = vec![
        lightmapped("tiles.png", &[floor()], 2.0 * METER, &mut lightmap),
        lightmapped("concrete.png", &upright, 2.0 * METER, &mut lightmap),
        lightmapped_sign(&mut lightmap),
        crate_surface(&lighting),
        glass(),
    ];
    let entry = block([-896.0, 0.0, -1000.0], [-384.0, 512.0, -768.0]);
    let room = RMesh {
        header: Header::HasTriggerBox,
        surfaces,
        collision: Some(vec![invisible(&block([512.0, 0.0, -552.0], [HALF, HEIGHT, -536.0]))]),
        triggers: Some(vec![TriggerBox { surfaces: vec![invisible(&entry)], name: "hall_entry".into() }]),
        entities: Some(entities()),
        ..RMesh::new()
    };
    let pictures = pictures(&lightmap);
    Hall { room, pictures }
}

/// The sign, which shows its image once across its width.
fn lightmapped_sign(lightmap: &mut Lightmap<'_>) -> Surface {
    let mut surface = lightmapped("sign.png", &[sign()], METER, lightmap);
    for (vertex, uv) in surface.vertices.iter_mut().zip([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]]) {
        vertex.texture_uv = uv;
    }
    surface
}
