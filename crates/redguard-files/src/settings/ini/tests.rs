//! Settings as read by the game.

use std::collections::BTreeSet;
use std::sync::Arc;

use asset::{FixedText, Install, Options};
use files::layer::MemoryLayer;
use json::json;

use super::value::{indexed, integer};
use super::world::{WaveKeys, Worlds};

use super::*;
use crate::sound::rtx::{Content, Dialogue};
use crate::sound::sfx::{Effect, SoundBank};
use scene::sound::{Depth, SampleFormat, Sound};

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

/// Runs a function in a game with four lines of dialogue and one sound effect.
fn in_game<T>(run: impl FnOnce(&Context<'_>) -> T) -> T {
    let line = |tag, text| (FixedText::new(tag).unwrap(), Content::new(text).unwrap());
    let dialogue = Dialogue::new(vec![
        line("?lmp", "SHIP'S LAMP"),
        line("cilm", "A lamp of green glass."),
        line("?BAD", "₧none"),
        line("?emp", ""),
    ]);
    let mut lines = Vec::new();
    dialogue.write(&mut lines).unwrap();
    let form = SampleFormat { rate: 22050, channels: 1, depth: Depth::Sixteen };
    let effect = Effect::new(&Sound { form, data: vec![0; 4], loops: None }, 100).unwrap();
    let effects = SoundBank::new(vec![effect]).write().unwrap();
    let files = [("ENGLISH.RTX", Source::from(lines)), ("sound/MAIN.SFX", Source::from(effects))];
    let layer = MemoryLayer::new("game", files).unwrap();
    let install = Install::new(vec![Arc::new(layer)]).with_game("redguard", Charset::Cp437);
    run(&Context { install: &install, location: None, options: &Options::default() })
}

fn reported_in_game(text: &str) -> Vec<(&'static str, String)> {
    let mut report = Report::new();
    in_game(|context| settings(text).check(context, &mut report));
    report.iter().map(|it| (it.code.id, it.message.clone())).collect()
}

#[test]
fn looks_up_labels_in_the_dialogue() {
    let text = "[items]\nname[0]=?LMPx\ndescription[0]=NONE\nname[1]=\n";
    let missing = ("INI-W010", "line 3: dialogue line \"NONE\" was not found".to_owned());
    assert_eq!(reported_in_game(text), [missing]);
    // Without dialogue, labels cannot be checked.
    assert!(reported(text).is_empty());
    let taunts = "[misc]\n[attack00]\ndamage=1\n[taunt01]\nrtx_label=CILM\n[taunt02]\nrtx_label=0000\n";
    let missing = ("INI-W010", "line 7: dialogue line \"0000\" was not found".to_owned());
    assert_eq!(reported_in_game(taunts), [missing]);
}

#[test]
fn labels_find_texts_by_four_characters_in_any_case() {
    let typed = |text: &str| in_game(|context| settings(text).typed(Some(context)).root().to_value());
    let taunts = typed("[taunt00]\nrtx_label=CILM2\n[taunt01]\nrtx_label=none\n")["taunts"].clone();
    assert_eq!((&taunts[0]["label"], &taunts[0]["text"]), (&json!("CILM"), &json!("A lamp of green glass.")));
    assert_eq!((&taunts[1]["label"], &taunts[1]["text"]), (&json!("none"), &json!(null)));
    // The inventory shows no text that starts with byte 0x9E.
    let items = typed("[items]\nname[0]=?bad\ndescription[0]=CIlm ; lamp\nname[1]=?EMP\n")["items"].clone();
    assert_eq!(
        (&items[0]["name_text"], &items[0]["description_text"]),
        (&json!(null), &json!("A lamp of green glass."))
    );
    assert_eq!(items[1]["name_text"], json!(""));
}

#[test]
fn reports_sounds_that_the_game_does_not_have() {
    let text = "[misc]\nsword_clank_1=0\nsword_clank_2=1\n[attack00]\ntype=0\ndefense=5\n";
    let sound = "line 3: sword_clank_2 is 1, but MAIN.SFX has only sounds 0 to 0".to_owned();
    let defense = "line 6: defense is 5 (valid: 0 to 4)".to_owned();
    assert_eq!(reported_in_game(text), [("INI-W011", defense.clone()), ("INI-W012", sound)]);
    assert_eq!(reported(text), [("INI-W011", defense)]);
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
    let wave = WaveKeys { amplitude: 1.0, speed: 2, frequency: 3 };
    assert_eq!((one.map.as_deref(), one.wave), (Some("MAPS\\a.RGM"), Some(wave)));
    assert_eq!(one.node_maps, ["first", "second"]);
    let registered = worlds.of_map("A").unwrap();
    assert_eq!((registered.world, registered.alternatives), (1, vec![30]));
    assert_eq!(registered.palette.as_deref(), Some("X.COL"));
    assert_eq!(worlds.of_map("C"), None);
    assert_eq!(
        reported(&format!("{text}start_world=1\nstart_marker=0\n")),
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
fn items_have_all_fields_and_the_comment_above_as_label() {
    let text = "[items]\nstart_item_list=1\n; compass\nname[0] = 12 ; name\nadd_item_list[0]=1, 2\nname[0]=x\n\nhand_object_file[2]=A.3D\n\
                [ITEMS]\nFlags [ 2 ] = 5\nbitmap[2]=\n";
    let items = typed(text)["items"].clone();
    let zero = json!({
        "id": 0, "label": "compass", "type": 0, "type_name": "general", "flags": 0, "flag_names": [], "hide": 0, "total": 0,
        "player_max": 0, "player_total": 0, "name": "12", "name_text": null, "description": null, "description_text": null,
        "use_script": null, "script_instances": 0, "bitmap": null, "inventory_object_file": null, "game_object_file": null,
        "add_item_list": [1, 2], "drop_add_item_list": [], "required_item_list": [], "remove_drop_item_list": [],
        "drop_use_item_list": [], "hand_object_file": null, "hilt_object_file": null, "owned_at_start": 0, "selected_at_start": true,
    });
    assert_eq!(items[0], zero);
    let two = &items[1];
    assert_eq!((&two["label"], &two["hand_object_file"]), (&json!(null), &json!("A.3D")));
    assert_eq!(
        (&two["flag_names"], &two["bitmap"]),
        (&json!(["empty_on_drop", "empty_after_use"]), &json!(null))
    );
}

#[test]
fn the_first_item_is_selected_and_a_torch_burns_at_least_a_tick() {
    let header = typed("[items]\ntype[45]=3\ntotal[50]=1\n")["header"].clone();
    let expected = json!({
        "bitmap_file": null, "bitmap_selected_file": null, "start_item_list": [], "start_item_select": 45, "additional_length": 0,
        "weapon_sphere_size": 0, "default_weapon_item": 0, "torch_time": 1, "torch_ticks": 2,
    });
    assert_eq!(header, expected);
}

#[test]
fn reports_items_that_do_not_exist() {
    let text = "[items]\nstart_item_list=1, 9\nstart_item_select=1\nadd_item_list[1]=1, -2, 99\nname=?abc\ntype[1]=4\n";
    assert_eq!(
        reported(text),
        [
            ("INI-W011", "line 6: type[1] is 4 (valid: 0 to 3)".to_owned()),
            (
                "INI-W001",
                "line 5: the game ignores \"name\"; it needs an index, as in \"name[0]\"".to_owned()
            ),
            ("INI-W012", "line 2: start_item_list contains 9, but there is no item 9".to_owned()),
            ("INI-W012", "line 4: add_item_list[1] contains -2, 99, but there are no such items".to_owned()),
        ]
    );
}

#[test]
fn gaps_end_the_lists_of_attacks() {
    let text = "[misc]\n[attack00]\ndamage=1\n[attack02]\ndamage=1\n[defend00]\nmax_range=9\n[taunt600]\nrtx_label=1234x\n";
    let gap = "line 4: attack01 is missing, so the game does not load the 1 attack from here on".to_owned();
    assert_eq!(reported(text), [("INI-W003", gap)]);
    let taunt = json!({
        "index": 600, "type": 0, "type_name": "begin_combat", "rtx_label": "1234x", "animation": 0, "label": "1234", "text": null,
        "animation_group": null, "animation_group_name": null,
    });
    assert_eq!(typed(text)["taunts"], json!([taunt]));
    let last = "[misc]\n[defend00]\nmax_range=1\n[defend01]\nmax_range=0\narc=4\n[defend02]\nmax_range=1\n";
    let end =
        "line 4: defend01 has no max_range, so the game does not load the 1 defense after it".to_owned();
    assert_eq!(reported(last), [("INI-W003", end)]);
}

#[test]
fn an_attack_is_loaded_if_its_damage_or_type_has_any_text() {
    let loaded = |text: &str| {
        let attacks = typed(&format!("[misc]\n{text}"))["attacks"].clone();
        attacks.as_array().unwrap().iter().map(|it| it["loaded"] == true).collect::<Vec<_>>()
    };
    let zeros = "[attack00]\ntype=0\ndamage=\n[attack1]\nDAMAGE=0 ; none\n[attack02]\ntype=0\n";
    assert_eq!(loaded(zeros), [true, true, true]);
    assert!(reported(&format!("[misc]\n{zeros}")).is_empty());
    let text = "[attack00]\ntype=4\n[attack01]\ndamage=;\ntype= \narc=5\n[attack02]\ndamage=5\n";
    assert_eq!(loaded(text), [true, false, false]);
    let end = "line 4: attack01 has no damage and no type, so the game does not load the 1 attack after it";
    assert_eq!(reported(&format!("[misc]\n{text}")), [("INI-W003", end.to_owned())]);
}

#[test]
fn the_first_of_two_sections_with_the_same_number_counts() {
    let text = "[misc]\n[attack1]\ndamage=4\n[attack0]\ndamage=3\n[attack01]\ndamage=5\n";
    let damage = |at: usize| typed(text)["attacks"][at]["damage"].clone();
    assert_eq!([damage(0), damage(1)], [json!(3), json!(4)]);
    let same =
        "line 6: [attack01] has the same number as [attack1] in line 2, which takes precedence".to_owned();
    assert_eq!(reported(text), [("INI-W003", same)]);
}

#[test]
fn a_combo_has_the_ranges_and_the_damage_of_its_parts() {
    let text = "[misc]\n[attack00]\ntype=0\nmax_range=45000\ndamage=10\n[attack01]\ntype=3\nmin_range=500\nmax_range=30000\ndamage=15\n\
                [attack02]\ntype=2\nnum_attacks=2\nattack01=1\nattack02=9\ndamage=99\n[attack03]\ntype=2\n\
                [attack04]\ntype=2\nnum_attacks=3\nattack01=77\n";
    let attacks = typed(text)["attacks"].clone();
    let facts = |at: usize| ["parts", "range", "damage_total"].map(|name| attacks[at][name].clone());
    assert_eq!(facts(1), [json!(null), json!([500, 30000]), json!(15)]);
    assert_eq!(facts(2), [json!([0, 1]), json!([0, 45000]), json!(25)]);
    assert_eq!(facts(3), [json!([]), json!([65535, -1]), json!(0)]);
    let missing = "line 22: attack01 of [attack04] is attack 77, which is not loaded".to_owned();
    assert_eq!(reported(text), [("INI-W012", missing)]);
}

#[test]
fn animations_have_the_names_of_their_groups_and_of_the_comments() {
    let text = "; ANIM_other = 24 ; renamed\n[misc]\n[attack00]\ntype=0\n[attack01]\ntype=0\nanimation=8\n[attack02]\ntype=0\n\
                animation=24\n[taunt00]\nanimation=1\n";
    let typed = typed(text);
    let names = |list: &str, at: usize| {
        ["animation_group", "animation_group_name", "animation_comment"]
            .map(|name| typed[list][at][name].clone())
    };
    assert_eq!(names("attacks", 0), [json!(97), json!("anim_fight_turn_right"), json!(null)]);
    assert_eq!(names("attacks", 1), [json!(105), json!("anim_attack_thrust"), json!("anim_attack_thrust")]);
    assert_eq!(names("attacks", 2), [json!(121), json!("anim_death_fight_stab"), json!("ANIM_other")]);
    assert_eq!(
        (&typed["taunts"][0]["animation_group"], &typed["taunts"][0]["animation_group_name"]),
        (&json!(153), &json!("anim_talk1"))
    );
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
            (
                "INI-N002",
                "line 3: image 0 of bank 302 is already assigned in line 2, which takes precedence"
                    .to_owned()
            ),
            ("INI-W005", "line 7: unknown surface \"grass\"".to_owned()),
            ("INI-W006", "line 5 ends the list: 2 lines after it are not read".to_owned()),
        ]
    );
}

#[test]
fn all_is_image_0_of_a_bank() {
    let rows = |text: &str| typed(text)["surfaces"].clone();
    let keys = rows("[surfaces]\n302, all, water\n302, 5, water\n");
    assert_eq!((&keys[0]["key"], &keys[1]["key"]), (&json!(38_656), &json!(38_661)));
    let ended = rows("[surfaces]\n0, 0, wood\n302, 5, water\n");
    assert_eq!((&ended[0]["effective"], &ended[1]["effective"]), (&json!(false), &json!(false)));
}

#[test]
fn declares_every_key_of_a_section_once() {
    for kind in Kind::ALL {
        for group in kind.groups() {
            let names: BTreeSet<_> = group.keys.iter().map(|key| key.name).collect();
            assert_eq!(names.len(), group.keys.len(), "{} [{}]", kind.file(), group.section);
        }
    }
}

#[test]
fn reports_lines_of_surfaces_that_the_game_cannot_use() {
    let text = "[surfaces]\n302, 5x, WATER\n600, 1, sand\n14, 128, sand\n15, 3\n16, 4, gloop ; deep\n[watre]\n[sand]\n256 = 1\nabc=1\n7 = x\n[unknown]\n1 2\n";
    let messages: Vec<_> = reported(text).into_iter().map(|(_, message)| message).collect();
    assert_eq!(
        messages,
        [
            "line 5: expected BANK,IMAGE,SURFACE",
            "line 2: image is \"5x\"; expected a number",
            "line 3: bank is 600 (valid: 0 to 511)",
            "line 4: image is 128 (valid: 0 to 127)",
            "line 13: a replacement in [unknown] has no effect",
            "line 9: the replaced sound is \"256\"; expected 0 to 255",
            "line 10: the replaced sound is \"abc\"; expected 0 to 255",
            "line 11: the new sound is \"x\"; expected a number",
            "line 7: the game ignores section [watre]; did you mean \"water\"?",
        ]
    );
    let typed = typed(text);
    assert_eq!(typed["surfaces"][0]["key"], json!(302 << 7 | 5));
    assert_eq!(typed["surfaces"][1]["effective"], json!(false));
}

#[test]
fn reports_fog_tables_out_of_order_or_without_an_end() {
    assert_eq!(
        reported("5,1\n5,300\n64,1\nx\n"),
        [
            ("INI-W007", "line 2: index 5 is not greater than the previous index 5".to_owned()),
            ("INI-W007", "line 2: density 300 (valid: 0 to 255)".to_owned()),
            ("INI-W007", "line 3: index 64 (valid: 0 to 63)".to_owned()),
            ("INI-W007", "line 4: \"x\" is not a number; expected INDEX,DENSITY".to_owned()),
            ("INI-W007", "the table does not end with 63".to_owned()),
        ]
    );
    assert!(reported("0,0,\n33,1 ; steps\n63,\n").is_empty());
}

#[test]
fn subtitles_of_movies_keep_their_commas() {
    let text = "[page3]\nmovie_name[0]=a.smk\nmovie_keys[0]=5, 9,0,12\nmovie0_text[0]=1,255,0,9,2,10,Hello, Cyrus.\nmovie0_text[1]=255,0,0,11,14,Two\ntext[0]=Go ; away\naction[0]=-2\n";
    let typed = typed(&format!("[general]\npreload_sprites=1\n{text}"));
    let movie = json!({
        "name": "a.smk", "file": "A.SMK", "keys": [5, 9],
        "subtitles": [[2, 10, "Hello, Cyrus."], [11, 14, "Two"]],
        "captions": [
            { "index": 0, "always": 1, "color": [255, 0, 9], "start": 2, "stop": 10, "text": "Hello, Cyrus.", "fields": 7 },
            { "index": 1, "always": null, "color": [255, 0, 0], "start": 11, "stop": 14, "text": "Two", "fields": 6 },
        ],
    });
    assert_eq!(typed["movies"], json!([movie]));
    let page = &typed["pages"][0];
    assert_eq!((&page["texts"], &page["actions"]), (&json!(["Go ; away"]), &json!([-2])));
    assert_eq!(
        (&page["elements"][0]["text"], &page["elements"][0]["action_name"]),
        (&json!("Go"), &json!("quit"))
    );
}

#[test]
fn reports_movies_and_entries_of_pages_that_the_game_ignores() {
    let text = "[page3]\ntexture_set[0]=289\ntext[0]=A\ntexture[0]=1\nslider_min[0]=11\nslider_max[0]=10\ntext[2]=C\n\
                movie_name[0]=A.SMK\nmovie_name[2]=C.SMK\nmovie_keys[0]=9,5\nmovie0_text[0]=0,1,2,300,6,6,same\nmovie0_text[1]=1,2,3\n\
                movie0_text[2]=1,2,3,4,5,six\nmovie5_text[0]=1,1,1,1,1,2,x\n[page0]\nmovie_name[0]=B\n[page9]\n";
    let found = reported(&format!("[general]\nhi_res_menu=1\n{text}"));
    let expected = [
        ("INI-W001", "line 18: the game ignores \"movie_name[0]\"; it belongs to section [page3]"),
        ("INI-W013", "texture_index[0] is missing from section [page3]"),
        ("INI-W011", "line 6: texture[0] is 1, but the page has no surface 1"),
        ("INI-W011", "line 7: slider_min[0] is greater than slider_max: 11 > 10"),
        ("INI-W003", "line 9: text[1] is missing, so the game ignores text[2]"),
        ("INI-W013", "texture_set[0] is missing from section [page0]"),
        ("INI-W001", "line 19: the game has no page 9 (valid: 0 to 7)"),
        ("INI-W013", "texture_set[0] is missing from section [page9]"),
        ("INI-W003", "line 11: movie_name[1] is missing, so the game ignores movie_name[2]"),
        ("INI-W011", "line 12: movie_keys[0] contains 5 after 9; expected ascending frames"),
        ("INI-W011", "line 13: movie0_text[0] has the color channel 300 (valid: 0 to 255)"),
        ("INI-W011", "line 13: movie0_text[0] stops in frame 6, but starts in frame 6"),
        (
            "INI-W011",
            "line 14: movie0_text[1] has 3 fields; the game reads seven: always, red, green, blue, start, stop, text",
        ),
        (
            "INI-W014",
            "line 15: movie0_text[2] has six fields; the game reads seven: always, red, green, blue, start, stop, text",
        ),
        ("INI-N015", "line 16: movie5_text[0] has no effect, because there is no movie 5"),
    ];
    assert_eq!(found, expected.map(|(code, message)| (code, message.to_owned())));
}

#[test]
fn reports_key_codes_that_the_game_does_not_know() {
    let codes = "key_down[0]=31\nkey_left[0]=30\nkey_right[0]=32\nkey_a[0]=42\nkey_b[0]=57\nkey_c[0]=56\n";
    let text = format!(
        "[input]\nkey_up[0]=140\n{codes}NEXT_KEY=52\nlog_key=el\n[defined]\nkey[140]=none\nNEXT_KEY = 37\nuser_key_a=1\n"
    );
    let expected = [
        ("INI-W011", "line 2: key_up[0] is 140 (valid: 0 to 139)"),
        ("INI-W011", "line 10: log_key is \"el\"; expected a number"),
        ("INI-W011", "line 12: key[140] has index 140 (valid: 0 to 139)"),
        ("INI-N015", "line 13: the game ignores \"NEXT_KEY\"; it belongs to section [input]"),
        ("INI-W001", "line 14: the game ignores \"user_key_a\"; it belongs to section [input]"),
        ("INI-W013", "key_d[0] is missing from section [input]"),
    ];
    assert_eq!(reported(&text), expected.map(|(code, message)| (code, message.to_owned())));
    assert_eq!(typed(&text)["duplicates"], json!({ "next_key": ["52", "37"] }));
}

#[test]
fn worlds_have_the_values_that_the_game_uses() {
    let text = "[world]\nstart_world=zero\nstart_marker=-3\ntest_map_order=3, 4,-2, 5\nworld_map[0]=A.RGM\n\
                world_ambientfx[0]=62043\nworld_skyscale[0]=0\nworld_skyspeed[0]=-300\nworld_scapeshift[0]=40000\nworld_sunangle[0]=512\nworld_sunskew[0]=1536\n\
                world_wave[0]=16.5, 33, 12\nworld_fogrgb[0]=1,2\nworld_rain_sphere2[0]=1,2,3,4\nworld_rain_sphere1[0]=5,-6,7,8\nworld_rain_end[0]=0\nworld_map[100]=B.RGM\nworld_fogrbg[0]=1\n";
    let typed = typed(text);
    assert_eq!((&typed["start_world"], &typed["start_marker"]), (&json!(0), &json!(-3)));
    assert_eq!(typed["test_map_order"], json!([3, 4]));
    let world = &typed["worlds"][0];
    for (key, value) in [
        ("ambientfx", json!(-3493)),
        ("skyscale", json!(2000)),
        ("skyspeed", json!(212)),
        ("scapeshift", json!(-25_536)),
        ("wave", json!([16.5, 33, 12])),
        ("fogrgb", json!([0, 0, 0])),
        ("ambientrgb", json!([128, 128, 128])),
        ("redbook", Value::Null),
        ("rain_start", Value::Null),
        ("rain_end", json!(0)),
        ("rain_spheres", json!([[5, -6, 7, 8], [1, 2, 3, 4]])),
        ("node_maps", json!([])),
        ("sun", Value::Null),
    ] {
        assert_eq!(world[key], value, "{key}");
    }
    let direction = world["sun_direction"].as_array().unwrap();
    let root = 0.5_f64.sqrt();
    for (part, expected) in direction.iter().zip([root, 0.0, -root]) {
        assert!((part.as_f64().unwrap() - expected).abs() < 1e-9, "{direction:?}");
    }
    let unknown = json!([{ "section": "world", "key": "world_fogrbg[0]", "value": "1", "line": 18, "nearest": "world_fogrgb[0]" }]);
    assert_eq!(typed["unknown_keys"], unknown);
    let expected = [
        ("INI-W011", "line 2: start_world is \"zero\"; expected a number"),
        ("INI-W011", "line 3: start_marker is -3 (valid: 0 and above)"),
        ("INI-W011", "line 13: world_fogrgb[0] is \"1,2\"; expected three numbers"),
        ("INI-W011", "line 17: world_map[100] has index 100 (valid: 0 to 99)"),
        ("INI-W001", "line 18: the game ignores \"world_fogrbg[0]\"; did you mean \"world_fogrgb[0]\"?"),
    ];
    assert_eq!(reported(text), expected.map(|(code, message)| (code, message.to_owned())));
    let missing = ["start_world", "start_marker"]
        .map(|key| ("INI-W013", format!("{key} is missing from section [world]")));
    assert_eq!(reported("[world]\nworld_map[0]=A.RGM\n"), missing);
}

#[test]
fn all_switches_of_the_registry_have_a_value() {
    let typed =
        typed("[registry]\nA.ZAP\t B\\*.3D ; models\nONLY.ZAP\n[file32]\nuse_registry=YES\nuse_32bt=true\n");
    assert_eq!(typed["mappings"], json!([["A.ZAP", "B\\*.3D"]]));
    let switches = json!({ "use_registry": true, "use_32bit": false, "archive_file_first": false, "local_path": false,
        "ignore_registry_errors": false, "registry_log": false, "advanced_exist": false });
    assert_eq!(typed["file32"], switches);
    assert_eq!(typed["unknown_keys"][0]["nearest"], "use_32bit");
}

#[test]
fn reads_words_and_values_of_a_driver() {
    let text = "; driver\nDEVICE    Sound Blaster=16 ; card\nIO_ADDR   220H\nIRQ 7x\nDMA_8_BIT\nDRVER a\n";
    assert_eq!(settings(text).kind(), Some(Kind::Driver));
    let driver = json!({ "device": "Sound Blaster=16", "driver": null, "io_addr": 544, "irq": 7,
        "dma_8_bit": null, "dma_16_bit": null });
    let written = json!({ "DEVICE": "Sound Blaster=16", "IO_ADDR": "220H", "IRQ": "7x", "DRVER": "a" });
    assert_eq!(typed(text), json!({ "settings": written, "driver": driver }));
    let expected = [
        ("INI-W011", "line 4: IRQ is \"7x\"; expected a number"),
        ("INI-W001", "line 6: the game ignores \"DRVER\"; did you mean \"driver\"?"),
    ];
    assert_eq!(reported(text), expected.map(|(code, message)| (code, message.to_owned())));
}

#[test]
fn a_name_identifies_a_file_whose_content_does_not() {
    let comments = Source::from(b"; no card\n".to_vec());
    let layer = MemoryLayer::new("game", [("sound/MDI.INI".to_owned(), comments.clone())]).unwrap();
    let install = Install::new(vec![Arc::new(layer)]);
    let location = install.find("sound/MDI.INI").found().map(|found| found.location);
    let context = Context { install: &install, location, options: &Options::default() };
    let settings = Settings::read(&comments).unwrap();
    assert_eq!((settings.kind(), settings.kind_in(&context)), (None, Some(Kind::Driver)));
    let mut description = settings.describe(Detail::Full);
    settings.describe_in_game(&context, &mut description);
    assert_eq!(description.dialect, "driver");
    assert_eq!(description.fields.root().to_value()["resolved"]["typed"]["settings"], json!({}));
}

#[test]
fn recognizes_the_kind_of_a_file_by_its_content() {
    for (text, kind) in [
        ("[World]\n", Some(Kind::World)),
        ("[x]\nNext_Key = 5\n", Some(Kind::Keys)),
        ("1,2\n[surfaces]\n", Some(Kind::Surface)),
        ("1,2\n", Some(Kind::Fog)),
        ("0,0, 33,1,36,8,63 ; end\n", Some(Kind::Fog)),
        ("[page6]\nTexture_Set[0]=1\n", Some(Kind::Menu)),
        ("[gloop]\n1=2\n", Some(Kind::Surface)),
        ("[video]\nwidth=5\n", None),
    ] {
        assert_eq!(settings(text).kind(), kind, "{text}");
        assert_eq!(Kind::of_text(text), kind, "{text}");
    }
}

#[test]
fn paths_of_the_typed_view_lead_to_keys() {
    let alias = |text: &str, path: &str| {
        let settings = settings(text);
        let record = Document::of(settings.ini()).unwrap();
        settings.field_alias(record.root(), path).unwrap_or_default()
    };
    let system = "[System]\nvolume=1\nmy_key=2\n[xngine]\n";
    let items = "[ items ]\ntype[0]=1\ntype [ 7 ]=2\n";
    let worlds = "[world]\nworld_map[2]=a.rgm\nworld_map[9]=b.rgm\n";
    let combat = "[attack00]\ndamage=1\n[ Attack2 ]\ndamage=1\n[taunt005]\ntype=1\n";
    let menu = "[general]\n[PAGE2]\ntext[0]=a\naction[0]=1\n[page0]\n";
    for (text, path, expected) in [
        (system, "sections.system.volume.value", "system.volume"),
        (system, "resolved.typed.sections.system.volume.value", "system.volume"),
        (system, "sections.xngine.haze_dist.value", ""),
        (system, "sections.system.jump_time.value", "system.jump_time"),
        (system, "sections.system.my_key.value", "system.my_key"),
        (system, "sections.system.other_key.value", ""),
        (system, "sections.system.volume.raw", ""),
        (system, "system.volume", ""),
        (items, "items[1].type", "items[\"type[7]\"]"),
        (items, "items[-1].hide", "items[\"hide[7]\"]"),
        (items, "items[2].type", ""),
        (items, "items[*].type", ""),
        (items, "resolved.typed.items[0].type", "items[\"type[0]\"]"),
        (worlds, "worlds[1].fogrgb", "world[\"world_fogrgb[9]\"]"),
        (combat, "attacks[1].damage", "Attack2.damage"),
        (combat, "taunts[0].type", "taunt005.type"),
        (menu, "pages[0].textures[1].set", "PAGE2[\"texture_set[1]\"]"),
    ] {
        assert_eq!(alias(text, path), expected, "{path}");
    }
}

#[test]
fn paths_of_the_typed_view_need_no_prefix_in_descriptions() {
    let settings = settings("[system]\nvolume=1\n[xngine]\n");
    let description = settings.describe(Detail::Full).fields;
    let alias = |path: &str| settings.field_alias(description.root(), path);
    let expected = "resolved.typed.sections.system.volume.value";
    assert_eq!(alias("sections.system.volume.value").as_deref(), Some(expected));
    assert_eq!(alias("system.volume"), None);
    assert_eq!(alias("sections.system.volumes.value"), None);
}

#[test]
fn lists_are_written_as_the_game_reads_them() {
    let settings = settings("[3dfx]\nfont_used=0, 0\n[system]\nvolume=1\n");
    let record = Document::of(settings.ini()).unwrap();
    let written = |section: &str, key: &str, value: &str| {
        let value = value.into();
        let way = [Step::Member(section), Step::Member(key)];
        let change = settings.record_change(record.root(), &way, FieldChange::Set(&value)).unwrap();
        match change.unwrap().as_slice() {
            [RecordChange::Set(_, line)] => line.as_str().unwrap().trim().to_owned(),
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(written("3dfx", "font_used", "[1, 2]"), "font_used=1, 2");
    assert_eq!(written("3dfx", "font_used", "null"), "font_used=");
    assert_eq!(written("3dfx", "font_used", "1,2"), "font_used=1,2");
    assert_eq!(written("3dfx", "font_used", "[\"a\"]"), "font_used=[\"a\"]");
    assert_eq!(written("system", "volume", "[1, 2]"), "volume=[1, 2]");
}

#[test]
fn lists_in_a_new_section_are_written_as_the_game_reads_them() {
    let settings = settings("[system]\nvolume=1\n");
    let record = Document::of(settings.ini()).unwrap();
    let keys = json!({ "font_used": "[1, 2]", "font_sel": "null" });
    let change = settings.record_change(record.root(), &[], FieldChange::Add("3dfx", &keys)).unwrap();
    let added = format!("{change:?}");
    assert!(added.contains("font_used=1, 2") && added.contains("font_sel=\\n"), "{added}");
}
