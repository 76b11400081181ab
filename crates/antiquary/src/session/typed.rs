//! Fields of a file in memory: the record that `unpack` writes, or else the fields that `info` shows.

use asset::unpack::TypedParts;
use asset::{Asset, Can, Context, Detail, Error, Format, Install, Options, Parts, Report, Source, Unpacked};
use json::{Document, Node};

use crate::diff::Blobs;

/// Maximum length in bytes of a file that is unpacked into memory for comparison.
pub(super) const MAX_UNPACKED_LENGTH: u64 = 32 << 20;

/// Fields of a file.
#[expect(clippy::large_enum_variant, reason = "there are two at a time")]
pub(super) enum Typed {
    Unpacked(Unpacked),
    /// Fields of the description, if the file cannot be unpacked.
    Described(Document),
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
        let (install, options) = (Install::empty(), Options::defaults(format.options));
        let context = Context { install: &install, location: None, options: &options };
        let mut memory = TypedParts::new();
        let mut parts = Parts::of_typed(&mut memory, format.id, source, name);
        asset.unpack(&context, &mut parts, report)?;
        parts.finish(report)?;
        Unpacked::of_typed(memory)
    }

    /// Unpacks a file for comparison; returns `None` if that is not possible or the file is too large.
    pub(super) fn for_comparison(
        format: &'static Format,
        asset: &dyn Asset,
        source: &Source,
        name: &str,
    ) -> Option<Self> {
        if !format.can(Can::Pack) || source.len() > MAX_UNPACKED_LENGTH {
            return None;
        }
        Self::unpack(format, asset, source, name, &mut Report::new()).ok().map(Self::Unpacked)
    }

    /// Uses the fields of a file's description.
    pub(super) fn described(asset: &dyn Asset) -> Self {
        Self::Described(asset.describe(Detail::Full).fields)
    }

    /// Returns the fields.
    pub(super) fn root(&self) -> Result<Node<'_>, Error> {
        match self {
            Self::Unpacked(unpacked) => root_of(unpacked),
            Self::Described(document) => Ok(document.root()),
        }
    }
}

/// Returns the fields of a file that was unpacked into memory.
pub(super) fn root_of(unpacked: &Unpacked) -> Result<Node<'_>, Error> {
    let missing = || Error::usage("the file was not unpacked into memory");
    unpacked.document().map(Document::root).ok_or_else(missing)
}

impl Blobs for Typed {
    fn is_empty(&self) -> bool {
        match self {
            Self::Unpacked(unpacked) => !unpacked.has_external_blobs(),
            Self::Described(_) => true,
        }
    }

    fn blob(&self, name: &str) -> Option<(Source, String)> {
        let Self::Unpacked(unpacked) = self else { return None };
        let (source, digest) = unpacked.blob_source(name)?;
        Some((source, digest.to_owned()))
    }
}
