//! The products of a file: listing them, and making one of them.

use antiquary::asset::product::{Index, Item, Receiver, Role};
use antiquary::asset::{ProductKind, Result};
use antiquary::scene::Product;
use antiquary::{Error, Options, Report};
use serde::Serialize;
use serde_json::{Map, Value};

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
    /// The products of a kind that a file has.
    pub(crate) fn items(&self, path: &str, query: &Query) -> Result<Response, Fault> {
        let kind = View::parse(query.required("kind")?)?;
        let (from, count) = query.range(tree::COUNT, 0)?;
        let file = self.file(self.file_entry(path)?)?;
        let kind = kind.product().ok_or_else(|| Fault::request("views of this kind have no items"))?;
        let all = self.cache.get(file.key("items", &kind.to_string()), || {
            let items = file.list(kind)?;
            let bytes = u64::try_from(items.len()).unwrap_or(u64::MAX).saturating_mul(512);
            Ok::<_, Fault>((items, bytes))
        })?;
        let from = from.min(all.len());
        let items = all.get(from..from.saturating_add(count).min(all.len())).unwrap_or_default();
        Response::json(&Page { total: all.len(), from, items })
    }
}

impl File<'_> {
    /// The main products of a kind, without making them.
    pub(crate) fn list(&self, kind: ProductKind) -> Result<Vec<Listed>, Error> {
        let mut list = List { kind, items: Vec::new(), is_offered: false };
        let options = Options::defaults(self.format().options);
        self.products(&options, &mut list, &mut Report::new())?;
        Ok(list.items)
    }

    /// Makes one product of a kind and uses it. What is lost goes into the report.
    pub(crate) fn with_item<T>(
        &self,
        kind: ProductKind,
        index: usize,
        options: &Options,
        report: &mut Report,
        mut using: impl FnMut(Product<'_>, &mut Report) -> Result<T>,
    ) -> Result<T, Error> {
        let mut made = None;
        let mut one = One {
            kind,
            wanted: index,
            seen: 0,
            take: &mut |product, report| {
                made = Some(using(product, report)?);
                Ok(())
            },
        };
        self.products(options, &mut one, report)?;
        let seen = one.seen;
        made.ok_or_else(|| match seen {
            0 => Error::unsupported(format!("the file has no {kind}")),
            _ if index >= seen => {
                Error::usage(format!("the file has {seen} of the kind {kind}; there is no number {index}"))
            }
            _ => not_made(kind, report),
        })
    }
}

/// Why a product was not made: its format reported that.
fn not_made(kind: ProductKind, report: &Report) -> Error {
    let why = report.iter().next_back().map(|warning| format!(": {}", warning.message));
    Error::unsupported(format!("the {kind} cannot be shown{}", why.unwrap_or_default()))
}

/// Whether an item is one of those that are listed.
fn counts(item: &Item<'_>, kind: ProductKind) -> bool {
    item.kind == kind && item.role == Role::Main
}

/// Lists products, and wants none.
struct List {
    kind: ProductKind,
    items: Vec<Listed>,
    /// Whether what is passed next was offered; formats tell of things without a product, too.
    is_offered: bool,
}

impl Receiver for List {
    fn wants(&self, kind: ProductKind) -> bool {
        kind == self.kind
    }

    fn wants_animation(&self) -> bool {
        true
    }

    fn begin(&mut self, item: &Item<'_>) -> Result<Option<String>> {
        self.is_offered = counts(item, self.kind);
        Ok(None)
    }

    fn take(&mut self, _: Item<'_>, _: &str, _: Product<'_>, _: &mut Report) -> Result<()> {
        Ok(())
    }

    fn pass(&mut self, item: Item<'_>) -> Result<()> {
        if std::mem::take(&mut self.is_offered) {
            self.items.push(Listed {
                index: self.items.len(),
                kind: item.kind,
                name: item.name.map(std::borrow::Cow::into_owned),
                caption: item.caption,
                facts: item.facts.unwrap_or_default(),
            });
        }
        Ok(())
    }

    fn index(&mut self, _: Index) -> Result<()> {
        Ok(())
    }
}

/// What is done with a product.
type Take<'a> = &'a mut dyn FnMut(Product<'_>, &mut Report) -> Result<()>;

/// Takes one product of a kind.
struct One<'a> {
    kind: ProductKind,
    wanted: usize,
    seen: usize,
    take: Take<'a>,
}

impl Receiver for One<'_> {
    fn wants(&self, kind: ProductKind) -> bool {
        kind == self.kind
    }

    fn wants_animation(&self) -> bool {
        true
    }

    fn begin(&mut self, item: &Item<'_>) -> Result<Option<String>> {
        if !counts(item, self.kind) {
            return Ok(None);
        }
        let is_wanted = self.seen == self.wanted;
        self.seen = self.seen.saturating_add(1);
        Ok(is_wanted.then(|| item.name.as_deref().unwrap_or_default().to_owned()))
    }

    fn take(&mut self, _: Item<'_>, _: &str, product: Product<'_>, report: &mut Report) -> Result<()> {
        (self.take)(product, report)
    }

    fn pass(&mut self, _: Item<'_>) -> Result<()> {
        Ok(())
    }

    fn index(&mut self, _: Index) -> Result<()> {
        Ok(())
    }
}
