//! Scenes and fonts, as `convert` writes them.

use antiquary::Report;
use antiquary::asset::{OptionValue, ProductKind, ViewerDefault};
use antiquary::scene::Product;
use antiquary::scene::product::encode;

use super::{View, origin};
use crate::file::File;
use crate::query::Query;
use crate::{Explorer, Fault, Response};

/// Parameters of a view of one product; all others are options of the format.
pub(super) const OWN: &[&str] = &["kind", "item"];

/// Adds the viewer's defaults for options that the query does not contain. `with_layers` specifies whether the viewer can
/// hide layers.
pub(super) fn for_viewer(file: &File<'_>, query: &Query, with_layers: bool) -> Query {
    file.format().options.iter().fold(query.clone(), |query, option| match (option.viewer, option.value) {
        (ViewerDefault::Word(word), _) => query.or(option.name, word.to_owned()),
        (ViewerDefault::AllWords, OptionValue::Words { values }) if with_layers => {
            let words: Vec<&str> = values.iter().map(|(word, _)| *word).collect();
            query.or(option.name, words.join(","))
        }
        _ => query,
    })
}

impl Explorer {
    pub(super) fn scene_view(&self, file: &File<'_>, query: &Query) -> Result<Response, Fault> {
        let query = for_viewer(file, query, true);
        self.encoded(file, &query, (View::Scene, "glb", "model/gltf-binary"))
    }

    pub(super) fn font_view(&self, file: &File<'_>, query: &Query) -> Result<Response, Fault> {
        self.encoded(file, query, (View::Font, "ttf", "font/ttf"))
    }

    /// Returns a product as one file, cached.
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
