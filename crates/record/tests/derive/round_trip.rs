//! Reads bytes as a record, traces them, and writes them back.

use antiquary_record::{Record, Span, Visit, read_whole, trace_whole, write_whole};

/// Returns the record that `bytes` hold and the spans of its fields as `path = value`.
///
/// Panics if writing the record does not return the same bytes, or if the spans do not cover every byte.
pub fn round_trip<T: Record>(bytes: &[u8], context: T::Context) -> (T, Vec<String>) {
    let record: T = read_whole(bytes, context).unwrap();
    assert_eq!(write_whole(&record, context).unwrap(), bytes);

    let mut covered = vec![false; bytes.len()];
    let mut spans = Vec::new();
    let mut visit = |span: Span<'_>| {
        covered[span.start as usize..span.end as usize].fill(true);
        spans.push(format!("{} = {}", span.path, span.value));
        Visit::Continue
    };
    trace_whole::<T>(bytes, context, &mut visit).unwrap();
    assert_eq!(covered.iter().position(|covered| !covered), None, "{spans:#?}");
    (record, spans)
}

/// Returns the message of the error with which reading `bytes` fails.
pub fn read_error<T: Record>(bytes: &[u8], context: T::Context) -> String {
    match read_whole::<T>(bytes, context) {
        Ok(_) => panic!("expected an error"),
        Err(error) => error.to_string(),
    }
}
