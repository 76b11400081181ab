//! Fields that exist only in some versions, without a change of their meaning.

use std::collections::BTreeMap;

use asset::Report;
use glam::DVec3;

use super::super::animation::single;
use super::super::{ExtraWord, Face, Groups, Mesh, Rsm, Version, check};
use super::{ShortNames, changed, lost};
use crate::rsm::Name;
use crate::rsm::pose::Track;

/// The assumed color in versions without colors.
const WHITE: [u8; 4] = [255; 4];

/// Adapts a model to a version of the same group (before 2.2, or since). `from` is the version that the model was read as.
pub(super) fn apply(model: &mut Rsm, from: Version, version: Version, report: &mut Report) {
    let empty = Rsm::new(version);
    if let (Some(alpha), None) = (model.alpha, empty.alpha)
        && alpha != u8::MAX
    {
        lost(report, "alpha", format!("alpha {alpha} left out: not supported by version {version}"));
    }
    model.alpha = empty.alpha.map(|opaque| model.alpha.unwrap_or(opaque));
    if let (Some(reserved), None) = (model.reserved, empty.reserved)
        && reserved != [0; 16]
    {
        lost(report, "reserved", format!("reserved bytes left out: not supported by version {version}"));
    }
    model.reserved = empty.reserved.map(|zeros| model.reserved.unwrap_or(zeros));
    model.frames_per_second = empty.frames_per_second.map(|usual| model.frames_per_second.unwrap_or(usual));
    convert_textures(model, version, report);
    convert_names(model, from, version, report);
    if version.has_fixed_names() && !from.has_fixed_names() {
        ShortNames::apply(model, report);
    }
    convert_tail(model, from, version, report);
    for (number, mesh) in model.meshes.iter_mut().enumerate() {
        convert_mesh(mesh, &format!("meshes[{number}]"), version, model.shade_type, report);
    }
    model.version = version;
}

/// Converts textures: until 2.2, meshes refer to a list of the model by index; since 2.3, meshes have their own lists.
fn convert_textures(model: &mut Rsm, version: Version, report: &mut Report) {
    if version.has_mesh_textures() {
        let Some(list) = model.textures.take() else { return };
        let mut used = vec![false; list.len()];
        for (number, mesh) in model.meshes.iter_mut().enumerate() {
            let indices = mesh.texture_indices.take().unwrap_or_default();
            let name = |index: &i32| {
                let index = usize::try_from(*index).ok().filter(|index| *index < list.len());
                if index.is_none() {
                    let message =
                        "a texture that is not in the texture list of the model is replaced with the first";
                    changed(report, format!("meshes[{number}].texture_indices"), message);
                }
                let index = index.unwrap_or_default();
                if let Some(used) = used.get_mut(index) {
                    *used = true;
                }
                list.get(index).cloned().unwrap_or_default()
            };
            mesh.textures = Some(indices.iter().map(name).collect());
        }
        for (number, _) in used.iter().enumerate().filter(|(_, used)| !**used) {
            lost(report, format!("textures[{number}]"), "unused texture left out");
        }
    } else if model.textures.is_none() {
        let mut list: Vec<Name> = Vec::new();
        let mut indices: BTreeMap<Name, i32> = BTreeMap::new();
        for mesh in &mut model.meshes {
            let names = mesh.textures.take().unwrap_or_default();
            let index = |name: &Name| {
                *indices.entry(name.clone()).or_insert_with(|| {
                    list.push(name.clone());
                    i32::try_from(list.len().saturating_sub(1)).unwrap_or(i32::MAX)
                })
            };
            mesh.texture_indices = Some(names.iter().map(index).collect());
        }
        model.textures = Some(list);
    }
}

/// Removes the bytes after the NUL of names, which are padding to a fixed size that length-prefixed names do not have.
fn convert_names(model: &mut Rsm, from: Version, version: Version, report: &mut Report) {
    if from.has_fixed_names() == version.has_fixed_names() {
        return;
    }
    let mut count = 0_usize;
    let mut apply = |name: &mut Name| {
        if !name.rest().is_empty() {
            *name = name.without_rest();
            count = count.saturating_add(1);
        }
    };
    model.textures.iter_mut().flatten().for_each(&mut apply);
    model.roots.iter_mut().for_each(&mut apply);
    for mesh in &mut model.meshes {
        apply(&mut mesh.name);
        apply(&mut mesh.parent);
        mesh.textures.iter_mut().flatten().for_each(&mut apply);
    }
    if count > 0 {
        lost(report, "", format!("bytes after the NUL of {count} names left out"));
    }
}

fn convert_tail(model: &mut Rsm, from: Version, version: Version, report: &mut Report) {
    if from != version {
        let word = match model.extra_word {
            Some(ExtraWord::AtEnd(word) | ExtraWord::BeforeModelKeys(word)) => word,
            None => 0,
        };
        if word != 0 {
            lost(
                report,
                "extra_word",
                format!("extra word {word:#x} left out: only supported by version 1.5"),
            );
        }
        model.extra_word = (version == Version::V1_5).then_some(match model.volume_boxes {
            Some(_) => ExtraWord::AtEnd(0),
            None => ExtraWord::BeforeModelKeys(0),
        });
    }
    let empty = Rsm::new(version);
    if let (Some(keys), None) = (&model.model_keys, &empty.model_keys)
        && !keys.is_empty()
    {
        let message =
            format!("the {} keys of the model left out: not supported by version {version}", keys.len());
        lost(report, "model_keys", message);
    }
    model.model_keys = empty.model_keys.map(|none| model.model_keys.take().unwrap_or(none));
    for (number, volume) in model.volume_boxes.iter_mut().flatten().enumerate() {
        let has_flag = version >= Version::V1_3;
        if let (Some(flag), false) = (volume.flag, has_flag)
            && flag != 0
        {
            let message = format!("flag {flag} left out: not supported by version {version}");
            lost(report, format!("volume_boxes[{number}].flag"), message);
        }
        volume.flag = has_flag.then(|| volume.flag.unwrap_or_default());
    }
}

fn convert_mesh(mesh: &mut Mesh, field: &str, version: Version, shade_type: i32, report: &mut Report) {
    let has_colors = version >= Version::V1_2;
    if !has_colors && check::has_colors(mesh) {
        let message = format!("colors left out: not supported by version {version}");
        lost(report, format!("{field}.texture_vertices"), message);
    }
    for vertex in &mut mesh.texture_vertices {
        vertex.color = has_colors.then(|| vertex.color.unwrap_or(WHITE));
    }
    convert_groups(mesh, field, version, shade_type, report);
    let has_scale_keys = version >= Version::V2_0;
    if !has_scale_keys && mesh.scale_keys.as_ref().is_some_and(|keys| !keys.is_empty()) {
        let message = format!(
            "scale keys left out: not supported by version {version}; the mesh keeps its initial scale"
        );
        lost(report, format!("{field}.scale_keys"), message);
        let keys =
            mesh.scale_keys.iter().flatten().map(|key| (key.frame, DVec3::from(key.value.map(f64::from))));
        if let Some(track) = Track::new(keys, None) {
            mesh.scale = Some(track.at(0.0).to_array().map(single));
        }
    }
    mesh.scale_keys = has_scale_keys.then(|| mesh.scale_keys.take().unwrap_or_default());
    mesh.position_keys = version.is_absolute().then(|| mesh.position_keys.take().unwrap_or_default());
    let has_motions = version.has_mesh_textures();
    if !has_motions && mesh.texture_animations.as_ref().is_some_and(|motions| !motions.is_empty()) {
        let message = format!("texture animations left out: not supported by version {version}");
        lost(report, format!("{field}.texture_animations"), message);
    }
    mesh.texture_animations = has_motions.then(|| mesh.texture_animations.take().unwrap_or_default());
}

/// Converts smoothing groups: none in 1.1, one since 1.2, any number since 2.2.
fn convert_groups(mesh: &mut Mesh, field: &str, version: Version, shade_type: i32, report: &mut Report) {
    let has_many = version.is_absolute();
    let has_groups = version >= Version::V1_2;
    let field = format!("{field}.faces");
    if !has_many && mesh.faces.iter().any(|face| face.groups.is_mixed()) {
        lost(
            report,
            &*field,
            format!("only the first of several smoothing groups is kept: version {version} supports one"),
        );
    }
    let group = |face: &Face| face.groups.shading();
    let differ = mesh.faces.iter().any(|face| Some(group(face)) != mesh.faces.first().map(group));
    if !has_groups && differ && shade_type == 2 {
        lost(report, field, format!("smoothing groups left out: not supported by version {version}"));
    }
    for face in &mut mesh.faces {
        face.groups = match (has_groups, has_many && !face.groups.is_empty()) {
            (false, _) => Groups::default(),
            (true, false) => Groups::one(face.groups.shading()),
            (true, true) => std::mem::take(&mut face.groups),
        };
    }
}
