//! Products of a file: listing them, and making one of them.

use std::borrow::Cow;

use antiquary::asset::product::Offer;
use antiquary::asset::{ProductKind, Result};
use antiquary::json::{Map, Value};
use antiquary::scene::Product;
use antiquary::{Error, Options, Report, Session};
use serde::Serialize;

use crate::file::File;
use crate::query::Query;
use crate::view::View;
use crate::{Explorer, Fault, Response, tree};

/// One of several products of a kind.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Listed {
    index: usize,
    kind: ProductKind,
    name: Option<String>,
    caption: Option<String>,
    facts: Map<String, Value>,
}

#[derive(Serialize)]
struct Page<'a> {
    total: usize,
    from: usize,
    items: &'a [Listed],
}

impl Explorer {
    /// Lists the products of a kind.
    pub(crate) fn items(&self, path: &str, query: &Query) -> Result<Response, Fault> {
        let kind = View::parse(query.required("kind")?)?;
        let (from, count) = query.range(tree::COUNT, 0)?;
        let file = self.file(self.file_entry(path)?)?;
        let kind = kind.product().ok_or_else(|| Fault::request("views of this kind have no items"))?;
        let all = self.cache.get(file.key("items", &kind.to_string()), || {
            let items = file.list(kind)?;
            let bytes = items.len() as u64 * 512;
            Ok::<_, Fault>((items, bytes))
        })?;
        let from = from.min(all.len());
        let items = all.get(from..from.saturating_add(count).min(all.len())).unwrap_or_default();
        Response::json(&Page { total: all.len(), from, items })
    }
}

impl File<'_> {
    /// Returns the main products of a kind, without making them.
    pub(crate) fn list(&self, kind: ProductKind) -> Result<Vec<Listed>, Error> {
        let options = Options::defaults(self.format().options);
        let offers = self.products(&options)?.filter(|offer| offer.is_main(kind));
        let listed = |(index, offer): (usize, Offer<'_>)| Listed {
            index,
            kind,
            name: offer.name.map(Cow::into_owned),
            caption: offer.caption,
            facts: offer.facts.unwrap_or_default(),
        };
        Ok(offers.enumerate().map(listed).collect())
    }

    /// Makes one product of a kind on all processors, and calls `using` with it. Losses go into the report.
    pub(crate) fn with_item<T: Send>(
        &self,
        kind: ProductKind,
        index: usize,
        options: &Options,
        report: &mut Report,
        using: impl FnOnce(Product<'_>, &mut Report) -> Result<T> + Send,
    ) -> Result<T, Error> {
        Session::default().run(|| self.make_item(kind, index, options, report, using))
    }

    fn make_item<T>(
        &self,
        kind: ProductKind,
        index: usize,
        options: &Options,
        report: &mut Report,
        using: impl FnOnce(Product<'_>, &mut Report) -> Result<T>,
    ) -> Result<T, Error> {
        let mut products = self.products(options)?;
        let mut seen = 0_usize;
        let offer = products.by_ref().filter(|offer| offer.is_main(kind)).inspect(|_| seen += 1).nth(index);
        let Some(mut offer) = offer else {
            return Err(match seen {
                0 => Error::unsupported(format!("the file has no {kind}")),
                _ => Error::usage(format!(
                    "the file has {seen} products of kind {kind}; index {index} is out of range"
                )),
            });
        };
        let made = offer.make(report)?;
        products.close(report);
        match made {
            Some(product) => using(product, report),
            None => Err(not_made(kind, report)),
        }
    }
}

/// Returns the error for a product that was not made, with the reason that its format reported.
fn not_made(kind: ProductKind, report: &Report) -> Error {
    let why = report.iter().next_back().map(|warning| format!(": {}", warning.message));
    Error::unsupported(format!("the {kind} cannot be shown{}", why.unwrap_or_default()))
}
