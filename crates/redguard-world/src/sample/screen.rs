//! The menu and the HUD of the sample game: pages of paper, fonts, small bitmaps, and the settings that place them.

use std::fmt::Write as _;

use asset::Sink;
use record::Result;

use super::canvas::{self, Ramp, SIDE, index, palette, six_bit};
use super::{entry, font};
use redguard_files::picture::gxa::Gxa;
use redguard_files::picture::palette::Palette;
use redguard_files::picture::texbsi::{Bank, Image};

/// Bank of the pages.
const PAGES: u16 = 289;

/// Width and height of a page in texels.
const PAGE_SIDE: u32 = 256;

/// Number of entries of the first page whose texts and actions `MENU.INI` already has.
const PRESENT: usize = 2;

/// Number of texels between the edge of a page and its frame.
const MARGIN: u32 = 6;

/// Scale of the fonts of the menu and the HUD.
const FONT_SCALE: usize = 2;

/// Positions of a quarter of a circle with a radius of 32, in 32nds of a turn.
const QUARTER: [i64; 9] = [0, 6, 12, 18, 23, 27, 30, 31, 32];

/// The pages with their entries: text and action.
const MENU: [&[(&str, i32)]; 8] = [
    &[("NEW", 10), ("QUIT", -2), ("SAVE", 1), ("LOAD", 2), ("MOVIES", 3), ("OPTIONS", 4), ("CONTINUE", -1)],
    &[("NEW GAME TO SAVE", 101), ("BACK", 100)],
    &[("AT THE HARBOUR", 202), ("BACK", 200)],
    &[("THE SHIP", 301), ("BACK", 300)],
    &[("DISPLAY", 405), ("SOUND", 406), ("CONTROLS", 407), ("BACK", 400)],
    &[("SUBTITLES", 504), ("INTERLACE", 505), ("BACK", 500)],
    &[("EFFECTS", 601), ("MUSIC", 602), ("VOICES", 603), ("BACK", 600)],
    &[
        ("UP", 710),
        ("DOWN", 711),
        ("LEFT", 712),
        ("RIGHT", 713),
        ("NEXT", 723),
        ("PREVIOUS", 724),
        ("BACK", 700),
    ],
];

const ITEM: &str = r"
[items]
bitmap_file = SYSTEM\PICKUPS.GXA
start_item_select = 1
bitmap[0] = 0
bitmap[1] = 1
bitmap[2] = 2
bitmap[3] = 3
bitmap[4] = 4
";

const KEYS: &str = "
[input]
key_up[0] = 17
key_down[0] = 31
key_left[0] = 30
key_right[0] = 32
key_a[0] = 42
key_b[0] = 57
key_c[0] = 56
key_d[0] = 18

[defined]
key_name[17] = w
key_name[30] = a
key_name[31] = s
key_name[32] = d
key_name[51] = comma
key_name[52] = period
";

const SYSTEM: &str = r"
[screen]
candle_mode = 2

[system]
game_bitmap = system\POWERUP.GXA
volume = 192
sound_distance = 64
redbook_volume = 127
compass_xco = 558
compass_yco = 400
candle_xco = 20
candle_yco = 12
pickup_xco = 20
pickup_yco = 410
game_xco1 = 582
game_yco1 = 10
game_xco2 = 582
game_yco2 = 80

[dialog]
dialog_print_text = 1
dialog_use_speech = 1
dialog_max_distance = 1600
dialog_max_text_width = 500

[camera]
camera_distance = 250
target_offset_x = -6000
target_offset_y = -14000
offset_pos_y = -14000

[3dfx]
font_sel = 255, 255
";

/// Returns further lines of a settings file.
pub(super) fn settings(file: &str) -> String {
    match file {
        "MENU.INI" => menu(),
        "ITEM.INI" => ITEM.to_owned(),
        "KEYS.INI" => KEYS.to_owned(),
        "SYSTEM.INI" => SYSTEM.to_owned(),
        _ => String::new(),
    }
}

/// The entries of all pages, one below the other.
fn menu() -> String {
    let mut out = String::new();
    for (number, entries) in MENU.iter().enumerate() {
        let _ = writeln!(out, "\n[page{number}]\ntexture_set[0] = {PAGES}\ntexture_index[0] = 0");
        // Entries without a value are centered.
        let has_values = entries.iter().any(|(_, action)| matches!(action, 504..=603 | 710..));
        let (x, justify) = if has_values { (20, 0) } else { (128, 1) };
        for (index, (text, action)) in entries.iter().enumerate() {
            let y = 24 + index * 30;
            if number > 0 || index >= PRESENT {
                let _ = writeln!(out, "text[{index}] = {text}\naction[{index}] = {action}");
            }
            let _ = writeln!(
                out,
                "text_x[{index}] = {x}\ntext_y[{index}] = {y}\njustify[{index}] = {justify}\nselectable[{index}] = 1"
            );
            if let 504..=603 = action {
                let _ = writeln!(
                    out,
                    "output_x[{index}] = 236\noutput_y[{index}] = {y}\noutput_justify[{index}] = 2\nslider_max[{index}] = 20"
                );
            }
        }
    }
    out
}

/// Writes the palette, the pages, the fonts and the bitmaps.
pub(super) fn write(sink: &mut dyn Sink) -> Result<()> {
    sink.put("fxart/REDGUARD.COL", &Palette::new(palette()).write()?)?;
    sink.put("fxart/TEXBSI.289", &pages()?.write()?)?;
    for (name, font) in [
        ("FONTNORM", font::scaled(FONT_SCALE, |y| index(Ramp::Wood, 1 + y / 6))?),
        ("FONTSEL", font::scaled(FONT_SCALE, |y| index(Ramp::Cloth, 15 - y))?),
        ("REDSEL", font::scaled(FONT_SCALE, |y| index(Ramp::Fire, 15 - y))?),
    ] {
        sink.put(&format!("fonts/{name}.FNT"), &font.write()?)?;
    }
    for (name, bitmap) in [
        ("COMPASS2", bitmap([56, 56], 32, compass)?),
        ("SNUFF", bitmap([24, 64], 81, candle)?),
        ("PICKUPS", bitmap([56, 56], 5, item)?),
        ("POWERUP", bitmap([40, 52], 2, power_up)?),
        ("MM_CHECK", bitmap([18, 18], 2, check_box)?),
        ("MM_SLIDE", bitmap([90, 18], 21, slider)?),
    ] {
        sink.put(&format!("system/{name}.GXA"), &bitmap.write()?)?;
    }
    Ok(())
}

/// A sheet of paper with a frame.
fn pages() -> Result<Bank> {
    let paper = canvas::ground(Ramp::Sand, 4);
    let texel = |x: u32, y: u32| {
        let edge = [x, y, PAGE_SIDE - 1 - x, PAGE_SIDE - 1 - y].into_iter().min().unwrap_or_default();
        let tile = (y % SIDE) * SIDE + x % SIDE;
        // Four of the sixteen shades, so that there are four brighter ones for texts of grayed entries.
        let shade = paper.get(tile as usize).map_or(0, |index| 8 + i64::from(index & 15) / 4);
        if edge == MARGIN || edge == MARGIN + 2 { index(Ramp::Wood, 7) } else { index(Ramp::Sand, shade) }
    };
    let pixels = (0..PAGE_SIDE).flat_map(|y| (0..PAGE_SIDE).map(move |x| texel(x, y))).collect();
    let image = Image::new(PAGE_SIDE, PAGE_SIDE, &[pixels], 0, None)?;
    Ok(Bank { entries: vec![entry(PAGES, 0, image)], ..Bank::default() })
}

/// Computes a bitmap from the index of each pixel: by frame, distance from the left and distance from the top.
fn bitmap([width, height]: [u16; 2], frames: i64, color: fn(i64, i64, i64) -> u8) -> Result<Gxa> {
    let pixels = |frame| {
        (0..i64::from(height)).flat_map(|y| (0..i64::from(width)).map(move |x| color(frame, x, y))).collect()
    };
    Gxa::new(six_bit(), (0..frames).map(|frame| (width, height, pixels(frame))).collect())
}

/// The point of a circle with a radius of 32, in 32nds of a turn from the top, clockwise.
fn on_circle(turn: i64) -> [i64; 2] {
    let at = |turn: i64| QUARTER.get(turn.unsigned_abs() as usize).copied().unwrap_or_default();
    let sine = |turn: i64| match turn.rem_euclid(32) {
        turn @ 0..8 => at(turn),
        turn @ 8..16 => at(16 - turn),
        turn @ 16..24 => -at(turn - 16),
        turn => -at(32 - turn),
    };
    [sine(turn), -sine(turn + 8)]
}

/// A needle that points to the north: frame by frame, it turns clockwise.
fn compass(frame: i64, x: i64, y: i64) -> u8 {
    let (dx, dy) = (x - 28, y - 28);
    let [north_x, north_y] = on_circle(frame);
    let (ahead, sideways) = ((dx * north_x + dy * north_y) / 32, (dx * north_y - dy * north_x) / 32);
    let is_thin = sideways.abs() * 5 <= 22 - ahead.abs();
    match dx * dx + dy * dy {
        600..=780 => index(Ramp::Wood, 10),
        0..600 if is_thin && ahead > 0 => index(Ramp::Cloth, 15),
        0..600 if is_thin => index(Ramp::Stone, 13),
        0..600 => index(Ramp::Blue, 3),
        _ => 0,
    }
}

/// A candle with eleven levels of five flickering frames and one frame of change, then smoke.
fn candle(frame: i64, x: i64, y: i64) -> u8 {
    let (level, phase) = (frame.min(66) / 6, frame.min(66) % 6);
    let top = 16 + level * 4;
    let from_middle = (x - 12).abs();
    if y >= 60 {
        return index(Ramp::Fire, 9);
    }
    if y >= top {
        return if from_middle <= 6 { index(Ramp::Stone, 14 - from_middle) } else { 0 };
    }
    let height = top - y;
    let bend = if phase % 2 == 0 { 0 } else { 1 };
    match frame {
        0..66 if height <= 14 && (x - 12 - bend * height / 8).abs() * 3 <= 15 - height => {
            index(Ramp::Fire, 15 - height / 2)
        }
        66.. if (height + frame) % 5 < 2 && from_middle <= 1 && height < 80 - frame => index(Ramp::Stone, 8),
        _ => 0,
    }
}

/// A ring in the color of the item.
fn item(frame: i64, x: i64, y: i64) -> u8 {
    let ramps = [Ramp::Blue, Ramp::Fire, Ramp::Wood, Ramp::Sand, Ramp::Green];
    let ramp = usize::try_from(frame).ok().and_then(|frame| ramps.get(frame)).copied().unwrap_or(Ramp::Stone);
    let (dx, dy) = (x - 28, y - 28);
    match dx * dx + dy * dy {
        0..300 => index(ramp, 14 - (dx + dy + 24).abs() / 6),
        500..700 => index(Ramp::Wood, 8),
        _ => 0,
    }
}

/// A gauntlet or a shield: a square or a shape with a point.
fn power_up(frame: i64, x: i64, y: i64) -> u8 {
    let from_middle = (x - 20).abs();
    let width = if frame == 0 { 14 } else { (52 - y).min(18) };
    match from_middle {
        _ if !(4..48).contains(&y) || from_middle > width => 0,
        _ if from_middle == width || y == 4 || y == 47 => index(Ramp::Fire, 12),
        _ => index(Ramp::Stone, 12 - from_middle / 3),
    }
}

/// An empty box, and a box with a mark.
fn check_box(frame: i64, x: i64, y: i64) -> u8 {
    let edge = [x, y, 17 - x, 17 - y].into_iter().min().unwrap_or_default();
    match edge {
        0 | 1 => index(Ramp::Wood, 6),
        4.. if frame == 1 && ((x - y).abs() <= 1 || (x + y - 17).abs() <= 1) => index(Ramp::Cloth, 12),
        _ => 0,
    }
}

/// A bar with a knob, from the left to the right.
fn slider(frame: i64, x: i64, y: i64) -> u8 {
    let is_knob = (x - 5 - frame * 4).abs() <= 3 && (2..16).contains(&y);
    match y {
        _ if is_knob => index(Ramp::Cloth, 12),
        8 | 9 => index(Ramp::Wood, 6),
        _ => 0,
    }
}
