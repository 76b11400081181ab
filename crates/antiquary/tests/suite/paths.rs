//! Consistent field paths: the names of fields in the hex view, in warnings and in descriptions are accepted by `set`, for
//! every format. `set` edits the record that `unpack` writes; the only other fields are lengths and counts derived from it.

#![allow(clippy::print_stdout, reason = "a test may print")]

use std::collections::BTreeMap;

use antiquary::asset::MemorySink;
use antiquary::asset::unpack::TypedParts;
use antiquary::asset::{Parts, Unpacked};
use antiquary::field::FieldPath;
use antiquary::json::{Content, Document, Node};
use antiquary::record::{Span, Visit};
use antiquary::{CATALOG, Can, Context, Install, Opened, Options, Report, Source, sample};

/// Maximum length in bytes of a tested file from the corpus.
const MAX_LENGTH: u64 = 256 << 10;

/// Maximum number of files of a format, and of paths of one shape in a file, that are tested.
const MAX_TRIES: usize = 20;

/// Last names of fields that are derived from others.
const DERIVED: &[&str] = &[
    "alias_length",
    "alias_offset",
    "attributes_offset",
    "count",
    "extra_length",
    "extra_offset",
    "forest_count",
    "frame_count",
    "character_count",
    "effect_count",
    "groups_offset",
    "hook_length",
    "hook_offset",
    "instances",
    "length",
    "location_count",
    "locations_length",
    "locations_offset",
    "magic",
    "model_count",
    "models_length",
    "models_offset",
    "node_count",
    "payload_size",
    "room_count",
    "script_length",
    "script_offset",
    "section_size",
    "sentinel",
    "sphere_count",
    "spheres_offset",
    "subrecord_bytes",
    "tag",
    "text_count",
    "text_length",
    "texts_length",
    "texts_offset",
    "tunnel_count",
    "variable_count",
    "variables_length",
    "variables_offset",
    "variables_offset_again",
];

/// Paths without a field: offsets and counts derived from other fields, and data that is edited as a picture.
const NO_FIELDS: &[&str] = &[
    "paint.anm gap",
    "paint.anm pages[#].continued",
    "paint.anm pages[#].continued_bytes",
    "paint.anm pages[#].record_sizes[#]",
    "paint.anm table[#].bytes",
    "paint.anm table[#].first_record",
    "paint.anm table[#].records",
    "paint.lbm kind",
    "paint.pcx palette.marker",
    "redguard.3d nodes[#].face_count",
    "redguard.3d nodes[#].faces[#].offset",
    "redguard.fnt sections[#].glyphs[#].pixels",
    "redguard.gxa frames[#].compression",
    "redguard.rgm end",
    "redguard.rgm sections[#].head",
    "redguard.rgm sections[#].records.counts[#]",
    "redguard.rob segments[#].payload.nodes[#].face_count",
    "redguard.rob segments[#].payload.nodes[#].faces[#].offset",
    "redguard.rtx footer.index_count",
    "redguard.timbres end",
    "scpcb.rmesh header",
    "redguard.rtx footer.index_offset",
    "redguard.rtx index[#].payload_offset",
    "redguard.rtx pieces[#].kind",
    // Results of parsing the text or the tokens of a model, and its compression; a model is edited as lines or tokens.
    "scpcb.x animation_sets[#]",
    "scpcb.x blocks[#]",
    "scpcb.x materials[#].texture",
    "scpcb.x meshes[#]",
    "scpcb.x unpacked_size",
];

fn opened(name: &str, bytes: &[u8]) -> Option<Opened> {
    CATALOG.open_source(Source::from(bytes.to_vec()), Some(name)).ok()
}

fn unpacked(opened: &Opened, context: &Context<'_>) -> Option<Unpacked> {
    let mut memory = TypedParts::new();
    let mut parts = Parts::of_typed(&mut memory, opened.format.id, &opened.source, "file");
    opened.asset.unpack(context, &mut parts, &mut Report::new()).ok()?;
    parts.finish(&mut Report::new()).ok()?;
    Unpacked::of_typed(memory).ok()
}

/// Whether a path leads to a field of the record, or into bytes or a text of it.
fn is_known(path: &str, root: Node<'_>) -> bool {
    let mut path = path;
    loop {
        let Ok(parsed) = FieldPath::parse(path) else { return false };
        if parsed.get(root).is_some() {
            return true;
        }
        let Some(at) = path.rfind('[').filter(|_| path.ends_with(']')) else { return false };
        let before = path.get(..at).unwrap_or_default();
        let is_leaf = FieldPath::parse(before)
            .ok()
            .and_then(|parsed| parsed.get(root))
            .is_some_and(|node| !matches!(node.content(), Content::Object(_) | Content::List(_)));
        if !is_leaf {
            return false;
        }
        path = before;
    }
}

fn is_derived(path: &str) -> bool {
    let last = path.rsplit('.').next().unwrap_or(path);
    let last = last.split('[').next().unwrap_or(last);
    DERIVED.contains(&last)
}

/// Whether a part is the index of an item in brackets.
fn is_number(part: &str) -> bool {
    let number = part.strip_prefix('[').and_then(|part| part.strip_suffix(']'));
    number.is_some_and(|number| number.parse::<usize>().is_ok())
}

/// Replaces the indices in a path, so that the items of a list share it.
fn shape(path: &str) -> String {
    let mut out = String::new();
    for part in path.split_inclusive(']') {
        match part.rfind('[') {
            Some(at) if is_number(part.get(at..).unwrap_or_default()) => {
                out.push_str(part.get(..at).unwrap_or_default());
                out.push_str("[#]");
            }
            _ => out.push_str(part),
        }
    }
    out
}

/// Collects the paths of a file that do not resolve, one of each shape, with their origin.
fn unknown_paths(name: &str, bytes: &[u8], wrong: &mut BTreeMap<String, String>) -> bool {
    let Some(opened) = opened(name, bytes).filter(|opened| opened.format.can(Can::Pack)) else {
        return false;
    };
    let (install, options) = (Install::empty(), Options::defaults(opened.format.options));
    let context = Context { install: &install, location: None, options: &options };
    let Some(unpacked) = unpacked(&opened, &context) else { return false };
    let root = unpacked.document().map(Document::root).unwrap();
    let id = opened.format.id;
    let view = opened.asset.field_view(root);
    let view = view.as_ref().map_or(root, Document::root);
    let mut tried: BTreeMap<String, usize> = BTreeMap::new();
    let mut note = |path: &str, place: &str| {
        let shape = format!("{id} {}", shape(path));
        let tries = tried.entry(shape.clone()).or_default();
        *tries = tries.saturating_add(1);
        let is_tried =
            *tries <= MAX_TRIES && !wrong.contains_key(&shape) && !NO_FIELDS.contains(&shape.as_str());
        if is_tried && !is_known(path, root) && !is_known(path, view) {
            wrong.insert(shape, format!("{place} of {name}: {path}"));
        }
    };
    if opened.format.can(Can::Hex) {
        let mut visitor = |span: Span<'_>| {
            if !is_derived(span.path) {
                note(span.path, "hex");
            }
            Visit::Continue
        };
        opened.format.trace(&*opened.asset, &opened.source, &mut visitor).unwrap();
    }
    let mut report = Report::new();
    opened.asset.check(&context, &mut report);
    for warning in report.iter().chain(opened.report.iter()).filter(|warning| !warning.path.is_empty()) {
        if !is_derived(&warning.path) {
            note(&warning.path, warning.code.id);
        }
    }
    true
}

#[test]
fn every_displayed_path_can_be_set() {
    let (mut wrong, mut files) = (BTreeMap::new(), 0);
    let mut sink = MemorySink::new();
    sample::specimens(&mut sink).unwrap();
    for (name, bytes) in sink.files() {
        files += u32::from(unknown_paths(name, bytes, &mut wrong));
    }
    assert!(files > 30, "{files}");
    let mut of_format: BTreeMap<String, usize> = BTreeMap::new();
    for path in ["redguard", "scpcb", "rsm"]
        .into_iter()
        .filter_map(corpus::folder)
        .flat_map(|it| corpus::all_files(&it))
    {
        let extension = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
        let files = of_format.entry(extension).or_default();
        if *files < MAX_TRIES && std::fs::metadata(&path).unwrap().len() <= MAX_LENGTH {
            *files += usize::from(unknown_paths(
                path.to_str().unwrap(),
                &std::fs::read(&path).unwrap(),
                &mut wrong,
            ));
        }
    }
    let failures: Vec<_> = wrong.iter().map(|(shape, place)| format!("{shape} ({place})")).collect();
    assert!(failures.is_empty(), "{} paths do not resolve:\n{}", failures.len(), failures.join("\n"));
}
