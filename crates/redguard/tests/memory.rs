//! Small malformed files must not make readers allocate much memory.

#![allow(clippy::unwrap_used, clippy::panic, clippy::expect_used, reason = "a test may panic")]

#[path = "suite/forge.rs"]
mod forge;

use peak_alloc::PeakAlloc;

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// Limit in megabytes. Files that are too large must be refused before this.
const MAX_MEGABYTES: f32 = 64.0;

#[test]
fn malformed_files_need_little_memory() {
    let kinds = [
        (&antiquary_redguard::picture::palette::FORMAT, "assets_manifest.json", "col"),
        (&antiquary_redguard::picture::texbsi::FORMAT, "assets_manifest.json", "texbsi"),
        (&antiquary_redguard::picture::gxa::FORMAT, "assets_manifest.json", "gxa"),
        (&antiquary_redguard::text::fnt::FORMAT, "assets_manifest.json", "fnt"),
        (&antiquary_redguard::picture::texture::FORMAT, "texture_manifest.json", "texture"),
        (&antiquary_redguard::world::model::FORMAT, "assets_manifest.json", "3d"),
        (&antiquary_redguard::world::model::FORMAT, "assets_manifest.json", "3d_legacy"),
        (&antiquary_redguard::world::model::FORMAT, "assets_manifest.json", "3dc"),
        (&antiquary_redguard::model::rob::FORMAT, "assets_manifest.json", "rob"),
        (&antiquary_redguard::sound::sfx::FORMAT, "assets_manifest.json", "sfx"),
        (&antiquary_redguard::sound::rtx::FORMAT, "assets_manifest.json", "rtx"),
    ];
    for (format, manifest, folder) in kinds {
        for file in forge::malformed_files(manifest, folder, 10) {
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
            let used = MEMORY.peak_usage_as_mb() - before;
            assert!(used < MAX_MEGABYTES, "{}: {used} MB", file.path.display());
        }
    }
}
