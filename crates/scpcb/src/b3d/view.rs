//! A model as seen by field paths: nested chunks. Its record has them in a flat list of (depth, chunk).

use asset::{FieldChange, RecordChange};
use json::{Content, Document, Node, Step, ValuePath};
use serde::ser::{Serialize, SerializeMap, SerializeSeq, Serializer};

const CHUNKS: &str = "chunks";

/// Maximum nesting depth of chunks in JSON.
const MAX_DEPTH: usize = 48;

/// A chunk of the flat list.
struct Chunk<'a> {
    depth: usize,
    /// Name of its variant, and its fields.
    variant: &'a str,
    fields: Node<'a>,
}

fn chunks<'a>(record: Node<'a>) -> Option<Vec<Chunk<'a>>> {
    let Content::List(items) = record.get(CHUNKS)?.content() else { return None };
    let chunk = |item: Node<'a>| {
        let Content::Unsigned(depth) = item.item(0)?.content() else { return None };
        let (variant, fields) = item.item(1)?.variant()?;
        Some(Chunk { depth: usize::try_from(depth).ok()?, variant, fields })
    };
    items.iter().map(chunk).collect()
}

/// Sibling chunks, each followed by its descendants.
struct Level<'a, 'c>(&'c [Chunk<'a>]);

impl<'a, 'c> Level<'a, 'c> {
    /// Iterates over the chunks: index in the slice, chunk, and descendants.
    fn each(&self) -> impl Iterator<Item = (usize, &'c Chunk<'a>, &'c [Chunk<'a>])> + use<'a, 'c> {
        let all = self.0;
        let mut next = 0_usize;
        std::iter::from_fn(move || {
            let (at, rest) = (next, all.get(next..)?);
            let (chunk, after) = rest.split_first()?;
            let within = after.iter().take_while(|other| other.depth > chunk.depth).count();
            next = at.checked_add(within)?.checked_add(1)?;
            Some((at, chunk, after.get(..within)?))
        })
    }
}

impl Serialize for Level<'_, '_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut list = serializer.serialize_seq(None)?;
        for (_, chunk, within) in self.each() {
            list.serialize_element(&Branch { chunk, within })?;
        }
        list.end()
    }
}

/// A chunk with its descendants.
struct Branch<'a, 'c> {
    chunk: &'c Chunk<'a>,
    within: &'c [Chunk<'a>],
}

impl Serialize for Branch<'_, '_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        if let Content::Object(members) = self.chunk.fields.content() {
            members.iter().try_for_each(|(name, value)| map.serialize_entry(name, &value))?;
        }
        if !self.within.is_empty() {
            map.serialize_entry(CHUNKS, &Level(self.within))?;
        }
        map.end()
    }
}

/// Returns the record with nested chunks.
pub(super) fn view(record: Node<'_>) -> Option<Document> {
    let chunks = chunks(record)?;
    let Content::Object(members) = record.content() else { return None };
    if chunks.iter().any(|chunk| chunk.depth > MAX_DEPTH) {
        return None;
    }
    Some(Document::object(|out| {
        for (name, value) in members.iter() {
            match name {
                CHUNKS => out.put(name, &Level(&chunks)),
                _ => out.put(name, &value),
            };
        }
    }))
}

/// Returns the change of the flat list that corresponds to a change of a field in the view.
pub(super) fn change(record: Node<'_>, path: &[Step<'_>], change: FieldChange<'_>) -> Option<RecordChange> {
    let chunks = chunks(record)?;
    let (mut level, mut first, mut rest) = (chunks.as_slice(), 0_usize, path);
    let mut found = None;
    while let [Step::Member(CHUNKS), Step::Item(number), after @ ..] = rest {
        let (at, chunk, within) = Level(level).each().nth(*number)?;
        let at = first.checked_add(at)?;
        found = Some((at, chunk));
        (level, first, rest) = (within, at.checked_add(1)?, after);
    }
    let (at, chunk) = found?;
    let item = [Step::Member(CHUNKS), Step::Item(at)];
    let field = [&item[..], &[Step::Item(1), Step::Member(chunk.variant)], rest].concat();
    match (rest, change) {
        // Removing a chunk with children would leave them without a parent.
        ([], FieldChange::Remove) => {
            level.is_empty().then(|| RecordChange::Remove(ValuePath::from(&item[..])))
        }
        ([] | [Step::Member(CHUNKS)], _) => None,
        (_, FieldChange::Set(value)) => Some(RecordChange::Set(ValuePath::from(&*field), value.clone())),
        (_, FieldChange::Remove) => Some(RecordChange::Remove(ValuePath::from(&*field))),
        (_, FieldChange::Add(..)) => None,
    }
}
