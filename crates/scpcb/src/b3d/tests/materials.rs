//! Materials.

use std::path::Path;

use ::scene::color::srgb_to_linear;
use ::scene::image::{Alpha, Rgba8, png_for_gltf};
use ::scene::{AlphaMode, Material, Primitive, Scene, Shading, Sidedness, Wrap};
use asset::Options;

use super::super::*;
use super::{
    brushes, mesh, model, node, plain_brush, plain_texture, scene_of, single_warning, textures, triangle,
    with_vertices,
};

fn assert_near(a: f32, b: f32) {
    assert!((a - b).abs() < 1e-5, "expected {b}, found {a}");
}

fn material(scene: &Scene) -> &Material {
    assert_eq!(scene.materials.len(), 1);
    &scene.materials[0]
}

/// Returns the scene of a model with one triangle of one brush, with its textures next to it.
fn painted(brush: Brush, layers: Vec<Texture>, vertices: Option<Vertices>) -> (Scene, Report) {
    let game = tempfile::tempdir().unwrap();
    std::fs::create_dir_all(game.path().join("GFX/map")).unwrap();
    let folder = game.path().join("GFX/map");
    let image = |alpha: u8| {
        let pixels = [[0, 0, 0, alpha], [200, 100, 60, alpha]].concat();
        png_for_gltf(&Rgba8::new(2, 1, pixels).unwrap()).bytes
    };
    write(&folder, "solid.png", &image(255));
    write(&folder, "clear.png", &image(100));
    write(&folder, "lm.png", &image(255));
    write(&folder, "m.b3d", b"");
    let triangles = vec![Triangles { brush: 0, triangles: vec![[0, 1, 2]], ..Triangles::default() }];
    let geometry = match vertices {
        Some(vertices) => with_vertices(-1, vertices, triangles),
        None => mesh(-1, triangles),
    };
    let model = model(vec![textures(layers), brushes(vec![brush]), node("a", vec![geometry])]);
    let install = asset::game::install_around(&folder.join("m.b3d"), crate::tests::GAMES).unwrap();
    let options = Options::defaults(FORMAT.options);
    let context = Context {
        install: &install,
        location: install.location_of(&folder.join("m.b3d")),
        options: &options,
    };
    let mut report = Report::new();
    let scene = to_scene(&model, &context, "m", 1.0, &mut report);
    ::scene::gltf::write_glb(&scene).unwrap();
    (scene, report)
}

fn write(folder: &Path, name: &str, bytes: &[u8]) {
    std::fs::write(folder.join(name), bytes).unwrap();
}

fn with_layers(numbers: &[i32]) -> Brush {
    Brush { textures: numbers.to_vec(), ..plain_brush() }
}

/// Returns the alpha of the image that a surface shows.
fn shown_alpha(scene: &Scene) -> Alpha {
    let texture = material(scene).base_color_texture.unwrap().texture;
    scene.images[scene.textures[texture.0].image.0].encoded.alpha
}

fn colored(color: [f32; 4]) -> Vertices {
    let vertex = |x: f32, y: f32| Vertex {
        position: [x, y, 0.0],
        color: Some(color),
        coordinates: vec![x, y, 0.5, 0.25],
        ..Vertex::default()
    };
    Vertices {
        flags: VertexForm::COLORS,
        coordinate_sets: 2,
        coordinate_size: 2,
        vertices: vec![vertex(0.0, 0.0), vertex(0.0, 1.0), vertex(1.0, 0.0)],
        rest: Bytes::default(),
    }
}

fn primitive(scene: &Scene) -> &Primitive {
    &scene.meshes[0].primitives[0]
}

#[test]
fn converts_color_sidedness_and_shading_of_a_brush() {
    let brush = Brush {
        color: [0.5, 0.25, 2.0, 0.5],
        fx: fx::FULL_BRIGHT | fx::DOUBLE_SIDED | fx::NO_FOG,
        ..plain_brush()
    };
    let (scene, report) = painted(brush, vec![], None);
    let material = material(&scene);
    assert_near(material.base_color[0], srgb_to_linear(0.5));
    assert_near(material.base_color[2], 1.0);
    assert_near(material.base_color[3], 0.5);
    assert_eq!((material.alpha, material.shading), (AlphaMode::Blend, Shading::Unlit));
    assert_eq!(material.sidedness, Sidedness::Double);
    assert_eq!(material.extras["brush"]["fx"], 25);
    assert!(report.is_empty(), "{report:?}");
}

#[test]
fn keeps_the_front_face_of_a_triangle() {
    let (scene, report) = scene_of(&model(vec![node("a", vec![triangle(-1)])]));
    let Primitive { positions, indices, normals, .. } = primitive(&scene);
    assert_eq!(positions.len(), 3);
    let at = |corner: usize| glam::Vec3::from(positions[indices[corner] as usize]);
    let front = (at(1) - at(0)).cross(at(2) - at(0)).normalize();
    // (b - a) x (c - a) on the raw numbers is -Z; Z is negated.
    assert_eq!(front, glam::Vec3::Z);
    assert_eq!(normals.as_ref().unwrap()[0], [0.0, 0.0, 1.0]);
    assert!(positions.contains(&[1.0, 0.0, 0.0]) && positions.contains(&[0.0, 1.0, 0.0]));
    assert_eq!(material(&scene).name, "no brush");
    assert!(report.is_empty(), "{report:?}");
}

#[test]
fn alpha_follows_the_engine() {
    let alpha = |flags, blend, fx, color_alpha| {
        let layer = Texture { flags, ..plain_texture("clear.png") };
        let mut brush = Brush { blend, fx, ..with_layers(&[0]) };
        brush.color[3] = color_alpha;
        let (scene, _) = painted(brush, vec![layer], None);
        (material(&scene).alpha, shown_alpha(&scene))
    };
    let (mask, clear) = (texture::COLOR | texture::MASKED, texture::COLOR | texture::ALPHA);
    // The image is copied without looking at its pixels.
    assert_eq!(alpha(1, 0, 0, 1.0), (AlphaMode::Opaque, Alpha::Possible));
    // The image's alpha is ignored here, so it must not show through when the surface is faded.
    assert_eq!(alpha(1, 0, 0, 0.5), (AlphaMode::Blend, Alpha::Opaque));
    assert_eq!(alpha(clear, 0, 0, 1.0), (AlphaMode::Blend, Alpha::Possible));
    assert_eq!(alpha(clear, 1, 0, 1.0), (AlphaMode::Blend, Alpha::Possible));
    assert_eq!(alpha(1, 1, 0, 1.0), (AlphaMode::Opaque, Alpha::Possible));
    assert_eq!(alpha(1, 0, fx::VERTEX_ALPHA, 1.0).0, AlphaMode::Blend);
    assert_eq!(alpha(mask, 0, 0, 1.0), (AlphaMode::Mask(0.5), Alpha::Binary));
    assert_eq!(alpha(mask, 0, 0, 0.5), (AlphaMode::Blend, Alpha::Binary));
}

#[test]
fn uses_brightness_as_alpha_if_the_image_has_none() {
    let layer = Texture { flags: texture::COLOR | texture::ALPHA, ..plain_texture("solid.png") };
    let (scene, _) = painted(with_layers(&[0]), vec![layer], None);
    assert_eq!((material(&scene).alpha, shown_alpha(&scene)), (AlphaMode::Blend, Alpha::Blended));
}

#[test]
fn clamped_textures_are_clamped() {
    let layer = Texture { flags: texture::COLOR | texture::CLAMP_V, ..plain_texture("solid.png") };
    let (scene, _) = painted(with_layers(&[0]), vec![layer], None);
    let sampler = scene.textures[0].sampler;
    assert_eq!((sampler.wrap_u, sampler.wrap_v), (Wrap::Repeat, Wrap::Clamp));
}

#[test]
fn vertex_colors_replace_the_brush_color_and_are_doubled_by_the_layer() {
    let brush = Brush { fx: fx::VERTEX_COLORS, color: [0.1, 0.1, 0.1, 1.0], ..with_layers(&[0]) };
    let layer = Texture { blend: blend::MULTIPLY_2, ..plain_texture("solid.png") };
    let (scene, report) = painted(brush, vec![layer], Some(colored([0.25, 0.75, 0.0, 0.5])));
    assert_eq!(material(&scene).base_color, [1.0; 4]);
    let color = primitive(&scene).colors.as_ref().unwrap()[0];
    assert_near(color[0], srgb_to_linear(0.5));
    assert_near(color[1], 1.0);
    assert_near(color[3], 1.0);
    assert!(report.is_empty(), "{report:?}");

    let faded = Brush { fx: fx::VERTEX_COLORS | fx::VERTEX_ALPHA, ..plain_brush() };
    let (scene, _) = painted(faded, vec![], Some(colored([0.25, 0.75, 0.0, 0.5])));
    assert_near(primitive(&scene).colors.as_ref().unwrap()[0][3], 0.5);
}

#[test]
fn reports_ignored_vertex_colors() {
    let (scene, report) = painted(plain_brush(), vec![], Some(colored([0.25, 0.75, 0.0, 0.5])));
    assert!(primitive(&scene).colors.is_none());
    assert_eq!(
        single_warning(&report, &warning::UNUSED_COLOR),
        "3 vertices have a color that their brush does not enable"
    );
}

#[test]
fn recognizes_a_lightmap_in_either_order() {
    let lightmap = Texture { flags: texture::COLOR | texture::SECOND_SET, ..plain_texture("lm.png") };
    let base = Texture { blend: blend::MULTIPLY_2, ..plain_texture("solid.png") };
    for layers in [vec![lightmap.clone(), base.clone()], vec![base.clone(), lightmap.clone()]] {
        let brush = Brush { fx: fx::FULL_BRIGHT | fx::VERTEX_COLORS, ..with_layers(&[0, 1]) };
        let (scene, report) = painted(brush, layers, Some(colored([0.5, 1.0, 1.0, 1.0])));
        let material = material(&scene);
        let name = |reference: ::scene::TextureRef| scene.textures[reference.texture.0].name.clone();
        assert_eq!(name(material.base_color_texture.unwrap()), "solid.png");
        let shown = material.lightmap.unwrap();
        assert_eq!((name(shown.texture), shown.texture.uv_set), ("lm.png".to_owned(), 1));
        assert_near(shown.intensity, 2_f32.powf(2.2));
        assert_eq!(material.shading, Shading::Lit, "a lightmap needs light");
        assert_near(primitive(&scene).colors.as_ref().unwrap()[0][0], srgb_to_linear(0.5));
        assert_eq!(primitive(&scene).uvs[1], [[0.5, 0.25]; 3]);
        assert!(report.is_empty(), "{report:?}");
    }
    // A missing lightmap is dropped.
    let missing = Texture { file: "gone.png".into(), ..lightmap };
    let (scene, report) = painted(with_layers(&[0, 1]), vec![missing, base], None);
    assert!(material(&scene).lightmap.is_none());
    assert_eq!(single_warning(&report, &asset::reference::MISSING), "lightmap \"gone.png\" was not found");
}

#[test]
fn reports_unsupported_layers() {
    let layer = |flags, blend| Texture { flags, blend, ..plain_texture("solid.png") };
    let reported = |layers: Vec<Texture>| {
        let numbers: Vec<i32> = (0..layers.len() as i32).collect();
        painted(with_layers(&numbers), layers, None).1
    };
    single_warning(&reported(vec![layer(1 | texture::SPHERE_MAP, 2)]), &warning::REFLECTION);
    single_warning(&reported(vec![layer(1 | texture::CUBE_MAP, 2)]), &warning::REFLECTION);
    single_warning(&reported(vec![layer(1, 2), layer(1, 2)]), &warning::LAYER);
    single_warning(&reported(vec![layer(1, blend::ADD)]), &warning::LAYER_BLEND);
    assert!(reported(vec![layer(1, blend::NONE)]).is_empty(), "the engine does not show it either");
}

#[test]
fn reports_unsupported_blend_modes() {
    for (blend, alpha) in [(2, AlphaMode::Blend), (3, AlphaMode::Blend), (4, AlphaMode::Opaque)] {
        let (scene, report) = painted(Brush { blend, ..plain_brush() }, vec![], None);
        assert_eq!(material(&scene).alpha, alpha);
        single_warning(&report, &warning::BRUSH_BLEND);
    }
    let (_, report) = painted(Brush { shininess: 0.5, ..plain_brush() }, vec![], None);
    single_warning(&report, &warning::SHINE);
}

#[test]
fn combines_a_mesh_brush_with_triangle_brushes() {
    let under = Brush { color: [0.5, 1.0, 1.0, 0.5], fx: fx::FULL_BRIGHT, ..with_layers(&[0]) };
    let over =
        Brush { color: [0.5, 1.0, 1.0, 0.5], fx: fx::DOUBLE_SIDED, name: "over".into(), ..with_layers(&[1]) };
    let triangles = vec![Triangles { brush: 0, triangles: vec![[0, 1, 2]], ..Triangles::default() }];
    let layers = vec![plain_texture("a.png"), plain_texture("b.png")];
    let (scene, report) = scene_of(&model(vec![
        textures(layers),
        brushes(vec![under, over]),
        node("a", vec![mesh(1, triangles)]),
    ]));
    let material = material(&scene);
    assert_near(material.base_color[0], srgb_to_linear(0.25));
    assert_near(material.base_color[3], 0.25);
    assert_eq!((material.shading, material.sidedness), (Shading::Unlit, Sidedness::Double));
    assert_eq!(material.name, "paint + over");
    assert_eq!(scene.textures[material.base_color_texture.unwrap().texture.0].name, "missing b.png");
    assert_eq!(single_warning(&report, &asset::reference::MISSING), "texture \"b.png\" was not found");
}

#[test]
fn transforms_texture_coordinates_once() {
    let layer =
        Texture { position: [0.5, 0.0], scale: [2.0, 3.0], rotation: 0.3, ..plain_texture("solid.png") };
    let (scene, _) = painted(with_layers(&[0]), vec![layer], Some(colored([1.0; 4])));
    let primitive = primitive(&scene);
    let (sine, cosine) = (0.3_f32.sin(), 0.3_f32.cos());
    // The vertices (0, 0), (1, 0) and (0, 1).
    let corner =
        |u: f32, v: f32| [cosine * 2.0 * u + sine * 2.0 * v + 0.5, cosine * 3.0 * v - sine * 3.0 * u];
    for uv in [corner(0.0, 0.0), corner(1.0, 0.0), corner(0.0, 1.0)] {
        assert!(
            primitive.uvs[0].iter().any(|[u, v]| (u - uv[0]).abs() + (v - uv[1]).abs() < 1e-5),
            "{uv:?} is not in {:?}",
            primitive.uvs[0]
        );
    }
    // The set that no texture uses is kept.
    assert_eq!(primitive.uvs[1], [[0.5, 0.25]; 3]);
}

#[test]
fn flat_surfaces_do_not_share_vertices() {
    let vertex = |x: f32, y: f32, z: f32| Vertex { position: [x, y, z], ..Vertex::default() };
    let vertices =
        vec![vertex(0.0, 0.0, 0.0), vertex(0.0, 1.0, 0.0), vertex(1.0, 0.0, 0.0), vertex(0.0, 0.0, 1.0)];
    let vertices = Vertices { vertices, ..Vertices::default() };
    let corners = |fx| {
        let triangles =
            vec![Triangles { brush: 0, triangles: vec![[0, 1, 2], [0, 3, 1]], ..Triangles::default() }];
        let geometry = with_vertices(-1, vertices.clone(), triangles);
        let (scene, _) =
            scene_of(&model(vec![brushes(vec![Brush { fx, ..plain_brush() }]), node("a", vec![geometry])]));
        let primitive = primitive(&scene);
        (primitive.positions.len(), primitive.normals.as_ref().unwrap().clone())
    };
    assert_eq!(corners(0).0, 4);
    let (count, normals) = corners(fx::FLAT);
    assert_eq!(count, 6);
    assert_eq!(normals[..3], [[0.0, 0.0, 1.0]; 3]);
    assert_eq!(normals[3..], [[-1.0, 0.0, 0.0]; 3]);
}

#[test]
fn reads_properties_of_3d_world_studio_from_names() {
    let light = node("classname=light\r\ncolor=255 0 0", vec![]);
    let (scene, _) = scene_of(&model(vec![node("", vec![light, triangle(-1)])]));
    let names: Vec<_> = scene.nodes.iter().map(|node| &*node.name).collect();
    assert_eq!(names, ["model", "node 0", "classname=light"]);
    assert_eq!(scene.nodes[2].extras["properties"]["color"], "255 0 0");
    assert_eq!(scene.nodes[2].extras["name"], "classname=light\r\ncolor=255 0 0");
}

#[test]
fn finds_a_texture_by_the_end_of_an_absolute_path() {
    let game = tempfile::tempdir().unwrap();
    for folder in ["Data", "GFX/map", "GFX/npcs", "GFX/items"] {
        std::fs::create_dir_all(game.path().join(folder)).unwrap();
    }
    let image = png_for_gltf(&Rgba8::new(1, 1, vec![9, 8, 7, 255]).unwrap()).bytes;
    write(&game.path().join("GFX/npcs"), "coat.png", &image);
    let path = game.path().join("GFX/items/m.b3d");
    std::fs::write(&path, b"").unwrap();
    let install = asset::game::install_around(&path, crate::tests::GAMES).unwrap();
    let options = Options::defaults(FORMAT.options);
    let context = Context { install: &install, location: install.location_of(&path), options: &options };
    let deep = format!("C:{}\\npcs\\coat.png", "\\x".repeat(40));
    for (name, is_found) in [
        ("C:\\art\\scp\\GFX\\npcs\\Coat.png", true),
        ("/home/me/npcs/coat.png", true),
        (&deep, true),
        ("C:\\art\\coat.png", false),
        ("C:\\items\\..\\..\\..\\npcs\\coat.png", true),
        ("..\\..\\..\\coat.png", false),
    ] {
        let found = crate::model::texture::look_up(&context, name);
        assert_eq!(matches!(found, asset::Lookup::Found(_)), is_found, "{name}");
    }
}
