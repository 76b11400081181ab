//! Round trips of the models of the synthetic install through GLB.

use std::path::{Path, PathBuf};

use crate::forge::{self, convert, install};
use antiquary_redguard::model::rob::{self, Payload, Rob};
use antiquary_redguard::model::{self, ImportTarget, Model};
use asset::{Format, Report, Severity, Target, Vertices};
use scene::gltf::Read;

/// Files of the install with one of these extensions.
fn files(extensions: &[&str], minimum: usize) -> Vec<PathBuf> {
    let Some(install) = install() else { return Vec::new() };
    let mut out: Vec<PathBuf> = ["fxart", "3dart"]
        .into_iter()
        .flat_map(|folder| std::fs::read_dir(install.join(folder)).unwrap())
        .map(|entry| entry.unwrap().path())
        .filter(|path| {
            let extension = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
            extensions.contains(&extension.as_str())
        })
        .collect();
    out.sort();
    assert!(out.len() >= minimum, "{} files, expected {minimum}", out.len());
    out
}

fn exported(format: &'static Format, path: &Path, given: &[(&str, &str)]) -> Read {
    read_scene(path, convert(format, path, "glb", given).0.get("out.glb").unwrap())
}

fn read_scene(path: &Path, glb: &[u8]) -> Read {
    let read = scene::gltf::read(glb, &mut |_| None).unwrap();
    assert!(read.left_out.is_empty(), "{}: {:?}", path.display(), read.left_out);
    read
}

/// Exports a file with integer vertices.
fn exported_as_integers(format: &'static Format, path: &Path, given: &[(&str, &str)]) -> Vec<u8> {
    let target = Target { vertices: Vertices::Integers, ..Target::new("out", 1.0) };
    forge::convert_for(format, path, "glb", given, target).0.get("out.glb").unwrap().to_vec()
}

fn contains(bytes: &[u8], text: &str) -> bool {
    bytes.windows(text.len()).any(|found| found == text.as_bytes())
}

/// Removes the marker of the nodes that convert integers to meters.
fn without_marker(mut glb: Vec<u8>) -> Vec<u8> {
    let marker = b"\"dequantizes\"";
    let found: Vec<usize> = (0..glb.len()).filter(|at| glb[*at..].starts_with(marker)).collect();
    found.into_iter().for_each(|at| glb[at..][..marker.len()].copy_from_slice(b"\"anothername\""));
    glb
}

/// Removes the extras of our own conversions, except those of materials.
fn without_extras(mut read: Read) -> Read {
    for mesh in &mut read.scene.meshes {
        mesh.extras.clear();
        mesh.primitives.iter_mut().for_each(|primitive| primitive.extras.clear());
    }
    read.scene.nodes.iter_mut().for_each(|node| node.extras.retain(|name, _| name == "segment"));
    read
}

fn imported(read: &Read, target: ImportTarget, at: &str) -> (Model, Report) {
    let mut report = Report::new();
    let model = Model::from_scene(read, target, None, &mut report).unwrap();
    let bytes = model.write().unwrap();
    let round_trip = Model::read(&bytes).unwrap();
    assert!(round_trip.write().unwrap() == bytes, "{at}");
    let found = forge::checked_alone(&antiquary_redguard::world::model::FORMAT, &bytes);
    assert!(found.worst() < Some(Severity::Warning), "{at}: {found:?}");
    (round_trip, report)
}

/// Asserts that vertices of all frames, corners, texture coordinates and textures are identical.
fn assert_same(a: &Model, b: &Model, at: &str) {
    assert_eq!(a.frame_count(), b.frame_count(), "{at}");
    for frame in 0..a.frame_count() {
        assert_eq!(a.positions(frame), b.positions(frame), "{at} frame {frame}");
    }
    let (left, right) = (a.faces(), b.faces());
    assert_eq!(left.len(), right.len(), "{at}");
    for (number, (left, right)) in left.iter().zip(&right).enumerate() {
        let at = format!("{at} face {number}");
        assert_eq!((left.texture, left.brightness), (right.texture, right.brightness), "{at}");
        let corners = |face: &model::Face| {
            face.corners.iter().map(|corner| (corner.vertex, corner.uv)).collect::<Vec<_>>()
        };
        assert_eq!(corners(left), corners(right), "{at}");
    }
}

/// A triangle of a model: its texture, and for each corner its positions in all frames and its texture coordinates.
type Triangle = (String, [(Vec<[i64; 3]>, [i64; 2]); 3]);

fn triangles(model: &Model) -> Vec<Triangle> {
    let frames: Vec<_> = (0..model.frame_count()).map(|frame| model.positions(frame)).collect();
    let normals = model.face_normals(0);
    let mut out = Vec::new();
    for (face, normal) in model.faces().iter().zip(&normals) {
        let corner = |corner: &model::FaceCorner| {
            let positions = frames
                .iter()
                .map(|positions| positions[corner.vertex.unwrap()].map(|n| (n * 256.0).round() as i64));
            (positions.collect::<Vec<_>>(), corner.uv.map(|n| (n * 16.0).round() as i64))
        };
        let corners: Vec<_> = face.corners.iter().map(corner).collect();
        for pair in corners[1..].windows(2) {
            let mut triangle = [corners[0].clone(), pair[0].clone(), pair[1].clone()];
            let at = |k: usize| triangle[k].0[0].map(|n| n as f64);
            let less = |a: [f64; 3], b: [f64; 3]| [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
            let (u, v) = (less(at(1), at(0)), less(at(2), at(0)));
            let cross = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
            if cross == [0.0; 3] {
                continue;
            }
            let dot: f64 = cross.iter().zip(normal).map(|(a, b)| a * f64::from(*b)).sum();
            if dot < 0.0 {
                triangle.swap(1, 2);
            }
            let minimum = (0..3).min_by_key(|k| triangle[*k].clone()).unwrap();
            triangle.rotate_left(minimum);
            out.push((format!("{:?}", face.texture), triangle));
        }
    }
    out.sort();
    out
}

fn target_of(path: &Path) -> ImportTarget {
    let is_moving = path.extension().unwrap().eq_ignore_ascii_case("3dc");
    if is_moving { ImportTarget::Animated } else { ImportTarget::Static }
}

#[test]
fn round_trips_models_through_glb() {
    for path in files(&["3d", "3dc"], 19) {
        let bytes = std::fs::read(&path).unwrap();
        let before = Model::read(&bytes).unwrap();
        // All choices of axes are reversible.
        for axes in ["rgpre", "yflip", "raw"] {
            let at = format!("{} with --axes {axes}", path.display());
            let read = exported(&antiquary_redguard::world::model::FORMAT, &path, &[("axes", axes)]);
            for target in [ImportTarget::Static, ImportTarget::Animated] {
                let (after, report) = imported(&read, target, &at);
                assert_same(&before, &after, &at);
                let allowed = ["RGMODEL-W024", "RGMODEL-W025"];
                let reported: Vec<_> =
                    report.iter().filter(|reported| !allowed.contains(&reported.code.id)).collect();
                assert!(reported.is_empty(), "{at}: {reported:?}");
                if target == target_of(&path) && before.version().is_glide() {
                    assert_eq!(before.version(), after.version(), "{at}");
                    assert!(after.write().unwrap() == bytes, "{at} has other bytes");
                }
            }
        }
    }
}

#[test]
fn round_trips_models_with_integer_vertices() {
    let mut smaller = 0_usize;
    for path in files(&["3d", "3dc"], 19) {
        let bytes = std::fs::read(&path).unwrap();
        let before = Model::read(&bytes).unwrap();
        let format = &antiquary_redguard::world::model::FORMAT;
        for axes in ["rgpre", "yflip", "raw"] {
            let at = format!("{} with --axes {axes}", path.display());
            let glb = exported_as_integers(format, &path, &[("axes", axes)]);
            smaller += usize::from(contains(&glb, "KHR_mesh_quantization"));
            let plain = exported(format, &path, &[("axes", axes)]);
            let integers = read_scene(&path, &glb);
            assert_eq!(plain.scene.nodes, integers.scene.nodes, "{at}");
            assert_eq!(plain.scene.animations, integers.scene.animations, "{at}");
            // The marked node may also be an ordinary node if another program rewrote the file.
            for read in [integers, read_scene(&path, &without_marker(glb))] {
                let (after, report) = imported(&read, target_of(&path), &at);
                assert_same(&before, &after, &at);
                if before.version().is_glide() {
                    assert!(after.write().unwrap() == bytes, "{at} has other bytes");
                    assert!(report.iter().next().is_none(), "{at}: {report:?}");
                }
            }
        }
    }
    eprintln!("{smaller} conversions used integers");
    assert!(smaller > 0 || install().is_none());
}

#[test]
fn models_without_extras_look_the_same() {
    for path in files(&["3d", "3dc"], 19) {
        let at = path.display().to_string();
        let before = Model::read(&std::fs::read(&path).unwrap()).unwrap();
        let read = without_extras(exported(&antiquary_redguard::world::model::FORMAT, &path, &[]));
        let (after, report) = imported(&read, target_of(&path), &at);
        let found = triangles(&after);
        let expected = triangles(&before);
        assert_eq!(found.len(), expected.len(), "{at}");
        let wrong = found.iter().zip(&expected).find(|(found, expected)| found != expected);
        assert!(wrong.is_none(), "{at}: {wrong:?}");
        let lost: Vec<_> =
            report.iter().filter(|reported| reported.code.severity != Severity::Note).collect();
        assert!(
            lost.iter().all(|reported| ["RGMODEL-W025", "RGMODEL-W028"].contains(&reported.code.id)),
            "{at}: {lost:?}"
        );
    }
}

#[test]
fn round_trips_archives_through_glb() {
    let (maps, segments) = round_trip_all(|path| exported(&rob::FORMAT, path, &[]));
    eprintln!("{maps} maps are identical, {segments} segments");
}

#[test]
fn round_trips_archives_with_integer_vertices() {
    round_trip_all(|path| {
        let glb = exported_as_integers(&rob::FORMAT, path, &[]);
        assert!(contains(&glb, "KHR_mesh_quantization"), "{}", path.display());
        read_scene(path, &glb)
    });
    round_trip_all(|path| read_scene(path, &without_marker(exported_as_integers(&rob::FORMAT, path, &[]))));
}

/// Converts all archives to scenes and back. Returns the number of archives for Glide, and the number of all segments.
fn round_trip_all(exported: impl Fn(&Path) -> Read) -> (usize, usize) {
    let (mut identical, mut glide, mut segments) = (0, 0, 0);
    for path in files(&["rob"], 6) {
        let bytes = std::fs::read(&path).unwrap();
        let before = Rob::read(&bytes).unwrap();
        let read = exported(&path);
        let mut report = Report::new();
        let after = Rob::read(&Rob::from_scene(&read, None, &mut report).unwrap().write().unwrap()).unwrap();
        let lost: Vec<_> =
            report.iter().filter(|reported| reported.code.severity != Severity::Note).collect();
        assert!(lost.is_empty(), "{}: {lost:?}", path.display());
        assert_eq!(before.segments.len(), after.segments.len());
        for (before, after) in before.segments.iter().zip(&after.segments) {
            segments += 1;
            let at = format!("{} {}", path.display(), before.header.name);
            let sizes = |segment: &rob::Segment| {
                let mut header = segment.header;
                (header.total_size, header.data_size) = (0, 0);
                header
            };
            assert_eq!(sizes(before), sizes(after), "{at}");
            match (&before.payload, &after.payload) {
                (Payload::Model(before), Payload::Model(after)) => assert_same(before, after, &at),
                (Payload::Empty, Payload::Empty) => {}
                (before, after) => panic!("{at}: {before:?} {after:?}"),
            }
        }
        if path.parent().unwrap().ends_with("fxart") {
            glide += 1;
            identical += usize::from(after.write().unwrap() == bytes);
        }
    }
    assert_eq!(identical, glide);
    (glide, segments)
}

/// The textures of the sample's models are found, and the models round-trip.
#[test]
fn round_trips_the_models_of_the_sample() {
    let folder = tempfile::tempdir().unwrap();
    let guard = std::sync::Arc::new(asset::Guard::new(asset::Overwrite::Refuse));
    let mut sink = asset::FolderSink::new(folder.path(), guard);
    antiquary_redguard::sample::write(&mut sink).unwrap();
    sink.finish().unwrap();
    for (name, faces, frames) in
        [("fxart/BARREL01.3D", 38, 1), ("fxart/WALKER01.3DC", 78, 13), ("3dart/BARREL01.3D", 38, 1)]
    {
        let path = folder.path().join(name);
        let found = forge::check(&antiquary_redguard::world::model::FORMAT, &path);
        assert!(found.worst() < Some(Severity::Warning), "{name}: {found:?}");
        forge::assert_round_trip(&antiquary_redguard::world::model::FORMAT, &path);
        forge::assert_covers_all_bytes(&antiquary_redguard::world::model::FORMAT, &path);
        let (_, reported) = convert(&antiquary_redguard::world::model::FORMAT, &path, "glb", &[]);
        assert!(reported.worst() < Some(Severity::Warning), "{name}: {reported:?}");
        let bytes = std::fs::read(&path).unwrap();
        let before = Model::read(&bytes).unwrap();
        assert_eq!((before.face_count(), before.frame_count()), (faces, frames), "{name}");
        let read = exported(&antiquary_redguard::world::model::FORMAT, &path, &[]);
        assert!(read.scene.images.len() >= 2, "{name}");
        let (after, report) = imported(&read, target_of(&path), name);
        assert!(report.iter().next().is_none(), "{name}: {report:?}");
        assert_same(&before, &after, name);
        if before.version().is_glide() {
            assert!(after.write().unwrap() == bytes, "{name}");
        }
    }
    let path = folder.path().join("fxart/ISLAND.ROB");
    let found = forge::check(&rob::FORMAT, &path);
    assert!(found.worst() < Some(Severity::Warning), "{found:?}");
    let read = exported(&rob::FORMAT, &path, &[]);
    let packed = Rob::from_scene(&read, None, &mut Report::new()).unwrap().write().unwrap();
    assert!(packed == std::fs::read(&path).unwrap());
}

/// A ROB file from a scene of another program: names, bounding box, transparency, and transformed nodes.
#[test]
fn converts_nodes_of_another_program_to_segments() {
    let triangle = scene::Primitive {
        positions: vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 2.0, 0.0]],
        uvs: vec![vec![[0.0; 2]; 3]],
        indices: vec![0, 1, 2],
        ..scene::Primitive::default()
    };
    let mut scene = scene::Scene::new("map");
    let material = scene.add_material(scene::Material {
        name: "color 7".into(),
        alpha: scene::AlphaMode::Mask(0.5),
        ..scene::Material::default()
    });
    let primitive = scene::Primitive { material: Some(material), ..triangle };
    let mesh = scene.add_mesh(scene::Mesh { primitives: vec![primitive], ..scene::Mesh::default() });
    let group = scene.add_root(scene::Node::named("things"));
    let transformed = scene::Node {
        translation: [5.0, 6.0, 7.0].into(),
        scale: [2.0, 1.0, 1.0].into(),
        mesh: Some(mesh),
        ..scene::Node::named("STONE.001")
    };
    scene.add_child(group, transformed);
    scene.add_child(group, scene::Node { mesh: Some(mesh), ..scene::Node::named("a long name") });
    let mut external = scene::Node { mesh: Some(mesh), ..scene::Node::named("CYRSA001") };
    external.extras.insert("kind".into(), 512.into());
    scene.add_root(external);
    let mut report = Report::new();
    let rob = Rob::from_scene(&Read { scene, left_out: Vec::new() }, None, &mut report).unwrap();
    let reported: Vec<_> = report.iter().map(ToString::to_string).collect();
    assert_eq!(reported.len(), 1, "{reported:?}");
    assert!(
        reported[0].contains("\"a long name\" is not valid for a segment; using \"a_long_n\""),
        "{reported:?}"
    );
    let rob = Rob::read(&rob.write().unwrap()).unwrap();
    let names: Vec<_> = rob.segments.iter().map(|segment| segment.header.name.text()).collect();
    assert_eq!(names, ["STONE", "a_long_n", "CYRSA001"]);
    let [stone, _, external] = &rob.segments[..] else { panic!("expected three segments") };
    assert!(stone.header.is_keyed() && matches!(stone.payload, Payload::Model(_)));
    // Two meters along -X, two meters up.
    assert_eq!((stone.header.positive, stone.header.negative), ([0; 3], [10240, 10240, 0]));
    assert_eq!((external.header.kind, external.external().as_deref()), (512, Some("CYRSA001.3DC")));
    let found = forge::checked_alone(&rob::FORMAT, &rob.write().unwrap());
    assert!(found.iter().all(|reported| reported.code.id == "RGROB-W008"), "{found:?}");
}
