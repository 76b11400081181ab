//! Real `.x` models in text and binary form: unpacking, and round trips through scenes.

use crate::conversion;
use crate::pose;
use std::path::{Path, PathBuf};

use antiquary_scpcb::x::{Encoding, FORMAT, XFile};
use asset::unpack::{MemoryParts, Unpacked};
use asset::{Asset, Context, Install, MemorySink, Options, Parts, Report, SceneFile, Severity, Source};
use scene::gltf::Read;
use scene::{Node, Scene};

fn models() -> Vec<(PathBuf, Vec<u8>)> {
    let folders = ["scpcb", "scpcb_characters"].into_iter().filter_map(corpus::folder);
    let files = folders.flat_map(|folder| corpus::files(&folder, "x", 0));
    let mut models: Vec<(PathBuf, Vec<u8>)> =
        files.map(|path| (path.clone(), std::fs::read(path).unwrap())).collect();
    let mut sink = MemorySink::new();
    antiquary_scpcb::sample::specimens(&mut sink).unwrap();
    let samples = sink.into_files().into_iter().filter(|(name, _)| name.ends_with(".x"));
    models.extend(samples.map(|(name, bytes)| (PathBuf::from(name), bytes.to_vec())));
    models
}

fn opened(bytes: &[u8]) -> Box<dyn Asset> {
    (FORMAT.open)(&Source::from_bytes(bytes), &mut Report::new()).unwrap()
}

fn converted(path: &Path, bytes: &[u8], scale: f64) -> Read {
    let glb = conversion::glb(&FORMAT, &*opened(bytes), path, &[], scale);
    let read = scene::gltf::read(&glb, &mut |_| None).unwrap();
    assert!(read.left_out.is_empty(), "{:?}", read.left_out);
    read
}

fn imported(read: &Read, extension: &str) -> (Vec<u8>, Report) {
    let mut report = Report::new();
    let file = SceneFile { read, extension, name: "model.x", options: &Options::default(), base: None };
    let product = (FORMAT.import.unwrap().make)(&file, &mut report).unwrap();
    (product.bytes, report)
}

/// Unpacks a file in memory.
fn unpacked(bytes: &[u8]) -> Unpacked {
    let (install, options) = (Install::empty(), Options::defaults(FORMAT.options));
    let context = Context { install: &install, location: None, options: &options };
    let mut memory = MemoryParts::new();
    let mut parts = Parts::new(&mut memory, FORMAT.id, &Source::from_bytes(bytes), "model.x").unwrap();
    opened(bytes).unpack(&context, &mut parts, &mut Report::new()).unwrap();
    parts.finish(&mut Report::new()).unwrap();
    Unpacked::in_memory(memory).unwrap()
}

fn packed(folder: &Unpacked) -> Result<Vec<u8>, record::Error> {
    FORMAT.pack.unwrap()(folder, &mut Report::new())
}

#[test]
fn changes_only_the_edited_line_or_number() {
    let sample = |name: &str| {
        let found = models().into_iter().find(|(path, _)| path.ends_with(name));
        found.unwrap_or_else(|| panic!("{name}")).1
    };
    let edited = |bytes: &[u8], from: &str, to: &str| {
        let folder = unpacked(bytes);
        let record = String::from_utf8(folder.record().unwrap()).unwrap();
        assert!(record.contains(from), "{record}");
        packed(&folder.with_record(record.replacen(from, to, 1).into_bytes()).unwrap())
    };
    let text = sample("x/text.x");
    let expected = String::from_utf8(text.clone()).unwrap().replace("panel.png", "other.png");
    assert_eq!(edited(&text, "panel.png", "other.png").unwrap(), expected.into_bytes());

    let compressed = edited(&sample("x/compressed-text.x"), "panel.png", "other.png").unwrap();
    let file = XFile::read(&compressed, &mut Report::new()).unwrap();
    assert_eq!(file.materials[0].texture.as_deref(), Some("other.png"));
    assert_eq!(file.header.encoding, Encoding::CompressedText);

    for name in ["x/binary-32.x", "x/binary-64.x", "x/compressed-binary.x"] {
        let binary = sample(name);
        let again = edited(&binary, "\"panel\"", "\"wall\"").unwrap();
        let mut file = XFile::read(&binary, &mut Report::new()).unwrap();
        file.meshes[0].name = Some("wall".to_owned());
        assert!(XFile::read(&again, &mut Report::new()).unwrap() == file, "{name}");
    }
    let refused = edited(&text, "txt 0032", "bin 0032").unwrap_err().to_string();
    assert!(refused.ends_with("a file with this header must have tokens and no lines"), "{refused}");
}

#[test]
fn unpacking_and_packing_every_model_round_trips() {
    let mut found = 0;
    for (path, bytes) in models() {
        assert!(packed(&unpacked(&bytes)).unwrap() == bytes, "{}", path.display());
        found += 1;
    }
    assert!(found >= 5, "{found} models");
}

#[test]
fn traces_every_byte() {
    for (path, bytes) in models() {
        let mut end = 0;
        let source = Source::from_bytes(&bytes[..]);
        let asset = opened(&bytes);
        FORMAT.spans.unwrap()(&*asset, &source, &mut |span: record::Span<'_>| {
            assert_eq!(span.start, end, "{}: {}", path.display(), span.path);
            end = span.end;
            record::Visit::Continue
        })
        .unwrap();
        assert_eq!(usize::try_from(end).unwrap(), bytes.len(), "{}", path.display());
    }
}

#[test]
fn scene_of_every_model_round_trips() {
    let (mut identical, mut all) = (0, 0);
    for (path, bytes) in models() {
        let is_binary = opened(&bytes).typed::<XFile>().unwrap().header.encoding.is_binary();
        for scale in [1.0, 100.0] {
            let (again, report) =
                imported(&converted(&path, &bytes, scale), if is_binary { "xbin" } else { "x" });
            all += 1;
            if again == bytes {
                identical += 1;
                assert_eq!(report.count(Severity::Warning), 0, "{}: {report:?}", path.display());
            } else {
                println!("{} at {scale} differs", path.display());
            }
        }
    }
    assert_eq!(identical, all);
}

#[test]
fn scene_without_the_original_model_looks_the_same() {
    for (path, bytes) in models() {
        let before = converted(&path, &bytes, 1.0);
        let mut bare = before.clone();
        bare.scene.nodes.iter_mut().for_each(|node| node.extras.clear());
        let root = bare.scene.roots[0].0;
        bare.scene.nodes[root] = Node {
            children: bare.scene.nodes[root].children.clone(),
            mesh: bare.scene.nodes[root].mesh,
            ..Node::named("model")
        };
        for (extension, encoding) in [("x", Encoding::Text), ("xbin", Encoding::Binary)] {
            let (again, _) = imported(&bare, extension);
            let mut report = Report::new();
            let file = XFile::read(&again, &mut report).unwrap();
            assert_eq!(file.header.encoding, encoding);
            let at = path.display();
            assert_eq!(report.count(Severity::Warning), 0, "{at}: {report:?}");
            assert_eq!(file.write().unwrap(), again, "{at}");
            let after: Scene = converted(&path, &again, 1.0).scene;
            let difference = pose::largest_difference(&before.scene, &after);
            assert!(difference.frames > 0 && difference.vertices < 1e-4, "{at}: {difference:?}");
        }
    }
}
