//! The baked surfaces of a room: how many pixels each may have, and what they become in the scene.

use std::sync::Arc;

use asset::{Context, Report};
use scene::image::png_for_gltf;
use scene::{Image, MaterialId, Sampler, Scene, Texture, Wrap};

use super::super::material::{self, Blend};
use super::super::scene::VisibleSurface;
use super::super::texture::Source;
use super::super::warning;
use super::chart::SurfaceGeometry;
use super::number::whole;
use super::{Baked, MAX_SIZE, Part, Picture, ROOM, share};
use asset::counted;

/// Bakes the surfaces of one room, one after the other.
#[derive(Debug)]
pub(in super::super) struct Baker<'a> {
    context: &'a Context<'a>,
    /// Pixels that all surfaces together would have at full density.
    wanted: u64,
    /// Pixels that all together may have, and one surface alone.
    room: u64,
    max_pixels: u64,
    count: usize,
    coarse: usize,
    coarsest: f64,
}

impl<'a> Baker<'a> {
    /// Shares the room's pixels out among the surfaces that have a lightmap.
    pub(in super::super) fn new(visible: &[VisibleSurface<'_>], context: &'a Context<'a>) -> Self {
        Self::within(visible, context, ROOM)
    }

    /// The same with another number of pixels.
    pub(super) fn within(visible: &[VisibleSurface<'_>], context: &'a Context<'a>, room: u64) -> Self {
        let lightmapped = visible.iter().filter(|visible| visible.blend == Blend::Lightmapped);
        let wanted: Vec<u64> =
            lightmapped.map(|visible| with_part(visible, context, |part| part.wanted())).collect();
        Self {
            context,
            wanted: wanted.iter().fold(0, |sum, want| sum.saturating_add(*want)),
            max_pixels: share(&wanted, room),
            room,
            count: wanted.len(),
            coarse: 0,
            coarsest: 1.0,
        }
    }

    /// Bakes one surface. Returns its material, and where its vertices lie in the baked texture.
    pub(in super::super) fn bake(
        &mut self,
        visible: &VisibleSurface<'_>,
        scene: &mut Scene,
        report: &mut Report,
    ) -> (MaterialId, Vec<[f32; 2]>) {
        let Baked { picture, uvs, density, left_out } =
            with_part(visible, self.context, |part| part.bake(self.max_pixels));
        if density < 0.99 {
            self.coarse = self.coarse.saturating_add(1);
            self.coarsest = self.coarsest.min(density);
        }
        if left_out > 0 {
            let triangles = counted(left_out, "triangle is", "triangles are");
            let message = format!("{triangles} not baked: too many overlap in the lightmap");
            report.warn(&warning::BAKED_OVER, message).in_field(visible.field());
        }
        let name = format!("surface_{}_baked", visible.index);
        let image = scene.add_image(Image { name: name.clone(), encoded: png_for_gltf(&picture) });
        let sampler = Sampler { wrap_u: Wrap::Clamp, wrap_v: Wrap::Clamp, ..Sampler::default() };
        let texture = scene.add_texture(Texture { name, image, sampler });
        (scene.add_material(material::baked(self.context, visible.surface, texture)), uvs)
    }

    /// Reports losses.
    pub(in super::super) fn warn(&self, report: &mut Report) {
        if self.coarse == 0 {
            return;
        }
        let Self { coarse, count, .. } = self;
        let share = whole(self.coarsest * 100.0).max(1);
        let are = if *coarse == 1 {
            "has a lower resolution than its texture"
        } else {
            "have a lower resolution than their textures"
        };
        let coarse = format!(
            "{coarse} of {count} baked surfaces {are}; the lowest is {share}% of the pixels per side"
        );
        if self.max_pixels < MAX_SIZE {
            let mebi = |pixels: u64| pixels.div_ceil(1 << 20);
            let message = format!(
                "the baked textures would have {} Mi pixels; limited to {} Mi: {coarse}",
                mebi(self.wanted),
                mebi(self.room)
            );
            report.warn(&warning::BAKED_ROOM, message);
        } else {
            report.warn(&warning::BAKED_COARSE, coarse);
        }
    }
}

/// Brings a surface and its decoded images together, for as long as they are needed.
fn with_part<T>(visible: &VisibleSurface<'_>, context: &Context<'_>, work: impl FnOnce(&Part<'_>) -> T) -> T {
    // They were decoded before, so errors are impossible.
    let picture = |source: &Option<Arc<Source>>| {
        let picture = source.as_ref().and_then(|source| source.picture(context).ok());
        picture.unwrap_or_else(|| Arc::new(Picture::white()))
    };
    let (texture, lightmap) = (picture(&visible.texture), picture(&visible.lightmap));
    let geometry = SurfaceGeometry { vertices: &visible.surface.vertices, indices: &visible.indices };
    work(&Part { geometry, texture: &texture, lightmap: &lightmap })
}
