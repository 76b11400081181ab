//! The keys of DIG.INI and MDI.INI, which have no sections. The game starts sound with DIG.INI; it does not start MIDI, so MDI.INI
//! has no effect.
//!
//! Source: redguard-preservation 0.10.4.

use super::super::key::File::Unchecked;
use super::super::key::{Group, Key, Missing, ValueKind};

/// The keys as a single group.
pub(super) const GROUPS: &[Group] = &[Group {
    section: "",
    about: "The sound card and its driver.",
    keys: &[
        Key::text("device", "", "Name of the sound card.").missing(Missing::Nothing),
        Key::path("driver", Unchecked, "SB16.DIG", "File name of the driver.").missing(Missing::Nothing),
        Key::of(ValueKind::Hexadecimal, "io_addr", "220h", "Address of the first port."),
        Key::integer("irq", "7", "Number of the interrupt.").missing(Missing::Nothing),
        Key::integer("dma_8_bit", "1", "DMA channel for 8-bit samples.").missing(Missing::Nothing),
        Key::integer("dma_16_bit", "5", "DMA channel for 16-bit samples.").missing(Missing::Nothing),
    ],
}];
