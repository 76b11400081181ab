"""The edits of the matrix: each makes one edit of an import, and returns how to recognize it in an import of the result.

A check gets the collection of the second import, in a new Blender file. An edit returns None if the import has nothing of the
kind.
"""

from collections.abc import Callable
from typing import Any

import bpy
import numpy as np
from mathutils import Matrix, Quaternion, Vector

Check = Callable[[bpy.types.Collection], bool]
Edit = Callable[[bpy.types.Collection], Check | None]

NEAR = 2e-3


def never(root: bpy.types.Collection) -> bool:
    """The check of an edit that no file can have."""
    return False


# Choice of what is edited.


def objects(root: bpy.types.Collection) -> list[bpy.types.Object]:
    """The objects of nodes, by name."""
    found = [it for it in root.all_objects if it.antiquary.node >= 0 and not it.antiquary.part]
    return sorted(found, key=lambda it: it.name)


def shown(root: bpy.types.Collection) -> bpy.types.Object | None:
    """An object with a mesh that is drawn."""
    found = [it for it in objects(root) if it.type == "MESH" and len(it.data.polygons) and it.display_type != "WIRE"]
    return next((it for it in found if it.data.uv_layers), found[0] if found else None)


def placed(root: bpy.types.Collection) -> bpy.types.Object | None:
    """An object that is the most likely to be moved: not skinned, and not the object that everything else belongs to."""
    found = [it for it in objects(root) if not it.vertex_groups and it.parent is not None]
    first = [it for it in found if it.antiquary.field and it.antiquary.names]
    second = [it for it in found if it.type == "MESH" and len(it.data.polygons)]
    return (first or second or found or [None])[0]


def lamp(root: bpy.types.Collection) -> bpy.types.Object | None:
    """A lamp of the file."""
    return next((it for it in sorted(root.all_objects, key=lambda it: it.name) if it.type == "LIGHT"), None)


def armature(root: bpy.types.Collection) -> bpy.types.Object | None:
    """The armature of a skinned model."""
    return next((it for it in root.all_objects if it.type == "ARMATURE"), None)


def material(root: bpy.types.Collection) -> bpy.types.Material | None:
    """The material of the first face of the object with a mesh."""
    target = shown(root)
    return None if target is None else next((it for it in target.data.materials if it is not None), None)


def shader(of: bpy.types.Material) -> bpy.types.Node:
    """The shader of a material."""
    return next(it for it in of.node_tree.nodes if it.bl_idname in ("ShaderNodeBsdfPrincipled", "ShaderNodeEmission"))


# What is found in the second import.


def places(root: bpy.types.Collection) -> list[Vector]:
    """The locations of all objects in the world."""
    bpy.context.view_layer.update()
    return [it.matrix_world.translation.copy() for it in root.all_objects]


def vertices(target: bpy.types.Object, matrix: Matrix | None = None) -> np.ndarray:
    """The vertices of an object in the world."""
    matrix = target.matrix_world if matrix is None else matrix
    return np.array([matrix @ it.co for it in target.data.vertices]).reshape(-1, 3)


def all_vertices(root: bpy.types.Collection) -> np.ndarray:
    """The vertices of all objects in the world."""
    bpy.context.view_layer.update()
    found = [vertices(it) for it in root.all_objects if it.type == "MESH" and len(it.data.vertices)]
    return np.concatenate(found) if found else np.zeros((0, 3))


def has_point(points: np.ndarray, point: Any) -> bool:
    """Whether a point is among others."""
    return len(points) > 0 and bool((np.abs(points - np.array(point)).max(axis=1) < NEAR).any())


def shape(target: bpy.types.Object) -> np.ndarray:
    """The vertices of an object, without its location."""
    turn = np.array(target.matrix_world.to_3x3())
    return np.array([it.co for it in target.data.vertices]).reshape(-1, 3) @ turn.T


def has_shape(root: bpy.types.Collection, expected: np.ndarray) -> bool:
    """Whether an object has these vertices, in any order."""
    bpy.context.view_layer.update()
    return any(
        all(has_point(found, it) for it in expected)
        for found in (shape(it) for it in root.all_objects if it.type == "MESH" and len(it.data.vertices))
    )


def has_vertex(root: bpy.types.Collection, point: Any) -> bool:
    """Whether an object has a vertex, without its location."""
    bpy.context.view_layer.update()
    return any(has_point(shape(it), point) for it in root.all_objects if it.type == "MESH" and len(it.data.vertices))


def stem(name: str) -> str:
    """A name without numbers."""
    return name.split(".")[0].rstrip("0123456789").lower()


def count(root: bpy.types.Collection, name: str) -> int:
    """The number of objects with a name, except for numbers."""
    return sum(stem(it.name) == stem(name) for it in root.all_objects)


def faces(root: bpy.types.Collection) -> int:
    """The number of faces of all objects."""
    return sum(len(it.data.polygons) for it in root.all_objects if it.type == "MESH")


def corner_values(root: bpy.types.Collection, read: Callable[[bpy.types.Mesh], np.ndarray | None]) -> np.ndarray:
    """Rows of a shape position and a value for each corner of all meshes."""
    bpy.context.view_layer.update()
    rows = []
    for target in root.all_objects:
        if target.type == "MESH" and len(target.data.loops):
            values = read(target.data)
            if values is not None:
                at = np.array([it.vertex_index for it in target.data.loops])
                rows.append(np.concatenate([shape(target)[at], values], axis=1))
    width = max((it.shape[1] for it in rows), default=3)
    return np.concatenate([it for it in rows if it.shape[1] == width]) if rows else np.zeros((0, 3))


def has_row(rows: np.ndarray, row: np.ndarray, near: float) -> bool:
    """Whether a corner has a position and a value."""
    if not len(rows) or rows.shape[1] != len(row):
        return False
    far = np.abs(rows - row)
    return bool(((far[:, :3].max(axis=1) < NEAR) & (far[:, 3:].max(axis=1) < near)).any())


# Objects.


def move(root: bpy.types.Collection) -> Check | None:
    """Moves an object by the size of a cell of a map, which rooms of one move by."""
    target = placed(root)
    if target is None:
        return None
    target.location.x += 8.0
    bpy.context.view_layer.update()
    place = target.matrix_world.translation.copy()
    points = vertices(target) if target.type == "MESH" else np.zeros((0, 3))
    return lambda it: any((other - place).length < NEAR for other in places(it)) or (
        len(points) > 0 and all(has_point(all_vertices(it), point) for point in points[:8])
    )


def turn(root: bpy.types.Collection) -> Check | None:
    """Turns an object by 90 degrees around the vertical axis."""
    target = placed(root)
    if target is None:
        return None
    return _transformed(target, lambda: setattr(target, "rotation_quaternion", _quarter() @ target.rotation_quaternion))


def _quarter() -> Quaternion:
    return Quaternion((0.0, 0.0, 1.0), 1.5707963)


def _transformed(target: bpy.types.Object, edit: Callable[[], None]) -> Check:
    name = target.name
    edit()
    bpy.context.view_layer.update()
    turned = np.array(target.matrix_world.to_3x3())
    points = shape(target) if target.type == "MESH" and len(target.data.vertices) else np.zeros((0, 3))

    def check(root: bpy.types.Collection) -> bool:
        bpy.context.view_layer.update()
        for other in root.all_objects:
            if stem(other.name) == stem(name) and np.abs(np.array(other.matrix_world.to_3x3()) - turned).max() < NEAR:
                return True
        return len(points) > 0 and has_shape(root, points)

    return check


def scale(root: bpy.types.Collection) -> Check | None:
    """Doubles the size of an object."""
    target = placed(root)
    if target is None:
        return None
    return _transformed(target, lambda: setattr(target, "scale", target.scale * 2.0))


def rename(root: bpy.types.Collection) -> Check | None:
    """Renames an object."""
    target = placed(root)
    if target is None:
        return None
    target.name = "NEWNAME"
    return lambda it: any(other.name == "NEWNAME" for other in it.all_objects)


def reparent(root: bpy.types.Collection) -> Check | None:
    """Gives an object another parent, and keeps its place."""
    target = placed(root)
    if target is None:
        return None
    others = [it for it in objects(root) if it != target and it.parent == target.parent and not it.vertex_groups]
    if not others:
        return None
    bpy.context.view_layer.update()
    matrix = target.matrix_world.copy()
    target.parent, target.matrix_parent_inverse = others[0], others[0].matrix_world.inverted()
    target.matrix_world = matrix
    name, above = target.name, others[0].name
    return lambda it: any(other.name == name and other.parent and other.parent.name == above for other in it.all_objects)


def remove(root: bpy.types.Collection) -> Check | None:
    """Removes an object and those below it."""
    target = placed(root)
    if target is None:
        return None
    name = target.name
    for it in [*target.children_recursive, target]:
        bpy.data.objects.remove(it)
    expected = count(root, name)
    return lambda it: count(it, name) == expected


def duplicate(root: bpy.types.Collection) -> Check | None:
    """Copies an object, and moves the copy."""
    target = placed(root)
    if target is None:
        return None
    before = len(root.all_objects)
    copied = target.copy()
    target.users_collection[0].objects.link(copied)
    copied.location.x += 8.0
    bpy.context.view_layer.update()
    place = copied.matrix_world.translation.copy()
    return lambda it: len(it.all_objects) > before and any((other - place).length < NEAR for other in places(it))


def add_mesh(root: bpy.types.Collection) -> Check | None:
    """Adds an object with a triangle."""
    mesh = bpy.data.meshes.new("WEDGE")
    mesh.from_pydata([(0.0, 0.0, 0.0), (1.5, 0.0, 0.0), (0.0, 0.0, 1.5)], [], [(0, 1, 2)])
    mesh.uv_layers.new(name="UVMap")
    chosen = material(root)
    if chosen is not None:
        mesh.materials.append(chosen)
    target = bpy.data.objects.new("WEDGE", mesh)
    root.objects.link(target)
    bpy.context.view_layer.update()
    points, before = vertices(target), faces(root)
    return lambda it: has_shape(it, points) and faces(it) == before


def add_empty(root: bpy.types.Collection) -> Check | None:
    """Adds an empty."""
    target = bpy.data.objects.new("waypoint", None)
    target.location = (1.0, 2.0, 0.5)
    root.objects.link(target)
    before = count(root, "waypoint")
    place = target.location.copy()
    return lambda it: count(it, "waypoint") == before and any((other - place).length < NEAR for other in places(it))


def add_lamp(root: bpy.types.Collection) -> Check | None:
    """Adds a lamp."""
    data = bpy.data.lights.new("lamp", "POINT")
    data.energy, data.color = 200.0, (1.0, 0.0, 0.0)
    target = bpy.data.objects.new("lamp", data)
    target.location = (1.0, 2.0, 0.5)
    root.objects.link(target)
    return lambda it: any(
        other.type == "LIGHT" and tuple(other.data.color) == (1.0, 0.0, 0.0) for other in it.all_objects
    ) and any((other - Vector((1.0, 2.0, 0.5))).length < NEAR for other in places(it))


def change_collection(root: bpy.types.Collection) -> Check | None:
    """Moves an object to a new collection."""
    target = placed(root)
    if target is None:
        return None
    created = bpy.data.collections.new("mine")
    root.children.link(created)
    for it in list(target.users_collection):
        it.objects.unlink(target)
    created.objects.link(target)
    name = target.name
    return lambda it: any(stem(other.name) == stem(name) and other.users_collection[0].name == "mine" for other in it.all_objects)


def add_modifier(root: bpy.types.Collection) -> Check | None:
    """Adds a modifier to a mesh, and does not apply it."""
    target = shown(root)
    if target is None:
        return None
    before = faces(root)
    target.modifiers.new("Array", "ARRAY")
    return lambda it: faces(it) > before


def add_constraint(root: bpy.types.Collection) -> Check | None:
    """Adds a constraint to an object."""
    target = placed(root)
    if target is None:
        return None
    target.constraints.new("LIMIT_LOCATION")
    return never


def set_value(root: bpy.types.Collection) -> Check | None:
    """Changes a value of the file that is a custom property."""
    for target in objects(root):
        for name in target.antiquary.names.split("\n"):
            value = target.get(name)
            if isinstance(value, float | int) and not isinstance(value, bool) and name not in ("index", "kind", "id"):
                now = value + 1
                target[name] = now
                object_name = target.name
                return lambda it, name=name: any(
                    other.name == object_name and other.get(name) == now for other in it.all_objects
                )
    return None


def add_property(root: bpy.types.Collection) -> Check | None:
    """Adds a custom property."""
    target = placed(root)
    if target is None:
        return None
    target["note"] = "mine"
    return lambda it: any(other.get("note") == "mine" for other in it.all_objects)


# Meshes.


def move_vertex(root: bpy.types.Collection) -> Check | None:
    """Moves a vertex, and all others at its place, up."""
    target = shown(root)
    if target is None:
        return None
    bpy.context.view_layer.update()
    turn = target.matrix_world.to_3x3()
    offset = turn.inverted() @ Vector((0.0, 0.0, 0.25))
    position = target.data.vertices[target.data.loops[0].vertex_index].co.copy()
    keys = target.data.shape_keys
    moved = [it.index for it in target.data.vertices if (it.co - position).length < 1e-6]
    for points in [target.data.vertices] + ([it.data for it in keys.key_blocks] if keys else []):
        for it in moved:
            points[it].co += offset
    target.data.update()
    point = turn @ (position + offset)
    return lambda it: has_vertex(it, point)


def set_normals(root: bpy.types.Collection) -> Check | None:
    """Turns the normals of a face."""
    target = shown(root)
    if target is None:
        return None
    mesh = target.data
    normals = [tuple(it.vector) for it in mesh.corner_normals]
    vertex = mesh.loops[0].vertex_index
    turned = Vector((0.6, 0.64, 0.48))
    for loop in mesh.loops:
        if loop.vertex_index == vertex:
            normals[loop.index] = tuple(turned)
    mesh.normals_split_custom_set(normals)
    bpy.context.view_layer.update()
    turn = np.array(target.matrix_world.to_3x3())
    row = np.concatenate([shape(target)[vertex], _unit(np.array(turned) @ np.linalg.inv(turn))])

    def read(mesh: bpy.types.Mesh) -> np.ndarray:
        owner = next(it for it in bpy.data.objects if it.data == mesh)
        found = np.array([it.vector for it in mesh.corner_normals])
        return np.array([_unit(it) for it in found @ np.linalg.inv(np.array(owner.matrix_world.to_3x3()))])

    return lambda it: has_row(corner_values(it, read), row, 0.06)


def _unit(vector: np.ndarray) -> np.ndarray:
    return vector / max(float(np.linalg.norm(vector)), 1e-9)


def uv_edit(number: int) -> Edit:
    def edit(root: bpy.types.Collection) -> Check | None:
        found = [it for it in objects(root) if it.type == "MESH" and len(it.data.uv_layers) > number and len(it.data.polygons)]
        target = shown(root) if number == 0 else (found[0] if found else None)
        if target is None or len(target.data.uv_layers) <= number:
            return None
        layer = target.data.uv_layers[number]
        vertex = target.data.loops[0].vertex_index
        uv = layer.uv[0].vector + Vector((0.125, 0.0625))
        for loop in target.data.loops:
            if loop.vertex_index == vertex:
                layer.uv[loop.index].vector = uv
        bpy.context.view_layer.update()
        row = np.concatenate([shape(target)[vertex], np.array(uv)])

        def read(mesh: bpy.types.Mesh) -> np.ndarray | None:
            if len(mesh.uv_layers) <= number:
                return None
            return np.array([it.vector for it in mesh.uv_layers[number].uv])

        return lambda it: has_row(corner_values(it, read), row, 4e-3)

    return edit


def set_color(root: bpy.types.Collection) -> Check | None:
    """Paints a vertex."""
    found = [it for it in objects(root) if it.type == "MESH" and it.data.color_attributes and len(it.data.polygons)]
    if not found:
        return None
    target = found[0]
    colors = target.data.color_attributes[0]
    vertex = target.data.loops[0].vertex_index
    colors.data[vertex].color = (0.2, 0.4, 0.6, 1.0)
    bpy.context.view_layer.update()
    row = np.concatenate([shape(target)[vertex], (0.2, 0.4, 0.6)])

    def read(mesh: bpy.types.Mesh) -> np.ndarray | None:
        if not mesh.color_attributes:
            return None
        values = np.array([it.color for it in mesh.color_attributes[0].data])[:, :3]
        return values[np.array([it.vertex_index for it in mesh.loops])]

    return lambda it: has_row(corner_values(it, read), row, 0.02)


def add_colors(root: bpy.types.Collection) -> Check | None:
    """Adds vertex colors to a mesh without any."""
    target = shown(root)
    if target is None or target.data.color_attributes:
        return None
    target.data.color_attributes.new("Color", "FLOAT_COLOR", "POINT")
    return lambda it: any(other.type == "MESH" and other.data.color_attributes for other in it.all_objects)


def add_uv_map(root: bpy.types.Collection) -> Check | None:
    """Adds a UV map."""
    target = shown(root)
    if target is None:
        return None
    before = len(target.data.uv_layers)
    target.data.uv_layers.new(name="Mine")
    return lambda it: any(other.type == "MESH" and len(other.data.uv_layers) > before for other in it.all_objects)


def assign_material(root: bpy.types.Collection) -> Check | None:
    """Assigns another material of the file to a face."""
    target = shown(root)
    names = {it.name for other in root.all_objects for it in getattr(other.data, "materials", ()) if it is not None}
    own = material(root)
    others = sorted(names - {own.name} if own else ())
    if target is None or not others:
        return None
    chosen = bpy.data.materials[others[0]]
    target.data.materials.append(chosen)
    before = _faces_of(root, chosen.name)
    target.data.polygons[0].material_index = len(target.data.materials) - 1
    name = chosen.name
    return lambda it: _faces_of(it, name) > before


def _faces_of(root: bpy.types.Collection, name: str) -> int:
    total = 0
    for target in root.all_objects:
        if target.type == "MESH":
            slots = [slot for slot, it in enumerate(target.data.materials) if it is not None and it.name.split(".0")[0] == name]
            total += sum(it.material_index in slots for it in target.data.polygons)
    return total


def remove_face(root: bpy.types.Collection) -> Check | None:
    """Removes a face."""
    import bmesh

    target = shown(root)
    if target is None:
        return None
    users = sum(it.data == target.data for it in root.all_objects)
    edited = bmesh.new()
    edited.from_mesh(target.data)
    edited.faces.ensure_lookup_table()
    bmesh.ops.delete(edited, geom=[edited.faces[0]], context="FACES_ONLY")
    before = faces(root)
    edited.to_mesh(target.data)
    edited.free()
    return lambda it: faces(it) == before - users


def add_face(root: bpy.types.Collection) -> Check | None:
    """Adds a face with new vertices."""
    import bmesh

    target = shown(root)
    if target is None:
        return None
    bpy.context.view_layer.update()
    edited = bmesh.new()
    edited.from_mesh(target.data)
    turn = target.matrix_world.to_3x3()
    corners = [Vector((0.5, 0.5, 2.0)), Vector((1.5, 0.5, 2.0)), Vector((0.5, 0.5, 3.0))]
    face = edited.faces.new([edited.verts.new(turn.inverted() @ it) for it in corners])
    for layer in edited.loops.layers.uv.values():
        for number, loop in enumerate(face.loops):
            loop[layer].uv = ((0.0, 0.0), (1.0, 0.0), (0.0, 1.0))[number]
    edited.to_mesh(target.data)
    edited.free()
    return lambda it: all(has_vertex(it, corner) for corner in corners)


def move_shape_key(root: bpy.types.Collection) -> Check | None:
    """Moves a vertex in a shape key."""
    target = next((it for it in objects(root) if getattr(it.data, "shape_keys", None)), None)
    if target is None:
        return None
    bpy.context.view_layer.update()
    block = target.data.shape_keys.key_blocks[2]
    turn = target.matrix_world.to_3x3()
    position = block.data[0].co.copy()
    moved = position + turn.inverted() @ Vector((0.0, 0.0, 0.25))
    for it in block.data:
        if (it.co - position).length < 1e-6:
            it.co = moved
    point = turn @ moved

    def check(again: bpy.types.Collection) -> bool:
        bpy.context.view_layer.update()
        for other in again.all_objects:
            keys = getattr(other.data, "shape_keys", None)
            if keys and len(keys.key_blocks) > 2:
                points = np.array([other.matrix_world.to_3x3() @ it.co for it in keys.key_blocks[2].data])
                if has_point(points, point):
                    return True
        return False

    return check


def add_shape_key(root: bpy.types.Collection) -> Check | None:
    """Adds a shape key."""
    target = shown(root)
    if target is None:
        return None
    if not target.data.shape_keys:
        target.shape_key_add(name="Basis")
    target.shape_key_add(name="mine").data[0].co.z += 1.0
    before = len(target.data.shape_keys.key_blocks)
    return lambda it: any(
        getattr(other.data, "shape_keys", None) and len(other.data.shape_keys.key_blocks) == before for other in it.all_objects
    )


def set_weight(root: bpy.types.Collection) -> Check | None:
    """Gives a vertex to another bone."""
    target = next((it for it in objects(root) if len(it.vertex_groups) > 1), None)
    if target is None:
        return None
    vertex = target.data.vertices[target.data.loops[0].vertex_index]
    strongest = max(vertex.groups, key=lambda it: it.weight).group
    chosen = next(it for it in target.vertex_groups if it.index != strongest)
    same = [it.index for it in target.data.vertices if (it.co - vertex.co).length < 1e-6]
    for group in target.vertex_groups:
        group.remove(same)
    chosen.add(same, 1.0, "REPLACE")
    point, name = vertex.co.copy(), chosen.name

    def check(again: bpy.types.Collection) -> bool:
        for other in again.all_objects:
            group = other.vertex_groups.get(name) if other.type == "MESH" else None
            if group is None:
                continue
            for it in other.data.vertices:
                if (it.co - point).length < NEAR and any(g.group == group.index and g.weight > 0.99 for g in it.groups):
                    return True
        return False

    return check
