//! A common form for rooms of any dialect, with conversions from and to each dialect.

use asset::{Report, counted};
use glam::Vec3;

use super::any_entity::AnyEntity;
use super::loss::{Losses, warn_render_only, warn_unread};
use super::normal::{NormalOrder, face_cross};
use super::rm::Rm;
use super::roommesh2::{RoomMesh2, Surface2, Vertex2};
use crate::rmesh::layout::{InvisibleSurface, Surface, TextureKind, TriggerBox};
use crate::rmesh::{RMesh, warning};

/// The contents of a room of any dialect.
#[derive(Debug, Clone, Default, PartialEq)]
pub(in crate::rmesh) struct AnyRoom {
    pub(in crate::rmesh) surfaces: Vec<AnySurface>,
    pub(in crate::rmesh) collision: Vec<InvisibleSurface>,
    pub(in crate::rmesh) triggers: Vec<TriggerBox>,
    pub(in crate::rmesh) entities: Vec<AnyEntity>,
}

/// A visible surface of any dialect.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::rmesh) struct AnySurface {
    pub(in crate::rmesh) surface: Surface,
    /// Vertex normals in the game's axes. If empty, they are computed from the triangles.
    pub(in crate::rmesh) normals: Vec<[f32; 3]>,
    pub(in crate::rmesh) solidity: Solidity,
}

/// Whether an opaque surface stops the player.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::rmesh) enum Solidity {
    Solid,
    RenderOnly,
}

impl AnySurface {
    fn new(surface: Surface, solidity: Solidity) -> Self {
        Self { surface, normals: Vec::new(), solidity }
    }

    /// The normals, in the game's axes.
    fn normals(&self) -> Vec<[f32; 3]> {
        let known = self.normals.len() == self.surface.vertices.len();
        if known { self.normals.clone() } else { normals_of(&self.surface) }
    }
}

/// Computes the normals of a surface without any: the area-weighted mean of the triangles around each vertex.
pub(in crate::rmesh) fn normals_of(surface: &Surface) -> Vec<[f32; 3]> {
    let mut sums = vec![Vec3::ZERO; surface.vertices.len()];
    for triangle in &surface.triangles {
        let Some(cross) = face_cross(surface, *triangle).filter(|cross| cross.is_finite()) else { continue };
        for corner in triangle {
            let sum = usize::try_from(*corner).ok().and_then(|corner| sums.get_mut(corner));
            if let Some(sum) = sum {
                *sum += cross;
            }
        }
    }
    sums.into_iter().map(|sum| sum.try_normalize().unwrap_or(Vec3::Y).to_array()).collect()
}

impl AnyRoom {
    pub(super) fn of_plain(room: &RMesh, report: &mut Report) -> Self {
        warn_unread(&room.rest, report);
        let surfaces = room.surfaces.iter().cloned();
        Self {
            surfaces: surfaces.map(|surface| AnySurface::new(surface, Solidity::Solid)).collect(),
            collision: room.collision().to_vec(),
            triggers: room.triggers().to_vec(),
            entities: room.entities().iter().cloned().map(AnyEntity::Plain).collect(),
        }
    }

    pub(super) fn of_rm(room: &Rm, report: &mut Report) -> Self {
        warn_unread(&room.rest, report);
        let solid = room.surfaces.iter().cloned();
        let render_only = room.render_surfaces.iter().flatten().cloned();
        let solid = solid.map(|surface| AnySurface::new(surface, Solidity::Solid));
        let render_only = render_only.map(|surface| AnySurface::new(surface, Solidity::RenderOnly));
        Self {
            surfaces: solid.chain(render_only).collect(),
            collision: room.collision.clone().unwrap_or_default(),
            triggers: room.triggers.clone().unwrap_or_default(),
            entities: room.entities.iter().flatten().cloned().map(AnyEntity::from).collect(),
        }
    }

    pub(super) fn of_roommesh2(room: &RoomMesh2, report: &mut Report) -> Self {
        warn_unread(&room.rest, report);
        let order = room.normal_order();
        let surface = |surface: &Surface2| AnySurface {
            normals: surface.vertices.iter().map(|vertex| order.apply(vertex.normal)).collect(),
            ..AnySurface::new(surface.plain(), Solidity::Solid)
        };
        Self {
            surfaces: room.surfaces.iter().map(surface).collect(),
            collision: room.collision.clone().unwrap_or_default(),
            triggers: Vec::new(),
            entities: room.entities.iter().flatten().cloned().map(AnyEntity::from).collect(),
        }
    }

    /// Converts the room to the dialect "RM".
    pub(in crate::rmesh) fn into_rm(self, version: u8, report: &mut Report) -> Rm {
        let mut losses = Losses::default();
        if self.surfaces.iter().any(|surface| !surface.normals.is_empty()) {
            report.warn(&warning::NORMALS_LOST, "normals left out; the game computes its own");
        }
        let (solid, render_only): (Vec<_>, Vec<_>) =
            self.surfaces.into_iter().partition(|surface| surface.solidity == Solidity::Solid);
        let entities = self.entities.into_iter().filter_map(|entity| entity.into_rm(version, &mut losses));
        let room = Rm {
            surfaces: solid.into_iter().map(|surface| surface.surface).collect(),
            render_surfaces: Some(render_only.into_iter().map(|surface| surface.surface).collect()),
            collision: Some(self.collision),
            triggers: Some(self.triggers),
            entities: Some(entities.collect()),
            ..Rm::new(version)
        };
        losses.report(report);
        room
    }

    /// Converts the room to the dialect `RoomMesh2`, with normals in a component order.
    pub(in crate::rmesh) fn into_roommesh2(self, order: NormalOrder, report: &mut Report) -> RoomMesh2 {
        let mut losses = Losses::default();
        self.warn_solid(report);
        if !self.triggers.is_empty() {
            let triggers = counted(self.triggers.len(), "trigger box", "trigger boxes");
            report.warn(&warning::TRIGGERS_LOST, format!("{triggers} left out: RoomMesh2 rooms have none"));
        }
        let entities = self.entities.into_iter().filter_map(|entity| entity.into_roommesh2(&mut losses));
        let room = RoomMesh2 {
            entities: Some(entities.collect()),
            surfaces: self.surfaces.into_iter().map(|surface| surface2(&surface, order)).collect(),
            collision: Some(self.collision),
            ..RoomMesh2::new()
        };
        losses.report(report);
        room
    }

    /// Reports surfaces that become solid in a dialect without render-only surfaces.
    pub(in crate::rmesh) fn warn_solid(&self, report: &mut Report) {
        let becomes_solid = |surface: &&AnySurface| {
            surface.solidity == Solidity::RenderOnly
                && surface.surface.texture.kind != TextureKind::TRANSPARENT
        };
        let count = self.surfaces.iter().filter(becomes_solid).count();
        if count > 0 {
            warn_render_only(count, report);
        }
    }
}

fn surface2(surface: &AnySurface, order: NormalOrder) -> Surface2 {
    let normals = surface.normals();
    let Surface { lightmap, texture, vertices, triangles } = &surface.surface;
    let vertices = vertices.iter().zip(normals).map(|(vertex, normal)| Vertex2 {
        position: vertex.position,
        texture_uv: vertex.texture_uv,
        lightmap_uv: vertex.lightmap_uv,
        color: vertex.color,
        normal: order.apply(normal),
    });
    Surface2 {
        lightmap: lightmap.clone(),
        texture: texture.clone(),
        vertices: vertices.collect(),
        triangles: triangles.clone(),
    }
}
