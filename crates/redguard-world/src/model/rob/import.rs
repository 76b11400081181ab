//! Imports a ROB file from a scene: each node with a mesh becomes a segment with the node's name and subtree.
//!
//! Nodes of our own conversions record the drawing properties of a segment in their extras, and whether its model is external. The
//! translation of a node is ignored, because segments have no position; rotation and scale are applied. Segments of the original keep their
//! order. The bounding box of a model is recomputed unless the model is unedited.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use asset::{Code, Report, SceneFile, Severity};
use glam::DAffine3;
use json::{Map, Value};
use record::{Bytes, Result};
use scene::gltf::Read;
use scene::{Node, NodeId, without_copy_number};

use super::layout::{DataHeader, END, EXTERNAL, Header, Payload, Rob, SEGMENT, Segment, SegmentHeader};
use super::warning;
use crate::model::import::{ImportTarget, Importer, MeshInstance, local_transform};
use asset::FixedText;

/// Supported output extensions.
pub(super) const EXTENSIONS: &[&str] = &["rob"];

/// Attribute bit that makes palette color 0 transparent.
const KEYED: u8 = 2;

/// Builds a ROB file from a scene file.
pub(super) fn import(file: &SceneFile<'_>, report: &mut Report) -> Result<Vec<u8>> {
    let base = file.base.and_then(|base| base.typed::<Rob>());
    Rob::from_scene(file.read, base, report)?.write()
}

impl Rob {
    /// Builds the models of a map from a scene, which may be the edited form of `base`. Features that models cannot represent are reported.
    ///
    /// # Errors
    /// [`Kind::Limit`](record::Kind::Limit) for too many faces or frames.
    pub fn from_scene(read: &Read, base: Option<&Self>, report: &mut Report) -> Result<Self> {
        let mut importer = Importer::new(read);
        let base_segments = base.map(SegmentIndex::of);
        let base_segments = base_segments.as_ref();
        let mut segments = Vec::new();
        let mut names: BTreeMap<String, usize> = BTreeMap::new();
        for (id, transform) in segment_nodes(&mut importer, read, base) {
            let Some(node) = read.scene.nodes.get(id.0) else { continue };
            let instances = importer.instances(id, transform)?;
            let segment = segment(&mut importer, node, &instances, base_segments, report)
                .map_err(|error| error.in_field(format!("node \"{}\"", node.name)))?;
            let count = names.entry(segment.header.name.text().to_lowercase()).or_default();
            *count = count.saturating_add(1);
            segments.push((order(node, &segment, base_segments), segment));
        }
        // Other programs sort nodes by name.
        segments.sort_by_key(|(order, _)| *order);
        let segments = segments.into_iter().map(|(_, segment)| segment).collect();
        for (name, count) in names.iter().filter(|(_, count)| **count > 1) {
            report.warn(&warning::SAME_NAME, format!("{count} segments are named {name:?}"));
        }
        let mut lost = Report::new();
        importer.report_lost(&mut lost);
        forward_warnings(&lost, None, report);
        if let Some(base) = base {
            return Ok(Self { header: base.header, segments, rest: base.rest.clone() });
        }
        let header = Header { unused_04: [0, 0, 0, 4], num_segments: 0, data: DataHeader::default() };
        Ok(Self { header, segments, rest: Bytes::from(END) })
    }
}

/// Finds the nodes to convert to segments, in order, each with its rotation and scale; translations are dropped.
#[expect(clippy::arithmetic_side_effects, reason = "floating-point matrices cannot overflow")]
fn segment_nodes(importer: &mut Importer<'_>, read: &Read, base: Option<&Rob>) -> Vec<(NodeId, DAffine3)> {
    let scene = &read.scene;
    let mut stack: Vec<(NodeId, DAffine3)> =
        scene.roots.iter().rev().map(|root| (*root, DAffine3::IDENTITY)).collect();
    // Segments without an embedded model are empty nodes.
    let is_empty = |segment: &&Segment| !matches!(segment.payload, Payload::Model(_));
    let empty = base.iter().flat_map(|base| base.segments.iter()).filter(is_empty);
    let empty: BTreeSet<String> = empty.map(|segment| segment.header.name.text().to_lowercase()).collect();
    let mut visited = vec![false; scene.nodes.len()];
    let mut out = Vec::new();
    while let Some((id, parent)) = stack.pop() {
        let (Some(node), Some(visited)) = (scene.nodes.get(id.0), visited.get_mut(id.0)) else { continue };
        if std::mem::replace(visited, true) || importer.is_skipped(node) {
            continue;
        }
        let transform = DAffine3 { translation: glam::DVec3::ZERO, ..parent * local_transform(node) };
        let is_empty_segment =
            || node.children.is_empty() && empty.contains(&without_copy_number(&node.name).to_lowercase());
        if node.mesh.is_some() || node.extras.contains_key("segment") || is_empty_segment() {
            out.push((id, transform));
            continue;
        }
        stack.extend(node.children.iter().rev().map(|child| (*child, transform)));
    }
    out
}

/// The segments of the original file by name; of several segments with the same name, the first.
struct SegmentIndex<'a> {
    exact: HashMap<String, usize>,
    /// Keys in lowercase.
    folded: HashMap<String, &'a Segment>,
}

impl<'a> SegmentIndex<'a> {
    fn of(base: &'a Rob) -> Self {
        let mut out = Self { exact: HashMap::new(), folded: HashMap::new() };
        for (index, segment) in base.segments.iter().enumerate() {
            let name = segment.header.name.text();
            out.folded.entry(name.to_ascii_lowercase()).or_insert(segment);
            out.exact.entry(name).or_insert(index);
        }
        out
    }
}

/// Sort key of a segment: its index in the original; new segments come last.
fn order(node: &Node, segment: &Segment, base: Option<&SegmentIndex<'_>>) -> usize {
    let in_base = || base?.exact.get(&segment.header.name.text()).copied();
    NodeExtras(&node.extras).get("index").or_else(in_base).unwrap_or(usize::MAX)
}

fn segment(
    importer: &mut Importer<'_>,
    node: &Node,
    instances: &[MeshInstance],
    base: Option<&SegmentIndex<'_>>,
    report: &mut Report,
) -> Result<Segment> {
    let extras = NodeExtras(&node.extras);
    let name = name(node, report);
    let original = base.and_then(|base| base.folded.get(&name.text().to_ascii_lowercase()).copied());
    if let Some(original) = original
        && (instances.is_empty() || !matches!(original.payload, Payload::Model(_)))
        && !extras.0.contains_key("segment")
    {
        return Ok(original.clone());
    }
    let mut header = extras.header(name, original);
    let has_header = extras.0.contains_key("segment");
    if extras.0.contains_key("external") || header.kind == EXTERNAL {
        if !has_header {
            header.kind = EXTERNAL;
        }
        extras.set_box(&mut header);
        header.total_size = SEGMENT;
        return Ok(Segment { header, payload: Payload::Empty });
    }
    with_model(importer, header, &extras, original, instances, report)
}

/// Creates a segment with this name from an entire scene. A node of our own conversions provides the drawing properties.
pub(super) fn segment_of_scene(read: &Read, name: FixedText<8>, report: &mut Report) -> Result<Segment> {
    let mut importer = Importer::new(read);
    let instances = importer.all_instances()?;
    let node = read.scene.nodes.iter().find(|node| node.extras.contains_key("segment"));
    let empty = Map::new();
    let extras = NodeExtras(node.map_or(&empty, |node| &node.extras));
    let mut header = extras.header(name, None);
    if header.kind == EXTERNAL {
        header.kind = 0;
    }
    let segment = with_model(&mut importer, header, &extras, None, &instances, report)?;
    let mut lost = Report::new();
    importer.report_lost(&mut lost);
    forward_warnings(&lost, Some(&name.text()), report);
    Ok(segment)
}

/// Creates a segment with this header and the model of these instances, which may be the edited form of `original`.
fn with_model(
    importer: &mut Importer<'_>,
    mut header: SegmentHeader,
    extras: &NodeExtras<'_>,
    original: Option<&Segment>,
    instances: &[MeshInstance],
    report: &mut Report,
) -> Result<Segment> {
    let mut import_report = Report::new();
    let model = original.and_then(|original| match &original.payload {
        Payload::Model(model) => Some(&**model),
        Payload::Empty | Payload::Unread(_) => None,
    });
    let imported = importer.model(instances, ImportTarget::Segment, model, &mut import_report)?;
    forward_warnings(&import_report, Some(&header.name.text()), report);
    let is_current = |name: &str| imported.is_unedited && (original.is_some() || extras.0.contains_key(name));
    if is_current("box") {
        extras.set_box(&mut header);
    } else {
        header.set_box(&imported.model);
    }
    if imported.is_keyed && original.is_none() && !extras.0.contains_key("attributes") {
        header.attributes |= KEYED;
    }
    if !is_current("face_count_low") {
        header.set_face_count(&imported.model);
    }
    Ok(Segment { header, payload: Payload::Model(Box::new(imported.model)) })
}

/// Returns the name of a segment: the name of its node without the numeric suffix that other programs append to copies.
fn name(node: &Node, report: &mut Report) -> FixedText<8> {
    let stored = node.extras.get("segment").and_then(Value::as_str);
    let shown = without_copy_number(&node.name);
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
    let message = format!("the name \"{}\" is not valid for a segment; using \"{short}\"", node.name);
    report.warn(&warning::RENAMED, message);
    FixedText::new(&short).unwrap_or_default()
}

/// Forwards warnings about an imported model with the codes of this format.
pub(super) fn forward_warnings(found: &Report, name: Option<&str>, report: &mut Report) {
    for warning in found {
        let code: &Code = match warning.code.severity {
            Severity::Note => &warning::IMPORT_NOTE,
            _ => &warning::IMPORT,
        };
        let message = match name {
            Some(name) => format!("{name:?}: {}", warning.message),
            None => warning.message.clone(),
        };
        report.warn(code, message);
    }
}

/// Extras of a node.
struct NodeExtras<'a>(&'a Map<String, Value>);

impl NodeExtras<'_> {
    fn get<T: serde::de::DeserializeOwned>(&self, name: &str) -> Option<T> {
        json::from_value(self.0.get(name)?.clone()).ok()
    }

    /// Creates a header with this name. Values missing in the extras are taken from the original.
    fn header(&self, name: FixedText<8>, original: Option<&Segment>) -> SegmentHeader {
        let kept = original.map_or_else(SegmentHeader::typical, |original| original.header);
        SegmentHeader {
            name,
            kind: self.get("kind").unwrap_or(kept.kind),
            flags: self.get("flags").unwrap_or(kept.flags),
            attributes: self.get("attributes").unwrap_or(kept.attributes),
            collision: self.get("collision").unwrap_or(kept.collision),
            reserved_12: self.get("reserved_12").unwrap_or(kept.reserved_12),
            face_count_low: self.get("face_count_low").unwrap_or(kept.face_count_low),
            unused_14: self.get("unused_14").unwrap_or(kept.unused_14),
            ..kept
        }
    }

    fn set_box(&self, header: &mut SegmentHeader) {
        let Some(sides) = self.0.get("box").and_then(Value::as_object) else { return };
        let side = |name: &str| NodeExtras(sides).get::<[u32; 3]>(name).unwrap_or_default();
        (header.extent, header.positive, header.negative) =
            (side("extent"), side("positive"), side("negative"));
    }
}
