//! Writes an archive of version 0x200: what modders hand out as a patch.

use std::collections::HashMap;
use std::io::Write;

use asset::Report;
use flate2::Compression;
use flate2::write::ZlibEncoder;
use record::{Bytes, Error, Record, Result, Source, Writer};

use super::entry::FILE;
use super::layout::{HEADER, MAGIC, NarrowHeader, Offset, PlainEntry, TableHead, TerminatedName, Version};
use super::{MAX_ENTRIES, max_entries, name};

/// Makes an archive of version 0x200, without ciphers, of files under their names (with either slash). The same files in the same
/// order give the same bytes.
///
/// # Errors
/// When a name leads out, occurs twice, is too long or cannot be said in cp949; when there are too many files, or more than 4 GB.
pub fn write<N: AsRef<str>, B: AsRef<[u8]>>(files: &[(N, B)]) -> Result<Vec<u8>> {
    let files = files.iter().map(|(name, bytes)| (name.as_ref(), || Ok(bytes.as_ref())));
    write_each(files)
}

/// The same of files that are read one after another.
pub(super) fn write_sources(files: &[(String, Source)], _report: &mut Report) -> Result<Vec<u8>> {
    write_each(files.iter().map(|(name, source)| {
        (name.as_str(), move || source.read_all().map_err(|error| error.in_file(name)))
    }))
}

fn write_each<'a, B: AsRef<[u8]>>(
    files: impl Iterator<Item = (&'a str, impl FnOnce() -> Result<B>)>,
) -> Result<Vec<u8>> {
    let mut seen: HashMap<String, String> = HashMap::new();
    let mut out = vec![0; usize::try_from(HEADER).unwrap_or_default()];
    let mut table = Writer::new();
    let mut count = 0_u32;
    for (text, bytes) in files {
        if usize::try_from(count).is_ok_and(|count| count >= MAX_ENTRIES) {
            return Err(Error::limit(format!("more than {MAX_ENTRIES} files")));
        }
        let name = name::encode(text)?;
        if let Some(other) = seen.insert(name::folded(&name::decode(&name)), text.to_owned()) {
            let message = format!(
                "\"{other}\" and \"{text}\" are the same name to the game, which ignores letter case"
            );
            return Err(Error::usage(message));
        }
        let bytes = bytes()?;
        let entry = append(&mut out, name, bytes.as_ref()).map_err(|error| error.in_file(text))?;
        entry.write(&mut table, Version::V200)?;
        count = count.saturating_add(1);
    }
    finish(out, &table.into_bytes(), count)
}

/// Appends a compressed file, padded to blocks of 8.
fn append(out: &mut Vec<u8>, name: Vec<u8>, bytes: &[u8]) -> Result<PlainEntry> {
    let start = out.len().saturating_sub(usize::try_from(HEADER).unwrap_or_default());
    let packed = deflate(bytes)?;
    out.extend_from_slice(&packed);
    let aligned = packed.len().next_multiple_of(8);
    out.resize(out.len().saturating_add(aligned.saturating_sub(packed.len())), 0);
    Ok(PlainEntry {
        name: TerminatedName(Bytes(name)),
        packed: size_of(packed.len())?,
        aligned: size_of(aligned)?,
        size: size_of(bytes.len())?,
        flags: FILE,
        offset: Offset(size_of(start)?.into()),
    })
}

/// Puts table and header in their places.
fn finish(mut out: Vec<u8>, table: &[u8], count: u32) -> Result<Vec<u8>> {
    let start = out.len().saturating_sub(usize::try_from(HEADER).unwrap_or_default());
    let packed = deflate(table)?;
    let head = TableHead { unknown: None, packed: size_of(packed.len())?, size: size_of(table.len())? };
    let mut writer = Writer::new();
    head.write(&mut writer, Version::V200)?;
    out.extend_from_slice(&writer.into_bytes());
    out.extend_from_slice(&packed);
    let header = NarrowHeader {
        magic: *MAGIC,
        mark: [0; 14],
        table_offset: size_of(start)?,
        seed: 0,
        count: count.saturating_add(7),
        version: Version::V200.0,
    };
    let mut writer = Writer::new();
    header.write(&mut writer, ())?;
    let length = u64::try_from(out.len()).unwrap_or(u64::MAX);
    if usize::try_from(count).unwrap_or(usize::MAX) > max_entries(length) {
        return Err(Error::limit(format!("{count} files are too many for an archive of {length} bytes")));
    }
    for (to, from) in out.iter_mut().zip(writer.into_bytes()) {
        *to = from;
    }
    Ok(out)
}

fn deflate(bytes: &[u8]) -> Result<Vec<u8>> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes)?;
    Ok(encoder.finish()?)
}

fn size_of(length: usize) -> Result<u32> {
    u32::try_from(length)
        .map_err(|_| Error::limit("archives of version 0x200 are limited to 4 GB".to_owned()))
}
