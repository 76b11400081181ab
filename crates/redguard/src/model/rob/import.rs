//! A ROB file made of a scene: each node with a mesh becomes a segment of its name, with all that stands below it.
//!
//! Nodes of our own conversions say in their extras how a segment is drawn, and which of them are files of their own. Where a node stands
//! does not matter, for segments have no place; how it is turned and sized does. The box around a model is worked out, unless the model
//! is the one that was converted.

use std::collections::BTreeMap;

use asset::{Code, Report, Severity};
use glam::DAffine3;
use record::{Bytes, Result};
use scene::gltf::Read;
use scene::{Node, NodeId};
use serde_json::{Map, Value};

use super::layout::{DataHeader, END, Header, Payload, Rob, SEGMENT, Segment, SegmentHeader};
use super::warning;
use crate::model::import::{Form, Importer, Part, own};
use crate::model::{Glide, Model};
use asset::FixedText;

/// What can be made.
pub(super) const EXTENSIONS: &[&str] = &["rob"];

/// A segment whose model is a file of its own.
const EXTERNAL: u16 = 512;

/// The bit that lets the first colour of the palette be seen through.
const KEYED: u8 = 2;

/// Makes a ROB file of a scene file.
pub(super) fn import(read: &Read, _extension: &str, report: &mut Report) -> Result<Vec<u8>> {
    Rob::from_scene(read, report)?.write()
}

impl Rob {
    /// Makes the models of a map of a scene. What they cannot hold is reported.
    ///
    /// # Errors
    /// [`Kind::Limit`](record::Kind::Limit) for more faces or frames than this program makes a model of.
    pub fn from_scene(read: &Read, report: &mut Report) -> Result<Self> {
        let mut importer = Importer::new(read);
        let mut segments = Vec::new();
        let mut names: BTreeMap<String, usize> = BTreeMap::new();
        let mut nodes = Vec::new();
        for (id, place) in found(read) {
            let Some(node) = read.scene.nodes.get(id.0) else { continue };
            nodes.push((node, importer.parts(id, place)?));
        }
        for (node, parts) in nodes {
            let segment = segment(&mut importer, node, &parts, report)
                .map_err(|error| error.in_field(format!("the node \"{}\"", node.name)))?;
            let count = names.entry(segment.header.name.text().to_lowercase()).or_default();
            *count = count.saturating_add(1);
            segments.push(segment);
        }
        for (name, count) in names.iter().filter(|(_, count)| **count > 1) {
            report.warn(&warning::SAME_NAME, format!("{count} segments are called {name:?}"));
        }
        let mut lost = Report::new();
        importer.tell(&mut lost);
        pass_on(&lost, None, report);
        let header = Header { unused_04: [0, 0, 0, 4], num_segments: 0, data: DataHeader::default() };
        Ok(Self { header, segments, rest: Bytes::from(END) })
    }
}

/// The nodes that become segments, in their order, each with how it is turned and sized: where it stands does not count.
#[expect(clippy::arithmetic_side_effects, reason = "matrices of floats cannot overflow")]
fn found(read: &Read) -> Vec<(NodeId, DAffine3)> {
    let scene = &read.scene;
    let mut stack: Vec<(NodeId, DAffine3)> =
        scene.roots.iter().rev().map(|root| (*root, DAffine3::IDENTITY)).collect();
    let mut met = vec![false; scene.nodes.len()];
    let mut out = Vec::new();
    while let Some((id, parent)) = stack.pop() {
        let (Some(node), Some(met)) = (scene.nodes.get(id.0), met.get_mut(id.0)) else { continue };
        if std::mem::replace(met, true) {
            continue;
        }
        let place = DAffine3 { translation: glam::DVec3::ZERO, ..parent * own(node) };
        if node.mesh.is_some() || node.extras.contains_key("segment") {
            out.push((id, place));
            continue;
        }
        stack.extend(node.children.iter().rev().map(|child| (*child, place)));
    }
    out
}

fn segment(importer: &mut Importer<'_>, node: &Node, parts: &[Part], report: &mut Report) -> Result<Segment> {
    let said = Facts(&node.extras);
    let mut header = SegmentHeader {
        name: name(node, report),
        kind: said.get("kind").unwrap_or_default(),
        flags: said.get("flags").unwrap_or_default(),
        attributes: said.get("attributes").unwrap_or_default(),
        unknown_11: said.get("unknown_11").unwrap_or_default(),
        unused_14: said.get("unused_14").unwrap_or([0, 0, 0, 1]),
        ..SegmentHeader::default()
    };
    let is_said = said.0.contains_key("segment");
    if said.0.contains_key("external") || header.kind == EXTERNAL {
        if !is_said {
            header.kind = EXTERNAL;
        }
        said.put_box(&mut header);
        header.total_size = SEGMENT;
        return Ok(Segment { header, payload: Payload::Empty });
    }
    let mut about = Report::new();
    let made = importer.model(parts, Form::Segment, &mut about)?;
    pass_on(&about, Some(&header.name.text()), report);
    if made.is_untouched && said.0.contains_key("box") {
        said.put_box(&mut header);
    } else {
        put_box(&mut header, &made.model);
    }
    if made.is_keyed && !said.0.contains_key("attributes") {
        header.attributes |= KEYED;
    }
    let [low, ..] = made.model.faces.len().to_le_bytes();
    if let [.., last] = &mut header.unknown_11
        && !(made.is_untouched && said.0.contains_key("unknown_11"))
    {
        *last = low;
    }
    let payload = Payload::Model(Box::new(Model::Glide(made.model)));
    Ok(Segment { header, payload })
}

/// The box around the first frame.
fn put_box(header: &mut SegmentHeader, model: &Glide) {
    let reach = |axis: usize, sign: i64| {
        let along =
            model.vertices.iter().filter_map(|place| place.get(axis)).map(|number| i64::from(*number));
        let most = along.map(|number| number.saturating_mul(sign)).max().unwrap_or_default();
        u32::try_from(most.max(0)).unwrap_or(u32::MAX)
    };
    header.positive = [0, 1, 2].map(|axis| reach(axis, 1));
    header.negative = [0, 1, 2].map(|axis| reach(axis, -1));
    let halves = header.positive.iter().zip(header.negative);
    for (extent, (positive, negative)) in header.extent.iter_mut().zip(halves) {
        *extent = positive.saturating_add(negative);
    }
}

/// The name of a segment: that of its node without the number that other programs put behind copies.
fn name(node: &Node, report: &mut Report) -> FixedText<8> {
    let stored = node.extras.get("segment").and_then(Value::as_str);
    let shown = without_number(&node.name);
    if let Some(stored) = stored
        && (shown == stored || node.name == stored || node.name.is_empty())
        && let Ok(name) = FixedText::new(stored)
    {
        return name;
    }
    if let Ok(name) = FixedText::new(shown)
        && !name.is_zero()
    {
        return name;
    }
    let mut short = String::new();
    for letter in shown.chars().map(|letter| if letter.is_ascii_graphic() { letter } else { '_' }).take(8) {
        short.push(letter);
    }
    if short.is_empty() {
        short.push_str("MODEL");
    }
    let message = format!("the name \"{}\" does not fit a segment: it is \"{short}\" now", node.name);
    report.warn(&warning::RENAMED, message);
    FixedText::new(&short).unwrap_or_default()
}

fn without_number(name: &str) -> &str {
    match name.rsplit_once('.') {
        Some((before, number)) if number.len() == 3 && number.bytes().all(|digit| digit.is_ascii_digit()) => {
            before
        }
        _ => name,
    }
}

/// What was found about a model, in the words of this format.
pub(super) fn pass_on(found: &Report, name: Option<&str>, report: &mut Report) {
    for told in found {
        let code: &Code = match told.code.severity {
            Severity::Note => &warning::IMPORT_NOTE,
            _ => &warning::IMPORT,
        };
        let message = match name {
            Some(name) => format!("{name:?}: {}", told.message),
            None => told.message.clone(),
        };
        report.warn(code, message);
    }
}

/// The extras of a node.
struct Facts<'a>(&'a Map<String, Value>);

impl Facts<'_> {
    fn get<T: serde::de::DeserializeOwned>(&self, name: &str) -> Option<T> {
        serde_json::from_value(self.0.get(name)?.clone()).ok()
    }

    fn put_box(&self, header: &mut SegmentHeader) {
        let Some(sides) = self.0.get("box").and_then(Value::as_object) else { return };
        let side = |name: &str| Facts(sides).get::<[u32; 3]>(name).unwrap_or_default();
        (header.extent, header.positive, header.negative) =
            (side("extent"), side("positive"), side("negative"));
    }
}
