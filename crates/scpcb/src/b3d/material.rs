//! Converts brushes and textures to materials, blended as in the engine.
//!
//! Blitz3D blends in display space (the numbers on the screen), glTF in linear space. The color of a surface is that of its brush,
//! or its vertex colors if the brush enables them, multiplied by each texture layer; a layer may double. So a factor of two on the
//! screen becomes `2^2.2` for a lightmap, and is baked into the color if there is no lightmap.
//!
//! Source: the engine's `brush.cpp`, `texture.cpp` and `gxscene.cpp`.

use std::collections::{BTreeMap, BTreeSet};

use asset::{Context, Report};
use json::{Map, Value};
use scene::color::srgb_to_linear;
use scene::{
    AlphaMode, Lightmap, Material, MaterialId, Sampler, Scene, Shading, Sidedness, TextureRef, Wrap,
};

use super::brush::{BrushTable, LAYERS, ResolvedBrush};
use super::describe::full;
use super::layout::{Brush, Texture, blend, fx, texture};
use super::text::MAX_NAME_LENGTH;
use super::warning;
use crate::model::texture::{Keying, Textures, look_up};
use asset::reference::Reference;

/// `2^2.2`: a factor of two in display space.
const DOUBLE_LINEAR: f32 = 4.594_793_4;

/// Maximum number of materials. Real models have a few dozen.
const MAX_MATERIALS: usize = 1 << 11;

/// A material with the vertex attributes it requires.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct MaterialBinding {
    pub(super) material: MaterialId,
    /// Source and transform of each texture coordinate set of the material.
    pub(super) coordinates: Vec<TextureTransform>,
    /// Use of vertex colors; `None` if they are ignored.
    pub(super) colors: Option<VertexColors>,
    /// Flat shading.
    pub(super) flat_shading: bool,
}

/// The transform of texture coordinates.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct TextureTransform {
    /// Texture coordinate set of the file, 0 or 1.
    pub(super) set: usize,
    position: [f32; 2],
    scale: [f32; 2],
    rotation: f32,
}

impl TextureTransform {
    fn of(texture: &Texture) -> Self {
        let Texture { flags, position, scale, rotation, .. } = *texture;
        Self { set: usize::from(flags & texture::SECOND_SET != 0), position, scale, rotation }
    }

    /// Returns the transformed texture coordinates. glTF scales before it rotates, the engine after, so the coordinates are
    /// computed here, which is exact.
    pub(super) fn apply(&self, [u, v]: [f32; 2]) -> [f32; 2] {
        let Self { position: [x, y], scale: [width, height], rotation, .. } = *self;
        if rotation == 0.0 {
            return [width * u + x, height * v + y];
        }
        let (sine, cosine) = rotation.sin_cos();
        [cosine * width * u + sine * width * v + x, cosine * height * v - sine * height * u + y]
    }
}

/// The use of vertex colors.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct VertexColors {
    /// Factor in display space.
    factor: f32,
    has_alpha: bool,
}

impl VertexColors {
    /// Returns the linear color of a vertex.
    pub(super) fn color(self, [red, green, blue, alpha]: [f32; 4]) -> [f32; 4] {
        let light = |channel: f32| linear(channel, self.factor);
        [light(red), light(green), light(blue), if self.has_alpha { clamp01(alpha) } else { 1.0 }]
    }
}

/// Returns the linear value of a display color times a factor, at most white.
fn linear(channel: f32, factor: f32) -> f32 {
    srgb_to_linear((clamp01(channel) * factor).min(1.0))
}

fn clamp01(number: f32) -> f32 {
    if number.is_nan() { 0.0 } else { number.clamp(0.0, 1.0) }
}

/// The materials of a scene being built: one for each pair of a triangle brush and a mesh brush.
#[derive(Debug)]
pub(super) struct Materials<'a> {
    brush_table: &'a BrushTable<'a>,
    textures: Textures,
    known: BTreeMap<(i32, i32), MaterialBinding>,
    /// Brushes that are referred to but do not exist.
    missing: BTreeSet<i32>,
    is_full: bool,
}

/// The texture layers that are converted.
struct Layers<'a> {
    base: Option<(&'a Texture, String)>,
    lightmap: Option<(&'a Texture, String)>,
}

impl<'a> Materials<'a> {
    pub(super) fn new(brush_table: &'a BrushTable<'a>) -> Self {
        Self {
            brush_table,
            textures: Textures::default(),
            known: BTreeMap::new(),
            missing: BTreeSet::new(),
            is_full: false,
        }
    }

    /// Returns the material of a surface with the brush `under` in a mesh with the brush `over`. An invalid index counts as no
    /// brush.
    pub(super) fn get(
        &mut self,
        scene: &mut Scene,
        context: &Context<'_>,
        (under, over): (i32, i32),
        report: &mut Report,
    ) -> MaterialBinding {
        let key = (self.brush_or_none(under, report), self.brush_or_none(over, report));
        if let Some(binding) = self.known.get(&key) {
            return binding.clone();
        }
        if self.known.len() >= MAX_MATERIALS && key != (-1, -1) {
            if !std::mem::replace(&mut self.is_full, true) {
                let message =
                    format!("surfaces after the first {MAX_MATERIALS} materials share one material");
                report.warn(&warning::MANY_SURFACES, message);
            }
            return self.get(scene, context, (-1, -1), report);
        }
        let binding = self.make(scene, context, key, report);
        self.known.insert(key, binding.clone());
        binding
    }

    /// Returns the index if the brush exists, or -1. A missing brush is reported once.
    fn brush_or_none(&mut self, number: i32, report: &mut Report) -> i32 {
        if self.brush_table.brushes.get(number).is_some() {
            return number;
        }
        if number != -1 && self.missing.insert(number) {
            warning::bad_brush(number, self.brush_table.brushes.len(), "", report);
        }
        -1
    }

    fn make(
        &mut self,
        scene: &mut Scene,
        context: &Context<'_>,
        (under, over): (i32, i32),
        report: &mut Report,
    ) -> MaterialBinding {
        let brush_table = self.brush_table;
        let [brush, mesh_brush] = [under, over].map(|number| brush_table.brushes.get(number));
        let mut resolved = ResolvedBrush::of(brush, brush_table);
        if mesh_brush.is_some() {
            resolved = resolved.under(&ResolvedBrush::of(mesh_brush, brush_table));
        }
        let field = brush_table.brushes.field(if brush.is_some() { under } else { over });
        for brush in [brush, mesh_brush].into_iter().flatten() {
            warning::bad_textures(brush, &brush_table.textures, &field, report);
            let layers =
                brush.textures.iter().take(LAYERS).filter_map(|number| brush_table.textures.get(*number));
            if brush.name.is_long() || layers.into_iter().any(|texture| texture.file.is_long()) {
                let message =
                    format!("name longer than {MAX_NAME_LENGTH} characters; truncated in the material");
                report.warn(&warning::LONG_NAME, message).in_field(field.as_str());
            }
        }
        let blend = resolved.blend(brush_table);
        warn_blend(blend, &resolved, &field, report);
        let alpha = match blend {
            blend::ALPHA | blend::MULTIPLY | blend::ADD => AlphaMode::Blend,
            _ if resolved.is_masked(brush_table) => AlphaMode::Mask(0.5),
            _ => AlphaMode::Opaque,
        };
        let shown = self.shown(context, &resolved, &field, report);
        let twice = [&shown.base, &shown.lightmap]
            .into_iter()
            .flatten()
            .filter(|(texture, _)| texture.blend == blend::MULTIPLY_2)
            .count();
        let factor = if shown.lightmap.is_none() && twice > 0 { 2.0 } else { 1.0 };

        let mut coordinates = Vec::new();
        let base_color_texture = shown.base.map(|(texture, field)| {
            let keying = keying(texture, blend, alpha);
            coordinates.push(TextureTransform::of(texture));
            let name = texture.file.text();
            let texture_use =
                self.textures.get(scene, context, (&name, &field), (keying, sampler(texture)), report);
            TextureRef::on_set(texture_use.texture, 0)
        });
        let lightmap = shown.lightmap.map(|(texture, field)| {
            coordinates.push(TextureTransform::of(texture));
            let name = texture.file.text();
            let how = (Keying::Alpha, sampler(texture));
            let texture_use = self.textures.get(scene, context, (&name, &field), how, report);
            let intensity = (0..twice).map(|_| DOUBLE_LINEAR).product();
            Lightmap { texture: TextureRef::on_set(texture_use.texture, 1), intensity }
        });
        let is_blended = alpha == AlphaMode::Blend;
        let colors =
            resolved.has(fx::VERTEX_COLORS).then_some(VertexColors { factor, has_alpha: is_blended });
        let [red, green, blue, opacity] = resolved.color;
        let base_color = match colors {
            Some(_) => [1.0; 4],
            None => {
                let light = |channel| linear(channel, factor);
                [light(red), light(green), light(blue), if is_blended { clamp01(opacity) } else { 1.0 }]
            }
        };
        let material = scene.add_material(Material {
            name: name(brush, mesh_brush, under),
            base_color,
            base_color_texture,
            alpha,
            sidedness: if resolved.has(fx::DOUBLE_SIDED) { Sidedness::Double } else { Sidedness::Single },
            shading: if resolved.has(fx::FULL_BRIGHT) && lightmap.is_none() {
                Shading::Unlit
            } else {
                Shading::Lit
            },
            lightmap,
            extras: extras(brush, mesh_brush, &resolved, brush_table),
            ..Material::default()
        });
        MaterialBinding { material, coordinates, colors, flat_shading: resolved.has(fx::FLAT) }
    }

    /// Selects the layers to convert: one as the surface's color, and one on the second set of texture coordinates as its lightmap.
    /// Reports the others.
    fn shown(
        &self,
        context: &Context<'_>,
        resolved: &ResolvedBrush,
        field: &str,
        report: &mut Report,
    ) -> Layers<'a> {
        let brush_table = self.brush_table;
        let mut layers: Vec<(&Texture, String)> = Vec::new();
        for number in resolved.layers.iter().flatten() {
            let Some(texture) = brush_table.textures.get(*number) else { continue };
            if texture.flags & (texture::SPHERE_MAP | texture::CUBE_MAP) != 0 {
                let message =
                    format!("the texture \"{:.80}\" is an environment map and is left out", texture.file);
                report.warn(&warning::REFLECTION, message).in_field(field);
            } else if texture.blend != blend::NONE {
                layers.push((texture, brush_table.textures.field(*number)));
            }
        }
        let is_lightmap = |(texture, _): &(&Texture, String)| {
            texture.flags & texture::SECOND_SET != 0
                && [blend::MULTIPLY, blend::MULTIPLY_2].contains(&texture.blend)
        };
        let lightmap = (layers.len() > 1).then(|| layers.iter().position(is_lightmap)).flatten();
        let lightmap = lightmap.map(|index| layers.remove(index));
        let lightmap = lightmap.filter(|(texture, field)| self.is_found(context, texture, field, report));
        let mut layers = layers.into_iter();
        let base = layers.next();
        for (texture, _) in layers {
            let message = format!(
                "the layer \"{:.80}\" is left out: glTF supports one texture and a lightmap",
                texture.file
            );
            report.warn(&warning::LAYER, message).in_field(field);
        }
        if let Some((texture, _)) = base.as_ref()
            && ![blend::MULTIPLY, blend::MULTIPLY_2].contains(&texture.blend)
        {
            let message = format!(
                "the layer \"{:.80}\" is multiplied with the color, unlike in the engine",
                texture.file
            );
            report.warn(&warning::LAYER_BLEND, message).in_field(field);
        }
        Layers { base, lightmap }
    }

    /// Whether a lightmap can be found. A placeholder lightmap would be useless.
    fn is_found(&self, context: &Context<'_>, texture: &Texture, field: &str, report: &mut Report) -> bool {
        let name = texture.file.text();
        let lookup = look_up(context, &name);
        if matches!(lookup, asset::Lookup::Found(_)) {
            return true;
        }
        let reference = Reference::new("lightmap", &name, field);
        reference.resolve(lookup, report).is_some()
    }
}

fn keying(texture: &Texture, blend: i32, alpha: AlphaMode) -> Keying {
    if texture.flags & texture::MASKED != 0 {
        Keying::Black
    } else if texture.flags & texture::ALPHA != 0 || blend == blend::ADD {
        // Adding black has no effect.
        Keying::Brightness
    } else if alpha == AlphaMode::Opaque {
        Keying::Alpha
    } else {
        Keying::Solid
    }
}

fn sampler(texture: &Texture) -> Sampler {
    let wrap = |flag| if texture.flags & flag == 0 { Wrap::Repeat } else { Wrap::Clamp };
    Sampler { wrap_u: wrap(texture::CLAMP_U), wrap_v: wrap(texture::CLAMP_V), ..Sampler::default() }
}

fn warn_blend(blend: i32, resolved: &ResolvedBrush, field: &str, report: &mut Report) {
    let how = match blend {
        blend::NONE | blend::ALPHA => None,
        blend::MULTIPLY => Some("multiplicative"),
        blend::ADD => Some("additive"),
        _ => Some("unknown"),
    };
    if let Some(how) = how {
        let shown = if [blend::MULTIPLY, blend::ADD].contains(&blend) { "alpha blending" } else { "opaque" };
        let message = format!("the surface uses {how} blending (blend {blend}); converted to {shown}");
        report.warn(&warning::BRUSH_BLEND, message).in_field(field);
    }
    if resolved.shininess > 0.0 {
        let message = format!("shininess {} left out; kept in the extras", resolved.shininess);
        report.warn(&warning::SHINE, message).in_field(field);
    }
}

fn name(brush: Option<&Brush>, mesh_brush: Option<&Brush>, number: i32) -> String {
    let named = |brush: &Brush| Some(brush.name.short()).filter(|name| !name.is_empty());
    let names: Vec<String> = [brush, mesh_brush].into_iter().flatten().filter_map(named).collect();
    match (names.is_empty(), brush) {
        (false, _) => names.join(" + "),
        (true, Some(_)) => format!("brush {number}"),
        (true, None) => "no brush".to_owned(),
    }
}

/// Returns the brushes and their textures as stored in the file.
fn extras(
    brush: Option<&Brush>,
    mesh_brush: Option<&Brush>,
    resolved: &ResolvedBrush,
    brush_table: &BrushTable<'_>,
) -> Map<String, Value> {
    let mut extras = Map::new();
    for (key, brush) in [("brush", brush), ("mesh_brush", mesh_brush)] {
        if let Some(Brush { name, textures, color, shininess, blend, fx }) = brush {
            let textures = textures.iter().take(LAYERS).copied().collect();
            let (color, shininess, blend, fx) = (*color, *shininess, *blend, *fx);
            let brush = Brush { name: name.cut(), color, shininess, blend, fx, textures };
            extras.insert(key.into(), full(&brush));
        }
    }
    let last = resolved.layers.iter().rposition(Option::is_some).map_or(0, |last| last.saturating_add(1));
    let layer = |number: &Option<i32>| {
        let texture = number.and_then(|number| brush_table.textures.get(number));
        texture.map_or(Value::Null, |texture| full(&Texture { file: texture.file.cut(), ..texture.clone() }))
    };
    if last > 0 {
        extras.insert("textures".into(), resolved.layers.iter().take(last).map(layer).collect());
    }
    extras
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn doubles_by_two_to_the_2_2_in_linear_space() {
        assert!((DOUBLE_LINEAR - 2_f32.powf(2.2)).abs() < 1e-5);
    }

    #[test]
    fn transforms_texture_coordinates_as_the_engine_does() {
        let rotated = TextureTransform { set: 0, position: [0.1, 0.2], scale: [2.0, 3.0], rotation: 0.5 };
        let (sine, cosine) = (0.5_f32.sin(), 0.5_f32.cos());
        let [u, v] = rotated.apply([0.3, 0.7]);
        assert!((u - (cosine * 2.0 * 0.3 + sine * 2.0 * 0.7 + 0.1)).abs() < 1e-6);
        assert!((v - (-sine * 3.0 * 0.3 + cosine * 3.0 * 0.7 + 0.2)).abs() < 1e-6);
        let plain = TextureTransform { set: 0, position: [0.0; 2], scale: [1.0; 2], rotation: 0.0 };
        assert_eq!(plain.apply([0.3, 0.7]), [0.3, 0.7]);
    }
}
