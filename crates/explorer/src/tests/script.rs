//! Tests of scripts, references of fields, and kinds of files.

use antiquary::CATALOG;
use antiquary::asset::Links;
use antiquary::json::{Value, json};

use super::view::on_disk;
use super::{encoded, samples, single};
use crate::Explorer;

const MAP: &str = "samples/redguard/maps/ISLAND.RGM";

fn find(explorer: &Explorer, text: &str) -> Vec<Value> {
    let answer = explorer.ask(&format!("find?q={text}"));
    let bytes = super::content(&answer);
    let lines = bytes.split_inclusive(|byte| *byte == b'\n');
    lines.map(|line| antiquary::json::from_slice(line).unwrap()).collect()
}

#[test]
fn the_scripts_of_a_map_are_listed_with_their_owners() {
    let explorer = samples();
    let list = explorer.json(&format!("view/{MAP}?kind=script"));
    let scripts = list["scripts"].as_array().unwrap();
    let keeper = scripts.iter().find(|script| script["name"] == "KEEPER").unwrap();
    assert_eq!(keeper["field"], "sections[0].records[2]");
    assert_eq!(keeper["placed"], json!(["sections[13].records[0]"]));
    assert_eq!(keeper.get("text"), None);
    let about = explorer.json(&format!("asset/{MAP}"));
    assert!(about["views"].as_array().unwrap().iter().any(|view| view["kind"] == "script"));
}

#[test]
fn a_script_lists_the_references_of_its_lines() {
    let script = samples().json(&format!("view/{MAP}?kind=script&item=2"));
    let text: Vec<&str> = script["text"].as_str().unwrap().lines().collect();
    let names = script["names"].as_array().unwrap();
    let said = names.iter().find(|name| name["name"] == "tide").unwrap();
    assert_eq!(said["kind"], "line");
    let line = usize::try_from(said["line"].as_u64().unwrap()).unwrap();
    assert!(text[line - 1].contains("RTX('tide')"), "{text:?}");
    let offsets = script["offsets"].as_array().unwrap();
    assert!(offsets.contains(&json!([0xd2, line])), "{offsets:?}");
}

#[test]
fn reports_a_file_without_scripts() {
    let explorer = samples();
    let model = encoded("samples/redguard/fxart/WALKER01.3DC");
    let (status, text) = explorer.fault(&format!("view/{model}?kind=script"));
    assert_eq!(status, 422);
    assert!(text.contains("no scripts"), "{text}");
    assert_eq!(explorer.fault(&format!("view/{MAP}?kind=script&item=99")).0, 404);
}

#[test]
fn a_placed_actor_leads_to_its_record() {
    let links = samples().json(&format!("links/{MAP}?at=sections[13].records[0]"));
    assert_eq!(links["actor"]["name"], "KEEPER");
    assert_eq!(links["actor"]["field"], "sections[0].records[2]");
    assert_eq!(links["actor"]["attributes"]["attr_health"], 100);
    let names = links["names"].as_array().unwrap();
    assert!(
        names.iter().any(|name| name["kind"] == "model" && name["text"] == "fxart\\walker01.3d"),
        "{names:?}"
    );
    // The path of another record has the same prefix.
    let other = samples().json(&format!("links/{MAP}?at=sections[15].records[1]"));
    assert_eq!(other["actor"], Value::Null);
    assert_eq!(other["names"].as_array().unwrap().len(), 1);
}

#[test]
fn settings_of_a_world_lead_to_its_map_and_its_track() {
    let folder = on_disk();
    let explorer = Explorer::open(CATALOG, &[folder.path().join("redguard")], Links::Inside).unwrap();
    let links = |key: &str| {
        let at = encoded(&format!("world[\"{key}[1]\"]"));
        let links = explorer.json(&format!("links/redguard/WORLD.INI?at={at}"));
        let names = links["names"].as_array().unwrap().clone();
        names.into_iter().map(|name| (name["kind"].clone(), name["text"].clone())).collect::<Vec<_>>()
    };
    assert_eq!(links("world_map"), [(json!("map"), json!("maps\\island.rgm")), (json!("world"), json!("1"))]);
    assert!(links("world_redbook").contains(&(json!("track"), json!("5"))));
    assert_eq!(links("world_flash_filename"), [(json!("texture"), json!("system\\COMPASS.GXA"))]);
    let worlds = find(&explorer, "world:1");
    let maps = worlds.iter().filter(|file| file["path"] == "redguard/maps/ISLAND.RGM");
    assert_eq!(maps.count(), 1, "{worlds:?}");
    let tracks = find(&explorer, "track:5");
    assert_eq!(tracks[0]["places"][0]["field"], "world[\"world_redbook[1]\"]", "{tracks:?}");
}

#[test]
fn opens_an_occurrence_in_the_most_suitable_view() {
    let folder = on_disk();
    let explorer = Explorer::open(CATALOG, &[folder.path().join("redguard")], Links::Inside).unwrap();
    let view_of = |text: &str, file: &str| {
        let found = find(&explorer, text)
            .into_iter()
            .find(|it| it["path"].as_str().unwrap_or_default().ends_with(file));
        found.unwrap_or_else(|| panic!("{text} was not found in {file}"))["places"][0]["view"].clone()
    };
    assert_eq!(view_of("faster", "ENGLISH.RTX"), "table");
    assert_eq!(view_of("faster", "ISLAND.RGM"), "script");
    assert_eq!(view_of("lantrn01", "ISLAND.RGM"), "scene");
    assert_eq!(view_of("fights", "COMBAT.INI"), "text");
}

#[test]
fn a_row_of_a_table_is_found_by_its_text() {
    let explorer = samples();
    let table = encoded("samples/redguard/ENGLISH.RTX");
    let rows = explorer.json(&format!("view/{table}?kind=table"));
    let found = explorer.json(&format!("view/{table}?kind=table&find=TIDE&count=1"));
    let index = usize::try_from(found["found"].as_u64().unwrap()).unwrap();
    assert_eq!(rows["rows"][index][0], "tide");
    assert_eq!(explorer.json(&format!("view/{table}?kind=table&find=nowhere"))["found"], Value::Null);
    assert_eq!(rows["found"], Value::Null);
}

#[test]
fn every_format_with_an_extension_has_a_kind() {
    let session = samples().json("session");
    let kinds = session["kinds"].as_array().unwrap();
    let rules: Vec<&Value> = kinds.iter().flat_map(|kind| kind["rules"].as_array().unwrap()).collect();
    for format in session["formats"].as_array().unwrap() {
        for extension in format["extensions"].as_array().unwrap() {
            // Only the headers of videos are parsed.
            let is_known =
                rules.iter().any(|rule| rule["extensions"].as_array().unwrap().contains(extension));
            assert!(is_known || extension == "smk", "{format}");
        }
    }
    let scripts = kinds.iter().find(|kind| kind["id"] == "scripts").unwrap();
    assert!(scripts["rules"].as_array().unwrap().iter().any(|rule| rule["view"] == "script"));
}

#[test]
fn a_text_in_another_code_page_is_readable() {
    // "Привет, мир." in windows-1251.
    let bytes = [0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2, b',', b' ', 0xec, 0xe8, 0xf0, b'.'];
    let explorer = single("hello.txt", &bytes);
    let text = explorer.json("view/root/hello.txt?kind=text");
    assert_eq!((&text["text"], &text["charset"]), (&json!("Привет, мир."), &json!("windows-1251")));
    let western = explorer.json("view/root/hello.txt?kind=text&charset=windows-1252");
    assert_eq!(western["text"], "Ïðèâåò, ìèð.");
    assert_eq!(explorer.fault("view/root/hello.txt?kind=text&charset=none").0, 400);
}

#[test]
fn a_picture_of_a_common_kind_has_pixels_without_a_palette() {
    let explorer = samples();
    let picture = encoded("samples/scpcb/GFX/map/tiles.png");
    let pixels = explorer.json(&format!("view/{picture}?kind=pixels"));
    assert_eq!((&pixels["width"], &pixels["palette"]), (&json!(256), &Value::Null));
}
