//! Models referenced by a map, read from files or archives.

use std::sync::Arc;

use asset::Context;
use record::{Error, Result};

use super::surroundings::FoundModel;
use crate::model::Model;
use crate::model::rob::{Payload, Rob};

/// A model that was read. It is kept in the game's cache.
#[derive(Debug, Clone)]
pub(crate) enum ReadModel {
    /// A separate file.
    Unpacked(Arc<Model>),
    /// An archive and the index of the model in it.
    InArchive(Arc<Rob>, usize),
}

impl ReadModel {
    /// Returns the model; `None` if the archive entry cannot be read as a model.
    pub(crate) fn model(&self) -> Option<&Model> {
        match self {
            Self::Unpacked(model) => Some(model),
            Self::InArchive(rob, index) => match &rob.segments.get(*index)?.payload {
                Payload::Model(model) => Some(model),
                Payload::Empty | Payload::Unread(_) => None,
            },
        }
    }
}

impl FoundModel {
    /// Returns the name of the file or segment, without folder and extension.
    pub(crate) fn name(&self) -> &str {
        let name = self.file.rsplit(['/', ':']).next().unwrap_or_default();
        name.rsplit_once('.').map_or(name, |(stem, _)| stem)
    }

    /// Reads the model.
    ///
    /// # Errors
    /// Returns an error if its file cannot be read.
    pub(crate) fn read(&self, context: &Context<'_>) -> Result<ReadModel> {
        let install = context.install;
        let (path, segment) = match self.file.split_once(':') {
            Some((path, segment)) => (path, Some(segment)),
            None => (self.file.as_str(), None),
        };
        let missing = || Error::usage(format!("{} was not found", self.file));
        let location = install.find(path).found().ok_or_else(missing)?.location;
        let Some(segment) = segment else {
            let read = || {
                let bytes = install.open(&location)?.read_all()?.into_owned();
                Ok((Model::read(&bytes)?, bytes.len()))
            };
            return Ok(ReadModel::Unpacked(install.decoded(&location, "model", read)?));
        };
        let read = || {
            let bytes = install.open(&location)?.read_all()?.into_owned();
            Ok((Rob::read(&bytes)?, bytes.len().saturating_mul(2)))
        };
        let rob = install.decoded(&location, "models", read)?;
        let has_name = |it: &crate::model::rob::Segment| it.header.name.text().eq_ignore_ascii_case(segment);
        let index = rob.segments.iter().position(has_name).ok_or_else(missing)?;
        Ok(ReadModel::InArchive(rob, index))
    }
}
