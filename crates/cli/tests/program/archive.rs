//! `list`, `extract`, and what the other commands do with archives.

use std::process::Stdio;

use antiquary::ragnarok::grf;

use crate::setup::{Place, ROOM, room_without_its_texture};

/// A folder with an archive made by our own writer.
fn place() -> Place {
    let files: [(&str, &[u8]); 5] = [
        ("data/map/a.rmesh", ROOM),
        ("data\\map\\B.RMESH", &room_without_its_texture()),
        ("data/유저/con.txt", b"hello"),
        ("data/유저/x.spr", &[7; 10_000]),
        ("readme.txt", b""),
    ];
    Place::with(&[("data.grf", &grf::write(&files).unwrap())])
}

/// Turns the flags of an entry of an archive without ciphers into others: the entry with so many bytes.
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
    // Stored blocks of zlib, so that no packer is needed.
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
fn an_archive_is_listed_with_sizes_and_patterns_choose() {
    let place = place();
    let ran = place.run(&["list", "data.grf"]).ended(0);
    let lines: Vec<_> = ran.text().lines().collect();
    assert_eq!(lines[0].split_whitespace().collect::<Vec<_>>(), ["NO", "BYTES", "STORED", "NAME"]);
    assert_eq!(lines.len(), 6, "{ran:?}");
    assert!(
        lines[4].trim_start().starts_with("3  10,000 ") && lines[4].ends_with(" data\\유저\\x.spr"),
        "{ran:?}"
    );
    assert!(ran.err.starts_with("5 files, 10,"), "{ran:?}");
    let ran = place.run(&["list", "data.grf", "*.rmesh", "README.*"]).ended(0);
    assert_eq!(ran.text().lines().count(), 4, "{ran:?}");
    let ran = place.run(&["list", "data.grf", "data/유저/", "--json"]).ended(0).json();
    assert_eq!(ran["schema"], "antiquary/list/1");
    assert_eq!(ran["results"][0]["entries"][0]["name"], "data\\유저\\con.txt");
    assert_eq!(ran["results"][0]["entries"][0]["length"], 5);
    assert_eq!(ran["results"][0]["entries"][0]["content"], "file");
    let ran = place.run(&["list", "data.grf", "*.rsm"]).ended(1);
    assert!(ran.err.contains("data.grf: error: no entry matches \"*.rsm\""), "{ran:?}");
    place.put("a.rmesh", ROOM);
    let ran = place.run(&["list", "a.rmesh"]).ended(1);
    assert!(ran.err.contains("`scpcb.rmesh` files are not archives"), "{ran:?}");
    place.run(&["list", "missing.grf"]).ended(1);
}

#[test]
fn files_are_extracted_with_safe_names_and_never_over_others() {
    let place = place();
    let ran = place.run(&["extract", "data.grf", "-o", "out"]).ended(0);
    assert_eq!(
        place.files(),
        [
            "data.grf",
            "out/data/map/B.RMESH",
            "out/data/map/a.rmesh",
            "out/data/유저/con_.txt",
            "out/data/유저/x.spr",
            "out/readme.txt"
        ]
    );
    assert_eq!(place.read("out/data/map/a.rmesh"), ROOM);
    assert!(
        ran.err.contains("note EXTRACT-N001: \"data\\유저\\con.txt\" is written as \"data/유저/con_.txt\""),
        "{ran:?}"
    );
    assert!(ran.err.contains("5 files: 5 extracted"), "{ran:?}");
    let again = place.run(&["extract", "data.grf", "-o", "out", "*.spr"]).ended(1);
    assert!(again.err.contains("already exists") && again.err.contains("hint: use --force"), "{again:?}");
    let json = place.run(&["extract", "data.grf", "-o", "out", "*.spr", "--force", "--json"]).ended(0).json();
    assert_eq!(json["results"][0]["input"], "data.grf/data/유저/x.spr");
    assert_eq!(json["results"][0]["outputs"][0], "out/data/유저/x.spr");
    place.run(&["extract", "data.grf", "-o", "out", "no*"]).ended(2);
}

#[test]
fn what_nobody_can_open_is_told_and_left_out() {
    let place = place();
    place.put("data.grf", &with_flags(&place.read("data.grf"), 0, 0x81));
    let ran = place.run(&["list", "data.grf"]).ended(0);
    assert!(
        ran.text().contains("data\\map\\a.rmesh  (sealed, encrypted with Gravity's encryption of 2026)"),
        "{ran:?}"
    );
    for command in
        [&["extract", "data.grf", "-o", "out"][..], &["convert", "data.grf", "-o", "made", "--to", "json"]]
    {
        let ran = place.run(command).ended(0);
        assert!(
            ran.err.contains(
                "warning GRF-W003: entries[0]: data\\map\\a.rmesh is encrypted with Gravity's encryption"
            ),
            "{ran:?}"
        );
        let files = if command[0] == "extract" { "4 files: 4 extracted" } else { "1 file: 1 converted" };
        assert!(ran.err.contains(&format!("{files}, ")), "{ran:?}");
        place.run(&[command, &["--strict", "--force"]].concat()).ended(1);
    }
    assert!(!place.has("out/data/map/a.rmesh") && place.has("out/data/map/B.RMESH"));
}

#[test]
fn everything_in_an_archive_that_can_be_converted_is() {
    let place = place();
    let ran = place.run(&["convert", "data.grf", "-o", "out", "--to", "json"]).ended(0);
    assert_eq!(
        place.files(),
        ["data.grf", "out/data/map/B.RMESH.json", "out/data/map/a.rmesh.json", "out/index.html"]
    );
    assert!(ran.err.contains("2 files: 2 converted, 3 known files not read"), "{ran:?}");
    place.put("game/x.grf", &place.read("data.grf"));
    place.put("game/c.rmesh", ROOM);
    place.run(&["convert", "game", "-o", "all", "--to", "json"]).ended(0);
    let made: Vec<_> = place.files().into_iter().filter(|file| file.starts_with("all/")).collect();
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
fn an_archive_is_checked_described_and_scanned() {
    let place = place();
    let ran = place.run(&["check", "data.grf", "--json"]).ended(0).json();
    assert_eq!((&ran["files"], &ran["warnings"]), (&1.into(), &0.into()), "{ran}");
    let ran = place.run(&["check", "data.grf", "--inside", "--json"]).ended(0).json();
    assert_eq!(ran["files"], 3, "{ran}");
    assert_eq!(ran["results"][2]["warnings"][0]["code"], "FILE-W001", "{ran}");
    let ran = place.run(&["info", "data.grf"]).ended(0);
    assert!(ran.text().starts_with("data.grf: archive, 5 files, "), "{ran:?}");
    let ran = place.run(&["scan", "data.grf"]).ended(0);
    assert!(ran.text().contains("6 files") && ran.text().contains("scpcb.rmesh"), "{ran:?}");
    let hex = place.run(&["hex", "data.grf", "--at", "42"]).ended(0);
    assert!(hex.text().contains("header.version"), "{hex:?}");

    // One byte of the packed bytes of a file.
    let mut damaged = place.read("data.grf");
    damaged[60] ^= 0xff;
    place.put("data.grf", &damaged);
    let ran = place.run(&["check", "data.grf"]).ended(1);
    assert!(ran.text().contains("error GRF-E004: entries[0]: data\\map\\a.rmesh: "), "{ran:?}");
}

#[test]
fn a_plain_folder_becomes_an_archive_and_comes_back_the_same() {
    let place = place();
    place.run(&["extract", "data.grf", "-o", "mod"]).ended(0);
    let ran = place.run(&["pack", "mod", "-o", "new.grf"]).ended(0);
    assert!(ran.err.contains("mod -> new.grf"), "{ran:?}");
    place.run(&["extract", "new.grf", "-o", "again"]).ended(0);
    for file in place.files().iter().filter(|file| file.starts_with("mod/")) {
        assert_eq!(place.read(file), place.read(&file.replacen("mod/", "again/", 1)), "{file}");
    }
    place.run(&["pack", "mod", "-o", "twice.grf"]).ended(0);
    assert_eq!(place.read("new.grf"), place.read("twice.grf"));
    place.put("mod/data/é.txt", b"");
    let ran = place.run(&["pack", "mod", "-o", "x.grf"]).ended(1);
    assert!(ran.err.contains("cannot be encoded in cp949 (\"é\")"), "{ran:?}");
    assert!(!place.has("x.grf"));
}

#[test]
fn an_archive_can_be_named_as_the_game() {
    let place = place();
    place.put("mod/B.rmesh", &room_without_its_texture());
    let files = [("GFX/map/GONE.jpg", "no picture")];
    place.put("textures.grf", &grf::write(&files).unwrap());
    let alone = place.run(&["check", "mod/B.rmesh", "--json"]).ended(0).json();
    let with = place.run(&["check", "mod/B.rmesh", "--json", "--game", "textures.grf"]).ended(0).json();
    assert_eq!(alone["results"][0]["warnings"][0]["code"], "FILE-W001", "{alone}");
    assert_ne!(with["results"][0]["warnings"][0]["code"], "FILE-W001", "{with}");
    place.run(&["check", "mod/B.rmesh", "--game", "mod/B.rmesh"]).ended(2);
    place.run(&["check", "mod/B.rmesh", "--game", "missing.grf"]).ended(2);
}

#[test]
fn models_in_an_archive_become_what_they_become_in_a_folder() {
    let (place, _) = Place::with_sample();
    place.run(&["extract", "ragnarok/data.grf", "-o", "extracted"]).ended(0);
    place.run(&["pack", "extracted", "-o", "packed/data.grf"]).ended(0);
    place.run(&["convert", "extracted", "-o", "loose"]).ended(0);
    place.run(&["convert", "packed/data.grf", "-o", "held"]).ended(0);
    let files = place.files();
    let made = |folder: &str| -> Vec<_> {
        files.iter().filter_map(|file| file.strip_prefix(folder)).map(str::to_owned).collect()
    };
    let (loose, held) = (made("loose/"), made("held/"));
    assert!(!loose.is_empty());
    assert_eq!(loose, held);
    for file in loose {
        assert!(place.read(&format!("loose/{file}")) == place.read(&format!("held/{file}")), "{file}");
    }
}

/// The names that `list` shows.
fn names(place: &Place, archive: &str) -> Vec<String> {
    let ran = place.run(&["list", "--json", archive]).ended(0);
    let entries = ran.json()["results"][0]["entries"].as_array().unwrap().clone();
    entries.iter().map(|entry| entry["name"].as_str().unwrap().replace('\\', "/")).collect()
}

#[test]
fn files_are_added_removed_renamed_and_merged() {
    let place = place();
    place.put("mod/data/map/a.rmesh", &room_without_its_texture());
    place.put("mod/new.txt", b"new");
    let ran = place.run(&["archive", "add", "data.grf", "mod", "-o", "added.grf", "-v"]).ended(0);
    assert!(ran.err.contains("  * data/map/a.rmesh\n  + new.txt\n"), "{ran:?}");
    assert!(ran.err.contains("data.grf: 1 file added, 1 file replaced -> added.grf ("), "{ran:?}");
    assert_eq!(names(&place, "added.grf").last().unwrap(), "new.txt");
    place.run(&["extract", "added.grf", "a.rmesh", "-o", "out"]).ended(0);
    assert_eq!(place.read("out/data/map/a.rmesh"), room_without_its_texture());

    place.run(&["archive", "remove", "added.grf", "data/유저", "--in-place"]).ended(0);
    let left = ["data/map/a.rmesh", "data/map/B.RMESH", "readme.txt", "new.txt"];
    assert_eq!(names(&place, "added.grf"), left);
    let long = place.read("added.grf").len();
    place.run(&["archive", "merge", "added.grf", "--compact", "--in-place"]).ended(0);
    assert!(place.read("added.grf").len() < long);
    assert_eq!(names(&place, "added.grf"), left);

    let rename = ["archive", "rename", "added.grf", "data/map", "rooms", "new.txt", "old/", "-o", "new.grf"];
    place.run(&rename).ended(0);
    assert_eq!(names(&place, "new.grf"), ["rooms/a.rmesh", "rooms/B.RMESH", "readme.txt", "old/new.txt"]);
    let ran = place.run(&["archive", "merge", "new.grf", "data.grf", "-o", "all.grf", "--json"]).ended(0);
    let changes = ran.json()["results"][0]["changes"].as_array().unwrap().clone();
    let count = |what: &str| changes.iter().filter(|change| change["change"] == what).count();
    assert_eq!((count("added"), count("replaced"), count("removed")), (4, 1, 0));
    place.run(&["check", "all.grf"]).ended(0);

    // Letters that a file system took apart.
    place.put("mod2/\u{110b}\u{1172}\u{110c}\u{1165}.txt", b"user");
    place.run(&["archive", "add", "data.grf", "mod2", "-o", "user.grf"]).ended(0);
    assert_eq!(names(&place, "user.grf").last().unwrap(), "유저.txt");
}

#[test]
fn an_archive_is_only_changed_where_that_was_asked_for() {
    let place = place();
    let before = place.read("data.grf");
    let refused = |arguments: &[&str], why: &str, code: i32| {
        let ran = place.run(arguments).ended(code);
        assert!(ran.err.contains(why), "{ran:?}");
        assert_eq!(place.read("data.grf"), before, "{arguments:?}");
    };
    place.put("new.txt", b"new");
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
    assert!(!place.path("o.grf").exists());
    place.put("room.rmesh", ROOM);
    refused(&["archive", "remove", "room.rmesh", "x", "--in-place"], "are not archives", 1);
    #[cfg(unix)]
    {
        // A link stays a link.
        std::os::unix::fs::symlink(place.path("data.grf"), place.path("link.grf")).unwrap();
        place.run(&["archive", "remove", "link.grf", "readme.txt", "--in-place", "--compact"]).ended(0);
        assert!(place.path("link.grf").is_symlink());
        assert_eq!(names(&place, "data.grf").len(), 4);
    }
}

#[test]
fn paths_lead_into_archives() {
    let place = place();
    place.run(&["convert", "data.grf/data/map/a.rmesh", "-o", "a.glb"]).ended(0);
    assert!(place.path("a.glb").is_file());
    place.run(&["convert", "data.grf/**/*.rmesh", "-o", "rooms/", "--no-gallery"]).ended(0);
    assert!(place.path("rooms/data/map/B.RMESH.glb").is_file());
    let ran = place.run(&["info", "data.grf/DATA/map/a.rmesh", "surfaces"]).ended(0);
    assert!(ran.text().starts_with("surfaces:"), "{ran:?}");
    place.run(&["hex", "data.grf/data/map/B.RMESH", "--at", "4"]).ended(0);
    place.run(&["diff", "data.grf/data/map/a.rmesh", "data.grf/data/map/B.RMESH"]).ended(1);
    place.run(&["unpack", "data.grf/data/map/a.rmesh", "-o", "unpacked"]).ended(0);
    place.run(&["pack", "unpacked", "-o", "again.rmesh"]).ended(0);
    assert_eq!(place.read("again.rmesh"), ROOM);
    let ran = place.run(&["convert", "data.grf/data/map/c.rmesh", "-o", "wrong/"]).ended(1);
    assert!(
        ran.err.contains("no such file in the archive; did you mean one of \"data.grf/data/map/a"),
        "{ran:?}"
    );
    assert!(!place.path("wrong").exists());
    let ran = place.run(&["check", "data.grf/data"]).ended(0);
    assert!(ran.text().contains("data.grf/data/map/B.RMESH"), "{ran:?}");
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
fn bitmaps_are_extracted_as_png_if_asked_for() {
    let archive = grf::write(&[
        ("data/texture/a.bmp", &bitmap()[..]),
        ("data/texture/wrong.bmp", b"no picture"),
        ("data/x.txt", b"text"),
    ]);
    let place = Place::with(&[("data.grf", &archive.unwrap())]);
    let ran = place.run(&["extract", "data.grf", "--png", "-o", "out"]).ended(1);
    assert!(ran.err.contains("wrong.bmp: error: ") && ran.err.contains("without --png"), "{ran:?}");
    assert_eq!(place.read("out/data/x.txt"), b"text");
    assert!(!place.has("out/data/texture/wrong.png") && !place.has("out/data/texture/a.bmp"));
    let picture = antiquary::scene::image::decode(
        &place.read("out/data/texture/a.png"),
        &antiquary::scene::image::Limits::default(),
    );
    let picture = picture.unwrap();
    assert_eq!((picture.get(0, 0), picture.get(1, 0)), (Some([200, 0, 0, 0]), Some([200, 0, 0, 255])));
    place.run(&["extract", "data.grf", "-o", "raw"]).ended(0);
    assert_eq!(place.read("raw/data/texture/a.bmp"), bitmap());
}

/// A folder with the synthetic game of Redguard in it.
fn redguard() -> Place {
    let place = Place::new();
    place.run(&["demo", "-o", "."]).ended(0);
    place
}

#[test]
fn entries_of_redguards_archives_are_added_and_removed_again() {
    let place = redguard();
    place.run(&["extract", "redguard/sound/MAIN.SFX", "000.wav", "-o", "."]).ended(0);
    place.put("ab12.wav", &place.read("000.wav"));
    place.put("ab12.txt", "Grüß dich".as_bytes());
    place.run(&["convert", "redguard/fxart/TEXBSI.210", "-o", "images/", "--frames", "apart"]).ended(0);
    let image = place.files().into_iter().find(|file| file.starts_with("images/") && file.ends_with(".png"));
    place.put("99.png", &place.read(&image.unwrap()));
    place.run(&["convert", "redguard/fxart/WALKER01.3DC", "-o", "walker.glb"]).ended(0);
    for (archive, files, what) in [
        ("redguard/sound/MAIN.SFX", &["000.wav", "--name", "splash"][..], "1 file added"),
        ("redguard/ENGLISH.RTX", &["ab12.txt", "ab12.wav"], "1 file added"),
        ("redguard/fxart/TEXBSI.210", &["99.png"], "1 file added"),
        ("redguard/fxart/ISLAND.ROB", &["walker.glb"], "1 file added"),
    ] {
        let (before, known) = (place.read(archive), names(&place, archive));
        let add = [&["archive", "add", archive][..], files, &["--in-place"]].concat();
        let dry = place.run(&[&add[..], &["--dry-run"]].concat()).ended(0);
        assert!(dry.err.contains(what) && place.read(archive) == before, "{dry:?}");
        let ran = place.run(&add).ended(0);
        assert!(ran.err.contains(what), "{ran:?}");
        let larger = names(&place, archive);
        let new: Vec<_> = larger.iter().filter(|name| !known.contains(name)).collect();
        assert_eq!((new.len(), larger.len()), (1, known.len() + 1), "{archive}: {larger:?}");
        place.run(&["check", archive]).ended(0);
        let misspelled = format!("{}x", new[0]);
        let ran = place.run(&["archive", "remove", archive, &misspelled, "-o", "x"]).ended(1);
        assert!(ran.err.contains(&format!("did you mean \"{}\"?", new[0])), "{ran:?}");
        let stem = new[0].rsplit_once('.').unwrap().0;
        let ran = place.run(&["archive", "remove", archive, stem, "--in-place"]).ended(0);
        assert!(ran.err.contains("1 file removed"), "{ran:?}");
        assert!(place.read(archive) == before, "{archive}");
    }
}

#[test]
fn what_cannot_be_an_entry_is_refused_and_nothing_is_written() {
    let place = redguard();
    place.put("wall.png", b"\x89PNG\r\n\x1a\n");
    place.put("palm tree.3d", b"x");
    place.put("deep/a.wav", b"RIFF");
    let before = place.files();
    for (arguments, why) in [
        (&["redguard/fxart/TEXBSI.210", "wall.png"][..], "wall.png: \"wall\" is not the name of an image"),
        (&["redguard/fxart/TEXBSI.210", "wall.png", "--name", "99"], "99.png: "),
        (&["redguard/fxart/ISLAND.ROB", "palm tree.3d"], "cannot be the name of a segment"),
        (&["redguard/sound/MAIN.SFX", "deep"], "a.wav: WAV: not a RIFF WAVE file"),
        (&["redguard/sound/MAIN.SFX", "deep/a.wav", "--folder", "x"], "have no folders"),
        (&["redguard/ENGLISH.RTX", "deep/a.wav"], "is not a tag"),
        (&["redguard/ENGLISH.RTX", "deep", "wall.png", "--name", "x"], "--name is the name of one file"),
        (&["redguard/fxart/TEXBSI.210", "gone.png"], "gone.png"),
    ] {
        let ran = place.run(&[&["archive", "add"][..], arguments, &["-o", "out/new"]].concat()).ended(1);
        assert!(ran.err.contains(why), "{ran:?}");
        assert_eq!(place.files(), before);
    }
    place.run(&["archive", "rename", "redguard/ENGLISH.RTX", "tide", "ab34", "-o", "new.rtx"]).ended(0);
    assert!(names(&place, "new.rtx").iter().any(|name| name.starts_with("ab34.")));
    std::fs::remove_file(place.path("new.rtx")).unwrap();
    let merge = ["archive", "merge", "redguard/sound/MAIN.SFX", "redguard/sound/MAIN.SFX", "-o", "out/new"];
    assert!(place.run(&merge).ended(1).err.contains("cannot be merged"));
    let gxa = ["archive", "remove", "redguard/system/COMPASS.GXA", "0", "-o", "out/new"];
    assert!(place.run(&gxa).ended(1).err.contains("does not support adding, removing"));
    assert_eq!(place.files(), before);
}

#[test]
fn a_removed_effect_that_others_follow_is_silent_with_a_warning() {
    let place = redguard();
    let archive = "redguard/sound/MAIN.SFX";
    let ran = place.run(&["archive", "remove", archive, "0", "-o", "new.sfx", "-v"]).ended(0);
    assert!(ran.err.contains("  0 000.wav\n") && ran.err.contains("1 file emptied"), "{ran:?}");
    assert!(ran.err.contains("warning SFX-W010: 000.wav is silent now"), "{ran:?}");
    assert_eq!(names(&place, "new.sfx"), names(&place, archive));
    let strict = ["archive", "remove", archive, "0", "-o", "strict.sfx", "--strict"];
    place.run(&strict).ended(1);
    assert!(!place.has("strict.sfx"));
}

#[test]
fn several_runs_at_once_lose_nothing() {
    let place = Place::with_games();
    for (archive, more) in
        [("ragnarok/data.grf", &[][..]), ("ragnarok/data.grf", &["--compact"]), ("redguard/ENGLISH.RTX", &[])]
    {
        let is_dialogue = archive.ends_with("RTX");
        let names: Vec<_> = (0..8).map(|number| format!("zz{}{number}.txt", more.len())).collect();
        let children = names.iter().map(|name| {
            place.put(name, name.as_bytes());
            let arguments = [&["archive", "add", archive, name, "--in-place"], more].concat();
            let mut command = place.command(&arguments);
            command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
        });
        let children: Vec<_> = children.collect();
        for child in children {
            let output = child.wait_with_output().unwrap();
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        }
        let listed = place.run(&["list", archive]).ended(0);
        for name in &names {
            let name = if is_dialogue { name.trim_end_matches(".txt") } else { name };
            assert!(listed.text().contains(name), "{name} is not in {archive}: {}", listed.text());
        }
        place.run(&["check", archive]).ended(0);
    }
}
