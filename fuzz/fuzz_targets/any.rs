//! Whatever the bytes are, every reader and everything that can be done with what it reads ends with a result or an error.
#![no_main]

use antiquary::asset::OptionValue;
use antiquary::{
    Asset, Context, Detail, Format, Install, Options, Report, Source, Target, asset::MemorySink, asset::Visit,
};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let source = Source::from(bytes.to_vec());
    // By content alone, and by the name that each format goes by.
    let _ = antiquary::detect(&source, None);
    for format in antiquary::formats() {
        let name = format.extensions.first().map(|extension| format!("file.{extension}"));
        let _ = antiquary::detect(&source, name.as_deref());
        let mut report = Report::new();
        match (format.open)(&source, &mut report) {
            Ok(asset) => use_everything(format, &*asset, &source),
            Err(error) => assert_located(&error, &source),
        }
    }
});

/// An error stands within the file.
fn assert_located(error: &antiquary::Error, source: &Source) {
    assert!(error.offset().is_none_or(|offset| offset <= source.len()), "{error} lies outside the file");
    assert!(!error.to_string().is_empty());
}

fn use_everything(format: &'static Format, asset: &dyn Asset, source: &Source) {
    let _ = asset.describe(Detail::Brief);
    let _ = asset.describe(Detail::Full);
    let _ = asset.spans(source, &mut |span: antiquary::asset::Span<'_>| {
        assert!(span.start <= span.end && span.end <= source.len(), "{span:?} lies outside the file");
        Visit::Continue
    });
    let install = Install::nowhere();
    // One way of many is tried each time: all of them at once would be slow, and files come by thousands.
    let choice = checksum(source);
    let options =
        if choice.is_multiple_of(2) { Options::defaults(format.options) } else { every_option(format) };
    let context = Context { install: &install, place: None, options: &options };
    asset.check(&context, &mut Report::new());
    if let Some(output) = format.outputs.iter().cycle().nth(choice / 2) {
        let target = Target { output, stem: "file", scale: 1.0 };
        let _ = asset.export(&context, &target, &mut MemorySink::new(), &mut Report::new());
    }
    if let Some(archive) = asset.archive() {
        for index in 0..archive.entries().len().min(64) {
            let _ = archive.open(index);
        }
    }
}

/// The same for the same file.
fn checksum(source: &Source) -> usize {
    let bytes = source.read_all().expect("it is in memory");
    bytes.iter().fold(0, |sum: u8, byte| sum.wrapping_add(*byte)).into()
}

/// Everything that can be switched on, switched on.
fn every_option(format: &'static Format) -> Options {
    let words = |values: &[(&'static str, _)]| values.iter().map(|(word, _)| *word).collect::<Vec<_>>();
    let given: Vec<_> = format
        .options
        .iter()
        .filter_map(|option| {
            let value = match option.value {
                OptionValue::Flag => String::new(),
                OptionValue::Choice { values, .. } => words(values).last()?.to_string(),
                OptionValue::Words { values } => words(values).join(","),
                OptionValue::Number { most, .. } => most.to_string(),
                OptionValue::Text { .. } => return None,
            };
            Some((option.name.to_owned(), value))
        })
        .collect();
    Options::parse(format.options, &given).expect("declared options are accepted")
}
