//! Converts materials to brushes and textures: the inverse of [`material`](super::super::material).

use std::collections::BTreeMap;

use json::Value;
use scene::{AlphaMode, Material, MaterialId, Scene, Shading, Sidedness, TextureRef, UvTransform, Wrap};

use super::super::brush::BrushTable;
use super::super::chunk::Chunk;
use super::super::describe::full;
use super::super::layout::{Brush, Brushes, Texture, Textures, blend, fx, texture};
use super::super::text::CText;
use super::base::{Base, is_same_material};
use crate::import::color::display;
use crate::import::name::{PLACEHOLDER_PREFIX, image_name, stem};

/// Flags of most textures of the game's models: colors and mipmaps.
const DEFAULT_FLAGS: u32 = texture::COLOR | texture::MIPMAP;

/// Minimum intensity of a lightmap that is written as doubling.
const DOUBLE_INTENSITY: f32 = 2.0;

/// Source of the texture coordinates of a layer.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Layer {
    pub(super) set: usize,
    pub(super) transform: Option<UvTransform>,
}

/// A brush with the vertex attributes that its triangles require.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct BoundBrush {
    /// Brush index, -1 for none.
    pub(super) number: i32,
    pub(super) base: Layer,
    pub(super) lightmap: Option<Layer>,
    /// Linear factor of the vertex colors; `None` if they are unused.
    pub(super) tint: Option<[f32; 4]>,
}

/// The brushes of the model: original ones, and new ones for materials.
#[derive(Debug)]
pub(super) struct BrushBuilder<'a> {
    scene: &'a Scene,
    /// The original brush of each unchanged material.
    before: BTreeMap<usize, i32>,
    known: BTreeMap<(Option<usize>, bool), BoundBrush>,
    textures: Vec<Texture>,
    /// Indices of textures by file, flags and blend.
    texture_indices: BTreeMap<(CText, u32, i32), usize>,
    brushes: Vec<Brush>,
    /// Number of original textures.
    first_texture: usize,
    first_brush: usize,
    unsupported: BTreeMap<&'static str, usize>,
}

impl<'a> BrushBuilder<'a> {
    pub(super) fn of(scene: &'a Scene, base: Option<&Base<'_>>) -> Self {
        let mut builder = Self {
            scene,
            before: BTreeMap::new(),
            known: BTreeMap::new(),
            textures: Vec::new(),
            texture_indices: BTreeMap::new(),
            brushes: Vec::new(),
            first_texture: 0,
            first_brush: 0,
            unsupported: BTreeMap::new(),
        };
        let Some(base) = base else { return builder };
        let table = BrushTable::of(base.model);
        (builder.first_texture, builder.first_brush) = (table.textures.len(), table.brushes.len());
        // A brush with transformed textures is replaced by a new one, because the transform is baked into the texture coordinates
        // of the scene.
        let is_plain = |brush: &Brush| {
            let mut layers = brush.textures.iter().filter_map(|number| table.textures.get(*number));
            layers.all(|layer| layer.position == [0.0; 2] && layer.scale == [1.0; 2] && layer.rotation == 0.0)
        };
        let numbers: BTreeMap<String, i32> = (0_i32..)
            .zip(table.brushes.iter())
            .filter(|(_, (brush, _))| is_plain(brush))
            .map(|(number, (brush, _))| (full(brush).to_string(), number))
            .collect();
        let by_name: BTreeMap<&str, &Material> =
            base.scene.materials.iter().rev().map(|material| (material.name.as_str(), material)).collect();
        for (index, material) in scene.materials.iter().enumerate() {
            let name = crate::import::name::without_number(&material.name);
            let before = by_name.get(material.name.as_str()).or_else(|| by_name.get(name));
            let Some(before) =
                before.filter(|before| is_same_material((scene, material), (&base.scene, before)))
            else {
                continue;
            };
            let brush = before.extras.get("brush").filter(|_| !before.extras.contains_key("mesh_brush"));
            if let Some(number) = brush.and_then(|brush| numbers.get(&brush.to_string())) {
                builder.before.insert(index, *number);
            }
        }
        builder
    }

    pub(super) fn unsupported(&self) -> &BTreeMap<&'static str, usize> {
        &self.unsupported
    }

    fn count_unsupported(&mut self, what: &'static str, is_present: bool) {
        if is_present {
            let unsupported = self.unsupported.entry(what).or_default();
            *unsupported = unsupported.saturating_add(1);
        }
    }

    /// Returns the brush of a material, for triangles with or without vertex colors.
    pub(super) fn get(&mut self, material: Option<MaterialId>, has_colors: bool) -> BoundBrush {
        let id = material.map(|material| material.0).filter(|id| *id < self.scene.materials.len());
        if let Some(known) = self.known.get(&(id, has_colors)) {
            return *known;
        }
        let bound = self.bind(id, has_colors);
        self.known.insert((id, has_colors), bound);
        bound
    }

    fn bind(&mut self, id: Option<usize>, has_colors: bool) -> BoundBrush {
        let plain = Layer { set: 0, transform: None };
        let Some(material) = id.and_then(|id| self.scene.materials.get(id)) else {
            let bound = BoundBrush { number: -1, base: plain, lightmap: None, tint: None };
            if !has_colors {
                return bound;
            }
            let brush = Brush {
                name: "vertex colors".into(),
                color: [1.0; 4],
                shininess: 0.0,
                blend: blend::NONE,
                fx: fx::VERTEX_COLORS,
                textures: Vec::new(),
            };
            return BoundBrush { number: self.add_brush(brush), tint: Some([1.0; 4]), ..bound };
        };
        let layer = |texture: Option<TextureRef>| {
            texture.map(|texture| Layer { set: texture.uv_set, transform: texture.transform })
        };
        let glow = material
            .emissive_texture
            .filter(|glow| material.base_color_texture.is_some_and(|base| base.uv_set != glow.uv_set));
        let lightmap = material.lightmap.map(|lightmap| (lightmap.texture, lightmap.intensity));
        let lightmap = lightmap.or(glow.map(|glow| (glow, 1.0)));
        let base = layer(material.base_color_texture).unwrap_or(plain);
        let tint = has_colors.then_some(material.base_color);
        let bound =
            BoundBrush { number: -1, base, lightmap: layer(lightmap.map(|(texture, _)| texture)), tint };
        if let Some(number) = id.and_then(|id| self.before.get(&id)) {
            return BoundBrush { number: *number, ..bound };
        }
        let is_lit_lightmap = glow.is_some() && material.lightmap.is_none();
        self.count_unsupported("metallic materials", material.metallic > 0.0);
        self.count_unsupported("emissive materials", material.emissive != [0.0; 3] && !is_lit_lightmap);
        let brush = self.brush(material, lightmap, has_colors);
        BoundBrush { number: self.add_brush(brush), ..bound }
    }

    fn brush(&mut self, material: &Material, lightmap: Option<(TextureRef, f32)>, has_colors: bool) -> Brush {
        let stored = material.extras.get("textures").and_then(Value::as_array).cloned().unwrap_or_default();
        let stored: Vec<Texture> =
            stored.into_iter().filter_map(|texture| json::from_value(texture).ok()).collect();
        let is_blended = material.alpha == AlphaMode::Blend;
        let mut clear = if is_blended { texture::ALPHA } else { 0 };
        let mut blend = if is_blended { blend::ALPHA } else { blend::NONE };
        if matches!(material.alpha, AlphaMode::Mask(_)) {
            let is_masked = stored.first().is_some_and(|texture| texture.flags & texture::MASKED != 0);
            if is_masked {
                clear = texture::MASKED;
            } else {
                (clear, blend) = (texture::ALPHA, blend::ALPHA);
            }
            self.count_unsupported("alpha cutoffs", !is_masked);
        }
        let mut textures = Vec::new();
        if let Some(base) = material.base_color_texture {
            textures.push(self.texture(base, &stored, DEFAULT_FLAGS | clear, blend::MULTIPLY));
        }
        if let Some((lightmap, intensity)) = lightmap {
            let blend = if intensity >= DOUBLE_INTENSITY { blend::MULTIPLY_2 } else { blend::MULTIPLY };
            textures.push(self.texture(lightmap, &stored, DEFAULT_FLAGS | texture::SECOND_SET, blend));
        }
        let kept: Option<Brush> =
            material.extras.get("brush").and_then(|brush| json::from_value(brush.clone()).ok());
        let flag = |is: bool, flag: u32| if is { flag } else { 0 };
        let fx = flag(material.shading == Shading::Unlit, fx::FULL_BRIGHT)
            | flag(has_colors, fx::VERTEX_COLORS)
            | flag(has_colors && is_blended, fx::VERTEX_ALPHA)
            | flag(material.sidedness == Sidedness::Double, fx::DOUBLE_SIDED)
            | kept.as_ref().map_or(0, |brush| brush.fx & fx::NO_FOG);
        let name = kept.as_ref().map_or_else(
            || CText::from(material.name.replace('\0', "").as_str()),
            |brush| brush.name.clone(),
        );
        let [red, green, blue, alpha] = material.base_color;
        let [red, green, blue] = [red, green, blue].map(display);
        Brush {
            name,
            color: [red, green, blue, if is_blended { alpha } else { 1.0 }],
            shininess: kept.map_or(0.0, |brush| brush.shininess),
            blend,
            fx,
            textures,
        }
    }

    /// Returns the index of a texture. Its file and flags are the original ones if the material still shows the same image.
    fn texture(&mut self, slot: TextureRef, stored: &[Texture], flags: u32, blend: i32) -> i32 {
        let image = image_name(self.scene, slot.texture);
        let image = image.strip_prefix(PLACEHOLDER_PREFIX).unwrap_or(&image).replace('\0', "");
        let known = stored.iter().find(|texture| stem(&texture.file.text()) == stem(&image));
        let sampler =
            self.scene.textures.get(slot.texture.0).map(|texture| texture.sampler).unwrap_or_default();
        self.count_unsupported("mirrored textures", [sampler.wrap_u, sampler.wrap_v].contains(&Wrap::Mirror));
        let clamp = |wrap: Wrap, flag: u32| if wrap == Wrap::Clamp { flag } else { 0 };
        let clamped = clamp(sampler.wrap_u, texture::CLAMP_U) | clamp(sampler.wrap_v, texture::CLAMP_V);
        let texture = match known {
            Some(known) => Texture {
                position: [0.0; 2],
                scale: [1.0; 2],
                rotation: 0.0,
                flags: known.flags | (flags & (texture::ALPHA | texture::SECOND_SET)),
                ..known.clone()
            },
            None => {
                self.count_unsupported("images", true);
                let name = if image.is_empty() { format!("texture{}.png", slot.texture.0) } else { image };
                Texture {
                    file: CText::from(name.as_str()),
                    flags: flags | clamped,
                    blend,
                    position: [0.0; 2],
                    scale: [1.0; 2],
                    rotation: 0.0,
                }
            }
        };
        let next = self.textures.len();
        let at =
            *self.texture_indices.entry((texture.file.clone(), texture.flags, texture.blend)).or_insert(next);
        if at == next {
            self.textures.push(texture);
        }
        number(self.first_texture, at)
    }

    fn add_brush(&mut self, brush: Brush) -> i32 {
        self.brushes.push(brush);
        number(self.first_brush, self.brushes.len().saturating_sub(1))
    }

    /// Adds new textures and brushes after the original ones.
    pub(super) fn add_to(&mut self, chunks: &mut Vec<Chunk>) {
        let last = chunks.iter().rposition(|chunk| matches!(chunk, Chunk::Textures(_) | Chunk::Brushes(_)));
        let mut position = last.map_or(0, |last| last.saturating_add(1));
        let textures = std::mem::take(&mut self.textures);
        let mut brushes = std::mem::take(&mut self.brushes);
        if !textures.is_empty() {
            chunks.insert(position, Chunk::Textures(Textures { textures, ..Textures::default() }));
            position = position.saturating_add(1);
        }
        let Some(layers) = brushes.iter().map(|brush| brush.textures.len()).max() else { return };
        // The engine expects at least one texture index per brush.
        let layers = layers.max(1);
        brushes.iter_mut().for_each(|brush| brush.textures.resize(layers, -1));
        let texture_count = i32::try_from(layers).unwrap_or(i32::MAX);
        chunks.insert(position, Chunk::Brushes(Brushes { texture_count, brushes, ..Brushes::default() }));
    }
}

fn number(first: usize, at: usize) -> i32 {
    i32::try_from(first.saturating_add(at)).unwrap_or(i32::MAX)
}
