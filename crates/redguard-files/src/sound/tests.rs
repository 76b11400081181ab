//! Reading and writing the header, and WAVs that replace a sound.

use asset::Report;
use proptest::prelude::*;
use scene::sound::{Depth, SampleFormat, SampleLoop, Sound};

use super::*;
use crate::sound::sfx::warning::SOUND;
use proof::{assert_round_trip, single_warning};

const FORM: SampleFormat = SampleFormat { rate: 22050, channels: 1, depth: Depth::Sixteen };

#[test]
fn the_header_matches_the_documented_layout() {
    let header = SoundHeader { loop_flag: 0xe1, data_length: 0x1234, ..SoundHeader::new(FORM, 64) };
    assert_round_trip(
        &header,
        b"\x01\0\0\0\x01\0\0\0\x22\x56\0\0\x40\xe1\0\0\0\0\xff\xff\xff\xff\x34\x12\0\0\0",
    );
}

#[test]
fn type_sets_the_channels_and_depth_sets_the_bits() {
    let header = |type_id, bit_depth| SoundHeader { type_id, bit_depth, ..SoundHeader::new(FORM, 1) };
    let form =
        |type_id, bit_depth| header(type_id, bit_depth).form().map(|form| (form.channels, form.depth.bits()));
    assert_eq!([form(0, 0), form(1, 1)], [Some((1, 8)), Some((1, 16))]);
    assert_eq!([form(2, 0), form(3, 1)], [Some((2, 8)), Some((2, 16))]);
    assert_eq!([form(0, 1), form(3, 7)], [Some((1, 16)), Some((2, 16))]);
    assert_eq!(form(4, 0), None);
    assert_eq!(SoundHeader { sample_rate: 0, ..header(0, 0) }.form(), None);
}

#[test]
fn loop_positions_are_in_frames() {
    let header = SoundHeader { loop_flag: 225, loop_offset: 8, loop_end: 9, ..SoundHeader::new(FORM, 1) };
    assert_eq!(header.repeats(40), Some(SampleLoop { start: 4, end: 9, times: 225 }));
    assert_eq!(header.repeats(8), None);
    let for_ever = SoundHeader { loop_flag: 255, loop_offset: 0, loop_end: u32::MAX, ..header };
    assert_eq!(for_ever.repeats(41), Some(SampleLoop { start: 0, end: 20, times: 0 }));
    assert_eq!(SoundHeader { loop_flag: 0, ..header }.repeats(40), None);
}

fn taken(
    header: SoundHeader,
    sound: &Sound,
    limit: ChannelLimit,
) -> Result<(SoundHeader, Report), record::Error> {
    let (mut header, mut report) = (header, Report::new());
    let sound = fit(sound.clone(), Some(&header), limit, &SOUND, &mut report)?;
    apply_wav(&mut header, &sound, &SOUND, &mut report);
    Ok((header, report))
}

#[test]
fn only_rate_channels_and_depth_follow_the_wav() {
    let old = SoundHeader { loop_flag: 255, unknown_0x1a: 7, ..SoundHeader::new(FORM, 99) };
    let form = SampleFormat { rate: 44100, channels: 2, depth: Depth::Eight };
    let sound = Sound { form, data: vec![0; 10], loops: None };
    let (new, report) = taken(old, &sound, ChannelLimit::Stereo).unwrap();
    assert_eq!(new, SoundHeader { type_id: 2, bit_depth: 0, sample_rate: 22050, ..old });
    assert_eq!(
        single_warning(&report, SOUND.fitted),
        "warning SFX-W009: the WAV has 44100 Hz; it was converted to 22050 Hz"
    );
    let (mono, report) = taken(old, &sound, ChannelLimit::Mono).unwrap();
    assert_eq!((mono.type_id, report.count_of(SOUND.fitted)), (0, 2));
    let many =
        Sound { form: SampleFormat { channels: 6, rate: 8000, ..form }, data: vec![0; 12], loops: None };
    let (few, report) = taken(old, &many, ChannelLimit::Stereo).unwrap();
    assert_eq!((few.type_id, few.sample_rate, report.count_of(SOUND.fitted)), (0, 11025, 2));
    // A rate that the replaced sound already has is kept, even if it is unusual.
    let unusual = SoundHeader { sample_rate: 44100, ..old };
    let (new, report) = taken(unusual, &sound, ChannelLimit::Stereo).unwrap();
    assert_eq!((new.sample_rate, report.is_empty()), (44100, true));
    let silent = Sound { form: SampleFormat { rate: 0, ..form }, ..sound };
    assert!(taken(old, &silent, ChannelLimit::Stereo).is_err());
}

#[test]
fn converts_more_than_16_bits_with_a_warning() {
    let old = SoundHeader::new(FORM, 99);
    let form = SampleFormat { depth: Depth::TwentyFour, ..FORM };
    let (new, report) =
        taken(old, &Sound { form, data: vec![1; 6], loops: None }, ChannelLimit::Mono).unwrap();
    assert_eq!((new.type_id, new.bit_depth), (1, 1));
    let message = single_warning(&report, SOUND.fitted);
    assert_eq!(message, "warning SFX-W009: the WAV has 24 bits; it was converted to 16 bits");
    let form = SampleFormat { depth: Depth::Float, ..FORM };
    let loud = Sound { form, data: 2_f32.to_le_bytes().to_vec(), loops: None };
    let (_, report) = taken(old, &loud, ChannelLimit::Mono).unwrap();
    assert!(single_warning(&report, SOUND.fitted).ends_with(
        "has floating-point samples; it was converted to 16 bits; 1 sample outside of -1 to 1 clipped"
    ));
}

#[test]
fn loops_follow_the_wav_if_it_specifies_any() {
    let old = SoundHeader { loop_flag: 0xe1, ..SoundHeader::new(FORM, 99) };
    let with = |loops| Sound { form: FORM, data: vec![0; 20], loops };
    let loops = |sound: &Sound| {
        let (new, report) = taken(old, sound, ChannelLimit::Mono).unwrap();
        (new.loop_flag, new.loop_offset, new.loop_end, report.count_of(SOUND.inexact))
    };
    let it = |start, end, times| SampleLoop { start, end, times };
    assert_eq!(loops(&with(None)), (0xe1, 0, u32::MAX, 0));
    assert_eq!(loops(&with(Some(vec![]))), (0, 0, u32::MAX, 0));
    assert_eq!(loops(&with(Some(vec![it(0, 10, 0)]))), (255, 0, u32::MAX, 0));
    assert_eq!(loops(&with(Some(vec![it(3, 9, 7)]))), (7, 6, 9, 0));
    assert_eq!(loops(&with(Some(vec![it(3, 9, 255), it(0, 1, 1)]))), (255, 6, 9, 2));
    // A loop that no longer fits restarts at the beginning.
    let far = SoundHeader { loop_offset: 400, loop_end: 300, ..old };
    let (new, _) = taken(far, &with(None), ChannelLimit::Mono).unwrap();
    assert_eq!((new.loop_offset, new.loop_end), (0, u32::MAX));
}

#[test]
fn formats_durations_like_a_clock() {
    assert_eq!([clock(0.0), clock(59.99), clock(187.2)], ["0.00 s", "59.99 s", "3:07"]);
    assert_eq!([clock(59.999), clock(4925.0)], ["1:00", "1:22:05"]);
}

fn headers() -> impl Strategy<Value = SoundHeader> {
    let small = |most: u32| prop_oneof![0..most, any::<u32>()];
    let sound = (small(5), small(3), small(50_000), any::<u8>(), any::<u8>());
    (sound, small(300), small(300), any::<u8>()).prop_map(|(sound, loop_offset, loop_end, unknown_0x1a)| {
        let (type_id, bit_depth, sample_rate, volume, loop_flag) = sound;
        SoundHeader {
            type_id,
            bit_depth,
            sample_rate,
            volume,
            loop_flag,
            loop_offset,
            loop_end,
            data_length: 0,
            unknown_0x1a,
        }
    })
}

proptest! {
    #[test]
    fn replacing_a_sound_by_its_own_wav_changes_nothing(header in headers(), pcm in proptest::collection::vec(any::<u8>(), 0..200)) {
        let Ok(wav) = wav_of(&header, &pcm) else {
            prop_assert!(header.form().is_none());
            return Ok(());
        };
        prop_assert_eq!(length(&wav), wav_bytes(&header, length(&pcm)));
        let sound = read_wav(&wav.into()).unwrap();
        prop_assert!(pcm.starts_with(&sound.data) && pcm.len() - sound.data.len() < 4);
        let (new, report) = taken(header, &sound, ChannelLimit::Stereo).unwrap();
        prop_assert!(report.is_empty());
        let same = |it: &SoundHeader| (it.form(), it.loop_flag, it.volume, it.unknown_0x1a, it.repeats(length(&sound.data)));
        if header.repeats(length(&pcm)).is_some() {
            prop_assert_eq!(same(&new), same(&header));
            prop_assert_eq!((new.type_id, new.bit_depth), (header.type_id, header.bit_depth));
        }
        let (mut report, mut nothing) = (Report::new(), Report::new());
        header.check(length(&pcm), "header", &SOUND, &mut report);
        new.check(length(&sound.data), "header", &SOUND, &mut nothing);
    }
}
