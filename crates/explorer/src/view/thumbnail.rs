//! Thumbnails of files.

use antiquary::asset::ProductKind;
use antiquary::scene::Product;
use antiquary::scene::image::Rgba8;
use antiquary::scene::product::Picture;
use antiquary::{Error, Options, Report, thumbnail};

use super::View;
use super::scene::{OWN, for_viewer};
use crate::file::File;
use crate::query::Query;
use crate::{Explorer, Fault, Response};

/// Maximum size of thumbnails in pixels.
pub(super) const WIDE: u32 = 320;
pub(super) const HIGH: u32 = 240;

impl Explorer {
    /// Returns a thumbnail of the first visible product of a file, or of one of its images. If nothing is visible, the
    /// answer is empty and successful, because a page requests hundreds of thumbnails and browsers log each failure.
    pub(super) fn thumbnail_view(&self, file: &File<'_>, query: &Query) -> Result<Response, Fault> {
        let query = &for_viewer(file, query, false);
        let options = file.options(query, OWN)?;
        let item = query.number("item")?.unwrap_or(0);
        let chosen: Vec<_> = query.without(&["kind"]).collect();
        let made = self.cache.get(file.key(View::Thumbnail.name(), &format!("{chosen:?}")), || {
            let (media_type, bytes) = self.small_picture(file, &options, item)?;
            let response = Response::bytes(media_type, bytes);
            let length = response.body.len();
            Ok::<_, Error>((response, length))
        });
        Ok(made.map_or_else(|_| Response::nothing(), |made| (*made).clone()))
    }

    fn small_picture(
        &self,
        file: &File<'_>,
        options: &Options,
        item: usize,
    ) -> Result<(&'static str, Vec<u8>), Error> {
        let visible = [ProductKind::Scene, ProductKind::Image, ProductKind::Font];
        let offered = file.format().products.iter().map(|offered| offered.kind);
        let kind = offered.into_iter().find(|kind| visible.contains(kind));
        let nothing = || Error::unsupported("this file has nothing to display");
        let kind = kind.ok_or_else(nothing)?;
        file.with_item(kind, item, options, &mut Report::new(), |product, _| match product {
            Product::Scene(scene) => {
                let unseen = || Error::unsupported("the scene has nothing to display");
                thumbnail::of_scene(&scene, WIDE, HIGH, &self.textures).ok_or_else(unseen)
            }
            other => Ok(thumbnail::of_image(&image(other)?, WIDE, HIGH)),
        })
    }
}

fn image(product: Product<'_>) -> Result<Rgba8, Error> {
    match product {
        Product::Image(picture) => Ok(picture.to_rgba8()),
        Product::Font(font) => Ok(Picture::from(font.sheet()?.1).to_rgba8()),
        _ => Err(Error::usage("not an image")),
    }
}
