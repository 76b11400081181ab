//! Videos without image data.

use record::write_whole;

use super::*;
use asset::FixedText;
use proof::{assert_round_trip, checked, single_warning};

/// The header of the game's INTRO.SMK, with three frames.
fn header() -> Header {
    Header {
        version: FixedText(*b"SMK2"),
        width: 640,
        height: 240,
        frames: 3,
        timing: -6666,
        flags: flag::DOUBLED,
        audio_sizes: [1000, 0, 0, 0, 0, 0, 0],
        trees_size: 10,
        tree_sizes: [1, 2, 3, 4],
        audio_rates: [0xf000_5622, 0, 0, 0, 0, 0, 0],
        unknown_0x64: 0,
    }
}

/// Frame sizes of 8, 4 and 12 bytes; one of them has flag bits set.
fn video(header: &Header) -> Vec<u8> {
    let mut out = write_whole(header, ()).unwrap();
    out.extend([8, 4 | 1, 12].into_iter().flat_map(u32::to_le_bytes));
    out.resize(104 + 12 + 3 + 10 + 24, 0);
    out
}

fn read(bytes: &[u8]) -> Video {
    Video::read(&Source::from_bytes(bytes)).unwrap()
}

#[test]
fn fields_have_the_documented_offsets() {
    let bytes = write_whole(&header(), ()).unwrap();
    assert_eq!(
        (bytes.len(), &bytes[..4], bytes[12], bytes[20], bytes[52], bytes[56]),
        (104, &b"SMK2"[..], 3, 2, 10, 1)
    );
    assert_eq!(bytes[72..76], [0x22, 0x56, 0, 0xf0]);
    assert_round_trip(&header(), &bytes);
}

#[test]
fn decodes_frame_rate_and_tracks() {
    let read_video = read(&video(&header()));
    let facts = read_video.facts();
    assert!((facts["frames_per_second"].as_f64().unwrap() - 15.0015).abs() < 1e-4);
    let track = json!({ "track": 0, "rate": 22050, "bits": 16, "channels": 2, "packed": true });
    assert_eq!((&facts["tracks"], &facts["rows_are_doubled"]), (&json!([track]), &json!(true)));
    assert!(
        read_video
            .describe(Detail::Brief)
            .summary
            .ends_with("1 audio track; play it with ffmpeg or any player")
    );
    for (timing, speed) in [(40, 25.0), (0, 10.0), (i32::MIN, 100_000.0 / 2_147_483_648.0)] {
        let header = Header { timing, ..header() };
        assert!((header.frames_per_second() - speed).abs() < 1e-9);
        assert!((header.frame_time().as_secs_f64() * speed - 1.0).abs() < 1e-9);
    }
}

#[test]
fn reports_a_truncated_video() {
    let complete = video(&header());
    assert!(checked(&FORMAT, &read(&complete)).is_empty());
    let cut = checked(&FORMAT, &read(&complete[..complete.len() - 1]));
    assert_eq!(
        single_warning(&cut, &warning::CUT),
        "error SMK-E001: the video needs 153 bytes, but the file has 152, at offset 0x98"
    );
    single_warning(&checked(&FORMAT, &read(&complete[..110])), &warning::CUT);
    single_warning(&checked(&FORMAT, &read(&[&complete[..], &[0]].concat())), &warning::LEFT_OVER);
    single_warning(&checked(&FORMAT, &read(&video(&Header { width: 0, ..header() }))), &warning::SIZE);
    // Invalid counts must not allocate memory.
    single_warning(&checked(&FORMAT, &read(&video(&Header { frames: u32::MAX, ..header() }))), &warning::CUT);
    // The ring frame is one more frame.
    single_warning(
        &checked(&FORMAT, &read(&video(&Header { flags: flag::RING, ..header() }))),
        &warning::CUT,
    );
    let error = |bytes: &[u8]| Video::read(&Source::from_bytes(bytes)).unwrap_err();
    assert!(error(&complete[..103]).offset().unwrap() <= 103);
    assert_eq!(
        error(&[&b"SMK3"[..], &complete[4..]].concat()).to_string(),
        "version: expected \"SMK2\" or \"SMK4\", found \"SMK3\", at offset 0x0"
    );
}

#[test]
fn every_byte_has_a_span() {
    for length in [104, 110, 118, 130, 153] {
        let bytes = &video(&header())[..length];
        let mut next = 0;
        let mut visit = |span: Span<'_>| {
            assert_eq!(span.start, next, "{span:?}");
            next = span.end;
            Visit::Continue
        };
        FORMAT.trace(&read(bytes), &Source::from_bytes(bytes), &mut visit).unwrap();
        assert_eq!(next, length as u64);
    }
}
