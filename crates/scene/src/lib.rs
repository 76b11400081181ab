#![cfg_attr(docsrs, feature(doc_cfg))]
//! Game-neutral scenes, meshes, materials, images, sounds and fonts, and conversion to common file formats.
//!
//! A game crate fills a [`Scene`]; [`gltf::write_glb`] or [`gltf::write_gltf`] converts it to a file. All conventions
//! follow glTF 2.0: right-handed, Y up, -Z forward; meters, seconds, radians; colors in linear light; texture
//! coordinates with the origin at the top left; front faces counter-clockwise.
//!
//! ```
//! use antiquary_scene::{Material, Mesh, Node, Primitive, Scene};
//!
//! let mut scene = Scene::new("one triangle");
//! let red = [1.0, 0.0, 0.0, 1.0];
//! let material = scene.add_material(Material { name: "red".into(), base_color: red, ..Material::default() });
//! let mesh = scene.add_mesh(Mesh {
//!     name: "triangle".into(),
//!     primitives: vec![Primitive {
//!         positions: vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]],
//!         indices: vec![0, 1, 2],
//!         material: Some(material),
//!         ..Primitive::default()
//!     }],
//!     ..Mesh::default()
//! });
//! scene.add_root(Node { name: "triangle".into(), mesh: Some(mesh), ..Node::default() });
//! let glb = antiquary_scene::gltf::write_glb(&scene)?;
//! assert!(glb.starts_with(b"glTF"));
//! # Ok::<(), antiquary_scene::Error>(())
//! ```
//!
//! | term | meaning |
//! | --- | --- |
//! | product | a result of reading a file, independent of its format: a scene, image, sound, font, table, text, subtitles or data |
//! | companion | a further file that an encoder writes for data its format cannot store |
//! | extras | data without fixed meaning that glTF stores with each object |
//! | part | a scene imported into another one, to be placed any number of times |
//! | layer | objects of one kind that are shown, hidden or selected together |
//! | body | the role of a node's mesh in collision detection |
//! | step | the unit of length of positions written as integers |

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

pub mod animation;
pub mod color;
mod compression;
pub mod correspondence;
pub mod embedded;
pub mod engine;
mod error;
pub mod font;
pub mod gltf;
mod id;
pub mod image;
mod import;
pub mod light;
mod lost_extras;
pub mod material;
pub mod mesh;
pub mod node;
pub mod part;
pub mod product;
mod quantize;
mod restore;
pub mod sample;
mod scene;
pub mod skin;
pub mod sound;
pub mod static_model;
mod tangent;
pub mod texture;

pub use record::{Error, Result};

pub use self::{
    animation::{Animation, Interpolation, Target, Track},
    compression::Compression,
    engine::Engine,
    id::{ImageId, LightId, MaterialId, MeshId, NodeId, SkinId, TextureId},
    image::{Encoded, Image, ImageKind},
    light::{Light, LightKind},
    lost_extras::without_copy_number,
    material::{AlphaMode, Lightmap, Material, Shading, Sidedness, TextureRef, UvTransform},
    mesh::{Influences, Mesh, MorphTarget, NormalPrecision, Primitive, Quantization, Topology, VertexFormat},
    node::{Body, Instance, Layer, Node},
    part::Part,
    product::{Product, ProductKind},
    scene::{Collection, Scene},
    skin::Skin,
    sound::Sound,
    texture::{Filter, MinFilter, Sampler, Texture, Wrap},
};

/// Free-form data for programs that read the file, written as glTF `extras`. Members keep their order.
pub type Extras = json::Map<String, json::Value>;
