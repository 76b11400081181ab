//! `--charset`: names and texts in another charset than the game's own.

use crate::setup::Place;

/// Labels with a name that is text in them, and its bytes.
const NAMES: [(&str, &str, &[u8]); 3] = [
    ("big5", "中文.bmp", b"\xa4\xa4\xa4\xe5.bmp"),
    ("gbk", "汉字.bmp", b"\xba\xba\xd7\xd6.bmp"),
    ("windows-1251", "ключ.bmp", b"\xea\xeb\xfe\xf7.bmp"),
];

#[test]
fn names_in_archives_go_both_ways() {
    for (charset, name, _) in NAMES {
        let file = format!("folder/data/texture/{name}");
        let place = Place::with(&[(&file, b"image")]);
        place.run(&["pack", "folder", "-o", "new.grf", "--charset", charset]).ended(0);
        let listed = |extra: &[&str]| place.run(&[&["list", "new.grf"][..], extra].concat()).ended(0);
        assert!(listed(&["--charset", charset]).text().contains(name), "{charset}");
        assert!(!listed(&[]).text().contains(name), "{charset}");
        let at = format!("data/texture/{name}");
        place.run(&["extract", "new.grf", &at, "-o", "out", "--charset", charset]).ended(0);
        assert_eq!(place.read(&format!("out/{at}")), b"image", "{charset}");
        let added = ["archive", "add", "new.grf", "folder", "-o", "more.grf", "--charset", charset];
        place.run(&added).ended(0);
        let ran = place.run(&["list", "more.grf", "--charset", charset]).ended(0);
        assert_eq!(ran.text().matches(name).count(), 1, "{ran:?}");
        place.put("other/data/é☃.txt", b"x");
        let ran =
            place.run(&["archive", "add", "new.grf", "other", "-o", "x.grf", "--charset", charset]).ended(1);
        assert!(ran.err.contains(&format!("cannot be encoded in {charset}")), "{ran:?}");
        assert!(!place.has("x.grf"));
    }
}

#[test]
fn names_of_textures_in_models_go_both_ways() {
    let place = Place::with_games();
    let model = place.files().into_iter().find(|file| file.ends_with(".rsm")).unwrap();
    for (charset, name, bytes) in NAMES {
        let edit = format!("textures[0]={name}");
        place.run(&["set", &model, &edit, "-o", "own.rsm", "--force", "--charset", charset]).ended(0);
        let model = place.read("own.rsm");
        assert!(model.windows(bytes.len()).any(|window| window == bytes), "{charset}");
        let ran = place.run(&["info", "own.rsm", "textures[0]", "--charset", charset]).ended(0);
        assert!(ran.text().contains(name), "{ran:?}");
        place.run(&["unpack", "own.rsm", "-o", "u", "--force", "--charset", charset]).ended(0);
        place.run(&["pack", "u", "-o", "again.rsm", "--force"]).ended(0);
        assert_eq!(place.read("again.rsm"), model, "{charset}");
    }
}

#[test]
fn an_unpacked_folder_remembers_its_charset() {
    let table = "[room2]\r\ndescr=Комната\r\n";
    let bytes = b"[room2]\r\ndescr=\xca\xee\xec\xed\xe0\xf2\xe0\r\n";
    let place = Place::with(&[("Data/rooms.ini", bytes)]);
    let file = "Data/rooms.ini";
    let ran = place.run(&["info", file, "room2.descr", "--charset", "windows-1251"]).ended(0);
    assert!(ran.text().contains("Комната"), "{ran:?}");
    place.run(&["unpack", file, "-o", "u", "--charset", "windows-1251"]).ended(0);
    place.run(&["pack", "u", "-o", "same.ini"]).ended(0);
    assert_eq!(place.read("same.ini"), bytes);
    let record = String::from_utf8(place.read("u/record.json")).unwrap();
    assert!(record.contains("Комната"), "{record}");
    place.put("u/record.json", record.replace("Комната", "Ключ").as_bytes());
    place.run(&["pack", "u", "-o", "edited.ini"]).ended(0);
    assert_eq!(place.read("edited.ini"), b"[room2]\r\ndescr=\xca\xeb\xfe\xf7\r\n");
    place.put("u/record.json", record.replace("Комната", "유저").as_bytes());
    let ran = place.run(&["pack", "u", "-o", "lost.ini"]).ended(1);
    assert!(ran.err.contains("record.json: lines[1]") && ran.err.contains("windows-1251"), "{ran:?}");
    let ran = place.run(&["pack", "u", "-o", "lost.ini", "--charset", "koi8-r"]).ended(1);
    assert!(ran.err.contains("was unpacked with --charset windows-1251"), "{ran:?}");
    place.put(file, table.replace("Комната", "Größe").as_bytes());
    let edit = ["set", file, "room2.descr=Straße", "-o", "utf8.ini", "--charset", "utf-8"];
    place.run(&edit).ended(0);
    assert_eq!(place.read("utf8.ini"), table.replace("Комната", "Straße").as_bytes());
}

#[test]
fn bytes_that_are_no_text_in_a_charset_come_back() {
    let bytes = b"[room2]\r\ndescr=\xff\x80 \xa4\xa4\xa4 \xfe\r\n";
    let place = Place::with(&[("Data/rooms.ini", bytes)]);
    for charset in ["big5", "gbk", "utf-8", "shift_jis"] {
        place.run(&["unpack", "Data/rooms.ini", "-o", "u", "--force", "--charset", charset]).ended(0);
        place.run(&["pack", "u", "-o", "same.ini", "--force"]).ended(0);
        assert_eq!(place.read("same.ini"), bytes, "{charset}");
        let set =
            ["set", "Data/rooms.ini", "room2.zone1=3", "-o", "new.ini", "--force", "--charset", charset];
        place.run(&set).ended(0);
        assert!(place.read("new.ini").starts_with(&bytes[..bytes.len() - 2]), "{charset}");
    }
}

#[test]
fn an_unknown_charset_is_an_error_that_names_near_ones() {
    let place = Place::new();
    let ran = place.run(&["list", "x.grf", "--charset", "big-six"]).ended(2);
    assert!(ran.err.contains("unknown charset \"big-six\""), "{ran:?}");
    let ran = place.run(&["list", "x.grf", "--charset", "windows-125"]).ended(2);
    assert!(ran.err.contains("did you mean \"windows-125"), "{ran:?}");
}
