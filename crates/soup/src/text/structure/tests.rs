use std::collections::BTreeMap;
use std::fmt::Write as _;

use proptest::prelude::*;

use crate::bytecode::{Operands, Script};
use crate::text::{SourceContext, Text, formatted};
use crate::{Definitions, Lexicon};

fn with<T>(run: impl FnOnce(&SourceContext<'_>) -> T) -> T {
    let lexicon = Lexicon::new(Definitions::shipped(), &BTreeMap::new(), &BTreeMap::new());
    run(&SourceContext { lexicon: &lexicon, actor: "A", index: 0, texts: &[], spoken: &|_: &str| None })
}

fn parsed(text: &str) -> Result<Script, Vec<String>> {
    with(|context| Script::parse(text, context))
        .map(|it| it.script)
        .map_err(|problems| problems.iter().map(ToString::to_string).collect())
}

/// Returns the structured text of a script. Checks that parsing it gives the same script, that it is formatted, and that the lines match
/// the statements.
fn structured(script: &Script) -> Text {
    let text = with(|context| script.structured_text(context));
    let again = parsed(&text.text).unwrap_or_else(|it| panic!("{it:?}\n{}", text.text));
    assert_eq!(again.write(), script.write(), "{}", text.text);
    assert_eq!(again.start, script.start, "{}", text.text);
    assert_eq!(text.lines.len(), script.statements.len(), "{}", text.text);
    assert!(text.lines.is_sorted(), "{:?}", text.lines);
    assert!(text.lines.last().is_none_or(|last| *last <= text.text.lines().count()));
    assert_eq!(formatted(&text.text), format!("{}\n", text.text.trim_end()));
    text
}

/// Assembles source text and returns the disassembled text without the header.
fn again(text: &str) -> String {
    let script = parsed(text).unwrap_or_else(|it| panic!("{it:?}"));
    structured(&script).text.lines().skip(2).map(|line| format!("{line}\n")).collect()
}

#[test]
fn writes_blocks_as_in_the_source() {
    let text = r"while var0 < 3 {
    if var1 = 1 {
        break
    }
    var0 = var0 + 1
    if var0 = 2 {
        continue
    }
    yield
}
loop {
    yield
    if var0 = 1 {
        var1 = 2
    } else if var0 = 2 and var1 = 3 {
        while var3 = 0 {
            yield
            break
        }
    } else if var0 = 3 {
        endint
    } else {
        if var1 = 1 {
            yield
        }
        break
    }
}
if var0 = 1 {
    yield
} else {
    loop {
        yield
    }
}
end
";
    assert_eq!(again(text), text);
}

#[test]
fn an_omitted_goto_has_the_line_of_its_brace() {
    let text = "while var0 = 1 {\n    yield\n}\nloop {\n    yield\n}\nif var0 = 1 {\n    yield\n} else if var0 = 2 {\n    yield\n} else {\n    yield\n}\n";
    let script = parsed(text).unwrap();
    let lines: Vec<_> = structured(&script).lines.iter().map(|line| line - 2).collect();
    assert_eq!(lines, [1, 2, 3, 5, 6, 7, 8, 9, 9, 10, 11, 12]);
}

#[test]
fn block_keywords_assemble_to_gotos() {
    let table = [
        ("while var0 = 1 {\nyield\n}\n", "a:\nif var0 = 1 {\nyield\ngoto a\n}\n"),
        ("loop {\nyield\n}\n", "a:\nyield\ngoto a\n"),
        ("loop {\n}\n", "a:\ngoto a\n"),
        ("if var0 = 1 {\nyield\n} else {\nendint\n}\n", "if var0 = 1 {\nyield\ngoto a\n}\nendint\na:\n"),
        (
            "if var0 = 1 {\n} else if var0 = 2 {\nyield\n} else {\nendint\n}\nend\n",
            "if var0 = 1 {\ngoto a\n}\nif var0 = 2 {\nyield\ngoto a\n}\nendint\na:\nend\n",
        ),
        (
            "while var0 = 1 {\nif var1 = 1 {\nbreak\n} else {\ncontinue\n}\n}\nend\n",
            "a:\nif var0 = 1 else b\nif var1 = 1 else c\ngoto b\ngoto d\nc:\ngoto a\nd:\ngoto a\nb:\nend\n",
        ),
        // These words can also be labels, and can be mixed with gotos.
        ("loop:\nloop {\ngoto loop\n}\n", "a:\ngoto a\ngoto a\n"),
        ("scriptrv 1\nloop {\ngoto x\n}\nx:\nend\n", "scriptrv 1\na:\ngoto x\ngoto a\nx:\nend\n"),
    ];
    for (text, flat) in table {
        let (text, flat) = (parsed(text).unwrap(), parsed(flat).unwrap());
        assert_eq!(text, flat);
        structured(&text);
    }
}

#[test]
fn keeps_gotos_that_do_not_match_blocks() {
    let table = [
        // A jump to the goto that would be omitted.
        "L0000:\nif var0 = 1 {\n    gosub L0017\n\nL0017:\n    goto L0000\n}\nend\n",
        // A block that would be split.
        "\nL0000:\nyield\nif var0 = 1 {\n    yield\n    goto L0000\n}\nend\n",
        // A goto that may be skipped.
        "L0000:\nyield\nscriptrv 1\n    goto L0000\nend\n",
        "if var0 = 1 {\n    scriptrv 1\n        goto L001E\n}\nyield\n\nL001E:\nend\n",
        // A goto to itself, and one to the next statement.
        "L0000:\ngoto L0000\n",
        "if var0 = 1 {\n    goto L0015\n}\n\nL0015:\nend\n",
        // Into a loop, and out of two.
        "goto L000B\nyield\nif var0 = 1 {\n    goto L000B\n}\nend\n",
    ];
    for text in table {
        let Ok(script) = parsed(text) else { continue };
        let shown = structured(&script).text;
        assert!(!["while", "loop", "} else"].iter().any(|word| shown.contains(word)), "{shown}");
    }
}

#[test]
fn writes_a_loop_only_if_the_start_is_not_at_its_end() {
    let inside = "loop {\n    yield\n\nstart:\n    endint\n}\n";
    assert_eq!(again(inside), inside);
    let script = parsed("a:\nyield\nstart:\ngoto a\n").unwrap();
    assert!(!structured(&script).text.contains("loop"));
}

#[test]
fn reports_all_errors_of_blocks() {
    let text = "break\n}\nelse\nif var0 = 1 {\ncontinue\n} else\n}\nloop {\n} else {\n}\nwhile var0 = 1\nwhile var0 = {\nbreak\n} else {\n}\nif var0 = 1 {\n} else if var0 = 2 else x\n}\nloop\nif var0 = 1 {\n} else {\n} else {\n}\nloop {\n";
    let errors = parsed(text).unwrap_err();
    assert_eq!(
        errors,
        [
            "1:1: error: break outside of a loop",
            "2:1: error: unexpected }: no block is open",
            "3:1: error: else must follow the } of an if: } else {",
            "5:1: error: continue outside of a loop",
            "6:7: error: expected { or if, found the end of the line",
            "7:1: error: unexpected }: no block is open",
            "9:3: error: else without if: the block from line 8 belongs to loop",
            "11:15: error: expected and, or, or {, found the end of the line",
            "12:14: error: expected a name, a number or a text, found {",
            "17:20: error: expected and, or, or {, found else",
            "18:1: error: unexpected }: no block is open",
            "19:5: error: expected {, found the end of the line",
            "22:3: error: else without if: the block from line 21 belongs to else",
            "24:1: error: unclosed block; add a line with }",
        ]
    );
}

#[test]
fn handles_deep_and_malicious_scripts_quickly() {
    // Gotos back to one statement and to all statements; deeply nested conditions.
    let count = 20_000_u32;
    let jumps = |target: fn(u32) -> u32| -> Vec<u8> {
        (0..count).flat_map(|it| [&[4][..], &(target(it) * 5).to_le_bytes()].concat()).collect()
    };
    let nested: Vec<u8> = (0..count)
        .flat_map(|_| [&[3, 10, 0, 0, 0, 7, 0, 0, 0, 0, 0][..], &(count * 15).to_le_bytes()].concat())
        .collect();
    for bytes in [jumps(|_| 0), jumps(|it| it / 2), jumps(|it| 20_000 - it), nested] {
        let script = Script::read(&bytes, 0, Operands::Engine);
        let text = with(|context| script.structured_text(context)).text;
        assert_eq!(parsed(&text).unwrap().write(), bytes);
    }
}

/// A statement of a random script, with the index of its target.
fn any_jump() -> impl Strategy<Value = (u8, u8)> {
    (
        prop_oneof![4 => Just(4_u8), 4 => Just(3), 2 => Just(0x18), 1 => Just(0x1e), 1 => Just(5), 1 => Just(0x11)],
        any::<u8>(),
    )
}

/// Returns the bytes of such a script.
fn bytes_of(statements: &[(u8, u8)]) -> Vec<u8> {
    let size = |opcode: u8| match opcode {
        3 => 15,
        0x18 => 1,
        0x1e => 2,
        _ => 5,
    };
    let mut offsets = vec![0_u32];
    for (opcode, _) in statements {
        offsets.push(offsets[offsets.len().saturating_sub(1)].saturating_add(size(*opcode)));
    }
    let mut out = Vec::new();
    for (opcode, target) in statements {
        let target = offsets[usize::from(*target).checked_rem(offsets.len()).unwrap()].to_le_bytes();
        match opcode {
            3 => out.extend([&[3, 10, 0, 0, 0, 7, 0, 0, 0, 0, 0][..], &target].concat()),
            0x18 => out.push(0x18),
            0x1e => out.extend([0x1e, 1]),
            _ => out.extend([&[*opcode][..], &target].concat()),
        }
    }
    out
}

/// A random program of blocks.
fn any_program() -> impl Strategy<Value = String> {
    let leaf = prop::sample::select(vec![
        "yield\n",
        "end\n",
        "var0 = var0 + 1\n",
        "goto top\n",
        "Wait(3)\n",
        "gosub top\n",
        "",
    ]);
    let leaf = leaf.prop_map(str::to_owned);
    leaf.prop_recursive(6, 60, 5, |inner| {
        let list = prop::collection::vec(inner, 0..4).prop_map(|it| it.concat());
        prop_oneof![
            list.clone(),
            list.clone().prop_map(|it| format!("while var0 = 1 {{\n{it}}}\n")),
            list.clone().prop_map(|it| format!("loop {{\n{it}break\n}}\n")),
            list.clone().prop_map(|it| format!("loop {{\n{it}}}\n")),
            list.clone().prop_map(|it| format!("while var1 = 1 {{\nif var2 = 1 {{\n{it}continue\n}}\n}}\n")),
            list.clone().prop_map(|it| format!("if var0 = 1 {{\n{it}}}\n")),
            (list.clone(), list.clone())
                .prop_map(|(one, two)| format!("if var0 = 1 {{\n{one}}} else {{\n{two}}}\n")),
            prop::collection::vec(list, 2..4).prop_map(|all| {
                let mut out = String::from("if var0 = 1 {\n");
                for (index, it) in all.iter().enumerate() {
                    let _ = writeln!(out, "{it}}} else if var0 = {index} {{");
                }
                out + "}\n"
            }),
        ]
    })
}

proptest! {
    #[test]
    fn round_trips_any_jumps(statements in prop::collection::vec(any_jump(), 0..24), start in any::<u8>()) {
        let bytes = bytes_of(&statements);
        let start = u32::from(start).checked_rem(u32::try_from(bytes.len().saturating_add(2)).unwrap()).unwrap();
        structured(&Script::read(&bytes, start, Operands::Engine));
    }

    #[test]
    fn round_trips_any_bytes_as_structured_text(
        bytes in prop::collection::vec(prop_oneof![8 => 0_u8..0x1f, 1 => any::<u8>(), 4 => Just(0_u8)], 0..200),
        start in 0_u32..220,
    ) {
        for operands in [Operands::Engine, Operands::ModManager] {
            structured(&Script::read(&bytes, start, operands));
        }
    }

    #[test]
    fn round_trips_any_program_of_blocks(program in any_program()) {
        structured(&parsed(&format!("top:\n{program}")).unwrap());
    }
}
