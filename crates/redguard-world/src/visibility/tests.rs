//! Tests with synthetic trees.

use asset::{FixedText, Install, Options};
use proof::assert_round_trip;
use record::{Bytes, Raw};

use super::*;

fn node(children: &[(u8, u32)], list: u32) -> Node {
    Node {
        child_mask: children.iter().map(|(octant, _)| 1 << octant).sum(),
        list,
        children: children.iter().map(|(_, offset)| *offset).collect(),
    }
}

fn list(runs: &[(u32, u16)]) -> List {
    List { runs: runs.iter().map(|(start, count)| Run { start: *start, count: *count }).collect() }
}

/// A root with two children that share a child.
fn tree() -> Visibility {
    let nodes = vec![
        // 13 bytes.
        node(&[(0, 13), (7, 22)], NO_LIST),
        // 9 bytes each.
        node(&[(3, 31)], 0),
        node(&[(3, 31)], NO_LIST),
        node(&[], 13),
    ];
    let lists = vec![list(&[(0, 2), (3, 1)]), list(&[(1, 3)])];
    let header = Header {
        depth: 10,
        total_nodes: 4,
        leaf_nodes: 2,
        object_count: 4,
        unused_10: 0,
        cell_size: 1024,
        center: [100, -200, 300],
        unused_24: Raw([0; 16]),
    };
    Visibility {
        sections: vec![
            Section::Header(header),
            Section::Nodes(Nodes { nodes }),
            Section::Lists(Lists { lists }),
            Section::Objects(Objects { objects: vec![5, 6, 7, 5] }),
            Section::Patches(Patches { patches: vec![Patch { node: 31 / 5, object: 9 }] }),
        ],
        has_end: true,
        end: Some(Ending { data: Bytes::default() }),
        rest: Bytes::default(),
    }
}

#[test]
fn writes_what_it_reads() {
    let file = tree();
    let bytes = file.write().unwrap();
    assert_eq!(Visibility::read(&bytes).unwrap(), file);
    assert_round_trip(&file, &bytes);
    assert_eq!(&bytes[..12], b"OCTH\0\0\0\x34\x0a\0\0\0");
    // Unknown and damaged sections are kept.
    let mut odd = file;
    let other =
        |tag: &[u8; 4], data: &[u8]| Section::Other { tag: FixedText(*tag), data: Bytes(data.to_vec()) };
    odd.sections.push(other(b"HUH?", b"abc"));
    odd.sections.push(other(b"OCTR", b"\x01abcdefg"));
    odd.sections.push(other(b"MLST", b"abc"));
    odd.end = Some(Ending { data: Bytes(vec![1]) });
    odd.rest = Bytes(vec![2]);
    let bytes = odd.write().unwrap();
    assert_eq!(Visibility::read(&bytes).unwrap(), odd);
    assert_round_trip(&odd, &bytes);
}

#[test]
fn finds_the_deepest_node_of_a_position() {
    let tree = Tree::of(&tree()).unwrap();
    assert_eq!(tree.depth(), Ok(2));
    // A coordinate at the center belongs to the lower half.
    let sight = tree.at([100, -200, 300]);
    assert_eq!((sight.is_inside, sight.depth, sight.node_offset, sight.list_offset), (true, 1, 13, 0));
    // The last run comes first; duplicates are kept.
    assert_eq!(sight.objects, [5, 5, 6]);
    let deep = tree.at([-500, -800, -100]);
    assert_eq!((deep.depth, deep.node_offset), (1, 13));
    // Greater Y and Z than the center of the first octant: its fourth octant has a separate node.
    let deepest = tree.at([-500, -500, 0]);
    assert_eq!((deepest.depth, deepest.node_offset, deepest.objects), (2, 31, &[6, 7, 5][..]));
    assert_eq!(deepest.patched, [9]);
    let shared = tree.at([500, 500, 1000]);
    assert_eq!((shared.depth, shared.node_offset), (2, 31));
    let none = tree.at([500, 100, 400]);
    assert_eq!((none.depth, none.objects, none.list_offset), (1, &[][..], NO_LIST));
    // Outside the tree all objects are visible: no list applies.
    for point in [[1125, -200, 300], [100, -200, i32::MAX], [i32::MIN, i32::MIN, i32::MIN]] {
        let sight = tree.at(point);
        assert!(!sight.is_inside && sight.objects.is_empty() && sight.patched.is_empty(), "{point:?}");
    }
    assert!(tree.at([1124, -200, 300]).is_inside);
}

fn codes(change: impl FnOnce(&mut Visibility)) -> Vec<&'static str> {
    let mut file = tree();
    change(&mut file);
    let (install, options) = (Install::empty(), Options::default());
    let mut report = Report::new();
    file.check(&Context { install: &install, location: None, options: &options }, &mut report);
    report.iter().map(|warning| warning.code.id).collect()
}

fn nodes(file: &mut Visibility) -> &mut Vec<Node> {
    match &mut file.sections[1] {
        Section::Nodes(section) => &mut section.nodes,
        other => panic!("{other:?}"),
    }
}

#[test]
fn checks_invariants() {
    assert!(codes(|_| {}).is_empty());
    assert!(
        resolved::resolved(&tree(), None).root().to_value()["checks"]
            .as_array()
            .unwrap()
            .iter()
            .all(|check| check["ok"] == true)
    );
    assert_eq!(codes(|file| nodes(file)[1].children[0] = 0), ["PVO-E005"]);
    assert_eq!(codes(|file| nodes(file)[3] = node(&[(0, 0)], 13)), ["PVO-E005"]);
    assert_eq!(codes(|file| nodes(file)[1].children[0] = 30), ["PVO-E004"]);
    assert_eq!(codes(|file| nodes(file)[1].children[0] = NO_CHILD), [""; 0]);
    assert_eq!(codes(|file| nodes(file)[3].list = 1000), ["PVO-E004"]);
    assert_eq!(codes(|file| nodes(file)[3].list = 3), ["PVO-W012"]);
    assert_eq!(
        codes(|file| drop(file.sections.remove(3)))[..],
        ["PVO-E002", "PVO-E003", "PVO-E006", "PVO-E006", "PVO-E006"]
    );
    assert_eq!(codes(|file| file.has_end = false), ["PVO-E001"]);
    assert_eq!(codes(|file| file.rest = Bytes(vec![1])), ["PVO-W007"]);
    let header = |change: fn(&mut Header)| {
        codes(|file| match &mut file.sections[0] {
            Section::Header(header) => change(header),
            other => panic!("{other:?}"),
        })
    };
    assert_eq!(header(|header| header.total_nodes = u32::MAX), ["PVO-E003"]);
    assert_eq!(header(|header| header.depth = 1), ["PVO-W008"]);
    assert!(header(|header| header.cell_size = 0).is_empty());
    assert!(header(|header| header.center = [i32::MIN; 3]).is_empty());
    let patch = codes(|file| {
        file.sections[4] = Section::Patches(Patches { patches: vec![Patch { node: 1, object: 0 }] });
    });
    assert_eq!(patch, ["PVO-W009"]);
}

/// A node that is its own child, at which walks end only because of the depth limit.
#[test]
fn limits_the_depth_of_walks() {
    let mut file = tree();
    *nodes(&mut file) =
        vec![node(&[(0, 0), (1, 0), (2, 0), (3, 0), (4, 0), (5, 0), (6, 0), (7, 0)], NO_LIST)];
    let tree = Tree::of(&file).unwrap();
    assert_eq!(tree.at([5, 5, 5]).depth, 64);
    assert_eq!(tree.depth(), Err(0));
    assert!(Tree::of(&Visibility { sections: vec![], ..file }).is_none());
}

#[test]
fn describes_a_point() {
    let (install, options) = (Install::empty(), Options::default());
    let context = Context { install: &install, location: None, options: &options };
    let found = tree().at(&context, &[-500.9, -500.0, 0.9]).unwrap().unwrap();
    assert_eq!(found["point"], json::json!([-500, -500, 0]));
    assert_eq!(found["visible"], json::json!([5, 6, 7]));
    assert_eq!(found["visible_with_patch"], json::json!([5, 6, 7, 9]));
    assert_eq!(found["unrestricted"], false);
    assert_eq!((&found["path"], &found["secondary"]), (&json::json!([0, 13, 31]), &Value::Null));
    assert!(tree().at(&context, &[1.0, 2.0]).is_err());
    // Lists with too many objects are refused.
    let mut large = tree();
    if let Section::Lists(section) = &mut large.sections[2] {
        section.lists = vec![list(&[(0, u16::MAX); 255]), list(&[(0, u16::MAX); 255])];
    }
    assert!(large.at(&context, &[0.0, 0.0, 0.0]).unwrap_err().to_string().contains("contain more than"));
}

#[test]
fn returns_the_cells_of_nodes_with_a_list() {
    let cells = Tree::of(&tree()).unwrap().cells(10).unwrap();
    // The shared node is a child of both children of the root, so it has two cells.
    let found: Vec<_> = cells.iter().map(|cell| (cell.node, cell.depth, cell.half, cell.center)).collect();
    let expected =
        [(1, 1, 512, [-412, -712, -212]), (3, 2, 256, [-668, -456, 44]), (3, 2, 256, [356, 568, 1068])];
    assert_eq!(found, expected);
    assert!(Tree::of(&tree()).unwrap().cells(1).is_err());
    // A node that is its own ancestor.
    let mut endless = tree();
    if let Section::Nodes(section) = &mut endless.sections[1] {
        section.nodes[1].children = vec![0];
    }
    assert!(Tree::of(&endless).unwrap().cells(1000).is_err());
}

#[test]
fn converts_cells_to_lines() {
    let (install, options) = (Install::empty(), Options::default());
    let context = Context { install: &install, location: None, options: &options };
    let converted = scene::scene(&tree(), &context, &Target::new("x", 1.0)).unwrap();
    let names: Vec<_> = converted.nodes.iter().map(|node| node.name.as_str()).collect();
    assert_eq!(names, ["x", "cells of 1024 units", "cells of 512 units"]);
    let primitive = &converted.meshes[1].primitives[0];
    assert_eq!(
        (primitive.topology, primitive.positions.len(), primitive.indices.len()),
        (::scene::Topology::Lines, 16, 48)
    );
    assert_eq!(converted.nodes[2].extras["cells"], 2);
    // The corner with the minimum X and the minimum Y and Z of the game: -924, -712 and -212 units, relative to the corner of the terrain.
    let first =
        primitive.positions.iter().find(|position| position[0] == 46.2 && position[1] == 35.6).unwrap();
    assert!((first[2] - (-212.0 - 65_536.0) / 20.0).abs() < 1e-3, "{first:?}");
}
