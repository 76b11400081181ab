//! Films: Smacker videos, with the subtitles that MENU.INI has for the movies of the game.
//!
//! The videos are in the root folder of the game's disc.

#[cfg(test)]
mod tests;
mod warning;

use asset::{
    Asset, Context, Description, Detail, Format, Offer, Offered, ProductContext, ProductKind, Products,
    Report, Target,
};
use media::smk::{self, Video};
use record::schema::declared;
use record::{Error, Result, Source};
use scene::product::Subtitles;

use crate::settings::ini::caption::{Movie, movies};
use crate::settings::ini::of_game;
use crate::settings::ini::subtitle::{report_never_shown, subtitles};

/// Smacker videos, with the subtitles of the game. The format extends the one that belongs to no game.
pub static FORMAT: Format = Format::new(smk::FORMAT.id, smk::FORMAT.name, open)
    .extensions(smk::FORMAT.extensions)
    .probe(smk::FORMAT.probe)
    .products(&[Offered { kind: ProductKind::Subtitles, about: "the subtitles of the film in MENU.INI" }])
    .folder_outputs(&["vtt"])
    .schema(declared::<Video>)
    .spans(|asset, source, visitor| match asset.typed::<Film>() {
        Some(film) => film.video.trace(source, visitor),
        None => Err(Error::usage("not a film")),
    })
    .names(smk::FORMAT.names)
    .codes(smk::CODES)
    .shared_codes(warning::SHARED);

/// The settings file that lists the movies.
const MENU: &str = "MENU.INI";

fn open(source: &Source, _report: &mut Report) -> Result<Box<dyn Asset>> {
    Ok(Box::new(Film { video: Video::read(source)? }))
}

/// A film of the game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Film {
    /// The video.
    pub video: Video,
}

impl Film {
    /// Returns the subtitles of the film, or the reason why it has none.
    fn subtitles(&self, context: &Context<'_>, report: &mut Report) -> Result<Subtitles, String> {
        let movie = movie_of(context)?;
        if movie.captions.is_empty() {
            return Err(format!("{MENU} has no subtitles for movie {} ({})", movie.number, movie.file()));
        }
        report_never_shown(&movie, MENU, report);
        Ok(subtitles(&movie, self.video.header.frame_time()))
    }
}

impl Asset for Film {
    fn describe(&self, detail: Detail) -> Description {
        self.video.describe(detail)
    }

    fn describe_in_game(&self, context: &Context<'_>, description: &mut Description) {
        if let Ok(movie) = movie_of(context) {
            // Only an object takes another member.
            let _ = description.fields.put_last(&[], "movie", &movie.number.into());
        }
    }

    fn check(&self, context: &Context<'_>, report: &mut Report) {
        self.video.check(context, report);
    }

    fn products<'a>(&'a self, context: &Context<'a>, target: Target<'a>) -> Result<Products<'a>> {
        let products = Products::new(context, target);
        // A film without subtitles is valid.
        if target.is_checked_only {
            return Ok(products);
        }
        let (game, is_one_of_many) = (context.clone(), target.separate_models);
        let make = move |making: &mut ProductContext<'_>| match self.subtitles(&game, making.report) {
            Ok(subtitles) => Ok(Some(subtitles)),
            Err(reason) if is_one_of_many => {
                making.report.warn(&warning::NONE, reason);
                Ok(None)
            }
            Err(reason) => Err(Error::unsupported(reason)),
        };
        Ok(products.with(Offer::new(ProductKind::Subtitles, make)))
    }
}

/// Returns the movie that an opened film is, or the reason why it is unknown.
fn movie_of(context: &Context<'_>) -> Result<Movie, String> {
    let name = context.location.as_ref().map(|location| location.path().name().to_ascii_uppercase());
    let name = name.ok_or("the name of the film is unknown")?;
    let menu = of_game(context, MENU).ok_or_else(|| format!("{MENU} was not found"))?;
    let found = movies(&menu).into_iter().find(|movie| movie.file() == name);
    found.ok_or_else(|| format!("{MENU} has no movie {name}"))
}
