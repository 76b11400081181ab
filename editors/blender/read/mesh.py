"""Meshes. Each vertex of a primitive becomes a vertex of Blender, in the same order, so every number has its counterpart."""

import antiquary
import bpy
import numpy as np

from .. import axes

UV_NAME = "UVMap"
COLOR_NAME = "Color"

# A hidden attribute with the normals that Blender shows for those of the file, which it stores with few bits.
SHOWN_NORMALS = ".antiquary_normals"


def create(scene: antiquary.Scene, materials: list[bpy.types.Material]) -> dict[int, bpy.types.Mesh]:
    """Creates the meshes of a scene. Nodes that show the same mesh share it."""
    return {index: _mesh(index, mesh, scene, materials) for index, mesh in enumerate(scene.meshes)}


def visible_faces(primitive: antiquary.Primitive, scene: antiquary.Scene) -> np.ndarray:
    """The triangles of a primitive as Blender shows them: (T, 3).

    Triangles that use a vertex twice are left out, because Blender does not support them. Those of a double-sided material
    face the side that their normals point to, because Blender flips normals of back faces, and the games do not.
    """
    faces = primitive.faces
    a, b, c = faces[:, 0], faces[:, 1], faces[:, 2]
    faces = faces[(a != b) & (b != c) & (a != c)]
    material = None if primitive.material is None else scene.materials[primitive.material]
    if primitive.normals is None or material is None or not material.double_sided:
        return faces
    a, b, c = (primitive.positions[faces[:, column]].astype(np.float64) for column in range(3))
    is_behind = np.sum(np.cross(b - a, c - a) * primitive.normals[faces].sum(axis=1), axis=1) < 0.0
    return np.where(is_behind[:, None], faces[:, ::-1], faces)


def uv_name(index: int) -> str:
    """The name of a set of texture coordinates."""
    return UV_NAME if index == 0 else f"{UV_NAME}.{index:03}"


def _mesh(
    index: int, source: antiquary.Mesh, scene: antiquary.Scene, materials: list[bpy.types.Material]
) -> bpy.types.Mesh:
    mesh = bpy.data.meshes.new(source.name or f"mesh {index}")
    mesh.antiquary.index = index
    primitives = source.primitives
    if not primitives:
        return mesh
    starts = np.cumsum([0] + [len(it.positions) for it in primitives])
    positions = axes.points(np.concatenate([it.positions for it in primitives]))
    mesh.vertices.add(len(positions))
    _attribute(mesh, "position", "FLOAT_VECTOR", "POINT").foreach_set("vector", positions.ravel())
    triangles = [it for it in zip(primitives, starts) if it[0].topology == "triangles"]
    faces = [(visible_faces(it, scene) + np.uint32(start)).astype(np.int32) for it, start in triangles]
    corners = np.concatenate(faces).ravel() if faces else np.zeros(0, np.int32)
    _set_faces(mesh, corners)
    _set_lines(mesh, [(it, start) for it, start in zip(primitives, starts) if it.topology == "lines"])
    slots = _set_materials(mesh, [it for it, _ in triangles], materials)
    if faces:
        counts = [len(it) for it in faces]
        indices = np.repeat(np.array(slots, np.int32), counts)
        _attribute(mesh, "material_index", "INT", "FACE").foreach_set("value", indices)
    _set_uvs(mesh, primitives, corners)
    _set_colors(mesh, primitives)
    mesh.update(calc_edges=True)
    _set_normals(mesh, primitives, [len(it) for it in faces])
    return mesh


def _attribute(mesh: bpy.types.Mesh, name: str, kind: str, domain: str) -> bpy.types.bpy_prop_collection:
    """The values of an attribute, which is created if necessary. Setting them is many times as fast as setting the
    properties of vertices and faces."""
    return (mesh.attributes.get(name) or mesh.attributes.new(name, kind, domain)).data


def _set_faces(mesh: bpy.types.Mesh, corners: np.ndarray) -> None:
    count = len(corners) // 3
    mesh.loops.add(len(corners))
    _attribute(mesh, ".corner_vert", "INT", "CORNER").foreach_set("value", corners)
    mesh.polygons.add(count)
    mesh.polygons.foreach_set("loop_start", np.arange(0, 3 * count, 3, dtype=np.int32))


def _set_lines(mesh: bpy.types.Mesh, lines: list[tuple[antiquary.Primitive, int]]) -> None:
    if lines:
        edges = np.concatenate([it.faces + np.uint32(start) for it, start in lines]).astype(np.int32)
        mesh.edges.add(len(edges))
        mesh.edges.foreach_set("vertices", edges.ravel())


def _set_materials(
    mesh: bpy.types.Mesh, triangles: list[antiquary.Primitive], materials: list[bpy.types.Material]
) -> list[int]:
    """Adds a slot for each material. Returns the slot of each primitive."""
    slots: dict[int | None, int] = {}
    for primitive in triangles:
        if primitive.material not in slots:
            slots[primitive.material] = len(slots)
            mesh.materials.append(None if primitive.material is None else materials[primitive.material])
    return [slots[it.material] for it in triangles]


def stacked_uvs(primitives: list[antiquary.Primitive], index: int) -> np.ndarray:
    """One set of texture coordinates of all vertices, with Blender's origin: (V, 2). Missing ones are zero."""
    empty = np.zeros((1, 2), np.float32)
    sets = [it.uvs[index] if index < len(it.uvs) else empty.repeat(len(it.positions), 0) for it in primitives]
    return axes.uv(np.concatenate(sets))


def stacked_colors(primitives: list[antiquary.Primitive]) -> np.ndarray | None:
    """The colors of all vertices, white if missing: (V, 4); None if there are none."""
    if all(it.colors is None for it in primitives):
        return None
    white = [np.ones((len(it.positions), 4), np.float32) if it.colors is None else it.colors for it in primitives]
    return np.concatenate(white)


def stacked_normals(primitives: list[antiquary.Primitive]) -> np.ndarray:
    """The normals of all vertices, with Blender's axes; zero if missing: (V, 3)."""
    normals = [np.zeros_like(it.positions) if it.normals is None else it.normals for it in primitives]
    return axes.points(np.concatenate(normals))


def _set_uvs(mesh: bpy.types.Mesh, primitives: list[antiquary.Primitive], corners: np.ndarray) -> None:
    for index in range(max(len(it.uvs) for it in primitives)):
        layer = mesh.uv_layers.new(name=uv_name(index), do_init=False)
        if layer is not None and len(corners):
            layer.uv.foreach_set("vector", stacked_uvs(primitives, index)[corners].ravel())


def _set_colors(mesh: bpy.types.Mesh, primitives: list[antiquary.Primitive]) -> None:
    colors = stacked_colors(primitives)
    if colors is not None:
        attribute = mesh.color_attributes.new(COLOR_NAME, "FLOAT_COLOR", "POINT")
        attribute.data.foreach_set("color", colors.ravel())


def _set_normals(mesh: bpy.types.Mesh, primitives: list[antiquary.Primitive], counts: list[int]) -> None:
    """Sets custom normals. Primitives without normals have flat faces. ``counts`` are the numbers of triangles."""
    is_smooth = [it.normals is not None for it in primitives if it.topology == "triangles"]
    if not is_smooth:
        return
    if not all(is_smooth):
        is_sharp = np.repeat(~np.array(is_smooth), counts)
        _attribute(mesh, "sharp_face", "BOOLEAN", "FACE").foreach_set("value", is_sharp)
    if any(it.normals is not None for it in primitives):
        mesh.normals_split_custom_set_from_vertices(stacked_normals(primitives))
        shown = np.empty(3 * len(mesh.loops), np.float32)
        mesh.corner_normals.foreach_get("vector", shown)
        mesh.attributes.new(SHOWN_NORMALS, "FLOAT_VECTOR", "CORNER").data.foreach_set("vector", shown)


def add_shape_keys(target: bpy.types.Object, source: antiquary.Mesh) -> None:
    """Adds the morph targets of a mesh to an object that shows it, as shape keys."""
    count = max((len(it.targets) for it in source.primitives), default=0)
    if count == 0 or target.data.shape_keys is not None:
        return
    base = np.concatenate([it.positions for it in source.primitives])
    target.shape_key_add(name="Basis", from_mix=False)
    for index in range(count):
        name = source.target_names[index] if index < len(source.target_names) else f"target {index}"
        key = target.shape_key_add(name=name, from_mix=False)
        key.slider_min, key.slider_max = -10.0, 10.0
        key.data.foreach_set("co", axes.points(base + stacked_target(source, index)).ravel())
        key.value = source.weights[index] if index < len(source.weights) else 0.0


def stacked_target(source: antiquary.Mesh, index: int) -> np.ndarray:
    """The differences of one morph target of all vertices, with the axes of glTF: (V, 3)."""
    parts = [
        it.targets[index].positions if index < len(it.targets) else np.zeros_like(it.positions)
        for it in source.primitives
    ]
    return np.concatenate(parts)
