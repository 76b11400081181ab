//! Properties that scenes cannot represent, taken from the model that the scene was converted from.

use std::collections::BTreeMap;

use super::super::{Mesh, Name, Rsm, TextureAnimation};

/// The source of texture animations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum UvMotion {
    /// The scene, which has texture animations.
    FromScene,
    /// The base model, because other programs drop such tracks from a scene.
    Lost,
}

/// Copies properties from a model of the same version: bytes after names, reserved bytes, keys of the model, trailing bytes, and texture
/// animations that the scene has lost.
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
        // Without the boxes, the following bytes would be read as boxes.
        model.volume_boxes.clone_from(&base.volume_boxes);
    }
    if motion == UvMotion::Lost {
        for mesh in &mut model.meshes {
            let base_mesh = base.meshes.iter().find(|base_mesh| base_mesh.name.bytes() == mesh.name.bytes());
            if let Some(base_mesh) = base_mesh {
                copy_texture_animations(mesh, base_mesh);
            }
        }
    }
    restore_names(model, base);
}

/// Copies the animations of another mesh for the textures that both meshes have.
fn copy_texture_animations(mesh: &mut Mesh, base: &Mesh) {
    let (Some(animations), Some(base_animations)) = (&mut mesh.texture_animations, &base.texture_animations)
    else {
        return;
    };
    let base_names = base.textures.as_deref().unwrap_or_default();
    let names = mesh.textures.as_deref().unwrap_or_default();
    for animation in base_animations {
        let name = usize::try_from(animation.texture).ok().and_then(|texture| base_names.get(texture));
        let same = name.and_then(|name| names.iter().position(|own| own.bytes() == name.bytes()));
        if let Some(texture) = same.and_then(|texture| i32::try_from(texture).ok()) {
            animations.push(TextureAnimation { texture, tracks: animation.tracks.clone() });
        }
    }
}

/// Restores the bytes after the text of each name.
fn restore_names(model: &mut Rsm, base: &Rsm) {
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
    fn copies_properties_that_scenes_cannot_represent() {
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
    fn restores_lost_texture_animations_by_name() {
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
        supply(&mut kept, &base, UvMotion::FromScene);
        assert_eq!(kept, model);
        supply(&mut model, &base, UvMotion::Lost);
        let expected = TextureAnimation { texture: 0, ..animation };
        assert_eq!(model.meshes[0].texture_animations, Some(vec![expected]));
    }
}
