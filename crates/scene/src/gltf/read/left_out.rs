//! Content of a file that a scene does not support.

use super::Read;
use crate::Target;

/// Content that was skipped.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Omission {
    /// Description, plural if it is countable: `animations`, `attributes TANGENT`, `the extension KHR_xmp`.
    pub what: String,
    /// Number of skipped items.
    pub count: usize,
}

impl Read {
    /// Returns the skins, morph targets and their animations, for callers that do not support them. The list of
    /// omissions does not contain them, because the scene does.
    pub fn deformations(&self) -> impl Iterator<Item = Omission> {
        let shapes = self.scene.meshes.iter().filter_map(|mesh| mesh.primitives.first());
        let tracks = self.scene.animations.iter().flat_map(|animation| &animation.tracks);
        let weights = tracks.filter(|track| matches!(track.target, Target::Weights(_)));
        let counts = [
            ("morph targets", shapes.map(|shape| shape.targets.len()).sum()),
            ("animations of morph weights", weights.count()),
            ("skins", self.scene.skins.len()),
        ];
        let is_present = |(_, count): &(&str, usize)| *count > 0;
        counts.into_iter().filter(is_present).map(|(what, count)| Omission { what: what.to_owned(), count })
    }
}

/// Maximum number of distinct descriptions; further ones are counted together.
const MAX_KINDS: usize = 200;

/// Counts omissions, in the order they occur.
#[derive(Debug, Default)]
pub(super) struct Tally(Vec<Omission>);

impl Tally {
    /// Adds `count` items of a kind, if it is not zero.
    pub(super) fn add(&mut self, what: impl Into<String>, count: usize) {
        if count == 0 {
            return;
        }
        let mut what = what.into();
        if self.0.len() >= MAX_KINDS && !self.0.iter().any(|known| known.what == what) {
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
