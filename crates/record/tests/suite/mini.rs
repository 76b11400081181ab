//! Shared checks of the synthetic formats.

use antiquary_record::{Record, Span, Visit, read_whole, trace_whole};

/// Returns every span of a file as (path, value). Panics unless the spans cover every byte.
pub(crate) fn span_values<T: Record<Context = ()>>(bytes: &[u8]) -> Vec<(String, String)> {
    let mut covered = vec![false; bytes.len()];
    let mut out = Vec::new();
    let mut visit = |span: Span<'_>| {
        covered[span.start as usize..span.end as usize].fill(true);
        out.push((span.path.to_string(), span.value.to_string()));
        Visit::Continue
    };
    trace_whole::<T>(bytes, (), &mut visit).unwrap();
    assert_eq!(covered.iter().position(|covered| !covered), None, "a byte is in no span: {out:#?}");
    out
}

/// Checks that a valid file is refused with an offset if it is truncated at any byte, and that every error after setting one byte to
/// 0xff, 0x7f or 0 has an offset within the file.
pub(crate) fn check_damaged<T: Record<Context = ()>>(valid: &[u8]) {
    for length in 0..valid.len() {
        let error = read_whole::<T>(&valid[..length], ())
            .err()
            .unwrap_or_else(|| panic!("cut at {length}: no error"));
        let offset = error.offset().unwrap_or_else(|| panic!("cut at {length}: no offset: {error}"));
        assert!(offset <= length as u64, "cut at {length}: {error}");
    }
    for at in 0..valid.len() {
        for value in [0xff, 0x7f, 0] {
            let mut bytes = valid.to_vec();
            bytes[at] = value;
            if let Err(error) = read_whole::<T>(&bytes, ()) {
                assert!(
                    error.offset().is_some_and(|offset| offset <= valid.len() as u64),
                    "byte {at}: {error}"
                );
            }
        }
    }
}
