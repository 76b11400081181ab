//! A game with a town as large as the island of the shipped game: houses, walls, crates and ferns on hilly ground, for benchmarks and tests
//! of visibility trees.

use asset::Sink;
use record::Result;

use super::carpentry::{BANK, LID};
use super::island::{crate_of_planks, fern, of_segments, segment};
use crate::map::Static;
use crate::map::assembled::{AssembledMap, AssembledSection};
use crate::model::FaceTexture;
use crate::model::solid::{Solid, SolidCorner, SolidFace};
use crate::terrain::{Grid, Terrain};
use redguard_files::picture::palette::Palette;

/// Attribute bit for transparent palette color 0.
const KEYED: u8 = 2;

/// Distance between houses in world units.
const BLOCK: i32 = 1024;

/// X and Z of the corner where the town begins.
const CORNER: [i32; 2] = [23_000, 24_000];

/// Size of a town.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Town {
    /// Number of static models.
    pub statics: u32,
    /// Number of subdivisions of a house wall along each side.
    pub detail: u32,
}

impl Default for Town {
    /// The number of static models of the shipped island.
    fn default() -> Self {
        Self { statics: 1691, detail: 4 }
    }
}

/// Writes the game: `maps/TOWN.RGM`, its terrain, its models, and the settings that refer to them.
///
/// # Errors
/// Errors of the sink.
pub fn town(sink: &mut dyn Sink, town: Town) -> Result<()> {
    let terrain = super::terrain::island();
    let house = building([384.0, 300.0, 512.0], 160.0, town.detail);
    let wall = building([640.0, 220.0, 40.0], 0.0, town.detail);
    let segments = vec![
        segment("HOUSE01", &house, 0)?,
        segment("WALL01", &wall, 0)?,
        segment("CRATE01", &crate_of_planks(), 0)?,
        segment("FERN01", &fern(), KEYED)?,
    ];
    sink.put("fxart/ISLAND.COL", &Palette::new(super::canvas::palette()).write()?)?;
    sink.put("fxart/TOWN.ROB", &of_segments(segments)?.write()?)?;
    sink.put("maps/TOWN.WLD", &terrain.write()?)?;
    let world = "[world]\r\nworld_map[1] = MAPS\\TOWN.RGM\r\nworld_world[1] = MAPS\\TOWN.WLD\r\nworld_palette[1] = fxart\\ISLAND.COL\r\n";
    sink.put("WORLD.INI", world.as_bytes())?;
    sink.put("maps/TOWN.RGM", &map(town, &terrain)?)
}

fn map(town: Town, terrain: &Terrain) -> Result<Vec<u8>> {
    let grid = Grid::of(terrain);
    let mut map = AssembledMap::new(Vec::new());
    let statics =
        (0..i32::try_from(town.statics).unwrap_or(i32::MAX)).map(|number| static_model(number, &grid));
    for section in &mut map.sections {
        if let AssembledSection::Statics(content) = section {
            content.records = statics.clone().collect();
        }
    }
    map.split()?.write()
}

/// Returns a static model: every fifth is a house, every tenth a wall, the others are small objects around them.
fn static_model(number: i32, grid: &Grid) -> Static {
    let draw = |salt: i32, end: i32| {
        let mixed = (number * 31 + salt).wrapping_mul(1_103_515_245).wrapping_add(12_345);
        ((mixed >> 12) & 0x7fff) % end
    };
    // Houses are arranged in rows; small objects are placed around their house.
    let block = number / 5;
    let [column, row] = [block % 18, block / 18];
    let (name, offset) = match number % 10 {
        0 | 5 => ("HOUSE01", [draw(1, 200), draw(2, 200)]),
        3 => ("WALL01", [420 + draw(1, 60), draw(2, 300)]),
        1 | 4 | 6 => ("CRATE01", [draw(1, 900) - 200, 300 + draw(2, 400)]),
        _ => ("FERN01", [draw(1, 1000) - 200, 280 + draw(2, 500)]),
    };
    let [x, z] = CORNER;
    let (x, z) = (x + column * BLOCK + offset[0], z + row * BLOCK + offset[1]);
    let corner = |number: i32| usize::try_from(number / 256).unwrap_or_default();
    let y = -grid.height(corner(x), corner(crate::axes::MAP_ORIGIN_Z - z));
    // A rotation that is not a multiple of a quarter turn, in integers: 3, 4 and 5 are the sides of a right triangle.
    const ONE: i32 = 1 << 28;
    let (cos, sin) = match draw(3, 3) {
        0 => (ONE, 0),
        1 => (0, ONE),
        _ => (ONE / 5 * 4, ONE / 5 * 3),
    };
    Static {
        id: u32::try_from(number).unwrap_or_default(),
        model: asset::FixedText::new(name).unwrap_or_default(),
        position: [x, y, z],
        matrix: [cos, 0, sin, 0, ONE, 0, -sin, 0, cos],
        unknown_40: 0,
    }
}

/// A building with a roof: width, height and depth in world units.
fn building([width, height, depth]: [f64; 3], roof: f64, detail: u32) -> Solid {
    let mut out = Solid { frames: vec![Vec::new()], faces: Vec::new() };
    let (x, y, z) = (width / 2.0, -height, depth / 2.0);
    let down = 64.0;
    // The corners of each side, counter-clockwise from the top left, seen from outside.
    let sides = [
        [[-x, y, -z], [-x, down, -z], [x, down, -z], [x, y, -z]],
        [[x, y, -z], [x, down, -z], [x, down, z], [x, y, z]],
        [[x, y, z], [x, down, z], [-x, down, z], [-x, y, z]],
        [[-x, y, z], [-x, down, z], [-x, down, -z], [-x, y, -z]],
        [[-x, y - roof, 0.0], [-x, y, -z], [x, y, -z], [x, y - roof, 0.0]],
        [[x, y - roof, 0.0], [x, y, z], [-x, y, z], [-x, y - roof, 0.0]],
    ];
    for side in sides {
        add_divided(&mut out, side, detail.max(1));
    }
    for [end, front, back] in [[-x, z, -z], [x, -z, z]] {
        let corners = [[end, y - roof, 0.0], [end, y, front], [end, y, back]];
        face(&mut out, &corners);
    }
    out
}

/// Divides a square into smaller ones.
fn add_divided(solid: &mut Solid, [a, b, c, d]: [[f64; 3]; 4], detail: u32) {
    let mix = |one: [f64; 3], other: [f64; 3], share: f64| {
        let mut pairs = one.into_iter().zip(other).map(|(one, other)| one + (other - one) * share);
        std::array::from_fn(|_| pairs.next().unwrap_or_default())
    };
    let corner_at = |across: u32, down: u32| {
        let share = |number: u32| f64::from(number) / f64::from(detail);
        mix(mix(a, d, share(across)), mix(b, c, share(across)), share(down))
    };
    for across in 0..detail {
        for down in 0..detail {
            let corners = [
                corner_at(across, down),
                corner_at(across, down + 1),
                corner_at(across + 1, down + 1),
                corner_at(across + 1, down),
            ];
            face(solid, &corners);
        }
    }
}

fn face(solid: &mut Solid, corners: &[[f64; 3]]) {
    let Some(vertices) = solid.frames.first_mut() else { return };
    let first = u32::try_from(vertices.len()).unwrap_or_default();
    vertices.extend_from_slice(corners);
    let uvs = [[0, 0], [0, 64], [64, 64], [64, 0]];
    let corner = |(vertex, uv)| SolidCorner { vertex, uv, normal: [0.0; 3] };
    solid.faces.push(SolidFace {
        corners: (first..).zip(uvs).take(corners.len()).map(corner).collect(),
        texture: FaceTexture::Image { bank: BANK, image: LID },
    });
}
