//! Imports a scene as a model: one of our own conversions, possibly edited in another program, or one made from scratch.
//!
//! - Each node becomes a mesh of the model, an empty one if it has no geometry. Nodes that our own conversions add below that of a mesh
//!   ("NAME shape", "NAME inner", "NAME scale") and the node of the whole model are merged into what they belong to.
//! - The first clip becomes its animation. Its keys are at integer frames: at the frame rate of the original model, or at one that fits
//!   its keys; if a key falls between two frames, both get one. Splines are sampled 60 times per second.
//! - A material is a texture, by `extras.texture` or else by the name of its image, and whether faces are seen from both sides. Images that the game
//!   does not have become files in `data/texture`.
//! - Faces that have the same normals at both ends of an edge are in one smoothing group. The shade type is 0 for unlit materials, 1 if
//!   all faces are flat, else 2; `extras.rsm` overrides it.
//! - The version is that of the model it came from, if the extension fits it; else 2.3 for `.rsm2`, and 1.4 for `.rsm`, as nearly all models of the
//!   game have. Version 2.3 supports all of the above. Versions before 2.0 support rotation keys only.

mod absolute;
mod base;
mod clock;
mod curve;
mod geometry;
mod group;
mod material;
mod original;
mod part;
mod relative;
#[cfg(test)]
mod tests;
mod texture_file;

use std::borrow::Cow;
use std::collections::BTreeMap;

use asset::{Imported, Report, SceneFile};
use json::{Map, Value};
use record::{Error, Result};
use scene::{Animation, ImageId, Scene, Target, Track};

use self::base::UvMotion;
use self::clock::Clock;
use self::original::Original;
use self::part::Part;
use super::normal::Shade;
use super::{Name, Rsm, Version, VolumeBox, warning};
use crate::axes::Axes;

/// The supported targets and their versions.
pub(super) const EXTENSIONS: &[&str] = &["rsm2", "rsm"];

/// Makes a model file of a scene file, with the textures that the game does not have.
pub(super) fn import(file: &SceneFile<'_>, report: &mut Report) -> Result<Imported> {
    let SceneFile { read, extension, base, .. } = *file;
    let usual = if extension == "rsm" { Version::V1_4 } else { Version::V2_3 };
    let known = Settings::find(&read.scene).version;
    let version = known.filter(|known| known.extension() == extension).unwrap_or(usual);
    let built = if version.is_absolute() { Version::V2_3 } else { Version::V1_5 };
    let mut original = Original::find(&read.scene);
    if let (Some(original), UvMotion::Lost) = (&mut original, uv_motion(&read.scene)) {
        let tracks = original.scene.animations.iter_mut().map(|clip| &mut clip.tracks);
        tracks.for_each(|tracks| tracks.retain(|track| !is_of_texture(track)));
    }
    let mut scene = Cow::Borrowed(&read.scene);
    if let Some(original) = &original {
        scene.to_mut().restore_unedited(&original.scene);
    }
    let (model, textures) = build(&scene, built, report)?;
    let mut model = model.to_version(version, report);
    let short = model.shorten_names(report);
    if let Some(original) = &original {
        let build = |scene: &Scene, report: &mut Report| Ok(build(scene, built, report)?.0);
        let unedited = original::built(&original.scene, version, build);
        unedited.iter().for_each(|unedited| original.restore(&mut model, unedited));
    }
    if let Some(base) = base.and_then(|base| base.typed::<Rsm>()) {
        base::supply(&mut model, base, uv_motion(&read.scene));
    }
    let beside = texture_file::companions(&read.scene, &textures, &short, report);
    for left_out in read.left_out.iter().cloned().chain(read.deformations()) {
        lost(report, &left_out.what, left_out.count);
    }
    Ok(Imported { bytes: model.write()?, beside })
}

impl Rsm {
    /// Makes a model of version 1.5 or 2.3 of a scene. What it cannot hold is reported.
    ///
    /// # Errors
    /// [`Kind::Usage`](record::Kind::Usage) for another version, and for a mesh with more vertices than 16 bits can number;
    /// [`Kind::Limit`](record::Kind::Limit) for too many nodes, faces or keys.
    pub fn from_scene(scene: &Scene, version: Version, report: &mut Report) -> Result<Self> {
        let (model, textures) = build(scene, version, report)?;
        textures.iter().for_each(|(name, _)| texture_file::report_unwritten(name, report));
        Ok(model)
    }
}

/// Names of textures that the game does not have, each with its image.
type NewFiles = Vec<(Name, Option<ImageId>)>;

/// A model of a scene, and the textures that the game does not have, each with its image.
fn build(scene: &Scene, version: Version, report: &mut Report) -> Result<(Rsm, NewFiles)> {
    if version != Version::V1_5 && version != Version::V2_3 {
        let message = format!("scenes can be imported as models of version 1.5 or 2.3, not {version}");
        return Err(Error::usage(message));
    }
    let settings = Settings::find(scene);
    let mut clips = scene.animations.iter().filter(|clip| is_for_nodes(clip));
    let clip = clips.next();
    let mut import = Import {
        scene,
        version,
        axes: Axes::of(version.space(), 1.0),
        clock: Clock::choose(&settings, clip, version)?,
        settings,
        tracks: tracks(clip),
        keys_left: MAX_KEYS,
        lost: BTreeMap::new(),
    };
    let parts = part::gather(&mut import)?;
    import.into_model(parts, report)
}

/// Whether the scene says how textures move.
fn uv_motion(scene: &Scene) -> UvMotion {
    let mut tracks = scene.animations.iter().flat_map(|clip| &clip.tracks);
    if tracks.any(is_of_texture) { UvMotion::OfScene } else { UvMotion::Lost }
}

/// Whether a track moves a texture.
fn is_of_texture(track: &Track) -> bool {
    use Target::{MaterialUvOffset, MaterialUvRotation, MaterialUvScale};
    matches!(track.target, MaterialUvOffset(_) | MaterialUvRotation(_) | MaterialUvScale(_))
}

/// Whether a clip moves more than morph targets, of which models know nothing.
fn is_for_nodes(clip: &Animation) -> bool {
    clip.tracks.is_empty() || clip.tracks.iter().any(|track| !matches!(track.target, Target::Weights(_)))
}

/// The tracks of a clip that have keys.
fn tracks(clip: Option<&Animation>) -> BTreeMap<Target, &Track> {
    let tracks = clip.into_iter().flat_map(|clip| &clip.tracks);
    tracks.filter(|track| !track.times.is_empty()).map(|track| (track.target, track)).collect()
}

/// Limit of keys: a short spline may ask for any number.
const MAX_KEYS: usize = 1 << 20;

/// A scene on its way to a model.
struct Import<'a> {
    scene: &'a Scene,
    version: Version,
    axes: Axes,
    settings: Settings,
    /// What moves, in the clip that was chosen.
    tracks: BTreeMap<Target, &'a Track>,
    clock: Clock,
    keys_left: usize,
    /// What was left out, and how often.
    lost: BTreeMap<&'static str, usize>,
}

/// What the node of the whole model says.
#[derive(Debug, Default)]
struct Settings {
    /// Whether it came from a model.
    is_known: bool,
    version: Option<Version>,
    shade_type: Option<i32>,
    alpha: Option<u8>,
    animation_length: Option<i32>,
    frames_per_second: Option<f64>,
    /// Units of times in a second, if they are no milliseconds, in models before 2.2.
    ticks_per_second: Option<f64>,
    volume_boxes: Option<Vec<VolumeBox>>,
}

impl Settings {
    fn find(scene: &Scene) -> Self {
        let nodes = scene.roots.iter().filter_map(|root| scene.nodes.get(root.0));
        let mut all = nodes.map(|node| &node.extras).chain([&scene.extras]);
        let Some(about) = all.find_map(|extras| extras.get("rsm")?.as_object()) else {
            return Self::default();
        };
        Self {
            is_known: true,
            version: get(about, "version"),
            shade_type: get(about, "shade_type"),
            alpha: get(about, "alpha"),
            animation_length: get(about, "animation_length"),
            frames_per_second: get(about, "frames_per_second"),
            ticks_per_second: get(about, "ticks_per_second"),
            volume_boxes: about.get("volume_boxes").and_then(|boxes| {
                let json = serde_json::to_vec(boxes).ok()?;
                json::from_slice(&json).ok()
            }),
        }
    }
}

fn get<T: serde::de::DeserializeOwned>(about: &Map<String, Value>, name: &str) -> Option<T> {
    about.get(name).cloned().and_then(|value| json::from_value(value).ok())
}

impl Import<'_> {
    fn lose(&mut self, what: &'static str, count: usize) {
        if count > 0 {
            let lost = self.lost.entry(what).or_default();
            *lost = lost.saturating_add(count);
        }
    }

    fn into_model(mut self, mut parts: Vec<Part>, report: &mut Report) -> Result<(Rsm, NewFiles)> {
        let mut model = Rsm::new(self.version);
        geometry::check_count(&self, &parts)?;
        part::name(&mut parts, report);
        let mut texture_uses = material::TextureUses::of(&mut self, report)?;
        let mut geometries = Vec::with_capacity(parts.len());
        for (part, is_mirrored) in parts.iter().zip(part::mirrored(&parts)) {
            geometries.push(geometry::Geometry::of(&mut self, part, is_mirrored, &mut texture_uses)?);
        }
        model.shade_type = shade_type(self.settings.shade_type, geometry::shade(&geometries));
        self.lose(
            "unlit materials mixed with lit ones",
            usize::from(geometry::has_mixed_shading(&geometries)),
        );
        model.animation_length = self.clock.length;
        if let Some(frames) = &mut model.frames_per_second {
            *frames = super::animation::single(self.clock.frames_per_second);
        }
        model.alpha = Some(self.settings.alpha.unwrap_or(u8::MAX));
        if let Some(mut boxes) = self.settings.volume_boxes.take() {
            for volume in &mut boxes {
                volume.flag.get_or_insert(0);
            }
            model.volume_boxes = Some(boxes);
        } else if self.settings.is_known && self.version.is_absolute() {
            model.volume_boxes = None;
        }
        if self.version.is_absolute() {
            absolute::build(&mut model, &parts, geometries, report);
        } else {
            relative::build(&mut model, &parts, geometries, report);
        }
        self.report_lost(report);
        Ok((model, texture_uses.into_new().into_files()))
    }

    fn report_lost(&mut self, report: &mut Report) {
        let scene = self.scene;
        self.lose("lights", scene.lights.len());
        let clips = scene.animations.iter().filter(|clip| is_for_nodes(clip)).count();
        self.lose("clips after the first", clips.saturating_sub(1));
        for (what, count) in std::mem::take(&mut self.lost) {
            lost(report, what, count);
        }
    }
}

fn lost(report: &mut Report, what: &str, count: usize) {
    report.warn(&warning::NOT_SUPPORTED, format!("{what} are not supported by models ({count})"));
}

/// The shade type: that of the model it came from, where the scene shows nothing else.
fn shade_type(known: Option<i32>, found: Shade) -> i32 {
    let shade_of = |number: i32| match number {
        0 => Shade::None,
        2 => Shade::Smooth,
        _ => Shade::Flat,
    };
    let fits = |number: &i32| match (shade_of(*number), found) {
        // Smooth where each face is a group of its own is flat.
        (Shade::Smooth, Shade::Flat) => true,
        (known, found) => known == found,
    };
    known.filter(fits).unwrap_or(match found {
        Shade::None => 0,
        Shade::Flat => 1,
        Shade::Smooth => 2,
    })
}
