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

fn back<T: Serialize + serde::de::DeserializeOwned>(value: &T) -> T {
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
    assert_eq!(back(&Shape::Empty), Shape::Empty);
}

#[test]
fn a_syntax_error_has_its_line() {
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
    let set = String::from_utf8(pretty(json.as_bytes())).unwrap();
    assert_eq!(
        set,
        format!("{{\n \"a\": [1, 2, {{\"b\": \"c,]\"}}],\n \"text\": \"{long}\",\n \"e\": []\n}}\n")
    );
    assert_eq!(pretty(&pretty(json.as_bytes())), pretty(json.as_bytes()));
}

#[test]
fn lines_break_in_the_same_places_however_the_json_arrives() {
    let list: Vec<String> = (0..9000_usize).map(|number| "x".repeat(number % 170)).collect();
    let long = "y".repeat(200_000);
    let value =
        serde_json::json!({"list": list, "long": long, "pairs": vec![[1, 2]; 5000], "end": {"a": []}});
    let json = serde_json::to_vec(&value).unwrap();
    let whole = pretty(&json);
    assert_eq!(serde_json::from_slice::<serde_json::Value>(&whole).unwrap(), value);
    for step in [1, 7, 4096, 100_000] {
        let mut out = Pretty::new(Vec::new());
        json.chunks(step).for_each(|part| out.write_all(part).unwrap());
        assert!(out.finish().unwrap() == whole, "{step} bytes at a time");
    }
}
