//! The rooms of a map as parts of its scene: each is read and converted once.

use std::collections::BTreeMap;

use ::scene::{Part, Scene};
use asset::{Context, Location, Report, Target};

use super::warning;
use crate::ini::known::RoomTable;
use crate::{nested, rmesh};

/// Where the file of a part is named.
#[derive(Debug, Clone, Copy)]
pub(super) enum File<'a> {
    /// In the table of rooms, under the name of the part.
    OfTable,
    /// In the game's code.
    Path(&'a str),
}

/// The rooms that were brought to a scene.
pub(super) struct Templates<'a, 'b> {
    context: &'a Context<'b>,
    target: &'a Target<'a>,
    table: Option<RoomTable>,
    /// By names in lower case.
    by_name: BTreeMap<String, Option<usize>>,
    by_file: BTreeMap<Location, Option<usize>>,
    parts: Vec<Part>,
    /// How many of them have lightmaps that few viewers show.
    pub(super) with_lightmap_layers: usize,
}

impl<'a, 'b> Templates<'a, 'b> {
    pub(super) fn new(context: &'a Context<'b>, target: &'a Target<'a>, report: &mut Report) -> Self {
        let table = RoomTable::of_install(context);
        if table.is_none() {
            report.warn(&warning::NO_TABLE, "Data/rooms.ini was not found: no room can be shown");
        }
        let (by_name, by_file, parts) = (BTreeMap::new(), BTreeMap::new(), Vec::new());
        Self { context, target, table, by_name, by_file, parts, with_lightmap_layers: 0 }
    }

    /// The place of a part in the list of parts, read and brought to the scene if it is new; `None` where it cannot be shown, which is reported once.
    pub(super) fn part(
        &mut self,
        (name, file): (&str, File<'_>),
        field: &str,
        scene: &mut Scene,
        report: &mut Report,
    ) -> Option<usize> {
        let key = name.to_lowercase();
        if let Some(known) = self.by_name.get(&key) {
            return *known;
        }
        let path = match (file, &self.table) {
            (File::Path(path), _) => path.to_owned(),
            (File::OfTable, None) => return None,
            (File::OfTable, Some(table)) => match table.mesh(name) {
                Some(path) => path.to_owned(),
                None => {
                    let message = format!("\"{name}\" is not in Data/rooms.ini");
                    report.warn(&warning::UNKNOWN_ROOM, message).in_field(field);
                    self.by_name.insert(key, None);
                    return None;
                }
            },
        };
        let index = self.file(name, &path, field, scene, report);
        self.by_name.insert(key, index);
        index
    }

    /// A part that was brought to the scene.
    pub(super) fn get(&self, index: usize) -> Option<&Part> {
        self.parts.get(index)
    }

    fn file(
        &mut self,
        name: &str,
        path: &str,
        field: &str,
        scene: &mut Scene,
        report: &mut Report,
    ) -> Option<usize> {
        let Some(found) = self.context.install.find(path).found() else {
            let message = format!("the file of \"{name}\" was not found (searched: {path})");
            report.warn(&warning::ROOM_MISSING, message).in_field(field);
            return None;
        };
        if let Some(known) = self.by_file.get(&found.location) {
            return *known;
        }
        let index = self.read(name, &found.location, field, scene, report);
        self.by_file.insert(found.location, index);
        index
    }

    fn read(
        &mut self,
        name: &str,
        place: &Location,
        field: &str,
        scene: &mut Scene,
        report: &mut Report,
    ) -> Option<usize> {
        let target = Target { name, ..*self.target };
        let mut found = Report::new();
        let mut room = match rmesh::scene_of(self.context, place, &target, &mut found) {
            Ok(room) => room,
            Err(error) => {
                report
                    .warn(&warning::ROOM_BAD, format!("\"{name}\" cannot be read: {error}"))
                    .in_field(field);
                return None;
            }
        };
        nested::report(&found, &format!("\"{name}\""), &warning::ROOM_LOSS, field, report);
        let has_layers = room.materials.iter().any(|material| material.lightmap.is_some());
        self.with_lightmap_layers = self.with_lightmap_layers.saturating_add(usize::from(has_layers));
        leave_out_file_data(&mut room);
        let index = self.parts.len();
        self.parts.push(scene.bring(&room));
        Some(index)
    }
}

/// Removes the extras that only restore the file of a room.
fn leave_out_file_data(room: &mut Scene) {
    for primitive in room.meshes.iter_mut().flat_map(|mesh| &mut mesh.primitives) {
        for name in ["colors", "vertices", "triangles"] {
            primitive.extras.remove(name);
        }
    }
    for root in room.roots.clone() {
        if let Some(root) = room.nodes.get_mut(root.0) {
            root.extras.retain(|name, _| name == "room");
        }
    }
}
