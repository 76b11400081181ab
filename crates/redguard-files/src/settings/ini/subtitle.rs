//! Converts the subtitles of the movies in MENU.INI to times.
//!
//! Frames are counted from 1; a subtitle is shown from its start frame up to the frame before its stop frame, in lines of at most 35
//! characters. The game ignores the colors. Source: redguard-preservation's findings in the Glide executable.

use std::time::Duration;

use asset::{Context, Offer, ProductContext, ProductKind, Report, SharedCode};
use media::smk::Header;
use record::{Result, read_whole};
use scene::product::{Cue, Subtitles};

use super::caption::{Caption, Movie};
use super::world::stem_of;
use crate::wrap::{MOVIE_CHARACTERS, wrapped};

crate::codes! {
    RATE = "FILM-N001", Note, "assumed frame rate",
        "The times of the subtitles of a film depend on its frame rate, which is stored in the film. The film was not found, so the frame rate of \
        INTRO.SMK is assumed. The films are in the root folder of the game's disc: copy them to the game, or name their folder with `--game`. Example: \
        `INTRO.SMK was not found; assuming 15.0015 frames per second`.";
    NEVER = "FILM-W002", Warning, "subtitle that is never shown",
        "A subtitle ends before it starts, so the game never shows it, and it is not converted. Example: `line 9: the subtitle is shown from frame 10 up \
        to frame 10, which is never`.";
}

/// The warnings, for the formats that raise them.
pub(super) static SHARED: &[SharedCode] = &[SharedCode::new(&RATE), SharedCode::new(&NEVER)];

/// Time per frame of INTRO.SMK: 15.0015 frames per second.
const INTRO_FRAME: Duration = Duration::from_micros(66_660);

/// Converts the subtitles of a movie to times. Subtitles that are never shown are skipped.
#[must_use]
pub fn subtitles(movie: &Movie, frame_time: Duration) -> Subtitles {
    let cues = movie.captions.iter().filter(|caption| !caption.is_never_shown());
    Subtitles { cues: cues.map(|caption| cue(caption, frame_time)).collect() }
}

fn cue(caption: &Caption, frame_time: Duration) -> Cue {
    let time_of = |frame: i32| {
        let before = u32::try_from(frame.saturating_sub(1)).unwrap_or_default();
        frame_time.saturating_mul(before)
    };
    let length = |line: &str| i32::try_from(line.chars().count()).unwrap_or(i32::MAX);
    let limit = i32::try_from(MOVIE_CHARACTERS).unwrap_or(i32::MAX).saturating_add(1);
    Cue {
        start: time_of(caption.start),
        end: time_of(caption.stop),
        text: wrapped(&caption.text, limit, length).join("\n"),
        is_forced: caption.always.is_some_and(|always| always != 0),
    }
}

/// Returns the subtitles of all movies that have any, each under the name of its film.
pub(super) fn offers<'a>(
    movies: Vec<Movie>,
    context: &Context<'a>,
) -> impl Iterator<Item = Offer<'a>> + use<'a> {
    let context = context.clone();
    movies.into_iter().filter(|movie| !movie.captions.is_empty()).map(move |movie| {
        let (file, context) = (movie.file(), context.clone());
        let make = move |making: &mut ProductContext<'_>| {
            let frame_time = frame_time(&movie, &context, making.report);
            report_never_shown(&movie, "", making.report);
            Ok(Some(subtitles(&movie, frame_time)))
        };
        Offer::new(ProductKind::Subtitles, make).named(stem_of(&file).to_owned())
    })
}

/// Returns the time per frame of a movie. If its film was not found, that of INTRO.SMK is assumed and reported.
fn frame_time(movie: &Movie, context: &Context<'_>, report: &mut Report) -> Duration {
    let header = |found: asset::Found| -> Result<Header> {
        read_whole(&context.install.open(&found.location)?.head(Header::SIZE)?, ())
    };
    let file = movie.file();
    match context.install.find(&file).found().map(header) {
        Some(Ok(header)) => header.frame_time(),
        Some(Err(error)) => {
            report.warn(&RATE, format!("{file} cannot be read ({error}); {ASSUMING}"));
            INTRO_FRAME
        }
        None => {
            report.warn(&RATE, format!("{file} was not found; {ASSUMING}"));
            INTRO_FRAME
        }
    }
}

/// The consequence of a missing film, for messages.
const ASSUMING: &str = "assuming 15.0015 frames per second";

/// Reports the subtitles of a movie that are never shown. `file` is the name of the settings file, unless the report is about that file.
pub(crate) fn report_never_shown(movie: &Movie, file: &str, report: &mut Report) {
    let separator = if file.is_empty() { "" } else { ", " };
    for caption in movie.captions.iter().filter(|caption| caption.is_never_shown()) {
        let message = format!(
            "{file}{separator}line {}: the subtitle is shown from frame {} up to frame {}, which is never",
            caption.line, caption.start, caption.stop
        );
        report.warn(&NEVER, message);
    }
}
