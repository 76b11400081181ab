//! Pictures that a game draws from its settings: written on request, and with everything.

use std::path::{Path, PathBuf};

use antiquary::{CATALOG, ConvertOptions, Destination, Extent, Inputs, Overview, Run, Session};
use asset::{FolderSink, Guard, Overwrite, Severity};

/// The sample of Redguard in a folder, without its larger files.
struct Game(tempfile::TempDir);

impl Game {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let mut sink = FolderSink::new(folder.path(), Guard::new(Overwrite::Refuse).into());
        antiquary::sample::write(CATALOG, &mut sink).unwrap();
        sink.finish().unwrap();
        for removed in ["maps", "3dart", "sound", "SAVEGAME"] {
            std::fs::remove_dir_all(folder.path().join("redguard").join(removed)).unwrap();
        }
        Self(folder)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join("redguard").join(name)
    }

    fn convert(&self, input: &str, out: &Path, to: Option<&str>) -> Run {
        let mut options = ConvertOptions::default();
        options.to = to.map(ToOwned::to_owned);
        let inputs = Inputs::collect(&[self.path(input)]);
        Session::default().convert(&inputs, &Destination::Folder(out.to_path_buf()), &options).unwrap()
    }
}

/// Returns the outputs of settings, relative to the output folder.
fn outputs(run: &Run, out: &Path) -> Vec<String> {
    let of_settings = run.outcomes.iter().filter(|outcome| outcome.format == Some("redguard.ini"));
    let names = of_settings
        .flat_map(|outcome| &outcome.outputs)
        .map(|output| Path::new(output).strip_prefix(out).unwrap().to_string_lossy().replace('\\', "/"));
    let mut names: Vec<_> = names.collect();
    names.sort();
    names
}

#[test]
fn settings_become_pictures_only_on_request() {
    let game = Game::new();
    let out = tempfile::tempdir().unwrap();
    let run = game.convert("MENU.INI", &out.path().join("json"), None);
    let names = outputs(&run, &out.path().join("json"));
    assert!(names.iter().any(|name| name == "MENU.INI.json"), "{names:?}");
    assert!(!names.iter().any(|name| name.ends_with(".png")), "{names:?}");
    let to = out.path().join("png");
    let pages = game.convert("MENU.INI", &to, Some("png"));
    let names = outputs(&pages, &to);
    assert_eq!((names.len(), names[0].as_str()), (8, "MENU.INI/page0-main-0.png"));
    let hud = game.convert("SYSTEM.INI", &to, Some("png"));
    assert_eq!(outputs(&hud, &to), ["SYSTEM.INI.png"]);
    // The sample has all files that its screens are drawn with.
    for outcome in pages.outcomes.iter().chain(&hud.outcomes) {
        let warnings: Vec<_> =
            outcome.warnings.iter().filter(|it| it.code.severity > Severity::Note).collect();
        assert!(outcome.ok && warnings.is_empty(), "{outcome:?}");
    }
}

#[test]
fn a_single_file_without_pictures_cannot_be_converted_to_one() {
    let game = Game::new();
    let out = tempfile::tempdir().unwrap();
    let run = game.convert("WORLD.INI", out.path(), Some("png"));
    let error = run.outcomes[0].error.as_ref().unwrap();
    assert_eq!(error.message(), "the file contains nothing that can be converted to this format");
    // In a folder, such files are skipped.
    let run = game.convert("", &out.path().join("all"), Some("png"));
    assert_eq!(run.failed(), 0, "{run:?}");
    assert_eq!(outputs(&run, &out.path().join("all")).len(), 9);
}

#[test]
fn everything_includes_the_pictures_of_settings() {
    let game = Game::new();
    let out = tempfile::tempdir().unwrap();
    let options = ConvertOptions::default().overview(Overview::None);
    let inputs = Inputs::find(CATALOG, &[game.path("")]);
    let run =
        Session::default().convert_to(&inputs, out.path(), &options.extent(Extent::Everything)).unwrap();
    assert_eq!(run.failed(), 0, "{run:?}");
    let names = outputs(&run, out.path());
    for name in [
        "MENU.INI.json",
        "MENU.INI/page7-controls-0.png",
        "SYSTEM.INI.json",
        "SYSTEM.INI.png",
        "WORLD.INI.json",
    ] {
        assert!(names.iter().any(|known| known == name), "{name}: {names:?}");
    }
    // Other images are not written twice.
    let palette = run.outcomes.iter().find(|outcome| outcome.input.ends_with("ISLAND.COL")).unwrap();
    assert_eq!(palette.outputs.iter().filter(|output| output.ends_with(".png")).count(), 1, "{palette:?}");
}
