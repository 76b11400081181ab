use asset::Report;
use glam::DVec3;

use super::super::{Rsm, Version, warning};
use crate::axes::Axes;
use crate::rsm::pose::Model;
use crate::sample::windmill;

/// Every triangle in glTF's axes, in order of meshes.
fn soup(rsm: &Rsm, milliseconds: f64) -> Vec<[DVec3; 3]> {
    let model = Model::new(rsm);
    let pose = model.pose_at(milliseconds);
    let axes = Axes::of(rsm.version.space(), 1.0);
    let mut out = Vec::new();
    for (number, (mesh, posed)) in rsm.meshes.iter().zip(&pose.meshes).enumerate() {
        if !model.hierarchy().is_drawn(number) {
            continue;
        }
        for face in &mesh.faces {
            let places = face.vertices.map(|vertex| mesh.vertices[usize::from(vertex)]);
            let places = places.map(|place| axes.position(posed.point(DVec3::from(place.map(f64::from)))));
            out.push(axes.winding(places));
        }
    }
    out
}

fn same_soup(one: &Rsm, other: &Rsm, milliseconds: f64) {
    let (one, other) = (soup(one, milliseconds), soup(other, milliseconds));
    assert_eq!(one.len(), other.len());
    for (a, b) in one.iter().zip(&other) {
        // The same corner first.
        let turned =
            (0..3).any(|start| (0..3).all(|corner| a[corner].distance(b[(start + corner) % 3]) < 1e-4));
        assert!(turned, "at {milliseconds}: {a:?} is not {b:?}");
    }
}

#[test]
fn the_windmill_turns_the_same_in_every_version() {
    for from in Version::KNOWN {
        let model = windmill(from);
        for to in Version::KNOWN {
            let mut report = Report::new();
            let converted = model.to_version(to, &mut report);
            let read = Rsm::read(&converted.write().unwrap(), &mut Report::new()).unwrap();
            assert_eq!(read.version, to);
            let moves = from.is_absolute() && !to.is_absolute();
            let losses = usize::from(moves) + usize::from(from == Version::V2_3 && to != from);
            let is_lost =
                |told: &&asset::Warning| told.code.id == warning::LOST.id && !told.path.ends_with(".faces");
            assert_eq!(report.iter().filter(is_lost).count(), losses, "{from} to {to}: {report:?}");
            // The lift stays where it is at first.
            for time in if moves { vec![0.0] } else { vec![0.0, 500.0, 1300.0, 3900.0] } {
                same_soup(&model, &read, time);
            }
        }
    }
}

#[test]
fn losses_of_a_version_is_reported() {
    let mut model = windmill(Version::V2_3);
    model.meshes[0].faces[0].groups = vec![1, 2].into();
    model.meshes[0].texture_vertices[0].color = Some([1, 2, 3, 4]);
    model.alpha = Some(7);
    let mut report = Report::new();
    let converted = model.to_version(Version::V1_1, &mut report);
    converted.write().unwrap();
    let told: Vec<&str> = report
        .iter()
        .filter(|told| told.code.id == warning::LOST.id)
        .map(|told| told.path.as_str())
        .collect();
    assert_eq!(
        told,
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
fn sheared_meshes_several_roots_and_late_keys_stand_the_same_before_2_2() {
    let mut model = windmill(Version::V2_3);
    let sheared = [[1.0, 0.3, 0.0], [0.0, 2.0, 0.5], [-0.4, 0.0, 1.0]];
    (model.meshes[0].matrix, model.meshes[3].matrix) = (sheared, sheared);
    model.meshes[1].rotation_keys.drain(..2);
    model.meshes[6].position_keys = Some(Vec::new());
    for roots in [vec!["tower"], vec!["tower", "lift"], vec![]] {
        model.roots = roots.into_iter().map(crate::rsm::Name::from).collect::<Vec<_>>();
        let converted = model.to_version(Version::V1_4, &mut Report::new());
        for time in [0.0, 300.0, 2600.0] {
            same_soup(&model, &converted, time);
        }
        assert_eq!(converted.roots.len(), 1);
    }
}

#[test]
fn scales_of_turning_meshes_and_matrices_of_their_own_stand_the_same_since_2_2() {
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
            same_soup(&model, &converted, time);
        }
    }
}
