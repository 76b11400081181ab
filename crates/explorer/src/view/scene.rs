//! Scenes and fonts, as `convert` writes them.

use antiquary::Report;
use antiquary::asset::{OptionValue, ProductKind};
use antiquary::scene::Product;
use antiquary::scene::product::encode;

use super::{View, origin};
use crate::file::File;
use crate::query::Query;
use crate::{Explorer, Fault, Response};

/// The parameters of a view of one product; all others are options of the format.
pub(super) const OWN: &[&str] = &["kind", "item"];

/// The option that names what scenes leave out unless it is asked for.
const LAYERS: &str = "with";

/// Everything that a scene of the file may hold besides: a page can switch it off.
fn layers(file: &File<'_>) -> Option<String> {
    let option = file.format().options.iter().find(|option| option.name == LAYERS)?;
    let OptionValue::Words { values } = option.value else { return None };
    let words: Vec<&str> = values.iter().map(|(word, _)| *word).collect();
    Some(words.join(","))
}

/// The option for lightmaps, and its value for a viewer that draws them as the game does.
const LIGHTMAPS: (&str, &str) = ("lightmaps", "layers");

/// The query with lightmaps as layers, where files of the format have any and nothing else is asked for.
pub(super) fn with_lightmaps(file: &File<'_>, query: &Query) -> Query {
    let (name, value) = LIGHTMAPS;
    match file.format().options.iter().any(|option| option.name == name) {
        true => query.or(name, value.to_owned()),
        false => query.clone(),
    }
}

impl Explorer {
    pub(super) fn scene_view(&self, file: &File<'_>, query: &Query) -> Result<Response, Fault> {
        let query = with_lightmaps(file, query);
        let query = match layers(file) {
            Some(all) => &query.or(LAYERS, all),
            None => &query,
        };
        self.encoded(file, query, (View::Scene, "glb", "model/gltf-binary"))
    }

    pub(super) fn font_view(&self, file: &File<'_>, query: &Query) -> Result<Response, Fault> {
        self.encoded(file, query, (View::Font, "ttf", "font/ttf"))
    }

    /// A product as one file, made once.
    fn encoded(
        &self,
        file: &File<'_>,
        query: &Query,
        (view, extension, media_type): (View, &str, &'static str),
    ) -> Result<Response, Fault> {
        let kind = view.product().unwrap_or(ProductKind::Data);
        let options = file.options(query, OWN)?;
        let item = query.number("item")?.unwrap_or(0);
        let chosen: Vec<_> = query.without(&["kind"]).collect();
        let made = self.cache.get(file.key(view.name(), &format!("{chosen:?}")), || {
            let stem = file.stem();
            let bytes = file.with_item(kind, item, &options, &mut Report::new(), |mut product, _| {
                if let Product::Scene(scene) = &mut product {
                    origin::add(scene, file.asset());
                }
                encode(&mut product, stem, extension)
            })?;
            let response = Response::bytes(media_type, bytes);
            let length = response.body.len();
            Ok::<_, Fault>((response, length))
        })?;
        Ok((*made).clone())
    }
}
