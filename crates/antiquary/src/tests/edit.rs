//! Comparing files, setting fields, replacing entries of containers, and dry runs.

use asset::{Can, Kind, MemorySink, Overwrite, Source};
use files::sink::WriteMode;
use json::Value;
use std::path::Path;

use super::crates::crate_of;
use super::textbox::textbox;
use super::{Folder, convert, messages, session};
use crate::diff::{Change, ChangeKind};
use crate::field::FieldPath;
use crate::session::{
    ArchiveOptions, Comparison, DiffOptions, Edited, ExtractOptions, FieldEdit, Input, Inputs, PackOptions,
    Patterns, Session, Status, UnpackOptions,
};
use crate::{CATALOG, sample};

fn diff(folder: &Folder, first: &str, second: &str) -> Comparison {
    session().diff(&folder.path(first), &folder.path(second), &DiffOptions::default().limit(100)).unwrap()
}

fn statuses(folder: &Folder, comparison: &Comparison) -> Vec<(String, Status)> {
    let name =
        |pair: &crate::session::Pair| folder.short(pair.first.as_ref().or(pair.second.as_ref()).unwrap());
    comparison.pairs.iter().map(|pair| (name(pair), pair.status)).collect()
}

#[test]
fn two_files_differ_by_fields_or_bytes_or_are_equal() {
    let folder = Folder::game();
    folder.put("a2.box", &textbox(1, "sea.png", "hello"));
    assert!(diff(&folder, "Boxes/a.box", "Boxes/a.box").is_equal());
    let found = diff(&folder, "Boxes/a.box", "a2.box");
    let pair = &found.pairs[0];
    assert_eq!(
        (pair.status, pair.formats, pair.first_difference),
        (Status::Fields, [Some("test.box"); 2], Some(10))
    );
    let what = ChangeKind::Changed { from: "sun.png".into(), to: "sea.png".into() };
    assert_eq!(pair.changes, [Change { path: "picture".to_owned(), what }]);

    // Bytes without a field, different formats, unknown files, and unreadable files.
    folder.put("m.note", b"NOTE of nothing");
    assert_eq!(diff(&folder, "n.note", "m.note").pairs[0].status, Status::Bytes);
    assert_eq!(diff(&folder, "n.note", "a2.box").pairs[0].status, Status::Formats);
    let skipped = diff(&folder, "Boxes/read.me", "Boxes/TEX.001");
    assert_eq!((skipped.pairs[0].status, skipped.has_failed()), (Status::Bytes, false));
    assert_eq!(diff(&folder, "Boxes/read.me", "a2.box").pairs[0].status, Status::Formats);
    let bad = diff(&folder, "Boxes/bad.box", "a2.box");
    assert_eq!(bad.pairs[0].error.as_ref().unwrap().message(), "picture runs past the end");
    assert!(diff(&folder, "Boxes/bad.box", "Boxes/bad.box").is_equal());
    assert_eq!(
        session()
            .diff(&folder.path("Boxes"), &folder.path("a2.box"), &DiffOptions::default().limit(1))
            .unwrap_err()
            .kind(),
        Kind::Usage
    );
    assert_eq!(
        session()
            .diff(&folder.path("gone"), &folder.path("a2.box"), &DiffOptions::default().limit(1))
            .unwrap_err()
            .kind(),
        Kind::Io
    );
}

#[test]
fn keeps_a_limited_number_of_differences() {
    let folder = Folder::new();
    let (a, b) = (folder.put("a.box", &textbox(1, "a", "a")), folder.put("b.box", &textbox(2, "b", "b")));
    let found = session().diff(&a, &b, &DiffOptions::default().limit(2)).unwrap();
    assert_eq!((found.pairs[0].changes.len(), found.pairs[0].more), (2, 1));
}

#[test]
fn folders_and_containers_are_compared_file_by_file() {
    let folder = Folder::new();
    for (name, bytes) in [
        ("one/Same.box", textbox(1, "", "same")),
        ("two/SAME.BOX", textbox(1, "", "same")),
        ("one/deep/x.box", textbox(1, "", "old")),
        ("two/Deep/X.box", textbox(1, "", "new")),
        ("one/gone.txt", b"gone".to_vec()),
        ("two/new.txt", b"new".to_vec()),
        ("one/z.crate", crate_of(&[("a.box", &textbox(1, "", "1")), ("b.txt", b"b"), ("c", b"c")])),
        ("two/z.crate", crate_of(&[("B.TXT", b"b"), ("A.box", &textbox(1, "", "2")), ("d", b"d")])),
    ] {
        folder.put(name, &bytes);
    }
    let found = diff(&folder, "one", "two");
    let expected = [
        ("one/deep/x.box", Status::Fields),
        ("one/gone.txt", Status::Removed),
        ("one/z.crate", Status::Fields),
        ("one/z.crate/a.box", Status::Fields),
        ("one/z.crate/c", Status::Removed),
        ("two/z.crate/d", Status::Added),
        ("two/new.txt", Status::Added),
    ];
    assert_eq!(statuses(&folder, &found), expected.map(|(name, status)| (name.to_owned(), status)));
    assert_eq!(found.equal, 2);
}

fn set(session: &Session<'_>, file: &[u8], fields: &[&str]) -> Result<Edited, asset::Error> {
    let assignments: Vec<_> = fields.iter().map(|field| FieldEdit::assign(field).unwrap()).collect();
    session.set(&Input::of_source("x.box", Source::from(file.to_vec())), &assignments, 10)
}

#[test]
fn setting_a_field_changes_nothing_else() {
    let old = textbox(1, "sun.png", "hello");
    let edited = set(&session(), &old, &["picture=the moon.png", "version=2"]).unwrap();
    assert_eq!(edited.bytes, textbox(2, "the moon.png", "hello"));
    let paths: Vec<_> = edited.changes.iter().map(|change| change.path.as_str()).collect();
    assert_eq!((paths, edited.more), (vec!["version", "picture"], 0));
    // A text value may look like any other value.
    for text in ["5", "null", "[1]", "\"quoted\"", "a=b", ""] {
        let edited = set(&session(), &old, &[&format!("text={text}")]).unwrap();
        assert_eq!(edited.bytes, textbox(1, "sun.png", text.trim_matches('"')), "{text}");
    }
}

#[test]
fn an_unsettable_field_is_reported_by_its_path() {
    let old = textbox(1, "sun.png", "hello");
    let message = |field: &str| set(&session(), &old, &[field]).unwrap_err().message().to_owned();
    assert_eq!(message("pictur=x"), "the file has no field \"pictur\"; did you mean \"picture\"?");
    assert_eq!(message("version=two"), "version: expected an integer from 0 to 255, got \"two\"");
    assert_eq!(message("version=256"), "version: expected an integer from 0 to 255, got 256");
    assert_eq!(message("version=[1]"), "version: expected an integer from 0 to 255, got a list of 1");
    assert!(message("version=9").contains("the file would be unreadable: version: version unknown"));
    assert!(message("text=FAULTY").contains("version unknown"));
    for wrong in ["", "version", "=1", "a..b=1"] {
        assert_eq!(FieldEdit::assign(wrong).unwrap_err().kind(), Kind::Usage, "{wrong}");
    }
    let error = session().set(&Input::of_source("n", Source::from(b"NOTE".to_vec())), &[], 1).unwrap_err();
    assert_eq!(error.kind(), Kind::Unsupported);
}

#[test]
fn an_edited_file_never_overwrites_the_original() {
    let folder = Folder::game();
    let (file, fields) = (folder.path("Boxes/a.box"), [FieldEdit::assign("text=new").unwrap()]);
    let before = folder.files("");
    let set_file = |session: &Session<'_>, out: &Path| {
        session.set(&Input::file(&file), &fields, 10).and_then(|edited| session.write_edited(edited, out))
    };
    let pretend = session().writing(WriteMode::DryRun);
    let edited = set_file(&pretend, &folder.path("out/")).unwrap();
    assert_eq!(folder.short(&edited.outcome.outputs[0]), "out/a.box");
    assert_eq!(folder.files(""), before);
    let force = session().overwrite(Overwrite::Allow);
    assert!(set_file(&force, &file).is_err());
    set_file(&session(), &folder.path("out/")).unwrap();
    assert_eq!(std::fs::read(folder.path("out/a.box")).unwrap(), textbox(1, "sun.png", "new"));
    for session in [pretend, session()] {
        let error = set_file(&session, &folder.path("out/")).unwrap_err();
        assert_eq!(error.message(), "already exists");
    }
}

/// Collects the path and the value of every number in a typed file.
fn numbers(value: &Value, path: &str, out: &mut Vec<(String, String)>) {
    match value {
        Value::Number(number) => out.push((path.to_owned(), number.to_string())),
        Value::Array(items) => {
            items
                .iter()
                .enumerate()
                .for_each(|(index, item)| numbers(item, &format!("{path}[{index}]"), out));
        }
        Value::Object(members) => {
            for (name, value) in members {
                let mut path = path.to_owned();
                json::push_member(&mut path, name);
                numbers(value, &path, out);
            }
        }
        _ => {}
    }
}

#[test]
fn setting_a_number_to_its_current_value_changes_nothing() {
    let mut sink = MemorySink::new();
    sample::write(CATALOG, &mut sink).unwrap();
    let mut formats = std::collections::BTreeSet::new();
    for (name, bytes) in sink.files() {
        let source = Source::from(bytes.clone());
        let Ok(Some(found)) = CATALOG.detect(&source, Some(name)) else { continue };
        if !found.format.can(Can::Pack) {
            continue;
        }
        let opened = CATALOG.open_source(source.clone(), Some(name)).unwrap();
        let typed = crate::session::typed_record(found.format, &*opened.asset, &source, name).unwrap();
        let mut all = Vec::new();
        numbers(&typed, "", &mut all);
        for at in [0, all.len() / 2, all.len().saturating_sub(1)] {
            let Some((path, number)) = all.get(at) else { continue };
            let assignment = FieldEdit::assign(&format!("{path}={number}")).unwrap();
            let edited =
                Session::default().set(&Input::of_source(name, source.clone()), &[assignment], 10).unwrap();
            assert!(edited.bytes == *bytes && edited.changes.is_empty(), "{name} {path}");
            formats.insert(found.format.id);
        }
    }
    assert!(formats.len() >= 6, "{formats:?}");
}

/// Applies edits to a file that is recognized by its name, and returns the bytes.
fn set_in(name: &str, file: &[u8], edits: &[FieldEdit]) -> Result<Vec<u8>, asset::Error> {
    let input = Input::of_source(name, Source::from(file.to_vec()));
    Session::default().set(&input, edits, 10).map(|edited| edited.bytes)
}

#[test]
fn keys_of_tables_are_set_by_their_sections() {
    let table = "; rooms\r\n[lock.room]\r\nDescr = a room \r\nshape=2\r\nlarge=\r\n\r\n[hall]\r\nshape=1\r\n";
    let set = |field: &str| {
        let edits = [FieldEdit::assign(field).unwrap()];
        set_in("Data/rooms.ini", table.as_bytes(), &edits).map(|bytes| String::from_utf8(bytes).unwrap())
    };
    assert_eq!(set("hall.shape=2C").unwrap(), table.replace("shape=1", "shape=2C"));
    assert_eq!(set("[\"lock.room\"].shape=3").unwrap(), table.replace("shape=2", "shape=3"));
    assert_eq!(set("[\"lock.room\"].Descr=the room").unwrap(), table.replace("= a room ", "= the room "));
    assert_eq!(set("[\"lock.room\"].large=true").unwrap(), table.replace("large=", "large=true"));
    assert_eq!(set("*.shape=4").unwrap(), table.replace("shape=2", "shape=4").replace("shape=1", "shape=4"));
    // Letter case is ignored, as in the game.
    assert_eq!(set("HALL.Shape=2C").unwrap(), table.replace("shape=1", "shape=2C"));
    // A new section follows the others; one with a name similar to an existing one is added only explicitly.
    assert_eq!(set("storage.shape=4").unwrap(), format!("{table}\r\n[storage]\r\nshape=4\r\n"));
    assert_eq!(
        set("hal={\"shape\": 4, \"large\": true}").unwrap(),
        format!("{table}\r\n[hal]\r\nshape=4\r\nlarge=true\r\n")
    );
    let message = set("hal.shape=1").unwrap_err().to_string();
    assert!(message.contains("did you mean \"hall\"? (to add it, set hal={} first)"), "{message}");
    // New keys follow the others of their section.
    assert_eq!(set("hall.zone1=3").unwrap(), format!("{table}zone1=3\r\n"));
    let in_first = table.replace("large=\r\n", "large=\r\nzone1=3\r\n");
    assert_eq!(set("[\"lock.room\"].zone1=3").unwrap(), in_first);
    assert_eq!(set("lines[0]=; all").unwrap_err().kind(), Kind::Usage, "a line without its end");
    let removed = set_in("Data/rooms.ini", table.as_bytes(), &[FieldEdit::remove("hall.shape").unwrap()]);
    assert_eq!(String::from_utf8(removed.unwrap()).unwrap(), table.replace("shape=1\r\n", ""));
    let message = |field: &str| set(field).unwrap_err().to_string();
    assert!(message("hal.shape=1").contains("did you mean \"hall\"?"), "{}", message("hal.shape=1"));
    let reason = "hall.shape: the value \"a\\nb\" contains a line break";
    assert!(message("hall.shape=\"a\\nb\"").contains(reason), "{}", message("hall.shape=\"a\\nb\""));
    assert!(message("hall.a\nb=1").contains("no field"), "{}", message("hall.a\nb=1"));
}

#[test]
fn sections_are_set_by_their_index_in_the_file() {
    let table =
        "[hall]\nmesh path=a\nname=inner\nshape=1\n[*]\nmesh path=b\nshape=2\n[HALL]\nmesh path=c\nshape=3\n";
    let edit = |edit: FieldEdit| {
        set_in("Data/rooms.ini", table.as_bytes(), &[edit]).map(|bytes| String::from_utf8(bytes).unwrap())
    };
    let set = |field: &str| edit(FieldEdit::assign(field).unwrap());
    for (field, old) in [("[0].shape=9", 1), ("[1].shape=9", 2), ("[2].shape=9", 3), ("[-1].shape=9", 3)] {
        assert_eq!(set(field).unwrap(), table.replace(&format!("shape={old}"), "shape=9"), "{field}");
    }
    let called = format!("[hall#2]\nshape=4\n{table}");
    let edits = [FieldEdit::assign("[3].shape=9").unwrap()];
    let third = set_in("Data/rooms.ini", called.as_bytes(), &edits).unwrap();
    assert_eq!(String::from_utf8(third).unwrap(), called.replace("shape=3", "shape=9"));
    assert_eq!(set("hall#2.shape=9").unwrap(), table.replace("shape=3", "shape=9"));
    assert_eq!(set("hall.name=outer").unwrap(), table.replace("inner", "outer"));
    let message = set("[0].name=outer").unwrap_err().to_string();
    assert!(message.contains("is derived from other fields"), "{message}");
    // A section is not an item of the list of lines.
    for field in ["[+]=x", "[1]={}", "[*]={}", "[7].shape=9", "[-4].shape=9"] {
        assert_eq!(set(field).unwrap_err().kind(), Kind::Usage, "{field}");
    }
    for wrong in [FieldEdit::remove("[1]"), FieldEdit::copy("[1]"), FieldEdit::remove("[*]")] {
        assert_eq!(edit(wrong.unwrap()).unwrap_err().kind(), Kind::Usage);
    }
}

#[test]
fn refuses_copies_in_a_derived_list() {
    let mut sink = MemorySink::new();
    sample::write(CATALOG, &mut sink).unwrap();
    let (name, bytes) = sink.files().iter().find(|(name, _)| name.ends_with("SAMPLE.AD")).unwrap();
    for edit in [FieldEdit::copy("timbres[0]"), FieldEdit::remove("layout.places[-1]")] {
        let message = set_in(name, bytes, &[edit.unwrap()]).unwrap_err().to_string();
        assert!(message.contains("because they are derived from other fields"), "{message}");
    }
}

#[test]
fn adds_a_new_key_after_a_last_line_without_line_break_and_suggests_the_nearest() {
    let set = |field: &str| {
        let input =
            Input::of_source("ITEM.INI", Source::from(b"[ items ]\nPlayer_Max[4] = 5\ntotal = 3".to_vec()));
        let edited = Session::default().set(&input, &[FieldEdit::assign(field).unwrap()], 10).unwrap();
        let messages = edited.outcome.warnings.iter().map(|it| format!("{} {}", it.code.id, it.message));
        (String::from_utf8(edited.bytes).unwrap(), messages.collect::<Vec<_>>())
    };
    let (text, messages) = set("items[\"player_max[4]\"]=99");
    assert_eq!((text.as_str(), messages.len()), ("[ items ]\nPlayer_Max[4] = 99\ntotal = 3", 0));
    let (text, messages) = set("items[\"player_maxx[4]\"]=99");
    assert_eq!(text, "[ items ]\nPlayer_Max[4] = 5\ntotal = 3\nplayer_maxx[4]=99\n");
    let ignored = "INI-W001 line 4: the game ignores \"player_maxx[4]\"; did you mean \"player_max[4]\"?";
    let added = "PACK-W006 added; the file did not have it; did you mean \"Player_Max[4]\"?";
    assert_eq!(messages, [added, ignored]);
    let (_, messages) = set("items.zebra=99");
    let ignored = "INI-W001 line 4: the game ignores \"zebra\"";
    assert_eq!(messages, ["PACK-W006 added; the file did not have it", ignored]);
}

#[test]
fn new_keys_of_tables_are_written_as_typed() {
    let table = "[hall]\r\nshape=1\r\n";
    for value in ["1.50", "1, 2", "null", "[1]", "007", "1e3", "TRUE"] {
        let edits = [FieldEdit::assign(&format!("hall.zone1={value}")).unwrap()];
        let bytes = set_in("Data/rooms.ini", table.as_bytes(), &edits).unwrap();
        assert_eq!(String::from_utf8(bytes).unwrap(), format!("{table}zone1={value}\r\n"));
        let edits = [FieldEdit::assign(&format!("hall.shape={value}")).unwrap()];
        let bytes = set_in("Data/rooms.ini", table.as_bytes(), &edits).unwrap();
        assert_eq!(String::from_utf8(bytes).unwrap(), table.replace("=1", &format!("={value}")));
        let edits = [FieldEdit::assign(&format!("storage.zone1={value}")).unwrap()];
        let bytes = set_in("Data/rooms.ini", table.as_bytes(), &edits).unwrap();
        let section = format!("{table}\r\n[storage]\r\nzone1={value}\r\n");
        assert_eq!(String::from_utf8(bytes).unwrap(), section);
    }
}

/// Settings of Redguard with comments, blanks and repeated sections and keys.
const ITEMS: &str = "; items\r\n[ ITEMS ] ; all\r\n Name [ 0 ] =?abc ; lamp\r\ntype[0]\t=\t0\t; general\r\nTYPE [ 0 ]=1\r\n\
    total[0]=  \r\n\r\n; more\r\n[items]\r\ntype[0]=2\r\nstart_item_list=0, 0;0\r\n";

#[test]
fn settings_keep_blanks_comments_and_line_ends_around_a_new_value() {
    let set = |field: &str| {
        let bytes = set_in("ITEM.INI", ITEMS.as_bytes(), &[FieldEdit::assign(field).unwrap()]);
        bytes.map(|bytes| String::from_utf8(bytes).unwrap())
    };
    // Only the first line of a key counts, in all sections of the name.
    for path in ["items[\"type[0]\"]", "ITEMS[\"Type [ 0 ]\"]", "[\"items\"][\"TYPE[ 0]\"]"] {
        assert_eq!(set(&format!("{path}=3")).unwrap(), ITEMS.replace("\t0\t;", "\t3\t;"), "{path}");
    }
    assert_eq!(set("items[\"name[0]\"]=12").unwrap(), ITEMS.replace("?abc", "12"));
    assert_eq!(set("items.start_item_list=1, 2").unwrap(), ITEMS.replace("0, 0;", "1, 2;"));
    assert_eq!(set("items[\"total[0]\"]=0.50").unwrap(), ITEMS.replace("=  \r", "=  0.50\r"));
    // An unchanged value changes no byte.
    assert_eq!(set("items[\"type[0]\"]=0").unwrap(), ITEMS);
    let message = |field: &str| set(field).unwrap_err().to_string();
    assert!(message("items.start_item_list=1;2").contains("starts a comment"));
    assert!(message("items[\"hide[0]\"]=1;2").contains("starts a comment"));
    assert!(message("item.total=1").contains("did you mean \"ITEMS\"?"));
}

#[test]
fn a_missing_key_of_settings_follows_the_last_one_of_its_section() {
    let edits = [FieldEdit::assign("Items[\"hide [ 0 ]\"]=1").unwrap()];
    let bytes = set_in("ITEM.INI", ITEMS.as_bytes(), &edits).unwrap();
    let expected = ITEMS.replace("=  \r\n", "=  \r\nhide[0]=1\r\n");
    assert_eq!(String::from_utf8(bytes).unwrap(), expected);
}

#[test]
fn settings_are_set_by_the_paths_of_their_typed_view() {
    let set = |name: &str, text: &str, field: &str| {
        let bytes = set_in(name, text.as_bytes(), &[FieldEdit::assign(field).unwrap()]);
        bytes.map(|bytes| String::from_utf8(bytes).unwrap())
    };
    let items = "[items]\ntype[3]=0 ; x\ntype[5]=1\n";
    for path in ["items[1].type", "resolved.typed.items[1].type", "items[-1].type"] {
        let found = set("ITEM.INI", items, &format!("{path}=2")).unwrap();
        assert_eq!(found, items.replace("=1", "=2"), "{path}");
    }
    // A missing key is added.
    for path in ["items[0].hide", "resolved.typed.items[0].hide"] {
        assert_eq!(set("ITEM.INI", items, &format!("{path}=1")).unwrap(), format!("{items}hide[3]=1\n"));
    }
    let system = "[3dfx]\nfont_used = 0,0 ; x\n[system]\nvolume=255\n";
    let set_system = |field: &str| set("SYSTEM.INI", system, field);
    assert_eq!(set_system("sections.system.volume.value=0").unwrap(), system.replace("255", "0"));
    assert_eq!(set_system("sections.3dfx.font_used.value=[1, 2]").unwrap(), system.replace("0,0", "1, 2"));
    // Only sections that the game reads are added.
    let camera = set_system("camera.glide_y=0.50").unwrap();
    assert_eq!(camera, format!("{system}\n[camera]\nglide_y=0.50\n"));
    let message = set_system("syst.volume=1").unwrap_err().to_string();
    assert!(message.contains("did you mean \"system\"?"), "{message}");
    let message = set_system("other.volume=1").unwrap_err().to_string();
    assert!(
        message.contains("the game does not read the section [other] (known: screen, system,"),
        "{message}"
    );
    // The rest of the view is computed.
    let message = set_system("resolved.typed.sections.system.volume.raw=0").unwrap_err().to_string();
    assert!(message.contains("is derived from other fields"), "{message}");
    let message = set_system("resolved.line_count=0").unwrap_err().to_string();
    assert!(message.contains("is derived from other fields"), "{message}");
}

#[test]
fn settings_show_the_value_that_counts_without_its_comment() {
    for (path, found, value) in [
        ("ITEMS[\"NAME[0]\"]", "ITEMS[\"Name[0]\"]", "?abc"),
        ("items[\"type [ 0 ]\"]", "ITEMS[\"type[0]\"]", "0"),
        ("items.START_ITEM_LIST", "ITEMS.start_item_list", "0, 0"),
    ] {
        let input = Input::of_source("ITEM.INI", Source::from(ITEMS.as_bytes().to_vec()));
        let outcome = Session::default().fields(&input, &[FieldPath::parse(path).unwrap()]).unwrap();
        let fields = outcome.description.unwrap().fields;
        assert_eq!(fields.root().get(found).unwrap().to_value(), value, "{path}");
    }
}

#[test]
fn finds_nested_chunks_by_their_indices() {
    let mut sink = MemorySink::new();
    sample::specimens(&mut sink).unwrap();
    let (name, model) = sink.files().iter().find(|(name, _)| name.ends_with(".b3d")).unwrap();
    let shown = |bytes: &[u8], path: &str| {
        let input = Input::of_source(name, Source::from(bytes.to_vec()));
        let outcome = Session::default().fields(&input, &[FieldPath::parse(path).unwrap()]).unwrap();
        outcome.description.map(|description| description.fields.root().get(path).unwrap().to_value())
    };
    for (path, value) in [
        ("chunks[0].textures[0].file", "new.png"),
        ("chunks[2].name", "root"),
        ("chunks[2].chunks[0].brush", "7"),
    ] {
        let edits = [FieldEdit::assign(&format!("{path}={value}")).unwrap()];
        let bytes = set_in(name, model, &edits).unwrap();
        assert_ne!(&bytes, model);
        let found = shown(&bytes, path).unwrap();
        assert_eq!(found.as_str().map_or_else(|| found.to_string(), str::to_owned), value, "{path}");
    }
    let refused = set_in(name, model, &[FieldEdit::assign("chunks[99].name=x").unwrap()]);
    assert!(refused.unwrap_err().message().contains("there is no item [99]"));
}

#[test]
fn an_entry_of_a_container_is_replaced_by_name_or_number() {
    let folder = Folder::new();
    let archive =
        folder.put("x.crate", &crate_of(&[("data\\a.txt", b"a"), ("b", b"b"), ("B", b"c"), ("7", b"d")]));
    let new = folder.put("new.txt", b"new");
    let replace = |entry: &str, out: &str| {
        session().replace(&archive, entry, &new, &folder.path(out), &ArchiveOptions::default())
    };
    for (entry, number) in [("DATA/A.txt", 0), ("data/a", 0), ("B", 2), ("1", 1), ("7", 3), ("0", 0)] {
        let replaced = replace(entry, &format!("{entry}-out/").replace('/', "_")).unwrap();
        assert_eq!((replaced.number, replaced.outcome.ok), (Some(number), true), "{entry}");
        let read = std::fs::read(&replaced.outcome.outputs[0]).unwrap();
        let mut files = [("data\\a.txt", &b"a"[..]), ("b", b"b"), ("B", b"c"), ("7", b"d")];
        files[number].1 = b"new";
        assert_eq!(read, crate_of(&files), "{entry}");
    }
    let message = |entry: &str| replace(entry, "out.crate").unwrap_err().message().to_owned();
    assert_eq!(message("data/b.txt"), "there is no entry \"data/b.txt\"; did you mean \"data\\a.txt\"?");
    assert_eq!(message("9"), "there is no entry 9: the archive has 4, numbered from 0");
    assert_eq!(
        message("nonsense"),
        "there is no entry \"nonsense\"; run `antiquary list` to see all entries"
    );
    assert!(!folder.path("out.crate").exists());
}

#[test]
fn an_invalid_or_unwritable_container_leaves_no_file() {
    let folder = Folder::new();
    let archive = folder.put("x.crate", &crate_of(&[("a", b"a")]));
    let before = folder.files("").len();
    let replace = |session: &Session<'_>, bytes: &[u8]| {
        let new = folder.put("new", bytes);
        session.replace(&archive, "a", &new, &folder.path("deep/out.crate"), &ArchiveOptions::default())
    };
    assert!(replace(&session(), &[0; 300]).is_err());
    assert!(replace(&session(), b"BROKEN").unwrap_err().message().contains("the written archive is invalid"));
    let pretend = session().writing(WriteMode::DryRun);
    assert_eq!(replace(&pretend, b"new").unwrap().outcome.outputs.len(), 1);
    assert_eq!(folder.files("").len(), before + 1, "{:?}", folder.files(""));
    assert!(!folder.path("deep").exists());
    assert!(session().replace(&archive, "a", &archive, &archive, &ArchiveOptions::default()).is_err());
}

#[test]
fn a_dry_run_writes_nothing_and_reports_the_same() {
    let folder = Folder::game();
    folder.put("in/x.crate", &crate_of(&[("a.box", &textbox(1, "", "a")), ("b.txt", b"b")]));
    let existing = folder.put("out/a.box.txt", b"mine");
    let pretend = session().writing(WriteMode::DryRun);
    let everything = || folder.files("");
    let before = everything();
    let summary = |run: &crate::run::Run| -> Vec<_> {
        let of = |outcome: &crate::run::Outcome| (outcome.outputs.clone(), outcome.ok, messages(outcome));
        run.outcomes.iter().map(of).collect()
    };
    let inputs = [folder.path("Boxes")];
    let pretended = convert(&pretend, &inputs, &folder.path("out"));
    assert_eq!(everything(), before);
    let real = convert(&session(), &inputs, &folder.path("out"));
    assert_eq!(summary(&pretended), summary(&real));
    assert!(pretended.failed() > 2 && std::fs::read(existing).unwrap() == b"mine");

    let before = everything();
    let archive = folder.path("in/x.crate");
    let extract = |session: &Session<'_>| {
        session.extract(&archive, &folder.path("ex/deep"), &ExtractOptions::default()).unwrap()
    };
    let unpack = |session: &Session<'_>| {
        session.unpack(&folder.path("Boxes/a.box"), &folder.path("un"), &UnpackOptions::default()).unwrap()
    };
    let (extracted, unpacked) = (extract(&pretend), unpack(&pretend));
    assert_eq!(everything(), before);
    assert!(!folder.path("ex").exists() && !folder.path("un").exists());
    assert_eq!(
        (summary(&extracted), summary(&unpacked)),
        (summary(&extract(&session())), summary(&unpack(&session())))
    );

    let before = everything();
    let pack = |session: &Session<'_>| {
        session.pack(&folder.path("un"), &folder.path("packed/"), &PackOptions::default()).unwrap().outputs
    };
    let packed = pack(&pretend);
    assert_eq!(everything(), before);
    assert_eq!(packed, pack(&session()));
    let _ = Inputs::collect(&inputs);
}

#[test]
fn text_is_searched_in_names_and_notes() {
    let folder = Folder::new();
    let archive =
        folder.put("x.crate", &crate_of(&[("GRÖSSE.txt", b"a"), ("b.txt", b"SEALED"), ("c", b"c")]));
    let list = |patterns: &[&str], text: &str| -> Vec<(usize, String)> {
        let texts: Vec<_> = patterns.iter().map(|text| (*text).to_owned()).collect();
        let patterns = Patterns::parse(&texts).unwrap().with_text(text).unwrap();
        let run = session().list(std::slice::from_ref(&archive), &patterns);
        let entries = run.outcomes[0].entries.iter().flatten();
        entries.map(|listed| (listed.number, listed.entry.name.to_string())).collect()
    };
    assert_eq!(list(&[], "größe"), []);
    assert_eq!(list(&[], "grösse"), [(0, "GRÖSSE.txt".to_owned())]);
    assert_eq!(list(&["*.txt"], "TXT").len(), 2);
    assert_eq!(list(&["c"], "txt"), []);
    assert!(Patterns::default().with_text("").is_err());
}
