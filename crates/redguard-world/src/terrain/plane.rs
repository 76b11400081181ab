//! Converts the planes of a terrain to images, and edited images back.
//!
//! Heights are a 16-bit image with 8 steps per world unit. The other planes have a color for each of their values: for texture numbers, the
//! average color of the texture. Rows run from north to south.

use std::collections::BTreeSet;

use asset::unpack::EditedView;
use asset::{Context, Offer, Parts, ProductContext, ProductKind, Report, Unpacked, ViewSource, counted};
use media::picture::{Edited, ViewPalettes, read_view};
use record::{Error, Result};
use scene::Product;
use scene::image::{Gray16, Indexed8, Limits, Rgba8, decode_gray16};
use scene::product::Picture;
use serde::{Deserialize, Serialize};

use super::BANK;
use super::grid::{Grid, HEIGHTS, plane, set_plane, size};
use super::layout::Terrain;
use super::warning;
use crate::model::Version;
use crate::model::scene::Materials;
use redguard_files::settings::ini::surface::{SURFACES, Surfaces};

/// Steps of a height image per world unit.
const STEPS: u16 = 8;

/// The content of an image.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Plane {
    Height,
    /// Image numbers in bank 302.
    Texture,
    /// Quarter turns of the images.
    Turn,
    /// Surface type of the ground, by SURFACE.INI.
    Surface,
    /// The split bit of the software program.
    Split,
    Scatter,
}

impl Plane {
    /// All planes, in the order in which edited images are applied.
    const ALL: [Self; 6] =
        [Self::Height, Self::Split, Self::Texture, Self::Turn, Self::Surface, Self::Scatter];

    const fn name(self) -> &'static str {
        match self {
            Self::Height => "height",
            Self::Texture => "texture",
            Self::Turn => "turn",
            Self::Surface => "surface",
            Self::Split => "split",
            Self::Scatter => "scatter",
        }
    }
}

/// Data needed to read edited views.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct ViewContext {
    palettes: ViewPalettes,
    /// Surface type of each image; empty if the game does not specify it.
    surfaces: Vec<u8>,
}

impl ViewContext {
    /// Surface type of an image.
    fn surface(&self, image: u8) -> u8 {
        self.surfaces.get(usize::from(image)).copied().unwrap_or_default()
    }
}

/// Writes images of all available planes.
pub(super) fn unpack(terrain: &Terrain, context: &Context<'_>, parts: &mut Parts<'_>) -> Result<()> {
    let Some(sides) = sides(terrain).filter(|_| parts.wants_views()) else { return Ok(()) };
    let mut view_context = ViewContext { surfaces: surfaces(context), ..ViewContext::default() };
    let sources = [ViewSource::Record("/tiles")];
    for plane in available(&view_context.surfaces) {
        let image = image(terrain, plane, sides, &view_context, context)?;
        let colors = match &image {
            Picture::Indexed(values) => Some(values.palette().to_vec()),
            _ => None,
        };
        let name = parts.view(plane.name(), Product::Image(image), &sources)?;
        if let Some(colors) = colors {
            view_context.palettes.note(name, &colors, plane.name());
        }
    }
    parts.context(&view_context)
}

/// Returns the images of all available planes, for a conversion.
pub(super) fn offers<'a>(terrain: &'a Terrain, context: &Context<'a>) -> Vec<Offer<'a>> {
    let Some(sides) = sides(terrain) else { return Vec::new() };
    let surfaces = surfaces(context);
    let offer = |plane: Plane| {
        let (context, surfaces) = (context.clone(), surfaces.clone());
        let make = move |_: &mut ProductContext<'_>| {
            let view_context = ViewContext { surfaces, ..ViewContext::default() };
            image(terrain, plane, sides, &view_context, &context).map(Product::Image).map(Some)
        };
        Offer::new(ProductKind::Image, make).named(plane.name())
    };
    available(&surfaces).map(offer).collect()
}

/// Returns the width and the height of the images; `None` if the terrain has no corners.
fn sides(terrain: &Terrain) -> Option<[u32; 2]> {
    let (columns, rows) = size(terrain);
    let sides = [u32::try_from(columns).ok()?, u32::try_from(rows).ok()?];
    (!sides.contains(&0)).then_some(sides)
}

/// Returns the planes that have an image. Without the surface types of the game, there is no image of the surfaces.
fn available(surfaces: &[u8]) -> impl Iterator<Item = Plane> + use<> {
    let has_surfaces = !surfaces.is_empty();
    Plane::ALL.into_iter().filter(move |plane| has_surfaces || *plane != Plane::Surface)
}

/// Draws a plane.
fn image(
    terrain: &Terrain,
    plane: Plane,
    [width, height]: [u32; 2],
    view_context: &ViewContext,
    context: &Context<'_>,
) -> Result<Picture> {
    if plane != Plane::Height {
        let (values, colors) = (indices(terrain, plane, view_context), colors(plane, context)?);
        return Indexed8::new(width, height, values, colors).map(Picture::from);
    }
    let (grid, (columns, rows)) = (Grid::of(terrain), size(terrain));
    let corners = (0..rows).flat_map(|row| (0..columns).map(move |column| (column, row)));
    let sample =
        |(column, row)| u16::try_from(grid.height(column, row)).unwrap_or(u16::MAX).saturating_mul(STEPS);
    Gray16::new(width, height, corners.map(sample).collect()).map(Picture::from)
}

/// Surface type of each image.
fn surfaces(context: &Context<'_>) -> Vec<u8> {
    let Some(surfaces) = Surfaces::of_game(context) else { return Vec::new() };
    let kind = |image: u8| {
        let name = surfaces.of_image(image).unwrap_or_default();
        let found = SURFACES.iter().position(|view_context| *view_context == name);
        found.and_then(|found| u8::try_from(found).ok()).unwrap_or_default()
    };
    (0..64).map(kind).collect()
}

/// Values of a plane.
fn indices(terrain: &Terrain, kind: Plane, view_context: &ViewContext) -> Vec<u8> {
    let surface = || plane(terrain, |planes| &planes.surface.0).into_iter();
    match kind {
        Plane::Height => {
            plane(terrain, |planes| &planes.heights.0).into_iter().map(|byte| byte & 0x7f).collect()
        }
        Plane::Split => {
            plane(terrain, |planes| &planes.heights.0).into_iter().map(|byte| byte >> 7).collect()
        }
        Plane::Texture => surface().map(|byte| byte & 0x3f).collect(),
        Plane::Turn => surface().map(|byte| byte >> 6).collect(),
        Plane::Surface => surface().map(|byte| view_context.surface(byte & 0x3f)).collect(),
        Plane::Scatter => plane(terrain, |planes| &planes.scatter.0),
    }
}

/// A distinct color for each value.
fn colors(plane: Plane, context: &Context<'_>) -> Result<Vec<[u8; 4]>> {
    let solid = |[red, green, blue]: [u8; 3]| [red, green, blue, 255];
    Ok(match plane {
        Plane::Height => Vec::new(),
        Plane::Split => [[0, 0, 0], [255, 255, 255]].map(solid).to_vec(),
        Plane::Turn => [[64, 64, 64], [208, 64, 64], [64, 160, 64], [64, 96, 224]].map(solid).to_vec(),
        Plane::Scatter => (0..=255).map(|gray| [gray, gray, gray, 255]).collect(),
        Plane::Surface => KINDS.map(solid).to_vec(),
        Plane::Texture => {
            let mut materials = Materials::new(context, Version::V4_0)?;
            let mut used = BTreeSet::new();
            let color = |image: u8| {
                let mean = materials.picture(BANK, u16::from(image)).as_ref().map_or([image << 2; 3], mean);
                let mut color = mean;
                while !used.insert(color) {
                    color = next(color);
                }
                solid(color)
            };
            (0..64).map(color).collect()
        }
    })
}

/// Colors of the surface types, in their order.
const KINDS: [[u8; 3]; SURFACES.len()] = [
    [128, 128, 128],
    [64, 112, 224],
    [32, 56, 160],
    [80, 160, 232],
    [24, 80, 192],
    [224, 64, 24],
    [224, 208, 136],
    [136, 88, 48],
    [184, 184, 200],
    [72, 144, 64],
    [104, 96, 88],
    [152, 40, 168],
];

/// Returns a different color that looks the same.
const fn next([red, green, blue]: [u8; 3]) -> [u8; 3] {
    match (blue, green) {
        (255, 255) => [red.wrapping_add(1), 0, 0],
        (255, _) => [red, green.wrapping_add(1), 0],
        _ => [red, green, blue.wrapping_add(1)],
    }
}

/// Average color of an image.
fn mean(picture: &Rgba8) -> [u8; 3] {
    let (pixels, _) = picture.pixels().as_chunks::<4>();
    let count = u64::try_from(pixels.len()).unwrap_or(u64::MAX).max(1);
    std::array::from_fn(|channel| {
        let sum =
            pixels.iter().filter_map(|pixel| pixel.get(channel)).map(|value| u64::from(*value)).sum::<u64>();
        u8::try_from(sum.checked_div(count).unwrap_or_default()).unwrap_or(u8::MAX)
    })
}

/// Packs the terrain with edited images applied.
pub(super) fn pack(folder: &Unpacked, report: &mut Report) -> Result<Vec<u8>> {
    let mut terrain: Terrain = folder.typed()?;
    let views = folder.edited_views()?;
    if !views.is_empty() {
        let view_context: ViewContext = folder.context()?;
        for plane in Plane::ALL {
            if let Some(view) = views.iter().find(|view| view.stem() == plane.name()) {
                match plane {
                    Plane::Height => set_heights(&mut terrain, view, report)?,
                    _ => set_values(&mut terrain, plane, view, &view_context, report)?,
                }
            }
        }
    }
    terrain.write()
}

/// Refuses an image of the wrong size.
fn check_size(terrain: &Terrain, view: &EditedView, width: u32, height: u32) -> Result<()> {
    let (columns, rows) = size(terrain);
    match (usize::try_from(width), usize::try_from(height)) {
        (Ok(width), Ok(height)) if (width, height) == (columns, rows) => Ok(()),
        _ => {
            Err(Error::usage(format!("the image has {width} x {height} pixels, expected {columns} x {rows}"))
                .in_file(view.path()))
        }
    }
}

fn set_heights(terrain: &mut Terrain, view: &EditedView, report: &mut Report) -> Result<()> {
    let picture =
        decode_gray16(&view.bytes, &Limits::default()).map_err(|error| error.in_file(view.path()))?;
    check_size(terrain, view, picture.width(), picture.height())?;
    let mut heights = plane(terrain, |planes| &planes.heights.0);
    let mut inexact = 0_usize;
    for (byte, sample) in heights.iter_mut().zip(picture.samples()) {
        let stored =
            |number: u8| HEIGHTS.get(usize::from(number)).map_or(0, |height| height.saturating_mul(STEPS));
        // Several indices have the same height: an equal height keeps its index.
        if stored(*byte & 0x7f) == *sample {
            continue;
        }
        let nearest = (0..128).min_by_key(|number| stored(*number).abs_diff(*sample)).unwrap_or_default();
        inexact = inexact.saturating_add(usize::from(stored(nearest) != *sample));
        *byte = (*byte & 0x80) | nearest;
    }
    if inexact > 0 {
        let count = counted(inexact, "height is", "heights are");
        let message = format!("{}: {count} not in the height table; using the nearest ones", view.path());
        report.warn(&warning::INEXACT, message);
    }
    set_plane(terrain, &heights, |planes| &mut planes.heights.0);
    Ok(())
}

fn set_values(
    terrain: &mut Terrain,
    kind: Plane,
    view: &EditedView,
    view_context: &ViewContext,
    report: &mut Report,
) -> Result<()> {
    let (columns, rows) = size(terrain);
    let side = |side: usize| u32::try_from(side).unwrap_or(u32::MAX);
    let old =
        Edited { width: side(columns), height: side(rows), indices: indices(terrain, kind, view_context) };
    let palette = view_context.palettes.palette(&view.name)?;
    let new = read_view(view, &palette, Some(&old), &warning::INEXACT, report)?;
    check_size(terrain, view, new.width, new.height)?;
    let mut bytes = plane(terrain, |planes| match kind {
        Plane::Scatter => &planes.scatter.0,
        Plane::Height | Plane::Split => &planes.heights.0,
        Plane::Texture | Plane::Turn | Plane::Surface => &planes.surface.0,
    });
    for ((byte, value), _) in
        bytes.iter_mut().zip(new.indices).zip(old.indices).filter(|((_, value), old)| value != old)
    {
        *byte = match kind {
            Plane::Scatter | Plane::Height => value,
            Plane::Split => (*byte & 0x7f) | ((value & 1) << 7),
            Plane::Texture => (*byte & 0xc0) | (value & 0x3f),
            Plane::Turn => (*byte & 0x3f) | ((value & 3) << 6),
            Plane::Surface => {
                (*byte & 0xc0) | image_of(value, view_context).map_err(|error| error.in_file(view.path()))?
            }
        };
    }
    set_plane(terrain, &bytes, |planes| match kind {
        Plane::Scatter => &mut planes.scatter.0,
        Plane::Height | Plane::Split => &mut planes.heights.0,
        Plane::Texture | Plane::Turn | Plane::Surface => &mut planes.surface.0,
    });
    Ok(())
}

/// Returns the first image with a surface type.
fn image_of(surface: u8, view_context: &ViewContext) -> Result<u8> {
    let found = (0..64).find(|image| view_context.surface(*image) == surface);
    found.ok_or_else(|| {
        let name = SURFACES.get(usize::from(surface)).copied().unwrap_or_default();
        Error::usage(format!("no image of TEXBSI.{BANK} has the surface {name} in SURFACE.INI"))
    })
}
