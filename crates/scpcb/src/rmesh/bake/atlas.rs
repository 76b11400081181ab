//! Where the charts of a surface lie in its baked texture.
//!
//! Each chart has a margin around it, and its rectangle starts and ends at multiples of twice that margin. So a mipmap pixel
//! belongs to one chart only, down to the mipmap in which the chart itself is a few pixels wide.

use std::cmp::Reverse;

use super::SIDE;
use super::number::{double, whole};

/// A chart's rectangle with its margin, in pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Slot {
    pub(super) left: u32,
    pub(super) top: u32,
    pub(super) width: u32,
    pub(super) height: u32,
    /// How far within the rectangle the chart itself starts.
    pub(super) margin: u32,
}

impl Slot {
    /// The rectangle that a chart needs, not yet placed.
    pub(super) fn around([width, height]: [u32; 2]) -> Self {
        let margin = match width.min(height) {
            0..16 => 2,
            16..64 => 4,
            64..256 => 8,
            256..512 => 16,
            _ => 32,
        };
        let cell = margin << 1;
        let outer = |inner: u32| inner.saturating_add(cell).next_multiple_of(cell);
        Self { left: 0, top: 0, width: outer(width), height: outer(height), margin }
    }

    /// Its edges lie at multiples of this.
    fn cell(&self) -> u32 {
        self.margin << 1
    }

    /// Pixels in it.
    pub(super) fn area(&self) -> u64 {
        u64::from(self.width).saturating_mul(u64::from(self.height))
    }
}

/// The slots of a surface's charts, placed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Atlas {
    pub(super) width: u32,
    pub(super) height: u32,
    pub(super) slots: Vec<Slot>,
}

impl Atlas {
    /// Packs the slots into a texture of at most [`SIDE`] pixels a side and `max_pixels` pixels in all, the high ones first. Nothing if
    /// they do not fit.
    pub(super) fn pack(slots: &[Slot], max_pixels: u64) -> Option<Self> {
        let area = slots.iter().fold(0_u64, |sum, slot| sum.saturating_add(slot.area()));
        let widest = slots.iter().map(|slot| slot.width).max()?;
        // The sides are multiples of the coarsest cell, so that mipmap pixels keep to the slots.
        let cell = slots.iter().map(Slot::cell).max()?;
        if area > max_pixels {
            return None;
        }
        let mut order: Vec<(usize, Slot)> = slots.iter().copied().enumerate().collect();
        order.sort_by_key(|(number, slot)| (Reverse(slot.height), Reverse(slot.width), *number));
        let square = double(area).sqrt();
        // A texture that is about square and just wide enough; if that comes out too high, a wider one.
        let widths = [1.0, 1.1, 1.3].map(|more| whole(square * more).max(widest));
        widths.into_iter().chain([SIDE]).find_map(|width| {
            let width = width.next_multiple_of(cell).min(SIDE);
            let rows =
                u32::try_from(max_pixels.checked_div(width.into())?).map_or(SIDE, |rows| rows.min(SIDE));
            let highest = rows.checked_div(cell)?.saturating_mul(cell);
            let room = u64::from(width).saturating_mul(highest.into());
            let packed = (room >= area).then(|| Self::below_each_other(&order, width, highest))??;
            Some(Self { height: packed.height.next_multiple_of(cell), ..packed })
        })
    }

    /// Each slot where its top comes to lie highest, below those that exist; `None` if that leads beyond `highest`.
    fn below_each_other(order: &[(usize, Slot)], width: u32, highest: u32) -> Option<Self> {
        let mut slots = vec![Slot::around([1, 1]); order.len()];
        let mut shore = Shore(vec![Step { left: 0, bottom: 0 }, Step { left: width, bottom: u32::MAX }]);
        let mut height = 0_u32;
        for (number, slot) in order {
            let slot = shore.location(*slot)?;
            height = height.max(slot.top.saturating_add(slot.height));
            if height > highest {
                return None;
            }
            *slots.get_mut(*number)? = slot;
        }
        Some(Self { width, height, slots })
    }
}

/// The lower edge of what was placed, as steps from left to right.
struct Shore(Vec<Step>);

/// From here to the next step, all above this row may be used.
#[derive(Debug, Clone, Copy)]
struct Step {
    left: u32,
    bottom: u32,
}

impl Shore {
    /// Finds a place for a slot and takes it; `None` if it is too wide.
    fn location(&mut self, slot: Slot) -> Option<Slot> {
        let cell = slot.cell();
        let mut best: Option<(u32, u32)> = None;
        for (number, step) in self.0.iter().enumerate() {
            if best.is_some_and(|(top, _)| step.bottom >= top) {
                continue;
            }
            let left = step.left.next_multiple_of(cell);
            let right = left.saturating_add(slot.width);
            let covered = self.0.iter().skip(number).take_while(|step| step.left < right);
            let bottom = covered.map(|step| step.bottom).max().unwrap_or(u32::MAX);
            let top = bottom.checked_next_multiple_of(cell).unwrap_or(u32::MAX);
            if best.is_none_or(|(known, _)| top < known) {
                best = Some((top, left));
            }
        }
        let (top, left) = best.filter(|(top, _)| *top < u32::MAX)?;
        let placed = Slot { left, top, ..slot };
        self.take(placed);
        Some(placed)
    }

    fn take(&mut self, slot: Slot) {
        let (left, right) = (slot.left, slot.left.saturating_add(slot.width));
        let Self(steps) = self;
        let behind = steps.iter().rfind(|step| step.left <= right).map(|step| step.bottom);
        steps.retain(|step| step.left < left || step.left > right);
        let at = steps.iter().take_while(|step| step.left < left).count();
        let new = [
            Step { left, bottom: slot.top.saturating_add(slot.height) },
            Step { left: right, bottom: behind.unwrap_or(u32::MAX) },
        ];
        steps.splice(at..at, new);
    }
}
