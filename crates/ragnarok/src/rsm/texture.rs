//! The textures of a model, looked up below `data/texture` as in the game.

use std::collections::BTreeMap;

use ::scene::image::{Alpha, Format, Limits, Rgba8};
use ::scene::{Encoded, Image, Scene, Texture, TextureId};
use asset::{Charset, Context, Location, Lookup, Reference, Report, Result, Source};

use super::warning;
use crate::rsm::Name;

/// Extensions to try if a texture is not found under its own extension, in this order.
const EXTENSIONS: &[&str] = &["bmp", "tga", "png", "jpg", "jpeg"];

/// Texture folders: in the game folder, and in a separate `data` folder.
const FOLDERS: [&str; 2] = ["data/texture", "texture"];

/// A texture of the scene.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct LoadedTexture {
    pub(super) texture: TextureId,
    pub(super) alpha: Alpha,
    /// Whether the texture was found.
    is_found: bool,
}

impl LoadedTexture {
    /// The digest of the image, unless it is a placeholder.
    pub(super) fn digest(self, scene: &Scene) -> Option<String> {
        let texture = scene.textures.get(self.texture.0).filter(|_| self.is_found)?;
        Some(scene.images.get(texture.image.0)?.encoded.digest())
    }
}

/// The textures of a scene being built, each name once.
#[derive(Debug, Default)]
pub(super) struct Textures {
    loaded: BTreeMap<String, LoadedTexture>,
}

impl Textures {
    /// Returns the texture with a name, or a placeholder if it is missing. Problems are reported once.
    pub(super) fn get(
        &mut self,
        scene: &mut Scene,
        context: &Context<'_>,
        name: &Name,
        field: &str,
        report: &mut Report,
    ) -> LoadedTexture {
        let key = folded(name);
        if let Some(loaded) = self.loaded.get(&key) {
            return *loaded;
        }
        let text = name.text();
        let reference = reference(&text, field);
        let image = find(context, name, &reference, report).and_then(|location| {
            let encoded = reference.encoded(context, &location, "ragnarok texture", prepare, report)?;
            Some(Image { name: text.clone().into_owned(), encoded })
        });
        let is_found = image.is_some();
        let image = image.unwrap_or_else(|| scene::image::placeholder(format!("missing {}", name.text())));
        let alpha = image.encoded.alpha;
        let image = scene.add_image(image);
        let texture = Texture { name: name.text().into_owned(), image, sampler: scene::Sampler::default() };
        let loaded = LoadedTexture { texture: scene.add_texture(texture), alpha, is_found };
        self.loaded.insert(key, loaded);
        loaded
    }
}

/// Normalizes a name as the game compares it, ignoring letter case and the type of slash.
pub(super) fn folded(name: &Name) -> String {
    name.text().replace('\\', "/").to_lowercase()
}

/// A reference to a texture in a field.
fn reference<'a>(name: &'a str, field: &'a str) -> Reference<'a> {
    Reference::new("texture", name, field).other_extension(&warning::OTHER_EXTENSION)
}

/// Finds the file of a texture, or reports the problem.
fn find(
    context: &Context<'_>,
    name: &Name,
    reference: &Reference<'_>,
    report: &mut Report,
) -> Option<Location> {
    if is_video(name, reference, report) {
        return None;
    }
    reference.resolve(look_up(context, name), report).map(|found| found.location)
}

/// Looks up a texture for a check: reports all its problems.
pub(super) fn check(context: &Context<'_>, name: &Name, field: &str, report: &mut Report) {
    let text = name.text();
    let reference = reference(&text, field);
    if is_video(name, &reference, report) {
        return;
    }
    if let Some(spelling) = reference.check(look_up(context, name), report) {
        spelling.fix(field, report);
    }
}

fn is_video(name: &Name, reference: &Reference<'_>, report: &mut Report) -> bool {
    let is_video = folded(name).ends_with(".bik");
    if is_video {
        let message = format!("texture \"{}\" is a video", reference.name);
        report.warn(&warning::VIDEO, message).in_field(reference.field);
    }
    is_video
}

/// Looks up a texture in the texture folders, then next to the model. The file may have been extracted by a program that decoded its Korean
/// name as Western text.
fn look_up(context: &Context<'_>, name: &Name) -> Lookup {
    let western = Charset::Windows1252.decode_own(name.bytes()).into_owned();
    let names = [name.text().into_owned(), western];
    let mut failure = Lookup::Missing;
    for name in names {
        for folder in FOLDERS {
            let lookup = context.install.folder(folder).find(&name);
            if matches!(lookup, Lookup::Found(_)) {
                return lookup;
            }
            if matches!(lookup, Lookup::Rejected(_)) {
                failure = lookup;
            }
        }
        for folder in FOLDERS {
            let folder = context.install.folder(folder);
            if let found @ Lookup::Found(_) = folder.reference(&name, EXTENSIONS) {
                return found;
            }
        }
        if let found @ Lookup::Found(_) = context.reference(&name, EXTENSIONS) {
            return found;
        }
    }
    failure
}

/// Converts an image for glTF and determines its use of alpha. In bitmaps, magenta is transparent.
fn prepare(bytes: &[u8]) -> Result<Encoded> {
    if scene::image::sniff(bytes) == Some(Format::Bmp) {
        let mut image = scene::image::decode(bytes, &Limits::default())?;
        clear_magenta(&mut image);
        return Ok(scene::image::png_for_gltf(&image));
    }
    let mut encoded = scene::image::for_gltf(bytes)?;
    if encoded.alpha == Alpha::Possible {
        let image = scene::image::decode(bytes, &Limits::default())?;
        encoded.alpha = scene::image::alpha_use(&image);
    }
    Ok(encoded)
}

/// Converts a file with the extension of a bitmap to PNG. If it is a bitmap, magenta becomes transparent. `None` for all other files.
pub(crate) fn as_png(name: &str, source: &Source) -> Result<Option<Vec<u8>>> {
    let is_bitmap = name.rsplit_once('.').is_some_and(|(_, extension)| extension.eq_ignore_ascii_case("bmp"));
    if !is_bitmap {
        return Ok(None);
    }
    let bytes = source.read_all()?;
    let mut image = scene::image::decode(&bytes, &Limits::default())?;
    if scene::image::sniff(&bytes) == Some(Format::Bmp) {
        clear_magenta(&mut image);
    }
    Ok(Some(scene::image::png_for_gltf(&image).bytes.to_vec()))
}

/// Whether a color is magenta, which is transparent in bitmaps. Has a small tolerance, as in `BrowEdit3`, because palettes do not always
/// contain the exact color.
fn is_magenta([red, green, blue, _]: [u8; 4]) -> bool {
    red > 250 && green < 5 && blue > 250
}

/// Distance to which colors bleed into transparent pixels, in pixels: enough for filtering and a few mipmaps.
const BLEED_DISTANCE: usize = 4;

/// Makes magenta transparent. Transparent pixels get the color of their neighbors, so that magenta does not show at filtered edges.
fn clear_magenta(image: &mut Rgba8) {
    let width = usize::try_from(image.width()).unwrap_or_default();
    let (pixels, _) = image.pixels_mut().as_chunks_mut::<4>();
    let mut clear: Vec<usize> = Vec::new();
    for (at, pixel) in pixels.iter_mut().enumerate() {
        if is_magenta(*pixel) {
            *pixel = [0; 4];
            clear.push(at);
        }
    }
    let mut colored: Vec<bool> = pixels.iter().map(|[.., alpha]| *alpha != 0).collect();
    for _ in 0..BLEED_DISTANCE {
        let mut filled = Vec::new();
        clear.retain(|at| match neighbors_color(pixels, &colored, *at, width) {
            Some(color) => {
                filled.push((*at, color));
                false
            }
            None => true,
        });
        for (at, [red, green, blue]) in filled {
            if let (Some(pixel), Some(colored)) = (pixels.get_mut(at), colored.get_mut(at)) {
                (*pixel, *colored) = ([red, green, blue, 0], true);
            }
        }
    }
}

/// Returns the mean color of the colored pixels around a pixel.
fn neighbors_color(pixels: &[[u8; 4]], colored: &[bool], at: usize, width: usize) -> Option<[u8; 3]> {
    let column = at.checked_rem(width)?;
    let row = at.checked_div(width)?;
    let (mut sum, mut count) = ([0_u32; 3], 0_u32);
    let around = |center: usize| center.saturating_sub(1)..=center.saturating_add(1);
    for row in around(row) {
        for column in around(column).filter(|column| *column < width) {
            let index = row.saturating_mul(width).saturating_add(column);
            if colored.get(index) == Some(&true)
                && let Some([red, green, blue, _]) = pixels.get(index)
            {
                for (sum, level) in sum.iter_mut().zip([red, green, blue]) {
                    *sum = sum.saturating_add(u32::from(*level));
                }
                count = count.saturating_add(1);
            }
        }
    }
    let mean = |sum: u32| Some(u8::try_from(sum.checked_div(count)?).unwrap_or(u8::MAX));
    let [red, green, blue] = sum;
    Some([mean(red)?, mean(green)?, mean(blue)?])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn converts_only_files_with_the_extension_of_a_bitmap_to_png() {
        let bmp = Source::from(b"BM and no more".to_vec());
        assert!(as_png("a.BMP", &bmp).is_err(), "a damaged one");
        assert_eq!(as_png("a.tga", &bmp).unwrap(), None);
        assert!(as_png("a.bmp", &Source::from(b"no image".to_vec())).is_err());
    }

    #[test]
    fn magenta_becomes_transparent_with_the_color_of_its_neighbors() {
        let (red, magenta, near) = ([200, 10, 0, 255], [255, 0, 255, 255], [251, 4, 252, 255]);
        let pixels = [red, magenta, near, red, magenta, magenta].concat();
        let mut image = Rgba8::new(3, 2, pixels).unwrap();
        clear_magenta(&mut image);
        assert!(!is_magenta([250, 0, 255, 255]) && !is_magenta([255, 5, 255, 255]));
        assert_eq!(image.get(0, 0), Some(red));
        assert_eq!(image.get(1, 0), Some([200, 10, 0, 0]));
        assert_eq!(image.get(2, 1), Some([200, 10, 0, 0]));
        assert_eq!(scene::image::alpha_use(&image), Alpha::Binary);
    }

    #[test]
    fn an_entirely_magenta_image_becomes_transparent() {
        let mut image = Rgba8::new(2, 1, [255, 0, 255, 255].repeat(2)).unwrap();
        clear_magenta(&mut image);
        assert_eq!(image.pixels(), [0; 8]);
    }
}
