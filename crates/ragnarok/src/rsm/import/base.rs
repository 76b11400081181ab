//! What scenes cannot hold of a model, taken from the model that the scene was made from.

use std::collections::BTreeMap;

use super::super::{Mesh, Name, Rsm, TextureAnimation};

/// How texture animations reach the model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum UvMotion {
    /// The scene moves textures, or its model has none that move.
    OfScene,
    /// The scene moves none: other programs drop such tracks.
    Lost,
}

/// Supplies what a model of the same version has: bytes after names, reserved bytes, keys of the model, what follows the model, and texture animations
/// that the scene lost.
pub(super) fn supply(model: &mut Rsm, base: &Rsm, motion: UvMotion) {
    if model.version != base.version {
        return;
    }
    model.signature = base.signature;
    model.reserved = base.reserved;
    model.extra_word = base.extra_word;
    model.model_keys.clone_from(&base.model_keys);
    model.trailing.clone_from(&base.trailing);
    if model.volume_boxes.is_none() && (base.extra_word.is_some() || !base.trailing.is_empty()) {
        // Without them, what follows would be read as boxes.
        model.volume_boxes.clone_from(&base.volume_boxes);
    }
    if motion == UvMotion::Lost {
        for mesh in &mut model.meshes {
            let known = base.meshes.iter().find(|known| known.name.bytes() == mesh.name.bytes());
            if let Some(known) = known {
                move_textures(mesh, known);
            }
        }
    }
    name(model, base);
}

/// Gives the textures of a mesh the animations of the same textures of another one.
fn move_textures(mesh: &mut Mesh, known: &Mesh) {
    let (Some(animations), Some(known_animations)) =
        (&mut mesh.texture_animations, &known.texture_animations)
    else {
        return;
    };
    let known_names = known.textures.as_deref().unwrap_or_default();
    let names = mesh.textures.as_deref().unwrap_or_default();
    for animation in known_animations {
        let name = usize::try_from(animation.texture).ok().and_then(|texture| known_names.get(texture));
        let same = name.and_then(|name| names.iter().position(|own| own.bytes() == name.bytes()));
        if let Some(texture) = same.and_then(|texture| i32::try_from(texture).ok()) {
            animations.push(TextureAnimation { texture, tracks: animation.tracks.clone() });
        }
    }
}

/// Gives each name the bytes that follow it.
fn name(model: &mut Rsm, base: &Rsm) {
    let of_meshes = base.meshes.iter().flat_map(|mesh| [&mesh.name, &mesh.parent]).chain(&base.roots);
    let textures = base.textures.iter().flatten();
    let textures = textures.chain(base.meshes.iter().flat_map(|mesh| mesh.textures.iter().flatten()));
    let mut known: BTreeMap<&[u8], &Name> = BTreeMap::new();
    for name in of_meshes.chain(textures).filter(|name| !name.rest().is_empty()) {
        known.entry(name.bytes()).or_insert(name);
    }
    let restore = |name: &mut Name| {
        if let Some(known) = known.get(name.bytes()) {
            *name = (*known).clone();
        }
    };
    model.roots.iter_mut().for_each(restore);
    model.textures.iter_mut().flatten().for_each(restore);
    for mesh in &mut model.meshes {
        restore(&mut mesh.name);
        restore(&mut mesh.parent);
        mesh.textures.iter_mut().flatten().for_each(restore);
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::{TextureKey, TextureTrack, VectorKey, Version};
    use super::*;

    #[test]
    fn what_scenes_cannot_hold_comes_from_the_base() {
        let junk = Name::from_bytes(b"mill\0junk");
        let mut base = Rsm::new(Version::V1_5);
        base.roots = vec![junk.clone()];
        base.meshes = vec![Mesh { name: junk, ..Mesh::default() }];
        base.textures = Some(vec![Name::from_bytes(b"a.bmp\0\0x")]);
        base.reserved = Some([7; 16]);
        base.model_keys = Some(vec![VectorKey { frame: 3, ..VectorKey::default() }]);
        base.volume_boxes = Some(Vec::new());
        base.trailing = b"tail"[..].into();
        let mut model = Rsm::new(Version::V1_5);
        model.roots = vec!["mill".into()];
        model.meshes = vec![Mesh { name: "mill".into(), ..Mesh::default() }];
        model.textures = Some(vec!["a.bmp".into()]);
        model.volume_boxes = None;
        supply(&mut model, &base, UvMotion::Lost);
        assert_eq!(model, base);

        let mut other = Rsm::new(Version::V2_3);
        let before = other.clone();
        supply(&mut other, &base, UvMotion::Lost);
        assert_eq!(other, before, "another version");
    }

    #[test]
    fn texture_animations_that_a_scene_lost_come_back_by_names() {
        let key = TextureKey { frame: 5, value: 0.5 };
        let animation =
            TextureAnimation { texture: 1, tracks: vec![TextureTrack { kind: 0, keys: vec![key] }] };
        let mesh = |textures: &[&str], animations: Vec<TextureAnimation>| Mesh {
            name: "sea".into(),
            textures: Some(textures.iter().map(|name| Name::from(*name)).collect()),
            texture_animations: Some(animations),
            ..Mesh::default()
        };
        let mut base = Rsm::new(Version::V2_3);
        base.meshes = vec![mesh(&["sand.bmp", "wave.bmp"], vec![animation.clone()])];
        let mut model = Rsm::new(Version::V2_3);
        model.meshes = vec![mesh(&["wave.bmp", "rock.bmp"], Vec::new())];
        let mut kept = model.clone();
        supply(&mut kept, &base, UvMotion::OfScene);
        assert_eq!(kept, model);
        supply(&mut model, &base, UvMotion::Lost);
        let expected = TextureAnimation { texture: 0, ..animation };
        assert_eq!(model.meshes[0].texture_animations, Some(vec![expected]));
    }
}
