//! Tables of synthetic settings, as products and as views.

use json::json;
use proof::{exported, names, packed, unpacked};

use super::super::FORMAT;
use super::*;
use record::Source;

const ITEMS: &str = "; items\r\n[items]\r\nstart_item_list=1\r\n; lamp\r\nname[0]=?abc ; short\r\ntype[0]\t=\t0\t; general\r\n\r\n; gold\r\n\
                     name[1] = &xyz\r\nadd_item_list[1]=0, 0\r\ntotal[1]=9\r\nplayer_max[1]=9\r\n";

const COMBAT: &str = "[misc]\nnode_timer=1\n[attack1]\ntype=0 ; melee\ndamage=5\n[attack0]\ntype=2\nnum_attacks=1\nattack00=1\n\n\
                      [taunt00]\nrtx_label=a\"b,\n[defend00]\nmax_range=1";

fn settings(text: &str) -> Settings {
    Settings::read(&Source::from(text.as_bytes().to_vec())).unwrap()
}

fn tables(text: &str) -> Vec<(String, String)> {
    let sink = exported(&FORMAT, &settings(text), "csv", &[]).0;
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    sink.files().iter().map(|(name, bytes)| (name.clone(), text(bytes))).collect()
}

/// Unpacks a file, edits one of its tables, and packs it.
fn edited(file: &str, table: &str, edit: impl FnOnce(&str) -> String) -> Result<String, String> {
    let folder = tempfile::tempdir().unwrap();
    unpacked(&FORMAT, file.as_bytes(), folder.path());
    assert_eq!(packed(&FORMAT, folder.path()).unwrap().0, file.as_bytes());
    let path = folder.path().join("views").join(format!("{table}.csv"));
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, edit(&text)).unwrap();
    match packed(&FORMAT, folder.path()) {
        Ok((bytes, _)) => Ok(String::from_utf8(bytes).unwrap()),
        Err(error) => Err(error.to_string()),
    }
}

#[test]
fn values_become_cells() {
    for (value, shown) in [
        (json!(null), ""),
        (json!(true), "1"),
        (json!(-5), "-5"),
        (json!([1, 2]), "\"1, 2\""),
        (json!([[1, 2], [3, 4]]), "\"1, 2; 3, 4\""),
        (json!([]), "\"\""),
        (json!("=x"), "\"'=x\""),
    ] {
        let rows = [vec![cell(Some(&value))]].into_iter();
        let csv = Table::new(["a"], rows).to_csv().unwrap();
        assert_eq!(String::from_utf8(csv).unwrap(), format!("a\r\n{shown}\r\n"), "{value}");
    }
}

#[test]
fn a_file_of_items_becomes_one_table() {
    let [(name, table)] = &tables(ITEMS)[..] else { panic!("one table") };
    let lines: Vec<&str> = table.split_terminator("\r\n").collect();
    assert_eq!(name, "out.csv");
    assert_eq!(lines[0], ITEMS_COLUMNS);
    assert_eq!(
        lines[1],
        "0,\"lamp\",\"?abc\",,,,0,\"general\",0,\"\",0,0,0,0,0,1,,0,,,,,,\"\",\"\",\"\",\"\",\"\""
    );
    assert_eq!(lines.len(), 3);
}

const ITEMS_COLUMNS: &str = "id,label,name,name_text,description,description_text,type,type_name,flags,flag_names,hide,total,player_max,\
    player_total,owned_at_start,selected_at_start,use_script,script_instances,bitmap,inventory_object_file,game_object_file,\
    hand_object_file,hilt_object_file,add_item_list,drop_add_item_list,required_item_list,remove_drop_item_list,drop_use_item_list";

#[test]
fn a_file_of_fights_becomes_a_folder_of_tables() {
    let found = tables(COMBAT);
    let names: Vec<&str> = found.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["out/attacks.csv", "out/defends.csv", "out/taunts.csv"]);
    assert!(found[0].1.contains("\r\n0,1,2,\"combo\","), "{}", found[0].1);
    assert!(found[2].1.contains("\"a\"\"b,\""), "{}", found[2].1);
}

#[test]
fn files_without_tables_are_not_converted() {
    assert!(names(&exported(&FORMAT, &settings("1,2\n63,\n"), "csv", &[]).0).is_empty());
}

#[test]
fn a_changed_cell_changes_only_its_value() {
    let set = |from: &'static str, to: &'static str| {
        edited(ITEMS, "items", |table| table.replacen(from, to, 1)).unwrap()
    };
    assert_eq!(set("\"?abc\"", "\"?new\""), ITEMS.replace("?abc", "?new"));
    assert_eq!(
        set("\"&xyz\",,,,0", "\"&xyz\",,,,3"),
        ITEMS.replace("player_max[1]=9\r\n", "player_max[1]=9\r\ntype[1]=3\r\n")
    );
    assert_eq!(set("\"0, 0\"", "0"), ITEMS.replace("0, 0", "0"));
    // A spreadsheet may write the file without quotes and in another order.
    let plain = edited(ITEMS, "items", |table| {
        let mut lines: Vec<String> =
            table.lines().map(|line| line.replace("\"?abc\"", "?new").replace('\r', "")).collect();
        lines[1..].reverse();
        lines.join("\n")
    });
    assert_eq!(plain.unwrap(), ITEMS.replace("?abc", "?new"));
}

#[test]
fn cells_of_numbered_sections_are_stored_under_their_names() {
    let set = |table, from: &'static str, to: &'static str| {
        edited(COMBAT, table, |text| text.replacen(from, to, 1)).unwrap()
    };
    assert_eq!(set("attacks", "\r\n1,1,0,", "\r\n1,1,3,"), COMBAT.replace("type=0 ;", "type=3 ;"));
    assert_eq!(
        set("attacks", "\r\n0,1,2,\"combo\",0,", "\r\n0,1,2,\"combo\",64,"),
        COMBAT.replace("attack00=1\n", "attack00=1\narc=64\n")
    );
    // The last line has no line break.
    let added = set("defends", "\r\n0,1,\"default\",0,", "\r\n0,1,\"default\",7,");
    assert_eq!(added, format!("{COMBAT}\narc=7\n"));
}

#[test]
fn settings_of_a_missing_section_are_added_at_the_end() {
    let file = "[system]\nvolume=5\n[xngine]\n";
    let set = edited(file, "settings", |table| {
        table.replacen("\"dialog\",\"menu_start_x\",0", "\"dialog\",\"menu_start_x\",35", 1).replacen(
            "\"dialog\",\"menu_start_y\",0",
            "\"dialog\",\"menu_start_y\",25",
            1,
        )
    });
    assert_eq!(set.unwrap(), format!("{file}\n[dialog]\nmenu_start_x=35\nmenu_start_y=25\n"));
}

#[test]
fn refuses_changes_that_are_not_values_of_the_file() {
    let refused = |from: &'static str, to: &'static str| {
        edited(ITEMS, "items", |table| table.replacen(from, to, 1)).unwrap_err()
    };
    for (from, to, reason) in [
        ("\"lamp\"", "\"light\"", "line 2: column label is computed from others and cannot be changed"),
        (
            "\"general\"",
            "\"torch\"",
            "line 2: column type_name is computed from others and cannot be changed",
        ),
        ("\r\n0,", "\r\n7,", "line 2: there is no row with id 7, or it occurs twice; rows cannot be added"),
        ("id,label", "id,color", "line 2: unknown column color"),
        ("\"?abc\"", "\"?a;c\"", "line 2: column name: the value \"?a;c\" contains a \";\""),
        ("\"?abc\"", "\"?☺☻€\"", "line 2: column name: \"name[0]=?☺☻€"),
    ] {
        let error = refused(from, to);
        assert!(error.starts_with("views/items.csv: ") && error.contains(reason), "{error}");
    }
    let removed =
        edited(ITEMS, "items", |table| table.lines().take(2).map(|line| format!("{line}\r\n")).collect());
    assert_eq!(removed.unwrap_err(), "views/items.csv: rows are missing and cannot be removed: 1");
}
