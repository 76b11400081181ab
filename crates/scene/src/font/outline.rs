//! The outlines of a glyph's pixels.
//!
//! Adjacent pixels form one shape, whose outline runs clockwise (as seen) around it and counter-clockwise around its
//! holes: the filled side is on the right. Pixels that only touch at a corner are separate shapes.

use super::Glyph;

/// The corners of a closed outline in order, in pixels from the glyph's top left, y downwards. The last corner is
/// connected to the first.
pub(super) type Outline = Vec<(u32, u32)>;

/// The direction of an outline.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Heading {
    Right,
    Down,
    Left,
    Up,
}

impl Heading {
    /// Returns the directions after turning right, going straight on, and turning left: trying them in this order
    /// keeps an outline at its own pixels.
    const fn turns(self) -> [Self; 3] {
        match self {
            Self::Right => [Self::Down, Self::Right, Self::Up],
            Self::Down => [Self::Left, Self::Down, Self::Right],
            Self::Left => [Self::Up, Self::Left, Self::Down],
            Self::Up => [Self::Right, Self::Up, Self::Left],
        }
    }

    const fn step(self, (x, y): (u32, u32)) -> (u32, u32) {
        match self {
            Self::Right => (x + 1, y),
            Self::Down => (x, y + 1),
            Self::Left => (x.saturating_sub(1), y),
            Self::Up => (x, y.saturating_sub(1)),
        }
    }
}

/// Whether the pixel at an offset from a corner is filled; offset 0 is right of or below the corner, -1 is left of or
/// above it.
fn is_filled(glyph: &Glyph, (x, y): (u32, u32), right: i32, below: i32) -> bool {
    match (x.checked_add_signed(right), y.checked_add_signed(below)) {
        (Some(x), Some(y)) => glyph.pixel(x, y) != 0,
        _ => false,
    }
}

/// Whether an outline continues from a corner in this direction: the pixel on the right is filled, the one on the left
/// is not.
fn is_edge(glyph: &Glyph, corner: (u32, u32), heading: Heading) -> bool {
    let (filled, empty) = match heading {
        Heading::Right => ((0, 0), (0, -1)),
        Heading::Down => ((-1, 0), (0, 0)),
        Heading::Left => ((-1, -1), (-1, 0)),
        Heading::Up => ((0, -1), (-1, -1)),
    };
    is_filled(glyph, corner, filled.0, filled.1) && !is_filled(glyph, corner, empty.0, empty.1)
}

/// Returns all outlines of a glyph, starting from the top left.
pub(super) fn outlines(glyph: &Glyph) -> Vec<Outline> {
    let (width, height) = (u32::from(glyph.width), u32::from(glyph.height));
    let mut walked = vec![false; glyph.pixels.len()];
    let mut out = Vec::new();
    for start in (0..height).flat_map(|y| (0..width).map(move |x| (x, y))) {
        let index = index_of(start, width);
        // Every outline has an upper side, and the first of them starts at a corner.
        if is_edge(glyph, start, Heading::Right) && walked.get(index) == Some(&false) {
            out.push(walk(glyph, start, &mut walked));
        }
    }
    out
}

fn walk(glyph: &Glyph, start: (u32, u32), walked: &mut [bool]) -> Outline {
    let mut corners = vec![start];
    let (mut corner, mut heading) = (start, Heading::Right);
    loop {
        if heading == Heading::Right
            && let Some(walked) = walked.get_mut(index_of(corner, glyph.width.into()))
        {
            *walked = true;
        }
        corner = heading.step(corner);
        let next = heading.turns().into_iter().find(|way| is_edge(glyph, corner, *way));
        let next = next.unwrap_or(heading);
        if corner == start && next == Heading::Right {
            return corners;
        }
        if next != heading {
            corners.push(corner);
        }
        heading = next;
    }
}

fn index_of((x, y): (u32, u32), width: u32) -> usize {
    y as usize * width as usize + x as usize
}
