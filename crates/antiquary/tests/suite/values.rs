//! Products of files as values, tested on the sample games.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use antiquary::asset::MemorySink;
use antiquary::media::picture::FrameChoice;
use antiquary::redguard::picture::gxa::{BitmapOptions, Gxa, Pixels};
use antiquary::scene::Product;
use antiquary::{CATALOG, Error, GAMES, Game, GameInfo, Opened, ProductKind, Source};

fn sample_of(info: &GameInfo) -> Game {
    let mut files = MemorySink::new();
    (info.sample)(&mut files).unwrap();
    Game::from_files(files.into_files().into_iter().map(|(name, bytes)| (name, Source::from(bytes)))).unwrap()
}

/// Iterates over the files of a game that have a known format.
fn opened(game: &Game) -> impl Iterator<Item = Opened> {
    game.files().filter_map(|path| game.file(&path).ok())
}

/// Returns the number of values of a kind that a file produces.
fn count(file: &Opened, kind: ProductKind) -> Result<usize, Error> {
    Ok(match kind {
        ProductKind::Scene => file.scene().map(|scene| scene.nodes.len().min(1))?,
        ProductKind::Image => file.images()?.collect::<Result<Vec<_>, _>>()?.len(),
        ProductKind::Sound => file.sounds()?.collect::<Result<Vec<_>, _>>()?.len(),
        ProductKind::Font => file.font().map(|font| font.font.glyphs.len().min(1))?,
        ProductKind::Table => {
            let tables = file.tables()?.collect::<Result<Vec<_>, _>>()?;
            tables.into_iter().map(|table| table.into_value().to_csv().unwrap().len().min(1)).sum()
        }
        ProductKind::Text => file.texts()?.collect::<Result<Vec<_>, _>>()?.len(),
        ProductKind::Subtitles => file.subtitles()?.collect::<Result<Vec<_>, _>>()?.len(),
        ProductKind::Data => file.data()?.to_json().unwrap().len().min(1),
        _ => unreachable!("no other kinds"),
    })
}

#[test]
fn every_file_has_the_products_of_its_format_and_rejects_others() {
    let mut seen: BTreeMap<ProductKind, usize> = BTreeMap::new();
    for info in GAMES {
        for file in opened(&sample_of(info)) {
            let name = format!("{} ({})", file.name(), file.format.id);
            let offered: Vec<_> = file.products().into_iter().flatten().map(|offer| offer.kind).collect();
            for kind in ProductKind::ALL {
                let found = count(&file, kind);
                if file.format.makes(kind) && (kind == ProductKind::Data || offered.contains(&kind)) {
                    let found = found.unwrap_or_else(|error| panic!("{name}: {kind}: {error}"));
                    assert!(found > 0, "{name} has no {kind}");
                    *seen.entry(kind).or_default() += found;
                } else if !file.format.makes(kind) {
                    let error = found.expect_err(&name).to_string();
                    assert!(error.contains(&format!("has no {kind}; it has ")), "{error}");
                }
            }
        }
    }
    for kind in ProductKind::ALL.into_iter().filter(|kind| *kind != ProductKind::Text) {
        assert!(seen.contains_key(&kind), "no sample has a {kind}: {seen:?}");
    }
}

#[test]
fn makes_a_product_only_on_request() {
    let game = sample_of(GAMES.iter().find(|game| game.id == "redguard").unwrap());
    let path = game.files().find(|path| path.contains("TEXBSI")).unwrap();
    let bank = game.file(&path).unwrap();
    let names: Vec<_> = bank.products().unwrap().filter_map(|offer| offer.name).collect();
    assert!(names.len() > 1 && bank.warnings().is_empty(), "{names:?}");
    let images: Vec<_> = bank.images().unwrap().map(|image| image.unwrap().name()).collect();
    let expected: Vec<_> = names.iter().map(|name| format!("{path}/{name}")).collect();
    assert_eq!(images, expected);
}

#[test]
fn makes_one_product_by_its_index() {
    let game = sample_of(GAMES.iter().find(|game| game.id == "redguard").unwrap());
    let path = game.files().find(|path| path.contains("TEXBSI")).unwrap();
    let bank = game.file(&path).unwrap();
    let images: Vec<_> = bank.images().unwrap().map(Result::unwrap).collect();
    assert_eq!(bank.product_count(ProductKind::Image).unwrap(), images.len());
    for (index, image) in images.iter().enumerate() {
        let made = bank.product(ProductKind::Image, index).unwrap().unwrap();
        assert_eq!(made.name(), image.name());
        assert!(matches!(&made.value, Product::Image(picture) if *picture == image.value));
    }
    assert!(bank.product(ProductKind::Image, images.len()).unwrap().is_none());
    assert!(bank.product_count(ProductKind::Scene).is_err());
}

#[test]
fn a_file_without_a_game_looks_up_its_references_in_the_given_one() {
    let game = sample_of(GAMES.iter().find(|game| game.id == "ragnarok").unwrap());
    let path = game.files().find(|path| path.ends_with(".rsm")).unwrap();
    let inside = game.file(&path).unwrap();
    let alone = || CATALOG.open_source(inside.source.clone(), Some("model.rsm")).unwrap();
    let images = |file: &Opened| file.scene().unwrap().images;
    assert_eq!(images(&alone().with_install(Arc::clone(game.install()))), images(&inside));
    assert_ne!(images(&alone()), images(&inside));
}

#[test]
fn a_conversion_in_memory_has_the_same_files_as_one_on_disk() {
    let game = sample_of(GAMES.iter().find(|game| game.id == "redguard").unwrap());
    let bank = opened(&game).find(|file| file.format.id == "redguard.texbsi").unwrap();
    let files = bank.convert("png").unwrap();
    assert_eq!(files.iter().filter(|(name, _)| name.ends_with(".json")).count(), 1);
    assert!(files.iter().filter(|(name, _)| name.ends_with(".png")).count() > 2, "images and an overview");
    let error = bank.convert("wav").unwrap_err().to_string();
    assert!(error.contains("cannot be converted to .wav (available: "), "{error}");
}

#[test]
fn an_image_that_cannot_be_shown_is_an_error_in_its_position() {
    let game = sample_of(GAMES.iter().find(|game| game.id == "redguard").unwrap());
    let path = game.files().find(|path| path.to_lowercase().ends_with(".gxa")).unwrap();
    let mut bitmaps = game.file(&path).unwrap().into_typed::<Gxa>().unwrap();
    bitmaps.frames[0].pixels = Pixels::Rle(vec![0; 3].into());
    let frame_count = bitmaps.frames.len();
    let files =
        [("a.gxa", Source::from(bitmaps.write().unwrap())), ("b.png", Source::from(b"no image".to_vec()))];
    let game = Game::from_files(files).unwrap();
    let apart = BitmapOptions::default().frames(FrameChoice::Apart);
    let file = game.file("a.gxa").unwrap().with_options(&apart).unwrap();
    let images: Vec<_> = file.images().unwrap().collect();
    assert_eq!(images.len(), frame_count);
    let error = images[0].as_ref().unwrap_err().to_string();
    assert!(error.starts_with("a.gxa: ") && error.contains("cannot be shown: "), "{error}");
    // It is also reported when all images of a game are decoded.
    let errors = Mutex::new(Vec::new());
    game.par_images(|image| errors.lock().unwrap().extend(image.err().map(|error| error.to_string())));
    let errors = errors.into_inner().unwrap();
    assert!(errors.iter().any(|error| error.starts_with("b.png: ")), "{errors:?}");
}
