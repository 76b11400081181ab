//! `script`: scripts of maps as text.

use crate::setup::Place;

const TEXT: &[u8] = b"actor \"A\" #0\nif var0=1{ ; why\nWait(3)\n}\n";
const LAID_OUT: &[u8] = b"actor \"A\" #0\nif var0 = 1 {    ; why\n    Wait(3)\n}\n";

#[test]
fn texts_are_laid_out_where_they_stand() {
    let place = Place::with_games();
    place.put("texts/a.soup", TEXT);
    place.put("texts/b.soup", LAID_OUT);
    place.put("texts/c.txt", TEXT);
    let ran = place.run(&["script", "fmt", "texts", "--check"]).ended(1);
    assert!(ran.err.contains("a.soup: would change") && !ran.err.contains("b.soup"), "{ran:?}");
    assert_eq!(place.read("texts/a.soup"), TEXT);
    let ran = place.run(&["script", "fmt", "texts", "--json"]).ended(0).json();
    assert_eq!((&ran["results"][0]["changed"], &ran["results"][1]["changed"]), (&true.into(), &false.into()));
    assert_eq!(place.read("texts/a.soup"), LAID_OUT);
    assert_eq!(place.read("texts/c.txt"), TEXT);
    place.run(&["script", "fmt", "texts", "--check"]).ended(0);
}

#[test]
fn one_bad_text_does_not_hinder_the_others() {
    let place = Place::with_games();
    place.put("a.soup", b"\xff");
    place.put("b.soup", TEXT);
    let ran = place.run(&["script", "fmt", "a.soup", "c.txt", "none.soup", "b.soup"]).ended(1);
    assert!(ran.err.contains("not UTF-8") && ran.err.contains("ends in .soup"), "{ran:?}");
    assert_eq!(place.read("b.soup"), LAID_OUT);
}

#[test]
fn a_graph_of_all_scripts_is_printed() {
    let place = Place::with_games();
    let ran = place.run(&["script", "graph", "redguard"]).ended(0);
    assert!(ran.out.starts_with(b"digraph scripts {") && ran.out.ends_with(b"}\n"), "{ran:?}");
    let ran = place.run(&["script", "graph", "redguard", "--json"]).ended(0).json();
    assert!(ran["nodes"].is_array() && ran["ok"] == true, "{ran}");
    let ran = place.run(&["script", "graph", "redguard", "--only", "flags"]).ended(2);
    assert!(ran.err.contains("did you mean \"flag\"?"), "{ran:?}");
}

#[test]
fn an_unpacked_map_has_its_scripts_as_texts() {
    let place = Place::with_games();
    place.run(&["unpack", "redguard/maps/ISLAND.RGM", "-o", "u"]).ended(0);
    let file = "u/views/scripts/002-KEEPER.soup";
    let text = String::from_utf8(place.read(file)).unwrap();
    assert!(text.contains("RTX('tide')    ; \"Mind the tide."), "{text}");
    // A text of the reader's own costs nothing.
    place.put(file, text.replace("end\n", "end    ; and again\n").as_bytes());
    place.run(&["pack", "u", "-o", "same.RGM"]).ended(0);
    assert_eq!(place.read("same.RGM"), place.read("redguard/maps/ISLAND.RGM"));
    place.put(file, text.replace("Wait(20)", "Wait(21)\n\"crate\".Wait(3)").as_bytes());
    place.run(&["pack", "u", "-o", "new.RGM"]).ended(0);
    let ran = place.run(&["script", "disasm", "new.RGM", "--actor", "KEEPER", "--game", "redguard"]).ended(0);
    let out = String::from_utf8(ran.out.clone()).unwrap();
    assert!(out.contains("Wait(21)\n\"crate\".Wait(3)\n"), "{ran:?}");
    // All that is wrong is told, with its lines.
    place.put(file, b"Waitt(3)\nRTX('abc')\n");
    let ran = place.run(&["pack", "u", "-o", "bad.RGM"]).ended(1);
    let is_told = |what: &str| ran.err.contains(what);
    assert!(
        is_told("002-KEEPER.soup:1:1: unknown function Waitt; did you mean") && is_told("soup:2:"),
        "{ran:?}"
    );
}

#[test]
fn the_header_of_a_script_names_its_actor_and_new_scripts_get_advice() {
    let place = Place::with_games();
    place.run(&["unpack", "redguard/maps/ISLAND.RGM", "-o", "u"]).ended(0);
    let file = "u/views/scripts/002-KEEPER.soup";
    let text = String::from_utf8(place.read(file)).unwrap();
    assert!(text.starts_with("actor \"KEEPER\" #2\n"), "{text}");
    place.put(file, text.replace("\"KEEPER\" #2", "\"KEEPR\" #2").as_bytes());
    let ran = place.run(&["pack", "u", "-o", "bad.RGM"]).ended(1);
    let told = "the map has no object called \"KEEPR\"; did you mean \"KEEPER\"?";
    assert!(ran.err.contains(told) && !place.has("bad.RGM"), "{ran:?}");
    // Another actor of the map gets the script.
    place.put(file, text.replace("\"KEEPER\" #2", "\"LAMP\"").as_bytes());
    place.run(&["pack", "u", "-o", "lamp.RGM"]).ended(0);
    let disasm = |actor: &str| {
        let ran =
            place.run(&["script", "disasm", "lamp.RGM", "--actor", actor, "--game", "redguard"]).ended(0);
        String::from_utf8(ran.out).unwrap()
    };
    let body = |text: &str| text.split_once('\n').map(|(_, body)| body.to_owned());
    assert_eq!(body(&disasm("LAMP")), body(&disasm("KEEPER")));
    place.put(file, text.as_bytes());
    place.put("u/views/scripts/006-GUARD.soup", b"Wait(1)\nend\n");
    let ran = place.run(&["pack", "u", "-o", "same.RGM"]).ended(0);
    assert!(ran.err.contains("RGM-W057") && ran.err.contains("antiquary script asm"), "{ran:?}");
}

#[test]
fn what_an_edit_makes_wrong_is_reported_and_new_errors_stop_it() {
    let place = Place::with_games();
    let map = "redguard/maps/ISLAND.RGM";
    let good = b"actor \"KEEPER\" #2\nWait(20)\nend\n";
    place.put("good.soup", good);
    let ran = place.run(&["script", "asm", "good.soup", "--map", map, "-o", "good.RGM", "--strict"]).ended(0);
    assert!(!ran.err.contains("RGM-"), "{ran:?}");
    let bad = "actor \"KEEPER\" #2\nAddItem(1)\nRTX('zzzz')\n\"nobody\".Wait(1)\nvar0 = 7 / 0\nend\n";
    place.put("bad.soup", bad.as_bytes());
    let codes = ["RGM-E028", "RGM-W053", "RGM-W054", "RGM-E056"];
    for flag in ["--force", "--allow-damaged"] {
        let ran = place.run(&["script", "asm", "bad.soup", "--map", map, "-o", "bad.RGM", flag]);
        let ran = ran.ended(i32::from(flag == "--force"));
        assert!(codes.iter().all(|code| ran.err.contains(code)), "{ran:?}");
        assert_eq!(place.has("bad.RGM"), flag == "--allow-damaged");
    }
    // What was wrong before stops no other edit, with the text or without.
    place.put("next.soup", bad.replace("AddItem(1)", "Wait(3)\nAddItem(2)").as_bytes());
    place.run(&["script", "asm", "next.soup", "--map", "bad.RGM", "-o", "next.RGM"]).ended(0);
    place.run(&["set", "bad.RGM", "placements[0].position[0]=512", "-o", "moved.RGM"]).ended(0);
    // The same in an unpacked folder.
    place.run(&["unpack", map, "-o", "u"]).ended(0);
    place.put("u/views/scripts/002-KEEPER.soup", bad.as_bytes());
    let ran = place.run(&["pack", "u", "-o", "packed.RGM", "--game", "redguard"]).ended(1);
    assert!(codes.iter().all(|code| ran.err.contains(code)) && !place.has("packed.RGM"), "{ran:?}");
    place.run(&["pack", "u", "-o", "packed.RGM", "--allow-damaged"]).ended(0);
}

#[test]
fn a_map_with_errors_of_its_own_takes_scripts_and_its_errors_are_listed() {
    let place = Place::with_games();
    let whole = place.read("redguard/maps/ISLAND.RGM");
    // Without the tag at its end.
    place.put("redguard/maps/CUT.RGM", whole.strip_suffix(b"END ").unwrap());
    place.put("good.soup", b"actor \"KEEPER\" #2\nWait(20)\nend\n");
    let asm = ["script", "asm", "good.soup", "--map", "redguard/maps/CUT.RGM", "-o", "new.RGM"];
    let ran = place.run(&asm).ended(0);
    assert!(ran.err.contains("CUT.RGM had these errors before:\n  error RGM-E001"), "{ran:?}");
    assert!(place.has("new.RGM"));
    let ran = place.run(&[&asm[..], &["--force", "--strict", "--json"]].concat()).ended(0).json();
    assert_eq!((&ran["ok"], &ran["before"][0]["code"]), (&true.into(), &"RGM-E001".into()), "{ran}");
}

#[test]
fn a_text_that_is_laid_out_keeps_its_mark_and_its_line_ends() {
    let place = Place::with(&[("a.soup", b"\xef\xbb\xbfif  x\r\n  Wait( 1 )\r\n")]);
    place.run(&["script", "fmt", "a.soup"]).ended(0);
    let made = place.read("a.soup");
    assert!(made.starts_with(b"\xef\xbb\xbfif x\r\n") && made.ends_with(b"Wait(1)\r\n"), "{made:?}");
    place.run(&["script", "fmt", "--check", "a.soup"]).ended(0);
}

#[test]
fn structured_texts_and_bare_bytecode_come_back() {
    let place = Place::with_games();
    let map = "redguard/maps/ISLAND.RGM";
    place.run(&["script", "disasm", map, "--structured", "-o", "texts/"]).ended(0);
    place.run(&["script", "asm", "texts", "--map", map, "-o", "same.RGM"]).ended(0);
    assert_eq!(place.read("same.RGM"), place.read(map));
    // var0 = 1; goto 0
    let code = [0x0a, 0, 7, 1, 0, 0, 0, 0, 4, 0, 0, 0, 0];
    place.put("GUARD.AI", &code);
    place.run(&["script", "disasm", "GUARD.AI", "--raw", "--structured", "-o", "raw/"]).ended(0);
    assert_eq!(place.read("raw/GUARD.soup"), b"actor \"GUARD\" #0\n\nloop {\n    var0 = 1\n}\n");
    place.run(&["script", "asm", "raw/GUARD.soup", "--raw", "-o", "NEW.AI"]).ended(0);
    assert_eq!(place.read("NEW.AI"), code);
    let ran = place.run(&["script", "disasm", "GUARD.AI", "--raw", "--json"]).ended(0).json();
    let facts = &ran["results"][0];
    assert_eq!(
        (&facts["actor"], &facts["index"], &facts["lines"][1]),
        (&"GUARD".into(), &0.into(), &5.into())
    );
    place.put("bad.soup", b"Wait(\"new\")\n");
    let ran = place.run(&["script", "asm", "bad.soup", "--raw", "-o", "BAD.AI"]).ended(1);
    assert!(ran.err.contains("bad.soup:1:6: error: bare bytecode has no texts"), "{ran:?}");
    place.run(&["script", "asm", "bad.soup", "-o", "BAD.AI"]).ended(2);
    place.run(&["script", "asm", "bad.soup", "raw/GUARD.soup", "--raw", "-o", "BAD.AI"]).ended(2);
}

#[test]
fn the_text_of_mod_manager_is_written_and_read() {
    let place = Place::with_games();
    let map = "redguard/maps/ISLAND.RGM";
    let ran = place.run(&["script", "disasm", map, "--dialect", "mm"]).ended(0);
    let text = String::from_utf8(ran.out).unwrap();
    assert!(text.starts_with("Maps\\ISLAND.RGM\nID: 1\n\n"), "{text}");
    assert!(text.contains("  RTX(\"tide\") // Dlg tide = Mind the tide."), "{text}");
    place.put("ISLAND.txt", text.as_bytes());
    place.run(&["script", "asm", "ISLAND.txt", "--dialect", "mm", "--map", map, "-o", "same.RGM"]).ended(0);
    assert_eq!(place.read("same.RGM"), place.read(map));
    place.put("bad.txt", text.replace("Wait(20)", "Waitt(20)").as_bytes());
    let ran =
        place.run(&["script", "asm", "bad.txt", "--dialect", "mm", "--map", map, "-o", "bad.RGM"]).ended(1);
    assert!(ran.err.contains("error: unknown function Waitt; did you mean Wait?"), "{ran:?}");
    let ran = place.run(&["script", "disasm", map, "--dialect", "mmm"]).ended(2);
    assert!(ran.err.contains("dialect"), "{ran:?}");
}

#[test]
fn with_a_player_actors_far_away_are_not_updated() {
    let place = Place::with_games();
    place.put("far.json", br#"{"start":{"position":[1000,0,1000]},"do":[{"wait":100}]}"#);
    let set =
        ["set", "redguard/maps/ISLAND.RGM", "placements[*].is_active=0", "-o", "redguard/maps/STILL.RGM"];
    place.run(&set).ended(0);
    let run = ["script", "run", "redguard/maps/STILL.RGM", "--player", "far.json", "--updates", "5"];
    let keeper = |more: &[&str]| {
        let ran = place.run(&[&run[..], more].concat()).ended(0);
        ran.text().lines().any(|line| line.contains(" KEEPER "))
    };
    assert!(!keeper(&[]));
    assert!(keeper(&["--everywhere"]));
    let test = |everywhere: bool, never: bool| {
        format!(
            "map = \"redguard/maps/STILL.RGM\"\n[[test]]\nname = \"a\"\nplayer = \"far.json\"\neverywhere = {everywhere}\n\
             [[test.expect]]\ncalled = \"PlayerDistance\"\nactor = \"KEEPER\"\n{}",
            if never { "never = true\n" } else { "" }
        )
    };
    for (everywhere, never) in [(false, true), (true, false)] {
        place.put("a.souptest.toml", test(everywhere, never).as_bytes());
        place.run(&["script", "test", "a.souptest.toml"]).ended(0);
    }
}

#[test]
fn scripts_are_compared_line_by_line_and_numbers_within_a_tolerance() {
    let place = Place::with_games();
    let map = "redguard/maps/ISLAND.RGM";
    place.run(&["script", "disasm", map, "-o", "texts/"]).ended(0);
    let text = String::from_utf8(place.read("texts/KEEPER.soup")).unwrap();
    // A line in front moves every label behind it.
    place.put("texts/KEEPER.soup", text.replacen("\n\n", "\n\nWait(3)\n", 1).as_bytes());
    place.run(&["script", "asm", "texts/KEEPER.soup", "--map", map, "-o", "new.RGM"]).ended(0);
    let ran = place.run(&["diff", map, "new.RGM"]).ended(1);
    let out = String::from_utf8(ran.out).unwrap();
    assert!(out.contains("1 difference\n  scripts.KEEPER: lines 3 -> 3\n    + Wait(3)\n"), "{out}");
    let json = place.run(&["diff", map, "new.RGM", "--json"]).ended(1).json();
    let change = &json["results"][0]["changes"][0];
    assert_eq!((&change["change"], &change["added"][0]), (&"lines".into(), &"Wait(3)".into()));

    place.run(&["set", map, "placements[0].position[0]=1000", "-o", "first.RGM"]).ended(0);
    place.run(&["set", map, "placements[0].position[0]=1003", "-o", "moved.RGM"]).ended(0);
    let map = "first.RGM";
    place.run(&["diff", map, "moved.RGM"]).ended(1);
    place.run(&["diff", map, "moved.RGM", "--tolerance", "2"]).ended(1);
    place.run(&["diff", map, "moved.RGM", "--tolerance", "3"]).ended(0);
    place.run(&["diff", map, "moved.RGM", "--tolerance", "-1"]).ended(2);
}

#[test]
fn a_run_is_filtered_by_actor_and_kind() {
    let place = Place::with_games();
    let player =
        br#"{ "do": [ { "go_to": "KEEPER", "within": 60, "speed": 40 }, { "activate": "KEEPER" } ] }"#;
    place.put("player.json", player);
    let run = |more: &[&str]| {
        let arguments =
            ["script", "run", "redguard/maps/ISLAND.RGM", "--player", "player.json", "--seconds", "5"];
        place.run(&[&arguments, more].concat())
    };
    let all = run(&[]).ended(0);
    let ran = run(&["--only", "keeper", "--only", "BARREL#1", "--kind", "line,flag"]).ended(0);
    assert!(ran.text().contains("KEEPER    asks: 'ask1'"), "{ran:?}");
    assert!(ran.text().lines().count() < all.text().lines().count() / 4, "{ran:?}");
    assert!(
        ran.text().lines().all(|line| line.contains("  KEEPER ") || line.contains("  BARREL#1 ")),
        "{ran:?}"
    );
    let ran = run(&["--only", "keepr"]).ended(2);
    assert!(ran.err.contains("--only: no actor is called \"keepr\"; did you mean \"KEEPER\"?"), "{ran:?}");
    run(&["--kind", "speach"]).ended(2);
    run(&["--only", "KEEPER", "--json"]).ended(2);
}
