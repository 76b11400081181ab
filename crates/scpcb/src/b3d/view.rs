//! A model as paths name its fields: chunks within chunks. Its record has them in one flat list of (depth, chunk).

use asset::{FieldChange, RecordChange};
use json::{Content, Document, Node, Step, Way};
use serde::ser::{Serialize, SerializeMap, SerializeSeq, Serializer};

const CHUNKS: &str = "chunks";

/// Deeper chunks have no place in JSON.
const DEEPEST: usize = 48;

/// A chunk of the flat list.
struct Chunk<'a> {
    depth: usize,
    /// The name of its form, and its fields.
    form: &'a str,
    fields: Node<'a>,
}

fn chunks<'a>(record: Node<'a>) -> Option<Vec<Chunk<'a>>> {
    let Content::List(items) = record.get(CHUNKS)?.content() else { return None };
    let chunk = |item: Node<'a>| {
        let Content::Whole(depth) = item.item(0)?.content() else { return None };
        let (form, fields) = item.item(1)?.variant()?;
        Some(Chunk { depth: usize::try_from(depth).ok()?, form, fields })
    };
    items.iter().map(chunk).collect()
}

/// Chunks beside one another, each with those within it behind it.
struct Level<'a, 'c>(&'c [Chunk<'a>]);

impl<'a, 'c> Level<'a, 'c> {
    /// Each chunk with its number in the slice and those within it.
    fn each(&self) -> impl Iterator<Item = (usize, &'c Chunk<'a>, &'c [Chunk<'a>])> + use<'a, 'c> {
        let all = self.0;
        let mut next = 0_usize;
        std::iter::from_fn(move || {
            let (at, rest) = (next, all.get(next..)?);
            let (chunk, behind) = rest.split_first()?;
            let within = behind.iter().take_while(|other| other.depth > chunk.depth).count();
            next = at.checked_add(within)?.checked_add(1)?;
            Some((at, chunk, behind.get(..within)?))
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

/// A chunk with those within it.
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

/// The record with chunks within chunks.
pub(super) fn view(record: Node<'_>) -> Option<Document> {
    let chunks = chunks(record)?;
    let Content::Object(members) = record.content() else { return None };
    if chunks.iter().any(|chunk| chunk.depth > DEEPEST) {
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

/// The change of the flat list that changes a field of the view.
pub(super) fn change(record: Node<'_>, way: &[Step<'_>], change: FieldChange<'_>) -> Option<RecordChange> {
    let chunks = chunks(record)?;
    let (mut level, mut first, mut rest) = (chunks.as_slice(), 0_usize, way);
    let mut found = None;
    while let [Step::Member(CHUNKS), Step::Item(number), behind @ ..] = rest {
        let (at, chunk, within) = Level(level).each().nth(*number)?;
        let at = first.checked_add(at)?;
        found = Some((at, chunk));
        (level, first, rest) = (within, at.checked_add(1)?, behind);
    }
    let (at, chunk) = found?;
    let item = [Step::Member(CHUNKS), Step::Item(at)];
    let field = [&item[..], &[Step::Item(1), Step::Member(chunk.form)], rest].concat();
    match (rest, change) {
        // Those within it would lose their place.
        ([], FieldChange::Remove) => level.is_empty().then(|| RecordChange::Remove(Way::from(&item[..]))),
        ([] | [Step::Member(CHUNKS)], _) => None,
        (_, FieldChange::Set(value)) => Some(RecordChange::Set(Way::from(&*field), value.clone())),
        (_, FieldChange::Remove) => Some(RecordChange::Remove(Way::from(&*field))),
        (_, FieldChange::Add(..)) => None,
    }
}
