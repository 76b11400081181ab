//! WAV files built from chunks.

use asset::{Install, Options, Probe};
use proptest::prelude::*;

use super::*;
use crate::specimen::sound::{riff, wav_format};

fn read(bytes: &[u8]) -> Result<Wav> {
    Wav::read(&Source::from(bytes.to_vec()))
}

fn codes(bytes: &[u8]) -> Vec<&'static str> {
    let (install, options) = (Install::empty(), Options::defaults(&[]));
    let context = Context { install: &install, location: None, options: &options };
    let mut report = Report::new();
    read(bytes).unwrap().check(&context, &mut report);
    report.iter().map(|warning| warning.code.id).collect()
}

fn pcm() -> Vec<u8> {
    wav_format(1, 2, 8000, 16)
}

#[test]
fn reads_duration_rate_and_channels_from_the_headers() {
    let wav = read(&riff(&[(b"LIST", vec![1; 3]), (b"fmt ", pcm()), (b"data", vec![0; 16_000])])).unwrap();
    assert_eq!(wav.seconds, Some(0.5));
    assert_eq!(wav.describe(Detail::Brief).summary, "sound, 16-bit PCM, stereo, 8,000 Hz, 0.50 seconds");
}

#[test]
fn computes_the_duration_of_compressed_sounds_from_frames_or_bytes() {
    let form = wav_format(0x11, 1, 8000, 4);
    let frames = 12_000_u32.to_le_bytes().to_vec();
    let sound = |chunks: &[(&[u8; 4], Vec<u8>)]| read(&riff(chunks)).unwrap().seconds;
    assert_eq!(sound(&[(b"fmt ", form.clone()), (b"fact", frames), (b"data", vec![0; 40])]), Some(1.5));
    // Four bits per sample.
    assert_eq!(sound(&[(b"fmt ", form), (b"data", vec![0; 2000])]), Some(0.5));
    let mut extensible = wav_format(EXTENSIBLE, 1, 8000, 32);
    extensible.extend([22, 0, 32, 0, 0, 0, 0, 0, 3, 0]);
    let wav = read(&riff(&[(b"fmt ", extensible), (b"data", vec![0; 4000])])).unwrap();
    assert_eq!((wav.encoding, wav.encoding_name().as_str()), (3, "32-bit float"));
}

#[test]
fn reports_and_ignores_missing_samples() {
    let mut bytes = riff(&[(b"fmt ", pcm()), (b"data", vec![0; 16_000])]);
    assert!(codes(&bytes).is_empty());
    bytes.truncate(bytes.len() - 8000);
    assert_eq!((codes(&bytes), read(&bytes).unwrap().seconds), (vec!["WAV-W001"], Some(0.25)));
    let silent = riff(&[(b"fmt ", wav_format(1, 0, 0, 16)), (b"data", vec![0; 4])]);
    assert_eq!((codes(&silent), read(&silent).unwrap().seconds), (vec!["WAV-E002"], None));
}

#[test]
fn refuses_files_without_a_format_or_samples() {
    let error = |chunks: &[(&[u8; 4], Vec<u8>)]| read(&riff(chunks)).unwrap_err().to_string();
    assert_eq!(error(&[(b"data", vec![0; 4])]), "no format before the samples, at offset 0xc");
    assert_eq!(error(&[(b"fmt ", pcm())]), "no samples, at offset 0x24");
    assert_eq!(
        error(&[(b"fmt ", vec![0; 6]), (b"data", vec![])]),
        "no format before the samples, at offset 0x1a"
    );
    // Many chunks, none of them with samples.
    let many = vec![(b"junk", Vec::new()); 1000];
    assert!(read(&riff(&many)).is_err());
    let probe = |bytes: &[u8]| (FORMAT.probe)(&Probe::new(bytes, bytes.len() as u64, Some("a.wav")));
    assert_eq!((probe(b"ID3\x03 and more"), probe(&riff(&[]))), (Some(Score::NEVER), Some(Score::CERTAIN)));
}

proptest! {
    #[test]
    fn changed_bytes_do_not_panic(at in 0_usize..100, value: u8, length in 0_usize..100) {
        let mut bytes = riff(&[(b"fmt ", pcm()), (b"fact", vec![1; 4]), (b"data", vec![0; 40])]);
        let at = at % bytes.len();
        bytes[at] = value;
        bytes.truncate(length);
        if let Ok(wav) = read(&bytes) {
            wav.describe(Detail::Full);
        }
    }
}
