//! Structures on disk are declared with the derive macro, not written by hand; every exception has a reason.

use std::path::Path;

/// Number of exceptions that would indicate that the derive macro lacks a feature.
const TOO_MANY: usize = 15;

/// Collects the manual implementations of `Record`, as file and line, with the line above.
fn by_hand(folder: &Path, out: &mut Vec<(String, String)>) {
    let mut entries: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        let name = path.file_name().unwrap().to_str().unwrap();
        if path.is_dir() && !["record", "record-derive", "tests", "target"].contains(&name) {
            by_hand(&path, out);
        } else if name.ends_with(".rs") && !name.starts_with("tests") {
            let text = std::fs::read_to_string(&path).unwrap();
            let mut above = "";
            for (number, line) in (1..).zip(text.lines()) {
                if line.starts_with("impl") && line.contains(" Record for ") {
                    out.push((format!("{}:{number}: {line}", path.display()), above.to_string()));
                }
                let continues = line.starts_with("///") || line.starts_with("#[by_hand");
                if !(continues && above.starts_with("/// Implemented by hand: ")) {
                    above = line;
                }
            }
        }
    }
}

#[test]
fn few_records_are_hand_written_and_each_has_a_reason() {
    let mut found = Vec::new();
    by_hand(&Path::new(env!("CARGO_MANIFEST_DIR")).join(".."), &mut found);
    let lines: Vec<&str> = found.iter().map(|(line, _)| line.as_str()).collect();
    assert!(lines.iter().any(|line| line.contains("Record for Glide")), "nothing was searched: {lines:#?}");
    assert!(lines.len() < TOO_MANY, "{} are too many: {lines:#?}", lines.len());
    let silent: Vec<_> =
        found.iter().filter(|(_, above)| !above.starts_with("/// Implemented by hand: ")).collect();
    assert!(silent.is_empty(), "without a reason (`/// Implemented by hand: ...` above it): {silent:#?}");
}
