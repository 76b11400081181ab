use asset::{Context, FolderSink, Guard, Install, Options, Overwrite, Report};
use proptest::prelude::*;

use super::*;

const TABLE: &[u8] = b"; remark\r\n[Room ambience]\r\nambience1 = SFX\\hum.ogg\r\n\r\n[hall]\r\nMesh Path=GFX\\map\\Hall.rmesh\r\nshape = 2C\r\nlarge = true\r\nshape = 9\r\nno value here\r\n[lost]\nmesh path=GFX\\map\\lost.rmesh\nshape=7\n[lost]\nmesh path = gfx/MAP/hall.RMESH\ncaf\xe9=\x81";

fn table() -> Ini {
    Ini::parse(TABLE).unwrap()
}

#[test]
fn every_byte_is_kept() {
    assert_eq!(table().write(), TABLE);
    let json = record::json::to_vec(&table()).unwrap();
    assert_eq!(record::json::from_slice::<Ini>(&json).unwrap().write(), TABLE);
}

#[test]
fn sections_and_keys_are_read_whatever_their_case_and_the_first_counts() {
    let table = table();
    let hall = table.section("HALL").unwrap();
    assert_eq!(hall.get("mesh path"), Some("GFX\\map\\Hall.rmesh"));
    assert_eq!(hall.get("Shape"), Some("2C"));
    assert!(hall.is_on("large") && !hall.is_on("disabledecals"));
    assert_eq!(table.section("room AMBIENCE").unwrap().get("ambience1"), Some("SFX\\hum.ogg"));
    assert_eq!(table.sections().last().unwrap().get("café"), Some("\u{81}"));
}

#[test]
fn every_byte_is_explained_in_order() {
    let (mut next, mut seen) = (0, Vec::new());
    table().trace(&mut |span: Span<'_>| {
        assert_eq!(span.start, next);
        next = span.end;
        seen.push(format!("{} = {}", span.path, span.value));
        Visit::Continue
    });
    assert_eq!(next, TABLE.len() as u64);
    assert!(seen.contains(&"hall.shape = 2C".to_owned()), "{seen:#?}");
    assert!(seen.contains(&"lines[0] = ; remark".to_owned()), "{seen:#?}");
}

#[test]
fn binary_data_is_refused() {
    assert_eq!(Ini::parse(b"").unwrap_err().offset(), Some(0));
    assert_eq!(Ini::parse(b"[a]\n\0").unwrap_err().offset(), Some(4));
}

#[test]
fn the_table_is_checked_against_the_folder() {
    let folder = std::env::temp_dir().join(format!("antiquary-rooms-{}", std::process::id()));
    let mut sink = FolderSink::new(&folder, Guard::new(Overwrite::Allow).into());
    let files = [("Data/rooms.ini", TABLE), ("GFX/map/hall.rmesh", b"x"), ("GFX/map/mt1.rmesh", b"x")];
    for (name, bytes) in files {
        asset::Sink::put(&mut sink, name, bytes).unwrap();
    }
    sink.finish().unwrap();
    let install = Install::around(&folder.join("Data/rooms.ini"), crate::tests::GAMES).unwrap();
    let options = Options::default();
    let context = Context {
        install: &install,
        location: install.location_of(&folder.join("GFX/map/hall.rmesh")),
        options: &options,
    };
    let mut report = Report::new();
    let rooms = (rooms::FORMAT.open)(&Source::from_bytes(TABLE), &mut report).unwrap();
    rooms.check(&context, &mut report);
    let found: Vec<_> = report.iter().map(|warning| (warning.code.id, warning.message.as_str())).collect();
    let about_hall = rooms::of_room(&context).unwrap();
    let sound = rooms::ambience(&context, 1);
    std::fs::remove_dir_all(&folder).unwrap();
    assert_eq!(
        found,
        [
            ("ROOMS-W001", "[lost] mesh \"GFX\\map\\lost.rmesh\" was not found"),
            ("ROOMS-W004", "[lost] unknown shape \"7\" (known: 1, 2, 2C, 3, 4)"),
            ("ROOMS-W005", "[room ambience] sound \"SFX\\hum.ogg\" was not found"),
            ("ROOMS-W003", "[lost] occurs 2 times"),
            ("ROOMS-N002", "\"GFX/map/mt1.rmesh\" has no entry"),
        ]
    );
    assert_eq!((&about_hall["name"], &about_hall["shape"]), (&"hall".into(), &"2C".into()));
    assert!(matches!(sound, rooms::Ambience::File(file) if file == "SFX\\hum.ogg"));
}

#[test]
fn too_many_lines_are_refused_where_they_begin() {
    let most = "a=1\n".repeat(MOST_LINES);
    assert!(Ini::parse(most.as_bytes()).is_ok());
    let error = Ini::parse(format!("{most}[b]\n").as_bytes()).unwrap_err();
    assert_eq!((error.kind(), error.offset()), (record::Kind::Limit, Some(most.len() as u64)));
}

proptest! {
    #[test]
    fn any_text_is_kept(bytes in proptest::collection::vec(1_u8.., 1..200)) {
        let ini = Ini::parse(&bytes).unwrap();
        prop_assert_eq!(&ini.write(), &bytes);
        let entries: usize = ini.sections().iter().map(|section| section.entries.len() + 1).sum();
        prop_assert!(entries <= ini.lines.len());
        let json = record::json::to_vec(&ini).unwrap();
        prop_assert_eq!(record::json::from_slice::<Ini>(&json).unwrap().write(), bytes);
    }
}
