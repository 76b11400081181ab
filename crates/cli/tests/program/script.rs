//! `script`: scripts of maps as text.

use crate::setup::Sandbox;

const TEXT: &[u8] = b"actor \"A\" #0\nif var0=1{ ; why\nWait(3)\n}\n";
const FORMATTED: &[u8] = b"actor \"A\" #0\nif var0 = 1 {    ; why\n    Wait(3)\n}\n";

#[test]
fn formats_texts_in_place() {
    let sandbox = Sandbox::with_games();
    sandbox.put("texts/a.soup", TEXT);
    sandbox.put("texts/b.soup", FORMATTED);
    sandbox.put("texts/c.txt", TEXT);
    let output = sandbox.run(&["script", "fmt", "texts", "--check"]).exits_with(1);
    assert!(output.err.contains("a.soup: would change") && !output.err.contains("b.soup"), "{output:?}");
    assert_eq!(sandbox.read("texts/a.soup"), TEXT);
    let output = sandbox.run(&["script", "fmt", "texts", "--json"]).exits_with(0).json();
    assert_eq!(
        (&output["results"][0]["changed"], &output["results"][1]["changed"]),
        (&true.into(), &false.into())
    );
    assert_eq!(sandbox.read("texts/a.soup"), FORMATTED);
    assert_eq!(sandbox.read("texts/c.txt"), TEXT);
    sandbox.run(&["script", "fmt", "texts", "--check"]).exits_with(0);
}

#[test]
fn formats_the_other_texts_despite_an_error() {
    let sandbox = Sandbox::with_games();
    sandbox.put("a.soup", b"\xff");
    sandbox.put("b.soup", TEXT);
    let output = sandbox.run(&["script", "fmt", "a.soup", "c.txt", "none.soup", "b.soup"]).exits_with(1);
    assert!(
        output.err.contains("not UTF-8") && output.err.contains("expected extension: .soup"),
        "{output:?}"
    );
    assert_eq!(sandbox.read("b.soup"), FORMATTED);
}

#[test]
fn prints_a_graph_of_all_scripts() {
    let sandbox = Sandbox::with_games();
    let output = sandbox.run(&["script", "graph", "redguard"]).exits_with(0);
    assert!(output.out.starts_with(b"digraph scripts {") && output.out.ends_with(b"}\n"), "{output:?}");
    let output = sandbox.run(&["script", "graph", "redguard", "--json"]).exits_with(0).json();
    assert!(output["nodes"].is_array() && output["ok"] == true, "{output}");
    let output = sandbox.run(&["script", "graph", "redguard", "--only", "flags"]).exits_with(2);
    assert!(output.err.contains("did you mean \"flag\"?"), "{output:?}");
}

#[test]
fn lists_the_commands_and_cheats_of_the_console() {
    let sandbox = Sandbox::new();
    let output = sandbox.run(&["script", "console", "--json"]).exits_with(0).json();
    let results = output["results"].as_array().unwrap();
    let count = |kind: &str| results.iter().filter(|it| it["kind"] == kind).count();
    assert_eq!(
        (count("command"), count("cheat"), &output["schema"]),
        (82, 13, &"antiquary/script-console/1".into())
    );
    // A name is accepted in any case, and an alias as well.
    let load = sandbox.run(&["script", "console", "LOAD"]).exits_with(0);
    assert!(load.out.starts_with(b"load world[,marker][,angle]"), "{load:?}");
    assert_eq!(sandbox.run(&["script", "console", "l"]).exits_with(0).out, load.out);
    let render = sandbox.run(&["script", "console", "render"]).exits_with(0);
    let render = String::from_utf8(render.out).unwrap();
    assert!(render.lines().count() == 4 && render.ends_with(" [?]\n"), "{render}");
    let output = sandbox.run(&["script", "console", "magiccarpt"]).exits_with(2);
    assert!(output.err.contains("did you mean \"magiccarpet\"?"), "{output:?}");
}

#[test]
fn an_unpacked_map_has_its_scripts_as_texts() {
    let sandbox = Sandbox::with_games();
    sandbox.run(&["unpack", "redguard/maps/ISLAND.RGM", "-o", "u"]).exits_with(0);
    let file = "u/views/scripts/002-KEEPER.soup";
    let text = String::from_utf8(sandbox.read(file)).unwrap();
    assert!(text.contains("RTX('tide')    ; \"Mind the tide."), "{text}");
    // An edited comment does not change the bytes.
    sandbox.put(file, text.replace("end\n", "end    ; and again\n").as_bytes());
    sandbox.run(&["pack", "u", "-o", "same.RGM"]).exits_with(0);
    assert_eq!(sandbox.read("same.RGM"), sandbox.read("redguard/maps/ISLAND.RGM"));
    sandbox.put(file, text.replace("Wait(20)", "Wait(21)\n\"crate\".Wait(3)").as_bytes());
    sandbox.run(&["pack", "u", "-o", "new.RGM"]).exits_with(0);
    let output = sandbox
        .run(&["script", "disasm", "new.RGM", "--actor", "KEEPER", "--game", "redguard"])
        .exits_with(0);
    let out = String::from_utf8(output.out.clone()).unwrap();
    assert!(out.contains("Wait(21)\n\"crate\".Wait(3)\n"), "{output:?}");
    // All problems are reported with their lines.
    sandbox.put(file, b"Waitt(3)\nRTX('abc')\n");
    let output = sandbox.run(&["pack", "u", "-o", "bad.RGM"]).exits_with(1);
    let is_reported = |what: &str| output.err.contains(what);
    assert!(
        is_reported("002-KEEPER.soup:1:1: unknown function Waitt; did you mean") && is_reported("soup:2:"),
        "{output:?}"
    );
}

#[test]
fn the_header_of_a_script_selects_its_actor() {
    let sandbox = Sandbox::with_games();
    sandbox.run(&["unpack", "redguard/maps/ISLAND.RGM", "-o", "u"]).exits_with(0);
    let file = "u/views/scripts/002-KEEPER.soup";
    let text = String::from_utf8(sandbox.read(file)).unwrap();
    assert!(text.starts_with("actor \"KEEPER\" #2\n"), "{text}");
    sandbox.put(file, text.replace("\"KEEPER\" #2", "\"KEEPR\" #2").as_bytes());
    let output = sandbox.run(&["pack", "u", "-o", "bad.RGM"]).exits_with(1);
    let error = "the map has no object called \"KEEPR\"; did you mean \"KEEPER\"?";
    assert!(output.err.contains(error) && !sandbox.has("bad.RGM"), "{output:?}");
    // Another actor of the map gets the script.
    sandbox.put(file, text.replace("\"KEEPER\" #2", "\"LAMP\"").as_bytes());
    sandbox.run(&["pack", "u", "-o", "lamp.RGM"]).exits_with(0);
    let disasm = |actor: &str| {
        let output = sandbox
            .run(&["script", "disasm", "lamp.RGM", "--actor", actor, "--game", "redguard"])
            .exits_with(0);
        String::from_utf8(output.out).unwrap()
    };
    let body = |text: &str| text.split_once('\n').map(|(_, body)| body.to_owned());
    assert_eq!(body(&disasm("LAMP")), body(&disasm("KEEPER")));
    sandbox.put(file, text.as_bytes());
    sandbox.put("u/views/scripts/006-GUARD.soup", b"Wait(1)\nend\n");
    let output = sandbox.run(&["pack", "u", "-o", "same.RGM"]).exits_with(0);
    assert!(output.err.contains("RGM-W057") && output.err.contains("antiquary script asm"), "{output:?}");
}

#[test]
fn reports_problems_of_an_edit_and_refuses_new_errors() {
    let sandbox = Sandbox::with_games();
    let map = "redguard/maps/ISLAND.RGM";
    let good = b"actor \"KEEPER\" #2\nWait(20)\nend\n";
    sandbox.put("good.soup", good);
    let output = sandbox
        .run(&["script", "asm", "good.soup", "--map", map, "-o", "good.RGM", "--strict"])
        .exits_with(0);
    assert!(!output.err.contains("RGM-"), "{output:?}");
    let bad = "actor \"KEEPER\" #2\nAddItem(1)\nRTX('zzzz')\n\"unknown\".Wait(1)\nvar0 = 7 / 0\nend\n";
    sandbox.put("bad.soup", bad.as_bytes());
    let codes = ["RGM-E028", "RGM-W053", "RGM-W054", "RGM-E056"];
    for flag in ["--force", "--allow-damaged"] {
        let output = sandbox.run(&["script", "asm", "bad.soup", "--map", map, "-o", "bad.RGM", flag]);
        let output = output.exits_with(i32::from(flag == "--force"));
        assert!(codes.iter().all(|code| output.err.contains(code)), "{output:?}");
        assert_eq!(sandbox.has("bad.RGM"), flag == "--allow-damaged");
    }
    // Existing problems do not prevent another edit, with or without the text.
    sandbox.put("next.soup", bad.replace("AddItem(1)", "Wait(3)\nAddItem(2)").as_bytes());
    sandbox.run(&["script", "asm", "next.soup", "--map", "bad.RGM", "-o", "next.RGM"]).exits_with(0);
    sandbox.run(&["set", "bad.RGM", "placements[0].position[0]=512", "-o", "moved.RGM"]).exits_with(0);
    // The same in an unpacked folder.
    sandbox.run(&["unpack", map, "-o", "u"]).exits_with(0);
    sandbox.put("u/views/scripts/002-KEEPER.soup", bad.as_bytes());
    let output = sandbox.run(&["pack", "u", "-o", "packed.RGM", "--game", "redguard"]).exits_with(1);
    assert!(codes.iter().all(|code| output.err.contains(code)) && !sandbox.has("packed.RGM"), "{output:?}");
    sandbox.run(&["pack", "u", "-o", "packed.RGM", "--allow-damaged"]).exits_with(0);
}

#[test]
fn accepts_scripts_for_a_map_with_errors_and_lists_them() {
    let sandbox = Sandbox::with_games();
    let whole = sandbox.read("redguard/maps/ISLAND.RGM");
    // Without the tag at its end.
    sandbox.put("redguard/maps/CUT.RGM", whole.strip_suffix(b"END ").unwrap());
    sandbox.put("good.soup", b"actor \"KEEPER\" #2\nWait(20)\nend\n");
    let asm = ["script", "asm", "good.soup", "--map", "redguard/maps/CUT.RGM", "-o", "new.RGM"];
    let output = sandbox.run(&asm).exits_with(0);
    assert!(output.err.contains("CUT.RGM already had these errors:\n  error RGM-E001"), "{output:?}");
    assert!(sandbox.has("new.RGM"));
    let output = sandbox.run(&[&asm[..], &["--force", "--strict", "--json"]].concat()).exits_with(0).json();
    assert_eq!((&output["ok"], &output["before"][0]["code"]), (&true.into(), &"RGM-E001".into()), "{output}");
}

#[test]
fn formatting_keeps_the_byte_order_mark_and_line_endings() {
    let sandbox = Sandbox::with(&[("a.soup", b"\xef\xbb\xbfif  x\r\n  Wait( 1 )\r\n")]);
    sandbox.run(&["script", "fmt", "a.soup"]).exits_with(0);
    let made = sandbox.read("a.soup");
    assert!(made.starts_with(b"\xef\xbb\xbfif x\r\n") && made.ends_with(b"Wait(1)\r\n"), "{made:?}");
    sandbox.run(&["script", "fmt", "--check", "a.soup"]).exits_with(0);
}

#[test]
fn assembles_structured_texts_and_bare_bytecode_unchanged() {
    let sandbox = Sandbox::with_games();
    let map = "redguard/maps/ISLAND.RGM";
    sandbox.run(&["script", "disasm", map, "--structured", "-o", "texts/"]).exits_with(0);
    sandbox.run(&["script", "asm", "texts", "--map", map, "-o", "same.RGM"]).exits_with(0);
    assert_eq!(sandbox.read("same.RGM"), sandbox.read(map));
    // var0 = 1; goto 0
    let code = [0x0a, 0, 7, 1, 0, 0, 0, 0, 4, 0, 0, 0, 0];
    sandbox.put("GUARD.AI", &code);
    sandbox.run(&["script", "disasm", "GUARD.AI", "--raw", "--structured", "-o", "raw/"]).exits_with(0);
    assert_eq!(sandbox.read("raw/GUARD.soup"), b"actor \"GUARD\" #0\n\nloop {\n    var0 = 1\n}\n");
    sandbox.run(&["script", "asm", "raw/GUARD.soup", "--raw", "-o", "NEW.AI"]).exits_with(0);
    assert_eq!(sandbox.read("NEW.AI"), code);
    let output = sandbox.run(&["script", "disasm", "GUARD.AI", "--raw", "--json"]).exits_with(0).json();
    let facts = &output["results"][0];
    assert_eq!(
        (&facts["actor"], &facts["index"], &facts["lines"][1]),
        (&"GUARD".into(), &0.into(), &5.into())
    );
    sandbox.put("bad.soup", b"Wait(\"new\")\n");
    let output = sandbox.run(&["script", "asm", "bad.soup", "--raw", "-o", "BAD.AI"]).exits_with(1);
    assert!(output.err.contains("bad.soup:1:6: error: bare bytecode has no texts"), "{output:?}");
    sandbox.run(&["script", "asm", "bad.soup", "-o", "BAD.AI"]).exits_with(2);
    sandbox.run(&["script", "asm", "bad.soup", "raw/GUARD.soup", "--raw", "-o", "BAD.AI"]).exits_with(2);
}

#[test]
fn writes_and_reads_the_dialect_of_mod_manager() {
    let sandbox = Sandbox::with_games();
    let map = "redguard/maps/ISLAND.RGM";
    let output = sandbox.run(&["script", "disasm", map, "--dialect", "mm"]).exits_with(0);
    let text = String::from_utf8(output.out).unwrap();
    assert!(text.starts_with("Maps\\ISLAND.RGM\nID: 1\n\n"), "{text}");
    assert!(text.contains("  RTX(\"tide\") // Dlg tide = Mind the tide."), "{text}");
    sandbox.put("ISLAND.txt", text.as_bytes());
    sandbox
        .run(&["script", "asm", "ISLAND.txt", "--dialect", "mm", "--map", map, "-o", "same.RGM"])
        .exits_with(0);
    assert_eq!(sandbox.read("same.RGM"), sandbox.read(map));
    sandbox.put("bad.txt", text.replace("Wait(20)", "Waitt(20)").as_bytes());
    let output = sandbox
        .run(&["script", "asm", "bad.txt", "--dialect", "mm", "--map", map, "-o", "bad.RGM"])
        .exits_with(1);
    assert!(output.err.contains("error: unknown function Waitt; did you mean Wait?"), "{output:?}");
    let output = sandbox.run(&["script", "disasm", map, "--dialect", "mmm"]).exits_with(2);
    assert!(output.err.contains("dialect"), "{output:?}");
}

#[test]
fn updates_only_actors_near_the_player() {
    let sandbox = Sandbox::with_games();
    sandbox.put("far.json", br#"{"start":{"position":[1000,0,1000]},"do":[{"wait":100}]}"#);
    let set =
        ["set", "redguard/maps/ISLAND.RGM", "placements[*].is_active=0", "-o", "redguard/maps/STILL.RGM"];
    sandbox.run(&set).exits_with(0);
    let run = ["script", "run", "redguard/maps/STILL.RGM", "--player", "far.json", "--updates", "5"];
    let keeper = |more: &[&str]| {
        let output = sandbox.run(&[&run[..], more].concat()).exits_with(0);
        output.text().lines().any(|line| line.contains(" KEEPER "))
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
        sandbox.put("a.souptest.toml", test(everywhere, never).as_bytes());
        sandbox.run(&["script", "test", "a.souptest.toml"]).exits_with(0);
    }
}

#[test]
fn compares_scripts_by_line_and_numbers_with_a_tolerance() {
    let sandbox = Sandbox::with_games();
    let map = "redguard/maps/ISLAND.RGM";
    sandbox.run(&["script", "disasm", map, "-o", "texts/"]).exits_with(0);
    let text = String::from_utf8(sandbox.read("texts/KEEPER.soup")).unwrap();
    // A line inserted at the start moves every label after it.
    sandbox.put("texts/KEEPER.soup", text.replacen("\n\n", "\n\nWait(3)\n", 1).as_bytes());
    sandbox.run(&["script", "asm", "texts/KEEPER.soup", "--map", map, "-o", "new.RGM"]).exits_with(0);
    let output = sandbox.run(&["diff", map, "new.RGM"]).exits_with(1);
    let out = String::from_utf8(output.out).unwrap();
    assert!(out.contains("1 difference\n  scripts.KEEPER: lines 3 -> 3\n    + Wait(3)\n"), "{out}");
    let json = sandbox.run(&["diff", map, "new.RGM", "--json"]).exits_with(1).json();
    let change = &json["results"][0]["changes"][0];
    assert_eq!((&change["change"], &change["added"][0]), (&"lines".into(), &"Wait(3)".into()));

    sandbox.run(&["set", map, "placements[0].position[0]=1000", "-o", "first.RGM"]).exits_with(0);
    sandbox.run(&["set", map, "placements[0].position[0]=1003", "-o", "moved.RGM"]).exits_with(0);
    let map = "first.RGM";
    sandbox.run(&["diff", map, "moved.RGM"]).exits_with(1);
    sandbox.run(&["diff", map, "moved.RGM", "--tolerance", "2"]).exits_with(1);
    sandbox.run(&["diff", map, "moved.RGM", "--tolerance", "3"]).exits_with(0);
    sandbox.run(&["diff", map, "moved.RGM", "--tolerance", "-1"]).exits_with(2);
}

#[test]
fn refuses_to_run_for_a_negative_or_very_long_time() {
    let sandbox = Sandbox::with_games();
    for seconds in ["--seconds=-1", "--seconds=NaN", "--seconds=1e7"] {
        let output = sandbox.run(&["script", "run", "redguard/maps/ISLAND.RGM", seconds]).exits_with(2);
        assert!(output.err.contains("seconds must be between 0 and 1000000"), "{output:?}");
    }
}

#[test]
fn filters_a_run_by_actor_and_kind() {
    let sandbox = Sandbox::with_games();
    let player =
        br#"{ "do": [ { "go_to": "KEEPER", "within": 60, "speed": 40 }, { "activate": "KEEPER" } ] }"#;
    sandbox.put("player.json", player);
    let run = |more: &[&str]| {
        let arguments =
            ["script", "run", "redguard/maps/ISLAND.RGM", "--player", "player.json", "--seconds", "5"];
        sandbox.run(&[&arguments, more].concat())
    };
    let all = run(&[]).exits_with(0);
    let output = run(&["--only", "keeper", "--only", "BARREL#1", "--kind", "line,flag"]).exits_with(0);
    assert!(output.text().contains("KEEPER    asks: 'ask1'"), "{output:?}");
    assert!(output.text().lines().count() < all.text().lines().count() / 4, "{output:?}");
    assert!(
        output.text().lines().all(|line| line.contains("  KEEPER ") || line.contains("  BARREL#1 ")),
        "{output:?}"
    );
    let output = run(&["--only", "keepr"]).exits_with(2);
    assert!(
        output.err.contains("--only: no actor is named \"keepr\"; did you mean \"KEEPER\"?"),
        "{output:?}"
    );
    run(&["--kind", "speach"]).exits_with(2);
    run(&["--only", "KEEPER", "--json"]).exits_with(2);
}
