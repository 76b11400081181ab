//! Description of an archive: a summary, counts, and all fields.

use std::collections::BTreeMap;

use asset::archive::Content;
use asset::{Counts, Description, Detail, counted};
use json::{Document, Value, json};
use record::Bytes;

use super::cipher::Cipher;
use super::entry::{Entry, Kind};
use super::layout::Header;
use super::{Grf, name};

/// Maximum number of file extensions that are counted separately.
const MAX_EXTENSIONS: usize = 40;

/// Maximum length of an extension that is counted separately, in bytes.
const MAX_EXTENSION_LEN: usize = 8;

pub(super) fn describe(grf: &Grf, detail: Detail) -> Description {
    let (mut files, mut bytes) = (0_u64, 0_u64);
    for entry in grf.entries.iter().filter(|entry| entry.kind.content().is_file()) {
        files = files.saturating_add(1);
        bytes = bytes.saturating_add(entry.length());
    }
    let summary =
        format!("archive, {}, {} unpacked", counted(files, "file", "files"), counted(bytes, "byte", "bytes"));
    let fields = Document::object(|out| {
        out.put("header", &header(&grf.header)).put("table", &grf.table);
        if detail == Detail::Full {
            out.list("entries", grf.entries.iter().map(field));
        }
    });
    Description {
        summary,
        dialect: grf.version().to_string(),
        counts: counts(grf, files, bytes),
        fields,
        ..Description::default()
    }
}

fn header(header: &Header) -> Value {
    let magic = String::from_utf8_lossy(header.magic());
    let magic = magic.trim_end_matches('\0');
    match header {
        Header::Narrow(narrow) => json!({
            "magic": magic,
            "mark": Bytes::from(&narrow.mark[..]),
            "table_offset": narrow.table_offset,
            "seed": narrow.seed,
            "count": narrow.count,
            "version": header.version(),
        }),
        Header::Wide(wide) => json!({
            "magic": magic,
            "mark": Bytes::from(&wide.mark[..]),
            "table_offset": wide.table_offset,
            "count": wide.count,
            "version": header.version(),
        }),
    }
}

fn counts(grf: &Grf, files: u64, bytes: u64) -> Counts {
    let number = |wanted: &dyn Fn(&Entry) -> bool| grf.entries.iter().filter(|entry| wanted(entry)).count();
    let packed = grf.entries.iter().filter(|entry| entry.kind.content().is_file());
    let packed = packed.fold(0_u64, |sum, entry| sum.saturating_add(entry.aligned.into()));
    let mut counts = Counts::new()
        .with("files", files)
        .with("bytes unpacked", bytes)
        .with("bytes packed", packed)
        .with("folders", number(&|entry| entry.kind == Kind::Folder))
        .with("removed", number(&|entry| entry.kind == Kind::Removed))
        .with("enciphered", number(&|entry| entry.cipher != Cipher::None))
        .with("sealed", number(&|entry| entry.kind.content() == Content::Unreadable));
    for (extension, count) in by_extension(grf) {
        counts.add(extension, count);
    }
    counts
}

/// Counts the files by extension: the most frequent extensions separately, the others together.
fn by_extension(grf: &Grf) -> Vec<(String, u64)> {
    let mut counts: BTreeMap<String, u64> = BTreeMap::new();
    let mut others = 0_u64;
    for entry in grf.entries.iter().filter(|entry| entry.kind.content().is_file()) {
        let last = entry.name.rsplit(|byte| [b'/', b'\\'].contains(byte)).next().unwrap_or_default();
        let extension = last.iter().rposition(|byte| *byte == b'.').and_then(|dot| last.get(dot..));
        match extension {
            Some(extension) if extension.len() <= MAX_EXTENSION_LEN && extension.is_ascii() => {
                let extension = String::from_utf8_lossy(extension).to_ascii_lowercase();
                let count = counts.entry(format!("{extension} files")).or_default();
                *count = count.saturating_add(1);
            }
            _ => others = others.saturating_add(1),
        }
    }
    let mut counts: Vec<_> = counts.into_iter().collect();
    if counts.len() > MAX_EXTENSIONS {
        counts.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        for (_, count) in counts.drain(MAX_EXTENSIONS..) {
            others = others.saturating_add(count);
        }
        counts.sort();
    }
    if others > 0 {
        counts.push(("other files".to_owned(), others));
    }
    counts
}

fn field(entry: &Entry) -> Value {
    let mut field = json!({
        "name": name::decode(&entry.name),
        "kind": entry.kind,
        "cipher": entry.cipher,
        "flags": entry.flags,
        "packed": entry.packed,
        "aligned": entry.aligned,
        "size": entry.size,
        "offset": entry.offset,
    });
    if !name::is_text(&entry.name)
        && let Some(members) = field.as_object_mut()
    {
        members.insert("name_bytes".into(), json!(Bytes::from(&*entry.name)));
    }
    field
}
