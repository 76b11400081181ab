use asset::Report;
use glam::DVec3;

use super::super::{Rsm, Version, warning};
use crate::axes::Axes;
use crate::rsm::pose::Model;
use crate::sample::windmill;

/// Returns all triangles in the axes of glTF, in the order of the meshes.
fn triangles(rsm: &Rsm, milliseconds: f64) -> Vec<[DVec3; 3]> {
    let model = Model::new(rsm);
    let pose = model.pose_at(milliseconds);
    let axes = Axes::of(rsm.version.space(), 1.0);
    let mut out = Vec::new();
    for (number, (mesh, posed)) in rsm.meshes.iter().zip(&pose.meshes).enumerate() {
        if !model.hierarchy().is_drawn(number) {
            continue;
        }
        for face in &mesh.faces {
            let corners = face.vertices.map(|vertex| mesh.vertices[usize::from(vertex)]);
            let corners =
                corners.map(|corner| axes.position(posed.point(DVec3::from(corner.map(f64::from)))));
            out.push(axes.winding(corners));
        }
    }
    out
}

fn assert_same_triangles(one: &Rsm, other: &Rsm, milliseconds: f64) {
    let (one, other) = (triangles(one, milliseconds), triangles(other, milliseconds));
    assert_eq!(one.len(), other.len());
    for (a, b) in one.iter().zip(&other) {
        // The first corner may differ.
        let is_same =
            (0..3).any(|start| (0..3).all(|corner| a[corner].distance(b[(start + corner) % 3]) < 1e-4));
        assert!(is_same, "at {milliseconds}: {a:?} is not {b:?}");
    }
}

#[test]
fn the_windmill_moves_the_same_in_every_version() {
    for from in Version::KNOWN {
        let model = windmill(from);
        for to in Version::KNOWN {
            let mut report = Report::new();
            let converted = model.to_version(to, &mut report);
            let read = Rsm::read(&converted.write().unwrap(), &mut Report::new()).unwrap();
            assert_eq!(read.version, to);
            let loses_positions = from.is_absolute() && !to.is_absolute();
            let losses = usize::from(loses_positions) + usize::from(from == Version::V2_3 && to != from);
            let is_lost = |entry: &&asset::Warning| {
                entry.code.id == warning::LOST.id && !entry.path.ends_with(".faces")
            };
            assert_eq!(report.iter().filter(is_lost).count(), losses, "{from} to {to}: {report:?}");
            // The lift keeps its initial position.
            for time in if loses_positions { vec![0.0] } else { vec![0.0, 500.0, 1300.0, 3900.0] } {
                assert_same_triangles(&model, &read, time);
            }
        }
    }
}

#[test]
fn reports_the_losses_of_a_version() {
    let mut model = windmill(Version::V2_3);
    model.meshes[0].faces[0].groups = vec![1, 2].into();
    model.meshes[0].texture_vertices[0].color = Some([1, 2, 3, 4]);
    model.alpha = Some(7);
    let mut report = Report::new();
    let converted = model.to_version(Version::V1_1, &mut report);
    converted.write().unwrap();
    let reported: Vec<&str> = report
        .iter()
        .filter(|entry| entry.code.id == warning::LOST.id)
        .map(|entry| entry.path.as_str())
        .collect();
    assert_eq!(
        reported,
        [
            "meshes[6].position_keys",
            "alpha",
            "meshes[0].texture_vertices",
            "meshes[0].faces",
            "meshes[0].faces",
            "meshes[1].faces",
            "meshes[2].faces",
            "meshes[3].faces",
            "meshes[4].faces",
            "meshes[5].faces",
            "meshes[6].faces",
            "meshes[6].texture_animations"
        ]
    );
}

#[test]
fn sheared_meshes_several_roots_and_late_keys_keep_their_poses_before_2_2() {
    let mut model = windmill(Version::V2_3);
    let sheared = [[1.0, 0.3, 0.0], [0.0, 2.0, 0.5], [-0.4, 0.0, 1.0]];
    (model.meshes[0].matrix, model.meshes[3].matrix) = (sheared, sheared);
    model.meshes[1].rotation_keys.drain(..2);
    model.meshes[6].position_keys = Some(Vec::new());
    for roots in [vec!["tower"], vec!["tower", "lift"], vec![]] {
        model.roots = roots.into_iter().map(crate::rsm::Name::from).collect::<Vec<_>>();
        let converted = model.to_version(Version::V1_4, &mut Report::new());
        for time in [0.0, 300.0, 2600.0] {
            assert_same_triangles(&model, &converted, time);
        }
        assert_eq!(converted.roots.len(), 1);
    }
}

#[test]
fn scales_of_rotating_meshes_and_own_matrices_keep_their_poses_since_2_2() {
    let mut model = windmill(Version::V1_5);
    model.meshes[0].scale = Some([1.5, -0.5, 2.0]);
    (model.meshes[0].rotation_angle, model.meshes[0].rotation_axis) = (Some(0.7), Some([1.0, 2.0, 3.0]));
    model.meshes[1].scale = Some([0.5, 2.0, 1.0]);
    model.meshes[1].matrix = [[0.0, 1.0, 0.2], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]];
    model.meshes[1].offset = Some([3.0, 4.0, 5.0]);
    model.meshes[1].rotation_keys.drain(..1);
    for to in [Version::V2_2, Version::V2_3] {
        let converted = model.to_version(to, &mut Report::new());
        for time in [0.0, 300.0, 2600.0] {
            assert_same_triangles(&model, &converted, time);
        }
    }
}
