//! Paths into containers.

use std::path::{Path, PathBuf};

use super::crates::crate_of;
use super::textbox::textbox;
use super::{Folder, failure, messages, session};
use crate::run::Run;
use crate::session::{
    CheckOptions, ConvertOptions, DescribeOptions, Destination, DiffOptions, Input, Inputs, PackOptions,
    UnpackOptions,
};

/// Creates a folder with a crate of boxes, one of which refers to a picture next to it in the crate.
fn folder() -> Folder {
    let folder = Folder::new();
    let files: [(&str, &[u8]); 6] = [
        ("data\\a.box", &textbox(1, "SUN.png", "a")),
        ("data\\deep\\b.BOX", &textbox(2, "", "b")),
        ("data\\deep\\Mill.box", &textbox(2, "", "first")),
        ("data\\deep\\mill.box", &textbox(2, "", "exact")),
        ("data\\sun.png", b"UNTOUCHED"),
        ("top.box", &textbox(1, "", "top")),
    ];
    folder.put("x.crate", &crate_of(&files));
    folder.put("loose.box", &textbox(1, "", "loose"));
    folder
}

fn find(folder: &Folder, paths: &[&str]) -> Inputs {
    let paths: Vec<PathBuf> = paths.iter().map(|path| folder.path(path)).collect();
    Inputs::find(session().catalog, &paths)
}

fn found(folder: &Folder, path: &str) -> Vec<String> {
    let short = |input: &Input| folder.short(input.path().to_str().unwrap());
    find(folder, &[path]).iter().map(short).collect()
}

fn convert(folder: &Folder, paths: &[&str], out: &str) -> Result<Run, asset::Error> {
    let inputs = find(folder, paths);
    let destination = Destination::new(&folder.path(out), &inputs, session().catalog)?;
    session().convert(&inputs, &destination, &ConvertOptions::default())
}

#[test]
fn resolves_a_path_to_a_file_a_folder_or_the_matches_of_a_pattern() {
    let folder = folder();
    assert_eq!(found(&folder, "x.crate"), ["x.crate"], "the path of a container is not expanded");
    assert_eq!(found(&folder, "x.crate/data/a.box"), ["x.crate/data/a.box"]);
    assert_eq!(found(&folder, "x.crate/DATA/A.Box"), ["x.crate/data/a.box"]);
    assert_eq!(found(&folder, "x.crate/data/deep/mill.box"), ["x.crate/data/deep/mill.box"]);
    assert_eq!(found(&folder, "x.crate/data/deep/MILL.box"), ["x.crate/data/deep/Mill.box"], "the first");
    let deep = ["x.crate/data/deep/b.BOX", "x.crate/data/deep/Mill.box", "x.crate/data/deep/mill.box"];
    assert_eq!(found(&folder, "x.crate/data/DEEP"), deep);
    assert_eq!(found(&folder, "x.crate/**/deep/*.box"), deep);
    assert_eq!(found(&folder, "x.crate/data/*.box"), ["x.crate/data/a.box"]);
    assert_eq!(found(&folder, "x.crate/").len(), 6);
    assert_eq!(found(&folder, "x.crate/*").len(), 6);
    // A name that looks like an absolute path is still resolved in the container.
    folder.put("abs.crate", &crate_of(&[("/etc/a.box", &textbox(1, "", "a"))]));
    assert_eq!(found(&folder, "abs.crate/**/*.box"), ["abs.crate/etc/a.box"]);
}

#[test]
fn an_unknown_path_selects_nothing_and_suggests_similar_ones() {
    let folder = folder();
    let message = |path: &str| {
        let inputs = find(&folder, &[path]);
        assert_eq!(inputs.len(), 1, "{path}");
        inputs.iter().next().unwrap().source().unwrap_err().to_string().replace('\\', "/")
    };
    let at = |path: &str| folder.path(path).display().to_string();
    let near = ["x.crate/data/deep/Mill.box", "x.crate/data/deep/mill.box"].map(at);
    let wrong = message("x.crate/data/deep/mil.box");
    assert!(wrong.ends_with(&format!("did you mean one of \"{}\", \"{}\"?", near[0], near[1])), "{wrong}");
    let elsewhere = format!("did you mean \"{}\"?", at("x.crate/data/a.box"));
    assert!(message("x.crate/a.box").ends_with(&elsewhere), "{}", message("x.crate/a.box"));
    assert!(message("x.crate/banana").ends_with("run `antiquary list` to see all files"));
    assert!(message("x.crate/**/*.rsm").ends_with("no file in the archive matches \"**/*.rsm\""));
    assert!(message("loose.box/a.box").contains("files are not archives"), "{}", message("loose.box/a.box"));
    assert!(message("gone.crate/a.box").contains("No such file"), "{}", message("gone.crate/a.box"));
    assert!(message("x.crate/../loose.bo").contains("no such file in the archive"));
    let run = convert(&folder, &["x.crate/data/deep/mil.box"], "out/").unwrap();
    assert_eq!((run.outcomes.len(), run.failed()), (1, 1));
    assert!(!folder.path("out").exists());
}

#[test]
fn processes_a_file_in_a_container_like_one_on_disk() {
    let folder = folder();
    let run = convert(&folder, &["x.crate/data/a.box"], "one.txt").unwrap();
    assert_eq!(run.failed(), 0, "{run:?}");
    assert_eq!(messages(&run.outcomes[0]), ["note BOX-N002: picture: \"SUN.png\" is data/sun.png"]);
    assert!(folder.path("one.txt").is_file());
    convert(&folder, &["x.crate/data/a.box", "loose.box"], "two/").unwrap();
    assert_eq!(folder.files("two"), ["a.box.txt", "loose.box.txt"]);
    let run = convert(&folder, &["x.crate/data/deep/*.BOX", "loose.box"], "some/").unwrap();
    assert_eq!(
        folder.files("some"),
        ["Mill.box.txt", "b.BOX.txt", "loose.box.txt", "mill~2.box.txt"],
        "{run:?}"
    );
    convert(&folder, &["x.crate/data"], "data/").unwrap();
    assert!(folder.files("data").contains(&"deep/b.BOX.txt".to_owned()));
    // A file without a known format is counted, but does not fail.
    let run = convert(&folder, &["x.crate/data/*"], "all/").unwrap();
    assert_eq!((run.failed(), run.unknown.len()), (0, 1), "{run:?}");
    let run = convert(&folder, &["x.crate/data/sun.png"], "png/").unwrap();
    assert_eq!(run.failed(), 1, "a single file must have a known format");

    let run = session().describe(&find(&folder, &["x.crate/top.box"]), &DescribeOptions::default()).unwrap();
    assert_eq!(run.outcomes[0].format, Some("test.box"));
    let run = session().check(&find(&folder, &["x.crate/data/*.box"]), &CheckOptions::default()).unwrap();
    assert_eq!((run.outcomes.len(), run.failed()), (1, 0));
    let unpacked = folder.path("unpacked");
    let run =
        session().unpack(&folder.path("x.crate/top.box"), &unpacked, &UnpackOptions::default()).unwrap();
    assert_eq!(run.failed(), 0, "{run:?}");
    let packed = session().pack(&unpacked, &folder.path("top.box"), &PackOptions::default()).unwrap();
    assert!(packed.ok && std::fs::read(folder.path("top.box")).unwrap() == textbox(1, "", "top"));
}

#[test]
fn files_in_containers_are_compared_with_others() {
    let folder = folder();
    let at = |path: &str| folder.path(path);
    let diff = |first: &str, second: &str| {
        session().diff(&at(first), &at(second), &DiffOptions::default().limit(10))
    };
    let comparison = diff("x.crate/data/deep/mill.box", "x.crate/data/deep/Mill.box").unwrap();
    assert_eq!((comparison.pairs.len(), comparison.has_failed()), (1, false));
    assert!(diff("x.crate/top.box", "x.crate/top.box").unwrap().is_equal());
    assert_eq!(diff("x.crate/data/*.box", "x.crate/data/*.box").unwrap().equal, 1);
    assert_eq!(diff("x.crate/data", "x.crate/top.box").unwrap_err().message(), {
        let file = at("x.crate/top.box");
        format!("is a folder, but {} is a file", file.display())
    });
    assert!(diff("x.crate/none.box", "loose.box").unwrap_err().message().starts_with("no such file in the"));
    assert!(diff("none", "x.crate/data").is_err());
}

#[test]
fn the_container_is_never_overwritten() {
    let folder = folder();
    let before = std::fs::read(folder.path("x.crate")).unwrap();
    let session = session().overwrite(asset::Overwrite::Allow);
    let inputs = find(&folder, &["x.crate/top.box"]);
    for out in ["x.crate", "./x.crate"] {
        let destination = Destination::File(folder.path(out));
        let refused = match session.convert(&inputs, &destination, &ConvertOptions::default().to("txt")) {
            Ok(run) => failure(&run.outcomes[0]).to_owned(),
            Err(error) => error.message().to_owned(),
        };
        assert!(refused.contains("never overwritten") || refused.contains("txt"), "{refused}");
    }
    assert_eq!(std::fs::read(folder.path("x.crate")).unwrap(), before);
    assert!(Path::new(&folder.path("x.crate")).is_file());
}

#[test]
fn resolves_a_path_in_a_game_in_its_containers_by_precedence() {
    let folder = Folder::game();
    folder.put("crates.txt", b"patch.crate\nmain.crate\nlost.crate");
    let new =
        [("Boxes\\new\\a.box", &*textbox(1, "", "patched")), ("Boxes\\new\\c.box", &textbox(1, "", "c"))];
    folder.put("patch.crate", &crate_of(&new));
    let old = [("boxes/NEW/A.box", &*textbox(1, "", "old")), ("boxes/new/b.box", &textbox(1, "", "b"))];
    folder.put("main.crate", &crate_of(&old));
    assert_eq!(found(&folder, "Boxes/new/a.box"), ["patch.crate/Boxes/new/a.box"]);
    assert_eq!(found(&folder, "Boxes/NEW/b.box"), ["main.crate/boxes/new/b.box"]);
    let all = ["patch.crate/Boxes/new/a.box", "patch.crate/Boxes/new/c.box", "main.crate/boxes/new/b.box"];
    assert_eq!(found(&folder, "Boxes/new"), all);
    assert_eq!(found(&folder, "Boxes/new/*.box"), all);
    // Files on disk take precedence over all containers.
    assert_eq!(found(&folder, "Boxes/a.box"), ["Boxes/a.box"]);
    let run = session().describe(&find(&folder, &["Boxes/new/x.box"]), &DescribeOptions::default()).unwrap();
    let sentence = failure(&run.outcomes[0]);
    assert!(
        sentence.contains("no such file on disk or in the archives of the game; did you mean "),
        "{sentence}"
    );
    // Without a game around the file, there are no containers to search.
    let alone = Folder::new();
    assert_eq!(found(&alone, "Boxes/new/a.box"), ["Boxes/new/a.box"]);
}
