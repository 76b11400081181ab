//! Round trips of real models through scenes, and the visible result if a scene does not contain its original model.

use crate::conversion;
use crate::pose;
use std::path::{Path, PathBuf};

use antiquary_scpcb::b3d::{B3d, Chunk, FORMAT};
use asset::{Report, Severity};
use rayon::prelude::*;
use scene::{Node, Scene};

/// Number of models in the public corpus.
const MODELS: usize = 17;

fn models() -> Vec<(PathBuf, Vec<u8>)> {
    let folders = ["scpcb", "scpcb_characters"].into_iter().filter_map(corpus::folder);
    let files = folders.flat_map(|folder| corpus::files(&folder, "b3d", 1));
    files.map(|path| (path.clone(), std::fs::read(path).unwrap())).collect()
}

fn converted(path: &Path, model: &B3d, scale: f64) -> Scene {
    let glb = conversion::glb(&FORMAT, model, path, &[], scale);
    let read = scene::gltf::read(&glb, &mut |_| None).unwrap();
    assert!(read.left_out.is_empty(), "{:?}", read.left_out);
    read.scene
}

fn imported(scene: &Scene) -> (B3d, Report) {
    let mut report = Report::new();
    let model = B3d::from_scene(scene, &mut report).unwrap();
    (model, report)
}

#[test]
fn scene_of_every_model_round_trips() {
    let models = models();
    models.par_iter().for_each(|(path, bytes)| {
        let model = B3d::read(bytes, &mut Report::new()).unwrap();
        for scale in [1.0, 100.0] {
            let (again, report) = imported(&converted(path, &model, scale));
            let at = path.display();
            for (index, (found, expected)) in again.chunks.iter().zip(&model.chunks).enumerate() {
                assert!(found == expected, "{at}: chunk {index} differs: {}", difference(found, expected));
            }
            assert!(again.write().unwrap() == *bytes, "{at}");
            assert_eq!(report.count(Severity::Warning), 0, "{at}: {report:?}");
        }
    });
    println!("{} models are identical", models.len());
    assert!(models.is_empty() || models.len() >= MODELS, "only {} models", models.len());
}

/// Describes the first difference between two chunks.
fn difference(found: &Chunk, expected: &Chunk) -> String {
    let (Some(a), Some(b)) = (found.chunks(), expected.chunks()) else {
        let text = |chunk: &Chunk| format!("{chunk:?}").chars().take(300).collect::<String>();
        return format!("{} {} / {}", expected.tag(), text(found), text(expected));
    };
    let tags =
        |list: &[Chunk]| list.iter().map(|chunk| chunk.tag().to_string()).collect::<Vec<_>>().join(" ");
    match a.iter().zip(b).find(|(a, b)| a != b) {
        Some((a, b)) if a.tag() == b.tag() => format!("{} > {}", expected.tag(), difference(a, b)),
        _ => format!("{}: {} / {}", expected.tag(), tags(a), tags(b)),
    }
}

#[test]
fn scene_without_the_original_model_looks_the_same() {
    models().par_iter().for_each(|(path, bytes)| {
        let model = B3d::read(bytes, &mut Report::new()).unwrap();
        let before = converted(path, &model, 1.0);
        let mut bare = before.clone();
        bare.nodes.iter_mut().for_each(|node| node.extras.clear());
        // The game's transform of characters is not part of any file.
        let root = bare.roots[0].0;
        bare.nodes[root] = Node { children: bare.nodes[root].children.clone(), ..Node::named("model") };
        let (again, _) = imported(&bare);
        let written = again.write().unwrap();
        let mut report = Report::new();
        let read = B3d::read(&written, &mut report).unwrap();
        assert!(report.is_empty(), "{}: {report:?}", path.display());
        assert!(read == again, "{}", path.display());
        let after = converted(path, &again, 1.0);
        let difference = pose::largest_difference(&before, &after);
        println!("{}: {difference:?}", path.display());
        assert!(difference.frames > 0 && difference.vertices < 1e-4, "{}: {difference:?}", path.display());
    });
}
