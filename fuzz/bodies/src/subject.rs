//! The calls into the library that the targets share: opening, unpacking and packing, all of it in memory.

use antiquary::asset::unpack::MemoryParts;
use antiquary::asset::{Parts, Sink, Unpacked};
use antiquary::{Asset, Context, Error, Format, Install, Options, Report, Source};

/// An environment variable: when it has the id of a format, only that format is tried.
pub const ONLY: &str = "ANTIQUARY_FUZZ_FORMAT";

/// The formats to try.
pub(crate) fn formats() -> impl Iterator<Item = &'static Format> {
    let only = std::env::var(ONLY).ok();
    antiquary::formats().filter(move |format| only.as_deref().is_none_or(|only| format.id == only))
}

/// Bytes opened as a file of a format.
pub(crate) fn open(format: &Format, source: &Source) -> Option<Box<dyn Asset>> {
    match (format.open)(source, &mut Report::new()) {
        Ok(asset) => Some(asset),
        Err(error) => {
            assert_located(&error, source);
            None
        }
    }
}

/// An error lies within the file and says something.
pub(crate) fn assert_located(error: &Error, source: &Source) {
    assert!(error.offset().is_none_or(|offset| offset <= source.len()), "{error} lies outside the file");
    assert!(!error.to_string().is_empty());
}

/// Calls with a context of no folder and the format's default options.
pub(crate) fn nowhere<T>(format: &Format, work: impl FnOnce(&Context<'_>) -> T) -> T {
    let (install, options) = (Install::empty(), Options::defaults(format.options));
    work(&Context { install: &install, location: None, options: &options })
}

/// Unpacks a file into a sink, with its views.
pub(crate) fn unpack_into(
    format: &Format,
    asset: &dyn Asset,
    source: &Source,
    sink: &mut dyn Sink,
) -> Result<(), Error> {
    nowhere(format, |context| {
        let mut parts = Parts::new(sink, format.id, source, "file")?;
        asset.unpack(context, &mut parts, &mut Report::new())?;
        parts.finish(&mut Report::new())
    })
}

/// Unpacks a file into memory: typed file and blobs, without views.
pub(crate) fn unpack_record(format: &Format, asset: &dyn Asset, source: &Source) -> Result<Unpacked, Error> {
    let mut memory = MemoryParts::new();
    nowhere(format, |context| {
        let mut parts = Parts::new(&mut memory, format.id, source, "file")?.without_views();
        asset.unpack(context, &mut parts, &mut Report::new())?;
        parts.finish(&mut Report::new())
    })?;
    Unpacked::in_memory(memory)
}

/// Packs what was unpacked; `None` when it is refused.
pub(crate) fn pack(format: &Format, unpacked: &Unpacked) -> Option<Vec<u8>> {
    let packed = format.pack?(unpacked, &mut Report::new());
    packed.inspect_err(|error| assert!(!error.to_string().is_empty())).ok()
}

/// What can be read can be unpacked, and packed again gives the same bytes. Nothing is asked of bytes that cannot be read.
pub(crate) fn assert_comes_back(format: &Format, bytes: &[u8]) {
    let source = Source::from(bytes.to_vec());
    if format.pack.is_none() {
        return;
    }
    let Some(asset) = open(format, &source) else { return };
    let mut memory = MemoryParts::new();
    unpack_into(format, &*asset, &source, &mut memory).expect("what was read can be unpacked");
    let unpacked = Unpacked::in_memory(memory).expect("what was unpacked can be opened");
    assert!(unpacked.is_unchanged(), "nothing was edited");
    let packed = pack(format, &unpacked).expect("what was unpacked can be packed");
    assert!(packed == bytes, "{}: packed again, it is another file", format.id);
}
