//! Whatever can be read can be unpacked, and packed again gives the same bytes.
#![no_main]

use std::fs;
use std::path::Path;

use antiquary::asset::{MemorySink, Parts, Unpacked};
use antiquary::{Asset, Context, Error, Format, Install, Options, Report, Source};
use libfuzzer_sys::fuzz_target;
use tempfile::TempDir;

fuzz_target!(|bytes: &[u8]| {
    let source = Source::from(bytes.to_vec());
    for format in antiquary::formats() {
        let Some(pack) = format.pack else { continue };
        let Ok(asset) = (format.open)(&source, &mut Report::new()) else { continue };
        let folder = new_folder();
        unpack(format, &*asset, &source, folder.path()).expect("what was read can be unpacked");
        let mut report = Report::new();
        let unpacked = Unpacked::open(folder.path(), &mut report).expect("what was unpacked can be opened");
        assert!(unpacked.is_untouched(), "nothing was edited");
        assert_eq!(report.iter().count(), 0, "nothing is left out");
        let packed = pack(&unpacked, &mut report).expect("what was unpacked can be packed");
        assert!(packed == bytes, "{}: packed again, it is another file", format.id);
    }
});

fn unpack(format: &Format, asset: &dyn Asset, source: &Source, folder: &Path) -> Result<(), Error> {
    let (install, options) = (Install::nowhere(), Options::defaults(format.options));
    let context = Context { install: &install, place: None, options: &options };
    let mut sink = MemorySink::new();
    let mut parts = Parts::new(&mut sink, format.id, source, "file")?;
    asset.unpack(&context, &mut parts, &mut Report::new())?;
    parts.finish()?;
    for (name, bytes) in sink.files() {
        let path = folder.join(name);
        fs::create_dir_all(path.parent().expect("it stands in the folder"))?;
        fs::write(path, bytes)?;
    }
    Ok(())
}

fn new_folder() -> TempDir {
    tempfile::Builder::new().prefix("antiquary-fuzz-").tempdir().expect("a temporary folder")
}
