//! The picture of the HUD: compass, candle with the health, power-ups and the selected item, on a screen of 640 x 480 pixels.

use asset::{Context, Number, Offer, ProductKind, Report};
use media::ini::Ini;
use record::{Error, Result};
use scene::image::Rgba8;

use super::canvas::{Canvas, Sprite, image, over, width};
use super::file::{Frame, GameFiles, bare};
use super::formula::{SHADOW, candle_frames, candle_level, centered_at, compass_frame, shadow_alpha};
use crate::settings::ini::check::warning;
use crate::settings::ini::lookup::{Lookup, Section};
use crate::settings::ini::option::{COUNT, HEADING, HEALTH, ITEM, POWER_UPS, WORLD};
use crate::settings::ini::system::System;
use crate::settings::ini::value::integer;

/// The width of the screen in pixels.
const WIDTH: u16 = 640;

/// The height of the screen in pixels.
const HEIGHT: u16 = 480;

/// The font of numbers.
const FONT: &str = "REDSEL.FNT";

/// The width and height of the game's candle in pixels, in case its bitmap is missing.
const CANDLE_SIZE: [u16; 2] = [50, 98];

/// The width of the game's item pictures in pixels, in case their bitmap is missing.
const ITEM_WIDTH: u16 = 119;

/// The value of `candle_mode` that shows the health as a number.
const WITH_NUMBER: i32 = 2;

/// The maximum number of power-ups.
const MAX_POWER_UPS: usize = 2;

/// The state of the game that no setting or option defines.
const ASSUMED: &str = "the candle is shown and has settled at its level, the compass is switched on and owned, and there are no notices, \
                       prompts, subtitles or new log entries";

/// Returns the picture of the HUD.
pub(super) fn offer<'a>(ini: &'a Ini, context: &Context<'a>) -> Offer<'a> {
    let state = match State::requested(context) {
        Ok(state) => state,
        Err(error) => return Offer::new(ProductKind::Image, |_| Err::<Option<Rgba8>, _>(error)),
    };
    let (caption, context) = (state.caption(), context.clone());
    let hud = Offer::new(ProductKind::Image, move |making| {
        let screen = Screen {
            canvas: Canvas::new(WIDTH, HEIGHT, [0; 4]),
            font_sel: font_sel(ini),
            system: System::read(ini),
        };
        screen.draw(&state, &mut GameFiles::new(context), making.report).map(Some)
    });
    hud.with_caption(caption)
}

/// The state of the game.
struct State {
    health: i32,
    heading: i32,
    world: Option<u32>,
    item: Option<u32>,
    count: i32,
    power_ups: Vec<i32>,
}

impl State {
    fn requested(context: &Context<'_>) -> Result<Self> {
        let number = |option: &Number| truncated(context.options.number(option));
        let or_unset = |option: &Number| u32::try_from(number(option)).ok();
        let to_i32 = |option: &Number| i32::try_from(number(option)).unwrap_or(i32::MAX);
        Ok(Self {
            health: to_i32(&HEALTH),
            heading: to_i32(&HEADING),
            world: or_unset(&WORLD),
            item: or_unset(&ITEM),
            count: to_i32(&COUNT),
            power_ups: power_ups(context.options.text(&POWER_UPS).unwrap_or("0,1"))?,
        })
    }

    fn caption(&self) -> String {
        let Self { health, heading, world, item, count, power_ups } = self;
        let world = world.map_or_else(|| "start world".to_owned(), |world| format!("world {world}"));
        let item = item.map_or_else(|| "start item".to_owned(), |item| format!("item {item}"));
        let power_ups = match power_ups.as_slice() {
            [] => "no power-ups".to_owned(),
            frames => {
                format!("power-ups {}", frames.iter().map(i32::to_string).collect::<Vec<_>>().join(", "))
            }
        };
        format!(
            "health {health}, heading {heading}, {world}, {item}, count {count}, {power_ups}; assumed: {ASSUMED}"
        )
    }
}

/// Parses the frames of `--power-ups`.
fn power_ups(text: &str) -> Result<Vec<i32>> {
    if text.trim().eq_ignore_ascii_case("none") {
        return Ok(Vec::new());
    }
    let frames = text.split(',').map(|frame| frame.trim().parse().ok().filter(|frame| *frame >= 0));
    let frames: Option<Vec<i32>> = frames.collect();
    frames.filter(|frames| frames.len() <= MAX_POWER_UPS).ok_or_else(|| {
        let name = POWER_UPS.option().name;
        Error::usage(format!(
            "--{name} expects none, a number, or two numbers separated by a comma, but got \"{text}\""
        ))
    })
}

/// Returns the brightness and the opacity of selected texts: the shipped ones if the file does not define them.
fn font_sel(ini: &Ini) -> [u8; 2] {
    let lookup = Lookup::new(ini);
    let is_set = lookup.section("3dfx").is_some_and(|section| section.text("font_sel", None).is_some());
    let system = if is_set { System::read(ini) } else { System::shipped() };
    let channel = |number: i32| u8::try_from(number.clamp(0, 255)).unwrap_or(u8::MAX);
    system.pair("3dfx", "font_sel").map(channel)
}

/// Truncates toward zero; saturates, and NaN becomes 0.
#[expect(clippy::as_conversions, clippy::cast_possible_truncation, reason = "saturation is intended")]
const fn truncated(number: f64) -> i64 {
    number as i64
}

/// The screen while it is drawn, and the settings of SYSTEM.INI.
struct Screen {
    canvas: Canvas<[u8; 4]>,
    font_sel: [u8; 2],
    system: System,
}

impl Screen {
    /// Draws the elements in the order of the game.
    fn draw(mut self, state: &State, files: &mut GameFiles<'_>, report: &mut Report) -> Result<Rgba8> {
        report.warn(&warning::ASSUMED, ASSUMED);
        self.draw_compass(state, files, report);
        self.draw_candle(state, files, report);
        self.draw_power_ups(state, files, report);
        self.draw_item(state, files, report);
        image(self.canvas, WIDTH, HEIGHT)
    }

    fn draw_compass(&mut self, state: &State, files: &mut GameFiles<'_>, report: &mut Report) {
        let path = self.system.text("system", "world_ini");
        let worlds = files.settings(path, "the compass is drawn without the turn of the world", report);
        let turn = worlds.map_or(0, |ini| world_compass(&ini, state.world));
        let number = compass_frame(state.heading, turn);
        let frame = files.frame("COMPASS2.GXA", number, "the compass is not drawn", report);
        if let Some(frame) = frame {
            self.draw_frame(&frame, self.point(["compass_xco", "compass_yco"], frame.offset));
        }
    }

    /// Draws the candle at its level, and the health below it.
    fn draw_candle(&mut self, state: &State, files: &mut GameFiles<'_>, report: &mut Report) {
        let anchor = ["candle_xco", "candle_yco"];
        let number = *candle_frames(candle_level(state.health)).start();
        let frame = files.frame("SNUFF.GXA", number, "the candle is not drawn", report);
        if let Some(frame) = &frame {
            self.draw_frame(frame, self.point(anchor, frame.offset));
        }
        if self.system.integer("screen", "candle_mode") == WITH_NUMBER {
            let [width, height] = frame.map_or(CANDLE_SIZE, |frame| [frame.width, frame.height]);
            let [x, y] = self.point(anchor, [0; 2]);
            let center = x.saturating_add(i32::from(width / 2)).saturating_sub(5);
            let top = y.saturating_add(height.into());
            self.draw_number(state.health, [center, top], Align::Center, files, report);
        }
    }

    fn draw_power_ups(&mut self, state: &State, files: &mut GameFiles<'_>, report: &mut Report) {
        let anchors = [["game_xco1", "game_yco1"], ["game_xco2", "game_yco2"]];
        let path = self.system.text("system", "game_bitmap").to_owned();
        if path.is_empty() && !state.power_ups.is_empty() {
            let message = "game_bitmap is missing; the power-ups are not drawn".to_owned();
            files.warn(&warning::NO_FILE, message, report);
            return;
        }
        for (number, anchor) in state.power_ups.iter().zip(anchors) {
            if let Some(frame) = files.frame(&path, *number, "the power-up is not drawn", report) {
                self.draw_frame(&frame, self.point(anchor, [0; 2]));
            }
        }
    }

    /// Draws the picture of the item, and its count if there are several.
    fn draw_item(&mut self, state: &State, files: &mut GameFiles<'_>, report: &mut Report) {
        let path = self.system.text("system", "item_ini");
        let Some(ini) = files.settings(path, "the item is not drawn", report) else { return };
        let lookup = Lookup::new(&ini);
        let Some(items) = lookup.section("items") else { return };
        let first = || items.entries.iter().filter_map(|entry| entry.name.index).min().unwrap_or_default();
        let selected = || match items.text("start_item_select", None) {
            Some(number) => u32::try_from(integer(number)).unwrap_or_default(),
            None => first(),
        };
        let item = state.item.unwrap_or_else(selected);
        let anchor = ["pickup_xco", "pickup_yco"];
        let frame = frame_of_item(items, item, bare(path), files, report);
        if let Some(frame) = &frame {
            self.draw_frame(frame, self.point(anchor, frame.offset));
        }
        if state.count > 1 {
            let [x, y] = self.point(anchor, [0; 2]);
            let width = frame.map_or(ITEM_WIDTH, |frame| frame.width);
            let left = x.saturating_add(width.into()).saturating_sub(32);
            self.draw_number(state.count, [left, y.saturating_add(8)], Align::Left, files, report);
        }
    }

    /// Returns the position that two settings define, moved by an offset.
    fn point(&self, [x, y]: [&str; 2], [right, down]: [i32; 2]) -> [i32; 2] {
        let number = |key| self.system.integer("system", key);
        [number(x).saturating_add(right), number(y).saturating_add(down)]
    }

    fn draw_frame(&mut self, frame: &Frame, [left, top]: [i32; 2]) {
        let sprite = Sprite { left, top, width: frame.width, indices: &frame.indices };
        let color = |index: u8| frame.palette.get(usize::from(index)).copied().unwrap_or_default();
        self.canvas.draw_visible(sprite, |index, below| over(color(index), below));
    }

    /// Draws a number as a selected text: its shadow, then the number itself.
    fn draw_number(
        &mut self,
        number: i32,
        [x, y]: [i32; 2],
        align: Align,
        files: &mut GameFiles<'_>,
        report: &mut Report,
    ) {
        let text = number.to_string();
        let Some(font) = files.font(FONT, &text, "numbers are not drawn", report) else { return };
        let left = match align {
            Align::Left => x,
            Align::Center => centered_at(x, width(&font, &text)),
        };
        let [brightness, opacity] = self.font_sel;
        let [right, down] = SHADOW;
        let behind = [left.saturating_add(right), y.saturating_add(down)];
        let shadow = [0, 0, 0, alpha(shadow_alpha(opacity))];
        self.canvas.draw_text(&font, &text, behind, i32::MAX, |_, below| over(shadow, below));
        let colors = font.colors();
        let color = |index| {
            let [red, green, blue] = colors.get(index).map(|channel| scaled(channel, brightness));
            [red, green, blue, alpha(opacity)]
        };
        self.canvas.draw_text(&font, &text, [left, y], i32::MAX, |index, below| over(color(index), below));
    }
}

/// The position of a text relative to its anchor.
#[derive(Clone, Copy)]
enum Align {
    Left,
    Center,
}

/// Returns the angle that a world adds to the heading, or the start world.
fn world_compass(ini: &Ini, world: Option<u32>) -> i32 {
    let lookup = Lookup::new(ini);
    let Some(worlds) = lookup.section("world") else { return 0 };
    let start = || u32::try_from(worlds.integer("start_world", None)).unwrap_or_default();
    worlds.integer("world_compass", Some(world.unwrap_or_else(start)))
}

/// Returns the picture of an item.
fn frame_of_item(
    items: &Section<'_>,
    item: u32,
    file: &str,
    files: &mut GameFiles<'_>,
    report: &mut Report,
) -> Option<Frame> {
    let Some(number) = items.text("bitmap", Some(item)).map(integer) else {
        let message = format!("{file} has no bitmap of item {item}; the item is not drawn");
        files.warn(&warning::NO_PART, message, report);
        return None;
    };
    let Some(path) = items.text("bitmap_file", None) else {
        let message = format!("{file} has no bitmap_file; the item is not drawn");
        files.warn(&warning::NO_FILE, message, report);
        return None;
    };
    files.frame(path, number, "the item is not drawn", report)
}

/// Returns the opacity with which the game draws a text: from 254 on, it is opaque.
const fn alpha(opacity: u8) -> u8 {
    if opacity >= 254 { u8::MAX } else { opacity }
}

/// Darkens a color channel.
fn scaled(channel: u8, brightness: u8) -> u8 {
    u8::try_from(u16::from(channel).saturating_mul(brightness.into()) / 255).unwrap_or(u8::MAX)
}
