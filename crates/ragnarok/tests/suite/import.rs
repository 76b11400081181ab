//! Import of models that were converted to glTF: poses stay the same, and models do not grow.

use std::path::PathBuf;

use antiquary_ragnarok::axes::Axes;
use antiquary_ragnarok::rsm::pose::Model;
use antiquary_ragnarok::rsm::{FORMAT, Rsm, TextureAnimation, TextureKey, TextureTrack, Version};
use antiquary_ragnarok::sample::windmill;
use asset::{Context, Install, MemorySink, Options, Report, Target};
use glam::DVec3;
use scene::Scene;

fn models() -> Vec<(PathBuf, Rsm)> {
    let Some(folder) = corpus::folder("rsm") else { return Vec::new() };
    let files = [corpus::files(&folder, "rsm", 30), corpus::files(&folder, "rsm2", 20)].concat();
    let valid =
        files.into_iter().filter(|path| !path.file_name().unwrap().to_str().unwrap().starts_with("bad_"));
    valid
        .map(|path| (path.clone(), Rsm::read(&std::fs::read(&path).unwrap(), &mut Report::new()).unwrap()))
        .collect()
}

fn converted(rsm: &Rsm) -> Scene {
    converted_with(rsm, &[])
}

fn converted_with(rsm: &Rsm, options: &[(&str, &str)]) -> Scene {
    let given: Vec<_> =
        options.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    let options = Options::parse(FORMAT.options, &given).unwrap();
    let context = Context { install: &Install::empty(), location: None, options: &options };
    let target = Target::new("model", 1.0);
    let mut sink = MemorySink::new();
    FORMAT.convert(rsm, "glb", &context, target, &mut sink, &mut Report::new()).unwrap();
    scene::gltf::read(sink.get("model.glb").unwrap(), &mut |_| None).unwrap().scene
}

/// Imports a scene as a model, and checks that it is written and read correctly. Returns the model and the warnings.
fn imported(scene: &Scene, version: Version) -> (Rsm, Vec<String>) {
    let mut report = Report::new();
    let model = Rsm::from_scene(scene, version, &mut report).unwrap();
    let bytes = model.write().unwrap();
    let mut reading = Report::new();
    let again = Rsm::read(&bytes, &mut reading).unwrap();
    assert_eq!(again, model);
    let reported = report.iter().map(|warning| format!("{}: {}", warning.code.id, warning.message)).collect();
    (model, reported)
}

/// Returns the triangles of each drawn mesh in the axes of glTF, at a time in milliseconds.
fn triangles(rsm: &Rsm, milliseconds: f64) -> Vec<Vec<[DVec3; 3]>> {
    let model = Model::new(rsm);
    let axes = Axes::of(rsm.version.space(), 1.0);
    let pose = model.pose_at(milliseconds);
    let mut out = Vec::new();
    for (number, (mesh, posed)) in rsm.meshes.iter().zip(&pose.meshes).enumerate() {
        if !model.hierarchy().is_drawn(number) {
            continue;
        }
        let mut faces = Vec::new();
        for face in &mesh.faces {
            let position = |at: u16| {
                mesh.vertices.get(usize::from(at)).map(|position| DVec3::from(position.map(f64::from)))
            };
            let [Some(a), Some(b), Some(c)] = face.vertices.map(position) else { continue };
            let corners = [a, b, c].map(|corner| axes.position(posed.point(corner)));
            faces.push((face.texture, face.two_sided > 0, axes.winding(corners)));
        }
        faces.sort_by_key(|(texture, is_two_sided, _)| (*texture, *is_two_sided));
        out.push(faces.into_iter().map(|(.., corners)| corners).collect());
    }
    out
}

/// Maximum distance of positions, relative to the size of the model.
const TOLERANCE: f64 = 1e-4;

/// Returns the largest distance of two corresponding corners, relative to the size of the model. Checks that the meshes and faces match.
fn max_distance(one: &Rsm, other: &Rsm, at: &str) -> f64 {
    let length = Model::new(one).duration().unwrap_or(1.0) * 1000.0;
    let mut worst: f64 = 0.0;
    for share in [0.0, 0.083, 0.25, 0.37, 0.5, 0.731, 0.9, 0.985] {
        let time = length * share;
        let model = Model::new(one);
        let size = model.bounds(&model.pose_at(time)).map_or(1.0, |[min, max]| min.distance(max).max(1.0));
        let (want, found) = (triangles(one, time), triangles(other, time));
        // Empty meshes may be added: a common root for several ones, or half of a sheared mesh.
        let counts = |meshes: &[Vec<[DVec3; 3]>]| {
            meshes.iter().map(Vec::len).filter(|count| *count > 0).collect::<Vec<_>>()
        };
        assert_eq!(counts(&want), counts(&found), "{at}");
        for (want, found) in want.concat().iter().zip(found.concat()) {
            let distance = |start: usize| {
                (0..3).map(|at| want[at].distance(found[(start + at) % 3])).fold(0.0, f64::max)
            };
            worst = worst.max((0..3).map(distance).fold(f64::INFINITY, f64::min) / size);
        }
    }
    worst
}

#[test]
fn every_model_is_restored_as_2_3_and_does_not_grow() {
    let models = models();
    for (path, rsm) in &models {
        let at = path.display().to_string();
        let (once, reported) = imported(&converted(rsm), Version::V2_3);
        let distance = max_distance(rsm, &once, &at);
        assert!(distance < TOLERANCE, "{at}: {distance} apart; {reported:?}");
        assert!(!reported.iter().any(|message| message.starts_with("RSM-W")), "{at}: {reported:?}");
        let (twice, _) = imported(&converted(&once), Version::V2_3);
        assert_eq!(once.meshes.len(), twice.meshes.len(), "{at}");
        assert_eq!(once.face_count(), twice.face_count(), "{at}");
        let distance = max_distance(&once, &twice, &at);
        assert!(distance < TOLERANCE, "{at}, once more: {distance} apart");
    }
    assert!(models.is_empty() || models.len() >= 52);
}

#[test]
fn every_model_is_restored_as_1_5_unless_losses_are_reported() {
    let (mut same, mut count) = (0, 0);
    for (path, rsm) in &models() {
        let at = path.display().to_string();
        let (once, reported) = imported(&converted(rsm), Version::V1_5);
        count += 1;
        if reported.iter().any(|message| message.starts_with("RSM-W060")) {
            continue;
        }
        let distance = max_distance(rsm, &once, &at);
        assert!(distance < TOLERANCE, "{at}: {distance} apart; {reported:?}");
        same += 1;
    }
    assert!(count == 0 || (count >= 52 && same >= 43), "{same} of {count}");
}

#[test]
fn mirrored_meshes_keep_their_visible_side() {
    for version in [Version::V1_5, Version::V2_3] {
        let mut rsm = windmill(version);
        if version.is_absolute() {
            rsm.meshes[0].matrix = [[-1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        } else {
            rsm.meshes[1].scale = Some([1.0, -2.0, 1.0]);
        }
        // Version 1.5 does not support all animations of 2.3.
        let targets =
            if version.is_absolute() { &[Version::V2_3][..] } else { &[Version::V1_5, Version::V2_3] };
        for target in targets {
            let (once, reported) = imported(&converted(&rsm), *target);
            let distance = max_distance(&rsm, &once, "mirrored");
            assert!(distance < TOLERANCE, "{version} as {target}: {distance} apart; {reported:?}");
        }
    }
}

#[test]
fn times_in_ticks_are_restored() {
    let rsm = windmill(Version::V1_4);
    let (once, _) = imported(&converted_with(&rsm, &[("time-unit", "tick")]), Version::V1_5);
    let frames = |rsm: &Rsm| {
        let keys = rsm.meshes.iter().flat_map(|mesh| &mesh.rotation_keys);
        keys.map(|key| key.frame).collect::<Vec<_>>()
    };
    assert_eq!((once.animation_length, frames(&once)), (rsm.animation_length, frames(&rsm)));
}

#[test]
fn texture_animations_are_restored() {
    let track = |kind: i32, values: [f32; 3]| TextureTrack {
        kind,
        keys: [0, 50, 120]
            .into_iter()
            .zip(values)
            .map(|(frame, value)| TextureKey { frame, value })
            .collect(),
    };
    let animations = [
        vec![track(0, [0.5, 1.0, -2.0]), track(1, [0.1, -3.0, 0.5])],
        vec![track(2, [2.0, 0.5, 1.0]), track(3, [0.3, 1.0, 4.0])],
        vec![track(4, [0.5, 4.0, -3.0])],
        vec![track(0, [0.5, 1.0, -2.0]), track(2, [2.0; 3]), track(3, [2.0; 3]), track(4, [0.5, 7.0, -3.0])],
    ];
    for tracks in animations {
        let mut rsm = windmill(Version::V2_3);
        rsm.meshes[6].texture_animations = Some(vec![TextureAnimation { texture: 0, tracks }]);
        let (once, reported) = imported(&converted(&rsm), Version::V2_3);
        assert!(reported.is_empty(), "{reported:?}");
        let (want, found) = (Model::new(&rsm), Model::new(&once));
        let (want, found) = (&want.uv_animations(6)[0], &found.uv_animations(6)[0]);
        for frame in [0.0, 4.0, 10.0, 33.3, 50.0, 77.7, 119.0] {
            for uv in [glam::DVec2::ZERO, glam::DVec2::X, glam::DVec2::new(0.7, 0.3)] {
                let distance = want.at(frame).apply(uv).distance(found.at(frame).apply(uv));
                assert!(distance < 5e-5, "frame {frame}: {distance}");
            }
        }
    }
}

#[test]
fn the_windmill_keeps_its_properties() {
    let rsm = windmill(Version::V2_3);
    let (once, reported) = imported(&converted(&rsm), Version::V2_3);
    assert!(reported.is_empty(), "{reported:?}");
    assert_eq!((once.animation_length, once.frames_per_second), (120, Some(30.0)));
    assert_eq!((once.shade_type, once.alpha), (rsm.shade_type, rsm.alpha));
    assert_eq!((&once.roots, &once.volume_boxes), (&rsm.roots, &rsm.volume_boxes));
    for (want, found) in rsm.meshes.iter().zip(&once.meshes) {
        assert_eq!((&want.name, &want.parent, &want.textures), (&found.name, &found.parent, &found.textures));
        let frames = |keys: &[antiquary_ragnarok::rsm::RotationKey]| {
            keys.iter().map(|key| key.frame).collect::<Vec<_>>()
        };
        assert_eq!(frames(&want.rotation_keys), frames(&found.rotation_keys));
        assert_eq!(
            (&want.position_keys, &want.texture_animations),
            (&found.position_keys, &found.texture_animations)
        );
        let groups = |faces: &[antiquary_ragnarok::rsm::Face]| {
            faces.iter().map(|face| (face.groups.clone(), face.two_sided)).collect::<Vec<_>>()
        };
        assert_eq!(groups(&want.faces), groups(&found.faces));
    }
    let (old, reported) = imported(&converted(&rsm), Version::V1_5);
    assert_eq!(reported.len(), 2, "{reported:?}");
    assert!(
        reported[0].contains("texture animation") && reported[1].contains("position keys of \"lift\""),
        "{reported:?}"
    );
    assert_eq!((old.animation_length, old.meshes.len()), (4000, 7));
}

/// Returns the normals of all corners, in the order of the faces.
fn normals(scene: &Scene) -> Vec<glam::Vec3> {
    let primitives = scene.meshes.iter().flat_map(|mesh| &mesh.primitives);
    let corners = primitives.flat_map(|primitive| {
        let normals = primitive.normals.clone().unwrap_or_default();
        primitive.indices.iter().map(move |corner| {
            normals.get(usize::try_from(*corner).unwrap()).copied().unwrap_or_default().into()
        })
    });
    corners.collect()
}

#[test]
fn models_keep_their_shading() {
    let (mut same, mut all) = (0, 0);
    // Before 2.2, vertices and normals are transformed by a separate matrix.
    for (_, rsm) in models().iter().filter(|(_, rsm)| rsm.version.is_absolute()) {
        let scene = converted(rsm);
        let (once, _) = imported(&scene, Version::V2_3);
        let (want, found) = (normals(&scene), normals(&converted(&once)));
        assert_eq!(want.len(), found.len());
        let near = want.iter().zip(&found).filter(|(want, found)| want.distance(**found) < 0.01).count();
        same += near;
        all += want.len();
        assert_eq!(rsm.shade_type, once.shade_type);
    }
    assert!(same * 100 >= all * 97, "{same} of {all} normals");
}
