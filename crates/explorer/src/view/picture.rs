//! Images, their frames, and the indices of those with a palette.

use antiquary::Report;
use antiquary::asset::{Error, ProductKind};
use antiquary::scene::Product;
use antiquary::scene::image::Rgba8;
use antiquary::scene::product::{Picture, encode};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::Serialize;

use crate::file::File;
use crate::query::Query;
use crate::{Explorer, Fault, Response};

/// Parameters of a view of an image; all others are options of the format.
const OWN: &[&str] = &["kind", "item", "frame"];

#[derive(Serialize)]
struct Pixels {
    width: u32,
    height: u32,
    palette: Option<Vec<String>>,
    indices: Option<String>,
}

impl Pixels {
    /// Creates the answer for a picture without a palette.
    fn without_palette(width: u32, height: u32) -> Self {
        Self { width, height, palette: None, indices: None }
    }
}

/// Returns the pixel view of a common image, which has no palette indices.
pub(super) fn common_pixels(picture: &Rgba8) -> Result<Response, Fault> {
    Response::json(&Pixels::without_palette(picture.width(), picture.height()))
}

/// A frame of an image, and properties of all frames.
struct Frame {
    picture: Picture,
    count: usize,
    /// Duration of each frame in milliseconds.
    delay: Option<u16>,
}

impl Explorer {
    /// Returns one frame as a PNG file.
    pub(super) fn image_view(&self, file: &File<'_>, query: &Query) -> Result<Response, Fault> {
        let Frame { picture, count, delay } = frame(file, query)?;
        let bytes = encode(&mut Product::Image(picture), file.stem(), "png")?;
        let delay = delay.filter(|_| count > 1);
        let delays: Vec<_> =
            delay.into_iter().flat_map(|delay| std::iter::repeat_n(delay.to_string(), count)).collect();
        let response = Response::bytes("image/png", bytes);
        Ok(response.with("Antiquary-Frames", count.to_string()).with("Antiquary-Delays", delays.join(",")))
    }

    /// Returns the palette and the indices of one frame.
    pub(super) fn pixels_view(&self, file: &File<'_>, query: &Query) -> Result<Response, Fault> {
        let picture = frame(file, query)?.picture;
        let (width, height) = (picture.width(), picture.height());
        let (palette, indices) = match &picture {
            Picture::Indexed(animation) => {
                let colors = animation
                    .palette()
                    .iter()
                    .map(|[red, green, blue, _]| format!("#{red:02x}{green:02x}{blue:02x}"));
                (Some(colors.collect()), animation.frames().first().map(|indices| STANDARD.encode(indices)))
            }
            _ => (None, None),
        };
        Response::json(&Pixels { width, height, palette, indices })
    }
}

fn frame(file: &File<'_>, query: &Query) -> Result<Frame, Fault> {
    let options = file.options(query, OWN)?;
    let (item, number) = (query.number("item")?.unwrap_or(0), query.number("frame")?.unwrap_or(0));
    let made = file.with_item(ProductKind::Image, item, &options, &mut Report::new(), |product, _| {
        let Product::Image(picture) = product else { return Err(Error::usage("not an image")) };
        let count = picture.frame_count();
        let delay = match &picture {
            Picture::Indexed(animation) => Some(animation.delay().in_milliseconds()),
            _ => None,
        };
        let missing = || Error::usage(format!("the image has {count} frames; there is no frame {number}"));
        Ok(Frame { picture: picture.frame(number).ok_or_else(missing)?, count, delay })
    });
    Ok(made?)
}
