//! Small pictures and videos.

use crate::picture::Colors;
use asset::{FixedText, Sink};
use record::{Record, Result, write_whole};

use crate::anm::Anm;
use crate::lbm::Lbm;
use crate::pcx::Pcx;
use crate::smk::{Header, flag};

/// Width and height of all pictures, in pixels.
const SIZE: (u16, u16) = (3, 2);

/// Two frames of six pixels.
const FRAMES: [[u8; 6]; 2] = [[0, 17, 34, 51, 68, 85], [0, 17, 34, 68, 68, 68]];

/// Writes the files, each to a folder that is named after its format.
///
/// # Errors
/// The errors of the sink.
pub(super) fn specimens(sink: &mut dyn Sink) -> Result<()> {
    let [first, _] = FRAMES;
    sink.put("anm/film.anm", &Anm::new(SIZE, Colors::grey(), &FRAMES.map(Vec::from), 10)?.write()?)?;
    sink.put("dds/surface.dds", &surface())?;
    sink.put("lbm/picture.lbm", &Lbm::new(SIZE, Colors::grey(), first.into())?.write()?)?;
    sink.put("pcx/picture.pcx", &Pcx::new(SIZE, Colors::grey(), first.into())?.write()?)?;
    sink.put("smk/smk2.smk", &video(*b"SMK2")?)?;
    sink.put("smk/smk4.smk", &video(*b"SMK4")?)
}

/// Returns a surface of 4 x 3 pixels in one block: red, with a blue first pixel.
pub(crate) fn surface() -> Vec<u8> {
    let head = [u32::from_le_bytes(*b"DDS "), 124, 0x1007, 3, 4, 0, 0, 1];
    let pixel_format = [32, 4, u32::from_le_bytes(*b"DXT1"), 0, 0, 0, 0, 0];
    let block = [u32::from_le_bytes([0, 0xf8, 0x1f, 0]), 1];
    let numbers = [&head[..], &[0; 11], &pixel_format, &[0x1000, 0, 0, 0, 0], &block].concat();
    numbers.into_iter().flat_map(u32::to_le_bytes).collect()
}

/// Returns the header and tables of a video with two frames, without image data.
fn video(version: [u8; 4]) -> Result<Vec<u8>> {
    let header = Header {
        version: FixedText(version),
        width: 4,
        height: 4,
        frames: 2,
        timing: -6666,
        flags: flag::DOUBLED,
        audio_sizes: [1000, 0, 0, 0, 0, 0, 0],
        trees_size: 10,
        tree_sizes: [1, 2, 3, 4],
        audio_rates: [0xf000_5622, 0, 0, 0, 0, 0, 0],
        unknown_0x64: 0,
    };
    let mut out = write_whole(&header, <Header as Record>::Context::default())?;
    out.extend([8, 4 | 1].into_iter().flat_map(u32::to_le_bytes));
    // The kind of each frame, trees, frames.
    out.extend([0; 2 + 10 + 12]);
    Ok(out)
}
