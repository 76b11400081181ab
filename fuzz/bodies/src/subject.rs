//! Calls into the library that the targets share: opening, unpacking and packing, all in memory.

use antiquary::asset::unpack::MemoryParts;
use antiquary::asset::{Parts, Sink, Unpacked};
use antiquary::{Asset, Context, Error, Format, Install, Options, Report, Source};

/// The environment variable that limits a target to the format with this id.
pub const ONLY: &str = "ANTIQUARY_FUZZ_FORMAT";

/// The formats to try.
pub(crate) fn formats() -> impl Iterator<Item = &'static Format> {
    let only = std::env::var(ONLY).ok();
    antiquary::formats().filter(move |format| only.as_deref().is_none_or(|only| format.id == only))
}

/// Opens bytes as a file of a format.
pub(crate) fn open(format: &Format, source: &Source) -> Option<Box<dyn Asset>> {
    match (format.open)(source, &mut Report::new()) {
        Ok(asset) => Some(asset),
        Err(error) => {
            assert_located(&error, source);
            None
        }
    }
}

/// Checks that an error has an offset within the file and a message.
pub(crate) fn assert_located(error: &Error, source: &Source) {
    assert!(
        error.offset().is_none_or(|offset| offset <= source.len()),
        "the offset is outside the file: {error}"
    );
    assert!(!error.to_string().is_empty());
}

/// Calls a function with a context without a folder, and with the default options of the format.
pub(crate) fn without_folder<T>(format: &Format, work: impl FnOnce(&Context<'_>) -> T) -> T {
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
    without_folder(format, |context| {
        let mut parts = Parts::new(sink, format.id, source, "file")?;
        asset.unpack(context, &mut parts, &mut Report::new())?;
        parts.finish(&mut Report::new())
    })
}

/// Unpacks the record and blobs of a file into memory, without views.
pub(crate) fn unpack_record(format: &Format, asset: &dyn Asset, source: &Source) -> Result<Unpacked, Error> {
    let mut memory = MemoryParts::new();
    without_folder(format, |context| {
        let mut parts = Parts::new(&mut memory, format.id, source, "file")?.without_views();
        asset.unpack(context, &mut parts, &mut Report::new())?;
        parts.finish(&mut Report::new())
    })?;
    Unpacked::in_memory(memory)
}

/// Packs an unpacked file; `None` if it is refused.
pub(crate) fn pack(format: &Format, unpacked: &Unpacked) -> Option<Vec<u8>> {
    let packed = format.pack?(unpacked, &mut Report::new());
    packed.inspect_err(|error| assert!(!error.to_string().is_empty())).ok()
}

/// Checks that a file can be unpacked and packed to the same bytes, if it can be read.
pub(crate) fn assert_round_trip(format: &Format, bytes: &[u8]) {
    let source = Source::from(bytes.to_vec());
    if format.pack.is_none() {
        return;
    }
    let Some(asset) = open(format, &source) else { return };
    let mut memory = MemoryParts::new();
    unpack_into(format, &*asset, &source, &mut memory).expect("a readable file can be unpacked");
    let unpacked = Unpacked::in_memory(memory).expect("an unpacked file can be opened");
    assert!(unpacked.is_unchanged(), "an unchanged folder is reported as edited");
    let packed = pack(format, &unpacked).expect("an unpacked file can be packed");
    assert!(packed == bytes, "{}: the file is packed to different bytes", format.id);
}
