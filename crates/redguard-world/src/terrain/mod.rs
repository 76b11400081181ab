//! WLD: terrain. Each corner of a grid has a height, and each square has an image of bank 302 that is rotated by quarter turns.

mod check;
mod grid;
mod layout;
mod plane;
mod resolved;
pub(crate) mod scene;
mod surroundings;
#[cfg(test)]
mod tests;
mod warning;

use std::collections::BTreeSet;

use asset::{
    Asset, Context, Counts, Description, Detail, Format, NameKind, NameVisitor, Names, Offered, Parts, Probe,
    ProductContext, ProductKind, Products, Report, Score, Target,
};
use json::{Document, Value};
use record::{Error, Result, Source, read_whole, write_whole};

use redguard_files::picture::texbsi::ImageKey;

pub use crate::engine::light::Daylight;
pub use crate::engine::water::Wave;
pub use grid::{Grid, HEIGHTS, SPACING, SquareCorner, WATER};
pub use layout::{Ground, Header, Planes, SIDE, Terrain, Tile};
pub use redguard_files::settings::ini::blend::Blend;
pub use scene::{Quads, SceneOptions};
pub use surroundings::TerrainWorld;
pub use warning::CODES;

/// Terrain.
pub static FORMAT: Format = Format::new("redguard.wld", "Redguard terrain", open)
    .game("redguard")
    .extensions(&["wld"])
    .probe(probe)
    .pack(plane::pack)
    .products(&[
        Offered { kind: ProductKind::Scene, about: "the ground and the water with their textures" },
        Offered {
            kind: ProductKind::Data,
            about: "heights, images, rotations and water flags as rows of numbers",
        },
        Offered { kind: ProductKind::Image, about: "a map of each value: heights, images, rotations" },
    ])
    .folder_outputs(&["json"])
    .record::<Terrain>()
    .options(SceneOptions::DECLARED)
    .names(Names::of_file(NameKind::Map).reported(|asset, context, take| {
        surroundings::visit_worlds(context, take);
        asset.typed::<Terrain>().into_iter().for_each(|terrain| terrain.visit_textures(take));
        Ok(())
    }))
    .codes(CODES);

fn open(source: &Source, _report: &mut Report) -> Result<Box<dyn Asset>> {
    if source.len() > MAX_SIZE {
        return Err(Error::limit(format!("the file is too large for a terrain (limit: {MAX_SIZE} bytes)")));
    }
    Ok(Box::new(Terrain::read(&source.read_all()?)?))
}

/// Bank of the textures of all terrains.
const BANK: u16 = 302;

/// Maximum size of a file: 64 tiles. Files of the game have 4.
pub(crate) const MAX_SIZE: u64 = 4 << 20;

/// Tests the header fields that the game requires, and the usual values of other fields.
fn probe(file: &Probe<'_>) -> Option<Score> {
    let word = |at: usize| file.head.get(at..)?.first_chunk::<4>().map(|word| u32::from_le_bytes(*word));
    let is_terrain =
        word(0) == Some(16) && word(16) == Some(160) && (word(20) == Some(1) || word(24) == Some(22));
    is_terrain.then_some(Score::LIKELY)
}

impl Terrain {
    /// Reads a terrain.
    ///
    /// # Errors
    /// When the file is truncated, or the game would refuse it.
    pub fn read(bytes: &[u8]) -> Result<Self> {
        if bytes.is_empty() {
            return Err(Error::malformed("the file is empty").at(0));
        }
        read_whole(bytes, ())
    }

    /// Writes the terrain; an unchanged terrain is written byte for byte as it was read.
    ///
    /// # Errors
    /// When the number of tiles differs from the header, or a plane has the wrong size.
    pub fn write(&self) -> Result<Vec<u8>> {
        write_whole(self, ())
    }

    /// Visits the images on the squares, each with the first tile that uses it.
    fn visit_textures(&self, take: NameVisitor<'_>) {
        let mut seen = BTreeSet::new();
        for (number, tile) in self.tiles.iter().enumerate() {
            let Ground::Planes(planes) = &tile.ground else { continue };
            let images: BTreeSet<u16> = planes.surface.iter().map(|byte| u16::from(byte & 0x3f)).collect();
            for image in images.into_iter().filter(|image| seen.insert(*image)) {
                let path = format_args!("tiles[{number}].ground.surface");
                ImageKey { bank: BANK, image }.visit_names(path, take);
            }
        }
    }

    fn fields(&self, context: Option<&Context<'_>>) -> Document {
        let resolved = resolved::resolved(self, context);
        Document::object(|out| {
            out.put("header", &self.header)
                .list("tile_offsets", &self.tile_offsets)
                .put("levels", &self.levels);
            out.list("tiles", &self.tiles).put("has_trailer", &self.has_trailer);
            if self.trailer.is_some() {
                out.put("trailer", &self.trailer);
            }
            if !self.rest.is_empty() {
                out.put("rest", &self.rest);
            }
            out.put("resolved", &resolved);
        })
    }
}

impl Asset for Terrain {
    fn scene_memory(&self) -> u64 {
        crate::SCENE_MEMORY
    }

    fn describe(&self, detail: Detail) -> Description {
        let (columns, rows) = grid::size(self);
        Description {
            summary: format!("terrain, {columns} x {rows} corners"),
            counts: Counts::new()
                .with("tiles", self.tiles.len())
                .with("corners", columns.saturating_mul(rows)),
            fields: match detail {
                Detail::Full => self.fields(None),
                Detail::Brief => Document::default(),
            },
            derived: &["resolved"],
            ..Description::default()
        }
    }

    fn describe_in_game(&self, context: &Context<'_>, description: &mut Description) {
        if description.fields.root().get("resolved").is_some() {
            description.fields = Document::default();
            description.fields = self.fields(Some(context));
        }
    }

    fn check(&self, context: &Context<'_>, report: &mut Report) {
        check::check(self, context, report);
    }

    fn products<'a>(&'a self, context: &Context<'a>, target: Target<'a>) -> Result<Products<'a>> {
        let (scene_context, game) = (context.clone(), context.clone());
        let make = move |product: &mut ProductContext<'_>| {
            scene::scene(&Grid::of(self), &scene_context, &target, product.report)
        };
        Ok(Products::new(context, target)
            .with_scene(make)
            .with_data(move || resolved::resolved(self, Some(&game)))
            .with_all(plane::offers(self, context)))
    }

    fn at(&self, context: &Context<'_>, position: &[f64]) -> Result<Option<Value>> {
        resolved::at(self, context, position).map(Some)
    }

    fn unpack(&self, context: &Context<'_>, parts: &mut Parts<'_>, _report: &mut Report) -> Result<()> {
        parts.typed(self)?;
        plane::unpack(self, context, parts)
    }
}
