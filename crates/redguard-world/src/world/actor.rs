//! Objects with their models: a single object as a scene, and the animation groups of all objects as clips.

use std::collections::BTreeMap;

use asset::{Context, Report, Target, Text};
use files::suggest::did_you_mean;
use json::Value;
use record::{Error, Result};
use scene::{Animation, Interpolation, Node, NodeId, Scene, Track};
use soup::Definitions;

use super::clip::{Clip, keys_of, seconds};
use super::held::{self, Holder};
use super::library::{Library, LoadedModel, bank_of};
use super::part::{Part, Parts};
use crate::map::resolved::asset_stem;
use crate::map::{AnimationGroup, Map, ModelEntry, Object, ObjectSections, warning};
use crate::model::scene::extras;
use redguard_files::settings::def::GameNames;

/// `--actor NAME`.
pub(super) const ACTOR: Text = Text::new(
    "actor",
    "Convert only this object of a map (by name or alias), with its animations as clips.",
    "NAME",
);

/// The maximum number of clips in a scene. The largest map of the game has a tenth of it.
const MAX_CLIPS: usize = 1 << 14;

/// The maximum number of morph weight keys in a scene.
const MAX_WEIGHTS: usize = 8 << 20;

/// Builds the scene of the requested object.
pub(super) fn scene(
    map: &Map,
    name: &str,
    context: &Context<'_>,
    target: &Target<'_>,
    library: &mut Library<'_>,
    report: &mut Report,
) -> Result<Scene> {
    let sections = map.object_sections();
    let object = find(map, &sections, name)?;
    let models = sections.models(object).ok_or_else(|| {
        Error::malformed(format!("the models of {} cannot be read", object.name)).in_field("sections")
    })?;
    if models.is_empty() {
        return Err(Error::unsupported(format!("{} has no models", object.name)));
    }
    let mut scene = Scene::new(target.name);
    let mut parts = Parts::new(&models);
    let (root, added, loaded) = add_models(&mut scene, object, &models, library, report)?;
    parts.add(added);
    let extra = sections.extra(object).flatten();
    let holder = Holder {
        node: root,
        name: &object.name.text(),
        models: &loaded.iter().map(|found| found.as_ref().and_then(LoadedModel::model)).collect::<Vec<_>>(),
        find_vertices: &|point, _| Ok(extra.map(|extra| point.vertices(extra))),
    };
    parts.held = held::add(&mut scene, &holder, context, library, report)?;
    let groups = sections.animation_groups(object).unwrap_or_default();
    let names = GameNames::of_game(context);
    Clips::new(&names.names).add(&mut scene, object, None, &groups, &parts, report)?;
    Ok(scene)
}

/// Returns the object with a name or alias (case-insensitive).
fn find<'a>(map: &'a Map, sections: &ObjectSections<'_>, name: &str) -> Result<&'a Object> {
    let same = |other: &str| other.to_lowercase() == name.to_lowercase();
    let mut objects = map.objects().iter();
    let by_name = objects.clone().find(|object| same(&object.name.text()));
    let found = by_name.or_else(|| objects.find(|it| sections.alias(it).is_some_and(|alias| same(&alias))));
    found.ok_or_else(|| {
        let names: Vec<String> = map.objects().iter().map(|object| object.name.text()).collect();
        let hint = did_you_mean(name, names.iter().map(String::as_str));
        Error::usage(format!("the map has no object called \"{name}\"{hint}"))
    })
}

/// Adds a node for each model of a single object.
fn add_models(
    scene: &mut Scene,
    object: &Object,
    models: &[ModelEntry],
    library: &mut Library<'_>,
    report: &mut Report,
) -> Result<(NodeId, Vec<Part>, Vec<Option<LoadedModel>>)> {
    let mut root = Node::named(object.name.text());
    root.extras.insert("actor".into(), object.name.text().into());
    let root = scene.add_root(root);
    let (mut out, mut all) = (Vec::new(), Vec::new());
    for (index, entry) in models.iter().enumerate() {
        let stem = asset_stem(&entry.path);
        let found = library.of_object(&entry.path, &stem, report);
        let mut part = Part { node: root, mesh: None, frames: 0, stem, index, unresolved: None };
        let mut about = scene::Extras::new();
        match found.as_ref().and_then(|found| Some((found, found.model()?))) {
            Some((found, model)) => {
                part.mesh = library.mesh(scene, found, bank_of(object), None, report)?;
                part.frames = model.frame_count();
                about = extras(model);
            }
            None => {
                let message = format!("{} has the model {}, which was not found", object.name, entry.path);
                report.warn(&warning::MODEL, message);
                part.unresolved = Some(entry.path.clone());
            }
        }
        let mut node = part.as_node();
        if models.len() == 1 {
            node.name.clone_from(&part.stem);
        }
        node.extras.extend(about);
        part.node = scene.add_child(root, node);
        out.push(part);
        all.push(found);
    }
    Ok((root, out, all))
}

/// Converts animation groups to clips.
pub(super) struct Clips<'a> {
    names: &'a Definitions,
    /// The names in use, and the number of requests for each.
    used: BTreeMap<String, u32>,
    /// The number of morph weights so far.
    weights: usize,
}

impl<'a> Clips<'a> {
    pub(super) const fn new(names: &'a Definitions) -> Self {
        Self { names, used: BTreeMap::new(), weights: 0 }
    }

    /// Adds a clip for each group of an object, which animates all its instances. `title` is a prefix of their names.
    pub(super) fn add(
        &mut self,
        scene: &mut Scene,
        object: &Object,
        title: Option<&str>,
        groups: &[AnimationGroup],
        parts: &Parts,
        report: &mut Report,
    ) -> Result<()> {
        for group in groups {
            let name = self.names.animation_group(group.number);
            let name = name.map_or_else(|| format!("group {}", group.number), str::to_owned);
            let clip = Clip::of(group, 0, &parts.frames);
            if clip.lacks_frames {
                let message = format!(
                    "{} uses frames in group {} that its models do not have",
                    object.name, group.number
                );
                report.warn(&warning::FRAME, message);
            }
            let exits = clip.exits.iter();
            let exits = exits
                .map(|exit| (format!("{name} exit {exit}"), Clip::of(group, *exit, &parts.frames)))
                .collect::<Vec<_>>();
            for (name, clip) in std::iter::once((name, clip)).chain(exits) {
                if clip.steps.is_empty() {
                    continue;
                }
                let name = title.map_or_else(|| name.clone(), |title| format!("{title}: {name}"));
                let name = self.unique(&name);
                self.clip(scene, name, group, &clip, parts)?;
            }
        }
        Ok(())
    }

    /// Makes a name unique by appending a number if it is already in use.
    fn unique(&mut self, name: &str) -> String {
        let mut unique = name.to_owned();
        while self.used.contains_key(&unique) {
            let times = self.used.entry(name.to_owned()).or_default();
            *times = times.saturating_add(1);
            unique = format!("{name} {times}");
        }
        self.used.insert(unique.clone(), 1);
        unique
    }

    fn clip(
        &mut self,
        scene: &mut Scene,
        name: String,
        group: &AnimationGroup,
        clip: &Clip,
        parts: &Parts,
    ) -> Result<()> {
        if scene.animations.len() >= MAX_CLIPS {
            return Err(Error::limit(format!("the scene has more than {MAX_CLIPS} clips")));
        }
        let mut tracks = Vec::new();
        for (index, part) in parts.first.iter().enumerate() {
            if parts.first.len() > 1 {
                tracks.extend(visibility(part, index, clip, parts));
            }
            let targets = part.frames.saturating_sub(1);
            let keys = clip.steps.iter().filter(|step| step.model == index).count();
            let nodes = parts.with_mesh(index);
            let Some((node, also)) = nodes.split_first().filter(|_| targets > 0 && keys > 0) else {
                continue;
            };
            self.weights = self.weights.saturating_add(keys.saturating_add(2).saturating_mul(targets));
            if self.weights > MAX_WEIGHTS {
                return Err(Error::limit("the animations are too long to convert"));
            }
            tracks.push(weights(*node, also, index, targets, clip));
        }
        tracks.extend(parts.held.iter().flat_map(|held| held.tracks(clip)));
        let Value::Object(extras) = clip.extras(group) else { return Ok(()) };
        let extras = extras.into_iter().collect();
        scene.add_animation(Animation { name, tracks, extras });
        Ok(())
    }
}

/// Returns the track that shows and hides a model through its scale.
fn visibility(part: &Part, index: usize, clip: &Clip, parts: &Parts) -> Option<Track> {
    let keys = keys_of(clip.steps.iter().map(|step| (step.start, step.model == index)), clip.ticks);
    if keys.is_empty() {
        return None;
    }
    Some(Track {
        target: scene::Target::Scale(part.node),
        also: parts.also(index, scene::Target::Scale),
        interpolation: Interpolation::Step,
        times: keys.iter().map(|(tick, _)| seconds(*tick)).collect(),
        values: keys.iter().flat_map(|(_, is_shown)| [if *is_shown { 1.0 } else { 0.0 }; 3]).collect(),
    })
}

/// Returns the track of the frames of a model.
fn weights(node: NodeId, also: &[NodeId], index: usize, targets: usize, clip: &Clip) -> Track {
    let frames = clip.steps.iter().filter(|step| step.model == index).map(|step| (step.start, step.frame));
    let mut keys = keys_of(frames, clip.ticks);
    // A clip starts at time 0.
    if let Some((_, frame)) = keys.first().copied().filter(|(first, _)| *first > 0) {
        keys.insert(0, (0, frame));
    }
    let values = keys
        .iter()
        .flat_map(|(_, frame)| (1..=targets).map(move |target| if target == *frame { 1.0 } else { 0.0 }));
    Track {
        target: scene::Target::Weights(node),
        also: also.iter().copied().map(scene::Target::Weights).collect(),
        // The game does not interpolate between frames.
        interpolation: Interpolation::Step,
        times: keys.iter().map(|(tick, _)| seconds(*tick)).collect(),
        values: values.collect(),
    }
}
