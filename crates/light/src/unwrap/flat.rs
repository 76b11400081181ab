//! Charts turned so that the rectangle around them is small, and fitted to whole texels.

use glam::Vec2;

use super::grow::Chart;
use super::{PageSize, texels};

/// The directions of so many of the longest edges of a chart are tried as sides of its rectangle.
const DIRECTIONS: usize = 32;

/// Directions are the same up to this sine of the angle between them.
const SAME: f32 = 1e-3;

/// A chart in texels from the top left corner of its rectangle.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct FlatChart {
    /// The rectangle without padding.
    pub(super) size: PageSize,
    /// Whether it was made smaller to fit.
    pub(super) is_reduced: bool,
    pub(super) triangles: Vec<(u32, [Vec2; 3])>,
}

impl Chart {
    /// Lays the chart into the smallest rectangle that was found, no side of it longer than `widest`, which is at least 2.
    pub(super) fn flat(mut self, widest: u32) -> FlatChart {
        let direction = self.direction();
        let (right, down) = (direction, direction.perp());
        let mut place = |to: &dyn Fn(Vec2) -> Vec2| {
            for (_, corners) in &mut self.triangles {
                *corners = corners.map(to);
            }
        };
        place(&|corner| Vec2::new(corner.dot(right), corner.dot(down)));
        let [low, high] = bounds(self.triangles.iter().flat_map(|(_, corners)| *corners));
        let length = high - low;
        let most = (widest - 1) as f32;
        let fits = (most / length.max_element().max(f32::MIN_POSITIVE)).min(1.0);
        let steps = length.to_array().map(|side| texels(side * fits).clamp(1, widest - 1));
        let scale = Vec2::from_array(steps.map(|steps| steps as f32)) / length.max(Vec2::splat(1e-6));
        for (_, corners) in &mut self.triangles {
            *corners = corners.map(|corner| (corner - low) * scale + 0.5);
        }
        let size = steps.map(|steps| steps + 1);
        FlatChart { size, is_reduced: fits < 1.0, triangles: self.triangles }
    }

    /// The side of its smallest rectangle that is at least as long as the other.
    fn direction(&self) -> Vec2 {
        let mut edges: Vec<Vec2> = Vec::new();
        for (_, [a, b, c]) in &self.triangles {
            edges.extend([*b - *a, *c - *b, *a - *c]);
        }
        edges.sort_by(|one, other| other.length_squared().total_cmp(&one.length_squared()));
        let mut directions: Vec<Vec2> = Vec::with_capacity(DIRECTIONS);
        for direction in edges.into_iter().filter_map(Vec2::try_normalize) {
            // Turned by a quarter it is the same rectangle.
            let is_known =
                |known: &Vec2| known.dot(direction).abs().min(known.perp_dot(direction).abs()) < SAME;
            if !directions.iter().any(is_known) {
                directions.push(direction);
            }
            if directions.len() >= DIRECTIONS {
                break;
            }
        }
        let mut best = (f32::INFINITY, Vec2::X);
        for direction in directions {
            let corners = self.triangles.iter().flat_map(|(_, corners)| corners);
            let [low, high] =
                bounds(corners.map(|corner| Vec2::new(corner.dot(direction), corner.dot(direction.perp()))));
            let size = high - low;
            let area = size.x * size.y;
            // Of nearly equal ones the first, whatever the rounding.
            if area < best.0 * 0.999 {
                best = (area, if size.x >= size.y { direction } else { direction.perp() });
            }
        }
        best.1
    }
}

fn bounds(corners: impl Iterator<Item = Vec2>) -> [Vec2; 2] {
    corners
        .fold([Vec2::INFINITY, Vec2::NEG_INFINITY], |[low, high], corner| [low.min(corner), high.max(corner)])
}
