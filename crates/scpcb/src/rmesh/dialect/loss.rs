//! What one dialect cannot take over from another, counted by class.

use std::collections::BTreeMap;

use asset::{Report, counted};

use crate::rmesh::warning;

/// Entities that are left out or lose something.
#[derive(Debug, Default)]
pub(in crate::rmesh) struct Losses {
    /// By class and reason.
    left_out: BTreeMap<(String, &'static str), usize>,
    /// By class and what is lost.
    reduced: BTreeMap<(String, &'static str), usize>,
}

impl Losses {
    /// Counts an entity that is left out. The reason follows the class in the message.
    pub(super) fn leave_out(&mut self, class: &str, why: &'static str) {
        add(&mut self.left_out, class, why);
    }

    /// Counts an entity that loses something.
    pub(super) fn reduce(&mut self, class: &str, what: &'static str) {
        add(&mut self.reduced, class, what);
    }

    /// Reports all of it.
    pub(in crate::rmesh) fn report(self, report: &mut Report) {
        for ((class, what), count) in self.reduced {
            let entities = counted(count, "entity", "entities");
            let message = format!("{entities} of class \"{class}\" lose {what}");
            report.warn(&warning::FIELDS_LOST, message).in_field("entities");
        }
        for ((class, why), count) in self.left_out {
            let entities = counted(count, "entity", "entities");
            let message = format!("{entities} of class \"{class}\" left out{why}");
            report.warn(&warning::ENTITY_LOST, message).in_field("entities");
        }
    }
}

fn add(counts: &mut BTreeMap<(String, &'static str), usize>, class: &str, what: &'static str) {
    let count = counts.entry((class.to_owned(), what)).or_default();
    *count = count.saturating_add(1);
}
