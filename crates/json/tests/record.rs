//! Records are converted to JSON and back without loss.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use antiquary_json::{from_slice, to_vec};
use record::{Bytes, Record, read_whole, write_whole};
use serde::{Deserialize, Serialize};

#[derive(Record, Debug, Serialize, Deserialize)]
#[record(magic = b"SPRT")]
struct Sprite {
    version: u16,
    /// Since version 2.
    #[record(when = version >= 2)]
    layer: Option<u8>,
    #[record(count = u8)]
    delays: Vec<f32>,
    #[record(count = u8)]
    times: Vec<f64>,
    pixels: Bytes,
}

#[test]
fn a_record_round_trips_bit_for_bit() {
    for (version, layer) in [(1, None), (2, Some(7))] {
        let sprite = Sprite {
            version,
            layer,
            delays: vec![0.1, -0.0, f32::NEG_INFINITY, f32::from_bits(0x7fa0_0001), f32::MIN_POSITIVE],
            times: vec![0.1, f64::INFINITY, f64::from_bits(0xfff0_0000_0000_0001), 5e-324],
            pixels: Bytes(vec![0, 0x0f, 0xff]),
        };
        let file = write_whole(&sprite, ()).unwrap();
        let json = to_vec(&read_whole::<Sprite>(&file, ()).unwrap()).unwrap();
        assert_eq!(write_whole(&from_slice::<Sprite>(&json).unwrap(), ()).unwrap(), file);
    }
}
