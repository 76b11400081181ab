//! Round trips of models through Blender: unedited models are restored byte for byte, including keys that Blender resamples. Skipped with a
//! message if Python or its module `bpy` is missing.

#![allow(clippy::print_stdout, reason = "a test may print")]

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use antiquary_ragnarok::rsm::{FORMAT, Rsm};
use asset::{Context, Import, Install, MemorySink, Options, Report, SceneFile, Target};
use proof::blender::Blender;

/// Imports each scene of a list and exports it with custom properties, then exports it again with a moved vertex.
const SCRIPT: &str = "
import sys, bpy
for line in open(sys.argv[1], encoding='utf-8'):
    source, full, moved = line.rstrip('\\n').split('\\t')
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.ops.import_scene.gltf(filepath=source)
    bpy.ops.export_scene.gltf(filepath=full, export_format='GLB', export_extras=True)
    meshes = sorted((object for object in bpy.data.objects if object.type == 'MESH'), key=lambda object: object.name)
    if meshes:
        meshes[0].data.vertices[0].co.z += 1
    bpy.ops.export_scene.gltf(filepath=moved, export_format='GLB', export_extras=True)
";

/// Returns the models of the sample and of the corpus.
fn models() -> Vec<(PathBuf, Vec<u8>)> {
    let mut sink = MemorySink::new();
    antiquary_ragnarok::sample::write(&mut sink).unwrap();
    let is_model =
        |path: &Path| path.extension().is_some_and(|extension| extension == "rsm" || extension == "rsm2");
    let of_sample = sink.files().iter().map(|(name, bytes)| (PathBuf::from(name), bytes.clone()));
    let mut out: Vec<_> = of_sample.filter(|(path, _)| is_model(path)).collect();
    let mut folders: Vec<PathBuf> = ["rsm", "rsm_more"].into_iter().filter_map(corpus::folder).collect();
    while let Some(folder) = folders.pop() {
        for path in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            if path.is_dir() {
                folders.push(path);
            } else if is_model(&path) {
                let bytes = fs::read(&path).unwrap();
                let is_readable = Rsm::read(&bytes, &mut Report::new()).is_ok();
                out.extend(is_readable.then_some((path, bytes)));
            }
        }
    }
    out.sort();
    out
}

fn glb(model: &Rsm) -> Vec<u8> {
    let (install, options) = (Install::empty(), Options::defaults(FORMAT.options));
    let context = Context { install: &install, location: None, options: &options };
    let mut sink = MemorySink::new();
    FORMAT.convert(model, "glb", &context, Target::new("out", 1.0), &mut sink, &mut Report::new()).unwrap();
    sink.get("out.glb").unwrap().to_vec()
}

fn packed(glb: &[u8], extension: &str) -> Vec<u8> {
    let read = scene::gltf::read(glb, &mut |_| None).unwrap();
    let Import { make, .. } = FORMAT.import.unwrap();
    let options = Options::default();
    let file = SceneFile { read: &read, extension, name: "made", options: &options, base: None };
    make(&file, &mut Report::new()).unwrap().bytes
}

fn extension(path: &Path) -> String {
    path.extension().unwrap().to_string_lossy().into_owned()
}

/// Returns the properties in which the meshes of two models differ.
fn changed(before: &Rsm, after: &Rsm) -> Vec<&'static str> {
    let mut out = Vec::new();
    if before.meshes.len() != after.meshes.len() {
        out.push("number of meshes");
    }
    for (before, after) in before.meshes.iter().zip(&after.meshes) {
        let fields = [
            ("name", before.name == after.name && before.parent == after.parent),
            ("geometry", before.faces == after.faces && before.vertices == after.vertices),
            ("transform", before.matrix == after.matrix && before.position == after.position),
            ("rotation keys", before.rotation_keys == after.rotation_keys),
            ("scale keys", before.scale_keys == after.scale_keys),
            ("position keys", before.position_keys == after.position_keys),
        ];
        out.extend(fields.into_iter().filter(|(_, is_same)| !is_same).map(|(name, _)| name));
    }
    out
}

#[test]
fn converted_models_are_restored() {
    let models = models();
    for (path, bytes) in &models {
        let model = Rsm::read(bytes, &mut Report::new()).unwrap();
        let again = packed(&glb(&model), &extension(path));
        if again != *bytes {
            let after = Rsm::read(&again, &mut Report::new()).unwrap();
            println!("{}: {:?}", path.display(), changed(&model, &after));
        }
        assert!(again == *bytes, "{}", path.display());
    }
}

#[test]
fn models_keep_their_keys_through_blender() {
    let models = models();
    for blender in Blender::all() {
        let folder = tempfile::tempdir().unwrap();
        let path = |number: usize, kind: &str| folder.path().join(format!("{number}-{kind}.glb"));
        let mut list = String::new();
        for (number, (_, bytes)) in models.iter().enumerate() {
            let model = Rsm::read(bytes, &mut Report::new()).unwrap();
            fs::write(path(number, "source"), glb(&model)).unwrap();
            let paths = ["source", "full", "moved"].map(|kind| path(number, kind).display().to_string());
            writeln!(list, "{}", paths.join("\t")).unwrap();
        }
        let file = folder.path().join("list.txt");
        fs::write(&file, list).unwrap();
        blender.run(SCRIPT, &[&file]);
        let mut exact = 0;
        for (number, (name, bytes)) in models.iter().enumerate() {
            let at = format!("{} through Blender {}", name.display(), blender.version);
            let before = Rsm::read(bytes, &mut Report::new()).unwrap();
            let again = packed(&fs::read(path(number, "full")).unwrap(), &extension(name));
            exact += usize::from(again == *bytes);
            let after = Rsm::read(&again, &mut Report::new()).unwrap();
            if again != *bytes {
                println!("{at}: {:?}", changed(&before, &after));
            }
            assert_eq!(before.animation_length, after.animation_length, "{at}");
            let moved = Rsm::read(
                &packed(&fs::read(path(number, "moved")).unwrap(), &extension(name)),
                &mut Report::new(),
            );
            let changed = changed(&before, &moved.unwrap());
            assert!(changed.len() <= 1 || again != *bytes, "{at}: {changed:?}");
        }
        println!("{exact} of {} models were restored through Blender {}", models.len(), blender.version);
        assert!(exact.saturating_add(1) >= models.len(), "{exact} of {}", models.len());
    }
}
