//! Exact texts of the help and of errors for invalid command lines. `TRYCMD=overwrite` updates them.

#[test]
fn help_and_usage_errors() {
    trycmd::TestCases::new()
        .register_bin("antiquary", std::path::Path::new(env!("CARGO_BIN_EXE_antiquary")))
        .env("COLUMNS", "100")
        .case("tests/cmd/*.trycmd");
}
