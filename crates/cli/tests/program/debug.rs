//! `script debug`: a person or an editor runs a script step by step.

use antiquary::json::{Value, json};

use crate::setup::{Place, Ran};

const MAP: &str = "redguard/maps/ISLAND.RGM";

/// A session of the keeper, in which these commands are typed.
fn debug(place: &Place, options: &[&str], commands: &str) -> Ran {
    place.put("host.json", br#"{"default":0}"#);
    let arguments = ["script", "debug", MAP, "--actor", "KEEPER", "--host", "host.json"];
    place.feed(commands.as_bytes(), &[&arguments, options].concat())
}

/// The columns of what happens are as wide as they are.
fn evenly_spaced(text: &str) -> String {
    text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ") + "\n").collect()
}

#[test]
fn a_script_is_run_step_by_step() {
    let place = Place::with_games();
    let ran = debug(&place, &[], "step\nn 2\ns\nback\nlist\nfinish\nwhere\nquit\nnonsense\n").ended(0);
    let expected = "\
(KEEPER) step
KEEPER:3 0x0 (update 1, main)
 =>     3  if Asked_Once = 0 and PlayerDistance() < 20000 {
(KEEPER) n 2
     1  KEEPER    PlayerDistance() = 0
     1  KEEPER    SetGlobalFlag(#Asked_Once) = 0
     1  KEEPER    Asked_Once = 1, latched
KEEPER:5 0x24 (update 1, main)
 =>     5      gosub L00A4
(KEEPER) s
KEEPER:26 0xa4 (update 1, main)
 =>    26  RotateToAxis(1, 128, 8)
(KEEPER) back
KEEPER:5 0x24 (update 1, main)
 =>     5      gosub L00A4
(KEEPER) list
        1  actor \"KEEPER\" #2
        2  
        3  if Asked_Once = 0 and PlayerDistance() < 20000 {
        4      SetGlobalFlag(#Asked_Once)
 =>     5      gosub L00A4
        6  }
        7  var0 = var0 + 1
        8  if var0 > 2 {
        9      var0 = 0
       10  }
(KEEPER) finish
     1  KEEPER    task RotateToAxis(1, 128, 8) after 0 ticks = 0
between updates; complete: 1
(KEEPER) where
between updates; complete: 1
(KEEPER) quit
";
    assert_eq!(evenly_spaced(ran.text()), evenly_spaced(expected));
}

#[test]
fn breakpoints_stop_a_script_and_are_listed() {
    let place = Place::with_games();
    let commands = "b 7\nbreak keeper:0xa4\nb flag asked_once\nb dialogue\nb MoveToLocation\nc\nc\nc\nc\nc\nrc\nl 8\nl 26\n\
                    info breaks\nd 3\nd\ni b\nc 5\n";
    let ran = debug(&place, &[], commands).ended(0);
    let text = ran.text();
    for part in [
        "breakpoint 1: KEEPER:7 0x29\n",
        "breakpoint 2: KEEPER:26 0xa4\n",
        "breakpoint 3: after Asked_Once = 1, latched\nKEEPER:5 0x24",
        "breakpoint 2\nKEEPER:26 0xa4",
        "breakpoint 4: after task RTX('well') after 0 ticks = 0\n",
        "breakpoint 1\nKEEPER:7 0x29",
        "breakpoint 5: after task MoveToLocation(0, 40) after 0 ticks = 0\n",
        "(KEEPER) rc\nbreakpoint 1\nKEEPER:7 0x29",
        "*=>     7  var0 = var0 + 1\n",
        "  *    26  RotateToAxis(1, 128, 8)\n",
        "breakpoint 1: KEEPER:7 0x29 (stopped here: 1)\n",
        "there are no breakpoints\n",
        "paused after 5 updates without a stop\n",
    ] {
        assert!(text.contains(part), "{part}: {ran:?}");
    }
}

#[test]
fn breakpoints_have_conditions_and_hit_counts() {
    let place = Place::with_games();
    let commands = "b 8 if var0 = 2\nc\np var0\nb 8 hits 2\nc\np var0\nb 8 if varr0 = 2\nb 8 if pos.vz = 0 and attr_health < 9\ni b\n";
    let ran = debug(&place, &[], commands).ended(1);
    let text = ran.text();
    for part in [
        "breakpoint 1: KEEPER:8 0x34 if var0 = 2\n",
        "(KEEPER) p var0\nvar0 = 2\n",
        "breakpoint 2: KEEPER:8 0x34 hits 2\n",
        "breakpoint 2\nKEEPER:8 0x34",
        "error: condition \"varr0 = 2\": ",
        "breakpoint 3: KEEPER:8 0x34 if pos.vz = 0 and attr_health < 9\n",
        "breakpoint 1: KEEPER:8 0x34 if var0 = 2 (stopped here: 1)\n",
    ] {
        assert!(text.contains(part), "{part}: {ran:?}");
    }
}

#[test]
fn values_are_printed_and_set() {
    let place = Place::with_games();
    let commands = "step\np var0\nset var0 = 0x10\nlocals\ntasks\nflags\nflags asked\nset Asked_Once=1\nflags\nvalues\nactors\n\
                    actor keeper\nstate\nhelp\n";
    let ran = debug(&place, &[], commands).ended(0);
    let text = ran.text();
    for part in [
        "(KEEPER) p var0\nvar0 = 3\n",
        "(KEEPER) set var0 = 0x10\nvar0 = 16\n",
        "(KEEPER) locals\nvar0 = 16\n",
        "(KEEPER) tasks\nnone\n",
        "(KEEPER) flags\nnone\n",
        "(KEEPER) flags asked\nAsked_Once = 0\n",
        "(KEEPER) flags\nAsked_Once = 1\n",
        "main = 0x0\n",
        " => #0    KEEPER#0\n",
        "\"locals\": [\n    16,\n",
        "break call FUNCTION",
    ] {
        assert!(text.contains(part), "{part}: {ran:?}");
    }
}

#[test]
fn what_cannot_be_done_says_why_and_fails_at_the_end() {
    let place = Place::with_games();
    let commands = "stpe\nb 99\nb 0x1\nb king:3\np varr0\nset var0 = x\nd 7\nactor kepper\nstep\n";
    let ran = debug(&place, &[], commands).ended(1);
    let text = ran.text();
    for part in [
        "error: unknown command stpe; did you mean \"step\"?; help lists them\n",
        "error: there is no statement at line 99 or after it\n",
        "error: no statement begins at 0x1\n",
        "error: no actor is called \"king\"\n",
        "error: there is no variable, flag, attribute or property called \"varr0\"\n",
        "error: \"x\" is not a number\n",
        "error: there is no breakpoint 7\n",
        "error: no actor is called \"kepper\"; did you mean \"KEEPER\"?\n",
        "KEEPER:3 0x0 (update 1, main)\n",
    ] {
        assert!(text.contains(part), "{part}: {ran:?}");
    }
    place.run(&["script", "debug"]).ended(2);
    let ran = debug(&place, &["--limit", "1"], "c\nrc\n").ended(0);
    assert!(ran.text().contains("(KEEPER) c\n") && ran.text().contains("fault: KEEPER, 0x"), "{ran:?}");
}

#[test]
fn hostile_commands_come_to_an_end() {
    let place = Place::with_games();
    let mut commands =
        b"\xff\xfe\nset =\nb :\nb a:b:c\ns 99999999999\nl 18446744073709551615\nb 0xffffffffff\n".to_vec();
    commands.extend(vec![b'x'; 200_000]);
    commands.extend(b"\x1b[31m\nc 3\n");
    place.put("host.json", b"{}");
    let arguments = ["script", "debug", MAP, "--actor", "KEEPER", "--host", "host.json"];
    let ran = place.feed(&commands, &arguments).ended(1);
    assert!(!ran.out.contains(&0x1b), "{ran:?}");
}

#[test]
fn an_editor_debugs_over_the_protocol() {
    let place = Place::with_games();
    place.put("host.json", br#"{"default":0}"#);
    let message = |seq: u32, command: &str, arguments: Value| {
        let body =
            json!({ "seq": seq, "type": "request", "command": command, "arguments": arguments }).to_string();
        format!("Content-Length: {}\r\n\r\n{body}", body.len())
    };
    let input = [
        message(1, "initialize", json!({ "adapterID": "soup" })),
        message(2, "launch", json!({ "actor": "KEEPER", "host": place.path("host.json") })),
        message(3, "setFunctionBreakpoints", json!({ "breakpoints": [{ "name": "RTX" }] })),
        message(4, "threads", Value::Null),
        message(5, "disconnect", json!({})),
    ];
    let ran = place.feed(input.concat().as_bytes(), &["script", "debug", MAP, "--dap"]).ended(0);
    let text = ran.text();
    assert!(text.contains("\"threads\":[{\"id\":1,\"name\":\"KEEPER\"}]"), "{ran:?}");
    assert!(text.contains("\"event\":\"initialized\"") && !text.contains("\"success\":false"), "{ran:?}");
    // Without disconnect it ends with the stream.
    place.feed(input[0].as_bytes(), &["script", "debug", "--dap"]).ended(1);
}

#[test]
fn a_session_begins_at_the_actor_that_is_asked_for() {
    let place = Place::with_games();
    let commands = "step\nprint PlayerDistance()\nprint HaveItem(#compass)\nprint Nobody\n";
    let ran = place.feed(commands.as_bytes(), &["script", "debug", MAP, "--actor", "LAMP"]).ended(1);
    let text = ran.text();
    assert!(text.contains("LAMP:3 0x0 (update 1, main)"), "{ran:?}");
    assert!(text.contains("PlayerDistance() = 112640") && text.contains("HaveItem(#compass) = 1"), "{ran:?}");
    assert!(text.contains("called \"Nobody\""), "{ran:?}");
}

#[test]
fn actors_that_share_a_name_are_told_apart() {
    let place = Place::with_games();
    let ran = place.feed(b"step\nactor BARREL#1\nstep\n", &["script", "debug", MAP]).ended(0);
    let text = ran.text();
    assert!(text.contains("(BARREL#1) step") && text.contains("BARREL#1:"), "{ran:?}");
    let ran = place.run(&["script", "run", MAP, "--seconds", "1"]).ended(0);
    assert!(ran.text().contains("  BARREL#1 "), "{ran:?}");
}

#[test]
fn a_step_at_a_menu_says_that_it_waits_for_a_choice() {
    let place = Place::with_games();
    let player =
        br#"{ "do": [ { "go_to": "KEEPER", "within": 60, "speed": 40 }, { "activate": "KEEPER" } ] }"#;
    place.put("player.json", player);
    let arguments = ["script", "debug", MAP, "--actor", "KEEPER", "--player", "player.json"];
    let commands = "set menu = 1\nbreak call menuProc\nc\nnext\nset menu = 7\nset menu = 1\nnext\nnext\n";
    let ran = place.feed(commands.as_bytes(), &arguments).ended(1);
    let text = ran.text();
    assert!(text.contains("error: no menu is open"), "{ran:?}");
    let waits = "waiting for a choice of the player: 1 = 'ask1' \"Are you the keeper?\", 2 = 'ask2'";
    assert!(text.contains(waits) && text.contains("error: the menu has no such answer"), "{ran:?}");
    assert!(text.contains("menuSelection() = 1"), "{ran:?}");
    // A player who is going to choose is waited for.
    place.put(
        "player.json",
        br#"{ "do": [ { "go_to": "KEEPER", "within": 60, "speed": 40 }, { "activate": "KEEPER" }, { "wait": 5 }, { "choose": "ask2" } ] }"#,
    );
    let ran = place.feed(b"break call menuProc\nc\nnext\nnext\n", &arguments).ended(0);
    assert!(!ran.text().contains("waiting for") && ran.text().contains("menuSelection() = 2"), "{ran:?}");
}
