//! Resolves a visibility tree, and finds the objects visible from a position.

use std::collections::BTreeSet;

use asset::Context;
use json::{Document, Value, json};
use record::{Error, Result};

use super::check::invariants;
use super::layout::{NO_CHILD, NO_LIST, Visibility};
use super::statics::sibling_statics;
use super::tree::{MAX_OBJECTS, Tree, seen};

/// Computes the resolved view of a tree.
pub(super) fn resolved(file: &Visibility, context: Option<&Context<'_>>) -> Document {
    let nodes = file.nodes();
    let words = || nodes.iter().flat_map(|node| &node.children);
    let refs = words().filter(|word| **word < NO_CHILD);
    let different: BTreeSet<u32> = refs.clone().copied().collect();
    let shared = refs.count().saturating_sub(different.len());
    let placeholders = words().filter(|word| **word == NO_CHILD).count();
    let ids: BTreeSet<u16> = file.objects().iter().copied().collect();
    let depth = Tree::of(file).and_then(|tree| tree.depth().ok());
    let patches: Vec<_> = file.patches().map(|patch| json!([patch.node, patch.object])).collect();
    let statics = context.and_then(sibling_statics).map(|(_, count)| count);
    let checks = invariants(file)
        .into_iter()
        .map(|invariant| json!({ "name": invariant.name, "ok": invariant.holds }));
    Document::object(|out| {
        out.list("sections", sections(file)).put("header", &header(file));
        out.put("plst_records", &file.lists().len());
        out.put("child_refs", &words().count()).put("shared_child_refs", &shared);
        out.put("placeholder_children", &placeholders).put("ids", &ids.len());
        out.put("max_depth_used", &depth).put("patches", &patches).put("mpso_count", &statics);
        out.list("checks", checks);
    })
}

fn sections(file: &Visibility) -> Vec<Value> {
    let mut at = 0_u64;
    let mut section = |tag: [u8; 4], length: usize| {
        let header = at;
        let payload = header.saturating_add(8);
        at = payload.saturating_add(u64::try_from(length).unwrap_or(u64::MAX));
        json!({ "tag": tag.escape_ascii().to_string(), "header_offset": header, "payload_offset": payload, "length": length })
    };
    let own = file.sections.iter().map(super::layout::Section::tag_and_length);
    let end = file.end.as_ref().map(|end| (*b"END ", end.data.0.len()));
    own.chain(end).map(|(tag, length)| section(tag, length)).collect()
}

fn header(file: &Visibility) -> Option<Value> {
    let header = file.header()?;
    let interior = file.nodes().iter().filter(|node| node.list == NO_LIST).count();
    Some(json!({
        "depth": header.depth,
        "total_nodes": header.total_nodes,
        "leaf_nodes": header.leaf_nodes,
        "interior_nodes": interior,
        "mlst_polygon_count": header.object_count,
        "cell_size": header.cell_size,
        "center": header.center,
    }))
}

/// Objects visible from a position in world units, Y down.
pub(super) fn at(file: &Visibility, context: &Context<'_>, position: &[f64]) -> Result<Value> {
    let &[x, y, z] = position else {
        return Err(Error::usage("expected three coordinates in world units, such as 35584,-11520,29952"));
    };
    let listed = file.lists().iter().flat_map(|list| &list.runs).map(|run| usize::from(run.count));
    if listed.fold(0, usize::saturating_add) > MAX_OBJECTS {
        return Err(Error::limit(format!("the lists contain more than {MAX_OBJECTS} objects")));
    }
    let tree = Tree::of(file).ok_or_else(|| Error::malformed("the file has no tree"))?;
    let position = [x, y, z].map(truncated);
    let sight = tree.at(position);
    let visible = seen(sight.objects);
    let with_patch: BTreeSet<u16> = visible.iter().copied().chain(sight.patched.iter().copied()).collect();
    let statics = sibling_statics(context).map(|(_, count)| count);
    // After the statics: the numbers of objects that scripts make visible, counted from 0.
    let secondary = statics.map(|statics| {
        let after_statics = |object: &u16| usize::from(*object).checked_sub(statics);
        with_patch.iter().filter_map(after_statics).collect::<Vec<_>>()
    });
    Ok(json!({
        "point": position,
        "inside_root": sight.is_inside,
        "node_offset": sight.node_offset,
        "depth": sight.depth,
        "leaf_ref": sight.list_offset,
        "order": sight.objects,
        "visible": visible,
        "visible_with_patch": with_patch,
        "unrestricted": with_patch.is_empty(),
        "path": tree.path(position),
        "secondary": secondary,
    }))
}

/// Truncates a coordinate, as the game does.
#[expect(clippy::as_conversions, clippy::cast_possible_truncation, reason = "saturation is intended")]
const fn truncated(number: f64) -> i32 {
    number as i32
}
