//! Sounds.

use antiquary::Report;
use antiquary::asset::{Error, ProductKind};
use antiquary::scene::Product;
use antiquary::scene::sound::encode_wav;

use super::scene::OWN;
use crate::file::File;
use crate::query::Query;
use crate::{Explorer, Fault, Response};

impl Explorer {
    /// Returns a WAV file, and its loop points.
    pub(super) fn sound_view(&self, file: &File<'_>, query: &Query) -> Result<Response, Fault> {
        let options = file.options(query, OWN)?;
        let item = query.number("item")?.unwrap_or(0);
        let made = file.with_item(ProductKind::Sound, item, &options, &mut Report::new(), |product, _| {
            let Product::Sound(sound) = product else { return Err(Error::usage("not a sound")) };
            let repeated = sound.loops.as_ref().and_then(|loops| loops.first().copied());
            Ok((encode_wav(&sound)?, repeated))
        });
        let (bytes, repeated) = made?;
        let response = Response::bytes("audio/wav", bytes);
        Ok(match repeated {
            Some(part) => response.with("Antiquary-Loop", format!("{},{}", part.start, part.end)),
            None => response,
        })
    }
}
