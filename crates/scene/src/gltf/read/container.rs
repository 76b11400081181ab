//! The container of the document: the chunks of a GLB file, and the buffers.

use std::collections::HashMap;
use std::sync::Arc;

use super::{bad, document::Document, out_of_range, uri::Uri};
use crate::Error;
use crate::error::unsupported_gltf;

/// The parts of a GLB file or of a `.gltf` file.
pub(super) struct Container<'a> {
    pub(super) json: &'a [u8],
    /// The buffer in the GLB file.
    pub(super) binary: Option<&'a [u8]>,
}

impl<'a> Container<'a> {
    pub(super) fn open(bytes: &'a [u8]) -> Result<Self, Error> {
        let Some(rest) = bytes.strip_prefix(b"glTF") else {
            let json = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
            return match json.iter().find(|byte| !byte.is_ascii_whitespace()) {
                Some(b'{') => Ok(Self { json, binary: None }),
                _ => Err(bad("the file", "it is neither GLB nor glTF JSON")),
            };
        };
        let (version, rest) = word(rest).ok_or_else(|| bad("the header", "it is truncated"))?;
        if version != 2 {
            return Err(unsupported_gltf(format!("unsupported GLB version {version} (supported: 2)")));
        }
        let (length, rest) = word(rest).ok_or_else(|| bad("the header", "it is truncated"))?;
        let body = usize::try_from(length).ok().and_then(|length| rest.get(..length.checked_sub(12)?));
        let mut rest = body.ok_or_else(|| {
            bad("the header", format!("it declares {length} bytes, but the file has {}", bytes.len()))
        })?;
        let mut chunks = Vec::new();
        while !rest.is_empty() && chunks.len() < 2 {
            let (chunk, behind) = next_chunk(rest)?;
            chunks.push(chunk);
            rest = behind;
        }
        match chunks.as_slice() {
            [(JSON, json), (BIN, binary), ..] => Ok(Self { json, binary: Some(binary) }),
            [(JSON, json), ..] => Ok(Self { json, binary: None }),
            _ => Err(bad("the first chunk", "it is not JSON")),
        }
    }
}

const JSON: u32 = u32::from_le_bytes(*b"JSON");
const BIN: u32 = u32::from_le_bytes(*b"BIN\0");

/// The type and the content of a chunk.
type Chunk<'a> = (u32, &'a [u8]);

/// Splits off a chunk; returns it and the remaining bytes.
fn next_chunk(bytes: &[u8]) -> Result<(Chunk<'_>, &[u8]), Error> {
    let cut = || bad("a chunk", "it is truncated");
    let (length, rest) = word(bytes).ok_or_else(cut)?;
    let (kind, rest) = word(rest).ok_or_else(cut)?;
    let (chunk, rest) =
        usize::try_from(length).ok().and_then(|length| rest.split_at_checked(length)).ok_or_else(cut)?;
    Ok(((kind, chunk), rest))
}

fn word(bytes: &[u8]) -> Option<(u32, &[u8])> {
    bytes.split_first_chunk().map(|(word, rest)| (u32::from_le_bytes(*word), rest))
}

/// All buffers of a document, each at least as long as declared.
pub(super) struct Buffers {
    list: Vec<Arc<[u8]>>,
    /// Total length of all buffers in bytes; a buffer that occurs twice counts once.
    total: u64,
}

impl Buffers {
    pub(super) fn load(
        document: &Document,
        binary: Option<&[u8]>,
        files: &mut dyn FnMut(&str) -> Option<Vec<u8>>,
    ) -> Result<Self, Error> {
        let mut known: HashMap<&str, Arc<[u8]>> = HashMap::new();
        let mut list = Vec::with_capacity(document.buffers.len());
        let mut total = 0_u64;
        let mut add = |bytes: &[u8]| {
            total = total.saturating_add(u64::try_from(bytes.len()).unwrap_or(u64::MAX));
        };
        for (index, buffer) in document.buffers.iter().enumerate() {
            let place = || format!("buffer {index}");
            let bytes = match (&buffer.uri, binary) {
                (Some(uri), _) => match known.get(uri.as_str()) {
                    Some(bytes) => Arc::clone(bytes),
                    None => {
                        let bytes: Arc<[u8]> =
                            fetch(uri, files).map_err(|problem| bad(place(), problem))?.into();
                        add(&bytes);
                        known.insert(uri, Arc::clone(&bytes));
                        bytes
                    }
                },
                // Copied, so that all buffers have the same type.
                (None, Some(binary)) if index == 0 => {
                    add(binary);
                    Arc::from(binary.get(..buffer.byte_length).unwrap_or(binary))
                }
                (None, _) => return Err(bad(place(), "it has no URI, and there is no GLB buffer")),
            };
            if bytes.len() < buffer.byte_length {
                let problem =
                    format!("{} bytes are declared, but {} were found", buffer.byte_length, bytes.len());
                return Err(bad(place(), problem));
            }
            list.push(bytes);
        }
        Ok(Self { list, total })
    }

    /// Returns the total length in bytes.
    pub(super) fn total(&self) -> u64 {
        self.total
    }

    /// Returns the bytes of a buffer view and its stride, if it declares one.
    pub(super) fn view<'a>(
        &'a self,
        document: &Document,
        index: usize,
        place: impl Fn() -> String,
    ) -> Result<(&'a [u8], Option<usize>), Error> {
        let views = &document.buffer_views;
        let view = views.get(index).ok_or_else(|| out_of_range(place(), index, views.len()))?;
        let place = || format!("buffer view {index}");
        let buffer =
            self.list.get(view.buffer).ok_or_else(|| out_of_range(place(), view.buffer, self.list.len()))?;
        let bytes = buffer.get(view.byte_offset..).and_then(|bytes| bytes.get(..view.byte_length));
        let bytes = bytes.ok_or_else(|| {
            let (start, length) = (view.byte_offset, view.byte_length);
            bad(
                place(),
                format!("{length} bytes at {start} extend past the end of the buffer ({})", buffer.len()),
            )
        })?;
        Ok((bytes, view.byte_stride))
    }
}

/// Returns the content of a URI.
pub(super) fn fetch(uri: &str, files: &mut dyn FnMut(&str) -> Option<Vec<u8>>) -> Result<Vec<u8>, String> {
    match Uri::parse(uri) {
        Uri::Data(data) => data.ok_or_else(|| "its data URI is malformed".to_owned()),
        Uri::Path(path) => files(&path).ok_or_else(|| format!("its file \"{path:.200}\" was not found")),
    }
}
