//! Rooms with new lightmaps.

use std::collections::HashMap;

use asset::{Report, counted};
use light::Place;
use record::{Error, Result};

use super::super::layout::{MAX_COUNT, Surface, TextureKind, TextureSlot, Vertex};
use super::super::{RMesh, warning};
use super::bodies::{Bodies, is_opaque};
use super::charts::{Charts, Page, has_lightmap};
use crate::number::float;

/// Blitz3D can index no more vertices of a surface.
const MOST_VERTICES: usize = 65_535;

/// Where triangles without area lie: nobody sees them.
const NOWHERE: [f32; 2] = [0.5; 2];

/// The room with new charts: surfaces are split where their charts are on several lightmaps, and vertices where charts meet.
///
/// # Errors
/// When there are more surfaces than a room can have.
pub(super) fn with_charts(
    room: &RMesh,
    bodies: &Bodies,
    charts: &Charts,
    report: &mut Report,
) -> Result<RMesh> {
    let mut places: HashMap<(usize, usize), Place> = HashMap::new();
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
            Split { surface, pages: &charts.pages, parts: Vec::new(), open: HashMap::new(), lost: 0 };
        // Triangles that lie nowhere go with the first that lies somewhere.
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
        surfaces.extend(split.parts.into_iter().map(|part| part.surface));
    }
    if surfaces.len() > MAX_COUNT {
        let message = format!("the room would have {} surfaces, more than {MAX_COUNT}", surfaces.len());
        return Err(Error::limit(message));
    }
    Ok(RMesh { surfaces, ..room.clone() })
}

/// The room with the lightmaps it had, which may have new names.
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

/// A surface that becomes several.
struct Split<'a> {
    surface: &'a Surface,
    pages: &'a [Page],
    parts: Vec<Part>,
    /// The part that takes more triangles of a lightmap.
    open: HashMap<Option<usize>, usize>,
    /// How many triangles have no corners.
    lost: usize,
}

struct Part {
    surface: Surface,
    /// The new number of each vertex of a chart.
    numbers: HashMap<(u32, Option<usize>), u32>,
}

impl Split<'_> {
    fn add(&mut self, triangle: [u32; 3], place: Option<&Place>, otherwise: Option<usize>) {
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
                // As the game winds it.
                let [a, c, b] = place.corners.map(|corner| (corner / size).to_array());
                [a, b, c]
            }
            _ => [NOWHERE; 3],
        };
        let chart = place.map(|place| place.chart);
        let corners = [(a, at_a), (b, at_b), (c, at_c)];
        let white = page.map(|_| [255; 3]);
        let part = self.part(number, page.map(|page| page.name.clone()));
        let Some(part) = self.parts.get_mut(part) else { return };
        let mut made = [0; 3];
        for (((vertex, lightmap_uv), old), new) in corners.into_iter().zip(triangle).zip(&mut made) {
            *new = *part.numbers.entry((old, chart)).or_insert_with(|| {
                let color = white.unwrap_or(vertex.color);
                part.surface.vertices.push(Vertex { lightmap_uv, color, ..vertex });
                u32::try_from(part.surface.vertices.len().saturating_sub(1)).unwrap_or(u32::MAX)
            });
        }
        part.surface.triangles.push(made);
    }

    /// The part for triangles of a lightmap that has room for three more vertices.
    fn part(&mut self, page: Option<usize>, name: Option<crate::BlitzString>) -> usize {
        let has_room = |part: &Part| part.surface.vertices.len() <= MOST_VERTICES.saturating_sub(3);
        if let Some(open) = self.open.get(&page).filter(|open| self.parts.get(**open).is_some_and(has_room)) {
            return *open;
        }
        let lightmap = match name {
            Some(name) => TextureSlot { kind: TextureKind::LIGHTMAP, name: Some(name) },
            None => self.surface.lightmap.clone(),
        };
        let texture = self.surface.texture.clone();
        let surface = Surface { lightmap, texture, vertices: Vec::new(), triangles: Vec::new() };
        self.parts.push(Part { surface, numbers: HashMap::new() });
        let number = self.parts.len().saturating_sub(1);
        self.open.insert(page, number);
        number
    }
}
