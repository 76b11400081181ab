use std::collections::BTreeMap;

use proptest::prelude::*;

use super::*;
use crate::bytecode::{Operands, Script};
use crate::{Definitions, Lexicon};

fn lexicon() -> Lexicon {
    let items = BTreeMap::from([(1, "Sabre".to_owned()), (3, "Guard Sword".to_owned())]);
    let maps = BTreeMap::from([(2, "ISLAND".to_owned())]);
    Lexicon::new(Definitions::shipped(), &items, &maps)
}

/// Calls a function with the texts DOOR, twice TWIN, and a spoken line.
fn with<T>(run: impl FnOnce(&SourceContext<'_>) -> T) -> T {
    let texts = ["DOOR", "TWIN", "TWIN", "say \"a\"\n"].map(str::to_owned);
    let spoken = |label: &str| (label == "dr01").then(|| "Well met.".to_owned());
    run(&SourceContext { lexicon: &lexicon(), actor: "DREEKIUS", index: 12, texts: &texts, spoken: &spoken })
}

fn assembled(text: &str) -> Result<Vec<u8>, Vec<String>> {
    with(|context| match Script::parse(text, context) {
        Ok(parsed) => Ok(parsed.script.write()),
        Err(problems) => Err(problems.iter().map(ToString::to_string).collect()),
    })
}

fn shown(bytes: &[u8], start: u32) -> String {
    with(|context| Script::read(bytes, start, Operands::Engine).text(context).text)
}

#[test]
fn writes_readable_source_text() {
    let text = r#"actor "DREEKIUS" #12

L0000:
if After_League = 1 and var2 < alt 7 or ++var0 >= Me.ref_300 {
    task GetMyAttr(#attr_health)
    if ActiveItem() = #"Guard Sword" {
        SetGlobalFlag(#Talking)
        RTX('dr01')    ; "Well met."
    }
    var1 = var1 * -5 - Player.TestGlobalFlag(7)
}
multitask "DOOR".RTX(9)

start:
L0087:
string_2.Wait("say \"a\"\u{a}")
Camera.ref_4--
scriptrv 3
    gosub L00A6
goto L0000

L00A6:
stop_task L0087
LoadWorld(#ISLAND, 1, var3 pad 5)
bytes ff ff
"#;
    let text = text.replace("attr_health", Definitions::shipped().attribute(3).unwrap());
    let bytes = assembled(&text).unwrap();
    let start = with(|context| Script::parse(&text, context).unwrap().script.start);
    let again = shown(&bytes, start);
    assert_eq!(assembled(&again).unwrap(), bytes);
    // Label names contain byte offsets.
    let plain =
        |text: &str| text.lines().map(|it| it.split("L00").next().unwrap().to_owned()).collect::<Vec<_>>();
    assert_eq!(plain(&again), plain(&text));
}

#[test]
fn reports_all_errors_with_positions_and_suggestions() {
    let errors = assembled(
        "Waitt(3)\nif After_Leage = 1 {\n}\nWait(3\nvar300 = 1\nMe.health = 1\ngoto L1\n  RTX('abc')\n1 = 2\nSetGlobalFlag(#Talkin)\nWait(#x)\nif var0 = 1 {\n",
    );
    assert_eq!(
        errors.unwrap_err(),
        [
            "1:1: error: unknown function Waitt; did you mean Wait?",
            "2:4: error: unknown name After_Leage; did you mean After_League?",
            "4:7: error: expected , or ), found the end of the line",
            "5:1: error: expected a variable from var0 to var255",
            "6:4: error: unknown property health",
            "7:6: error: unknown label L1",
            "8:7: error: a dialogue label must have four ASCII characters",
            "9:1: error: expected a name, a number or a text, found 1",
            "10:15: error: unknown flag Talkin; did you mean Talking?",
            "11:6: error: expected a number without a name, found #x",
            "12:1: error: unclosed block; add a line with }",
        ]
    );
}

#[test]
fn adjusts_targets_after_an_insertion() {
    let text = "x:\nWait(1)\nstop_task x\ngoto y\ny:\nend x\n";
    let before = assembled(text).unwrap();
    let after = assembled(&text.replace("x:\n", "yield\nx:\n")).unwrap();
    assert_eq!(before[9..], [0x1b, 1, 0, 0, 0, 4, 19, 0, 0, 0, 5, 0, 0, 0, 0]);
    assert_eq!(after[10..], [0x1b, 2, 0, 0, 0, 4, 20, 0, 0, 0, 5, 1, 0, 0, 0]);
}

#[test]
fn adds_new_texts() {
    let parsed =
        with(|context| Script::parse("\"NEW\".Wait(\"NEW\")\n\"DOOR\".Wait(\"OTHER\")", context)).unwrap();
    assert_eq!(parsed.new_texts, ["NEW", "OTHER"]);
}

#[test]
fn refuses_too_large_scripts_with_a_position() {
    let deep = "if var0 = 1 {\n".repeat(70_000) + &"}\n".repeat(70_000);
    let long = format!("yield\n\"{}\".Wait(1)\n", "a".repeat(70_000));
    let many = "yield\n".repeat(270_000);
    for (text, message) in [
        (deep, "65538:1: error: blocks are nested more than 65536 levels deep"),
        (long, "2:1: error: the text has more than 65536 bytes"),
        (many, "262146:1: error: the script has more than 262144 statements"),
    ] {
        assert_eq!(assembled(&text).unwrap_err(), [message]);
    }
}

#[test]
fn reads_the_actor_from_the_header() {
    assert_eq!(actor_of("; a comment\nactor \"A\\\"B\" #7\n"), Some(("A\"B".to_owned(), Some(7))));
    assert_eq!(actor_of("end\n"), None);
}

#[test]
fn formats_text_and_keeps_comments() {
    let text = "\n\n;who: me\nactor   \"DREEKIUS\"#12\nif var0=1 and Me . pos.vx>-3{ ; why\n\n\nWait( 3,- 1 )\n ; done\n  x:\nvar0=var0-1--\nMe.ref_4 ++\n}\nscriptrv 3\ngoto x + 2\nvar0 = alt -5 - -6 - 7\nif - 3 < var0 and -4 < var1 else x\n\"not closed  ;\nbytes  08   ff;odd";
    let expected = r#";who: me
actor "DREEKIUS" #12
if var0 = 1 and Me.pos.vx > -3 {    ; why

    Wait(3, -1)
    ; done
x:
    var0 = var0 - 1 --
    Me.ref_4++
}
scriptrv 3
    goto x+2
var0 = alt -5 - -6 - 7
if -3 < var0 and -4 < var1 else x
"not closed  ;
bytes 08 ff    ;odd
"#;
    assert_eq!(formatted(text), expected);
    assert_eq!(formatted(expected), expected);
    // A byte order mark at the start and CRLF line endings are kept.
    let windows = format!("\u{feff}{}", text.replace('\n', "\r\n"));
    assert_eq!(formatted(&windows), format!("\u{feff}{}", expected.replace('\n', "\r\n")));
}

/// The parsed text, or the number of errors.
fn meaning(text: &str) -> Result<Parsed, usize> {
    with(|context| Script::parse(text, context)).map_err(|problems| problems.len())
}

#[test]
fn treats_a_byte_order_mark_as_a_space() {
    for text in [
        "if var0 = 1 {\u{feff}\n}\n",
        "if $ {\u{feff}\n    \u{feff}end\n}\n",
        "$ {\u{feff} ; why\u{feff}\n}\n",
    ] {
        let without: String = text.chars().filter(|letter| *letter != '\u{feff}').collect();
        assert_eq!(meaning(text), meaning(&without), "{text:?}");
        assert_eq!(meaning(&formatted(text)), meaning(text), "{text:?}");
    }
}

proptest! {
    #[test]
    fn round_trips_any_bytes(
        bytes in prop::collection::vec(prop_oneof![8 => 0_u8..0x1f, 1 => any::<u8>(), 4 => Just(0_u8)], 0..200),
        start in 0_u32..220,
    ) {
        for operands in [Operands::Engine, Operands::ModManager] {
            let script = Script::read(&bytes, start, operands);
            let text = with(|context| script.text(context));
            prop_assert_eq!(text.lines.len(), script.statements.len());
            let again = with(|context| Script::parse(&text.text, context));
            let again = again.map_err(|it| TestCaseError::fail(format!("{it:?}\n{}", text.text)))?;
            prop_assert_eq!(again.script.write(), bytes.clone(), "{}", text.text);
            prop_assert_eq!(again.script.start, start, "{}", text.text);
            prop_assert_eq!(again.script.encoding, script.encoding);
            prop_assert!(again.new_texts.is_empty());
            // The disassembler formats like the formatter, whatever the spaces were.
            let shown = format!("{}\n", text.text.trim_end());
            prop_assert_eq!(&formatted(&text.text), &shown);
            let squeezed: String = text.text.lines().map(|it| format!("\t{}\n", it.trim_start())).collect();
            prop_assert_eq!(&formatted(&squeezed), &shown);
        }
    }

    #[test]
    fn never_panics_on_any_text(text in "[ -~\n]{0,200}") {
        let again = formatted(&text);
        prop_assert_eq!(&formatted(&again), &again);
        prop_assert_eq!(meaning(&again), meaning(&text));
    }

    #[test]
    fn formatting_keeps_the_meaning_of_any_tokens(
        tokens in prop::collection::vec(prop::sample::select(vec![
            "if", "goto", "x", "x:", "else", "{", "}", "\n", "\n", "\n", "var0", "=", "+", "-", "++", "--", "5", "alt", "pad", "(", ")", ",", ".",
            "Me", "pos.vx", "Wait", "#", "'dr01'", "\"DOOR\"", "scriptrv", "3", "and", ">", "start", "operands", "mm", "; note", "bytes 08",
        ]), 0..60),
    ) {
        let text = tokens.join(" ");
        let again = formatted(&text);
        prop_assert_eq!(&formatted(&again), &again);
        prop_assert_eq!(meaning(&again), meaning(&text), "{}", again);
    }
}

#[test]
fn removes_label_offsets_from_lines() {
    use super::without_labels;
    assert_eq!(without_labels("L00A4:"), "L:");
    assert_eq!(without_labels("    goto L0012+2    ; L99"), "    goto L+2    ; L99");
    for line in ["LAMP = L12", "\"L00A\"", "", "Wait(1)", "L00G4"] {
        assert_eq!(without_labels(line), line);
    }
}
