//! Tests of the reported differences.

use asset::Source;
use json::{Document, Value, json};

use super::*;

struct Named(&'static [(&'static str, &'static [u8])]);

impl Blobs for Named {
    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn blob(&self, name: &str) -> Option<(Source, String)> {
        let (_, bytes) = self.0.iter().find(|(known, _)| *known == name)?;
        Some((Source::from(bytes.to_vec()), format!("{bytes:?}")))
    }
}

const NO_BLOBS: Named = Named(&[]);

fn changes(first: &Value, second: &Value) -> Vec<String> {
    reported_with((first, &NO_BLOBS), (second, &NO_BLOBS))
}

fn reported_with(first: (&Value, &dyn Blobs), second: (&Value, &dyn Blobs)) -> Vec<String> {
    let mut differences = Differences::new(100);
    let [left, right] = [first.0, second.0].map(|value| Document::of_value(value).unwrap());
    compare((left.root(), first.1), (right.root(), second.1), &mut differences).unwrap();
    let line = |Change { path, what }: Change| match what {
        ChangeKind::Changed { from, to } => format!("{path}: {from} -> {to}"),
        ChangeKind::Added { to } => format!("{path}: + {to}"),
        ChangeKind::Removed { from } => format!("{path}: - {from}"),
        ChangeKind::Lines { first_line, second_line, removed, added } => {
            format!("{path}: {first_line}-{second_line} {removed:?} {added:?}")
        }
        ChangeKind::Bytes { from_length, to_length, first_difference } => {
            format!("{path}: {from_length} bytes -> {to_length} bytes, from {first_difference}")
        }
    };
    differences.into_kept().into_iter().map(line).collect()
}

#[test]
fn a_changed_field_is_reported_by_its_path() {
    let first = json!({"a": [{"x": 1.0, "t": "old"}], "tiles.png": 1, "gone": null, "kind": 1});
    let second = json!({"a": [{"x": 1.5, "t": "old"}], "tiles.png": 2, "new": [1], "kind": "1"});
    assert_eq!(
        changes(&first, &second),
        ["a[0].x: 1.0 -> 1.5", "[\"tiles.png\"]: 1 -> 2", "gone: - null", "kind: 1 -> \"1\"", "new: + [1]"]
    );
    assert!(changes(&first, &first).is_empty());
}

#[test]
fn floats_differ_by_their_bits() {
    assert_eq!(changes(&json!([0.0, "0x7fc00000"]), &json!([-0.0, "0x7fc00001"])).len(), 2);
    assert!(changes(&json!({"a": 1, "b": 2}), &json!({"b": 2, "a": 1})).is_empty());
}

#[test]
fn an_inserted_item_does_not_affect_later_ones() {
    let many = |numbers: &mut dyn Iterator<Item = i32>| -> Value {
        numbers.map(|number| json!({"n": number, "m": number * 7, "same": true})).collect()
    };
    let first = many(&mut (0..50));
    let second = many(&mut (0..20).chain([99]).chain(20..30).chain(31..50));
    assert_eq!(changes(&first, &second).len(), 2, "{:?}", changes(&first, &second));
    assert_eq!(changes(&first, &second)[0], "[20]: + {\"n\":99,\"m\":693,\"same\":true}");
    assert!(changes(&first, &second)[1].starts_with("[30]: - "));
    assert_eq!(changes(&json!([1, 2, 3]), &json!([1, 2, 3, 4])), ["[3]: + 4"]);
    assert_eq!(changes(&json!([1, 2, 3]), &json!([0, 1, 2, 3])), ["[0]: + 0"]);
    assert_eq!(changes(&json!([]), &json!([7])), ["[0]: + 7"]);
    assert_eq!(changes(&json!([1, 2, 3]), &json!([2, 3, 4])).len(), 3, "points are paired by index");
}

#[test]
fn a_change_next_to_an_insertion_is_reported_by_its_field() {
    let item = |name: &str, size: i32| json!({"name": name, "size": size, "flags": 0});
    let first = json!([item("a", 1), item("b", 2), item("c", 3)]);
    let second = json!([item("a", 1), item("new", 9), item("b", 5), item("c", 3)]);
    assert_eq!(
        changes(&first, &second),
        ["[1]: + {\"name\":\"new\",\"size\":9,\"flags\":0}", "[1].size: 2 -> 5"]
    );
}

#[test]
fn long_lists_that_differ_everywhere_are_compared_by_index() {
    let first: Value = (0..6000).map(|number| json!([number])).collect();
    let second: Value = (0..6001).map(|number| json!([number + 100_000])).collect();
    let mut differences = Differences::new(3);
    let [first, second] = [first, second].map(|value| Document::of_value(&value).unwrap());
    compare((first.root(), &NO_BLOBS), (second.root(), &NO_BLOBS), &mut differences).unwrap();
    assert_eq!(differences.count(), 6001);
    assert_eq!(differences.into_kept().len(), 3);
}

#[test]
fn the_edits_turn_one_list_into_the_other() {
    // Whatever the alignment is, applying it results in the second list.
    let mut seed = 7_u32;
    let mut next = |most: u32| {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (seed >> 16) % most
    };
    for _ in 0..2000 {
        let mut list = |most| -> Vec<u32> { (0..next(most)).map(|_| next(4)).collect() };
        let (first, second) = (list(24), list(24));
        let equal = |x: usize, y: usize| first[x] == second[y];
        let similarity = |x: usize, y: usize| 100 - first[x].abs_diff(second[y]);
        let steps = align::align(&align::Lists {
            first: first.len(),
            second: second.len(),
            suffix: 0,
            equal: &equal,
            similarity: &similarity,
        });
        let (mut from, mut out) = (0, Vec::new());
        for step in &steps {
            use align::Step;
            let (upto, to) = match step {
                Step::Both(x, y) => (*x, Some(*y)),
                Step::First(x) => (*x, None),
                Step::Second(y) => (from + (y - out.len()), Some(*y)),
            };
            out.extend_from_slice(&first[from..upto]);
            from = upto + usize::from(!matches!(step, Step::Second(_)));
            if let Some(y) = to {
                assert_eq!(out.len(), y, "{first:?} {second:?} {steps:?}");
                out.push(second[y]);
            }
        }
        out.extend_from_slice(&first[from..]);
        assert_eq!(out, second, "{first:?} {steps:?}");
    }
}

#[test]
fn binary_data_is_reported_by_length_and_offset() {
    let run = |byte: &str, count: usize| Value::from(format!("00{}", byte.repeat(count)));
    assert_eq!(
        changes(&json!({"r": run("ab", 30)}), &json!({"r": run("ac", 20)})),
        ["r: 31 bytes -> 21 bytes, from 1"]
    );
    let file = json!({"pixels": {"blob": "00.bin"}});
    let same = Named(&[("00.bin", b"abc")]);
    let other = Named(&[("00.bin", b"abX")]);
    assert!(reported_with((&file, &same), (&file, &same)).is_empty());
    assert_eq!(reported_with((&file, &same), (&file, &other)), ["pixels: 3 bytes -> 3 bytes, from 2"]);
    let longer = Named(&[("00.bin", b"abcd")]);
    assert_eq!(reported_with((&file, &same), (&file, &longer)), ["pixels: 3 bytes -> 4 bytes, from 3"]);
}

#[test]
fn the_first_byte_that_differs_is_found() {
    let source = |bytes: &[u8]| Source::from(bytes.to_vec());
    let first = |a: &[u8], b: &[u8]| first_difference(&source(a), &source(b)).unwrap();
    assert_eq!(first(b"abc", b"abc"), None);
    assert_eq!(first(b"abc", b"abd"), Some(2));
    assert_eq!(first(b"abc", b"ab"), Some(2));
    assert_eq!(first(b"", b"x"), Some(0));
    let long = vec![1; (2 << 20) + 5];
    let mut other = long.clone();
    other[(1 << 20) + 3] = 0;
    assert_eq!(first(&long, &other), Some((1 << 20) + 3));
}
