//! An object as a scene: its models as sibling nodes, and a clip for each of its animation groups.

use std::collections::BTreeSet;
use std::sync::Arc;

use asset::suggest::did_you_mean;
use asset::{Context, FormatOption, ProductKind, Report, Target, Text};
use glam::Vec3;
use record::{Error, Result};
use scene::{Animation, Interpolation, MeshId, Node, NodeId, Scene, Track};
use serde_json::Value;

use super::clip::{Clip, seconds};
use super::layout::{Map, Object};
use super::object::{AnimationGroup, ModelEntry, ObjectSections};
use super::surroundings::Surroundings;
use super::warning;
use crate::axes::AXES;
use crate::model::Model;
use crate::model::interpretation::{DELTA_SIGN, UV};
use crate::model::scene::{Materials, MeshOptions, extras};
use crate::picture::palette::{GLIDE_COLORS, PALETTE, PALETTE_SOURCE};
use crate::picture::{INDEX_0, Renderer};
use crate::settings::def::GameNames;
use crate::settings::ini::world::stem_of;

/// `--actor NAME`.
const ACTOR: Text = Text::new(
    "actor",
    "The object that becomes the scene, by its name or alias, with its animations as clips.",
    "NAME",
)
.needed_for(ProductKind::Scene);

/// The options of maps.
pub(super) const OPTIONS: &[FormatOption] = &[
    ACTOR.option(),
    PALETTE.option(),
    PALETTE_SOURCE.option(),
    GLIDE_COLORS.option(),
    INDEX_0.option(),
    AXES.option(),
    DELTA_SIGN.option(),
    UV.option(),
];

/// So many keys of morph weights a scene has at most.
const MOST_WEIGHTS: usize = 8 << 20;

/// Makes the scene of the object that was asked for.
pub(super) fn scene(
    map: &Map,
    context: &Context<'_>,
    target: &Target<'_>,
    report: &mut Report,
) -> Result<Scene> {
    let sections = map.object_sections();
    let Some(name) = context.options.text(&ACTOR) else {
        let example = map.objects().iter().find(|object| object.model_count > 0);
        let example = example.map_or_else(|| "NAME".to_owned(), |object| object.name.text());
        let message =
            format!("only single actors of a map become scenes; choose one, such as --actor {example}");
        return Err(Error::unsupported(message));
    };
    let object = find(map, &sections, name)?;
    let models = sections.models(object).ok_or_else(|| {
        Error::malformed(format!("the models of {} cannot be read", object.name)).in_field("sections")
    })?;
    if models.is_empty() {
        return Err(Error::unsupported(format!("{} has no models", object.name)));
    }
    let mut maker = Maker {
        context,
        around: Surroundings::new(context),
        options: MeshOptions::from_options(context, target),
        scene: Scene::new(target.name),
        materials: Vec::new(),
        parts: Vec::new(),
        weights: 0,
    };
    maker.models(object, &models, report)?;
    let groups = sections.animation_groups(object).unwrap_or_default();
    maker.clips(object, &groups, &models, report)?;
    for (_, materials) in &maker.materials {
        materials.report_problems(report);
    }
    Ok(maker.scene)
}

/// The object of a name or an alias, in any letter case.
fn find<'a>(map: &'a Map, sections: &ObjectSections<'_>, name: &str) -> Result<&'a Object> {
    let same = |other: &str| other.to_lowercase() == name.to_lowercase();
    let mut objects = map.objects().iter();
    let by_name = objects.clone().find(|object| same(&object.name.text()));
    let found = by_name.or_else(|| objects.find(|it| sections.alias(it).is_some_and(|alias| same(&alias))));
    found.ok_or_else(|| {
        let names: Vec<String> = map.objects().iter().map(|object| object.name.text()).collect();
        let meant = did_you_mean(name, names.iter().map(String::as_str));
        Error::usage(format!("the map has no object called \"{name}\"{meant}"))
    })
}

/// A model of the object in the scene.
struct Part {
    node: NodeId,
    mesh: Option<MeshId>,
    /// How many frames the file has.
    frames: usize,
}

struct Maker<'a> {
    context: &'a Context<'a>,
    around: Surroundings<'a>,
    options: MeshOptions,
    scene: Scene,
    /// One set for each renderer whose models there are.
    materials: Vec<(Renderer, Materials<'a>)>,
    parts: Vec<Part>,
    /// How many morph weights there are.
    weights: usize,
}

impl Maker<'_> {
    /// Adds a node for each model; of several only the first is shown at rest.
    fn models(&mut self, object: &Object, models: &[ModelEntry], report: &mut Report) -> Result<()> {
        let mut root = Node::named(object.name.text());
        root.extras.insert("actor".into(), object.name.text().into());
        let root = self.scene.add_root(root);
        for (index, entry) in models.iter().enumerate() {
            let stem = stem_of(&entry.path).to_uppercase();
            let mut node =
                Node::named(if models.len() > 1 { format!("{stem} {index}") } else { stem.clone() });
            node.extras.insert("raan".into(), index.into());
            if index > 0 {
                node.scale = Vec3::ZERO;
            }
            let model = self.around.model_file(&entry.path).and_then(|path| self.read(&path));
            let frames = match &model {
                Some(model) => {
                    node.mesh = self.mesh(object, model, &stem, report)?;
                    node.extras.extend(extras(model));
                    model.frame_count()
                }
                None => {
                    let message =
                        format!("{} has the model {}, which was not found", object.name, entry.path);
                    report.warn(&warning::MODEL, message);
                    node.extras.insert("unresolved".into(), entry.path.clone().into());
                    0
                }
            };
            let mesh = node.mesh;
            let node = self.scene.add_child(root, node);
            self.parts.push(Part { node, mesh, frames });
        }
        Ok(())
    }

    fn read(&self, path: &str) -> Option<Arc<Model>> {
        let install = self.context.install;
        let place = install.find(path).found()?.location;
        let make = || {
            let bytes = install.open(&place)?.read_all()?.into_owned();
            Ok((Model::read(&bytes)?, bytes.len()))
        };
        install.decoded(&place, "model", make).ok()
    }

    fn mesh(
        &mut self,
        object: &Object,
        model: &Model,
        name: &str,
        report: &mut Report,
    ) -> Result<Option<MeshId>> {
        let renderer = if model.version().is_glide() { Renderer::Glide } else { Renderer::Software };
        let known = self.materials.iter().position(|(known, _)| *known == renderer);
        let index = match known {
            Some(index) => index,
            None => {
                self.materials.push((renderer, Materials::new(self.context, model.version())?));
                self.materials.len().saturating_sub(1)
            }
        };
        let Some((_, materials)) = self.materials.get_mut(index) else { return Ok(None) };
        // The game gives animated models another bank.
        let bank =
            u16::try_from(object.texture_set).ok().filter(|bank| *bank != 0 && model.frame_count() > 1);
        MeshOptions { bank, ..self.options }.mesh(model, name, &mut self.scene, materials, report)
    }

    fn clips(
        &mut self,
        object: &Object,
        groups: &[AnimationGroup],
        models: &[ModelEntry],
        report: &mut Report,
    ) -> Result<()> {
        let names = GameNames::of_game(self.context);
        // Frames count as the map says, whatever the files have.
        let frames: Vec<u8> = models.iter().map(|model| model.frame_count).collect();
        let mut used = BTreeSet::new();
        for group in groups {
            let name = names.names.animation_group(group.number);
            let name = name.map_or_else(|| format!("group {}", group.number), str::to_owned);
            let clip = Clip::of(group, 0, &frames);
            if clip.lacks_frames {
                let message = format!(
                    "{} shows frames in group {} that its models do not have",
                    object.name, group.number
                );
                report.warn(&warning::FRAME, message);
            }
            let exits = clip
                .exits
                .iter()
                .map(|exit| (format!("{name} exit {exit}"), Clip::of(group, *exit, &frames)));
            let exits: Vec<_> = exits.collect();
            for (name, clip) in std::iter::once((name, clip)).chain(exits) {
                let mut unique = name.clone();
                let mut number = 2_u32;
                while !used.insert(unique.clone()) {
                    unique = format!("{name} {number}");
                    number = number.saturating_add(1);
                }
                self.clip(unique, group, &clip)?;
            }
        }
        Ok(())
    }

    fn clip(&mut self, name: String, group: &AnimationGroup, clip: &Clip) -> Result<()> {
        if clip.steps.is_empty() {
            return Ok(());
        }
        let mut tracks = Vec::new();
        for (index, part) in self.parts.iter().enumerate() {
            if self.parts.len() > 1 {
                tracks.extend(visibility(part, index, clip));
            }
            let targets = part.frames.saturating_sub(1);
            let keys = clip.steps.iter().filter(|step| step.model == index).count();
            if part.mesh.is_none() || targets == 0 || keys == 0 {
                continue;
            }
            self.weights = self.weights.saturating_add(keys.saturating_add(2).saturating_mul(targets));
            if self.weights > MOST_WEIGHTS {
                return Err(Error::limit("the animations of the actor are too long to convert"));
            }
            tracks.push(weights(part, index, targets, clip));
        }
        let Value::Object(extras) = clip.extras(group) else { return Ok(()) };
        let extras = extras.into_iter().collect();
        self.scene.add_animation(Animation { name, tracks, extras });
        Ok(())
    }
}

/// The keys of a value that holds until the next one, the last until the end of the clip.
fn held<T: Copy + PartialEq>(values: impl Iterator<Item = (u32, T)>, end: u32) -> Vec<(u32, T)> {
    let mut out: Vec<(u32, T)> = Vec::new();
    for (tick, value) in values {
        match out.last_mut() {
            Some((_, last)) if *last == value => {}
            Some((known, last)) if *known == tick => *last = value,
            _ => out.push((tick, value)),
        }
    }
    if let Some((_, value)) = out.last().copied().filter(|(last, _)| *last < end) {
        out.push((end, value));
    }
    out
}

/// When a model is shown, by its scale.
fn visibility(part: &Part, index: usize, clip: &Clip) -> Option<Track> {
    let keys = held(clip.steps.iter().map(|step| (step.start, step.model == index)), clip.ticks);
    if keys.is_empty() {
        return None;
    }
    Some(Track {
        target: scene::Target::Scale(part.node),
        interpolation: Interpolation::Step,
        times: keys.iter().map(|(tick, _)| seconds(*tick)).collect(),
        values: keys.iter().flat_map(|(_, is_shown)| [if *is_shown { 1.0 } else { 0.0 }; 3]).collect(),
    })
}

/// The frames of a model.
fn weights(part: &Part, index: usize, targets: usize, clip: &Clip) -> Track {
    let frames = clip.steps.iter().filter(|step| step.model == index).map(|step| (step.start, step.frame));
    let mut keys = held(frames, clip.ticks);
    // A clip begins at its beginning.
    if let Some((_, frame)) = keys.first().copied().filter(|(first, _)| *first > 0) {
        keys.insert(0, (0, frame));
    }
    let values = keys
        .iter()
        .flat_map(|(_, frame)| (1..=targets).map(move |target| if target == *frame { 1.0 } else { 0.0 }));
    Track {
        target: scene::Target::Weights(part.node),
        // The game does not interpolate between frames.
        interpolation: Interpolation::Step,
        times: keys.iter().map(|(tick, _)| seconds(*tick)).collect(),
        values: values.collect(),
    }
}
