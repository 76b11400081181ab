//! What a file holds that a scene does not.

use super::Read;
use crate::Target;

/// Something that was passed over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Omission {
    /// What it is, in the plural where it can be counted: `animations`, `attributes TANGENT`, `the extension KHR_xmp`.
    pub what: String,
    /// How many there are.
    pub count: usize,
}

impl Read {
    /// Skins, morph targets and what moves them, for those who have no place for them: not in the list, as the scene holds them.
    pub fn deformations(&self) -> impl Iterator<Item = Omission> {
        let shapes = self.scene.meshes.iter().filter_map(|mesh| mesh.primitives.first());
        let tracks = self.scene.animations.iter().flat_map(|animation| &animation.tracks);
        let weights = tracks.filter(|track| matches!(track.target, Target::Weights(_)));
        let counts = [
            ("morph targets", shapes.map(|shape| shape.targets.len()).sum()),
            ("animations of morph weights", weights.count()),
            ("skins", self.scene.skins.len()),
        ];
        let is_there = |(_, count): &(&str, usize)| *count > 0;
        counts.into_iter().filter(is_there).map(|(what, count)| Omission { what: what.to_owned(), count })
    }
}

/// More kinds of things than this are not told apart.
const MOST: usize = 200;

/// Counts them, in the order they are met.
#[derive(Debug, Default)]
pub(super) struct Tally(Vec<Omission>);

impl Tally {
    /// Adds some of a kind, if there are any.
    pub(super) fn add(&mut self, what: impl Into<String>, count: usize) {
        if count == 0 {
            return;
        }
        let mut what = what.into();
        if self.0.len() >= MOST && !self.0.iter().any(|known| known.what == what) {
            "other things".clone_into(&mut what);
        }
        match self.0.iter_mut().find(|known| known.what == what) {
            Some(known) => known.count = known.count.saturating_add(count),
            None => self.0.push(Omission { what, count }),
        }
    }

    pub(super) fn into_list(self) -> Vec<Omission> {
        self.0
    }
}
