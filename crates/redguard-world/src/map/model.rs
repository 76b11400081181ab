//! Models that a map names, read from their files or out of archives.

use std::sync::Arc;

use asset::Context;
use record::{Error, Result};

use super::surroundings::FoundModel;
use crate::model::Model;
use crate::model::rob::{Payload, Rob};

/// A model that was read. It is kept by the cache of the game.
#[derive(Debug, Clone)]
pub(crate) enum ReadModel {
    /// A file of its own.
    Loose(Arc<Model>),
    /// A place in an archive.
    InArchive(Arc<Rob>, usize),
}

impl ReadModel {
    /// The model; `None` where the archive has none that can be read.
    pub(crate) fn model(&self) -> Option<&Model> {
        match self {
            Self::Loose(model) => Some(model),
            Self::InArchive(rob, index) => match &rob.segments.get(*index)?.payload {
                Payload::Model(model) => Some(model),
                Payload::Empty | Payload::Unread(_) => None,
            },
        }
    }
}

impl FoundModel {
    /// Reads the model.
    ///
    /// # Errors
    /// When its file cannot be read.
    pub(crate) fn read(&self, context: &Context<'_>) -> Result<ReadModel> {
        let install = context.install;
        let (path, segment) = match self.file.split_once(':') {
            Some((path, segment)) => (path, Some(segment)),
            None => (self.file.as_str(), None),
        };
        let missing = || Error::usage(format!("{} was not found", self.file));
        let place = install.find(path).found().ok_or_else(missing)?.location;
        let Some(segment) = segment else {
            let make = || {
                let bytes = install.open(&place)?.read_all()?.into_owned();
                Ok((Model::read(&bytes)?, bytes.len()))
            };
            return Ok(ReadModel::Loose(install.decoded(&place, "model", make)?));
        };
        let make = || {
            let bytes = install.open(&place)?.read_all()?.into_owned();
            Ok((Rob::read(&bytes)?, bytes.len().saturating_mul(2)))
        };
        let rob = install.decoded(&place, "models", make)?;
        let is_it = |it: &crate::model::rob::Segment| it.header.name.text().eq_ignore_ascii_case(segment);
        let index = rob.segments.iter().position(is_it).ok_or_else(missing)?;
        Ok(ReadModel::InArchive(rob, index))
    }
}
