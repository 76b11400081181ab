//! Every reader, and every operation on the files it opens, returns a result or an error for any bytes.

use antiquary::asset::{MemorySink, OptionValue, Span, Visit};
use antiquary::{Asset, Context, Detail, Format, Install, Options, Report, Source, Target};

use crate::subject::{formats, open};

/// Maximum number of archive entries to open.
const MAX_ENTRIES: usize = 64;

pub(crate) fn run(bytes: &[u8]) {
    let source = Source::from(bytes.to_vec());
    // Detect by content alone, and with the extension of each format.
    let _ = antiquary::detect(&source, None);
    for format in formats() {
        let name = format.extensions.first().map(|extension| format!("file.{extension}"));
        let _ = antiquary::detect(&source, name.as_deref());
        if let Some(asset) = open(format, &source) {
            use_everything(format, &*asset, &source);
        }
    }
}

fn use_everything(format: &'static Format, asset: &dyn Asset, source: &Source) {
    let _ = asset.describe(Detail::Brief);
    let _ = asset.describe(Detail::Full);
    let _ = format.trace(asset, source, &mut |span: Span<'_>| {
        assert!(span.start <= span.end && span.end <= source.len(), "{span:?} is outside the file");
        Visit::Continue
    });
    let install = Install::empty();
    // Only one combination is tried for each input, because trying all of them would be slow.
    let choice = checksum(source);
    let options = match choice.is_multiple_of(2) {
        true => Options::defaults(format.options),
        false => every_option(format),
    };
    let context = Context { install: &install, location: None, options: &options };
    asset.check(&context, &mut Report::new());
    let outputs = format.outputs();
    if let Some(output) = outputs.iter().cycle().nth(choice / 2) {
        let target = Target::new("file", 1.0);
        let (mut sink, mut report) = (MemorySink::new(), Report::new());
        let _ = format.convert(asset, output.extension, &context, target, &mut sink, &mut report);
    }
    if let Some(archive) = format.archive_of(asset) {
        for index in 0..archive.count().min(MAX_ENTRIES) {
            let _ = archive.open(index);
        }
    }
}

/// A checksum that selects the combination, so that each file always gets the same one.
fn checksum(source: &Source) -> usize {
    let bytes = source.read_all().expect("the source is in memory");
    bytes.iter().fold(0, |sum: u8, byte| sum.wrapping_add(*byte)).into()
}

/// All options of a format, with non-default values where possible.
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
