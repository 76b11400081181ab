//! Bakes the surfaces of a room, adds them to the scene and reports losses.

use std::sync::Arc;

use asset::{Context, Report, counted};
use glam::DVec2;
use light::parallel;
use scene::image::{Encoded, Rgba8, jpeg_for_gltf, png_for_gltf};
use scene::{Image, MaterialId, Sampler, Scene, Texture, Wrap};

use super::super::material::{self, Blend};
use super::super::texture::Source;
use super::super::visible::VisibleSurface;
use super::super::warning;
use super::chart::Charts;
use super::page::{BakedPage, Subset, subsets};
use super::plan::Page;
use super::{BakeInput, Detail, Images, Limits, Picture, Plan, SurfaceGeometry, detail};
use crate::number::{nearest_byte, truncate};

/// Maximum number of pixels of a texture that is always written as PNG: the tables of a JPEG alone are larger.
const SMALL: u64 = 32 * 32;

/// Settings for baking.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in super::super) struct Settings {
    /// Maximum pixels per meter of the room; `None` to choose by the size of the room.
    pub(in super::super) per_meter: Option<f64>,
    /// JPEG quality, 1 to 99; `None` for PNG.
    pub(in super::super) quality: Option<u8>,
}

impl Settings {
    /// The settings for a number of pixels per meter (0 to choose) and a quality of 1 to 100 (100 is PNG).
    pub(in super::super) fn new(per_meter: f64, quality: f64) -> Self {
        Self {
            per_meter: (per_meter > 0.0).then_some(per_meter),
            quality: (quality < 99.5).then(|| nearest_byte(quality)),
        }
    }
}

/// A baked surface.
#[derive(Debug)]
pub(in super::super) struct BakedSurface {
    pub(in super::super) textures: Vec<BakedTexture>,
}

/// A texture of a baked surface, and the subset of the surface in it.
#[derive(Debug)]
pub(in super::super) struct BakedTexture {
    pub(in super::super) material: MaterialId,
    pub(in super::super) subset: Subset,
}

/// Bakes the surfaces of a room that have a lightmap, on all processors. Returns the baked surfaces in order, `None` for those
/// without a lightmap. Losses are reported.
pub(in super::super) fn bake(
    visible: &[VisibleSurface<'_>],
    settings: Settings,
    context: &Context<'_>,
    scene: &mut Scene,
    report: &mut Report,
) -> Vec<Option<BakedSurface>> {
    bake_within(visible, Limits::new(settings.per_meter), settings.quality, context, scene, report)
}

/// Like [`bake`], with other limits.
pub(super) fn bake_within(
    visible: &[VisibleSurface<'_>],
    limits: Limits,
    quality: Option<u8>,
    context: &Context<'_>,
    scene: &mut Scene,
    report: &mut Report,
) -> Vec<Option<BakedSurface>> {
    let lit: Vec<_> = visible.iter().filter(|visible| visible.blend == Blend::Lightmapped).collect();
    let inputs: Vec<BakeInput<'_>> = lit.iter().map(|visible| input(visible)).collect();
    // Losses are kept out of lossless images, and a requested density is exact.
    let may_reduce = quality.is_some() && limits == Limits::new(None);
    let reduce = |number: usize, charts: &mut Charts, per_meter: f64| {
        if let (true, Some(visible), Some(input)) = (may_reduce, lit.get(number), inputs.get(number)) {
            let images = SurfaceImages { visible, context };
            if let Some(detail) = images.detail() {
                detail::reduce(input.geometry, charts, per_meter, &detail, &images.lightmap());
            }
        }
    };
    let plan = Plan::new(&inputs, limits, reduce);
    let work: Vec<(usize, &Page)> = (0..)
        .zip(&plan.surfaces)
        .flat_map(|(number, surface)| surface.pages.iter().map(move |page| (number, page)))
        .collect();
    let drawn = parallel::map(&work, |_, (number, page)| {
        let (visible, input, surface) =
            (lit.get(*number)?, inputs.get(*number)?, plan.surfaces.get(*number)?);
        let images = SurfaceImages { visible, context };
        let name = format!("{}\0{:?}\0{:x}", images.identity(), quality, input.digest(page, surface));
        let make = || {
            let BakedPage { picture, left_out } = input.draw(page, surface, &images);
            let encoded = encode(&picture, quality);
            let size = encoded.bytes.len();
            Ok((EncodedPage { encoded, left_out }, size))
        };
        context.install.result(&name, make).ok()
    });
    let mut drawn = work.iter().map(|(number, _)| *number).zip(drawn).peekable();
    let mut baked = Vec::with_capacity(visible.len());
    let mut planned = plan.surfaces.iter().zip(&inputs).enumerate();
    for visible in visible {
        if visible.blend != Blend::Lightmapped {
            baked.push(None);
            continue;
        }
        let Some((number, (surface, input))) = planned.next() else { break };
        let mut textures = Vec::with_capacity(surface.pages.len());
        let mut left_out = 0_usize;
        for (page, subset) in subsets(input, surface).into_iter().enumerate() {
            let Some(drawn) = drawn.next_if(|(of, _)| *of == number).and_then(|(_, drawn)| drawn) else {
                break;
            };
            left_out = left_out.saturating_add(drawn.left_out);
            let name = match surface.pages.len() {
                1 => format!("surface_{}_baked", visible.index),
                _ => format!("surface_{}_baked_{page}", visible.index),
            };
            let image = scene.add_image(Image { name: name.clone(), encoded: drawn.encoded.clone() });
            let sampler = Sampler { wrap_u: Wrap::Clamp, wrap_v: Wrap::Clamp, ..Sampler::default() };
            let texture = scene.add_texture(Texture { name, image, sampler });
            let material = scene.add_material(material::baked(context, visible.surface, texture));
            textures.push(BakedTexture { material, subset });
        }
        if left_out > 0 {
            let triangles = counted(left_out, "triangle is", "triangles are");
            let message = format!("{triangles} not baked: too many overlap in the lightmap");
            report.warn(&warning::BAKED_OVER, message).in_field(visible.field());
        }
        baked.push(Some(BakedSurface { textures }));
    }
    warn(&plan, limits, report);
    baked
}

/// A baked texture as an image file.
#[derive(Debug)]
struct EncodedPage {
    encoded: Encoded,
    /// Number of triangles that were left out because too many overlap.
    left_out: usize,
}

fn encode(picture: &Rgba8, quality: Option<u8>) -> Encoded {
    let pixels = u64::from(picture.width()).saturating_mul(picture.height().into());
    match quality {
        Some(quality) if pixels > SMALL => {
            jpeg_for_gltf(picture, quality).unwrap_or_else(|_| png_for_gltf(picture))
        }
        _ => png_for_gltf(picture),
    }
}

fn input<'a>(visible: &'a VisibleSurface<'_>) -> BakeInput<'a> {
    let size = |source: &Option<Arc<Source>>| source.as_ref().map_or(DVec2::ONE, |source| source.size());
    BakeInput {
        geometry: SurfaceGeometry { vertices: &visible.surface.vertices, indices: &visible.indices },
        texture: size(&visible.texture),
        lightmap: size(&visible.lightmap),
    }
}

/// The images of a surface, decoded while they are needed.
struct SurfaceImages<'a> {
    visible: &'a VisibleSurface<'a>,
    context: &'a Context<'a>,
}

impl SurfaceImages<'_> {
    /// The detail of the texture; `None` without a texture.
    fn detail(&self) -> Option<Arc<Detail>> {
        self.visible.texture.as_ref().and_then(|source| source.detail(self.context).ok())
    }

    /// A name that identifies both images.
    fn identity(&self) -> String {
        let name = |source: &Option<Arc<Source>>| source.as_ref().map(|source| source.identity());
        format!("{:?}\0{:?}", name(&self.visible.texture), name(&self.visible.lightmap))
    }
}

impl Images for SurfaceImages<'_> {
    // Both were decoded before, so errors are impossible.
    fn texture(&self, size: [u32; 2]) -> Arc<Picture> {
        let source = self.visible.texture.as_ref();
        let picture = source.and_then(|source| source.picture_of_size(self.context, size).ok());
        picture.unwrap_or_else(|| Arc::new(Picture::white()))
    }

    fn lightmap(&self) -> Arc<Picture> {
        let source = self.visible.lightmap.as_ref();
        let picture = source.and_then(|source| source.picture(self.context).ok());
        picture.unwrap_or_else(|| Arc::new(Picture::white()))
    }
}

/// Reports losses.
fn warn(plan: &Plan, limits: Limits, report: &mut Report) {
    warn_of_reduced(plan, report);
    let densities = plan.surfaces.iter().map(|surface| surface.density);
    let coarse = densities.clone().filter(|density| *density < 0.99).count();
    if coarse == 0 {
        return;
    }
    let percent = |share: f64| truncate((share * 100.0).round()).max(1);
    let are = if coarse == 1 {
        "has a lower resolution than its texture"
    } else {
        "have a lower resolution than their textures"
    };
    let message = format!(
        "{coarse} of {} baked surfaces {are}: {}% of the pixels per side on average, {}% at the lowest, at {} pixels per meter",
        plan.surfaces.len(),
        percent(plan.density()),
        percent(densities.fold(1.0, f64::min)),
        truncate(plan.per_meter.round()),
    );
    let mebi = |pixels: f64| truncate((pixels / f64::from(1 << 20)).ceil());
    if let Some(wanted) = plan.too_many {
        let limit = mebi(limits.room);
        let start =
            format!("the baked textures would have {} Mi pixels; limited to {limit} Mi", mebi(wanted));
        report.warn(&warning::BAKED_ROOM, format!("{start}: {message}"));
    } else {
        report.warn(&warning::BAKED_COARSE, message);
    }
}

/// Reports surfaces without visible detail.
fn warn_of_reduced(plan: &Plan, report: &mut Report) {
    let (share, difference) = plan.reduced();
    if share > 0.0 {
        let percent = truncate((share * 100.0).round()).max(1);
        let message = format!(
            "{percent}% of the baked area has at most half of the pixels per meter, because more would not be visible in its light: a difference of {difference:.1} of 255 (root mean square)"
        );
        report.warn(&warning::BAKED_PLAIN, message);
    }
}
