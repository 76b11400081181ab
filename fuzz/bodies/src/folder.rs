//! An unpacked folder with any manifest, record, blobs and views is packed or refused.
//!
//! Parts: the manifest, then the path and the bytes of each file. The files are kept in memory.

use antiquary::asset::unpack::{MANIFEST, MemoryParts};
use antiquary::asset::{Sink, Unpacked};

use crate::part::split;
use crate::subject::{assert_round_trip, formats, pack};

pub(crate) fn run(input: &[u8]) {
    let mut parts = split(input);
    let mut memory = MemoryParts::new();
    let mut put = |path: &str, bytes: &[u8]| memory.put(path, bytes).expect("parts are kept in memory");
    put(MANIFEST, parts.next().unwrap_or_default());
    while let (Some(path), Some(bytes)) = (parts.next(), parts.next()) {
        put(&String::from_utf8_lossy(path), bytes);
    }
    let Ok(unpacked) = Unpacked::in_memory(memory) else { return };
    let Some(format) = formats().find(|format| format.id == unpacked.format()) else { return };
    if let Some(packed) = pack(format, &unpacked) {
        assert_round_trip(format, &packed);
    }
}
