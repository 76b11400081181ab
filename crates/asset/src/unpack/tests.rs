//! A synthetic file is unpacked, edited and read.

use crate::report::Report;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use json::{Document, Step};
use record::{Bytes, Kind};

use super::*;
use files::sink::{FolderSink, Guard, MemorySink, Sink};
use record::Source;
use scene::Product;

const RECORD: &[u8] = br#"{"version": 2, "images": [{"name": "a", "pixels": "00ff"}, {"name": "b"}]}
"#;

fn record() -> json::Value {
    json::from_slice(RECORD).unwrap()
}

/// Unpacks a synthetic file.
fn unpack(folder: &Path) {
    let mut sink = FolderSink::new(folder, Arc::new(Guard::default()));
    let source = Source::from(b"the entire file".to_vec());
    let mut parts = Parts::new(&mut sink, "test.box", &source, "maps/room.box").unwrap();
    parts.context(&7_u8).unwrap();
    parts.typed(&record()).unwrap();
    let blob = parts.blob("light.bin", b"blob").unwrap();
    parts.view("a", Product::Text("picture".into()), &[ViewSource::Record("/images/0/pixels")]).unwrap();
    parts.view("light", Product::Text("shine".into()), &[ViewSource::Blob(&blob)]).unwrap();
    parts.finish(&mut Report::new()).unwrap();
    sink.finish().unwrap();
}

fn open(folder: &Path) -> Result<Unpacked, record::Error> {
    Unpacked::open(folder)
}

fn edit(folder: &Path, file: &str, bytes: &str) {
    fs::write(folder.join(file), bytes).unwrap();
}

#[test]
fn reads_an_unpacked_folder() {
    let temp = tempfile::tempdir().unwrap();
    unpack(temp.path());
    let back = open(temp.path()).unwrap();
    assert_eq!((back.format(), back.source_name(), back.source_length()), ("test.box", "room.box", 15));
    assert_eq!(back.context::<u8>().unwrap(), 7);
    assert_eq!(back.record().unwrap(), RECORD);
    assert_eq!(back.blob("light.bin").unwrap(), b"blob");
    assert!(back.is_unchanged() && back.edited_views().unwrap().is_empty());
    assert!(back.is_source(b"the entire file") && !back.is_source(b"another"));
    assert_eq!(back.blob("other").unwrap_err().kind(), Kind::Usage);
}

#[test]
fn the_manifest_is_reproducible() {
    let unpacked = || {
        let mut sink = MemorySink::new();
        let source = Source::from(b"x".to_vec());
        let mut parts = Parts::new(&mut sink, "test.box", &source, "x.box").unwrap();
        parts.typed(&BTreeMap::<String, u8>::new()).unwrap();
        parts.finish(&mut Report::new()).unwrap();
        String::from_utf8(sink.get(MANIFEST).unwrap().to_vec()).unwrap()
    };
    assert_eq!(unpacked(), unpacked());
    // The compressed record may change with the compressor.
    let manifest = unpacked();
    let lines = manifest.lines().filter(|line| !line.starts_with("  \"original\": \""));
    assert_eq!(
        lines.map(|line| format!("{line}\n")).collect::<String>(),
        r#"{
  "schema": "antiquary/unpacked/1",
  "format": "test.box",
  "context": null,
  "source": {
    "name": "x.box",
    "length": 1,
    "sha256": "2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881"
  },
  "parts": [
    {
      "path": "record.json",
      "role": "record",
      "sha256": "ca3d163bab055381827226140568f3bef7eaac187cebd76878e0b63e9e442356"
    }
  ]
}
"#
    );
}

#[test]
fn restores_the_original_record() {
    let temp = tempfile::tempdir().unwrap();
    unpack(temp.path());
    let record = temp.path().join("record.json");
    fs::write(&record, b"{}").unwrap();
    let edited = open(temp.path()).unwrap();
    assert_eq!(edited.record().unwrap(), b"{}");
    let original = edited.original().unwrap();
    assert!(original.is_unchanged() && edited.is_record_edited());
    assert_eq!(
        (original.record().unwrap(), original.blob("light.bin").unwrap()),
        (RECORD.to_vec(), b"blob".to_vec())
    );
    let manifest = temp.path().join(MANIFEST);
    let text = fs::read_to_string(&manifest).unwrap();
    let (start, rest) = text.split_once("\"original\": \"").unwrap();
    for other in ["", "!", "eJwDAAAAAAE="] {
        let (_, end) = rest.split_once('"').unwrap();
        fs::write(&manifest, format!("{start}\"original\": \"{other}\"{end}")).unwrap();
        assert!(open(temp.path()).unwrap().original().is_none(), "{other}");
    }
    fs::write(&manifest, &text).unwrap();
    fs::write(temp.path().join("blobs/light.bin"), b"other").unwrap();
    assert!(open(temp.path()).unwrap().original().is_none(), "the blob was edited");
}

#[test]
fn lists_edited_views_with_their_sources() {
    let temp = tempfile::tempdir().unwrap();
    unpack(temp.path());
    edit(temp.path(), "views/light.txt", "painted");
    let back = open(temp.path()).unwrap();
    assert!(!back.is_unchanged() && !back.is_record_edited());
    let expected = EditedView {
        name: "light.txt".to_owned(),
        bytes: b"painted".to_vec(),
        record: Vec::new(),
        blobs: vec!["light.bin".to_owned()],
    };
    assert_eq!(back.edited_views().unwrap(), [expected]);
}

#[test]
fn accepts_edits_of_a_view_and_another_part_of_the_record() {
    let temp = tempfile::tempdir().unwrap();
    unpack(temp.path());
    edit(temp.path(), "views/a.txt", "painted");
    edit(temp.path(), "record.json", r#"{"version":3,"images":[{"name":"z","pixels":"00ff"}]}"#);
    let back = open(temp.path()).unwrap();
    assert!(back.is_record_edited());
    assert_eq!(back.edited_views().unwrap()[0].record, ["/images/0/pixels"]);
}

#[test]
fn refuses_edits_of_both_a_view_and_its_source() {
    let temp = tempfile::tempdir().unwrap();
    unpack(temp.path());
    edit(temp.path(), "views/a.txt", "painted");
    edit(temp.path(), "record.json", r#"{"images":[{"pixels":"0000"}]}"#);
    let error = open(temp.path()).unwrap_err();
    assert_eq!(error.kind(), Kind::Usage);
    assert_eq!(
        error.to_string(),
        "views/a.txt and record.json (/images/0/pixels) show the same data and were both edited: \
         restore one of them, then pack again"
    );
    unpack_again(temp.path());
    edit(temp.path(), "views/light.txt", "painted");
    edit(temp.path(), "blobs/light.bin", "hacked");
    assert!(
        open(temp.path()).unwrap_err().to_string().starts_with("views/light.txt and blobs/light.bin show")
    );
}

fn unpack_again(folder: &Path) {
    fs::remove_dir_all(folder).unwrap();
    unpack(folder);
}

#[test]
fn names_a_missing_part() {
    let temp = tempfile::tempdir().unwrap();
    unpack(temp.path());
    fs::remove_file(temp.path().join("blobs/light.bin")).unwrap();
    assert_eq!(
        open(temp.path()).unwrap_err().to_string(),
        "blobs/light.bin: is listed in antiquary.json but missing: restore it, or unpack again (to remove an entry, remove it from record.json)"
    );
}

#[test]
fn refuses_folders_that_were_not_unpacked() {
    let temp = tempfile::tempdir().unwrap();
    assert!(open(temp.path()).unwrap_err().to_string().contains("has no antiquary.json"));
    edit(temp.path(), MANIFEST, r#"{"schema": "antiquary/unpacked/9", "parts": 5}"#);
    assert_eq!(open(temp.path()).unwrap_err().kind(), Kind::Unsupported);
    edit(temp.path(), MANIFEST, "{");
    assert_eq!(open(temp.path()).unwrap_err().kind(), Kind::Malformed);
}

#[test]
fn refuses_manifest_paths_out_of_the_folder() {
    let temp = tempfile::tempdir().unwrap();
    unpack(temp.path());
    let manifest = fs::read_to_string(temp.path().join(MANIFEST)).unwrap();
    fs::write(temp.path().parent().unwrap().join("antiquary-test-secret"), "x").unwrap();
    for path in
        ["blobs/../../antiquary-test-secret", "../antiquary-test-secret", "/etc/passwd", "views/light.bin"]
    {
        edit(temp.path(), MANIFEST, &manifest.replace("blobs/light.bin", path));
        let error = open(temp.path()).unwrap_err();
        assert_eq!(error.kind(), Kind::Malformed, "{path}: {error}");
    }
    fs::remove_file(temp.path().parent().unwrap().join("antiquary-test-secret")).unwrap();
}

#[test]
#[cfg(unix)]
fn refuses_links_out_of_the_folder() {
    let temp = tempfile::tempdir().unwrap();
    unpack(&temp.path().join("unpacked"));
    let blob = temp.path().join("unpacked/blobs/light.bin");
    fs::rename(&blob, temp.path().join("elsewhere")).unwrap();
    std::os::unix::fs::symlink(temp.path().join("elsewhere"), &blob).unwrap();
    let error = open(&temp.path().join("unpacked")).unwrap_err();
    assert_eq!(error.to_string(), "blobs/light.bin: leads outside the unpacked folder");
}

#[test]
fn reports_unlisted_files() {
    let temp = tempfile::tempdir().unwrap();
    unpack(temp.path());
    edit(temp.path(), "views/new.txt", "more");
    let mut report = Report::new();
    open(temp.path()).unwrap().report_unlisted(&mut report);
    let messages: Vec<_> = report.iter().map(|warning| warning.message.as_str()).collect();
    assert_eq!(messages, ["views/new.txt is not listed in antiquary.json and is ignored"]);
}

#[test]
fn refuses_views_of_missing_sources() {
    let mut sink = MemorySink::new();
    let source = Source::from(b"x".to_vec());
    let mut parts = Parts::new(&mut sink, "test.box", &source, "x").unwrap();
    parts.typed(&record()).unwrap();
    parts.view("a", Product::Text("p".into()), &[ViewSource::Record("/images/9")]).unwrap();
    assert!(parts.finish(&mut Report::new()).unwrap_err().to_string().contains("/images/9"));
}

#[test]
fn gives_parts_safe_and_distinct_names() {
    let mut sink = MemorySink::new();
    let source = Source::from(b"x".to_vec());
    let mut parts = Parts::new(&mut sink, "test.box", &source, "x").unwrap();
    assert_eq!(parts.blob("CON?.bin", b"1").unwrap(), "CON_.bin");
    assert_eq!(parts.blob("con_.BIN", b"2").unwrap(), "con_~2.BIN");
    assert!(parts.blob("../views/x", b"3").is_err());
    assert!(parts.blob("../../x", b"4").is_err());
    assert!(parts.blob("all.bin", b"x").is_err(), "it is the entire file");
    assert!(parts.finish(&mut Report::new()).is_err(), "there is no record");
}

#[test]
fn edits_fields_without_serializing_them() {
    let source = Source::from(b"the entire file".to_vec());
    let mut memory = TypedParts::new();
    let mut parts = Parts::of_typed(&mut memory, "test.box", &source, "room.box");
    parts.context(&7_u8).unwrap();
    parts.typed(&record()).unwrap();
    let blob = parts.blob("light.bin", b"blob").unwrap();
    parts.view("light", Product::Text("shine".into()), &[ViewSource::Blob(&blob)]).unwrap();
    parts.finish(&mut Report::new()).unwrap();
    let mut back = Unpacked::of_typed(memory).unwrap();
    assert!(back.is_unchanged() && back.edited_views().unwrap().is_empty());
    assert_eq!(back.typed::<json::Value>().unwrap(), record());
    assert_eq!(back.blob("light.bin").unwrap(), b"blob");
    assert_eq!(back.blob_source("light.bin").unwrap().0.len(), 4);
    assert!(back.blob_source("other").is_none() && back.context_value() == 7);
    let old = back.replace_document(Document::of(&7_u8).unwrap()).unwrap();
    assert_eq!(old.root().to_value(), record());
    assert!(back.is_record_edited() && back.edited_views().unwrap().is_empty());
    assert_eq!(back.typed::<u8>().unwrap(), 7);

    let temp = tempfile::tempdir().unwrap();
    unpack(temp.path());
    assert!(open(temp.path()).unwrap().replace_document(Document::default()).is_err());
    assert!(open(temp.path()).unwrap().with_record(Vec::new()).is_err());
    assert!(Unpacked::in_memory(MemoryParts::new()).is_err());
    assert!(Unpacked::of_typed(TypedParts::new()).is_err());
}

#[test]
fn named_bytes_are_blobs_in_a_folder_and_part_of_the_document_in_memory() {
    let file = vec![Bytes(vec![1; 40]), Bytes(vec![2]), Bytes(vec![3; 50])];
    let mut name = |path: &[Step<'_>], bytes: &[u8]| {
        let [Step::Item(index)] = path else { return None };
        (bytes.len() > 1).then(|| format!("{index}.bin"))
    };
    let source = Source::from(b"x".to_vec());
    let temp = tempfile::tempdir().unwrap();
    let mut sink = FolderSink::new(temp.path(), Arc::new(Guard::default()));
    let mut parts = Parts::new(&mut sink, "test.box", &source, "x.box").unwrap();
    assert!(parts.wants_views());
    let names = parts.typed_with_blobs(&file, &mut name).unwrap();
    assert_eq!((names.get("/0"), names.get("/1"), names.get("/2")), (Some("0.bin"), None, Some("2.bin")));
    parts
        .view(
            "0",
            Product::Text("picture".into()),
            &[ViewSource::Blob("0.bin"), ViewSource::Record("/1"), ViewSource::Record("")],
        )
        .unwrap();
    parts.finish(&mut Report::new()).unwrap();
    sink.finish().unwrap();
    let record = fs::read_to_string(temp.path().join("record.json")).unwrap();
    assert_eq!(record, "[{\"blob\": \"0.bin\"}, \"02\", {\"blob\": \"2.bin\"}]\n");
    let back = open(temp.path()).unwrap();
    let (read, found) = back.typed_with_names::<Vec<Bytes>>().unwrap();
    assert_eq!((&read, found.get("/0"), found.get("/2")), (&file, Some("0.bin"), Some("2.bin")));
    edit(temp.path(), "record.json", r#"[{"blob": "0.bin"}, 7]"#);
    let error = open(temp.path()).unwrap().typed::<Vec<Bytes>>().unwrap_err();
    assert_eq!(
        error.to_string(),
        "record.json: [1]: expected bytes as a string of hexadecimal digits, got 7"
    );
    edit(temp.path(), "record.json", r#"[{"blob": "5.bin"}]"#);
    assert!(
        open(temp.path()).unwrap().typed::<Vec<Bytes>>().unwrap_err().to_string().contains("blobs/5.bin")
    );
    edit(temp.path(), "record.json", "[]");
    edit(temp.path(), "views/0.txt", "painted");
    assert!(open(temp.path()).unwrap_err().to_string().contains("record.json (/1)"), "a list and its view");

    let mut memory = TypedParts::new();
    let mut parts = Parts::of_typed(&mut memory, "test.box", &source, "x.box");
    assert!(!parts.wants_views());
    assert_eq!(parts.typed_with_blobs(&file, &mut name).unwrap(), names);
    parts.view("0", Product::Text("picture".into()), &[ViewSource::Record("/9")]).unwrap();
    parts.finish(&mut Report::new()).unwrap();
    let typed = Unpacked::of_typed(memory).unwrap();
    assert_eq!(typed.blob("2.bin").unwrap(), [3; 50]);
    let named = |index| typed.blob_name(typed.document().unwrap().root().item(index).unwrap());
    assert_eq!((named(0), named(1)), (Some("0.bin"), None));
    assert_eq!(typed.typed::<Vec<Bytes>>().unwrap(), file);
}

#[test]
fn checks_a_manifest_in_memory_like_one_in_a_folder() {
    let temp = tempfile::tempdir().unwrap();
    unpack(temp.path());
    let parts = |edits: &[(&str, &str)]| {
        let mut parts = MemoryParts::new();
        for name in [MANIFEST, "record.json", "blobs/light.bin", "views/a.txt", "views/light.txt"] {
            let mut bytes = fs::read(temp.path().join(name)).unwrap();
            for (from, to) in edits {
                bytes = String::from_utf8(bytes).unwrap().replace(from, to).into_bytes();
            }
            parts.put(name, &bytes).unwrap();
        }
        Unpacked::in_memory(parts)
    };
    assert!(parts(&[]).unwrap().is_unchanged());
    let views = parts(&[("shine", "shadow")]).unwrap().edited_views().unwrap();
    assert_eq!((views[0].name.as_str(), views[0].bytes.as_slice()), ("light.txt", &b"shadow"[..]));
    assert_eq!(parts(&[("blobs/light.bin", "../light.bin")]).unwrap_err().kind(), Kind::Malformed);
    let both = parts(&[("picture", "painting"), ("00ff", "ff00")]).unwrap_err();
    assert!(both.to_string().contains("were both edited"), "{both}");
}

#[test]
fn limits_the_number_of_blobs() {
    let file: Vec<_> = (0..8200).map(|_| Bytes(vec![1, 2])).collect();
    let mut sink = MemorySink::new();
    let source = Source::from(b"x".to_vec());
    let mut parts = Parts::new(&mut sink, "test.box", &source, "x.box").unwrap();
    let names = parts.typed_with_blobs(&file, &mut |_, _| Some("part.bin".to_owned())).unwrap();
    assert!(names.get("/8191").is_some() && names.get("/8192").is_none());
    assert_eq!(parts.blob("more.bin", b"more").unwrap_err().kind(), Kind::Limit);
    let mut report = Report::new();
    parts.finish(&mut report).unwrap();
    let warnings: Vec<_> = report.iter().map(|warning| (warning.code.id, warning.message.as_str())).collect();
    let message =
        "8 parts have no separate files, because there are more than 8192: edit record.json instead";
    assert_eq!(warnings, [("PACK-W003", message)]);
    let record = String::from_utf8(sink.get("record.json").unwrap().to_vec()).unwrap();
    assert_eq!((record.matches("0102").count(), record.matches("blob").count()), (8, 8192));
}
