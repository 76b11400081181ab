//! Texels and the places that they show.

use glam::{Vec2, Vec3A};

use crate::unwrap::{PageSize, Place};

/// Places of a texel, at most.
pub(crate) const SPOTS: usize = 4;

/// Where within a texel it is looked for triangles: no two in a row or a column.
const OFFSETS: [Vec2; SPOTS] =
    [Vec2::new(0.375, 0.125), Vec2::new(0.875, 0.375), Vec2::new(0.125, 0.625), Vec2::new(0.625, 0.875)];

/// A texel shows a triangle that is this near to its middle if it is on none.
const NEAR: f32 = 1.5;

/// Such a place is so many texels inside of the triangle.
const INWARD: f32 = 0.25;

/// Texels that triangles of a page are looked for in, at most: they overlap where there are more.
const MOST_LOOKS: u64 = 1 << 31;

/// A place on a triangle.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Spot {
    /// The number of the triangle.
    pub facet: u32,
    /// The shares of its second and its third corner.
    pub shares: [f32; 2],
}

/// Places whose light is averaged: those of a texel, or of whatever else is lit.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct Texel {
    spots: [Option<Spot>; SPOTS],
    /// Whether it only is next to what it shows.
    is_beside: bool,
}

impl Texel {
    /// Its places.
    pub(crate) fn spots(&self) -> impl Iterator<Item = Spot> + '_ {
        self.spots.iter().copied().flatten()
    }

    /// Its places, and those that it does not have.
    pub(crate) fn all(&self) -> impl Iterator<Item = Option<Spot>> + '_ {
        self.spots.iter().copied()
    }

    /// Keeps some of its places only.
    pub(crate) fn retain(&mut self, keep: impl Fn(usize, Spot) -> bool) {
        for (at, place) in self.spots.iter_mut().enumerate() {
            *place = place.filter(|spot| keep(at, *spot));
        }
    }
}

/// A page, and which of all texels its texels are.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Page {
    pub(crate) size: PageSize,
    /// Row by row from the top.
    pub(crate) texels: Vec<Option<u32>>,
}

impl Page {
    /// The texel at a place, in texels from the top left corner.
    pub(crate) fn texel(&self, at: Vec2) -> Option<usize> {
        let [width, height] = self.size;
        let [x, y] =
            [(at.x as u32).min(width.saturating_sub(1)), (at.y as u32).min(height.saturating_sub(1))];
        let at = y as usize * width as usize + x as usize;
        self.texels.get(at).copied().flatten().map(|texel| texel as usize)
    }
}

/// All that is lit: the texels of pages, and places beside them.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Lit {
    pub(crate) pages: Vec<Page>,
    pub(crate) texels: Vec<Texel>,
    pub(crate) places: Vec<Option<Place>>,
    /// The number of the place in the middle of each triangle that is on no page.
    pub(crate) middles: Vec<Option<u32>>,
    overlapping: usize,
}

impl Lit {
    /// Finds which texels of pages show what of the triangles that lie on them.
    #[must_use]
    pub fn new(pages: &[PageSize], places: Vec<Option<Place>>) -> Self {
        let mut out = Self::default();
        for (page, size) in pages.iter().enumerate() {
            out.add_page(page, *size, &places);
        }
        for (facet, place) in (0_u32..).zip(&places) {
            let middle = Spot { facet, shares: [1.0 / 3.0; 2] };
            let number = place.is_none().then(|| out.add(&[middle]));
            out.middles.push(number.map(|number| number as u32));
        }
        out.places = places;
        out
    }

    /// Adds the mean of up to four places to what is lit, and gives its number.
    pub fn add(&mut self, spots: &[Spot]) -> usize {
        let mut texel = Texel::default();
        texel.spots.iter_mut().zip(spots).for_each(|(place, spot)| *place = Some(*spot));
        self.texels.push(texel);
        self.texels.len() - 1
    }

    /// The number of the place that each texel of a page shows, row by row from the top.
    pub fn page(&self, page: usize) -> impl Iterator<Item = Option<usize>> + '_ {
        self.pages
            .get(page)
            .into_iter()
            .flat_map(|page| &page.texels)
            .map(|texel| texel.map(|it| it as usize))
    }

    /// How many places are lit: texels, and those beside them.
    #[must_use]
    pub fn len(&self) -> usize {
        self.texels.len()
    }

    /// Whether nothing is lit.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.texels.is_empty()
    }

    /// Whether a place that is lit is on a triangle; otherwise it is a texel next to one, which filtering mixes with those on it.
    #[must_use]
    pub fn is_on_triangle(&self, place: usize) -> bool {
        self.texels.get(place).is_some_and(|texel| !texel.is_beside)
    }

    /// How many texels of all pages are on a triangle.
    #[must_use]
    pub fn covered(&self) -> usize {
        let texels = self.pages.iter().flat_map(|page| page.texels.iter().flatten());
        texels.filter(|texel| self.is_on_triangle(**texel as usize)).count()
    }

    /// How many triangles were not looked for, because too many lie over each other.
    #[must_use]
    pub fn overlapping(&self) -> usize {
        self.overlapping
    }

    fn add_page(&mut self, page: usize, size: PageSize, places: &[Option<Place>]) {
        let mut canvas = Canvas::new(size);
        for (facet, place) in (0_u32..).zip(places) {
            let Some(place) = place.filter(|place| place.page == page) else { continue };
            if canvas.looks > MOST_LOOKS {
                self.overlapping += 1;
            } else {
                canvas.draw(facet, place.corners);
            }
        }
        let mut texels = Vec::with_capacity(canvas.cells.len());
        for cell in canvas.cells {
            let nearest = || {
                cell.nearest.map(|(_, spot)| Texel { spots: [Some(spot), None, None, None], is_beside: true })
            };
            let texel = Some(cell.texel).filter(|texel| texel.spots().next().is_some()).or_else(nearest);
            texels.push(texel.map(|texel| {
                self.texels.push(texel);
                (self.texels.len() - 1) as u32
            }));
        }
        self.pages.push(Page { size, texels });
    }
}

/// A texel while triangles are drawn.
#[derive(Debug, Clone, Copy, Default)]
struct Cell {
    texel: Texel,
    /// The nearest place beside it, and the square of how far it is.
    nearest: Option<(f32, Spot)>,
}

struct Canvas {
    size: PageSize,
    cells: Vec<Cell>,
    looks: u64,
}

impl Canvas {
    fn new(size: PageSize) -> Self {
        let [width, height] = size.map(|side| side as usize);
        Self { size, cells: vec![Cell::default(); width * height], looks: 0 }
    }

    fn draw(&mut self, facet: u32, corners: [Vec2; 3]) {
        let [a, b, c] = corners;
        let [width, height] = self.size;
        let (low, high) = (a.min(b).min(c) - NEAR, a.max(b).max(c) + NEAR);
        if !low.is_finite() || !high.is_finite() || high.min_element() < 0.0 {
            return;
        }
        let inside = Inside::of(corners);
        let columns = low.x as u32..(high.x as u32).saturating_add(1).min(width);
        for y in low.y as u32..(high.y as u32).saturating_add(1).min(height) {
            let row = y as usize * width as usize;
            self.looks += columns.len() as u64;
            for x in columns.clone() {
                let corner = Vec2::new(x as f32, y as f32);
                self.cells[row + x as usize].draw(facet, corner, corners, &inside);
            }
        }
    }
}

impl Cell {
    fn draw(&mut self, facet: u32, corner: Vec2, corners: [Vec2; 3], inside: &Inside) {
        let mut is_on = false;
        for (spot, offset) in self.texel.spots.iter_mut().zip(OFFSETS) {
            if let Some(shares) = inside.shares(corner + offset) {
                is_on = true;
                spot.get_or_insert(Spot { facet, shares });
            }
        }
        if is_on {
            return;
        }
        let (away, shares) = nearest(corner + 0.5, corners);
        let is_nearer = self.nearest.is_none_or(|(known, _)| away < known);
        if away <= NEAR * NEAR && is_nearer {
            self.nearest = Some((away, Spot { facet, shares }));
        }
    }
}

/// Tells which places are in a triangle.
struct Inside {
    corner: Vec2,
    sides: [Vec2; 2],
    area: f32,
}

impl Inside {
    fn of([a, b, c]: [Vec2; 3]) -> Self {
        let sides = [b - a, c - a];
        Self { corner: a, sides, area: sides[0].perp_dot(sides[1]) }
    }

    /// The shares of the second and the third corner at a place; `None` if it is outside.
    fn shares(&self, at: Vec2) -> Option<[f32; 2]> {
        let away = at - self.corner;
        let shares = [away.perp_dot(self.sides[1]) / self.area, self.sides[0].perp_dot(away) / self.area];
        let [u, v] = shares;
        (u >= 0.0 && v >= 0.0 && u + v <= 1.0).then_some(shares)
    }
}

/// How near a triangle's edges come to a place, squared, and the shares of the second and the third corner just inside of there.
fn nearest(at: Vec2, [a, b, c]: [Vec2; 3]) -> (f32, [f32; 2]) {
    let along = |from: Vec2, to: Vec2| {
        let side = to - from;
        let length = side.length_squared();
        let share = if length > 0.0 { ((at - from).dot(side) / length).clamp(0.0, 1.0) } else { 0.0 };
        ((from + side * share - at).length_squared(), share)
    };
    let [(first, on_first), (second, on_second), (third, on_third)] = [along(a, b), along(b, c), along(c, a)];
    let edges =
        [(first, [on_first, 0.0]), (second, [1.0 - on_second, on_second]), (third, [0.0, 1.0 - on_third])];
    let mut best = (f32::INFINITY, [0.0; 2]);
    for edge in edges {
        if edge.0 < best.0 {
            best = edge;
        }
    }
    let (away, [u, v]) = best;
    // A place right on the edge would be in the surface behind the edge too.
    let to_middle = ((a + b + c) / 3.0 - (a + (b - a) * u + (c - a) * v)).length();
    let pull = (INWARD / to_middle.max(f32::MIN_POSITIVE)).min(0.5);
    (away, [u, v].map(|share| share + (1.0 / 3.0 - share) * pull))
}

/// The place of a spot between the corners of its triangle.
pub(crate) fn between([a, b, c]: [Vec3A; 3], [u, v]: [f32; 2]) -> Vec3A {
    a + (b - a) * u + (c - a) * v
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(page: usize, corners: [[f32; 2]; 3]) -> Option<Place> {
        Some(Place { page, chart: 0, corners: corners.map(Vec2::from_array) })
    }

    #[test]
    fn a_texel_shows_the_triangles_it_lies_on() {
        let square = [
            place(0, [[1.5, 1.5], [5.5, 1.5], [1.5, 5.5]]),
            place(0, [[5.5, 1.5], [5.5, 5.5], [1.5, 5.5]]),
            None,
        ];
        let lit = Lit::new(&[[8, 8]], square.to_vec());
        // All whose middles are not outside, and those around them, as far as bilinear filtering reaches.
        for (number, texel) in (0_u32..).zip(&lit.pages[0].texels) {
            let (x, y) = (number % 8, number / 8);
            let is_within = (1..=5).contains(&x) && (1..=5).contains(&y);
            assert!(texel.is_some() || !is_within, "{x} {y}");
        }
        let middle = lit.texels[lit.pages[0].texel(Vec2::new(3.5, 3.5)).unwrap()];
        assert_eq!(middle.spots().count(), 4);
        // What lies on no page has one place, in its middle.
        let middle = lit.texels[lit.middles[2].unwrap() as usize];
        assert_eq!(middle.spots().collect::<Vec<_>>(), [Spot { facet: 2, shares: [1.0 / 3.0; 2] }]);
    }

    #[test]
    fn coordinates_that_are_no_numbers_or_far_away_show_nothing() {
        let wild = [f32::NAN, f32::INFINITY, -1e30, 1e30];
        for number in wild {
            let lit = Lit::new(&[[4, 4]], vec![place(0, [[number, 0.0], [number, 1.0], [number, 2.0]])]);
            assert_eq!(lit.covered(), 0, "{number}");
        }
        // Flat ones are lines.
        let line = Lit::new(&[[4, 4]], vec![place(0, [[1.0, 1.0], [1.0, 1.0], [3.0, 1.0]])]);
        assert!(!line.is_empty() && line.covered() == 0);
    }

    #[test]
    fn the_nearest_place_of_a_triangle_is_just_inside_of_its_edge() {
        let corners = [Vec2::ZERO, Vec2::new(4.0, 0.0), Vec2::new(0.0, 4.0)];
        for (at, away, edge) in [
            (Vec2::new(1.0, -2.0), 4.0, Vec2::new(1.0, 0.0)),
            (Vec2::new(-1.0, 2.0), 1.0, Vec2::new(0.0, 2.0)),
            (Vec2::new(3.0, 3.0), 2.0, Vec2::new(2.0, 2.0)),
        ] {
            let (found, [u, v]) = nearest(at, corners);
            let place = Vec2::new(u, v) * 4.0;
            assert_eq!(found, away);
            assert!(u > 0.0 && v > 0.0 && u + v < 1.0 && (place - edge).length() < 0.26, "{place} {edge}");
        }
    }
}
