//! Tests with synthetic archives.

use std::fmt::Debug;

use asset::archive::{Archive, Content};
use asset::{Asset, Context, Install, Options, Report, Severity};
use proptest::prelude::*;
use record::{Bytes, Kind as ErrorKind, Reader, Record, Source, Writer};

use super::cipher::tests::{encrypt, scramble};
use super::flag::{FILE, MIXED};
use super::layout::*;
use super::*;

fn assert_round_trip<T: Record + PartialEq + Debug>(value: &T, context: T::Context, bytes: &[u8]) {
    let mut writer = Writer::new();
    value.write(&mut writer, context).unwrap();
    assert_eq!(writer.into_bytes(), bytes, "{value:?}");
    let mut reader = Reader::new(bytes);
    assert_eq!(T::read(&mut reader, context).unwrap(), *value);
    assert!(reader.is_at_end(), "{value:?}");
}

fn packed(bytes: &[u8]) -> Vec<u8> {
    use std::io::Write;
    let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// A file of a synthetic archive.
#[derive(Debug, Clone)]
pub(super) struct File {
    name: Vec<u8>,
    pub(super) bytes: Vec<u8>,
    flags: u8,
}

pub(super) fn file(name: &[u8], bytes: &[u8], flags: u8) -> File {
    File { name: name.to_vec(), bytes: bytes.to_vec(), flags }
}

/// Creates an archive of any version, as other programs write it.
pub(super) fn archive(version: Version, files: &[File]) -> Vec<u8> {
    let (mut data, mut table) = (Vec::new(), Writer::new());
    for file in files {
        let stream = packed(&file.bytes);
        let stored = encrypt(Cipher::of(version, &file.name, file.flags), &stream);
        let (packed, size) = (stream.len() as u32, file.bytes.len() as u32);
        let (aligned, offset) = (stored.len() as u32, data.len() as i64);
        data.extend(stored);
        if version.is_scrambled() {
            let scrambled = Bytes(scramble(&file.name));
            let entry = ScrambledEntry {
                name: ScrambledName { before: [0; 2], scrambled, after: [0; 4] },
                packed: packed + size + 715,
                aligned: aligned + 37579,
                size,
                flags: file.flags,
                offset: offset as u32,
            };
            entry.write(&mut table, ()).unwrap();
        } else {
            let name = TerminatedName(Bytes(file.name.clone()));
            let entry = PlainEntry { name, packed, aligned, size, flags: file.flags, offset: Offset(offset) };
            entry.write(&mut table, version).unwrap();
        }
    }
    let mut table = table.into_bytes();
    if !version.is_scrambled() {
        let stream = packed(&table);
        let unknown = version.is_wide().then_some(0);
        let head = TableHead { unknown, packed: stream.len() as u32, size: table.len() as u32 };
        let mut writer = Writer::new();
        head.write(&mut writer, version).unwrap();
        table = [writer.into_bytes(), stream].concat();
    }
    let count = files.len() as u32;
    let mut writer = Writer::new();
    let header = match version.is_wide() {
        true => Header::Wide(WideHeader {
            magic: *MAGIC,
            mark: [0; 14],
            table_offset: data.len() as i64,
            count: count as i32,
            version: version.0,
        }),
        false => Header::Narrow(NarrowHeader {
            magic: *MAGIC,
            mark: [1; 14],
            table_offset: data.len() as u32,
            seed: 1000,
            count: count + 1007,
            version: version.0,
        }),
    };
    header.write(&mut writer, ()).unwrap();
    [writer.into_bytes(), data, table].concat()
}

pub(super) fn read(bytes: &[u8]) -> (Result<Grf>, Report) {
    let (source, mut report) = (Source::from_bytes(bytes), Report::new());
    let grf = Grf::read(&source, &mut report);
    if let Ok(grf) = &grf {
        report.locate(|visitor| FORMAT.trace(grf, &source, visitor));
    }
    (grf, report)
}

fn check(grf: &Grf) -> Report {
    let (install, options, mut report) = (Install::empty(), Options::default(), Report::new());
    grf.check(&Context { install: &install, location: None, options: &options }, &mut report);
    report
}

pub(super) fn messages(report: &Report) -> Vec<String> {
    report.iter().map(ToString::to_string).collect()
}

pub(super) const ALL: [Version; 4] = [Version::V102, Version::V103, Version::V200, Version::V300];

#[test]
fn writes_every_record_as_it_is_read() {
    let narrow = NarrowHeader {
        magic: *b"Master of Magic\0",
        mark: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14],
        table_offset: 0x1234,
        seed: 0x100,
        count: 0x10a,
        version: 0x200,
    };
    let mut bytes = b"Master of Magic\0\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0a\x0b\x0c\x0d\x0e\x34\x12\0\0\0\x01\0\0\x0a\x01\0\0\0\x02\0\0".to_vec();
    assert_round_trip(&narrow, (), &bytes);
    assert_round_trip(&Header::Narrow(narrow), (), &bytes);
    assert_eq!((Header::Narrow(narrow).count(), Header::Narrow(narrow).table_offset()), (3, Some(0x1262)));
    // Version 0x300 with a seed of 32 bits.
    bytes[43] = 3;
    assert_round_trip(&Header::Narrow(NarrowHeader { version: 0x300, ..narrow }), (), &bytes);
    // Version 0x300 with an offset of 64 bits.
    let wide = WideHeader {
        magic: *b"Master of Magic\0",
        mark: [0; 14],
        table_offset: 0x12_0000_0034,
        count: 3,
        version: 0x300,
    };
    let bytes = b"Master of Magic\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x34\0\0\0\x12\0\0\0\x03\0\0\0\0\x03\0\0";
    assert_round_trip(&wide, (), bytes);
    assert_round_trip(&Header::Wide(wide), (), bytes);
    assert_eq!((Header::Wide(wide).count(), Header::Wide(wide).table_offset()), (3, Some(0x12_0000_0062)));

    let head = TableHead { unknown: None, packed: 5, size: 0x1_0000 };
    assert_round_trip(&head, Version::V200, b"\x05\0\0\0\0\0\x01\0");
    assert_round_trip(
        &TableHead { unknown: Some(0), ..head },
        Version::V300,
        b"\0\0\0\0\x05\0\0\0\0\0\x01\0",
    );

    assert_round_trip(&TerminatedName(Bytes::from(&b"a\\b"[..])), (), b"a\\b\0");
    assert_round_trip(&TerminatedName(Bytes::default()), (), b"\0");
    assert_round_trip(&Offset(0x89ab_cdef), Version::V200, b"\xef\xcd\xab\x89");
    assert_round_trip(&Offset(-2), Version::V300, b"\xfe\xff\xff\xff\xff\xff\xff\xff");
    let plain = PlainEntry {
        name: TerminatedName(Bytes::from(&b"x"[..])),
        packed: 10,
        aligned: 16,
        size: 300,
        flags: 3,
        offset: Offset(7),
    };
    assert_round_trip(&plain, Version::V200, b"x\0\x0a\0\0\0\x10\0\0\0\x2c\x01\0\0\x03\x07\0\0\0");
    assert_round_trip(&plain, Version::V300, b"x\0\x0a\0\0\0\x10\0\0\0\x2c\x01\0\0\x03\x07\0\0\0\0\0\0\0");

    let scrambled = Bytes::from(&b"\xd4\xd7\x63\x96\x03\x11\x62\xd7"[..]);
    let name = ScrambledName { before: [0; 2], scrambled, after: [0; 4] };
    assert_eq!(name.unscrambled(), b"High Pri");
    let bytes = b"\x0e\0\0\0\0\0\xd4\xd7\x63\x96\x03\x11\x62\xd7\0\0\0\0";
    assert_round_trip(&name, (), bytes);
    let entry = ScrambledEntry { name, packed: 0x3ff, aligned: 0x92db, size: 0x12c, flags: 1, offset: 8 };
    let numbers = b"\xff\x03\0\0\xdb\x92\0\0\x2c\x01\0\0\x01\x08\0\0\0";
    assert_round_trip(&entry, (), &[&bytes[..], numbers].concat());
    let entry = Entry::scrambled(&entry, Version::V102);
    assert_eq!((entry.packed, entry.aligned, entry.size), (8, 16, 300));
    assert_eq!((entry.kind, entry.cipher, entry.offset), (Kind::File, Cipher::Mixed, 8));
}

#[test]
fn writes_the_expected_bytes() {
    let bytes = write(&[("data/a.txt", "hello")]).unwrap();
    let (stream, name) = (packed(b"hello"), b"data\\a.txt\0");
    let length = stream.len() as u8;
    let table = [&name[..], &[length, 0, 0, 0, 16, 0, 0, 0, 5, 0, 0, 0, 1, 0, 0, 0, 0]].concat();
    let packed_table = packed(&table);
    let wanted = [
        &b"Master of Magic\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x10\0\0\0\0\0\0\0\x08\0\0\0\0\x02\0\0"[..],
        &stream,
        &vec![0; 16 - stream.len()],
        &[packed_table.len() as u8, 0, 0, 0, table.len() as u8, 0, 0, 0],
        &packed_table,
    ];
    assert_eq!(bytes, wanted.concat());
    let (grf, report) = read(&bytes);
    assert!(report.is_empty() && check(&grf.unwrap()).is_empty());
}

#[test]
fn unpacks_files_of_every_version_and_cipher() {
    let noise: Vec<u8> =
        (0..70_000_u32).map(|at| (at.wrapping_mul(at).wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    let files = [
        file(b"data\\small.txt", b"hello", 1),
        file(b"data\\Header.GND", &noise[..9000], 5),
        file(b"data\\mixed.rsm", &noise[..5000], 3),
        file(b"data\\large.bmp", &noise, 7),
        file(b"data\\empty.txt", b"", 1),
        file(b"\xc0\xaf\xc0\xfa\\x", &[0; 1000], 1),
    ];
    for version in ALL {
        let (grf, report) = read(&archive(version, &files));
        let grf = grf.unwrap();
        assert!(report.is_empty(), "{version}: {report:?}");
        assert_eq!(grf.version(), version);
        for (index, file) in files.iter().enumerate() {
            assert!(grf.bytes(index).unwrap() == file.bytes, "{version}: {}", grf.entry(index).unwrap().name);
        }
        assert_eq!(grf.entry(5).unwrap().name, "유저\\x");
        assert!(check(&grf).is_empty(), "{version}: {:?}", check(&grf));
        let ciphers = grf.typed_entries().iter().map(|entry| entry.cipher).collect::<Vec<_>>();
        use Cipher::{Header, Mixed, None};
        match version.is_scrambled() {
            true => assert_eq!(ciphers, [Mixed, Header, Mixed, Mixed, Mixed, Mixed]),
            false => assert_eq!(ciphers, [None, Header, Mixed, Mixed, None, None]),
        }
    }
}

#[test]
fn flags_determine_the_kind_of_an_entry() {
    let kinds = |name: &[u8], flags: u8| {
        let (grf, report) = read(&archive(Version::V200, &[file(name, b"x", flags)]));
        let grf = grf.unwrap();
        (grf.typed_entries()[0].kind, grf.entry(0).unwrap().content, messages(&report))
    };
    assert_eq!(kinds(b"a.txt", 1), (Kind::File, Content::File, vec![]));
    assert_eq!(kinds(b"a.txt", 0), (Kind::Stored, Content::File, vec![]));
    assert_eq!(kinds(b"data\\a", 0), (Kind::Folder, Content::Folder, vec![]));
    assert_eq!(kinds(b"data.x\\a", 0), (Kind::Folder, Content::Folder, vec![]));
    assert_eq!(kinds(b"a.txt", 4), (Kind::Folder, Content::Folder, vec![]));
    assert_eq!(kinds(b"a.txt", 0x11), (Kind::Removed, Content::Removed, vec![]));
    let gravity =
        "warning GRF-W003: entries[0]: a.txt is encrypted with Gravity's encryption of 2026, at offset 0x2e";
    assert_eq!(kinds(b"a.txt", 0x80), (Kind::GravityCipher, Content::Unreadable, vec![gravity.to_owned()]));
    let (kind, content, reported) = kinds(b"a.txt", 0x21);
    assert_eq!((kind, content, reported.len()), (Kind::PasswordCipher, Content::Unreadable, 1));
}

#[test]
fn unreadable_files_are_reported_and_do_not_affect_others() {
    let files = [file(b"a.txt", b"first", 1), file(b"b.txt", &[b'b'; 100], 1), file(b"c.txt", b"last", 1)];
    let intact = archive(Version::V300, &files);
    let second = 46 + encrypt(Cipher::None, &packed(b"first")).len();
    let with = |at: usize, bytes: &[u8]| {
        let mut broken = intact.clone();
        broken[at..at + bytes.len()].copy_from_slice(bytes);
        let grf = read(&broken).0.unwrap();
        assert_eq!((grf.bytes(0).unwrap(), grf.bytes(2).unwrap()), (b"first".to_vec(), b"last".to_vec()));
        let error = grf.bytes(1).unwrap_err();
        assert_eq!(error.offset(), Some(second as u64));
        let report = check(&grf);
        assert_eq!(report.count(Severity::Error), 1, "{report:?}");
        assert!(messages(&report)[0].starts_with("error GRF-E004: entries[1]: b.txt: "), "{report:?}");
        error.to_string()
    };
    let at = format!(", at offset {second:#x}");
    assert_eq!(
        with(second, &[0]),
        format!(
            "entries[1]: b.txt: unsupported compression (the first byte is 0: LZMA, or specific to a private server){at}"
        )
    );
    assert_eq!(with(second, &[0xff]), format!("entries[1]: b.txt: the zlib stream is damaged{at}"));
    assert_eq!(
        with(second, &packed(b"b")),
        format!("entries[1]: b.txt: it unpacks to 1 bytes instead of 100{at}")
    );
}

#[test]
fn refuses_an_invalid_header_with_its_offset() {
    let intact = archive(Version::V200, &[file(b"a.txt", b"first", 1)]);
    let refused = |at: usize, bytes: &[u8]| {
        let mut broken = intact.clone();
        broken[at..at + bytes.len()].copy_from_slice(bytes);
        read(&broken).0.unwrap_err()
    };
    let error = refused(0, b"m");
    assert_eq!(error.to_string(), "header.magic: expected the signature \"Master of Magic\", at offset 0x0");
    let error = refused(42, &[1]);
    assert_eq!(error.kind(), ErrorKind::Unsupported);
    assert_eq!(
        error.to_string(),
        "header.version: unknown version 0x201 (known: 0x102, 0x103, 0x200, 0x300), at offset 0x2a"
    );
    let length = intact.len();
    assert_eq!(
        refused(30, &[0xff; 4]).to_string(),
        format!(
            "header.table_offset: table_offset is 0x10000002d, but the file has only {length} bytes, at offset 0x1e"
        )
    );
    let error = read(&intact[..20]).0.unwrap_err();
    assert_eq!(error.to_string(), "header.mark: expected 14 bytes, but only 4 are left, at offset 0x10");
    assert!(read(b"").0.is_err());
}

#[test]
fn refuses_an_invalid_table_or_reads_the_entries_before_the_damage() {
    let files = [file(b"a.txt", b"first", 1), file(b"b.txt", b"second", 1)];
    let intact = archive(Version::V200, &files);
    let table = 46 + 32;
    let with = |at: usize, number: u32| {
        let mut broken = intact.clone();
        broken[at..at + 4].copy_from_slice(&number.to_le_bytes());
        read(&broken)
    };
    let left = intact.len() - table - 8;
    assert_eq!(
        with(table, 0x7fff_ffff).0.unwrap_err().to_string(),
        format!(
            "table.packed: the packed size is 2147483647, but only {left} bytes are left, at offset 0x4e"
        )
    );
    let error = with(table + 4, 0x7fff_ffff).0.unwrap_err();
    assert_eq!((error.kind(), error.offset()), (ErrorKind::Limit, Some(0x52)));
    assert_eq!(
        with(table + 4, 3).0.unwrap_err().to_string(),
        "table: it unpacks to more than the expected 3 bytes, at offset 0x56"
    );
    // A wrong count is ignored, but reported.
    let (grf, report) = with(38, 1010);
    assert_eq!(grf.unwrap().count(), 2);
    assert_eq!(
        messages(&report),
        [
            "warning GRF-W001: header.count: the header declares 3 entries, but the table has 2, at offset 0x26"
        ]
    );

    // In an uncompressed table, the entries before the damage are read.
    let intact = archive(Version::V102, &files);
    let (grf, report) = read(&intact[..intact.len() - 3]);
    let grf = grf.unwrap();
    assert_eq!((grf.count(), grf.bytes(0).unwrap()), (1, b"first".to_vec()));
    assert_eq!(report.count(Severity::Error), 1, "{report:?}");
    assert!(messages(&report)[0].starts_with("error GRF-E002: 1 of 2 entries cannot be read: "));
    let first = intact.len() - 2 * 41;
    assert!(read(&intact[..first + 30]).0.is_err());
}

#[test]
fn reports_invalid_and_duplicate_names() {
    let names: [&[u8]; 6] =
        [b"data\\a.txt", b"DATA/A.TXT", b"..\\x.txt", b"C:\\x.txt", b"\xff.txt", b"data\\aux"];
    let files = names.map(|name| file(name, b"x", 1));
    let report = check(&read(&archive(Version::V200, &files)).0.unwrap());
    assert_eq!(
        messages(&report),
        [
            "warning GRF-W006: entries[1]: DATA/A.TXT has the same name as data\\a.txt (entry 0)",
            "warning GRF-W005: entries[2]: ..\\x.txt leads outside the game folder",
            "warning GRF-W005: entries[3]: C:\\x.txt is an absolute path",
            "warning GRF-W007: entries[4]: the name \u{fffd}.txt cannot be decoded in cp949",
            "note GRF-N008: entries[5]: data\\aux is not a valid file name on every system",
        ]
    );
}

#[test]
fn refuses_to_write_invalid_names() {
    let message = |files: &[(&str, &str)]| write(files).unwrap_err().to_string();
    assert_eq!(
        message(&[("data/a.txt", ""), ("Data\\A.txt", "")]),
        "\"data/a.txt\" and \"Data\\A.txt\" are the same name to the game, which ignores letter case"
    );
    assert!(message(&[("data/ü.txt", "")]).contains("cp949"));
    assert!(message(&[("../a.txt", "")]).contains("leads out"));
    let (grf, report) = read(&write::<&str, &str>(&[]).unwrap());
    assert!(grf.unwrap().count() == 0 && report.is_empty());
}

#[test]
fn descriptions_count_the_entries() {
    let files = [
        file(b"data", b"", 0),
        file(b"data\\a.rsm", b"1234", 3),
        file(b"data\\b.RSM", b"12", 1),
        file(b"data\\none", b"1", 1),
        file(b"data\\sealed.txt", b"1", 0x81),
        file(b"data\\gone.txt", b"1", 0x11),
    ];
    let grf = read(&archive(Version::V200, &files)).0.unwrap();
    let description = grf.describe(Detail::Full);
    assert_eq!(description.summary, "archive, 4 files, 8 bytes unpacked");
    assert_eq!(description.dialect, "0x200");
    let counts: Vec<_> = description.counts.iter().filter(|(name, _)| *name != "bytes packed").collect();
    assert_eq!(
        counts,
        [
            ("files", 4),
            ("bytes unpacked", 8),
            ("folders", 1),
            ("removed", 1),
            ("enciphered", 1),
            ("sealed", 1),
            (".rsm files", 2),
            (".txt files", 1),
            ("other files", 1)
        ]
    );
    assert_eq!(description.fields.root().to_value()["entries"][1]["cipher"], "mixed");
    assert_eq!(description.fields.root().to_value()["header"]["seed"], 1000);
    assert!(grf.describe(Detail::Brief).fields.root().get("entries").is_none());
}

#[test]
fn spans_cover_every_byte() {
    for version in ALL {
        let bytes = archive(version, &[file(b"a.txt", b"first", 3), file(b"b.txt", b"second", 3)]);
        let source = Source::from_bytes(&bytes[..]);
        let mut seen = Vec::new();
        let mut at = 0;
        FORMAT
            .trace(&read(&bytes).0.unwrap(), &source, &mut |span: record::Span<'_>| {
                assert!(span.end as usize <= bytes.len());
                at += span.end - span.start;
                seen.push(format!("{} = {}", span.path, span.value));
                record::Visit::Continue
            })
            .unwrap();
        assert_eq!(at as usize, bytes.len(), "{version}: {seen:#?}");
        assert_eq!(seen.last().unwrap(), "entries[1].data = b.txt");
        let has = |line: &str| assert!(seen.iter().any(|span| span == line), "{version}: {seen:#?}");
        has(&format!("header.version = {}", version.0));
        if version.is_scrambled() {
            has("entries[1].name.scrambled = b.txt");
        } else {
            has("table.stream = 2 entries, packed with zlib");
        }
    }
}

/// Bytes that do not repeat soon, but compress well.
fn long(length: usize) -> Vec<u8> {
    (0..length).map(|at| (at / 7 % 251) as u8).collect()
}

#[test]
fn large_files_are_unpacked_while_being_read() {
    let (content, small) = (long(9 << 20), long(1000));
    for (version, flags) in [(Version::V200, FILE), (Version::V103, FILE | MIXED)] {
        let bytes = archive(version, &[file(b"a.bmp", &content, flags), file(b"b.bmp", &small, flags)]);
        let grf = Grf::read(&Source::from(bytes), &mut Report::new()).unwrap();
        let large = Archive::open(&grf, 0).unwrap();
        assert!(format!("{large:?}").contains("on-demand"), "{large:?}");
        assert_eq!(large.read_all().unwrap_err().kind(), ErrorKind::Limit);
        let halves = [0..5 << 20, 5 << 20..content.len() as u64].map(|range| large.read(range).unwrap());
        assert!(halves.concat() == content);
        // Forward, backward, across the end of the decompression buffer, up to the end.
        let end = content.len() as u64;
        for range in [0..4, 10..70_000, 70_000..70_001, 5..6, 65_535..65_537, end - 3..end, end..end, 1..1] {
            let expected = &content[range.start as usize..range.end as usize];
            assert_eq!(&*large.read(range.clone()).unwrap(), expected, "{range:?}");
        }
        assert!(large.read(end..end + 1).is_err());
        // A file that is repeatedly read backward is not unpacked for each read.
        let backwards =
            (0..100).map(|at| large.read(end - 10 * at - 10..end - 10 * at)).find_map(Result::err);
        assert_eq!(backwards.unwrap().kind(), ErrorKind::Limit);
        let large = Archive::open(&grf, 0).unwrap();
        let part = large.part(100..200).unwrap();
        assert_eq!(*part.read_all().unwrap(), content[100..200]);
        assert_eq!(*Archive::open(&grf, 1).unwrap().read_all().unwrap(), *small);
    }
}

#[test]
fn unpacks_at_most_the_archive_size_and_8_mb_at_once() {
    let content = vec![0; (8 << 20) + 1_000_000];
    let grf = Grf::read(
        &Source::from(archive(Version::V200, &[file(b"a.bmp", &content, FILE)])),
        &mut Report::new(),
    )
    .unwrap();
    let large = Archive::open(&grf, 0).unwrap();
    let error = large.read_all().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Limit);
    assert!(error.message().starts_with("a.bmp unpacks to 9,388,608 bytes, which is more than"), "{error}");
    // It can still be copied and inspected.
    assert_eq!(*large.head(3).unwrap(), [0; 3]);
    assert_eq!(large.read(1_000_000..2_000_000).unwrap().len(), 1_000_000);
}

#[test]
fn small_archives_have_a_lower_entry_limit() {
    let empty: Vec<_> = (0..40_000).map(|number| file(format!("{number}.x").as_bytes(), b"", FILE)).collect();
    let bytes = archive(Version::V200, &empty);
    let most = max_entries(bytes.len() as u64);
    assert!((1 << 15..40_000).contains(&most), "{most}");
    let error = Grf::read(&Source::from(bytes), &mut Report::new()).unwrap_err();
    assert_eq!((error.kind(), error.path().as_str()), (ErrorKind::Limit, "entries"));
    let own: Vec<_> = empty.iter().map(|file| (name::decode(&file.name).into_owned(), Vec::new())).collect();
    assert_eq!(write(&own).unwrap_err().kind(), ErrorKind::Limit);
    assert_eq!((max_entries(1 << 40), max_entries(0)), (MAX_ENTRIES, 1 << 15));
}

fn any_files() -> impl Strategy<Value = Vec<(String, Vec<u8>)>> {
    let name = r"(data/)?[a-z가-힣]{1,8}(/[A-Za-z0-9 _가-힣]{1,8}){0,3}\.[a-z]{3}";
    let bytes = prop_oneof![
        proptest::collection::vec(any::<u8>(), 0..600),
        (any::<u8>(), 0_usize..20_000).prop_map(|(byte, length)| vec![byte; length]),
    ];
    proptest::collection::btree_map(name, bytes, 0..12).prop_map(|files| {
        let mut seen = std::collections::HashSet::new();
        files.into_iter().filter(|(name, _)| seen.insert(name.to_lowercase())).collect()
    })
}

proptest! {
    #[test]
    fn reads_what_it_writes(files in any_files()) {
        let bytes = write(&files).unwrap();
        prop_assert_eq!(&bytes, &write(&files).unwrap());
        let (grf, report) = read(&bytes);
        let grf = grf.unwrap();
        prop_assert!(report.is_empty());
        prop_assert_eq!(grf.count(), files.len());
        for (index, (name, content)) in files.iter().enumerate() {
            prop_assert_eq!(&grf.entry(index).unwrap().name.replace('\\', "/"), name);
            prop_assert!(grf.bytes(index).unwrap() == *content);
        }
    }

    #[test]
    fn damaged_archives_are_read_or_refused(
        version in 0_usize..4,
        at in 0_usize..400,
        noise in proptest::collection::vec(any::<u8>(), 1..9),
    ) {
        let files = [file(b"data\\a.gnd", &[7; 3000], 5), file(b"b.txt", b"second", 3), file(b"c", b"", 0)];
        let mut bytes = archive(ALL[version], &files);
        let end = (at + noise.len()).min(bytes.len());
        for (to, from) in bytes[at.min(end)..end].iter_mut().zip(noise) {
            *to = from;
        }
        let length = bytes.len() as u64;
        match read(&bytes).0 {
            Err(error) => prop_assert!(error.offset().is_some_and(|at| at <= length), "{error}"),
            Ok(grf) => {
                check(&grf);
                for index in 0..grf.count() {
                    if let Err(error) = grf.bytes(index) {
                        prop_assert!(error.offset().is_none_or(|at| at <= length), "{error}");
                    }
                }
            }
        }
    }
}
