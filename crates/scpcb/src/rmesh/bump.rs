//! Bump maps: the normal textures of lit surfaces.
//!
//! The game's table of materials maps the file name of a texture to a bump map, as a path from the root of the game. The game uses the
//! bump map to shift the lightmap under the texture. The image is a tangent-space normal map with green down (as in Direct3D): it has
//! high green above a groove and high red to the left of one. That was measured on all 13 bump maps of the game (version 1.3.11). glTF
//! requires green up, so green is inverted.

use std::collections::BTreeMap;

use asset::{Context, Report};
use record::Error;
use scene::image::{Format, Limits, Rgba8, decode, for_gltf, jpeg_for_gltf, png_for_gltf, sniff};
use scene::{Encoded, Image, Sampler, Scene, Texture, TextureId};

use super::warning;
use crate::ini::materials;

/// JPEG quality of converted bump maps: from 90 on, each pixel keeps its direction.
const QUALITY: u8 = 95;

/// The bump maps of a scene being built, by path. Each is looked up and reported once.
#[derive(Debug, Default)]
pub(super) struct BumpMaps(BTreeMap<String, Option<TextureId>>);

impl BumpMaps {
    /// The bump map of a texture as a normal texture; `None` if it has none.
    pub(super) fn of(
        &mut self,
        scene: &mut Scene,
        context: &Context<'_>,
        texture: &str,
        field: &str,
        report: &mut Report,
    ) -> Option<TextureId> {
        let path = materials::bump_of(context, texture)?;
        *self.0.entry(path.to_lowercase()).or_insert_with(|| load(scene, context, &path, field, report))
    }
}

fn load(
    scene: &mut Scene,
    context: &Context<'_>,
    path: &str,
    field: &str,
    report: &mut Report,
) -> Option<TextureId> {
    let reference = warning::reference(warning::BUMP_MAP, path, field);
    let location = reference.resolve(context.install.find(path), report)?.location;
    let encoded = reference.encoded(context, &location, "normal texture", with_green_up, report)?;
    let name = location.path().name().to_owned();
    let image = scene.add_image(Image { name: name.clone(), encoded });
    Some(scene.add_texture(Texture { name, image, sampler: Sampler::default() }))
}

/// The image with green inverted: a JPEG stays a JPEG, any other image becomes a PNG.
fn with_green_up(bytes: &[u8]) -> Result<Encoded, Error> {
    // Reports whether the image is truncated.
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
    fn inverts_only_green() {
        let picture = Rgba8::new(2, 1, vec![10, 200, 255, 255, 128, 127, 250, 7]).unwrap();
        let png = png_for_gltf(&picture);
        let converted = with_green_up(&png.bytes).unwrap();
        let back = decode(&converted.bytes, &Limits::default()).unwrap();
        assert_eq!(back.pixels(), [10, 55, 255, 255, 128, 128, 250, 7]);
        assert!(with_green_up(b"no image").is_err());
    }
}
