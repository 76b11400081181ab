//! A file as its typed form in memory: what `unpack` writes as its record, or else what `info` shows of it.

use asset::unpack::TypedParts;
use asset::{Asset, Can, Context, Detail, Error, Format, Install, Options, Parts, Report, Source, Unpacked};
use record::json::{Document, Node};

use crate::diff::Blobs;

/// No longer file is unpacked into memory only to be compared.
pub(super) const LONGEST: u64 = 32 << 20;

/// A typed file.
#[expect(clippy::large_enum_variant, reason = "there are two at a time")]
pub(super) enum Typed {
    Unpacked(Unpacked),
    /// It could not be unpacked.
    Shown(Document),
}

impl Typed {
    /// Unpacks a file into memory.
    pub(super) fn unpack(
        format: &'static Format,
        asset: &dyn Asset,
        source: &Source,
        name: &str,
        report: &mut Report,
    ) -> Result<Unpacked, Error> {
        let (install, options) = (Install::nowhere(), Options::defaults(format.options));
        let context = Context { install: &install, place: None, options: &options };
        let mut memory = TypedParts::new();
        let mut parts = Parts::of_typed(&mut memory, format.id, source, name);
        asset.unpack(&context, &mut parts, report)?;
        parts.finish()?;
        Unpacked::of_typed(memory)
    }

    /// The same for a file that is to be compared; `None` where it cannot be done, or is too long for it.
    pub(super) fn whole(
        format: &'static Format,
        asset: &dyn Asset,
        source: &Source,
        name: &str,
    ) -> Option<Self> {
        if !format.can(Can::Pack) || source.len() > LONGEST {
            return None;
        }
        Self::unpack(format, asset, source, name, &mut Report::new()).ok().map(Self::Unpacked)
    }

    /// What is shown of a file.
    pub(super) fn shown(asset: &dyn Asset) -> Result<Self, Error> {
        Document::of_value(&asset.describe(Detail::Full).fields).map(Self::Shown)
    }

    /// Its fields.
    pub(super) fn root(&self) -> Result<Node<'_>, Error> {
        match self {
            Self::Unpacked(unpacked) => root_of(unpacked),
            Self::Shown(document) => Ok(document.root()),
        }
    }
}

/// The fields of a file that was unpacked into memory.
pub(super) fn root_of(unpacked: &Unpacked) -> Result<Node<'_>, Error> {
    let missing = || Error::usage("the file was not unpacked into memory");
    unpacked.document().map(Document::root).ok_or_else(missing)
}

impl Blobs for Typed {
    fn is_empty(&self) -> bool {
        match self {
            Self::Unpacked(unpacked) => !unpacked.has_blobs_apart(),
            Self::Shown(_) => true,
        }
    }

    fn blob(&self, name: &str) -> Option<(Source, String)> {
        let Self::Unpacked(unpacked) = self else { return None };
        let (source, digest) = unpacked.blob_source(name)?;
        Some((source, digest.to_owned()))
    }
}
