//! Models through Blender and back: what nobody edited there comes back, and what it shows is the same. Without Python and its module `bpy` this
//! is skipped, and says so.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::print_stderr,
    reason = "a test may panic, and says what it skips"
)]

mod conversion;
mod pose;

use std::path::PathBuf;
use std::process::Command;

use asset::{MemorySink, Report, Severity};
use scene::{Node, Scene};
use scpcb::b3d::{B3d, FORMAT};

/// Imports a scene at a frame rate and exports it with all that there is to tick.
const SCRIPT: &str = "
import sys, bpy
source, target, speed = sys.argv[1:4]
bpy.ops.wm.read_factory_settings(use_empty=True)
bpy.context.scene.render.fps = round(float(speed))
bpy.ops.import_scene.gltf(filepath=source)
bpy.ops.export_scene.gltf(filepath=target, export_format='GLB', export_extras=True, export_animations=True)
";

/// Whether there is a Blender to ask.
fn has_blender() -> bool {
    let found = Command::new("python3").args(["-c", "import bpy"]).output();
    let has = found.is_ok_and(|output| output.status.success());
    if !has {
        eprintln!("SKIPPED: python3 has no module bpy (pip install bpy), so nothing goes through Blender");
    }
    has
}

/// The model of the sample, and one with a skin and a long animation of the corpus.
fn models() -> Vec<(PathBuf, Vec<u8>)> {
    let mut sink = MemorySink::new();
    scpcb::sample::specimens(&mut sink).unwrap();
    let mut models = vec![(PathBuf::from("sample.b3d"), sink.get("b3d/model.b3d").unwrap().to_vec())];
    let path = corpus::folder("scpcb").map(|folder| folder.join("GFX/npcs/372.b3d"));
    models.extend(path.and_then(|path| std::fs::read(&path).ok().map(|bytes| (path, bytes))));
    models
}

fn read(glb: &[u8]) -> Scene {
    scene::gltf::read(glb, &mut |_| None).unwrap().scene
}

fn through_blender(glb: &[u8], speed: f64) -> Scene {
    let folder = tempfile::tempdir().unwrap();
    let [from, to, script] = ["from.glb", "to.glb", "run.py"].map(|name| folder.path().join(name));
    std::fs::write(&from, glb).unwrap();
    std::fs::write(&script, SCRIPT).unwrap();
    let run =
        Command::new("python3").arg(&script).args([&from, &to]).arg(speed.to_string()).output().unwrap();
    let bytes = std::fs::read(&to);
    read(&bytes.unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&run.stderr))))
}

#[test]
fn a_model_comes_back_through_blender() {
    if !has_blender() {
        return;
    }
    for (path, bytes) in models() {
        let at = path.display();
        let model = B3d::read(&bytes, &mut Report::new()).unwrap();
        let glb = conversion::glb(&FORMAT, &model, &path, &[], 1.0);
        let before = read(&glb);
        let speed = before.animations[0].extras["frames_per_second"].as_f64().unwrap();
        let mut scene = through_blender(&glb, speed);

        let mut report = Report::new();
        let again = B3d::from_scene(&scene, &mut report).unwrap();
        assert_eq!(report.count(Severity::Warning), 0, "{at}: {report:?}");
        let difference =
            pose::largest_difference(&before, &read(&conversion::glb(&FORMAT, &again, &path, &[], 1.0)));
        println!("{at}: {difference:?}; identical: {}", again.write().unwrap() == bytes);
        assert!(difference.vertices < 1e-4, "{at}: {difference:?}");

        // The same without what the root knows of the model.
        for node in &mut scene.nodes {
            node.extras.shift_remove("b3d");
        }
        let root = scene.roots[0].0;
        scene.nodes[root] = Node { children: scene.nodes[root].children.clone(), ..Node::named("model") };
        scene.animations.retain(|clip| clip.name.starts_with("animation"));
        let bare = B3d::from_scene(&scene, &mut Report::new()).unwrap();
        let difference =
            pose::largest_difference(&before, &read(&conversion::glb(&FORMAT, &bare, &path, &[], 1.0)));
        println!("{at} without its model: {difference:?}");
        // Blender's keys fall on other times than those of the model, and nothing says where its own were.
        assert!(difference.vertices < 2e-2, "{at}: {difference:?}");
    }
}
