//! `--charset`: names and texts in another charset than the game's default.

use crate::setup::Sandbox;

/// Labels of charsets, each with a name in it and the name's bytes.
const NAMES: [(&str, &str, &[u8]); 3] = [
    ("big5", "中文.bmp", b"\xa4\xa4\xa4\xe5.bmp"),
    ("gbk", "汉字.bmp", b"\xba\xba\xd7\xd6.bmp"),
    ("windows-1251", "ключ.bmp", b"\xea\xeb\xfe\xf7.bmp"),
];

#[test]
fn reads_and_writes_names_in_archives() {
    for (charset, name, _) in NAMES {
        let file = format!("folder/data/texture/{name}");
        let sandbox = Sandbox::with(&[(&file, b"image")]);
        sandbox.run(&["pack", "folder", "-o", "new.grf", "--charset", charset]).exits_with(0);
        let listed = |extra: &[&str]| sandbox.run(&[&["list", "new.grf"][..], extra].concat()).exits_with(0);
        assert!(listed(&["--charset", charset]).text().contains(name), "{charset}");
        assert!(!listed(&[]).text().contains(name), "{charset}");
        let at = format!("data/texture/{name}");
        sandbox.run(&["extract", "new.grf", &at, "-o", "out", "--charset", charset]).exits_with(0);
        assert_eq!(sandbox.read(&format!("out/{at}")), b"image", "{charset}");
        let added = ["archive", "add", "new.grf", "folder", "-o", "more.grf", "--charset", charset];
        sandbox.run(&added).exits_with(0);
        let output = sandbox.run(&["list", "more.grf", "--charset", charset]).exits_with(0);
        assert_eq!(output.text().matches(name).count(), 1, "{output:?}");
        sandbox.put("other/data/é☃.txt", b"x");
        let output = sandbox
            .run(&["archive", "add", "new.grf", "other", "-o", "x.grf", "--charset", charset])
            .exits_with(1);
        assert!(output.err.contains(&format!("cannot be encoded in {charset}")), "{output:?}");
        assert!(!sandbox.has("x.grf"));
    }
}

#[test]
fn reads_and_writes_texture_names_in_models() {
    let sandbox = Sandbox::with_games();
    let model = sandbox.files().into_iter().find(|file| file.ends_with(".rsm")).unwrap();
    for (charset, name, bytes) in NAMES {
        let edit = format!("textures[0]={name}");
        sandbox.run(&["set", &model, &edit, "-o", "own.rsm", "--force", "--charset", charset]).exits_with(0);
        let model = sandbox.read("own.rsm");
        assert!(model.windows(bytes.len()).any(|window| window == bytes), "{charset}");
        let output = sandbox.run(&["info", "own.rsm", "textures[0]", "--charset", charset]).exits_with(0);
        assert!(output.text().contains(name), "{output:?}");
        sandbox.run(&["unpack", "own.rsm", "-o", "u", "--force", "--charset", charset]).exits_with(0);
        sandbox.run(&["pack", "u", "-o", "again.rsm", "--force"]).exits_with(0);
        assert_eq!(sandbox.read("again.rsm"), model, "{charset}");
    }
}

#[test]
fn an_unpacked_folder_remembers_its_charset() {
    let table = "[room2]\r\ndescr=Комната\r\n";
    let bytes = b"[room2]\r\ndescr=\xca\xee\xec\xed\xe0\xf2\xe0\r\n";
    let sandbox = Sandbox::with(&[("Data/rooms.ini", bytes)]);
    let file = "Data/rooms.ini";
    let output = sandbox.run(&["info", file, "room2.descr", "--charset", "windows-1251"]).exits_with(0);
    assert!(output.text().contains("Комната"), "{output:?}");
    sandbox.run(&["unpack", file, "-o", "u", "--charset", "windows-1251"]).exits_with(0);
    sandbox.run(&["pack", "u", "-o", "same.ini"]).exits_with(0);
    assert_eq!(sandbox.read("same.ini"), bytes);
    let record = String::from_utf8(sandbox.read("u/record.json")).unwrap();
    assert!(record.contains("Комната"), "{record}");
    sandbox.put("u/record.json", record.replace("Комната", "Ключ").as_bytes());
    sandbox.run(&["pack", "u", "-o", "edited.ini"]).exits_with(0);
    assert_eq!(sandbox.read("edited.ini"), b"[room2]\r\ndescr=\xca\xeb\xfe\xf7\r\n");
    sandbox.put("u/record.json", record.replace("Комната", "유저").as_bytes());
    let output = sandbox.run(&["pack", "u", "-o", "lost.ini"]).exits_with(1);
    assert!(
        output.err.contains("record.json: lines[1]") && output.err.contains("windows-1251"),
        "{output:?}"
    );
    let output = sandbox.run(&["pack", "u", "-o", "lost.ini", "--charset", "koi8-r"]).exits_with(1);
    assert!(output.err.contains("was unpacked with --charset windows-1251"), "{output:?}");
    sandbox.put(file, table.replace("Комната", "Größe").as_bytes());
    let edit = ["set", file, "room2.descr=Straße", "-o", "utf8.ini", "--charset", "utf-8"];
    sandbox.run(&edit).exits_with(0);
    assert_eq!(sandbox.read("utf8.ini"), table.replace("Комната", "Straße").as_bytes());
}

#[test]
fn keeps_bytes_that_are_invalid_in_the_charset() {
    let bytes = b"[room2]\r\ndescr=\xff\x80 \xa4\xa4\xa4 \xfe\r\n";
    let sandbox = Sandbox::with(&[("Data/rooms.ini", bytes)]);
    for charset in ["big5", "gbk", "utf-8", "shift_jis"] {
        sandbox.run(&["unpack", "Data/rooms.ini", "-o", "u", "--force", "--charset", charset]).exits_with(0);
        sandbox.run(&["pack", "u", "-o", "same.ini", "--force"]).exits_with(0);
        assert_eq!(sandbox.read("same.ini"), bytes, "{charset}");
        let set =
            ["set", "Data/rooms.ini", "room2.zone1=3", "-o", "new.ini", "--force", "--charset", charset];
        sandbox.run(&set).exits_with(0);
        assert!(sandbox.read("new.ini").starts_with(&bytes[..bytes.len() - 2]), "{charset}");
    }
}

#[test]
fn suggests_similar_names_for_an_unknown_charset() {
    let sandbox = Sandbox::new();
    let output = sandbox.run(&["list", "x.grf", "--charset", "big-six"]).exits_with(2);
    assert!(output.err.contains("unknown charset \"big-six\""), "{output:?}");
    let output = sandbox.run(&["list", "x.grf", "--charset", "windows-125"]).exits_with(2);
    assert!(output.err.contains("did you mean \"windows-125"), "{output:?}");
}
