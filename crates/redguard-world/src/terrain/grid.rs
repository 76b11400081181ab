//! The terrain as one grid of corners: heights, textures, normals, and the corners moved by water.
//!
//! A corner has a column (from west to east, as X increases) and a row (from north to south, as Z decreases); rows and columns are 256
//! world units apart. The square between four corners has the texture of its first corner, in the northwest.

use glam::Vec3;

use super::layout::{Ground, Planes, SIDE, Terrain};
use crate::engine::light;

/// World units between adjacent corners.
pub const SPACING: i32 = 256;

/// Heights in world units by height index. Larger values are higher, although the Y axis of the game points down.
pub const HEIGHTS: [u16; 128] = [
    0, 40, 40, 40, 80, 80, 80, 120, 120, 120, 160, 160, 160, 200, 200, 200, 240, 240, 240, 280, 280, 320,
    320, 320, 360, 360, 400, 400, 400, 440, 440, 480, 480, 480, 520, 520, 560, 560, 600, 600, 600, 640, 640,
    680, 680, 720, 720, 760, 760, 800, 800, 840, 840, 880, 880, 920, 920, 960, 1000, 1000, 1040, 1040, 1080,
    1120, 1120, 1160, 1160, 1200, 1240, 1240, 1280, 1320, 1320, 1360, 1400, 1440, 1440, 1480, 1520, 1560,
    1600, 1600, 1640, 1680, 1720, 1760, 1800, 1840, 1880, 1920, 1960, 2000, 2040, 2080, 2120, 2200, 2240,
    2280, 2320, 2400, 2440, 2520, 2560, 2640, 2680, 2760, 2840, 2920, 3000, 3080, 3160, 3240, 3360, 3440,
    3560, 3680, 3800, 3960, 4080, 4280, 4440, 4680, 4920, 5200, 5560, 6040, 6680, 7760,
];

/// Image numbers of water. The second one is never animated.
pub const WATER: [u8; 4] = [0, 5, 30, 31];

/// The corners of a square.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SquareCorner {
    /// Northwest: the corner at the square's own column and row.
    TopLeft,
    /// Northeast.
    TopRight,
    /// Southeast.
    BottomRight,
    /// Southwest.
    BottomLeft,
}

impl SquareCorner {
    /// All corners, clockwise seen from above.
    pub const ALL: [Self; 4] = [Self::TopLeft, Self::TopRight, Self::BottomRight, Self::BottomLeft];

    /// Offset of the corner from the first corner, in columns and rows.
    #[must_use]
    pub const fn step(self) -> (usize, usize) {
        match self {
            Self::TopLeft => (0, 0),
            Self::TopRight => (1, 0),
            Self::BottomRight => (1, 1),
            Self::BottomLeft => (0, 1),
        }
    }

    /// Corner of the image at this corner after `turns` quarter turns: horizontal and vertical position, each 0 or 1.
    #[must_use]
    pub fn image_corner(self, turns: u8) -> (u8, u8) {
        const CLOCKWISE: [(u8, u8); 4] = [(0, 0), (1, 0), (1, 1), (0, 1)];
        let first: u8 = match self {
            Self::TopLeft => 0,
            Self::TopRight => 1,
            Self::BottomRight => 2,
            Self::BottomLeft => 3,
        };
        let index = usize::from(first.wrapping_add(turns) & 3);
        CLOCKWISE.get(index).copied().unwrap_or_default()
    }
}

/// A terrain as one grid of corners. The values of tiles without planes are zero.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Grid {
    columns: usize,
    rows: usize,
    heights: Vec<u8>,
    surfaces: Vec<u8>,
}

impl Grid {
    /// Creates the grid of a terrain.
    #[must_use]
    pub fn of(terrain: &Terrain) -> Self {
        let heights = plane(terrain, |planes| &planes.heights.0);
        let surfaces = plane(terrain, |planes| &planes.surface.0);
        let (columns, rows) = size(terrain);
        Self { columns, rows, heights, surfaces }
    }

    /// Number of corners from west to east.
    #[must_use]
    pub const fn columns(&self) -> usize {
        self.columns
    }

    /// Number of corners from north to south.
    #[must_use]
    pub const fn rows(&self) -> usize {
        self.rows
    }

    fn at(&self, plane: &[u8], column: usize, row: usize) -> u8 {
        let index = row.checked_mul(self.columns).and_then(|start| start.checked_add(column));
        let index = index.filter(|_| column < self.columns);
        index.and_then(|index| plane.get(index)).copied().unwrap_or_default()
    }

    /// Stored height byte of a corner.
    #[must_use]
    pub fn stored_height(&self, column: usize, row: usize) -> u8 {
        self.at(&self.heights, column, row)
    }

    /// Height index of a corner (0 to 127).
    #[must_use]
    pub fn height_index(&self, column: usize, row: usize) -> u8 {
        self.stored_height(column, row) & 0x7f
    }

    /// Height of a corner in world units, positive upward, without the vertical shift of its world.
    #[must_use]
    pub fn height(&self, column: usize, row: usize) -> i32 {
        HEIGHTS.get(usize::from(self.height_index(column, row))).copied().map_or(0, i32::from)
    }

    /// Image of the square at this corner: 0 to 63, in bank 302.
    #[must_use]
    pub fn image(&self, column: usize, row: usize) -> u8 {
        self.at(&self.surfaces, column, row) & 0x3f
    }

    /// Number of counter-clockwise quarter turns of the image.
    #[must_use]
    pub fn turns(&self, column: usize, row: usize) -> u8 {
        self.at(&self.surfaces, column, row) >> 6
    }

    /// The stored bit that selects how the software program splits the square at this corner.
    #[must_use]
    pub fn stored_split(&self, column: usize, row: usize) -> bool {
        self.stored_height(column, row) & 0x80 != 0
    }

    /// Whether the square at this corner is not planar, so that its diagonals differ: the value to which the software program sets the bit
    /// when it loads a terrain. `None` in the last row and column, where no square begins.
    #[must_use]
    pub fn is_bent(&self, column: usize, row: usize) -> Option<bool> {
        let (right, below) = (column.checked_add(1)?, row.checked_add(1)?);
        (right < self.columns && below < self.rows).then(|| {
            let north = self.height(column, row).wrapping_sub(self.height(right, row));
            let south = self.height(column, below).wrapping_sub(self.height(right, below));
            north != south
        })
    }

    /// Whether water moves a corner: its own image and the images of its neighbors to the north, west and northwest are water.
    #[must_use]
    pub fn moves(&self, column: usize, row: usize) -> bool {
        let is_water = |column, row| WATER.contains(&self.image(column, row));
        let own = self.image(column, row);
        // Corners with the static image and corners without neighbors do not move.
        let (Some(west), Some(north)) = (column.checked_sub(1), row.checked_sub(1)) else { return false };
        WATER.contains(&own)
            && own != 5
            && is_water(west, row)
            && is_water(column, north)
            && is_water(west, north)
    }

    /// Number of triangles that meet at a corner.
    #[must_use]
    pub fn triangles_at(&self, column: usize, row: usize) -> usize {
        self.halves_at(column, row).count()
    }

    /// Normal of a corner with Y up, X to the west and Z to the north, as in scenes: the normalized sum of the unit normals of up to six
    /// triangles around it.
    #[must_use]
    pub fn normal(&self, column: usize, row: usize) -> [f32; 3] {
        let height = |column, row| self.float_height(column, row);
        sum_of(self.faces_at(column, row, &height).map(unit))
    }

    /// Normal of a corner as used by the game's lighting: X to the east, Y down and Z to the north; its length is slightly less than 1.
    #[must_use]
    pub fn light_normal(&self, column: usize, row: usize) -> [f32; 3] {
        self.light_normal_by(column, row, &|column, row| self.float_height(column, row))
    }

    /// Like [`light_normal`](Self::light_normal), with other heights in world units.
    pub(super) fn light_normal_by(
        &self,
        column: usize,
        row: usize,
        height: &dyn Fn(usize, usize) -> f32,
    ) -> [f32; 3] {
        let faces = self.faces_at(column, row, height).map(|face| crate::axes::direction(face.to_array()));
        light::terrain_normal(&faces.collect::<Vec<_>>())
    }

    /// Normals of all corners, row by row, like those of [`normal`](Self::normal) but with other heights in world units.
    pub(super) fn normals_by(&self, height: &dyn Fn(usize, usize) -> f32) -> Vec<[f32; 3]> {
        let corners = || (0..self.rows).flat_map(|row| (0..self.columns).map(move |column| (column, row)));
        // Each triangle meets three corners, so its normal is computed only once.
        let halves =
            corners().flat_map(|(column, row)| [true, false].map(|is_upper| Half { column, row, is_upper }));
        let units: Vec<Vec3> = halves.map(|half| unit(half.normal(height))).collect();
        let unit_of = |Half { column, row, is_upper }: Half| {
            let square = row.saturating_mul(self.columns).saturating_add(column);
            let index = square.saturating_mul(2).saturating_add(usize::from(!is_upper));
            units.get(index).copied().unwrap_or_default()
        };
        corners().map(|(column, row)| sum_of(self.halves_at(column, row).map(unit_of))).collect()
    }

    /// Height of a corner in world units, as a float.
    fn float_height(&self, column: usize, row: usize) -> f32 {
        f32::from(i16::try_from(self.height(column, row)).unwrap_or(i16::MAX))
    }

    /// Normals of the triangles that meet at a corner; their lengths are twice the areas.
    fn faces_at(
        &self,
        column: usize,
        row: usize,
        height: &dyn Fn(usize, usize) -> f32,
    ) -> impl Iterator<Item = Vec3> {
        self.halves_at(column, row).map(move |half| half.normal(height))
    }

    /// The triangles that meet at a corner.
    fn halves_at(&self, column: usize, row: usize) -> impl Iterator<Item = Half> + use<'_> {
        // The diagonal runs from northwest to southeast.
        let (west, north) = (column.checked_sub(1), row.checked_sub(1));
        let halves = [
            (Some(column), Some(row), true),
            (Some(column), Some(row), false),
            (west, north, true),
            (west, north, false),
            (west, Some(row), true),
            (Some(column), north, false),
        ];
        halves.into_iter().filter_map(|(column, row, is_upper)| {
            let half = Half { column: column?, row: row?, is_upper };
            self.is_square(half.column, half.row).then_some(half)
        })
    }

    /// Whether a square begins at a corner.
    #[must_use]
    pub const fn is_square(&self, column: usize, row: usize) -> bool {
        column.saturating_add(1) < self.columns && row.saturating_add(1) < self.rows
    }
}

/// Half a square: the upper half has the northeast corner, the lower half the southwest corner.
#[derive(Clone, Copy)]
struct Half {
    column: usize,
    row: usize,
    is_upper: bool,
}

impl Half {
    /// Normal whose length is twice the area.
    fn normal(self, height: &dyn Fn(usize, usize) -> f32) -> Vec3 {
        let Self { column, row, is_upper } = self;
        let corner = |corner: SquareCorner| {
            let (right, below) = corner.step();
            let (right, below) = (column.saturating_add(right), row.saturating_add(below));
            // Relative coordinates are exact, wherever the square is.
            let near = |from: usize, to: usize| if to > from { -256.0 } else { 0.0 };
            Vec3::new(near(column, right), height(right, below), near(row, below))
        };
        let (first, last) = (corner(SquareCorner::TopLeft), corner(SquareCorner::BottomRight));
        let (second, third) = match is_upper {
            true => (last, corner(SquareCorner::TopRight)),
            false => (corner(SquareCorner::BottomLeft), last),
        };
        (second - first).cross(third - first)
    }
}

/// Normalizes a vector; +Y if it is zero.
fn unit(normal: Vec3) -> Vec3 {
    normal.normalize_or(Vec3::Y)
}

/// Normalized sum of the unit normals of the triangles around a corner.
fn sum_of(units: impl Iterator<Item = Vec3>) -> [f32; 3] {
    unit(units.sum()).to_array()
}

/// Number of corners of a terrain from west to east, and from north to south.
pub(super) fn size(terrain: &Terrain) -> (usize, usize) {
    if terrain.tiles.is_empty() {
        return (0, 0);
    }
    let side = |tiles: u32| usize::try_from(tiles).unwrap_or(usize::MAX).saturating_mul(SIDE);
    (side(terrain.header.columns), side(terrain.header.rows))
}

/// Concatenates a plane of all tiles, row by row of the entire grid.
pub(super) fn plane<'a>(terrain: &'a Terrain, of: impl Fn(&'a Planes) -> &'a [u8]) -> Vec<u8> {
    let across = usize::try_from(terrain.header.columns).unwrap_or(usize::MAX).max(1);
    let mut out = Vec::new();
    for tiles in terrain.tiles.chunks(across) {
        for row in 0..SIDE {
            for tile in tiles {
                let start = row.saturating_mul(SIDE);
                let bytes = match &tile.ground {
                    Ground::Planes(planes) => of(planes).get(start..start.saturating_add(SIDE)),
                    Ground::Seed(_) => None,
                };
                out.extend_from_slice(bytes.unwrap_or(&[0; SIDE]));
            }
        }
    }
    out
}

/// Writes a plane of the entire grid to the tiles that have planes.
pub(super) fn set_plane(terrain: &mut Terrain, plane: &[u8], of: impl Fn(&mut Planes) -> &mut Vec<u8>) {
    let across = usize::try_from(terrain.header.columns).unwrap_or(usize::MAX).max(1);
    let width = across.saturating_mul(SIDE);
    for (number, tile) in terrain.tiles.iter_mut().enumerate() {
        let Ground::Planes(planes) = &mut tile.ground else { continue };
        let (tile_row, tile_column) =
            (number.checked_div(across).unwrap_or_default(), number.checked_rem(across).unwrap_or_default());
        let rows = plane.chunks(width).skip(tile_row.saturating_mul(SIDE)).take(SIDE);
        let start = tile_column.saturating_mul(SIDE);
        for (old, new) in of(planes).chunks_mut(SIDE).zip(rows) {
            if let Some(new) = new.get(start..start.saturating_add(SIDE)).filter(|new| new.len() == old.len())
            {
                old.copy_from_slice(new);
            }
        }
    }
}
