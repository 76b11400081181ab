//! Numbers by which records name others follow when records are added, removed or moved.
//!
//! What is named by its place has a `number` when a map is edited: that of its place before. Whoever names it by that number finds it where it
//! is now.

use std::collections::BTreeMap;

use record::{Error, Result};

use super::WholeSection;

/// Where records are now, by their numbers.
pub(in crate::map) struct Renumbered {
    places: BTreeMap<i32, i32>,
    /// Whether nothing was added, removed or moved.
    is_same: bool,
}

impl Renumbered {
    /// Of records with these numbers. Of several with one number the first has it; a record without one is named by its place, unless another
    /// has that number.
    pub(in crate::map) fn of(numbers: impl Iterator<Item = Option<i32>>) -> Self {
        let mut places = BTreeMap::new();
        let mut others = Vec::new();
        let mut is_same = true;
        for (place, number) in (0_i32..).zip(numbers) {
            is_same &= number.is_none_or(|number| number == place);
            match number {
                Some(number) if !places.contains_key(&number) => drop(places.insert(number, place)),
                _ => others.push(place),
            }
        }
        for place in others {
            places.entry(place).or_insert(place);
        }
        Self { places, is_same }
    }

    /// Where the record of a number is now; `None` when there is none any more.
    pub(in crate::map) fn get(&self, number: i32) -> Option<i32> {
        self.places.get(&number).copied()
    }
}

/// Gives records the numbers of those that they name.
pub(super) fn renumber(sections: &mut [WholeSection]) -> Result<()> {
    let mut sizes = None;
    for (index, section) in sections.iter_mut().enumerate() {
        match section {
            WholeSection::Sizes(it) => {
                let numbers = Renumbered::of(it.records.iter().map(|size| size.number));
                it.records.iter_mut().for_each(|size| size.number = None);
                sizes = Some(numbers).filter(|numbers| !numbers.is_same);
            }
            WholeSection::WalkMaps(it) => {
                for (map, nodes) in it.records.iter_mut().map(|map| &mut map.nodes).enumerate() {
                    let numbers = Renumbered::of(nodes.iter().map(|node| node.number.map(i32::from)));
                    for (place, node) in nodes.iter_mut().enumerate() {
                        node.number = None;
                        if numbers.is_same {
                            continue;
                        }
                        for route in &mut node.routes {
                            let target = numbers.get(i32::from(route.target));
                            route.target = target.and_then(|it| u16::try_from(it).ok()).ok_or_else(|| {
                                let field = format!("sections[{index}].records[{map}].nodes[{place}].routes");
                                let message = format!(
                                    "there is no node {} any more; remove the route to it",
                                    route.target
                                );
                                Error::usage(message).in_field(field)
                            })?;
                        }
                    }
                }
            }
            _ => {}
        }
    }
    let Some(sizes) = sizes else { return Ok(()) };
    for (index, section) in sections.iter_mut().enumerate() {
        let WholeSection::Objects(objects) = section else { continue };
        for (number, object) in objects.records.iter_mut().enumerate() {
            let name = object.name;
            let fields = [
                ("size", &mut object.size),
                ("size_in_combat", &mut object.size_in_combat),
                ("size_when_dead", &mut object.size_when_dead),
            ];
            for (field, size) in fields.into_iter().filter(|(_, size)| **size >= 0) {
                *size = sizes.get(*size).ok_or_else(|| {
                    let message = format!("there is no size {size} any more, but {name} has it");
                    Error::usage(message).in_field(format!("sections[{index}].records[{number}].{field}"))
                })?;
            }
        }
    }
    Ok(())
}
