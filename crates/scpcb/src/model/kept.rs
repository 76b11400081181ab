//! Data of the original model in the extras of its scene, so that unedited parts can be restored.

use json::{Map, Value, json};
use scene::{NodeId, Scene, embedded};

/// Stores data in the root of a scene under a name, with the scale, and with the file as base64 of zlib.
pub(crate) fn keep(
    scene: &mut Scene,
    name: &str,
    scale: f32,
    facts: Map<String, Value>,
    file: Option<&[u8]>,
) {
    let mut data = Map::new();
    data.insert("scale".into(), json!(scale));
    data.extend(facts);
    data.extend(file.and_then(embedded::encode).map(|text| ("file".to_owned(), text.into())));
    if let Some(root) = scene.roots.first().and_then(|root| scene.nodes.get_mut(root.0)) {
        root.extras.insert(name.into(), data.into());
    }
}

/// Data of the original model in a scene.
#[derive(Debug)]
pub(crate) struct Facts<'a> {
    /// The node with the data.
    pub(crate) root: NodeId,
    pub(crate) members: &'a Map<String, Value>,
}

impl<'a> Facts<'a> {
    /// Returns the data under a name, if a node of the scene has it.
    pub(crate) fn find(scene: &'a Scene, name: &str) -> Option<Self> {
        let mut nodes = scene.nodes.iter().enumerate();
        nodes.find_map(|(index, node)| {
            Some(Self { root: NodeId(index), members: node.extras.get(name)?.as_object()? })
        })
    }

    /// Returns the factor applied to meters.
    pub(crate) fn scale(&self) -> f32 {
        let scale = self.members.get("scale").and_then(|scale| json::from_value(scale.clone()).ok());
        scale.filter(|scale: &f32| scale.is_normal() && *scale > 0.0).unwrap_or(1.0)
    }

    /// Returns the original file.
    pub(crate) fn file(&self) -> Option<Vec<u8>> {
        self.members.get("file").and_then(Value::as_str).and_then(embedded::decode)
    }
}
