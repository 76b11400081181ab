//! Small files with false counts must not make readers of images, saved games and timbres allocate much memory.

#![allow(clippy::unwrap_used, clippy::panic, clippy::expect_used, reason = "a test may panic")]

#[path = "suite/forge.rs"]
mod forge;

use antiquary_redguard::save;
use antiquary_redguard::settings::cht;
use antiquary_redguard::sound::timbre;
use media::picture::Colors;
use media::{anm, lbm, pcx, smk};
use peak_alloc::PeakAlloc;

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// Limit in megabytes. Files that are too large must be refused before this.
const MAX_MEGABYTES: f32 = 64.0;

/// An animation with this number of frames that do not change the image.
fn static_animation(width: u16, height: u16, frames: u16) -> Vec<u8> {
    let mut animation = anm::Anm::new((4, 2), Colors::grey(), &[vec![1; 8]], 10).unwrap();
    (animation.header.width, animation.header.height) = (width, height);
    animation.header.records = frames.into();
    let page = &mut animation.pages[0];
    page.records = vec![record::Bytes::default(); frames.into()];
    page.descriptor.records = frames;
    animation.table[0] = page.descriptor;
    animation.write().unwrap()
}

/// Thousands of timbres that share their 65,535 bytes.
fn overlapping_timbres() -> Vec<u8> {
    let entries =
        (0..9000_u32).flat_map(|n| [&n.to_le_bytes()[..2], &(54_002 + 2 * n).to_le_bytes()[..]].concat());
    entries.chain([0xff; 90_000]).collect()
}

fn with(mut bytes: Vec<u8>, at: usize, value: &[u8]) -> Vec<u8> {
    bytes[at..at + value.len()].copy_from_slice(value);
    bytes
}

#[test]
fn false_counts_need_little_memory() {
    let picture = lbm::Lbm::new((4, 2), Colors::grey(), vec![1; 8]).unwrap().write().unwrap();
    let paint = pcx::Pcx::new((4, 2), Colors::grey(), vec![1; 8]).unwrap().write().unwrap();
    let game = save::Save::new("x", 1, Vec::new()).unwrap().write().unwrap();
    let animation = [&b"SMK2"[..], &[0xff; 100]].concat();
    let files = [
        (&anm::FORMAT, static_animation(65535, 65535, 1)),
        (&anm::FORMAT, static_animation(320, 200, 16_000)),
        (&anm::FORMAT, static_animation(4000, 4000, 4)),
        (&anm::FORMAT, with(static_animation(4, 2, 1), 6, &[0xff, 0xff])),
        (&anm::FORMAT, with(static_animation(4, 2, 1), 8, &[0xff; 4])),
        (&lbm::FORMAT, with(picture.clone(), 20, &[0xff; 4])),
        (&lbm::FORMAT, with(picture.clone(), 20, &[0x1f, 0xff, 0x1f, 0xff])),
        (&lbm::FORMAT, with(picture, 16, &[0xff; 4])),
        (&pcx::FORMAT, with(paint.clone(), 8, &[0xff, 0xfe, 0xff, 0xfe])),
        (&pcx::FORMAT, with(paint, 66, &[0xff, 0xff])),
        (&save::FORMAT, with(game.clone(), 4, &[0xff; 4])),
        (&save::FORMAT, with(game, 280 + 8 + 8, &[0xff; 4])),
        (&smk::FORMAT, animation),
        (&cht::FORMAT, vec![0; 255]),
        (&timbre::FORMAT, overlapping_timbres()),
    ];
    for (format, bytes) in files {
        MEMORY.reset_peak_usage();
        let before = MEMORY.current_usage_as_mb();
        if let Ok((asset, mut report)) = forge::open(format, &bytes) {
            let (install, options) = (asset::Install::empty(), forge::options(format, &[]));
            let context = asset::Context { install: &install, location: None, options: &options };
            asset.check(&context, &mut report);
            let _ = asset.describe(asset::Detail::Full);
        }
        let used = MEMORY.peak_usage_as_mb() - before;
        assert!(used < MAX_MEGABYTES, "{} of {} bytes: {used} MB", format.id, bytes.len());
    }
}
