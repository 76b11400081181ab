//! The terrain of a map's world, in world units.

use asset::{Context, Report};
use glam::Vec3A;

use crate::axes::MAP_ORIGIN_Z;
use crate::map::Surroundings;
use crate::terrain::{Grid, Place, SPACING, Terrain};
use crate::visibility::warning;

/// The ground: heights, how far each corner is down.
#[derive(Debug)]
pub(super) struct Ground {
    columns: usize,
    rows: usize,
    downs: Vec<f32>,
}

/// World units between two corners.
#[expect(clippy::as_conversions, clippy::cast_precision_loss, reason = "a small whole number")]
const SPACE: f32 = SPACING as f32;

/// Z of the first row.
#[expect(clippy::as_conversions, clippy::cast_precision_loss, reason = "a power of two")]
const NORTH: f32 = MAP_ORIGIN_Z as f32;

impl Ground {
    /// The terrain of the first world that a map is registered for, else the one with its name.
    /// `None` where there is none; what cannot be had is told.
    pub(super) fn of_map(
        around: &Surroundings<'_>,
        context: &Context<'_>,
        report: &mut Report,
    ) -> Option<Self> {
        let world = around.first_world();
        let (path, place) = match world {
            Some(world) => (world.terrain.as_ref()?.replace('\\', "/"), Place::of_world(world)),
            None => (format!("maps/{}.WLD", around.stem), Place::default()),
        };
        let install = context.install;
        let Some(found) = install.find(&path).found() else {
            if world.is_some() {
                report.warn(&warning::TERRAIN, format!("the terrain {path} was not found: it hides nothing"));
            }
            return None;
        };
        match install.open(&found.location).and_then(|source| Terrain::read(&source.read_all()?)) {
            Ok(terrain) => Some(Self::new(&Grid::of(&terrain), place.shift)),
            Err(error) => {
                let message =
                    format!("the terrain {path} cannot be read ({}): it hides nothing", error.message());
                report.warn(&warning::TERRAIN, message);
                None
            }
        }
    }

    pub(super) fn new(grid: &Grid, shift: i32) -> Self {
        let (columns, rows) = (grid.columns(), grid.rows());
        let places = (0..rows).flat_map(|row| (0..columns).map(move |column| (column, row)));
        let downs = places.map(|(column, row)| {
            super::number::single(f64::from(shift) - f64::from(grid.height(column, row)))
        });
        Self { columns, rows, downs: downs.collect() }
    }

    fn corner(&self, column: usize, row: usize) -> Vec3A {
        let place = row.saturating_mul(self.columns).saturating_add(column);
        let down = self.downs.get(place).copied().unwrap_or_default();
        let [x, z] = [column, row].map(|number| super::number::of_count(number) * SPACE);
        Vec3A::new(x, down, NORTH - z)
    }

    /// The squares between two places.
    fn squares(&self, least: Vec3A, most: Vec3A) -> impl Iterator<Item = (usize, usize)> {
        let range = |from: f32, to: f32, count: usize| {
            let number = |place: f32| super::number::floor(place / SPACE).unwrap_or_default();
            number(from)..number(to + SPACE).min(count.saturating_sub(1))
        };
        let columns = range(least.x, most.x, self.columns);
        let rows = range(NORTH - most.z, NORTH - least.z, self.rows);
        rows.flat_map(move |row| columns.clone().map(move |column| (column, row)))
    }

    /// The corners of both halves of each square between two places, counter-clockwise from above.
    pub(super) fn faces(&self, least: Vec3A, most: Vec3A) -> impl Iterator<Item = [Vec3A; 3]> {
        self.squares(least, most).flat_map(|(column, row)| {
            let (right, below) = (column.saturating_add(1), row.saturating_add(1));
            let (first, last) = (self.corner(column, row), self.corner(right, below));
            [[first, last, self.corner(right, row)], [first, self.corner(column, below), last]]
        })
    }

    /// How far down the ground is at a place; `None` beside the terrain.
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
