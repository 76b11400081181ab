//! Rotation of charts for the smallest bounding rectangle, and scaling to an integer number of texels.

use glam::Vec2;

use super::grow::Chart;
use super::{PageSize, texels};

/// Number of the longest edges of a chart whose directions are tried as sides of its rectangle.
const DIRECTIONS: usize = 32;

/// Maximum sine of the angle between directions that count as equal.
const SAME_DIRECTION: f32 = 1e-3;

/// A chart in texels, relative to the top left corner of its rectangle.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct FlatChart {
    /// Size of the rectangle without padding.
    pub(super) size: PageSize,
    /// Whether it was scaled down to fit.
    pub(super) is_reduced: bool,
    pub(super) triangles: Vec<(u32, [Vec2; 3])>,
}

impl Chart {
    /// Rotates the chart into the smallest rectangle found. No side is longer than `widest`, which is at least 2.
    pub(super) fn flatten(mut self, widest: u32) -> FlatChart {
        let direction = self.direction();
        let (right, down) = (direction, direction.perp());
        let mut transform = |to: &dyn Fn(Vec2) -> Vec2| {
            for (_, corners) in &mut self.triangles {
                *corners = corners.map(to);
            }
        };
        transform(&|corner| Vec2::new(corner.dot(right), corner.dot(down)));
        let [low, high] = bounds(self.triangles.iter().flat_map(|(_, corners)| *corners));
        let length = high - low;
        let max_length = (widest - 1) as f32;
        let shrink = (max_length / length.max_element().max(f32::MIN_POSITIVE)).min(1.0);
        let steps = length.to_array().map(|side| texels(side * shrink).clamp(1, widest - 1));
        let scale = Vec2::from_array(steps.map(|steps| steps as f32)) / length.max(Vec2::splat(1e-6));
        for (_, corners) in &mut self.triangles {
            *corners = corners.map(|corner| (corner - low) * scale + 0.5);
        }
        let size = steps.map(|steps| steps + 1);
        FlatChart { size, is_reduced: shrink < 1.0, triangles: self.triangles }
    }

    /// Returns the direction of the longer side of the smallest rectangle.
    fn direction(&self) -> Vec2 {
        let mut edges: Vec<Vec2> = Vec::new();
        for (_, [a, b, c]) in &self.triangles {
            edges.extend([*b - *a, *c - *b, *a - *c]);
        }
        edges.sort_by(|one, other| other.length_squared().total_cmp(&one.length_squared()));
        let mut directions: Vec<Vec2> = Vec::with_capacity(DIRECTIONS);
        for direction in edges.into_iter().filter_map(Vec2::try_normalize) {
            // A rotation by a quarter turn has the same rectangle.
            let is_known = |known: &Vec2| {
                known.dot(direction).abs().min(known.perp_dot(direction).abs()) < SAME_DIRECTION
            };
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
            // Of almost equal ones, the first is used, regardless of rounding.
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
