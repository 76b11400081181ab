use asset::Options;

use super::*;
use crate::tests::GAMES;

/// Returns the messages of a check of a table within a game folder with these files.
fn check_messages(schema: &'static Schema, table: &str, files: &[(&str, &str)]) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir_all(folder.path().join("GFX/map")).unwrap();
    for (name, text) in [("GFX/map/x.rmesh", ""), ("Data/table.ini", table)].iter().chain(files) {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    let install = asset::game::install_around(&folder.path().join("GFX/map/x.rmesh"), GAMES).unwrap();
    let options = Options::default();
    let context = Context { install: &install, location: None, options: &options };
    let ini = Ini::parse(table.as_bytes(), asset::Charset::Windows1252).unwrap();
    let mut report = Report::new();
    check::check(schema, &ini, &context, &mut report);
    report.iter().map(|it| format!("{} {}: {}", it.code.id, it.path, it.message)).collect()
}

#[test]
fn reports_values_that_the_game_reads_differently() {
    let table = "[MTF]\nspeed=fast\nscale=0.29x\n[SCP-001]\nspeed=1\n[mtf]\nspeed=1\n[Guard]\nspeed=1\nSPEED=2\nsize=1\nfast\n";
    assert_eq!(
        check_messages(&schema::NPCS, table, &[]),
        [
            "TABLE-W003 MTF.speed: \"fast\" is read as 0",
            "TABLE-W003 MTF.scale: \"0.29x\" is read as 0.29",
            "TABLE-N009 SCP-001: the game does not read this section",
            "TABLE-W010 mtf: the section is in line 1, too; the game only reads the first",
            "TABLE-N011 Guard.SPEED: the key is in line 9, too; the game only reads the first",
            "TABLE-N008 Guard.size: the game does not read this key",
            "TABLE-N012 lines[11]: a line without \"=\" is ignored: \"fast\"",
        ]
    );
}

#[test]
fn checks_colors_switches_bounds_sounds_and_names_of_drinks() {
    let table = "[a|b]\ncolor=1,2\nglow=yes\nalpha=2\nblur=1.5\nsound=SFX\\no.ogg\ndispensesound=SFX\\is.ogg\n[c|B]\ncolor=1,2,3\n";
    assert_eq!(
        check_messages(&schema::DRINKS, table, &[("SFX/is.ogg", "")]),
        [
            "TABLE-W005 a|b.color: \"1,2\" is not a color (expected three numbers from 0 to 255)",
            "TABLE-W004 a|b.glow: \"yes\" is read as false",
            "TABLE-W007 a|b.alpha: 2 is out of range (0 to 1)",
            "TABLE-W003 a|b.blur: \"1.5\" is read as 1",
            "TABLE-W001 a|b.sound: sound \"SFX\\no.ogg\" was not found",
            "TABLE-W016 c|B: \"b\" is in line 1, too; the game only serves the first",
        ]
    );
}

#[test]
fn does_not_look_up_files_of_a_missing_folder() {
    let table = "[s0]\nimage=a\n[s1]\nimage=b\n";
    assert_eq!(
        check_messages(&schema::ACHIEVEMENTS, table, &[]),
        ["TABLE-N015 : no files were found in \"GFX\": 2 names are not looked up"]
    );
    assert_eq!(
        check_messages(&schema::ACHIEVEMENTS, table, &[("GFX/menu/achievements/A.jpg", "")]),
        ["TABLE-W001 s1.image: image \"GFX\\menu\\achievements\\b.jpg\" was not found"]
    );
}

#[test]
fn checks_rooms_of_events_only_with_a_table_of_rooms() {
    let table = "[alarm]\nroom1=Start\nroom2=strat\n";
    assert_eq!(check_messages(&schema::EVENTS, table, &[]), [""; 0]);
    assert_eq!(
        check_messages(&schema::EVENTS, table, &[("Data/rooms.ini", "[start]\n")]),
        ["TABLE-W002 alarm.room2: room \"strat\" is not in Data/rooms.ini"]
    );
}

#[test]
fn counts_of_chunks_and_objects_are_inclusive() {
    let table = "[general]\ncount=1\n[chunk0]\ncount=1\nobj0=16\nobj0-yaw=RANDOM\nobj1-x=1\n[chunk2]\ncount=0\nobj0=1\nobj1=2\nobj1-yaw=no\n";
    assert_eq!(
        check_messages(&schema::CHUNKS, table, &[]),
        [
            "TABLE-W007 chunk0.obj0: 16 is out of range (1 to 15)",
            "TABLE-W003 chunk2.obj1-yaw: \"no\" is read as 0",
            "TABLE-W013 general: count is 1, but [chunk1] is missing",
            "TABLE-N014 chunk2: the chunk is unused: count is 1",
            "TABLE-W013 chunk0: count is 1, but \"obj1\" is missing",
            "TABLE-N014 chunk2.obj1: the object is unused: count is 0",
        ]
    );
}

#[test]
fn limits_the_list_of_missing_chunks() {
    let table = "[general]\ncount=4000000000\n";
    assert_eq!(check_messages(&schema::CHUNKS, table, &[]).len(), 65);
}

#[test]
fn words_and_switches_of_bones_are_case_sensitive() {
    let table =
        "[Guard]\nhead_controlleraxis1=Pitch\nhead_controlleraxis1_inverse=True\nhead_controller_max=4\n";
    assert_eq!(
        check_messages(&schema::NPC_BONES, table, &[]),
        [
            "TABLE-W006 Guard.head_controlleraxis1: \"Pitch\" is unknown (known: pitch, yaw, roll)",
            "TABLE-W004 Guard.head_controlleraxis1_inverse: \"True\" is read as false",
            "TABLE-W007 Guard.head_controller_max: 4 is out of range (0 to 3)",
        ]
    );
}

#[test]
fn does_not_recognize_a_table_by_a_common_name_alone() {
    let probe = |name: &str, text: &str| {
        let probe = Probe::new(text.as_bytes(), 9, Some(name));
        (OPTIONS.probe)(&probe).max((EVENTS.probe)(&probe)).max((NPCS.probe)(&probe))
    };
    assert_eq!(probe("Options.INI", "[Options]\nHUD enabled = 1\n"), Some(Score::LIKELY));
    assert_eq!(probe("options.ini", "[options]\ncolour = 1\n"), Some(Score::NEVER));
    assert_eq!(probe("events.ini", "[party]\nwhen = now\n"), Some(Score::NEVER));
    assert_eq!(probe("NPCs.ini", "anything"), Some(Score::LIKELY));
}

#[test]
fn rows_have_typed_values_and_columns_for_all_keys() {
    let ini = Ini::parse(b"[a]\nSpeed=1.0\n[b]\nscale=x\nspeed=2\n", asset::Charset::Windows1252).unwrap();
    let table = Table::<Npcs> { ini, kind: PhantomData };
    let (columns, rows) = table.rows();
    assert_eq!(columns, ["name", "speed", "scale"]);
    assert_eq!(cells(&rows[1], &columns), [Cell::from("b"), Cell::from("2"), Cell::from("x")]);
    assert_eq!(table.to_json()[1]["speed"], "2", "values of an unknown section are text");
}
