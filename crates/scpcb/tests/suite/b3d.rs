//! Real Blitz3D models: reading, counts, round trips, unpacking and packing, conversion, and truncation.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use antiquary_scpcb::b3d::{B3d, FORMAT};
use asset::{
    Asset, Context, Detail, FolderSink, Guard, MemorySink, Options, Parts, Report, Severity, Target, Unpacked,
};
use rayon::prelude::*;
use record::{Source, Span, Visit};

static GAMES: &[&asset::GameInfo] = &[&antiquary_scpcb::GAME];

const COUNTED: [&str; 9] =
    ["nodes", "meshes", "vertices", "triangles", "brushes", "textures", "bones", "keys", "sequences"];

/// Counts of an independent reader for models of the public corpus.
const MODELS: [(&str, [u64; 9]); 10] = [
    ("map/079.b3d", [1, 1, 10893, 13228, 13, 5, 0, 0, 0]),
    ("map/173_2.b3d", [127, 118, 3073, 1850, 30, 11, 0, 0, 0]),
    ("map/elevatordoor.b3d", [10, 1, 192, 96, 3, 3, 9, 0, 0]),
    ("map/medibay_props.b3d", [14, 12, 19123, 18586, 48, 14, 0, 0, 0]),
    ("map/monitor.b3d", [1, 1, 160, 132, 1, 1, 0, 0, 0]),
    ("map/pocketdimension2.b3d", [21, 19, 215, 101, 3, 2, 0, 0, 0]),
    ("npcs/173_2.b3d", [3, 1, 2287, 3996, 1, 1, 0, 0, 1]),
    ("npcs/372.b3d", [28, 1, 647, 778, 2, 2, 27, 3674, 0]),
    ("npcs/duck_low_res.b3d", [5, 1, 683, 1148, 1, 1, 4, 0, 0]),
    ("npcs/scp-1048.b3d", [21, 1, 1327, 2126, 1, 1, 20, 5264, 8]),
];

fn models() -> Vec<(PathBuf, Vec<u8>, B3d)> {
    let Some(folder) = corpus::folder("scpcb") else { return Vec::new() };
    let read = |path: PathBuf| {
        let bytes = std::fs::read(&path).unwrap();
        let mut report = Report::new();
        let model =
            B3d::read(&bytes, &mut report).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        assert!(report.is_empty(), "{}: {report:?}", path.display());
        (path, bytes, model)
    };
    corpus::files(&folder, "b3d", MODELS.len()).into_iter().map(read).collect()
}

/// Runs a closure with the context of a model in the game.
fn in_game<T>(path: &Path, work: impl FnOnce(&Context<'_>) -> T) -> T {
    let install = asset::game::install_around(path, GAMES).unwrap();
    let options = Options::defaults(FORMAT.options);
    work(&Context { install: &install, location: install.location_of(path), options: &options })
}

fn export(model: &B3d, path: &Path, extension: &'static str, report: &mut Report) -> Vec<u8> {
    let target = Target::new("model", 1.0);
    let mut sink = MemorySink::new();
    in_game(path, |context| FORMAT.convert(model, extension, context, target, &mut sink, report)).unwrap();
    sink.get(&format!("model.{extension}")).unwrap().to_vec()
}

#[test]
fn counts_match_an_independent_reader() {
    for (path, _, model) in models() {
        let Some((_, expected)) = MODELS.iter().find(|(name, _)| path.ends_with(name)) else { continue };
        let description = model.describe(Detail::Brief);
        let found = COUNTED.map(|name| description.counts.get(name));
        assert_eq!(found, *expected, "{}: {}", path.display(), description.summary);
        assert_eq!(description.counts.get("unknown chunks"), 0);
    }
}

#[test]
fn writes_every_model_it_reads() {
    for (path, bytes, model) in models() {
        assert!(model.write().unwrap() == bytes, "{}", path.display());
    }
}

#[test]
fn json_of_every_model_round_trips() {
    models().par_iter().for_each(|(path, bytes, model)| {
        let again: B3d = json::from_slice(&export(model, path, "json", &mut Report::new())).unwrap();
        assert!(again.write().unwrap() == *bytes, "{}", path.display());
    });
}

#[test]
fn unpacking_and_packing_every_model_round_trips() {
    for (path, bytes, model) in models() {
        let folder = tempfile::tempdir().unwrap();
        let mut sink = FolderSink::new(folder.path(), Arc::new(Guard::default()));
        let mut report = Report::new();
        in_game(&path, |context| {
            let source = Source::from_bytes(bytes.clone());
            let mut parts = Parts::new(&mut sink, FORMAT.id, &source, "model.b3d").unwrap();
            model.unpack(context, &mut parts, &mut report).unwrap();
            parts.finish(&mut Report::new()).unwrap();
        });
        sink.finish().unwrap();
        let unpacked = Unpacked::open(folder.path()).unwrap();
        assert!((FORMAT.pack.unwrap())(&unpacked, &mut report).unwrap() == bytes, "{}", path.display());
        assert!(report.is_empty(), "{}: {report:?}", path.display());
    }
}

#[test]
fn converts_every_model_reproducibly() {
    models().par_iter().for_each(|(path, _, model)| {
        let mut report = Report::new();
        let glb = export(model, path, "glb", &mut report);
        assert!(glb.starts_with(b"glTF") && glb.len() > 1000, "{}", path.display());
        assert_eq!(glb, export(model, path, "glb", &mut Report::new()), "{}", path.display());
        // Only images that are not part of the corpus are reported.
        let complaints = report.iter().filter(|warning| warning.code.severity > Severity::Note);
        assert!(
            complaints.clone().all(|warning| warning.code.id == "FILE-W001"),
            "{}: {report:?}",
            path.display()
        );
    });
}

/// Returns the JSON of a GLB.
fn document(glb: &[u8]) -> json::Value {
    let length = u32::from_le_bytes(glb[12..16].try_into().unwrap()) as usize;
    json::from_slice(&glb[20..20 + length]).unwrap()
}

#[test]
fn animated_models_have_their_clips_and_skins() {
    for (path, _, model) in models() {
        let json = document(&export(&model, &path, "glb", &mut Report::new()));
        let clips: Vec<&str> = json["animations"]
            .as_array()
            .map(|clips| clips.iter().map(|clip| clip["name"].as_str().unwrap()).collect())
            .unwrap_or_default();
        let joints = json["skins"][0]["joints"].as_array().map_or(0, Vec::len);
        let expected: (&[&str], usize) = match path.file_name().unwrap().to_str().unwrap() {
            // It has no sequences; the game plays a range of it.
            "372.b3d" => (&["animation", "fly"], 27),
            "scp-1048.b3d" => (
                &[
                    "animation",
                    "Default",
                    "idle_lookdown",
                    "idle_to_stepback",
                    "idle_to_walk",
                    "rarelyastheyseem",
                    "run_01",
                    "walk_01",
                    "walk_to_idle",
                ],
                20,
            ),
            _ => (&[], 0),
        };
        assert_eq!((&clips[..], joints), expected, "{}", path.display());
    }
}

#[test]
fn traces_every_byte_of_every_model_in_order() {
    models().par_iter().for_each(|(path, bytes, model)| {
        let mut next = 0;
        let mut visit = |span: Span<'_>| {
            assert_eq!(span.start, next, "{}: {span:?}", path.display());
            next = span.end;
            Visit::Continue
        };
        FORMAT.trace(model, &Source::from_bytes(&bytes[..]), &mut visit).unwrap();
        assert_eq!(next, bytes.len() as u64, "{}", path.display());
    });
}

/// Reads, writes and checks a model. The offset of an error must be within the file.
fn assert_no_panic(bytes: &[u8], context: &Context<'_>, what: &str) {
    let mut report = Report::new();
    match B3d::read(bytes, &mut report) {
        Ok(model) => {
            assert!(model.write().unwrap() == bytes, "{what}: written differently");
            model.check(context, &mut report);
        }
        Err(error) => {
            let offset = error.offset().unwrap_or_else(|| panic!("{what}: no offset: {error}"));
            assert!(offset <= bytes.len() as u64, "{what}: {error}");
        }
    }
}

/// Returns the offsets of all fields with this name.
fn fields(model: &B3d, bytes: &[u8], name: &str) -> Vec<usize> {
    let mut found = Vec::new();
    let mut visit = |span: Span<'_>| {
        if span.path.rsplit('.').next() == Some(name) {
            found.push(span.start as usize);
        }
        Visit::Continue
    };
    FORMAT.trace(model, &Source::from_bytes(bytes), &mut visit).unwrap();
    found
}

#[test]
fn refuses_truncated_models() {
    models().par_iter().for_each(|(path, bytes, model)| {
        in_game(path, |context| {
            let tags = fields(model, bytes, "tag").into_iter().map(|at| at as u64).collect();
            for length in corpus::cuts(bytes.len(), &tags) {
                assert_no_panic(&bytes[..length], context, &format!("{} cut at {length}", path.display()));
            }
        });
    });
}

#[test]
fn reads_models_with_truncated_contents() {
    // The length of the model is adjusted, so that the damage is at a deeper level.
    models().par_iter().for_each(|(path, bytes, model)| {
        in_game(path, |context| {
            for at in fields(model, bytes, "tag") {
                let mut cut = bytes[..at].to_vec();
                cut[4..8].copy_from_slice(&(at as i32 - 8).to_le_bytes());
                assert_no_panic(&cut, context, &format!("{} cut at {at:#x}", path.display()));
            }
        });
    });
}

#[test]
fn refuses_or_reports_invalid_numbers() {
    models().par_iter().for_each(|(path, bytes, model)| {
        in_game(path, |context| {
            let mut bytes = bytes.clone();
            let names =
                ["length", "flags", "coordinate_sets", "coordinate_size", "texture_count", "brush", "frames"];
            for name in names {
                let offsets = fields(model, &bytes, name);
                // Large models have hundreds of similar chunks.
                let step = if corpus::is_full() { 1 } else { offsets.len() / 40 + 1 };
                for at in offsets.into_iter().step_by(step) {
                    let before: [u8; 4] = bytes[at..at + 4].try_into().unwrap();
                    for value in [-1, i32::MAX, i32::MIN, 0, 7] {
                        bytes[at..at + 4].copy_from_slice(&value.to_le_bytes());
                        assert_no_panic(
                            &bytes,
                            context,
                            &format!("{}: {name} = {value} at {at:#x}", path.display()),
                        );
                    }
                    bytes[at..at + 4].copy_from_slice(&before);
                }
            }
        });
    });
}
