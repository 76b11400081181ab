//! SAV and TSG: a saved game, and the saved state of an inactive map.

mod check;
mod describe;
mod flag;
mod item;
mod layout;
mod named;
#[cfg(test)]
mod tests;
mod unpack;
mod warning;

use asset::{
    Asset, Context, Description, Detail, Format, Offered, Parts, Probe, ProductKind, Products, Report, Score,
    Target,
};
use record::{Bytes, Result, Source, read_whole, write_whole};

pub use flag::{FLAGS, Flag, GlobalFlag, Kind};
pub use layout::{Chunk, Flags, General, Header, Item, Items, Save, VERSION};
pub use warning::CODES;

use asset::FixedText;
use item::ItemNames;

/// The saved game format.
pub static FORMAT: Format = Format::new("redguard.save", "Redguard saved game", open)
    .game("redguard")
    .extensions(&["sav", "tsg"])
    .probe(probe)
    .pack(unpack::pack)
    .products(&[Offered {
        kind: ProductKind::Data,
        about: "the slot, every flag and item by name, the clock, and a list of other chunks",
    }])
    .record::<Save>()
    .names(asset::Names::NONE.reported(|asset, context, take| {
        asset.typed::<Save>().into_iter().for_each(|save| describe::visit_names(save, context, take));
        Ok(())
    }))
    .codes(CODES);

fn open(source: &Source, _report: &mut Report) -> Result<Box<dyn Asset>> {
    Ok(Box::new(Save::read(&source.read_all()?)?))
}

fn probe(file: &Probe<'_>) -> Option<Score> {
    if file.starts_with(&layout::FIRST) {
        let size = file.has_at(4, &layout::HEADER_SIZE.to_be_bytes());
        return Some(if size { Score::CERTAIN } else { Score::LIKELY });
    }
    // An undocumented format with the same extension.
    (file.name == "object.sav").then_some(Score::NEVER)
}

impl Save {
    /// Creates a saved game with default flags and the given items, none of them selected.
    ///
    /// # Errors
    /// Returns an error if the text is too long, or contains characters that are not in code page 437.
    pub fn new(text: &str, world: u32, records: Vec<Item>) -> Result<Self> {
        let header = Header {
            version: FixedText(VERSION),
            compatibility: [0; 2],
            text: FixedText::new(text)?,
            world,
            bitmap: FixedText::default(),
        };
        let flag = |known: &GlobalFlag| {
            let state = match known.kind {
                Kind::Bool => 0,
                Kind::FlipFlop => 1,
                Kind::Number => 3,
            };
            Flag { value: known.default, state }
        };
        let general = General { min_rate: 6, max_rate: 300, normal_rate: 12 << 8, ..General::default() };
        let chunks = vec![
            Chunk::Header(Box::new(header)),
            Chunk::Other { tag: FixedText(*b"SCR3"), data: Bytes::default() },
            Chunk::Flags(Flags { list: FLAGS.iter().map(flag).collect() }),
            Chunk::General(Box::new(general)),
            Chunk::Items(Items { records, selected: -1 }),
        ];
        Ok(Self { chunks, end: true, rest: Bytes::default() })
    }

    /// Reads a saved game. Unknown chunks are kept.
    ///
    /// # Errors
    /// Returns an error if a chunk is truncated.
    pub fn read(bytes: &[u8]) -> Result<Self> {
        read_whole(bytes, ())
    }

    /// Writes the saved game. An unchanged saved game is written byte for byte as it was read.
    ///
    /// # Errors
    /// Returns an error if a chunk has the tag `END `.
    pub fn write(&self) -> Result<Vec<u8>> {
        write_whole(self, ())
    }

    /// Returns the slot information, if it has the supported version.
    #[must_use]
    pub fn header(&self) -> Option<&Header> {
        self.chunks.iter().find_map(|chunk| match chunk {
            Chunk::Header(header) => Some(&**header),
            _ => None,
        })
    }

    /// Returns the global flags.
    #[must_use]
    pub fn flags(&self) -> Option<&Flags> {
        self.chunks.iter().find_map(|chunk| match chunk {
            Chunk::Flags(flags) => Some(flags),
            _ => None,
        })
    }

    /// Returns the inventory.
    #[must_use]
    pub fn items(&self) -> Option<&Items> {
        self.chunks.iter().find_map(|chunk| match chunk {
            Chunk::Items(items) => Some(items),
            _ => None,
        })
    }

    /// Returns the clock.
    #[must_use]
    pub fn general(&self) -> Option<&General> {
        self.chunks.iter().find_map(|chunk| match chunk {
            Chunk::General(general) => Some(&**general),
            _ => None,
        })
    }
}

impl Asset for Save {
    fn describe(&self, detail: Detail) -> Description {
        describe::describe(self, detail)
    }

    fn describe_in_game(&self, context: &Context<'_>, description: &mut Description) {
        if let Some(names) = ItemNames::of_game(context) {
            describe::name_items(description, &names);
        }
    }

    fn check(&self, context: &Context<'_>, report: &mut Report) {
        check::check(self, ItemNames::of_game(context).as_ref(), report);
    }

    fn products<'a>(&'a self, context: &Context<'a>, target: Target<'a>) -> Result<Products<'a>> {
        let game_context = context.clone();
        let data = move || describe::to_json(self, ItemNames::of_game(&game_context).as_ref());
        Ok(Products::new(context, target).with_data(data))
    }

    fn unpack(&self, context: &Context<'_>, parts: &mut Parts<'_>, _report: &mut Report) -> Result<()> {
        unpack::unpack(self, ItemNames::of_game(context).as_ref(), parts)
    }
}
