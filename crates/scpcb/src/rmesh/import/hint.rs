//! Instructions for using a new room in the game.

use asset::Report;

use super::super::warning;

/// Reports the entry that a new room needs in the game's table of rooms.
pub(super) fn table_entry(file: &str, report: &mut Report) {
    let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
    let message = format!(
        "for the game to place the room, add to Data/rooms.ini: [{stem}], mesh path=GFX\\map\\{file}, shape=2 (or 1, 2C, 3, 4), \
         commonness=30, zone1=1 (one line each)"
    );
    report.warn(&warning::TABLE_ENTRY, message);
}
