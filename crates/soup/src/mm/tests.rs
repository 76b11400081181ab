use std::collections::BTreeMap;

use proptest::prelude::*;

use super::*;
use crate::bytecode::{Operands, Script};
use crate::diagnose::Severity;
use crate::text::{Problem, SourceContext};
use crate::{Definitions, Lexicon};

/// Calls a function with the texts door, twice TWIN, LAMP and one with a comma, an item, a map, and a spoken line.
fn with<T>(run: impl FnOnce(&SourceContext<'_>) -> T) -> T {
    let items = BTreeMap::from([(1, "sabre".to_owned()), (3, "Guard Sword".to_owned())]);
    let maps = BTreeMap::from([(2, "ISLAND".to_owned())]);
    let mut definitions = Definitions::shipped().clone();
    definitions.references = ["hp", "pos.vx"].map(str::to_owned).to_vec();
    let lexicon = Lexicon::new(&definitions, &items, &maps);
    let texts = ["door", "TWIN", "TWIN", "LAMP", "one, two"].map(str::to_owned);
    let spoken = |label: &str| (label == "dr01").then(|| "Well met.".to_owned());
    run(&SourceContext { lexicon: &lexicon, actor: "DREEKIUS", index: 12, texts: &texts, spoken: &spoken })
}

fn shown(script: &Script) -> (String, Vec<(&'static str, u32, String)>) {
    let facts = ActorFacts { variables: &[0, 0, 5, -3, 9, 9], attributes: &[0, 200, 3] };
    let (text, found) = with(|context| script.mm_text(context, &facts));
    assert_eq!(text.lines.len(), script.statements.len());
    (text.text, found.into_iter().map(|it| (it.code, it.at, it.message)).collect())
}

/// Assembles SOUP source text.
fn soup(text: &str) -> Script {
    with(|context| Script::parse(text, context)).unwrap().script
}

fn parse_actor(text: &str) -> Result<Parsed, Vec<Problem>> {
    let actors = split(text)?;
    assert_eq!(actors.len(), 1);
    with(|context| actors[0].parse(context))
}

/// Returns the errors of a body, with lines counted from its first one.
fn errors(body: &str) -> Vec<String> {
    let problems = parse_actor(&format!("A\n{{\n{body}\n}}\n")).unwrap_err();
    problems.iter().map(|it| format!("{}:{}: {}", it.line.saturating_sub(2), it.column, it.message)).collect()
}

fn warnings(body: &str) -> Vec<String> {
    let parsed = parse_actor(&format!("A\n{{\n{body}\n}}\n")).unwrap();
    parsed
        .warnings
        .iter()
        .map(|it| format!("{}:{}: {}", it.line.saturating_sub(2), it.column, it.message))
        .collect()
}

#[test]
fn writes_the_format_of_redguard_mod_manager() {
    let script = soup(
        "if After_League = 1 and var0 > 2 {\nRTX('dr01')\nif ActiveItem() = #\"Guard Sword\" {\nSetGlobalFlag(#Talking)\n}\n}\nvar1 = var1 * -5 - Player.TestGlobalFlag(alt 7)\nmultitask \"door\".RTX(9)\nLoadWorld(#ISLAND, 1, var3)\nstart:\nx:\ngosub x\nend\nend x\nMe.pos.vx = \"door\".hp / 2 + \"one, two\"\nscriptrv 1\nreturn_to:\ngoto x\nreturn\nendint\n",
    );
    let (text, _) = shown(&script);
    let start = script.start;
    let expected = r#"var2 = 5
var3 = -3

attr_aggression = -56
attr_dummy = 3

DREEKIUS (Execution starts at #START)
{
  if After_League = 1 and var0 > 2
  {
    RTX("dr01") // Dlg dr01 = Well met.
    if ActiveItem() = <Guard Sword>
    {
      SetGlobalFlag(TALKING)
    }
  }
  var1 = var1 / -5 - Player.TestGlobalFlag(7)
  door.@RTX(9)
  LoadWorld(<ISLAND>, 1, var3)

  #START:
  Gosub #START
  End
  End #START
  Me.pos.vx = door.hp * 2 + "one, two"
  if <ScriptRv> = 1
  {
    Goto #START
  }
  Return
  Endint
}
"#;
    let talking = Definitions::shipped().flags.iter().position(|it| it.name == "Talking").unwrap();
    let attribute = |number| Definitions::shipped().attribute(number).unwrap();
    let expected = expected
        .replace("START", &format!("{start:02X}"))
        .replace("TALKING", &talking.to_string())
        .replace("attr_aggression", attribute(1))
        .replace("attr_dummy", attribute(2));
    assert_eq!(text, expected);
    let parsed = parse_actor(&text).unwrap();
    assert_eq!(parsed.script.write(), script.write());
    assert_eq!(parsed.script.start, start);
    assert_eq!(header("ISLAND", &[1]), "Maps\\ISLAND.RGM\nID: 1\n\n");
    assert_eq!(header("ISLAND", &[1, 27]), "Maps\\ISLAND.RGM\nIDs: 1, 27\n\n");
}

#[test]
fn reports_and_comments_statements_that_the_format_cannot_express() {
    let table: [(&str, &str, &str); 12] = [
        ("yield", "  // yield // lost: no equivalent in this format", "no equivalent in this format"),
        (
            "x:\nWait(1)\npause_task x",
            "  // pause_task #01 // lost: no equivalent in this format",
            "no equivalent in this format",
        ),
        ("bytes ff fe", "  // bytes ff fe // lost: not a valid statement", "not a valid statement"),
        ("goto 3", "  // Goto #03 // lost: no statement starts there", "no statement starts there"),
        (
            "stop_task 7",
            "  // <TaskPause(#07)> // lost: no task has operands there",
            "no task has operands there",
        ),
        ("Me pad 4 .hp = 1", "  Me.hp = 1 // lost: padding 4 of Me", "padding 4 of Me"),
        ("Wait(var1 pad 9)", "  Wait(var1) // lost: padding 9", "padding 9"),
        ("Wait(alt 3)", "  Wait(3) // lost: 3 has opcode 16", "3 has opcode 16"),
        ("SetGlobalFlag(3)", "  SetGlobalFlag(3) // lost: 3 has opcode 07", "3 has opcode 07"),
        (
            "function Wait(3)",
            "  Wait(3) // lost: runs as a function, unlike its declaration",
            "runs as a function, unlike its declaration",
        ),
        ("opcode function Me.Wait(3)", "  Me.Wait(3) // lost: has opcode 1a", "has opcode 1a"),
        (
            "x:\nif var0 = 1 else x",
            "  // if var0 = 1 // lost: else to #00, which is not the end of a block",
            "else to #00, which is not the end of a block",
        ),
    ];
    for (soup_text, line, message) in table {
        let script = soup(&format!("{soup_text}\n"));
        let (text, found) = shown(&script);
        assert!(text.lines().any(|it| it == line), "{text}");
        let lost: Vec<_> = found.iter().filter(|it| it.0 == "mm_lost").map(|it| it.2.as_str()).collect();
        assert_eq!(lost, [message]);
        // The rest is valid.
        parse_actor(&text).unwrap();
    }
    let (text, found) = shown(&soup("scriptrv 1\nyield\nstart L+1\nL:\nend\n"));
    assert!(text.contains("DREEKIUS // lost: execution starts at #04\n"), "{text}");
    assert_eq!(found.iter().filter(|it| it.0 == "mm_lost").count(), 3);
    let mut other = soup("end\n");
    other.encoding.operands = Operands::ModManager;
    assert_eq!(shown(&other).1[0].0, "mm_lost");
}

#[test]
fn warns_of_statements_that_mod_manager_misreads() {
    let table = [
        ("anchor 5", 1),
        ("Me.hp++", 1),
        ("x:\nWait(1)\nstop_task x", 1),
        ("scriptrv 7\nend", 1),
        ("if ++var0 = Me.hp {\n}", 2),
        ("\"LAMP\".Wait(1)", 1),
        ("var3.Wait(1)", 1),
        ("string_1.Wait(\"one, two\")", 2),
        ("function_0()", 1),
        ("Me.ref_9 = flag_9000", 2),
        ("Wait(Rnd(1), 2)", 2),
    ];
    for (text, count) in table {
        let script = soup(&format!("{text}\n"));
        let (text, found) = shown(&script);
        let codes: Vec<_> = found.iter().map(|it| it.0).collect();
        assert_eq!(codes, vec!["mm_misread"; count], "{found:?}");
        let parsed = parse_actor(&text).unwrap_or_else(|it| panic!("{it:?}\n{text}"));
        assert_eq!(parsed.script.write(), script.write(), "{text}");
    }
}

#[test]
fn splits_a_file_into_actors_with_assignments() {
    let text = "Maps\\ISLAND.RGM\nIDs: 1, 27\n\nvar2 = 5\n\nattr_x = -3\n\nONE (Execution starts at #05)\n{\n  End #05\n\n  #05:\n  Return\n}\n\nTWO\n{\n}\n";
    let actors = split(text).unwrap();
    let names: Vec<_> = actors.iter().map(|it| (it.name, it.line)).collect();
    assert_eq!(names, [("ONE", 8), ("TWO", 16)]);
    let assignments: Vec<_> =
        actors[0].assignments.iter().map(|it| (it.name.as_str(), it.value, it.line)).collect();
    assert_eq!(assignments, [("var2", 5, 4), ("attr_x", -3, 6)]);
    let script = with(|context| actors[0].parse(context)).unwrap().script;
    assert_eq!((script.write(), script.start), (vec![5, 5, 0, 0, 0, 0x12], 5));
    assert!(with(|context| actors[1].parse(context)).unwrap().script.write().is_empty());
}

#[test]
fn accepts_braces_that_mod_manager_omits() {
    // An empty block in the middle, and two blocks that end with the script.
    let text = "A\n{\n  if var0 = 1\n  if var0 = 2\n  {\n    Return\n    if var0 = 3\n    {\n      Endint\n}\n\nB\n{\n  Return\n}\n";
    let actors = split(text).unwrap();
    assert_eq!(actors.len(), 2);
    let parsed = with(|context| actors[0].parse(context)).unwrap();
    let wanted = soup("if var0 = 1 {\n}\nif var0 = 2 {\nreturn\nif var0 = 3 {\nendint\n}\n}\n");
    assert_eq!(parsed.script.write(), wanted.write());
    let lines: Vec<_> = parsed.warnings.iter().map(|it| it.line).collect();
    assert_eq!(lines, [3, 10]);
    // Texts without indentation have all braces.
    let parsed = parse_actor("A\n{\nif var0 = 1\n{\nReturn\n}\nEndint\n}\n").unwrap();
    assert_eq!(parsed.script.write(), soup("if var0 = 1 {\nreturn\n}\nendint\n").write());
}

#[test]
fn warns_of_known_bugs_of_mod_manager_with_lines() {
    let body = "  var0 = var1 * 2 / 3 * 4\n  <Anchor>=5\n  #07:\n  Wait(1)\n  <TaskPause(#07)>\n  if <ScriptRv> = 3\n  {\n    Goto #07\n  }\n  if var0++ = Me.hp\n  {\n  }\n  Me.hp--\n  Wait()";
    assert_eq!(
        warnings(body),
        [
            "1:15: * is operator 4, which divides: Mod Manager swaps * and /",
            "1:19: / is operator 3, which multiplies: Mod Manager swaps * and /",
            "2:3: Mod Manager omits the opcode of <Anchor>; it was added",
            "5:3: <TaskPause> is 1B, which stops the task",
            "6:3: Mod Manager always assembles <ScriptRv> with 1",
            "10:13: Mod Manager adds a zero after ++ and -- in conditions; it was omitted",
            "10:3: Mod Manager omits a byte after properties on the right; it was added",
            "13:3: Mod Manager does not assemble ++ and -- of properties; they were assembled",
            "14:3: Mod Manager writes the declared number of arguments, regardless of the arguments here",
        ]
    );
    let parsed = parse_actor(&format!("A\n{{\n{body}\n}}\n")).unwrap();
    let wanted = soup(
        "var0 = var1 / 2 * 3 / 4\nanchor 5\nx:\nWait(1)\nstop_task x\nscriptrv 3\ngoto x\nif ++var0 = Me.hp {\n}\nMe.hp--\nWait()\n",
    );
    assert_eq!(parsed.script.write(), wanted.write());
}

#[test]
fn reports_all_errors_with_positions() {
    let body = "  5.Wait(1)\n  Waitt(1)\n  Goto #99\n  RTX(\"abc\")\n  AddItem(<sabr>, 1)\n  if <ScriptRv> = 1\n  {\n    Return\n  }\n  <Yield>\n  var0 =\n  var300 = 1\n  Gosub\n  After_Leage = 1\n  if var0 = 1 or\n  {\n  }\n  #00:\n  #00:\n  \"open";
    assert_eq!(
        errors(body),
        [
            "1:3: a number is not an object; Mod Manager writes the value of a variable instead of its name: write var and its number",
            "2:3: unknown function Waitt; did you mean Wait?",
            "3:8: unknown label #99",
            "4:7: a dialogue label must have four ASCII characters",
            "5:11: unknown item <sabr>; did you mean sabre?",
            "9:1: the block after <ScriptRv> must contain one statement of five bytes, such as Goto or Gosub",
            "10:3: unknown statement <Yield> (known: <Anchor>=5, <TaskPause(#05)>)",
            "11:9: expected a name, a number or a text, found the end of the line",
            "12:3: expected a variable from var0 to var255",
            "13:8: expected a label such as #0E, found the end of the line",
            "14:3: unknown name After_Leage; did you mean After_League?",
            "15:17: expected a name, a number or a text, found the end of the line",
            "19:1: the label #00 is already on line 20",
            "20:3: expected \" at the end of the text",
        ]
    );
}

#[test]
fn reports_lines_without_an_actor() {
    let problems = |text: &str| -> Vec<String> {
        split(text)
            .unwrap_err()
            .iter()
            .map(|it| format!("{}:{}: {}", it.line, it.column, it.message))
            .collect()
    };
    assert_eq!(problems("A\n{\nReturn\n"), ["1:1: the script of A has no end; enclose it in { and }"]);
    assert_eq!(problems("A\nReturn\n"), ["1:1: the script of A has no end; enclose it in { and }"]);
    assert_eq!(problems("var2 = 5\n"), ["1:1: no actor follows var2"]);
    assert_eq!(
        problems("var2 = x\n}\n"),
        [
            "1:1: expected a number after var2 =",
            "2:1: unexpected }: the name of an actor must precede its script"
        ]
    );
    assert_eq!(
        problems("A (Execution starts at 5)\n{\n}\n"),
        ["1:24: expected a label and ): (Execution starts at #0E)"]
    );
}

proptest! {
    #[test]
    fn round_trips_expressible_scripts(
        bytes in prop::collection::vec(prop_oneof![8 => 0_u8..0x1f, 1 => any::<u8>(), 6 => Just(0_u8)], 0..120),
        start in 0_u32..120,
    ) {
        for operands in [Operands::Engine, Operands::ModManager] {
            let script = Script::read(&bytes, start, operands);
            let (text, found) = with(|context| script.mm_text(context, &ActorFacts::default()));
            prop_assert_eq!(text.lines.len(), script.statements.len());
            let is_expressible = !found.iter().any(|it| it.severity == Severity::Error);
            let parsed = parse_actor(&text.text);
            if is_expressible {
                let parsed = parsed.map_err(|it| TestCaseError::fail(format!("{it:?}\n{}", text.text)))?;
                prop_assert_eq!(parsed.script.write(), bytes.clone(), "{}", text.text);
                prop_assert_eq!(parsed.script.start, start);
                prop_assert!(parsed.new_texts.is_empty());
            }
        }
    }

    #[test]
    fn round_trips_expressible_statements(
        statements in prop::collection::vec(prop::sample::select(vec![
            "Wait(3)", "multitask RTX('dr01')", "var0 = var1 * 3 / Me.hp - -5", "After_League = \"door\"", "end", "goto L", "if var0 = 1 {", "}",
            "if --var2 >= Player.hp and After_League != \"door\".Rnd(var3) {", "scriptrv 1\ngosub L", "return", "endint", "stop_task L",
            "AddItem(#sabre, After_League)", "anchor 200", "Camera.pos.vx--", "\"door\".Wait(1)", "string_2.hp = string_1 ++",
        ]), 0..20),
    ) {
        let mut text = String::from("L:\nWait(1)\n");
        let mut depth = 0_usize;
        for it in statements {
            match it {
                "}" if depth == 0 => continue,
                "}" => depth = depth.saturating_sub(1),
                it if it.ends_with('{') => depth = depth.saturating_add(1),
                _ => {}
            }
            text += &format!("{it}\n");
        }
        let script = soup(&(text + &"}\n".repeat(depth)));
        let (text, found) = shown(&script);
        prop_assert!(found.iter().all(|it| it.0 == "mm_misread"), "{:?}", found);
        let parsed = parse_actor(&text).map_err(|it| TestCaseError::fail(format!("{it:?}\n{text}")))?;
        prop_assert_eq!(parsed.script.write(), script.write(), "{}", text);
    }

    #[test]
    fn never_panics_on_any_text(text in "[ -~\n{}#<>]{0,200}") {
        for text in [text.clone(), format!("A\n{{\n{text}\n}}\n")] {
            for actor in split(&text).unwrap_or_default() {
                let _ = with(|context| actor.parse(context));
            }
        }
    }
}
