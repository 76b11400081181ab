//! Small sounds.

use asset::Sink;
use record::Result;

/// Writes the files, each to a folder that is named after its format.
///
/// # Errors
/// The errors of the sink.
pub(super) fn specimens(sink: &mut dyn Sink) -> Result<()> {
    let ogg = [page(2, 0, 7, &vorbis(1, 22_050)), page(4, 11_025, 7, &[0; 16])].concat();
    sink.put("ogg/half-a-second.ogg", &ogg)?;
    let samples = vec![0x80; 400];
    sink.put("wav/short.wav", &riff(&[(b"fmt ", wav_format(1, 1, 8000, 8)), (b"data", samples)]))
}

/// Returns an Ogg page with one short packet: flags, granule position, serial.
pub(crate) fn page(flags: u8, granule: u64, serial: u32, packet: &[u8]) -> Vec<u8> {
    let length = u8::try_from(packet.len()).unwrap_or(u8::MAX);
    let head = [&b"OggS\0"[..], &[flags], &granule.to_le_bytes(), &serial.to_le_bytes(), &[0; 8]].concat();
    [&head[..], &[1, length], packet].concat()
}

/// Returns the first packet of a Vorbis stream.
pub(crate) fn vorbis(channels: u8, rate: u32) -> Vec<u8> {
    [&b"\x01vorbis\0\0\0\0"[..], &[channels], &rate.to_le_bytes(), &[0; 12], &[0xb8, 1]].concat()
}

/// Returns a RIFF WAVE file with these chunks.
pub(crate) fn riff(chunks: &[(&[u8; 4], Vec<u8>)]) -> Vec<u8> {
    let length = |bytes: &[u8]| u32::try_from(bytes.len()).unwrap_or(u32::MAX).to_le_bytes();
    let chunk = |(name, body): &(&[u8; 4], Vec<u8>)| {
        let padding = if body.len().is_multiple_of(2) { &[][..] } else { &[0] };
        [&name[..], &length(body), body, padding].concat()
    };
    let body = chunks.iter().flat_map(chunk).collect::<Vec<_>>();
    let content = [&b"WAVE"[..], &body].concat();
    [&b"RIFF"[..], &length(&content), &content].concat()
}

/// Returns the chunk `fmt ` for an encoding.
pub(crate) fn wav_format(encoding: u16, channels: u16, rate: u32, bits: u16) -> Vec<u8> {
    let block = u32::from(channels).saturating_mul(bits.into()).div_ceil(8);
    let bytes = u64::from(rate).saturating_mul(channels.into()).saturating_mul(bits.into()).div_euclid(8);
    let block = u16::try_from(block).unwrap_or(u16::MAX);
    let bytes = u32::try_from(bytes).unwrap_or(u32::MAX);
    [
        &encoding.to_le_bytes()[..],
        &channels.to_le_bytes(),
        &rate.to_le_bytes(),
        &bytes.to_le_bytes(),
        &block.to_le_bytes(),
        &bits.to_le_bytes(),
    ]
    .concat()
}
