//! Packing of rectangles into pages whose sides are powers of two.

use std::cmp::Reverse;

use super::PageSize;

/// Width and height of the smallest page.
const SMALLEST: u32 = 32;

/// A page with the positions of its rectangles.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Page {
    pub(super) size: PageSize,
    /// The index of each rectangle, and its top left corner.
    pub(super) placements: Vec<(usize, [u32; 2])>,
}

/// Packs rectangles, none of which is larger than a page with the given side. Consecutive rectangles are placed on
/// the same page if possible.
pub(super) fn pack(sizes: &[PageSize], side: u32) -> Vec<Page> {
    let area = |[width, height]: PageSize| u64::from(width) * u64::from(height);
    let mut rest: Vec<(usize, PageSize)> = sizes.iter().copied().enumerate().collect();
    let mut pages = Vec::new();
    while !rest.is_empty() {
        let mut taken = 0_u64;
        let fits = |(_, size): &&(usize, PageSize)| {
            taken = taken.saturating_add(area(*size));
            taken <= area([side, side])
        };
        let count = rest.iter().take_while(fits).count().max(1);
        let mut first: Vec<_> = rest.drain(..count.min(rest.len())).collect();
        first.sort_by_key(|(number, [width, height])| (Reverse(*height), Reverse(*width), *number));
        let needed: u64 = first.iter().map(|(_, size)| area(*size)).sum();
        let fitting = page_sizes(side).filter(|size| area(*size) >= needed).find_map(|size| {
            let (page, left) = fill(&first, size);
            left.is_empty().then_some(page)
        });
        let page = fitting.unwrap_or_else(|| {
            let (page, mut left) = fill(&first, [side, side]);
            left.sort_unstable_by_key(|(number, _)| *number);
            rest.splice(0..0, left);
            page
        });
        if page.placements.is_empty() {
            // A rectangle is larger than any page.
            break;
        }
        pages.push(page);
    }
    pages
}

/// Returns the sizes of pages in ascending order: squares, and rectangles that are twice as wide as high.
fn page_sizes(side: u32) -> impl Iterator<Item = PageSize> {
    std::iter::successors(Some([SMALLEST.min(side); 2]), move |[width, height]| {
        if width == height { (*width < side).then(|| [width * 2, *height]) } else { Some([*width, *width]) }
    })
}

/// A step of the skyline: from `left` to the next step, everything above `bottom` is occupied.
#[derive(Debug, Clone, Copy)]
struct Step {
    left: u32,
    bottom: u32,
}

/// Places each rectangle as high as possible. Returns the rectangles that do not fit.
fn fill(rectangles: &[(usize, PageSize)], [width, height]: PageSize) -> (Page, Vec<(usize, PageSize)>) {
    let mut steps = vec![Step { left: 0, bottom: 0 }];
    let (mut placements, mut left) = (Vec::with_capacity(rectangles.len()), Vec::new());
    for (number, size) in rectangles {
        match find(&steps, *size, [width, height]) {
            Some(place) => {
                take(&mut steps, place, *size, width);
                placements.push((*number, place));
            }
            None => left.push((*number, *size)),
        }
    }
    (Page { size: [width, height], placements }, left)
}

fn find(steps: &[Step], [width, height]: PageSize, page: PageSize) -> Option<[u32; 2]> {
    let mut best: Option<[u32; 2]> = None;
    for (number, step) in steps.iter().enumerate() {
        let right = step.left + width;
        if right > page[0] {
            break;
        }
        if best.is_some_and(|[_, top]| step.bottom >= top) {
            continue;
        }
        let covered = steps.iter().skip(number).take_while(|step| step.left < right);
        let top = covered.map(|step| step.bottom).max().unwrap_or_default();
        let is_inside = top + height <= page[1];
        if is_inside && best.is_none_or(|[_, known]| top < known) {
            best = Some([step.left, top]);
        }
    }
    best
}

fn take(steps: &mut Vec<Step>, [left, top]: [u32; 2], [width, height]: PageSize, page: u32) {
    let right = left + width;
    let behind = steps.iter().rfind(|step| step.left <= right).map_or(0, |step| step.bottom);
    steps.retain(|step| step.left < left || step.left > right);
    let at = steps.partition_point(|step| step.left < left);
    let new = Step { left, bottom: top + height };
    let after = (right < page).then_some(Step { left: right, bottom: behind });
    steps.splice(at..at, std::iter::once(new).chain(after));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packs_rectangles_inside_their_pages_without_overlap() {
        let sizes: Vec<PageSize> = (0..400_u32).map(|it| [5 + it * 7 % 60, 4 + it * 13 % 45]).collect();
        let pages = pack(&sizes, 256);
        let mut seen = vec![0; sizes.len()];
        for page in &pages {
            let mut taken = vec![false; (page.size[0] * page.size[1]) as usize];
            for (number, [left, top]) in &page.placements {
                seen[*number] += 1;
                for y in *top..top + sizes[*number][1] {
                    for x in *left..left + sizes[*number][0] {
                        assert!(x < page.size[0] && y < page.size[1]);
                        let texel = &mut taken[(y * page.size[0] + x) as usize];
                        assert!(!*texel, "{number} overlaps at {x}, {y}");
                        *texel = true;
                    }
                }
            }
        }
        assert!(seen.iter().all(|count| *count == 1));
        let area: u32 = sizes.iter().map(|[width, height]| width * height).sum();
        let taken: u32 = pages.iter().map(|page| page.size[0] * page.size[1]).sum();
        assert!(taken < area * 2, "{taken} for {area}");
    }

    #[test]
    fn uses_small_pages_for_a_few_small_rectangles() {
        assert_eq!(pack(&[[20, 10], [10, 10]], 1024)[0].size, [32, 32]);
        assert_eq!(pack(&[[1024, 1024]], 1024)[0].size, [1024, 1024]);
        assert_eq!(pack(&[], 1024), []);
        assert_eq!(pack(&[[2000, 2]], 1024), []);
    }
}
