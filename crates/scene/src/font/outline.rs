//! The outlines of a glyph's pixels.
//!
//! Pixels that share a side become one shape, whose outline runs clockwise (as seen) around it and counter-clockwise around its holes: what is
//! filled lies to the right. Pixels that only touch at a corner stay shapes of their own.

use super::Glyph;

/// The corners of an outline in order, in pixels from the glyph's top left, y downwards. The last is joined to the first.
pub(super) type Outline = Vec<(u32, u32)>;

/// Where an outline goes next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Heading {
    Right,
    Down,
    Left,
    Up,
}

impl Heading {
    /// Turned to the right, straight on, turned to the left: the order in which a way is looked for keeps an outline at its own pixels.
    const fn ways(self) -> [Self; 3] {
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

/// Whether there is ink in the pixel that is so far right of and below a corner; 0 is right of it, -1 left.
fn ink(glyph: &Glyph, (x, y): (u32, u32), right: i32, below: i32) -> bool {
    match (x.checked_add_signed(right), y.checked_add_signed(below)) {
        (Some(x), Some(y)) => glyph.pixel(x, y) != 0,
        _ => false,
    }
}

/// Whether an outline leads from a corner into this direction: ink to the right, none to the left.
fn is_edge(glyph: &Glyph, corner: (u32, u32), heading: Heading) -> bool {
    let (filled, empty) = match heading {
        Heading::Right => ((0, 0), (0, -1)),
        Heading::Down => ((-1, 0), (0, 0)),
        Heading::Left => ((-1, -1), (-1, 0)),
        Heading::Up => ((0, -1), (-1, -1)),
    };
    ink(glyph, corner, filled.0, filled.1) && !ink(glyph, corner, empty.0, empty.1)
}

/// All outlines of a glyph, from the top left on.
pub(super) fn outlines(glyph: &Glyph) -> Vec<Outline> {
    let (width, height) = (u32::from(glyph.width), u32::from(glyph.height));
    let mut walked = vec![false; glyph.pixels.len()];
    let mut out = Vec::new();
    for start in (0..height).flat_map(|y| (0..width).map(move |x| (x, y))) {
        let place = place_of(start, width);
        // Every outline has an upper side, and the first of them starts at a corner.
        if is_edge(glyph, start, Heading::Right) && walked.get(place) == Some(&false) {
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
            && let Some(walked) = walked.get_mut(place_of(corner, glyph.width.into()))
        {
            *walked = true;
        }
        corner = heading.step(corner);
        let next = heading.ways().into_iter().find(|way| is_edge(glyph, corner, *way));
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

fn place_of((x, y): (u32, u32), width: u32) -> usize {
    y as usize * width as usize + x as usize
}
