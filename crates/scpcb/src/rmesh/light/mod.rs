//! Lightmaps made anew for a room: `antiquary build lightmaps`.
//!
//! The opaque triangles of the room and its props ([`bodies`]) stop the light of its lights ([`lamps`]). They lie in lightmaps, anew or as they
//! did ([`charts`]); the light there is ([`picture`]) comes from [`light`]. What is made is a [`room`] that refers to the lightmaps. Surfaces without a
//! lightmap that keep theirs as the colors of vertices get new [colors](vertex) when lightmaps are kept.
//!
//! The game shows `min(1, 2 x texture x lightmap)` in display values. Lamps add up in those, as in the lightmaps that the game has. Light that bounces
//! does so in linear light, off the mean color of textures.

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
use crate::number::{rounded, single, whole};
use bodies::Bodies;
use charts::Charts;
use lamps::Lamps;
use picture::Light;

/// `--density`.
const DENSITY: Number = Number::new(
    "density",
    "Texels per meter of new lightmaps, at most; rooms of the game have 3 to 34.",
    16.0,
    0.25,
    256.0,
);

/// `--bounces`.
const BOUNCES: Number = Number::new(
    "bounces",
    "How often light bounces off surfaces, in the mean colors of their textures. 0: only what comes from the lights.",
    1.0,
    0.0,
    16.0,
);

/// `--samples`.
const SAMPLES: Number = Number::new(
    "samples",
    "Rays from a texel to a light that is partly hidden, and for each bounce. More are smoother.",
    64.0,
    1.0,
    4096.0,
);

/// `--radius`.
const RADIUS: Number =
    Number::new("radius", "The radius of the lights in meters: larger makes shadows softer.", 0.1, 0.0, 10.0);

/// `--ambient`.
const AMBIENT: Number = Number::new(
    "ambient",
    "The light that is everywhere, of 255; rooms of the game have about 22.",
    22.0,
    0.0,
    255.0,
);

/// `--relight`.
const RELIGHT: Flag = Flag::new(
    "relight",
    "Keeps where surfaces lie in the lightmaps that the room has, and the names and sizes of those; only the light is new.",
);

asset::format_options! {
    /// How lightmaps are computed.
    pub struct LightmapOptions {
        /// Texels per meter of new lightmaps, at most.
        density: f64 = DENSITY;
        /// How often light bounces off surfaces.
        bounces: f64 = BOUNCES;
        /// Rays from a texel to a light that is partly hidden, and for each bounce.
        samples: f64 = SAMPLES;
        /// The radius of the lights in meters.
        radius: f64 = RADIUS;
        /// The light that is everywhere, of 255.
        ambient: f64 = AMBIENT;
        /// Whether lightmaps that the room has keep their layout, names and sizes.
        relight: bool = RELIGHT;
    }
}

/// Makes lightmaps for a room.
pub static BUILDER: Builder = Builder {
    name: "lightmaps",
    about: "Lightmaps: the light of a room and its shadows, and the room with them.",
    input: "scpcb.rmesh",
    output: "scpcb.rmesh",
    options: LightmapOptions::DECLARED,
    build,
};

/// Rays start so far over a surface, in meters.
const OFFSET: f32 = 0.002;

/// How the light is computed.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Settings {
    density: f64,
    bounces: u32,
    radius: f32,
    /// Of 1.
    ambient: f32,
    quality: Quality,
    relight: bool,
}

impl Settings {
    fn of(options: &Options) -> Self {
        let samples = whole(options.number(&SAMPLES));
        Self {
            density: options.number(&DENSITY),
            bounces: whole(options.number(&BOUNCES)),
            radius: single(options.number(&RADIUS)),
            ambient: single(options.number(&AMBIENT) / 255.0),
            quality: Quality { shadow_rays: samples, bounce_rays: samples, offset: OFFSET },
            relight: options.flag(&RELIGHT),
        }
    }
}

fn build(asset: &dyn Asset, request: &BuildRequest<'_>, report: &mut Report) -> Result<Built> {
    let room: &RMesh = asset.typed().ok_or_else(|| {
        Error::usage("lightmaps are built for plain rooms; convert this room to .rmesh before")
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
        warn_of_nowhere(bodies.origins.len(), &charts, report);
    }
    let vertices = settings.relight.then(|| vertex::Vertices::of(room, &bodies, &mut lit));
    let lamps = Lamps::of(room, &bodies, settings.radius, report);
    let (lights, at_origin) = (lamps.list.len(), lamps.at_origin);
    let world = World::new(bodies.triangles.clone(), lamps.list, settings.quality)?;
    world.check_effort(&lit, settings.bounces)?;
    let found = Light::of(&world, &mut lit, &settings, request.progress);
    let mut made = if settings.relight {
        room::with_names(room, &bodies, &charts)
    } else {
        room::with_charts(room, &bodies, &charts, report)?
    };
    let colors = vertices.map_or(0, |vertices| vertices.color(&mut made, &found));
    let pictures = picture::draw(&charts.pages, &lit, &found)?;
    let mut figures = json!({
        "lights": lights,
        "lights_at_the_origin": at_origin,
        "triangles": bodies.origins.len(),
        "props": bodies.props,
        "prop_triangles": bodies.triangles.len().saturating_sub(bodies.origins.len()),
        "lightmaps": charts.pages.len(),
        "charts": charts.count,
        "surfaces": made.surfaces.len(),
        "vertices": made.surfaces.iter().map(|surface| surface.vertices.len()).sum::<usize>(),
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
    Ok(Built { bytes: made.write()?, companions: pictures.files, figures })
}

/// Reports that no texel shows a triangle.
fn warn_of_nowhere(triangles: usize, charts: &Charts, report: &mut Report) {
    let triangles = counted(triangles, "triangle", "triangles");
    let message = match charts.pages.as_slice() {
        [] => format!("none of {triangles} has an area that light can fall on; no lightmap is written"),
        _ => format!("none of {triangles} covers a texel of the lightmaps; they are black"),
    };
    report.warn(&warning::LIGHT_NOWHERE, message);
}

/// What the room is called without its extension, as far as the game can write it.
fn stem(name: &str) -> String {
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    let can_write = |letter: char| BlitzString::from_text(letter.encode_utf8(&mut [0; 4])).is_ok();
    stem.chars().map(|letter| if can_write(letter) { letter } else { '_' }).collect()
}
