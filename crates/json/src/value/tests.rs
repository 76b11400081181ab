use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::*;
use crate::{from_slice, json};

#[derive(Debug, PartialEq, Serialize, Deserialize)]
enum Shape {
    Empty,
    Disc(f32),
    Pair(u8, i64),
    Box { size: [f64; 3], name: Option<String> },
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Everything {
    shapes: Vec<Shape>,
    numbered: BTreeMap<u32, bool>,
    named: BTreeMap<String, Vec<u8>>,
    nothing: (),
    largest: u64,
}

fn everything() -> Everything {
    Everything {
        shapes: vec![
            Shape::Empty,
            Shape::Disc(0.5),
            Shape::Pair(3, -4),
            Shape::Box { size: [0.1, -0.0, 1e300], name: None },
        ],
        numbered: [(7, true), (1, false)].into(),
        named: [("a".to_owned(), vec![0, 255])].into(),
        nothing: (),
        largest: u64::MAX,
    }
}

#[test]
fn a_value_matches_serde_json() {
    let value = to_value(everything()).unwrap();
    assert_eq!(value.to_string(), serde_json::to_string(&everything()).unwrap());
    assert_eq!(from_value::<Everything>(value.clone()).unwrap(), everything());
    assert_eq!(from_slice::<Everything>(value.to_string().as_bytes()).unwrap(), everything());
    assert_eq!(from_slice::<Value>(value.to_string().as_bytes()).unwrap(), value);
}

#[test]
fn members_keep_their_order() {
    let value = json!({ "z": 1, "a": { "y": [], "b": null }, "m": [1, -2, 0.5, "text", true] });
    let text = r#"{"z":1,"a":{"y":[],"b":null},"m":[1,-2,0.5,"text",true]}"#;
    assert_eq!(value.to_string(), text);
    assert_eq!(from_slice::<Value>(text.as_bytes()).unwrap().to_string(), text);
    // As with serde_json, the order does not count when values are compared.
    assert_eq!(json!({ "a": 1, "b": 2 }), json!({ "b": 2, "a": 1 }));
}

#[test]
fn finds_and_changes_values() {
    let mut value = json!({ "a": [{ "b/c": 1 }, 2] });
    assert_eq!(value["a"][0]["b/c"], 1);
    assert_eq!(value.pointer("/a/0/b~1c"), Some(&json!(1)));
    assert_eq!((value.pointer("/a/01"), value.pointer("a"), value.pointer("")), (None, None, Some(&value)));
    assert!(value["x"]["y"].is_null());
    value["a"][1] = json!("two");
    value["new"]["deep"] = 3.into();
    *value.pointer_mut("/a/0").unwrap() = Value::Null;
    assert_eq!(value, json!({ "a": [null, "two"], "new": { "deep": 3 } }));
    assert_eq!(value["a"].take(), json!([null, "two"]));
    assert!(value["a"].is_null());
}

#[test]
fn unrepresentable_values_are_null_or_refused() {
    assert_eq!(to_value(f64::NAN).unwrap(), Value::Null);
    assert!(to_value(BTreeMap::from([([1, 2], 3)])).is_err());
    assert!(from_value::<Everything>(json!({ "shapes": 3 })).is_err());
    assert!(from_value::<Shape>(json!({ "Disc": 1.0, "Empty": null })).is_err());
}
