//! What is shown of scenes, pictures, sounds and fonts.

use std::collections::BTreeMap;
use std::path::Path;

use asset::convert::Observer;
use render::Textures;
use scene::font::PixelFont;
use scene::image::{Rgba8, encode_png};
use scene::product::FontProduct;
use scene::sample::every_feature;
use scene::sound::{Depth, SampleFormat};
use scene::{Product, ProductKind, Sound};
use serde_json::Map;

use super::page::make;
use super::watch::{Shot, Watch};
use crate::CATALOG;
use crate::run::{Outcome, Run};

/// A product and the files that it became.
type Written<'a> = (Product<'a>, &'a [(&'a str, ProductKind, &'a [u8])]);

/// What is shown of these products.
fn seen(products: &[Written<'_>]) -> Shot {
    let textures = Textures::new();
    let mut watch = Watch::new(&textures);
    for (product, files) in products {
        watch.product(product, None);
        files.iter().for_each(|(_, kind, bytes)| watch.file(Some(*kind), bytes));
    }
    let names = products.iter().flat_map(|(_, files)| files.iter().map(|(name, ..)| *name));
    let paths: Vec<_> = names.map(|name| Path::new("out").join(name)).collect();
    watch.into_shot().at(&paths)
}

fn scene() -> Written<'static> {
    (every_feature().into(), &[("x.glb", ProductKind::Scene, b"glTF")])
}

fn sound() -> Product<'static> {
    let form = SampleFormat { rate: 8000, channels: 1, depth: Depth::Eight };
    Sound { form, data: Vec::new(), loops: None }.into()
}

/// The page of one input that became these files, and what stands beside it.
fn page(products: &[Written<'_>], most_inside: usize) -> (String, Vec<String>) {
    let mut outcome = Outcome::new("x".into(), crate::formats().next().map(|format| format.id));
    outcome.ok = true;
    let run = Run { outcomes: vec![outcome], ..Run::default() };
    let shots = BTreeMap::from([(0, seen(products))]);
    let made = make(&run, &["deep/x.one".into()], &shots, CATALOG, Path::new("out"), most_inside);
    (made.html, made.beside.into_iter().map(|(name, _)| name).collect())
}

/// A picture of noise, so that it does not become small by packing.
fn noise(width: u32, height: u32, alpha: u8) -> Rgba8 {
    let mut state = 1_u32;
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        state.to_be_bytes()[0]
    };
    let pixels = (0..width.saturating_mul(height)).flat_map(|_| [next(), next(), next(), alpha]).collect();
    Rgba8::new(width, height, pixels).unwrap()
}

#[test]
fn a_scene_is_drawn_into_the_page() {
    let (html, beside) = page(&[scene()], usize::MAX);
    assert!(html.contains("<a class=\"shot drawn\" href=\"x.glb\"><img loading=\"lazy\""), "{html}");
    assert!(html.contains("alt=\"x.one\" src=\"data:image/jpeg;base64,"), "{html}");
    assert!(beside.is_empty());
}

/// The page of one image.
fn page_of_image(picture: &Rgba8) -> String {
    let bytes = encode_png(picture);
    page(&[(picture.clone().into(), &[("x.png", ProductKind::Image, &bytes)])], usize::MAX).0
}

#[test]
fn a_small_image_is_shown_unscaled_and_a_large_one_reduced() {
    let small = noise(16, 8, 128);
    let html = page_of_image(&small);
    assert!(html.contains(&super::escape::data("image/png", &encode_png(&small))), "{html}");
    assert!(html.contains("class=\"shot check\"") && html.contains("width=\"64\" height=\"32\""), "{html}");
    let large = page_of_image(&noise(800, 400, 255));
    assert!(large.contains("data:image/jpeg") && large.contains("width=\"320\" height=\"160\""), "{large}");
    let clear = page_of_image(&noise(800, 400, 128));
    assert!(clear.contains("data:image/png") && clear.len() < 200_000, "{}", clear.len());
}

#[test]
fn many_images_are_tiles_without_the_overview() {
    let tile = noise(8, 8, 255);
    let bytes = encode_png(&tile);
    let files = ["x/1.png", "x/2.png", "x/3.png", "x.png"].map(|name| [(name, ProductKind::Image, &*bytes)]);
    let products: Vec<Written<'_>> = files.iter().map(|files| (tile.clone().into(), &files[..])).collect();
    let (html, _) = page(&products, usize::MAX);
    assert_eq!(html.matches("<img").count(), 3, "{html}");
    assert!(html.contains("href=\"x/3.png\" title=\"3.png\"") && html.contains("href=\"x.png\""), "{html}");
}

#[test]
fn sounds_fonts_and_text_excerpts_are_shown() {
    let text = "Grüße <3";
    let font = PixelFont {
        name: "x".into(),
        line_height: 1,
        baseline: 1,
        palette: vec![[0; 4]],
        glyphs: Vec::new(),
    };
    let font = FontProduct { font, facts: Map::new(), glyph_facts: Vec::new() };
    let products: [Written<'_>; 3] = [
        (sound(), &[("a b.wav", ProductKind::Sound, b"RIFF")]),
        (font.into(), &[("x.ttf", ProductKind::Font, b"font")]),
        (Product::Text(text.into()), &[("x.txt", ProductKind::Text, text.as_bytes())]),
    ];
    let (html, _) = page(&products, usize::MAX);
    assert!(
        html.contains("<audio controls preload=\"none\" aria-label=\"x.one\" src=\"a%20b.wav\">"),
        "{html}"
    );
    assert!(html.contains("src: url(\"data:font/ttf;base64,Zm9udA==\")"), "{html}");
    assert!(html.contains("font-family: 'shown-0'") && html.contains(">Grüße &lt;3</pre>"), "{html}");
}

#[test]
fn many_sounds_share_a_player() {
    let names: Vec<_> = (0..5).map(|number| format!("x/{number}.wav")).collect();
    let files: Vec<_> =
        names.iter().map(|name| [(name.as_str(), ProductKind::Sound, &b"RIFF"[..])]).collect();
    let products: Vec<Written<'_>> = files.iter().map(|files| (sound(), &files[..])).collect();
    let (html, _) = page(&products, usize::MAX);
    assert!(!html.contains("<audio"), "{html}");
    let row = "data-play=\"x/3.wav\" aria-label=\"play 3.wav\">\u{25b6}</button> <a href=\"x/3.wav\">3.wav</a></li>";
    assert!(html.contains(row), "{html}");
    assert_eq!(html.matches("href=\"x/3.wav\"").count(), 1, "{html}");
}

#[test]
fn dialogue_text_is_shown_with_the_sound() {
    let textures = Textures::new();
    let mut watch = Watch::new(&textures);
    watch.product(&sound(), Some("Who <goes> there?"));
    watch.file(Some(ProductKind::Sound), b"RIFF");
    let shot = watch.into_shot().at(&["/out/a.wav".into()]);
    assert_eq!(shot.files[0].excerpt.as_deref(), Some("Who <goes> there?"));
}

#[test]
fn a_page_that_would_be_too_large_links_image_files() {
    let picture = noise(16, 16, 255);
    let bytes = encode_png(&picture);
    let image = [("x.png", ProductKind::Image, &*bytes)];
    let (html, beside) = page(&[scene(), (picture.into(), &image)], 0);
    assert!(!html.contains("data:"), "{html}");
    assert_eq!(beside, ["gallery/000000-0.jpg"]);
    assert!(html.contains("src=\"gallery/000000-0.jpg\"") && html.contains("src=\"x.png\""), "{html}");
}

#[test]
fn the_page_needs_nothing_from_elsewhere() {
    let (html, _) = page(&[scene()], usize::MAX);
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
