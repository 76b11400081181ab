//! Conversion of meshes and materials, and reports of defects.

use asset::{Asset, Context, FolderSink, Guard, Options, Overwrite, Probe, Report, Score, Sink};
use scene::image::{Rgba8, encode_png};
use scene::{AlphaMode, Primitive, Scene, Shading};

use super::{assert_has, check, messages, read, scene, text};
use crate::x::{FORMAT, XFile, to_scene};

/// A triangle of one meter whose front faces -Z in the file.
const TRIANGLE: &str = "3; 0;0;0;, 0;256;0;, 256;0;0;; 1; 3;0,1,2;;";

fn only_primitive(scene: &Scene) -> &Primitive {
    let [mesh] = scene.meshes.as_slice() else { panic!("{} meshes", scene.meshes.len()) };
    let [primitive] = mesh.primitives.as_slice() else { panic!("{} parts", mesh.primitives.len()) };
    primitive
}

#[test]
fn converts_faces_to_fans_in_meters_and_keeps_their_fronts() {
    let (scene, messages) =
        scene("Mesh m { 4; 0;0;512;, 0;256;512;, 256;256;512;, 256;0;512;; 1; 4;0,1,2,3;; }");
    assert_eq!(messages, [""; 0]);
    let part = only_primitive(&scene);
    assert_eq!(part.positions, [[0.0, 0.0, -2.0], [0.0, 1.0, -2.0], [1.0, 1.0, -2.0], [1.0, 0.0, -2.0]]);
    assert_eq!(part.indices, [0, 2, 1, 0, 3, 2]);
    // The face is visible from -Z in the file, so from +Z in glTF.
    assert_eq!(part.normals.as_ref().unwrap(), &[[0.0, 0.0, 1.0]; 4]);
    let [root, node] = scene.nodes.as_slice() else { panic!("{:?}", scene.nodes) };
    assert_eq!((root.name.as_str(), node.name.as_str(), scene.roots.len()), ("model", "m", 1));
}

#[test]
fn corners_with_equal_position_and_normal_share_a_vertex() {
    let mesh = |normals: &str| {
        format!(
            "Mesh {{ 4; 0;0;0;, 0;1;0;, 1;1;0;, 1;0;0;; 2; 3;0,1,2;, 3;0,2,3;; MeshNormals {{ {normals} }} }}"
        )
    };
    let (shared, messages) = scene(&mesh("1; 0;0;-1;; 2; 3;0,0,0;, 3;0,0,0;;"));
    assert_eq!(messages, [""; 0]);
    assert_eq!(only_primitive(&shared).positions.len(), 4);
    assert_eq!(only_primitive(&shared).normals.as_ref().unwrap()[0], [0.0, 0.0, 1.0]);
    let (split, _) = scene(&mesh("2; 0;0;-1;, 0;0.6;-0.8;; 2; 3;0,0,0;, 3;1,1,1;;"));
    assert_eq!(only_primitive(&split).positions.len(), 6);
    // Normals that do not match the faces are recomputed.
    let (recomputed, messages) = scene(&mesh("1; 0;1;0;; 2; 3;0,0,0;, 3;0,0,0;;"));
    assert_has(&messages, "X-N037", "the normals do not match the faces");
    assert_eq!(only_primitive(&recomputed).normals.as_ref().unwrap()[0], [0.0, 0.0, 1.0]);
    // Without normal indices, there is one normal per vertex.
    let (by_vertex, messages) = scene(&mesh("4; 1;0;0;, 0;1;0;, 0;0;1;, 0;-1;0;; 0;"));
    assert_eq!(messages, [""; 0]);
    assert_eq!(only_primitive(&by_vertex).normals.as_ref().unwrap()[2], [0.0, 0.0, -1.0]);
}

#[test]
fn converts_frames_to_nodes_and_a_sheared_one_to_two() {
    let (scene, messages) = scene(&format!(
        "Frame a {{ FrameTransformMatrix {{ 0,0,2,0, 0,1,0,0, -1,0,0,0, 0,-96,256,1;; }}\
         Frame b {{ FrameTransformMatrix {{ 1,0,0,0, 0.5,1,0,0, 0,0,1,0, 0,0,0,1;; }} Mesh {{ {TRIANGLE} }} Mesh c {{ {TRIANGLE} }} }} }}"
    ));
    assert_eq!(messages, [""; 0]);
    let names: Vec<_> = scene.nodes.iter().map(|node| node.name.as_str()).collect();
    assert_eq!(names, ["model", "a", "b", "b inner", "c"]);
    let a = &scene.nodes[1];
    assert_eq!(a.translation.to_array(), [0.0, -0.375, -1.0]);
    assert!(a.scale.abs_diff_eq(glam::Vec3::new(2.0, 1.0, 1.0), 1e-6), "{}", a.scale);
    // The file's X axis becomes its +Z, which is -Z in glTF.
    assert!((a.rotation * glam::Vec3::X).abs_diff_eq(glam::Vec3::NEG_Z, 1e-6));
    assert!(scene.nodes[3].mesh.is_some() && scene.nodes[4].mesh.is_some());
    assert_eq!(scene.nodes[3].children, [scene::NodeId(4)]);
    // A mesh without a name gets the name of its frame.
    assert_eq!(scene.meshes[0].name, "b inner");
}

#[test]
fn a_mesh_referenced_by_several_frames_is_added_once() {
    let (scene, messages) =
        scene(&format!("Mesh m {{ {TRIANGLE} }} Frame a {{ {{ m }} }} Frame b {{ {{ m }} }}"));
    assert_eq!((messages.len(), scene.meshes.len()), (0, 1));
    assert_eq!(scene.nodes.iter().filter(|node| node.mesh.is_some()).count(), 2);
}

#[test]
fn each_material_is_a_primitive_with_only_its_vertices() {
    let mesh = |indexes: &str| {
        format!(
            "Material red {{ 1;0.5;0;1;;5;0.1;0.2;0.3;;0.4;0;0;; }}\
             Mesh {{ 6; 0;0;0;, 0;1;0;, 1;0;0;, 0;0;1;, 0;1;1;, 1;0;1;; 3; 3;0,1,2;, 3;3,4,5;, 3;3,4,2;;\
             MeshMaterialList {{ 3; {indexes} {{ red }} Material {{ 0;0;0;0;;0;0;0;0;;0;0;0;; }} {{ red }} }} }}"
        )
    };
    let (two, messages) = scene(&mesh("3; 0, 1, 2;"));
    assert_eq!(messages, [""; 0]);
    let parts = &two.meshes[0].primitives;
    assert_eq!((parts.len(), parts[0].positions.len(), parts[1].positions.len()), (2, 5, 3));
    let red = &two.materials[parts[0].material.unwrap().0];
    assert_eq!((red.name.as_str(), red.alpha, red.shading), ("red", AlphaMode::Opaque, Shading::Lit));
    assert_eq!(red.base_color, [1.0, scene::color::srgb_to_linear(0.5), 0.0, 1.0]);
    assert_eq!((red.emissive, red.metallic, red.roughness), ([0.0; 3], 0.0, 1.0));
    assert_eq!(red.extras["material"]["power"], 5.0);
    // An alpha of 0 counts as 1.
    assert_eq!(two.materials[parts[1].material.unwrap().0].base_color, [0.0, 0.0, 0.0, 1.0]);
    // The last index applies to the remaining faces.
    let (one, messages) = scene(&mesh("1; 1;"));
    assert_eq!((messages.len(), one.meshes[0].primitives.len()), (0, 1));
    let (rest, _) = scene(&mesh("2; 0, 1;"));
    assert_eq!(rest.meshes[0].primitives[1].indices.len(), 6);
    // Without a list, everything is white.
    let (none, _) = scene(&format!("Mesh {{ {TRIANGLE} }}"));
    assert_eq!(none.materials[0].base_color, [1.0; 4]);
}

#[test]
fn textured_materials_are_white_and_alpha_blends() {
    let (scene, messages) = scene(&format!(
        "Mesh {{ {TRIANGLE} MeshMaterialList {{ 1; 1; 0; Material {{ 0;0;0;0.5;; 0;0;0;0;;0;0;0;; TextureFilename {{ \"D:\\a\\wood.jpg\"; }} }} }} }}"
    ));
    assert_eq!(messages.len(), 1);
    let material = &scene.materials[0];
    assert_eq!((material.base_color, material.alpha), ([1.0, 1.0, 1.0, 0.5], AlphaMode::Blend));
    assert!(material.base_color_texture.is_some());
    // There are no texture coordinates, but a texture needs some.
    assert_eq!(only_primitive(&scene).uvs, [vec![[0.0; 2]; 3]]);
    let (empty, messages) = super::scene(&format!(
        "Mesh {{ {TRIANGLE} MeshMaterialList {{ 1; 1; 0; Material {{ 0;0;0;1;; 0;0;0;0;;0;0;0;; TextureFilename {{ \"\"; }} }} }} }}"
    ));
    assert_eq!((messages.len(), empty.materials[0].base_color), (0, [1.0; 4]));
}

#[test]
fn keeps_texture_coordinates_and_colors_of_vertices() {
    let (scene, messages) = scene(&format!(
        "Mesh {{ {TRIANGLE} MeshTextureCoords {{ 3; 0;1;, 2;-3;, 0.5;0.25;; }}\
         MeshVertexColors {{ 3; 2; 0.5;0;1;1;, 0; 1;1;1;1;, 1; 0;0;0;1;; }}\
         DeclData {{ 2; 1;0;5;1;, 2;0;3;0;; 15; 0, 1065353216, 0,0,3212836864, 1073741824, 0, 0,0,3212836864, 1056964608, 1056964608, 0,0,3212836864; }} }}"
    ));
    assert_eq!(messages, [""; 0]);
    let part = only_primitive(&scene);
    assert_eq!(part.uvs[0], [[0.0, 1.0], [2.0, -3.0], [0.5, 0.25]]);
    assert_eq!(part.uvs[1], [[0.0, 1.0], [2.0, 0.0], [0.5, 0.5]]);
    assert_eq!(part.normals.as_ref().unwrap(), &[[0.0, 0.0, 1.0]; 3]);
    let colors = part.colors.as_ref().unwrap();
    assert_eq!(colors[2], [scene::color::srgb_to_linear(0.5), 0.0, 1.0, 1.0]);
    assert_eq!((colors[0], colors[1]), ([1.0; 4], [0.0, 0.0, 0.0, 1.0]));
}

#[test]
fn reads_vertex_data_in_the_older_form() {
    // Packed colors and one set of texture coordinates; the position is in the mesh.
    let (scene, messages) = scene(&format!(
        "Mesh {{ {TRIANGLE} FVFData {{ 322; 9; 4294901760, 0, 1065353216, 4278255360, 0, 0, 4278190335, 1065353216, 0; }} }}"
    ));
    assert_eq!(messages, [""; 0]);
    let part = only_primitive(&scene);
    assert_eq!(part.uvs, [[[0.0, 1.0], [0.0, 0.0], [1.0, 0.0]]]);
    assert_eq!(part.colors.as_ref().unwrap()[..2], [[1.0, 0.0, 0.0, 1.0], [0.0, 1.0, 0.0, 1.0]]);
}

#[test]
fn reports_defects_of_a_mesh() {
    let messages = |rest: &str| scene(&format!("Mesh {{ {TRIANGLE} {rest} }}")).1;
    let mesh = |mesh: &str| scene(&format!("Mesh {{ {mesh} }}")).1;
    assert_has(
        &mesh("3; 0;0;0;, 0;1;0;, 1;0;0;; 2; 3;0,1,3;, 3;0,1,2;;"),
        "X-W020",
        "a face refers to a vertex beyond the last of 3",
    );
    assert_has(
        &mesh("3; 0;0;0;, 0;nan;0;, 1;0;0;; 1; 3;0,1,2;;"),
        "X-W021",
        "a face has a corner with a non-finite position",
    );
    assert_has(
        &mesh("3; 0;0;0;, 0;1;0;, 1;0;0;; 2; 2;0,1;, 3;0,1,2;;"),
        "MODEL-N007",
        "a face has fewer than three corners",
    );
    assert_has(&mesh("0; 0;"), "X-W051", "no triangles");
    assert_has(&messages("MeshNormals { 1; 0;0;-1;; 1; 3;0,0,9;; }"), "X-W024", "a corner has no normal");
    assert_has(&messages("MeshNormals { 1; 0;0;-1;; 1; 2;0,0;; }"), "X-W024", "a corner has no normal");
    assert_has(&messages("MeshNormals { 1; 0;0;-1;; 0; }"), "X-W024", "normals for 0 faces of 1");
    assert_has(
        &messages("MeshNormals { 2; 0;0;-1;, 0;0;0;; 1; 3;0,1,1;; }"),
        "X-N036",
        "2 corners have a zero-length normal",
    );
    assert_has(
        &messages("MeshTextureCoords { 2; 0;0;, 0;0;; }"),
        "X-W025",
        "2 texture coordinates for 3 vertices",
    );
    assert_has(
        &messages("MeshTextureCoords { 3; 0;0;, nan;0;, 0;0; }"),
        "X-W021",
        "1 vertex has non-finite texture coordinates",
    );
    assert_has(
        &messages("MeshVertexColors { 3; 0;1;1;1;1;, 0;1;1;1;1;, 7;1;1;1;1;; }"),
        "X-W026",
        "of 3 colors, 1 for vertices beyond the last of 3 and 1 repeated; 2 vertices without a color are white",
    );
    assert_has(
        &messages("MeshVertexColors { 3; 0;1;1;1;0.5;, 1;1;1;1;1;, 2;1;1;1;1;; }"),
        "X-N029",
        "1 vertex color has alpha",
    );
    assert_has(
        &messages("MeshVertexColors { 3; 0;nan;1;1;1;, 1;1;1;1;1;, 2;1;1;1;1;; }"),
        "X-W021",
        "1 vertex color is not finite",
    );
    assert_has(
        &messages("MeshMaterialList { 1; 2; 0, 0; Material { 1;1;1;1;;0;0;0;0;;0;0;0;; } }"),
        "X-W027",
        "materials for 2 faces of 1",
    );
    assert_has(
        &messages("MeshMaterialList { 1; 1; 1; Material { 1;1;1;1;;0;0;0;0;;0;0;0;; } }"),
        "X-W027",
        "1 face refers to a material beyond the last of 1",
    );
    assert_has(
        &messages("MeshMaterialList { 1; 1; 0; Material { 1;nan;1;1;;0;0;0;0;;0;0;0;; } }"),
        "X-W021",
        "the face color is not finite",
    );
    assert_has(
        &messages("MeshMaterialList { 2; 1; 0; Material { 1;1;1;1;;0;0;0;0;;0;0;0;; } }"),
        "X-W027",
        "the list declares 2 materials, but has 1",
    );
    assert_has(
        &messages("DeclData { 1; 2;0;6;0;; 9; 0,0,0,0,0,0,0,0,0; }"),
        "X-W028",
        "DeclData contains tangents",
    );
    assert_has(
        &messages("DeclData { 1; 99;0;5;0;; 3; 0,0,0; }"),
        "X-W028",
        "DeclData has 3 words, which does not match 3 vertices",
    );
    assert_has(&messages("DeclData { 1; 1;0;5;0;; 5; 0,0,0,0,0; }"), "X-W028", "DeclData has 5 words");
    assert_has(&messages("FVFData { 32; 0; }"), "X-W028", "FVFData format 0x20 is not supported");
    assert_has(
        &messages("XSkinMeshHeader { 1; 1; 1; } VertexDuplicationIndices { 3; 3; 0,1,2; }"),
        "X-N050",
        "1 VertexDuplicationIndices, 1 XSkinMeshHeader",
    );
    assert_has(
        &scene(&format!("Frame f {{ FrameTransformMatrix {{ 1,0,0,0,0,nan,0,0,0,0,1,0,0,0,0,1;; }} Mesh {{ {TRIANGLE} }} }}")).1,
        "X-W021",
        "the matrix is not finite",
    );
    assert_has(
        &scene(&format!("Light {{ Mesh lost {{ {TRIANGLE} }} }}")).1,
        "X-W052",
        "the mesh \"lost\" is not used by any frame",
    );
}

#[test]
fn mirrored_meshes_are_inside_out_as_in_the_game() {
    let frame = |x: i32| {
        scene(&format!("Frame f {{ FrameTransformMatrix {{ {x},0,0,0,0,1,0,0,0,0,1,0,0,0,0,1;; }} Mesh {{ {TRIANGLE} }} }}")).0
    };
    assert_eq!(only_primitive(&frame(1)).indices, [0, 2, 1]);
    assert_eq!(only_primitive(&frame(-1)).indices, [0, 1, 2]);
}

#[test]
fn accepts_a_matrix_of_zeros() {
    let zeros = vec!["0"; 16].join(",");
    let (scene, messages) =
        scene(&format!("Frame f {{ FrameTransformMatrix {{ {zeros};; }} Mesh {{ {TRIANGLE} }} }}"));
    assert_eq!(messages, [""; 0]);
    assert_eq!(scene.nodes[1].scale.to_array(), [0.0; 3]);
}

#[test]
fn check_reports_degenerate_triangles_and_conversion_defects() {
    let messages = check(
        "Mesh { 4; 0;0;0;, 0;1;0;, 0;2;0;, 1;0;0;; 2; 4;0,1,2,3;, 3;0,1,9;;\
         MeshMaterialList { 1; 1; 0; Material { 1;1;1;1;;0;0;0;0;;0;0;0;; TextureFilename { \"a.png\"; } } } }",
    );
    assert_has(&messages, "MODEL-N004", "1 triangle has zero area");
    assert_has(&messages, "X-W020", "a face refers to a vertex");
    assert_has(&messages, "FILE-W001", "texture \"a.png\" was not found");
}

/// Returns a game folder with these files next to a model.
fn game(files: &[(&str, Vec<u8>)]) -> (tempfile::TempDir, std::path::PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let mut sink = FolderSink::new(folder.path(), Guard::new(Overwrite::Allow).into());
    for (name, bytes) in files {
        sink.put(&format!("GFX/map/Props/{name}"), bytes).unwrap();
    }
    sink.put("GFX/map/Props/model.x", b"here").unwrap();
    sink.finish().unwrap();
    let path = folder.path().join("GFX/map/Props/model.x");
    (folder, path)
}

#[test]
fn looks_up_textures_next_to_the_model() {
    let image_bytes = |alpha: u8| encode_png(&Rgba8::new(2, 2, [[200, 100, 50, alpha]; 4].concat()).unwrap());
    let (_folder, path) = game(&[
        ("Wood.png", image_bytes(255)),
        ("glass.png", image_bytes(99)),
        ("bad.png", b"\x89PNG\r\n\x1a\nno".to_vec()),
        ("stone.png", image_bytes(255)),
    ]);
    let mut objects = String::new();
    let names = [
        "Z:\\me\\wood.png",
        "glass.png",
        "bad.png",
        "stone.bmp",
        "lost.jpg",
        "..\\..\\..\\..\\..\\x.png",
        "GLASS.png",
    ];
    for (number, name) in names.iter().enumerate() {
        let alpha = if number == 6 { 0.5 } else { 1.0 };
        objects.push_str(&format!(
            "Mesh {{ {TRIANGLE} MeshMaterialList {{ 1; 1; 0; Material {{ 1;1;1;{alpha};;0;0;0;0;;0;0;0;; TextureFilename {{ \"{name}\"; }} }} }} }}\n"
        ));
    }
    let (file, mut report) = read(&text(&objects));
    let install = asset::game::install_around(&path, crate::tests::GAMES).unwrap();
    let options = Options::defaults(FORMAT.options);
    let context = Context { install: &install, location: install.location_of(&path), options: &options };
    let scene = to_scene(&file, &context, "model", 1.0, &mut report);
    scene::gltf::write_glb(&scene).unwrap();
    let all = messages(&report);
    assert_has(&all, "MODEL-N001", "the alpha of \"glass.png\" is ignored");
    assert_has(&all, "FILE-W005", "texture \"bad.png\" cannot be read");
    assert_has(&all, "FILE-N004", "texture \"stone.bmp\" was not found; using \"stone.png\" instead");
    assert_has(&all, "FILE-W001", "texture \"lost.jpg\" was not found");
    assert_has(&all, "FILE-W002", "x.png\" was not found: it leads outside the game folder");
    assert!(!all.iter().any(|message| message.contains("wood")), "{all:#?}");
    // If a material is blended, the alpha of its image must be ignored.
    let of = |number: usize| scene.materials[number].base_color_texture.unwrap().texture;
    let image = |number: usize| &scene.images[scene.textures[of(number).0].image.0];
    assert_eq!((image(1).name.as_str(), image(6).name.as_str()), ("glass.png", "glass.png (without alpha)"));

    let mut checked = Report::new();
    file.check(&context, &mut checked);
    assert_has(&messages(&checked), "FILE-N003", "wood.png\" is named \"Wood.png\" on disk");
    assert_has(&messages(&checked), "FILE-W001", "texture \"lost.jpg\" was not found");
}

#[test]
fn reduces_an_absolute_path_to_its_file_name() {
    for (written, sought) in [
        ("C:\\Users\\me\\wood.jpg", Some("wood.jpg")),
        ("C:/Users/me/wood.jpg", Some("wood.jpg")),
        ("\\\\server\\wood.jpg", Some("wood.jpg")),
        ("/home/me/wood.jpg", Some("wood.jpg")),
        ("textures\\wood.jpg", Some("textures\\wood.jpg")),
        (" wood.jpg ", Some("wood.jpg")),
        (" ", None),
    ] {
        let material = crate::x::Material { texture: Some(written.into()), ..Default::default() };
        assert_eq!(material.texture_name(), sought, "{written}");
    }
}

#[test]
fn recognizes_files_by_their_header() {
    let score = |head: &[u8], name| (FORMAT.probe)(&Probe::new(head, head.len() as u64, Some(name)));
    assert_eq!(score(b"xof 0303txt 0032", "a.dat"), Some(Score::CERTAIN));
    assert_eq!(score(b"xof 0302bzip0064", "a.x"), Some(Score::CERTAIN));
    assert_eq!(score(b"#include <stdio.h>", "a.x"), Some(Score::NEVER));
    assert_eq!(score(b"xof what", "a.x"), None);
    assert_eq!(score(b"", "a.x"), None);
}

#[test]
fn summarizes_a_model() {
    let file = read(&text(&format!("Frame a {{ Frame b {{ Mesh {{ {TRIANGLE} }} }} }} AnimationSet {{}}"))).0;
    let described = file.describe(asset::Detail::Full);
    assert_eq!(described.summary, "model, 2 frames, 1 mesh, 1 triangle, 1 animation set");
    assert_eq!((described.dialect.as_str(), described.counts.get("vertices")), ("text 0303", 3));
    assert_eq!(described.fields.root().to_value()["meshes"][0]["vertices"][1][1], 256.0);
    assert_eq!(
        XFile::new(file.header).describe(asset::Detail::Brief).summary,
        "model, 0 meshes, 0 triangles"
    );
}
