//! What glTF cannot hold of a model: the model itself, compressed, in the extras of the scene's root. So all that nobody edits comes back
//! bit for bit.
//!
//! `extras.b3d` has `scale` (meters were multiplied by it), `frames_per_second`, `clips` (the first and last frame of each clip, by its
//! name: programs forget the extras of clips) and `file`: the model as base64 of zlib.

use std::collections::BTreeMap;

use asset::Report;
use json::{Map, Value};
use scene::{NodeId, Scene};

use super::B3d;
use crate::import::name::without_number;
use crate::model::kept::{self, Facts};

const NAME: &str = "b3d";

/// What the root of a scene says of the model that it was made of.
#[derive(Debug)]
pub(super) struct Kept {
    pub(super) root: NodeId,
    /// Meters were multiplied by this.
    pub(super) scale: f32,
    pub(super) frames_per_second: Option<f64>,
    /// The first and last frame of each clip.
    pub(super) clips: BTreeMap<String, (i32, i32)>,
    pub(super) model: Option<B3d>,
}

/// Keeps a model in the root of its scene.
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
    /// What some node of the scene says, if one does.
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

    /// The frames of a clip, under the name that it had or that other programs made of it.
    pub(super) fn frames(&self, name: &str) -> Option<(i32, i32)> {
        self.clips.get(name).or_else(|| self.clips.get(without_number(name))).copied()
    }
}
