//! Round trips of models through Blender: an unedited model is reproduced byte for byte, and moving a vertex changes nothing else. Without
//! Python and its module `bpy` this test is skipped with a message.

#![allow(clippy::print_stdout, reason = "a test may print")]

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use antiquary_redguard_world::model::rob::{Payload, Rob};
use antiquary_redguard_world::model::{ImportTarget, Model};
use asset::{Format, MemorySink, Report};
use proof::blender::Blender;
use proof::exported;
use scene::gltf::Read;

/// Imports each scene of a list and exports it three times: with custom properties, without them (the default), and with the first vertex
/// moved, together with all vertices at the same position, in all frames.
const SCRIPT: &str = "
import sys, bpy
for line in open(sys.argv[1], encoding='utf-8'):
    source, full, plain, moved = line.rstrip('\\n').split('\\t')
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.ops.import_scene.gltf(filepath=source)
    bpy.ops.export_scene.gltf(filepath=full, export_format='GLB', export_extras=True)
    bpy.ops.export_scene.gltf(filepath=plain, export_format='GLB')
    mesh = sorted((object for object in bpy.data.objects if object.type == 'MESH'), key=lambda object: object.name)[0].data
    first = mesh.vertices[0].co.copy()
    same = [vertex.index for vertex in mesh.vertices if (vertex.co - first).length < 1e-7]
    keys = mesh.shape_keys.key_blocks if mesh.shape_keys else []
    for index in same:
        mesh.vertices[index].co.z += 0.5
        for key in keys:
            key.data[index].co.z += 0.5
    bpy.ops.export_scene.gltf(filepath=moved, export_format='GLB', export_extras=True)
";

/// A model or an archive of models.
struct Subject {
    name: String,
    bytes: Vec<u8>,
}

fn is_rob(name: &str) -> bool {
    name.to_lowercase().ends_with(".rob")
}

/// Models of the sample and of the corpus.
fn subjects() -> Vec<Subject> {
    let mut sink = MemorySink::new();
    antiquary_redguard_world::sample::write(&mut sink).unwrap();
    let is_model = |name: &str| {
        let name = name.to_lowercase();
        [".3d", ".3dc", ".rob"].iter().any(|extension| name.ends_with(extension))
    };
    let of_sample = sink.files().iter().filter(|(name, _)| is_model(name));
    let mut out: Vec<Subject> =
        of_sample.map(|(name, bytes)| Subject { name: name.clone(), bytes: bytes.clone() }).collect();
    for folder in
        corpus::folder("redguard").iter().flat_map(|corpus| ["fxart", "3dart"].map(|name| corpus.join(name)))
    {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.to_string_lossy().into_owned();
            if is_model(&name) {
                out.push(Subject { name, bytes: fs::read(path).unwrap() });
            }
        }
    }
    out.sort_by(|a, b| a.name.cmp(&b.name));
    out
}

impl Subject {
    fn glb(&self) -> Vec<u8> {
        let glb = |format: &'static Format, asset: &dyn asset::Asset| {
            let (sink, _): (MemorySink, _) = exported(format, asset, "glb", &[]);
            sink.get("out.glb").unwrap().to_vec()
        };
        match is_rob(&self.name) {
            true => glb(&antiquary_redguard_world::model::rob::FORMAT, &Rob::read(&self.bytes).unwrap()),
            false => glb(&antiquary_redguard_world::world::model::FORMAT, &Model::read(&self.bytes).unwrap()),
        }
    }

    /// Packs a scene. `is_base_given` is whether to provide the original.
    fn packed(&self, path: &Path, is_base_given: bool) -> Vec<u8> {
        let read: Read = scene::gltf::read(&fs::read(path).unwrap(), &mut |_| None).unwrap();
        let report = &mut Report::new();
        if is_rob(&self.name) {
            let base = is_base_given.then(|| Rob::read(&self.bytes).unwrap());
            return Rob::from_scene(&read, base.as_ref(), report).unwrap().write().unwrap();
        }
        let base = is_base_given.then(|| Model::read(&self.bytes).unwrap());
        let is_animated = self.name.to_lowercase().ends_with(".3dc");
        let target = if is_animated { ImportTarget::Animated } else { ImportTarget::Static };
        Model::from_scene(&read, target, base.as_ref(), report).unwrap().write().unwrap()
    }

    /// All models with their names.
    fn models(&self, bytes: &[u8]) -> Vec<(String, Model)> {
        if !is_rob(&self.name) {
            return vec![(String::new(), Model::read(bytes).unwrap())];
        }
        let segments = Rob::read(bytes).unwrap().segments.into_iter();
        let model = |payload| match payload {
            Payload::Model(model) => Some(*model),
            Payload::Empty | Payload::Unread(_) => None,
        };
        segments.filter_map(|segment| Some((segment.header.name.text(), model(segment.payload)?))).collect()
    }

    /// Asserts that the vertices at one position moved, and that nothing else changed.
    fn assert_moved(&self, moved: &[u8], at: &str) {
        let corners = |model: &Model| -> Vec<Vec<(Option<usize>, [f32; 2])>> {
            let faces = model.faces();
            faces
                .iter()
                .map(|face| face.corners.iter().map(|corner| (corner.vertex, corner.uv)).collect())
                .collect()
        };
        let mut positions = Vec::new();
        for ((name, before), (other, after)) in self.models(&self.bytes).iter().zip(self.models(moved)) {
            let at = format!("{at} {name}");
            assert_eq!(*name, other, "{at}");
            assert_eq!(before.vertex_count(), after.vertex_count(), "{at}");
            assert_eq!(corners(before), corners(&after), "{at}");
            for frame in 0..before.frame_count() {
                let (before, after) = (before.positions(frame), after.positions(frame));
                let changed = before.iter().zip(&after).filter(|(before, after)| before != after);
                if frame == 0 {
                    positions.extend(changed.map(|(before, _)| *before));
                }
            }
        }
        positions.dedup();
        assert_eq!(positions.len(), 1, "{at}");
    }
}

#[test]
fn models_keep_polygons_and_vertex_indices() {
    let blenders = Blender::all();
    let subjects = subjects();
    for blender in blenders {
        let folder = tempfile::tempdir().unwrap();
        let mut list = String::new();
        let path =
            |number: usize, kind: &str| -> PathBuf { folder.path().join(format!("{number}-{kind}.glb")) };
        for (number, subject) in subjects.iter().enumerate() {
            fs::write(path(number, "source"), subject.glb()).unwrap();
            let paths =
                ["source", "full", "plain", "moved"].map(|kind| path(number, kind).display().to_string());
            writeln!(list, "{}", paths.join("\t")).unwrap();
        }
        let file = folder.path().join("list.txt");
        fs::write(&file, list).unwrap();
        blender.run(SCRIPT, &[&file]);
        for (number, subject) in subjects.iter().enumerate() {
            let at = format!("{} through Blender {}", subject.name, blender.version);
            assert!(subject.packed(&path(number, "full"), false) == subject.bytes, "{at}");
            assert!(
                subject.packed(&path(number, "plain"), true) == subject.bytes,
                "{at}, without custom properties"
            );
            subject.assert_moved(&subject.packed(&path(number, "moved"), false), &at);
        }
        println!("{} files round-tripped through Blender {}", subjects.len(), blender.version);
    }
}
