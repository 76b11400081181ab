//! Known pixels of small scenes.

use glam::{Quat, Vec3};

use super::*;
use scene::{
    AlphaMode, Animation, Filter, Interpolation, Material, Mesh, MorphTarget, Node, Primitive, Sampler,
    Scene, Shading, Sidedness, Texture, TextureRef, Track, image::png_for_gltf,
};

const RED: [f32; 4] = [1.0, 0.0, 0.0, 1.0];
const GREEN: [f32; 4] = [0.0, 1.0, 0.0, 1.0];

/// A square that faces the default camera for objects, shifted towards it by a number of meters.
fn square(scene: &mut Scene, material: Material, before: f32) -> Primitive {
    let material = scene.add_material(material);
    let back = Vec3::new(0.62, 0.42, 1.0).normalize();
    let right = Vec3::Y.cross(back).normalize();
    let up = back.cross(right);
    let corner = |x: f32, y: f32| (right * x + up * y + back * before).to_array();
    Primitive {
        positions: vec![corner(-1.0, -1.0), corner(1.0, -1.0), corner(1.0, 1.0), corner(-1.0, 1.0)],
        uvs: vec![vec![[0.0, 1.0], [1.0, 1.0], [1.0, 0.0], [0.0, 0.0]]],
        indices: vec![0, 1, 2, 0, 2, 3],
        material: Some(material),
        ..Primitive::default()
    }
}

fn unlit(base_color: [f32; 4]) -> Material {
    Material { base_color, shading: Shading::Unlit, ..Material::default() }
}

fn shown(mut scene: Scene, primitives: Vec<Primitive>) -> Option<Rgba8> {
    let mesh = scene.add_mesh(Mesh { primitives, ..Mesh::default() });
    scene.add_root(Node { mesh: Some(mesh), ..Node::default() });
    drawn(&scene)
}

fn drawn(scene: &Scene) -> Option<Rgba8> {
    draw(scene, &RenderOptions { width: 64, height: 64, ..RenderOptions::default() }, &Textures::new())
}

fn pixel(picture: &Rgba8, x: u32, y: u32) -> [u8; 3] {
    let [red, green, blue, alpha] = picture.get(x, y).unwrap();
    assert_eq!(alpha, 255);
    [red, green, blue]
}

#[test]
fn draws_scenes_with_a_shared_frame_at_the_same_scale() {
    let width_of = |size: f32, shared_frame, framing| {
        let mut scene = Scene { shared_frame, ..Scene::new("red") };
        let square = square(&mut scene, unlit(RED), 0.0);
        let mesh = scene.add_mesh(Mesh { primitives: vec![square], ..Mesh::default() });
        scene.add_root(Node { mesh: Some(mesh), scale: Vec3::splat(size), ..Node::default() });
        let options = RenderOptions { width: 64, height: 64, framing, ..RenderOptions::default() };
        let picture = draw(&scene, &options, &Textures::new()).unwrap();
        (0..64).filter(|x| pixel(&picture, *x, 32) == [255, 0, 0]).count()
    };
    // Squares of two and one meters in a frame of four, and one of eight, which does not fit.
    let shared = |size| width_of(size, Some(4.0), Framing::Shared);
    assert!((29..=31).contains(&shared(1.0)) && (14..=16).contains(&shared(0.5)));
    assert_eq!(shared(4.0), width_of(4.0, None, Framing::Shared));
    assert_eq!(width_of(0.5, Some(4.0), Framing::Fit), width_of(1.0, None, Framing::Fit));
    assert_eq!(width_of(1.0, Some(f32::NAN), Framing::Shared), width_of(1.0, None, Framing::Fit));
}

#[test]
fn fills_the_picture_with_a_colored_square() {
    let mut scene = Scene::new("red");
    let square = square(&mut scene, unlit([1.0, 0.215_861, 0.0, 1.0]), 0.0);
    let picture = shown(scene, vec![square]).unwrap();
    assert_eq!(pixel(&picture, 32, 32), [255, 128, 0]);
    assert_eq!(pixel(&picture, 6, 57), [255, 128, 0]);
    let [top, bottom] = RenderOptions::default().backdrop;
    assert_eq!(pixel(&picture, 0, 0), top);
    assert!(pixel(&picture, 63, 63).iter().zip(bottom).all(|(found, wanted)| found.abs_diff(wanted) < 3));
}

#[test]
fn draws_a_texture_upright_and_not_mirrored() {
    let mut scene = Scene::new("flag");
    let colors = [[255, 0, 0, 255], [0, 255, 0, 255], [0, 0, 255, 255], [255, 255, 255, 255]];
    let flag = Rgba8::new(2, 2, colors.concat()).unwrap();
    let image = scene.add_image(scene::Image { name: "flag".into(), encoded: png_for_gltf(&flag) });
    let sampler = Sampler { mag: Filter::Nearest, ..Sampler::default() };
    let texture = scene.add_texture(Texture { name: "flag".into(), image, sampler });
    let material =
        Material { base_color_texture: Some(TextureRef::new(texture)), ..unlit([1.0, 1.0, 1.0, 1.0]) };
    let square = square(&mut scene, material, 0.0);
    let picture = shown(scene, vec![square]).unwrap();
    assert_eq!(pixel(&picture, 18, 18), [255, 0, 0], "red at the top left");
    assert_eq!(pixel(&picture, 46, 18), [0, 255, 0], "green at the top right");
    assert_eq!(pixel(&picture, 18, 46), [0, 0, 255], "blue at the bottom left");
    assert_eq!(pixel(&picture, 46, 46), [255, 255, 255], "white at the bottom right");
}

#[test]
fn nearer_surfaces_hide_farther_ones_in_any_order() {
    for swap in [false, true] {
        let mut scene = Scene::new("two");
        let mut parts = vec![square(&mut scene, unlit(RED), 0.5), square(&mut scene, unlit(GREEN), 0.0)];
        if swap {
            parts.reverse();
        }
        assert_eq!(pixel(&shown(scene, parts).unwrap(), 32, 32), [255, 0, 0]);
    }
}

#[test]
fn back_faces_are_culled_unless_double_sided() {
    let turned = |sidedness| {
        let mut scene = Scene::new("back");
        let mut back = square(&mut scene, Material { sidedness, ..unlit(RED) }, 0.5);
        back.flip_winding();
        let front = square(&mut scene, unlit(GREEN), 0.0);
        pixel(&shown(scene, vec![back, front]).unwrap(), 32, 32)
    };
    assert_eq!(turned(Sidedness::Single), [0, 255, 0]);
    assert_eq!(turned(Sidedness::Double), [255, 0, 0]);
}

#[test]
fn the_camera_faces_the_visible_side() {
    let mut scene = Scene::new("back");
    let mut back = square(&mut scene, unlit(RED), 0.0);
    back.flip_winding();
    assert_eq!(pixel(&shown(scene, vec![back]).unwrap(), 32, 32), [255, 0, 0]);
}

#[test]
fn a_room_is_viewed_from_inside() {
    let mut scene = Scene::new("room");
    let floor = scene.add_material(unlit(GREEN));
    let walls = scene.add_material(unlit(RED));
    let mut parts = Vec::new();
    for (turn, material) in [
        (Quat::IDENTITY, floor),
        (Quat::from_rotation_x(std::f32::consts::PI), walls),
        (Quat::from_rotation_x(std::f32::consts::FRAC_PI_2), walls),
        (Quat::from_rotation_x(-std::f32::consts::FRAC_PI_2), walls),
        (Quat::from_rotation_z(std::f32::consts::FRAC_PI_2), walls),
        (Quat::from_rotation_z(-std::f32::consts::FRAC_PI_2), walls),
    ] {
        let corner = |x: f32, z: f32| (turn * Vec3::new(x, -1.0, z)).to_array();
        parts.push(Primitive {
            positions: vec![corner(-1.0, -1.0), corner(-1.0, 1.0), corner(1.0, 1.0), corner(1.0, -1.0)],
            indices: vec![0, 1, 2, 0, 2, 3],
            material: Some(material),
            ..Primitive::default()
        });
    }
    let picture = shown(scene, parts).unwrap();
    assert_eq!(pixel(&picture, 32, 44), [0, 255, 0], "the floor, seen through ceiling and walls");
    assert_eq!(pixel(&picture, 20, 20), [255, 0, 0], "a wall in the background");
}

#[test]
fn cuts_out_masks_and_blends_transparent_surfaces() {
    let before_green = |color: [f32; 4], alpha| {
        let mut scene = Scene::new("glass");
        let front = square(&mut scene, Material { alpha, ..unlit(color) }, 0.5);
        let behind = square(&mut scene, unlit(GREEN), 0.0);
        pixel(&shown(scene, vec![front, behind]).unwrap(), 32, 32)
    };
    let half = [1.0, 0.0, 0.0, 0.5];
    assert_eq!(before_green(half, AlphaMode::Mask(0.6)), [0, 255, 0]);
    assert_eq!(before_green(half, AlphaMode::Mask(0.4)), [255, 0, 0]);
    assert_eq!(before_green(half, AlphaMode::Blend), [188, 188, 0], "half of the light of each");
    assert_eq!(before_green(half, AlphaMode::Opaque), [255, 0, 0]);
}

#[test]
fn poses_the_scene_at_the_start_of_the_first_animation_by_default() {
    let mut scene = Scene::new("bent");
    let mut part = square(&mut scene, unlit(RED), 0.0);
    part.targets = vec![MorphTarget { positions: vec![[0.0; 3]; 4], normals: None }];
    let mesh = scene.add_mesh(Mesh { primitives: vec![part], ..Mesh::default() });
    let node = scene.add_root(Node { mesh: Some(mesh), ..Node::default() });
    let before = square(&mut scene, unlit(GREEN), 0.0);
    let other = scene.add_mesh(Mesh { primitives: vec![before], ..Mesh::default() });
    scene.add_root(Node { mesh: Some(other), ..Node::default() });
    let towards = Vec3::new(0.62, 0.42, 1.0).normalize();
    let keys = [(1.0, towards * 0.5), (2.0, towards * -0.5)];
    let track = Track::translation(node, Interpolation::Linear, keys);
    scene.add_animation(Animation { tracks: vec![track], ..Animation::default() });
    let at = |moment| {
        let options = RenderOptions { width: 64, height: 64, moment, ..RenderOptions::default() };
        pixel(&draw(&scene, &options, &Textures::new()).unwrap(), 32, 32)
    };
    assert_eq!(at(PoseTime::Begin), [255, 0, 0]);
    assert_eq!(at(PoseTime::At(0, 1.2)), [255, 0, 0]);
    assert_eq!(at(PoseTime::At(0, 1.8)), [0, 255, 0]);
    assert_eq!(at(PoseTime::At(0, 9.0)), [0, 255, 0]);
}

#[test]
fn brightens_dark_scenes() {
    let mut scene = Scene::new("dark");
    let square = square(&mut scene, unlit([0.01, 0.01, 0.01, 1.0]), 0.0);
    let [red, ..] = pixel(&shown(scene, vec![square]).unwrap(), 32, 32);
    assert!(red > 80, "{red}");
}

#[test]
fn returns_none_for_an_invisible_scene() {
    assert_eq!(drawn(&Scene::new("empty")), None);
    let mut scene = Scene::new("flat");
    let mut line = square(&mut scene, unlit(RED), 0.0);
    line.indices = vec![0, 0, 1, 9, 9, 9];
    assert_eq!(shown(scene, vec![line]), None);
}

#[test]
fn hostile_scenes_terminate_and_nan_is_skipped() {
    for wrong in [f32::NAN, f32::INFINITY, -1e30, 1e7, 1e-30, 0.0] {
        let mut scene = Scene::new("hostile");
        let good = square(&mut scene, unlit(RED), 0.0);
        let mut bad = square(&mut scene, unlit(GREEN), 0.5);
        bad.positions[0] = [wrong; 3];
        bad.uvs[0][1] = [wrong; 2];
        bad.normals = Some(vec![[wrong; 3]; 4]);
        bad.colors = Some(vec![[wrong; 4]; 4]);
        let mesh =
            scene.add_mesh(Mesh { primitives: vec![good, bad], weights: vec![wrong], ..Mesh::default() });
        scene.add_root(Node { mesh: Some(mesh), ..Node::default() });
        let scale = Vec3::splat(wrong);
        scene.add_root(Node { mesh: Some(mesh), scale, translation: scale, ..Node::default() });
        scene.add_root(Node {
            mesh: Some(mesh),
            rotation: Quat::from_xyzw(wrong, wrong, 0.0, 0.0),
            ..Node::default()
        });
        let options = RenderOptions {
            width: 9999,
            height: 0,
            moment: PoseTime::At(7, wrong),
            ..RenderOptions::default()
        };
        let picture = draw(&scene, &options, &Textures::new());
        assert!(picture.is_none_or(|picture| (picture.width(), picture.height()) == (1024, 1)));
        assert!(drawn(&scene).is_some());
    }
}

#[test]
fn many_large_triangles_render_in_bounded_time() {
    let mut scene = Scene::new("many");
    let mut part = square(&mut scene, unlit(RED), 0.0);
    part.indices = [0, 1, 2, 0, 2, 3].repeat(300_000);
    let options = RenderOptions { width: 1024, height: 1024, ..RenderOptions::default() };
    let mesh = scene.add_mesh(Mesh { primitives: vec![part], ..Mesh::default() });
    scene.add_root(Node { mesh: Some(mesh), ..Node::default() });
    assert!(draw(&scene, &options, &Textures::new()).is_some());
}

#[test]
fn draws_the_same_picture_with_and_without_cached_textures() {
    let textures = Textures::new();
    let scene = scene::sample::every_feature();
    let options = RenderOptions::default();
    let first = draw(&scene, &options, &textures).unwrap();
    assert!(first == draw(&scene, &options, &textures).unwrap());
    assert!(first == draw(&scene, &options, &Textures::new()).unwrap());
}
