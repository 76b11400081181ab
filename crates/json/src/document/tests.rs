//! Round trips of typed values through documents.

use crate::{Value, json};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::{Document, Edits, Node, Step};
use crate::{from_slice, to_vec};
use record::Bytes;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
enum Part {
    Empty,
    Disc(f32),
    Pair(u8, i64),
    Box { size: [f32; 3], name: Option<String> },
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Room {
    parts: Vec<Part>,
    far: f64,
    count: u8,
    pixels: Bytes,
    deep: Vec<Vec<i32>>,
}

fn room() -> Room {
    Room {
        parts: vec![
            Part::Empty,
            Part::Disc(f32::NEG_INFINITY),
            Part::Pair(255, i64::MIN),
            Part::Box { size: [0.1, -0.0, 1e-45], name: Some("ä".repeat(200)) },
            Part::Box { size: [1.5, 1e30, 16_777_217.0], name: None },
        ],
        far: 0.1,
        count: 224,
        pixels: Bytes((0..=255).collect()),
        deep: vec![(0..300).collect(), Vec::new(), vec![-1, -224, i32::MIN]],
    }
}

fn text_of(document: &Document) -> String {
    let mut out = Vec::new();
    document.root().write(&mut out, &|_| None).unwrap();
    String::from_utf8(crate::pretty(&out)).unwrap()
}

#[test]
fn edits_use_the_paths_of_the_unchanged_document() {
    let text = r#"{"a":[1,2,{"b":"short","d":0},4],"c":1.5}"#;
    let document = Document::parse(text.as_bytes()).unwrap();
    let value = |value: Value| std::sync::Arc::new(value);
    let long = "x".repeat(400);
    let (a, item) = (Step::Member("a"), Step::Item);
    let mut edits = Edits::default();
    edits.set(&[a, item(2), Step::Member("b")], value(crate::json!(long)));
    edits.remove(&[a, item(0)]);
    edits.remove(&[a, item(3)]);
    edits.remove(&[a, item(2), Step::Member("d")]);
    edits.insert(&[a], 1, value(crate::json!([7])));
    edits.insert(&[a], 4, value(crate::json!("end")));
    edits.insert(&[a], 4, value(crate::json!("of all")));
    edits.add(&[], "e", value(Value::Null));
    let edited = document.edited(&edits).unwrap();
    let expected = crate::json!({ "a": [[7], 2, { "b": long }, "end", "of all"], "c": 1.5, "e": null });
    assert_eq!(edited.root().to_value(), expected);
    assert_eq!(
        text_of(&document),
        text_of(&Document::parse(text.as_bytes()).unwrap()),
        "the original document has changed"
    );

    let is_refused = |make: &dyn Fn(&mut Edits)| {
        let mut edits = Edits::default();
        make(&mut edits);
        document.edited(&edits).is_err()
    };
    assert!(is_refused(&|edits| edits.remove(&[])));
    assert!(is_refused(&|edits| edits.remove(&[a, item(4)])));
    assert!(is_refused(&|edits| edits.set(&[Step::Member("f")], value(Value::Null))));
    assert!(is_refused(&|edits| edits.set(&[item(0)], value(Value::Null))));
    assert!(is_refused(&|edits| edits.insert(&[a], 5, value(Value::Null))));
    assert!(is_refused(&|edits| edits.insert(&[], 0, value(Value::Null))));
    assert!(is_refused(&|edits| edits.add(&[a], "x", value(Value::Null))));
}

#[test]
fn a_typed_value_round_trips_and_matches_its_json() {
    let document = Document::of(&room()).unwrap();
    assert_eq!(document.read::<Room>().unwrap(), room());
    let json = to_vec(&room()).unwrap();
    assert_eq!(text_of(&document), String::from_utf8(json.clone()).unwrap());
    let parsed = Document::parse(&json).unwrap();
    assert_eq!(parsed.read::<Room>().unwrap(), room());
    let value: Value = from_slice(&json).unwrap();
    assert_eq!(parsed.root().to_value(), value);
    assert_eq!(document.root().to_value(), value);
    assert_eq!(serde_json::to_string(&document).unwrap(), value.to_string());
    assert_eq!(Document::of_value(&value).unwrap(), parsed);
    assert!(document.size() < json.len());
}

#[test]
fn floats_keep_their_bits() {
    let bits = [0x7fa0_0001_u32, 0x8000_0000, 1, 0xff80_0000, 0x0010_0000, 0x7f7f_ffff];
    let floats = bits.map(f32::from_bits);
    let document = Document::of(&floats).unwrap();
    let through_json = Document::parse(&to_vec(&floats).unwrap()).unwrap();
    for read in [document.read::<[f32; 6]>(), through_json.read()] {
        assert_eq!(read.unwrap().map(f32::to_bits), bits);
    }
}

#[test]
fn values_are_found_by_name_index_and_pointer() {
    let document = Document::of(&room()).unwrap();
    let root = document.root();
    assert_eq!(root.pointer("/parts/2/Pair/0").unwrap().to_value(), 255);
    assert_eq!(root.get("deep").unwrap().item(0).unwrap().item(299).unwrap().to_value(), 299);
    assert!(root.pointer("/parts/9").is_none() && root.pointer("parts").is_none() && root.item(0).is_none());
    assert_eq!(root.pointer("").unwrap().position(), root.position());
}

/// Converts names and numbers to a path.
fn path<'a>(steps: &[&'a str]) -> Vec<Step<'a>> {
    let step = |step: &&'a str| step.parse().map_or(Step::Member(step), Step::Item);
    steps.iter().map(step).collect()
}

#[test]
fn replacing_a_value_changes_nothing_else() {
    let long = "x".repeat(1000);
    for (steps, pointer, value) in [
        (&["parts", "3", "Box", "name"][..], "/parts/3/Box/name", json!("b")),
        (&["parts", "4", "Box", "name"], "/parts/4/Box/name", json!(long)),
        (&["parts", "1"], "/parts/1", json!({"Box": {"size": [1, 2, 3], "name": null}})),
        (&["deep"], "/deep", json!([])),
        (&["count"], "/count", json!(7)),
        (&["parts", "2", "Pair", "1"], "/parts/2/Pair/1", json!(-5)),
        (&[], "", json!({"other": [1, {"far": 2}]})),
    ] {
        let mut document = Document::of(&room()).unwrap();
        let mut expected = document.root().to_value();
        *expected.pointer_mut(pointer).unwrap() = value.clone();
        document.set(&path(steps), &value).unwrap();
        assert_eq!(document.root().to_value(), expected, "{pointer}");
        assert_eq!(serde_json::to_string(&document).unwrap(), expected.to_string(), "{pointer}");
    }
    let mut document = Document::of(&room()).unwrap();
    assert!(document.set(&path(&["parts", "77"]), &Value::Null).is_err());
    assert_eq!(document.read::<Room>().unwrap(), room());
}

fn read_error<T: DeserializeOwned + std::fmt::Debug>(steps: &[&str], value: &Value) -> String {
    let mut document = Document::of(&room()).unwrap();
    document.set(&path(steps), value).unwrap();
    document.read::<T>().unwrap_err().to_string()
}

#[test]
fn type_errors_contain_the_field_and_the_expected_type() {
    let message = |steps: &[&str], value| read_error::<Room>(steps, &value);
    assert_eq!(
        message(&["parts", "3", "Box", "name"], json!(5)),
        "parts[3].Box.name: expected a string, got 5"
    );
    assert_eq!(
        message(&["parts", "3", "Box", "size"], json!([1, 2])),
        "parts[3].Box.size: expected 3 numbers, got 2"
    );
    assert_eq!(
        message(&["parts", "3", "Box", "size", "1"], json!("wide")),
        "parts[3].Box.size[1]: expected a number, or its bits like \"0x7fa00001\", got \"wide\""
    );
    assert_eq!(message(&["count"], json!(256)), "count: expected an integer from 0 to 255, got 256");
    assert_eq!(message(&["count"], json!(1.5)), "count: expected an integer from 0 to 255, got 1.5");
    assert_eq!(message(&["deep", "0"], json!(true)), "deep[0]: expected a list, got true");
    assert_eq!(message(&["pixels"], json!("0g")), "pixels: expected two hexadecimal digits for each byte");
    assert_eq!(
        message(&["pixels"], json!(1)),
        "pixels: expected bytes as a string of hexadecimal digits, got 1"
    );
    assert_eq!(message(&["parts", "0"], json!(3)), "parts[0]: expected one of Empty, Disc, Pair, Box, got 3");
    assert_eq!(message(&["parts"], json!({})), "parts: expected a list, got an object");
    assert_eq!(
        message(&["parts", "0"], json!("Ring")),
        "parts[0]: unknown variant `Ring`, expected one of `Empty`, `Disc`, `Pair`, `Box`"
    );
    assert_eq!(message(&["parts", "2", "Pair"], json!([1])), "parts[2].Pair: expected 2 numbers, got 1");
    assert_eq!(
        message(&[], json!([])),
        "expected an object with parts, far, count, pixels, deep, got a list of 0"
    );
    assert_eq!(message(&[], json!({"far": 1})), "missing field `parts`");
}

#[test]
fn blobs_are_bytes_in_the_document_and_names_in_its_json() {
    let json =
        br#"{"pixels": {"blob": "p.bin"}, "other": {"blob": "unknown"}, "two": {"blob": "p.bin", "x": 1}}"#;
    let document = Document::parse_with(json, &mut |name| Ok((name == "p.bin").then(|| vec![1, 2]))).unwrap();
    let pixels = document.root().get("pixels").unwrap();
    assert_eq!(pixels.to_value(), "0102");
    assert_eq!(document.root().get("other").unwrap().to_value(), json!({"blob": "unknown"}));
    let mut out = Vec::new();
    document.root().write(&mut out, &|at| (at == pixels.position()).then_some("q.bin")).unwrap();
    let text = String::from_utf8(out).unwrap();
    assert!(text.starts_with(r#"{"pixels":{"blob":"q.bin"},"#), "{text}");
    let failed = Document::parse_with(json, &mut |_| Err(record::Error::usage("gone"))).unwrap_err();
    assert_eq!(failed.to_string(), "gone");
}

#[test]
fn refuses_invalid_json_with_its_line() {
    assert_eq!(
        Document::parse(b"{\n \"a\": }").unwrap_err().to_string(),
        "expected a value at line 2 column 7"
    );
    assert!(Document::parse(b"1 2").is_err());
    let deep = [vec![b'['; 200], vec![b']'; 200]].concat();
    assert!(Document::parse(&deep).is_err());
    assert!(from_slice::<Room>(b"{}").is_err());
}

#[test]
fn visits_all_bytes_with_their_paths() {
    let document = Document::of(&vec![(1, room()), (2, room())]).unwrap();
    let mut found = Vec::new();
    let mut take = |path: &[Step<'_>], _: Node<'_>, bytes: &[u8]| {
        found.push((format!("{path:?}"), bytes.len()));
        Ok(())
    };
    document.root().visit_bytes(&mut take).unwrap();
    let path = |index| format!("{:?}", [Step::Item(index), Step::Item(1), Step::Member("pixels")]);
    assert_eq!(found, [(path(0), 256), (path(1), 256)]);
}

#[test]
fn builds_an_object_member_by_member() {
    struct Faulty;
    impl Serialize for Faulty {
        fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            let mut list = serializer.serialize_seq(None)?;
            serde::ser::SerializeSeq::serialize_element(&mut list, &1)?;
            Err(serde::ser::Error::custom("not representable"))
        }
    }
    let items = (0..300).map(|number| json!({ "n": number }));
    let document = Document::object(|out| {
        out.put("name", "wall").list("items", items.clone()).put("faulty", &Faulty).list::<u8>("none", []);
    });
    let expected = json!({ "name": "wall", "items": items.collect::<Vec<_>>(), "faulty": null, "none": [] });
    assert_eq!(document.root().to_value(), expected);
    assert_eq!(Document::list([1.5_f32, f32::NAN]).root().to_value(), json!([1.5, "0x7fc00000"]));
    assert_eq!(Document::from(&expected), document);
    assert!(Document::default().is_null() && !document.is_null());
}

#[test]
fn inserts_members_at_the_start_and_at_the_end() {
    let mut document = Document::from(json!({ "list": [{ "b": 1 }, 2] }));
    let item = [Step::Member("list"), Step::Item(0)];
    document.put_first(&item, "a", &json!(0)).unwrap();
    document.put_last(&item, "c", &json!("x".repeat(300))).unwrap();
    document.put_last(&[], "end", &Value::Null).unwrap();
    let expected = json!({ "list": [{ "a": 0, "b": 1, "c": "x".repeat(300) }, 2], "end": null });
    assert_eq!(document.root().to_value().to_string(), expected.to_string());
    assert!(document.put_last(&[Step::Member("end")], "a", &Value::Null).is_err());
}
