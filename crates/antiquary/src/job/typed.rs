//! A file as its typed form in memory: what `unpack` writes as its record, or else what `info` shows of it.

use asset::unpack::MemoryParts;
use asset::{Asset, Can, Context, Detail, Error, Format, Install, Options, Parts, Report, Source, Unpacked};
use serde_json::Value;

use crate::diff::Blobs;

/// No longer file is unpacked into memory only to be compared.
pub(super) const LONGEST: u64 = 32 << 20;

/// A typed file.
pub(super) struct Typed {
    pub(super) record: Value,
    /// The rest of it, when it could be unpacked.
    pub(super) unpacked: Option<Unpacked>,
}

impl Typed {
    /// Unpacks a file into memory.
    pub(super) fn unpack(
        format: &'static Format,
        asset: &dyn Asset,
        source: &Source,
        name: &str,
        report: &mut Report,
    ) -> Result<(Value, Unpacked), Error> {
        let (install, options) = (Install::nowhere(), Options::defaults(format.options));
        let context = Context { install: &install, place: None, options: &options };
        let mut memory = MemoryParts::new();
        let mut parts = Parts::new(&mut memory, format.id, source, name)?;
        asset.unpack(&context, &mut parts, report)?;
        parts.finish()?;
        let unpacked = Unpacked::in_memory(memory)?;
        let record = serde_json::from_slice(&unpacked.record()?);
        Ok((record.map_err(|error| Error::malformed(error.to_string()))?, unpacked))
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
        let (record, unpacked) = Self::unpack(format, asset, source, name, &mut Report::new()).ok()?;
        Some(Self { record, unpacked: Some(unpacked) })
    }

    /// What is shown of a file.
    pub(super) fn shown(asset: &dyn Asset) -> Self {
        Self { record: asset.describe(Detail::Full).fields, unpacked: None }
    }
}

impl Blobs for Typed {
    fn blob(&self, name: &str) -> Option<(Source, String)> {
        let (source, digest) = self.unpacked.as_ref()?.blob_source(name)?;
        Some((source, digest.to_owned()))
    }
}
