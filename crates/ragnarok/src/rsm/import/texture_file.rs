//! Images of a scene as texture files that the client reads, in `data/texture`.

use asset::{Companion, CompanionPlace, GamePath, Report};
use scene::image::{Limits, Rgba8, decode, encode_bmp, encode_jpeg, encode_png, encode_tga};
use scene::{Image, ImageId, ImageKind, Scene};

use super::super::convert::ShortNames;
use super::super::warning;
use crate::rsm::Name;

/// Models are in the one folder of the game, and their textures in the other.
const PLACE: CompanionPlace = CompanionPlace::InGame { files: "data/model", folder: "data/texture" };

/// The color of transparent pixels in a bitmap.
const TRANSPARENT: [u8; 4] = [255, 0, 255, 255];

/// Below this alpha a pixel of a bitmap is transparent.
const CUTOFF: u8 = 128;

/// JPEG quality, from 1 to 100.
const QUALITY: u8 = 95;

/// The files of textures. One without an image, or that cannot be written, is reported.
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
                out.push(Companion { name: path.as_str().to_owned(), place: PLACE, bytes });
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

/// The file of an image, of the kind that its name says.
fn file(name: &Name, image: &Image, report: &mut Report) -> Option<Vec<u8>> {
    let text = name.text().to_lowercase();
    let extension = text.rsplit_once('.').map_or("", |(_, extension)| extension);
    let encoded = &image.encoded;
    match (extension, encoded.kind) {
        ("jpg" | "jpeg", ImageKind::Jpeg) | ("png", ImageKind::Png) => return Some(encoded.bytes.to_vec()),
        _ => {}
    }
    let mut picture = match decode(&encoded.bytes, &Limits::default()) {
        Ok(picture) => picture,
        Err(error) => {
            let message = format!("the image of \"{name}\" cannot be read: {}", error.message());
            report.warn(&asset::reference::UNREADABLE, message);
            return None;
        }
    };
    let bytes = match extension {
        "bmp" => {
            if clear(&mut picture) {
                let message = format!(
                    "the partial transparency of \"{name}\" is lost: pixels of a bitmap are transparent or opaque"
                );
                report.warn(&warning::NOT_SUPPORTED, message);
            }
            encode_bmp(&picture)
        }
        "tga" => encode_tga(&picture),
        "jpg" | "jpeg" => encode_jpeg(&picture, QUALITY),
        "png" => Ok(encode_png(&picture)),
        _ => return None,
    };
    bytes.ok()
}

/// Gives transparent pixels the color that the client does not draw. Whether some were neither transparent nor opaque.
fn clear(picture: &mut Rgba8) -> bool {
    let mut is_partial = false;
    for pixel in picture.pixels_mut().as_chunks_mut::<4>().0 {
        let [.., alpha] = *pixel;
        is_partial |= alpha != 0 && alpha != u8::MAX;
        if alpha < CUTOFF {
            *pixel = TRANSPARENT;
        }
    }
    is_partial
}
