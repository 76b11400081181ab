//! The terrain of a map's world, in world units.

use asset::{Context, Report};
use glam::Vec3A;

use crate::axes::MAP_ORIGIN_Z;
use crate::map::Surroundings;
use crate::terrain::{Grid, SPACING, Terrain, TerrainWorld};
use crate::visibility::warning;

/// The ground: the Y coordinate of each corner (down is positive).
#[derive(Debug)]
pub(super) struct Ground {
    columns: usize,
    rows: usize,
    downs: Vec<f32>,
}

/// World units between adjacent corners.
#[expect(clippy::as_conversions, clippy::cast_precision_loss, reason = "a small integer")]
const SPACE: f32 = SPACING as f32;

/// Z of the first row.
#[expect(clippy::as_conversions, clippy::cast_precision_loss, reason = "a power of two")]
const NORTH: f32 = MAP_ORIGIN_Z as f32;

impl Ground {
    /// Loads the terrain of the first world that uses the map, otherwise the terrain with the map's name. `None` if there is none; a
    /// terrain that cannot be loaded is reported.
    pub(super) fn of_map(
        surroundings: &Surroundings<'_>,
        context: &Context<'_>,
        report: &mut Report,
    ) -> Option<Self> {
        let world = surroundings.first_world();
        let (path, world_settings) = match world {
            Some(world) => (world.terrain.as_ref()?.replace('\\', "/"), TerrainWorld::of_world(world)),
            None => (format!("maps/{}.WLD", surroundings.stem), TerrainWorld::default()),
        };
        let install = context.install;
        let Some(found) = install.find(&path).found() else {
            if world.is_some() {
                report.warn(&warning::TERRAIN, format!("terrain {path} was not found; it occludes nothing"));
            }
            return None;
        };
        match install.open(&found.location).and_then(|source| Terrain::read(&source.read_all()?)) {
            Ok(terrain) => Some(Self::new(&Grid::of(&terrain), world_settings.shift)),
            Err(error) => {
                let message =
                    format!("terrain {path} cannot be read ({}); it occludes nothing", error.message());
                report.warn(&warning::TERRAIN, message);
                None
            }
        }
    }

    pub(super) fn new(grid: &Grid, shift: i32) -> Self {
        let (columns, rows) = (grid.columns(), grid.rows());
        let corners = (0..rows).flat_map(|row| (0..columns).map(move |column| (column, row)));
        let downs = corners.map(|(column, row)| {
            super::number::single(f64::from(shift) - f64::from(grid.height(column, row)))
        });
        Self { columns, rows, downs: downs.collect() }
    }

    fn corner(&self, column: usize, row: usize) -> Vec3A {
        let index = row.saturating_mul(self.columns).saturating_add(column);
        let down = self.downs.get(index).copied().unwrap_or_default();
        let [x, z] = [column, row].map(|number| super::number::of_count(number) * SPACE);
        Vec3A::new(x, down, NORTH - z)
    }

    /// Squares between two positions.
    fn squares(&self, min: Vec3A, max: Vec3A) -> impl Iterator<Item = (usize, usize)> {
        let range = |from: f32, to: f32, count: usize| {
            let number = |coordinate: f32| super::number::floor(coordinate / SPACE).unwrap_or_default();
            number(from)..number(to + SPACE).min(count.saturating_sub(1))
        };
        let columns = range(min.x, max.x, self.columns);
        let rows = range(NORTH - max.z, NORTH - min.z, self.rows);
        rows.flat_map(move |row| columns.clone().map(move |column| (column, row)))
    }

    /// Corners of both halves of each square between two positions, counter-clockwise seen from above.
    pub(super) fn faces(&self, min: Vec3A, max: Vec3A) -> impl Iterator<Item = [Vec3A; 3]> {
        self.squares(min, max).flat_map(|(column, row)| {
            let (right, below) = (column.saturating_add(1), row.saturating_add(1));
            let (first, last) = (self.corner(column, row), self.corner(right, below));
            [[first, last, self.corner(right, row)], [first, self.corner(column, below), last]]
        })
    }

    /// Y coordinate of the ground at a position (down is positive); `None` outside the terrain.
    pub(super) fn down(&self, x: f32, z: f32) -> Option<f32> {
        let (across, along) = (x / SPACE, (NORTH - z) / SPACE);
        let column = super::number::floor(across).filter(|column| column.saturating_add(1) < self.columns)?;
        let row = super::number::floor(along).filter(|row| row.saturating_add(1) < self.rows)?;
        let (u, v) = (across.fract(), along.fract());
        let down = |right: usize, below: usize| {
            self.corner(column.saturating_add(right), row.saturating_add(below)).y
        };
        let (first, last) = (down(0, 0), down(1, 1));
        Some(match u >= v {
            true => first + u * (down(1, 0) - first) + v * (last - down(1, 0)),
            false => first + v * (down(0, 1) - first) + u * (last - down(0, 1)),
        })
    }
}
