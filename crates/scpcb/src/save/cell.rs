//! The cells of the map; their number follows from the last column and row.

/// Reads and writes all cells.
pub(super) mod all {
    use record::{Error, Reader, Result, Writer};

    use super::super::layout::Cell;

    pub(in super::super) fn read(reader: &mut Reader<'_>, width: i32, height: i32) -> Result<Vec<Cell>> {
        let start = reader.offset();
        let count = reader.check_count(count(width, height), 5, start)?;
        reader.flat_list(count)
    }

    pub(in super::super) fn write(
        cells: &[Cell],
        writer: &mut Writer,
        width: i32,
        height: i32,
    ) -> Result<()> {
        let expected = count(width, height);
        if u64::try_from(cells.len()).ok() != Some(expected) {
            let message = format!("{} cells (expected {expected}: width + 1 times height + 1)", cells.len());
            return Err(Error::usage(message));
        }
        record::Record::write_list(cells, writer, ())
    }

    fn count(width: i32, height: i32) -> u64 {
        let lines = |last: i32| u64::try_from(i64::from(last).saturating_add(1)).unwrap_or_default();
        lines(width).saturating_mul(lines(height))
    }
}
