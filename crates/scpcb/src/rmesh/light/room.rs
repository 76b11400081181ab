//! Rooms with new lightmaps.

use std::collections::HashMap;

use asset::{Report, counted};
use light::Placement;
use record::{Error, Result};

use super::super::layout::{MAX_COUNT, Surface, TextureKind, TextureSlot, Vertex};
use super::super::{RMesh, warning};
use super::bodies::{Bodies, is_opaque};
use super::charts::{Charts, Page, has_lightmap};
use crate::number::float;

/// Maximum number of vertices of a surface that Blitz3D can index.
const MAX_VERTICES: usize = 65_535;

/// Lightmap coordinates of triangles without area, which are invisible.
const FLAT_UV: [f32; 2] = [0.5; 2];

/// The room with new charts: surfaces are split by lightmap, and vertices where charts meet.
///
/// # Errors
/// If there are more surfaces than a room can have.
pub(super) fn with_charts(
    room: &RMesh,
    bodies: &Bodies,
    charts: &Charts,
    report: &mut Report,
) -> Result<RMesh> {
    let mut places: HashMap<(usize, usize), Placement> = HashMap::new();
    for (origin, place) in bodies.origins.iter().zip(&charts.places) {
        if let Some(place) = place {
            places.insert((origin.surface, origin.triangle), *place);
        }
    }
    let mut surfaces = Vec::with_capacity(room.surfaces.len());
    for (index, surface) in room.surfaces.iter().enumerate() {
        if !is_opaque(surface) || surface.triangles.is_empty() {
            surfaces.push(surface.clone());
            continue;
        }
        let mut split =
            Split { surface, pages: &charts.pages, sections: Vec::new(), open: HashMap::new(), lost: 0 };
        // Triangles without area go to the first lightmap of the surface.
        let mut pages = (0..surface.triangles.len()).filter_map(|number| places.get(&(index, number)));
        let first = pages.next().map(|place| place.page);
        for (number, triangle) in surface.triangles.iter().enumerate() {
            split.add(*triangle, places.get(&(index, number)), first);
        }
        if split.lost > 0 {
            let triangles = counted(split.lost, "triangle refers", "triangles refer");
            let message =
                format!("{triangles} to vertices beyond the last of {} and left out", surface.vertices.len());
            report.warn(&warning::BAD_INDEX, message).in_field(format!("surfaces[{index}]"));
        }
        surfaces.extend(split.sections.into_iter().map(|section| section.surface));
    }
    if surfaces.len() > MAX_COUNT {
        let message = format!("the room would have {} surfaces, more than {MAX_COUNT}", surfaces.len());
        return Err(Error::limit(message));
    }
    Ok(RMesh { surfaces, ..room.clone() })
}

/// The room with its existing lightmaps, which may have new names.
pub(super) fn with_names(room: &RMesh, bodies: &Bodies, charts: &Charts) -> RMesh {
    let mut out = room.clone();
    let mut names: HashMap<usize, usize> = HashMap::new();
    for (origin, place) in bodies.origins.iter().zip(&charts.places) {
        if let Some(place) = place {
            names.insert(origin.surface, place.page);
        }
    }
    for (index, surface) in out.surfaces.iter_mut().enumerate().filter(|(_, surface)| has_lightmap(surface)) {
        let page = names.get(&index).and_then(|page| charts.pages.get(*page));
        if let Some(page) = page.filter(|page| Some(&page.name) != surface.lightmap.name.as_ref()) {
            surface.lightmap.name = Some(page.name.clone());
        }
    }
    out
}

/// A surface being split into several.
struct Split<'a> {
    surface: &'a Surface,
    pages: &'a [Page],
    sections: Vec<Section>,
    /// The section that takes more triangles of a lightmap.
    open: HashMap<Option<usize>, usize>,
    /// Number of triangles with invalid vertex indices.
    lost: usize,
}

struct Section {
    surface: Surface,
    /// The new index of each vertex in a chart.
    numbers: HashMap<(u32, Option<usize>), u32>,
}

impl Split<'_> {
    fn add(&mut self, triangle: [u32; 3], place: Option<&Placement>, otherwise: Option<usize>) {
        let vertex = |corner: u32| {
            usize::try_from(corner).ok().and_then(|corner| self.surface.vertices.get(corner)).copied()
        };
        let [Some(a), Some(b), Some(c)] = triangle.map(vertex) else {
            self.lost = self.lost.saturating_add(1);
            return;
        };
        let number = place.map(|place| place.page).or(otherwise);
        let page = number.and_then(|number| self.pages.get(number));
        let [at_a, at_b, at_c] = match (place, page) {
            (Some(place), Some(page)) => {
                let size = glam::Vec2::from_array(page.size.map(float));
                // Back to the game's winding order.
                let [a, c, b] = place.corners.map(|corner| (corner / size).to_array());
                [a, b, c]
            }
            _ => [FLAT_UV; 3],
        };
        let chart = place.map(|place| place.chart);
        let corners = [(a, at_a), (b, at_b), (c, at_c)];
        let white = page.map(|_| [255; 3]);
        let section = self.section(number, page.map(|page| page.name.clone()));
        let Some(section) = self.sections.get_mut(section) else { return };
        let mut indices = [0; 3];
        for (((vertex, lightmap_uv), old), new) in corners.into_iter().zip(triangle).zip(&mut indices) {
            *new = *section.numbers.entry((old, chart)).or_insert_with(|| {
                let color = white.unwrap_or(vertex.color);
                section.surface.vertices.push(Vertex { lightmap_uv, color, ..vertex });
                u32::try_from(section.surface.vertices.len().saturating_sub(1)).unwrap_or(u32::MAX)
            });
        }
        section.surface.triangles.push(indices);
    }

    /// The section for triangles of a lightmap that has room for three more vertices.
    fn section(&mut self, page: Option<usize>, name: Option<crate::BlitzString>) -> usize {
        let has_room = |section: &Section| section.surface.vertices.len() <= MAX_VERTICES.saturating_sub(3);
        if let Some(open) =
            self.open.get(&page).filter(|open| self.sections.get(**open).is_some_and(has_room))
        {
            return *open;
        }
        let lightmap = match name {
            Some(name) => TextureSlot { kind: TextureKind::LIGHTMAP, name: Some(name) },
            None => self.surface.lightmap.clone(),
        };
        let texture = self.surface.texture.clone();
        let surface = Surface { lightmap, texture, vertices: Vec::new(), triangles: Vec::new() };
        self.sections.push(Section { surface, numbers: HashMap::new() });
        let number = self.sections.len().saturating_sub(1);
        self.open.insert(page, number);
        number
    }
}
