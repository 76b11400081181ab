//! Settings as read by the game.

use std::sync::Arc;

use asset::{FixedText, Install, Options};
use files::layer::MemoryLayer;
use json::json;

use super::value::{indexed, integer};
use super::world::Worlds;

use super::*;
use crate::sound::rtx::{Content, Dialogue};

fn settings(text: &str) -> Settings {
    Settings::read(&Source::from(text.as_bytes().to_vec())).unwrap()
}

fn typed(text: &str) -> Value {
    settings(text).typed(None).root().to_value()
}

fn reported(text: &str) -> Vec<(&'static str, String)> {
    let (install, options, mut report) = (Install::empty(), Options::default(), Report::new());
    let context = Context { install: &install, location: None, options: &options };
    settings(text).check(&context, &mut report);
    report.iter().map(|it| (it.code.id, it.message.clone())).collect()
}

/// Returns the warnings in a game with two lines of dialogue.
fn reported_in_game(text: &str) -> Vec<(&'static str, String)> {
    let line = |tag, text| (FixedText::new(tag).unwrap(), Content::new(text).unwrap());
    let dialogue = Dialogue::new(vec![line("?lmp", "SHIP'S LAMP"), line("cilm", "A lamp of green glass.")]);
    let mut bytes = Vec::new();
    dialogue.write(&mut bytes).unwrap();
    let files = [("ENGLISH.RTX", Source::from(bytes))];
    let layer = MemoryLayer::new("game", files).unwrap();
    let install = Install::new(vec![Arc::new(layer)]).with_game("redguard", Charset::Cp437);
    let (options, mut report) = (Options::default(), Report::new());
    settings(text).check(&Context { install: &install, location: None, options: &options }, &mut report);
    report.iter().map(|it| (it.code.id, it.message.clone())).collect()
}

#[test]
fn looks_up_labels_in_the_dialogue() {
    let text = "[items]\nname[0]=?lmp\ndescription[0]=NONE\nname[1]=\n";
    let missing = ("INI-W010", "line 3: dialogue line \"NONE\" was not found".to_owned());
    assert_eq!(reported_in_game(text), [missing]);
    // Without dialogue, labels cannot be checked.
    assert!(reported(text).is_empty());
    let taunts = "[attack00]\ndamage=1\n[taunt01]\nrtx_label=cilm\n[taunt02]\nrtx_label=0000\n";
    let missing = ("INI-W010", "line 6: dialogue line \"0000\" was not found".to_owned());
    assert_eq!(reported_in_game(taunts), [missing]);
}

#[test]
fn reads_leading_digits_of_numbers() {
    for (text, number) in [
        ("on", 1),
        ("YES", 1),
        ("no", 0),
        ("", 0),
        ("12x", 12),
        ("-7", -7),
        ("+3", 3),
        ("x", 0),
        ("99999999999", i32::MAX),
    ] {
        assert_eq!(integer(text), number, "{text}");
    }
    assert_eq!(indexed("World_Map[ 7 ]"), Some(("world_map".to_owned(), 7)));
    for key in ["world_map", "a[-1]", "a[99999999999999999999]", "a[x]", "a[]x"] {
        assert_eq!(indexed(key), None, "{key}");
    }
}

#[test]
fn the_first_of_repeated_keys_and_the_first_world_of_a_map_win() {
    let text = "[ WORLD ]\nworld_map[7]=maps\\B.rgm\nworld_map[1] = MAPS\\a.RGM\nworld_map[1]=other\norld_ambientfx[8]=1\n\
                world_map[30]=a.rgm\nworld_wave[1]=1, 2,3,4\nworld_node_map2[1]=second\nworld_node_map1[1]=first\nworld_palette[1]=X.COL\n";
    let worlds = Worlds::read(settings(text).ini());
    assert_eq!(worlds.worlds.iter().map(|it| it.id).collect::<Vec<_>>(), [1, 7, 30]);
    let one = worlds.get(1).unwrap();
    assert_eq!((one.map.as_deref(), one.wave), (Some("MAPS\\a.RGM"), Some([1, 2, 3])));
    assert_eq!(one.node_maps, ["first", "second"]);
    let registered = worlds.of_map("A").unwrap();
    assert_eq!((registered.world, registered.alternatives), (1, vec![30]));
    assert_eq!(registered.palette.as_deref(), Some("X.COL"));
    assert_eq!(worlds.of_map("C"), None);
    assert_eq!(
        reported(text),
        [
            (
                "INI-N002",
                "line 4: \"world_map[1]\" is already set in line 3, which takes precedence".to_owned()
            ),
            (
                "INI-W001",
                "line 5: the game ignores \"orld_ambientfx[8]\"; did you mean \"world_ambientfx[8]\"?"
                    .to_owned()
            ),
        ]
    );
}

#[test]
fn items_have_number_lists_and_the_comment_above_as_name() {
    let text = "[items]\nstart_item_list=1\n; compass\nname[0] = 12\nadd_item_list[0]=1, 2\nname[0]=x\n\nhand_object_file[2]=A.3D\n";
    let expected = json!({ "items": [
        { "id": 0, "label": "compass", "name": "12", "add_item_list": [1, 2] },
        { "id": 2, "label": null, "hand_object_file": "A.3D" },
    ] });
    assert_eq!(typed(text), expected);
}

#[test]
fn gaps_end_the_lists_of_attacks() {
    let text =
        "[attack00]\ndamage=1\n[attack02]\ndamage=1\n[defend00]\nmax_range=9\n[taunt600]\nrtx_label=1234\n";
    assert_eq!(
        reported(text),
        [("INI-W003", "attack01 is missing, so the game does not load the 1 attack after it".to_owned())]
    );
    assert_eq!(typed(text)["taunts"], json!([{ "index": 600, "rtx_label": "1234" }]));
}

#[test]
fn the_first_assignment_of_a_surface_wins_and_a_zero_ends_the_list() {
    let text = "[surfaces]\n302,all,SAND\n302,0,ROCK\n302, 5 , Water\n0,0,tile\n302,6,wood\n302,7,grass\n[water]\n9 = 10\n11 12\n9=13\n";
    let typed = typed(text);
    assert_eq!(typed["terrain_surface_302"][0], "sand");
    assert_eq!(typed["terrain_surface_302"][5], "water");
    assert_eq!(typed["terrain_surface_302"][6], "unknown");
    assert_eq!(typed["sound_remaps"]["water"], json!({ "9": 13, "11": 12 }));
    assert_eq!(
        reported(text),
        [
            ("INI-W005", "line 7: unknown surface \"grass\"".to_owned()),
            ("INI-W006", "line 5 ends the list: 2 lines after it are not read".to_owned()),
        ]
    );
}

#[test]
fn fog_tables_are_filled_in_steps() {
    let typed = typed("; fog\n2,7\n4, 9\n63,\n");
    assert_eq!(typed["table"].as_array().unwrap()[..6], [0, 0, 7, 7, 9, 9].map(Value::from));
    assert_eq!((&typed["table"][62], &typed["table"][63]), (&json!(9), &json!(0)));
    assert_eq!(
        reported("5,1\n5,300\n64,1\nx\n"),
        [
            ("INI-W007", "line 2: index 5 is not greater than the previous index 5".to_owned()),
            ("INI-W007", "line 3: index 64 (valid: 0 to 63)".to_owned()),
            ("INI-W007", "line 4: expected INDEX,DENSITY".to_owned()),
        ]
    );
}

#[test]
fn subtitles_of_movies_keep_their_commas() {
    let text = "[page3]\nmovie_name[0]=A.SMK\nmovie0_text[1]=255,0,0,5,9,Two\nmovie0_text[0]=255,0,0,1,4,One, two\ntext[0]=Go\naction[0]=-2\n";
    let expected = json!({
        "pages": [{ "page": 3, "texts": ["Go"], "actions": [-2] }],
        "movies": [{ "name": "A.SMK", "subtitles": [[1, 4, "One, two"], [5, 9, "Two"]] }],
    });
    assert_eq!(typed(&format!("[general]\npreload_sprites=1\n{text}")), expected);
}

#[test]
fn reads_words_and_values_of_a_driver() {
    let text = "; driver\nDEVICE    Sound Blaster ; card\nIO_ADDR   220h\n";
    assert_eq!(settings(text).kind(), Some(Kind::Driver));
    assert_eq!(typed(text), json!({ "settings": { "DEVICE": "Sound Blaster", "IO_ADDR": "220h" } }));
}

#[test]
fn recognizes_the_kind_of_a_file_by_its_content() {
    for (text, kind) in [
        ("[World]\n", Some(Kind::World)),
        ("[x]\nNext_Key = 5\n", Some(Kind::Keys)),
        ("1,2\n[surfaces]\n", Some(Kind::Surface)),
        ("1,2\n", Some(Kind::Fog)),
        ("[video]\nwidth=5\n", None),
    ] {
        assert_eq!(settings(text).kind(), kind, "{text}");
        assert_eq!(Kind::of_text(text), kind, "{text}");
    }
}
