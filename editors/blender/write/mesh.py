"""Meshes: the arrays of a primitive that were edited are replaced; the others stay as they are."""

import copy
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import antiquary
import bpy
import numpy as np

from .. import axes
from ..read.mesh import (
    COLOR_NAME,
    SHOWN_NORMALS,
    stacked_colors,
    stacked_normals,
    stacked_target,
    stacked_uvs,
    uv_name,
    visible_faces,
)
from .glb import Document

# Largest difference between components of normals that are regarded as equal.
_SAME_NORMAL = 0.01


@dataclass
class Edited:
    """The new primitives of a mesh."""

    primitives: list[dict[str, Any]]


def arrays(collection: Any, name: str, columns: int, dtype: type = np.float32) -> np.ndarray:
    """The values of a collection of Blender as an array."""
    out = np.empty(len(collection) * columns, dtype)
    collection.foreach_get(name, out)
    return out.reshape(-1, columns) if columns > 1 else out


def edit(
    document: Document,
    target: bpy.types.Object,
    source: antiquary.Mesh,
    scene: antiquary.Scene,
    stored: list[dict[str, Any]],
    material: Callable[[bpy.types.Material | None], int | None],
    joints: list[str],
) -> Edited | None:
    """Compares the mesh of an object with the original. Returns None if it was not edited.

    ``stored`` are the primitives of the original in the document, and ``joints`` the names of the bones of its skin.
    """
    mesh = target.data
    if not source.primitives and not len(mesh.vertices):
        return None
    if not source.primitives or not has_same_faces(mesh, source, scene):
        return _rebuild(document, target, source, stored, material, joints)
    parts = _Parts(document, target, source, scene, stored, joints)
    if not parts.compare():
        return _rebuild(document, target, source, stored, material, joints)
    parts.compare_materials(material)
    return Edited(parts.primitives) if parts.is_edited else None


def _corners(source: antiquary.Mesh, scene: antiquary.Scene) -> tuple[np.ndarray, np.ndarray]:
    """The vertices of the corners of Blender's faces, and the number of faces of each primitive."""
    start, out, counts = 0, [np.zeros((0, 3), np.int64)], []
    for primitive in source.primitives:
        if primitive.topology == "triangles":
            faces = visible_faces(primitive, scene).astype(np.int64) + start
            out.append(faces)
            counts.append(len(faces))
        start += len(primitive.positions)
    return np.concatenate(out).ravel(), np.array(counts, np.int64)


def has_same_faces(mesh: bpy.types.Mesh, source: antiquary.Mesh, scene: antiquary.Scene) -> bool:
    corners, counts = _corners(source, scene)
    if len(mesh.vertices) != sum(len(it.positions) for it in source.primitives):
        return False
    if len(mesh.loops) != len(corners) or len(mesh.polygons) * 3 != len(corners):
        return False
    if not np.array_equal(arrays(mesh.loops, "vertex_index", 1, np.int32), corners):
        return False
    # All faces of a primitive have the same slot.
    slots = arrays(mesh.polygons, "material_index", 1, np.int32)
    ends = np.cumsum(counts)
    return all(len(set(slots[end - count : end].tolist())) <= 1 for end, count in zip(ends, counts))


class _Parts:
    """Compares and replaces the arrays of a mesh with unchanged faces."""

    def __init__(
        self,
        document: Document,
        target: bpy.types.Object,
        source: antiquary.Mesh,
        scene: antiquary.Scene,
        stored: list[dict[str, Any]],
        joints: list[str],
    ) -> None:
        self.document, self.target, self.source, self.joints = document, target, source, joints
        self.mesh: bpy.types.Mesh = target.data
        self.primitives = copy.deepcopy(stored)
        self.is_edited = False
        ends = np.cumsum([len(it.positions) for it in source.primitives])
        slices = [slice(end - len(it.positions), end) for it, end in zip(source.primitives, ends)]
        # Primitives without faces are not in the document.
        visible = [pair for pair in zip(source.primitives, slices) if len(pair[0].indices)]
        self.pairs = [(it, json, part) for (it, part), json in zip(visible, self.primitives)]
        self.corners, self.counts = _corners(source, scene)

    def compare(self) -> bool:
        """Replaces the arrays that differ. Returns False if a vertex has different values at its corners, so that it has to
        be split."""
        uvs = self._uvs()
        if uvs is None:
            return False
        self._positions()
        for index, values in enumerate(uvs):
            self._replace(f"TEXCOORD_{index}", values, stacked_uvs(self.source.primitives, index), _uv_to_gltf)
        if not self._colors() or not self._normals():
            return False
        self._targets()
        self._weights()
        return True

    def _replace(
        self, name: str, now: np.ndarray, before: np.ndarray, convert: Callable[[np.ndarray], np.ndarray]
    ) -> None:
        for _, json, part in self.pairs:
            if name in json["attributes"] and not np.array_equal(now[part], before[part]):
                array = convert(now[part])
                json["attributes"][name] = self.document.add_vertices(array, bounds=name == "POSITION")
                self.is_edited = True

    def _base(self) -> np.ndarray:
        keys = self.mesh.shape_keys
        return arrays(keys.key_blocks[0].data if keys else self.mesh.vertices, "co", 3)

    def _positions(self) -> None:
        before = axes.points(np.concatenate([it.positions for it in self.source.primitives]))
        self._replace("POSITION", self._base(), before, axes.points_to_gltf)

    def _uvs(self) -> list[np.ndarray] | None:
        out = []
        count = max(len(it.uvs) for it in self.source.primitives)
        for index in range(count):
            before = stacked_uvs(self.source.primitives, index)
            layer = self.mesh.uv_layers.get(uv_name(index))
            if layer is None:
                # The original is kept.
                out.append(before)
                continue
            now = arrays(layer.uv, "vector", 2)
            values = before.copy()
            values[self.corners] = now
            if not np.array_equal(values[self.corners], now):
                return None
            out.append(values)
        return out

    def _colors(self) -> bool:
        before, shown = stacked_colors(self.source.primitives), colors_of(self.mesh)
        if before is None or shown is None:
            return True
        now = before.copy()
        now[self.corners] = shown
        if not np.array_equal(now[self.corners], shown):
            return False
        self._replace("COLOR_0", now, before, lambda it: it)
        return True

    def _normals(self) -> bool:
        primitives = self.source.primitives
        if all(it.normals is None for it in primitives):
            return True
        shown, edited = arrays(self.mesh.corner_normals, "vector", 3), edited_normals(self.mesh, primitives)
        before = stacked_normals(primitives)
        now = before.copy()
        now[self.corners[edited]] = shown[edited]
        if not np.allclose(now[self.corners[edited]], shown[edited], rtol=0.0, atol=_SAME_NORMAL):
            return False
        self._replace("NORMAL", now, before, axes.points_to_gltf)
        return True

    def _targets(self) -> None:
        keys = self.mesh.shape_keys
        count = max((len(it.targets) for it in self.source.primitives), default=0)
        if count == 0 or keys is None:
            return
        base = np.concatenate([it.positions for it in self.source.primitives])
        blocks = list(keys.key_blocks)[1:]
        if len(blocks) != count:
            # The original ones are kept.
            return
        now = axes.points_to_gltf(self._base())
        for index, block in enumerate(blocks):
            shown = arrays(block.data, "co", 3)
            before = axes.points(base + stacked_target(self.source, index))
            if np.array_equal(shown, before):
                continue
            difference = axes.points_to_gltf(shown) - now
            for _, json, part in self.pairs:
                if index < len(json.get("targets", ())):
                    accessor = self.document.add_vertices(difference[part], bounds=True)
                    json["targets"][index] = {"POSITION": accessor}
            self.is_edited = True

    def _weights(self) -> None:
        for primitive, json, part in self.pairs:
            if primitive.joints is None:
                continue
            names = {it.index: it.name for it in self.target.vertex_groups}
            numbers = {name: index for index, name in enumerate(self.joints)}
            joints, weights = influences(self.mesh, part, names, numbers)
            if other_weights(primitive, joints, weights).any():
                json["attributes"]["JOINTS_0"] = self.document.add_vertices(joints)
                json["attributes"]["WEIGHTS_0"] = self.document.add_vertices(weights)
                self.is_edited = True

    def compare_materials(self, material: Callable[[bpy.types.Material | None], int | None]) -> None:
        """Replaces the materials that differ."""
        slots = arrays(self.mesh.polygons, "material_index", 1, np.int32)
        triangles = [it for it in self.source.primitives if it.topology == "triangles"]
        last = {id(it): (end, count) for it, end, count in zip(triangles, np.cumsum(self.counts), self.counts)}
        for primitive, json, _ in self.pairs:
            end, count = last.get(id(primitive), (0, 0))
            if count:
                slot = int(slots[end - 1])
                shown = self.mesh.materials[slot] if slot < len(self.mesh.materials) else None
                index = material(shown)
                if index != json.get("material"):
                    _set_material(json, index)
                    self.is_edited = True


def colors_of(mesh: bpy.types.Mesh) -> np.ndarray | None:
    """The color of each corner, (C, 4), or None if the mesh has none."""
    attribute = mesh.color_attributes.get(COLOR_NAME)
    if attribute is None:
        return None
    values = arrays(attribute.data, "color", 4)
    return values[arrays(mesh.loops, "vertex_index", 1, np.int32)] if attribute.domain == "POINT" else values


def edited_normals(mesh: bpy.types.Mesh, primitives: list[antiquary.Primitive]) -> np.ndarray:
    """The corners whose normals differ from those that Blender showed after the import."""
    before = stacked_normals(primitives)[arrays(mesh.loops, "vertex_index", 1, np.int32)]
    lengths = np.linalg.norm(before, axis=1)
    shown = arrays(mesh.corner_normals, "vector", 3)
    stored = mesh.attributes.get(SHOWN_NORMALS)
    is_stored = stored is not None and len(stored.data) == len(shown)
    unit = before / np.where(lengths > 0.0, lengths, 1.0)[:, None]
    expected = arrays(stored.data, "vector", 3) if is_stored else unit
    is_near = np.isclose(shown, expected, rtol=0.0, atol=_SAME_NORMAL, equal_nan=True).all(axis=1)
    return ~is_near & (lengths > 0.0)


def _set_material(json: dict[str, Any], index: int | None) -> None:
    json.pop("material", None)
    if index is not None:
        json["material"] = index


def _uv_to_gltf(array: np.ndarray) -> np.ndarray:
    return axes.uv(array)


def influences(
    mesh: bpy.types.Mesh, part: slice, names: dict[int, str], numbers: dict[str, int]
) -> tuple[np.ndarray, np.ndarray]:
    """The four strongest joints of vertices, and their weights, whose sum is 1."""
    count = part.stop - part.start
    joints, weights = np.zeros((count, 4), np.uint16), np.zeros((count, 4), np.float32)
    for row, index in enumerate(range(part.start, part.stop)):
        found = [(it.weight, numbers[names[it.group]]) for it in mesh.vertices[index].groups
                 if it.weight > 0.0 and names.get(it.group) in numbers]  # fmt: skip
        for column, (weight, joint) in enumerate(sorted(found, key=lambda it: -it[0])[:4]):
            joints[row, column], weights[row, column] = joint, weight
    sums = weights.sum(axis=1, keepdims=True)
    weights = np.divide(weights, sums, out=weights, where=sums > 0.0)
    weights[:, 0] = np.where(sums[:, 0] > 0.0, weights[:, 0], 1.0)
    return joints, weights


def other_weights(primitive: antiquary.Primitive, joints: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """The vertices whose weights differ. Dense tables are compared, because the order of joints has no meaning."""
    before, now = np.asarray(primitive.weights), weights
    sums = before.sum(axis=1, keepdims=True)
    before = np.divide(before, sums, out=before.copy(), where=sums > 0.0)
    width = int(max(primitive.joints.max(initial=0), joints.max(initial=0))) + 1
    tables = np.zeros((2, len(before), width), np.float32)
    rows = np.arange(len(before))[:, None]
    np.add.at(tables[0], (rows, primitive.joints.astype(np.int64)), before)
    np.add.at(tables[1], (rows, joints.astype(np.int64)), now)
    is_near = np.isclose(tables[0], tables[1], atol=1e-6).all(axis=1)
    return ~is_near & (sums[:, 0] > 0.0)


def _rebuild(
    document: Document,
    target: bpy.types.Object,
    source: antiquary.Mesh | None,
    stored: list[dict[str, Any]],
    material: Callable[[bpy.types.Material | None], int | None],
    joints: list[str],
) -> Edited:
    """Creates the primitives of a mesh whose faces have changed, or of a new one: one for each material."""
    mesh: bpy.types.Mesh = target.data
    has_normals = any(it.normals is not None for it in source.primitives) if source else mesh.has_custom_normals
    mesh.calc_loop_triangles()
    corners = arrays(mesh.loop_triangles, "loops", 3, np.int32)
    slots = arrays(mesh.loop_triangles, "material_index", 1, np.int32)
    columns = {"position": arrays(mesh.loops, "vertex_index", 1, np.int32).astype(np.float32)[:, None]}
    for index, layer in enumerate(mesh.uv_layers):
        columns[f"TEXCOORD_{index}"] = axes.uv(arrays(layer.uv, "vector", 2))
    if has_normals:
        columns["NORMAL"] = axes.points_to_gltf(arrays(mesh.corner_normals, "vector", 3))
    vertices = arrays(mesh.loops, "vertex_index", 1, np.int32)
    colors = colors_of(mesh)
    if colors is not None:
        columns["COLOR_0"] = colors
    out = []
    for slot in sorted(set(slots.tolist())):
        shown = mesh.materials[slot] if slot < len(mesh.materials) else None
        json = _primitive(document, target, columns, vertices, corners[slots == slot].ravel(), joints)
        index = material(shown)
        _set_material(json, index)
        _keep_extras(json, stored, index)
        out.append(json)
    return Edited(out)


def _primitive(
    document: Document,
    target: bpy.types.Object,
    columns: dict[str, np.ndarray],
    vertices: np.ndarray,
    corners: np.ndarray,
    joints: list[str],
) -> dict[str, Any]:
    """Creates a primitive. Corners with equal values share a vertex."""
    mesh = target.data
    rows = np.concatenate([it[corners] for it in columns.values()], axis=1)
    _, first, inverse = np.unique(rows, axis=0, return_index=True, return_inverse=True)
    # Vertices keep the order of their first corner.
    order = np.argsort(first)
    rank = np.empty_like(order)
    rank[order] = np.arange(len(order))
    kept = corners[first[order]]
    keys = mesh.shape_keys.key_blocks if mesh.shape_keys else []
    base = axes.points_to_gltf(arrays(keys[0].data if keys else mesh.vertices, "co", 3))
    used = vertices[kept]
    attributes = {"POSITION": document.add_vertices(base[used], bounds=True)}
    for name, values in columns.items():
        if name != "position":
            attributes[name] = document.add_vertices(values[kept].astype(np.float32))
    json: dict[str, Any] = {"attributes": attributes, "indices": document.add_indices(rank[inverse.ravel()])}
    if joints:
        names = {it.index: it.name for it in target.vertex_groups}
        numbers = {name: index for index, name in enumerate(joints)}
        found = influences(mesh, slice(0, len(mesh.vertices)), names, numbers)
        attributes["JOINTS_0"] = document.add_vertices(found[0][used])
        attributes["WEIGHTS_0"] = document.add_vertices(found[1][used])
    if len(keys) > 1:
        moved = [axes.points_to_gltf(arrays(it.data, "co", 3)) - base for it in list(keys)[1:]]
        json["targets"] = [{"POSITION": document.add_vertices(it[used], bounds=True)} for it in moved]
    return json


def _keep_extras(json: dict[str, Any], stored: list[dict[str, Any]], material: int | None) -> None:
    """Keeps the further data of the original primitive with the same material, except for the origin of its faces."""
    before = next((it for it in stored if it.get("material") == material), {})
    extras = {name: value for name, value in before.get("extras", {}).items() if name != "faces"}
    if extras:
        json["extras"] = extras


def create(
    document: Document,
    target: bpy.types.Object,
    material: Callable[[bpy.types.Material | None], int | None],
) -> dict[str, Any] | None:
    """Creates the mesh of a new object, or returns None if it has no faces."""
    made = _rebuild(document, target, None, [], material, [])
    return {"name": target.data.name, "primitives": made.primitives} if made.primitives else None
