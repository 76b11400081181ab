//! The mapping of a room's surfaces to lightmaps, new or existing.

use std::collections::BTreeMap;
use std::sync::Arc;

use asset::{Context, Report, counted};
use files::name::safe_name;
use glam::Vec2;
use light::{Facet, Layout, PageSize, Placement, TexelMap, unwrap};
use record::{Error, Result};

use super::super::bake::Picture;
use super::super::layout::{Surface, Vertex};
use super::super::texture::{Textures, Use};
use super::super::{RMesh, warning};
use super::bodies::{Bodies, is_opaque};
use crate::number::{float, from_count, single, truncate};
use crate::string::BlitzString;

/// Maximum width and height of a new lightmap, in texels.
const SIDE: u32 = 1024;

/// Maximum area of all new lightmaps, in lightmaps of the maximum size.
const PAGES: u32 = 4;

/// Maximum number of texels of existing lightmaps.
const MAX_TEXELS: u64 = 8 << 20;

/// A lightmap.
#[derive(Debug)]
pub(super) struct Page {
    /// File name.
    pub(super) name: BlitzString,
    pub(super) size: PageSize,
    /// The previous lightmap.
    pub(super) before: Option<Arc<Picture>>,
}

/// The lightmaps of a room, and the positions of its triangles in them.
#[derive(Debug)]
pub(super) struct Charts {
    pub(super) pages: Vec<Page>,
    pub(super) places: Vec<Option<Placement>>,
    /// Number of charts; `None` if the room's own charts are kept.
    pub(super) count: Option<usize>,
    /// Texels per meter.
    pub(super) density: f64,
}

impl Charts {
    /// Maps all opaque surfaces to new lightmaps, which are named after the room.
    ///
    /// # Errors
    /// If the room consists of too many separate charts.
    pub(super) fn new(bodies: &Bodies, density: f64, stem: &str, report: &mut Report) -> Result<Self> {
        let facets: Vec<Facet> = bodies
            .origins
            .iter()
            .zip(&bodies.triangles)
            .map(|(origin, triangle)| Facet {
                corners: triangle.corners,
                group: u32::try_from(origin.surface).unwrap_or(u32::MAX),
            })
            .collect();
        let layout = Layout { density: single(density), side: SIDE, pages: PAGES };
        let unwrapped = unwrap(&facets, layout)?;
        if unwrapped.density < layout.density {
            let message = format!(
                "the room is too large for {density} texels per meter; using {:.1}",
                unwrapped.density
            );
            report.warn(&warning::LIGHT_COARSE, message);
        }
        if unwrapped.reduced > 0 {
            let parts = counted(unwrapped.reduced, "part is", "parts are");
            let message = format!(
                "{parts} longer than a lightmap of {SIDE} texels at {:.1} texels per meter, and coarser",
                unwrapped.density
            );
            report.warn(&warning::LIGHT_COARSE, message);
        }
        let page = |(number, size): (usize, PageSize)| Page {
            name: BlitzString::from(&*format!("{stem}_lm{number}.png")),
            size,
            before: None,
        };
        let mut places = unwrapped.placements;
        places.resize(bodies.triangles.len(), None);
        Ok(Self {
            pages: (1..).zip(unwrapped.pages).map(page).collect(),
            places,
            count: Some(unwrapped.charts),
            density: unwrapped.density.into(),
        })
    }

    /// Keeps the lightmaps of a room.
    ///
    /// # Errors
    /// If it has none, or they are too large.
    pub(super) fn kept(
        room: &RMesh,
        bodies: &Bodies,
        density: f64,
        stem: &str,
        context: &Context<'_>,
        report: &mut Report,
    ) -> Result<Self> {
        let mut found =
            LightmapPages { textures: Textures::default(), numbers: BTreeMap::new(), pages: Vec::new() };
        let pages: Vec<Option<usize>> = room
            .surfaces
            .iter()
            .enumerate()
            .map(|(index, surface)| {
                has_lightmap(surface).then(|| found.page(index, surface, density, context, report)).flatten()
            })
            .collect();
        let mut names: BTreeMap<String, usize> = BTreeMap::new();
        for (number, page) in found.pages.iter_mut().enumerate() {
            page.name = writable(&page.name, stem, &mut names, number, report);
        }
        let texels = found.pages.iter().map(|page| area(page.size)).fold(0, u64::saturating_add);
        if found.pages.is_empty() {
            return Err(Error::usage("the room has no lightmaps to keep: build new ones without --relight"));
        }
        if texels > MAX_TEXELS {
            let message =
                format!("the lightmaps have {} Mi texels, more than {} Mi", texels >> 20, MAX_TEXELS >> 20);
            return Err(Error::limit(message));
        }
        let place = |(origin, chart): (&super::bodies::Origin, usize)| {
            let page = pages.get(origin.surface).copied().flatten()?;
            let size = found.pages.get(page)?.size.map(float);
            let surface = room.surfaces.get(origin.surface)?;
            let [a, b, c] = surface.triangles.get(origin.triangle)?.map(|corner| {
                let vertex = usize::try_from(corner).ok().and_then(|corner| surface.vertices.get(corner));
                Vec2::from_array(vertex.copied().unwrap_or_default().lightmap_uv) * Vec2::from_array(size)
            });
            // The order of the triangle's vertices in glTF's winding.
            Some(Placement { page, chart, corners: [a, c, b] })
        };
        let mut places: Vec<Option<Placement>> = bodies.origins.iter().zip(0..).map(place).collect();
        places.resize(bodies.triangles.len(), None);
        let density = measured(bodies, &places);
        Ok(Self { pages: found.pages, places, count: None, density })
    }

    /// The texels to be lit.
    pub(super) fn lit(&self, report: &mut Report) -> TexelMap {
        let sizes: Vec<PageSize> = self.pages.iter().map(|page| page.size).collect();
        let lit = TexelMap::new(&sizes, self.places.clone());
        if lit.overlapping() > 0 {
            let overlapping = counted(lit.overlapping(), "triangle overlaps", "triangles overlap");
            let message = format!("{overlapping} others in the lightmaps and are not lit");
            report.warn(&warning::LIGHT_OVER, message);
        }
        lit
    }
}

fn area([width, height]: PageSize) -> u64 {
    u64::from(width).saturating_mul(height.into())
}

/// Whether the game draws a surface with a lightmap.
pub(super) fn has_lightmap(surface: &Surface) -> bool {
    is_opaque(surface) && surface.lightmap.named().is_some()
}

/// The lightmaps of a room, each once.
struct LightmapPages {
    textures: Textures,
    /// By lowercase name.
    numbers: BTreeMap<String, usize>,
    pages: Vec<Page>,
}

impl LightmapPages {
    /// The page index of a surface's lightmap.
    fn page(
        &mut self,
        index: usize,
        surface: &Surface,
        density: f64,
        context: &Context<'_>,
        report: &mut Report,
    ) -> Option<usize> {
        let name = surface.lightmap.named()?;
        let key = name.text().to_lowercase();
        if let Some(known) = self.numbers.get(&key) {
            return Some(*known);
        }
        let field = format!("surfaces[{index}].lightmap");
        let source = self.textures.decodable(context, name, Use::Lightmap, &field, report);
        let (size, before) = match &source {
            Some(source) => {
                (source.size().to_array().map(|side| truncate(side).max(1)), source.picture(context).ok())
            }
            None => {
                let side = side_for(surface, density);
                let message = format!(
                    "the size of the lightmap \"{name}\" is not known; the new one has {side} x {side}"
                );
                report.warn(&warning::LIGHT_SIZE, message).in_field(field);
                ([side; 2], None)
            }
        };
        self.pages.push(Page { name: name.clone(), size, before });
        let number = self.pages.len().saturating_sub(1);
        self.numbers.insert(key, number);
        Some(number)
    }
}

/// The size of a square lightmap in which a surface has about `density` texels per meter.
fn side_for(surface: &Surface, density: f64) -> u32 {
    let corners = surface.triangles.iter().filter_map(|triangle| {
        let vertex =
            |corner: u32| usize::try_from(corner).ok().and_then(|it| surface.vertices.get(it)).copied();
        let [a, b, c] = triangle.map(vertex);
        Some([a?, b?, c?])
    });
    let (mut meters, mut share) = (0.0, 0.0);
    for [a, b, c] in corners {
        let position = |vertex: Vertex| crate::axes::position(vertex.position).as_dvec3();
        let uv = |vertex: Vertex| Vec2::from_array(vertex.lightmap_uv).as_dvec2();
        meters += (position(b) - position(a)).cross(position(c) - position(a)).length();
        share += (uv(b) - uv(a)).perp_dot(uv(c) - uv(a)).abs();
    }
    let side = density * (meters / share).sqrt();
    if side.is_finite() {
        truncate(side.clamp(32.0, f64::from(SIDE))).next_power_of_two().min(SIDE)
    } else {
        32
    }
}

/// Texels per meter, on average over the area.
fn measured(bodies: &Bodies, places: &[Option<Placement>]) -> f64 {
    let (mut meters, mut texels) = (0.0, 0.0);
    for (triangle, place) in bodies.triangles.iter().zip(places) {
        let Some(Placement { corners: [a, b, c], .. }) = place else { continue };
        let area = f64::from((*b - *a).perp_dot(*c - *a).abs());
        if area.is_finite() {
            meters += f64::from(Facet { corners: triangle.corners, group: 0 }.area()) * 2.0;
            texels += area;
        }
    }
    if meters > 0.0 { (texels / meters).sqrt() } else { 0.0 }
}

/// A unique name for a lightmap that is written as PNG next to the room.
fn writable(
    name: &BlitzString,
    stem: &str,
    taken: &mut BTreeMap<String, usize>,
    number: usize,
    report: &mut Report,
) -> BlitzString {
    let text = name.text();
    let with_extension = match text.rsplit_once('.') {
        Some((_, extension)) if extension.eq_ignore_ascii_case("png") => text.clone().into_owned(),
        Some((start, _)) => format!("{start}.png"),
        None => format!("{text}.png"),
    };
    let is_plain = safe_name(&with_extension) == with_extension;
    let own = format!("{stem}_lm{}.png", number.saturating_add(1));
    let mut chosen = if is_plain { with_extension } else { own.clone() };
    if taken.contains_key(&chosen.to_lowercase()) {
        chosen = own;
    }
    let mut more = 0_u32;
    while taken.contains_key(&chosen.to_lowercase()) {
        more = more.saturating_add(1);
        chosen = format!("{stem}_lm{}_{more}.png", number.saturating_add(1));
    }
    taken.insert(chosen.to_lowercase(), number);
    if *chosen != *text {
        let message = format!("the lightmap \"{text}\" becomes \"{chosen}\"");
        report.warn(&warning::LIGHT_RENAMED, message);
    }
    BlitzString::from(&*chosen)
}

/// The fraction of all texels that a surface covers.
pub(super) fn covered_share(lit: &TexelMap, pages: &[Page]) -> f64 {
    let all = pages.iter().map(|page| area(page.size)).fold(0, u64::saturating_add);
    let all = usize::try_from(all).unwrap_or(usize::MAX);
    if all == 0 { 0.0 } else { from_count(lit.covered()) / from_count(all) }
}
