//! A small synthetic game folder, written by the writers of this crate: a windmill in version 1.4 with turning sails, the same in version
//! 2.3 with a moving lift and a moving band, both in an archive with their textures, and a weather vane in unpacked files.
//!
//! It contains nothing from the game. The demo, tests and benchmarks use it.

#![allow(
    clippy::arithmetic_side_effects,
    clippy::as_conversions,
    clippy::indexing_slicing,
    reason = "samples use small constants, not numbers from files"
)]

mod geometry;
mod image;
mod specimen;
mod windmill;

pub use specimen::specimens;
pub use windmill::windmill;

use asset::Sink;
use record::Result;
use scene::image::encode_png;

use crate::grf;
use crate::rsm::Version;
use image::{arrow, band, bitmap, brick, canvas, pixels, roof, targa};

/// The archive with the windmills, in the sample's folder.
pub const ARCHIVE: &str = "data.grf";

/// The path of the windmill of version 1.4 in the archive.
pub const WINDMILL: &str = "data/model/antiquary/windmill.rsm";

/// The path of the windmill of version 2.3 in the archive.
pub const WINDMILL_2_3: &str = "data/model/antiquary/windmill.rsm2";

/// The path of the weather vane, of version 1.5, in the sample's folder.
pub const VANE: &str = "data/model/antiquary/vane.rsm";

/// Names the archives of a game folder.
const LIST: &[u8] = b"[Data]\r\n0=data.grf\r\n";

/// Bricks with a letter, so that a mirror image is seen; its name is Korean.
const BRICKS: &str = "antiquary\\벽돌.bmp";

/// Canvas with holes of magenta.
const CANVAS: &str = "antiquary\\canvas.bmp";

/// Shingles whose lower edge fades out.
const SHINGLES: &str = "antiquary\\roof.tga";

/// A band with arrows.
const BAND: &str = "antiquary\\band.bmp";

/// The textures of the windmill without its cap.
const TEXTURES: [&str; 3] = [BRICKS, CANVAS, BAND];

/// The texture of the vane.
const VANE_TEXTURE: &str = "antiquary\\vane.png";

/// Writes the folder: an archive, the list of archives, and `data/model` and `data/texture` as in the game.
///
/// # Errors
/// Those of the sink.
pub fn write(sink: &mut dyn Sink) -> Result<()> {
    sink.put(ARCHIVE, &grf::write(&packed()?)?)?;
    sink.put("DATA.INI", LIST)?;
    sink.put(VANE, &windmill::vane().write()?)?;
    sink.put(&path_of(VANE_TEXTURE), &encode_png(&pixels(arrow)?))
}

/// The files in the archive.
fn packed() -> Result<Vec<(String, Vec<u8>)>> {
    let [bricks, cloth, shingles, arrows] = [BRICKS, CANVAS, SHINGLES, BAND].map(path_of);
    Ok(vec![
        (WINDMILL.to_owned(), windmill::capped(Version::V1_4).write()?),
        (WINDMILL_2_3.to_owned(), windmill::capped(Version::V2_3).write()?),
        (bricks, bitmap(brick)),
        (cloth, bitmap(canvas)),
        (shingles, targa(roof)),
        (arrows, bitmap(band)),
    ])
}

/// Returns the path of a texture in the game folder.
fn path_of(texture: &str) -> String {
    format!("data/texture/{}", texture.replace('\\', "/"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grf::Grf;
    use crate::rsm::Rsm;
    use asset::archive::Archive;
    use asset::{MemorySink, Report};
    use record::Source;

    fn files() -> MemorySink {
        let mut sink = MemorySink::new();
        write(&mut sink).unwrap();
        sink
    }

    #[test]
    fn reads_the_windmills_from_the_archive_without_warnings() {
        let sink = files();
        assert_eq!(sink.files().len(), 4);
        let mut report = Report::new();
        let archive = Grf::read(&Source::from(sink.get(ARCHIVE).unwrap().to_vec()), &mut report).unwrap();
        let entries: &dyn Archive = &archive;
        let names: Vec<_> = entries.entries().map(|entry| entry.name.into_owned()).collect();
        assert_eq!(names.len(), 6, "{names:?}");
        for (path, version) in [(WINDMILL, Version::V1_4), (WINDMILL_2_3, Version::V2_3)] {
            let at = names.iter().position(|name| name.replace('\\', "/") == path).unwrap();
            let model = Rsm::read(&archive.bytes(at).unwrap(), &mut report).unwrap();
            assert_eq!(model, windmill::capped(version));
        }
        Rsm::read(sink.get(VANE).unwrap(), &mut report).unwrap();
        assert!(report.is_empty(), "{report:?}");
    }

    #[test]
    fn images_match_their_file_extensions() {
        let sink = files();
        let decode = |bytes: &[u8]| scene::image::decode(bytes, &scene::image::Limits::default()).unwrap();
        let vane = decode(sink.get(&path_of(VANE_TEXTURE)).unwrap());
        assert_eq!(vane, pixels(arrow).unwrap());
        assert_eq!(decode(&targa(roof)), pixels(roof).unwrap());
        let [red, green, blue] = brick(9, 9);
        assert_eq!(decode(&bitmap(brick)).get(9, 9), Some([red, green, blue, 255]));
    }
}
