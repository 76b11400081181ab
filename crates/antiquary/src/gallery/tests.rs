//! What is shown of scenes, pictures, sounds and fonts.

use std::collections::BTreeMap;
use std::path::Path;

use asset::{MemorySink, Sink};
use scene::image::{Rgba8, encode_png};
use scene::render::Textures;

use super::page::make;
use super::watch::{Shot, Watch};
use crate::CATALOGUE;
use crate::job::{Outcome, Run};

/// What is shown of these files.
fn seen(files: &[(&str, &[u8])]) -> Shot {
    let (mut sink, textures) = (MemorySink::new(), Textures::new());
    let mut watch = Watch::new(&mut sink, &textures);
    for (name, bytes) in files {
        watch.put(name, bytes).unwrap();
        if name.ends_with(".glb") {
            watch.show(name, &scene::sample::every_feature());
        }
    }
    let paths: Vec<_> = files.iter().map(|(name, _)| Path::new("out").join(name)).collect();
    let shot = watch.into_shot().at(&paths);
    assert_eq!(sink.files().len(), files.len());
    shot
}

/// The page of one input that became these files, and what stands beside it.
fn page(files: &[(&str, &[u8])], most_inside: usize) -> (String, Vec<String>) {
    let mut outcome = Outcome::new("x".into(), crate::formats().next().map(|format| format.id));
    outcome.ok = true;
    let run = Run { outcomes: vec![outcome], ..Run::default() };
    let shots = BTreeMap::from([(0, seen(files))]);
    let made = make(&run, &["deep/x.one".into()], &shots, CATALOGUE, Path::new("out"), most_inside);
    (made.html, made.beside.into_iter().map(|(name, _)| name).collect())
}

/// A picture of noise, so that it does not become small by packing.
fn noise(width: u32, height: u32, alpha: u8) -> Vec<u8> {
    let mut state = 1_u32;
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        state.to_be_bytes()[0]
    };
    let pixels = (0..width.saturating_mul(height)).flat_map(|_| [next(), next(), next(), alpha]).collect();
    encode_png(&Rgba8::new(width, height, pixels).unwrap())
}

#[test]
fn a_scene_is_drawn_into_the_page() {
    let (html, beside) = page(&[("x.glb", b"glTF")], usize::MAX);
    assert!(html.contains("<a class=\"shot drawn\" href=\"x.glb\"><img loading=\"lazy\""), "{html}");
    assert!(html.contains("alt=\"x.one\" src=\"data:image/jpeg;base64,"), "{html}");
    assert!(beside.is_empty());
}

#[test]
fn a_small_picture_is_shown_as_it_is_and_a_large_one_smaller() {
    let small = noise(16, 8, 128);
    let (html, _) = page(&[("x.png", &small)], usize::MAX);
    assert!(html.contains(&super::escape::data("image/png", &small)), "{html}");
    assert!(html.contains("class=\"shot check\"") && html.contains("width=\"64\" height=\"32\""), "{html}");
    let (large, _) = page(&[("x.png", &noise(800, 400, 255))], usize::MAX);
    assert!(large.contains("data:image/jpeg") && large.contains("width=\"320\" height=\"160\""), "{large}");
    let (clear, _) = page(&[("x.png", &noise(800, 400, 128))], usize::MAX);
    assert!(clear.contains("data:image/png") && clear.len() < 200_000, "{}", clear.len());
}

#[test]
fn many_pictures_are_tiles_without_their_overview() {
    let tile = noise(8, 8, 255);
    let files = ["x.png", "x/1.png", "x/2.png", "x/3.png"].map(|name| (name, &tile[..]));
    let (html, _) = page(&files, usize::MAX);
    assert_eq!(html.matches("<img").count(), 3, "{html}");
    assert!(html.contains("href=\"x/3.png\" title=\"3.png\"") && html.contains("href=\"x.png\""), "{html}");
}

#[test]
fn sounds_are_played_fonts_are_used_and_texts_are_begun() {
    let (html, _) =
        page(&[("a b.wav", b"RIFF"), ("x.ttf", b"font"), ("x.txt", "Grüße <3".as_bytes())], usize::MAX);
    assert!(
        html.contains("<audio controls preload=\"none\" aria-label=\"x.one\" src=\"a%20b.wav\">"),
        "{html}"
    );
    assert!(html.contains("src: url(\"data:font/ttf;base64,Zm9udA==\")"), "{html}");
    assert!(html.contains("font-family: 'shown-0'") && html.contains(">Grüße &lt;3</pre>"), "{html}");
}

#[test]
fn many_sounds_share_a_player() {
    let files: Vec<_> = (0..5).map(|number| (format!("x/{number}.wav"), &b"RIFF"[..])).collect();
    let files: Vec<(&str, &[u8])> = files.iter().map(|(name, bytes)| (name.as_str(), *bytes)).collect();
    let (html, _) = page(&files, usize::MAX);
    assert!(!html.contains("<audio"), "{html}");
    let row = "data-play=\"x/3.wav\" aria-label=\"play 3.wav\">\u{25b6}</button> <a href=\"x/3.wav\">3.wav</a></li>";
    assert!(html.contains(row), "{html}");
    assert_eq!(html.matches("href=\"x/3.wav\"").count(), 1, "{html}");
}

#[test]
fn what_is_said_stands_beside_the_sound() {
    let (mut sink, textures) = (MemorySink::new(), Textures::new());
    let mut watch = Watch::new(&mut sink, &textures);
    watch.put("a.wav", b"RIFF").unwrap();
    watch.caption("a.wav", "Who <goes> there?");
    let shot = watch.into_shot().at(&["/out/a.wav".into()]);
    assert_eq!(shot.files[0].excerpt.as_deref(), Some("Who <goes> there?"));
}

#[test]
fn a_page_that_would_be_too_large_leaves_pictures_beside_it() {
    let files: [(&str, &[u8]); 2] = [("x.glb", b"glTF"), ("x.png", &noise(16, 16, 255))];
    let (html, beside) = page(&files, 0);
    assert!(!html.contains("data:"), "{html}");
    assert_eq!(beside, ["gallery/000000-0.jpg"]);
    assert!(html.contains("src=\"gallery/000000-0.jpg\"") && html.contains("src=\"x.png\""), "{html}");
}

#[test]
fn the_page_needs_nothing_from_elsewhere() {
    let (html, _) = page(&[("x.glb", b"glTF")], usize::MAX);
    for word in ["http:", "https:", "//", "@import"] {
        let outside = html.split("base64,").map(|part| part.split_once('"').map_or(part, |(_, rest)| rest));
        let outside: Vec<_> = outside.filter(|part| part.contains(word)).collect();
        let is_comment = |part: &&str| {
            word == "//"
                && part
                    .lines()
                    .filter(|line| line.contains("//"))
                    .all(|line| line.trim_start().starts_with("//"))
        };
        assert!(outside.iter().all(is_comment), "{word}: {outside:?}");
    }
}
