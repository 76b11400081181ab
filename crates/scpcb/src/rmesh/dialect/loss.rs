//! Losses in the conversion from one dialect to another.

use std::collections::BTreeMap;

use asset::{Report, counted};
use record::Bytes;

use crate::rmesh::{TRAILER, warning};

/// Entities that are left out or lose fields.
#[derive(Debug, Default)]
pub(in crate::rmesh) struct Losses {
    /// By class and reason.
    left_out: BTreeMap<(String, &'static str), usize>,
    /// By class and lost fields.
    reduced: BTreeMap<(String, &'static str), usize>,
}

impl Losses {
    /// Counts an entity that is left out. The reason follows the class in the message.
    pub(super) fn leave_out(&mut self, class: &str, why: &'static str) {
        add(&mut self.left_out, class, why);
    }

    /// Counts an entity that loses fields.
    pub(super) fn reduce(&mut self, class: &str, what: &'static str) {
        add(&mut self.reduced, class, what);
    }

    /// Reports all losses.
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

/// Reports the number of surfaces that become solid.
pub(super) fn warn_render_only(count: usize, report: &mut Report) {
    let surfaces = counted(count, "render-only surface becomes", "render-only surfaces become");
    report.warn(&warning::RENDER_ONLY_LOST, format!("{surfaces} solid where opaque"));
}

/// Reports bytes that could not be read, other than the usual trailer.
pub(in crate::rmesh) fn warn_unread(rest: &Bytes, report: &mut Report) {
    if !rest.is_empty() && **rest != *TRAILER {
        let bytes = counted(rest.len(), "unread byte", "unread bytes");
        report.warn(&warning::BYTES_LOST, format!("{bytes} left out")).in_field("rest");
    }
}
