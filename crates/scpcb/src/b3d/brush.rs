//! Textures and brushes of a model by index, and the combination of brushes.
//!
//! A mesh may have a brush, too. It is combined with the brushes of the triangles: color and alpha are multiplied, shininess is
//! added, the mesh's blend mode wins unless it has none, effect flags are combined, and its textures replace theirs.
//!
//! Source: the engine's `brush.cpp`.

use super::B3d;
use super::chunk::Chunk;
use super::layout::{Brush, Texture, blend, fx, texture};

/// Maximum number of texture layers of a brush.
pub(super) const LAYERS: usize = 8;

/// Textures or brushes by index.
#[derive(Debug)]
pub(super) struct Indexed<'a, T> {
    /// Each item with the index of its chunk and its index within the chunk.
    items: Vec<(&'a T, usize, usize)>,
    name: &'static str,
}

impl<'a, T> Indexed<'a, T> {
    fn new(name: &'static str) -> Self {
        Self { items: Vec::new(), name }
    }

    fn extend(&mut self, items: &'a [T], chunk: usize) {
        self.items.extend(items.iter().enumerate().map(|(index, item)| (item, chunk, index)));
    }

    pub(super) fn len(&self) -> usize {
        self.items.len()
    }

    /// Returns the item at an index, if it exists.
    pub(super) fn get(&self, number: i32) -> Option<&'a T> {
        let (item, ..) = self.items.get(usize::try_from(number).ok()?)?;
        Some(item)
    }

    /// Iterates over all items with their field paths.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&'a T, String)> + '_ {
        self.items.iter().map(|(item, chunk, index)| (*item, self.path(*chunk, *index)))
    }

    pub(super) fn field(&self, number: i32) -> String {
        let at = usize::try_from(number).ok().and_then(|number| self.items.get(number));
        at.map(|(_, chunk, index)| self.path(*chunk, *index)).unwrap_or_default()
    }

    fn path(&self, chunk: usize, index: usize) -> String {
        format!("chunks[{chunk}].{}[{index}]", self.name)
    }
}

/// The textures and brushes of a model by index.
#[derive(Debug)]
pub(super) struct BrushTable<'a> {
    pub(super) textures: Indexed<'a, Texture>,
    pub(super) brushes: Indexed<'a, Brush>,
}

impl<'a> BrushTable<'a> {
    pub(super) fn of(model: &'a B3d) -> Self {
        let mut brush_table = Self { textures: Indexed::new("textures"), brushes: Indexed::new("brushes") };
        for (index, chunk) in model.chunks.iter().enumerate() {
            match chunk {
                Chunk::Textures(chunk) => brush_table.textures.extend(&chunk.textures, index),
                Chunk::Brushes(chunk) => brush_table.brushes.extend(&chunk.brushes, index),
                _ => {}
            }
        }
        brush_table
    }
}

/// A combination of brushes.
#[derive(Debug, Clone)]
pub(super) struct ResolvedBrush {
    pub(super) color: [f32; 4],
    pub(super) shininess: f32,
    blend: i32,
    fx: u32,
    /// Indices of existing textures.
    pub(super) layers: [Option<i32>; LAYERS],
}

impl ResolvedBrush {
    pub(super) fn of(brush: Option<&Brush>, brush_table: &BrushTable<'_>) -> Self {
        let mut layers = [None; LAYERS];
        let Some(brush) = brush else {
            return Self { color: [1.0; 4], shininess: 0.0, blend: blend::NONE, fx: 0, layers };
        };
        for (layer, number) in layers.iter_mut().zip(&brush.textures) {
            *layer = brush_table.textures.get(*number).map(|_| *number);
        }
        let Brush { color, shininess, blend, fx, .. } = *brush;
        Self { color, shininess, blend, fx, layers }
    }

    pub(super) fn under(mut self, over: &Self) -> Self {
        for (channel, over) in self.color.iter_mut().zip(over.color) {
            *channel *= over;
        }
        self.shininess += over.shininess;
        if over.blend != blend::NONE {
            self.blend = over.blend;
        }
        self.fx |= over.fx;
        for (layer, over) in self.layers.iter_mut().zip(over.layers) {
            *layer = over.or(*layer);
        }
        self
    }

    pub(super) fn has(&self, flag: u32) -> bool {
        self.fx & flag != 0
    }

    /// Returns the engine's blend mode for the surface.
    pub(super) fn blend(&self, brush_table: &BrushTable<'_>) -> i32 {
        let is_clear = |layer: &Option<i32>| {
            let texture = layer.and_then(|number| brush_table.textures.get(number));
            texture
                .is_some_and(|texture| texture.flags & (texture::ALPHA | texture::MASKED) == texture::ALPHA)
        };
        let used = self.layers.iter().rposition(Option::is_some).map_or(0, |last| last.saturating_add(1));
        let by_texture = match self.blend {
            blend::NONE => used == 1 && self.layers.first().is_some_and(is_clear),
            blend::ALPHA => self.layers.iter().any(is_clear),
            other => return other,
        };
        let is_faded = self.has(fx::VERTEX_ALPHA) || self.color.last().is_some_and(|alpha| *alpha < 1.0);
        if by_texture || is_faded { blend::ALPHA } else { blend::NONE }
    }

    /// Whether black is transparent in the lowest layer.
    pub(super) fn is_masked(&self, brush_table: &BrushTable<'_>) -> bool {
        let lowest =
            self.layers.first().copied().flatten().and_then(|number| brush_table.textures.get(number));
        lowest.is_some_and(|texture| texture.flags & texture::MASKED != 0)
    }
}
