//! Files that are written, refused and removed.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use record::Source;

use super::*;

fn sink(root: &Path, overwrite: Overwrite) -> FolderSink {
    FolderSink::new(root, Arc::new(Guard::new(overwrite)))
}

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

#[test]
fn renames_files_only_when_finished() {
    let temp = tempfile::tempdir().unwrap();
    let mut sink = sink(temp.path(), Overwrite::Refuse);
    sink.put("a/room.glb", b"glb").unwrap();
    sink.put_source("room.json", &Source::from(b"{}".to_vec())).unwrap();
    assert!(!temp.path().join("a/room.glb").exists());
    let written = sink.finish().unwrap();
    assert_eq!(written, [temp.path().join("a/room.glb"), temp.path().join("room.json")]);
    assert_eq!(fs::read(temp.path().join("a/room.glb")).unwrap(), b"glb");
    assert_eq!(names(temp.path()), ["a", "room.json"]);
}

#[test]
fn removes_files_of_a_dropped_sink() {
    let temp = tempfile::tempdir().unwrap();
    let root = temp.path().join("new/out");
    let mut given_up = sink(&root, Overwrite::Refuse);
    given_up.put("deep/room.glb", b"glb").unwrap();
    assert!(root.exists());
    drop(given_up);
    assert!(names(temp.path()).is_empty());
}

#[test]
fn keeps_existing_files_unless_overwriting_is_allowed_and_succeeds() {
    let temp = tempfile::tempdir().unwrap();
    let old = temp.path().join("room.glb");
    fs::write(&old, "old").unwrap();
    let error = sink(temp.path(), Overwrite::Refuse).put("room.glb", b"new").unwrap_err();
    assert_eq!(error.to_string(), format!("{}: already exists", old.display()));

    let mut interrupted = sink(temp.path(), Overwrite::Allow);
    interrupted.put("room.glb", b"new").unwrap();
    drop(interrupted);
    assert_eq!(fs::read_to_string(&old).unwrap(), "old");

    let cut = temp.path().join("cut");
    fs::write(&cut, "0123456789").unwrap();
    let source = Source::open(&cut).unwrap();
    fs::write(&cut, "01").unwrap();
    let mut failing = sink(temp.path(), Overwrite::Allow);
    assert!(failing.put_source("room.glb", &source).is_err(), "the source ends too soon");
    assert!(failing.finish().unwrap().is_empty());
    assert_eq!(fs::read_to_string(&old).unwrap(), "old");

    let mut allowed = sink(temp.path(), Overwrite::Allow);
    allowed.put("room.glb", b"new").unwrap();
    allowed.finish().unwrap();
    assert_eq!(fs::read_to_string(&old).unwrap(), "new");
    assert_eq!(names(temp.path()), ["cut", "room.glb"]);
}

#[test]
fn does_not_overwrite_a_file_that_appears_in_the_meantime() {
    let temp = tempfile::tempdir().unwrap();
    let mut sink = sink(temp.path(), Overwrite::Refuse);
    sink.put("room.glb", b"new").unwrap();
    fs::write(temp.path().join("room.glb"), "another program's").unwrap();
    assert!(sink.finish().unwrap_err().to_string().ends_with("already exists"));
    assert_eq!(fs::read_to_string(temp.path().join("room.glb")).unwrap(), "another program's");
    assert_eq!(names(temp.path()), ["room.glb"]);
}

#[test]
fn never_overwrites_an_input() {
    let temp = tempfile::tempdir().unwrap();
    let input = temp.path().join("room.glb");
    fs::write(&input, "input").unwrap();
    let guard = Guard::new(Overwrite::Allow);
    guard.protect(&input);
    let guard = Arc::new(guard);
    let mut names = vec!["room.glb"];
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(&input, temp.path().join("soft.glb")).unwrap();
        fs::hard_link(&input, temp.path().join("hard.glb")).unwrap();
        names.extend(["soft.glb", "hard.glb"]);
    }
    for name in names {
        let error = FolderSink::new(temp.path(), Arc::clone(&guard)).put(name, b"x").unwrap_err();
        assert!(error.to_string().ends_with("is an input, and inputs are never overwritten"), "{error}");
    }
    assert_eq!(fs::read_to_string(&input).unwrap(), "input");
}

#[test]
fn makes_names_safe_and_keeps_them_inside_the_folder() {
    let temp = tempfile::tempdir().unwrap();
    let root = temp.path().join("out");
    let mut sink = sink(&root, Overwrite::Allow);
    for name in ["../x", "a/../../x", "/x", "C:\\x", "", "a/.."] {
        assert!(sink.put(name, b"x").is_err(), "{name:?}");
    }
    sink.put("what?.png", b"1").unwrap();
    sink.put("WHAT_.png", b"2").unwrap();
    assert!(sink.put("what?.png", b"3").unwrap_err().to_string().contains("has the same name"));
    sink.finish().unwrap();
    assert_eq!(names(&root), ["WHAT_~2.png", "what_.png"]);
    assert_eq!(names(temp.path()), ["out"]);
    assert_eq!(sink.renamed()[1], ("WHAT_.png".to_owned(), "WHAT_~2.png".to_owned()));
}

#[test]
fn writes_the_main_file_to_the_exact_path_and_others_next_to_it() {
    let temp = tempfile::tempdir().unwrap();
    let path = temp.path().join("sub/My Room.GLB");
    let mut sink = FolderSink::for_file(&path, "My Room.glb", Arc::new(Guard::default()));
    sink.put("My Room.glb", b"1").unwrap();
    sink.put("My Room.json", b"2").unwrap();
    sink.finish().unwrap();
    assert_eq!(names(&temp.path().join("sub")), ["My Room.GLB", "My Room.json"]);
}

#[test]
fn refuses_the_same_output_for_two_inputs() {
    let temp = tempfile::tempdir().unwrap();
    let guard = Arc::new(Guard::new(Overwrite::Allow));
    let mut first = FolderSink::new(temp.path(), Arc::clone(&guard));
    let mut second = FolderSink::new(temp.path(), guard);
    first.put("room.json", b"1").unwrap();
    let error = second.put("Room.json", b"2").unwrap_err();
    assert!(error.to_string().ends_with("was already written for another input of this run"), "{error}");
}

#[test]
#[cfg(unix)]
fn creates_files_with_default_permissions() {
    use std::os::unix::fs::PermissionsExt;
    let temp = tempfile::tempdir().unwrap();
    fs::write(temp.path().join("plain"), "").unwrap();
    let mut sink = sink(temp.path(), Overwrite::Refuse);
    sink.put("ours", b"").unwrap();
    sink.finish().unwrap();
    let mode = |name: &str| fs::metadata(temp.path().join(name)).unwrap().permissions().mode();
    assert_eq!(mode("ours"), mode("plain"));
}

#[test]
fn memory_sink_keeps_the_order_and_refuses_repeated_names() {
    let mut sink = MemorySink::new();
    Subfolder::new(&mut sink, "game").put("b.txt", b"2").unwrap();
    sink.put("a.txt", b"1").unwrap();
    assert_eq!(sink.get("game/b.txt"), Some(&b"2"[..]));
    assert_eq!(sink.files()[1].0, "a.txt");
    assert!(sink.put("a.txt", b"3").is_err());
}

#[test]
fn dry_run_refuses_the_same_files_and_writes_none() {
    let temp = tempfile::tempdir().unwrap();
    fs::write(temp.path().join("old.txt"), "old").unwrap();
    let guard = Arc::new(Guard::new(Overwrite::Refuse).with(WriteMode::DryRun));
    let mut sink = FolderSink::new(temp.path().join("new"), Arc::clone(&guard));
    sink.put("deep/a.txt", b"a").unwrap();
    sink.put_with("b.txt", |_| Err(Error::usage("is not called"))).unwrap();
    let reported = sink.finish().unwrap();
    assert_eq!(reported, ["new/deep/a.txt", "new/b.txt"].map(|name| temp.path().join(name)));
    assert_eq!(names(temp.path()), ["old.txt"]);
    // Two names of one future file refer to the same file.
    let other = FolderSink::new(temp.path().join("new/deep"), Arc::clone(&guard)).put("A.TXT", b"");
    assert!(other.unwrap_err().message().contains("another input"));
    assert_eq!(
        FolderSink::new(temp.path(), guard).put("old.txt", b"").unwrap_err().message(),
        "already exists"
    );
}

/// A guard for a run whose outputs in a folder share files.
fn sharing(out: &Path, guard: Guard) -> Arc<Guard> {
    Arc::new(guard.with_shared(Some(SharedFiles::new(out))))
}

#[test]
fn writes_a_shared_file_once_and_only_for_written_outputs() {
    let temp = tempfile::tempdir().unwrap();
    let out = temp.path().join("out");
    let guard = sharing(&out, Guard::default());
    let mut computed = 0;
    let mut bytes = |text: &'static [u8]| {
        computed += 1;
        text.to_vec()
    };
    for folder in ["a", "a/b"] {
        let mut sink = FolderSink::new(out.join(folder), Arc::clone(&guard));
        let up = "../".repeat(folder.split('/').count());
        assert_eq!(sink.shared_folder(""), Some(format!("{up}shared/")));
        assert_eq!(Subfolder::new(&mut sink, "c").shared_folder("d"), Some(format!("{up}../../shared/")));
        sink.put_shared("wall.png", &mut || bytes(b"wall")).unwrap();
        sink.put("room.glb", b"glb").unwrap();
        assert_eq!(sink.finish().unwrap(), [out.join(folder).join("room.glb")]);
    }
    let mut given_up = FolderSink::new(&out, Arc::clone(&guard));
    given_up.put_shared("wall.png", &mut || bytes(b"wall")).unwrap();
    given_up.put_shared("floor.png", &mut || bytes(b"floor")).unwrap();
    drop(given_up);
    assert_eq!(names(&out.join("shared")), ["floor.png", "wall.png"]);
    assert!(guard.finish().is_empty());
    assert_eq!(names(&out.join("shared")), ["wall.png"]);
    assert_eq!((computed, guard.shared().unwrap().count()), (2, (1, 4)));

    // A run that wrote nothing else leaves no files.
    let out = temp.path().join("other");
    let guard = sharing(&out, Guard::default());
    let mut given_up = FolderSink::new(&out, Arc::clone(&guard));
    given_up.put_shared("wall.png", &mut || b"wall".to_vec()).unwrap();
    drop(given_up);
    assert!(out.exists());
    guard.finish();
    assert!(!out.exists());
}

#[test]
fn reuses_shared_files_of_earlier_runs_and_keeps_other_files() {
    let temp = tempfile::tempdir().unwrap();
    let out = temp.path();
    fs::create_dir(out.join("shared")).unwrap();
    fs::write(out.join("shared/wall.png"), "wall").unwrap();
    fs::write(out.join("shared/floor.png"), "mine").unwrap();
    let guard = sharing(out, Guard::default());
    let mut sink = FolderSink::new(out, Arc::clone(&guard));
    sink.put_shared("wall.png", &mut || b"wall".to_vec()).unwrap();
    let error = sink.put_shared("floor.png", &mut || b"floor".to_vec()).unwrap_err();
    assert!(error.to_string().ends_with("already exists"), "{error}");
    drop(sink);
    guard.finish();
    assert_eq!(names(&out.join("shared")), ["floor.png", "wall.png"]);
    assert_eq!(fs::read_to_string(out.join("shared/floor.png")).unwrap(), "mine");

    let guard = sharing(out, Guard::new(Overwrite::Allow));
    let mut sink = FolderSink::new(out, Arc::clone(&guard));
    sink.put_shared("floor.png", &mut || b"floor".to_vec()).unwrap();
    sink.finish().unwrap();
    guard.finish();
    assert_eq!(fs::read_to_string(out.join("shared/floor.png")).unwrap(), "floor");

    let other = out.join("dry");
    let guard = sharing(&other, Guard::default().with(WriteMode::DryRun));
    let mut sink = FolderSink::new(&other, Arc::clone(&guard));
    sink.put_shared("wall.png", &mut || b"wall".to_vec()).unwrap();
    sink.finish().unwrap();
    guard.finish();
    assert!(!other.exists());
}
