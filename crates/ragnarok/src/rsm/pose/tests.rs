use glam::DVec3;

use super::{Hierarchy, HierarchyDefect, Model};
use crate::rsm::Name;
use crate::rsm::{Mesh, RotationKey, Rsm, Version};

/// Creates a model with meshes of the given names and parents.
fn named(meshes: &[(&str, &str)], roots: &[&str], version: Version) -> Rsm {
    let mut rsm = Rsm::new(version);
    let identity = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let mesh = |(name, parent): &(&str, &str)| Mesh {
        name: Name::from(*name),
        parent: Name::from(*parent),
        matrix: identity,
        ..Mesh::default()
    };
    rsm.meshes = meshes.iter().map(mesh).collect::<Vec<_>>();
    rsm.roots = roots.iter().map(|root| Name::from(*root)).collect::<Vec<_>>();
    rsm
}

fn parents(meshes: &[(&str, &str)], roots: &[&str]) -> (Vec<Option<usize>>, Vec<HierarchyDefect>) {
    let hierarchy = Hierarchy::of(&named(meshes, roots, Version::V2_3));
    ((0..meshes.len()).map(|mesh| hierarchy.parent(mesh)).collect(), hierarchy.defects().to_vec())
}

#[test]
fn a_parent_is_the_first_mesh_with_the_name_that_is_not_the_child() {
    let (found, defects) = parents(&[("a", ""), ("b", "a"), ("b", "b"), ("c", "b")], &["a"]);
    assert_eq!(found, [None, Some(0), Some(1), Some(1)]);
    assert_eq!(defects, [HierarchyDefect::SameName { mesh: 2, first: 1 }]);
}

#[test]
fn roots_have_no_parent_and_the_first_mesh_is_the_default_root() {
    let hierarchy =
        Hierarchy::of(&named(&[("a", "b"), ("b", ""), ("c", "a")], &["b", "a", "x", "b"], Version::V2_3));
    assert_eq!((hierarchy.roots(), hierarchy.order()), (&[1, 0][..], &[1, 0, 2][..]));
    assert_eq!(
        (hierarchy.parent(0), hierarchy.defects()),
        (None, &[HierarchyDefect::RootMissing { root: 2 }][..])
    );
    let (found, defects) = parents(&[("a", "b"), ("b", "a")], &["x"]);
    assert_eq!(found, [None, Some(0)]);
    assert_eq!(defects, [HierarchyDefect::RootMissing { root: 0 }, HierarchyDefect::NoRoot]);
    assert_eq!(parents(&[], &["x"]).1, [HierarchyDefect::RootMissing { root: 0 }]);
}

#[test]
fn cycles_are_broken_at_their_first_mesh_and_not_drawn() {
    let meshes =
        [("root", ""), ("tail", "q"), ("p", "r"), ("q", "p"), ("r", "q"), ("self", "self"), ("lost", "gone")];
    let (found, defects) = parents(&meshes, &["root"]);
    assert_eq!(found, [None, Some(3), None, Some(2), Some(3), None, None]);
    let mut want = vec![
        HierarchyDefect::ParentMissing { mesh: 5 },
        HierarchyDefect::ParentMissing { mesh: 6 },
        HierarchyDefect::Cycle { mesh: 2 },
    ];
    want.extend((1..7).map(|mesh| HierarchyDefect::NotDrawn { mesh }));
    assert_eq!(defects, want);
}

#[test]
fn offsets_and_matrices_before_2_2_are_not_inherited() {
    let mut rsm = named(&[("a", ""), ("b", "a")], &["a"], Version::V1_4);
    for mesh in &mut rsm.meshes {
        mesh.offset = Some([100.0, 0.0, 0.0]);
        mesh.scale = Some([2.0; 3]);
        mesh.position = [1.0, 0.0, 0.0];
    }
    let pose = Model::new(&rsm).pose(0.0);
    let at = |mesh: usize, point: DVec3| pose.meshes[mesh].point(point);
    assert_eq!(at(0, DVec3::Y), DVec3::new(201.0, 2.0, 0.0));
    assert_eq!(at(1, DVec3::Y), DVec3::new(1.0 + 2.0 + 400.0, 4.0, 0.0));
}

#[test]
fn static_models_of_2_2_use_the_matrices_regardless_of_the_hierarchy() {
    let mut rsm = named(&[("a", ""), ("b", "a"), ("c", "b")], &["a"], Version::V2_2);
    for (number, mesh) in (1_u8..).zip(&mut rsm.meshes) {
        let number = f32::from(number);
        mesh.matrix = [[number, 0.5, 0.0], [0.0, 1.0, -number], [0.3, 0.0, 1.0]];
        mesh.position = [number, 2.0 * number, -5.0];
    }
    let pose = Model::new(&rsm).pose(7.0);
    for (mesh, posed) in rsm.meshes.iter().zip(&pose.meshes) {
        let point = DVec3::new(1.0, 2.0, 3.0);
        let want = super::matrix(mesh) * point + DVec3::from(mesh.position.map(f64::from));
        assert!(posed.point(point).abs_diff_eq(want, 1e-9));
    }
}

#[test]
fn time_loops_and_stops_without_a_length_or_a_frame_rate() {
    let mut rsm = named(&[("a", "")], &["a"], Version::V2_2);
    rsm.animation_length = 60;
    rsm.frames_per_second = Some(30.0);
    rsm.meshes[0].rotation_keys = vec![RotationKey { frame: 0, quaternion: [0.0, 0.0, 0.0, 1.0] }];
    assert_eq!((Model::new(&rsm).frame(2500.0), Model::new(&rsm).duration()), (15.0, Some(2.0)));
    for frames in [0.0, f32::NAN, f32::INFINITY] {
        rsm.frames_per_second = Some(frames);
        assert_eq!((Model::new(&rsm).frame(2500.0), Model::new(&rsm).duration()), (0.0, None), "{frames}");
    }
    rsm.frames_per_second = Some(30.0);
    rsm.animation_length = -1;
    assert_eq!((Model::new(&rsm).frame(2500.0), Model::new(&rsm).duration()), (0.0, None));
    let old = named(&[("a", "")], &["a"], Version::V1_4);
    assert_eq!(Model::new(&Rsm { animation_length: 1000, ..old }).frame(2500.0), 500.0);
}
