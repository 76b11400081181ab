//! Description of a model: summary, counts and all fields.

use std::collections::BTreeSet;

use asset::{Counts, Description, Detail, Items, counted};
use json::{Document, json};

use super::{Mesh, Name, Rsm};
use crate::rsm::pose::Model;

pub(super) fn describe(rsm: &Rsm, detail: Detail) -> Description {
    let model = Model::new(rsm);
    let mut summary = format!(
        "model, {}, {}",
        counted(rsm.meshes.len(), "mesh", "meshes"),
        counted(rsm.face_count(), "triangle", "triangles"),
    );
    if let (Some(seconds), true) = (model.duration(), model.is_moving()) {
        summary.push_str(&format!(", {} s animation", (seconds * 100.0).round() / 100.0));
    }
    let fields = match detail {
        Detail::Brief => brief(rsm, &model),
        Detail::Full => Document::of(rsm).unwrap_or_default(),
    };
    Description {
        summary,
        dialect: rsm.version.to_string(),
        counts: counts(rsm),
        fields,
        ..Description::default()
    }
}

fn counts(rsm: &Rsm) -> Counts {
    let sum = |of: fn(&Mesh) -> usize| rsm.meshes.iter().map(of).fold(0, usize::saturating_add);
    let listed = rsm.textures.as_ref().map_or(0, |textures| textures.len());
    let textures = sum(|mesh| mesh.textures.as_ref().map_or(0, |textures| textures.len()));
    Counts::new()
        .with("meshes", rsm.meshes.len())
        .with("textures", listed.saturating_add(textures))
        .with("vertices", sum(|mesh| mesh.vertices.len()))
        .with("triangles", rsm.face_count())
        .with("rotation keys", sum(|mesh| mesh.rotation_keys.len()))
        .with("scale keys", sum(|mesh| mesh.scale_keys.as_ref().map_or(0, Vec::len)))
        .with("position keys", sum(|mesh| mesh.position_keys.as_ref().map_or(0, Vec::len)))
        .with("texture animations", sum(|mesh| mesh.texture_animations.as_ref().map_or(0, Vec::len)))
        .with("volume boxes", rsm.volume_boxes.as_ref().map_or(0, |boxes| boxes.len()))
}

/// Lists the items of a model. Volume boxes and keys of the model are numbered, the others are named.
pub(super) fn items(rsm: &Rsm) -> Items {
    let text = |name: &Name| name.text().into_owned();
    let own = rsm.meshes.iter().flat_map(|mesh| mesh.textures.iter().flatten());
    let textures: BTreeSet<String> = rsm.textures.iter().flatten().chain(own).map(text).collect();
    let with = |has: fn(&Mesh) -> bool| {
        rsm.meshes.iter().filter(move |mesh| has(mesh)).map(move |mesh| text(&mesh.name))
    };
    let animated = rsm.meshes.iter().flat_map(|mesh| {
        mesh.texture_animations.iter().flatten().map(move |animation| {
            let texture = usize::try_from(animation.texture).ok();
            let texture = texture.and_then(|texture| rsm.textures_of(mesh).nth(texture)).flatten();
            format!("{}: {}", text(&mesh.name), texture.map(text).unwrap_or_default())
        })
    });
    Items::new()
        .with_named("meshes", with(|_| true))
        .with_named("textures", textures)
        .with_named("meshes with rotation keys", with(|mesh| !mesh.rotation_keys.is_empty()))
        .with_named("meshes with scale keys", with(|mesh| mesh.scale_keys.iter().flatten().next().is_some()))
        .with_named(
            "meshes with position keys",
            with(|mesh| mesh.position_keys.iter().flatten().next().is_some()),
        )
        .with_named("texture animations", animated)
        .with_numbered("volume boxes", "volume box", rsm.volume_boxes.iter().flatten())
        .with_numbered("keys of the model", "key", rsm.model_keys.iter().flatten())
}

fn brief(rsm: &Rsm, model: &Model<'_>) -> Document {
    let hierarchy = model.hierarchy();
    let meshes = rsm.meshes.iter().enumerate().map(|(number, mesh)| {
        let textures: Vec<_> = rsm.textures_of(mesh).map(|name| name.map(|name| name.text())).collect();
        json!({
            "name": mesh.name.text(),
            "parent": hierarchy.parent(number),
            "drawn": hierarchy.is_drawn(number),
            "textures": textures,
            "vertices": mesh.vertices.len(),
            "triangles": mesh.faces.len(),
        })
    });
    Document::object(|out| {
        out.put("animation_length", &rsm.animation_length)
            .put("frames_per_second", &model.frames_per_second())
            .put("shade_type", &rsm.shade_type)
            .list("roots", rsm.roots.iter().map(|root| root.text()))
            .list("meshes", meshes);
    })
}
