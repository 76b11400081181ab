//! MENU.INI: the pages of the menu, and the movies with their subtitles.

use json::{Document, Value, json};
use media::ini::Ini;

use super::Kind;
use super::caption::{Caption, Movie, movies};
use super::key::numbered;
use super::lookup::{Lookup, Section};
use super::page::{Element, Page};
use super::row::Row;
use super::unknown;
use super::value::{integer, integers};

/// The section of the movies.
pub(super) const MOVIES: &str = "page3";

/// The largest number of frames to which the player can skip.
pub(super) const MAX_SKIPS: usize = 20;

/// The names of the actions, by the number of the first one of each run.
const ACTIONS: [(i32, &[&str]); 13] = [
    (-2, &["quit", "continue"]),
    (1, &["save", "load", "movies", "options"]),
    (10, &["new game"]),
    (100, &["back", "new save", "existing row"]),
    (200, &["back"]),
    (202, &["row"]),
    (300, &["back", "movie 0", "movie 1", "movie 2", "movie 3", "movie 4"]),
    (400, &["back"]),
    (405, &["display", "sound", "controls"]),
    (500, &["back", "screen size", "resolution", "gamma", "subtitles", "interlace"]),
    (600, &["back", "effects", "music", "voices"]),
    (700, &["back"]),
    (710, &CONTROLS),
];

/// The names of the actions for keys.
const CONTROLS: [&str; 15] = [
    "up",
    "down",
    "left",
    "right",
    "a",
    "b",
    "c",
    "d",
    "inventory",
    "sword",
    "health",
    "map",
    "log",
    "next",
    "previous",
];

/// Returns the name of an action; `None` for an unknown one.
#[must_use]
pub fn action_name(action: i32) -> Option<&'static str> {
    let name = |(first, names): &(i32, &'static [&'static str])| {
        let number = usize::try_from(action.checked_sub(*first)?).ok()?;
        names.get(number).copied()
    };
    ACTIONS.iter().find_map(name)
}

/// Returns the sections of pages with the pages, in the order of the file.
pub(super) fn pages<'l, 'a>(lookup: &'l Lookup<'a>) -> impl Iterator<Item = (Page, &'l Section<'a>)> {
    let sections = lookup.sections().iter().filter(|section| numbered("page#", &section.name).is_some());
    Page::list(lookup).into_iter().zip(sections)
}

/// Converts the pages, and the movies with their subtitles.
pub(super) fn to_json(ini: &Ini) -> Document {
    let lookup = Lookup::new(ini);
    let keys = Kind::Menu.group("general").map_or(&[][..], |group| group.keys);
    let general = Document::object(|out| {
        for (key, reading) in Row::new(lookup.section("general"), keys, None).readings() {
            out.put(key.name, &reading.value);
        }
    });
    let movies_section = lookup.section(MOVIES);
    Document::object(|out| {
        out.put("general", &general)
            .list("pages", pages(&lookup).map(|(page, section)| page_to_json(&page, section)))
            .list("movies", movies(ini).iter().map(|movie| movie_to_json(movie, movies_section)))
            .put("unknown_keys", &unknown::to_json(&lookup, Kind::Menu));
    })
}

fn page_to_json(page: &Page, section: &Section<'_>) -> Document {
    let texture =
        |texture: &Option<(i32, i32)>| texture.map(|(set, index)| json!({ "set": set, "index": index }));
    let mut written: Vec<_> = section.firsts().filter(|entry| entry.name.index.is_some()).collect();
    written.sort_by_key(|entry| entry.name.index);
    let of_key = |key: &'static str| written.iter().filter(move |entry| entry.name.base == key);
    Document::object(|out| {
        out.put("page", &page.number)
            .put("name", &page.name())
            .list("texts", of_key("text").map(|entry| entry.raw.as_ref()))
            .list("actions", of_key("action").map(|entry| integer(entry.value())))
            .list("textures", page.textures.iter().map(texture))
            .list("elements", page.elements.iter().map(element_to_json));
    })
}

fn element_to_json(it: &Element) -> Value {
    json!({
        "index": it.index, "text": it.text, "x": it.x, "y": it.y, "texture": it.texture, "justify": it.justify,
        "output_x": it.output_x, "output_y": it.output_y, "output_justify": it.output_justify,
        "selectable": it.selectable, "default": it.default, "grayed": it.grayed,
        "slider_min": it.slider_min, "slider_max": it.slider_max,
        "action": it.action, "action_name": action_name(it.action),
    })
}

fn movie_to_json(movie: &Movie, section: Option<&Section<'_>>) -> Document {
    let skips = section.map(|section| skips(section, movie.number)).unwrap_or_default();
    Document::object(|out| {
        out.put("name", &movie.name)
            .put("file", &movie.file())
            .put("keys", &skips)
            .list("subtitles", movie.captions.iter().map(|it| json!([it.start, it.stop, it.text])))
            .list("captions", movie.captions.iter().map(caption_to_json));
    })
}

fn caption_to_json(it: &Caption) -> Value {
    json!({ "index": it.index, "always": it.always, "color": it.color, "start": it.start, "stop": it.stop,
        "text": it.text, "fields": it.fields })
}

/// Returns the frames to which the player can skip in a movie: up to the first 0, and at most 20.
pub(super) fn skips(section: &Section<'_>, movie: u32) -> Vec<i32> {
    all_skips(section, movie).into_iter().take(MAX_SKIPS).collect()
}

/// Returns the frames to which the player can skip in a movie up to the first 0, also those that the game ignores.
pub(super) fn all_skips(section: &Section<'_>, movie: u32) -> Vec<i32> {
    let text = section.text("movie_keys", Some(movie)).unwrap_or_default();
    integers(text).into_iter().take_while(|frame| *frame != 0).collect()
}
