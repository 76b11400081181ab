//! A skipped test is reported although the test harness captures its output.

use std::path::Path;
use std::process::Command;

/// The environment variable that makes the test below skip itself.
const INNER: &str = "ANTIQUARY_SKIP_TEST";

#[test]
fn reports_a_skipped_test_once() {
    if std::env::var_os(INNER).is_some() {
        antiquary_corpus::skip("needs a disk");
        antiquary_corpus::skip("needs a disk");
        return;
    }
    let list = Path::new(env!("CARGO_TARGET_TMPDIR")).join("skipped-tests.txt");
    let _ = std::fs::remove_file(&list);
    let output = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "reports_a_skipped_test_once"])
        .env(INNER, "1")
        .env("ANTIQUARY_SKIPPED", &list)
        .output()
        .unwrap();
    let expected = "antiquary-corpus: reports_a_skipped_test_once: needs a disk\n";
    assert_eq!(std::fs::read_to_string(&list).unwrap(), expected);
    let shown = String::from_utf8(output.stderr).unwrap();
    assert_eq!(shown.matches(&format!("SKIPPED: {expected}")).count(), 1, "{shown}");
}
