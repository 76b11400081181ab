//! Unpacks a saved game to a folder: slot, flags and items are in the record, other chunks in blobs.

use asset::{Parts, Report, Unpacked};
use json::{Document, Map, Step, Value};
use record::Result;

use super::item::ItemNames;
use super::layout::{Chunk, Save};

/// The maximum length of the bytes of unknown chunks that stay in the record.
const SHORT: usize = 64;

/// The informational member with the item's name; it is not stored in the file.
const NAME: &str = "name";

pub(super) fn unpack(save: &Save, names: Option<&ItemNames>, parts: &mut Parts<'_>) -> Result<()> {
    let mut document = Document::of(save)?;
    for (index, number) in items(save) {
        if let Some(name) = names.and_then(|names| names.get(number)) {
            let path =
                [Step::Member("chunks"), Step::Item(index), Step::Member("SVIT"), Step::Member("records")];
            let path = path.into_iter().chain([Step::Item(number)]).collect::<Vec<_>>();
            document.put_first(&path, NAME, &name.into())?;
        }
    }
    parts.document_with_blobs(document, &mut |path, bytes| blob_name(save, path, bytes)).map(drop)
}

/// Returns the indices of the chunks with items, and of the items in them.
fn items(save: &Save) -> impl Iterator<Item = (usize, usize)> {
    save.chunks.iter().enumerate().flat_map(|(index, chunk)| {
        let count = if let Chunk::Items(items) = chunk { items.records.len() } else { 0 };
        (0..count).map(move |number| (index, number))
    })
}

/// Returns the name of the blob for some bytes; `None` if they stay in the record.
fn blob_name(save: &Save, path: &[Step<'_>], bytes: &[u8]) -> Option<String> {
    match path {
        [Step::Member("chunks"), Step::Item(index), Step::Member("Other"), Step::Member("data")]
            if bytes.len() > SHORT =>
        {
            let Chunk::Other { tag, .. } = save.chunks.get(*index)? else { return None };
            Some(format!("{index:02}-{}.bin", tag.0.escape_ascii()))
        }
        [Step::Member("rest")] if bytes.len() > SHORT => Some("rest.bin".to_owned()),
        _ => None,
    }
}

/// Returns the records of the items in a chunk.
fn records(chunk: &mut Value) -> impl Iterator<Item = &mut Map<String, Value>> {
    let list = chunk.pointer_mut("/SVIT/records").and_then(Value::as_array_mut);
    list.into_iter().flatten().filter_map(Value::as_object_mut)
}

pub(super) fn pack(folder: &Unpacked, _report: &mut Report) -> Result<Vec<u8>> {
    let (document, _) = folder.document_with_blobs()?;
    let mut record = document.root().to_value();
    let chunks = record.pointer_mut("/chunks").and_then(Value::as_array_mut);
    for item in chunks.into_iter().flatten().flat_map(records) {
        item.remove(NAME);
    }
    let save: Save = Document::of_value(&record)?.read().map_err(|error| error.in_file("record.json"))?;
    save.write()
}
