//! The textures and brushes of a model by number, and brushes laid over one another.
//!
//! A mesh may have a brush too. It is laid over those of the triangles: colours and alpha are multiplied, shines added, the way of
//! mixing is the mesh's unless it has none, effects are joined, its textures take the place of others.
//!
//! Source: the engine's `brush.cpp`.

use super::B3d;
use super::chunk::Chunk;
use super::layout::{Brush, Texture, blend, fx, texture};

/// How many layers a brush has room for.
pub(super) const LAYERS: usize = 8;

/// Textures or brushes in the order of their numbers.
#[derive(Debug)]
pub(super) struct Numbered<'a, T> {
    /// With the chunk it stands in, and its place there.
    items: Vec<(&'a T, usize, usize)>,
    name: &'static str,
}

impl<'a, T> Numbered<'a, T> {
    fn new(name: &'static str) -> Self {
        Self { items: Vec::new(), name }
    }

    fn extend(&mut self, items: &'a [T], chunk: usize) {
        self.items.extend(items.iter().enumerate().map(|(index, item)| (item, chunk, index)));
    }

    pub(super) fn len(&self) -> usize {
        self.items.len()
    }

    /// The one of a number, if there is one.
    pub(super) fn get(&self, number: i32) -> Option<&'a T> {
        let (item, ..) = self.items.get(usize::try_from(number).ok()?)?;
        Some(item)
    }

    /// All with their fields.
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

/// The textures and brushes of a model, by number.
#[derive(Debug)]
pub(super) struct Paints<'a> {
    pub(super) textures: Numbered<'a, Texture>,
    pub(super) brushes: Numbered<'a, Brush>,
}

impl<'a> Paints<'a> {
    pub(super) fn of(model: &'a B3d) -> Self {
        let mut paints = Self { textures: Numbered::new("textures"), brushes: Numbered::new("brushes") };
        for (index, chunk) in model.chunks.iter().enumerate() {
            match chunk {
                Chunk::Textures(chunk) => paints.textures.extend(&chunk.textures, index),
                Chunk::Brushes(chunk) => paints.brushes.extend(&chunk.brushes, index),
                _ => {}
            }
        }
        paints
    }
}

/// Brushes laid over one another.
#[derive(Debug, Clone)]
pub(super) struct Mixed {
    pub(super) color: [f32; 4],
    pub(super) shininess: f32,
    blend: i32,
    fx: u32,
    /// Numbers of textures that are there.
    pub(super) layers: [Option<i32>; LAYERS],
}

impl Mixed {
    pub(super) fn of(brush: Option<&Brush>, paints: &Paints<'_>) -> Self {
        let mut layers = [None; LAYERS];
        let Some(brush) = brush else {
            return Self { color: [1.0; 4], shininess: 0.0, blend: blend::NONE, fx: 0, layers };
        };
        for (layer, number) in layers.iter_mut().zip(&brush.textures) {
            *layer = paints.textures.get(*number).map(|_| *number);
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

    /// How the engine mixes the surface with what is behind it.
    pub(super) fn blend(&self, paints: &Paints<'_>) -> i32 {
        let is_clear = |layer: &Option<i32>| {
            let texture = layer.and_then(|number| paints.textures.get(number));
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

    /// Whether black of the lowest layer is clear.
    pub(super) fn is_masked(&self, paints: &Paints<'_>) -> bool {
        let lowest = self.layers.first().copied().flatten().and_then(|number| paints.textures.get(number));
        lowest.is_some_and(|texture| texture.flags & texture::MASKED != 0)
    }
}
