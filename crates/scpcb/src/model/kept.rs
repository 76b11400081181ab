//! What is kept of a model in the extras of the scene that is made of it, so that all that nobody edits comes back.

use json::{Map, Value, json};
use scene::{NodeId, Scene, embedded};

/// Keeps facts in the root of a scene under a name, with the scale and with the file as base64 of zlib.
pub(crate) fn keep(
    scene: &mut Scene,
    name: &str,
    scale: f32,
    facts: Map<String, Value>,
    file: Option<&[u8]>,
) {
    let mut about = Map::new();
    about.insert("scale".into(), json!(scale));
    about.extend(facts);
    about.extend(file.and_then(embedded::encode).map(|text| ("file".to_owned(), text.into())));
    if let Some(root) = scene.roots.first().and_then(|root| scene.nodes.get_mut(root.0)) {
        root.extras.insert(name.into(), about.into());
    }
}

/// What a scene says of the model that it was made of.
#[derive(Debug)]
pub(crate) struct Facts<'a> {
    /// The node that says it.
    pub(crate) root: NodeId,
    pub(crate) members: &'a Map<String, Value>,
}

impl<'a> Facts<'a> {
    /// What some node of the scene says under a name, if one does.
    pub(crate) fn find(scene: &'a Scene, name: &str) -> Option<Self> {
        let mut nodes = scene.nodes.iter().enumerate();
        nodes.find_map(|(index, node)| {
            Some(Self { root: NodeId(index), members: node.extras.get(name)?.as_object()? })
        })
    }

    /// Meters were multiplied by this.
    pub(crate) fn scale(&self) -> f32 {
        let scale = self.members.get("scale").and_then(|scale| json::from_value(scale.clone()).ok());
        scale.filter(|scale: &f32| scale.is_normal() && *scale > 0.0).unwrap_or(1.0)
    }

    /// The file.
    pub(crate) fn file(&self) -> Option<Vec<u8>> {
        self.members.get("file").and_then(Value::as_str).and_then(embedded::decode)
    }
}
