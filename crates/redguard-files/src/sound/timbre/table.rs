//! A timbre library as a table: a row for each entry of the index.

use json::Number;
use scene::product::{Cell, Table};

use super::layout::{Entry, Operator, PERCUSSION, Timbre, TimbreLibrary, TimbreRef, Voice};

/// The columns of the table. Registers have the same names as in the JSON.
const COLUMNS: [&str; 28] = [
    "patch",
    "bank",
    "timbre",
    "length",
    "transpose",
    "note",
    "voice.modulator.flags_multiple",
    "voice.modulator.scale_level",
    "voice.modulator.attack_decay",
    "voice.modulator.sustain_release",
    "voice.modulator.waveform",
    "voice.feedback_connection",
    "voice.carrier.flags_multiple",
    "voice.carrier.scale_level",
    "voice.carrier.attack_decay",
    "voice.carrier.sustain_release",
    "voice.carrier.waveform",
    "second_voice.modulator.flags_multiple",
    "second_voice.modulator.scale_level",
    "second_voice.modulator.attack_decay",
    "second_voice.modulator.sustain_release",
    "second_voice.modulator.waveform",
    "second_voice.feedback_connection",
    "second_voice.carrier.flags_multiple",
    "second_voice.carrier.scale_level",
    "second_voice.carrier.attack_decay",
    "second_voice.carrier.sustain_release",
    "second_voice.carrier.waveform",
];

/// Returns the table. An entry of bank 127 has a note instead of a transposition.
pub(super) fn table(library: &TimbreLibrary) -> Table<'_> {
    Table::new(COLUMNS, library.entries.iter().map(|entry| row(entry, library.timbre(entry))))
}

fn row(entry: &Entry, timbre: Option<&Timbre>) -> Vec<Cell> {
    let reference = match entry.timbre {
        TimbreRef::Number(number) => cell(number),
        TimbreRef::Dangling { .. } => Cell::Empty,
    };
    let length = timbre.map_or(Cell::Empty, |timbre| cell(timbre.length()));
    let mut row = vec![cell(entry.patch), cell(entry.bank), reference, length];
    let (transpose, voices) = match timbre {
        Some(Timbre::TwoOperators { transpose, voice }) => (cell(*transpose), vec![voice]),
        Some(Timbre::FourOperators { transpose, voice, second_voice }) => {
            (cell(*transpose), vec![voice, second_voice])
        }
        Some(Timbre::Other { .. }) | None => (Cell::Empty, Vec::new()),
    };
    row.extend(if entry.bank == PERCUSSION { [Cell::Empty, transpose] } else { [transpose, Cell::Empty] });
    row.extend(voices.into_iter().flat_map(registers).map(cell));
    row.resize(COLUMNS.len(), Cell::Empty);
    row
}

fn cell(number: impl Into<Number>) -> Cell {
    Cell::from(number.into())
}

/// Returns the registers of two operators, in file order.
fn registers(voice: &Voice) -> impl Iterator<Item = u8> + use<> {
    let of = |operator: Operator| {
        let Operator { flags_multiple, scale_level, attack_decay, sustain_release, waveform } = operator;
        [flags_multiple, scale_level, attack_decay, sustain_release, waveform]
    };
    of(voice.modulator).into_iter().chain([voice.feedback_connection]).chain(of(voice.carrier))
}
