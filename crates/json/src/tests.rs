use serde::{Deserialize, Serialize};

use std::io::Write;

use super::{Pretty, from_slice, pretty, to_vec};

#[derive(Debug, PartialEq, Serialize, Deserialize)]
enum Shape {
    Empty,
    Disc(f32),
    Box { size: [f32; 3], name: Option<String> },
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Scene {
    shapes: Vec<Shape>,
    far: f64,
}

fn round_trip<T: Serialize + serde::de::DeserializeOwned>(value: &T) -> T {
    from_slice(&to_vec(value).unwrap()).unwrap()
}

#[test]
fn non_finite_floats_keep_their_bits_at_every_depth() {
    let signalling = f32::from_bits(0x7fa0_0001);
    let scene = Scene {
        shapes: vec![
            Shape::Disc(f32::NEG_INFINITY),
            Shape::Box { size: [signalling, -0.0, 1e-45], name: Some("0x1".into()) },
        ],
        far: f64::NAN,
    };
    let json = String::from_utf8(to_vec(&scene).unwrap()).unwrap();
    assert!(json.contains(r#"{"Disc": "0xff800000"}"#), "{json}");
    assert!(json.contains(r#""size": ["0x7fa00001", -0.0, 1e-45]"#), "{json}");
    let read: Scene = from_slice(json.as_bytes()).unwrap();
    let Shape::Box { size, name } = &read.shapes[1] else { panic!("another shape") };
    assert_eq!(size.map(f32::to_bits), [0x7fa0_0001, 0x8000_0000, 1]);
    assert_eq!(name.as_deref(), Some("0x1"));
    assert_eq!(read.far.to_bits(), f64::NAN.to_bits());
    assert_eq!(round_trip(&Shape::Empty), Shape::Empty);
}

#[test]
fn numbers_as_member_names_are_strings() {
    let numbered = std::collections::BTreeMap::from([(-7, true), (300, false)]);
    assert_eq!(super::to_compact(&numbered).unwrap(), br#"{"-7":true,"300":false}"#);
    assert_eq!(round_trip(&numbered), numbered);
    let document = super::Document::of(&numbered).unwrap();
    assert_eq!(document.read::<std::collections::BTreeMap<i16, bool>>().unwrap(), numbered);
    assert!(to_vec(&std::collections::BTreeMap::from([([1], 2)])).is_err());
}

#[test]
fn a_syntax_error_has_a_line_and_column() {
    let error = from_slice::<Scene>(b"{\n \"shapes\": [],\n \"far\": \"wide\"\n}").unwrap_err();
    assert_eq!(
        error.to_string(),
        "invalid value: string \"wide\", expected a number, or the bits of one like \"0x7fa00001\" at line 3 column 14"
    );
}

#[test]
fn short_values_stay_on_one_line() {
    let long = "x".repeat(120);
    let json = format!(r#"{{"a":[1,2,{{"b":"c,]"}}],"text":"{long}","e":[]}}"#);
    let formatted = String::from_utf8(pretty(json.as_bytes())).unwrap();
    assert_eq!(
        formatted,
        format!("{{\n \"a\": [1, 2, {{\"b\": \"c,]\"}}],\n \"text\": \"{long}\",\n \"e\": []\n}}\n")
    );
    assert_eq!(pretty(&pretty(json.as_bytes())), pretty(json.as_bytes()));
}

#[test]
fn line_breaks_do_not_depend_on_the_chunks_of_the_input() {
    let list: Vec<String> = (0..9000_usize).map(|number| "x".repeat(number % 170)).collect();
    let long = "y".repeat(200_000);
    let value = crate::json!({"list": list, "long": long, "pairs": vec![[1, 2]; 5000], "end": {"a": []}});
    let json = serde_json::to_vec(&value).unwrap();
    let expected = pretty(&json);
    assert_eq!(from_slice::<crate::Value>(&expected).unwrap(), value);
    for step in [1, 7, 4096, 100_000] {
        let mut out = Pretty::new(Vec::new());
        json.chunks(step).for_each(|part| out.write_all(part).unwrap());
        assert!(out.finish().unwrap() == expected, "{step} bytes at a time");
    }
}

/// Valid and invalid JSON texts.
const TEXTS: [&str; 74] = [
    "null",
    "true",
    "false",
    "0",
    "-0",
    "-0.0",
    "1",
    "-1",
    "10",
    "18446744073709551615",
    "18446744073709551616",
    "-9223372036854775808",
    "-9223372036854775809",
    "1.5",
    "1e3",
    "1E+3",
    "1e-3",
    "-1.25e-2",
    "1e400",
    "-1e400",
    "01",
    "-",
    "+1",
    "1.",
    ".5",
    "1e",
    "1e+",
    "--1",
    "0x10",
    "1_000",
    "NaN",
    "Infinity",
    "nul",
    "nulll",
    "True",
    "\"\"",
    "\"a\"",
    "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"",
    "\"\\u00e9\\u20AC\"",
    "\"\\ud83d\\ude00\"",
    "\"\\ud83d\"",
    "\"\\ude00\"",
    "\"\\ud83dx\"",
    "\"\\u12\"",
    "\"\\x\"",
    "\"",
    "\"a",
    "\"\\",
    "\"\t\"",
    "\"é\"",
    "[]",
    "[1]",
    "[1,2]",
    "[1 2]",
    "[,]",
    "[1,]",
    "[1",
    "[",
    "]",
    "{}",
    "{\"a\":1}",
    "{\"a\":1,\"b\":[{}]}",
    "{\"a\" 1}",
    "{\"a\":}",
    "{\"a\":1,}",
    "{a:1}",
    "{1:1}",
    "{\"a\":1",
    "{",
    " \t\n\r1 ",
    "1 2",
    "",
    " ",
    "\u{feff}1",
];

#[test]
fn accepts_the_same_texts_as_serde_json() {
    for text in TEXTS {
        let (ours, other) =
            (from_slice::<super::Value>(text.as_bytes()), serde_json::from_str::<serde_json::Value>(text));
        assert_eq!(ours.is_ok(), other.is_ok(), "{text}: {ours:?}");
        if let (Ok(ours), Ok(other)) = (ours, other) {
            assert_eq!(ours.to_string(), other.to_string(), "{text}");
        }
    }
    assert!(from_slice::<super::Value>(b"\"\xff\"").is_err());
    let deep = |depth: usize| "[".repeat(depth) + &"]".repeat(depth);
    assert!(from_slice::<super::Value>(deep(128).as_bytes()).is_ok());
    assert!(from_slice::<super::Value>(deep(129).as_bytes()).is_err());
    assert!(from_slice::<super::Value>("[".repeat(1 << 20).as_bytes()).is_err());
}

proptest::proptest! {
    #[test]
    fn floats_are_the_nearest_to_their_decimals(digits in "-?(0|[1-9][0-9]{0,6}|[1-9][0-9]{0,25})\\.([0-9]{1,9}|[0-9]{1,25})(e-?[0-9]{1,2})?") {
        let wide: f64 = from_slice(digits.as_bytes()).unwrap();
        proptest::prop_assert_eq!(wide.to_bits(), digits.parse::<f64>().unwrap().to_bits());
        let (single, nearest) = (from_slice::<f32>(digits.as_bytes()), digits.parse::<f32>().unwrap());
        proptest::prop_assert_eq!(single.is_ok(), nearest.is_finite());
        proptest::prop_assert_eq!(single.unwrap_or(nearest).to_bits(), nearest.to_bits());
    }

    #[test]
    fn accepts_the_same_random_texts_as_serde_json(text in "[\\[\\]{}:,\"a\\\\u0-9.eE+\\- ntrfls]{0,40}") {
        let (ours, other) = (from_slice::<super::Value>(text.as_bytes()), serde_json::from_str::<serde_json::Value>(&text));
        proptest::prop_assert_eq!(ours.is_ok(), other.is_ok(), "{} {:?} {:?}", text, ours, other);
    }
}
