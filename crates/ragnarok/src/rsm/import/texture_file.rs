//! Export of a scene's images as texture files of the game, in `data/texture`.

use asset::{Companion, CompanionPlace, GamePath, Report};
use scene::image::{Limits, Rgba8, decode, encode_bmp, encode_jpeg, encode_png, encode_tga};
use scene::{Image, ImageId, ImageKind, Scene};

use super::super::convert::ShortNames;
use super::super::warning;
use crate::rsm::Name;

/// The folders of models and textures in the game folder.
const FOLDERS: CompanionPlace = CompanionPlace::InGame { files: "data/model", folder: "data/texture" };

/// The color of transparent pixels in a bitmap.
const TRANSPARENT: [u8; 4] = [255, 0, 255, 255];

/// Alpha below which a pixel of a bitmap is transparent.
const CUTOFF: u8 = 128;

/// JPEG quality, from 1 to 100.
const QUALITY: u8 = 95;

/// Returns the files of textures. Reports textures without an image, and textures that cannot be written.
pub(super) fn companions(
    scene: &Scene,
    textures: &[(Name, Option<ImageId>)],
    short: &ShortNames,
    report: &mut Report,
) -> Vec<Companion> {
    let mut out = Vec::new();
    for (name, image) in textures {
        let name = short.get(name);
        let image = image.and_then(|image| scene.images.get(image.0));
        let path = GamePath::parse(&name.text().replace('\\', "/")).ok();
        let bytes = image.and_then(|image| file(name, image, report));
        match (path, bytes) {
            (Some(path), Some(bytes)) => {
                out.push(Companion { name: path.as_str().to_owned(), place: FOLDERS, bytes });
            }
            _ => report_unwritten(name, report),
        }
    }
    out
}

/// Reports a texture that is not written.
pub(super) fn report_unwritten(name: &Name, report: &mut Report) {
    let message =
        format!("the texture \"{name}\" must be copied to data/texture: models do not contain images");
    report.warn(&warning::TEXTURE_NAMED, message);
}

/// Encodes an image in the format of the texture's file extension.
fn file(name: &Name, image: &Image, report: &mut Report) -> Option<Vec<u8>> {
    let text = name.text().to_lowercase();
    let extension = text.rsplit_once('.').map_or("", |(_, extension)| extension);
    let encoded = &image.encoded;
    match (extension, encoded.kind) {
        ("jpg" | "jpeg", ImageKind::Jpeg) | ("png", ImageKind::Png) => return Some(encoded.bytes.to_vec()),
        _ => {}
    }
    let mut decoded = match decode(&encoded.bytes, &Limits::default()) {
        Ok(decoded) => decoded,
        Err(error) => {
            let message = format!("the image of \"{name}\" cannot be read: {}", error.message());
            report.warn(&asset::reference::UNREADABLE, message);
            return None;
        }
    };
    let bytes = match extension {
        "bmp" => {
            if set_transparent_color(&mut decoded) {
                let message = format!(
                    "the partial transparency of \"{name}\" is lost: pixels of a bitmap are transparent or opaque"
                );
                report.warn(&warning::NOT_SUPPORTED, message);
            }
            encode_bmp(&decoded)
        }
        "tga" => encode_tga(&decoded),
        "jpg" | "jpeg" => encode_jpeg(&decoded, QUALITY),
        "png" => Ok(encode_png(&decoded)),
        _ => return None,
    };
    bytes.ok()
}

/// Gives transparent pixels the color that the game does not draw. Returns whether some pixels are partially transparent.
fn set_transparent_color(decoded: &mut Rgba8) -> bool {
    let mut is_partial = false;
    for pixel in decoded.pixels_mut().as_chunks_mut::<4>().0 {
        let [.., alpha] = *pixel;
        is_partial |= alpha != 0 && alpha != u8::MAX;
        if alpha < CUTOFF {
            *pixel = TRANSPARENT;
        }
    }
    is_partial
}
