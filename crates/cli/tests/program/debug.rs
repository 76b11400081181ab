//! `script debug`: stepping through a script at a prompt or from an editor.

use antiquary::json::{Value, json};

use crate::setup::{RunOutput, Sandbox};

const MAP: &str = "redguard/maps/ISLAND.RGM";

/// Runs a session of the keeper with these commands as input.
fn debug(sandbox: &Sandbox, options: &[&str], commands: &str) -> RunOutput {
    sandbox.put("host.json", br#"{"default":0}"#);
    let arguments = ["script", "debug", MAP, "--actor", "KEEPER", "--host", "host.json"];
    sandbox.feed(commands.as_bytes(), &[&arguments, options].concat())
}

/// Collapses runs of spaces, so that column widths do not matter.
fn collapse_spaces(text: &str) -> String {
    text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ") + "\n").collect()
}

#[test]
fn runs_a_script_step_by_step() {
    let sandbox = Sandbox::with_games();
    let output =
        debug(&sandbox, &[], "step\nn 2\ns\nback\nlist\nfinish\nwhere\nquit\nnonsense\n").exits_with(0);
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
    assert_eq!(collapse_spaces(output.text()), collapse_spaces(expected));
}

#[test]
fn stops_at_breakpoints_and_lists_them() {
    let sandbox = Sandbox::with_games();
    let commands = "b 7\nbreak keeper:0xa4\nb flag asked_once\nb dialogue\nb MoveToLocation\nc\nc\nc\nc\nc\nrc\nl 8\nl 26\n\
                    info breaks\nd 3\nd\ni b\nc 5\n";
    let output = debug(&sandbox, &[], commands).exits_with(0);
    let text = output.text();
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
        "no breakpoints\n",
        "paused after 5 updates without a stop\n",
    ] {
        assert!(text.contains(part), "{part}: {output:?}");
    }
}

#[test]
fn breakpoints_have_conditions_and_hit_counts() {
    let sandbox = Sandbox::with_games();
    let commands = "b 8 if var0 = 2\nc\np var0\nb 8 hits 2\nc\np var0\nb 8 if varr0 = 2\nb 8 if pos.vz = 0 and attr_health < 9\ni b\n";
    let output = debug(&sandbox, &[], commands).exits_with(1);
    let text = output.text();
    for part in [
        "breakpoint 1: KEEPER:8 0x34 if var0 = 2\n",
        "(KEEPER) p var0\nvar0 = 2\n",
        "breakpoint 2: KEEPER:8 0x34 hits 2\n",
        "breakpoint 2\nKEEPER:8 0x34",
        "error: condition \"varr0 = 2\": ",
        "breakpoint 3: KEEPER:8 0x34 if pos.vz = 0 and attr_health < 9\n",
        "breakpoint 1: KEEPER:8 0x34 if var0 = 2 (stopped here: 1)\n",
    ] {
        assert!(text.contains(part), "{part}: {output:?}");
    }
}

#[test]
fn prints_and_sets_values() {
    let sandbox = Sandbox::with_games();
    let commands = "step\np var0\nset var0 = 0x10\nlocals\ntasks\nflags\nflags asked\nset Asked_Once=1\nflags\nvalues\nactors\n\
                    actor keeper\nstate\nhelp\n";
    let output = debug(&sandbox, &[], commands).exits_with(0);
    let text = output.text();
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
        assert!(text.contains(part), "{part}: {output:?}");
    }
}

#[test]
fn failed_commands_report_errors_and_set_the_exit_code() {
    let sandbox = Sandbox::with_games();
    let commands = "stpe\nb 99\nb 0x1\nb king:3\np varr0\nset var0 = x\nd 7\nactor kepper\nstep\n";
    let output = debug(&sandbox, &[], commands).exits_with(1);
    let text = output.text();
    for part in [
        "error: unknown command stpe; did you mean \"step\"?; type help for a list\n",
        "error: no statement at or after line 99\n",
        "error: no statement starts at 0x1\n",
        "error: no actor is named \"king\"\n",
        "error: there is no variable, flag, attribute or property called \"varr0\"\n",
        "error: \"x\" is not a number\n",
        "error: breakpoint 7 does not exist\n",
        "error: no actor is named \"kepper\"; did you mean \"KEEPER\"?\n",
        "KEEPER:3 0x0 (update 1, main)\n",
    ] {
        assert!(text.contains(part), "{part}: {output:?}");
    }
    sandbox.run(&["script", "debug"]).exits_with(2);
    let output = debug(&sandbox, &["--limit", "1"], "c\nrc\n").exits_with(0);
    assert!(
        output.text().contains("(KEEPER) c\n") && output.text().contains("fault: KEEPER, 0x"),
        "{output:?}"
    );
}

#[test]
fn handles_malformed_commands() {
    let sandbox = Sandbox::with_games();
    let mut commands =
        b"\xff\xfe\nset =\nb :\nb a:b:c\ns 99999999999\nl 18446744073709551615\nb 0xffffffffff\n".to_vec();
    commands.extend(vec![b'x'; 200_000]);
    commands.extend(b"\x1b[31m\nc 3\n");
    sandbox.put("host.json", b"{}");
    let arguments = ["script", "debug", MAP, "--actor", "KEEPER", "--host", "host.json"];
    let output = sandbox.feed(&commands, &arguments).exits_with(1);
    assert!(!output.out.contains(&0x1b), "{output:?}");
}

#[test]
fn debugs_over_the_debug_adapter_protocol() {
    let sandbox = Sandbox::with_games();
    sandbox.put("host.json", br#"{"default":0}"#);
    let message = |seq: u32, command: &str, arguments: Value| {
        let body =
            json!({ "seq": seq, "type": "request", "command": command, "arguments": arguments }).to_string();
        format!("Content-Length: {}\r\n\r\n{body}", body.len())
    };
    let input = [
        message(1, "initialize", json!({ "adapterID": "soup" })),
        message(2, "launch", json!({ "actor": "KEEPER", "host": sandbox.path("host.json") })),
        message(3, "setFunctionBreakpoints", json!({ "breakpoints": [{ "name": "RTX" }] })),
        message(4, "threads", Value::Null),
        message(5, "disconnect", json!({})),
    ];
    let output = sandbox.feed(input.concat().as_bytes(), &["script", "debug", MAP, "--dap"]).exits_with(0);
    let text = output.text();
    assert!(text.contains("\"threads\":[{\"id\":1,\"name\":\"KEEPER\"}]"), "{output:?}");
    assert!(text.contains("\"event\":\"initialized\"") && !text.contains("\"success\":false"), "{output:?}");
    // Without disconnect, the end of the stream is a failure.
    sandbox.feed(input[0].as_bytes(), &["script", "debug", "--dap"]).exits_with(1);
}

#[test]
fn a_session_starts_at_the_requested_actor() {
    let sandbox = Sandbox::with_games();
    let commands = "step\nprint PlayerDistance()\nprint HaveItem(#compass)\nprint Unknown\n";
    let output =
        sandbox.feed(commands.as_bytes(), &["script", "debug", MAP, "--actor", "LAMP"]).exits_with(1);
    let text = output.text();
    assert!(text.contains("LAMP:3 0x0 (update 1, main)"), "{output:?}");
    assert!(
        text.contains("PlayerDistance() = 112640") && text.contains("HaveItem(#compass) = 1"),
        "{output:?}"
    );
    assert!(text.contains("called \"Unknown\""), "{output:?}");
}

#[test]
fn distinguishes_actors_with_the_same_name() {
    let sandbox = Sandbox::with_games();
    let output = sandbox.feed(b"step\nactor BARREL#1\nstep\n", &["script", "debug", MAP]).exits_with(0);
    let text = output.text();
    assert!(text.contains("(BARREL#1) step") && text.contains("BARREL#1:"), "{output:?}");
    let output = sandbox.run(&["script", "run", MAP, "--seconds", "1"]).exits_with(0);
    assert!(output.text().contains("  BARREL#1 "), "{output:?}");
}

#[test]
fn a_step_at_a_menu_waits_for_a_choice() {
    let sandbox = Sandbox::with_games();
    let player =
        br#"{ "do": [ { "go_to": "KEEPER", "within": 60, "speed": 40 }, { "activate": "KEEPER" } ] }"#;
    sandbox.put("player.json", player);
    let arguments = ["script", "debug", MAP, "--actor", "KEEPER", "--player", "player.json"];
    let commands = "set menu = 1\nbreak call menuProc\nc\nnext\nset menu = 7\nset menu = 1\nnext\nnext\n";
    let output = sandbox.feed(commands.as_bytes(), &arguments).exits_with(1);
    let text = output.text();
    assert!(text.contains("error: no menu is open"), "{output:?}");
    let waits = "waiting for a choice of the player: 1 = 'ask1' \"Are you the keeper?\", 2 = 'ask2'";
    assert!(text.contains(waits) && text.contains("error: the menu has no such answer"), "{output:?}");
    assert!(text.contains("menuSelection() = 1"), "{output:?}");
    // If the player is going to choose, the step waits for the choice.
    sandbox.put(
        "player.json",
        br#"{ "do": [ { "go_to": "KEEPER", "within": 60, "speed": 40 }, { "activate": "KEEPER" }, { "wait": 5 }, { "choose": "ask2" } ] }"#,
    );
    let output = sandbox.feed(b"break call menuProc\nc\nnext\nnext\n", &arguments).exits_with(0);
    assert!(
        !output.text().contains("waiting for") && output.text().contains("menuSelection() = 2"),
        "{output:?}"
    );
}
