//! Reading and writing settings.

use json::{Value, ValuePath};
use proptest::prelude::*;

use super::*;

const TABLE: &[u8] = b"; remark\r\n[Room ambience]\r\nambience1 = SFX\\hum.ogg\r\n\r\n[hall]\r\nMesh Path=GFX\\map\\Hall.rmesh\r\nshape = 2C\r\nlarge = true\r\nshape = 9\r\nno value here\r\n[lost]\nmesh path=GFX\\map\\lost.rmesh\nshape=7\n[lost]\nmesh path = gfx/MAP/hall.RMESH\ncaf\xe9=\x81";

fn read(bytes: &[u8]) -> Result<Ini> {
    Ini::parse(bytes, Charset::Windows1252)
}

/// Reads a file in which `;` starts a comment anywhere in a line.
fn read_xngine(text: &str) -> Ini {
    Ini::parse(text.as_bytes(), Syntax::xngine(Charset::Cp437)).unwrap()
}

fn table() -> Ini {
    read(TABLE).unwrap()
}

/// Packs the record of a file.
fn packed(ini: &Ini) -> Vec<u8> {
    let json = json::to_vec(ini).unwrap();
    let record: Lines = json::from_slice(&json).unwrap();
    encode(&record.lines, ini.syntax().charset()).unwrap()
}

#[test]
fn preserves_every_byte() {
    assert_eq!(table().write(), TABLE);
    assert_eq!(packed(&table()), TABLE);
}

#[test]
fn finds_the_first_section_and_key_ignoring_case() {
    let table = table();
    let hall = table.section("HALL").unwrap();
    assert_eq!(hall.get("mesh path"), Some("GFX\\map\\Hall.rmesh"));
    assert_eq!(hall.get("Shape"), Some("2C"));
    assert!(hall.is_on("large") && !hall.is_on("disabledecals"));
    assert_eq!(table.section("room AMBIENCE").unwrap().get("ambience1"), Some("SFX\\hum.ogg"));
    assert_eq!(table.sections().last().unwrap().get("café"), Some("\u{81}"));
}

#[test]
fn traces_every_byte_in_order() {
    let (mut next, mut seen) = (0, Vec::new());
    table().trace(&mut |span: Span<'_>| {
        assert_eq!(span.start, next);
        next = span.end;
        seen.push(format!("{} = {}", span.path, span.value));
        Visit::Continue
    });
    assert_eq!(usize::try_from(next).unwrap(), TABLE.len());
    assert!(seen.contains(&"hall.shape = 2C".to_owned()), "{seen:#?}");
    assert!(seen.contains(&"lines[0] = ; remark".to_owned()), "{seen:#?}");
}

#[test]
fn refuses_binary_data() {
    assert_eq!(read(b"").unwrap_err().offset(), Some(0));
    assert_eq!(read(b"[a]\n\0").unwrap_err().offset(), Some(4));
}

#[test]
fn refuses_too_many_lines() {
    let most = "a=1\n".repeat(MOST_LINES);
    assert!(read(most.as_bytes()).is_ok());
    let error = read(format!("{most}[b]\n").as_bytes()).unwrap_err();
    assert_eq!((error.kind(), error.offset()), (record::Kind::Limit, u64::try_from(most.len()).ok()));
}

proptest! {
    #[test]
    fn preserves_any_text(bytes in proptest::collection::vec(any_byte(), 1..200)) {
        for syntax in [Syntax::from(Charset::Windows1252), Syntax::xngine(Charset::Cp437)] {
            let ini = Ini::parse(&bytes, syntax).unwrap();
            prop_assert_eq!(&ini.write(), &bytes);
            let lines = |section: &Section<'_>| section.entries.len() + section.texts.len() + 1;
            let found: usize = ini.sections().iter().map(lines).sum();
            prop_assert!(found <= ini.lines.len());
            prop_assert_eq!(packed(&ini), bytes.as_slice());
        }
    }

    #[test]
    fn setting_a_value_changes_only_the_value(
        parts in ("[ \t]?[a-z]{1,3}( ?\\[ ?[0-9] ?\\])?[ \t]?", "[ \t]{0,2}", "([0-9.,x]{1,4})?", "[ \t]{0,2}", "(;[ =;a-z]{0,5})?", "\r?\n"),
        value in "([a-z0-9]([a-z0-9=, ]{0,4}[a-z0-9])?)?",
    ) {
        let (key, before, old, after, comment, end) = parts;
        let after = if old.is_empty() { "" } else { after.as_str() };
        let text = format!("[ a ]{end}{key}={before}{old}{after}{comment}{end}");
        let expected = format!("{key}={before}{value}{after}{comment}{end}");
        let change = set(&read_xngine(&text), "a", key.trim(), &value).unwrap();
        prop_assert_eq!(change, Some(vec![RecordChange::Set(line_path(1), expected.as_str().into())]));
        let changed = read_xngine(&format!("[a]\n{expected}"));
        let section = changed.section("A").unwrap();
        prop_assert_eq!(section.get(key.trim()), Some(value.as_str()));
    }
}

/// Any byte except NUL, often one with a meaning.
fn any_byte() -> impl Strategy<Value = u8> {
    prop_oneof![1_u8.., proptest::sample::select(b"[]=; \r\na".to_vec())]
}

fn line_path(number: usize) -> ValuePath {
    ValuePath::from(&[Step::Member(LINES), Step::Item(number)][..])
}

fn change(ini: &Ini, way: &[&str], change: FieldChange<'_>) -> Result<Option<Vec<RecordChange>>> {
    let record = Document::of(ini).unwrap();
    let way: Vec<_> = way.iter().map(|name| Step::Member(name)).collect();
    ini.record_change(record.root(), &way, change)
}

fn set(ini: &Ini, section: &str, key: &str, value: &str) -> Result<Option<Vec<RecordChange>>> {
    change(ini, &[section, key], FieldChange::Set(&value.into()))
}

/// Returns the fields of the view as JSON.
fn fields(ini: &Ini) -> Value {
    ini.field_view(Document::of(ini).unwrap().root()).unwrap().root().to_value()
}

#[test]
fn finds_text_lines_and_line_ends() {
    let table = table();
    let texts: Vec<_> =
        table.section("hall").unwrap().texts.into_iter().map(|it| (it.text.into_owned(), it.line)).collect();
    assert_eq!(texts, [("no value here".to_owned(), 10)]);
    assert_eq!(table.line_ends(), (16, false));
    assert_eq!(read(b"a=1\r\nb=2").unwrap().line_ends(), (2, true));
}

const SETTINGS: &str = "a=before any section\n[ System ]; main\n volume =255 ; loud\nFont [ 1 ]= 2\nx;y=1\n;z=1\nnone=\n\
    [other]\nvolume=1\n[SYSTEM]\nVolume=7\nfont[1]=8\nnone=9\nlast=3;=\nword ;text\n[cut ;]\n";

#[test]
fn a_semicolon_starts_a_comment_anywhere_in_a_line_of_xngine_games() {
    let ini = read_xngine(SETTINGS);
    let sections = ini.sections();
    assert_eq!(sections.iter().map(|it| &*it.name).collect::<Vec<_>>(), [" System ", "other", "SYSTEM"]);
    let volume = &sections[0].entries[0];
    assert_eq!((&*volume.key, &*volume.value, volume.without_comment()), ("volume", "255 ; loud", "255"));
    let last = &sections[2].entries[3];
    assert_eq!((&*last.value, last.without_comment()), ("3;=", "3"));
    let texts = &sections[2].texts;
    assert_eq!((&*texts[0].text, texts[0].without_comment()), ("word ;text", "word"));
    assert_eq!((&*texts[1].text, texts[1].without_comment()), ("[cut ;]", "[cut"));
    // A line without an `=` before its comment has no key.
    assert_eq!(&*sections[0].texts[0].text, "x;y=1");
    // In other games, the rest of a line belongs to the value.
    let other = read(b"[a]\nx=1 ;2\ny;z=3\n").unwrap();
    let section = other.section("a").unwrap();
    assert_eq!((section.get("x"), section.get("y;z")), (Some("1 ;2"), Some("3")));
}

#[test]
fn sections_with_the_same_name_are_one_in_xngine_games() {
    let system = read_xngine(SETTINGS);
    let system = system.section("system").unwrap();
    // The first line of a key counts, even without a value.
    let found = ["VOLUME", "FONT[1]", "font [ 1]", "none", "last"].map(|key| system.get(key).unwrap());
    assert_eq!(found, ["255", "2", "2", "", "3"]);
    let expected = json::json!({
        "System": { "volume": "255", "Font[1]": "2", "none": "", "last": "3" },
        "other": { "volume": "1" },
    });
    assert_eq!(fields(&read_xngine(SETTINGS)), expected);
    let repeated = read(b"[a]\nx=1\n[A]\nx=2\n").unwrap();
    assert_eq!(fields(&repeated), json::json!({ "a": { "x": "1" }, "A#2": { "x": "2" } }));
}

#[test]
fn paths_of_lines_lead_to_fields_of_the_view() {
    let (ini, mut seen) = (read_xngine(SETTINGS), Vec::new());
    ini.trace(&mut |span: Span<'_>| {
        seen.push(span.path.to_owned());
        Visit::Continue
    });
    let expected = "lines[0] System System.volume System[\"Font[1]\"] lines[4] lines[5] System.none other other.volume \
                    lines[9] System.Volume System[\"font[1]\"] System.none System.last lines[14] lines[15]";
    assert_eq!(seen.join(" "), expected);
}

#[test]
fn values_and_their_comments_are_separate_names() {
    let (ini, mut names) = (read_xngine("[a]\nmap = x.rgm ; old\n"), Vec::new());
    let kind_of_file = |name: &str| name.ends_with(".rgm").then_some(NameKind::Map);
    ini.visit_names(NameKind::Text, &kind_of_file, &mut |name| names.push((name.kind, name.text.to_owned())));
    assert_eq!(names[1..], [(NameKind::Map, "x.rgm".to_owned()), (NameKind::Text, "; old".to_owned())]);
}

#[test]
fn changes_the_first_line_of_a_key_in_all_sections_of_a_name() {
    let ini = read_xngine(SETTINGS);
    let changed = |key: &str| match set(&ini, "System", key, "0").unwrap().unwrap().as_slice() {
        [RecordChange::Set(path, line)] => (path.clone(), line.as_str().unwrap().to_owned()),
        other => panic!("{other:?}"),
    };
    assert_eq!(changed("volume"), (line_path(2), " volume =0 ; loud\n".to_owned()));
    assert_eq!(changed("FONT[1]"), (line_path(3), "Font [ 1 ]= 0\n".to_owned()));
    assert_eq!(changed("last"), (line_path(13), "last=0;=\n".to_owned()));
    assert_eq!(changed("none"), (line_path(6), "none=0\n".to_owned()));
}

#[test]
fn adds_a_key_after_the_last_key_or_text_of_the_section() {
    let added = |text: &str, key: &str| {
        let made = change(&read_xngine(text), &["a"], FieldChange::Add(key, &"1 2".into())).unwrap();
        match made.unwrap().as_slice() {
            [RecordChange::Insert(_, at, line)] => (*at, line.as_str().unwrap().to_owned()),
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(added("[a]\r\nx=1\r\nword\r\n\r\n; b\r\n[b]\r\n", "y"), (3, "y=1 2\r\n".to_owned()));
    assert_eq!(added("[a]\n[b]\nx=1\n[a]\nx=1\n", "y [ 0 ]"), (1, "y[0]=1 2\n".to_owned()));
}

#[test]
fn refuses_values_that_would_not_be_read_back() {
    let message = |ini: &Ini, value: &str| set(ini, "a", "[x", value).map_err(|error| error.to_string());
    let xngine = read_xngine("[a]\n[x=1\n");
    for (value, why) in [
        ("1\n2", "contains a line break"),
        ("1\0", "contains a NUL"),
        (" 1", "starts or ends with a blank"),
        ("1;2", "contains a \";\""),
        ("1]", "would change the meaning of the line"),
    ] {
        let message = message(&xngine, value).unwrap_err();
        assert!(message.contains(why), "{message}");
    }
    assert!(message(&read(b"[a]\n[x=1\n").unwrap(), "1;2").unwrap().is_some());
    for key in ["a;b", "a=b", "", "a\nb", " "] {
        assert_eq!(change(&xngine, &["a"], FieldChange::Add(key, &"1".into())).unwrap(), None, "{key}");
    }
    let section = json::json!({ "x": "1" });
    for name in ["a;b", "a]", "a\n"] {
        assert_eq!(change(&xngine, &[], FieldChange::Add(name, &section)).unwrap(), None, "{name}");
    }
}

#[test]
fn refuses_text_of_another_character_set_with_its_line() {
    let error = encode(&["a=1\n".into(), "b=\u{c720}\n".into()], Charset::Cp437).unwrap_err();
    assert!(error.to_string().contains("lines[1]") && error.to_string().contains("cp437"), "{error}");
}

#[test]
fn changes_of_lines_keep_everything_around_a_value() {
    let syntax = Syntax::xngine(Charset::Cp437);
    let text = |ini: &Ini| String::from_utf8(ini.write()).unwrap();
    let mut ini = Ini::parse(b"[a]\r\nx\t=  5 ; five\r\ny=", syntax).unwrap();
    ini.set_value(2, "-7").unwrap();
    ini.insert_key(3, "z[0]", "1, 2").unwrap();
    ini.insert_key(1, "w", "").unwrap();
    ini.append_section("b").unwrap();
    assert_eq!(text(&ini), "[a]\r\nw=\r\nx\t=  -7 ; five\r\ny=\r\nz[0]=1, 2\r\n\r\n[b]\r\n");
    let before = ini.clone();
    for (line, value) in [(1, "1"), (9, "1"), (0, "1"), (3, "a;b"), (3, "a\nb"), (3, "☺☻€")] {
        assert!(ini.set_value(line, value).is_err(), "{line} {value}");
    }
    for (line, key, value) in [(20, "k", "1"), (0, "k", "1"), (1, "k=", "1"), (1, ";k", "1"), (1, "k", "1;2")]
    {
        assert!(ini.insert_key(line, key, value).is_err(), "{line} {key} {value}");
    }
    assert_eq!(ini, before);
}
