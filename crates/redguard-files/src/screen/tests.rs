//! Pages and HUDs drawn from small fonts and bitmaps, pixel by pixel.

use std::sync::Arc;

use asset::{Asset, Charset, Install, Options, ProductKind, Report, Source, Target};
use files::layer::MemoryLayer;
use media::picture::Colors;
use record::{Bytes, Error};
use scene::Product;
use scene::image::{Indexed8, Rgba8};
use scene::product::Picture;

use super::*;
use crate::picture::gxa::Gxa;
use crate::picture::palette::Palette;
use crate::picture::texbsi::{Bank, Entry, Image, ImageKey};
use crate::settings::ini::ScreenOptions;
use crate::text::fnt::{Font, Glyph};

/// The index of all pixels of the page image, which has 8 x 8 pixels unless a test changes it.
const PAPER: u8 = 100;

/// The index of all pixels of the font of entries, whose glyphs have 2 x 2 pixels.
const NORMAL: u8 = 30;

/// The index of all pixels of the font of the selected entry.
const SELECTED: u8 = 60;

/// A file of a game: its path and its bytes.
type File = (&'static str, Vec<u8>);

/// A palette whose color `i` is `[i, 0, 0]`, with 6 bits per channel.
fn reds() -> Colors {
    let mut out = Colors::default();
    out.0.iter_mut().zip(0_u8..=255).for_each(|(color, index)| *color = [index & 63, 0, 0]);
    out
}

/// A font whose glyphs, from the space to `Z`, are squares of two pixels; their advance is three pixels.
fn font(index: u8) -> Vec<u8> {
    let glyph = |code: u8| Glyph {
        enabled: u16::from(code != b'"'),
        offset_left: i16::from(code == b'L'),
        offset_top: 0,
        width: 2,
        height: 2,
        pixels: Bytes(vec![if code == b' ' { 0 } else { index }; 4]),
    };
    Font::new(3, reds(), (b' '..=b'Z').map(glyph).collect()).unwrap().write().unwrap()
}

/// A bitmap with frames of this size; all pixels of frame `i` have the index `i + 1`.
fn bitmap(width: u16, height: u16, frames: u8) -> Vec<u8> {
    let pixels = |frame| vec![frame; usize::from(width) * usize::from(height)];
    let frames = (1..=frames).map(|frame| (width, height, pixels(frame))).collect();
    Gxa::new(reds(), frames).unwrap().write().unwrap()
}

/// A bank whose image 3 has this size.
fn bank(width: u32, height: u32) -> Vec<u8> {
    let pixels = vec![PAPER; (width * height) as usize];
    let image = Image::new(width, height, &[pixels], 0, None).unwrap();
    let name = ImageKey { bank: 289, image: 3 }.name().unwrap();
    let entries = vec![Entry { name, image, rest: Bytes::default() }];
    Bank { entries, ..Bank::default() }.write().unwrap()
}

/// The files of the menu.
fn menu_files() -> Vec<File> {
    vec![
        ("fxart/REDGUARD.COL", Palette::new(reds()).write().unwrap()),
        ("fxart/TEXBSI.289", bank(8, 8)),
        ("fonts/FONTNORM.FNT", font(NORMAL)),
        ("fonts/FONTSEL.FNT", font(SELECTED)),
    ]
}

/// The pictures of a settings file with their names, and the warnings; notes are left out.
type Drawn = (Vec<(String, Result<Picture, Error>)>, Vec<String>);

fn drawn(text: &str, files: &[File], options: &[(&str, &str)]) -> Drawn {
    let sources = files.iter().map(|(path, bytes)| (*path, Source::from(bytes.clone())));
    let layer = MemoryLayer::new("game", sources).unwrap();
    let install = Install::new(vec![Arc::new(layer)]).with_game("redguard", Charset::Cp437);
    let given: Vec<_> =
        options.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    let options = Options::parse(ScreenOptions::DECLARED, &given).unwrap();
    let context = Context { install: &install, location: None, options: &options };
    let settings = Settings::read(&Source::from(text.as_bytes().to_vec())).unwrap();
    let (mut pictures, mut report) = (Vec::new(), Report::new());
    let products = settings.products(&context, Target::new("x", 1.0)).unwrap();
    for mut offer in products.filter(|offer| offer.is_main(ProductKind::Image)) {
        let picture = match offer.make(&mut report) {
            Ok(Some(Product::Image(picture))) => Ok(picture),
            Ok(other) => panic!("{other:?}"),
            Err(error) => Err(error),
        };
        pictures.push((offer.name.unwrap_or_default().into_owned(), picture));
    }
    let warnings = report.iter().filter(|it| it.code.id.starts_with("INI-W"));
    (pictures, warnings.map(|it| format!("{}: {}", it.code.id, it.message)).collect())
}

/// The only page of a menu.
fn page(text: &str, files: &[File], options: &[(&str, &str)]) -> (Indexed8, Vec<String>) {
    let (pictures, warnings) = drawn(text, files, options);
    match &pictures[..] {
        [(_, Ok(Picture::Indexed(page)))] => (page.first(), warnings),
        other => panic!("{other:?}"),
    }
}

/// A row of a page, up to the last pixel that is not empty.
fn row(page: &Indexed8, y: usize) -> Vec<u8> {
    let row = page.indices().chunks(page.width() as usize).nth(y).unwrap();
    let end = row.iter().rposition(|index| *index != 0).map_or(0, |last| last + 1);
    row[..end].to_vec()
}

/// A page with two entries below the image, of which the second one is selected first.
const TWO: &str = "[page0]\ntexture_set[0]=289\ntexture_index[0]=3\ntext[0]=AB\ntext_x[0]=10\ntext_y[0]=20\nselectable[0]=1\n\
    text[1]=CD\ntext_x[1]=10\ntext_y[1]=30\nselectable[1]=1\ndefault[1]=1\n";

/// A row with pixels of an index at some positions.
fn ink(index: u8, positions: &[usize]) -> Vec<u8> {
    let mut out = vec![0; positions.last().unwrap() + 1];
    positions.iter().for_each(|position| out[*position] = index);
    out
}

#[test]
fn entries_are_drawn_in_the_ink_of_their_state() {
    let (page_0, warnings) = page(TWO, &menu_files(), &[]);
    assert!(warnings.is_empty(), "{warnings:?}");
    assert_eq!((page_0.width(), page_0.height()), (256, 256));
    assert_eq!((row(&page_0, 0), row(&page_0, 8)), (vec![PAPER; 8], vec![]));
    let at = [10, 11, 13, 14];
    assert!(row(&page_0, 19).is_empty() && row(&page_0, 22).is_empty());
    assert_eq!([row(&page_0, 20), row(&page_0, 21)], [ink(NORMAL + 5, &at), ink(NORMAL + 5, &at)]);
    assert_eq!(row(&page_0, 30), ink(SELECTED, &at));
    // The color of an index is that of the menu's palette; index 0 is transparent.
    assert_eq!((page_0.palette()[35], page_0.palette()[0][3]), ([35, 0, 0, 255], 0));
    // An entry that is not selectable has the last 16 colors of the first 160.
    let fixed = TWO.replace("selectable[0]=1", "selectable[0]=0");
    assert_eq!(row(&page(&fixed, &menu_files(), &[]).0, 20), ink((NORMAL & 15) + 144, &at));
}

#[test]
fn a_grayed_entry_keeps_the_paper() {
    let on_paper = TWO.replace("text_x[0]=10\ntext_y[0]=20", "text_x[0]=4\ntext_y[0]=7") + "grayed[0]=1\n";
    let (page_0, _) = page(&on_paper, &menu_files(), &[]);
    let paper = PAPER;
    // The last row of the image, and the row below it, where the page is empty.
    let expected = [paper, paper, paper, paper, paper + 4, paper + 4, paper, paper + 4, 4];
    assert_eq!(row(&page_0, 7), expected);
    assert_eq!(row(&page_0, 8), ink(4, &[4, 5, 7, 8]));
}

#[test]
fn texts_are_aligned_by_their_width() {
    // Two glyphs with an advance of three pixels.
    for (justify, first) in [(0, 50), (1, 47), (2, 44), (7, 50)] {
        let text = TWO.replace("text_x[0]=10", &format!("text_x[0]=50\njustify[0]={justify}"));
        let (page_0, _) = page(&text, &menu_files(), &[]);
        let at = [0, 1, 3, 4].map(|offset| first + offset);
        assert_eq!(row(&page_0, 20), ink(NORMAL + 5, &at), "{justify}");
    }
    // A space also has the width of `!`; a disabled glyph has none; `L` is moved to the right.
    let (page_0, _) = page(&TWO.replace("=AB", "=A \"L"), &menu_files(), &[]);
    assert_eq!(row(&page_0, 20), ink(NORMAL + 5, &[10, 11, 19, 20]));
}

#[test]
fn options_select_and_gray_entries() {
    let rows = |options: &[(&str, &str)]| {
        let (page_0, warnings) = page(TWO, &menu_files(), options);
        ([row(&page_0, 20)[10], row(&page_0, 30)[10]], warnings)
    };
    assert_eq!(rows(&[("select", "ab")]), ([SELECTED, NORMAL + 5], vec![]));
    assert_eq!(rows(&[("select", "0")]), ([SELECTED, NORMAL + 5], vec![]));
    // The first entry that can be selected is selected instead of a grayed one.
    assert_eq!(rows(&[("gray", " cd ")]), ([SELECTED, 4], vec![]));
    assert_eq!(rows(&[("gray", "0,1")]), ([4, 4], vec![]));
    let warning = "INI-W035: page 0: \"CD\" cannot be selected".to_owned();
    assert_eq!(rows(&[("gray", "1"), ("select", "1")]), ([NORMAL + 5, 4], vec![warning]));
    let error = |options: &[(&str, &str)]| {
        let (mut pictures, _) = drawn(TWO, &menu_files(), options);
        pictures.remove(0).1.unwrap_err().to_string()
    };
    let message = "no page of the menu has the entry \"EF\" of --select; use its text or its index";
    assert_eq!(error(&[("select", "EF")]), message);
    assert_eq!(error(&[("gray", "AB,2")]), message.replace("EF", "2").replace("select", "gray"));
}

#[test]
fn each_surface_of_the_game_s_pages_is_a_picture() {
    let surface = |page: u32, slot: u32| {
        format!(
            "[page{page}]\ntexture_set[{slot}]=289\ntexture_index[{slot}]=3\ntext[0]=A\ntexture[0]={slot}\n"
        )
    };
    let back = "texture_set[1]=289\ntexture_index[1]=3\n";
    let text = format!("{}{back}{}{}", surface(0, 0), surface(7, 1), surface(8, 0));
    let (pictures, warnings) = drawn(&text, &menu_files(), &[]);
    let names: Vec<_> = pictures.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["page0-main-0", "page0-main-1", "page7-controls-1"]);
    assert!(warnings.is_empty(), "{warnings:?}");
    let (_, warnings) = drawn(&TWO.replace("text_y[1]", "texture[1]=1\ntext_y[1]"), &menu_files(), &[]);
    assert_eq!(warnings, ["INI-W034: page 0: \"CD\" is on surface 1, which the page does not have"]);
}

#[test]
fn values_are_drawn_at_their_positions() {
    let text = "[general]\nhi_res_menu=1\n[page6]\ntexture_set[0]=289\ntexture_index[0]=3\n\
        text[0]=V\ntext_y[0]=20\naction[0]=601\noutput_x[0]=50\noutput_y[0]=20\noutput_justify[0]=2\nslider_max[0]=20\n\
        text[1]=S\ntext_y[1]=30\naction[1]=504\noutput_x[1]=60\noutput_y[1]=31\noutput_justify[1]=1\n\
        text[2]=K\ntext_y[2]=40\naction[2]=714\noutput_x[2]=5\noutput_y[2]=99\nselectable[2]=1\n";
    let mut files = menu_files();
    files.push(("SYSTEM.INI", b"[system]\nvolume=255\n[dialog]\ndialog_print_text=1\n".to_vec()));
    files.push((
        "KEYS.INI",
        b"[input]\nkey_a[0]=42\nuser_key_a=3\n[defined]\nkey[3]=AB\nkey[42]=XY\n".to_vec(),
    ));
    files.push(("system/MM_SLIDE.GXA", bitmap(4, 1, 21)));
    files.push(("system/MM_CHECK.GXA", bitmap(3, 1, 2)));
    let (page_6, warnings) = page(text, &files, &[]);
    assert!(warnings.is_empty(), "{warnings:?}");
    // Step 19 is frame 19, whose pixels have the index 20.
    assert_eq!(row(&page_6, 20)[46..], [20, 20, 20, 20]);
    assert_eq!(row(&page_6, 31)[59..], [2, 2, 2]);
    // Names of keys have a fixed column, the line of their entry, and its ink.
    assert_eq!(row(&page_6, 40)[120..], [SELECTED, SELECTED, 0, SELECTED, SELECTED]);
    assert_eq!(row(&page_6, 99), Vec::<u8>::new());
}

#[test]
fn the_name_of_a_key_ends_where_the_next_glyph_starts_at_247() {
    let text = "[general]\nhi_res_menu=1\n[page7]\ntexture_set[0]=289\ntexture_index[0]=3\ntext[0]=K\ntext_y[0]=40\naction[0]=718\n";
    let mut files = menu_files();
    let keys = format!("[input]\ninventory_key=5\n[defined]\nkey_name[5]={}\n", "A".repeat(99));
    files.push(("KEYS.INI", keys.into_bytes()));
    // 120 + 3 * 42 = 246 is drawn, 249 is not.
    assert_eq!(row(&page(text, &files, &[]).0, 40).len(), 248);
}

#[test]
fn the_selected_movie_has_an_opaque_preview() {
    let text = "[general]\nhi_res_menu=1\n[page3]\ntexture_set[1]=289\ntexture_index[1]=3\ntext[0]=A\ntexture[0]=1\naction[0]=302\nselectable[0]=1\n";
    let mut files = menu_files();
    let frame = |index| (2, 1, vec![index, 0]);
    files.push(("system/MM_MOVIE.GXA", Gxa::new(reds(), vec![frame(7), frame(9)]).unwrap().write().unwrap()));
    files[1].1 = bank(4, 40);
    let (page_3, _) = page(text, &files, &[]);
    assert_eq!(row(&page_3, 33), [9, 0, PAPER, PAPER]);
}

#[test]
fn what_is_missing_is_reported_once_and_the_rest_is_drawn() {
    let without = |name: &str| {
        let mut files = menu_files();
        files.retain(|(path, _)| !path.ends_with(name));
        page(TWO, &files, &[])
    };
    let (page_0, warnings) = without("289");
    assert_eq!(warnings, ["INI-W031: TEXBSI.289 was not found; its pages have no background"]);
    assert_eq!((row(&page_0, 0), row(&page_0, 20)), (vec![], ink(NORMAL + 5, &[10, 11, 13, 14])));
    let (page_0, warnings) = without("FONTNORM.FNT");
    assert_eq!(warnings, ["INI-W031: FONTNORM.FNT was not found; texts in it are not drawn"]);
    assert_eq!((row(&page_0, 20), row(&page_0, 30)), (vec![], ink(SELECTED, &[10, 11, 13, 14])));
    let (_, warnings) = without("COL");
    assert_eq!(warnings, ["INI-W037: REDGUARD.COL was not found; the pages have the colors of grey"]);
    let (_, warnings) = page(&TWO.replace("texture_index[0]=3", "texture_index[0]=4"), &menu_files(), &[]);
    assert_eq!(warnings, ["INI-W033: TEXBSI.289 has no image 4; its pages have no background"]);
    let (_, warnings) = page(&TWO.replace("=AB", "=aba"), &menu_files(), &[]);
    assert_eq!(
        warnings,
        ["INI-W033: FONTNORM.FNT has no glyph for 'a'", "INI-W033: FONTNORM.FNT has no glyph for 'b'"]
    );
    let mut damaged = menu_files();
    damaged[2].1.truncate(9);
    let (_, warnings) = page(TWO, &damaged, &[]);
    let [warning] = &warnings[..] else { panic!("{warnings:?}") };
    assert!(warning.starts_with("INI-W032: FONTNORM.FNT cannot be read: "), "{warning}");
}

/// The settings of the HUD as shipped, with smaller distances.
const SYSTEM: &str = "[screen]\ncandle_mode=2\n[system]\ngame_bitmap=system\\powerup.gxa\n\
    compass_xco=546\ncompass_yco=396\ncandle_xco=12\ncandle_yco=8\npickup_xco=12\npickup_yco=386\n\
    game_xco1=576\ngame_yco1=6\ngame_xco2=576\ngame_yco2=96\n[3dfx]\nfont_sel=255, 255\n";

const ITEMS: &[u8] = b"[items]\nbitmap_file=SYSTEM\\PICKUPS.GXA\nstart_item_select=4\nbitmap[4]=2\nbitmap[9]=0\nname[5]=?i05\n";

fn hud_files() -> Vec<File> {
    vec![
        ("WORLD.INI", b"[world]\nstart_world=3\nworld_compass[3]=2000\nworld_compass[7]=1024\n".to_vec()),
        ("ITEM.INI", ITEMS.to_vec()),
        ("fonts/REDSEL.FNT", font(50)),
        ("system/COMPASS2.GXA", bitmap(73, 65, 32)),
        ("system/SNUFF.GXA", bitmap(50, 98, 81)),
        ("system/PICKUPS.GXA", bitmap(119, 83, 3)),
        ("system/POWERUP.GXA", bitmap(39, 61, 2)),
    ]
}

fn hud(text: &str, files: &[File], options: &[(&str, &str)]) -> (Rgba8, Vec<String>) {
    let (mut pictures, warnings) = drawn(text, files, options);
    let (name, picture) = pictures.pop().unwrap();
    assert_eq!((name.as_str(), pictures.len()), ("", 0));
    match picture.unwrap() {
        Picture::Rgba(picture) => (picture, warnings),
        other => panic!("{other:?}"),
    }
}

/// The frame number that a pixel belongs to; `None` if it is transparent.
fn frame_at(hud: &Rgba8, x: u32, y: u32) -> Option<u8> {
    let [red, .., alpha] = hud.get(x, y).unwrap();
    (alpha != 0).then(|| red / 4 - 1)
}

#[test]
fn the_hud_shows_the_frames_of_the_state_at_their_positions() {
    let options = [("health", "50"), ("heading", "1500"), ("world", "7"), ("item", "9"), ("power-ups", "1")];
    let (hud, warnings) = hud(SYSTEM, &hud_files(), &options);
    assert!(warnings.is_empty(), "{warnings:?}");
    assert_eq!((hud.width(), hud.height()), (640, 480));
    let corners = |[x, y]: [u32; 2], [width, height]: [u32; 2]| {
        let outside = frame_at(&hud, x - 1, y).or(frame_at(&hud, x, y - 1)).or(frame_at(&hud, x + width, y));
        (frame_at(&hud, x, y), frame_at(&hud, x + width - 1, y + height - 1), outside)
    };
    // Level 5, frame 30. (-(1500 + 1024) mod 2048) >> 6 = 24.
    assert_eq!(corners([12, 8], [50, 98]), (Some(30), Some(30), None));
    assert_eq!(corners([546, 396], [73, 65]), (Some(24), Some(24), None));
    assert_eq!(corners([12, 386], [119, 83]), (Some(0), Some(0), None));
    assert_eq!(corners([576, 6], [39, 61]), (Some(1), Some(1), None));
    assert_eq!(frame_at(&hud, 576, 96), None);
}

#[test]
fn the_hud_has_defaults_from_the_settings() {
    let (hud, warnings) = hud(SYSTEM, &hud_files(), &[]);
    assert!(warnings.is_empty(), "{warnings:?}");
    // Full health; the start world turns the compass by 2000; the start item has frame 2; both power-ups are shown.
    let frames = [[12, 8], [546, 396], [12, 386], [576, 6], [576, 96]].map(|[x, y]| frame_at(&hud, x, y));
    assert_eq!(frames, [0, 0, 2, 0, 1].map(Some));
}

#[test]
fn numbers_have_a_shadow_and_the_colors_of_selected_texts() {
    let main = |value: u8| [value, 0, 0, 255];
    let shadow = [0, 0, 0, 199];
    let (hud_1, _) = hud(SYSTEM, &hud_files(), &[("health", "50"), ("count", "12")]);
    let pixels = |hud: &Rgba8, x: u32, y: u32| [0, 1, 2, 3, 4, 5].map(|right| hud.get(x + right, y).unwrap());
    // Centered at 12 + 50 / 2 - 5, below the candle; two digits with an advance of three pixels.
    assert_eq!(pixels(&hud_1, 29, 106), [main(200), main(200), [0; 4], main(200), main(200), [0; 4]]);
    assert_eq!(pixels(&hud_1, 29, 107), [main(200), main(200), shadow, main(200), main(200), shadow]);
    assert_eq!(pixels(&hud_1, 29, 108), [[0; 4], shadow, shadow, [0; 4], shadow, shadow]);
    // On the picture of the item, whose color is [12, 0, 0]: 32 pixels from its right side.
    assert_eq!(pixels(&hud_1, 99, 394)[..3], [main(200), main(200), main(12)]);
    assert_eq!(hud_1.get(100, 396).unwrap(), main(2));
    // A darker and translucent font; the number is only drawn in mode 2.
    let dark = SYSTEM.replace("255, 255", "128, 100");
    let (hud_2, _) = hud(&dark, &hud_files(), &[("health", "50")]);
    assert_eq!(hud_2.get(29, 106).unwrap(), [100, 0, 0, 100]);
    let (hud_3, _) = hud(&SYSTEM.replace("mode=2", "mode=1"), &hud_files(), &[("health", "50")]);
    assert_eq!(hud_3.get(29, 106).unwrap(), [0; 4]);
}

#[test]
fn frames_are_drawn_at_their_offsets_except_power_ups() {
    let moved = |bytes: &[u8]| {
        let mut gxa = Gxa::read(bytes).unwrap();
        gxa.frames.iter_mut().for_each(|frame| (frame.x_offset, frame.y_offset) = (3, -2));
        gxa.write().unwrap()
    };
    let mut files = hud_files();
    for (path, bytes) in &mut files {
        if path.ends_with("GXA") {
            *bytes = moved(bytes);
        }
    }
    let (hud, _) = hud(SYSTEM, &files, &[]);
    for [x, y] in [[12, 8], [546, 396], [12, 386]] {
        assert_eq!((frame_at(&hud, x, y), frame_at(&hud, x + 3, y - 2).is_some()), (None, true), "{x}, {y}");
    }
    assert!(frame_at(&hud, 576, 6).is_some());
}

#[test]
fn what_the_hud_lacks_is_reported_and_the_rest_is_drawn() {
    let (hud_1, warnings) = hud(SYSTEM, &[], &[]);
    assert!(hud_1.pixels().iter().all(|channel| *channel == 0));
    let expected = [
        "INI-W031: WORLD.INI was not found; the compass is drawn without the turn of the world",
        "INI-W031: COMPASS2.GXA was not found; the compass is not drawn",
        "INI-W031: SNUFF.GXA was not found; the candle is not drawn",
        "INI-W031: REDSEL.FNT was not found; numbers are not drawn",
        "INI-W031: powerup.gxa was not found; the power-up is not drawn",
        "INI-W031: ITEM.INI was not found; the item is not drawn",
    ];
    assert_eq!(warnings, expected);
    let mut files = hud_files();
    files[3].1 = bitmap(73, 65, 4);
    let options = [("heading", "64"), ("world", "1"), ("item", "5"), ("power-ups", "2,0")];
    let (hud_2, warnings) = hud(&SYSTEM.replace("font_sel", "font"), &files, &options);
    let expected = [
        "INI-W033: COMPASS2.GXA has no frame 31 (frames: 4); the compass is not drawn",
        "INI-W033: powerup.gxa has no frame 2 (frames: 2); the power-up is not drawn",
        "INI-W033: ITEM.INI has no bitmap of item 5; the item is not drawn",
    ];
    assert_eq!(warnings, expected);
    assert_eq!(frame_at(&hud_2, 576, 96), Some(0));
    // The number without a setting of the font.
    assert_eq!(hud_2.get(28, 106).unwrap(), [200, 0, 0, 255]);
    let (_, warnings) = hud(&SYSTEM.replace("game_bitmap", "bitmap"), &hud_files(), &[]);
    assert_eq!(warnings, ["INI-W031: game_bitmap is missing; the power-ups are not drawn"]);
}

#[test]
fn power_ups_are_up_to_two_frames() {
    let outcome = |text: &str| drawn(SYSTEM, &hud_files(), &[("power-ups", text)]).0.remove(0).1;
    for text in ["none", "0", "1, 0", " NONE "] {
        assert!(outcome(text).is_ok(), "{text}");
    }
    for text in ["", "x", "0,1,0", "-1"] {
        let message = format!(
            "--power-ups expects none, a number, or two numbers separated by a comma, but got \"{text}\""
        );
        assert_eq!(outcome(text).unwrap_err().to_string(), message);
    }
}

#[test]
fn other_settings_have_no_pictures() {
    assert!(drawn("[world]\nworld_map[1]=A.RGM\n", &menu_files(), &[]).0.is_empty());
}
