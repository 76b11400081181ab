//! Data of a model that glTF cannot represent: the model itself, compressed, in the extras of the scene's root. So parts that were
//! not edited are restored bit for bit.
//!
//! `extras.b3d` contains `scale` (the factor applied to meters), `frames_per_second`, `clips` (the first and last frame of each
//! clip by name, because other programs drop the extras of clips) and `file` (the model as base64 of zlib).

use std::collections::BTreeMap;

use asset::Report;
use json::{Map, Value};
use scene::{NodeId, Scene};

use super::B3d;
use crate::import::name::without_number;
use crate::model::kept::{self, Facts};

const NAME: &str = "b3d";

/// The data of the original model in the root of a scene.
#[derive(Debug)]
pub(super) struct Kept {
    pub(super) root: NodeId,
    /// Factor applied to meters.
    pub(super) scale: f32,
    pub(super) frames_per_second: Option<f64>,
    /// First and last frame of each clip.
    pub(super) clips: BTreeMap<String, (i32, i32)>,
    pub(super) model: Option<B3d>,
}

/// Stores a model in the root of its scene.
pub(super) fn keep(scene: &mut Scene, model: &B3d, scale: f32) {
    let mut facts = Map::new();
    let mut clips = Map::new();
    for clip in &scene.animations {
        if let Some(frames) = clip.extras.get("frames") {
            clips.insert(clip.name.clone(), frames.clone());
        }
        if let Some(speed) = clip.extras.get("frames_per_second") {
            facts.insert("frames_per_second".into(), speed.clone());
        }
    }
    if !clips.is_empty() {
        facts.insert("clips".into(), clips.into());
    }
    kept::keep(scene, NAME, scale, facts, model.write().ok().as_deref());
}

impl Kept {
    /// Returns the data of the original model from the scene, if a node has it.
    pub(super) fn find(scene: &Scene) -> Option<Self> {
        let facts = Facts::find(scene, NAME)?;
        let number = |name: &str| facts.members.get(name).and_then(Value::as_f64);
        let clips = facts.members.get("clips").and_then(Value::as_object);
        let frames = |frames: &Value| json::from_value::<(i32, i32)>(frames.clone()).ok();
        let frames = |(name, range): (&String, &Value)| {
            Some((name.clone(), frames(range).filter(|(first, last)| first <= last)?))
        };
        Some(Self {
            root: facts.root,
            scale: facts.scale(),
            frames_per_second: number("frames_per_second")
                .filter(|speed| (0.001..=100_000.0).contains(speed)),
            clips: clips.into_iter().flatten().filter_map(frames).collect(),
            model: facts.file().and_then(|file| B3d::read(&file, &mut Report::new()).ok()),
        })
    }

    /// Returns the frames of a clip by its original name or by a name with a copy number added by another program.
    pub(super) fn frames(&self, name: &str) -> Option<(i32, i32)> {
        self.clips.get(name).or_else(|| self.clips.get(without_number(name))).copied()
    }
}
