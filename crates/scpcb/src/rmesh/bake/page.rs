//! One baked texture of a surface, and the subset of the surface in it.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use glam::DVec2;
use scene::image::Rgba8;
use twox_hash::XxHash3_128;

use super::atlas::Slot;
use super::draw::{Canvas, Outline, TexturedTriangle};
use super::patch::Patch;
use super::plan::{Page, PlannedSurface};
use super::{BakeInput, Picture, finite_or_zero, reduced};
use crate::number::{from_count, single, truncate};

/// The images of a surface.
pub(super) trait Images: Sync {
    /// The texture, scaled to this width and height.
    fn texture(&self, size: [u32; 2]) -> Arc<Picture>;

    /// The lightmap.
    fn lightmap(&self) -> Arc<Picture>;
}

/// A baked texture.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct BakedPage {
    pub(super) picture: Rgba8,
    /// Number of triangles that were left out because too many overlap.
    pub(super) left_out: usize,
}

/// The subset of a surface in one baked texture.
#[derive(Debug, Clone, PartialEq, Default)]
pub(in super::super) struct Subset {
    /// For each vertex, its number in the surface.
    pub(in super::super) vertices: Vec<u32>,
    /// For each vertex, its texture coordinates in the baked texture, 0 to 1.
    pub(in super::super) uvs: Vec<[f32; 2]>,
    /// For each triangle, its number among the valid triangles of the surface.
    pub(in super::super) triangles: Vec<u32>,
    /// Three per triangle, as indices into `vertices`.
    pub(in super::super) indices: Vec<u32>,
}

impl BakeInput<'_> {
    /// Draws one texture.
    pub(super) fn draw(&self, page: &Page, surface: &PlannedSurface, images: &dyn Images) -> BakedPage {
        let mut canvas = Canvas::new(page.width, page.height);
        let lightmap = images.lightmap();
        let mut textures: BTreeMap<[u32; 2], Arc<Picture>> = BTreeMap::new();
        let mut left_out = 0_usize;
        for (patch, slot) in &page.patches {
            let size = self.texture_size(patch, slot);
            let texture = textures.entry(size).or_insert_with(|| images.texture(size));
            let drawing = Drawing { input: self, surface, patch, slot, texture, lightmap: &lightmap };
            left_out = left_out.saturating_add(drawing.draw(&mut canvas));
        }
        BakedPage { picture: canvas.finish(), left_out }
    }

    /// A digest of everything that determines the pixels of a texture, except for the images of its surface.
    pub(super) fn digest(&self, page: &Page, surface: &PlannedSurface) -> u128 {
        let mut digest = XxHash3_128::new();
        let mut add = |numbers: &[f64]| numbers.iter().for_each(|number| digest.write(&number.to_le_bytes()));
        add(&[page.width.into(), page.height.into()]);
        for (patch, slot) in &page.patches {
            let Some(chart) = surface.charts.list.get(patch.chart) else { continue };
            add(&[slot.left, slot.top, slot.width, slot.height, slot.margin].map(f64::from));
            add(&[patch.factor, patch.scale.x, patch.scale.y, patch.origin.x, patch.origin.y]);
            add(&[from_count(patch.triangles.len())]);
            for number in &patch.triangles {
                let corners = self.geometry.corners(self.geometry.triangle(*number));
                for corners in [corners.texture, corners.lightmap, chart.corners(corners)] {
                    corners.iter().for_each(|corner| add(&corner.to_array()));
                }
            }
        }
        digest.finish_128()
    }

    /// The scaled size of the texture, or its full size if the scaled one is much larger than the patch.
    fn texture_size(&self, patch: &Patch, slot: &Slot) -> [u32; 2] {
        let size = reduced(self.texture, patch.factor).max(DVec2::ONE);
        let pixels = f64::from(slot.width) * f64::from(slot.height);
        let size = if size.element_product() <= 4.0 * pixels { size } else { self.texture };
        size.to_array().map(truncate)
    }
}

/// A patch being drawn.
struct Drawing<'a> {
    input: &'a BakeInput<'a>,
    surface: &'a PlannedSurface,
    patch: &'a Patch,
    slot: &'a Slot,
    texture: &'a Picture,
    lightmap: &'a Picture,
}

impl Drawing<'_> {
    /// Draws the patch. Returns the number of triangles that were left out.
    fn draw(&self, canvas: &mut Canvas) -> usize {
        let triangle = |number: &usize| self.textured(self.input.geometry.triangle(*number));
        let mut left_out = 0_usize;
        for triangle in self.patch.triangles.iter().map(triangle) {
            let is_drawn = triangle.is_some_and(|triangle| canvas.draw_inside(&triangle, self.slot));
            left_out = left_out.saturating_add(usize::from(!is_drawn));
        }
        for triangle in self.patch.triangles.iter().filter_map(triangle) {
            canvas.draw_edge(&triangle, self.slot);
        }
        left_out
    }

    /// A triangle with its position in the baked texture and its samplers.
    fn textured(&self, triangle: [usize; 3]) -> Option<TexturedTriangle<'_>> {
        let chart = self.surface.charts.list.get(self.patch.chart)?;
        let corners = self.input.geometry.corners(triangle);
        let pixels = chart.corners(corners).map(|at| pixel(self.patch, self.slot, at));
        Some(TexturedTriangle {
            outline: Outline::new(pixels),
            texture: self.texture.sampler(corners.texture, pixels)?,
            lightmap: self.lightmap.sampler(corners.lightmap, pixels)?,
        })
    }
}

/// Converts a position in a chart to a position in the baked texture.
fn pixel(patch: &Patch, slot: &Slot, at: DVec2) -> DVec2 {
    at * patch.scale - patch.origin + DVec2::new(slot.left.into(), slot.top.into()) + f64::from(slot.margin)
}

/// The subsets of a surface in its textures. Each vertex of the surface is in at least one of them, in order if there is only one texture
/// in which no vertex occurs twice.
pub(super) fn subsets(input: &BakeInput<'_>, surface: &PlannedSurface) -> Vec<Subset> {
    let mut is_used = vec![false; input.geometry.vertices.len()];
    let subset = |page: &Page| {
        let mut subset = Subset::default();
        let size = DVec2::new(page.width.into(), page.height.into());
        for (patch, slot) in &page.patches {
            let Some(chart) = surface.charts.list.get(patch.chart) else { continue };
            let mut known = HashMap::new();
            for number in &patch.triangles {
                subset.triangles.push(u32::try_from(*number).unwrap_or(u32::MAX));
                for vertex in input.geometry.triangle(*number) {
                    let new = u32::try_from(subset.vertices.len()).unwrap_or(u32::MAX);
                    let index = *known.entry(vertex).or_insert(new);
                    subset.indices.push(index);
                    if index < new {
                        continue;
                    }
                    if let Some(used) = is_used.get_mut(vertex) {
                        *used = true;
                    }
                    subset.vertices.push(u32::try_from(vertex).unwrap_or(u32::MAX));
                    let vertex = input.geometry.vertices.get(vertex).copied().unwrap_or_default();
                    let at =
                        chart.location(finite_or_zero(vertex.texture_uv), finite_or_zero(vertex.lightmap_uv));
                    subset.uvs.push((pixel(patch, slot, at) / size).to_array().map(single));
                }
            }
        }
        subset
    };
    let mut subsets: Vec<Subset> = surface.pages.iter().map(subset).collect();
    if let Some(first) = subsets.first_mut() {
        for (number, _) in is_used.iter().enumerate().filter(|(_, used)| !**used) {
            first.vertices.push(u32::try_from(number).unwrap_or(u32::MAX));
            first.uvs.push([0.0; 2]);
        }
    }
    match subsets.as_slice() {
        [one] if one.vertices.len() == input.geometry.vertices.len() => vec![one.in_order()],
        _ => subsets,
    }
}

impl Subset {
    /// Sorts vertices and triangles, if each occurs once.
    fn in_order(&self) -> Self {
        let mut vertices: Vec<_> = self.vertices.iter().zip(&self.uvs).collect();
        vertices.sort_by_key(|(number, _)| **number);
        let (corners, _) = self.indices.as_chunks::<3>();
        let global = |index: u32| {
            let number = usize::try_from(index).ok().and_then(|index| self.vertices.get(index));
            number.copied().unwrap_or_default()
        };
        let mut triangles: Vec<_> = self.triangles.iter().zip(corners).collect();
        triangles.sort_by_key(|(number, _)| **number);
        Self {
            vertices: vertices.iter().map(|(number, _)| **number).collect(),
            uvs: vertices.iter().map(|(_, uv)| **uv).collect(),
            triangles: triangles.iter().map(|(number, _)| **number).collect(),
            indices: triangles.iter().flat_map(|(_, corners)| corners.map(global)).collect(),
        }
    }

    /// Whether this is the entire surface, with vertices and triangles in their original order.
    pub(in super::super) fn is_complete(&self) -> bool {
        let is_ordered =
            |numbers: &[u32]| (0..).zip(numbers).all(|(number, other): (u32, &u32)| number == *other);
        is_ordered(&self.vertices) && is_ordered(&self.triangles)
    }
}
