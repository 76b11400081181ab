//! Conversion between the coordinate space before 2.2 and the one since 2.2.
//!
//! Relative to glTF, the former is `(x, -y, -z)` and the latter `(x, y, -z)`, so y changes its sign. The conversion is a mirror, which
//! reverses the winding order of triangles and the direction of rotations.

use std::collections::BTreeSet;

use asset::Report;
use glam::{Affine3A, DMat3, DQuat, DVec3, Mat3, Quat};
use scene::node::{Nested, from_affine};

use super::super::animation::single;
use super::super::{Mesh, RotationKey, Rsm, VectorKey, Version};
use super::{changed, lost};
use crate::affine::Affine;
use crate::rsm::Name;
use crate::rsm::pose::{Joint, Model, Rotation, Track};

/// Frames per second for times in milliseconds.
const MILLISECONDS: f32 = 1000.0;

const MIRROR: DVec3 = DVec3::new(1.0, -1.0, 1.0);

fn mirrored(linear: DMat3) -> DMat3 {
    DMat3::from_diagonal(MIRROR) * linear * DMat3::from_diagonal(MIRROR)
}

fn mirrored_rotation([x, y, z, w]: [f32; 4]) -> [f32; 4] {
    [-x, y, -z, w]
}

fn vector(vector: [f32; 3]) -> DVec3 {
    DVec3::from(vector.map(f64::from))
}

fn singles(vector: DVec3) -> [f32; 3] {
    vector.to_array().map(single)
}

/// Applies a map to the vertices and mirrors them, then reverses the faces: since 2.2, the game shows the other side of posed triangles.
fn mirror_geometry(mesh: &mut Mesh, own: &Affine) {
    for vertex in &mut mesh.vertices {
        // Without a map, only the sign changes, which also keeps NaN.
        *vertex = if *own == Affine::IDENTITY {
            let [x, y, z] = *vertex;
            [x, -y, z]
        } else {
            singles(MIRROR * own.point(vector(*vertex)))
        };
    }
    for face in &mut mesh.faces {
        face.vertices.swap(1, 2);
        face.texture_vertices.swap(1, 2);
    }
}

/// Converts a model before 2.2 to 2.2. Times are unchanged: milliseconds become frames at 1000 frames per second.
pub(super) fn to_absolute(rsm: &Rsm, report: &mut Report) -> Rsm {
    let model = Model::new(rsm);
    let mut out = rsm.clone();
    out.frames_per_second = Some(MILLISECONDS);
    // If there are rotation or scale keys, the matrix contains no scale.
    let has_keys =
        |joint: &Joint| matches!(joint.rotation, Rotation::Moving(_)) || joint.scale.track().is_some();
    let chains = model.chains(|_, joint| {
        let transform = joint.at(0.0);
        if has_keys(joint) { Affine { linear: joint.rotation_at(0.0), ..transform } } else { transform }
    });
    let parts = out.meshes.iter_mut().zip(model.joints()).zip(&chains).enumerate();
    for (number, ((mesh, joint), chain)) in parts {
        let field = format!("meshes[{number}]");
        if chain.linear.determinant() == 0.0 {
            let message = "the zero scale is not applied to the children of this mesh";
            lost(report, format!("{field}.scale"), message);
        }
        if joint.own != Affine::IDENTITY {
            let message = "its matrix and offset were applied to its vertices";
            changed(report, format!("{field}.matrix"), message);
        }
        mirror_geometry(mesh, &joint.own);
        mesh.matrix = mirrored(chain.linear).to_cols_array_2d().map(|column| column.map(single));
        mesh.position = singles(MIRROR * chain.translation);
        (mesh.offset, mesh.rotation_angle, mesh.rotation_axis, mesh.scale) = (None, None, None, None);
        add_rest_key(mesh, joint);
        for key in &mut mesh.rotation_keys {
            key.quaternion = mirrored_rotation(key.quaternion);
        }
        let mut scale_keys = mesh.scale_keys.take().unwrap_or_default();
        hold_first(&mut scale_keys, |key| key.frame, |key, frame| VectorKey { frame, ..key });
        let scale = joint.scale.at(0.0);
        if scale_keys.is_empty() && has_keys(joint) && scale != DVec3::ONE {
            scale_keys.push(VectorKey { frame: 0, value: singles(scale), data: 0 });
        }
        mesh.scale_keys = Some(scale_keys);
        mesh.position_keys = Some(Vec::new());
    }
    changed(report, "frames_per_second", "milliseconds converted to frames, 1000 per second");
    changed(report, "", "maps do not recenter models of version 2.2 and later");
    // The rules of the new version hold from here on.
    out.version = Version::V2_2;
    out
}

/// Adds a key with the rest orientation at time 0 if the keys start later. Since 2.2, the rotation would otherwise start at the identity.
fn add_rest_key(mesh: &mut Mesh, joint: &Joint) {
    let is_late = mesh.rotation_keys.iter().all(|key| key.frame > 0);
    if let Rotation::Moving(track) = &joint.rotation
        && is_late
    {
        let quaternion = track.at(0.0).to_array().map(single);
        mesh.rotation_keys.insert(0, RotationKey { frame: 0, quaternion });
    }
}

/// Adds a copy of the first key at time 0 if the keys start later. Before 2.2, the first scale key is held; since 2.2, the scale would
/// otherwise start at 1.
fn hold_first<K: Copy>(keys: &mut Vec<K>, frame: impl Fn(&K) -> i32, at: impl Fn(K, i32) -> K) {
    let first = keys.iter().min_by_key(|key| frame(key)).copied();
    if let Some(first) = first.filter(|first| frame(first) > 0) {
        keys.insert(0, at(first, 0));
    }
}

/// Converts a model of 2.2 or later to a version before 2.2.
pub(super) fn to_relative(rsm: &Rsm, report: &mut Report) -> Rsm {
    let model = Model::new(rsm);
    let mut out = rsm.clone();
    let mut names = Names::of(rsm);
    let frames = Frames::of(&model, report);
    out.animation_length = frames.length(rsm.animation_length);
    out.frames_per_second = None;
    one_root(&mut out, &model, &mut names, report);
    let children: BTreeSet<usize> =
        (0..rsm.meshes.len()).filter_map(|mesh| model.hierarchy().parent(mesh)).collect();
    let mut helpers = Vec::new();
    for (number, (mesh, joint)) in out.meshes.iter_mut().zip(model.joints()).enumerate() {
        let field = format!("meshes[{number}]");
        mirror_geometry(mesh, &Affine::IDENTITY);
        mesh.rotation_keys = frames.rotations(mesh, joint);
        if joint.position.track().is_some() {
            let message = "position keys left out; the mesh keeps its initial position";
            lost(report, format!("{field}.position_keys"), message);
        }
        mesh.scale_keys = Some(frames.scales(mesh, joint.scale.track()));
        mesh.position_keys = None;
        mesh.matrix = DMat3::IDENTITY.to_cols_array_2d().map(|column| column.map(single));
        mesh.offset = Some([0.0; 3]);
        mesh.position = singles(MIRROR * joint.position.at(0.0));
        mesh.scale = Some(singles(joint.scale.at(0.0)));
        set_rotation(mesh, Quat::IDENTITY);
        let Rotation::Fixed(linear) = &joint.rotation else { continue };
        let linear = mirrored(*linear);
        let Nested { outer, inner } = from_affine("", Affine3A::from_mat3(single_matrix(linear)));
        let is_static = joint.scale.track().is_none();
        let Some(inner) = inner else {
            set_rotation(mesh, outer.rotation);
            let factors = outer.scale.as_dvec3();
            mesh.scale = Some(singles(factors * joint.scale.at(0.0)));
            for key in mesh.scale_keys.iter_mut().flatten() {
                key.value = singles(factors * vector(key.value));
            }
            continue;
        };
        if is_static && !children.contains(&number) {
            mesh.matrix = single_matrix(linear).to_cols_array_2d();
            continue;
        }
        // A sheared matrix that children inherit: a helper between the mesh and its parent scales along other axes.
        let mut helper = Mesh {
            name: names.unused("shear"),
            parent: mesh.parent.clone(),
            textures: mesh.textures.as_ref().map(|_| Vec::new()),
            texture_indices: mesh.texture_indices.as_ref().map(|_| Vec::new()),
            matrix: mesh.matrix,
            offset: Some([0.0; 3]),
            position: mesh.position,
            scale: Some(outer.scale.to_array()),
            scale_keys: Some(Vec::new()),
            ..Mesh::default()
        };
        changed(report, field, format!("its sheared matrix was moved to a new mesh, \"{}\"", helper.name));
        set_rotation(&mut helper, outer.rotation);
        helpers.push((number, helper));
        mesh.position = [0.0; 3];
        set_rotation(mesh, inner.rotation);
    }
    attach_helpers(&mut out, helpers, &model);
    changed(report, "", "maps recenter models before version 2.2");
    out.version = Version::V2_1;
    out
}

/// Inserts the helper meshes between the meshes and their parents.
fn attach_helpers(out: &mut Rsm, helpers: Vec<(usize, Mesh)>, model: &Model<'_>) {
    for (number, mut helper) in helpers {
        if model.hierarchy().roots() == [number] {
            helper.parent = Name::default();
            out.roots = vec![helper.name.clone()];
        }
        if let Some(mesh) = out.meshes.get_mut(number) {
            mesh.parent = helper.name.clone();
        }
        out.meshes.push(helper);
    }
}

fn single_matrix(matrix: DMat3) -> Mat3 {
    let matrix = matrix.as_mat3();
    if matrix.is_finite() { matrix } else { Mat3::IDENTITY }
}

/// Stores a rotation as axis and angle.
fn set_rotation(mesh: &mut Mesh, rotation: Quat) {
    let (axis, angle) = rotation.to_axis_angle();
    mesh.rotation_axis = Some(if angle == 0.0 { [0.0; 3] } else { axis.to_array() });
    mesh.rotation_angle = Some(angle);
}

/// Ensures that there is exactly one root, as required before 2.2. Several roots are attached to a new one.
fn one_root(out: &mut Rsm, model: &Model<'_>, names: &mut Names, report: &mut Report) {
    let name = |mesh: usize| model.rsm().meshes.get(mesh).map(|mesh| mesh.name.clone()).unwrap_or_default();
    match model.hierarchy().roots() {
        [] => out.roots = vec![Name::default()],
        [root] => out.roots = vec![name(*root)],
        roots => {
            let root = Mesh {
                name: names.unused("root"),
                textures: model.rsm().version.has_mesh_textures().then(Vec::new),
                texture_indices: (!model.rsm().version.has_mesh_textures()).then(Vec::new),
                matrix: DMat3::IDENTITY.to_cols_array_2d().map(|column| column.map(single)),
                offset: Some([0.0; 3]),
                rotation_angle: Some(0.0),
                rotation_axis: Some([0.0; 3]),
                scale: Some([1.0; 3]),
                scale_keys: Some(Vec::new()),
                ..Mesh::default()
            };
            for mesh in roots {
                if let Some(mesh) = out.meshes.get_mut(*mesh) {
                    mesh.parent = root.name.clone();
                }
            }
            changed(
                report,
                "roots",
                format!("{} roots attached to a new root, \"{}\"", roots.len(), root.name),
            );
            out.roots = vec![root.name.clone()];
            out.meshes.push(root);
        }
    }
}

/// The names in use.
struct Names(BTreeSet<Vec<u8>>);

impl Names {
    fn of(rsm: &Rsm) -> Self {
        Self(
            rsm.meshes
                .iter()
                .flat_map(|mesh| [&mesh.name, &mesh.parent])
                .map(|name| name.bytes().to_vec())
                .collect(),
        )
    }

    /// Returns an unused name.
    fn unused(&mut self, stem: &str) -> Name {
        let name = (1_usize..)
            .map(|number| if number == 1 { stem.to_owned() } else { format!("{stem} {number}") })
            .find(|name| self.0.insert(name.as_bytes().to_vec()));
        Name::from(&*name.unwrap_or_default())
    }
}

/// Conversion of frames to milliseconds.
struct Frames {
    milliseconds: f64,
}

impl Frames {
    fn of(model: &Model<'_>, report: &mut Report) -> Self {
        let milliseconds = 1000.0 / model.frames_per_second();
        let is_valid = milliseconds.is_finite() && milliseconds > 0.0;
        changed(report, "frames_per_second", "frames converted to milliseconds and rounded");
        Self { milliseconds: if is_valid { milliseconds } else { 0.0 } }
    }

    fn length(&self, frames: i32) -> i32 {
        self.time(frames)
    }

    #[expect(clippy::as_conversions, clippy::cast_possible_truncation, reason = "saturates")]
    fn time(&self, frame: i32) -> i32 {
        (f64::from(frame) * self.milliseconds).round() as i32
    }

    /// Converts rotation keys. Since 2.2, a rotation starts at the identity if its keys start later.
    fn rotations(&self, mesh: &Mesh, joint: &Joint) -> Vec<RotationKey> {
        let mut keys: Vec<RotationKey> = mesh
            .rotation_keys
            .iter()
            .map(|key| RotationKey {
                frame: self.time(key.frame),
                quaternion: mirrored_rotation(key.quaternion),
            })
            .collect();
        if let Rotation::Moving(track) = &joint.rotation
            && track.frames().next().is_some_and(|first| first > 0.0)
        {
            keys.insert(0, RotationKey { frame: 0, quaternion: DQuat::IDENTITY.to_array().map(single) });
        }
        keys
    }

    fn scales(&self, mesh: &Mesh, track: Option<&Track<DVec3>>) -> Vec<VectorKey> {
        let keys = mesh.scale_keys.iter().flatten();
        let mut keys: Vec<VectorKey> =
            keys.map(|key| VectorKey { frame: self.time(key.frame), ..*key }).collect();
        if track.and_then(|track| track.frames().next()).is_some_and(|first| first > 0.0) {
            keys.insert(0, VectorKey { frame: 0, value: [1.0; 3], data: 0 });
        }
        keys
    }
}
