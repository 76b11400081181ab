//! Reading and writing of WAV files, and refused files.

use proptest::prelude::*;

use super::*;
use record::Kind;

const MONO: SampleFormat = SampleFormat { rate: 11025, channels: 1, depth: Depth::Eight };

fn looped() -> Sound {
    let form = SampleFormat { rate: 22050, channels: 2, depth: Depth::Sixteen };
    let loops = Some(vec![SampleLoop { start: 1, end: 3, times: 225 }]);
    Sound { form, data: (0..12).collect(), loops }
}

#[test]
fn writes_the_standard_wav_layout() {
    let sound = Sound { form: MONO, data: vec![1, 2, 3], loops: None };
    let bytes = b"RIFF\x28\0\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0\x11\x2b\0\0\x11\x2b\0\0\x01\0\x08\0data\x03\0\0\0\x01\x02\x03\0";
    assert_eq!(encode_wav(&sound).unwrap(), bytes);
    assert_eq!(decode_wav(bytes).unwrap(), sound);
}

#[test]
fn writes_loops_in_a_smpl_chunk_with_inclusive_ends() {
    let wav = encode_wav(&looped()).unwrap();
    let words: Vec<u32> = wav[56..].as_chunks::<4>().0.iter().map(|word| u32::from_le_bytes(*word)).collect();
    let (head, entry) = words.split_at(11);
    assert_eq!(head, [u32::from_le_bytes(*b"smpl"), 60, 0, 0, 45351, 60, 0, 0, 0, 1, 0]);
    assert_eq!(entry, [0, 0, 1, 2, 0, 225]);
    assert_eq!(decode_wav(&wav).unwrap(), looped());
}

#[test]
fn round_trips_an_empty_sound() {
    for loops in [None, Some(Vec::new())] {
        let sound = Sound { form: MONO, data: Vec::new(), loops };
        let wav = encode_wav(&sound).unwrap();
        assert_eq!(decode_wav(&wav).unwrap(), sound);
        assert_eq!(wav_length(0, sound.loops.as_ref().map(Vec::len)), wav.len() as u64);
    }
    assert_eq!((MONO.frames(2205), MONO.seconds(11025)), (2205, 1.0));
    assert_eq!(SampleFormat { rate: 0, ..MONO }.seconds(9), 0.0);
}

#[test]
fn refuses_incomplete_frames_and_invalid_loops() {
    let odd = Sound { data: vec![0; 5], ..looped() };
    assert_eq!(
        encode_wav(&odd).unwrap_err().to_string(),
        "sound: the data length 5 is not a multiple of the frame size 4"
    );
    for (start, end) in [(2, 2), (0, 4)] {
        let loops = Some(vec![SampleLoop { start, end, times: 0 }]);
        assert!(encode_wav(&Sound { loops, ..looped() }).is_err());
    }
}

/// A WAV file with this format chunk and four bytes of samples.
fn wav(format: &[u8]) -> Vec<u8> {
    let mut out = b"RIFF\0\0\0\0WAVEfmt ".to_vec();
    out.extend((format.len() as u32).to_le_bytes());
    out.extend(format);
    out.extend(b"data\x04\0\0\0abcd");
    out
}

fn form(kind: u16, channels: u16, bits: u16) -> Vec<u8> {
    let frame = channels * bits / 8;
    let mut out = [kind, channels].map(u16::to_le_bytes).concat();
    out.extend(44100_u32.to_le_bytes());
    out.extend((44100 * u32::from(frame)).to_le_bytes());
    out.extend([frame, bits].map(u16::to_le_bytes).concat());
    out
}

fn extensible(channels: u16, bits: u16, valid: u16, kind: u16) -> Vec<u8> {
    let mut out = form(0xfffe, channels, bits);
    out.extend([22, valid].map(u16::to_le_bytes).concat());
    out.extend([3, 0, 0, 0]);
    out.extend(kind.to_le_bytes());
    out.extend([0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xaa, 0, 0x38, 0x9b, 0x71]);
    out
}

#[test]
fn reads_pcm_headers_of_every_length() {
    let mut longer = form(1, 2, 16);
    longer.extend([0, 0]);
    for header in [form(1, 2, 16), longer, extensible(2, 16, 16, 1)] {
        let sound = decode_wav(&wav(&header)).unwrap();
        assert_eq!(sound.form, SampleFormat { rate: 44100, channels: 2, depth: Depth::Sixteen });
        assert_eq!(sound.data, b"abcd");
    }
}

#[test]
fn refuses_other_sample_formats_by_name() {
    for (header, message) in [
        (
            form(3, 1, 64),
            "WAV: 64-bit floating-point samples is not supported (supported: PCM of 8, 16, 24 or 32 bits, and 32-bit floating point)",
        ),
        (
            form(2, 1, 8),
            "WAV: Microsoft ADPCM is not supported (supported: PCM of 8, 16, 24 or 32 bits, and 32-bit floating point)",
        ),
        (
            form(1, 1, 64),
            "WAV: 64 bits per sample is not supported (supported: PCM of 8, 16, 24 or 32 bits, and 32-bit floating point)",
        ),
        (extensible(1, 16, 24, 1), "WAV: 24 valid bits in 16-bit samples, at offset 0x26"),
        (
            extensible(1, 16, 16, 7),
            "WAV: mu-law samples is not supported (supported: PCM of 8, 16, 24 or 32 bits, and 32-bit floating point)",
        ),
        (form(1, 0, 8), "WAV: a frame size of 0 bytes for 0 channels of 8 bits, at offset 0x14"),
        (b"short".to_vec(), "WAV: the \"fmt \" chunk is too short (5 bytes), at offset 0x14"),
    ] {
        assert_eq!(decode_wav(&wav(&header)).unwrap_err().to_string(), message);
    }
    assert_eq!(malformed_at(b"RIFF"), Some(0));
    assert!(decode_wav(b"RF64\xff\xff\xff\xffWAVE").unwrap_err().to_string().contains("RF64"));
}

#[test]
fn refuses_or_clamps_wrong_lengths_and_counts() {
    let mut bytes = encode_wav(&looped()).unwrap();
    bytes[40..44].copy_from_slice(&0x7fff_ffff_u32.to_le_bytes());
    assert_eq!(malformed_at(&bytes), Some(36));
    bytes[40..44].copy_from_slice(&u32::MAX.to_le_bytes());
    let rest = decode_wav(&bytes).unwrap();
    assert_eq!(rest.data.len(), bytes.len() - 44);
    let mut many = encode_wav(&looped()).unwrap();
    many[92..96].copy_from_slice(&u32::MAX.to_le_bytes());
    assert_eq!(malformed_at(&many), Some(92));
    // A loop beyond the end is truncated; a loop that starts there is dropped.
    let mut late = encode_wav(&looped()).unwrap();
    late[112..116].copy_from_slice(&900_u32.to_le_bytes());
    assert_eq!(decode_wav(&late).unwrap().loops, Some(vec![SampleLoop { start: 1, end: 3, times: 225 }]));
    late[108..112].copy_from_slice(&700_u32.to_le_bytes());
    assert_eq!(decode_wav(&late).unwrap().loops, Some(Vec::new()));
}

/// A mono WAV file with this format chunk and these samples.
fn wav_of(header: &[u8], samples: &[u8]) -> Vec<u8> {
    let mut out = wav(header);
    out.truncate(out.len() - 8);
    out.extend((samples.len() as u32).to_le_bytes());
    out.extend(samples);
    out
}

#[test]
fn rounds_samples_of_more_than_16_bits() {
    let narrowed = |header: &[u8], samples: &[u8]| {
        let sound = decode_wav(&wav_of(header, samples)).unwrap();
        let narrowed = sound.narrowed();
        let (data, _) = narrowed.sound.data.as_chunks::<2>();
        (data.iter().map(|it| i16::from_le_bytes(*it)).collect::<Vec<_>>(), narrowed.clipped)
    };
    let three = |it: i32| it.to_le_bytes()[..3].to_vec();
    let deep: Vec<u8> = [0, 256, 127, 128, -256, -8_388_608, 8_388_607].into_iter().flat_map(three).collect();
    let wanted = (vec![0, 1, 0, 1, -1, i16::MIN, i16::MAX], 0);
    assert_eq!(narrowed(&form(1, 1, 24), &deep), wanted);
    assert_eq!(narrowed(&extensible(1, 24, 24, 1), &deep), wanted);
    let four: Vec<u8> = [0, 65536, i32::MIN, i32::MAX].into_iter().flat_map(i32::to_le_bytes).collect();
    assert_eq!(narrowed(&form(1, 1, 32), &four), (vec![0, 1, i16::MIN, i16::MAX], 0));
    // 24 valid bits of 32 are the high ones.
    assert_eq!(narrowed(&extensible(1, 32, 24, 1), &four).0, [0, 1, i16::MIN, i16::MAX]);
    let float = [0.0, 0.5, -1.0, 1.0, 7.0, f32::NAN, f32::NEG_INFINITY];
    let float: Vec<u8> = float.into_iter().flat_map(f32::to_le_bytes).collect();
    let wanted = (vec![0, 16384, i16::MIN, i16::MAX, i16::MAX, 0, i16::MIN], 3);
    assert_eq!(narrowed(&form(3, 1, 32), &float), wanted);
    assert_eq!(narrowed(&extensible(1, 32, 32, 3), &float), wanted);
}

#[test]
fn mixes_and_resamples_sounds_of_24_bits() {
    let sound = decode_wav(&wav_of(&form(1, 2, 24), &[0, 0, 1, 0, 0, 3].repeat(400))).unwrap();
    let mono = sound.to_mono();
    assert_eq!((mono.form.depth, mono.form.channels, &mono.data[..2]), (Depth::Sixteen, 1, &[0, 2][..]));
    let slow = sound.resampled(22050).unwrap();
    assert_eq!((slow.form.depth, slow.frames()), (Depth::Sixteen, 200));
}

proptest! {
    #[test]
    fn round_trips_any_sound(
        rate in 1_u32..,
        stereo: bool,
        depth in proptest::sample::select(vec![Depth::Eight, Depth::Sixteen, Depth::TwentyFour, Depth::ThirtyTwo, Depth::Float]),
        frames in proptest::collection::vec(any::<[u8; 8]>(), 1..60),
        bounds in (0_u32..60, 1_u32..60),
        times: u32,
        has_loop in proptest::option::of(any::<bool>()),
    ) {
        let form = SampleFormat { rate, channels: if stereo { 2 } else { 1 }, depth };
        let size = form.frame() as usize;
        let data: Vec<u8> = frames.iter().flat_map(|frame| frame[..size].to_vec()).collect();
        let end = bounds.1.min(frames.len() as u32);
        let it = SampleLoop { start: bounds.0.min(end - 1), end, times };
        let loops = has_loop.map(|has| if has { vec![it] } else { Vec::new() });
        let sound = Sound { form, data, loops };
        let wav = encode_wav(&sound).unwrap();
        prop_assert_eq!(wav.len() as u64, wav_length(sound.data.len() as u64, sound.loops.as_ref().map(Vec::len)));
        prop_assert_eq!(decode_wav(&wav).unwrap(), sound);
    }

    #[test]
    fn any_bytes_do_not_panic(mut bytes in proptest::collection::vec(any::<u8>(), 0..200), wav in any::<bool>(), cut in 0_usize..120) {
        if wav {
            let mut start = encode_wav(&looped()).unwrap();
            start.truncate(cut);
            start.append(&mut bytes);
            bytes = start;
        }
        let _ = decode_wav(&bytes);
    }
}

/// Returns the offset of a format violation; `None` for an error of another kind.
fn malformed_at(bytes: &[u8]) -> Option<u64> {
    let error = decode_wav(bytes).unwrap_err();
    error.offset().filter(|_| error.kind() == Kind::Malformed)
}

/// A sine tone with a frequency in hertz.
fn tone(form: SampleFormat, hertz: f64, seconds: f64) -> Sound {
    early_tone(form, hertz, seconds, 0.0)
}

/// A tone that is shifted by a number of frames.
fn early_tone(form: SampleFormat, hertz: f64, seconds: f64, early: f64) -> Sound {
    let frames = (f64::from(form.rate) * seconds) as usize;
    let turns = |at: usize| (at as f64 + early) / f64::from(form.rate) * hertz;
    let value = |at: usize| (turns(at) * std::f64::consts::TAU).sin() * 0.5;
    let sample = |value: f64| match form.depth {
        Depth::Eight => vec![(value * 127.0 + 128.0).round() as u8],
        _ => ((value * 32767.0).round() as i16).to_le_bytes().to_vec(),
    };
    let frame = |at| sample(value(at)).repeat(form.channels.into());
    Sound { form, data: (0..frames).flat_map(frame).collect(), loops: None }
}

/// Returns the samples of the first channel, from -1 to 1.
fn samples(sound: &Sound) -> Vec<f64> {
    let frames = sound.data.chunks_exact(sound.form.frame() as usize);
    let value = |frame: &[u8]| match sound.form.depth {
        Depth::Eight => (f64::from(frame[0]) - 128.0) / 127.0,
        _ => f64::from(i16::from_le_bytes([frame[0], frame[1]])) / 32767.0,
    };
    frames.map(value).collect()
}

#[test]
fn preserves_a_tone_at_another_rate() {
    for (rate, to, channels, depth, error) in [
        (44100, 22050, 1, Depth::Sixteen, 0.002),
        (48000, 22050, 2, Depth::Sixteen, 0.002),
        (8000, 11025, 1, Depth::Eight, 0.02),
        (96000, 11025, 6, Depth::Sixteen, 0.004),
    ] {
        let form = SampleFormat { rate, channels, depth };
        let made = tone(form, 440.0, 0.5).resampled(to).unwrap();
        assert_eq!(made.form, SampleFormat { rate: to, ..form });
        // The result may be shifted by at most one frame. The ends of the tone are not compared, because no lower rate
        // can represent them.
        let worst = (-20..=20).map(|twentieths| {
            let expected = early_tone(made.form, 440.0, 0.5, f64::from(twentieths) / 20.0);
            assert!(made.frames().abs_diff(expected.frames()) <= 1, "{rate}: {} frames", made.frames());
            let compared = samples(&made).into_iter().zip(samples(&expected)).skip(400).take(2000);
            compared.map(|(made, expected)| (made - expected).abs()).fold(0.0, f64::max)
        });
        let worst = worst.fold(f64::MAX, f64::min);
        assert!(worst < error, "{rate} to {to}: {worst}");
        assert_eq!(made, tone(form, 440.0, 0.5).resampled(to).unwrap());
    }
}

#[test]
fn removes_frequencies_above_the_lower_rate() {
    let form = SampleFormat { rate: 44100, channels: 1, depth: Depth::Sixteen };
    let made = tone(form, 15_000.0, 0.5).resampled(22050).unwrap();
    let loudest =
        samples(&made).into_iter().skip(400).take(8000).fold(0.0, |loudest, value| value.abs().max(loudest));
    assert!(loudest < 0.001, "{loudest}");
}

#[test]
fn preserves_the_position_of_loops_in_time() {
    let form = SampleFormat { rate: 44100, channels: 1, depth: Depth::Eight };
    let it = |start, end, times| SampleLoop { start, end, times };
    let loops = Some(vec![it(0, 4410, 0), it(100, 2000, 3), it(7, 8, 1)]);
    let sound = Sound { loops, ..tone(form, 440.0, 0.1) };
    let made = sound.resampled(22050).unwrap();
    assert_eq!(made.loops, Some(vec![it(0, 2205, 0), it(50, 1000, 3)]));
    assert_eq!(sound.resampled(44100).unwrap(), sound);
    assert_eq!(Sound { data: Vec::new(), ..sound.clone() }.resampled(22050).unwrap().frames(), 0);
    assert!(sound.resampled(0).is_err() && sound.resampled(44100 * 300).is_err());
    assert!(Sound { form: SampleFormat { rate: 0, ..form }, ..sound }.resampled(22050).is_err());
}

#[test]
fn averages_channels_to_mono() {
    let form = SampleFormat { rate: 8000, channels: 2, depth: Depth::Sixteen };
    let data = [[100_i16, 300], [i16::MIN, i16::MIN], [i16::MAX, i16::MAX], [-5, 4]];
    let data = data.into_iter().flatten().flat_map(i16::to_le_bytes).collect();
    let mixed = Sound { form, data, loops: None }.to_mono();
    let expected: Vec<u8> = [200, i16::MIN, i16::MAX, 0].into_iter().flat_map(i16::to_le_bytes).collect();
    assert_eq!((mixed.form.channels, mixed.data), (1, expected));
    let form = SampleFormat { channels: 3, depth: Depth::Eight, ..form };
    let eight = Sound { form, data: vec![128, 128, 134, 0, 0, 0, 255, 255, 255], loops: None };
    assert_eq!(eight.to_mono().data, [130, 0, 255]);
}
