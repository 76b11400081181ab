//! A model as a scene: its nodes with their meshes, skins and movements.

use asset::{Context, Report};
use glam::{DAffine3, DQuat, Quat, Vec3};
use scene::{Mesh, Node, NodeId, Scene, Skin};
use serde_json::{Map, Value};

use super::animation;
use super::brush::Paints;
use super::chunk::Chunk;
use super::layout::{self, Bone};
use super::material::Materials;
use super::mesh::{Amiss, Maker, Places, Shape};
use super::skin::{self, Pulls};
use super::text::LONGEST;
use super::{B3d, warning};
use crate::axes;
use crate::model::mirror;
use asset::counted;

/// More surfaces than this are not shown: each is a mesh's triangles of one brush.
const MOST_SURFACES: usize = 1 << 13;

/// A skin counts as so many surfaces: it takes as much memory.
const SKIN_COST: usize = 7;

/// A node of the model, and what it becomes.
#[derive(Debug)]
pub(super) struct Place<'a> {
    pub(super) node: &'a layout::Node,
    /// The node of the scene; before there is one, a number of no node.
    pub(super) id: NodeId,
    /// Which of the places it stands in.
    above: Option<usize>,
    /// Which of its parent's chunks it is.
    index: usize,
    pub(super) mesh: Option<&'a layout::Mesh>,
    bone: Option<&'a Bone>,
    /// Which of the places has the mesh that it is a bone of.
    mesh_above: Option<usize>,
    /// To its parent's space.
    matrix: DAffine3,
}

/// All nodes of the model, parents first.
#[derive(Debug, Default)]
pub(super) struct Nodes<'a> {
    places: Vec<Place<'a>>,
    /// The bones of each place that has a mesh.
    bones: Vec<Vec<usize>>,
}

impl<'a> Nodes<'a> {
    pub(super) fn of(file: &'a B3d) -> Self {
        let mut nodes = Self::default();
        nodes.add(&file.chunks, None, None);
        nodes.bones = vec![Vec::new(); nodes.places.len()];
        for (index, place) in nodes.places.iter().enumerate().filter(|(_, place)| place.bone.is_some()) {
            if let Some(bones) = place.mesh_above.and_then(|mesh| nodes.bones.get_mut(mesh)) {
                bones.push(index);
            }
        }
        nodes
    }

    fn add(&mut self, chunks: &'a [Chunk], above: Option<usize>, mesh_above: Option<usize>) {
        for (index, chunk) in chunks.iter().enumerate() {
            let Chunk::Node(node) = chunk else { continue };
            let number = self.places.len();
            let (mesh, bone) = roles(node);
            let (id, matrix) = (NodeId(usize::MAX), DAffine3::IDENTITY);
            self.places.push(Place { node, id, above, index, mesh, bone, mesh_above, matrix });
            let mesh_above = if mesh.is_some() { Some(number) } else { mesh_above };
            self.add(&node.chunks, Some(number), mesh_above);
        }
    }

    /// Adds the nodes to the scene.
    fn place(&mut self, scene: &mut Scene, root: NodeId, scale: f32, report: &mut Report) {
        for number in 0..self.places.len() {
            let Some(place) = self.places.get(number) else { continue };
            let above = place.above.and_then(|above| self.places.get(above)).map_or(root, |above| above.id);
            let Made { node, is_sound } = scene_node(place.node, number, scale);
            let matrix = matrix(&node);
            let id = scene.add_child(above, node);
            if !is_sound {
                let message = "the place, turn or size is not finite, and is taken for none";
                report.warn(&warning::NOT_FINITE, message).in_field(self.field(number));
            }
            if let Some(place) = self.places.get_mut(number) {
                (place.id, place.matrix) = (id, matrix);
            }
        }
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (usize, &Place<'a>)> {
        self.places.iter().enumerate()
    }

    pub(super) fn get(&self, place: usize) -> Option<&Place<'a>> {
        self.places.get(place)
    }

    /// The bones of a mesh.
    pub(super) fn bones(&self, mesh: usize) -> Vec<&'a Bone> {
        self.bone_places(mesh)
            .iter()
            .filter_map(|bone| self.get(*bone).and_then(|place| place.bone))
            .collect()
    }

    fn bone_places(&self, mesh: usize) -> &[usize] {
        self.bones.get(mesh).map(Vec::as_slice).unwrap_or_default()
    }

    /// Tells of bones that pull at vertices of no mesh.
    pub(super) fn tell_loose_bones(&self, report: &mut Report) {
        for (index, place) in self.iter().filter(|(_, place)| place.mesh_above.is_none()) {
            if place.bone.is_some_and(|bone| !bone.weights.is_empty()) {
                let message = "the node is a bone, but stands below no mesh: its weights are left out";
                report.warn(&warning::LOOSE_BONE, message).in_field(self.field(index));
            }
        }
    }

    /// Where a node stands in the file, like `chunks[2].chunks[0]`.
    pub(super) fn field(&self, place: usize) -> String {
        let mut steps = Vec::new();
        let mut next = self.get(place);
        while let Some(place) = next {
            steps.push(format!("chunks[{}]", place.index));
            next = place.above.and_then(|above| self.get(above));
        }
        steps.reverse();
        steps.join(".")
    }

    /// The matrix from a node's space to that in which the mesh's node stands.
    #[expect(clippy::arithmetic_side_effects, reason = "matrices of floats cannot overflow")]
    fn place_outside(&self, place: usize, mesh: usize) -> DAffine3 {
        let mut matrix = DAffine3::IDENTITY;
        let mut next = Some(place);
        while let Some((index, place)) = next.and_then(|index| Some((index, self.get(index)?))) {
            matrix = place.matrix * matrix;
            next = place.above.filter(|_| index != mesh);
        }
        matrix
    }
}

/// The model with the images it names. What cannot be shown is reported.
pub(crate) fn to_scene(
    file: &B3d,
    context: &Context<'_>,
    name: &str,
    scale: f32,
    report: &mut Report,
) -> Scene {
    let mut scene = Scene::new(name);
    let root = scene.add_root(Node::named(name));
    let mut nodes = Nodes::of(file);
    nodes.place(&mut scene, root, scale, report);
    nodes.tell_loose_bones(report);
    let paints = Paints::of(file);
    let mut materials = Materials::new(&paints);
    let mut room = MOST_SURFACES;
    for (index, place) in nodes.iter() {
        let Some(mesh) = place.mesh else { continue };
        let making = Making { nodes: &nodes, place: index, mesh, scale, room };
        room = room.saturating_sub(making.add(&mut scene, &mut materials, context, report));
    }
    if room == 0 {
        let message = format!("the surfaces beyond {MOST_SURFACES} are left out");
        report.warn(&warning::MANY_SURFACES, message);
    }
    if room == MOST_SURFACES {
        report.warn(&warning::NO_SHAPE, "the model has no triangles that can be shown");
    }
    animation::add(&mut scene, &nodes, scale, report);
    mirror::keep(&mut scene);
    scene
}

/// What a node is: of several meshes or bones the engine takes the last.
fn roles(node: &layout::Node) -> (Option<&layout::Mesh>, Option<&Bone>) {
    let (mut mesh, mut bone) = (None, None);
    for chunk in &node.chunks {
        match chunk {
            Chunk::Mesh(chunk) => mesh = Some(chunk),
            Chunk::Bone(chunk) => bone = Some(chunk),
            _ => {}
        }
    }
    (mesh, bone)
}

struct Made {
    node: Node,
    is_sound: bool,
}

fn scene_node(node: &layout::Node, number: usize, scale: f32) -> Made {
    let translation = axes::position(node.position) * scale;
    let size = Vec3::from(node.scale);
    let turn = node.rotation.iter().all(|number| number.is_finite()) && node.rotation != [0.0; 4];
    let (name, extras) = name(node, number);
    Made {
        is_sound: translation.is_finite() && size.is_finite() && turn,
        node: Node {
            name,
            translation: if translation.is_finite() { translation } else { Vec3::ZERO },
            rotation: sound_turn(axes::orientation(node.rotation)),
            scale: if size.is_finite() { size } else { Vec3::ONE },
            extras,
            ..Node::default()
        },
    }
}

/// A turn that can be written: one of tiny numbers may have lost its length.
fn sound_turn(turn: Quat) -> Quat {
    if turn.is_finite() && turn.length_squared() > 0.5 { turn } else { Quat::IDENTITY }
}

/// The node's name, and the properties that stand in it: 3D World Studio writes `key=value` lines.
fn name(node: &layout::Node, number: usize) -> (String, Map<String, Value>) {
    let text = node.name.text();
    let mut extras = Map::new();
    let mut lines = text.lines();
    let first = lines.next().unwrap_or_default();
    if lines.next().is_some() || first.starts_with("classname=") {
        let pairs = text.lines().filter_map(|line| line.split_once('='));
        let properties: Map<String, Value> =
            pairs.map(|(key, value)| (key.to_owned(), Value::from(value))).collect();
        if !properties.is_empty() {
            extras.insert("properties".into(), Value::Object(properties));
        }
    }
    let is_plain = !text.chars().any(char::is_control);
    if !is_plain || node.name.is_long() {
        extras.insert("name".into(), Value::from(&*text));
    }
    let name: String = first.chars().filter(|letter| !letter.is_control()).take(LONGEST).collect();
    (if name.is_empty() { format!("node {number}") } else { name }, extras)
}

fn matrix(node: &Node) -> DAffine3 {
    let turn: DQuat = node.rotation.as_dquat().normalize();
    DAffine3::from_scale_rotation_translation(node.scale.as_dvec3(), turn, node.translation.as_dvec3())
}

/// A mesh in the making.
struct Making<'a, 'b> {
    nodes: &'b Nodes<'a>,
    place: usize,
    mesh: &'a layout::Mesh,
    scale: f32,
    /// How many surfaces may still come.
    room: usize,
}

impl Making<'_, '_> {
    /// Adds the mesh to its node, or with its skin to a node of its own. Gives how many surfaces it counts as.
    fn add(
        &self,
        scene: &mut Scene,
        materials: &mut Materials<'_>,
        context: &Context<'_>,
        report: &mut Report,
    ) -> usize {
        let shape = Shape::of(self.mesh);
        let field = self.nodes.field(self.place);
        let pulls = self.pulls(&shape, &field, report);
        let mut maker =
            Maker { shape: &shape, pulls: pulls.as_ref(), scale: self.scale, amiss: Amiss::default() };
        let mut places = Places::new(shape.vertices.len());
        let mut primitives = Vec::new();
        for (brush, part) in shape.parts.iter().take(self.room) {
            let look = materials.get(scene, context, (*brush, self.mesh.brush), report);
            primitives.extend(maker.primitive(part, &look, &mut places));
        }
        maker.amiss.tell(&shape, &field, report);
        let Some((id, name)) = self.node(scene) else { return 0 };
        if primitives.is_empty() {
            return 0;
        }
        let mut cost = primitives.len();
        let mesh = scene.add_mesh(Mesh { name: name.clone(), primitives, ..Mesh::default() });
        match pulls {
            None => {
                if let Some(node) = scene.nodes.get_mut(id.0) {
                    node.mesh = Some(mesh);
                }
            }
            Some(pulls) => {
                cost = cost.saturating_add(SKIN_COST);
                let skin = self.skin(id, &name, &pulls, &field, report);
                let skin = scene.add_skin(skin);
                let name = format!("{name} (skin)");
                scene.add_root(Node { name, mesh: Some(mesh), skin: Some(skin), ..Node::default() });
            }
        }
        cost
    }

    fn node(&self, scene: &Scene) -> Option<(NodeId, String)> {
        let id = self.nodes.get(self.place)?.id;
        Some((id, scene.nodes.get(id.0)?.name.clone()))
    }

    /// What the bones pull at; nothing when the mesh simply stands in its node.
    fn pulls(&self, shape: &Shape<'_>, field: &str, report: &mut Report) -> Option<Pulls> {
        let bones = self.nodes.bones(self.place);
        if bones.is_empty() {
            return None;
        }
        if u16::try_from(bones.len()).is_err() {
            let message = format!("{} bones are more than a mesh can have; it is shown without", bones.len());
            report.warn(&warning::MANY_BONES, message).in_field(field);
            return None;
        }
        let pulls = Pulls::gather(shape.vertices.len(), &bones, field, report);
        let place = self.nodes.get(self.place)?;
        let stands = place.matrix == DAffine3::IDENTITY
            && !place.node.chunks.iter().any(|chunk| matches!(chunk, Chunk::Keys(_)));
        // Bones that pull at nothing leave the mesh in its node, unless that node has a place of its own, which bones take away.
        (!(pulls.is_idle() && stands)).then_some(pulls)
    }

    fn skin(&self, id: NodeId, name: &str, pulls: &Pulls, field: &str, report: &mut Report) -> Skin {
        let free = pulls.has_free().then_some(self.place);
        let (mut joints, mut inverse_bind, mut without_size) = (Vec::new(), Vec::new(), 0_usize);
        for joint in self.nodes.bone_places(self.place).iter().copied().chain(free) {
            let Some(place) = self.nodes.get(joint) else { continue };
            joints.push(place.id);
            let inverse = skin::inverse_bind(self.nodes.place_outside(joint, self.place));
            without_size = without_size.saturating_add(usize::from(inverse.is_none()));
            inverse_bind.push(inverse.unwrap_or_default());
        }
        if without_size > 0 {
            let bones = counted(without_size, "bone has", "bones have");
            let message = format!("{bones} no size, and what they pull at is not shown where it should be");
            report.warn(&warning::FLAT_BONE, message).in_field(field);
        }
        Skin { name: name.to_owned(), joints, inverse_bind, skeleton: Some(id), ..Skin::default() }
    }
}
