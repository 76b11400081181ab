//! Which bytes of a map hold which field, in the words of the whole map: parts stand in their objects.

use record::{FieldDoc, Result, Source, Span, Visit, Visitor, trace_whole};

use super::layout::{Map, Section};
use super::whole::Gathered;

/// Explains every byte.
pub(crate) fn spans(map: &Map, source: &Source, visitor: &mut dyn Visitor) -> Result<()> {
    let gathered = Gathered::of(map);
    let mut parts = Parts { gathered: &gathered, map, visitor, told: None };
    trace_whole::<Map>(&source.read_all()?, (), &mut parts)
}

/// Tells of parts by the objects that they belong to.
struct Parts<'a> {
    gathered: &'a Gathered,
    map: &'a Map,
    visitor: &'a mut dyn Visitor,
    /// The section whose parts were told last.
    told: Option<usize>,
}

/// The member of an object that stands in a section.
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

/// The index of the section that a path leads into, and the rest of the path.
fn section_of(path: &str) -> Option<(usize, &str)> {
    let (index, rest) = path.strip_prefix("sections[")?.split_once(']')?;
    Some((index.parse().ok()?, rest))
}

impl Visitor for Parts<'_> {
    fn enters(&mut self, path: &str) -> bool {
        let is_parts = section_of(path)
            .is_some_and(|(index, _)| self.gathered.tilings.values().any(|tiling| tiling.section == index));
        // Bytes of parts are told under other paths.
        is_parts || self.visitor.enters(path)
    }

    fn describe(&mut self, path: &str, doc: &'static FieldDoc) {
        self.visitor.describe(path, doc);
    }

    fn span(&mut self, span: Span<'_>) -> Visit {
        let Some((index, rest)) = section_of(span.path) else { return self.visitor.span(span) };
        let is_head = matches!(rest, ".tag" | ".length");
        let found = self.gathered.tilings.iter().find(|(_, tiling)| tiling.section == index);
        let (Some((tag, tiling)), false) = (found, is_head) else { return self.visitor.span(span) };
        if self.told == Some(index) {
            return Visit::Continue;
        }
        self.told = Some(index);
        let Some(objects) = self.gathered.objects else { return Visit::Continue };
        let length = self.map.sections.get(index).map_or(0, |section| section.tag_and_length().1);
        let at = |offset: usize| span.start.saturating_add(u64::try_from(offset).unwrap_or(u64::MAX));
        let mut tell = |from: usize, to: usize, path: String| {
            if from >= to {
                return Visit::Continue;
            }
            let bytes = to.saturating_sub(from);
            let value = if bytes == 1 { "1 byte".to_owned() } else { format!("{bytes} bytes") };
            self.visitor.span(Span { start: at(from), end: at(to), path: &path, value: &value })
        };
        let end = if *tag == *b"RAST" { length } else { tiling.end };
        if *tag == *b"RAST" {
            return tell(0, end, format!("sections[{index}].texts"));
        }
        if tell(0, tiling.head, format!("sections[{index}].head")) == Visit::Stop {
            return Visit::Stop;
        }
        let is_placements = |section: &Section| matches!(section, Section::Placements(_));
        let placements = self.map.sections.iter().position(is_placements).unwrap_or_default();
        for (number, piece) in tiling.pieces.iter().enumerate() {
            let places =
                (*tag == *b"RAVA").then(|| self.gathered.variable_places(self.map, number)).flatten();
            if let Some(places) = places {
                let size = piece.length.checked_div(places.len()).unwrap_or_default();
                for (block, place) in places.iter().enumerate() {
                    let from = piece.offset.saturating_add(block.saturating_mul(size));
                    let path = format!("sections[{placements}].records[{place}].variables");
                    if tell(from, from.saturating_add(size), path) == Visit::Stop {
                        return Visit::Stop;
                    }
                }
                continue;
            }
            let path = format!("sections[{objects}].records[{number}].{}", member(*tag));
            let to = piece.offset.saturating_add(piece.length);
            if tell(piece.offset, to, path) == Visit::Stop {
                return Visit::Stop;
            }
        }
        tell(end, length, format!("sections[{index}].tail"))
    }
}
