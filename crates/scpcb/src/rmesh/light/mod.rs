//! Computes new lightmaps for a room: `antiquary build lightmaps`.
//!
//! The opaque triangles of the room and its props ([`bodies`]) block the light of its lights ([`lamps`]). They are mapped to new or
//! existing lightmaps ([`charts`]); [`light`] computes the light there, which [`picture`] draws. The result is a [`room`] that
//! refers to the
//! lightmaps. If existing lightmaps are kept, vertex-lit surfaces also get new [vertex colors](vertex).
//!
//! The game shows `min(1, 2 x texture x lightmap)` in display values. Lamps are added in those values, as in the game's own lightmaps.
//! Bounced light is computed in linear space, with the mean color of textures.

mod bodies;
mod charts;
mod lamps;
mod picture;
mod room;
#[cfg(test)]
mod tests;
mod vertex;

use asset::build::{BuildRequest, Builder, Built};
use asset::{Asset, Flag, Number, Options, Report, counted};
use json::json;
use light::{Quality, World};
use record::{Error, Result};

use super::{RMesh, warning};
use crate::BlitzString;
use crate::number::{rounded, single, truncate};
use bodies::Bodies;
use charts::Charts;
use lamps::Lamps;
use picture::Light;

/// `--density`.
const DENSITY: Number = Number::new(
    "density",
    "Maximum number of texels per meter of new lightmaps. Rooms of the game have 3 to 34.",
    16.0,
    0.25,
    256.0,
);

/// `--bounces`.
const BOUNCES: Number = Number::new(
    "bounces",
    "Number of times that light bounces off surfaces; 0 for direct light only.",
    1.0,
    0.0,
    16.0,
);

/// `--samples`.
const SAMPLES: Number = Number::new(
    "samples",
    "Number of rays from a texel to a partly hidden light, and of rays per bounce. More rays give smoother light.",
    64.0,
    1.0,
    4096.0,
);

/// `--radius`.
const RADIUS: Number = Number::new(
    "radius",
    "Radius of the lights, in meters. Larger lights cast softer shadows.",
    0.1,
    0.0,
    10.0,
);

/// `--ambient`.
const AMBIENT: Number =
    Number::new("ambient", "Ambient light. Rooms of the game have about 22.", 22.0, 0.0, 255.0);

/// `--relight`.
const RELIGHT: Flag = Flag::new(
    "relight",
    "Keep the coordinates, names and sizes of the room's lightmaps, and compute only the light again.",
);

asset::format_options! {
    /// Options of the computation of lightmaps.
    pub struct LightmapOptions {
        /// Maximum texels per meter of new lightmaps.
        density: f64 = DENSITY;
        /// Number of times light bounces off surfaces.
        bounces: f64 = BOUNCES;
        /// Rays from a texel to a partly hidden light, and per bounce.
        samples: f64 = SAMPLES;
        /// Radius of the lights in meters.
        radius: f64 = RADIUS;
        /// Ambient light, 0 to 255.
        ambient: f64 = AMBIENT;
        /// Whether the room's lightmaps keep their layout, names and sizes.
        relight: bool = RELIGHT;
    }
}

/// The builder of lightmaps for a room.
pub static BUILDER: Builder = Builder {
    name: "lightmaps",
    about: "Lightmaps with the light and shadows of a room, and the room that uses them.",
    input: "scpcb.rmesh",
    output: "scpcb.rmesh",
    options: LightmapOptions::DECLARED,
    build,
};

/// Distance from a surface at which rays start, in meters.
const OFFSET: f32 = 0.002;

/// Maximum distance between texels between which bounced light is interpolated, in meters.
const SPACING: f32 = 0.25;

/// The settings of the computation.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Settings {
    density: f64,
    bounces: u32,
    radius: f32,
    /// From 0 to 1.
    ambient: f32,
    quality: Quality,
    relight: bool,
}

impl Settings {
    fn of(options: &Options) -> Self {
        let samples = truncate(options.number(&SAMPLES));
        Self {
            density: options.number(&DENSITY),
            bounces: truncate(options.number(&BOUNCES)),
            radius: single(options.number(&RADIUS)),
            ambient: single(options.number(&AMBIENT) / 255.0),
            quality: Quality { shadow_rays: samples, bounce_rays: samples, offset: OFFSET, spacing: SPACING },
            relight: options.flag(&RELIGHT),
        }
    }
}

fn build(asset: &dyn Asset, request: &BuildRequest<'_>, report: &mut Report) -> Result<Built> {
    let room: &RMesh = asset.typed().ok_or_else(|| {
        Error::usage("lightmaps are built for plain rooms; convert this room to .rmesh first")
    })?;
    let context = request.context;
    let settings = Settings::of(context.options);
    let stem = stem(request.name);
    let bodies = Bodies::of(room, context, report)?;
    if bodies.origins.is_empty() {
        return Err(Error::usage("the room has no opaque triangles that light can fall on"));
    }
    let charts = if settings.relight {
        Charts::kept(room, &bodies, settings.density, &stem, context, report)?
    } else {
        Charts::new(&bodies, settings.density, &stem, report)?
    };
    let mut lit = charts.lit(report);
    let texels = lit.covered();
    if texels == 0 {
        warn_no_texels(bodies.origins.len(), &charts, report);
    }
    let vertices = settings.relight.then(|| vertex::Vertices::of(room, &bodies, &mut lit));
    let lamps = Lamps::of(room, &bodies, settings.radius, report);
    let (lights, at_origin) = (lamps.list.len(), lamps.at_origin);
    let world = World::new(bodies.triangles.clone(), lamps.list, settings.quality)?;
    world.check_effort(&lit, settings.bounces)?;
    let found = Light::of(&world, &mut lit, &settings, request.progress);
    let mut result = if settings.relight {
        room::with_names(room, &bodies, &charts)
    } else {
        room::with_charts(room, &bodies, &charts, report)?
    };
    let colors = vertices.map_or(0, |vertices| vertices.color(&mut result, &found));
    let pictures = picture::draw(&charts.pages, &lit, &found)?;
    let mut figures = json!({
        "lights": lights,
        "lights_at_the_origin": at_origin,
        "triangles": bodies.origins.len(),
        "props": bodies.props,
        "prop_triangles": bodies.triangles.len().saturating_sub(bodies.origins.len()),
        "lightmaps": charts.pages.len(),
        "charts": charts.count,
        "surfaces": result.surfaces.len(),
        "vertices": result.surfaces.iter().map(|surface| surface.vertices.len()).sum::<usize>(),
        "texels": texels,
        "covered_share": rounded(charts::covered_share(&lit, &charts.pages)),
        "texels_per_meter": rounded(charts.density),
        "rays": world.rays_traced(),
        "light": pictures.figures,
    });
    if settings.relight
        && let Some(figures) = figures.as_object_mut()
    {
        figures.remove("charts");
        figures.insert("vertex_colors".into(), colors.into());
        figures.insert("before".into(), pictures.before);
    }
    Ok(Built { bytes: result.write()?, companions: pictures.files, figures })
}

/// Reports that no texel is covered by a triangle.
fn warn_no_texels(triangles: usize, charts: &Charts, report: &mut Report) {
    let triangles = counted(triangles, "triangle", "triangles");
    let message = match charts.pages.as_slice() {
        [] => format!("none of {triangles} has an area that light can fall on; no lightmap is written"),
        _ => format!("none of {triangles} covers a texel of the lightmaps; they are black"),
    };
    report.warn(&warning::LIGHT_NOWHERE, message);
}

/// The file name of the room without its extension; characters that the game cannot encode become underscores.
fn stem(name: &str) -> String {
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    let can_write = |letter: char| BlitzString::from_text(letter.encode_utf8(&mut [0; 4])).is_ok();
    stem.chars().map(|letter| if can_write(letter) { letter } else { '_' }).collect()
}
