//! Round trips of models through Blender: unedited parts are restored, and the visible result is the same. Skipped with a message
//! if Python and its module `bpy` are not installed.

#![allow(clippy::print_stdout, reason = "a test may print")]

use crate::conversion;
use crate::pose;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use antiquary_scpcb::b3d::{B3d, FORMAT};
use asset::{MemorySink, Report, Severity};
use proof::blender::Blender;
use scene::{Node, Scene};

/// Imports a scene at a frame rate and exports it with all options enabled.
const SCRIPT: &str = "
import sys, bpy
source, target, speed = sys.argv[1:4]
bpy.ops.wm.read_factory_settings(use_empty=True)
bpy.context.scene.render.fps = round(float(speed))
bpy.ops.import_scene.gltf(filepath=source)
bpy.ops.export_scene.gltf(filepath=target, export_format='GLB', export_extras=True, export_animations=True)
";

/// Returns the model of the sample, and one with a skin and a long animation from the corpus.
fn models() -> Vec<(PathBuf, Vec<u8>)> {
    let mut sink = MemorySink::new();
    antiquary_scpcb::sample::specimens(&mut sink).unwrap();
    let mut models = vec![(PathBuf::from("sample.b3d"), sink.get("b3d/model.b3d").unwrap().to_vec())];
    let path = corpus::folder("scpcb").map(|folder| folder.join("GFX/npcs/372.b3d"));
    models.extend(path.and_then(|path| std::fs::read(&path).ok().map(|bytes| (path, bytes))));
    models
}

fn read(glb: &[u8]) -> Scene {
    scene::gltf::read(glb, &mut |_| None).unwrap().scene
}

fn through_blender(blender: &Blender, glb: &[u8], speed: f64) -> Scene {
    let folder = tempfile::tempdir().unwrap();
    let [from, to] = ["from.glb", "to.glb"].map(|name| folder.path().join(name));
    std::fs::write(&from, glb).unwrap();
    blender.run(SCRIPT, &[from.as_os_str(), to.as_os_str(), OsStr::new(&speed.to_string())]);
    read(&std::fs::read(&to).unwrap())
}

#[test]
fn models_round_trip_through_blender() {
    let models = models();
    for blender in Blender::all() {
        models.iter().for_each(|(path, bytes)| assert_round_trip(&blender, path, bytes));
    }
}

fn assert_round_trip(blender: &Blender, path: &Path, bytes: &[u8]) {
    let at = format!("{} through Blender {}", path.display(), blender.version);
    let model = B3d::read(bytes, &mut Report::new()).unwrap();
    let glb = conversion::glb(&FORMAT, &model, path, &[], 1.0);
    let before = read(&glb);
    let speed = before.animations[0].extras["frames_per_second"].as_f64().unwrap();
    let mut scene = through_blender(blender, &glb, speed);

    let mut report = Report::new();
    let again = B3d::from_scene(&scene, &mut report).unwrap();
    assert_eq!(report.count(Severity::Warning), 0, "{at}: {report:?}");
    let difference =
        pose::largest_difference(&before, &read(&conversion::glb(&FORMAT, &again, path, &[], 1.0)));
    println!("{at}: {difference:?}; identical: {}", again.write().unwrap() == bytes);
    assert!(difference.vertices < 1e-4, "{at}: {difference:?}");

    // The same without the original model in the root.
    for node in &mut scene.nodes {
        node.extras.shift_remove("b3d");
    }
    let root = scene.roots[0].0;
    scene.nodes[root] = Node { children: scene.nodes[root].children.clone(), ..Node::named("model") };
    scene.animations.retain(|clip| clip.name.starts_with("animation"));
    let bare = B3d::from_scene(&scene, &mut Report::new()).unwrap();
    let difference =
        pose::largest_difference(&before, &read(&conversion::glb(&FORMAT, &bare, path, &[], 1.0)));
    println!("{at} without its model: {difference:?}");
    // Blender's keys are at different times than those of the model, which are unknown here.
    assert!(difference.vertices < 2e-2, "{at}: {difference:?}");
}
