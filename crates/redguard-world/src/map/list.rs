//! Lists of maps that the file stores in several parts: all positions before all flags, all counts before all records, lengths before the
//! counted items.

use record::{Error, Reader, Record, Result, Writer};

use super::entry::{DrawMode, Marker, Route, WalkMap, WalkNode};

/// Reads a 32-bit number with the name of its field.
fn number(reader: &mut Reader<'_>, name: &'static str) -> Result<u32> {
    reader.field(name, |reader| u32::read(reader, ()))
}

/// Fields of a record that are not in the file.
pub(super) mod unstored {
    use record::{Reader, Result, Writer};

    #[expect(clippy::unnecessary_wraps, reason = "the signature of all readers")]
    pub(in crate::map) fn read<T>(_: &mut Reader<'_>) -> Result<Option<T>> {
        Ok(None)
    }

    #[expect(clippy::unnecessary_wraps, reason = "the signature of all writers")]
    pub(in crate::map) fn write<T>(_: &Option<T>, _: &mut Writer) -> Result<()> {
        Ok(())
    }
}

/// The count, all positions, then all flags.
pub(super) mod markers {
    use super::{Marker, Reader, Record, Result, Writer, number};
    use crate::map::entry::MARKER_SIZE;

    pub(in crate::map) fn read(reader: &mut Reader<'_>) -> Result<Vec<Marker>> {
        let at = reader.offset();
        let count = number(reader, "count")?;
        let count = reader.check_count(count, MARKER_SIZE, at)?;
        let positions =
            reader.items(count, |reader| reader.field("position", |reader| <[i32; 3]>::read(reader, ())))?;
        let flags = reader.items(count, |reader| reader.field("flag", |reader| u8::read(reader, ())))?;
        Ok(positions.into_iter().zip(flags).map(|(position, flag)| Marker { position, flag }).collect())
    }

    pub(in crate::map) fn write(markers: &[Marker], writer: &mut Writer) -> Result<()> {
        writer.count::<u32>(markers.len())?.write(writer, ())?;
        markers.iter().try_for_each(|marker| marker.position.write(writer, ()))?;
        markers.iter().for_each(|marker| writer.put(&[marker.flag]));
        Ok(())
    }
}

/// The count of each bank, then the records.
pub(super) mod draw_modes {
    use super::{DrawMode, Error, Reader, Record, Result, Writer};

    /// The number of banks.
    const BANKS: usize = 512;

    pub(in crate::map) fn read(reader: &mut Reader<'_>) -> Result<Vec<DrawMode>> {
        let counts = reader.field("counts", |reader| <[u16; BANKS]>::read(reader, ()))?;
        let at = reader.offset();
        let count: usize = counts.iter().map(|count| usize::from(*count)).sum();
        let count = reader.check_count(u32::try_from(count).unwrap_or(u32::MAX), DrawMode::SIZE, at)?;
        let mut banks =
            (0_u16..).zip(counts).flat_map(|(bank, count)| std::iter::repeat_n(bank, usize::from(count)));
        reader.items(count, |reader| {
            let mut byte = |name| reader.field(name, |reader| u8::read(reader, ()));
            let (image, flags, alpha) = (byte("image")?, byte("flags")?, byte("alpha")?);
            Ok(DrawMode { texture_set: banks.next().unwrap_or_default(), image, flags, alpha })
        })
    }

    pub(in crate::map) fn write(modes: &[DrawMode], writer: &mut Writer) -> Result<()> {
        let mut counts = [0_u16; BANKS];
        let mut last = 0;
        for (number, mode) in modes.iter().enumerate() {
            let count = counts.get_mut(usize::from(mode.texture_set));
            let count = count.filter(|count| mode.texture_set >= last && **count < u16::MAX);
            let Some(count) = count else {
                let message = "the records must be in the order of their banks, from 0 to 511";
                return Err(Error::usage(message).in_field(format!("records[{number}].texture_set")));
            };
            *count = count.saturating_add(1);
            last = mode.texture_set;
        }
        counts.write(writer, ())?;
        modes.iter().for_each(|mode| writer.put(&[mode.image, mode.flags, mode.alpha]));
        Ok(())
    }
}

/// Walk maps with nodes and routes, each preceded by its length. A wrong length is kept.
pub(super) mod walk_maps {
    use super::{Error, Reader, Record, Result, Route, WalkMap, WalkNode, Writer, number};

    /// The size in bytes of a map, a node and a route without their children.
    const MAP: usize = 28;
    const NODE: usize = 12;
    const ROUTE: usize = 4;

    /// The size of the length field, which a length does not include.
    const LENGTH: u64 = 4;

    pub(in crate::map) fn read(reader: &mut Reader<'_>) -> Result<Vec<WalkMap>> {
        let at = reader.offset();
        let count = number(reader, "count")?;
        let count = reader.check_count(count, MAP, at)?;
        reader.items(count, map)
    }

    /// Returns a length if it differs from the number of bytes between its field and the reader's position.
    fn if_wrong(length: u32, start: u64, reader: &Reader<'_>) -> Option<u32> {
        let actual_length = reader.offset().saturating_sub(start).saturating_sub(LENGTH);
        (u64::from(length) != actual_length).then_some(length)
    }

    fn map(reader: &mut Reader<'_>) -> Result<WalkMap> {
        let start = reader.offset();
        let length = number(reader, "length")?;
        let node_count = number(reader, "node_count")?;
        let at = reader.offset();
        let count = number(reader, "count")?;
        let position = reader.field("position", |reader| <[i32; 3]>::read(reader, ()))?;
        let radius = number(reader, "radius")?;
        let nodes = reader.check_count(count, NODE, at)?;
        let nodes = reader.field("nodes", |reader| reader.items(nodes, node))?;
        Ok(WalkMap {
            length: if_wrong(length, start, reader),
            node_count: (node_count != count).then_some(node_count),
            position,
            radius,
            nodes,
        })
    }

    fn node(reader: &mut Reader<'_>) -> Result<WalkNode> {
        let start = reader.offset();
        let length = number(reader, "length")?;
        let position = reader.field("position", |reader| {
            let (x, y, z) = (u16::read(reader, ())?, i16::read(reader, ())?, u16::read(reader, ())?);
            Ok([i32::from(x), i32::from(y), i32::from(z)])
        })?;
        let unknown_0a = reader.field("unknown_0a", |reader| u8::read(reader, ()))?;
        let at = reader.offset();
        let count = reader.field("count", |reader| u8::read(reader, ()))?;
        let count = reader.check_count(u32::from(count), ROUTE, at)?;
        let routes =
            reader.field("routes", |reader| reader.items(count, |reader| Route::read(reader, ())))?;
        Ok(WalkNode { number: None, length: if_wrong(length, start, reader), position, unknown_0a, routes })
    }

    pub(in crate::map) fn write(maps: &[WalkMap], writer: &mut Writer) -> Result<()> {
        writer.count::<u32>(maps.len())?.write(writer, ())?;
        for (number, map) in maps.iter().enumerate() {
            write_map(map, writer).map_err(|error| error.in_field(format!("records[{number}]")))?;
        }
        Ok(())
    }

    fn write_map(map: &WalkMap, writer: &mut Writer) -> Result<()> {
        let length = writer.count::<u32>(map.actual_length())?;
        let count = writer.count::<u32>(map.nodes.len())?;
        map.length.unwrap_or(length).write(writer, ())?;
        map.node_count.unwrap_or(count).write(writer, ())?;
        count.write(writer, ())?;
        map.position.write(writer, ())?;
        map.radius.write(writer, ())?;
        for (number, node) in map.nodes.iter().enumerate() {
            write_node(node, writer).map_err(|error| error.in_field(format!("nodes[{number}]")))?;
        }
        Ok(())
    }

    fn write_node(node: &WalkNode, writer: &mut Writer) -> Result<()> {
        let length = writer.count::<u32>(node.actual_length())?;
        node.length.unwrap_or(length).write(writer, ())?;
        let [x, y, z] = node.position;
        let (Ok(x), Ok(y), Ok(z)) = (u16::try_from(x), i16::try_from(y), u16::try_from(z)) else {
            let message = "a node must be within 0 to 65535 in X and Z, and -32768 to 32767 in Y";
            return Err(Error::usage(message).in_field("position"));
        };
        x.write(writer, ())?;
        y.write(writer, ())?;
        z.write(writer, ())?;
        let routes = writer.count::<u8>(node.routes.len())?;
        writer.put(&[node.unknown_0a, routes]);
        node.routes.iter().try_for_each(|route| route.write(writer, ()))
    }
}
