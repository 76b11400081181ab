//! Packed files are valid: for any change to an unpacked folder, `pack` rejects a file that `check` would report as damaged
//! or `info` would not recognize.

#![allow(clippy::print_stdout, reason = "a test may print")]

use std::fs;
use std::path::{Path, PathBuf};

use antiquary::asset::{FolderSink, Guard, Overwrite};
use antiquary::files::walk::files_recursive;
use antiquary::{CheckOptions, Inputs, PackOptions, Session, UnpackOptions, sample};
use json::Value;

/// Maximum number of fields of a file, and of bytes of each of its parts, that are changed.
const MAX_CHANGES: usize = 12;

/// Returns other values for a field.
fn others(value: &Value) -> Vec<Value> {
    match value {
        Value::Number(_) => [0, 1, -1, 255, 65_535, 100_000].map(Value::from).to_vec(),
        Value::String(text) => vec!["".into(), "x".into(), format!("{text}x").into()],
        Value::Bool(is_set) => vec![(!is_set).into()],
        Value::Array(items) if !items.is_empty() => {
            let longer = items.iter().chain(items.last()).cloned().collect();
            vec![Value::Array(Vec::new()), Value::Array(longer)]
        }
        _ => Vec::new(),
    }
}

/// Collects the fields of a record, as JSON pointers.
fn fields(value: &Value, pointer: &str, out: &mut Vec<String>) {
    out.push(pointer.to_owned());
    match value {
        Value::Object(members) => {
            members.iter().for_each(|(name, value)| {
                fields(value, &format!("{pointer}/{}", name.replace('~', "~0").replace('/', "~1")), out);
            });
        }
        Value::Array(items) => {
            (0..).zip(items.iter().take(4)).for_each(|(index, value)| {
                fields(value, &format!("{pointer}/{index}"), out);
            });
        }
        _ => {}
    }
}

/// Returns an evenly spaced sample of the items.
fn sampled<T: Clone>(all: &[T]) -> Vec<T> {
    all.iter().step_by(all.len().div_ceil(MAX_CHANGES).max(1)).cloned().collect()
}

/// A folder that is packed repeatedly.
struct Packed<'a> {
    file: &'a Path,
    folder: PathBuf,
    out: PathBuf,
    is_valid: bool,
}

impl Packed<'_> {
    /// Packs the folder in its current state, and returns whether a file was written.
    fn is_written(&self, what: &str) -> bool {
        let session = Session::default().overwrite(Overwrite::Allow);
        let out = self.out.join(self.file.file_name().unwrap());
        let is_written =
            session.pack(&self.folder, &out, &PackOptions::default()).is_ok_and(|outcome| outcome.ok);
        if is_written {
            let run = Session::default().check(&Inputs::collect(&[out]), &CheckOptions::default()).unwrap();
            let outcome = &run.outcomes[0];
            assert!(
                outcome.ok || !self.is_valid,
                "{}: {what}: {:?} {:?}",
                self.file.display(),
                outcome.error,
                outcome.warnings.iter().map(ToString::to_string).collect::<Vec<_>>()
            );
        }
        is_written
    }
}

#[test]
fn does_not_write_a_file_that_a_check_reports_as_damaged() {
    let temp = tempfile::tempdir().unwrap();
    let mut sink = FolderSink::new(temp.path().join("games"), Guard::default().into());
    sample::write(antiquary::CATALOG, &mut sink).unwrap();
    sample::specimens(&mut sink).unwrap();
    sink.finish().unwrap();
    let (mut written, mut refused) = (0, 0);
    for (number, file) in files_recursive(&temp.path().join("games")).iter().enumerate() {
        let folder = temp.path().join(format!("unpacked/{number}"));
        let unpacked = Session::default()
            .unpack(file, &folder, &UnpackOptions::default())
            .is_ok_and(|run| run.is_success());
        let record = folder.join("record.json");
        if !unpacked || !record.exists() || fs::metadata(file).unwrap().len() > 100_000 {
            continue;
        }
        let checked = Session::default()
            .check(&Inputs::collect(std::slice::from_ref(file)), &CheckOptions::default())
            .unwrap();
        let out = temp.path().join(format!("packed/{number}"));
        let packed = Packed { file, folder: folder.clone(), out, is_valid: checked.is_success() };
        let mut count = |is_written: bool| {
            let counter = if is_written { &mut written } else { &mut refused };
            *counter += 1;
        };
        let before = fs::read(&record).unwrap();
        let value: Value = json::from_slice(&before).unwrap();
        let mut pointers = Vec::new();
        fields(&value, "", &mut pointers);
        for pointer in sampled(&pointers) {
            for other in others(value.pointer(&pointer).unwrap()) {
                let mut edited = value.clone();
                *edited.pointer_mut(&pointer).unwrap() = other.clone();
                fs::write(&record, edited.to_string()).unwrap();
                count(packed.is_written(&format!("{pointer} = {other}")));
            }
        }
        fs::write(&record, &before).unwrap();
        for part in files_recursive(&folder.join("blobs")).iter().take(3) {
            let before = fs::read(part).unwrap();
            for at in sampled(&(0..before.len()).collect::<Vec<_>>()) {
                let mut edited = before.clone();
                edited[at] = !edited[at];
                fs::write(part, edited).unwrap();
                count(packed.is_written(&format!("byte {at} of {}", part.display())));
            }
            fs::write(part, &before[..before.len() / 2]).unwrap();
            count(packed.is_written(&format!("half of {}", part.display())));
            fs::write(part, before).unwrap();
        }
    }
    println!("{written} written, {refused} refused");
    assert!(written > 300 && refused > 300, "{written} written, {refused} refused");
}
