//! Scripts: as bytes that become text and come back, and as text that is assembled or refused.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use soup::bytecode::{Operands, Script};
use soup::diagnose::{Bounds, Severity};
use soup::mm::{self, ActorFacts};
use soup::text::{Surroundings, formatted};
use soup::{Definitions, Lexicon};

/// Runs something with names of each kind.
pub(crate) fn with_surroundings<T>(run: impl FnOnce(&Surroundings<'_>) -> T) -> T {
    static LEXICON: LazyLock<Lexicon> = LazyLock::new(|| {
        let mut definitions = Definitions::shipped().clone();
        definitions.references = ["active", "pos.vx", "pos.vy"].map(str::to_owned).to_vec();
        let items = BTreeMap::from([(1, "sabre".to_owned()), (3, "Guard Sword".to_owned())]);
        let maps = BTreeMap::from([(2, "ISLAND".to_owned())]);
        Lexicon::new(&definitions, &items, &maps)
    });
    let texts = ["door", "TWIN", "TWIN", "a \"b\"\n", ""].map(str::to_owned);
    let spoken = |label: &str| label.starts_with('d').then(|| format!("said\r{label}"));
    run(&Surroundings { lexicon: &LEXICON, actor: "A", index: 0, texts: &texts, spoken: &spoken })
}

pub(crate) fn run(input: &[u8]) {
    with_surroundings(|around| {
        for operands in [Operands::Engine, Operands::ModManager] {
            let script = Script::read(input, 0, operands);
            assert_eq!(script.write(), input, "the bytes come back");
            texts_come_back(&script, around);
            said_in_mm(&script, around);
            let bounds = Bounds {
                texts: Some(around.texts),
                locals: 3,
                locations: Some(2),
                objects: Some(around.texts),
                ..Bounds::new(around.lexicon)
            };
            let _ = (script.diagnose(&bounds), script.diagnose_ways(), script.routines());
        }
        if let Ok(text) = std::str::from_utf8(input) {
            assembled(text, around);
            for actor in mm::split(text).unwrap_or_default() {
                if let Ok(parsed) = actor.parse(around) {
                    texts_come_back(&parsed.script, around);
                }
            }
        }
    });
}

/// Both texts of a script give the same script, and are laid out as they are.
fn texts_come_back(script: &Script, around: &Surroundings<'_>) {
    for text in [script.text(around), script.structured_text(around)] {
        assert_eq!(text.lines.len(), script.statements.len(), "each statement has its line");
        let again = Script::parse(&text.text, around)
            .unwrap_or_else(|problems| panic!("{problems:?}\n{}", text.text))
            .script;
        assert_eq!(again.write(), script.write(), "{}", text.text);
        assert_eq!((again.start, again.encoding), (script.start, script.encoding), "{}", text.text);
        assert_eq!(formatted(&text.text).trim_end(), text.text.trim_end(), "it is laid out already");
    }
}

/// What the text of Mod Manager says comes back from it.
fn said_in_mm(script: &Script, around: &Surroundings<'_>) {
    let (text, found) = script.mm_text(around, &ActorFacts::default());
    assert_eq!(text.lines.len(), script.statements.len(), "each statement has its line");
    if found.iter().any(|it| it.severity == Severity::Error) {
        return;
    }
    let actors = mm::split(&text.text).unwrap_or_else(|problems| panic!("{problems:?}\n{}", text.text));
    let parsed = actors.first().expect("an actor").parse(around);
    let parsed = parsed.unwrap_or_else(|problems| panic!("{problems:?}\n{}", text.text));
    assert_eq!(parsed.script.write(), script.write(), "{}", text.text);
}

/// A text is refused, or what it is assembled to has texts that give the same.
fn assembled(text: &str, around: &Surroundings<'_>) {
    let layout = formatted(text);
    assert_eq!(formatted(&layout), layout, "laying out again changes nothing");
    let (parsed, again) = (Script::parse(text, around), Script::parse(&layout, around));
    match (parsed, again) {
        (Ok(parsed), Ok(again)) => {
            assert_eq!(parsed, again, "{layout}");
            let texts: Vec<_> = around.texts.iter().chain(&parsed.new_texts).cloned().collect();
            texts_come_back(&parsed.script, &Surroundings { texts: &texts, ..*around });
        }
        (Err(parsed), Err(again)) => assert_eq!(parsed.len(), again.len(), "{layout}"),
        (parsed, again) => panic!("{parsed:?}\n{again:?}\n{layout}"),
    }
}
