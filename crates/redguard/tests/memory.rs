//! No file, however small, makes a reader take much memory.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::as_conversions,
    clippy::arithmetic_side_effects,
    clippy::expect_used,
    reason = "a test may panic"
)]

mod forge;

use peak_alloc::PeakAlloc;

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// Megabytes. What is refused as too large is refused before this.
const MOST: f32 = 64.0;

#[test]
fn malformed_files_take_little_memory() {
    let kinds = [
        (&redguard::picture::palette::FORMAT, "assets_manifest.json", "col"),
        (&redguard::picture::texbsi::FORMAT, "assets_manifest.json", "texbsi"),
        (&redguard::picture::gxa::FORMAT, "assets_manifest.json", "gxa"),
        (&redguard::text::fnt::FORMAT, "assets_manifest.json", "fnt"),
        (&redguard::picture::texture::FORMAT, "texture_manifest.json", "texture"),
        (&redguard::world::model::FORMAT, "assets_manifest.json", "3d"),
        (&redguard::world::model::FORMAT, "assets_manifest.json", "3d_legacy"),
        (&redguard::world::model::FORMAT, "assets_manifest.json", "3dc"),
        (&redguard::model::rob::FORMAT, "assets_manifest.json", "rob"),
        (&redguard::sound::sfx::FORMAT, "assets_manifest.json", "sfx"),
        (&redguard::sound::rtx::FORMAT, "assets_manifest.json", "rtx"),
    ];
    for (format, manifest, folder) in kinds {
        for file in forge::broken(manifest, folder, 10) {
            if file.bytes.is_empty() {
                continue;
            }
            MEMORY.reset_peak_usage();
            let before = MEMORY.current_usage_as_mb();
            if let Ok((asset, mut report)) = forge::open(format, &file.bytes) {
                let install = asset::Install::empty();
                let options = forge::options(format, &[]);
                asset.check(
                    &asset::Context { install: &install, location: None, options: &options },
                    &mut report,
                );
            }
            let taken = MEMORY.peak_usage_as_mb() - before;
            assert!(taken < MOST, "{}: {taken} MB", file.path.display());
        }
    }
}
