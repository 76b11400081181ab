//! The JSON of a glTF file (glTF 2.0 specification, chapter 5), limited to the supported parts. Other members are
//! ignored.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::marker::PhantomData;

use json::Value;
use serde::Deserialize;
use serde::de::{Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};

/// Maximum number of materials: each needs a thousand bytes in memory, but may be written with three.
pub(super) const MAX_MATERIALS: usize = 1 << 16;

/// Deserializes a list of at most this length.
fn limited<'de, D: Deserializer<'de>, T: Deserialize<'de>>(deserializer: D) -> Result<Vec<T>, D::Error> {
    struct List<T>(PhantomData<T>);

    impl<'de, T: Deserialize<'de>> Visitor<'de> for List<T> {
        type Value = Vec<T>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a list")
        }

        fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Vec<T>, A::Error> {
            let mut out = Vec::new();
            while let Some(item) = items.next_element()? {
                if out.len() == MAX_MATERIALS {
                    return Err(A::Error::custom(format!("more than {MAX_MATERIALS} materials or shapes")));
                }
                out.push(item);
            }
            Ok(out)
        }
    }

    deserializer.deserialize_seq(List(PhantomData))
}

/// The glTF document.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Document {
    pub(super) asset: Asset,
    pub(super) extensions_used: Vec<String>,
    pub(super) extensions_required: Vec<String>,
    pub(super) scene: Option<usize>,
    pub(super) scenes: Vec<Scene>,
    pub(super) nodes: Vec<Node>,
    pub(super) meshes: Vec<Mesh>,
    #[serde(deserialize_with = "limited")]
    pub(super) materials: Vec<Material>,
    pub(super) textures: Vec<Texture>,
    pub(super) samplers: Vec<Sampler>,
    pub(super) images: Vec<Image>,
    pub(super) skins: Vec<Skin>,
    pub(super) animations: Vec<Animation>,
    pub(super) cameras: Vec<IgnoredAny>,
    pub(super) accessors: Vec<Accessor>,
    pub(super) buffer_views: Vec<BufferView>,
    pub(super) buffers: Vec<Buffer>,
    pub(super) extensions: DocumentExtensions,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Asset {
    pub(super) version: String,
    pub(super) copyright: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct DocumentExtensions {
    #[serde(rename = "KHR_lights_punctual")]
    pub(super) lights: Lights,
    #[serde(rename = "OMI_physics_shape")]
    pub(super) shapes: Shapes,
}

/// `OMI_physics_shape`.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Shapes {
    #[serde(deserialize_with = "limited")]
    pub(super) shapes: Vec<Shape>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Shape {
    pub(super) convex: Option<ConvexShape>,
}

#[derive(Debug, Deserialize)]
pub(super) struct ConvexShape {
    pub(super) mesh: Option<usize>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Lights {
    pub(super) lights: Vec<Light>,
}

#[derive(Debug, Deserialize)]
#[serde(default)]
pub(super) struct Light {
    pub(super) name: String,
    #[serde(rename = "type")]
    pub(super) kind: String,
    pub(super) color: [f32; 3],
    pub(super) intensity: f32,
    pub(super) range: Option<f32>,
    pub(super) spot: Spot,
    pub(super) extras: Value,
}

impl Default for Light {
    fn default() -> Self {
        Self {
            name: String::new(),
            kind: String::new(),
            color: [1.0; 3],
            intensity: 1.0,
            range: None,
            spot: Spot::default(),
            extras: Value::Null,
        }
    }
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Spot {
    pub(super) inner_cone_angle: f32,
    pub(super) outer_cone_angle: f32,
}

impl Default for Spot {
    fn default() -> Self {
        Self { inner_cone_angle: 0.0, outer_cone_angle: std::f32::consts::FRAC_PI_4 }
    }
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Scene {
    pub(super) name: String,
    pub(super) nodes: Vec<usize>,
    pub(super) extras: Value,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Node {
    pub(super) name: String,
    pub(super) translation: Option<[f32; 3]>,
    pub(super) rotation: Option<[f32; 4]>,
    pub(super) scale: Option<[f32; 3]>,
    pub(super) matrix: Option<Box<[f32; 16]>>,
    pub(super) mesh: Option<usize>,
    pub(super) skin: Option<usize>,
    pub(super) weights: Option<IgnoredAny>,
    pub(super) children: Box<[usize]>,
    pub(super) extensions: NodeExtensions,
    pub(super) extras: Value,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Skin {
    pub(super) name: String,
    pub(super) inverse_bind_matrices: Option<usize>,
    pub(super) skeleton: Option<usize>,
    pub(super) joints: Vec<usize>,
    pub(super) extras: Value,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct NodeExtensions {
    #[serde(rename = "KHR_lights_punctual")]
    pub(super) light: Option<NodeLight>,
    #[serde(rename = "OMI_physics_body")]
    pub(super) body: Option<NodeBody>,
}

/// `OMI_physics_body`.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct NodeBody {
    pub(super) trigger: Option<NodeTrigger>,
    pub(super) collider: Option<IgnoredAny>,
    pub(super) motion: Option<IgnoredAny>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct NodeTrigger {
    pub(super) shape: Option<usize>,
}

#[derive(Debug, Deserialize)]
pub(super) struct NodeLight {
    pub(super) light: usize,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Mesh {
    pub(super) name: String,
    pub(super) primitives: Box<[Primitive]>,
    pub(super) weights: Vec<f32>,
    pub(super) extras: Value,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Primitive {
    pub(super) attributes: Attributes,
    pub(super) indices: Option<usize>,
    pub(super) material: Option<usize>,
    pub(super) mode: Option<u32>,
    pub(super) targets: Vec<MorphTarget>,
    pub(super) extras: Value,
}

/// Names of attributes and their accessors, sorted by name.
#[derive(Debug, Default)]
pub(super) struct Attributes(Box<[(Box<str>, usize)]>);

impl Attributes {
    pub(super) fn get(&self, name: &str) -> Option<&usize> {
        self.0.iter().find(|(known, _)| **known == *name).map(|(_, accessor)| accessor)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (&str, &usize)> {
        self.0.iter().map(|(name, accessor)| (&**name, accessor))
    }
}

impl<'de> Deserialize<'de> for Attributes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        // If a name occurs twice, the last value is used.
        let named = BTreeMap::<Box<str>, usize>::deserialize(deserializer)?;
        Ok(Self(named.into_iter().collect()))
    }
}

/// The accessors of a morph target. A file may contain many of them, so names are not stored.
#[derive(Debug, Default)]
pub(super) struct MorphTarget {
    pub(super) position: Option<usize>,
    pub(super) normal: Option<usize>,
    /// Number of other attributes.
    pub(super) others: usize,
}

impl<'de> Deserialize<'de> for MorphTarget {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Attributes;

        impl<'de> Visitor<'de> for Attributes {
            type Value = MorphTarget;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("the attributes of a morph target")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut attributes: A) -> Result<MorphTarget, A::Error> {
                let mut out = MorphTarget::default();
                while let Some((name, accessor)) = attributes.next_entry::<Cow<'de, str>, usize>()? {
                    match &*name {
                        "POSITION" => out.position = Some(accessor),
                        "NORMAL" => out.normal = Some(accessor),
                        _ => out.others = out.others.saturating_add(1),
                    }
                }
                Ok(out)
            }
        }

        deserializer.deserialize_map(Attributes)
    }
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Material {
    pub(super) name: String,
    pub(super) pbr_metallic_roughness: Surface,
    pub(super) normal_texture: Option<IgnoredAny>,
    pub(super) occlusion_texture: Option<IgnoredAny>,
    pub(super) emissive_texture: Option<TextureInfo>,
    pub(super) emissive_factor: [f32; 3],
    pub(super) alpha_mode: String,
    pub(super) alpha_cutoff: Option<f32>,
    pub(super) double_sided: bool,
    pub(super) extensions: MaterialExtensions,
    pub(super) extras: Value,
}

/// `pbrMetallicRoughness`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Surface {
    pub(super) base_color_factor: [f32; 4],
    pub(super) base_color_texture: Option<TextureInfo>,
    pub(super) metallic_factor: f32,
    pub(super) roughness_factor: f32,
    pub(super) metallic_roughness_texture: Option<IgnoredAny>,
}

impl Default for Surface {
    fn default() -> Self {
        Self {
            base_color_factor: [1.0; 4],
            base_color_texture: None,
            metallic_factor: 1.0,
            roughness_factor: 1.0,
            metallic_roughness_texture: None,
        }
    }
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct MaterialExtensions {
    #[serde(rename = "KHR_materials_unlit")]
    pub(super) unlit: Option<IgnoredAny>,
    #[serde(rename = "MOZ_lightmap")]
    pub(super) lightmap: Option<TextureInfo>,
}

/// A material's reference to a texture; with `intensity`, it is all of `MOZ_lightmap`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct TextureInfo {
    pub(super) index: usize,
    #[serde(default)]
    pub(super) tex_coord: usize,
    pub(super) intensity: Option<f32>,
    #[serde(default)]
    pub(super) extensions: TextureInfoExtensions,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct TextureInfoExtensions {
    #[serde(rename = "KHR_texture_transform")]
    pub(super) transform: Option<TextureTransform>,
}

/// `KHR_texture_transform`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct TextureTransform {
    pub(super) offset: [f32; 2],
    pub(super) rotation: f32,
    pub(super) scale: [f32; 2],
    pub(super) tex_coord: Option<usize>,
}

impl Default for TextureTransform {
    fn default() -> Self {
        Self { offset: [0.0; 2], rotation: 0.0, scale: [1.0; 2], tex_coord: None }
    }
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Animation {
    pub(super) name: String,
    pub(super) channels: Vec<Channel>,
    pub(super) samplers: Vec<AnimationSampler>,
    pub(super) extras: Value,
}

#[derive(Debug, Deserialize)]
pub(super) struct Channel {
    pub(super) sampler: usize,
    pub(super) target: ChannelTarget,
}

#[derive(Debug, Deserialize)]
pub(super) struct ChannelTarget {
    pub(super) node: Option<usize>,
    pub(super) path: String,
    #[serde(default)]
    pub(super) extensions: ChannelExtensions,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct ChannelExtensions {
    #[serde(rename = "KHR_animation_pointer")]
    pub(super) pointer: Option<Pointer>,
}

/// `KHR_animation_pointer`.
#[derive(Debug, Deserialize)]
pub(super) struct Pointer {
    pub(super) pointer: String,
}

#[derive(Debug, Deserialize)]
pub(super) struct AnimationSampler {
    pub(super) input: usize,
    pub(super) output: usize,
    #[serde(default)]
    pub(super) interpolation: String,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Texture {
    pub(super) name: String,
    pub(super) sampler: Option<usize>,
    pub(super) source: Option<usize>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Sampler {
    pub(super) mag_filter: Option<u32>,
    pub(super) min_filter: Option<u32>,
    pub(super) wrap_s: Option<u32>,
    pub(super) wrap_t: Option<u32>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Image {
    pub(super) name: String,
    pub(super) buffer_view: Option<usize>,
    pub(super) uri: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Accessor {
    pub(super) buffer_view: Option<usize>,
    #[serde(default)]
    pub(super) byte_offset: usize,
    pub(super) component_type: u32,
    #[serde(default)]
    pub(super) normalized: bool,
    pub(super) count: usize,
    #[serde(rename = "type")]
    pub(super) shape: String,
    pub(super) sparse: Option<Box<Sparse>>,
}

/// Items that differ from the base values of their accessor.
#[derive(Debug, Deserialize)]
pub(super) struct Sparse {
    pub(super) count: usize,
    pub(super) indices: SparseIndices,
    pub(super) values: SparseValues,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SparseIndices {
    pub(super) buffer_view: usize,
    #[serde(default)]
    pub(super) byte_offset: usize,
    pub(super) component_type: u32,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SparseValues {
    pub(super) buffer_view: usize,
    #[serde(default)]
    pub(super) byte_offset: usize,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct BufferView {
    pub(super) buffer: usize,
    #[serde(default)]
    pub(super) byte_offset: usize,
    pub(super) byte_length: usize,
    pub(super) byte_stride: Option<usize>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Buffer {
    pub(super) uri: Option<String>,
    pub(super) byte_length: usize,
}
