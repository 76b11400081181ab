//! The original file of an edited scene: it supplies what other programs dropped, and is compared with the file built from
//! the scene.

use std::path::Path;

use asset::unpack::MISSING_ITEMS;
use asset::{
    Asset, Context, Detail, Error, Format, OpenedFiles, Options, ProductKind, Report, Source, Target,
    first_few,
};
use scene::{Product, Scene};

use super::installs::Installs;
use super::{Input, Session};
use crate::catalog::open_as;

/// The original file of an edited scene.
pub(super) struct Base {
    pub(super) input: Input,
    pub(super) asset: Box<dyn Asset>,
    pub(super) source: Source,
}

impl Session<'_> {
    /// Opens the original file of an edited scene.
    pub(super) fn open_base(&self, base: &Path, format: &'static Format) -> Result<Base, Error> {
        let input = Input::find(self.catalog, base);
        let (source, found) = input.recognize(self.catalog).map_err(|error| error.in_file(base))?;
        if found.id != format.id {
            let message =
                format!("is a {} file, but the scene is packed into a {} file", found.id, format.id);
            return Err(Error::usage(message).in_file(base));
        }
        let asset = open_as(format, &source, &mut Report::new()).map_err(|error| error.in_file(base))?;
        Ok(Base { input, asset, source })
    }

    /// Returns the scene that a conversion of the file produces, in its game.
    pub(super) fn scene_of_base(
        &self,
        base: &Base,
        format: &'static Format,
        opened: &OpenedFiles,
    ) -> Result<Option<Scene>, Error> {
        let installs = Installs::new(self, opened)?;
        let install = installs.of(&base.input)?;
        let location = installs.location(&base.input, &install);
        let options = Options::defaults(format.options);
        let context = Context { install: &install, location, options: &options };
        let name = base.input.path().file_stem().unwrap_or_default().to_string_lossy();
        let target = Target { is_checked_only: true, ..Target::new(&name, 1.0) };
        // A file without a scene supplies nothing.
        let Ok(mut products) = base.asset.products(&context, target) else { return Ok(None) };
        let offer = products.find(|offer| offer.is_main(ProductKind::Scene));
        match offer.map(|mut offer| offer.make(&mut Report::new())) {
            Some(Ok(Some(Product::Scene(scene)))) => Ok(Some(*scene)),
            _ => Ok(None),
        }
    }
}

/// Reports what a file lacks compared to its original: by name, where its items have names.
pub(super) fn warn_fewer(original: &dyn Asset, made: &dyn Asset, report: &mut Report) {
    let (before, now) = (original.items(), made.items());
    for missing in before.missing_from(&now) {
        let verb = if missing.names.len() == 1 { "is" } else { "are" };
        let left = missing.before.saturating_sub(missing.names.len());
        let (kind, names, before) = (missing.kind, first_few(&missing.names), missing.before);
        report.warn(&MISSING_ITEMS, format!("{kind}: {names} {verb} gone; {left} of {before} are left"));
    }
    let is_counted = |name: &str| before.is_empty() || ["triangles", "faces"].contains(&name);
    let (before, now) = (original.describe(Detail::Brief).counts, made.describe(Detail::Brief).counts);
    for (name, count) in before.iter().filter(|(name, count)| *count > 0 && is_counted(name)) {
        let left = now.get(name);
        if left < count {
            report.warn(&MISSING_ITEMS, format!("{name}: {left} of {count} are left"));
        }
    }
}
