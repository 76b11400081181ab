//! The string encoding of [`ExactExtras`]: numbers separated by spaces.

use std::collections::BTreeMap;
use std::fmt::{Display, Write};

use serde_json::{Map, Value};

use super::runs::{read_run, write_runs};
use super::{ExactExtras, FLAT_BITS, NAME};
use crate::axes::Axes;
use crate::model::layout::Triple;
use crate::model::scene::MOST;
use crate::model::{FaceRef, Node, NormalRef};

fn joined(numbers: impl IntoIterator<Item = impl Display>) -> String {
    joined_with(" ", numbers)
}

/// All of it in one text: there may be millions.
fn joined_with(between: &str, items: impl IntoIterator<Item = impl Display>) -> String {
    let mut out = String::new();
    for (number, item) in items.into_iter().enumerate() {
        let between = if number == 0 { "" } else { between };
        // Writing into a string does not fail.
        let _ = write!(out, "{between}{item}");
    }
    out
}

/// Writes an item at the end of a text, after a space.
type WriteItem<T> = fn(&mut String, &T);

/// Items with their numbers, a space before each.
fn numbered<'a, T: 'a>(list: impl IntoIterator<Item = &'a (usize, T)>, item: WriteItem<T>) -> String {
    let mut out = String::new();
    for (number, value) in list {
        // Writing into a string does not fail.
        let _ = write!(out, " {number}");
        item(&mut out, value);
    }
    out
}

/// The same without the first space.
fn numbered_from_start<T>(list: &[(usize, T)], item: WriteItem<T>) -> String {
    let mut out = numbered(list, item);
    if !out.is_empty() {
        out.remove(0);
    }
    out
}

/// The items of each frame, as they are or as what differs from the frame before, whichever is shorter: `=`, then the items that are new or other,
/// then `/` and the numbers of those that are gone.
fn frames<T: PartialEq>(frames: &[Vec<(usize, T)>], item: WriteItem<T>) -> String {
    if frames.iter().all(Vec::is_empty) {
        return String::new();
    }
    let mut before: &[(usize, T)] = &[];
    let mut out = Vec::with_capacity(frames.len());
    for frame in frames {
        let gone = || before.iter().filter(|(number, _)| item_of(frame, *number).is_none());
        let news = || frame.iter().filter(|(number, value)| item_of(before, *number) != Some(value));
        let changes = news().count().saturating_add(gone().count());
        out.push(if before.is_empty() || changes >= frame.len() {
            numbered_from_start(frame, item)
        } else {
            let gone: String = gone().map(|(number, _)| format!(" {number}")).collect();
            let slash = if gone.is_empty() { "" } else { " /" };
            format!("={}{slash}{gone}", numbered(news(), item))
        });
        before = frame;
    }
    out.join(";")
}

/// The item of a number in a list in the order of numbers.
fn item_of<T>(list: &[(usize, T)], number: usize) -> Option<&T> {
    let at = list.binary_search_by_key(&number, |(number, _)| *number).ok()?;
    list.get(at).map(|(_, value)| value)
}

fn write_triple(out: &mut String, [x, y, z]: &Triple) {
    // Writing into a string does not fail.
    let _ = write!(out, " {x} {y} {z}");
}

fn write_word(out: &mut String, word: &u32) {
    // Writing into a string does not fail.
    let _ = write!(out, " {word}");
}

fn bits(bits: &[u32; 3]) -> String {
    match bits {
        [FLAT_BITS, FLAT_BITS, FLAT_BITS] => "flat".to_owned(),
        [x, y, z] => format!("{x:x}/{y:x}/{z:x}"),
    }
}

fn node(node: &Node) -> String {
    let extents =
        node.extents.map(|extents| format!(" {}", bits(&extents.map(f32::to_bits)))).unwrap_or_default();
    let face = |face: &FaceRef| match face.offset {
        Some(offset) => format!("{}@{offset}", face.face_times_4),
        None => face.face_times_4.to_string(),
    };
    format!("{} {}{extents}: {}", joined(node.center), node.radius, joined(node.faces.iter().map(face)))
}

impl ExactExtras {
    pub(super) fn to_json(&self) -> Map<String, Value> {
        let mut out = Map::new();
        let mut put = |name: &str, text: String| {
            if !text.is_empty() {
                out.insert(name.to_owned(), text.into());
            }
        };
        put("digest", format!("{:016x}", self.digest));
        put("scale", self.scale.map(|scale| scale.to_string()).unwrap_or_default());
        let axes = Some(self.axes).filter(|axes| *axes != Axes::default());
        put("axes", axes.map(|axes| axes.name().to_owned()).unwrap_or_default());
        put("radius", self.radius.map(|radius| radius.to_string()).unwrap_or_default());
        put("kind", self.kind.map(|kind| kind.to_string()).unwrap_or_default());
        let positions = |positions: &Vec<Triple>| joined(positions.iter().flatten());
        let unused_vertices =
            self.unused_vertices.iter().map(|(number, own)| format!("{number} {}", positions(own)));
        put("loose", joined_with("; ", unused_vertices));
        put("face_normals", numbered_from_start(&self.face_normals, write_triple));
        put("frame_normals", frames(&self.packed_normals, write_word));
        put("long_frame_normals", frames(&self.long_normals, write_triple));
        put("normals", self.normal_count.map(|count| count.to_string()).unwrap_or_default());
        let normals = self.vertex_normals.iter().map(|(number, normal)| (*number, normal));
        let normals = write_runs(normals, |out, normal| {
            out.push(' ');
            out.push_str(&bits(normal));
        });
        put("vertex_normals", normals);
        if let Some(table) = &self.table {
            let index = |index: &NormalRef| match index {
                NormalRef::Number(number) => number.to_string(),
                NormalRef::Dangling { offset } => format!("@{offset}"),
            };
            put("corner_normals", format!("{} ", joined(table.iter().map(index))));
        }
        put("collision", joined_with("; ", self.nodes.iter().map(node)));
        out
    }

    /// Parses the extras of a mesh; `None` when they are absent or malformed.
    pub(in crate::model) fn of(extras: &Map<String, Value>) -> Option<Self> {
        let texts = extras.get(NAME)?.as_object()?;
        let text = |name: &str| texts.get(name).and_then(Value::as_str).unwrap_or_default();
        let number = |name: &str| text(name).parse::<u32>().ok();
        Some(Self {
            digest: u64::from_str_radix(text("digest"), 16).ok()?,
            scale: text("scale").parse().ok().filter(|scale: &f64| scale.is_normal()),
            axes: Axes::of_name(text("axes")).unwrap_or_default(),
            radius: number("radius"),
            kind: number("kind"),
            unused_vertices: text("loose").split(';').filter_map(read_unused_vertices).collect(),
            face_normals: read_triples(text("face_normals")),
            packed_normals: read_frames(text("frame_normals"), read_words),
            long_normals: read_frames(text("long_frame_normals"), read_triples),
            normal_count: number("normals").and_then(|count| usize::try_from(count).ok()),
            vertex_normals: read_bits(text("vertex_normals")),
            table: texts.get("corner_normals").and_then(Value::as_str).map(read_table),
            nodes: text("collision").split(';').filter_map(read_node).collect(),
        })
    }
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split_ascii_whitespace()
}

fn read_unused_vertices(text: &str) -> Option<(usize, Vec<Triple>)> {
    let mut words = words(text);
    let number = words.next()?.parse().ok()?;
    let numbers: Vec<i32> = words.map_while(|word| word.parse().ok()).collect();
    Some((number, numbers.as_chunks::<3>().0.to_vec()))
}

fn read_triples(text: &str) -> Vec<(usize, Triple)> {
    let numbers: Vec<i32> = words(text).map_while(|word| word.parse().ok()).collect();
    let items = numbers.as_chunks::<4>().0.iter();
    items.filter_map(|[number, x, y, z]| Some((usize::try_from(*number).ok()?, [*x, *y, *z]))).collect()
}

/// The reverse of [`frames`]. Frames beyond what a model can have are left out: each may repeat the one before.
fn read_frames<T: Copy>(text: &str, items: impl Fn(&str) -> Vec<(usize, T)>) -> Vec<Vec<(usize, T)>> {
    let mut out: Vec<Vec<(usize, T)>> = Vec::new();
    let mut count: usize = 0;
    for frame in text.split(';').filter(|_| !text.is_empty()) {
        let frame = match frame.strip_prefix('=') {
            None => items(frame),
            Some(changes) => {
                let (news, gone) = changes.split_once('/').unwrap_or((changes, ""));
                let mut all: BTreeMap<usize, T> = out.last().into_iter().flatten().copied().collect();
                all.extend(items(news));
                for number in words(gone).filter_map(|word| word.parse::<usize>().ok()) {
                    all.remove(&number);
                }
                all.into_iter().collect()
            }
        };
        count = count.saturating_add(frame.len());
        if count > MOST {
            break;
        }
        out.push(frame);
    }
    out
}

fn read_words(text: &str) -> Vec<(usize, u32)> {
    let numbers: Vec<u32> = words(text).map_while(|word| word.parse().ok()).collect();
    let items = numbers.as_chunks::<2>().0.iter();
    items.filter_map(|[number, word]| Some((usize::try_from(*number).ok()?, *word))).collect()
}

fn one_bits(text: &str) -> Option<[u32; 3]> {
    if text == "flat" {
        return Some([FLAT_BITS; 3]);
    }
    let mut numbers = text.split('/').map(|number| u32::from_str_radix(number, 16).ok());
    Some([numbers.next()??, numbers.next()??, numbers.next()??])
}

fn read_bits(text: &str) -> BTreeMap<usize, [u32; 3]> {
    let mut words = words(text);
    let mut out = BTreeMap::new();
    while let (Some(number), Some(normal)) = (words.next(), words.next()) {
        let (Some(run), Some(normal)) = (read_run(number), one_bits(normal)) else { continue };
        // A run may be longer than any model.
        let room = MOST.saturating_sub(out.len());
        out.extend(run.take(room).map(|number| (number, normal)));
    }
    out
}

fn read_table(text: &str) -> Vec<NormalRef> {
    let index = |word: &str| match word.strip_prefix('@') {
        Some(offset) => Some(NormalRef::Dangling { offset: offset.parse().ok()? }),
        None => Some(NormalRef::Number(word.parse().ok()?)),
    };
    words(text).map_while(index).collect()
}

fn read_node(text: &str) -> Option<Node> {
    let (sphere, faces) = text.split_once(':')?;
    let mut sphere = words(sphere);
    let mut number = || sphere.next()?.parse::<i32>().ok();
    let center = [number()?, number()?, number()?];
    let radius = sphere.next()?.parse().ok()?;
    let extents = sphere.next().and_then(one_bits).map(|bits| bits.map(f32::from_bits));
    let face = |word: &str| {
        let (face, offset) = match word.split_once('@') {
            Some((face, offset)) => (face, Some(offset.parse().ok()?)),
            None => (word, None),
        };
        Some(FaceRef { face_times_4: face.parse().ok()?, offset })
    };
    Some(Node { center, radius, extents, faces: words(faces).map_while(face).collect() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extras_survive_a_round_trip_through_json() {
        let faces =
            vec![FaceRef { face_times_4: 8, offset: None }, FaceRef { face_times_4: 3, offset: Some(9) }];
        let exact = ExactExtras {
            digest: 0xdead_beef_0000_0001,
            scale: Some(2.5),
            axes: Axes::Raw,
            radius: Some(u32::MAX),
            kind: Some(18),
            unused_vertices: vec![(3, vec![[1, -2, 3], [4, 5, 6]]), (9, vec![[0; 3], [7; 3]])],
            face_normals: vec![(0, [1, -2, 256])],
            packed_normals: vec![
                vec![],
                vec![(1, u32::MAX), (2, 0), (7, 3)],
                vec![(1, u32::MAX), (2, 0), (7, 3)],
                vec![(1, 5), (7, 3)],
                vec![],
                vec![(8, 1)],
            ],
            long_normals: vec![vec![(5, [9, 9, -9]), (6, [0; 3])], vec![(5, [9, 9, -9]), (6, [0, -1, 0])]],
            normal_count: Some(7),
            vertex_normals: [(0, [FLAT_BITS; 3]), (1, [FLAT_BITS; 3]), (6, [1, 2, 0xffff_ffff])].into(),
            table: Some(vec![NormalRef::Number(4), NormalRef::Dangling { offset: 77 }]),
            nodes: vec![
                Node { center: [1, 2, -3], radius: 4, extents: Some([0.5, 1.0, -0.0]), faces },
                Node { center: [0; 3], radius: 0, extents: None, faces: vec![] },
            ],
        };
        let mut extras = Map::new();
        extras.insert(NAME.to_owned(), exact.to_json().into());
        assert_eq!(ExactExtras::of(&extras), Some(exact));
        let empty = ExactExtras { table: Some(vec![]), ..ExactExtras::default() };
        extras.insert(NAME.to_owned(), empty.to_json().into());
        assert_eq!(ExactExtras::of(&extras), Some(empty));
    }

    #[test]
    fn a_frame_that_is_like_the_one_before_takes_a_character() {
        let normals: Vec<(usize, u32)> = (0..100).map(|number| (number, 77)).collect();
        let mut last = normals.clone();
        last.remove(3);
        last[0].1 = 78;
        let text = frames(&[normals.clone(), normals.clone(), last.clone()], write_word);
        assert!(text.ends_with(";=;= 0 78 / 3"), "{text}");
        assert_eq!(read_frames(&text, read_words), [normals.clone(), normals, last]);
    }

    #[test]
    fn frames_that_repeat_without_end_stop_at_what_a_model_can_have() {
        let first: Vec<String> = (0..10_000).map(|number| format!("{number} 1")).collect();
        let text = format!("{}{}", first.join(" "), ";=".repeat(2_000));
        let read = read_frames(&text, read_words);
        assert!(read.len() > 1 && read.len() <= MOST / 10_000, "{}", read.len());
    }

    #[test]
    fn a_run_without_end_stops_at_what_a_model_can_have() {
        let text = format!("0-{} flat 5-3 flat 7 1/2/3", usize::MAX);
        assert_eq!(read_bits(&text).len(), MOST);
    }

    #[test]
    fn malformed_extras_are_ignored() {
        let mut extras = Map::new();
        assert_eq!(ExactExtras::of(&extras), None);
        for (name, text) in [("collision", "1 2: 3"), ("loose", "x; 1"), ("face_normals", "1 2 3")] {
            extras.insert(NAME.to_owned(), serde_json::json!({ "digest": "0", name: text }));
            let read = ExactExtras::of(&extras).unwrap();
            assert!(read.nodes.is_empty() && read.face_normals.is_empty(), "{name}");
        }
    }
}
