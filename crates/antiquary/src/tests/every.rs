//! Properties of every game and format in the real catalog.

use std::collections::HashSet;
use std::path::Path;

use asset::{Can, MemorySink, Severity, Source};

use super::Folder;
use crate::catalog::COMMON_CODES;
use crate::run::{Run, Strictness};
use crate::session::{
    CheckOptions, ConvertOptions, Destination, Inputs, PackOptions, Session, UnpackOptions,
};
use crate::{CATALOG, sample};

/// Writes the sample games to a folder.
fn samples() -> Folder {
    let (folder, mut sink) = (Folder::new(), MemorySink::new());
    sample::write(CATALOG, &mut sink).unwrap();
    for (name, bytes) in sink.files() {
        folder.put(name, bytes);
    }
    folder
}

#[test]
fn ids_are_unique_and_prefixed() {
    let mut ids = HashSet::new();
    for game in CATALOG.games() {
        assert!(ids.insert(game.id) && !game.markers.is_empty());
        for format in game.formats {
            assert!(ids.insert(format.id), "{} twice", format.id);
            assert_eq!((format.game, format.id.split('.').next()), (Some(game.id), Some(game.id)));
            assert!(format.extensions.iter().all(|extension| extension.to_lowercase() == *extension));
            let outputs = format.outputs();
            assert_eq!(
                outputs.first().map(|output| output.extension),
                format.default_output(),
                "{}",
                format.id
            );
            assert!(outputs.iter().all(|output| format.output(output.extension).is_some()), "{}", format.id);
            assert_eq!(outputs.is_empty(), !format.is_convertible(), "{}", format.id);
        }
    }
}

#[test]
fn shared_formats_have_no_game() {
    let shared: Vec<_> = CATALOG.formats().filter(|format| format.game.is_none()).collect();
    assert!(!shared.is_empty());
    for format in shared {
        let (first, _) = format.id.split_once('.').unwrap();
        assert!(CATALOG.games().iter().all(|game| game.id != first), "{}", format.id);
        assert_eq!(CATALOG.formats().filter(|other| other.id == format.id).count(), 1, "{}", format.id);
    }
}

#[test]
fn further_outputs_of_a_folder_are_outputs_of_the_format() {
    for format in CATALOG.formats() {
        for extension in format.folder_outputs {
            assert!(format.output(extension).is_some(), "{}: {extension}", format.id);
            assert_ne!(Some(*extension), format.default_output(), "{}", format.id);
        }
    }
}

#[test]
fn option_names_are_plain_words() {
    for (name, _) in CATALOG.options() {
        assert!(name.chars().all(|letter| letter.is_ascii_lowercase() || letter == '-'), "{name}");
    }
}

#[test]
fn every_format_with_scenes_accepts_presets() {
    let presets = ["none", "godot", "unity", "unreal", "blender"];
    for format in CATALOG.formats().filter(|format| format.can(Can::Make(asset::ProductKind::Scene))) {
        let given = |list: &[(&str, &str)]| -> Vec<_> {
            list.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
        };
        for preset in presets {
            let options = asset::Options::parse(format.options, &given(&[("preset", preset)]));
            let options = options.unwrap_or_else(|error| panic!("{}: {error}", format.id));
            assert_eq!(options.engine().map_or("none", |engine| engine.name()), preset, "{}", format.id);
        }
        // The value that a preset selects must be accepted by the option.
        for option in format.options {
            for (engine, value) in option.presets {
                let chosen = asset::Options::parse(format.options, &given(&[(option.name, value)])).unwrap();
                assert!(chosen.is_given(option), "{}: {} of {engine:?}", format.id, option.name);
                let preset = given(&[("preset", engine.name())]);
                assert!(asset::Options::parse(format.options, &preset).unwrap().is_given(option));
            }
        }
    }
}

#[test]
fn codes_are_unique_well_formed_and_explained() {
    let mut lists = COMMON_CODES.to_vec();
    // Formats of one kind share a list.
    for format in CATALOG.formats() {
        if !lists.iter().any(|known| std::ptr::eq(*known, format.codes)) {
            lists.push(format.codes);
        }
    }
    let shared = || CATALOG.formats().flat_map(|format| format.shared_codes);
    let mut all: Vec<_> = lists.into_iter().flatten().collect();
    for code in shared().map(|shared| shared.code) {
        if !all.iter().any(|known| std::ptr::eq(*known, code)) {
            all.push(code);
        }
    }
    let mut ids = HashSet::new();
    for id in shared().filter_map(|shared| shared.formerly) {
        assert!(ids.insert(id), "{id} was two codes");
    }
    // Former ids are never reused.
    for code in all {
        assert!(ids.insert(code.id), "{} twice", code.id);
        let (format, number) = code.id.rsplit_once('-').unwrap();
        assert!(
            format.chars().all(|letter| letter.is_ascii_uppercase() || letter.is_ascii_digit()),
            "{}",
            code.id
        );
        assert_eq!(number.len(), 4, "{}", code.id);
        assert!(number.chars().skip(1).all(|digit| digit.is_ascii_digit()), "{}", code.id);
        assert!(!code.title.is_empty() && !code.about.is_empty(), "{}", code.id);
    }
}

/// A former id selects the shared code in files of the format that used it, and in no others.
#[test]
fn former_ids_select_shared_codes_in_files_of_their_format() {
    let room = CATALOG.format("scpcb.rmesh").unwrap();
    let model = CATALOG.format("scpcb.x").unwrap();
    let missing = &asset::reference::MISSING;
    for by in ["FILE-W001", "FILE", "RMESH-W010", "rmesh-w010", "RMESH"] {
        assert!(room.matches(missing, by) && CATALOG.has_code(by), "{by}");
    }
    for by in ["RMESH-W01", "RMESH-W014", "X-W010", "OBJ", "FILE-W002", ""] {
        assert!(!room.matches(missing, by), "{by}");
    }
    assert!(model.matches(missing, "X-W010") && !model.matches(missing, "RMESH-W010"));
    assert!(!CATALOG.has_code("RMESH-W999"));
}

/// The codes of the formats are written into the page by `cargo xtask docs`.
#[test]
fn the_book_explains_the_codes_of_any_format() {
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/src/warnings.md");
    let page = words(&std::fs::read_to_string(page).unwrap());
    for code in COMMON_CODES.into_iter().flatten() {
        let anchor = code.id.to_lowercase();
        let article = if code.severity == Severity::Error { "An" } else { "A" };
        let entry = format!(
            "### {}: {} {{#{anchor}}} {article} {}. {}",
            code.id, code.title, code.severity, code.about
        );
        assert!(page.contains(&words(&entry)), "{entry}");
    }
}

#[test]
fn every_sample_is_valid_and_complete() {
    let folder = samples();
    let session = Session::default().strictness(Strictness::Strict);
    let inputs = Inputs::collect(&[folder.path("")]);
    let run = session.check(&inputs, &CheckOptions::default()).unwrap();
    assert!(!run.outcomes.is_empty());
    for outcome in &run.outcomes {
        assert!(outcome.ok, "{}: {:?} {:?}", outcome.input, outcome.error, outcome.warnings);
    }
    for game in CATALOG.games() {
        let scan = session.scan(&folder.path(game.id)).unwrap();
        assert_eq!(scan.game, Some(game.id), "the sample has the game's layout");
    }
}

/// Maps in folders are converted to scenes, like other files; an option selects one of their actors.
#[test]
fn maps_are_converted_completely_or_by_an_actor() {
    let folder = samples();
    let map = folder.path("redguard/maps/ISLAND.RGM");
    let run = |actor, input: &Path| {
        let out = Destination::Folder(tempfile::tempdir().unwrap().path().join("out"));
        let mut options = ConvertOptions::default().to("glb");
        if let Some(actor) = actor {
            options = options.options(&super::pairs(&[("actor", actor)]));
        }
        Session::default().convert(&Inputs::collect(&[input.to_path_buf()]), &out, &options).unwrap()
    };
    let all = run(None, &folder.path("redguard"));
    assert_eq!((all.failed(), all.left_out.get("redguard.rgm")), (0, None));
    let written = |run: &Run| run.outcomes.iter().filter_map(|outcome| outcome.written).sum::<u64>();
    let (complete, keeper) = (run(None, &map), run(Some("KEEPER"), &map));
    assert_eq!((complete.failed(), keeper.failed()), (0, 0));
    assert!(written(&complete) > 4 * written(&keeper));
    assert_eq!(run(Some("UNKNOWN"), &map).failed(), 1);
}

/// A folder with most of Redguard's maps is compared with the original game.
#[test]
fn compares_a_game_with_the_original() {
    let folder = samples();
    let check = |input: &str| {
        let run = Session::default()
            .check(&Inputs::collect(&[folder.path(input)]), &CheckOptions::default())
            .unwrap();
        assert_eq!(run.failed(), 0, "{run:?}");
        let of_game = run.outcomes.iter().filter(|outcome| outcome.format.is_none());
        let reported: Vec<_> = of_game.flat_map(|it| it.warnings.iter()).map(ToString::to_string).collect();
        (run.files(), reported)
    };
    let (files, reported) = check("redguard");
    assert!(reported.is_empty(), "{reported:?}");
    let map = std::fs::read(folder.path("redguard/maps/ISLAND.RGM")).unwrap();
    for number in 1..27 {
        folder.put(&format!("redguard/maps/M{number}.RGM"), &map);
    }
    let (more, reported) = check("redguard");
    assert_eq!(more, files + 26);
    assert!(
        reported.iter().any(|it| it.contains("GAME-N001")
            && it.contains("MAPS/*.RGM: statics: ")
            && it.contains("(shipped game: 4,161)")),
        "{reported:?}"
    );
    assert!(!reported.iter().any(|it| it.contains("MAPS/*.RGM: files")), "{reported:?}");
    // A subfolder of the game is not a game.
    assert!(check("redguard/maps").1.is_empty());
}

#[test]
fn conversion_of_every_sample_is_reproducible() {
    let folder = samples();
    let inputs = Inputs::collect(&[folder.path("")]);
    let converted = |out: &str| {
        let out = folder.path(out);
        let run = Session::default()
            .convert(&inputs, &Destination::Folder(out), &ConvertOptions::default())
            .unwrap();
        assert_eq!(run.failed(), 0, "{run:?}");
    };
    converted("antiquary-out-1");
    converted("antiquary-out-2");
    let files = folder.files("antiquary-out-1");
    assert!(!files.is_empty());
    assert_eq!(files, folder.files("antiquary-out-2"));
    for file in files {
        let bytes = |out: &str| std::fs::read(folder.path(out).join(&file)).unwrap();
        assert_eq!(bytes("antiquary-out-1"), bytes("antiquary-out-2"), "{file}");
    }
}

#[test]
fn every_packable_sample_round_trips() {
    let folder = samples();
    let inputs = Inputs::collect(&[folder.path("")]);
    let (session, mut packed) = (Session::default(), 0);
    for (index, input) in inputs.iter().enumerate() {
        let Ok(opened) = CATALOG.open(input.path()) else { continue };
        if !opened.format.can(Can::Pack) {
            continue;
        }
        let (unpacked, again) = (folder.path(&format!("u/{index}")), folder.path(&format!("p/{index}")));
        let run = session.unpack(input.path(), &unpacked, &UnpackOptions::default()).unwrap();
        assert!(run.outcomes[0].ok, "{:?}", run.outcomes[0].error);
        session.pack(&unpacked, &again, &PackOptions::default()).unwrap();
        assert_eq!(std::fs::read(again).unwrap(), std::fs::read(input.path()).unwrap());
        packed += 1;
    }
    assert!(packed > 0);
}

#[test]
fn every_truncated_sample_is_readable_or_has_a_located_error() {
    let folder = samples();
    let mut cuts = 0;
    for input in &Inputs::collect(&[folder.path("")]) {
        let Ok(opened) = CATALOG.open(input.path()) else { continue };
        let complete = opened.source.read_all().unwrap();
        let name = input.path().to_str().unwrap();
        let step = (complete.len() / 500).max(1);
        for length in (0..complete.len()).step_by(step) {
            let cut = Inputs::of_source(name, Source::from(complete[..length].to_vec()));
            let run = Session::default().check(&cut, &CheckOptions::default()).unwrap();
            let outcome = &run.outcomes[0];
            cuts += 1;
            let Some(error) = &outcome.error else { continue };
            assert_ne!(error.kind(), asset::Kind::Internal, "{name} cut to {length} bytes: {error}");
            let offset = error.offset().unwrap_or(u64::MAX);
            assert!(offset <= u64::try_from(length).unwrap(), "{name} cut to {length} bytes: {error}");
        }
    }
    assert!(cuts > 100);
}
