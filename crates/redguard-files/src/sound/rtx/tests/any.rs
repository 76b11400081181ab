//! Property tests with arbitrary and damaged files.

use asset::Archive;
use json::Value;
use proptest::prelude::*;
use record::{Bytes, Source};

use super::super::*;
use super::edit::replaced;
use super::{FORM, bytes, open, read, written};
use crate::sound::SoundHeader;
use asset::FixedText;
use proof::{checked, exported, packed, unpacked};

fn dialogues() -> impl Strategy<Value = Dialogue> {
    let run = |most: usize| proptest::collection::vec(any::<u8>(), 0..most);
    let voice =
        (any::<[u32; 3]>(), any::<[u8; 3]>(), run(20)).prop_map(|(words, [volume, loop_flag, last], pcm)| {
            Voice {
                header: SoundHeader {
                    type_id: words[0] % 5,
                    bit_depth: words[1] % 3,
                    sample_rate: words[2] % 3 * 11025,
                    volume,
                    loop_flag,
                    unknown_0x1a: last,
                    ..SoundHeader::new(FORM, 0)
                },
                pcm: Source::from(pcm),
            }
        });
    let rest = prop_oneof![4 => Just(Vec::new()), 1 => run(4)].prop_map(Source::from);
    let content = (run(300), proptest::option::of(voice), rest).prop_map(|(text, voice, rest)| Content {
        text: Bytes::from(text),
        voice,
        rest,
    });
    let tag = prop_oneof![any::<[u8; 4]>(), Just(*b"abcd"), Just(*b"ABCD")];
    let size = proptest::option::weighted(0.1, any::<u32>());
    let line = (tag, size, content).prop_map(|(tag, declared_size, content)| {
        Piece::Line(Line { tag: FixedText(tag), declared_size, payload: Payload::Content(content) })
    });
    let gap = proptest::collection::vec(any::<u8>(), 1..20).prop_map(|bytes| Piece::Gap(Source::from(bytes)));
    let pieces = proptest::collection::vec((line, proptest::option::weighted(0.2, gap)), 0..6);
    (pieces, any::<bool>(), any::<prop::sample::Index>(), any::<bool>()).prop_map(
        |(pairs, end, pick, odd)| {
            let mut dialogue = Dialogue::default();
            for (line, gap) in pairs {
                dialogue
                    .index
                    .push(IndexLine { tag: line.line().unwrap().tag, piece: dialogue.pieces.len() });
                dialogue.pieces.push(line);
                dialogue.pieces.extend(gap);
            }
            dialogue.index.reverse();
            dialogue.end = if end { EndMark::Present } else { EndMark::Absent };
            if odd && !dialogue.index.is_empty() {
                let at = pick.index(dialogue.index.len());
                dialogue.index.push(dialogue.index[at]);
                dialogue.behind_index = Bytes::from(&b"x"[..]);
            }
            dialogue
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_file_round_trips_without_panics(dialogue in dialogues()) {
        let bytes = written(&dialogue);
        let lines = open(&bytes);
        prop_assert_eq!(&written(lines.dialogue()), &bytes);
        checked(&FORMAT, &lines);
        let _ = lines.describe(Detail::Full);
        let (sink, _) = exported(&FORMAT, &lines, "wav", &[]);
        json::from_slice::<Value>(sink.get("out.json").unwrap()).unwrap();
        let mut next = 0;
        let mut visit = |span: record::Span<'_>| {
            assert_eq!(span.start, next, "{span:?}");
            next = span.end;
            record::Visit::Continue
        };
        FORMAT.trace(&lines, &Source::from_bytes(&bytes[..]), &mut visit).unwrap();
        prop_assert_eq!(next, bytes.len() as u64);
        for index in 0..lines.count() {
            let Ok(file) = lines.open(index) else { continue };
            let entry = lines.entry(index).unwrap();
            prop_assert_eq!(file.len(), entry.length);
            let is_true = lines.dialogue().lines().all(|(_, line)| line.declared_size.is_none());
            if is_true {
                prop_assert_eq!(&replaced(&bytes, index, "own", &file.read_all().unwrap()).unwrap().0, &bytes);
            }
        }
        let folder = tempfile::tempdir().unwrap();
        unpacked(&FORMAT, &bytes, folder.path());
        prop_assert_eq!(packed(&FORMAT, folder.path()).unwrap().0, bytes);
    }

    #[test]
    fn damaged_files_are_read_or_refused(at in 0_usize..102, value: u8, cut in 0_usize..=102) {
        let mut bytes = bytes();
        bytes[at] = value;
        bytes.truncate(cut);
        match read(&bytes) {
            Ok(dialogue) => {
                prop_assert_eq!(written(&dialogue), bytes);
                checked(&FORMAT, &OpenDialogue::new(dialogue));
            }
            Err(error) => prop_assert!(error.offset().is_some_and(|offset| offset <= cut as u64)),
        }
    }
}
