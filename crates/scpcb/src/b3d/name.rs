//! Names of nodes: their own, extended by the name of a brush or texture if they are generic.

use json::{Map, Value};

use super::brush::BrushTable;
use super::chunk::{self, Chunk, Mesh};
use super::text::MAX_NAME_LENGTH;

/// Default names of nodes in other programs, without numbers and punctuation. They do not describe a node.
const NODES: &[&str] = &[
    "",
    "box",
    "brush",
    "cube",
    "cylinder",
    "editablemesh",
    "editablepoly",
    "group",
    "line",
    "mesh",
    "model",
    "node",
    "obj",
    "object",
    "plane",
    "polysurface",
    "root",
    "sceneroot",
    "shape",
    "sphere",
];

/// Default names of materials in other programs.
const BRUSHES: &[&str] = &["", "blinn", "default", "lambert", "mat", "material", "phong", "standard"];

/// Returns the node's name and the properties in it: 3D World Studio writes `key=value` lines. The name of the first brush or
/// texture is appended to the generic name of a node with a mesh.
pub(super) fn of_node(
    node: &chunk::Node,
    number: usize,
    mesh: Option<&Mesh>,
    brushes: &BrushTable<'_>,
) -> (String, Map<String, Value>) {
    let text = node.name.text();
    let mut extras = Map::new();
    let mut lines = text.lines();
    let first = lines.next().unwrap_or_default();
    let is_list = lines.next().is_some() || first.starts_with("classname=");
    if is_list {
        let pairs = text.lines().filter_map(|line| line.split_once('='));
        let properties: Map<String, Value> =
            pairs.map(|(key, value)| (key.to_owned(), Value::from(value))).collect();
        if !properties.is_empty() {
            extras.insert("properties".into(), Value::Object(properties));
        }
    }
    let is_plain = !text.chars().any(char::is_control);
    if !is_plain || node.name.is_long() {
        extras.insert("name".into(), Value::from(&*text));
    }
    let name: String = first.chars().filter(|letter| !letter.is_control()).take(MAX_NAME_LENGTH).collect();
    let own = if is_list { name.strip_prefix("classname=").unwrap_or(&name) } else { &name };
    let shown = mesh.filter(|_| is_one_of(own, NODES)).and_then(|mesh| shown_by(mesh, brushes));
    let name = match shown {
        Some(shown) if own.is_empty() => format!("node {number} {shown}"),
        Some(shown) => {
            extras.entry("name").or_insert_with(|| Value::from(&*text));
            format!("{own} {shown}")
        }
        None if name.is_empty() => format!("node {number}"),
        None => name,
    };
    (name, extras)
}

/// Whether the letters of a name form one of these words.
fn is_one_of(name: &str, words: &[&str]) -> bool {
    let letters = name.chars().filter(|letter| letter.is_alphabetic()).take(MAX_NAME_LENGTH);
    let letters: String = letters.flat_map(char::to_lowercase).collect();
    words.contains(&letters.as_str())
}

/// Returns the name of the first brush of a mesh, or of its texture if the name of the brush is generic.
fn shown_by(mesh: &Mesh, brushes: &BrushTable<'_>) -> Option<String> {
    let of_parts = mesh.chunks.iter().find_map(|chunk| match chunk {
        Chunk::Triangles(triangles) => brushes.brushes.get(triangles.brush),
        _ => None,
    });
    let brush = of_parts.or_else(|| brushes.brushes.get(mesh.brush))?;
    let plain = |name: &str| -> String {
        name.chars().filter(|letter| !letter.is_control()).take(MAX_NAME_LENGTH / 2).collect()
    };
    let name = plain(&brush.name.text());
    let stem = |path: &str| {
        let file = path.rsplit(['/', '\\']).next().unwrap_or_default();
        plain(file.rsplit_once('.').map_or(file, |(stem, _)| stem))
    };
    if !is_one_of(&name, BRUSHES) {
        return Some(stem(&name));
    }
    let textures = brush.textures.iter().filter_map(|number| brushes.textures.get(*number));
    let mut stems = textures.map(|texture| stem(&texture.file.text()));
    stems.find(|stem| !stem.is_empty())
}
