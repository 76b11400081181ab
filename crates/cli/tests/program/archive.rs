//! `list`, `extract`, and the other commands on archives.

use std::process::Stdio;

use antiquary::ragnarok::grf;

use crate::setup::{ROOM, Sandbox, room_without_its_texture};

/// A folder with an archive written by our own writer.
fn sandbox() -> Sandbox {
    let files: [(&str, &[u8]); 5] = [
        ("data/map/a.rmesh", ROOM),
        ("data\\map\\B.RMESH", &room_without_its_texture()),
        ("data/유저/con.txt", b"hello"),
        ("data/유저/x.spr", &[7; 10_000]),
        ("readme.txt", b""),
    ];
    Sandbox::with(&[("data.grf", &grf::write(&files).unwrap())])
}

/// Replaces the flags of an entry in an archive without encryption.
fn with_flags(archive: &[u8], index: usize, flags: u8) -> Vec<u8> {
    let mut report = antiquary::Report::new();
    let read = grf::Grf::read(&antiquary::Source::from_bytes(archive), &mut report).unwrap();
    let mut table = Vec::new();
    for (number, entry) in read.typed_entries().iter().enumerate() {
        table.extend(entry.name.iter().copied().chain([0]));
        for size in [entry.packed, entry.aligned, entry.size] {
            table.extend(size.to_le_bytes());
        }
        table.push(if number == index { flags } else { entry.flags });
        table.extend(u32::try_from(entry.offset).unwrap().to_le_bytes());
    }
    // Stored zlib blocks, so that no compressor is needed.
    let length = u16::try_from(table.len()).unwrap();
    let mut packed = vec![0x78, 1, 1];
    packed.extend(length.to_le_bytes().into_iter().chain((!length).to_le_bytes()));
    packed.extend(&table);
    let (mut low, mut high) = (1_u32, 0_u32);
    for byte in &table {
        low = (low + u32::from(*byte)) % 65521;
        high = (high + low) % 65521;
    }
    packed.extend(((high << 16) | low).to_be_bytes());
    let at = usize::try_from(read.table().offset).unwrap();
    let sizes = [packed.len(), table.len()].map(|size| u32::try_from(size).unwrap().to_le_bytes());
    [&archive[..at], &sizes[0], &sizes[1], &packed].concat()
}

#[test]
fn lists_an_archive_with_sizes_and_patterns() {
    let sandbox = sandbox();
    let output = sandbox.run(&["list", "data.grf"]).exits_with(0);
    let lines: Vec<_> = output.text().lines().collect();
    assert_eq!(lines[0].split_whitespace().collect::<Vec<_>>(), ["NO", "BYTES", "STORED", "NAME"]);
    assert_eq!(lines.len(), 6, "{output:?}");
    assert!(
        lines[4].trim_start().starts_with("3  10,000 ") && lines[4].ends_with(" data\\유저\\x.spr"),
        "{output:?}"
    );
    assert!(output.err.starts_with("5 files, 10,"), "{output:?}");
    let output = sandbox.run(&["list", "data.grf", "*.rmesh", "README.*"]).exits_with(0);
    assert_eq!(output.text().lines().count(), 4, "{output:?}");
    let output = sandbox.run(&["list", "data.grf", "data/유저/", "--json"]).exits_with(0).json();
    assert_eq!(output["schema"], "antiquary/list/1");
    assert_eq!(output["results"][0]["entries"][0]["name"], "data\\유저\\con.txt");
    assert_eq!(output["results"][0]["entries"][0]["length"], 5);
    assert_eq!(output["results"][0]["entries"][0]["content"], "file");
    let output = sandbox.run(&["list", "data.grf", "*.rsm"]).exits_with(1);
    assert!(output.err.contains("data.grf: error: no entry matches \"*.rsm\""), "{output:?}");
    sandbox.put("a.rmesh", ROOM);
    let output = sandbox.run(&["list", "a.rmesh"]).exits_with(1);
    assert!(output.err.contains("`scpcb.rmesh` files are not archives"), "{output:?}");
    sandbox.run(&["list", "missing.grf"]).exits_with(1);
}

#[test]
fn extracts_files_with_safe_names_and_never_over_others() {
    let sandbox = sandbox();
    let output = sandbox.run(&["extract", "data.grf", "-o", "out"]).exits_with(0);
    assert_eq!(
        sandbox.files(),
        [
            "data.grf",
            "out/data/map/B.RMESH",
            "out/data/map/a.rmesh",
            "out/data/유저/con_.txt",
            "out/data/유저/x.spr",
            "out/readme.txt"
        ]
    );
    assert_eq!(sandbox.read("out/data/map/a.rmesh"), ROOM);
    assert!(
        output
            .err
            .contains("note EXTRACT-N001: \"data\\유저\\con.txt\" is written as \"data/유저/con_.txt\""),
        "{output:?}"
    );
    assert!(output.err.contains("5 files: 5 extracted"), "{output:?}");
    let again = sandbox.run(&["extract", "data.grf", "-o", "out", "*.spr"]).exits_with(1);
    assert!(again.err.contains("already exists") && again.err.contains("hint: use --force"), "{again:?}");
    let json =
        sandbox.run(&["extract", "data.grf", "-o", "out", "*.spr", "--force", "--json"]).exits_with(0).json();
    assert_eq!(json["results"][0]["input"], "data.grf/data/유저/x.spr");
    assert_eq!(json["results"][0]["outputs"][0], "out/data/유저/x.spr");
    sandbox.run(&["extract", "data.grf", "-o", "out", "no*"]).exits_with(2);
}

#[test]
fn reports_and_skips_encrypted_entries() {
    let sandbox = sandbox();
    sandbox.put("data.grf", &with_flags(&sandbox.read("data.grf"), 0, 0x81));
    let output = sandbox.run(&["list", "data.grf"]).exits_with(0);
    assert!(
        output.text().contains("data\\map\\a.rmesh  (sealed, encrypted with Gravity's encryption of 2026)"),
        "{output:?}"
    );
    for command in
        [&["extract", "data.grf", "-o", "out"][..], &["convert", "data.grf", "-o", "made", "--to", "json"]]
    {
        let output = sandbox.run(command).exits_with(0);
        assert!(
            output.err.contains(
                "warning GRF-W003: entries[0]: data\\map\\a.rmesh is encrypted with Gravity's encryption"
            ),
            "{output:?}"
        );
        let files = if command[0] == "extract" { "4 files: 4 extracted" } else { "1 file: 1 converted" };
        assert!(output.err.contains(&format!("{files}, ")), "{output:?}");
        sandbox.run(&[command, &["--strict", "--force"]].concat()).exits_with(1);
    }
    assert!(!sandbox.has("out/data/map/a.rmesh") && sandbox.has("out/data/map/B.RMESH"));
}

#[test]
fn converts_all_supported_files_in_an_archive() {
    let sandbox = sandbox();
    let output = sandbox.run(&["convert", "data.grf", "-o", "out", "--to", "json"]).exits_with(0);
    assert_eq!(
        sandbox.files(),
        ["data.grf", "out/data/map/B.RMESH.json", "out/data/map/a.rmesh.json", "out/index.html"]
    );
    assert!(output.err.contains("2 files: 2 converted, 3 known files not read"), "{output:?}");
    sandbox.put("game/x.grf", &sandbox.read("data.grf"));
    sandbox.put("game/c.rmesh", ROOM);
    sandbox.run(&["convert", "game", "-o", "all", "--to", "json"]).exits_with(0);
    let made: Vec<_> = sandbox.files().into_iter().filter(|file| file.starts_with("all/")).collect();
    assert_eq!(
        made,
        [
            "all/c.rmesh.json",
            "all/index.html",
            "all/x.grf/data/map/B.RMESH.json",
            "all/x.grf/data/map/a.rmesh.json"
        ]
    );
}

#[test]
fn checks_describes_and_scans_an_archive() {
    let sandbox = sandbox();
    let output = sandbox.run(&["check", "data.grf", "--json"]).exits_with(0).json();
    assert_eq!((&output["files"], &output["warnings"]), (&1.into(), &0.into()), "{output}");
    let output = sandbox.run(&["check", "data.grf", "--inside", "--json"]).exits_with(0).json();
    assert_eq!(output["files"], 3, "{output}");
    assert_eq!(output["results"][2]["warnings"][0]["code"], "FILE-W001", "{output}");
    let output = sandbox.run(&["info", "data.grf"]).exits_with(0);
    assert!(output.text().starts_with("data.grf: archive, 5 files, "), "{output:?}");
    let output = sandbox.run(&["scan", "data.grf"]).exits_with(0);
    assert!(output.text().contains("6 files") && output.text().contains("scpcb.rmesh"), "{output:?}");
    let hex = sandbox.run(&["hex", "data.grf", "--at", "42"]).exits_with(0);
    assert!(hex.text().contains("header.version"), "{hex:?}");

    // Damages one byte of the compressed data of a file.
    let mut damaged = sandbox.read("data.grf");
    damaged[60] ^= 0xff;
    sandbox.put("data.grf", &damaged);
    let output = sandbox.run(&["check", "data.grf"]).exits_with(1);
    assert!(output.text().contains("error GRF-E004: entries[0]: data\\map\\a.rmesh: "), "{output:?}");
}

#[test]
fn packs_a_plain_folder_and_extracts_it_unchanged() {
    let sandbox = sandbox();
    sandbox.run(&["extract", "data.grf", "-o", "mod"]).exits_with(0);
    let output = sandbox.run(&["pack", "mod", "-o", "new.grf"]).exits_with(0);
    assert!(output.err.contains("mod -> new.grf"), "{output:?}");
    sandbox.run(&["extract", "new.grf", "-o", "again"]).exits_with(0);
    for file in sandbox.files().iter().filter(|file| file.starts_with("mod/")) {
        assert_eq!(sandbox.read(file), sandbox.read(&file.replacen("mod/", "again/", 1)), "{file}");
    }
    sandbox.run(&["pack", "mod", "-o", "twice.grf"]).exits_with(0);
    assert_eq!(sandbox.read("new.grf"), sandbox.read("twice.grf"));
    sandbox.put("mod/data/é.txt", b"");
    let output = sandbox.run(&["pack", "mod", "-o", "x.grf"]).exits_with(1);
    assert!(output.err.contains("cannot be encoded in cp949 (\"é\")"), "{output:?}");
    assert!(!sandbox.has("x.grf"));
}

#[test]
fn accepts_an_archive_as_the_game() {
    let sandbox = sandbox();
    sandbox.put("mod/B.rmesh", &room_without_its_texture());
    let files = [("GFX/map/GONE.jpg", "no picture")];
    sandbox.put("textures.grf", &grf::write(&files).unwrap());
    let alone = sandbox.run(&["check", "mod/B.rmesh", "--json"]).exits_with(0).json();
    let with =
        sandbox.run(&["check", "mod/B.rmesh", "--json", "--game", "textures.grf"]).exits_with(0).json();
    assert_eq!(alone["results"][0]["warnings"][0]["code"], "FILE-W001", "{alone}");
    assert_ne!(with["results"][0]["warnings"][0]["code"], "FILE-W001", "{with}");
    sandbox.run(&["check", "mod/B.rmesh", "--game", "mod/B.rmesh"]).exits_with(2);
    sandbox.run(&["check", "mod/B.rmesh", "--game", "missing.grf"]).exits_with(2);
}

#[test]
fn converts_models_in_an_archive_as_in_a_folder() {
    let (sandbox, _) = Sandbox::with_sample();
    sandbox.run(&["extract", "ragnarok/data.grf", "-o", "extracted"]).exits_with(0);
    sandbox.run(&["pack", "extracted", "-o", "packed/data.grf"]).exits_with(0);
    sandbox.run(&["convert", "extracted", "-o", "plain"]).exits_with(0);
    sandbox.run(&["convert", "packed/data.grf", "-o", "archived"]).exits_with(0);
    let files = sandbox.files();
    let made = |folder: &str| -> Vec<_> {
        files.iter().filter_map(|file| file.strip_prefix(folder)).map(str::to_owned).collect()
    };
    let (plain, archived) = (made("plain/"), made("archived/"));
    assert!(!plain.is_empty());
    assert_eq!(plain, archived);
    for file in plain {
        assert!(
            sandbox.read(&format!("plain/{file}")) == sandbox.read(&format!("archived/{file}")),
            "{file}"
        );
    }
}

/// The names shown by `list`.
fn names(sandbox: &Sandbox, archive: &str) -> Vec<String> {
    let output = sandbox.run(&["list", "--json", archive]).exits_with(0);
    let entries = output.json()["results"][0]["entries"].as_array().unwrap().clone();
    entries.iter().map(|entry| entry["name"].as_str().unwrap().replace('\\', "/")).collect()
}

#[test]
fn adds_removes_renames_and_merges_files() {
    let sandbox = sandbox();
    sandbox.put("mod/data/map/a.rmesh", &room_without_its_texture());
    sandbox.put("mod/new.txt", b"new");
    let output = sandbox.run(&["archive", "add", "data.grf", "mod", "-o", "added.grf", "-v"]).exits_with(0);
    assert!(output.err.contains("  * data/map/a.rmesh\n  + new.txt\n"), "{output:?}");
    assert!(output.err.contains("data.grf: 1 file added, 1 file replaced -> added.grf ("), "{output:?}");
    assert_eq!(names(&sandbox, "added.grf").last().unwrap(), "new.txt");
    sandbox.run(&["extract", "added.grf", "a.rmesh", "-o", "out"]).exits_with(0);
    assert_eq!(sandbox.read("out/data/map/a.rmesh"), room_without_its_texture());

    sandbox.run(&["archive", "remove", "added.grf", "data/유저", "--in-place"]).exits_with(0);
    let left = ["data/map/a.rmesh", "data/map/B.RMESH", "readme.txt", "new.txt"];
    assert_eq!(names(&sandbox, "added.grf"), left);
    let long = sandbox.read("added.grf").len();
    sandbox.run(&["archive", "merge", "added.grf", "--compact", "--in-place"]).exits_with(0);
    assert!(sandbox.read("added.grf").len() < long);
    assert_eq!(names(&sandbox, "added.grf"), left);

    let rename = ["archive", "rename", "added.grf", "data/map", "rooms", "new.txt", "old/", "-o", "new.grf"];
    sandbox.run(&rename).exits_with(0);
    assert_eq!(names(&sandbox, "new.grf"), ["rooms/a.rmesh", "rooms/B.RMESH", "readme.txt", "old/new.txt"]);
    let output =
        sandbox.run(&["archive", "merge", "new.grf", "data.grf", "-o", "all.grf", "--json"]).exits_with(0);
    let changes = output.json()["results"][0]["changes"].as_array().unwrap().clone();
    let count = |what: &str| changes.iter().filter(|change| change["change"] == what).count();
    assert_eq!((count("added"), count("replaced"), count("removed")), (4, 1, 0));
    sandbox.run(&["check", "all.grf"]).exits_with(0);

    // Letters that a file system decomposed.
    sandbox.put("mod2/\u{110b}\u{1172}\u{110c}\u{1165}.txt", b"user");
    sandbox.run(&["archive", "add", "data.grf", "mod2", "-o", "user.grf"]).exits_with(0);
    assert_eq!(names(&sandbox, "user.grf").last().unwrap(), "유저.txt");
}

#[test]
fn changes_an_archive_only_if_requested() {
    let sandbox = sandbox();
    let before = sandbox.read("data.grf");
    let refused = |arguments: &[&str], why: &str, code: i32| {
        let output = sandbox.run(arguments).exits_with(code);
        assert!(output.err.contains(why), "{output:?}");
        assert_eq!(sandbox.read("data.grf"), before, "{arguments:?}");
    };
    sandbox.put("new.txt", b"new");
    refused(&["archive", "add", "data.grf", "new.txt"], "--output", 2);
    refused(&["archive", "add", "data.grf", "new.txt", "-o", "data.grf", "-f"], "never overwritten", 1);
    refused(&["archive", "add", "data.grf", "new.txt", "-o", "new.txt", "-f"], "never overwritten", 1);
    refused(&["archive", "add", "data.grf", "gone.txt", "--in-place"], "gone.txt", 1);
    refused(&["archive", "remove", "data.grf", "*.bmp", "--in-place"], "no entry matches \"*.bmp\"", 1);
    refused(&["archive", "rename", "data.grf", "readme.txt", "--in-place"], "", 2);
    refused(&["archive", "rename", "data.grf", "a", "b", "c", "--in-place"], "in pairs", 2);
    refused(
        &["archive", "rename", "data.grf", "readme.tx", "b", "--in-place"],
        "did you mean \"readme.txt\"",
        1,
    );
    refused(&["archive", "rename", "data.grf", "readme.txt", "data/map/a.rmesh", "--in-place"], "already", 1);
    refused(&["archive", "add", "data.grf", "new.txt", "--folder", "../out", "--in-place"], "", 1);
    refused(&["archive", "remove", "data.grf", "readme.txt", "--in-place", "--dry-run"], "1 file removed", 0);
    refused(&["archive", "remove", "data.grf", "readme.txt", "-o", "o.grf", "--dry-run"], "- readme.txt", 0);
    assert!(!sandbox.path("o.grf").exists());
    sandbox.put("room.rmesh", ROOM);
    refused(&["archive", "remove", "room.rmesh", "x", "--in-place"], "are not archives", 1);
    #[cfg(unix)]
    {
        // A link remains a link.
        std::os::unix::fs::symlink(sandbox.path("data.grf"), sandbox.path("link.grf")).unwrap();
        sandbox
            .run(&["archive", "remove", "link.grf", "readme.txt", "--in-place", "--compact"])
            .exits_with(0);
        assert!(sandbox.path("link.grf").is_symlink());
        assert_eq!(names(&sandbox, "data.grf").len(), 4);
    }
}

#[test]
fn accepts_paths_into_archives() {
    let sandbox = sandbox();
    sandbox.run(&["convert", "data.grf/data/map/a.rmesh", "-o", "a.glb"]).exits_with(0);
    assert!(sandbox.path("a.glb").is_file());
    sandbox.run(&["convert", "data.grf/**/*.rmesh", "-o", "rooms/", "--no-gallery"]).exits_with(0);
    assert!(sandbox.path("rooms/data/map/B.RMESH.glb").is_file());
    let output = sandbox.run(&["info", "data.grf/DATA/map/a.rmesh", "surfaces"]).exits_with(0);
    assert!(output.text().starts_with("surfaces:"), "{output:?}");
    sandbox.run(&["hex", "data.grf/data/map/B.RMESH", "--at", "4"]).exits_with(0);
    sandbox.run(&["diff", "data.grf/data/map/a.rmesh", "data.grf/data/map/B.RMESH"]).exits_with(1);
    sandbox.run(&["unpack", "data.grf/data/map/a.rmesh", "-o", "unpacked"]).exits_with(0);
    sandbox.run(&["pack", "unpacked", "-o", "again.rmesh"]).exits_with(0);
    assert_eq!(sandbox.read("again.rmesh"), ROOM);
    let output = sandbox.run(&["convert", "data.grf/data/map/c.rmesh", "-o", "wrong/"]).exits_with(1);
    assert!(
        output.err.contains("no such file in the archive; did you mean one of \"data.grf/data/map/a"),
        "{output:?}"
    );
    assert!(!sandbox.path("wrong").exists());
    let output = sandbox.run(&["check", "data.grf/data"]).exits_with(0);
    assert!(output.text().contains("data.grf/data/map/B.RMESH"), "{output:?}");
}

/// A bitmap of two pixels: magenta and red.
fn bitmap() -> Vec<u8> {
    let mut bytes = b"BM".to_vec();
    for number in [62_u32, 0, 54, 40, 2, 1] {
        bytes.extend(number.to_le_bytes());
    }
    bytes.extend([1, 0, 24, 0]);
    for number in [0_u32, 8, 0, 0, 0, 0] {
        bytes.extend(number.to_le_bytes());
    }
    bytes.extend([255, 0, 255, 0, 0, 200, 0, 0]);
    bytes
}

#[test]
fn extracts_bitmaps_as_png_if_requested() {
    let archive = grf::write(&[
        ("data/texture/a.bmp", &bitmap()[..]),
        ("data/texture/wrong.bmp", b"no picture"),
        ("data/x.txt", b"text"),
    ]);
    let sandbox = Sandbox::with(&[("data.grf", &archive.unwrap())]);
    let output = sandbox.run(&["extract", "data.grf", "--png", "-o", "out"]).exits_with(1);
    assert!(output.err.contains("wrong.bmp: error: ") && output.err.contains("without --png"), "{output:?}");
    assert_eq!(sandbox.read("out/data/x.txt"), b"text");
    assert!(!sandbox.has("out/data/texture/wrong.png") && !sandbox.has("out/data/texture/a.bmp"));
    let picture = antiquary::scene::image::decode(
        &sandbox.read("out/data/texture/a.png"),
        &antiquary::scene::image::Limits::default(),
    );
    let picture = picture.unwrap();
    assert_eq!((picture.get(0, 0), picture.get(1, 0)), (Some([200, 0, 0, 0]), Some([200, 0, 0, 255])));
    sandbox.run(&["extract", "data.grf", "-o", "raw"]).exits_with(0);
    assert_eq!(sandbox.read("raw/data/texture/a.bmp"), bitmap());
}

/// A folder with the synthetic Redguard game.
fn redguard() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.run(&["demo", "-o", "."]).exits_with(0);
    sandbox
}

#[test]
fn adds_and_removes_entries_of_redguard_archives() {
    let sandbox = redguard();
    sandbox.run(&["extract", "redguard/sound/MAIN.SFX", "000.wav", "-o", "."]).exits_with(0);
    sandbox.put("ab12.wav", &sandbox.read("000.wav"));
    sandbox.put("ab12.txt", "Grüß dich".as_bytes());
    sandbox
        .run(&["convert", "redguard/fxart/TEXBSI.210", "-o", "images/", "--frames", "apart"])
        .exits_with(0);
    let image =
        sandbox.files().into_iter().find(|file| file.starts_with("images/") && file.ends_with(".png"));
    sandbox.put("99.png", &sandbox.read(&image.unwrap()));
    sandbox.run(&["convert", "redguard/fxart/WALKER01.3DC", "-o", "walker.glb"]).exits_with(0);
    for (archive, files, what) in [
        ("redguard/sound/MAIN.SFX", &["000.wav", "--name", "splash"][..], "1 file added"),
        ("redguard/ENGLISH.RTX", &["ab12.txt", "ab12.wav"], "1 file added"),
        ("redguard/fxart/TEXBSI.210", &["99.png"], "1 file added"),
        ("redguard/fxart/ISLAND.ROB", &["walker.glb"], "1 file added"),
    ] {
        let (before, known) = (sandbox.read(archive), names(&sandbox, archive));
        let add = [&["archive", "add", archive][..], files, &["--in-place"]].concat();
        let dry = sandbox.run(&[&add[..], &["--dry-run"]].concat()).exits_with(0);
        assert!(dry.err.contains(what) && sandbox.read(archive) == before, "{dry:?}");
        let output = sandbox.run(&add).exits_with(0);
        assert!(output.err.contains(what), "{output:?}");
        let larger = names(&sandbox, archive);
        let new: Vec<_> = larger.iter().filter(|name| !known.contains(name)).collect();
        assert_eq!((new.len(), larger.len()), (1, known.len() + 1), "{archive}: {larger:?}");
        sandbox.run(&["check", archive]).exits_with(0);
        let misspelled = format!("{}x", new[0]);
        let output = sandbox.run(&["archive", "remove", archive, &misspelled, "-o", "x"]).exits_with(1);
        assert!(output.err.contains(&format!("did you mean \"{}\"?", new[0])), "{output:?}");
        let stem = new[0].rsplit_once('.').unwrap().0;
        let output = sandbox.run(&["archive", "remove", archive, stem, "--in-place"]).exits_with(0);
        assert!(output.err.contains("1 file removed"), "{output:?}");
        assert!(sandbox.read(archive) == before, "{archive}");
    }
}

#[test]
fn refuses_invalid_entries_without_writing() {
    let sandbox = redguard();
    sandbox.put("wall.png", b"\x89PNG\r\n\x1a\n");
    sandbox.put("palm tree.3d", b"x");
    sandbox.put("deep/a.wav", b"RIFF");
    let before = sandbox.files();
    for (arguments, why) in [
        (&["redguard/fxart/TEXBSI.210", "wall.png"][..], "wall.png: \"wall\" is not the name of an image"),
        (&["redguard/fxart/TEXBSI.210", "wall.png", "--name", "99"], "99.png: "),
        (&["redguard/fxart/ISLAND.ROB", "palm tree.3d"], "cannot be the name of a segment"),
        (&["redguard/sound/MAIN.SFX", "deep"], "a.wav: WAV: not a RIFF WAVE file"),
        (&["redguard/sound/MAIN.SFX", "deep/a.wav", "--folder", "x"], "have no folders"),
        (&["redguard/ENGLISH.RTX", "deep/a.wav"], "is not a tag"),
        (&["redguard/ENGLISH.RTX", "deep", "wall.png", "--name", "x"], "--name applies to a single file"),
        (&["redguard/fxart/TEXBSI.210", "gone.png"], "gone.png"),
    ] {
        let output =
            sandbox.run(&[&["archive", "add"][..], arguments, &["-o", "out/new"]].concat()).exits_with(1);
        assert!(output.err.contains(why), "{output:?}");
        assert_eq!(sandbox.files(), before);
    }
    sandbox
        .run(&["archive", "rename", "redguard/ENGLISH.RTX", "tide", "ab34", "-o", "new.rtx"])
        .exits_with(0);
    assert!(names(&sandbox, "new.rtx").iter().any(|name| name.starts_with("ab34.")));
    std::fs::remove_file(sandbox.path("new.rtx")).unwrap();
    let merge = ["archive", "merge", "redguard/sound/MAIN.SFX", "redguard/sound/MAIN.SFX", "-o", "out/new"];
    assert!(sandbox.run(&merge).exits_with(1).err.contains("cannot be merged"));
    let gxa = ["archive", "remove", "redguard/system/COMPASS.GXA", "0", "-o", "out/new"];
    assert!(sandbox.run(&gxa).exits_with(1).err.contains("does not support adding, removing"));
    assert_eq!(sandbox.files(), before);
}

#[test]
fn silences_a_removed_sound_that_is_followed_by_others() {
    let sandbox = redguard();
    let archive = "redguard/sound/MAIN.SFX";
    let output = sandbox.run(&["archive", "remove", archive, "0", "-o", "new.sfx", "-v"]).exits_with(0);
    assert!(output.err.contains("  0 000.wav\n") && output.err.contains("1 file emptied"), "{output:?}");
    assert!(output.err.contains("warning SFX-W010: 000.wav was silenced instead of removed"), "{output:?}");
    assert_eq!(names(&sandbox, "new.sfx"), names(&sandbox, archive));
    let strict = ["archive", "remove", archive, "0", "-o", "strict.sfx", "--strict"];
    sandbox.run(&strict).exits_with(1);
    assert!(!sandbox.has("strict.sfx"));
}

#[test]
fn concurrent_runs_lose_no_changes() {
    let sandbox = Sandbox::with_games();
    for (archive, more) in
        [("ragnarok/data.grf", &[][..]), ("ragnarok/data.grf", &["--compact"]), ("redguard/ENGLISH.RTX", &[])]
    {
        let is_dialogue = archive.ends_with("RTX");
        let names: Vec<_> = (0..8).map(|number| format!("zz{}{number}.txt", more.len())).collect();
        let children = names.iter().map(|name| {
            sandbox.put(name, name.as_bytes());
            let arguments = [&["archive", "add", archive, name, "--in-place"], more].concat();
            let mut command = sandbox.command(&arguments);
            command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
        });
        let children: Vec<_> = children.collect();
        for child in children {
            let output = child.wait_with_output().unwrap();
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        }
        let listed = sandbox.run(&["list", archive]).exits_with(0);
        for name in &names {
            let name = if is_dialogue { name.trim_end_matches(".txt") } else { name };
            assert!(listed.text().contains(name), "{name} is not in {archive}: {}", listed.text());
        }
        sandbox.run(&["check", archive]).exits_with(0);
    }
}
