//! What the program says of itself and of wrong command lines, word by word. `TRYCMD=overwrite` writes the texts anew.

#[test]
fn help_and_usage_errors() {
    trycmd::TestCases::new()
        .register_bin("antiquary", std::path::Path::new(env!("CARGO_BIN_EXE_antiquary")))
        .env("COLUMNS", "100")
        .case("tests/cmd/*.trycmd");
}
