//! Scripts: bytes are disassembled to text that assembles to the same bytes, and any text is assembled or refused.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use soup::bytecode::{Operands, Script};
use soup::diagnose::{Bounds, Severity};
use soup::mm::{self, ActorFacts};
use soup::text::{SourceContext, formatted};
use soup::{Definitions, Lexicon};

/// Calls a function with surroundings that have names of each kind.
pub(crate) fn with_surroundings<T>(run: impl FnOnce(&SourceContext<'_>) -> T) -> T {
    static LEXICON: LazyLock<Lexicon> = LazyLock::new(|| {
        let mut definitions = Definitions::shipped().clone();
        definitions.references = ["active", "pos.vx", "pos.vy"].map(str::to_owned).to_vec();
        let items = BTreeMap::from([(1, "sabre".to_owned()), (3, "Guard Sword".to_owned())]);
        let maps = BTreeMap::from([(2, "ISLAND".to_owned())]);
        Lexicon::new(&definitions, &items, &maps)
    });
    let texts = ["door", "TWIN", "TWIN", "a \"b\"\n", ""].map(str::to_owned);
    let spoken = |label: &str| label.starts_with('d').then(|| format!("said\r{label}"));
    run(&SourceContext { lexicon: &LEXICON, actor: "A", index: 0, texts: &texts, spoken: &spoken })
}

pub(crate) fn run(input: &[u8]) {
    with_surroundings(|around| {
        for operands in [Operands::Engine, Operands::ModManager] {
            let script = Script::read(input, 0, operands);
            assert_eq!(script.write(), input, "the decoded script is written as different bytes");
            assert_text_round_trip(&script, around);
            assert_mm_round_trip(&script, around);
            let bounds = Bounds {
                texts: Some(around.texts),
                locals: 3,
                locations: Some(2),
                objects: Some(around.texts),
                ..Bounds::new(around.lexicon)
            };
            let _ = (script.diagnose(&bounds), script.diagnose_flow(), script.routines());
        }
        if let Ok(text) = std::str::from_utf8(input) {
            assert_text(text, around);
            for actor in mm::split(text).unwrap_or_default() {
                if let Ok(parsed) = actor.parse(around) {
                    assert_text_round_trip(&parsed.script, around);
                }
            }
        }
    });
}

/// Checks that both texts of a script assemble to the same script and are already formatted.
fn assert_text_round_trip(script: &Script, around: &SourceContext<'_>) {
    for text in [script.text(around), script.structured_text(around)] {
        assert_eq!(text.lines.len(), script.statements.len(), "each statement has one line");
        let again = Script::parse(&text.text, around)
            .unwrap_or_else(|problems| panic!("{problems:?}\n{}", text.text))
            .script;
        assert_eq!(again.write(), script.write(), "{}", text.text);
        assert_eq!((again.start, again.encoding), (script.start, script.encoding), "{}", text.text);
        assert_eq!(formatted(&text.text).trim_end(), text.text.trim_end(), "the text is not formatted");
    }
}

/// Checks that the Mod Manager text of a script assembles to the same bytes.
fn assert_mm_round_trip(script: &Script, around: &SourceContext<'_>) {
    let (text, found) = script.mm_text(around, &ActorFacts::default());
    assert_eq!(text.lines.len(), script.statements.len(), "each statement has one line");
    if found.iter().any(|it| it.severity == Severity::Error) {
        return;
    }
    let actors = mm::split(&text.text).unwrap_or_else(|problems| panic!("{problems:?}\n{}", text.text));
    let parsed = actors.first().expect("an actor").parse(around);
    let parsed = parsed.unwrap_or_else(|problems| panic!("{problems:?}\n{}", text.text));
    assert_eq!(parsed.script.write(), script.write(), "{}", text.text);
}

/// Checks that a text is refused, or assembles to a script that survives a round trip; and that formatting is idempotent.
fn assert_text(text: &str, around: &SourceContext<'_>) {
    let layout = formatted(text);
    assert_eq!(formatted(&layout), layout, "formatting is not idempotent");
    let (parsed, again) = (Script::parse(text, around), Script::parse(&layout, around));
    match (parsed, again) {
        (Ok(parsed), Ok(again)) => {
            assert_eq!(parsed, again, "{layout}");
            let texts: Vec<_> = around.texts.iter().chain(&parsed.new_texts).cloned().collect();
            assert_text_round_trip(&parsed.script, &SourceContext { texts: &texts, ..*around });
        }
        (Err(parsed), Err(again)) => assert_eq!(parsed.len(), again.len(), "{layout}"),
        (parsed, again) => panic!("{parsed:?}\n{again:?}\n{layout}"),
    }
}
