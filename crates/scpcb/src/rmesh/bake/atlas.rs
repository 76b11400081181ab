//! The layout of a surface's patches in its baked textures.
//!
//! Each patch has a margin around it, and its rectangle starts and ends at multiples of twice that margin. So a mipmap pixel
//! belongs to one patch only, down to the mipmap level in which the margin is one pixel wide.

use std::cmp::Reverse;
use std::ops::Range;

use super::{MAX_SIZE, SIDE};
use crate::number::{double, truncate};

/// A patch's rectangle with its margin, in pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Slot {
    pub(super) left: u32,
    pub(super) top: u32,
    pub(super) width: u32,
    pub(super) height: u32,
    /// Offset of the patch within the rectangle.
    pub(super) margin: u32,
}

impl Slot {
    /// The rectangle that a patch needs, not yet placed.
    pub(super) fn around([width, height]: [u32; 2]) -> Self {
        let margin = match width.min(height) {
            0..64 => 2,
            64..512 => 4,
            512..2048 => 8,
            _ => 16,
        };
        let cell = margin << 1;
        let outer = |inner: u32| inner.saturating_add(cell).next_multiple_of(cell);
        Self { left: 0, top: 0, width: outer(width), height: outer(height), margin }
    }

    /// The rows of the texture that the rectangle occupies.
    pub(super) fn rows(&self) -> Range<u32> {
        self.top..self.top.saturating_add(self.height)
    }

    /// The columns of the texture that the rectangle occupies.
    pub(super) fn columns(&self) -> Range<u32> {
        self.left..self.left.saturating_add(self.width)
    }

    /// The alignment of the rectangle's edges.
    fn cell(&self) -> u32 {
        self.margin << 1
    }

    /// Number of pixels.
    pub(super) fn area(&self) -> u64 {
        u64::from(self.width).saturating_mul(u64::from(self.height))
    }
}

/// Candidate widths, relative to the side of a square with the area of all slots.
const WIDTHS: [f64; 9] = [1.0, 1.01, 1.02, 1.03, 1.05, 1.08, 1.12, 1.2, 1.4];

/// Number of empty pixels that do not justify another texture.
const FEW: u64 = 1 << 13;

/// Slots placed in a texture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Atlas {
    pub(super) width: u32,
    pub(super) height: u32,
    /// Slots with the indices of their patches.
    pub(super) slots: Vec<(usize, Slot)>,
}

impl Atlas {
    /// Packs the slots into few textures, tall slots first. Each texture has at most [`SIDE`] pixels per side and
    /// [`MAX_SIZE`] pixels in total.
    pub(super) fn pack(slots: &[Slot]) -> Vec<Self> {
        let mut order: Vec<(usize, Slot)> = slots.iter().copied().enumerate().collect();
        order.sort_by_key(|(number, slot)| (Reverse(slot.height), Reverse(slot.width), *number));
        let mut atlases = Vec::new();
        let mut rest = order.as_slice();
        while !rest.is_empty() {
            // Starts with the largest number that can fit, then reduces it by about a tenth.
            let mut area = 0_u64;
            let fit = rest.iter().take_while(|(_, slot)| {
                area = area.saturating_add(slot.area());
                area <= MAX_SIZE
            });
            let mut count = fit.count().max(1);
            let atlas = loop {
                let Some((first, _)) = rest.split_at_checked(count) else { return atlases };
                match Self::pack_all(first) {
                    Some(atlas) => break atlas,
                    None if count > 1 => count = count.saturating_sub(count.div_ceil(10)),
                    None => return atlases,
                }
            };
            atlases.push(atlas);
            rest = rest.get(count..).unwrap_or_default();
        }
        atlases
    }

    /// Packs all slots into one texture; `None` if they do not fit, or if several slots leave more than half of it empty.
    fn pack_all(order: &[(usize, Slot)]) -> Option<Self> {
        let area = order.iter().fold(0_u64, |sum, (_, slot)| sum.saturating_add(slot.area()));
        let widest = order.iter().map(|(_, slot)| slot.width).max()?;
        // The sides are multiples of the coarsest alignment, so that mipmap pixels do not cross slots.
        let cell = order.iter().map(|(_, slot)| slot.cell()).max()?;
        let square = double(area).sqrt();
        // Tries some widths of an approximately square texture, because the waste is hard to predict.
        let widths = WIDTHS.map(|more| truncate(square * more).max(widest));
        let rounded = |width: u32| width.next_multiple_of(cell).min(SIDE);
        let mut best: Option<Self> = None;
        for width in [widest].into_iter().chain(widths).chain([SIDE]).map(rounded) {
            let rows = u32::try_from(MAX_SIZE.checked_div(width.into())?).map_or(SIDE, |rows| rows.min(SIDE));
            let highest = rows.checked_div(cell)?.saturating_mul(cell);
            let Some(packed) = Self::pack_skyline(order, width, highest) else { continue };
            let packed = packed.cropped(cell);
            if best.as_ref().is_none_or(|best| packed.area() < best.area()) {
                best = Some(packed);
            }
        }
        best.filter(|best| order.len() == 1 || best.area() <= area.saturating_mul(2).saturating_add(FEW))
    }

    /// Crops empty space at the right and the bottom, to multiples of a cell.
    fn cropped(self, cell: u32) -> Self {
        let right = self.slots.iter().map(|(_, slot)| slot.columns().end).max();
        let bottom = self.slots.iter().map(|(_, slot)| slot.rows().end).max();
        let side = |end: Option<u32>| end.unwrap_or_default().next_multiple_of(cell);
        Self { width: side(right), height: side(bottom), ..self }
    }

    /// Number of pixels.
    pub(super) fn area(&self) -> u64 {
        u64::from(self.width).saturating_mul(u64::from(self.height))
    }

    /// Packs each slot at the topmost free position of the skyline; `None` if that exceeds `highest`.
    fn pack_skyline(order: &[(usize, Slot)], width: u32, highest: u32) -> Option<Self> {
        let mut slots = Vec::with_capacity(order.len());
        let mut skyline = Skyline(vec![Step { left: 0, bottom: 0 }, Step { left: width, bottom: u32::MAX }]);
        let mut height = 0_u32;
        for (number, slot) in order {
            let slot = skyline.place(*slot)?;
            height = height.max(slot.top.saturating_add(slot.height));
            if height > highest {
                return None;
            }
            slots.push((*number, slot));
        }
        Some(Self { width, height, slots })
    }
}

/// The lower edge of the placed slots, as steps from left to right.
struct Skyline(Vec<Step>);

/// One step of the skyline: `bottom` is the first free row, from `left` to the next step.
#[derive(Debug, Clone, Copy)]
struct Step {
    left: u32,
    bottom: u32,
}

impl Skyline {
    /// Places a slot at the topmost free position; `None` if it is too wide.
    fn place(&mut self, slot: Slot) -> Option<Slot> {
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
        self.occupy(placed);
        Some(placed)
    }

    fn occupy(&mut self, slot: Slot) {
        let (left, right) = (slot.left, slot.left.saturating_add(slot.width));
        let Self(steps) = self;
        let after = steps.iter().rfind(|step| step.left <= right).map(|step| step.bottom);
        steps.retain(|step| step.left < left || step.left > right);
        let at = steps.iter().take_while(|step| step.left < left).count();
        let new = [
            Step { left, bottom: slot.top.saturating_add(slot.height) },
            Step { left: right, bottom: after.unwrap_or(u32::MAX) },
        ];
        steps.splice(at..at, new);
    }
}
