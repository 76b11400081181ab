//! Conversion of a model to a scene: a node for each mesh, in the hierarchy of the model, and one animation clip.
//!
//! Before version 2.2, children do not inherit the matrix and the offset. They are in separate nodes below the node of the mesh, so that
//! the vertices of the scene are those of the file.

use std::collections::BTreeMap;

use ::scene::node::{PackedExtras, from_affine};
use ::scene::{Animation, Mesh as SceneMesh, Node, NodeId, Primitive, Scene, Sidedness};
use asset::preset::PRESET;
use asset::{Choice, Context, Flag, Options, Report};
use glam::{Affine3A, DMat3, DQuat, DVec3, Vec3};
use json::json;
use serde::Serialize;

use super::animation::{self, Clock};
use super::material::{FaceMaterial, Materials};
use super::normal::{corner_normals, corners};
use super::primitive::{PrimitiveBuilder, VisibleSide};
use super::single::{finite, finite_nodes};
use super::{Mesh, Rsm, Version, VolumeBox, check, warning};
use crate::affine::Affine;
use crate::axes::Axes;
use crate::rsm::pose::{Joint, Model, Playback, Rotation, Start, TimeUnit, UvAnimation, unit};

/// `--recenter`.
const RECENTER: Flag = Flag::new(
    "recenter",
    "Recenter models older than version 2.2 as a map does when it places them: centered, with the lowest point at height 0.",
);

/// `--orphans`.
const ORPHANS: Flag =
    Flag::new("orphans", "Add meshes that are not descendants of a root; the game does not draw them.");

/// `--first-key`.
const FIRST_KEY: Choice<Start> = Choice::new(
    "first-key",
    "Rotation of a mesh before its first rotation key, in models older than version 2.2.",
    &[
        ("blend", "interpolated from the rest rotation at time 0 to the first key"),
        ("hold", "the rotation of the first key"),
    ],
    &[Start::Rest, Start::FirstKey],
);

/// `--time-unit`.
const TIME_UNIT: Choice<TimeUnit> = Choice::new(
    "time-unit",
    "Unit of animation times in models older than version 2.2.",
    &[
        ("millisecond", "as documented"),
        (
            "tick",
            "1/4800 s, which is 4.8 times as fast: the speed for which the original models of version 1.4 were made",
        ),
    ],
    &[TimeUnit::Millisecond, TimeUnit::Tick],
);

asset::format_options! {
    /// Options for converting a model to a scene.
    pub struct ModelOptions {
        /// Whether to recenter a model before version 2.2 like a map does when placing it.
        recenter: bool = RECENTER;
        /// Whether to add meshes that are not descendants of a root, which the game does not draw.
        orphans: bool = ORPHANS;
        /// The rotation of a mesh before its first rotation key, in models before version 2.2.
        first_key: Start = FIRST_KEY;
        /// The unit of animation times in models before version 2.2.
        time_unit: TimeUnit = TIME_UNIT;
        /// The program for which the scene is converted. It determines the defaults of other options.
        preset: Option<::scene::Engine> = PRESET;
    }
}

/// Converts a model with its images. Reports everything that cannot be converted.
pub(super) fn to_scene(
    rsm: &Rsm,
    context: &Context<'_>,
    name: &str,
    scale: f64,
    report: &mut Report,
) -> Scene {
    let playback =
        Playback { start: context.options.choice(&FIRST_KEY), time_unit: context.options.choice(&TIME_UNIT) };
    let model = Model::with(rsm, playback);
    check::geometry(&model, report);
    let clock = Clock::of(&model);
    if clock.is_none() && model.is_moving() {
        let message = "the model has keys, but its animation has no length or no frame rate";
        report.warn(&warning::NEVER_PLAYS, message).in_field("animation_length");
    }
    let mut scene = Scene::new(name);
    let axes = Axes::of(rsm.version.space(), scale);
    let root = scene.add_root(Node {
        name: name.to_owned(),
        translation: recentering(&model, context, &axes, report),
        packed_extras: extras(rsm, context.options, scale),
        ..Node::default()
    });
    let mut builder = Builder {
        model: &model,
        context,
        axes,
        clock,
        root,
        inner: vec![None; rsm.meshes.len()],
        mirrored: model.pose(0.0).meshes.iter().map(|posed| posed.linear.determinant() < 0.0).collect(),
        materials: Materials::default(),
        clip: Animation { name: name.to_owned(), ..Animation::default() },
    };
    builder.add_meshes(&mut scene, report);
    let clip = builder.clip;
    if !clip.tracks.is_empty() {
        scene.add_animation(clip);
    }
    if scene.meshes.is_empty() {
        report.warn(&warning::NO_GEOMETRY, "the model has no faces to convert");
    }
    scene
}

/// South, from where the game's camera looks at an unrotated model: north is Z in the game, and -Z in glTF.
const FRONT: [i8; 3] = [0, 0, 1];

/// Returns the properties of the entire model that the scene does not show.
fn extras(rsm: &Rsm, options: &Options, scale: f64) -> Option<PackedExtras> {
    #[derive(Serialize)]
    struct Extras<'a> {
        front: [i8; 3],
        units_per_meter: f64,
        rsm: Properties<'a>,
    }
    #[derive(Serialize)]
    struct Properties<'a> {
        version: Version,
        shade_type: i32,
        #[serde(skip_serializing_if = "Option::is_none")]
        alpha: Option<u8>,
        animation_length: i32,
        #[serde(skip_serializing_if = "Option::is_none")]
        frames_per_second: Option<f32>,
        #[serde(skip_serializing_if = "Option::is_none")]
        ticks_per_second: Option<f64>,
        #[serde(skip_serializing_if = "Option::is_none")]
        volume_boxes: Option<&'a [VolumeBox]>,
        #[serde(skip_serializing_if = "Option::is_none")]
        first_key: Option<&'static str>,
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        recenter: bool,
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        orphans: bool,
        #[serde(skip_serializing_if = "Option::is_none")]
        file: Option<String>,
    }
    let time_unit = options.choice(&TIME_UNIT);
    let first_key = Some(options.choice(&FIRST_KEY)).filter(|first_key| *first_key != Start::Rest);
    let bytes = rsm.write().ok();
    PackedExtras::new(&Extras {
        front: FRONT,
        units_per_meter: 1.0 / scale,
        rsm: Properties {
            version: rsm.version,
            shade_type: rsm.shade_type,
            alpha: rsm.alpha,
            animation_length: rsm.animation_length,
            frames_per_second: rsm.frames_per_second,
            ticks_per_second: (time_unit == TimeUnit::Tick && !rsm.version.is_absolute())
                .then(|| time_unit.per_second()),
            volume_boxes: rsm.volume_boxes.as_deref(),
            first_key: first_key.and_then(|first_key| FIRST_KEY.word(first_key)),
            recenter: options.flag(&RECENTER),
            orphans: options.flag(&ORPHANS),
            file: bytes.and_then(|bytes| ::scene::embedded::encode(&bytes)),
        },
    })
}

/// Returns the translation that recenters the model, if requested.
fn recentering(model: &Model<'_>, context: &Context<'_>, axes: &Axes, report: &mut Report) -> Vec3 {
    if !context.options.flag(&RECENTER) {
        return Vec3::ZERO;
    }
    match model.recentering() {
        Some(translation) => finite(axes.position(translation)).unwrap_or_default(),
        None => {
            let version = model.rsm().version;
            if version.is_absolute() {
                let message = format!("models of version {version} are not recentered");
                report.warn(&warning::NO_RECENTERING, message);
            }
            Vec3::ZERO
        }
    }
}

/// Tolerance for the axes of a rotation to be orthogonal and of unit length, below single precision over a chain of nodes.
const ROTATION_TOLERANCE: f64 = 1e-6;

/// Converts a matrix to a rotation, if it is one.
fn as_rotation(matrix: DMat3) -> Option<DQuat> {
    let error = matrix * matrix.transpose() - DMat3::IDENTITY;
    let is_rotation = error.to_cols_array().iter().all(|number| number.abs() < ROTATION_TOLERANCE)
        && matrix.determinant() > 0.0;
    is_rotation.then(|| DQuat::from_mat3(&matrix).normalize())
}

/// The nodes of a mesh.
#[derive(Debug, Clone, Copy)]
struct Nodes {
    /// Node with the position.
    outer: NodeId,
    /// Node whose scale is animated.
    scaled: NodeId,
    /// Factor by which the scale factors of the file are multiplied.
    factor: DVec3,
    /// Its space is the mesh's.
    inner: NodeId,
}

struct Builder<'a> {
    model: &'a Model<'a>,
    context: &'a Context<'a>,
    axes: Axes,
    clock: Option<Clock>,
    root: NodeId,
    /// For each mesh the node that its children are attached to.
    inner: Vec<Option<NodeId>>,
    /// Whether each mesh is mirrored, by its own transform or those of its ancestors.
    mirrored: Vec<bool>,
    materials: Materials,
    clip: Animation,
}

impl Builder<'_> {
    fn add_meshes(&mut self, scene: &mut Scene, report: &mut Report) {
        let orphans = self.context.options.flag(&ORPHANS);
        let hierarchy = self.model.hierarchy();
        for number in hierarchy.order() {
            let parts = (self.model.rsm().meshes.get(*number), self.model.joints().get(*number));
            let (Some(mesh), Some(joint)) = parts else { continue };
            if !orphans && !hierarchy.is_drawn(*number) {
                continue;
            }
            let parent =
                hierarchy.parent(*number).and_then(|parent| self.inner.get(parent).copied().flatten());
            let nodes = self.add_joint(scene, parent.unwrap_or(self.root), *number, joint, report);
            if let Some(inner) = self.inner.get_mut(*number) {
                *inner = Some(nodes.inner);
            }
            self.add_primitives(scene, nodes.inner, (*number, mesh), joint, report);
        }
    }

    /// Adds the nodes with the transform of a mesh relative to its parent, and their tracks.
    fn add_joint(
        &mut self,
        scene: &mut Scene,
        parent: NodeId,
        number: usize,
        joint: &Joint,
        report: &mut Report,
    ) -> Nodes {
        let name = self.model.rsm().meshes.get(number).map(|mesh| mesh.name.text()).unwrap_or_default();
        let nodes = self.set_joint_transform(scene, parent, number, &name, joint, report);
        if let Some(outer) = scene.nodes.get_mut(nodes.outer.0) {
            outer.extras.insert("mesh".into(), json!(number));
        }
        let Some(clock) = self.clock else { return nodes };
        let axes = self.axes;
        if let Rotation::Moving(track) = &joint.rotation {
            self.clip.tracks.push(animation::rotations(clock, track, nodes.outer, &axes));
        }
        if let Some(track) = joint.scale.track() {
            if track.frames().any(|frame| mirrors(track.at(frame)) != mirrors(joint.scale.at(0.0))) {
                let message =
                    "its scale changes sign during the animation; it is shown inside out from then on";
                report
                    .warn(&warning::MIRROR_CHANGES, message)
                    .in_field(format!("meshes[{number}].scale_keys"));
            }
            let target = scene::Target::Scale(nodes.scaled);
            self.clip.tracks.push(animation::vectors(clock, track, target, |scale| nodes.factor * scale));
        }
        if let Some(track) = joint.position.track() {
            let target = scene::Target::Translation(nodes.outer);
            self.clip
                .tracks
                .push(animation::vectors(clock, track, target, |position| axes.position(position)));
        }
        nodes
    }

    /// Adds the nodes with their transforms at the first frame.
    fn set_joint_transform(
        &self,
        scene: &mut Scene,
        parent: NodeId,
        number: usize,
        name: &str,
        joint: &Joint,
        report: &mut Report,
    ) -> Nodes {
        let mut checked = |vector: DVec3, rest: Vec3, name: &str| {
            finite(vector).unwrap_or_else(|| {
                let message = format!("its {name} is not finite and is left out");
                report.warn(&warning::NOT_FINITE, message).in_field(format!("meshes[{number}]"));
                rest
            })
        };
        let translation = checked(self.axes.position(joint.position.at(0.0)), Vec3::ZERO, "position");
        let scale = checked(joint.scale.at(0.0), Vec3::ONE, "scale");
        let matrix = match &joint.rotation {
            Rotation::Moving(track) => DMat3::from_quat(unit(track.at(0.0))),
            Rotation::Fixed(matrix) => *matrix,
        };
        let matrix = self.axes.linear(matrix);
        let one = |node: NodeId, factor: DVec3| Nodes { outer: node, scaled: node, factor, inner: node };
        let rotation = match &joint.rotation {
            Rotation::Moving(track) => Some(self.axes.rotation(unit(track.at(0.0)))),
            Rotation::Fixed(_) => as_rotation(matrix),
        };
        if let Some(rotation) = rotation.filter(|rotation| rotation.is_finite()) {
            let node = Node {
                name: name.to_owned(),
                translation,
                rotation: rotation.as_quat(),
                scale,
                ..Node::default()
            };
            return one(scene.add_child(parent, node), DVec3::ONE);
        }
        let is_scaling = joint.scale.track().is_some();
        let with_scale = if is_scaling { matrix } else { matrix * DMat3::from_diagonal(scale.as_dvec3()) };
        let map = Affine { linear: with_scale, translation: translation.as_dvec3() };
        let nested = finite_nodes(name, &map).unwrap_or_else(|| {
            checked(DVec3::NAN, Vec3::ONE, "matrix");
            from_affine(name, Affine3A::from_translation(translation))
        });
        if !is_scaling {
            let (outer, inner) = scene.add_nested(Some(parent), nested);
            return Nodes { outer, scaled: inner, factor: DVec3::ONE, inner };
        }
        if nested.inner.is_none() {
            let factor = nested.outer.scale.as_dvec3();
            let mut node = nested.outer;
            node.scale = finite(factor * scale.as_dvec3()).unwrap_or(node.scale);
            return one(scene.add_child(parent, node), factor);
        }
        let (outer, sheared) = scene.add_nested(Some(parent), nested);
        let node = Node { name: format!("{name} scale"), scale, ..Node::default() };
        let scaled = scene.add_child(sheared, node);
        Nodes { outer, scaled, factor: DVec3::ONE, inner: scaled }
    }

    /// Adds the visible geometry of a mesh.
    fn add_primitives(
        &mut self,
        scene: &mut Scene,
        parent: NodeId,
        (number, mesh): (usize, &Mesh),
        joint: &Joint,
        report: &mut Report,
    ) {
        let primitives = self.primitives(scene, (number, mesh), report);
        if primitives.is_empty() {
            return;
        }
        let name = mesh.name.text().into_owned();
        let shape = scene.add_mesh(SceneMesh { name: name.clone(), primitives, ..SceneMesh::default() });
        let mut node = parent;
        if joint.own != Affine::IDENTITY {
            let name = format!("{name} shape");
            let nested = finite_nodes(&name, &self.axes.affine(&joint.own)).unwrap_or_else(|| {
                let message = "its matrix or offset is not finite and is left out";
                report.warn(&warning::NOT_FINITE, message).in_field(format!("meshes[{number}]"));
                from_affine(&name, Affine3A::IDENTITY)
            });
            (_, node) = scene.add_nested(Some(parent), nested);
        }
        if let Some(node) = scene.nodes.get_mut(node.0) {
            node.mesh = Some(shape);
        }
    }

    /// Groups the faces of a mesh into primitives by their materials.
    fn primitives(
        &mut self,
        scene: &mut Scene,
        (number, mesh): (usize, &Mesh),
        report: &mut Report,
    ) -> Vec<Primitive> {
        let rsm = self.model.rsm();
        let side = match self.mirrored.get(number) {
            Some(true) => VisibleSide::Back,
            _ => VisibleSide::Front,
        };
        let normals = corner_normals(rsm, mesh);
        let mut by_material: BTreeMap<FaceMaterial, Vec<usize>> = BTreeMap::new();
        for (at, face) in mesh.faces.iter().enumerate() {
            let is_valid = corners(mesh, face).is_some_and(|corners| {
                corners.iter().all(|corner| finite(self.axes.position(*corner)).is_some())
            });
            if is_valid {
                let sides = if face.two_sided > 0 { Sidedness::Double } else { Sidedness::Single };
                by_material.entry(FaceMaterial { texture: face.texture, sides }).or_default().push(at);
            }
        }
        let mut out = Vec::with_capacity(by_material.len());
        for (face_material, faces) in by_material {
            let motion = self.model.uv_animation(number, i32::from(face_material.texture));
            let moved = motion.as_ref().map(|motion| animation::uv_transform(&motion.at(0.0)));
            let moved = moved.filter(is_finite_uv);
            let material_count = scene.materials.len();
            let material =
                self.materials.get(scene, self.context, (rsm, number), face_material, moved, report);
            if scene.materials.len() > material_count
                && let Some(motion) = motion
            {
                self.add_texture_tracks(scene, &motion, material, number, report);
            }
            let mut shape = PrimitiveBuilder::new(rsm, (&self.axes, side), mesh);
            for at in faces {
                if let (Some(face), Some(Some(normals))) = (mesh.faces.get(at), normals.get(at)) {
                    shape.add(face, *normals);
                }
            }
            out.push(Primitive { material: Some(material), ..shape.finish() });
        }
        out
    }

    /// Adds the tracks of an animated texture.
    fn add_texture_tracks(
        &mut self,
        scene: &Scene,
        motion: &UvAnimation,
        material: scene::MaterialId,
        number: usize,
        report: &mut Report,
    ) {
        let has_texture =
            scene.materials.get(material.0).is_some_and(|material| material.base_color_texture.is_some());
        let Some(clock) = self.clock.filter(|_| has_texture && motion.tracks().next().is_some()) else {
            return;
        };
        let moving = animation::uv_channels(clock, motion, material);
        let field = || format!("meshes[{number}].texture_animations");
        if moving.is_uneven {
            let message = "the texture rotates while scaled non-uniformly; scaled first, then rotated";
            report.warn(&warning::UV_SHEAR, message).in_field(field());
        }
        if moving.is_rough {
            report.warn(&warning::MANY_KEYS, "the texture rotates too often").in_field(field());
        }
        self.clip.tracks.extend(moving.channels);
    }
}

fn is_finite_uv(transform: &scene::UvTransform) -> bool {
    let scene::UvTransform { offset, rotation, scale } = transform;
    offset.iter().chain(scale).chain([rotation]).all(|number| number.is_finite())
}

/// Whether scale factors mirror.
fn mirrors(scale: DVec3) -> bool {
    scale.element_product() < 0.0
}
