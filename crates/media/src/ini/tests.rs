//! Reading and writing settings.

use proptest::prelude::*;

use super::*;

const TABLE: &[u8] = b"; remark\r\n[Room ambience]\r\nambience1 = SFX\\hum.ogg\r\n\r\n[hall]\r\nMesh Path=GFX\\map\\Hall.rmesh\r\nshape = 2C\r\nlarge = true\r\nshape = 9\r\nno value here\r\n[lost]\nmesh path=GFX\\map\\lost.rmesh\nshape=7\n[lost]\nmesh path = gfx/MAP/hall.RMESH\ncaf\xe9=\x81";

fn read(bytes: &[u8]) -> Result<Ini> {
    Ini::parse(bytes, Charset::Windows1252)
}

fn table() -> Ini {
    read(TABLE).unwrap()
}

/// Packs the record of a file.
fn packed(ini: &Ini) -> Vec<u8> {
    let json = json::to_vec(ini).unwrap();
    let record: Lines = json::from_slice(&json).unwrap();
    encode(&record.lines, Charset::Windows1252).unwrap()
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
    fn preserves_any_text(bytes in proptest::collection::vec(1_u8.., 1..200)) {
        let ini = read(&bytes).unwrap();
        prop_assert_eq!(&ini.write(), &bytes);
        let entries: usize = ini.sections().iter().map(|section| section.entries.len().saturating_add(1)).sum();
        prop_assert!(entries <= ini.lines.len());
        prop_assert_eq!(packed(&ini), bytes);
    }
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

#[test]
fn refuses_text_of_another_character_set_with_its_line() {
    let error = encode(&["a=1\n".into(), "b=\u{c720}\n".into()], Charset::Cp437).unwrap_err();
    assert!(error.to_string().contains("lines[1]") && error.to_string().contains("cp437"), "{error}");
}
