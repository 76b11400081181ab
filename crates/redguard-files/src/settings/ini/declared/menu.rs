//! The keys of MENU.INI.
//!
//! Sources: redguard-preservation 0.10.4, whose reader of subtitles was tested on an installed game.

use super::super::key::File::Unchecked;
use super::super::key::{Group, Key, Missing, ValueKind};

/// The sections with their keys.
pub(super) const GROUPS: &[Group] = &[
    Group { section: "general", about: "Switches of the menu.", keys: GENERAL },
    Group {
        section: "page#",
        about: "A page of the menu: its images, and its entries by index. Pages 0 to 7 are main, save, load, movies, options, display, \
            sound and controls.",
        keys: PAGE,
    },
    Group { section: "page3", about: "The movies, with their subtitles.", keys: MOVIES },
];

/// The sides of a position.
const JUSTIFY: &[&str] = &["left", "center", "right"];

const fn int(name: &'static str, about: &'static str) -> Key {
    Key::integer(name, "0", about)
}

const fn switch(name: &'static str, about: &'static str) -> Key {
    Key::switch(name, "0", about)
}

const GENERAL: &[Key] = &[
    Key::switch("preload_sprites", "1", "Loads the images of the menu at the start.").by_name(),
    Key::switch("hi_res_menu", "1", "Uses other fonts at other resolutions."),
    switch("ignore_autosave", "Does not offer the automatic save at the start."),
    switch("force_movies", "Makes all movies available; only 1 counts."),
];

const PAGE: &[Key] = &[
    Key::integer(
        "texture_set[]",
        "289",
        "Bank with the image of a surface. A page needs surface 0; surface 1 is optional.",
    )
    .indices(0, 1)
    .missing(Missing::Nothing),
    Key::integer("texture_index[]", "", "Number of the image of a surface in its bank.")
        .indices(0, 1)
        .missing(Missing::Nothing),
    Key::text("text[]", "", "Label. The entries end at the first index without a label."),
    int("text_x[]", "Horizontal position of the label on its surface.").unit("texels"),
    int("text_y[]", "Vertical position of the label on its surface.").unit("texels"),
    int("texture[]", "Surface of the entry.").range(0, 1),
    int("justify[]", "Where the position is in the label: 0 left, 1 center, 2 right.").names(JUSTIFY),
    int("output_x[]", "Horizontal position of the value, check box or slider.").unit("texels"),
    int("output_y[]", "Vertical position of the value, check box or slider.").unit("texels"),
    int("output_justify[]", "Where the position is in the value: 0 left, 1 center, 2 right.").names(JUSTIFY),
    switch("selectable[]", "Whether the entry can be selected."),
    switch("default[]", "Whether the entry is selected first."),
    switch("grayed[]", "Whether the entry is disabled."),
    int(
        "action[]",
        "Number of the action: 1 save, 2 load, 3 movies, 4 options, 10 new game, -1 continue, -2 quit; on page N, N hundreds.",
    ),
    int("slider_min[]", "Smallest value of a slider."),
    int("slider_max[]", "Largest value of a slider, at least slider_min."),
];

const MOVIES: &[Key] = &[
    Key::path(
        "movie_name[]",
        Unchecked,
        "",
        "File name of a movie; the game uses the first 15 characters in uppercase. The movies end at the first index without a name.",
    ),
    Key::of(
        ValueKind::List,
        "movie_keys[]",
        "",
        "Frames to which the player can skip, in ascending order. The game uses at most 20; 0 ends the list.",
    )
    .unit("frames"),
    Key::text(
        "movie#_text[]",
        "",
        "Subtitle of the movie with the number in the name: always, red, green, blue, start, stop, text. It is shown from the start frame up to the stop frame, exclusive.",
    ),
];
