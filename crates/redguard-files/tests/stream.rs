//! Verifies that a large dialogue file is only read where needed. The operating system counts the bytes read, the allocator the
//! memory.

#![allow(clippy::unwrap_used, clippy::panic, clippy::expect_used, reason = "a test may panic")]

use std::io::{BufWriter, Write};

use antiquary_redguard_files::sound::rtx::{Content, Dialogue, FORMAT};
use asset::FixedText;
use asset::{Archive, Asset, Context, Install, Options, Report, Sink, Target};
use peak_alloc::PeakAlloc;
use record::Source;
use scene::sound::{Depth, SampleFormat, Sound};

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// The number of lines, and the size in bytes of the samples of each.
const LINES: u32 = 1500;
const VOICE: usize = 40_000;

/// Returns the number of bytes this process has read from files; `None` if the system does not report it.
fn bytes_read() -> Option<u64> {
    let counts = std::fs::read_to_string("/proc/self/io").ok()?;
    counts.lines().find_map(|line| line.strip_prefix("rchar: ")?.parse().ok())
}

/// Runs `work`, and checks that it reads fewer than `max_read` bytes and allocates less than `max_memory` megabytes.
fn measured<T>(what: &str, max_read: u64, max_memory: f32, work: impl FnOnce() -> T) -> T {
    let before = bytes_read();
    MEMORY.reset_peak_usage();
    let memory = MEMORY.current_usage_as_mb();
    let out = work();
    let used = MEMORY.peak_usage_as_mb() - memory;
    assert!(used < max_memory, "{what}: {used} MB");
    if let (Some(before), Some(after)) = (before, bytes_read()) {
        assert!(after - before < max_read, "{what}: {} bytes read", after - before);
    }
    out
}

/// A sink that only counts the bytes written to it.
#[derive(Default)]
struct CountingSink {
    files: usize,
    bytes: usize,
}

impl Sink for CountingSink {
    fn put(&mut self, _name: &str, bytes: &[u8]) -> Result<(), record::Error> {
        self.files += 1;
        self.bytes += bytes.len();
        Ok(())
    }
}

impl Write for CountingSink {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.bytes += bytes.len();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[test]
fn reads_only_the_requested_data() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ENGLISH.RTX");
    let form = SampleFormat { rate: 22050, channels: 1, depth: Depth::Sixteen };
    let spoken =
        Content::voiced("Not so loud!", &Sound { form, data: vec![1; VOICE], loops: None }, 100).unwrap();
    let line = |number: u32| (FixedText::new(&format!("{number:04}")).unwrap(), spoken.clone());
    let mut file = BufWriter::new(std::fs::File::create(&path).unwrap());
    Dialogue::new((0..LINES).map(line).collect()).write(&mut file).unwrap();
    drop(file);
    let source = Source::open(&path).unwrap();
    let length = source.len();
    assert!(length > 60_000_000);

    let mut report = Report::new();
    let few = u64::from(LINES) * 300;
    let asset = measured("opening", few, 4.0, || (FORMAT.open)(&source, &mut report).unwrap());
    let asset: &dyn Asset = &*asset;
    measured("describing and listing", 2000, 2.0, || {
        assert_eq!(asset.describe(asset::Detail::Brief).counts.get("voiced lines"), u64::from(LINES));
        assert_eq!(FORMAT.archive_of(asset).unwrap().entries().count(), LINES as usize);
    });
    let archive: &dyn Archive = FORMAT.archive_of(asset).unwrap();
    measured("one entry", VOICE as u64 + 2000, 1.0, || {
        assert_eq!(archive.open(700).unwrap().len(), VOICE as u64 + 44);
    });
    let (install, options) = (Install::empty(), Options::defaults(FORMAT.options));
    let context = Context { install: &install, location: None, options: &options };
    measured("checking", 2000, 4.0, || asset.check(&context, &mut report));
    let mut sink = CountingSink::default();
    measured("converting", length + 2000, 8.0, || {
        let target = Target::new("out", 1.0);
        FORMAT.convert(asset, "wav", &context, target, &mut sink, &mut report).unwrap();
    });
    assert_eq!(sink.files, LINES as usize + 1);
    let mut out = CountingSink::default();
    let new = Source::from(b"Louder!".to_vec());
    measured("replacing", length + 2000, 8.0, || {
        archive.replace(&context, 3, "new.txt", &new, &mut out, &mut report).unwrap();
    });
    assert_eq!(out.bytes as u64, length - 5);
}
