//! The models of a ROB file in one scene: each a node of its name, laid out side by side.

use std::collections::BTreeMap;
use std::sync::Arc;

use asset::{Context, Lookup, Report, Target};
use record::Result;
use scene::{Node, Scene};
use serde_json::json;

use super::layout::{Payload, Rob, Segment};
use super::{check, warning};
use crate::axes;
use crate::model::Model;
use crate::model::scene::{Materials, Shape, animate, extras};

/// The room between two models, metres.
const GAP: f32 = 1.0;

/// Finds the models that stand in files of their own.
pub(super) struct Externals<'a> {
    context: &'a Context<'a>,
    found: BTreeMap<String, Result<Arc<Model>, String>>,
}

impl<'a> Externals<'a> {
    pub(super) const fn new(context: &'a Context<'a>) -> Self {
        Self { context, found: BTreeMap::new() }
    }

    /// The model in a file beside this one, or a sentence about why there is none.
    pub(super) fn find(&mut self, file: &str) -> Result<Arc<Model>, String> {
        if let Some(known) = self.found.get(file) {
            return known.clone();
        }
        let found = self.read(file);
        self.found.insert(file.to_owned(), found.clone());
        found
    }

    fn read(&self, file: &str) -> Result<Arc<Model>, String> {
        let Some(place) = &self.context.place else { return Err(format!("{file:?} is not there")) };
        let install = self.context.install;
        let place = match install.beside(place).find(file) {
            Lookup::Found(found) => found.place,
            Lookup::Missing => return Err(format!("{file:?} is not there")),
            Lookup::Outside(_) => return Err(format!("{file:?} lies outside the game")),
        };
        let make = || {
            let source = install.open(&place)?;
            let bytes = source.read_all()?;
            Ok((Model::read(&bytes)?, bytes.len()))
        };
        install
            .decoded(&place, "model", make)
            .map_err(|error| format!("{file:?} cannot be read: {}", error.message()))
    }
}

/// All models of the file.
pub(super) fn scene(
    rob: &Rob,
    context: &Context<'_>,
    target: &Target<'_>,
    report: &mut Report,
) -> Result<Scene> {
    let mut scene = Scene::new(target.stem);
    let root = scene.add_root(Node::named(target.stem));
    let mut externals = Externals::new(context);
    let mut materials: Option<Materials<'_>> = None;
    let mut found = Report::new();
    let mut next = 0.0;
    for (index, (start, segment)) in rob.starts().enumerate() {
        let name = segment.header.name.text();
        let mut node = Node::named(&name);
        node.extras = facts(segment);
        let external;
        let model: Option<&Model> = match &segment.payload {
            Payload::Model(model) => Some(model),
            Payload::Unread(_) => {
                report
                    .warn(&warning::UNREAD, format!("the model of {name:?} cannot be read"))
                    .at(start)
                    .in_field(format!("segments[{index}].payload"));
                None
            }
            Payload::Empty => match externals.find(&format!("{name}.3DC")) {
                Ok(model) => {
                    external = model;
                    Some(&external)
                }
                Err(why) => {
                    report
                        .warn(&warning::EXTERNAL, why)
                        .at(start)
                        .in_field(format!("segments[{index}].header"));
                    None
                }
            },
        };
        let Some(model) = model else {
            scene.add_child(root, node);
            continue;
        };
        let materials = match &mut materials {
            Some(materials) => materials,
            None => materials.insert(Materials::new(context, model.version())?),
        };
        let shape = Shape { scale: target.factor(), keyed: segment.header.is_keyed() };
        let mut about = Report::new();
        let mesh = shape
            .mesh(model, &name, &mut scene, materials, &mut about)
            .map_err(|error| error.at(start).in_field("payload").in_item(index).in_field("segments"))?;
        for warning in &about {
            let field = format!("segments[{index}].payload");
            report
                .warn(&warning::MODEL_NOTE, format!("{name:?}: {}", warning.message))
                .at(start)
                .in_field(field);
        }
        let (least, most) = width(model, target.factor());
        node.mesh = mesh;
        node.extras.extend(extras(model));
        node.translation.x = next - least;
        next += most - least + GAP * target.factor();
        let node = scene.add_child(root, node);
        animate(model, mesh, node, &name, &mut scene);
    }
    if let Some(materials) = materials {
        materials.tell(&mut found);
    }
    check::pass_on(&found, report);
    Ok(scene)
}

/// How far a model reaches along glTF's X in its first frame.
fn width(model: &Model, scale: f32) -> (f32, f32) {
    let across = model.positions(0).into_iter().map(|place| {
        let [x, ..] = axes::position(place);
        x * scale
    });
    across.fold((0.0, 0.0), |(least, most), x| (x.min(least), x.max(most)))
}

/// What a scene cannot show of a segment.
fn facts(segment: &Segment) -> scene::Extras {
    let header = &segment.header;
    let drawn = match header.render_mode() {
        0x8c => "mirror",
        0xc8 => "water",
        0x5a => "beam",
        0xff => "normal",
        _ => "other",
    };
    let facts = json!({
        "segment": header.name.text(),
        "kind": header.kind,
        "flags": header.flags,
        "render_mode": header.render_mode(),
        "drawn_as": drawn,
        "attributes": header.attributes,
        "box": { "extent": header.extent, "positive": header.positive, "negative": header.negative },
        "external": segment.external(),
    });
    match facts {
        serde_json::Value::Object(facts) => facts,
        _ => scene::Extras::new(),
    }
}
