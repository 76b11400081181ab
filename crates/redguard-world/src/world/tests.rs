//! The sample island as a scene, and scenes of maps with missing files.

use std::sync::Arc;

use asset::{Charset, Context, Install, MemorySink, Options, Report, Target};
use files::layer::MemoryLayer;
use glam::{Affine3A, Vec3};
use json::Value;
use record::{Result, Source};
use scene::{Node, Scene, Shading};

mod held;
mod light;
mod solid;

use super::format::FORMAT;
use super::scene::scene;
use crate::map::Map;
use crate::map::assembled::AssembledSection;
use redguard_files::settings::ini::world::{World, Worlds};

const MAP: &str = "maps/ISLAND.RGM";

type Files = Vec<(String, Vec<u8>)>;

fn sample() -> Files {
    let mut sink = MemorySink::new();
    crate::sample::write(&mut sink).unwrap();
    sink.files().to_vec()
}

fn change(files: &mut Files, path: &str, change: impl FnOnce(Vec<u8>) -> Vec<u8>) {
    let file = files.iter_mut().find(|(name, _)| name == path).unwrap();
    file.1 = change(std::mem::take(&mut file.1));
}

/// Returns the scene of the map in a game with these files, and the warnings.
fn try_convert(files: &Files, given: &[(&str, &str)]) -> (Result<Scene>, Report) {
    let files = files.iter().map(|(path, bytes)| (path.clone(), Source::from(bytes.clone())));
    let layer = MemoryLayer::new("game", files).unwrap();
    let install = Install::new(vec![Arc::new(layer)]).with_game("redguard", Charset::Cp437);
    let given: Vec<_> = given.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    let options = Options::parse(FORMAT.options, &given).unwrap();
    let location = install.find(MAP).found().unwrap().location;
    let map = Map::read(&install.open(&location).unwrap().read_all().unwrap()).unwrap();
    let context = Context { install: &install, location: Some(location), options: &options };
    let mut report = Report::new();
    let made = scene(&map, &context, &Target::new("it", 1.0), &mut report);
    if let Ok(scene) = &made {
        // The scene can be written.
        scene::gltf::write_glb(scene).unwrap();
    }
    (made, report)
}

/// Returns the scene of the sample map.
fn convert(given: &[(&str, &str)]) -> Scene {
    let (scene, report) = try_convert(&sample(), given);
    assert!(report.is_empty(), "{report:?}");
    scene.unwrap()
}

fn extras(node: &Node) -> Value {
    match &node.packed_extras {
        Some(packed) => json::to_value(packed).unwrap(),
        None => Value::Object(node.extras.clone()),
    }
}

/// Returns the nodes of a layer's records, in order.
fn records<'s>(scene: &'s Scene, layer: &str) -> Vec<&'s Node> {
    let is_record = |node: &&Node| {
        let extras = extras(node);
        extras["layer"] == layer && extras["link"].is_null() && extras["terminal"].is_null()
    };
    scene.nodes.iter().filter(is_record).collect()
}

fn named<'s>(scene: &'s Scene, name: &str) -> &'s Node {
    scene.nodes.iter().find(|node| node.name == name).unwrap_or_else(|| panic!("no {name}"))
}

fn children<'s>(scene: &'s Scene, node: &Node) -> Vec<&'s Node> {
    node.children.iter().map(|child| &scene.nodes[child.0]).collect()
}

#[test]
fn each_record_has_a_node_in_its_layer() {
    let scene = convert(&[]);
    let [root] = scene.roots[..] else { panic!("one root") };
    let root = &scene.nodes[root.0];
    assert_eq!(root.name, "ISLAND");
    let layers: Vec<&str> = children(&scene, root).into_iter().map(|node| node.name.as_str()).collect();
    assert_eq!(layers, ["objects", "statics", "ropes", "flats", "lights", "markers", "TERRAIN"]);
    let about = extras(root);
    assert_eq!((&about["world"], &about["palette"]), (&1.into(), &"fxart/ISLAND.COL".into()));
    assert_eq!((&about["terrain"], &about["map"]), (&"maps/ISLAND.WLD".into(), &"ISLAND".into()));
    let map = crate::sample::map_of_island();
    let expected = [
        ("objects", map.placements().len()),
        ("statics", map.statics().len()),
        ("ropes", map.ropes().len()),
        ("flats", map.flats().len()),
        ("lights", map.lights().len()),
        ("markers", map.markers().len()),
        ("terrain", 1),
        ("walk", 0),
        ("visibility", 0),
        ("collision", 0),
        ("sky", 0),
    ];
    for (layer, count) in expected {
        assert_eq!(records(&scene, layer).len(), count, "{layer}");
    }
}

#[test]
fn the_root_contains_the_requested_palette() {
    let root = |scene: &Scene| extras(&scene.nodes[scene.roots[0].0]);
    let colors = |scene: &Scene| -> Vec<String> {
        let palette = |it: &scene::Material| it.extras.get("palette").map(ToString::to_string);
        scene.materials.iter().filter_map(palette).collect()
    };
    let scene = convert(&[("palette", "SKY001")]);
    assert_eq!(root(&scene)["palette"], "fxart/SKY001.COL");
    assert!(colors(&scene).iter().all(|used| used.contains("SKY001")));
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mine.col");
    let file = sample().into_iter().find(|(name, _)| name == "fxart/ISLAND.COL").unwrap().1;
    std::fs::write(&path, file).unwrap();
    let scene = convert(&[("palette", path.to_str().unwrap())]);
    assert_eq!(root(&scene)["palette"], "mine.col");
    let error = try_convert(&sample(), &[("palette", "NOTHING.COL")]).0.unwrap_err();
    assert!(error.to_string().contains("NOTHING.COL"), "{error}");
}

#[test]
fn layers_are_added_and_omitted() {
    let scene = convert(&[("with", "walk,visibility,collision,sky"), ("without", "statics,flats,terrain")]);
    let count = |layer: &str| records(&scene, layer).len();
    for layer in ["statics", "flats", "terrain"] {
        assert_eq!(count(layer), 0, "{layer}");
    }
    // The sky, the sun and its light.
    assert_eq!((count("walk"), count("sky")), (1, 3));
    assert!(count("visibility") > 1 && count("collision") > 0);
    let spheres = scene.nodes.iter().filter(|node| node.name.ends_with("-colonly")).count();
    assert!(spheres >= count("collision"), "{spheres}");
    let walk = records(&scene, "walk")[0];
    let mesh = &scene.meshes[walk.mesh.unwrap().0];
    assert_eq!(mesh.primitives[0].indices, [0, 1, 1, 2]);
}

#[test]
fn instances_of_a_model_share_a_mesh() {
    let scene = convert(&[]);
    let crates: Vec<_> =
        records(&scene, "statics").into_iter().filter(|it| it.name.contains("CRATE01")).collect();
    assert!(crates.len() > 1 && crates.iter().all(|it| it.mesh == crates[0].mesh && it.mesh.is_some()));
    let barrels: Vec<_> =
        records(&scene, "objects").into_iter().filter(|it| it.name.contains("BARREL")).collect();
    assert!(barrels.len() > 1 && barrels.iter().all(|it| it.mesh == barrels[0].mesh && it.mesh.is_some()));
    assert_eq!(barrels[0].name, "B_001_BARREL");
}

#[test]
fn instances_have_the_transforms_of_separate_nodes() {
    let (plain, shared) = (convert(&[]), convert(&[("instancing", "")]));
    let mut expected: Vec<String> =
        records(&plain, "statics").into_iter().map(|node| format!("{:?}", node.to_parent())).collect();
    let groups: Vec<&Node> = shared.instances.keys().map(|node| &shared.nodes[node.0]).collect();
    let instances = shared.instances.values().flatten();
    let mut found: Vec<String> = instances.map(|it| format!("{:?}", it.to_node())).collect();
    expected.sort();
    found.sort();
    assert_eq!(expected, found);
    assert!(groups.len() < expected.len());
    let indices = groups.iter().map(|node| extras(node)["indices"].as_array().unwrap().len()).sum::<usize>();
    assert_eq!(indices, expected.len());
}

#[test]
fn positions_and_rotations_match_the_game() {
    let map = crate::sample::map_of_island();
    for (axes, signs) in [("rgpre", [-1.0, -1.0, 1.0]), ("yflip", [1.0, -1.0, -1.0]), ("raw", [1.0; 3])] {
        let scene = convert(&[("axes", axes)]);
        for (node, it) in records(&scene, "objects").into_iter().zip(map.placements()) {
            let [x, y, z] = it.position.map(|number| f64::from(number) / 256.0);
            let expected = [x, y, z - 65_536.0].map(|number| (number / 20.0) as f32);
            let expected = Vec3::from(expected) * Vec3::from(signs);
            assert!(node.translation.distance(expected) < 1e-3, "{axes} {}", node.name);
            // A quarter turn to the right: forward becomes right, seen from above, for all axes.
            if it.angles == [0, 512, 0] {
                let turn = Affine3A::from_quat(node.rotation);
                let forward = turn.transform_vector3(Vec3::from([0.0, 0.0, 1.0]) * Vec3::from(signs));
                let expected = Vec3::from([-1.0, 0.0, 0.0]) * Vec3::from(signs);
                assert!(forward.distance(expected) < 1e-5, "{axes} {forward}");
            }
        }
    }
}

#[test]
fn ropes_hang_link_by_link() {
    let scene = convert(&[]);
    let rope = records(&scene, "ropes")[0];
    let parts = children(&scene, rope);
    let links: Vec<f32> =
        parts.iter().filter(|it| extras(it)["link"].is_u64()).map(|it| it.translation.y).collect();
    assert_eq!(links.len(), 6);
    // 16 world units are 0.8 m, and the first link is at the rope.
    assert!(links.iter().enumerate().all(|(number, y)| (y + 0.8 * number as f32).abs() < 1e-5), "{links:?}");
    let end = parts.iter().find(|it| extras(it)["terminal"] == true).unwrap();
    assert!((end.translation.y + 4.8).abs() < 1e-5);
    assert!(parts.iter().all(|it| it.mesh.is_some()));
}

#[test]
fn only_lit_lights_become_lights() {
    let scene = convert(&[]);
    let lights = records(&scene, "lights");
    assert!(lights[0].light.is_some());
    // It darkens.
    assert_eq!((lights[1].light, &extras(lights[1])["rgb"]), (None, &json::json!([-40, -40, -20])));
    let lamp = records(&scene, "objects").into_iter().find(|it| it.name.ends_with("LAMP")).unwrap();
    let light = &scene.lights[lamp.light.unwrap().0];
    assert!((light.range.unwrap() - 12.5).abs() < 1e-5);
    // The light has its full color at a 16th of its radius.
    let full = 12.5_f32 / 16.0;
    assert!((light.intensity - std::f32::consts::PI * full * full).abs() < 1e-5);
}

#[test]
fn a_billboard_has_the_size_of_the_game_and_faces_the_camera() {
    let scene = convert(&[]);
    let flat = records(&scene, "flats")[0];
    let mesh = &scene.meshes[flat.mesh.unwrap().0];
    // 64 texels of a world unit each.
    assert_eq!(mesh.primitives[0].positions[0], [1.6, 1.6, 0.0]);
    let about = extras(flat);
    assert_eq!(
        (&about["alpha"], &about["draw_flags"], &about["billboard"]),
        (&201.into(), &3.into(), &true.into())
    );
    let material = &scene.materials[mesh.primitives[0].material.unwrap().0];
    assert_eq!(material.alpha, scene::AlphaMode::Blend);
}

#[test]
fn each_group_of_an_actor_is_a_clip_that_animates_all_its_instances() {
    let mut files = sample();
    change(&mut files, MAP, |bytes| {
        let mut assembled = Map::read(&bytes).unwrap().assemble();
        for section in &mut assembled.sections {
            if let AssembledSection::Placements(it) = section {
                let mut second = it.records[0].clone();
                second.position[0] += 256 * 100;
                it.records.push(second);
            }
        }
        assembled.split().unwrap().write().unwrap()
    });
    let scene = try_convert(&files, &[]).0.unwrap();
    let clips: Vec<&str> = scene.animations.iter().map(|clip| clip.name.as_str()).collect();
    assert!(clips.contains(&"KEEPER: anim_idle1") && clips.contains(&"KEEPER: anim_panic"), "{clips:?}");
    let walk = scene.animations.iter().find(|clip| clip.name == "KEEPER: anim_idle1").unwrap();
    let moved: Vec<_> = walk.tracks.iter().flat_map(scene::Track::targets).collect();
    assert_eq!(moved.len(), 2);
    let none = try_convert(&files, &[("clips", "none")]).0.unwrap();
    assert!(none.animations.is_empty());
    assert!(none.meshes.iter().any(|mesh| !mesh.target_names.is_empty()));
}

/// Returns the light for a normal by the game's formula, with integers where the game uses them: no tables, no shared code.
fn lit(world: &World, normal: [f64; 3], brightness: f64) -> [f64; 3] {
    let turn = |angle: i32| f64::from(angle) * std::f64::consts::TAU / 2048.0;
    let parts = [turn(world.sun_angle).sin(), turn(world.sun_angle).cos(), turn(world.sun_skew).sin()];
    let parts = parts.map(|part| (16_000.0 * part).trunc());
    let length = parts.iter().map(|part| part * part).sum::<f64>().sqrt();
    let facing: f64 = parts.iter().zip(normal).map(|(part, normal)| part / length * normal).sum();
    let share = (-facing).max(0.0);
    std::array::from_fn(|channel| {
        let light = f64::from(world.ambient[channel]) + brightness + share * f64::from(world.sun[channel]);
        light.clamp(0.0, 255.0)
    })
}

/// Converts a vertex color to the game's light.
fn light_of(color: [f32; 4]) -> [f64; 3] {
    [color[0], color[1], color[2]]
        .map(|channel| f64::from(scene::color::linear_to_srgb(channel)) * 256.0 - 1.0)
}

fn world_of(files: &Files) -> World {
    let ini = files.iter().find(|(name, _)| name == "WORLD.INI").unwrap();
    let ini = media::ini::Ini::read(&Source::from(ini.1.clone()), Charset::Cp437).unwrap();
    Worlds::read(&ini).get(1).unwrap().clone()
}

#[test]
fn baked_terrain_light_matches_the_formula() {
    let world = world_of(&sample());
    let scene = convert(&[("light", "baked"), ("without", "objects,statics,ropes,flats,lights,markers")]);
    let mut compared = 0;
    for primitive in scene.meshes.iter().flat_map(|mesh| &mesh.primitives) {
        let (normals, colors) = (primitive.normals.as_ref().unwrap(), primitive.colors.as_ref().unwrap());
        for (normal, color) in normals.iter().zip(colors) {
            // From the scene's axes to the game's.
            let [x, y, z] = normal.map(f64::from);
            let expected = lit(&world, [-x, -y, z], 0.0);
            let found = light_of(*color);
            // The game's normals are quantized: up to a 64th of the sunlight is lost, and the fraction is truncated.
            assert!(
                found
                    .iter()
                    .zip(expected)
                    .all(|(found, expected)| *found < expected + 0.6 && *found > expected - 6.0),
                "{found:?} {expected:?}"
            );
            compared += 1;
        }
        let material = &scene.materials[primitive.material.unwrap().0];
        assert_eq!(material.shading, Shading::Unlit);
    }
    assert!(compared > 60_000, "{compared}");
}

#[test]
fn baked_model_light_matches_the_formula_and_includes_near_lights() {
    let world = world_of(&sample());
    let only_statics = [("light", "baked"), ("without", "objects,ropes,flats,lights,markers,terrain")];
    let mut files = sample();
    let without_lights = |bytes: Vec<u8>| {
        let mut assembled = Map::read(&bytes).unwrap().assemble();
        for section in &mut assembled.sections {
            match section {
                AssembledSection::Lights(it) => it.records.clear(),
                AssembledSection::Placements(it) => it.records.retain(|placement| placement.kind == 1),
                _ => {}
            }
        }
        assembled.split().unwrap().write().unwrap()
    };
    let lit_scene = try_convert(&files, &only_statics).0.unwrap();
    change(&mut files, MAP, without_lights);
    let scene = try_convert(&files, &only_statics).0.unwrap();
    let sum = |scene: &Scene| {
        let colors =
            scene.meshes.iter().flat_map(|mesh| &mesh.primitives).flat_map(|it| it.colors.as_ref().unwrap());
        colors.map(|color| color[0]).sum::<f32>()
    };
    assert!((sum(&lit_scene) - sum(&scene)).abs() > 0.01, "the lights of the map have an effect");
    for node in records(&scene, "statics") {
        let mesh = &scene.meshes[node.mesh.unwrap().0];
        // Faces without an image are also tinted by their color.
        let is_textured =
            |it: &&scene::Primitive| scene.materials[it.material.unwrap().0].base_color_texture.is_some();
        for primitive in mesh.primitives.iter().filter(is_textured) {
            let colors = primitive.colors.as_ref().unwrap();
            let vertex = |corner: u32| Vec3::from(primitive.positions[usize::try_from(corner).unwrap()]);
            let (triangles, _) = primitive.indices.as_chunks::<3>();
            // Flat-shaded models have no stored normals.
            let corners = triangles.iter().flat_map(|[a, b, c]| {
                let flat = (vertex(*b) - vertex(*a)).cross(vertex(*c) - vertex(*a)).normalize();
                [a, b, c].map(|corner| {
                    let corner = usize::try_from(*corner).unwrap();
                    let own = primitive.normals.as_ref().map(|normals| Vec3::from(normals[corner]));
                    (own.unwrap_or(flat), colors[corner])
                })
            });
            for (normal, color) in corners {
                let [x, y, z] = (node.rotation * normal * node.scale.signum()).to_array().map(f64::from);
                let expected = lit(&world, [-x, -y, z], 0.0);
                let found = light_of(color);
                // Flat faces may deviate from their stored normals by five degrees.
                let near = if primitive.normals.is_some() { 2.0 } else { 14.0 };
                let is_near = |(found, expected): (&f64, f64)| (found - expected).abs() < near;
                assert!(found.iter().zip(expected).all(is_near), "{}: {found:?} {expected:?}", node.name);
            }
        }
    }
}

#[test]
fn a_map_with_missing_or_damaged_files_is_converted() {
    for missing in [
        "fxart/ISLAND.ROB",
        "maps/ISLAND.WLD",
        "fxart/TEXBSI.352",
        "fxart/TEXBSI.302",
        "fxart/WALKER01.3DC",
        "WORLD.INI",
    ] {
        let mut files = sample();
        files.retain(|(name, _)| name != missing);
        let (scene, report) = try_convert(&files, &[("with", "sky,visibility"), ("light", "baked")]);
        let scene = scene.unwrap_or_else(|error| panic!("{missing}: {error}"));
        assert_eq!(
            records(&scene, "statics").len(),
            crate::sample::map_of_island().statics().len(),
            "{missing}"
        );
        if missing.ends_with("ROB") {
            let codes: Vec<_> = report.iter().map(|it| it.code.id).collect();
            assert!(codes.contains(&"RGM-W019"), "{codes:?}");
            let unresolved = &extras(named(&scene, "S000_CRATE01"))["unresolved"];
            assert_eq!(unresolved, "CRATE01");
        }
    }
    for damaged in
        ["fxart/ISLAND.ROB", "maps/ISLAND.WLD", "fxart/WALKER01.3DC", "fxart/SKY001.BSI", "maps/ISLAND.PVO"]
    {
        let mut files = sample();
        change(&mut files, damaged, |bytes| bytes[..bytes.len() / 3].to_vec());
        let (scene, report) = try_convert(&files, &[("with", "sky,visibility")]);
        assert!(scene.is_ok(), "{damaged}: {scene:?}");
        assert!(!report.is_empty(), "{damaged}");
    }
}

#[test]
fn refuses_the_world_of_another_map() {
    let error = try_convert(&sample(), &[("world", "7")]).0.unwrap_err();
    assert!(error.to_string().contains("the map does not belong to world 7 (its worlds: 1)"), "{error}");
    let scene = convert(&[("world", "1")]);
    assert_eq!(extras(&scene.nodes[scene.roots[0].0])["world"], 1);
}

#[test]
fn many_instances_of_a_model_share_its_mesh() {
    let mut files = sample();
    change(&mut files, MAP, |bytes| {
        let mut assembled = Map::read(&bytes).unwrap().assemble();
        for section in &mut assembled.sections {
            if let AssembledSection::Statics(it) = section {
                it.records = vec![it.records[0].clone(); 20_000];
            }
        }
        assembled.split().unwrap().write().unwrap()
    });
    let scene = try_convert(&files, &[]).0.unwrap();
    assert_eq!(records(&scene, "statics").len(), 20_000);
    assert!(scene.meshes.len() < 100);
}

fn actor(name: &str, more: &[(&str, &str)]) -> (Result<Scene>, Report) {
    let given: Vec<_> = std::iter::once(("actor", name)).chain(more.iter().copied()).collect();
    try_convert(&sample(), &given)
}

#[test]
fn an_actor_is_a_scene_with_a_clip_for_each_group() {
    let scene = actor("keeper", &[]).0.unwrap();
    let names: Vec<_> = scene.nodes.iter().map(|node| node.name.as_str()).collect();
    assert_eq!(names, ["KEEPER", "WALKER01"]);
    let clips: Vec<_> = scene.animations.iter().map(|clip| clip.name.as_str()).collect();
    assert_eq!(clips, ["anim_panic", "anim_idle1"]);
    let walk = &scene.animations[1];
    let [weights] = &walk.tracks[..] else { panic!() };
    // Twelve frames of two ticks, twice, and the end of the last one.
    assert_eq!((weights.times.len(), weights.values.len()), (25, 25 * 12));
    let last = weights.times.last().unwrap();
    assert!((last - 48.0 / 12.14).abs() < 1e-4, "{last}");
    assert_eq!(weights.values[..12].iter().position(|weight| *weight > 0.5), Some(0));
    assert_eq!(walk.extras["events"].as_array().unwrap().len(), 2);
    assert_eq!(walk.extras["loop"], true);
}

#[test]
fn converts_a_static_object_and_refuses_unknown_names() {
    let scene = actor("BARREL", &[]).0.unwrap();
    assert_eq!((scene.animations.len(), scene.meshes.len()), (0, 1));
    let unknown = actor("KEPER", &[]).0.unwrap_err().to_string();
    assert!(unknown.contains("no object called \"KEPER\"; did you mean \"KEEPER\"?"), "{unknown}");
    let lamp = actor("LAMP", &[]).0.unwrap_err().to_string();
    assert!(lamp.contains("LAMP has no models"), "{lamp}");
}

#[test]
fn a_mirrored_static_shows_the_same_faces() {
    // The game culls by the stored normal of a face, which the matrix transforms with the model, so the outside remains outside. A glTF
    // viewer does the same: it reverses the winding order of mirrored meshes.
    let mut files = sample();
    change(&mut files, MAP, |bytes| {
        let matrix = Map::read(&bytes).unwrap().statics()[0].matrix;
        let words =
            |matrix: [i32; 9]| matrix.iter().flat_map(|number| number.to_le_bytes()).collect::<Vec<_>>();
        let mut mirrored = matrix;
        mirrored.iter_mut().step_by(3).for_each(|number| *number = -*number);
        let at = bytes.windows(36).position(|found| found == words(matrix)).unwrap();
        [&bytes[..at], &words(mirrored), &bytes[at + 36..]].concat()
    });
    let (plain, scene) = (convert(&[]), try_convert(&files, &[]).0.unwrap());
    let shown = |scene: &Scene| {
        let (id, matrix) = scene
            .world_transforms()
            .into_iter()
            .find(|(id, _)| scene.nodes[id.0].name.starts_with("S000_"))
            .unwrap();
        (matrix.matrix3.determinant(), scene.nodes[id.0].mesh.map(|mesh| scene.meshes[mesh.0].clone()))
    };
    let ((upright, mesh), (mirrored, same)) = (shown(&plain), shown(&scene));
    assert!(upright > 0.0 && mirrored < 0.0, "{upright} {mirrored}");
    assert!(mesh.is_some() && mesh == same);
}
