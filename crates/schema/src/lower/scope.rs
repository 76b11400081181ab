//! The names that expressions can use, and where their values are.

use crate::model::{Expr, Value};

/// The location of a value.
#[derive(Debug, Clone)]
pub(crate) struct Place {
    /// How many types outward.
    pub(crate) ups: usize,
    /// The names from there.
    pub(crate) path: Vec<String>,
    pub(crate) value: Value,
    /// Whether its number has names.
    pub(crate) is_enum: bool,
}

impl Place {
    pub(crate) fn expr(&self) -> Expr {
        Expr::Path { ups: self.ups, path: self.path.clone(), is_enum: self.is_enum }
    }
}

/// Names and their locations.
#[derive(Debug, Clone, Default)]
pub(crate) struct Scope(Vec<(String, Place)>);

impl Scope {
    pub(crate) fn add(&mut self, name: &str, place: Place) {
        self.0.push((name.to_owned(), place));
    }

    /// Adds a field of the type itself.
    pub(crate) fn add_own(&mut self, name: &str, id: &str, value: Value, is_enum: bool) {
        self.add(name, Place { ups: 0, path: vec![id.to_owned()], value, is_enum });
    }

    /// The most recent location of a name.
    pub(crate) fn find(&self, name: &str) -> Option<&Place> {
        self.0.iter().rev().find(|(known, _)| known == name).map(|(_, place)| place)
    }

    /// The same names from within a type inside this one.
    pub(crate) fn inner(&self) -> Self {
        let inward = |(name, place): &(String, Place)| {
            (name.clone(), Place { ups: place.ups.saturating_add(1), ..place.clone() })
        };
        Self(self.0.iter().map(inward).collect())
    }

    /// Adds the names of a type inside this one, which is the field `id`.
    pub(crate) fn adopt(&mut self, inner: &Self, id: &str) {
        for (name, place) in inner.own().0 {
            let path = std::iter::once(id.to_owned()).chain(place.path.iter().cloned()).collect();
            self.add(&name, Place { path, ..place });
        }
    }

    /// Only the names of the type itself.
    pub(crate) fn own(&self) -> Self {
        Self(self.0.iter().filter(|(_, place)| place.ups == 0).cloned().collect())
    }
}

impl Expr {
    /// A field of the type itself.
    pub(crate) fn name(id: &str) -> Self {
        Self::Path { ups: 0, path: vec![id.to_owned()], is_enum: false }
    }
}
