//! Checks visibility trees.

use asset::{Context, Report, counted};

use super::layout::{List, NO_CHILD, NO_LIST, Node, Section, Visibility};
use super::statics::sibling_statics;
use super::tree::{Tree, starts};
use super::warning;

/// Sections required by the game.
const REQUIRED: [&[u8; 4]; 4] = [b"OCTH", b"OCTR", b"PLST", b"MLST"];

/// Maximum number of problems of one kind to report.
const MAX_REPORTED: usize = 50;

/// Maximum number of objects after the statics that scripts may make visible; the shipped maps have up to 90.
const MAX_SECONDARY: usize = 4096;

/// Size of a tag and a length, in bytes.
const FRAME: u64 = 8;

/// An invariant, and whether it holds.
pub(super) struct Invariant {
    pub(super) name: &'static str,
    pub(super) holds: bool,
}

/// Reports all problems of a file.
pub(super) fn check(file: &Visibility, context: &Context<'_>, report: &mut Report) {
    sections(file, report);
    counts(file, report);
    nodes(file, report);
    lists(file, report);
    if let Some(tree) = Tree::of(file) {
        depth(file, &tree, report);
    }
    patches(file, report);
    objects(file, context, report);
}

/// The invariants of a file, by name.
pub(super) fn invariants(file: &Visibility) -> Vec<Invariant> {
    let holds = |check: fn(&Visibility, &mut Report)| {
        let mut report = Report::new();
        check(file, &mut report);
        report.is_empty()
    };
    let tree_holds = |file: &Visibility, report: &mut Report| match Tree::of(file) {
        Some(tree) => depth(file, &tree, report),
        None => drop(report.warn(&warning::DAMAGED, "no tree")),
    };
    vec![
        Invariant { name: "sections", holds: holds(sections) },
        Invariant { name: "counts of the header", holds: holds(counts) },
        Invariant { name: "offsets of children and lists", holds: holds(nodes) },
        Invariant { name: "runs of objects", holds: holds(lists) },
        Invariant { name: "no node below itself, none too deep", holds: holds(tree_holds) },
    ]
}

fn sections(file: &Visibility, report: &mut Report) {
    let mut at = 0_u64;
    for (index, section) in file.sections.iter().enumerate() {
        let (tag, length) = section.tag_and_length();
        if let Section::Other { data, .. } = section {
            let field = format!("sections[{index}]");
            let size = counted(data.0.len(), "byte", "bytes");
            let tag_text = tag.escape_ascii();
            if REQUIRED.contains(&&tag) || tag == *b"PTCH" {
                let message = format!("{tag_text} does not fit its layout ({size})");
                report.warn(&warning::DAMAGED, message).in_field(field).at(at);
            } else {
                let message = format!("unknown section {tag_text} ({size})");
                report.warn(&warning::UNKNOWN, message).in_field(field).at(at);
            }
        }
        at = at.saturating_add(FRAME).saturating_add(u64::try_from(length).unwrap_or(u64::MAX));
    }
    for tag in REQUIRED {
        if !file.sections.iter().any(|section| section.tag_and_length().0 == *tag) {
            let offset = if tag == b"OCTH" { 0 } else { at };
            let message = format!("section {} is missing", tag.escape_ascii());
            report.warn(&warning::DAMAGED, message).at(offset);
        }
    }
    if !file.has_end {
        report.warn(&warning::NO_END, "the END tag is missing").at(at);
    }
    let ending = file.end.as_ref().map_or(0, |end| end.data.0.len());
    let left = ending.saturating_add(file.rest.0.len());
    if left > 0 {
        let message = format!("{} after the end", counted(left, "unexpected byte", "unexpected bytes"));
        report.warn(&warning::LEFT_OVER, message).at(at);
    }
}

/// Path of the first section of a kind.
fn path_of(file: &Visibility, matches: fn(&Section) -> bool) -> String {
    let index = file.sections.iter().position(matches).unwrap_or_default();
    format!("sections[{index}]")
}

fn counts(file: &Visibility, report: &mut Report) {
    let Some(header) = file.header() else { return };
    let path = path_of(file, |section| matches!(section, Section::Header(_)));
    let leaves = file.nodes().iter().filter(|node| node.list != NO_LIST).count();
    for (field, what, stored, found) in [
        ("total_nodes", "nodes", header.total_nodes, file.nodes().len()),
        ("leaf_nodes", "nodes with a list", header.leaf_nodes, leaves),
        ("object_count", "numbers of objects", header.object_count, file.objects().len()),
    ] {
        if u32::try_from(found) != Ok(stored) {
            let message = format!("{field} is {stored}, but the file has {found} {what}");
            report.warn(&warning::COUNT, message).in_field(format!("{path}.{field}"));
        }
    }
}

fn nodes(file: &Visibility, report: &mut Report) {
    let path = path_of(file, |section| matches!(section, Section::Nodes(_)));
    let (nodes, lists) = (file.nodes(), file.lists());
    let (node_starts, list_starts) =
        (starts(nodes.iter().map(Node::size)), starts(lists.iter().map(List::size)));
    let lists_end = list_starts
        .last()
        .zip(lists.last())
        .map_or(0, |(start, list)| u32::try_from(list.size()).unwrap_or(u32::MAX).saturating_add(*start));
    let begins = |starts: &[u32], offset: u32| starts.binary_search(&offset).is_ok();
    let mut problems = 0_usize;
    for (number, node) in file.nodes().iter().enumerate() {
        for (child, offset) in node.children.iter().enumerate() {
            if *offset < NO_CHILD && !begins(&node_starts, *offset) {
                problems = problems.saturating_add(1);
                if problems <= MAX_REPORTED {
                    let message = format!("node {number} has a child at {offset:#x}, where no node begins");
                    report
                        .warn(&warning::OFFSET, message)
                        .in_field(format!("{path}.nodes[{number}].children[{child}]"));
                }
            }
        }
        if node.list != NO_LIST && !begins(&list_starts, node.list) {
            problems = problems.saturating_add(1);
            if problems <= MAX_REPORTED {
                let code = if node.list >= lists_end { &warning::OFFSET } else { &warning::MIDDLE };
                let message = format!("node {number} has a list at {:#x}, where no list begins", node.list);
                report.warn(code, message).in_field(format!("{path}.nodes[{number}].list"));
            }
        }
    }
}

fn lists(file: &Visibility, report: &mut Report) {
    let path = path_of(file, |section| matches!(section, Section::Lists(_)));
    let count = u64::try_from(file.objects().len()).unwrap_or(u64::MAX);
    let mut problems = 0_usize;
    for (number, list) in file.lists().iter().enumerate() {
        for (index, run) in list.runs.iter().enumerate() {
            let end = u64::from(run.start).saturating_add(run.count.into());
            if end > count {
                problems = problems.saturating_add(1);
                if problems <= MAX_REPORTED {
                    let message = format!(
                        "list {number} refers to objects {} to {end}, but there are {count}",
                        run.start
                    );
                    report
                        .warn(&warning::RUN, message)
                        .in_field(format!("{path}.lists[{number}].runs[{index}]"));
                }
            }
        }
    }
}

fn depth(file: &Visibility, tree: &Tree, report: &mut Report) {
    let path = path_of(file, |section| matches!(section, Section::Nodes(_)));
    match tree.depth() {
        Err(node) => {
            let message = format!("node {node} is its own ancestor");
            report.warn(&warning::CYCLE, message).in_field(format!("{path}.nodes[{node}]"));
        }
        Ok(depth) => {
            let stored = file.header().map_or(0, |header| header.depth);
            if depth > stored {
                let message = format!("the tree has {depth} levels (header: {stored})");
                report.warn(&warning::DEEP, message).in_field(format!("{path}.nodes"));
            }
        }
    }
}

fn patches(file: &Visibility, report: &mut Report) {
    let path = path_of(file, |section| matches!(section, Section::Patches(_)));
    let starts = starts(file.nodes().iter().map(Node::size));
    for (index, patch) in file.patches().enumerate().take(MAX_REPORTED) {
        if starts.binary_search_by_key(&patch.node, |start| start / 5).is_err() {
            let message = format!("patch {index} refers to node {}, which does not exist", patch.node);
            report.warn(&warning::PATCH, message).in_field(format!("{path}.patches[{index}]"));
        }
    }
}

fn objects(file: &Visibility, context: &Context<'_>, report: &mut Report) {
    let Some((map, statics)) = sibling_statics(context) else { return };
    let path = path_of(file, |section| matches!(section, Section::Objects(_)));
    let limit = statics.saturating_add(MAX_SECONDARY);
    let out_of_range = file.objects().iter().enumerate().find(|(_, object)| usize::from(**object) >= limit);
    if let Some((index, object)) = out_of_range {
        let message = format!("object {object} is out of range: {map} has {statics} statics");
        report.warn(&warning::OBJECT, message).in_field(format!("{path}.objects[{index}]"));
    }
}
