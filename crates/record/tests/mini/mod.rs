//! What the tests of the made-up formats share.

use antiquary_record::{Record, Span, Visit, read_whole, trace_whole};

/// Every span of a file as (path, value). Fails unless the spans cover every byte, none twice unless shared.
pub(crate) fn explained<T: Record<Context = ()>>(bytes: &[u8]) -> Vec<(String, String)> {
    let mut known = vec![false; bytes.len()];
    let mut out = Vec::new();
    let mut visit = |span: Span<'_>| {
        known[span.start as usize..span.end as usize].fill(true);
        out.push((span.path.to_string(), span.value.to_string()));
        Visit::Continue
    };
    trace_whole::<T>(bytes, (), &mut visit).unwrap();
    assert_eq!(known.iter().position(|known| !known), None, "a byte is not explained: {out:#?}");
    out
}

/// A sound file cut anywhere, and with every byte turned into 0xff or 0x7f, is read or refused, with an offset in the file.
pub(crate) fn refuses<T: Record<Context = ()>>(sound: &[u8]) {
    for length in 0..sound.len() {
        let error = read_whole::<T>(&sound[..length], ())
            .err()
            .unwrap_or_else(|| panic!("cut at {length}: no error"));
        let offset = error.offset().unwrap_or_else(|| panic!("cut at {length}: no offset: {error}"));
        assert!(offset <= length as u64, "cut at {length}: {error}");
    }
    for at in 0..sound.len() {
        for value in [0xff, 0x7f, 0] {
            let mut bytes = sound.to_vec();
            bytes[at] = value;
            if let Err(error) = read_whole::<T>(&bytes, ()) {
                assert!(
                    error.offset().is_some_and(|offset| offset <= sound.len() as u64),
                    "byte {at}: {error}"
                );
            }
        }
    }
}
