//! Describes a saved game, as a summary and as JSON.

use asset::{Context, Counts, Description, Detail, NameKind, NameVisitor, Named};
use json::{Content, Document, Map, Node, Step, Value, json};

use super::flag::{FLAGS, Flag};
use super::item::ItemNames;
use super::layout::{Chunk, Item, Save};
use super::named;

pub(super) fn describe(save: &Save, detail: Detail) -> Description {
    let header = save.header();
    let slot = header.map_or_else(
        || "(unknown version)".to_owned(),
        |header| format!("{:?}, world {}", header.text, header.world),
    );
    let flags = save.flags().map_or(0, |flags| flags.list.len());
    let changed = changed(save).count();
    let owned = owned(save).count();
    let plural = if owned == 1 { "item" } else { "items" };
    Description {
        summary: format!("saved game {slot}, {changed} of {flags} flags changed, {owned} {plural}"),
        dialect: header.map(|header| header.version.text()).unwrap_or_default(),
        counts: Counts::new()
            .with("chunks", save.chunks.len())
            .with("flags", flags)
            .with("flags changed", changed)
            .with("items owned", owned),
        fields: match detail {
            Detail::Brief => Document::from(json!({
                "text": header.map(|header| &header.text),
                "world": header.map(|header| header.world),
                "bitmap": header.map(|header| &header.bitmap),
                "flags_changed": changed_flags(save),
                "items": owned_items(save),
                "selected_item": save.items().map(|items| items.selected),
                "chunks": other(save, |_| true),
            })),
            Detail::Full => Document::of(save).unwrap_or_default(),
        },
        ..Description::default()
    }
}

/// Visits the title of the slot, the flags that differ from a new game, and the items that the player owns.
pub(super) fn visit_names(save: &Save, context: &Context<'_>, take: NameVisitor<'_>) {
    let items = ItemNames::of_game(context).unwrap_or_default();
    for (index, chunk) in save.chunks.iter().enumerate() {
        match chunk {
            Chunk::Header(header) => {
                take(Named::new(NameKind::Text, &header.text.text(), format_args!("chunks[{index}].text")));
            }
            Chunk::Flags(flags) => {
                let default = |number: usize| FLAGS.get(number).map_or(0, |flag| flag.default);
                for (number, flag) in flags.list.iter().enumerate() {
                    if flag.value != default(number) {
                        let path = format_args!("chunks[{index}][{number}].value");
                        take(Named::new(NameKind::Flag, named::name_of(number), path));
                    }
                }
            }
            Chunk::Items(list) => {
                for (number, item) in list.records.iter().enumerate() {
                    if item.player_total > 0
                        && let Some(name) = items.get(number)
                    {
                        let path = format_args!("chunks[{index}].records[{number}].player_total");
                        take(Named::new(NameKind::Item, name, path));
                    }
                }
            }
            Chunk::General(_) | Chunk::Other { .. } => {}
        }
    }
}

/// Returns the flags that differ from a new game.
fn changed(save: &Save) -> impl Iterator<Item = (usize, &Flag)> {
    let flags = save.flags().map(|flags| flags.list.as_slice()).unwrap_or_default();
    let default = |number: usize| FLAGS.get(number).map_or(0, |flag| flag.default);
    flags.iter().enumerate().filter(move |(number, flag)| flag.value != default(*number) || flag.is_latched())
}

fn changed_flags(save: &Save) -> Vec<Value> {
    let flag = |(number, flag): (usize, &Flag)| json!({ "flag": number, "name": named::name_of(number), "value": flag.value, "latch": flag.is_latched() });
    changed(save).map(flag).collect()
}

/// Returns the items that the player owns.
fn owned(save: &Save) -> impl Iterator<Item = (usize, &Item)> {
    let items = save.items().map(|items| items.records.as_slice()).unwrap_or_default();
    items.iter().enumerate().filter(|(_, item)| item.player_total != 0)
}

fn owned_items(save: &Save) -> Vec<Value> {
    let item = |(number, item): (usize, &Item)| json!({ "item": number, "player_total": item.player_total });
    owned(save).map(item).collect()
}

/// Adds the names of the items to a description.
pub(super) fn name_items(description: &mut Description, names: &ItemNames) {
    let name_of = |item: Node<'_>| match item.get("item").map(Node::content) {
        Some(Content::Unsigned(number)) => names.get(usize::try_from(number).ok()?).map(str::to_owned),
        _ => None,
    };
    let found: Vec<_> = match description.fields.root().get("items").map(Node::content) {
        Some(Content::List(items)) => items.iter().map(name_of).collect(),
        _ => Vec::new(),
    };
    for (index, name) in found.into_iter().enumerate() {
        let Some(name) = name else { continue };
        let path = [Step::Member("items"), Step::Item(index)];
        // The item exists: its name was just looked up.
        let _ = description.fields.put_last(&path, "name", &name.into());
    }
}

/// Returns the chunks, each with its size.
fn other(save: &Save, wanted: impl Fn(&Chunk) -> bool) -> Vec<Value> {
    let chunk =
        |chunk: &Chunk| json!({ "tag": chunk.tag().escape_ascii().to_string(), "bytes": chunk.len() });
    save.chunks.iter().filter(|chunk| wanted(chunk)).map(chunk).collect()
}

/// Converts all known data of a saved game to JSON.
pub(super) fn to_json(save: &Save, names: Option<&ItemNames>) -> Value {
    let flag = |(number, flag): (usize, &Flag)| {
        let known = FLAGS.get(number);
        json!({
            "flag": number,
            "name": known.map(|known| known.name),
            "value": flag.value,
            "latch": flag.is_latched(),
            "state": flag.state,
            "kind": known.map(|known| known.kind.name()),
            "default": known.map(|known| known.default),
        })
    };
    let item = |(number, item): (usize, &Item)| {
        let mut out = Map::new();
        out.insert("item".into(), number.into());
        if let Some(name) = names.and_then(|names| names.get(number)) {
            out.insert("name".into(), name.into());
        }
        let fields = json::to_value(item).unwrap_or_default();
        out.extend(fields.as_object().cloned().unwrap_or_default());
        Value::Object(out)
    };
    let flags: Option<Vec<Value>> =
        save.flags().map(|flags| flags.list.iter().enumerate().map(flag).collect());
    let items: Option<Vec<Value>> =
        save.items().map(|items| items.records.iter().enumerate().map(item).collect());
    json!({
        "slot": save.header(),
        "flags": flags,
        "items": items,
        "selected_item": save.items().map(|items| items.selected),
        "clock": save.general(),
        "other_chunks": other(save, |chunk| matches!(chunk, Chunk::Other { .. })),
    })
}
