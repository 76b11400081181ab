//! The faces of all parts, with their corners in all frames.

use std::collections::BTreeSet;

use asset::{Report, counted};
use glam::{DAffine3, DVec2, DVec3};
use record::{Error, Result};
use scene::{Primitive, UvTransform};
use serde_json::Value;

use super::super::layout::Triple;
use super::super::normal::{of_face, rounded};
use super::super::{Paint, warning};
use super::frames::Frames;
use super::look::{Look, texels};
use super::{Importer, Part};

/// A face.
#[derive(Debug, Clone)]
pub(super) struct Polygon {
    /// The number it had in the file.
    pub(super) number: Option<usize>,
    pub(super) corners: Vec<Corner>,
    pub(super) word: u32,
    pub(super) brightness: u8,
    /// Whether its corners run counter-clockwise seen from outside.
    pub(super) keeps: bool,
    /// After how many 16ths of a texel the image comes again.
    pub(super) repeat: [i32; 2],
}

/// A corner of a face.
#[derive(Debug, Clone, Copy)]
pub(super) struct Corner {
    /// The place in the list of places.
    pub(super) place: usize,
    /// The number its vertex had in the file.
    pub(super) number: Option<usize>,
    /// In 16ths of a texel from the top left of the image.
    pub(super) uv: [i32; 2],
    /// As the scene has it, in the game's axes; that of the face where there is none.
    pub(super) normal: [f32; 3],
}

/// All that faces need.
#[derive(Debug, Default)]
pub(super) struct Shape {
    pub(super) polygons: Vec<Polygon>,
    /// Of each vertex of the scene: where it is in each frame, in 256ths.
    pub(super) places: Vec<Box<[Triple]>>,
    /// Whether the first colour of the palette is seen through somewhere.
    pub(super) is_keyed: bool,
    far: usize,
    flat: usize,
    stale: usize,
}

/// The most places that all frames of a model may have together, and the most faces of a model.
const MOST: usize = 4 << 20;
const MOST_FACES: usize = 1 << 20;

/// 16ths of a texel.
const SIXTEENTHS: f64 = 16.0;
/// 256ths of a world unit.
const UNIT: f64 = 256.0;
/// The usual side of an image, for those whose size is not known.
const USUAL_SIDE: [f64; 2] = [64.0; 2];

impl Shape {
    pub(super) fn of(
        import: &mut Importer<'_>,
        parts: &[Part],
        frames: &Frames<'_>,
        report: &mut Report,
    ) -> Result<Self> {
        check_size(import, parts, frames)?;
        let scene = import.scene;
        let mut shape = Self::default();
        for part in parts {
            let primitives = scene.meshes.get(part.mesh.0).map(|mesh| mesh.primitives.as_slice());
            for primitive in primitives.unwrap_or_default().iter().filter(|primitive| !primitive.is_empty()) {
                let look = import.look(primitive.material, report);
                import.lose("vertex colours", primitive.colors.iter().count());
                shape.is_keyed |= look.is_keyed;
                shape.add(import, part, primitive, look, frames)?;
            }
        }
        shape.number();
        shape.tell(report);
        Ok(shape)
    }

    fn add(
        &mut self,
        import: &mut Importer<'_>,
        part: &Part,
        primitive: &Primitive,
        look: Look,
        frames: &Frames<'_>,
    ) -> Result<()> {
        let start = self.places.len();
        let weights: Vec<Vec<(usize, f64)>> =
            (0..frames.count).map(|frame| frames.weights(import.scene, part, frame)).collect();
        let shown = weights.iter().map(Vec::len).fold(0, usize::saturating_add);
        import.spend(shown.saturating_mul(primitive.positions.len()))?;
        for vertex in 0..primitive.positions.len() {
            let mut place = |weights: &Vec<(usize, f64)>| {
                let place = import.axes.game_position(bent(primitive, vertex, weights, &part.map));
                let raw = place.map(|number| (number * UNIT / import.scale).round());
                self.far = self.far.saturating_add(usize::from(raw.iter().any(|number| number.abs() > 2e9)));
                raw.map(rounded)
            };
            let places = weights.iter().map(&mut place).collect();
            self.places.push(places);
        }
        let is_mirrored = part.map.matrix3.determinant() < 0.0;
        let said = (!is_mirrored).then(|| Said::of(primitive)).flatten();
        let stale = primitive.extras.contains_key("faces") && said.is_none();
        self.stale = self.stale.saturating_add(usize::from(stale));
        let size = look
            .texels
            .or_else(|| primitive.extras.get("texels").and_then(texels).filter(|_| look.is_known))
            .unwrap_or(USUAL_SIDE);
        let turn = part.map.matrix3.inverse().transpose();
        let corner = |index: u32, own: [f32; 3], numbers: &[usize]| {
            let at = usize::try_from(index).unwrap_or(usize::MAX);
            let normal = primitive.normals.as_ref().and_then(|normals| normals.get(at)).copied();
            let normal = normal.map_or(own, |normal| {
                let is_plain = part.map.matrix3 == glam::DMat3::IDENTITY;
                let turned = if is_plain {
                    normal
                } else {
                    (turn * DVec3::from(normal.map(f64::from))).normalize_or_zero().as_vec3().to_array()
                };
                import.axes.direction(turned)
            });
            let uv = primitive.uvs.get(look.uv_set).and_then(|uvs| uvs.get(at)).copied().unwrap_or_default();
            let uv = look.moved.map_or(uv.map(f64::from), |moved| transformed(moved, uv));
            let [u, v] = uv;
            let [width, height] = size;
            Corner {
                place: start.saturating_add(at),
                number: numbers.get(at).copied(),
                uv: [u * width, v * height].map(|texels| rounded(texels * SIXTEENTHS)),
                normal,
            }
        };
        let repeat = size.map(|side| rounded(side * SIXTEENTHS));
        let (faces, numbers) = match &said {
            Some(said) => (said.faces.clone(), said.numbers.as_slice()),
            None => (triangles(primitive, is_mirrored), &[][..]),
        };
        for face in faces {
            let places = face.corners.iter().filter_map(|index| {
                let at = start.checked_add(usize::try_from(*index).ok()?)?;
                self.places.get(at)?.first().copied()
            });
            let mut normal = of_face(&places.collect::<Vec<_>>());
            if !face.keeps {
                normal = normal.map(i32::wrapping_neg);
            }
            if normal == [0; 3] && said.is_none() {
                self.flat = self.flat.saturating_add(1);
                continue;
            }
            let own = unit(normal);
            let odd = face.word.filter(|word| Paint::of_glide(*word) == look.paint);
            self.polygons.push(Polygon {
                number: face.number,
                corners: face.corners.iter().map(|index| corner(*index, own, numbers)).collect(),
                word: odd.unwrap_or(look.word),
                brightness: face.brightness,
                keeps: face.keeps,
                repeat,
            });
        }
        Ok(())
    }

    /// Puts faces into the order they had, or forgets their numbers where those do not fit together.
    fn number(&mut self) {
        let mut met = BTreeSet::new();
        let fits =
            self.polygons.iter().all(|polygon| polygon.number.is_some_and(|number| met.insert(number)));
        if fits {
            self.polygons.sort_by_key(|polygon| polygon.number);
            return;
        }
        for polygon in &mut self.polygons {
            polygon.number = None;
            polygon.corners.iter_mut().for_each(|corner| corner.number = None);
        }
    }

    fn tell(&self, report: &mut Report) {
        if self.far > 0 {
            let message =
                format!("{} further away than a model can say", counted(self.far, "place is", "places are"));
            report.warn(&warning::TOO_FAR, message);
        }
        if self.flat > 0 {
            let message =
                format!("{} no area: left out", counted(self.flat, "triangle has", "triangles have"));
            report.warn(&warning::NO_AREA, message);
        }
        if self.stale > 0 {
            let parts = counted(self.stale, "part of the scene is", "parts of the scene are");
            let message = format!("{parts} no longer as converted: triangles become faces there");
            report.warn(&warning::STALE, message);
        }
    }
}

fn check_size(import: &mut Importer<'_>, parts: &[Part], frames: &Frames<'_>) -> Result<()> {
    let primitives = parts.iter().filter_map(|part| import.scene.meshes.get(part.mesh.0));
    let (mut vertices, mut indices) = (0_usize, 0_usize);
    for primitive in primitives.flat_map(|mesh| &mesh.primitives) {
        vertices = vertices.saturating_add(primitive.positions.len());
        indices = indices.saturating_add(primitive.indices.len());
    }
    let faces = indices / 3;
    let places = vertices.saturating_mul(frames.count);
    if places <= MOST && faces <= MOST_FACES {
        return import.spend(places.saturating_add(faces));
    }
    Err(Error::limit(format!(
        "{} with {} and {} are more than this program makes a model of",
        counted(frames.count, "frame", "frames"),
        counted(vertices, "vertex", "vertices"),
        counted(faces, "triangle", "triangles")
    )))
}

/// Where a vertex stands with some morph targets shown, metres.
fn bent(primitive: &Primitive, vertex: usize, weights: &[(usize, f64)], map: &DAffine3) -> [f64; 3] {
    let at = |list: &[[f32; 3]]| DVec3::from(list.get(vertex).copied().unwrap_or_default().map(f64::from));
    let mut place = at(&primitive.positions);
    for (target, weight) in weights {
        if let Some(target) = primitive.targets.get(*target) {
            place += at(&target.positions) * *weight;
        }
    }
    map.transform_point3(place).to_array()
}

fn unit(normal: Triple) -> [f32; 3] {
    DVec3::from(normal.map(f64::from)).normalize_or_zero().as_vec3().to_array()
}

/// Texture coordinates as `KHR_texture_transform` shows them.
fn transformed(moved: UvTransform, uv: [f32; 2]) -> [f64; 2] {
    let wide = |pair: [f32; 2]| DVec2::from(pair.map(f64::from));
    let turned = DVec2::from_angle(-f64::from(moved.rotation)).rotate(wide(moved.scale) * wide(uv));
    (turned + wide(moved.offset)).to_array()
}

/// A face of vertices of its primitive.
#[derive(Debug, Clone, PartialEq)]
struct Face {
    number: Option<usize>,
    corners: Vec<u32>,
    brightness: u8,
    keeps: bool,
    word: Option<u32>,
}

fn triangles(primitive: &Primitive, is_mirrored: bool) -> Vec<Face> {
    let (triangles, _) = primitive.indices.as_chunks::<3>();
    let face = |[a, b, c]: &[u32; 3]| Face {
        number: None,
        corners: if is_mirrored { vec![*a, *c, *b] } else { vec![*a, *b, *c] },
        brightness: 0,
        keeps: true,
        word: None,
    };
    triangles.iter().map(face).collect()
}

/// What the extras of a primitive say of its faces and vertices.
#[derive(Debug)]
struct Said {
    faces: Vec<Face>,
    numbers: Vec<usize>,
}

impl Said {
    /// `None` where they do not fit the triangles.
    fn of(primitive: &Primitive) -> Option<Self> {
        let text = |name: &str| primitive.extras.get(name).and_then(Value::as_str);
        let numbers: Vec<usize> =
            text("vertices")?.split_ascii_whitespace().map_while(|number| number.parse().ok()).collect();
        (numbers.len() == primitive.positions.len()).then_some(())?;
        let (mut triangles, _) = primitive.indices.as_chunks::<3>();
        let mut faces = Vec::new();
        for word in text("faces")?.split_ascii_whitespace() {
            let (face, count) = face(word)?;
            let (fan, rest) = triangles.split_at_checked(count.checked_sub(2)?)?;
            triangles = rest;
            faces.push(Face { corners: corners(fan, face.keeps)?, ..face });
        }
        triangles.is_empty().then_some(Self { faces, numbers })
    }
}

/// What a word such as `12/4/0-#fff70c1f` says, and how many corners the face has.
fn face(word: &str) -> Option<(Face, usize)> {
    let (word, odd) = match word.split_once('#') {
        Some((word, odd)) => (word, Some(u32::from_str_radix(odd, 16).ok()?)),
        None => (word, None),
    };
    let (word, keeps) = word.strip_suffix('-').map_or((word, true), |word| (word, false));
    let mut numbers = word.split('/');
    let number = numbers.next()?.parse().ok()?;
    let count: u8 = numbers.next()?.parse().ok()?;
    let brightness = numbers.next()?.parse().ok()?;
    Some((Face { number: Some(number), corners: Vec::new(), brightness, keeps, word: odd }, count.into()))
}

/// The corners of a face in the order of the file, out of a fan of triangles.
fn corners(fan: &[[u32; 3]], keeps: bool) -> Option<Vec<u32>> {
    let in_file = |[a, b, c]: [u32; 3]| if keeps { [a, b, c] } else { [a, c, b] };
    let [first, second, third] = in_file(*fan.first()?);
    let mut out = vec![first, second, third];
    for triangle in fan.iter().skip(1) {
        let [around, before, next] = in_file(*triangle);
        (around == first && out.last() == Some(&before)).then_some(())?;
        out.push(next);
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fan_makes_a_face_either_way_round() {
        let fan = [[7, 1, 2], [7, 2, 3]];
        assert_eq!(corners(&fan, true), Some(vec![7, 1, 2, 3]));
        assert_eq!(corners(&[[7, 2, 1], [7, 3, 2]], false), Some(vec![7, 1, 2, 3]));
        assert_eq!(corners(&[[7, 1, 2], [8, 2, 3]], true), None);
        assert_eq!(corners(&[], true), None);
    }

    #[test]
    fn a_word_says_number_corners_brightness_and_more() {
        let (found, count) = face("12/4/9-#fff70c1f").unwrap();
        assert_eq!((found.number, count, found.brightness, found.keeps), (Some(12), 4, 9, false));
        assert_eq!(found.word, Some(0xfff7_0c1f));
        assert!(face("1/3").is_none() && face("1/3/0#").is_none() && face("1/999/0").is_none());
    }
}
