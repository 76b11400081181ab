//! The resolved form of a map: each object with its data, each placement with its model, under the field names that user scripts rely on.

use std::cell::Cell;

use json::{Document, Map as Members, Value, json};
use serde::Serialize;

use super::assembled::collect::{frame_at, placements_of};
use super::entry::WalkMap;
use super::layout::{Map, Object, Section};
use super::object::{AnimationCommand, AnimationGroup, ModelEntry, ObjectSections};
use super::placed::{Flat, Light, Placement, Rope, Size, Static};
use super::surroundings::{FoundModel, Surroundings};
use crate::axes::map_position;
use redguard_files::settings::def::GameNames;
use redguard_files::settings::ini::world::stem_of;

/// The number of units per world unit in placements, ropes and locations.
pub(crate) const FRACTION: f64 = 256.0;

/// The distance between links of a rope in world units.
pub(crate) const LINK: f64 = 16.0;

/// The maximum total number of listed items of objects and ropes. The largest map of the game has a tenth of it.
const MAX_ITEMS: usize = 1 << 19;

pub(crate) type Matrix = [[f64; 3]; 3];

fn position(stored: [i32; 3]) -> [f64; 3] {
    map_position(stored.map(f64::from))
}

fn fine_position(stored: [i32; 3]) -> [f64; 3] {
    map_position(stored.map(|number| f64::from(number) / FRACTION))
}

fn product(a: &Matrix, b: &Matrix) -> Matrix {
    std::array::from_fn(|row| {
        std::array::from_fn(|column| {
            let cells = a.get(row).into_iter().flatten().zip(b.iter().filter_map(|row| row.get(column)));
            cells.map(|(a, b)| a * b).sum::<f64>() + 0.0
        })
    })
}

/// Returns the rotation of a placement: the world position is the matrix times the model position.
pub(crate) fn rotation(angles: [i32; 3]) -> Matrix {
    let turn = |angle: i32| {
        let (sin, cos) = (-f64::from(angle & 0x7ff) * std::f64::consts::TAU / 2048.0).sin_cos();
        // A quarter turn is exact.
        let exact = |number: f64| if number.abs() < 1e-15 { 0.0 } else { number };
        (exact(sin), exact(cos))
    };
    let [(sx, cx), (sy, cy), (sz, cz)] = angles.map(turn);
    let x = [[1.0, 0.0, 0.0], [0.0, cx, -sx], [0.0, sx, cx]];
    let y = [[cy, 0.0, sy], [0.0, 1.0, 0.0], [-sy, 0.0, cy]];
    let z = [[cz, -sz, 0.0], [sz, cz, 0.0], [0.0, 0.0, 1.0]];
    product(&product(&y, &x), &z)
}

/// Converts a rotation to the axes of scene nodes.
pub(crate) fn of_node(m: &Matrix) -> Matrix {
    let [[a, b, c], [d, e, f], [g, h, i]] = *m;
    [[a, b, -c + 0.0], [d, e, -f + 0.0], [-g + 0.0, -h + 0.0, i]]
}

/// Returns the rotation of a static model.
pub(crate) fn static_rotation(m: &[i32; 9]) -> Matrix {
    let [a, b, c, d, e, f, g, h, i] = m.map(|number| f64::from(number) / f64::from(1 << 28));
    [[a, b, c], [d, e, f], [g, h, i]]
}

/// Returns the name of a model without its extension, in uppercase.
pub(crate) fn asset_stem(name: &str) -> String {
    stem_of(name).to_uppercase()
}

/// Splits a texture word into its bank and image.
pub(crate) const fn texture(word: u16) -> (u16, u16) {
    (word >> 7, word & 127)
}

/// The mapping between objects and placements.
#[derive(Debug)]
pub struct ActorTable {
    /// The placements of each object.
    pub placed: Vec<Vec<usize>>,
    /// The object of each placement, with the index of the instance.
    pub object_of: Vec<Option<(usize, usize)>>,
}

/// The source of a placement's model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ModelSource {
    /// The first model of its object.
    Object,
    /// The model name of the placement.
    Placement,
    /// Only the name of its object.
    ObjectName,
}

impl ActorTable {
    /// Builds the table of a map.
    #[must_use]
    pub fn of(map: &Map) -> Self {
        let objects: Vec<_> = map.objects().iter().map(|object| object.name).collect();
        let placed = placements_of(&objects, map.placements());
        let mut object_of = vec![None; map.placements().len()];
        for (object, placements) in placed.iter().enumerate() {
            for (instance, placement) in placements.iter().enumerate() {
                if let Some(of) = object_of.get_mut(*placement) {
                    *of = Some((object, instance));
                }
            }
        }
        Self { placed, object_of }
    }

    /// Returns the object of a placement.
    pub(crate) fn object<'m>(&self, map: &'m Map, placement: usize) -> Option<(usize, &'m Object)> {
        let (object, _) = self.object_of.get(placement).copied().flatten()?;
        Some((object, map.objects().get(object)?))
    }

    /// Returns the model of a placement and its source.
    pub(crate) fn model_of(
        &self,
        map: &Map,
        sections: &ObjectSections<'_>,
        index: usize,
        placement: &Placement,
    ) -> (String, ModelSource) {
        let object = self.object(map, index);
        let first = object.and_then(|(_, object)| sections.models(object)?.into_iter().next());
        match first {
            Some(model) => (asset_stem(&model.path), ModelSource::Object),
            None if !placement.model.bytes().is_empty() => (placement.model.text(), ModelSource::Placement),
            None => (placement.object.text(), ModelSource::ObjectName),
        }
    }
}

impl ModelSource {
    const fn name(self) -> &'static str {
        match self {
            Self::Object => "raan",
            Self::Placement => "model_name",
            Self::ObjectName => "script_name",
        }
    }
}

/// The resolved view of a map.
pub(super) struct Resolved<'a> {
    map: &'a Map,
    sections: ObjectSections<'a>,
    actors: ActorTable,
    names: GameNames,
    around: Surroundings<'a>,
    /// The number of items that may still be listed.
    remaining: Cell<usize>,
}

impl<'a> Resolved<'a> {
    pub(super) fn new(map: &'a Map, names: GameNames, around: Surroundings<'a>) -> Self {
        let remaining = Cell::new(MAX_ITEMS);
        Self { map, sections: map.object_sections(), actors: ActorTable::of(map), names, around, remaining }
    }

    /// Returns the complete document.
    pub(super) fn document(&self) -> Document {
        let map = self.map;
        Document::object(|out| {
            out.list("sections", self.section_list());
            out.put(
                "rahd_dword",
                &map.sections.iter().find_map(|section| match section {
                    Section::Objects(objects) => Some(objects.word),
                    _ => None,
                }),
            );
            out.put("rasc_preamble", &self.preamble());
            out.put("world", &self.around.world());
            out.put("names_from_game", &self.names.is_own);
            out.list(
                "actors",
                map.objects().iter().enumerate().map(|(index, object)| self.actor(index, object)),
            );
            out.list(
                "mpob",
                map.placements().iter().enumerate().map(|(index, it)| self.placement(index, it)),
            );
            out.list(
                "mpso",
                map.statics().iter().enumerate().map(|(index, it)| self.static_model(index, it)),
            );
            out.list("mprp", map.ropes().iter().enumerate().map(|(index, it)| self.rope(index, it)));
            out.list("mpsf", map.flats().iter().enumerate().map(|(index, it)| self.flat(index, it)));
            out.list("mpsl", map.lights().iter().enumerate().map(|(index, it)| light(index, it)));
            out.list("mpmk", map.markers().iter().enumerate().map(|(index, it)| {
                json!({ "index": index, "pos": it.position, "position": position(it.position), "flag": it.flag })
            }));
            out.list("mpsz", map.sizes().iter().enumerate().map(|(index, it)| size(index, it)));
            out.list("flat", map.draw_modes().iter().map(|it| {
                json!({ "texture_id": it.texture_set, "image_id": it.image, "flags": it.flags, "alpha_byte": it.alpha })
            }));
            out.list("wdnm", map.walk_maps().iter().enumerate().map(|(index, it)| walk_map(index, it)));
        })
    }

    /// Reserves items for the document, and returns whether they fit. The parts of hostile maps overlap, so all of them together may be far
    /// larger than the file.
    fn reserve(&self, items: usize) -> bool {
        let remaining = self.remaining.get().checked_sub(items);
        remaining.into_iter().for_each(|remaining| self.remaining.set(remaining));
        remaining.is_some()
    }

    fn section_list(&self) -> Vec<Value> {
        let mut out = Vec::new();
        let mut at = 0_usize;
        for section in &self.map.sections {
            let (tag, length) = section.tag_and_length();
            let mut row = Members::new();
            row.insert("tag".into(), tag.escape_ascii().to_string().into());
            row.insert("header_offset".into(), at.into());
            row.insert("payload_offset".into(), at.saturating_add(8).into());
            row.insert("length".into(), length.into());
            if let Some(count) = section.count() {
                row.insert("record_count".into(), count.into());
            }
            out.push(Value::Object(row));
            at = at.saturating_add(8).saturating_add(length);
        }
        if self.map.end {
            let payload = at.saturating_add(4);
            out.push(json!({ "tag": "END ", "header_offset": at, "payload_offset": payload, "length": 0 }));
        }
        out
    }

    /// Returns the number of bytes before the first script.
    fn preamble(&self) -> u32 {
        let first = self.map.objects().iter().filter(|object| object.script_length > 0);
        first.map(|object| object.script_offset).min().unwrap_or(0)
    }

    fn actor(&self, index: usize, object: &Object) -> Document {
        let sections = &self.sections;
        let names = &self.names.names;
        let placements = self.actors.placed.get(index).map(Vec::as_slice).unwrap_or_default();
        let models = sections.models(object).filter(|list| self.reserve(list.len())).unwrap_or_default();
        let frames: Vec<u8> = models.iter().map(|model| model.frame_count).collect();
        let alias = sections.alias(object).filter(|alias| !alias.is_empty());
        let set = |block: &[u8; 256]| {
            let set = block.iter().enumerate().filter(|(_, value)| **value != 0);
            let named = |(number, value): (usize, &u8)| {
                let name = names.attribute(number);
                (name.map_or_else(|| format!("attribute_{number}"), str::to_owned), Value::from(*value))
            };
            set.map(named).collect::<Members<_, _>>()
        };
        let extra = sections.extra(object).flatten().map(|it| {
            json!({
                "grip0": it.grip0, "grip1": it.grip1, "scabbard0": it.scabbard0, "scabbard1": it.scabbard1,
                "anim_frame_ref": it.frame_count, "texture_id": it.texture_set, "v_vertex": it.contact_vertex,
                "v_size": it.contact_radius, "taunt_id": it.taunt, "field_12": it.sphere_scale, "field_14": it.stat,
                "field_16": it.unknown_16, "range_min": it.range_min, "range_ideal": it.range_ideal, "range_max": it.range_max,
            })
        });
        let hook = sections.hook(object).flatten().map(|hook| {
            let name = names.function(hook.function).map(|function| &function.name);
            let arguments: Vec<_> = hook.arguments.iter().map(|(_, value)| value).collect();
            let opcodes: Vec<_> = hook.arguments.iter().map(|(opcode, _)| opcode).collect();
            json!({ "function": hook.function, "name": name, "arguments": arguments, "opcodes": opcodes })
        });
        let locations = sections.locations(object).unwrap_or_default();
        let locations = if self.reserve(locations.len()) { locations } else { &[] };
        let is_located =
            !locations.is_empty() && self.reserve(locations.len().saturating_mul(placements.len()));
        let texts = sections.texts(object).unwrap_or_default();
        let texts_size =
            texts.iter().fold(0_usize, |sum, text| sum.saturating_add(text.len() / 8).saturating_add(1));
        let texts = if self.reserve(texts_size) { texts } else { Vec::new() };
        let variables = sections.variables(object).unwrap_or_default();
        let values = variables.iter().fold(variables.len(), |sum, block| sum.saturating_add(block.len()));
        let variables = if self.reserve(values) { variables } else { Vec::new() };
        let located = |placement: &usize| {
            let home = self.map.placements().get(*placement)?.position;
            let engine: Vec<[i64; 3]> = locations
                .iter()
                .map(|location| {
                    let mut both = home.iter().zip(location);
                    std::array::from_fn(|_| {
                        both.next()
                            .map_or(0, |(home, offset)| i64::from(*home).saturating_add(i64::from(*offset)))
                    })
                })
                .collect();
            let to_meters = |position: &[i64; 3]| {
                #[expect(
                    clippy::as_conversions,
                    clippy::cast_precision_loss,
                    reason = "sums of two of 32 bits"
                )]
                map_position(position.map(|number| number as f64 / FRACTION))
            };
            let exporter: Vec<_> = engine.iter().map(to_meters).collect();
            Some(json!({ "mpob": placement, "engine": engine, "exporter": exporter }))
        };
        let row = |size: i32| Some(size).filter(|size| *size >= 0);
        let spheres = sections.spheres(object).filter(|list| self.reserve(list.len())).unwrap_or_default();
        let commands = |groups: &Vec<AnimationGroup>| {
            groups.iter().fold(groups.len(), |sum, group| sum.saturating_add(group.commands.len()))
        };
        let groups = sections.animation_groups(object).filter(|groups| self.reserve(commands(groups)));
        let groups = groups.unwrap_or_default();
        Document::object(|out| {
            out.put("index", &index).put("name", &object.name.text()).put("alias", &alias);
            out.put("placed_mpob", &placements).put("rahd", &rahd(object));
            out.put("strings", &texts).put("variables", &variables);
            out.put("attributes", &sections.attributes(object).map(set).unwrap_or_default());
            out.list("raan", models.iter().map(|model| self.raan(model)));
            out.put("frame_table", &frame_table(&frames)).put("raex", &extra);
            out.put("texture_override", &Some(object.texture_set).filter(|set| *set != 0));
            out.put("native_hook", &hook).put("locations", &locations);
            out.list("location_positions", placements.iter().filter(|_| is_located).filter_map(located));
            out.put(
                "collision",
                &json!({
                    "normal": row(object.size), "combat": row(object.size_in_combat), "dead": row(object.size_when_dead),
                }),
            );
            out.list(
                "vcollide",
                spheres
                    .iter()
                    .map(|it| json!({ "offset": it.offset, "vertex": it.vertex, "radius": it.radius })),
            );
            out.list("animation_groups", groups.iter().map(|it| self.group(it, &frames)));
            out.put(
                "script",
                &json!({ "length": object.script_length, "thread_start": object.script_start }),
            );
        })
    }

    fn raan(&self, model: &ModelEntry) -> Value {
        json!({
            "face_count": model.face_count,
            "frame_count": model.frame_count,
            "model_type": char::from(model.kind.to_ascii_lowercase()),
            "file_path": model.path,
            "stem": asset_stem(&model.path),
            "model_file": self.around.model_file(&model.path),
        })
    }

    fn group(&self, group: &AnimationGroup, frames: &[u8]) -> Document {
        let entry_size = group.commands.len().saturating_mul(3).saturating_add(8);
        Document::object(|out| {
            out.put("group_index", &group.number);
            out.put("name", &self.names.names.animation_group(group.number));
            out.put("anim_id", &group.animation).put("anim_type", &(group.kind & 0xff));
            out.put("entry_size", &entry_size).put("frame_count", &group.commands.len());
            out.list("commands", group.commands.iter().map(|it| command(*it, frames)));
        })
    }

    /// Returns the model of a placement and its source.
    pub(super) fn model_of(&self, index: usize, placement: &Placement) -> (String, ModelSource) {
        self.actors.model_of(self.map, &self.sections, index, placement)
    }

    fn placement(&self, index: usize, it: &Placement) -> Value {
        let of = self.actors.object_of.get(index).copied().flatten();
        let object = of.and_then(|(object, _)| self.map.objects().get(object));
        let (model, from) = self.model_of(index, it);
        let stem = asset_stem(&model);
        let m = rotation(it.angles);
        let (bank, image) = texture(it.texture);
        let degrees = it.angles.map(|angle| f64::from(angle & 0x7ff) * 360.0 / 2048.0);
        json!({
            "index": index, "id": it.id, "kind": it.kind, "active": it.is_active, "script_name": it.object.text(),
            "model_name": it.model.text(), "has_mesh": it.has_mesh != 0, "pos": it.position,
            "position": fine_position(it.position), "angles": it.angles, "degrees": degrees, "rotation_engine": m,
            "rotation_node": of_node(&m), "texture_id": bank, "image_id": image, "intensity": it.intensity,
            "radius": it.radius, "mesh_slot": it.mesh_slot, "world_index": it.world, "rgb": it.color,
            "actor_index": of.map(|(object, _)| object), "instance": of.map(|(_, instance)| instance),
            "resolved_model": model, "resolved_from": from.name(), "asset_stem": stem, "model_file": file(self.around.model(&stem)),
            "node_name": format!("B_{index:03}_{}", it.object.text()),
            "texture_override": object.map(|object| object.texture_set).filter(|set| *set != 0),
        })
    }

    fn static_model(&self, index: usize, it: &Static) -> Value {
        let stem = asset_stem(&it.model.text());
        let m = static_rotation(&it.matrix);
        json!({
            "index": index, "id": it.id, "model_name": it.model.text(), "pos": it.position,
            "position": position(it.position), "m": it.matrix, "rotation_engine": m, "rotation_node": of_node(&m),
            "asset_stem": stem, "model_file": file(self.around.model(&stem)),
            "node_name": format!("S{index:03}_{}", it.model.text()),
        })
    }

    fn flat(&self, index: usize, it: &Flat) -> Value {
        let (bank, image) = texture(it.texture);
        let (flags, alpha) = self.map.draw_parameters(bank, image);
        json!({
            "index": index, "id": it.id, "field_04": it.unknown_04, "pos": it.position,
            "position": position(it.position), "texture_id": bank, "image_id": image, "field_16": it.unknown_16,
            "draw_flags": flags, "alpha": alpha, "size": self.around.image_size(bank, image),
            "node_name": format!("F{index:03}_{bank}/{image}"),
        })
    }

    fn rope(&self, index: usize, it: &Rope) -> Value {
        let [x, y, z] = it.position.map(|number| f64::from(number) / FRACTION);
        let link = |number: i16| map_position([x, y + f64::from(number) * LINK, z]);
        let end = (!it.end_model.bytes().is_empty()).then(|| link(it.links));
        let links =
            usize::try_from(it.links).ok().filter(|links| self.reserve(*links)).map_or(0, |_| it.links);
        json!({
            "index": index, "id": it.id, "pos": it.position, "position": link(0), "angle_y": it.angle, "type": it.kind,
            "swing": it.swing, "speed": it.speed, "length": it.links, "rope_model": it.link_model.text(),
            "static_model": it.end_model.text(), "swing_sounds": it.sounds, "raw_40": hex(&it.unknown_40.0),
            "links": (0..links).map(link).collect::<Vec<_>>(), "terminal": end,
        })
    }
}

fn file(model: Option<FoundModel>) -> Option<String> {
    model.map(|model| model.file)
}

/// Returns the fields of an object under the names known to users.
fn rahd(it: &Object) -> Value {
    json!({
        "field_00": it.unknown_00, "instances": it.instances, "field_11": it.unknown_11,
        "ranm_length": it.alias_length, "ranm_offset": it.alias_offset, "raat_offset": it.attributes_offset,
        "raan_count": it.model_count, "raan_length": it.models_length, "raan_offset": it.models_offset,
        "ragr_max_group": it.most_group, "ragr_offset": it.groups_offset, "field_35": it.unknown_35,
        "field_39": it.unknown_39, "field_3d": it.unknown_3d, "rasb_count": it.text_count, "rasb_length": it.texts_length,
        "rasb_offset": it.texts_offset, "rasc_length": it.script_length, "rasc_offset": it.script_offset,
        "thread_start": it.script_start, "rahk_length": it.hook_length, "rahk_offset": it.hook_offset,
        "ralc_count": it.location_count, "ralc_length": it.locations_length, "ralc_offset": it.locations_offset,
        "raex_length": it.extra_length, "raex_offset": it.extra_offset, "rava_count": it.variable_count,
        "rava_length": it.variables_length, "rava_offset": it.variables_offset, "rava_offset_dup": it.variables_offset_again,
        "frame_count": it.frame_count, "mpsz_normal": it.size, "mpsz_combat": it.size_in_combat, "mpsz_dead": it.size_when_dead,
        "is_actor": it.is_actor, "field_97": it.unknown_97, "field_99": it.unknown_99, "texture_id": it.texture_set,
        "ravc_offset": it.spheres_offset, "ravc_count": it.sphere_count,
    })
}

fn frame_table(frames: &[u8]) -> Value {
    let mut total = 0_u32;
    let starts: Vec<u32> = frames
        .iter()
        .map(|count| {
            let start = total;
            total = total.saturating_add(u32::from(*count));
            start
        })
        .collect();
    json!({ "starts": starts, "total": total })
}

/// Returns the names of a command's parameters.
const fn parameter_names(opcode: u8) -> &'static [&'static str] {
    match opcode {
        0 => &["frame"],
        4 | 10 => &["param_a", "param_b"],
        6 | 8 => &["x", "y", "z"],
        7 | 9 => &["axis", "value"],
        15 => &["trigger_mask", "start_frame", "target_group"],
        _ => &["value"],
    }
}

/// Returns the opcode, the name and the named parameters of a command.
pub(crate) fn command_members(command: AnimationCommand) -> Members<String, Value> {
    let mut out = Members::new();
    out.insert("opcode".into(), command.opcode().into());
    out.insert("name".into(), command.name().into());
    for (name, value) in parameter_names(command.opcode()).iter().zip(command.parameters()) {
        out.insert((*name).into(), value.into());
    }
    out
}

fn command(command: AnimationCommand, frames: &[u8]) -> Value {
    let mut out = command_members(command);
    if let (0, [frame]) = (command.opcode(), command.parameters().as_slice()) {
        out.insert("shown".into(), json!(frame_at(*frame, frames)));
    }
    Value::Object(out)
}

fn light(index: usize, it: &Light) -> Value {
    let raw: Vec<u8> = [it.unknown_1e, it.is_active].into_iter().chain(it.unknown_20.0).collect();
    json!({
        "index": index, "id": it.id, "world_index": it.world, "pos": it.position, "position": position(it.position),
        "radius": it.radius, "rgb": it.color, "value": it.unknown_16, "active": it.is_active, "raw_1e": hex(&raw),
    })
}

fn size(index: usize, it: &Size) -> Value {
    json!({
        "index": index, "byte": it.unknown_00, "extent": it.extent, "centre": it.centre, "plus_half": it.positive,
        "minus_half": it.negative,
    })
}

fn walk_map(index: usize, it: &WalkMap) -> impl Serialize {
    let nodes = it.nodes.iter().map(|node| {
        let routes: Vec<_> = node.routes.iter().map(|route| [route.target, route.cost]).collect();
        json!({ "pos": node.position, "position": position(node.position), "byte": node.unknown_0a, "routes": routes })
    });
    json!({
        "index": index, "body_length": it.body_length(), "node_count": it.nodes.len(), "pos": it.position,
        "position": position(it.position), "radius": it.radius, "nodes": nodes.collect::<Vec<_>>(),
    })
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
