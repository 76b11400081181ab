//! Models in separate files, which segments refer to by name.

use std::collections::BTreeMap;
use std::sync::Arc;

use asset::{Context, Lookup};

use crate::model::Model;

/// Loads external models.
pub(super) struct ExternalModels<'a> {
    context: &'a Context<'a>,
    found: BTreeMap<String, Result<External, String>>,
}

/// A model in a separate file.
#[derive(Clone)]
pub(super) struct External {
    pub(super) model: Arc<Model>,
    /// Whether the model is in the same folder or archive as the ROB, and not in another one of the game.
    pub(super) is_in_same_layer: bool,
}

impl<'a> ExternalModels<'a> {
    pub(super) const fn new(context: &'a Context<'a>) -> Self {
        Self { context, found: BTreeMap::new() }
    }

    /// Loads the model from a file next to this one; the error is the reason why it cannot be loaded.
    pub(super) fn find(&mut self, file: &str) -> Result<External, String> {
        if let Some(cached) = self.found.get(file) {
            return cached.clone();
        }
        let found = self.read(file);
        self.found.insert(file.to_owned(), found.clone());
        found
    }

    fn read(&self, file: &str) -> Result<External, String> {
        let Some(place) = &self.context.location else { return Err(format!("{file:?} was not found")) };
        let install = self.context.install;
        let found = match install.folder_of(place).find(file) {
            Lookup::Found(found) => found.location,
            Lookup::Missing => return Err(format!("{file:?} was not found")),
            Lookup::Rejected(_) => return Err(format!("{file:?} is outside the game folder")),
        };
        let make = || {
            let source = install.open(&found)?;
            let bytes = source.read_all()?;
            Ok((Model::read(&bytes)?, bytes.len()))
        };
        let is_in_same_layer = found.is_in_layer_of(place);
        install
            .decoded(&found, "model", make)
            .map(|model| External { model, is_in_same_layer })
            .map_err(|error| format!("{file:?} cannot be read: {}", error.message()))
    }
}
