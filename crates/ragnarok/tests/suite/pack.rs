//! Unpacking models to folders, and packing them again.

use std::path::Path;
use std::sync::Arc;

use antiquary_ragnarok::rsm::{FORMAT, Rsm, Version};
use antiquary_ragnarok::sample::windmill;
use asset::{
    Asset, Context, FolderSink, Guard, Install, Options, Overwrite, Parts, Report, Sink, Source, Unpacked,
};
use record::Kind;

/// Unpacks a model into a folder.
fn unpack(bytes: &[u8], folder: &Path) {
    let model = Rsm::read(bytes, &mut Report::new()).unwrap();
    let (install, options) = (Install::empty(), Options::defaults(FORMAT.options));
    let context = Context { install: &install, location: None, options: &options };
    let mut sink = FolderSink::new(folder, Arc::new(Guard::new(Overwrite::Allow)));
    let source = Source::from_bytes(bytes);
    let mut parts = Parts::new(&mut sink, FORMAT.id, &source, "model.rsm").unwrap();
    model.unpack(&context, &mut parts, &mut Report::new()).unwrap();
    parts.finish(&mut Report::new()).unwrap();
    let _: &dyn Sink = &sink;
    sink.finish().unwrap();
}

fn pack(folder: &Path) -> Result<(Vec<u8>, Report), record::Error> {
    let mut report = Report::new();
    let unpacked = Unpacked::open(folder)?;
    let bytes = FORMAT.pack_folder(&unpacked, &mut report)?;
    Ok((bytes, report))
}

fn edit(folder: &Path, name: &str, from: &str, to: &str) {
    let path = folder.join(name);
    let text = std::fs::read_to_string(&path).unwrap();
    assert!(text.contains(from), "{name} has no {from}");
    std::fs::write(path, text.replacen(from, to, 1)).unwrap();
}

#[test]
fn packs_every_unedited_model_unchanged() {
    let Some(corpus) = corpus::folder("rsm") else { return };
    let files = [corpus::files(&corpus, "rsm", 30), corpus::files(&corpus, "rsm2", 20)].concat();
    for path in files.iter().filter(|path| !path.file_name().unwrap().to_str().unwrap().starts_with("bad_")) {
        let (bytes, folder) = (std::fs::read(path).unwrap(), tempfile::tempdir().unwrap());
        unpack(&bytes, folder.path());
        let (packed, report) = pack(folder.path()).unwrap();
        assert!(packed == bytes && report.is_empty(), "{}: {report:?}", path.display());
    }
}

#[test]
fn editing_a_field_changes_only_that_field() {
    let bytes = windmill(Version::V1_4).write().unwrap();
    let folder = tempfile::tempdir().unwrap();
    unpack(&bytes, folder.path());
    edit(folder.path(), "record.json", "\"alpha\": 255", "\"alpha\": 7");
    let (packed, _) = pack(folder.path()).unwrap();
    let differ: Vec<usize> = (0..bytes.len()).filter(|at| packed[*at] != bytes[*at]).collect();
    assert_eq!((packed.len(), differ), (bytes.len(), vec![14]));
}

#[test]
fn changing_the_version_in_the_record_converts_the_model() {
    let model = windmill(Version::V2_3);
    let folder = tempfile::tempdir().unwrap();
    unpack(&model.write().unwrap(), folder.path());
    edit(folder.path(), "record.json", "\"version\": \"2.3\"", "\"version\": \"1.5\"");
    let (packed, report) = pack(folder.path()).unwrap();
    let read = Rsm::read(&packed, &mut Report::new()).unwrap();
    assert_eq!(read, model.to_version(Version::V1_5, &mut Report::new()));
    assert!(
        report
            .iter()
            .any(|warning| warning.code.id == "RSM-W060" && warning.path == "meshes[6].position_keys")
    );
    edit(folder.path(), "record.json", "\"version\": \"1.5\"", "\"version\": \"1.6\"");
    let error = pack(folder.path()).unwrap_err();
    assert!(error.message().contains("unknown version \"1.6\""), "{error}");
}

#[test]
fn a_record_in_another_version_is_written_without_conversion() {
    let folder = tempfile::tempdir().unwrap();
    unpack(&windmill(Version::V1_3).write().unwrap(), folder.path());
    edit(folder.path(), "record.json", "\"version\": \"1.3\"", "\"version\": \"1.4\", \"alpha\": 9");
    let (packed, _) = pack(folder.path()).unwrap();
    assert_eq!(Rsm::read(&packed, &mut Report::new()).unwrap().alpha, Some(9));
}

#[test]
fn refuses_another_version_in_the_manifest() {
    let folder = tempfile::tempdir().unwrap();
    unpack(&windmill(Version::V1_4).write().unwrap(), folder.path());
    edit(folder.path(), "antiquary.json", "\"version\": \"1.4\"", "\"version\": \"2.3\"");
    let error = pack(folder.path()).unwrap_err();
    assert_eq!(error.kind(), Kind::Usage);
    assert!(error.message().contains("change it in record.json"), "{error}");
}
