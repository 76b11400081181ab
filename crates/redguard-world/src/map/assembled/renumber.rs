//! Updating of references by number when records are added, removed or moved.
//!
//! In the editable form, a record that is referenced by index has a `number`: its original index. References by that number are updated to
//! its current index.

use std::collections::BTreeMap;

use record::{Error, Result};

use super::AssembledSection;

/// The current indices of records, by number.
pub(in crate::map) struct Renumbered {
    indices: BTreeMap<i32, i32>,
    /// Whether no record was added, removed or moved.
    is_same: bool,
}

impl Renumbered {
    /// Collects the current indices of records with these numbers. If several have the same number, the first one has it; a record without
    /// a number is referenced by its index, unless another record has that number.
    pub(in crate::map) fn of(numbers: impl Iterator<Item = Option<i32>>) -> Self {
        let mut indices = BTreeMap::new();
        let mut others = Vec::new();
        let mut is_same = true;
        for (index, number) in (0_i32..).zip(numbers) {
            is_same &= number.is_none_or(|number| number == index);
            match number {
                Some(number) if !indices.contains_key(&number) => drop(indices.insert(number, index)),
                _ => others.push(index),
            }
        }
        for index in others {
            indices.entry(index).or_insert(index);
        }
        Self { indices, is_same }
    }

    /// Returns the current index of the record with a number; `None` if it was removed.
    pub(in crate::map) fn get(&self, number: i32) -> Option<i32> {
        self.indices.get(&number).copied()
    }
}

/// Updates all references to the current indices.
pub(super) fn renumber(sections: &mut [AssembledSection]) -> Result<()> {
    let mut sizes = None;
    for (index, section) in sections.iter_mut().enumerate() {
        match section {
            AssembledSection::Sizes(it) => {
                let numbers = Renumbered::of(it.records.iter().map(|size| size.number));
                it.records.iter_mut().for_each(|size| size.number = None);
                sizes = Some(numbers).filter(|numbers| !numbers.is_same);
            }
            AssembledSection::WalkMaps(it) => {
                for (map, nodes) in it.records.iter_mut().map(|map| &mut map.nodes).enumerate() {
                    let numbers = Renumbered::of(nodes.iter().map(|node| node.number.map(i32::from)));
                    for (node_index, node) in nodes.iter_mut().enumerate() {
                        node.number = None;
                        if numbers.is_same {
                            continue;
                        }
                        for route in &mut node.routes {
                            let target = numbers.get(i32::from(route.target));
                            route.target = target.and_then(|it| u16::try_from(it).ok()).ok_or_else(|| {
                                let field =
                                    format!("sections[{index}].records[{map}].nodes[{node_index}].routes");
                                let message =
                                    format!("node {} was removed; remove the route to it", route.target);
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
        let AssembledSection::Objects(objects) = section else { continue };
        for (number, object) in objects.records.iter_mut().enumerate() {
            let name = object.name;
            let fields = [
                ("size", &mut object.size),
                ("size_in_combat", &mut object.size_in_combat),
                ("size_when_dead", &mut object.size_when_dead),
            ];
            for (field, size) in fields.into_iter().filter(|(_, size)| **size >= 0) {
                *size = sizes.get(*size).ok_or_else(|| {
                    let message = format!("size {size} was removed, but {name} still uses it");
                    Error::usage(message).in_field(format!("sections[{index}].records[{number}].{field}"))
                })?;
            }
        }
    }
    Ok(())
}
