//! Tests of scenes from other programs.

use glam::{Quat, Vec3};
use scene::image::placeholder;
use scene::{
    AlphaMode, Image, Light, LightKind, Lightmap, Material, MaterialId, Mesh, Primitive, Sampler, Shading,
    Texture, TextureId, TextureRef, UvTransform,
};

use super::*;

fn texture(scene: &mut Scene, image: &str) -> TextureId {
    let image = scene.add_image(Image { name: image.into(), ..placeholder("") });
    scene.add_texture(Texture { name: String::new(), image, sampler: Sampler::default() })
}

/// A material with an image.
fn material(scene: &mut Scene, name: &str, image: &str) -> MaterialId {
    let texture = texture(scene, image);
    let shown = Some(TextureRef::new(texture));
    scene.add_material(Material { name: name.into(), base_color_texture: shown, ..Material::default() })
}

/// A square meter of two triangles with separate vertices.
fn square(material: MaterialId) -> Primitive {
    let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]];
    let uvs = [[0.0, 1.0], [1.0, 1.0], [1.0, 0.0], [0.0, 0.0]];
    let order = [0_usize, 1, 2, 0, 2, 3];
    Primitive {
        positions: order.map(|corner| corners[corner]).to_vec(),
        normals: Some(vec![[0.0, 0.0, 1.0]; 6]),
        uvs: vec![order.map(|corner| uvs[corner]).to_vec()],
        indices: (0..6).collect(),
        material: Some(material),
        ..Primitive::default()
    }
}

fn show(scene: &mut Scene, name: &str, primitive: Primitive) -> usize {
    let mesh = scene.add_mesh(Mesh { name: name.into(), primitives: vec![primitive], ..Mesh::default() });
    scene.add_root(Node { mesh: Some(mesh), ..Node::named(name) }).0
}

#[test]
fn meshes_become_surfaces_by_material_with_merged_vertices() {
    let mut scene = Scene::new("made");
    let wall = material(&mut scene, "Material.001", "bricks");
    let floor = material(&mut scene, "floor", "textures/tiles.jpg");
    show(&mut scene, "a", square(wall));
    show(&mut scene, "b", square(floor));
    let raised = show(&mut scene, "c", square(wall));
    scene.nodes[raised].translation = Vec3::Y;
    let (room, report) = room_of(&scene);
    let [walls, floors] = &room.surfaces[..] else { panic!("two surfaces") };
    assert_eq!(
        walls.texture,
        slot(TextureKind::OPAQUE, "bricks.png"),
        "the extension follows from the image format"
    );
    assert_eq!(
        floors.texture,
        slot(TextureKind::OPAQUE, "tiles.jpg"),
        "images are looked up next to the room"
    );
    assert_eq!(walls.lightmap, slot(TextureKind::OPAQUE, ""));
    assert_eq!((walls.vertices.len(), floors.vertices.len()), (8, 4));
    assert_eq!(walls.triangles, [[0, 2, 1], [0, 3, 2], [4, 6, 5], [4, 7, 6]]);
    assert_eq!(
        walls.vertices[6],
        Vertex {
            position: [256.0, 512.0, -0.0],
            texture_uv: [1.0, 0.0],
            lightmap_uv: [0.0; 2],
            color: [255; 3]
        }
    );
    assert_eq!((room.header, &*room.rest), (Header::RoomMesh, TRAILER));
    assert_eq!(
        single_warning(&report, &warning::NOT_KEPT),
        [
            "lists of normals are not needed by the game (3)",
            "images are not stored in a room; put them next to it (2)"
        ]
    );
    assert_eq!(RMesh::read(&room.write().unwrap(), &mut Report::new()).unwrap(), room);
}

#[test]
fn a_mirrored_node_keeps_its_front_face() {
    let mut scene = Scene::new("made");
    let wall = material(&mut scene, "wall", "wall.jpg");
    let mirrored = show(&mut scene, "a", square(wall));
    scene.nodes[mirrored].scale.x = -1.0;
    assert_eq!(room_of(&scene).0.surfaces[0].triangles, [[0, 1, 2], [0, 2, 3]]);
}

#[test]
fn glass_and_fences_are_transparent() {
    for alpha in [AlphaMode::Blend, AlphaMode::Mask(0.5)] {
        let mut scene = Scene::new("made");
        let glass = material(&mut scene, "pane", "glass.png");
        scene.materials[glass.0].alpha = alpha;
        show(&mut scene, "a", Primitive { colors: Some(vec![[1.0; 4]; 6]), ..square(glass) });
        let surface = &room_of(&scene).0.surfaces[0];
        assert_eq!(surface.texture, slot(TextureKind::TRANSPARENT, "glass.png"));
        assert_eq!(surface.vertices[0].color, [255; 3]);
    }
}

#[test]
fn a_lightmap_is_recognized_by_its_extension_or_as_emission_on_another_uv_set() {
    let lightmapped = |edit: fn(&mut Material, TextureRef)| {
        let mut scene = Scene::new("made");
        let wall = material(&mut scene, "wall", "wall.jpg");
        let light = texture(&mut scene, "room_lm1.png");
        edit(&mut scene.materials[wall.0], TextureRef::on_set(light, 1));
        let mut square = square(wall);
        square.uvs.push(vec![[0.25, 0.75]; 6]);
        square.colors = Some(vec![[0.1, 0.1, 0.1, 1.0]; 6]);
        show(&mut scene, "a", square);
        room_of(&scene).0.surfaces[0].clone()
    };
    let by_extension =
        lightmapped(|material, texture| material.lightmap = Some(Lightmap { texture, intensity: 1.0 }));
    assert_eq!(by_extension.lightmap, slot(TextureKind::LIGHTMAP, "room_lm1.png"));
    assert_eq!(by_extension.vertices[0].lightmap_uv, [0.25, 0.75]);
    assert_eq!(by_extension.vertices[0].color, [255; 3], "the game shows no colors under a lightmap");
    let by_glow = lightmapped(|material, texture| {
        (material.emissive, material.emissive_texture) = ([1.0; 3], Some(texture));
    });
    assert_eq!(by_glow, by_extension);
}

#[test]
fn vertex_light_is_halved_in_display_space() {
    let mut scene = Scene::new("made");
    let wall = material(&mut scene, "wall", "wall.jpg");
    let gray = scene::color::srgb_to_linear(0.4);
    let mut colors = vec![[gray, gray, 0.0, 1.0]; 6];
    colors[0] = [1.0; 4];
    show(&mut scene, "a", Primitive { colors: Some(colors), ..square(wall) });
    let (room, report) = room_of(&scene);
    let found: Vec<_> = room.surfaces[0].vertices.iter().map(|vertex| vertex.color).collect();
    assert_eq!(found[..3], [[128; 3], [51, 51, 0], [51, 51, 0]]);
    let message = "bright vertex colors become 128 of 255: COLOR_0 cannot express their brightness (1)";
    assert_eq!(single_warning(&report, &warning::NOT_KEPT)[0], message);
}

#[test]
fn texture_transforms_are_applied_to_coordinates() {
    let mut scene = Scene::new("made");
    let wall = material(&mut scene, "wall", "wall.jpg");
    let moved = UvTransform { offset: [0.5, 0.0], rotation: std::f32::consts::FRAC_PI_2, scale: [2.0, 4.0] };
    scene.materials[wall.0].base_color_texture.as_mut().unwrap().transform = Some(moved);
    show(&mut scene, "a", square(wall));
    let [u, v] = room_of(&scene).0.surfaces[0].vertices[1].texture_uv;
    assert!((u - 4.5).abs() < 1e-6 && (v + 2.0).abs() < 1e-6, "{u} {v}");
}

#[test]
fn lights_become_light_entities() {
    let mut scene = Scene::new("made");
    let mut shine = |kind, intensity, range| {
        let light = scene.add_light(Light {
            kind,
            intensity,
            range,
            color: [1.0, 0.0, 0.214_041],
            ..Light::default()
        });
        let rotation = Quat::from_rotation_x(-1_f32.to_radians());
        scene.add_root(Node { translation: Vec3::Z, rotation, light: Some(light), ..Node::named("Lamp") });
    };
    shine(LightKind::Point, 16.0, None);
    let (inner_cone, outer_cone) = (10_f32.to_radians(), 20_f32.to_radians());
    shine(LightKind::Spot { inner_cone, outer_cone }, 5000.0, Some(2.0));
    shine(LightKind::Directional, 1.0, None);
    let (room, report) = room_of(&scene);
    let lamp = Entity::Light(class::Light {
        position: [0.0, 0.0, -256.0],
        range: 1024.0,
        color: "255 0 127".into(),
        intensity: 1.0,
        ..class::Light::default()
    });
    let spot = Entity::Spotlight(Spotlight {
        position: [0.0, 0.0, -256.0],
        range: 512.0,
        color: "255 0 127".into(),
        intensity: 2.5,
        angles: "1 0 0".into(),
        inner_cone_angle: 10,
        outer_cone_angle: 20,
    });
    assert_eq!(room.entities(), [lamp, spot]);
    assert_eq!(single_warning(&report, &warning::LIGHT_CONVERTED).len(), 2);
    assert_eq!(
        single_warning(&report, &warning::IMPORT_LOST),
        ["directional lights are not supported by rooms (1)"]
    );
}

#[test]
fn collision_and_trigger_boxes_are_recognized_by_name() {
    let mut scene = Scene::new("made");
    let wall = material(&mut scene, "wall", "wall.jpg");
    show(&mut scene, "fence-colonly.002", square(wall));
    show(&mut scene, "trigger_173scene_end", square(wall));
    let (room, _) = room_of(&scene);
    assert!(room.surfaces.is_empty());
    assert_eq!(room.collision().len(), 1);
    assert_eq!(room.collision()[0].vertices[1], [256.0, 0.0, -0.0]);
    assert_eq!(
        (room.header, room.triggers()[0].name.clone()),
        (Header::HasTriggerBox, "173scene_end".into())
    );
}

#[test]
fn fields_written_by_hand_need_no_position() {
    let mut scene = Scene::new("made");
    let mut extras = scene::Extras::new();
    extras.insert("entity".into(), json::json!({ "class": "model", "file": "lamp.x", "mass": 3 }));
    scene.add_root(Node { translation: Vec3::X, scale: Vec3::splat(2.0), extras, ..Node::named("my lamp") });
    let (room, report) = room_of(&scene);
    let [Entity::Model(Model { position, rotation, scale, .. })] = room.entities() else {
        panic!("one model")
    };
    assert_eq!((*position, *scale), ([256.0, 0.0, -0.0], [2.0; 3]));
    assert!(Vec3::from(*rotation).abs_diff_eq(Vec3::ZERO, 1e-6));
    assert_eq!(
        single_warning(&report, &warning::IMPORT_LOST),
        ["fields of entities are not supported by rooms (1)"]
    );
}

#[test]
fn a_changed_image_takes_precedence_over_the_extras() {
    let mut scene = scene_of(&room_with(
        vec![surface(slot(TextureKind::OPAQUE, "wall.jpg"), slot(TextureKind::OPAQUE, ""), [255; 3])],
        Vec::new(),
    ));
    let brick = texture(&mut scene, "brick");
    scene.materials[0].base_color_texture = Some(TextureRef::new(brick));
    let (room, report) = room_of(&scene);
    assert_eq!(room.surfaces[0].texture, slot(TextureKind::OPAQUE, "brick.png"));
    assert_eq!(
        single_warning(&report, &warning::TEXTURE_CHANGED),
        ["the material \"wall.jpg\" now uses \"brick.png\"; the texture was \"wall.jpg\""]
    );
}

#[test]
fn unsupported_features_are_reported() {
    let mut scene = Scene::new("made");
    let wall = material(&mut scene, "wall", "wall.jpg");
    let glow = Material {
        emissive: [1.0; 3],
        metallic: 1.0,
        base_color: [0.5; 4],
        ..scene.materials[wall.0].clone()
    };
    scene.materials[wall.0] = glow;
    let mut square = square(wall);
    square.uvs.extend([vec![[0.0; 2]; 6], vec![[0.0; 2]; 6]]);
    show(&mut scene, "a", square);
    let read = Read { scene, left_out: vec![scene::gltf::Omission { what: "animations".into(), count: 2 }] };
    let (_, report) = pack(&read, "rmesh", &[]).unwrap();
    let mut messages = single_warning(&report, &warning::IMPORT_LOST);
    messages.sort();
    assert_eq!(
        messages,
        [
            "animations are not supported by rooms (2)",
            "base colors of materials are not supported by rooms (1)",
            "emission of materials are not supported by rooms (1)",
            "metals are not supported by rooms (1)",
            "texture coordinate sets after the second are not supported by rooms (1)",
        ]
    );
}

#[test]
fn a_surface_with_too_many_vertices_is_divided() {
    let mut scene = Scene::new("made");
    let wall = material(&mut scene, "wall", "wall.jpg");
    let positions: Vec<[f32; 3]> = (0..70_002).map(|x| [x as f32, 0.0, 0.0]).collect();
    let indices: Vec<u32> = (0..70_002).collect();
    let primitive = Primitive { positions, indices, material: Some(wall), ..Primitive::default() };
    show(&mut scene, "a", primitive.clone());
    show(&mut scene, "b-colonly", primitive);
    let (room, report) = room_of(&scene);
    assert_eq!(
        single_warning(&report, &warning::SURFACE_DIVIDED),
        ["70002 vertices, but the game can index only 65535: divided into 2 surfaces"]
    );
    let counts: Vec<_> =
        room.surfaces.iter().map(|surface| (surface.vertices.len(), surface.triangles.len())).collect();
    assert_eq!(counts, [(65_535, 21_845), (4467, 1489)]);
    let collision: Vec<_> = room.collision().iter().map(|surface| surface.triangles.len()).collect();
    assert_eq!(collision, [21_845, 1489]);
    assert!(room.surfaces.iter().all(|surface| surface.texture == slot(TextureKind::OPAQUE, "wall.jpg")));
}

#[test]
fn refuses_a_name_outside_the_charset() {
    let mut scene = Scene::new("made");
    let wall = material(&mut scene, "wall", "стена.png");
    show(&mut scene, "a", square(wall));
    let error = RMesh::from_scene(&scene, None, &mut Report::new()).unwrap_err().to_string();
    assert!(error.starts_with("the material \"wall\": \"стена.png\" cannot be encoded"), "{error}");
}

#[test]
fn a_plain_or_missing_material_becomes_a_surface_without_texture() {
    let mut scene = Scene::new("made");
    let plain = scene.add_material(Material { shading: Shading::Unlit, ..Material::default() });
    show(&mut scene, "a", square(plain));
    show(&mut scene, "b", Primitive { material: None, ..square(plain) });
    for surface in &room_of(&scene).0.surfaces {
        assert_eq!(
            (&surface.texture, &surface.lightmap),
            (&slot(TextureKind::OPAQUE, ""), &slot(TextureKind::OPAQUE, ""))
        );
    }
}

#[test]
fn refuses_a_mesh_with_too_many_instances_before_allocating() {
    let primitive =
        Primitive { positions: vec![[0.0; 3]; 1000], indices: vec![0; 3000], ..Primitive::default() };
    let shown = |times: usize, name: &str| {
        let mut scene = Scene::default();
        let mesh = scene.add_mesh(Mesh { primitives: vec![primitive.clone()], ..Mesh::default() });
        for number in 0..times {
            let node = Node { name: format!("{name}{number}"), mesh: Some(mesh), ..Node::default() };
            scene.add_root(node);
        }
        RMesh::from_scene(&scene, None, &mut Report::new())
    };
    for name in ["wall_", "trigger_", "wall-colonly_"] {
        assert!(shown(100, name).is_ok());
        let error = shown(20_000, name).unwrap_err();
        assert_eq!(error.kind(), Kind::Limit, "{name}: {error}");
    }
}

#[test]
fn the_direction_of_a_player_start_round_trips() {
    let start = |angles: &str| {
        let position = [256.0, 0.0, 0.0];
        room_with(Vec::new(), vec![Entity::PlayerStart(PlayerStart { position, angles: angles.into() })])
    };
    let room = start("10 90 0");
    let mut scene = scene_of(&room);
    let node = scene.nodes.iter().position(|node| node.name == "playerstart_0").unwrap();
    // The game's yaw rotates from its Z, which is -Z here, toward -X.
    let ahead = scene.nodes[node].rotation * Vec3::NEG_Z;
    assert!(ahead.x < -0.9, "{ahead}");
    assert_eq!(room_of(&scene).0, room, "an unchanged rotation keeps its text");
    scene.nodes[node].rotation = Quat::from_rotation_y(-std::f32::consts::FRAC_PI_2);
    assert_eq!(room_of(&scene).0, start("0 -90 0"));
    // Invalid angles mean no rotation and are kept.
    let room = start("somewhere");
    let scene = scene_of(&room);
    assert_eq!(room_of(&scene).0, room);
}
