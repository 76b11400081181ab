use super::*;
use json::{Document, Value, json};

fn document(value: &Value) -> Document {
    Document::of_value(value).unwrap()
}

#[test]
fn a_path_has_members_items_and_quoted_names() {
    let file = document(&json!({"a": [{"b": 1}, {"b": [2, 3]}], "tiles.png": {"": 4}, "x=y": 5}));
    for (path, found) in [("a[0].b", 1), ("a[1].b[1]", 3), ("[\"tiles.png\"][\"\"]", 4), ("[\"x=y\"]", 5)] {
        let parsed = FieldPath::parse(path).unwrap();
        assert_eq!(parsed.get(file.root()).unwrap().to_value(), found, "{path}");
        assert_eq!(parsed.walk(file.root()).last().unwrap().0, path);
        assert_eq!(parsed.find(file.root()).unwrap().to_value(), found);
    }
}

/// Returns the matches of a path, each as a path with a word for its kind.
fn matches(path: &str, file: &Document) -> Result<Vec<String>, String> {
    let (mut out, root) = (Vec::new(), file.root());
    let found = FieldPath::parse(path).unwrap().each(root, &mut |field| {
        out.push(match field {
            Field::Existing { way, .. } => path_of(root, way),
            Field::NewItem { way, index } => format!("{} item {index}", path_of(root, way)),
            Field::NewMember { way, name, below, .. } => {
                let names = [&[name], below.as_slice()].concat();
                format!("{} member {}", path_of(root, way), names.join("."))
            }
        });
        Ok(())
    });
    found.map(|()| out).map_err(|error| error.message().to_owned())
}

#[test]
fn a_pattern_matches_every_member_or_item() {
    let file = document(&json!({"a": [{"b": 1}, {"c": 2}, {"b": 3}], "d": {"e": 4, "f": []}, "*": 0}));
    for (path, expected) in [
        ("a[*].b", vec!["a[0].b", "a[1] member b", "a[2].b"]),
        ("d.*", vec!["d.e", "d.f"]),
        ("[\"*\"]", vec!["[\"*\"]"]),
        ("*[1]", vec!["a[1]"]),
        ("a[+]", vec!["a item 3"]),
        ("a[+0]", vec!["a item 0"]),
        ("a[-1].b", vec!["a[2].b"]),
        ("a[-3]", vec!["a[0]"]),
        ("d.f[+]", vec!["d.f item 0"]),
        ("*.*.b", vec!["a[0].b", "a[1] member b", "a[2].b"]),
    ] {
        assert_eq!(matches(path, &file).unwrap(), expected, "{path}");
    }
    assert_eq!(
        matches("a[*].x", &file),
        Err("\"a[*].x\" matches no field: \"a[0]\" has no field \"x\"; did you mean \"b\"?".to_owned())
    );
    assert_eq!(matches("d.f[*]", &file), Err("\"d.f[*]\" matches no field".to_owned()));
    assert_eq!(
        matches("a[+4]", &file),
        Err("\"a\" is a list of 3, from [0] to [2], so there is no item [4]".to_owned())
    );
    assert_eq!(matches("a[-4]", &file), Err("\"a\" is a list of 3, so there is no item [-4]".to_owned()));
    assert_eq!(matches("d[-1]", &file), Err("\"d\" is an object, not a list".to_owned()));
    assert!(FieldPath::parse("a[-0]").is_err());
    assert_eq!(matches("d[+]", &file), Err("\"d\" is an object, not a list".to_owned()));
}

#[test]
fn ignores_letter_case_if_the_name_is_unambiguous() {
    let file = document(&json!({"Items": {"Player_Max[4]": 1, "a": 2, "A": 3}}));
    for (path, found) in [("items[\"player_max[4]\"]", 1), ("ITEMS.a", 2), ("items.A", 3)] {
        assert_eq!(FieldPath::parse(path).unwrap().find(file.root()).unwrap().to_value(), found, "{path}");
    }
    // Blanks around brackets are ignored, too.
    for name in ["player_max [ 4 ]", " PLAYER_MAX[4] "] {
        let path = format!("items[\"{name}\"]");
        assert_eq!(FieldPath::parse(&path).unwrap().find(file.root()).unwrap().to_value(), 1, "{path}");
    }
    let file = document(&json!({"items": {"ab": 1, "aB": 2}}));
    let error = matches("items.AB", &file).unwrap_err();
    assert_eq!(error, "\"items\" has no field \"AB\"; did you mean \"ab\"?");
}

#[test]
fn the_name_of_a_variant_may_be_omitted() {
    #[derive(serde::Serialize)]
    enum Entity {
        Screen { image: &'static str },
        Lights(Vec<[u8; 2]>),
    }
    #[derive(serde::Serialize)]
    struct Room {
        entities: Vec<Entity>,
    }
    let entities = vec![Entity::Screen { image: "a.jpg" }, Entity::Lights(vec![[1, 2], [3, 4]])];
    let file = Document::of(&Room { entities }).unwrap();
    for (path, expected) in [
        ("entities[0].image", "entities[0].image"),
        ("entities[0].Screen.image", "entities[0].image"),
        ("entities[1][1][0]", "entities[1][1][0]"),
        ("entities[1].Lights[1][0]", "entities[1][1][0]"),
        ("entities[*].image", "entities[0].image"),
        ("entities[1][+]", "entities[1] item 2"),
    ] {
        assert_eq!(matches(path, &file).unwrap()[0], expected, "{path}");
    }
    let error = matches("entities[0].imag", &file).unwrap_err();
    assert_eq!(error, "\"entities[0]\" has no field \"imag\"; did you mean \"image\"?");
}

#[test]
fn refuses_an_invalid_path() {
    for path in [
        "",
        ".a",
        "a.",
        "a..b",
        "a[",
        "a[]",
        "a[-]",
        "a[-1x]",
        "a[+1].b",
        "a[+].b",
        "a[+-1]",
        "a[**]",
        "a[x]",
        "a[0]b",
        "[\"a]",
        "a[99999999999999999999]",
    ] {
        assert!(FieldPath::parse(path).is_err(), "{path}");
    }
}

#[test]
fn a_missing_field_is_reported_with_the_available_ones() {
    let file = document(&json!({"surfaces": [{"texture": "a"}], "empty": []}));
    let message = |path: &str| FieldPath::parse(path).unwrap().find(file.root()).unwrap_err().to_string();
    assert_eq!(message("surface[0]"), "the file has no field \"surface\"; did you mean \"surfaces\"?");
    assert_eq!(message("zzz"), "the file has no field \"zzz\"; it has: surfaces, empty");
    assert_eq!(
        message("surfaces[1]"),
        "\"surfaces\" is a list of 1, from [0] to [0], so there is no item [1]"
    );
    assert_eq!(message("empty[0]"), "\"empty\" is an empty list, so there is no item [0]");
    assert_eq!(
        message("surfaces.texture"),
        "\"surfaces\" is a list of 1: [0] is its first item, not \"texture\""
    );
    assert_eq!(message("surfaces[0][1]"), "\"surfaces[0]\" is not a list; it has: texture");
    assert_eq!(message("surfaces[0].texture.x"), "\"surfaces[0].texture\" is a string, which has no fields");
}
