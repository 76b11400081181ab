//! Every field that `info --full` shows can be set: each field accepts its current value, and the file stays the same.
//! Derived fields are marked as such. `set` rejects them with this reason, or sets the key that the field interprets.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use antiquary::asset::MemorySink;
use antiquary::field::FieldPath;
use antiquary::json::{Content, Node, push_member};
use antiquary::session::{FieldEdit, Input};
use antiquary::{
    CATALOG, Can, DescribeOptions, Description, Detail, PackOptions, Session, Strictness, UnpackOptions,
    sample,
};

/// Maximum number of items of a list that are visited: the first ones, and the last.
const MAX_ITEMS: usize = 12;

/// Maximum length in bytes of a tested file from the corpus.
const MAX_LENGTH: u64 = 128 << 10;

/// Maximum number of files of the corpus per extension that are tested.
const MAX_FILES: usize = 12;

/// Visits every leaf value with its path, and the same path with `*` for every index.
fn walk(node: Node<'_>, path: &str, shape: &str, take: &mut dyn FnMut(&str, &str, Node<'_>)) {
    match node.content() {
        Content::List(list) => {
            let last = list.len().saturating_sub(1);
            for (index, item) in
                list.iter().enumerate().filter(|(index, _)| *index < MAX_ITEMS || *index == last)
            {
                walk(item, &format!("{path}[{index}]"), &format!("{shape}[*]"), take);
            }
        }
        Content::Object(members) => {
            for (name, member) in members.iter() {
                let (mut path, mut shape) = (path.to_owned(), shape.to_owned());
                push_member(&mut path, name);
                push_member(&mut shape, name);
                walk(member, &path, &shape, take);
            }
        }
        _ => take(path, shape, node),
    }
}

/// Results of walking many files.
#[derive(Default)]
struct Found {
    /// Formats and path shapes that were tested.
    tried: BTreeSet<String>,
    /// Derived paths of each format that matched a field.
    derived: BTreeSet<(&'static str, &'static str)>,
    /// Derived paths that each format declares.
    declared: BTreeSet<(&'static str, &'static str)>,
    wrong: Vec<String>,
}

impl Found {
    /// Tests one field of each shape in a file.
    fn file(&mut self, path: &Path) {
        let session = Session::default().strictness(Strictness::AllowDamaged);
        let input = Input::file(path);
        let Ok(opened) = input.open(CATALOG) else { return };
        let (id, bytes) = (opened.format.id, fs::read(path).unwrap());
        let run = session
            .describe(&input.clone().into(), &DescribeOptions::default().detail(Detail::Full))
            .unwrap();
        let Some(Description { fields, derived, .. }) =
            run.outcomes.first().and_then(|it| it.description.clone())
        else {
            return;
        };
        if !opened.format.can(Can::Pack) {
            assert!(derived == ["*"] || fields.is_null(), "{id}: {derived:?}");
            return;
        }
        self.declared.extend(derived.iter().map(|pattern| (id, *pattern)));
        let mut fields_of: BTreeMap<String, (String, json::Value)> = BTreeMap::new();
        walk(fields.root(), "", "", &mut |path, shape, node| {
            let shape = format!("{id} {shape}");
            if !self.tried.contains(&shape) && !fields_of.contains_key(&shape) {
                fields_of.insert(shape, (path.to_owned(), node.to_value()));
            }
        });
        for (shape, (field, value)) in fields_of {
            let parsed = FieldPath::parse(&field).unwrap();
            let edited =
                FieldEdit::to_value(&field, &value).and_then(|edit| session.set(&input, &[edit], 10));
            if parsed.is_below_any(derived) {
                let of_it = derived.iter().filter(|pattern| parsed.is_below_any(&[pattern]));
                self.derived.extend(of_it.map(|pattern| (id, *pattern)));
                match edited {
                    Err(error) if error.message().contains("is derived from other fields") => {}
                    // The path leads to a key of settings, which may have been missing.
                    Ok(edited) if has_value(path, &edited.bytes, &parsed, &value) => {}
                    other => self.wrong.push(format!("{shape}, derived, of {}: {other:?}", path.display())),
                }
            } else {
                match edited {
                    Ok(edited) if edited.bytes == bytes => {}
                    Ok(edited) => {
                        self.wrong.push(format!("{shape} of {}: {:?}", path.display(), edited.changes));
                    }
                    Err(error) => self.wrong.push(format!("{shape} of {}: {error}", path.display())),
                }
            }
            self.tried.insert(shape);
        }
    }
}

/// Whether a file with these bytes and the name of another file shows a value at a path.
fn has_value(named: &Path, bytes: &[u8], path: &FieldPath, value: &json::Value) -> bool {
    let edited = tempfile::tempdir().unwrap();
    let file = edited.path().join(named.file_name().unwrap());
    fs::write(&file, bytes).unwrap();
    let options = DescribeOptions::default().detail(Detail::Full);
    let run = Session::default().describe(&Input::file(&file).into(), &options).unwrap();
    let description = run.outcomes.first().and_then(|it| it.description.as_ref());
    let shown = description.and_then(|it| Some(path.get(it.fields.root())?.to_value()));
    shown.as_ref() == Some(value)
}

/// Returns the dialogue of the sample game with two tags for its first line.
fn dialogue_with_shared_line(place: &Path) -> PathBuf {
    let (unpacked, packed) = (place.join("unpacked"), place.join("SHARED.RTX"));
    let session = Session::default();
    session.unpack(&place.join("redguard/ENGLISH.RTX"), &unpacked, &UnpackOptions::default()).unwrap();
    let file = unpacked.join("record.json");
    let mut record: json::Value = json::from_slice(&fs::read(&file).unwrap()).unwrap();
    let index = json::json!([{ "tag": "aaaa", "piece": 0 }, { "tag": "bbbb", "piece": 0 }]);
    *record.get_mut("index").unwrap() = index;
    fs::write(file, serde_json::to_vec(&record).unwrap()).unwrap();
    session.pack(&unpacked, &packed, &PackOptions::default()).unwrap();
    packed
}

#[test]
fn every_displayed_field_can_be_set_or_is_marked_as_derived() {
    let place = tempfile::tempdir().unwrap();
    let mut sink = MemorySink::new();
    sample::specimens(&mut sink).unwrap();
    sample::write(CATALOG, &mut sink).unwrap();
    let mut found = Found::default();
    for (name, bytes) in sink.files() {
        let path = place.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, bytes).unwrap();
    }
    for (name, _) in sink.files() {
        found.file(&place.path().join(name));
    }
    found.file(&dialogue_with_shared_line(place.path()));
    let mut of_extension: BTreeMap<String, usize> = BTreeMap::new();
    for path in ["redguard", "scpcb", "rsm"]
        .into_iter()
        .filter_map(corpus::folder)
        .flat_map(|it| corpus::all_files(&it))
    {
        let extension = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
        let files = of_extension.entry(extension).or_default();
        if *files < MAX_FILES && fs::metadata(&path).unwrap().len() <= MAX_LENGTH {
            *files += 1;
            found.file(&path);
        }
    }
    assert!(found.tried.len() > 1000, "{}", found.tried.len());
    assert!(found.wrong.is_empty(), "{} fields:\n{}", found.wrong.len(), found.wrong.join("\n"));
    let stale: Vec<_> = found.declared.difference(&found.derived).collect();
    assert!(stale.is_empty(), "no displayed field matches {stale:?}");
}
