//! Golden dumps of `info --full` for a small file of each format and version. The dumps are in `tests/golden`.
//!
//! After a deliberate change: `INSTA_UPDATE=always cargo test -p antiquary --test suite golden`, then review the difference.

use std::collections::BTreeSet;
use std::path::Path;

use antiquary::asset::MemorySink;
use antiquary::{Context, Detail, Install, Options, Report, Source, json, sample};
use json::{Value, json};

/// Maximum number of lines of a dump; a longer one would not be readable.
const MAX_LINES: usize = 300;

/// Longer texts and lists are truncated and followed by a checksum of the full content.
const MAX_TEXT_LENGTH: usize = 200;
const MAX_LIST_LENGTH: usize = 64;

/// Dump of a small file.
struct Dump {
    /// Name of the snapshot: `redguard.3d-v2.6.3d`.
    name: String,
    format: &'static str,
    dialect: String,
    text: String,
}

fn dumps() -> Vec<Dump> {
    let mut sink = MemorySink::new();
    sample::specimens(&mut sink).unwrap();
    sink.files().iter().map(|(path, bytes)| dump(path, bytes)).collect()
}

fn dump(path: &str, bytes: &[u8]) -> Dump {
    let opened = antiquary::CATALOG.open_source(Source::from(bytes.to_vec()), Some(path)).unwrap();
    let format = opened.format;
    let (folders, file) = path.rsplit_once('/').unwrap();
    assert_eq!(folders.replace('/', "."), format.id, "{path} is recognized as another format");
    let description = opened.asset.describe(Detail::Full);
    let (install, options) = (Install::empty(), Options::defaults(format.options));
    let context = Context { install: &install, location: None, options: &options };
    let mut checked = Report::new();
    opened.asset.check(&context, &mut checked);
    let warnings: Vec<_> =
        opened.report.iter().chain(checked.iter()).map(|warning| warning.code.id).collect();
    let dialect = description.dialect.clone();
    let shown = json!({
        "format": format.id,
        "bytes": bytes.len(),
        "description": shortened(json::to_value(description).unwrap()),
        "warnings": warnings,
    });
    let text = String::from_utf8(json::pretty(shown.to_string().as_bytes())).unwrap();
    Dump { name: format!("{}-{file}", format.id), format: format.id, dialect, text }
}

/// Replaces most of a long value, such as a palette or the pixels of an image, by a checksum.
fn shortened(value: Value) -> Value {
    match value {
        Value::String(text) if text.len() > MAX_TEXT_LENGTH => {
            let start: String = text.chars().take(32).collect();
            format!("{start}... ({} letters, checksum {:08x})", text.len(), checksum(&text)).into()
        }
        Value::Array(items) if items.len() > MAX_LIST_LENGTH => {
            let rest =
                format!("... ({} items, checksum {:08x})", items.len(), checksum(&json!(items).to_string()));
            items.into_iter().take(4).map(shortened).chain([rest.into()]).collect()
        }
        Value::Array(items) => items.into_iter().map(shortened).collect(),
        Value::Object(fields) => fields.into_iter().map(|(name, value)| (name, shortened(value))).collect(),
        other => other,
    }
}

fn checksum(text: &str) -> u32 {
    text.bytes().fold(0, |sum: u32, byte| sum.wrapping_mul(31).wrapping_add(byte.into()))
}

#[test]
fn descriptions_match_the_golden_dumps() {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("../golden");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    let mut known = BTreeSet::new();
    settings.bind(|| {
        for dump in dumps() {
            let lines = dump.text.lines().count();
            assert!(lines <= MAX_LINES, "{} takes {lines} lines: make the file smaller", dump.name);
            assert!(known.insert(format!("{}.snap", dump.name)), "{} twice", dump.name);
            insta::assert_snapshot!(dump.name, dump.text);
        }
    });
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    let files = std::fs::read_dir(folder).unwrap();
    let files: BTreeSet<_> = files.map(|file| file.unwrap().file_name().into_string().unwrap()).collect();
    let left: Vec<_> = files.difference(&known).filter(|name| name.ends_with(".snap")).collect();
    assert!(left.is_empty(), "dumps of files that no longer exist: {left:?}");
}

/// Returns the versions that formats declare, as displayed.
fn declared_versions() -> Vec<(&'static str, String)> {
    use antiquary::{ragnarok, redguard};
    let models = redguard::model::Version::ALL.map(|version| ("redguard.3d", version.to_string()));
    let rsm = ragnarok::rsm::Version::KNOWN.map(|version| ("ragnarok.rsm", version.to_string()));
    let grf = ragnarok::grf::Version::KNOWN.map(|version| ("ragnarok.grf", version.to_string()));
    models.into_iter().chain(rsm).chain(grf).collect()
}

/// Dialects and packings, which are not declared anywhere in the program.
const DIALECTS: &[(&str, &[&str])] = &[
    ("scpcb.rmesh", &["RoomMesh", "RoomMesh.HasTriggerBox", "RM", "RoomMesh2"]),
    ("scpcb.x", &["text", "binary", "compressed text", "compressed binary"]),
    ("paint.smk", &["SMK2", "SMK4"]),
];

#[test]
fn every_format_and_version_has_a_dump() {
    let dumps = dumps();
    let formats: BTreeSet<_> = dumps.iter().map(|dump| dump.format).collect();
    let missing: Vec<_> =
        antiquary::formats().map(|format| format.id).filter(|id| !formats.contains(id)).collect();
    assert!(missing.is_empty(), "no small file of {missing:?}: see the samples' `specimens`");
    for (format, version) in declared_versions() {
        let is_shown = dumps.iter().any(|dump| dump.format == format && dump.dialect == version);
        assert!(is_shown, "no small file of {format} in version {version}");
    }
    for (format, dialects) in DIALECTS {
        for dialect in *dialects {
            let starts = |dump: &Dump| {
                let rest = dump.dialect.strip_prefix(dialect);
                rest.is_some_and(|rest| rest.is_empty() || rest.starts_with([',', ' ']))
            };
            let is_shown = dumps.iter().any(|dump| dump.format == *format && starts(dump));
            assert!(is_shown, "no small file of {format} as {dialect}");
        }
    }
}
