use asset::{FolderSink, Guard, Options, Overwrite};

use super::*;

const TABLE: &[u8] = b"; remark\r\n[Room ambience]\r\nambience1 = SFX\\hum.ogg\r\n\r\n[hall]\r\nMesh Path=GFX\\map\\Hall.rmesh\r\nshape = 2C\r\nlarge = true\r\nshape = 9\r\nno value here\r\n[lost]\nmesh path=GFX\\map\\lost.rmesh\nshape=7\n[lost]\nmesh path = gfx/MAP/hall.RMESH\ncaf\xe9=\x81";

#[test]
fn checks_the_table_against_the_folder() {
    let folder = std::env::temp_dir().join(format!("antiquary-rooms-{}", std::process::id()));
    let mut sink = FolderSink::new(&folder, Guard::new(Overwrite::Allow).into());
    let files = [("Data/rooms.ini", TABLE), ("GFX/map/hall.rmesh", b"x"), ("GFX/map/mt1.rmesh", b"x")];
    for (name, bytes) in files {
        asset::Sink::put(&mut sink, name, bytes).unwrap();
    }
    sink.finish().unwrap();
    let install = asset::game::install_around(&folder.join("Data/rooms.ini"), crate::tests::GAMES).unwrap();
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
