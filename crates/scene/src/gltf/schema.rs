//! The JSON of a glTF file (glTF 2.0 specification, chapter 5), limited to the members that this crate writes, in a
//! fixed order.

use std::borrow::Cow;

use serde::{Serialize, Serializer};

use super::piece::to_i16;
use crate::Extras;
use crate::node::PackedExtras;

/// The glTF document.
#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Document<'a> {
    pub(super) asset: Asset<'a>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) extensions_used: Vec<&'static str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) extensions_required: Vec<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) scene: Option<usize>,
    pub(super) scenes: Vec<Scene<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) nodes: Vec<Node<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) meshes: Vec<Mesh<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) materials: Vec<Material<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) textures: Vec<Texture>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) samplers: Vec<Sampler>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) images: Vec<Image>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) skins: Vec<Skin<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) animations: Vec<Animation<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) accessors: Vec<Accessor>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) buffer_views: Vec<BufferView>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) buffers: Vec<Buffer>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) extensions: Option<DocumentExtensions<'a>>,
}

#[derive(Debug, Default, Serialize)]
pub(super) struct Asset<'a> {
    pub(super) version: &'static str,
    pub(super) generator: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) copyright: Option<&'a str>,
}

#[derive(Debug, Serialize)]
pub(super) struct Scene<'a> {
    pub(super) name: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) nodes: Vec<usize>,
    #[serde(skip_serializing_if = "<Extras>::is_empty")]
    pub(super) extras: Cow<'a, Extras>,
}

#[derive(Debug, Serialize)]
pub(super) struct Node<'a> {
    pub(super) name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) translation: Option<[f32; 3]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) rotation: Option<[f32; 4]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) scale: Option<[f32; 3]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) mesh: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) skin: Option<usize>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) children: Vec<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) extensions: Option<Box<NodeExtensions>>,
    #[serde(skip_serializing_if = "NodeExtras::is_empty")]
    pub(super) extras: NodeExtras<'a>,
}

#[derive(Debug, Serialize)]
#[serde(untagged)]
pub(super) enum NodeExtras<'a> {
    Members(Cow<'a, Extras>),
    Packed(&'a PackedExtras),
}

impl NodeExtras<'_> {
    fn is_empty(&self) -> bool {
        matches!(self, Self::Members(members) if members.is_empty())
    }
}

#[derive(Debug, Serialize)]
pub(super) struct NodeExtensions {
    #[serde(rename = "KHR_lights_punctual", skip_serializing_if = "Option::is_none")]
    pub(super) light: Option<NodeLight>,
    #[serde(rename = "EXT_mesh_gpu_instancing", skip_serializing_if = "Option::is_none")]
    pub(super) instances: Option<NodeInstances>,
    #[serde(rename = "OMI_physics_body", skip_serializing_if = "Option::is_none")]
    pub(super) body: Option<NodeBody>,
}

/// `OMI_physics_body`.
#[derive(Debug, Serialize)]
pub(super) struct NodeBody {
    pub(super) trigger: NodeTrigger,
}

/// A trigger, which detects entering objects.
#[derive(Debug, Serialize)]
pub(super) struct NodeTrigger {
    /// Index of a shape in `OMI_physics_shape`.
    pub(super) shape: usize,
}

/// `EXT_mesh_gpu_instancing`.
#[derive(Debug, Serialize)]
pub(super) struct NodeInstances {
    /// Names of attributes and their accessors.
    pub(super) attributes: Attributes,
}

#[derive(Debug, Serialize)]
pub(super) struct NodeLight {
    pub(super) light: usize,
}

#[derive(Debug, Serialize)]
pub(super) struct Mesh<'a> {
    pub(super) name: String,
    pub(super) primitives: Vec<Primitive<'a>>,
    #[serde(skip_serializing_if = "<[f32]>::is_empty")]
    pub(super) weights: &'a [f32],
    #[serde(skip_serializing_if = "<Extras>::is_empty")]
    pub(super) extras: Cow<'a, Extras>,
}

/// Attribute names and accessors, in the order in which they are written. A list instead of a map, because a scene
/// may have a hundred thousand of them.
#[derive(Debug, Default)]
pub(super) struct Attributes(Vec<(Cow<'static, str>, usize)>);

impl Attributes {
    pub(super) fn insert(&mut self, name: impl Into<Cow<'static, str>>, accessor: usize) {
        self.0.push((name.into(), accessor));
    }
}

impl Serialize for Attributes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, accessor)| (name, accessor)))
    }
}

/// The accessors of a morph target.
#[derive(Debug, Serialize)]
#[serde(rename_all = "UPPERCASE")]
pub(super) struct Target {
    pub(super) position: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) normal: Option<usize>,
}

#[derive(Debug, Serialize)]
pub(super) struct Primitive<'a> {
    /// Names of attributes and their accessors.
    pub(super) attributes: Attributes,
    pub(super) indices: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) material: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) mode: Option<u32>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) targets: Vec<Target>,
    #[serde(skip_serializing_if = "Extras::is_empty")]
    pub(super) extras: &'a Extras,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Material<'a> {
    pub(super) name: String,
    pub(super) pbr_metallic_roughness: Surface,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) normal_texture: Option<TextureInfo>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) emissive_texture: Option<TextureInfo>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) emissive_factor: Option<[f32; 3]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) alpha_mode: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) alpha_cutoff: Option<f32>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(super) double_sided: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) extensions: Option<MaterialExtensions>,
    #[serde(skip_serializing_if = "Extras::is_empty")]
    pub(super) extras: &'a Extras,
}

#[derive(Debug, Serialize)]
pub(super) struct MaterialExtensions {
    #[serde(rename = "KHR_materials_unlit", skip_serializing_if = "Option::is_none")]
    pub(super) unlit: Option<Empty>,
    #[serde(rename = "MOZ_lightmap", skip_serializing_if = "Option::is_none")]
    pub(super) lightmap: Option<TextureInfo>,
}

/// An object without members.
#[derive(Debug, Serialize)]
pub(super) struct Empty {}

/// `pbrMetallicRoughness`.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Surface {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) base_color_factor: Option<[f32; 4]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) base_color_texture: Option<TextureInfo>,
    pub(super) metallic_factor: f32,
    pub(super) roughness_factor: f32,
}

/// A material's reference to a texture; with `intensity`, it is all of `MOZ_lightmap`.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct TextureInfo {
    pub(super) index: usize,
    #[serde(skip_serializing_if = "is_zero")]
    pub(super) tex_coord: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) intensity: Option<f32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) extensions: Option<TextureInfoExtensions>,
}

#[derive(Debug, Serialize)]
pub(super) struct TextureInfoExtensions {
    #[serde(rename = "KHR_texture_transform")]
    pub(super) transform: TextureTransform,
}

/// `KHR_texture_transform`.
#[derive(Debug, Serialize)]
pub(super) struct TextureTransform {
    pub(super) offset: [f32; 2],
    pub(super) rotation: f32,
    pub(super) scale: [f32; 2],
}

#[derive(Debug, Serialize)]
pub(super) struct Texture {
    pub(super) name: String,
    pub(super) sampler: usize,
    pub(super) source: usize,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Sampler {
    pub(super) mag_filter: u32,
    pub(super) min_filter: u32,
    pub(super) wrap_s: u32,
    pub(super) wrap_t: u32,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Image {
    pub(super) name: String,
    pub(super) mime_type: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) buffer_view: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) uri: Option<String>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Skin<'a> {
    pub(super) name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) inverse_bind_matrices: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) skeleton: Option<usize>,
    pub(super) joints: Vec<usize>,
    #[serde(skip_serializing_if = "Extras::is_empty")]
    pub(super) extras: &'a Extras,
}

#[derive(Debug, Serialize)]
pub(super) struct Animation<'a> {
    pub(super) name: String,
    pub(super) channels: Vec<Channel>,
    pub(super) samplers: Vec<AnimationSampler>,
    #[serde(skip_serializing_if = "Extras::is_empty")]
    pub(super) extras: &'a Extras,
}

#[derive(Debug, Serialize)]
pub(super) struct Channel {
    pub(super) sampler: usize,
    pub(super) target: ChannelTarget,
}

#[derive(Debug, Serialize)]
pub(super) struct ChannelTarget {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) node: Option<usize>,
    pub(super) path: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) extensions: Option<PointerExtension>,
}

#[derive(Debug, Serialize)]
pub(super) struct PointerExtension {
    #[serde(rename = "KHR_animation_pointer")]
    pub(super) pointer: Pointer,
}

/// `KHR_animation_pointer`.
#[derive(Debug, Serialize)]
pub(super) struct Pointer {
    /// A JSON pointer (RFC 6901) into this document.
    pub(super) pointer: String,
}

#[derive(Debug, Serialize)]
pub(super) struct AnimationSampler {
    pub(super) input: usize,
    pub(super) output: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) interpolation: Option<&'static str>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Accessor {
    /// Without a view, all items are zero, except for sparse ones.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) buffer_view: Option<usize>,
    #[serde(skip_serializing_if = "is_zero")]
    pub(super) byte_offset: usize,
    pub(super) component_type: u32,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(super) normalized: bool,
    pub(super) count: usize,
    #[serde(rename = "type")]
    pub(super) shape: &'static str,
    #[serde(skip_serializing_if = "Bound::is_empty")]
    pub(super) min: Bound,
    #[serde(skip_serializing_if = "Bound::is_empty")]
    pub(super) max: Bound,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) sparse: Option<Box<Sparse>>,
}

/// A bound for each of up to three components. An array instead of a list, because a scene may have a hundred
/// thousand of them.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Bound {
    numbers: [f32; 3],
    count: usize,
    /// Whether it is a bound of integers.
    is_integer: bool,
}

impl Bound {
    /// Creates a bound; components after the third are dropped.
    pub(super) fn of<const N: usize>(numbers: [f32; N]) -> Self {
        let mut bound = Self { count: N.min(3), ..Self::default() };
        bound.numbers.iter_mut().zip(numbers).for_each(|(slot, number)| *slot = number);
        bound
    }

    /// Returns the same bound for integers.
    pub(super) const fn to_integers(self) -> Self {
        Self { is_integer: true, ..self }
    }

    pub(super) const fn is_empty(&self) -> bool {
        self.count == 0
    }
}

impl Serialize for Bound {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let numbers = self.numbers.iter().take(self.count);
        if self.is_integer {
            return serializer.collect_seq(numbers.map(|number| to_i16(*number)));
        }
        serializer.collect_seq(numbers)
    }
}

/// The items of an accessor that differ from zero.
#[derive(Debug, Serialize)]
pub(super) struct Sparse {
    pub(super) count: usize,
    pub(super) indices: SparsePart,
    pub(super) values: SparsePart,
}

/// The location of the indices or values of a sparse accessor.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SparsePart {
    pub(super) buffer_view: usize,
    #[serde(skip_serializing_if = "is_zero")]
    pub(super) byte_offset: usize,
    /// Component type of the indices; values have the accessor's component type.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) component_type: Option<u32>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct BufferView {
    pub(super) buffer: usize,
    #[serde(skip_serializing_if = "is_zero")]
    pub(super) byte_offset: usize,
    pub(super) byte_length: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) byte_stride: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) target: Option<u32>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Buffer {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) uri: Option<String>,
    pub(super) byte_length: usize,
}

#[derive(Debug, Default, Serialize)]
pub(super) struct DocumentExtensions<'a> {
    #[serde(rename = "KHR_lights_punctual", skip_serializing_if = "Option::is_none")]
    pub(super) lights: Option<Lights<'a>>,
    #[serde(rename = "OMI_physics_shape", skip_serializing_if = "Option::is_none")]
    pub(super) shapes: Option<Shapes>,
}

/// `OMI_physics_shape`.
#[derive(Debug, Serialize)]
pub(super) struct Shapes {
    pub(super) shapes: Vec<Shape>,
}

/// One of the shapes in `OMI_physics_shape`.
#[derive(Debug, Serialize)]
pub(super) struct Shape {
    #[serde(rename = "type")]
    pub(super) kind: &'static str,
    pub(super) convex: ConvexShape,
}

/// The convex hull of a mesh.
#[derive(Debug, Serialize)]
pub(super) struct ConvexShape {
    pub(super) mesh: usize,
}

/// `KHR_lights_punctual`.
#[derive(Debug, Serialize)]
pub(super) struct Lights<'a> {
    pub(super) lights: Vec<Light<'a>>,
}

/// One of the lights in `KHR_lights_punctual`.
#[derive(Debug, Serialize)]
pub(super) struct Light<'a> {
    pub(super) name: String,
    #[serde(rename = "type")]
    pub(super) kind: &'static str,
    pub(super) color: [f32; 3],
    pub(super) intensity: f32,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) range: Option<f32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) spot: Option<Spot>,
    #[serde(skip_serializing_if = "Extras::is_empty")]
    pub(super) extras: &'a Extras,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Spot {
    pub(super) inner_cone_angle: f32,
    pub(super) outer_cone_angle: f32,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "required by serde")]
fn is_zero(number: &usize) -> bool {
    *number == 0
}
