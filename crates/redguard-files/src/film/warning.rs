//! Warnings about films.

use asset::SharedCode;

use crate::settings::ini::subtitle::NEVER;

crate::codes! {
    NONE = "FILM-N003", Note, "film without subtitles",
        "A film has no subtitles in MENU.INI, so no subtitles are written. Example: `MENU.INI has no movie INTRO.SMK`.";
}

/// The warnings that are not about the video.
pub(super) static SHARED: &[SharedCode] = &[SharedCode::new(&NEVER), SharedCode::new(&NONE)];
