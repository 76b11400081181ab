//! A scene in memory as C reads it: strings are NUL-terminated, and lists are contiguous arrays of numbers.

use std::ffi::CString;
use std::sync::OnceLock;

use facade::scene::{Animation, Extras, Instance, Node, Primitive, Scene, Skin, Target};

use super::view::{NONE, Transform};
use crate::string::c_string;

/// The object of a scene handle.
#[derive(Debug)]
pub struct SceneObject {
    pub(super) scene: Scene,
    pub(super) name: CString,
    pub(super) roots: Vec<u32>,
    pub(super) meshes: Vec<Label>,
    pub(super) materials: Vec<Label>,
    pub(super) textures: Vec<CString>,
    pub(super) images: Vec<CString>,
    pub(super) lights: Vec<Label>,
    pub(super) nodes: Vec<NodeLists>,
    pub(super) skins: Vec<SkinLists>,
    pub(super) animations: Vec<Tracks>,
}

/// The name of an object, and its extras as JSON, which are serialized when they are requested.
#[derive(Debug)]
pub(super) struct Label {
    pub(super) name: CString,
    extras: OnceLock<CString>,
}

impl Label {
    fn new(name: &str) -> Self {
        Self { name: c_string(name), extras: OnceLock::new() }
    }

    /// Returns the extras as JSON.
    pub(super) fn extras(&self, extras: impl FnOnce() -> Extras) -> &CString {
        self.extras.get_or_init(|| {
            let json = facade::json::to_compact(&extras()).unwrap_or_default();
            c_string(&String::from_utf8_lossy(&json))
        })
    }
}

/// The names and lists of a node.
#[derive(Debug)]
pub(super) struct NodeLists {
    pub(super) label: Label,
    pub(super) layer: CString,
    pub(super) children: Vec<u32>,
    pub(super) instances: Vec<Transform>,
}

impl NodeLists {
    fn new(node: &Node, instances: &[Instance]) -> Self {
        use facade::scene::Layer;
        let layer = match &node.layer {
            Some(Layer::Member(name)) => c_string(name),
            _ => CString::default(),
        };
        let instance = |it: &Instance| Transform {
            translation: it.translation.to_array(),
            rotation: it.rotation.to_array(),
            scale: it.scale.to_array(),
        };
        Self {
            label: Label::new(&node.name),
            layer,
            children: node.children.iter().map(|child| index(child.0)).collect(),
            instances: instances.iter().map(instance).collect(),
        }
    }
}

/// The name and lists of a skin.
#[derive(Debug)]
pub(super) struct SkinLists {
    pub(super) name: CString,
    pub(super) joints: Vec<u32>,
    pub(super) inverse_bind: Vec<[f32; 16]>,
}

impl SkinLists {
    fn new(skin: &Skin) -> Self {
        let matrices = skin.inverse_bind.iter().map(|matrix| {
            let [ax, ay, az, bx, by, bz, cx, cy, cz, x, y, z] = matrix.to_cols_array();
            [ax, ay, az, 0.0, bx, by, bz, 0.0, cx, cy, cz, 0.0, x, y, z, 1.0]
        });
        Self {
            name: c_string(&skin.name),
            joints: skin.joints.iter().map(|joint| index(joint.0)).collect(),
            inverse_bind: matrices.collect(),
        }
    }
}

/// The name and the tracks of an animation.
#[derive(Debug)]
pub(super) struct Tracks {
    pub(super) name: CString,
    /// The targets, each with the index of its track: several targets can share a track.
    pub(super) targets: Vec<(Target, usize)>,
}

impl Tracks {
    fn new(animation: &Animation) -> Self {
        let tracks = animation.tracks.iter().enumerate();
        let targets = tracks.flat_map(|(index, track)| track.targets().map(move |target| (target, index)));
        Self { name: c_string(&animation.name), targets: targets.collect() }
    }
}

impl SceneObject {
    /// Prepares a scene for C.
    pub(crate) fn new(scene: Scene) -> Self {
        let instances = |number| {
            let id = facade::scene::NodeId(number);
            scene.instances.get(&id).map(Vec::as_slice).unwrap_or_default()
        };
        let nodes = scene.nodes.iter().enumerate();
        Self {
            name: c_string(&scene.name),
            roots: scene.roots.iter().map(|root| index(root.0)).collect(),
            meshes: scene.meshes.iter().map(|mesh| Label::new(&mesh.name)).collect(),
            materials: scene.materials.iter().map(|material| Label::new(&material.name)).collect(),
            textures: scene.textures.iter().map(|texture| c_string(&texture.name)).collect(),
            images: scene.images.iter().map(|image| c_string(&image.name)).collect(),
            lights: scene.lights.iter().map(|light| Label::new(&light.name)).collect(),
            nodes: nodes.map(|(number, node)| NodeLists::new(node, instances(number))).collect(),
            skins: scene.skins.iter().map(SkinLists::new).collect(),
            animations: scene.animations.iter().map(Tracks::new).collect(),
            scene,
        }
    }
}

/// Converts an index for C.
pub(super) fn index(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(NONE)
}

/// Converts an optional index for C.
pub(super) fn optional(number: Option<usize>) -> u32 {
    number.map_or(NONE, index)
}

/// Whether all attributes of a primitive have one item per vertex, and all indices are in range, so that C can rely on it.
pub(super) fn is_consistent(primitive: &Primitive) -> bool {
    let count = primitive.positions.len();
    let fits = |length: Option<usize>| length.is_none_or(|length| length == count);
    fits(primitive.normals.as_ref().map(Vec::len))
        && fits(primitive.tangents.as_ref().map(Vec::len))
        && fits(primitive.colors.as_ref().map(Vec::len))
        && fits(primitive.influences.as_ref().map(|it| it.joints.len()))
        && fits(primitive.influences.as_ref().map(|it| it.weights.len()))
        && primitive.uvs.iter().all(|uvs| uvs.len() == count)
        && primitive
            .targets
            .iter()
            .all(|target| target.positions.len() == count && fits(target.normals.as_ref().map(Vec::len)))
        && primitive.indices.iter().all(|index| usize::try_from(*index).is_ok_and(|index| index < count))
}
