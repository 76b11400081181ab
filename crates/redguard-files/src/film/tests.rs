//! Synthetic films with the subtitles of a game.

use std::sync::Arc;

use asset::{FixedText, Install, MemorySink, Options};
use files::layer::MemoryLayer;
use json::Value;
use media::smk::Header;
use record::write_whole;

use super::*;

/// A film without frame data.
fn film(timing: i32) -> Vec<u8> {
    let header = Header {
        version: FixedText(*b"SMK2"),
        width: 640,
        height: 240,
        frames: 0,
        timing,
        flags: 0,
        audio_sizes: [0; 7],
        trees_size: 0,
        tree_sizes: [0; 4],
        audio_rates: [0; 7],
        unknown_0x64: 0,
    };
    write_whole(&header, ()).unwrap()
}

const MENU_TEXT: &str = "[page3]\r\nmovie_name[0]=Intro.smk\r\nmovie_name[1]=WIN.SMK\r\n\
    movie0_text[0]=1,255,0,9,2,10,Hello, Cyrus.\r\nmovie0_text[1]=0,1,1,1,9,9,Never\r\n\
    movie0_text[2]=255,0,9,11,20,A text of more than thirty-five characters\r\n";

/// Converts a file of a game with the given films. `is_one_of_many` is true for a run over a folder.
fn convert(
    format: &'static Format,
    name: &str,
    films: &[(&str, i32)],
    extension: &str,
    is_one_of_many: bool,
) -> (Result<Vec<(String, String)>>, Vec<String>) {
    let films = films.iter().map(|(name, timing)| ((*name).to_owned(), Source::from(film(*timing))));
    let menu = ("MENU.INI".to_owned(), Source::from_bytes(MENU_TEXT.as_bytes()));
    let install = Install::new(vec![Arc::new(MemoryLayer::new("game", films.chain([menu])).unwrap())]);
    let location = install.find(name).found().unwrap().location;
    let source = install.open(&location).unwrap();
    let options = Options::defaults(format.options);
    let context = Context { install: &install, location: Some(location), options: &options };
    let (mut sink, mut report) = (MemorySink::new(), Report::new());
    let asset = (format.open)(&source, &mut report).unwrap();
    let target = Target { separate_models: is_one_of_many, ..Target::new("film", 1.0) };
    let done = format.convert(&*asset, extension, &context, target, &mut sink, &mut report);
    let text = |(name, bytes): (String, Vec<u8>)| (name, String::from_utf8(bytes).unwrap());
    let files = done.map(|()| sink.into_files().into_iter().map(text).collect());
    (files, report.iter().map(ToString::to_string).collect())
}

#[test]
fn a_film_has_the_subtitles_of_its_movie() {
    // 40 milliseconds per frame.
    let (files, report) = convert(&FORMAT, "INTRO.SMK", &[("INTRO.SMK", 40)], "srt", false);
    let expected = "1\n00:00:00,040 --> 00:00:00,360\nHello, Cyrus.\n\n\
                    2\n00:00:00,400 --> 00:00:00,760\nA text of more than thirty-five\ncharacters\n\n";
    assert_eq!(files.unwrap(), [("film.srt".to_owned(), expected.to_owned())]);
    let never = "warning FILM-W002: MENU.INI, line 5: the subtitle is shown from frame 9 up to frame 9, which is never";
    assert_eq!(report, [never]);
    let (files, _) = convert(&FORMAT, "intro.smk", &[("intro.smk", -4000)], "vtt", false);
    let vtt = &files.unwrap()[0].1;
    assert!(
        vtt.starts_with("WEBVTT\n\n00:00:00.040 --> 00:00:00.360\n<c.forced>Hello, Cyrus.</c>\n\n"),
        "{vtt}"
    );
}

#[test]
fn a_film_without_subtitles_fails_only_if_it_is_converted_alone() {
    let films = [("WIN.SMK", 40), ("OTHER.SMK", 40)];
    let refused = |name: &str| convert(&FORMAT, name, &films, "srt", false).0.unwrap_err().to_string();
    assert_eq!(refused("WIN.SMK"), "MENU.INI has no subtitles for movie 1 (WIN.SMK)");
    assert_eq!(refused("OTHER.SMK"), "MENU.INI has no movie OTHER.SMK");
    let (files, report) = convert(&FORMAT, "OTHER.SMK", &films, "srt", true);
    assert!(files.unwrap().is_empty());
    assert_eq!(report, ["note FILM-N003: MENU.INI has no movie OTHER.SMK"]);
}

#[test]
fn settings_have_the_subtitles_of_every_movie_at_the_rate_of_its_film() {
    let ini = &crate::settings::ini::FORMAT;
    let (files, report) = convert(ini, "MENU.INI", &[("INTRO.SMK", 100)], "srt", true);
    let files = files.unwrap();
    assert_eq!(files.len(), 1, "movie 1 has no subtitles");
    assert_eq!(files[0].0, "film/INTRO.srt");
    assert!(files[0].1.contains("\n00:00:00,100 --> 00:00:00,900\n"), "{files:?}");
    assert_eq!(report.len(), 1, "{report:?}");
}

#[test]
fn without_its_film_a_movie_has_the_frame_rate_of_the_introduction() {
    let ini = &crate::settings::ini::FORMAT;
    let (files, report) = convert(ini, "MENU.INI", &[], "srt", true);
    // (11 - 1) / 15.0015 and (20 - 1) / 15.0015 seconds.
    assert!(files.unwrap()[0].1.contains("\n00:00:00,667 --> 00:00:01,267\n"));
    assert_eq!(report[0], "note FILM-N001: INTRO.SMK was not found; assuming 15.0015 frames per second");
}

#[test]
fn the_description_names_the_movie() {
    let menu = ("MENU.INI".to_owned(), Source::from_bytes(MENU_TEXT.as_bytes()));
    let video = ("win.smk".to_owned(), Source::from(film(40)));
    let install = Install::new(vec![Arc::new(MemoryLayer::new("game", [menu, video]).unwrap())]);
    let location = install.find("WIN.SMK").found();
    let options = Options::defaults(FORMAT.options);
    let context =
        Context { install: &install, location: location.map(|found| found.location), options: &options };
    let film = Film { video: Video::read(&Source::from(film(40))).unwrap() };
    for detail in [Detail::Brief, Detail::Full] {
        let mut description = film.describe(detail);
        film.describe_in_game(&context, &mut description);
        assert_eq!(description.fields.root().get("movie").map(|it| it.to_value()), Some(Value::from(1)));
    }
}
