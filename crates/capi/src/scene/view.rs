//! The structs through which C sees a scene.

use std::ffi::c_char;

/// The index of no object.
pub const NONE: u32 = u32::MAX;

/// Number of sets of texture coordinates in `antiquary_primitive`. No game has more than two.
pub const UV_SETS: usize = 4;

/// The counts of a scene. Meters, Y up, right-handed; faces are counter-clockwise.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct SceneInfo {
    /// Name of the scene.
    pub name: *const c_char,
    /// Number of meshes.
    pub mesh_count: usize,
    /// Number of materials.
    pub material_count: usize,
    /// Number of textures.
    pub texture_count: usize,
    /// Number of images.
    pub image_count: usize,
    /// Number of lights.
    pub light_count: usize,
    /// Number of nodes.
    pub node_count: usize,
    /// Number of skins.
    pub skin_count: usize,
    /// Number of animations.
    pub animation_count: usize,
    /// Indices of the root nodes.
    pub roots: *const u32,
    /// Number of root nodes.
    pub root_count: usize,
}

/// A mesh, which consists of primitives with one material each.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct Mesh {
    /// Name of the mesh.
    pub name: *const c_char,
    /// Number of primitives.
    pub primitive_count: usize,
    /// Weights of the morph targets when nothing is animated; `NULL` without targets.
    pub target_weights: *const f32,
    /// Number of weights.
    pub target_weight_count: usize,
    /// Additional data as a JSON object, as in the `extras` of glTF.
    pub extras: *const c_char,
}

/// The interpretation of the indices of a primitive.
#[repr(u32)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Topology {
    /// Three indices per triangle.
    Triangles = 0,
    /// Two indices per line.
    Lines = 1,
}

/// Triangles or lines with one material. All arrays of vertex attributes have `vertex_count` items, and are `NULL` if the
/// primitive does not have the attribute. All indices are less than `vertex_count`.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct Primitive {
    /// Number of vertices.
    pub vertex_count: usize,
    /// Positions in meters: 3 numbers per vertex.
    pub positions: *const f32,
    /// Normals of unit length: 3 numbers per vertex.
    pub normals: *const f32,
    /// Tangents of unit length, and 1 or -1 for the sign of the bitangent: 4 numbers per vertex.
    pub tangents: *const f32,
    /// Sets of texture coordinates: 2 numbers per vertex; (0, 0) is the top left corner of the image.
    pub uvs: [*const f32; UV_SETS],
    /// Number of sets of texture coordinates.
    pub uv_set_count: usize,
    /// Linear red, green, blue and alpha within 0..1: 4 numbers per vertex.
    pub colors: *const f32,
    /// Joints of the node's skin that move each vertex: 4 numbers per vertex.
    pub joints: *const u16,
    /// The weights of these joints: 4 numbers per vertex.
    pub weights: *const f32,
    /// Indices of vertices, three per triangle or two per line; front faces are counter-clockwise.
    pub indices: *const u32,
    /// Number of indices.
    pub index_count: usize,
    /// The interpretation of the indices.
    pub topology: Topology,
    /// Index of the material, or `ANTIQUARY_NONE`.
    pub material: u32,
    /// Number of morph targets.
    pub target_count: usize,
}

/// A morph target: differences that are added to the vertices of a primitive.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct MorphTarget {
    /// Differences of the positions in meters: 3 numbers per vertex.
    pub positions: *const f32,
    /// Differences of the normals: 3 numbers per vertex; `NULL` if they do not change.
    pub normals: *const f32,
    /// Number of vertices.
    pub vertex_count: usize,
}

/// A reference of a material to a texture.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct TextureRef {
    /// Index of the texture, or `ANTIQUARY_NONE`.
    pub texture: u32,
    /// Set of texture coordinates: an index into `uvs`.
    pub uv_set: u32,
    /// Transform of the texture coordinates: `uv' = offset + rotate(rotation, scale * uv)`.
    pub offset: [f32; 2],
    /// Angle in radians, counter-clockwise on the texture coordinates.
    pub rotation: f32,
    /// Scale, which is applied first.
    pub scale: [f32; 2],
}

/// The use of alpha.
#[repr(u32)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AlphaMode {
    /// Alpha is ignored.
    Opaque = 0,
    /// Fragments whose alpha is less than `alpha_cutoff` are discarded.
    Mask = 1,
    /// Alpha blending with the background.
    Blend = 2,
}

/// The appearance of a surface.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct Material {
    /// Name of the material.
    pub name: *const c_char,
    /// Linear red, green and blue, and alpha, within 0..1; multiplied with the texture and the vertex color.
    pub base_color: [f32; 4],
    /// Texture with sRGB color and linear alpha.
    pub base_color_texture: TextureRef,
    /// Emitted linear light within 0..1.
    pub emissive: [f32; 3],
    /// sRGB texture, multiplied with `emissive`.
    pub emissive_texture: TextureRef,
    /// Normals in tangent space, with green up.
    pub normal_texture: TextureRef,
    /// sRGB texture with baked light, multiplied with the color of the surface.
    pub lightmap: TextureRef,
    /// Factor for the linear light of the lightmap.
    pub lightmap_intensity: f32,
    /// Metalness within 0..1.
    pub metallic: f32,
    /// Roughness within 0..1.
    pub roughness: f32,
    /// The use of alpha.
    pub alpha_mode: AlphaMode,
    /// Threshold for `ANTIQUARY_ALPHA_MODE_MASK`.
    pub alpha_cutoff: f32,
    /// Whether back faces are drawn.
    pub is_double_sided: bool,
    /// Whether the color is shown unchanged, without lights.
    pub is_unlit: bool,
    /// Additional data as a JSON object.
    pub extras: *const c_char,
}

/// The wrapping of texture coordinates outside of the image.
#[repr(u32)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wrap {
    /// Repeats the image.
    Repeat = 0,
    /// Extends the color of the edge.
    Clamp = 1,
    /// Repeats the image, mirrored each time.
    Mirror = 2,
}

/// An image and its sampling parameters.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct Texture {
    /// Name of the texture.
    pub name: *const c_char,
    /// Index of the image.
    pub image: u32,
    /// Wrapping in the horizontal direction.
    pub wrap_u: Wrap,
    /// Wrapping in the vertical direction.
    pub wrap_v: Wrap,
    /// Whether pixels are shown as hard squares when the texture is magnified.
    pub is_pixelated: bool,
}

/// An image of a scene: a PNG or JPEG file.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct EncodedImage {
    /// Name of the image.
    pub name: *const c_char,
    /// `image/png` or `image/jpeg`.
    pub media_type: *const c_char,
    /// Content of the file.
    pub data: *const u8,
    /// Length of the file in bytes.
    pub length: usize,
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
}

/// The kind of a light.
#[repr(u32)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LightKind {
    /// Shines in all directions.
    Point = 0,
    /// Shines in a cone along the -Z axis of its node.
    Spot = 1,
    /// Shines everywhere along the -Z axis of its node, like the sun.
    Directional = 2,
}

/// A light. Its node positions it.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct Light {
    /// Name of the light.
    pub name: *const c_char,
    /// The kind of light.
    pub kind: LightKind,
    /// Linear red, green and blue within 0..1.
    pub color: [f32; 3],
    /// Candela for point and spot lights, lux for directional lights.
    pub intensity: f32,
    /// Distance in meters beyond which nothing is lit; 0 is unlimited.
    pub range: f32,
    /// Half-angle of the cone of full intensity in radians.
    pub inner_cone: f32,
    /// Half-angle in radians beyond which there is no light.
    pub outer_cone: f32,
    /// Additional data as a JSON object.
    pub extras: *const c_char,
}

/// A translation, rotation and scale, applied in reverse order.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Transform {
    /// Translation in meters.
    pub translation: [f32; 3],
    /// Rotation: a quaternion (x, y, z, w).
    pub rotation: [f32; 4],
    /// Scale factors.
    pub scale: [f32; 3],
}

/// The role of a node's mesh in collision detection.
#[repr(u32)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Body {
    /// None.
    None = 0,
    /// Visible and solid.
    Solid = 1,
    /// Invisible and solid.
    Barrier = 2,
    /// Invisible and passable; detects entering objects.
    Trigger = 3,
    /// A role that this version of the interface has no name for.
    Other = 4,
}

/// A node of the scene graph.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct Node {
    /// Name of the node.
    pub name: *const c_char,
    /// Transform from the space of the node to that of its parent.
    pub transform: Transform,
    /// Indices of the child nodes.
    pub children: *const u32,
    /// Number of child nodes.
    pub child_count: usize,
    /// Index of the mesh, or `ANTIQUARY_NONE`.
    pub mesh: u32,
    /// Index of the light, or `ANTIQUARY_NONE`.
    pub light: u32,
    /// Index of the skin, or `ANTIQUARY_NONE`.
    pub skin: u32,
    /// Index of a mesh whose convex hull detects entering objects, or `ANTIQUARY_NONE`.
    pub trigger: u32,
    /// The role of the mesh in collision detection.
    pub body: Body,
    /// Name of the layer that the node is a member of; empty if there is none.
    pub layer: *const c_char,
    /// Placements of the mesh in the space of the node; `NULL` if the mesh is shown once, at the node.
    pub instances: *const Transform,
    /// Number of placements.
    pub instance_count: usize,
    /// Additional data as a JSON object: for entities, their properties.
    pub extras: *const c_char,
}

/// The joints that deform a mesh.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct Skin {
    /// Name of the skin.
    pub name: *const c_char,
    /// Indices of the nodes that are joints.
    pub joints: *const u32,
    /// Number of joints.
    pub joint_count: usize,
    /// A matrix for each joint, from the space of the mesh to that of the joint in the bind pose: 16 numbers, column by
    /// column. `NULL` for identity matrices.
    pub inverse_bind: *const f32,
    /// Index of the root of the joints, or `ANTIQUARY_NONE`.
    pub skeleton: u32,
}

/// An animation: tracks that play together.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct Animation {
    /// Name of the animation.
    pub name: *const c_char,
    /// Number of tracks.
    pub track_count: usize,
}

/// The value that a track animates.
#[repr(u32)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TrackTarget {
    /// Translation of a node in meters: 3 numbers.
    Translation = 0,
    /// Rotation of a node: 4 numbers (x, y, z, w).
    Rotation = 1,
    /// Scale of a node: 3 numbers.
    Scale = 2,
    /// Weights of the morph targets of a node's mesh: one number per target.
    Weights = 3,
    /// Offset of the texture coordinates of a material: 2 numbers.
    MaterialUvOffset = 4,
    /// Rotation of the texture coordinates of a material in radians: 1 number.
    MaterialUvRotation = 5,
    /// Scale of the texture coordinates of a material: 2 numbers.
    MaterialUvScale = 6,
    /// Base color of a material, linear, with alpha: 4 numbers.
    MaterialBaseColor = 7,
}

/// The interpolation between two keyframes.
#[repr(u32)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Interpolation {
    /// The value of the earlier keyframe is held.
    Step = 0,
    /// Linear interpolation; along the shorter arc for rotations.
    Linear = 1,
    /// Cubic Hermite spline, as in glTF: three values per keyframe, which are in-tangent, value and out-tangent.
    CubicSpline = 2,
}

/// The keyframes of one animated value.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct Track {
    /// The animated value.
    pub target: TrackTarget,
    /// Index of the node or material.
    pub index: u32,
    /// The interpolation.
    pub interpolation: Interpolation,
    /// Times in seconds, strictly increasing.
    pub times: *const f32,
    /// Number of keyframes.
    pub key_count: usize,
    /// The values, one after the other.
    pub values: *const f32,
    /// Number of numbers in `values`.
    pub value_count: usize,
}
