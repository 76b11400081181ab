//! The baked surfaces of a room: how many pixels each may have, and what they become in the scene.

use std::sync::Arc;

use asset::{Context, Report};
use scene::image::png_for_gltf;
use scene::{Image, MaterialId, Sampler, Scene, Texture, Wrap};

use super::super::material::{self, Blend};
use super::super::scene::Seen;
use super::super::texture::Source;
use super::super::warning;
use super::chart::Shape;
use super::number::whole;
use super::{Baked, LARGEST, Part, Picture, ROOM, share};
use asset::counted;

/// Bakes the surfaces of one room, one after the other.
#[derive(Debug)]
pub(in super::super) struct Baker<'a> {
    context: &'a Context<'a>,
    /// Pixels that all surfaces together would have at full density.
    wanted: u64,
    /// Pixels that all together may have, and one surface alone.
    room: u64,
    most: u64,
    count: usize,
    coarse: usize,
    coarsest: f64,
}

impl<'a> Baker<'a> {
    /// Shares the room's pixels out among the surfaces that have a lightmap.
    pub(in super::super) fn new(seen: &[Seen<'_>], context: &'a Context<'a>) -> Self {
        Self::within(seen, context, ROOM)
    }

    /// The same with another number of pixels.
    pub(super) fn within(seen: &[Seen<'_>], context: &'a Context<'a>, room: u64) -> Self {
        let lightmapped = seen.iter().filter(|seen| seen.blend == Blend::Lightmapped);
        let wanted: Vec<u64> =
            lightmapped.map(|seen| with_part(seen, context, |part| part.wanted())).collect();
        Self {
            context,
            wanted: wanted.iter().fold(0, |sum, want| sum.saturating_add(*want)),
            most: share(&wanted, room),
            room,
            count: wanted.len(),
            coarse: 0,
            coarsest: 1.0,
        }
    }

    /// Bakes one surface. Gives its material, and where its vertices lie in the baked texture.
    pub(in super::super) fn bake(
        &mut self,
        seen: &Seen<'_>,
        scene: &mut Scene,
        report: &mut Report,
    ) -> (MaterialId, Vec<[f32; 2]>) {
        let Baked { picture, uvs, density, left_out } =
            with_part(seen, self.context, |part| part.bake(self.most));
        if density < 0.99 {
            self.coarse = self.coarse.saturating_add(1);
            self.coarsest = self.coarsest.min(density);
        }
        if left_out > 0 {
            let triangles = counted(left_out, "triangle is", "triangles are");
            let message = format!("{triangles} not baked: too many lie upon each other in the lightmap");
            report.warn(&warning::BAKED_OVER, message).in_field(seen.field());
        }
        let name = format!("surface_{}_baked", seen.index);
        let image = scene.add_image(Image { name: name.clone(), encoded: png_for_gltf(&picture) });
        let sampler = Sampler { wrap_u: Wrap::Clamp, wrap_v: Wrap::Clamp, ..Sampler::default() };
        let texture = scene.add_texture(Texture { name, image, sampler });
        (scene.add_material(material::baked(self.context, seen.surface, texture)), uvs)
    }

    /// Tells what was lost.
    pub(in super::super) fn tell(&self, report: &mut Report) {
        if self.coarse == 0 {
            return;
        }
        let Self { coarse, count, .. } = self;
        let share = whole(self.coarsest * 100.0).max(1);
        let are =
            if *coarse == 1 { "is coarser than its texture" } else { "are coarser than their textures" };
        let coarse = format!(
            "{coarse} of {count} baked surfaces {are}, the coarsest at {share} % of the pixels along a side"
        );
        if self.most < LARGEST {
            let mebi = |pixels: u64| pixels.div_ceil(1 << 20);
            let message = format!(
                "the baked textures would have {} Mi pixels and are kept within {} Mi: {coarse}",
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
fn with_part<T>(seen: &Seen<'_>, context: &Context<'_>, work: impl FnOnce(&Part<'_>) -> T) -> T {
    // They were decoded before, so there is no error to tell.
    let picture = |source: &Option<Arc<Source>>| {
        let picture = source.as_ref().and_then(|source| source.picture(context).ok());
        picture.unwrap_or_else(|| Arc::new(Picture::white()))
    };
    let (texture, lightmap) = (picture(&seen.texture), picture(&seen.lightmap));
    let shape = Shape { vertices: &seen.surface.vertices, indices: &seen.indices };
    work(&Part { shape, texture: &texture, lightmap: &lightmap })
}
