//! Checks a room and its references.

use std::collections::{BTreeMap, BTreeSet};

use asset::{Context, Report};
use glam::Vec3;

use super::RMesh;
use super::class::{Model, Screen, SoundEmitter};
use super::layout::{Entity, InvisibleSurface, MAX_VERTICES, Surface};
use super::prop;
use super::scene::{has_finite_uvs, is_finite};
use super::texture::{look_up, look_up_screen};
use super::warning;
use crate::ini::rooms::{self, Ambience};
use asset::counted;
use asset::reference::CheckedNames;

/// Maximum number of lights and sound emitters that the game uses per room.
const MAX_LIGHTS: usize = 32;
const MAX_EMITTERS: usize = 8;
/// Maximum number of trigger boxes per room.
const MAX_TRIGGERS: usize = 128;
/// Distance from the center of a cell of the game's grid to its edge, in game units, with a tolerance. Real rooms touch their
/// neighbors, and
/// some reach slightly beyond.
const CELL: f32 = 1024.0;
const BEYOND: f32 = 32.0;

pub(super) fn check(room: &RMesh, context: &Context<'_>, report: &mut Report) {
    for (index, surface) in room.surfaces.iter().enumerate() {
        check_surface(surface, &format!("surfaces[{index}]"), report);
    }
    for (index, surface) in room.collision().iter().enumerate() {
        check_invisible(surface, &format!("collision[{index}]"), report);
    }
    for (index, trigger) in room.triggers().iter().enumerate() {
        for (side, surface) in trigger.surfaces.iter().enumerate() {
            check_invisible(surface, &format!("triggers[{index}].surfaces[{side}]"), report);
        }
    }
    if room.triangle_count() == 0 {
        report.warn(&warning::NO_GEOMETRY, "the room has no triangles");
    }
    References { context, names: CheckedNames::default(), sounds: BTreeSet::new() }.check(room, report);
    check_limits(room, report);
    check_size(room, context, report);
}

fn check_surface(surface: &Surface, field: &str, report: &mut Report) {
    check_count(surface.vertices.len(), field, report);
    let positions: Vec<[f32; 3]> = surface.vertices.iter().map(|vertex| vertex.position).collect();
    check_triangles(&positions, &surface.triangles, field, report);
    let not_finite = surface.vertices.iter().filter(|vertex| !has_finite_uvs(vertex)).count();
    if not_finite > 0 {
        let message =
            format!("{} non-finite texture coordinates", counted(not_finite, "vertex has", "vertices have"));
        report.warn(&warning::NOT_FINITE, message).in_field(field);
    }
}

fn check_invisible(surface: &InvisibleSurface, field: &str, report: &mut Report) {
    check_count(surface.vertices.len(), field, report);
    check_triangles(&surface.vertices, &surface.triangles, field, report);
}

/// Checks the number of vertices of a surface.
fn check_count(vertices: usize, field: &str, report: &mut Report) {
    if vertices > MAX_VERTICES {
        let message = format!("{vertices} vertices, but the game can index only {MAX_VERTICES}");
        report.warn(&warning::MANY_VERTICES, message).in_field(field);
    }
}

fn check_triangles(positions: &[[f32; 3]], triangles: &[[u32; 3]], field: &str, report: &mut Report) {
    let not_finite = positions.iter().filter(|position| !is_finite(*position)).count();
    if not_finite > 0 {
        let message = format!("{} a non-finite position", counted(not_finite, "vertex has", "vertices have"));
        report.warn(&warning::NOT_FINITE, message).in_field(field);
    }
    let at = |corner: u32| usize::try_from(corner).ok().and_then(|corner| positions.get(corner)).copied();
    let (mut without_corner, mut flat) = (0_usize, 0_usize);
    for triangle in triangles {
        match triangle.map(at) {
            [Some(a), Some(b), Some(c)] => flat = flat.saturating_add(usize::from(is_flat([a, b, c]))),
            _ => without_corner = without_corner.saturating_add(1),
        }
    }
    if without_corner > 0 {
        let triangles = counted(without_corner, "triangle refers", "triangles refer");
        let message = format!("{triangles} to vertices beyond the last of {}", positions.len());
        report.warn(&warning::BAD_INDEX, message).in_field(field);
    }
    if flat > 0 {
        let message = format!("{} zero area", counted(flat, "triangle has", "triangles have"));
        report.warn(&warning::ZERO_AREA, message).in_field(field);
    }
}

/// Whether the area of a triangle is exactly zero.
fn is_flat(corners: [[f32; 3]; 3]) -> bool {
    let [a, b, c] = corners.map(|corner| Vec3::from(corner).as_dvec3());
    (b - a).cross(c - a) == glam::DVec3::ZERO
}

/// Looks up all names in the room, each name once.
struct References<'a, 'b> {
    context: &'a Context<'b>,
    names: CheckedNames,
    /// The sound numbers that were looked up.
    sounds: BTreeSet<i32>,
}

impl References<'_, '_> {
    fn check(&mut self, room: &RMesh, report: &mut Report) {
        for (index, surface) in room.surfaces.iter().enumerate() {
            if let Some(name) = surface.texture.named() {
                let field = format!("surfaces[{index}].texture");
                self.check_name((warning::TEXTURE, &name.text()), &field, ".name", report);
            }
            if let Some(name) = surface.lightmap.named() {
                let field = format!("surfaces[{index}].lightmap");
                self.check_name((warning::LIGHTMAP, &name.text()), &field, ".name", report);
            }
        }
        for (index, entity) in room.entities().iter().enumerate() {
            match entity {
                Entity::Model(Model { file, .. }) if !file.is_empty() => {
                    let field = format!("entities[{index}].file");
                    self.check_name((warning::PROP, &file.text()), &field, "", report);
                }
                Entity::Screen(Screen { image, position }) if !image.is_empty() && *position != [0.0; 3] => {
                    let field = format!("entities[{index}].image");
                    self.check_name((warning::SCREEN, &image.text()), &field, "", report);
                }
                Entity::SoundEmitter(SoundEmitter { sound, .. }) => {
                    self.check_sound(*sound, &format!("entities[{index}].sound"), report);
                }
                _ => {}
            }
        }
    }

    /// Checks the sound of an emitter. Without the game's table it cannot be checked.
    fn check_sound(&mut self, number: i32, field: &str, report: &mut Report) {
        if !self.sounds.insert(number) {
            return;
        }
        match rooms::ambience(self.context, number) {
            Ambience::NoTable => {}
            Ambience::Unknown => {
                let message = format!("sound {number} is not in {}", rooms::PATH);
                report.warn(&warning::SOUND_UNKNOWN, message).in_field(field);
            }
            Ambience::File(file) => {
                let reference = warning::reference(warning::SOUND, &file, field);
                // The name is stored in the table, so it cannot be fixed here.
                reference.check(self.context.install.find(&file), report);
            }
        }
    }

    /// Looks up a name. Its text is in the field's `member`, or in the field itself if `member` is empty.
    fn check_name(
        &mut self,
        (noun, name): (&'static str, &str),
        field: &str,
        member: &str,
        report: &mut Report,
    ) {
        let look_up = || match noun {
            warning::PROP => prop::look_up(self.context, name),
            warning::SCREEN => look_up_screen(self.context, name),
            _ => look_up(self.context, name),
        };
        let reference = warning::reference(noun, name, field);
        self.names.check(&reference, &format!("{field}{member}"), look_up, report);
    }
}

/// Checks for items beyond the limits of the game, or skipped by it.
fn check_limits(room: &RMesh, report: &mut Report) {
    let at_origin = |entity: &Entity| entity.position() == Some([0.0; 3]);
    let is_light = |entity: &&Entity| matches!(entity, Entity::Light(_) | Entity::Spotlight(_));
    let lights: Vec<&Entity> = room.entities().iter().filter(is_light).collect();
    let skipped = lights.iter().filter(|entity| at_origin(entity)).count();
    let active = lights.len().saturating_sub(skipped);
    if active > MAX_LIGHTS {
        let message = format!("{active} lights, but the game uses only the first {MAX_LIGHTS}");
        report.warn(&warning::MANY_LIGHTS, message).in_field("entities");
    }
    let emitters = room.entities().iter().filter(|entity| matches!(entity, Entity::SoundEmitter(_))).count();
    if emitters > MAX_EMITTERS {
        let message = format!("{emitters} sound emitters, but the game uses only the first {MAX_EMITTERS}");
        report.warn(&warning::MANY_EMITTERS, message).in_field("entities");
    }
    let screens = room
        .entities()
        .iter()
        .filter(|entity| matches!(entity, Entity::Screen(_)) && at_origin(entity))
        .count();
    for (count, one, many) in [(skipped, "light", "lights"), (screens, "screen", "screens")] {
        if count > 0 {
            let message = format!("{} at the origin skipped by the game", counted(count, one, many));
            report.warn(&warning::AT_ORIGIN, message).in_field("entities");
        }
    }
    if room.triggers().len() > MAX_TRIGGERS {
        let message =
            format!("{} trigger boxes, but the game has room for only {MAX_TRIGGERS}", room.triggers().len());
        report.warn(&warning::MANY_TRIGGERS, message).in_field("triggers");
    }
    let mut names: BTreeMap<String, usize> = BTreeMap::new();
    for trigger in room.triggers() {
        let count = names.entry(trigger.name.text().to_lowercase()).or_default();
        *count = count.saturating_add(1);
    }
    for (name, count) in names.iter().filter(|(_, count)| **count > 1) {
        let message = format!("{count} trigger boxes are named \"{name}\"");
        report.warn(&warning::SAME_TRIGGER, message).in_field("triggers");
    }
}

/// Checks that a room fits its cell of the game's grid, unless the game's table of rooms allows more.
fn check_size(room: &RMesh, context: &Context<'_>, report: &mut Report) {
    let entry = rooms::of_room(context).unwrap_or_default();
    let may_be_larger = entry.iter().any(|(name, value)| {
        let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned).to_lowercase();
        ["large", "disableoverlapcheck"].iter().any(|known| known.eq_ignore_ascii_case(name.trim()))
            && ["true", "1"].contains(&value.trim())
    });
    if may_be_larger {
        return;
    }
    for (axis, name) in [(0_usize, "x"), (2, "z")] {
        let positions = room.surfaces.iter().flat_map(|surface| &surface.vertices);
        let numbers = positions.filter_map(|vertex| vertex.position.get(axis).copied());
        let (least, most) = numbers
            .filter(|number| number.is_finite())
            .fold((f32::MAX, f32::MIN), |(least, most), number| (least.min(number), most.max(number)));
        if least <= most && (least < -CELL - BEYOND || most > CELL + BEYOND) {
            let message = format!(
                "reaches from {least:.0} to {most:.0} along {name}; a cell of the game's grid reaches from -{CELL} to {CELL}"
            );
            report.warn(&warning::OUTSIDE_CELL, message).in_field("surfaces");
        }
    }
}

#[cfg(test)]
mod tests {
    use asset::{Code, Install, Options};

    use super::super::class::Light;
    use super::super::layout::{TextureSlot, TriggerBox, Vertex};
    use super::*;

    fn checked(room: &RMesh) -> Report {
        let (install, options) = (Install::empty(), Options::defaults(&[]));
        let mut report = Report::new();
        check(room, &Context { install: &install, location: None, options: &options }, &mut report);
        report
    }

    fn messages(room: &RMesh, code: &Code) -> Vec<String> {
        let report = checked(room);
        report.iter().filter(|found| found.code.id == code.id).map(|found| found.message.clone()).collect()
    }

    /// A room with one triangle among `vertices` vertices, reaching to `reach` along x.
    fn room(vertices: usize, reach: f32) -> RMesh {
        let mut vertices = vec![Vertex::default(); vertices];
        vertices[1].position = [reach, 5000.0, 0.0];
        vertices[2].position = [0.0, 0.0, -1000.0];
        let triangles = vec![[0, 1, 2]];
        let surface =
            Surface { lightmap: TextureSlot::NONE, texture: TextureSlot::NONE, vertices, triangles };
        RMesh { surfaces: vec![surface], ..RMesh::new() }
    }

    #[test]
    fn reports_more_vertices_than_the_game_can_index() {
        assert!(messages(&room(65_535, 1.0), &warning::MANY_VERTICES).is_empty());
        let message = "65536 vertices, but the game can index only 65535";
        assert_eq!(messages(&room(65_536, 1.0), &warning::MANY_VERTICES), [message]);
    }

    #[test]
    fn reports_a_room_beyond_its_cell() {
        assert!(
            messages(&room(3, 1040.0), &warning::OUTSIDE_CELL).is_empty(),
            "doorsteps reach slightly beyond"
        );
        let message = "reaches from 0 to 1500 along x; a cell of the game's grid reaches from -1024 to 1024";
        assert_eq!(messages(&room(3, 1500.0), &warning::OUTSIDE_CELL), [message]);
        assert!(messages(&room(3, f32::INFINITY), &warning::OUTSIDE_CELL).is_empty());
    }

    #[test]
    fn reports_more_trigger_boxes_and_lights_than_the_game_supports() {
        let with = |boxes: usize, lights: usize| {
            let light = Entity::Light(Light { position: [1.0; 3], ..Light::default() });
            RMesh {
                triggers: Some(vec![TriggerBox::default(); boxes]),
                entities: Some(vec![light; lights]),
                ..room(3, 1.0)
            }
        };
        let (least, most) = (with(128, 32), with(129, 33));
        for code in [&warning::MANY_TRIGGERS, &warning::MANY_LIGHTS] {
            assert_eq!((messages(&least, code).len(), messages(&most, code).len()), (0, 1), "{}", code.id);
        }
    }
}
