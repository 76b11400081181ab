"""Edits of meshes: positions, UV maps, normals, colors, materials of faces, weights, shape keys, and the faces themselves."""

from collections.abc import Callable, Iterator
from functools import cached_property, partial

import antiquary
import bpy
import numpy as np

from .. import axes
from ..read import mesh as read
from ..write import mesh as write
from ..write import node as nodes
from .edit import Edit
from .objects import State
from .result import NEAR, Result, centers_and_normals, linear, triangle_count, unit, without_number

# Texture coordinates are stored in 16ths of a texel, colors in 8 bits, normals in 8 bits.
_NEAR_UV, _NEAR_COLOR, _NEAR_NORMAL, _NEAR_WEIGHT = 4e-3, 1.2e-2, 5e-2, 1e-2
# The number of corners or faces that are looked up.
_MOST = 20000

_KNOWN_ATTRIBUTES = {
    "position", ".edge_verts", ".corner_vert", ".corner_edge", "material_index", "sharp_face", "sharp_edge", "custom_normal",
    "uv_seam", "freestyle_edge", "freestyle_face",
}  # fmt: skip


def find(state: State) -> Iterator[Edit]:
    """The edits of the meshes of an import. A mesh that several objects show is compared once."""
    seen: set[str] = set()
    instances = [(None, it) for it in state.root.all_objects if it.antiquary.part == "instance"]
    for index, target in [*state.objects, *instances]:
        data = target.data
        if isinstance(data, bpy.types.Mesh) and data.name not in seen:
            seen.add(data.name)
            yield from _mesh(state, index, target)
    changed = _shown_triangles(state) - triangle_count(state.scene)
    if changed:
        yield from _count(state, changed)


def _shown_triangles(state: State) -> int:
    total = 0
    for target in state.root.all_objects:
        if isinstance(target.data, bpy.types.Mesh):
            target.data.calc_loop_triangles()
            total += len(target.data.loop_triangles)
    return total


def _count(state: State, changed: int) -> Iterator[Edit]:
    """An edit if the number of triangles of the file has to change."""
    expected = triangle_count(state.scene) + changed
    target = next((it for _, it in state.objects if _has_other_faces(state, it)), None)
    what = "the number of triangles" if target is None else f'the number of triangles of "{target.name}"'
    yield Edit(what, target, lambda it: it.triangles == expected)


def _has_other_faces(state: State, target: bpy.types.Object) -> bool:
    if not isinstance(target.data, bpy.types.Mesh):
        return False
    source = _source(state, target.data)
    target.data.calc_loop_triangles()
    return source is None or len(target.data.loop_triangles) != sum(
        len(read.visible_faces(it, state.scene)) for it in source.primitives if it.topology == "triangles"
    )


def _source(state: State, data: bpy.types.Mesh) -> antiquary.Mesh | None:
    index = data.antiquary.index
    return state.scene.meshes[index] if 0 <= index < len(state.scene.meshes) else None


class _Shown:
    """The corners of the triangles of an object as Blender shows them."""

    def __init__(self, state: State, index: int | None, target: bpy.types.Object) -> None:
        self.target, self.mesh = target, target.data
        self.mesh.calc_loop_triangles()
        self.corners = write.arrays(self.mesh.loop_triangles, "loops", 3, np.int32).ravel()
        self.vertices = write.arrays(self.mesh.loops, "vertex_index", 1, np.int32)[self.corners]
        self.slots = write.arrays(self.mesh.loop_triangles, "material_index", 1, np.int32)
        keys = self.mesh.shape_keys
        self.points = write.arrays(keys.key_blocks[0].data if keys else self.mesh.vertices, "co", 3)
        self.turn = np.eye(3) if state.is_skinned(index) else linear(state.world(index, target))
        self.turned = self.points.astype(np.float64) @ self.turn.T

    @cached_property
    def faces(self) -> tuple[np.ndarray, np.ndarray]:
        """The centers and normals of the triangles."""
        return centers_and_normals(self.turned[self.vertices].reshape(-1, 3, 3), self.turn)


Same = Callable[[Result, int, int], bool]


def _rows(mask: np.ndarray) -> list[int]:
    """The rows that are looked up."""
    rows = np.flatnonzero(mask)
    return rows[:: len(rows) // _MOST + 1].tolist()


def _has_corners(shown: _Shown, mask: np.ndarray, is_same: Same | None = None) -> Callable[[Result], bool]:
    """Whether each corner has a vertex in the exported file with the same position and the same value."""

    def is_in(result: Result) -> bool:
        for row in _rows(mask):
            near = result.turned.find_range(shown.turned[shown.vertices[row]].tolist(), NEAR)
            if not any(is_same is None or is_same(result, it[1], row) for it in near):
                return False
        return True

    return is_in


def _has_faces(shown: _Shown, mask: np.ndarray, is_same: Same | None = None) -> Callable[[Result], bool]:
    """Whether the exported file has each triangle, facing the same side."""

    def is_in(result: Result) -> bool:
        centers, normals = shown.faces
        for row in _rows(mask):
            near = [it[1] for it in result.faces.centers.find_range(centers[row].tolist(), NEAR)]
            near = [it for it in near if _faces_same_side(result.faces.normals[it], normals[row])]
            if not any(is_same is None or is_same(result, it, row) for it in near):
                return False
        return True

    return is_in


def _faces_same_side(first: np.ndarray, second: np.ndarray) -> bool:
    return not first.any() or not second.any() or float(first @ second) > 0.5


def _mesh(state: State, index: int | None, target: bpy.types.Object) -> Iterator[Edit]:
    source, data, name = _source(state, target.data), target.data, target.name
    shown = _Shown(state, index, target)
    yield from _layers(source, target)
    faces, corners = np.ones(len(shown.slots), bool), np.ones(len(shown.corners), bool)
    if index is not None and state.scene.nodes[index].mesh != data.antiquary.index:
        yield Edit(f'the mesh "{data.name}" of "{name}"', target, _has_faces(shown, faces))
    if source is not None and (not source.primitives or write.has_same_faces(data, source, state.scene)):
        if source.primitives:
            yield from _attributes(state, index, target, source, shown)
        return
    # The mesh is new, or its faces were edited.
    if not len(faces):
        if not any(it.topology == "triangles" for it in (source.primitives if source else ())):
            yield Edit(f'the vertices and edges of "{name}"', target)
        return
    yield Edit(f'the faces of "{name}"', target, _has_faces(shown, faces))
    count = len(data.uv_layers) if source is None else max(len(it.uvs) for it in source.primitives)
    for number, layer in enumerate(list(data.uv_layers)[:count]):
        yield _uv(shown, number, layer, corners)
    yield _materials(state, shown, faces)
    if source is None or any(it.colors is not None for it in source.primitives):
        yield from _colors(shown, corners)
    if source is None:
        yield from _new_keys(shown, corners)
    else:
        yield from _keys(source, shown, is_rebuilt=True)
        yield from _weights(state, index, source, shown, is_rebuilt=True)


def _attributes(
    state: State, index: int | None, target: bpy.types.Object, source: antiquary.Mesh, shown: _Shown
) -> Iterator[Edit]:
    """Edits of a mesh with the original faces."""
    data, name = target.data, target.name
    before = axes.points(np.concatenate([it.positions for it in source.primitives]))
    moved = (shown.points != before).any(axis=1)
    used = np.zeros(len(moved), bool)
    used[shown.vertices] = True
    if (moved & used).any():
        yield Edit(f'the vertices of "{name}"', target, _has_corners(shown, moved[shown.vertices]), "vertices")
    if (moved & ~used).any():
        yield Edit(f'the vertices of "{name}" that belong to no face', target)
    for number in range(max(len(it.uvs) for it in source.primitives)):
        layer = data.uv_layers.get(read.uv_name(number))
        if layer is not None:
            now = write.arrays(layer.uv, "vector", 2)[shown.corners]
            mask = (now != read.stacked_uvs(source.primitives, number)[shown.vertices]).any(axis=1)
            if mask.any():
                yield _uv(shown, number, layer, mask)
    colors, now = read.stacked_colors(source.primitives), write.colors_of(shown.mesh)
    if colors is not None and now is not None:
        yield from _colors(shown, (now[shown.corners] != colors[shown.vertices]).any(axis=1))
    yield from _normals(source, shown)
    yield from _slots(state, source, shown)
    yield from _keys(source, shown)
    yield from _weights(state, index, source, shown)


def _uv(shown: _Shown, number: int, layer: bpy.types.MeshUVLoopLayer, mask: np.ndarray) -> Edit:
    values = write.arrays(layer.uv, "vector", 2)[shown.corners]

    def is_same(result: Result, vertex: int, row: int) -> bool:
        return number < len(result.vertices.uvs) and bool(
            np.abs(result.vertices.uvs[number][vertex] - values[row]).max() < _NEAR_UV
        )

    return Edit(f'the UV map "{layer.name}" of "{shown.target.name}"', shown.target, _has_corners(shown, mask, is_same))


def _colors(shown: _Shown, mask: np.ndarray) -> Iterator[Edit]:
    found = write.colors_of(shown.mesh)
    if found is None or not mask.any():
        return
    now = found[shown.corners]

    def is_same(result: Result, vertex: int, row: int) -> bool:
        return bool(np.abs(result.vertices.colors[vertex] - now[row]).max() < _NEAR_COLOR)

    yield Edit(f'the vertex colors of "{shown.target.name}"', shown.target, _has_corners(shown, mask, is_same))


def _normals(source: antiquary.Mesh, shown: _Shown) -> Iterator[Edit]:
    name = shown.target.name
    if all(it.normals is None for it in source.primitives):
        sharp = shown.mesh.attributes.get("sharp_face")
        if sharp is None or not write.arrays(sharp.data, "value", 1, bool).all():
            yield Edit(f'the smooth shading of "{name}"', shown.target)
        if shown.mesh.has_custom_normals:
            yield Edit(f'the normals of "{name}"', shown.target)
        return
    edited = write.edited_normals(shown.mesh, source.primitives)
    now = write.arrays(shown.mesh.corner_normals, "vector", 3)[shown.corners]
    mask = edited[shown.corners]
    # Edited shapes have other normals, which formats compute as they need.
    points = axes.points(np.concatenate([it.positions for it in source.primitives]))
    if (shown.points != points).any():
        return
    turned = unit(now.astype(np.float64) @ np.linalg.pinv(shown.turn))

    def is_same(result: Result, vertex: int, row: int) -> bool:
        return bool(np.abs(result.vertices.normals[vertex] - turned[row]).max() < _NEAR_NORMAL)

    if mask.any():
        yield Edit(f'the normals of "{name}"', shown.target, _has_corners(shown, mask, is_same))


def _slots(state: State, source: antiquary.Mesh, shown: _Shown) -> Iterator[Edit]:
    triangles = [it for it in source.primitives if it.topology == "triangles"]
    counts = [len(read.visible_faces(it, state.scene)) for it in triangles]
    before = np.repeat(np.array([-1 if it.material is None else it.material for it in triangles], np.int64), counts)
    # Triangles of Blender follow its faces, whose order is that of the scene.
    indices = {slot: _index_of(shown.mesh, slot) for slot in set(shown.slots.tolist())}
    now = np.array([indices[it] for it in shown.slots.tolist()], np.int64)
    if (now != before).any():
        yield _materials(state, shown, now != before)


def _index_of(mesh: bpy.types.Mesh, slot: int) -> int:
    material = mesh.materials[slot] if slot < len(mesh.materials) else None
    if material is None:
        return -1
    index = material.antiquary.index
    # A copy of a material is another one.
    return index if index >= 0 and material.name == material.antiquary.name else -2


def _materials(state: State, shown: _Shown, mask: np.ndarray) -> Edit:
    materials = list(shown.mesh.materials)

    def is_same(result: Result, face: int, row: int) -> bool:
        slot, found = int(shown.slots[row]), int(result.faces.materials[face])
        material = materials[slot] if slot < len(materials) else None
        if material is None:
            return True
        return found >= 0 and _is_same_material(result, material, found)

    return Edit(f'the materials of the faces of "{shown.target.name}"', shown.target, _has_faces(shown, mask, is_same))


def _is_same_material(result: Result, material: bpy.types.Material, found: int) -> bool:
    other = result.scene.materials[found]
    names = {_plain(material.name), _plain(material.antiquary.name)} - {""}
    node = material.node_tree.nodes.get("Texture") if material.node_tree else None
    if node is not None and getattr(node, "image", None) is not None:
        names.add(_plain(node.image.name))
    own = {_plain(other.name)}
    if other.base_color_texture:
        own.add(_plain(result.scene.images[result.scene.textures[other.base_color_texture["texture"]].image].name))
    return bool(names & own) or any(it.startswith(name) for it in own for name in names if name)


def _plain(name: str) -> str:
    """A name of a material or an image without number and extension."""
    name = without_number(name).lower()
    return name.rsplit(".", 1)[0] if name.endswith((".png", ".jpg", ".jpeg", ".bmp", ".tga", ".dds", ".pcx")) else name


def _keys(source: antiquary.Mesh, shown: _Shown, is_rebuilt: bool = False) -> Iterator[Edit]:
    count = max((len(it.targets) for it in source.primitives), default=0)
    keys, target = shown.mesh.shape_keys, shown.target
    blocks = list(keys.key_blocks)[1:] if keys else []
    if len(blocks) != count:
        yield Edit(f'the number of shape keys of "{target.name}" ({count} are expected, {len(blocks)} were found)', target)
        return
    base = np.concatenate([it.positions for it in source.primitives])
    animated = _animated_keys(shown)
    for number, block in enumerate(blocks):
        if is_rebuilt:
            yield _key(shown, number, block, np.ones(len(shown.corners), bool))
        else:
            before = axes.points(base + read.stacked_target(source, number))
            mask = (write.arrays(block.data, "co", 3) != before).any(axis=1)[shown.vertices]
            if mask.any():
                yield _key(shown, number, block, mask)
        name = source.target_names[number] if number < len(source.target_names) else f"target {number}"
        if without_number(block.name) != without_number(name):
            yield Edit(f'the name of the shape key "{block.name}" (originally "{name}") of "{target.name}"', target)
        value = source.weights[number] if number < len(source.weights) else 0.0
        if f'key_blocks["{bpy.utils.escape_identifier(block.name)}"].value' not in animated and abs(block.value - value) > 1e-6:
            yield Edit(f'the value of the shape key "{block.name}" of "{target.name}"', target)


def _new_keys(shown: _Shown, mask: np.ndarray) -> Iterator[Edit]:
    """The shape keys of a new mesh."""
    for number, block in enumerate(list(shown.mesh.shape_keys.key_blocks)[1:] if shown.mesh.shape_keys else ()):
        yield _key(shown, number, block, mask)


def _key(shown: _Shown, number: int, block: bpy.types.ShapeKey, mask: np.ndarray) -> Edit:
    moved = write.arrays(block.data, "co", 3).astype(np.float64) @ shown.turn.T
    is_same = partial(_is_same_target, shown, number, moved)
    return Edit(f'the shape key "{block.name}" of "{shown.target.name}"', shown.target, _has_corners(shown, mask, is_same))


def _is_same_target(shown: _Shown, number: int, moved: np.ndarray, result: Result, vertex: int, row: int) -> bool:
    targets = result.vertices.targets
    expected = moved[shown.vertices[row]]
    return number < len(targets) and bool(np.linalg.norm(targets[number][vertex] - expected) < NEAR)


def _animated_keys(shown: _Shown) -> set[str]:
    from .. import curves

    data = shown.mesh.shape_keys.animation_data if shown.mesh.shape_keys else None
    if data is None or data.action is None:
        return set()
    return {it.data_path for it in curves.existing(data.action)}


def _weights(
    state: State, index: int | None, source: antiquary.Mesh, shown: _Shown, is_rebuilt: bool = False
) -> Iterator[Edit]:
    if index is None or not state.is_skinned(index):
        return
    joints = state.scene.skins[state.scene.nodes[index].skin].joints
    bones = nodes.bones_of(state.root)
    names = [bones[it][1] if it in bones else state.scene.nodes[it].name for it in joints]
    groups = {it.index: it.name for it in shown.target.vertex_groups}
    numbers = {name: number for number, name in enumerate(names)}
    mask, start = np.full(len(shown.points), is_rebuilt), 0
    for primitive in () if is_rebuilt else source.primitives:
        end = start + len(primitive.positions)
        if primitive.joints is not None:
            found = write.influences(shown.mesh, slice(start, end), groups, numbers)
            mask[start:end] = write.other_weights(primitive, *found)
        start = end
    if not mask.any():
        return
    found = write.influences(shown.mesh, slice(0, len(shown.points)), groups, numbers)
    exported = [state.scene.nodes[it].name for it in joints]

    def is_same(result: Result, vertex: int, row: int) -> bool:
        expected: dict[str, float] = {}
        for joint, weight in zip(found[0][shown.vertices[row]].tolist(), found[1][shown.vertices[row]].tolist()):
            if weight > 0.0:
                expected[exported[joint]] = expected.get(exported[joint], 0.0) + weight
        stored = result.vertices.weights[vertex]
        total = sum(stored.values()) or 1.0
        return all(
            abs(stored.get(it, 0.0) / total - expected.get(it, 0.0)) < _NEAR_WEIGHT for it in expected.keys() | stored.keys()
        )

    yield Edit(f'the weights of "{shown.target.name}"', shown.target, _has_corners(shown, mask[shown.vertices], is_same))


def _layers(source: antiquary.Mesh | None, target: bpy.types.Object) -> Iterator[Edit]:
    """Layers that were added or removed, and vertices without faces."""
    data, name = target.data, target.name
    primitives = source.primitives if source is not None else []
    maps, colors = {it.name for it in data.uv_layers}, {it.name for it in data.color_attributes}
    if source is not None and len(data.polygons):
        expected = {read.uv_name(it) for it in range(max((len(it.uvs) for it in primitives), default=0))}
        for it in sorted(expected - maps):
            yield Edit(f'the removal of the UV map "{it}" of "{name}"', target)
        for it in sorted(maps - expected):
            yield Edit(f'the new UV map "{it}" of "{name}"', target)
        if not any(it.targets for it in primitives) and data.shape_keys is not None:
            yield Edit(f'the shape keys of "{name}"', target)
    has_colors = any(it.colors is not None for it in primitives)
    if has_colors and len(data.polygons) and read.COLOR_NAME not in colors:
        yield Edit(f'the removal of the vertex colors of "{name}"', target)
    # New meshes can have colors with this name.
    written = {read.COLOR_NAME} if has_colors or source is None else set()
    for it in sorted(colors - written):
        yield Edit(f'the new color attribute "{it}" of "{name}"', target)
    for it in data.attributes:
        is_known = it.name in _KNOWN_ATTRIBUTES | maps | colors or it.name.startswith(".") or it.is_internal
        if not is_known:
            yield Edit(f'the attribute "{it.name}" of "{name}"', target)
    used = np.zeros(len(data.vertices), bool)
    used[write.arrays(data.loops, "vertex_index", 1, np.int32)] = True
    count = sum(len(it.positions) for it in primitives)
    if not used[count:].all():
        yield Edit(f'vertices or edges of "{name}" without faces', target)
    yield from _groups(source, target)


def _groups(source: antiquary.Mesh | None, target: bpy.types.Object) -> Iterator[Edit]:
    """Vertex groups without a bone."""
    groups = {it.name for it in target.vertex_groups}
    if not groups:
        return
    if source is None or not any(it.joints is not None for it in source.primitives):
        yield Edit(f'the vertex groups of "{target.name}"', target)
    elif target.parent is not None and isinstance(target.parent.data, bpy.types.Armature):
        unknown = groups - {it.name for it in target.parent.data.bones}
        if unknown:
            listed = ", ".join(f'"{it}"' for it in sorted(unknown))
            yield Edit(f'the vertex groups {listed} of "{target.name}", which are no bones', target)
