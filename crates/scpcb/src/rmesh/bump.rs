//! Bump maps: the normal textures of lit surfaces.
//!
//! The game's table of materials names a bump map for the file name of a texture, as a path from the root of the game. The game lets it shift the lightmap
//! under the texture; the image itself is a map of directions in tangent space, with green down (as Direct3D has it): above a groove its green is high, left of
//! one its red. That was measured on all 13 maps of the game (version 1.3.11). glTF wants green up, so green is inverted.

use std::collections::BTreeMap;

use asset::{Context, Report};
use record::Error;
use scene::image::{Format, Limits, Rgba8, decode, for_gltf, jpeg_for_gltf, png_for_gltf, sniff};
use scene::{Encoded, Image, Sampler, Scene, Texture, TextureId};

use super::warning;
use crate::ini::materials;

/// The quality of a converted JPEG: from 90 on each pixel keeps its direction.
const QUALITY: u8 = 95;

/// The bump maps of a scene being built, by the file name of the texture. Each is looked up and told of once.
#[derive(Debug, Default)]
pub(super) struct BumpMaps(BTreeMap<String, Option<TextureId>>);

impl BumpMaps {
    /// The normal texture of a texture; `None` where it has none.
    pub(super) fn of(
        &mut self,
        scene: &mut Scene,
        context: &Context<'_>,
        texture: &str,
        field: &str,
        report: &mut Report,
    ) -> Option<TextureId> {
        let path = materials::bump_of(context, texture)?;
        *self.0.entry(path.to_lowercase()).or_insert_with(|| made(scene, context, &path, field, report))
    }
}

fn made(
    scene: &mut Scene,
    context: &Context<'_>,
    path: &str,
    field: &str,
    report: &mut Report,
) -> Option<TextureId> {
    let reference = warning::reference(warning::BUMP_MAP, path, field);
    let place = reference.resolve(context.install.find(path), report)?.location;
    let encoded = reference.encoded(context, &place, "normal texture", with_green_up, report)?;
    let name = place.path().name().to_owned();
    let image = scene.add_image(Image { name: name.clone(), encoded });
    Some(scene.add_texture(Texture { name, image, sampler: Sampler::default() }))
}

/// The image with green inverted: a JPEG where it was one, else PNG.
fn with_green_up(bytes: &[u8]) -> Result<Encoded, Error> {
    // It knows what is missing of a truncated one.
    let integrity = for_gltf(bytes)?.integrity;
    let mut picture = decode(bytes, &Limits::default())?;
    invert_green(&mut picture);
    let encoded = match sniff(bytes) {
        Some(Format::Jpeg) => jpeg_for_gltf(&picture, QUALITY)?,
        _ => png_for_gltf(&picture),
    };
    Ok(Encoded { integrity, ..encoded })
}

fn invert_green(picture: &mut Rgba8) {
    let (pixels, _) = picture.pixels_mut().as_chunks_mut::<4>();
    pixels.iter_mut().for_each(|[_, green, ..]| *green = u8::MAX.saturating_sub(*green));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn green_is_inverted_and_nothing_else() {
        let picture = Rgba8::new(2, 1, vec![10, 200, 255, 255, 128, 127, 250, 7]).unwrap();
        let png = png_for_gltf(&picture);
        let made = with_green_up(&png.bytes).unwrap();
        let back = decode(&made.bytes, &Limits::default()).unwrap();
        assert_eq!(back.pixels(), [10, 55, 255, 255, 128, 128, 250, 7]);
        assert!(with_green_up(b"no image").is_err());
    }
}
