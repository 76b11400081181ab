//! A sample scene that uses every feature, for tests and validators.

use std::f32::consts::{FRAC_PI_2, FRAC_PI_4, FRAC_PI_6, PI};

use glam::{Affine3A, Mat3A, Quat, Vec3, Vec3A};

use crate::{
    AlphaMode, Animation, Extras, Filter, Image, ImageId, Influences, Interpolation, Light, LightKind,
    Lightmap, Material, MaterialId, Mesh, MinFilter, MorphTarget, Node, NodeId, Primitive, Sampler, Scene,
    Shading, Sidedness, Skin, Target, Texture, TextureId, TextureRef, Track, UvTransform, Wrap,
    image::{Encoded, Rgba8, for_gltf, placeholder, png_for_gltf},
    node::from_affine,
};

/// Returns a scene with every feature: lit, unlit, masked, blended and lightmapped materials; PNG and JPEG images,
/// one of them twice; vertex colors; two sets of texture coordinates; all kinds of lights; a sheared and a mirrored
/// node; a mesh shown twice; an empty mesh; morph targets; a skin; tracks of every target and interpolation; extras.
///
/// The scene is for tests and validators only; it is not meant to be viewed.
pub fn every_feature() -> Scene {
    let mut scene = Scene::new("every feature");
    scene.copyright = Some("Public domain".into());
    scene.extras.insert("made_for".into(), "validators".into());
    let materials = Materials::add(&mut scene);
    let still = add_still_nodes(&mut scene, &materials);
    let morphing = add_morphing_node(&mut scene, materials.plain);
    let joints = add_skinned_node(&mut scene, materials.plain);
    add_lights(&mut scene);
    add_animations(&mut scene, &materials, still, morphing, joints);
    scene
}

struct Materials {
    plain: MaterialId,
    lightmapped: MaterialId,
    moving: MaterialId,
    masked: MaterialId,
    glowing: MaterialId,
}

impl Materials {
    fn add(scene: &mut Scene) -> Self {
        let stripes = add_image(scene, "stripes.png", striped([255, 255, 255, 255], [180, 40, 40, 255]));
        let again = add_image(scene, "Stripes.png", striped_again());
        let fence = add_image(scene, "fence", striped([0, 0, 0, 0], [90, 60, 30, 255]));
        let photo = add_image(scene, "textures\\photo: ä.jpg", photo());
        let light = add_image(scene, "baked light", striped([255, 240, 200, 255], [20, 20, 30, 255]));
        let missing = scene.add_image(placeholder("missing"));

        let smooth = Sampler::default();
        let hard = Sampler { mag: Filter::Nearest, min: MinFilter::NearestMipmapLinear, ..smooth };
        let clamped = Sampler { wrap_u: Wrap::Clamp, wrap_v: Wrap::Mirror, ..smooth };
        let stripes = add_texture(scene, stripes, hard);
        let again = add_texture(scene, again, hard);
        let fence = add_texture(scene, fence, smooth);
        let photo = add_texture(scene, photo, smooth);
        let light = add_texture(scene, light, clamped);
        let missing = add_texture(scene, missing, hard);

        Self {
            plain: scene.add_material(Material {
                name: "plain".into(),
                base_color: [0.8, 0.7, 0.6, 1.0],
                base_color_texture: Some(TextureRef::new(photo)),
                extras: extras("surface", "chalk"),
                ..Material::default()
            }),
            lightmapped: scene.add_material(Material {
                name: "lightmapped".into(),
                base_color_texture: Some(TextureRef {
                    transform: Some(UvTransform {
                        offset: [0.25, 0.0],
                        rotation: FRAC_PI_4,
                        scale: [2.0, 2.0],
                    }),
                    ..TextureRef::new(stripes)
                }),
                lightmap: Some(Lightmap { texture: TextureRef::on_set(light, 1), intensity: 4.594_794 }),
                ..Material::default()
            }),
            moving: scene.add_material(Material {
                name: "moving".into(),
                base_color_texture: Some(TextureRef::new(again)),
                alpha: AlphaMode::Blend,
                shading: Shading::Unlit,
                ..Material::default()
            }),
            masked: scene.add_material(Material {
                name: "masked".into(),
                base_color_texture: Some(TextureRef::new(fence)),
                alpha: AlphaMode::Mask(0.25),
                sidedness: Sidedness::Double,
                shading: Shading::Unlit,
                ..Material::default()
            }),
            glowing: scene.add_material(Material {
                name: "glowing".into(),
                emissive: [1.0, 0.5, 0.25],
                emissive_texture: Some(TextureRef::new(missing)),
                metallic: 0.5,
                roughness: 0.25,
                ..Material::default()
            }),
        }
    }
}

fn add_image(scene: &mut Scene, name: &str, encoded: Encoded) -> ImageId {
    scene.add_image(Image { name: name.into(), encoded })
}

fn add_texture(scene: &mut Scene, image: ImageId, sampler: Sampler) -> TextureId {
    let name = scene.images.get(image.0).map(|image| image.name.clone()).unwrap_or_default();
    scene.add_texture(Texture { name, image, sampler })
}

/// Returns an image of 16 x 16 pixels with stripes of four pixels.
fn striped(first: [u8; 4], second: [u8; 4]) -> Encoded {
    let row = [[first; 4], [second; 4], [first; 4], [second; 4]];
    png_for_gltf(&picture(row.as_flattened().as_flattened().repeat(16)))
}

/// Returns the first striped image again, as a PNG that was read instead of created.
#[expect(clippy::expect_used, reason = "it is our own PNG")]
fn striped_again() -> Encoded {
    for_gltf(&striped([255, 255, 255, 255], [180, 40, 40, 255]).bytes).expect("a PNG")
}

/// Returns a JPEG image.
#[expect(clippy::expect_used, reason = "it is our own JPEG")]
fn photo() -> Encoded {
    let pixels: Vec<u8> =
        (0..16_u8).flat_map(|y| (0..16_u8).flat_map(move |x| [x << 4, y << 4, 128])).collect();
    let mut file = Vec::new();
    image::codecs::jpeg::JpegEncoder::new_with_quality(&mut file, 90)
        .encode(&pixels, 16, 16, image::ExtendedColorType::Rgb8)
        .expect("16 by 16 pixels");
    for_gltf(&file).expect("a JPEG")
}

#[expect(clippy::expect_used, reason = "all sample pictures are 16 by 16 pixels")]
fn picture(pixels: Vec<u8>) -> Rgba8 {
    Rgba8::new(16, 16, pixels).expect("16 by 16 pixels")
}

fn extras(name: &str, value: &str) -> Extras {
    let mut extras = Extras::new();
    extras.insert(name.into(), value.into());
    extras
}

/// Returns an upright square with sides of one meter, on the ground and facing +Z.
fn square(material: MaterialId) -> Primitive {
    Primitive {
        positions: vec![[-0.5, 0.0, 0.0], [0.5, 0.0, 0.0], [0.5, 1.0, 0.0], [-0.5, 1.0, 0.0]],
        normals: Some(vec![[0.0, 0.0, 1.0]; 4]),
        uvs: vec![vec![[0.0, 1.0], [1.0, 1.0], [1.0, 0.0], [0.0, 0.0]]],
        indices: vec![0, 1, 2, 0, 2, 3],
        material: Some(material),
        ..Primitive::default()
    }
}

fn moved_by(mut primitive: Primitive, [x, y, z]: [f32; 3]) -> Primitive {
    for position in &mut primitive.positions {
        *position = [position[0] + x, position[1] + y, position[2] + z];
    }
    primitive
}

/// Returns a node that may be animated.
fn add_still_nodes(scene: &mut Scene, materials: &Materials) -> NodeId {
    let mut baked = square(materials.lightmapped);
    baked.uvs.push(vec![[0.1, 0.9], [0.9, 0.9], [0.9, 0.1], [0.1, 0.1]]);
    let mut colored = moved_by(square(materials.moving), [1.0, 0.0, 0.0]);
    colored.colors = Some(vec![[1.0, 0.0, 0.0, 1.0], [0.0, 1.0, 0.0, 0.5], [0.0, 0.0, 1.0, 0.25], [1.0; 4]]);
    let masked = moved_by(square(materials.masked), [2.0, 0.0, 0.0]);
    let glowing = moved_by(square(materials.glowing), [3.0, 0.0, 0.0]);
    let room = scene.add_mesh(Mesh {
        name: "room".into(),
        primitives: vec![baked, Primitive::default(), colored, masked, glowing],
        extras: extras("file", "room.obj"),
        ..Mesh::default()
    });
    let empty = scene.add_mesh(Mesh {
        name: "empty".into(),
        primitives: vec![Primitive::default()],
        ..Mesh::default()
    });
    let picture = scene.images.len().checked_sub(1).map(ImageId);
    let group = scene.add_root(Node { picture, extras: extras("class", "group"), ..Node::named("group") });
    let room = Node { mesh: Some(room), ..Node::named("room") };
    scene.add_child(group, room.clone());
    let turned = scene.add_child(
        group,
        Node {
            name: "room again".into(),
            translation: Vec3::new(0.0, 2.0, 0.0),
            rotation: Quat::from_rotation_y(FRAC_PI_6),
            scale: Vec3::new(-1.0, 1.0, 1.0),
            ..room.clone()
        },
    );
    let shear = Mat3A::from_cols(Vec3A::X, Vec3A::new(0.5, 1.0, 0.0), Vec3A::Z);
    let mut sheared =
        from_affine("sheared", Affine3A { matrix3: shear, translation: Vec3A::new(0.0, 4.0, 0.0) });
    sheared.innermost().mesh = room.mesh;
    scene.add_nested(Some(group), sheared);
    scene.add_child(group, Node { mesh: Some(empty), ..Node::named("nothing to see") });
    turned
}

fn add_morphing_node(scene: &mut Scene, material: MaterialId) -> NodeId {
    let grown = MorphTarget {
        positions: vec![[0.0; 3], [0.0; 3], [0.0, 1.0, 0.0], [0.0, 1.0, 0.0]],
        normals: Some(vec![[0.0; 3]; 4]),
    };
    let bent = MorphTarget {
        positions: vec![[0.0; 3], [0.0; 3], [0.0, 0.0, 1.0], [0.0, 0.0, 1.0]],
        normals: Some(vec![[0.0, 0.7, -0.3]; 4]),
    };
    let mesh = scene.add_mesh(Mesh {
        name: "morphing".into(),
        primitives: vec![Primitive { targets: vec![grown, bent], ..square(material) }],
        target_names: vec!["grown".into(), "bent".into()],
        weights: vec![0.0, 0.25],
        ..Mesh::default()
    });
    let translation = Vec3::new(-2.0, 0.0, 0.0);
    scene.add_root(Node { name: "morphing".into(), translation, mesh: Some(mesh), ..Node::default() })
}

/// Returns the upper of two joints.
fn add_skinned_node(scene: &mut Scene, material: MaterialId) -> NodeId {
    let mut flag = square(material);
    flag.influences = Some(Influences {
        joints: vec![[0, 0, 0, 0], [0, 1, 0, 0], [1, 0, 0, 0], [1, 1, 1, 0]],
        weights: vec![[1.0, 0.0, 0.0, 0.0], [3.0, 0.0, 0.0, 0.0], [1.0, 1.0, 0.0, 0.0], [0.2, 0.3, 0.1, 0.1]],
    });
    let mesh = scene.add_mesh(Mesh { name: "flag".into(), primitives: vec![flag], ..Mesh::default() });
    let lower = scene.add_root(Node { translation: Vec3::new(-4.0, 0.0, 0.0), ..Node::named("lower joint") });
    let upper = scene.add_child(lower, Node { translation: Vec3::Y, ..Node::named("upper joint") });
    let skin = scene.add_skin(Skin {
        name: "flag".into(),
        joints: vec![lower, upper],
        inverse_bind: vec![Affine3A::IDENTITY, Affine3A::from_translation(Vec3::NEG_Y)],
        skeleton: Some(lower),
        ..Skin::default()
    });
    scene.add_root(Node { mesh: Some(mesh), skin: Some(skin), ..Node::named("flag") });
    upper
}

fn add_lights(scene: &mut Scene) {
    let warm = [1.0, 0.8, 0.6];
    let kinds = [
        ("bulb", LightKind::Point, Some(5.0)),
        ("lamp", LightKind::Spot { inner_cone: FRAC_PI_6, outer_cone: FRAC_PI_2 }, None),
        ("sun", LightKind::Directional, None),
    ];
    for (name, kind, range) in kinds {
        let extras = extras("source", name);
        let light =
            scene.add_light(Light { name: name.into(), kind, color: warm, intensity: 10.0, range, extras });
        let rotation = Quat::from_rotation_x(-FRAC_PI_2);
        scene.add_root(Node { translation: Vec3::Y, rotation, light: Some(light), ..Node::named(name) });
    }
}

fn add_animations(scene: &mut Scene, materials: &Materials, still: NodeId, morphing: NodeId, joint: NodeId) {
    let (step, linear, spline) = (Interpolation::Step, Interpolation::Linear, Interpolation::CubicSpline);
    let turn = |angle: f32| Quat::from_rotation_z(angle).to_array();
    let rest = [0.0; 4];
    scene.add_animation(Animation {
        name: "nodes".into(),
        tracks: vec![
            Track::translation(still, linear, [(0.0, Vec3::ZERO), (1.0, Vec3::X)]),
            // Twice unit length: it is written with unit length.
            Track::rotation(
                still,
                linear,
                [(0.0, Quat::from_xyzw(0.0, 0.0, 0.0, 2.0)), (1.0, Quat::from_rotation_y(PI))],
            ),
            Track::scale(still, step, [(0.0, Vec3::ONE), (0.5, Vec3::splat(2.0))]),
            Track {
                target: Target::Rotation(joint),
                also: Vec::new(),
                interpolation: spline,
                times: vec![0.0, 1.0],
                values: [rest, turn(0.0), rest, rest, turn(FRAC_PI_4), rest].concat(),
            },
        ],
        extras: extras("loop", "yes"),
    });
    scene.add_animation(Animation {
        name: "shapes".into(),
        tracks: vec![Track::from_keys(
            Target::Weights(morphing),
            linear,
            [(0.0, [0.0, 0.25]), (2.0, [1.0, 0.0])],
        )],
        ..Animation::default()
    });
    let moving = materials.moving;
    scene.add_animation(Animation {
        name: "materials".into(),
        tracks: vec![
            Track::from_keys(
                Target::MaterialUvOffset(moving),
                linear,
                [(0.0, [0.0, 0.0]), (1.0, [1.0, 0.0])],
            ),
            Track::from_keys(Target::MaterialUvRotation(moving), linear, [(0.0, [0.0]), (1.0, [PI])]),
            Track::from_keys(Target::MaterialUvScale(moving), step, [(0.0, [1.0, 1.0]), (1.0, [2.0, 2.0])]),
            Track::from_keys(
                Target::MaterialBaseColor(moving),
                linear,
                [(0.0, [1.0; 4]), (1.0, [1.0, 1.0, 1.0, 0.5])],
            ),
        ],
        ..Animation::default()
    });
}
