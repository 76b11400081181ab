//! The items, and the data after them.
//!
//! The record of an item has an additional number if its template is animated, which is only known from the code of the game. In the
//! original game two templates are. If reading on that basis does not end exactly at the end of the file, as with items of a mod, all
//! items are kept as bytes.

use record::{Bytes, Error, Record, Result};
use serde::{Deserialize, Serialize};

use super::version::Version;
use super::zones::Zones;
use crate::string::BlitzString;

/// Maximum length of lists.
const MAX_COUNT: usize = 1 << 16;

/// Animated templates of the original game, by their names in the code. Source: `Items.bb`, `InitItemTemplates`.
const ANIMATED: [&[u8]; 2] = [b"clipboard", b"wallet"];

/// The items, and the data after them.
#[derive(Record, Debug, Clone, PartialEq, Serialize, Deserialize)]
#[record(context = Version)]
#[serde(deny_unknown_fields)]
pub struct Items {
    /// Items of the world, including those that the player carries.
    #[record(count = i32, limit = MAX_COUNT)]
    pub items: Vec<Item>,
    /// Contents of the items that can contain others, in the order of these items.
    #[record(by = containers(&items))]
    pub containers: Vec<Container>,
    /// A byte for each template of the game; 1 if the player has found the item.
    #[record(by = found(context))]
    pub found: Bytes,
    /// End mark: 994, or 100 if the console was used.
    #[record(check = is_end_mark)]
    pub end_mark: i32,
    /// Range of vision.
    pub fog_distance: f32,
    /// Previous range of vision.
    pub previous_fog_distance: f32,
    /// 1 if SCP-427 is open.
    pub scp_427_open: u8,
    /// Time for which it was open.
    pub scp_427_timer: f32,
    /// First rows of the zones, in version 1.3.10.
    #[record(when = context == Version::V1_3_10)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub zones: Option<Zones>,
    /// 1 if SCP-714 is worn.
    pub wearing_714: u8,
}

/// An item of the world.
#[derive(Record, Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Item {
    /// Name of the item's template.
    pub template: BlitzString,
    /// Name of the template in the code, such as `key1`.
    pub kind: BlitzString,
    /// Displayed name.
    pub name: BlitzString,
    /// Position of the item.
    pub position: [f32; 3],
    /// Red, green and blue of the liquid in a cup.
    pub color: [u8; 3],
    /// Opacity of the liquid; below 0 it glows.
    pub alpha: f32,
    /// Pitch and yaw.
    pub rotation: [f32; 2],
    /// State, such as the charge of a battery or the remaining amount.
    pub state: f32,
    /// 1 if a character has the item.
    pub picked: u8,
    /// 1 if the player uses the item.
    pub selected: u8,
    /// Inventory slot, 0 to 9; 66 for none.
    pub slot: u8,
    /// Frame of the animation, for animated templates: clipboards and wallets.
    #[record(when = is_animated(&kind))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub frame: Option<f32>,
    /// Number of items that it can contain.
    pub room: u8,
    /// Identifier by which containers refer to the item.
    pub id: i32,
    /// 1 if the item shows its second picture.
    pub second_picture: u8,
}

impl Item {
    /// The slot of items outside the inventory.
    pub const NO_SLOT: u8 = 66;
}

/// The contents of an item.
#[derive(Record, Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[record(context = u8)]
#[serde(deny_unknown_fields)]
pub struct Container {
    /// Identifier of the containing item.
    pub id: i32,
    /// Identifiers of the contained items; -1 for none.
    #[record(by = slots(context))]
    pub contents: Vec<i32>,
}

fn is_animated(kind: &BlitzString) -> bool {
    ANIMATED.contains(&kind.bytes())
}

fn is_end_mark(mark: &i32) -> Result<()> {
    if [994, 100].contains(mark) {
        return Ok(());
    }
    Err(Error::malformed(format!("found {mark} at the end of the items (expected 994 or 100)")))
}

/// Number of bytes after the list of templates.
const fn tail(version: Version) -> usize {
    match version {
        Version::V1_3_10 => 22,
        Version::V1_3_11 => 18,
    }
}

/// The optional items, read only if all of them exist in the original game.
pub(super) mod all {
    use record::{Error, Reader, Record, Result, Writer};

    use super::{Items, Version};

    pub(in super::super) fn read(reader: &mut Reader<'_>, version: Version) -> Result<Option<Items>> {
        let known = reader.try_peek(|reader| {
            let items = Items::read(reader, version)?;
            match reader.remaining() {
                0 => Ok(items),
                left => Err(Error::malformed(format!("{left} bytes after the items"))),
            }
        });
        if known.is_none() {
            return Ok(None);
        }
        Items::read(reader, version).map(Some)
    }

    pub(in super::super) fn write(
        items: &Option<Items>,
        writer: &mut Writer,
        version: Version,
    ) -> Result<()> {
        items.iter().try_for_each(|items| items.write(writer, version))
    }
}

/// The list of containers, one for each item that can contain others.
mod containers {
    use record::{Error, Reader, Record, Result, Writer};

    use super::{Container, Item};

    pub(super) fn read(reader: &mut Reader<'_>, items: &[Item]) -> Result<Vec<Container>> {
        let start = reader.offset();
        let count: i32 = reader.read_count()?;
        check(usize::try_from(count).ok(), items).map_err(|error| error.at(start))?;
        let rooms = items.iter().map(|item| item.room).filter(|room| *room > 0);
        let read = |(index, room)| reader.item(index, |reader| Container::read(reader, room));
        rooms.enumerate().map(read).collect()
    }

    pub(super) fn write(containers: &[Container], writer: &mut Writer, items: &[Item]) -> Result<()> {
        check(Some(containers.len()), items)?;
        let count = i32::try_from(containers.len()).map_err(|_| Error::limit("too many containers"))?;
        count.write(writer, ())?;
        let rooms = items.iter().map(|item| item.room).filter(|room| *room > 0);
        containers.iter().zip(rooms).enumerate().try_for_each(|(index, (container, room))| {
            container.write(writer, room).map_err(|error| error.in_item(index))
        })
    }

    fn check(count: Option<usize>, items: &[Item]) -> Result<()> {
        let expected = items.iter().filter(|item| item.room > 0).count();
        if count == Some(expected) {
            return Ok(());
        }
        let found = count.map_or_else(|| "a negative number of".to_owned(), |count| count.to_string());
        Err(Error::malformed(format!("{found} containers, but {expected} items can contain others")))
    }
}

/// The contents of a container.
mod slots {
    use record::{Error, Reader, Record, Result, Writer};

    pub(super) fn read(reader: &mut Reader<'_>, room: u8) -> Result<Vec<i32>> {
        reader.list(room, ())
    }

    pub(super) fn write(contents: &[i32], writer: &mut Writer, room: u8) -> Result<()> {
        if contents.len() != usize::from(room) {
            let message = format!("{} items in a container for {room}", contents.len());
            return Err(Error::usage(message));
        }
        i32::write_list(contents, writer, ())
    }
}

/// The bytes for templates, up to the data of fixed size after them.
mod found {
    use record::{Bytes, Error, Reader, Result, Writer};

    use super::{Version, tail};

    pub(super) fn read(reader: &mut Reader<'_>, version: Version) -> Result<Bytes> {
        let tail = tail(version);
        let count = reader.remaining().checked_sub(tail).ok_or_else(|| {
            let left = reader.remaining();
            Error::malformed(format!("expected {tail} bytes at the end, but only {left} are left"))
                .at(reader.offset())
        })?;
        let start = reader.offset();
        let bytes = Bytes::from(reader.take(count)?.to_vec());
        reader.leaf(start, &format_args!("{count} bytes"));
        Ok(bytes)
    }

    #[expect(clippy::unnecessary_wraps, reason = "the derive expects a result")]
    pub(super) fn write(found: &Bytes, writer: &mut Writer, _version: Version) -> Result<()> {
        writer.put(found);
        Ok(())
    }
}
