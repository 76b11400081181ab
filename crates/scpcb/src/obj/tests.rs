//! Tests of text models.

use asset::{Asset, Context, Install, Options, Probe, Report, Score, Source};
use files::layer::MemoryLayer;
use proptest::prelude::*;
use scene::Scene;

use super::{FORMAT, ObjFile, library, to_scene};

fn read(text: &str) -> (ObjFile, Report) {
    let mut report = Report::new();
    (ObjFile::read(text.as_bytes(), &mut report).unwrap(), report)
}

/// Runs a closure with a game that contains a material library.
fn with_library<T>(library: &str, work: impl FnOnce(&Context<'_>) -> T) -> T {
    let files = [("chair.mtl", Source::from(library.as_bytes().to_vec()))];
    let layer = MemoryLayer::new("memory", files).unwrap();
    let install = Install::new(vec![std::sync::Arc::new(layer)]);
    let options = Options::defaults(FORMAT.options);
    work(&Context { install: &install, location: None, options: &options })
}

fn scene(text: &str, library: &str) -> (Scene, Vec<String>) {
    let (file, mut report) = read(text);
    let scene = with_library(library, |context| to_scene(&file, context, "model", 1.0, &mut report));
    scene::gltf::write_glb(&scene).unwrap();
    (scene, messages(&report))
}

fn messages(report: &Report) -> Vec<String> {
    report.iter().map(|warning| format!("{} {}", warning.code.id, warning.message)).collect()
}

const SQUARE: &str = "v 0 0 0\nv 256 0 0\nv 256 256 0\nv 0 256 0\n";

#[test]
fn converts_faces_to_fans_in_the_axes_of_gltf() {
    let (scene, reported) = scene(&format!("{SQUARE}f 1 2 3 4\n"), "");
    assert!(reported.is_empty(), "{reported:?}");
    let part = &scene.meshes[0].primitives[0];
    assert_eq!(part.positions, [[0.0; 3], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]]);
    assert_eq!(part.indices, [0, 1, 2, 0, 2, 3]);
    assert_eq!(part.normals.as_ref().unwrap()[3], [0.0, 0.0, 1.0]);
}

#[test]
fn reads_corners_and_negative_indices() {
    let text = "v 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0.25 0.75\nvn 1 0 0\nf -3/1/-1 -2//1 3/1/1\n";
    let (file, _) = read(text);
    let corners: Vec<_> =
        file.groups[0].corners.iter().map(|it| (it.vertex, it.texture_coord, it.normal)).collect();
    assert_eq!(corners, [(0, Some(0), Some(0)), (1, None, Some(0)), (2, Some(0), Some(0))]);
    let (scene, _) = scene(text, "");
    let part = &scene.meshes[0].primitives[0];
    assert_eq!(part.uvs[0], [[0.25, 0.25], [0.0, 0.0], [0.25, 0.25]]);
    assert_eq!(part.normals.as_ref().unwrap(), &[[1.0, 0.0, 0.0]; 3]);
}

#[test]
fn converts_objects_to_nodes_and_materials_to_primitives() {
    let text = format!(
        "mtllib chair.mtl\n{SQUARE}o seat\nusemtl wood\nf 1 2 3\nusemtl steel\nf 1 3 4\no leg\nusemtl wood\nf 1 2 4\no seat\nf 2 3 4\n"
    );
    let (scene, reported) = scene(&text, "newmtl wood\nKd 1 0 0\nd 0.5\nnewmtl steel\nKd 0 0 1\n");
    assert!(reported.is_empty(), "{reported:?}");
    let meshes: Vec<_> =
        scene.meshes.iter().map(|mesh| (mesh.name.as_str(), mesh.primitives.len())).collect();
    assert_eq!(meshes, [("seat", 2), ("leg", 1)]);
    let colors: Vec<_> = scene.materials.iter().map(|it| (it.name.as_str(), it.base_color)).collect();
    assert_eq!(colors, [("wood", [1.0, 0.0, 0.0, 0.5]), ("steel", [0.0, 0.0, 1.0, 1.0])]);
}

#[test]
fn reads_a_texture_name_after_its_options() {
    let textures: Vec<_> = library::read(
        b"newmtl a\nmap_Kd wood floor.jpg\nnewmtl b\nmap_Kd -s 2 2 1 -clamp on -o 0.5 ..\\x.png\nnewmtl c\nTr 0.25\n",
    )
    .into_iter()
    .map(|material| (material.texture, material.alpha))
    .collect();
    let name = |name: &str| Some(name.to_owned());
    assert_eq!(textures, [(name("wood floor.jpg"), 1.0), (name("..\\x.png"), 1.0), (None, 0.75)]);
}

#[test]
fn reports_and_leaves_out_defects() {
    let reported = |text: &str, library: &str| {
        let (file, mut report) = read(text);
        with_library(library, |context| file.check(context, &mut report));
        messages(&report)
    };
    assert_eq!(
        reported(&format!("{SQUARE}f 1 2 9\nf 1 2 0\nf 1 2 x\n"), ""),
        [
            "MODEL-W002 3 triangles refer to vertices beyond the last of 2; they are left out",
            "MODEL-W005 the model has no triangles to convert"
        ]
    );
    assert_eq!(
        reported(&format!("{SQUARE}f 1 2\nf 1 2 3\nf 1 1 3\nl 1 2\np 1\np 2\n"), ""),
        [
            "OBJ-N001 left out: 1 l, 2 p",
            "MODEL-N007 1 face has fewer than three corners",
            "MODEL-N004 1 triangle has zero area"
        ]
    );
    assert_eq!(
        reported("v 0 0\nv 1 0 0\nv nan 1 0\nf 1 2 3", ""),
        [
            "OBJ-W002 1 statement has an invalid number, the first in line 1; using 0",
            "MODEL-W003 1 triangle has a corner with a non-finite position; they are left out",
            "MODEL-W005 the model has no triangles to convert"
        ]
    );
    let model = format!("mtllib chair.mtl\nmtllib x.mtl\n{SQUARE}usemtl rust\nf 1 2 3\n");
    assert_eq!(
        reported(&model, "newmtl wood\nmap_Kd wood.jpg\n"),
        [
            "OBJ-W003 material library \"x.mtl\" was not found",
            "OBJ-W004 1 material is not in the material library: rust"
        ]
    );
    assert_eq!(
        reported(
            &model.replace("rust", "wood").replace("mtllib x.mtl\n", ""),
            "newmtl wood\nmap_Kd wood.jpg\n"
        ),
        ["FILE-W001 texture \"wood.jpg\" was not found"]
    );
}

#[test]
fn refuses_text_without_statements_and_too_many_groups() {
    let error = |text: &str| ObjFile::read(text.as_bytes(), &mut Report::new()).unwrap_err();
    assert_eq!(
        error("hello\nworld").to_string(),
        "no line is a statement of a Wavefront model, at offset 0x0"
    );
    let groups: String = (0..8193).map(|number| format!("g {number}\nf 1 2 3\n")).collect();
    assert_eq!(error(&groups).message(), "more than 8192 groups");
    // A long name is truncated.
    let long = format!("o {}\n{SQUARE}usemtl a\nf 1 2 3\nusemtl b\nf 1 2 3\n", "x".repeat(1 << 20));
    assert!(read(&long).0.groups.iter().all(|group| group.name.len() == 256));
}

#[test]
fn does_not_recognize_object_files_of_compilers() {
    let probe = |bytes: &[u8]| (FORMAT.probe)(&Probe::new(bytes, bytes.len() as u64, Some("a.obj")));
    assert_eq!(probe(b"\x64\x86\0\0"), Some(Score::NEVER));
    assert_eq!(probe(b"# Blender\nv 0 0 0"), None);
}

proptest! {
    #[test]
    fn any_text_does_not_panic(text in "([vfolgu/#0-9. -]{0,12}\n){0,20}", library in "([Kdmap_newtl0-9. -]{0,12}\n){0,9}") {
        let mut report = Report::new();
        if let Ok(file) = ObjFile::read(text.as_bytes(), &mut report) {
            with_library(&library, |context| {
                file.check(context, &mut report);
                scene::gltf::write_glb(&to_scene(&file, context, "m", 1.0, &mut report)).unwrap();
            });
        }
    }
}
