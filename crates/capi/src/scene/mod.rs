//! Scenes: meshes, materials, textures, images, lights, nodes, skins and animations as structs and arrays.

mod object;
pub mod view;

use std::ptr::null;

use facade::scene::image::{Limits, decode};
use facade::scene::{self, AlphaMode, Body, Interpolation, LightKind, Target, Topology, Wrap};

use crate::call::{call, create, free};
use crate::failure::{Failure, item};
use crate::handle::{self, ErrorHandle, Handle, ImageHandle, SceneHandle};
use crate::image::ImageObject;
use crate::pointer::{Out, start};
use crate::status::Status;
pub(crate) use object::SceneObject;
use object::{index, is_consistent, optional};

impl Handle for SceneHandle {
    type Object = SceneObject;
}

/// Gets the name, the counts and the root nodes of a scene. The pointers are valid until the scene is freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn antiquary_scene_get(
    scene: SceneHandle,
    info: *mut view::SceneInfo,
    error: *mut ErrorHandle,
) -> Status {
    // SAFETY: the caller passes `NULL` or valid pointers.
    let (info, error) = unsafe { (Out::new(info), Out::new(error)) };
    call(error, || {
        let object = handle::get(scene)?;
        let scene = &object.scene;
        info.put(
            "info",
            view::SceneInfo {
                name: object.name.as_ptr(),
                mesh_count: scene.meshes.len(),
                material_count: scene.materials.len(),
                texture_count: scene.textures.len(),
                image_count: scene.images.len(),
                light_count: scene.lights.len(),
                node_count: scene.nodes.len(),
                skin_count: scene.skins.len(),
                animation_count: scene.animations.len(),
                roots: start(&object.roots),
                root_count: object.roots.len(),
            },
        )
    })
}

/// Gets a mesh of a scene. The pointers are valid until the scene is freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn antiquary_scene_mesh(
    scene: SceneHandle,
    mesh: usize,
    out: *mut view::Mesh,
    error: *mut ErrorHandle,
) -> Status {
    // SAFETY: the caller passes `NULL` or valid pointers.
    let (out, error) = unsafe { (Out::new(out), Out::new(error)) };
    call(error, || {
        let object = handle::get(scene)?;
        let found = item("mesh", &object.scene.meshes, mesh)?;
        let label = item("mesh", &object.meshes, mesh)?;
        out.put(
            "out",
            view::Mesh {
                name: label.name.as_ptr(),
                primitive_count: found.primitives.len(),
                target_weights: start(&found.weights),
                target_weight_count: found.weights.len(),
                extras: label.extras(|| found.extras.clone()).as_ptr(),
            },
        )
    })
}

/// Gets a primitive of a mesh. The pointers are valid until the scene is freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn antiquary_scene_primitive(
    scene: SceneHandle,
    mesh: usize,
    primitive: usize,
    out: *mut view::Primitive,
    error: *mut ErrorHandle,
) -> Status {
    // SAFETY: the caller passes `NULL` or valid pointers.
    let (out, error) = unsafe { (Out::new(out), Out::new(error)) };
    call(error, || {
        let object = handle::get(scene)?;
        let found = primitive_of(&object, mesh, primitive)?;
        let mut uvs = [null(); view::UV_SETS];
        for (set, coordinates) in uvs.iter_mut().zip(&found.uvs) {
            *set = start(coordinates.as_flattened());
        }
        let influences = found.influences.as_ref();
        out.put(
            "out",
            view::Primitive {
                vertex_count: found.positions.len(),
                positions: start(found.positions.as_flattened()),
                normals: found.normals.as_ref().map_or(null(), |list| start(list.as_flattened())),
                tangents: found.tangents.as_ref().map_or(null(), |list| start(list.as_flattened())),
                uvs,
                uv_set_count: found.uvs.len(),
                colors: found.colors.as_ref().map_or(null(), |list| start(list.as_flattened())),
                joints: influences.map_or(null(), |it| start(it.joints.as_flattened())),
                weights: influences.map_or(null(), |it| start(it.weights.as_flattened())),
                indices: start(&found.indices),
                index_count: found.indices.len(),
                topology: match found.topology {
                    Topology::Triangles => view::Topology::Triangles,
                    Topology::Lines => view::Topology::Lines,
                },
                material: optional(found.material.map(|material| material.0)),
                target_count: found.targets.len(),
            },
        )
    })
}

/// Gets a morph target of a primitive. The pointers are valid until the scene is freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn antiquary_scene_morph_target(
    scene: SceneHandle,
    mesh: usize,
    primitive: usize,
    target: usize,
    out: *mut view::MorphTarget,
    error: *mut ErrorHandle,
) -> Status {
    // SAFETY: the caller passes `NULL` or valid pointers.
    let (out, error) = unsafe { (Out::new(out), Out::new(error)) };
    call(error, || {
        let object = handle::get(scene)?;
        let found = item("morph target", &primitive_of(&object, mesh, primitive)?.targets, target)?;
        out.put(
            "out",
            view::MorphTarget {
                positions: start(found.positions.as_flattened()),
                normals: found.normals.as_ref().map_or(null(), |list| start(list.as_flattened())),
                vertex_count: found.positions.len(),
            },
        )
    })
}

/// Gets a material of a scene. The pointers are valid until the scene is freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn antiquary_scene_material(
    scene: SceneHandle,
    material: usize,
    out: *mut view::Material,
    error: *mut ErrorHandle,
) -> Status {
    // SAFETY: the caller passes `NULL` or valid pointers.
    let (out, error) = unsafe { (Out::new(out), Out::new(error)) };
    call(error, || {
        let object = handle::get(scene)?;
        let found = item("material", &object.scene.materials, material)?;
        let label = item("material", &object.materials, material)?;
        let (alpha_mode, alpha_cutoff) = match found.alpha {
            AlphaMode::Opaque => (view::AlphaMode::Opaque, 0.0),
            AlphaMode::Mask(cutoff) => (view::AlphaMode::Mask, cutoff),
            AlphaMode::Blend => (view::AlphaMode::Blend, 0.0),
        };
        out.put(
            "out",
            view::Material {
                name: label.name.as_ptr(),
                base_color: found.base_color,
                base_color_texture: texture_ref(found.base_color_texture),
                emissive: found.emissive,
                emissive_texture: texture_ref(found.emissive_texture),
                normal_texture: texture_ref(found.normal_texture),
                lightmap: texture_ref(found.lightmap.map(|lightmap| lightmap.texture)),
                lightmap_intensity: found.lightmap.map_or(0.0, |lightmap| lightmap.intensity),
                metallic: found.metallic,
                roughness: found.roughness,
                alpha_mode,
                alpha_cutoff,
                is_double_sided: found.sidedness == scene::Sidedness::Double,
                is_unlit: found.shading == scene::Shading::Unlit,
                extras: label.extras(|| found.extras.clone()).as_ptr(),
            },
        )
    })
}

/// Gets a texture of a scene. The pointers are valid until the scene is freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn antiquary_scene_texture(
    scene: SceneHandle,
    texture: usize,
    out: *mut view::Texture,
    error: *mut ErrorHandle,
) -> Status {
    // SAFETY: the caller passes `NULL` or valid pointers.
    let (out, error) = unsafe { (Out::new(out), Out::new(error)) };
    call(error, || {
        let object = handle::get(scene)?;
        let found = item("texture", &object.scene.textures, texture)?;
        out.put(
            "out",
            view::Texture {
                name: item("texture", &object.textures, texture)?.as_ptr(),
                image: index(found.image.0),
                wrap_u: wrap(found.sampler.wrap_u),
                wrap_v: wrap(found.sampler.wrap_v),
                is_pixelated: found.sampler.mag == scene::Filter::Nearest,
            },
        )
    })
}

/// Gets an image of a scene as a PNG or JPEG file. The pointers are valid until the scene is freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn antiquary_scene_image(
    scene: SceneHandle,
    image: usize,
    out: *mut view::EncodedImage,
    error: *mut ErrorHandle,
) -> Status {
    // SAFETY: the caller passes `NULL` or valid pointers.
    let (out, error) = unsafe { (Out::new(out), Out::new(error)) };
    call(error, || {
        let object = handle::get(scene)?;
        let encoded = &item("image", &object.scene.images, image)?.encoded;
        let media_type = match encoded.kind {
            scene::ImageKind::Png => c"image/png",
            scene::ImageKind::Jpeg => c"image/jpeg",
            _ => c"application/octet-stream",
        };
        out.put(
            "out",
            view::EncodedImage {
                name: item("image", &object.images, image)?.as_ptr(),
                media_type: media_type.as_ptr(),
                data: start(&encoded.bytes),
                length: encoded.bytes.len(),
                width: encoded.width,
                height: encoded.height,
            },
        )
    })
}

/// Decodes an image of a scene.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn antiquary_scene_decode_image(
    scene: SceneHandle,
    image: usize,
    out: *mut ImageHandle,
    error: *mut ErrorHandle,
) -> Status {
    // SAFETY: the caller passes `NULL` or valid pointers.
    let (out, error) = unsafe { (Out::new(out), Out::new(error)) };
    create((out, "out"), error, || {
        let object = handle::get(scene)?;
        let found = item("image", &object.scene.images, image)?;
        let picture = decode(&found.encoded.bytes, &Limits::default())?;
        Ok(ImageObject::new(&found.name, picture.into()))
    })
}

/// Gets a light of a scene. The pointers are valid until the scene is freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn antiquary_scene_light(
    scene: SceneHandle,
    light: usize,
    out: *mut view::Light,
    error: *mut ErrorHandle,
) -> Status {
    // SAFETY: the caller passes `NULL` or valid pointers.
    let (out, error) = unsafe { (Out::new(out), Out::new(error)) };
    call(error, || {
        let object = handle::get(scene)?;
        let found = item("light", &object.scene.lights, light)?;
        let label = item("light", &object.lights, light)?;
        let (kind, inner_cone, outer_cone) = match found.kind {
            LightKind::Point => (view::LightKind::Point, 0.0, 0.0),
            LightKind::Spot { inner_cone, outer_cone } => (view::LightKind::Spot, inner_cone, outer_cone),
            LightKind::Directional => (view::LightKind::Directional, 0.0, 0.0),
        };
        out.put(
            "out",
            view::Light {
                name: label.name.as_ptr(),
                kind,
                color: found.color,
                intensity: found.intensity,
                range: found.range.unwrap_or_default(),
                inner_cone,
                outer_cone,
                extras: label.extras(|| found.extras.clone()).as_ptr(),
            },
        )
    })
}

/// Gets a node of a scene. The pointers are valid until the scene is freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn antiquary_scene_node(
    scene: SceneHandle,
    node: usize,
    out: *mut view::Node,
    error: *mut ErrorHandle,
) -> Status {
    // SAFETY: the caller passes `NULL` or valid pointers.
    let (out, error) = unsafe { (Out::new(out), Out::new(error)) };
    call(error, || {
        let object = handle::get(scene)?;
        let found = item("node", &object.scene.nodes, node)?;
        let lists = item("node", &object.nodes, node)?;
        let extras = || match &found.packed_extras {
            Some(packed) => packed.unpacked(),
            None => found.extras.clone(),
        };
        out.put(
            "out",
            view::Node {
                name: lists.label.name.as_ptr(),
                transform: view::Transform {
                    translation: found.translation.to_array(),
                    rotation: found.rotation.to_array(),
                    scale: found.scale.to_array(),
                },
                children: start(&lists.children),
                child_count: lists.children.len(),
                mesh: optional(found.mesh.map(|mesh| mesh.0)),
                light: optional(found.light.map(|light| light.0)),
                skin: optional(found.skin.map(|skin| skin.0)),
                trigger: optional(found.trigger.map(|mesh| mesh.0)),
                body: match found.body {
                    None => view::Body::None,
                    Some(Body::Solid) => view::Body::Solid,
                    Some(Body::Barrier) => view::Body::Barrier,
                    Some(Body::Trigger) => view::Body::Trigger,
                    Some(_) => view::Body::Other,
                },
                layer: lists.layer.as_ptr(),
                instances: start(&lists.instances),
                instance_count: lists.instances.len(),
                extras: lists.label.extras(extras).as_ptr(),
            },
        )
    })
}

/// Gets a skin of a scene. The pointers are valid until the scene is freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn antiquary_scene_skin(
    scene: SceneHandle,
    skin: usize,
    out: *mut view::Skin,
    error: *mut ErrorHandle,
) -> Status {
    // SAFETY: the caller passes `NULL` or valid pointers.
    let (out, error) = unsafe { (Out::new(out), Out::new(error)) };
    call(error, || {
        let object = handle::get(scene)?;
        let lists = item("skin", &object.skins, skin)?;
        let found = item("skin", &object.scene.skins, skin)?;
        out.put(
            "out",
            view::Skin {
                name: lists.name.as_ptr(),
                joints: start(&lists.joints),
                joint_count: lists.joints.len(),
                inverse_bind: start(lists.inverse_bind.as_flattened()),
                skeleton: optional(found.skeleton.map(|node| node.0)),
            },
        )
    })
}

/// Gets an animation of a scene. The pointers are valid until the scene is freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn antiquary_scene_animation(
    scene: SceneHandle,
    animation: usize,
    out: *mut view::Animation,
    error: *mut ErrorHandle,
) -> Status {
    // SAFETY: the caller passes `NULL` or valid pointers.
    let (out, error) = unsafe { (Out::new(out), Out::new(error)) };
    call(error, || {
        let object = handle::get(scene)?;
        let found = item("animation", &object.animations, animation)?;
        out.put("out", view::Animation { name: found.name.as_ptr(), track_count: found.targets.len() })
    })
}

/// Gets a track of an animation. The pointers are valid until the scene is freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn antiquary_scene_track(
    scene: SceneHandle,
    animation: usize,
    track: usize,
    out: *mut view::Track,
    error: *mut ErrorHandle,
) -> Status {
    // SAFETY: the caller passes `NULL` or valid pointers.
    let (out, error) = unsafe { (Out::new(out), Out::new(error)) };
    call(error, || {
        let object = handle::get(scene)?;
        let targets = &item("animation", &object.animations, animation)?.targets;
        let (target, number) = *item("track", targets, track)?;
        let tracks = &item("animation", &object.scene.animations, animation)?.tracks;
        let found = item("track", tracks, number)?;
        let (target, of) = animated(target);
        out.put(
            "out",
            view::Track {
                target,
                index: index(of),
                interpolation: match found.interpolation {
                    Interpolation::Step => view::Interpolation::Step,
                    Interpolation::Linear => view::Interpolation::Linear,
                    Interpolation::CubicSpline => view::Interpolation::CubicSpline,
                },
                times: start(&found.times),
                key_count: found.times.len(),
                values: start(&found.values),
                value_count: found.values.len(),
            },
        )
    })
}

/// Frees a scene, and everything that was borrowed from it. Does nothing for the handle 0.
#[unsafe(no_mangle)]
pub extern "C" fn antiquary_scene_free(scene: SceneHandle) -> Status {
    free(scene)
}

fn primitive_of(object: &SceneObject, mesh: usize, primitive: usize) -> Result<&scene::Primitive, Failure> {
    let found = item("primitive", &item("mesh", &object.scene.meshes, mesh)?.primitives, primitive)?;
    match is_consistent(found) {
        true => Ok(found),
        false => Err(Failure::new(
            Status::Internal,
            format!("the vertex attributes of primitive {primitive} of mesh {mesh} have different lengths"),
        )),
    }
}

fn texture_ref(found: Option<scene::TextureRef>) -> view::TextureRef {
    let transform = found.and_then(|found| found.transform).unwrap_or_default();
    view::TextureRef {
        texture: optional(found.map(|found| found.texture.0)),
        uv_set: found.map_or(0, |found| index(found.uv_set)),
        offset: transform.offset,
        rotation: transform.rotation,
        scale: transform.scale,
    }
}

fn wrap(wrap: Wrap) -> view::Wrap {
    match wrap {
        Wrap::Repeat => view::Wrap::Repeat,
        Wrap::Clamp => view::Wrap::Clamp,
        Wrap::Mirror => view::Wrap::Mirror,
    }
}

/// Returns the animated value, and the index of its node or material.
fn animated(target: Target) -> (view::TrackTarget, usize) {
    match target {
        Target::Translation(node) => (view::TrackTarget::Translation, node.0),
        Target::Rotation(node) => (view::TrackTarget::Rotation, node.0),
        Target::Scale(node) => (view::TrackTarget::Scale, node.0),
        Target::Weights(node) => (view::TrackTarget::Weights, node.0),
        Target::MaterialUvOffset(material) => (view::TrackTarget::MaterialUvOffset, material.0),
        Target::MaterialUvRotation(material) => (view::TrackTarget::MaterialUvRotation, material.0),
        Target::MaterialUvScale(material) => (view::TrackTarget::MaterialUvScale, material.0),
        Target::MaterialBaseColor(material) => (view::TrackTarget::MaterialBaseColor, material.0),
    }
}
