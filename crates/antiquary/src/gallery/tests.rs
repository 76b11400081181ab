//! Tests of the gallery with scenes, pictures, sounds and fonts.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use asset::convert::Observer;
use asset::{Guard, Overwrite};
use json::Map;
use scene::font::PixelFont;
use scene::image::{Rgba8, encode_png};
use scene::product::FontProduct;
use scene::sample::every_feature;
use scene::sound::{Depth, SampleFormat};
use scene::{Product, ProductKind, Sound};

use super::page::write_all;
use super::pictures::Pictures;
use super::section::Shown;
use super::watch::{GalleryEntry, Watch};
use crate::CATALOG;
use crate::run::{Outcome, Run};

/// A product and its output files.
type Written<'a> = (Product<'a>, &'a [(&'a str, ProductKind, &'a [u8])]);

/// Embeds at most `budget` bytes in the pages; beyond that, files are written to the folder.
fn pictures(folder: &Path, budget: usize) -> Pictures {
    let guard = Arc::new(Guard::new(Overwrite::Refuse));
    Pictures::new(folder.to_path_buf(), guard, 1, budget)
}

/// Returns the gallery entry of these products.
fn seen(products: &[Written<'_>], pictures: &Pictures) -> GalleryEntry {
    let mut watch = Watch::new(pictures);
    for (product, files) in products {
        watch.product(product, None);
        files.iter().for_each(|(_, kind, bytes)| watch.file(Some(*kind), bytes));
    }
    watch.into_entry()
}

fn scene() -> Written<'static> {
    (every_feature().into(), &[("x.glb", ProductKind::Scene, b"glTF")])
}

fn sound() -> Product<'static> {
    let form = SampleFormat { rate: 8000, channels: 1, depth: Depth::Eight };
    Sound { form, data: Vec::new(), loops: None }.into()
}

/// Returns the outcome of an input with these output files.
fn outcome(products: &[Written<'_>]) -> Outcome {
    let names = products.iter().flat_map(|(_, files)| files.iter().map(|(name, ..)| *name));
    let mut outcome = Outcome::new("x".into(), crate::formats().next().map(|format| format.id));
    outcome.ok = true;
    outcome.outputs = names.map(|name| Path::new("out").join(name).display().to_string()).collect();
    outcome
}

/// Returns the pages of inputs and the files next to them, by name.
fn pages(inputs: &[&[Written<'_>]], budget: usize) -> BTreeMap<String, String> {
    let folder = tempfile::tempdir().unwrap();
    let pictures = pictures(folder.path(), budget);
    let entries = inputs.iter().map(|products| seen(products, &pictures)).enumerate().collect();
    let run = Run { outcomes: inputs.iter().map(|it| outcome(it)).collect(), ..Run::default() };
    let names: Vec<_> = (0..inputs.len()).map(|number| format!("deep/x{number}.one")).collect();
    let sources = pictures.into_sources().unwrap();
    let out = PathBuf::from("out");
    let shown =
        Shown { run: &run, names: &names, entries: &entries, catalog: CATALOG, out: &out, sources: &sources };
    let mut made = BTreeMap::new();
    let mut put = |name: &str, text: &str| {
        made.insert(name.to_owned(), text.to_owned());
        Ok(())
    };
    write_all(&shown, &mut put).unwrap();
    let drawn = folder.path().join("gallery/pictures");
    for entry in std::fs::read_dir(drawn).into_iter().flatten() {
        let name = entry.unwrap().file_name().to_string_lossy().into_owned();
        made.insert(format!("gallery/pictures/{name}"), String::new());
    }
    made
}

/// Returns the page of one input with these outputs, and the names of the files next to it.
fn page(products: &[Written<'_>], budget: usize) -> (String, Vec<String>) {
    let mut pages = pages(&[products], budget);
    (pages.remove("index.html").unwrap(), pages.into_keys().collect())
}

/// Returns an image of noise, which does not compress well.
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
fn renders_a_scene_into_the_page() {
    let (html, companions) = page(&[scene()], usize::MAX);
    assert!(html.contains("<a class=\"shot drawn\" href=\"x.glb\"><img loading=\"lazy\""), "{html}");
    assert!(html.contains("alt=\"x0.one\" src=\"data:image/jpeg;base64,"), "{html}");
    assert!(companions.is_empty());
}

/// Returns the page of one image.
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
    let font = FontProduct { font, metadata: Map::new(), glyph_metadata: Vec::new() };
    let products: [Written<'_>; 3] = [
        (sound(), &[("a b.wav", ProductKind::Sound, b"RIFF")]),
        (font.into(), &[("x.ttf", ProductKind::Font, b"font")]),
        (Product::Text(text.into()), &[("x.txt", ProductKind::Text, text.as_bytes())]),
    ];
    let (html, _) = page(&products, usize::MAX);
    assert!(
        html.contains("<audio controls preload=\"none\" aria-label=\"x0.one\" src=\"a%20b.wav\">"),
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
    let pictures = pictures(Path::new(""), 0);
    let mut watch = Watch::new(&pictures);
    watch.product(&sound(), Some("Who <goes> there?"));
    watch.file(Some(ProductKind::Sound), b"RIFF");
    assert_eq!(watch.into_entry().files[0].excerpt.as_deref(), Some("Who <goes> there?"));
}

#[test]
fn writes_pictures_to_files_if_the_page_would_get_too_large() {
    let picture = noise(16, 16, 255);
    let bytes = encode_png(&picture);
    let image = [("x.png", ProductKind::Image, &*bytes)];
    let (html, companions) = page(&[scene(), (picture.into(), &image)], 0);
    assert!(!html.contains("data:"), "{html}");
    let [drawn] = companions.as_slice() else { panic!("{companions:?}") };
    assert!(drawn.starts_with("gallery/pictures/") && drawn.ends_with(".jpg"), "{drawn}");
    assert!(html.contains(&format!("src=\"{drawn}\"")) && html.contains("src=\"x.png\""), "{html}");
}

#[test]
fn stores_equal_pictures_once() {
    let one: &[Written<'_>] = &[scene()];
    let made = pages(&[one; 50], 0);
    let drawn: Vec<_> = made.keys().filter(|name| name.ends_with(".jpg")).collect();
    assert_eq!(drawn.len(), 1, "{drawn:?}");
    assert_eq!(made["index.html"].matches(drawn[0].as_str()).count(), 50);
}

#[test]
fn divides_many_files_into_linked_and_searchable_pages() {
    let one: &[Written<'_>] = &[scene()];
    let made = pages(&[one; 1500], 0);
    let last = made.keys().filter(|name| name.ends_with(".html")).count();
    assert!(last > 3, "{:?}", made.keys());
    for (name, text) in made.iter().filter(|(name, _)| name.ends_with(".html")) {
        assert!(text.len() < 500_000, "{name}: {}", text.len());
        assert!(text.contains(&format!("data-pages=\"{last}\"")), "{name}");
    }
    let index = &made["index.html"];
    assert!(index.contains("href=\"gallery/page-2.html\" rel=\"next\"") && !index.contains("rel=\"prev\""));
    let second = &made["gallery/page-2.html"];
    for word in [
        "href=\"../index.html\" rel=\"prev\"",
        "href=\"page-3.html\"",
        "href=\"../x.glb\"",
        "src=\"../gallery/pictures/",
    ] {
        assert!(second.contains(word), "{word}");
    }
    // Each input is on exactly one page, and is found there.
    for input in [0, 700, 1499] {
        let article = format!("<article class=\"card\" id=\"f{input}\">");
        let on: Vec<_> = made.iter().filter(|(_, text)| text.contains(&article)).collect();
        let [(page, _)] = on.as_slice() else { panic!("{input}: {}", on.len()) };
        let number = match page.as_str() {
            "index.html" => 1,
            name => name.trim_matches(|letter: char| !letter.is_ascii_digit()).parse().unwrap(),
        };
        let script = &made[&format!("gallery/search-{number}.js")];
        assert!(script.starts_with(&format!("gallery({}, [", number - 1)), "{script}");
        assert!(script.contains(&format!("[\"f{input}\",\"x{input}.one\",\"deep\"")), "{script}");
    }
}

#[test]
fn an_input_with_many_pictures_has_several_cards() {
    let tile = noise(4, 4, 255);
    let bytes = encode_png(&tile);
    let names: Vec<_> = (0..700).map(|number| format!("x/{number}.png")).collect();
    let files: Vec<_> = names.iter().map(|name| [(name.as_str(), ProductKind::Image, &*bytes)]).collect();
    let products: Vec<Written<'_>> = files.iter().map(|files| (tile.clone().into(), &files[..])).collect();
    let all: String = pages(&[&products], usize::MAX).into_values().collect();
    assert_eq!(all.matches("<img").count(), 700);
    assert!(all.contains("<bdi>x0.one</bdi> <small>(3 of 3)</small>"), "{all}");
    for card in ["f0", "f0-2", "f0-3"] {
        assert_eq!(all.matches(&format!("id=\"{card}\"")).count(), 1, "{card}");
    }
}

#[test]
fn the_page_is_self_contained() {
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
