//! The rooms of a map as reusable parts of its scene. Each is read and converted once.

use std::collections::BTreeMap;

use ::scene::{Part, Scene};
use asset::{Context, Location, Report, Target};

use super::warning;
use crate::ini::lookup::RoomTable;
use crate::{nested, rmesh};

/// Source of the path of a part's file.
#[derive(Debug, Clone, Copy)]
pub(super) enum File<'a> {
    /// The table of rooms, under the name of the part.
    OfTable,
    /// A path in the game's code.
    Path(&'a str),
}

/// The rooms that were added to a scene.
pub(super) struct Templates<'a, 'b> {
    context: &'a Context<'b>,
    target: &'a Target<'a>,
    table: Option<RoomTable>,
    /// Indices by name in lowercase.
    by_name: BTreeMap<String, Option<usize>>,
    by_file: BTreeMap<Location, Option<usize>>,
    parts: Vec<Part>,
    /// Number of rooms with lightmaps that few viewers support.
    pub(super) lightmap_layer_rooms: usize,
}

impl<'a, 'b> Templates<'a, 'b> {
    pub(super) fn new(context: &'a Context<'b>, target: &'a Target<'a>, report: &mut Report) -> Self {
        let table = RoomTable::of_install(context);
        if table.is_none() {
            report.warn(&warning::NO_TABLE, "Data/rooms.ini was not found, so no rooms are converted");
        }
        let (by_name, by_file, parts) = (BTreeMap::new(), BTreeMap::new(), Vec::new());
        Self { context, target, table, by_name, by_file, parts, lightmap_layer_rooms: 0 }
    }

    /// Returns the index of a part in the list of parts, and reads it if it is new; `None` if it cannot be converted, which is
    /// reported once.
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

    /// Returns a part by index.
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
        location: &Location,
        field: &str,
        scene: &mut Scene,
        report: &mut Report,
    ) -> Option<usize> {
        let target = Target { name, ..*self.target };
        let mut found = Report::new();
        let mut room = match rmesh::scene_of(self.context, location, &target, &mut found) {
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
        self.lightmap_layer_rooms = self.lightmap_layer_rooms.saturating_add(usize::from(has_layers));
        leave_out_file_data(&mut room);
        let index = self.parts.len();
        self.parts.push(scene.import(&room));
        Some(index)
    }
}

/// Removes the extras that are only used to restore the file of a room.
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
