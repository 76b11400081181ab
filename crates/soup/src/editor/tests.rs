use std::collections::BTreeMap;

use super::*;
use crate::{Definitions, Lexicon};

/// Source text with `|` at the cursor.
fn cursor(text: &str) -> (String, Position) {
    let (before, _) = text.split_once('|').expect("a cursor");
    let line = before.matches('\n').count();
    let column = before.rsplit('\n').next().unwrap().chars().count();
    (text.replacen('|', "", 1), Position { line, column })
}

/// Calls a function with a map of three objects. The first has two texts and three variables.
fn with<T>(run: impl FnOnce(&EditContext<'_>) -> T) -> T {
    let items = BTreeMap::from([(1, "Sabre".to_owned()), (3, "Guard Sword".to_owned())]);
    let maps = BTreeMap::from([(2, "ISLAND".to_owned())]);
    let mut definitions = Definitions::shipped().clone();
    definitions.references = vec!["pos.vx".to_owned(), "pos.vy".to_owned(), "health".to_owned()];
    let lexicon = Lexicon::new(&definitions, &items, &maps);
    let texts = ["DOOR", "say \"a\""].map(str::to_owned);
    let lines = SpokenLines::from_iter([("dr01".to_owned(), "Well met.".to_owned())]);
    let source = SourceContext {
        lexicon: &lexicon,
        actor: "DREEKIUS",
        index: 0,
        texts: &texts,
        spoken: &|_: &str| None,
    };
    let objects = ["DREEKIUS", "DOOR", "CRATE"].map(str::to_owned);
    run(&EditContext { source, map: MapKnowledge::Known, locals: 3, objects: &objects, lines: &lines })
}

fn named(text: &str) -> Vec<String> {
    let shown = |it: &Occurrence| {
        let line = text.lines().nth(it.span.line).unwrap();
        let part: String = line.chars().take(it.span.end).skip(it.span.start).collect();
        format!("{part} {:?} {} {:?}", it.kind, it.name, it.access)
    };
    with(|context| names(text, context.source.lexicon)).iter().map(shown).collect()
}

#[test]
fn finds_the_kind_and_access_of_each_name() {
    let text = r#"actor "DREEKIUS" #0
start:
top:
if after_league = 1 and ++var2 < Me.pos.vx {
    SetGlobalFlag(#Talking)
    RTX('dr01')    ; gosub nowhere
    var01 = var0 + flag_9999
}
"DOOR".health++
if ActiveItem() = #"Guard Sword" else top
Player.wait(LoadWorld(#island), #Sabre)
goto top+2
bytes 08 ff
"#;
    let expected = [
        "actor Keyword actor Read",
        "DREEKIUS Text DREEKIUS Declared",
        "start Keyword start Read",
        "top Label top Declared",
        "if Keyword if Read",
        "after_league Flag After_League Read",
        "and Keyword and Read",
        "var2 Local var2 Written",
        "Me Keyword me Read",
        "pos.vx Property pos.vx Read",
        "SetGlobalFlag Function SetGlobalFlag Read",
        "Talking Flag Talking Written",
        "RTX Function RTX Read",
        "dr01 Line dr01 Read",
        "var01 Local var1 Written",
        "var0 Local var0 Read",
        "flag_9999 Flag flag_9999 Read",
        "DOOR Text DOOR Read",
        "health Property health Written",
        "if Keyword if Read",
        "ActiveItem Function ActiveItem Read",
        "Guard Sword Item Guard Sword Read",
        "else Keyword else Read",
        "top Label top Read",
        "Player Keyword player Read",
        "wait Function Wait Read",
        "LoadWorld Function LoadWorld Read",
        "island Map ISLAND Read",
        "goto Keyword goto Read",
        "top Label top Read",
        "bytes Keyword bytes Read",
    ];
    assert_eq!(named(text), expected);
}

fn found(text: &str) -> Vec<(usize, usize, usize, &'static str, Severity)> {
    let found = with(|context| findings(text, context));
    found.iter().map(|it| (it.span.line, it.span.start, it.span.end, it.code, it.severity)).collect()
}

#[test]
fn marks_syntax_errors_at_their_position() {
    let table = [
        ("  Waitt(3)\n", (0, 2, 7, "syntax", Severity::Error)),
        ("goto nowhere ; x\n", (0, 5, 12, "syntax", Severity::Error)),
        ("Wait(3\n", (0, 5, 6, "syntax", Severity::Error)),
        ("yield\n\"abc\n", (1, 0, 4, "syntax", Severity::Error)),
        ("if var0 = 1 {  \n", (0, 0, 2, "syntax", Severity::Error)),
        ("RTX('abc')", (0, 4, 9, "syntax", Severity::Error)),
    ];
    for (text, expected) in table {
        assert_eq!(found(text), [expected], "{text}");
    }
}

#[test]
fn marks_defects_at_their_statement() {
    let text = "; a comment\nstart:\n\n  Wait(1, 2)  ; two\nvar7 = \"DOR\"\nend\n";
    let expected = [
        (3, 2, 12, "wrong_parameter_count", Severity::Error),
        (4, 0, 12, "bad_variable_index", Severity::Warning),
        (4, 8, 11, "new_text", Severity::Note),
    ];
    assert_eq!(found(text), expected);
    let messages: Vec<_> = with(|context| findings(text, context)).into_iter().map(|it| it.message).collect();
    assert_eq!(messages[2], "a new text; assembling adds it to the actor; did you mean DOOR?");
    // A loop and unreachable statements.
    let codes: Vec<_> = found("top:\ngoto top\nyield\n").into_iter().map(|it| (it.0, it.3)).collect();
    assert_eq!(codes, [(1, "endless_loop"), (2, "unreachable")]);
}

/// Source text with a cursor, the prefix of completions, the completions, and the columns that they replace.
type Offer = (&'static str, &'static str, &'static [&'static str], (usize, usize));

/// Returns the completions at the cursor with a prefix, and the columns that they replace.
fn offered(text: &str, begin: &str) -> Option<(Vec<String>, (usize, usize))> {
    let (text, at) = cursor(text);
    let found = with(|context| complete(&text, context, at))?;
    let items = found.items.into_iter().map(|it| it.text).filter(|it| it.starts_with(begin)).collect();
    Some((items, (found.span.start, found.span.end)))
}

#[test]
fn completes_according_to_the_context() {
    let table: [Offer; 13] = [
        ("ret|", "ret", &["return"], (0, 3)),
        ("  After_L|", "After_L", &["After_League"], (2, 9)),
        ("if var0 = 1 an|", "", &["and", "or", "else"], (12, 14)),
        ("top:\ngoto |", "", &["top"], (5, 5)),
        ("top:\nif var0 = 1 else t|", "", &["top"], (17, 18)),
        ("Me.|", "pos", &["pos.vx", "pos.vy"], (3, 3)),
        ("var0 = Me.pos.v|", "pos", &["pos.vx", "pos.vy"], (10, 15)),
        ("LoadWorld(#|", "", &["ISLAND"], (11, 11)),
        ("AddItem(|", "#", &["#Sabre", "#\"Guard Sword\""], (8, 8)),
        ("if ActiveItem() = #\"Gu|\" {", "Gu", &["Guard Sword"], (20, 22)),
        ("RTX('d|", "", &["dr01'"], (5, 6)),
        ("\"|\".Wait(1)", "", &["DOOR", "say \\\"a\\\"", "DREEKIUS", "CRATE"], (1, 1)),
        ("actor \"|\" #0", "", &["DREEKIUS", "DOOR", "CRATE"], (7, 7)),
    ];
    for (text, begin, expected, span) in table {
        let (items, found) = offered(text, begin).unwrap_or_else(|| panic!("{text}"));
        assert_eq!((items.as_slice(), found), (expected.map_into().as_slice(), span), "{text}");
    }
}

#[test]
fn completes_nothing_in_comments_and_numbers() {
    assert_eq!(offered("yield ; got|", ""), None);
    assert_eq!(offered("var0 = 12|", ""), None);
    assert!(offered("Wait(\"a;b|\")", "").is_some());
}

/// Converts literals for tables.
trait MapInto {
    fn map_into(&self) -> Vec<String>;
}

impl MapInto for [&str] {
    fn map_into(&self) -> Vec<String> {
        self.iter().map(|it| (*it).to_owned()).collect()
    }
}

fn hovered(text: &str) -> Option<(String, String)> {
    let (text, at) = cursor(text);
    with(|context| hover(&text, context, at)).map(|it| (it.declaration, it.about))
}

#[test]
fn describes_names() {
    let wait = hovered("wa|it(1)").unwrap();
    assert_eq!(wait.0, "task Wait(parameter 1)");
    assert!(wait.1.contains("Function 60.") && wait.1.contains("Waits for a number of ticks."), "{wait:?}");
    assert_eq!(hovered("SetGlobalFlag(1|)"), None);
    let table = [
        ("actor \"DREE|KIUS\" #0", "The script of object #0 of the map."),
        ("RTX('d|r01')", "\"Well met.\""),
        ("RTX('d|r02')", "ENGLISH.RTX has no line dr02."),
        ("\"DO|OR\".Wait(1)", "Text 0 of the actor. The map has an object with this name: #1."),
        ("AddItem(#\"Guard Sword|\", 1)", "Item 3: Guard Sword."),
        ("LoadWorld(#isl|and)", "Map 2: ISLAND."),
        ("va|r0 = 1", "A variable of the actor. The actor has 3."),
        ("Me.he|alth = 1", "Property 2 of objects: health."),
    ];
    for (text, about) in table {
        assert_eq!(hovered(text).map(|it| it.1).as_deref(), Some(about), "{text}");
    }
    let label = hovered("goto to|p\ntop:\n\nyield\n").unwrap();
    assert_eq!(label, ("top:\nyield".to_owned(), "A label on line 2.".to_owned()));
    let flag = hovered("After_Le|ague = 1").unwrap();
    assert!(flag.0.contains(" After_League ") && flag.1.starts_with("Global flag "), "{flag:?}");
}

#[test]
fn shows_the_active_parameter_of_a_call() {
    let at = |text: &str| {
        let (text, at) = cursor(text);
        with(|context| signature(&text, context, at)).map(|it| (it.label, it.active))
    };
    assert_eq!(at("AddItem(#Sabre, |"), Some(("function AddItem(item, parameter 2)".to_owned(), 1)));
    assert_eq!(at("RTX('d|"), Some(("task RTX(dialogue label)".to_owned(), 0)));
    assert_eq!(at("AddItem(1, 2)|"), None);
}

#[test]
fn renames_labels_and_variables_and_refuses_other_names() {
    let renamed = |text: &str, new: Option<&str>| {
        let (text, at) = cursor(text);
        with(|context| rename(&text, context, at, new)).map(|it| it.name).map_err(|it| it.to_string())
    };
    let refused = |why: &str| Err(why.to_owned());
    assert_eq!(renamed("goto to|p\ntop:\n", Some("begin")), Ok("top".to_owned()));
    assert_eq!(renamed("va|r1 = var0\n", Some("VAR2")), Ok("var1".to_owned()));
    assert_eq!(renamed("After_Lea|gue = 1\n", Some("Later")), Ok("After_League".to_owned()));
    let table = [
        ("goto to|p\ntop:\nx:\n", "x", "the label x is already used in this script"),
        ("to|p:", "goto", "\"goto\" cannot be a label; a label is a word without another meaning"),
        ("va|r1 = var0\n", "var0", "var0 is already used in this script"),
        ("va|r1 = 0\n", "var9", "there is no var9; the actor has 3 variables"),
        ("va|r1 = 0\n", "x", "expected a variable from var0 to var255"),
        ("After_Lea|gue = 1", "Talking", "a flag Talking already exists"),
        ("Wa|it(1)", "x", "Wait is a name of the game, which looks it up in SOUP386.DEF"),
        ("yie|ld", "x", "yield is a keyword"),
        (" |", "x", "no name at this position can be changed"),
    ];
    for (text, new, why) in table {
        assert_eq!(renamed(text, Some(new)), refused(why), "{text}");
    }
}

#[test]
fn outlines_labels_and_folds_blocks() {
    let text = "actor \"A\"\n\nstart:\nL1:\nif var0 = 1 {\n    yield\n}\n\nL2:\nend\n\n";
    let labels: Vec<_> = outline(text).into_iter().map(|it| (it.name, it.span.line, it.last_line)).collect();
    let expected = [("start", 2, 2), ("L1", 3, 7), ("L2", 8, 10)];
    assert_eq!(labels, expected.map(|(name, line, last)| (name.to_owned(), line, last)));
    let folds: Vec<_> = folds(text).into_iter().map(|it| (it.first, it.last)).collect();
    assert_eq!(folds, [(3, 6), (4, 5), (8, 9)]);
}

#[test]
fn the_highlighting_grammar_has_all_keywords() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../editors/vscode/syntaxes/soup.tmLanguage.json");
    // The package of this crate does not contain it.
    let Ok(grammar) = std::fs::read_to_string(file) else { return };
    let words: Vec<&str> = grammar.split(|it: char| !it.is_ascii_alphanumeric() && it != '_').collect();
    let unknown: Vec<_> = crate::lexicon::KEYWORDS.into_iter().filter(|word| !words.contains(word)).collect();
    assert_eq!(unknown, [""; 0]);
}

proptest::proptest! {
    #[test]
    fn never_panics_on_any_text(text in "[ -~\n'\"ä]{0,120}", line in 0_usize..6, column in 0_usize..60) {
        let at = Position { line, column };
        with(|context| {
            let _ = findings(&text, context);
            let _ = complete(&text, context, at);
            let _ = hover(&text, context, at);
            let _ = signature(&text, context, at);
            let _ = rename(&text, context, at, Some("x"));
            let _ = outline(&text);
            let _ = folds(&text);
            for it in names(&text, context.source.lexicon) {
                let length = text.lines().nth(it.span.line).map(|line| line.chars().count());
                assert!(it.span.start <= it.span.end && Some(it.span.end) <= length, "{it:?}");
            }
        });
    }
}
