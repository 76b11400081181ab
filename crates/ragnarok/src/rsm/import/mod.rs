//! Import of a scene as a model: a converted model that may have been edited in another program, or a new scene.
//!
//! - Each node becomes a mesh of the model, which is empty if the node has no geometry. Helper nodes that conversions add below the node of
//!   a mesh ("NAME shape", "NAME inner", "NAME scale"), and the node of the model itself, are merged.
//! - The first clip becomes its animation. Its keys are at integer frames: at the frame rate of the original model, or at one that fits
//!   its keys; if a key falls between two frames, both get one. Splines are sampled 60 times per second.
//! - A material determines the texture, by `extras.texture` or by the name of its image, and whether faces are two-sided. Images that the
//!   game does not have become files in `data/texture`.
//! - Faces with the same normals at both ends of a shared edge are in one smoothing group. The shade type is 0 for unlit materials, 1 if
//!   all faces are flat, otherwise 2; `extras.rsm` overrides it.
//! - The version is that of the original model if it matches the file extension; otherwise 2.3 for `.rsm2`, and for `.rsm` 1.4, the version
//!   of nearly all models of the game. Version 2.3 supports all of the above. Versions before 2.0 support rotation keys only.

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

/// The supported file extensions.
pub(super) const EXTENSIONS: &[&str] = &["rsm2", "rsm"];

/// Converts a scene file to a model file, with the textures that the game does not have.
pub(super) fn import(file: &SceneFile<'_>, report: &mut Report) -> Result<Imported> {
    let SceneFile { read, extension, base, .. } = *file;
    let default = if extension == "rsm" { Version::V1_4 } else { Version::V2_3 };
    let original_version = Settings::find(&read.scene).version;
    let version = original_version.filter(|version| version.extension() == extension).unwrap_or(default);
    let built = if version.is_absolute() { Version::V2_3 } else { Version::V1_5 };
    let mut original = Original::find(&read.scene);
    if let (Some(original), UvMotion::Lost) = (&mut original, uv_motion(&read.scene)) {
        let tracks = original.scene.animations.iter_mut().map(|clip| &mut clip.tracks);
        tracks.for_each(|tracks| tracks.retain(|track| !animates_texture(track)));
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
    let companions = texture_file::companions(&read.scene, &textures, &short, report);
    for left_out in read.left_out.iter().cloned().chain(read.deformations()) {
        lost(report, &left_out.what, left_out.count);
    }
    Ok(Imported { bytes: model.write()?, companions })
}

impl Rsm {
    /// Converts a scene to a model of version 1.5 or 2.3. Reports everything that models do not support.
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

/// Textures that the game does not have, with their images.
type NewFiles = Vec<(Name, Option<ImageId>)>;

/// Converts a scene to a model. Also returns the textures that the game does not have.
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
    let parts = part::collect(&mut import)?;
    import.into_model(parts, report)
}

/// Returns whether the scene has texture animations.
fn uv_motion(scene: &Scene) -> UvMotion {
    let mut tracks = scene.animations.iter().flat_map(|clip| &clip.tracks);
    if tracks.any(animates_texture) { UvMotion::FromScene } else { UvMotion::Lost }
}

/// Whether a track animates a texture.
fn animates_texture(track: &Track) -> bool {
    use Target::{MaterialUvOffset, MaterialUvRotation, MaterialUvScale};
    matches!(track.target, MaterialUvOffset(_) | MaterialUvRotation(_) | MaterialUvScale(_))
}

/// Whether a clip animates more than morph targets, which models do not support.
fn is_for_nodes(clip: &Animation) -> bool {
    clip.tracks.is_empty() || clip.tracks.iter().any(|track| !matches!(track.target, Target::Weights(_)))
}

/// Returns the tracks of a clip that have keys.
fn tracks(clip: Option<&Animation>) -> BTreeMap<Target, &Track> {
    let tracks = clip.into_iter().flat_map(|clip| &clip.tracks);
    tracks.filter(|track| !track.times.is_empty()).map(|track| (track.target, track)).collect()
}

/// Maximum number of keys: a short spline may require any number.
const MAX_KEYS: usize = 1 << 20;

/// The state of an import.
struct Import<'a> {
    scene: &'a Scene,
    version: Version,
    axes: Axes,
    settings: Settings,
    /// Tracks of the selected clip by their targets.
    tracks: BTreeMap<Target, &'a Track>,
    clock: Clock,
    keys_left: usize,
    /// Number of each kind of unsupported thing that was left out.
    lost: BTreeMap<&'static str, usize>,
}

/// The properties in the extras of the model's root node.
#[derive(Debug, Default)]
struct Settings {
    /// Whether the scene was converted from a model.
    is_known: bool,
    version: Option<Version>,
    shade_type: Option<i32>,
    alpha: Option<u8>,
    animation_length: Option<i32>,
    frames_per_second: Option<f64>,
    /// Time units per second in models before 2.2, if they are not milliseconds.
    ticks_per_second: Option<f64>,
    volume_boxes: Option<Vec<VolumeBox>>,
}

impl Settings {
    fn find(scene: &Scene) -> Self {
        let nodes = scene.roots.iter().filter_map(|root| scene.nodes.get(root.0));
        let mut all = nodes.map(|node| &node.extras).chain([&scene.extras]);
        let Some(properties) = all.find_map(|extras| extras.get("rsm")?.as_object()) else {
            return Self::default();
        };
        Self {
            is_known: true,
            version: get(properties, "version"),
            shade_type: get(properties, "shade_type"),
            alpha: get(properties, "alpha"),
            animation_length: get(properties, "animation_length"),
            frames_per_second: get(properties, "frames_per_second"),
            ticks_per_second: get(properties, "ticks_per_second"),
            volume_boxes: properties.get("volume_boxes").and_then(|boxes| {
                let json = serde_json::to_vec(boxes).ok()?;
                json::from_slice(&json).ok()
            }),
        }
    }
}

fn get<T: serde::de::DeserializeOwned>(properties: &Map<String, Value>, name: &str) -> Option<T> {
    properties.get(name).cloned().and_then(|value| json::from_value(value).ok())
}

impl Import<'_> {
    fn count_lost(&mut self, what: &'static str, count: usize) {
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
        self.count_lost(
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
        self.count_lost("lights", scene.lights.len());
        let clips = scene.animations.iter().filter(|clip| is_for_nodes(clip)).count();
        self.count_lost("clips after the first", clips.saturating_sub(1));
        for (what, count) in std::mem::take(&mut self.lost) {
            lost(report, what, count);
        }
    }
}

fn lost(report: &mut Report, what: &str, count: usize) {
    report.warn(&warning::NOT_SUPPORTED, format!("{what} are not supported by models ({count})"));
}

/// Returns the shade type: the one of the original model if it matches the scene.
fn shade_type(original: Option<i32>, found: Shade) -> i32 {
    let shade_of = |number: i32| match number {
        0 => Shade::None,
        2 => Shade::Smooth,
        _ => Shade::Flat,
    };
    let fits = |number: &i32| match (shade_of(*number), found) {
        // Smooth shading is flat if each face has its own group.
        (Shade::Smooth, Shade::Flat) => true,
        (shade, found) => shade == found,
    };
    original.filter(fits).unwrap_or(match found {
        Shade::None => 0,
        Shade::Flat => 1,
        Shade::Smooth => 2,
    })
}
