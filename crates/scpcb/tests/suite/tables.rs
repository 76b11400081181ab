//! Round trips of real tables and maps, and the generated list of tables in the book.

use std::fmt::Write;
use std::path::Path;

use antiquary_scpcb::ini::table::schema;
use asset::unpack::TypedParts;
use asset::{Context, Detail, Format, Options, Parts, Report, Unpacked};
use record::Source;

static GAMES: &[&asset::GameInfo] = &[&antiquary_scpcb::GAME];

/// Numbers of tables and maps in the public corpus.
const TABLES: usize = 8;
const MAPS: usize = 2;

fn format_of(path: &Path, bytes: &[u8]) -> &'static Format {
    let name = path.file_name().unwrap().to_str().unwrap();
    let probe = asset::Probe::new(bytes, bytes.len().try_into().unwrap(), Some(name));
    let fits = |format: &&&Format| (format.probe)(&probe).is_some_and(|score| score > asset::Score::NEVER);
    let by_extension = |format: &&&Format| probe.has_extension(format.extensions);
    antiquary_scpcb::FORMATS
        .iter()
        .find(fits)
        .or_else(|| antiquary_scpcb::FORMATS.iter().find(by_extension))
        .expect(name)
}

#[test]
fn every_table_and_map_round_trips_and_is_checked() {
    let Some(folder) = corpus::folder("scpcb_characters") else { return };
    let files = [corpus::files(&folder, "ini", TABLES), corpus::files(&folder, "cbmap2", MAPS)].concat();
    for path in files {
        let bytes = std::fs::read(&path).unwrap();
        let format = format_of(&path, &bytes);
        let mut report = Report::new();
        let asset = (format.open)(&Source::from_bytes(&bytes[..]), &mut report)
            .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let install = asset::game::install_around(&path, GAMES).unwrap();
        let options = Options::defaults(format.options);
        let context = Context { install: &install, location: install.location_of(&path), options: &options };
        asset.check(&context, &mut report);
        assert!(!asset.describe(Detail::Full).summary.is_empty());
        let mut typed = TypedParts::new();
        let mut parts = Parts::of_typed(&mut typed, format.id, &Source::from_bytes(&bytes[..]), "x");
        asset.unpack(&context, &mut parts, &mut report).unwrap();
        parts.finish(&mut report).unwrap();
        let again = (format.pack.unwrap())(&Unpacked::of_typed(typed).unwrap(), &mut report).unwrap();
        assert!(again == bytes, "{}", path.display());
    }
}

/// Returns the generated part of the page.
fn listed() -> String {
    let mut out = String::new();
    for schema in schema::ALL {
        let _ = writeln!(out, "### `{}`\n\n`{}`: {}.\n", schema.path, schema.id, schema.about);
        for section in schema.sections {
            let name = if section.name == "*" { "Any section" } else { &format!("`[{}]`", section.name) };
            let _ = writeln!(out, "- {name}: {}", section.about);
        }
        let _ = writeln!(out, "\n| section | key | value | description |\n| --- | --- | --- | --- |");
        let mut previous: Option<&[schema::KeyRule]> = None;
        for section in schema.sections {
            // Keys shared by several sections are listed once.
            if previous.replace(section.keys).is_some_and(|keys| std::ptr::eq(keys, section.keys)) {
                continue;
            }
            for key in section.keys {
                let name =
                    if schema.sections.len() == 1 || schema.id == "scpcb.npcs" { "" } else { section.name };
                let _ = writeln!(out, "| {name} | `{}` | {} | {} |", key.name, key.kind.about(), key.about);
            }
        }
        out.push('\n');
    }
    out
}

#[test]
fn the_page_of_tables_lists_every_key() {
    const BEGIN: &str = "<!-- begin tables -->\n";
    const END: &str = "<!-- end tables -->";
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/src/formats/scpcb-tables.md");
    let page = std::fs::read_to_string(&path).unwrap();
    let (before, rest) = page.split_once(BEGIN).unwrap();
    let (current_list, after) = rest.split_once(END).unwrap();
    let listed = format!("\n{}", listed());
    if std::env::var_os("INSTA_UPDATE").is_some_and(|value| value == "always") {
        std::fs::write(&path, format!("{before}{BEGIN}{listed}{END}{after}")).unwrap();
    } else {
        assert_eq!(
            current_list, listed,
            "run INSTA_UPDATE=always cargo test -p antiquary-scpcb --test suite tables"
        );
    }
}
