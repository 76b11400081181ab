//! The mapping of bytes to fields of the assembled map: the data of objects is described by the paths of the objects.

use record::{FieldDoc, Result, Source, Span, Visit, Visitor, trace_whole};

use super::assembled::PartLayout;
use super::layout::{Map, Section};

/// Reports a span for every byte.
pub(crate) fn spans(map: &Map, source: &Source, visitor: &mut dyn Visitor) -> Result<()> {
    let layout = PartLayout::of(map);
    let mut parts = Parts { layout: &layout, map, visitor, reported: None };
    trace_whole::<Map>(&source.read_all()?, (), &mut parts)
}

/// Reports the data of objects under the paths of the objects.
struct Parts<'a> {
    layout: &'a PartLayout,
    map: &'a Map,
    visitor: &'a mut dyn Visitor,
    /// The last section whose parts were reported.
    reported: Option<usize>,
}

/// Returns the name of the object field that a section stores.
const fn member(tag: [u8; 4]) -> &'static str {
    match &tag {
        b"RASB" => "texts",
        b"RAVA" => "variables",
        b"RASC" => "script",
        b"RAHK" => "hook",
        b"RALC" => "locations",
        b"RAEX" => "extra",
        b"RAAT" => "attributes",
        b"RAAN" => "models",
        b"RAGR" => "animation_groups",
        b"RANM" => "alias",
        _ => "spheres",
    }
}

/// Returns the index of the section in a path, and the rest of the path.
fn section_of(path: &str) -> Option<(usize, &str)> {
    let (index, rest) = path.strip_prefix("sections[")?.split_once(']')?;
    Some((index.parse().ok()?, rest))
}

impl Visitor for Parts<'_> {
    fn enters(&mut self, path: &str) -> bool {
        let is_parts = section_of(path)
            .is_some_and(|(index, _)| self.layout.tilings.values().any(|tiling| tiling.section == index));
        // The bytes of parts are reported under other paths.
        is_parts || self.visitor.enters(path)
    }

    fn describe(&mut self, path: &str, doc: &'static FieldDoc) {
        self.visitor.describe(path, doc);
    }

    fn span(&mut self, span: Span<'_>) -> Visit {
        let Some((index, rest)) = section_of(span.path) else { return self.visitor.span(span) };
        let is_head = matches!(rest, ".tag" | ".length");
        let found = self.layout.tilings.iter().find(|(_, tiling)| tiling.section == index);
        let (Some((tag, tiling)), false) = (found, is_head) else { return self.visitor.span(span) };
        if self.reported == Some(index) {
            return Visit::Continue;
        }
        self.reported = Some(index);
        let Some(objects) = self.layout.objects else { return Visit::Continue };
        let length = self.map.sections.get(index).map_or(0, |section| section.tag_and_length().1);
        let at = |offset: usize| span.start.saturating_add(u64::try_from(offset).unwrap_or(u64::MAX));
        let mut report = |from: usize, to: usize, path: String| {
            if from >= to {
                return Visit::Continue;
            }
            let bytes = to.saturating_sub(from);
            let value = if bytes == 1 { "1 byte".to_owned() } else { format!("{bytes} bytes") };
            self.visitor.span(Span { start: at(from), end: at(to), path: &path, value: &value })
        };
        let end = if *tag == *b"RAST" { length } else { tiling.end };
        if *tag == *b"RAST" {
            return report(0, end, format!("sections[{index}].texts"));
        }
        if report(0, tiling.head, format!("sections[{index}].head")) == Visit::Stop {
            return Visit::Stop;
        }
        let is_placements = |section: &Section| matches!(section, Section::Placements(_));
        let placements = self.map.sections.iter().position(is_placements).unwrap_or_default();
        for (number, range) in tiling.ranges.iter().enumerate() {
            let owners =
                (*tag == *b"RAVA").then(|| self.layout.variable_placements(self.map, number)).flatten();
            if let Some(owners) = owners {
                let size = range.length.checked_div(owners.len()).unwrap_or_default();
                for (block, owner) in owners.iter().enumerate() {
                    let from = range.offset.saturating_add(block.saturating_mul(size));
                    let path = format!("sections[{placements}].records[{owner}].variables");
                    if report(from, from.saturating_add(size), path) == Visit::Stop {
                        return Visit::Stop;
                    }
                }
                continue;
            }
            let path = format!("sections[{objects}].records[{number}].{}", member(*tag));
            let to = range.offset.saturating_add(range.length);
            if report(range.offset, to, path) == Visit::Stop {
                return Visit::Stop;
            }
        }
        report(end, length, format!("sections[{index}].tail"))
    }
}
