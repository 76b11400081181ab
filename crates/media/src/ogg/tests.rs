//! Streams of two pages.

use asset::{Install, Options, Probe};
use proptest::prelude::*;

use super::*;
use crate::specimen::sound::{page, vorbis};

fn read(bytes: &[u8]) -> Result<Ogg> {
    Ogg::read(&Source::from(bytes.to_vec()))
}

fn codes(bytes: &[u8]) -> Vec<&'static str> {
    let (install, options) = (Install::empty(), Options::defaults(&[]));
    let context = Context { install: &install, location: None, options: &options };
    let mut report = Report::new();
    read(bytes).unwrap().check(&context, &mut report);
    report.iter().map(|warning| warning.code.id).collect()
}

fn first() -> Vec<u8> {
    page(2, 0, 7, &vorbis(2, 22_050))
}

#[test]
fn reads_duration_rate_and_channels_from_the_first_and_last_page() {
    let ogg = read(&[first(), page(4, 33_075, 7, &[9; 40])].concat()).unwrap();
    assert_eq!((ogg.channels, ogg.rate, ogg.seconds), (2, 22_050, Some(1.5)));
    let described = ogg.describe(Detail::Brief);
    assert_eq!(described.summary, "sound, Vorbis, stereo, 22,050 Hz, 1.50 seconds");
    assert_eq!(described.counts.get("seconds"), 2);
    let opus =
        [&b"OpusHead\x01\x01"[..], &312_u16.to_le_bytes(), &44_100_u32.to_le_bytes(), &[0; 3]].concat();
    let ogg = read(&[page(2, 0, 1, &opus), page(4, 48_312, 1, &[9; 40])].concat()).unwrap();
    assert_eq!((ogg.codec, ogg.channels, ogg.rate, ogg.seconds), (Codec::Opus, 1, 44_100, Some(1.0)));
}

#[test]
fn ignores_pages_of_other_streams_and_without_a_packet_end() {
    let pages =
        [first(), page(0, 22_050, 7, &[1; 9]), page(4, u64::MAX, 7, &[2; 9]), page(4, 99, 8, &[3; 9])];
    let ogg = read(&pages.concat()).unwrap();
    assert_eq!((ogg.seconds, ogg.is_complete), (Some(1.0), false));
}

#[test]
fn reports_streams_without_an_end() {
    assert!(codes(&[first(), page(4, 99, 7, &[1; 9])].concat()).is_empty());
    assert_eq!(codes(&[first(), page(0, 99, 7, &[1; 9])].concat()), ["OGG-N002"]);
    let far = [first(), vec![0; 70_000]].concat();
    assert_eq!((codes(&far), read(&far).unwrap().seconds), (vec!["OGG-W001"], None));
}

#[test]
fn refuses_other_files_with_the_extension() {
    let probe = |bytes: &[u8]| (FORMAT.probe)(&Probe::new(bytes, bytes.len() as u64, Some("a.ogg")));
    assert_eq!(probe(&first()), Some(Score::CERTAIN));
    assert_eq!(probe(&[&b"ID3\x03"[..], &[0; 80]].concat()), Some(Score::NEVER));
    assert_eq!(probe(&page(2, 0, 7, &[&b"\x80theora\x03\x02"[..], &[0; 40]].concat())), Some(Score::NEVER));
    assert_eq!(probe(&first()[..40]), None);
    assert_eq!(read(&page(2, 0, 7, &vorbis(0, 44_100))).unwrap_err().offset(), Some(0));
}

proptest! {
    #[test]
    fn changed_bytes_do_not_panic(at in 0_usize..100, value: u8, length in 0_usize..110) {
        let mut bytes = [first(), page(4, 33_075, 7, &[9; 40])].concat();
        let at = at % bytes.len();
        bytes[at] = value;
        bytes.truncate(length);
        if let Ok(ogg) = read(&bytes) {
            ogg.describe(Detail::Full);
        }
    }
}
