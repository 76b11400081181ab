"""Nodes as objects, and their layers as collections."""

from typing import TYPE_CHECKING

import antiquary
import bpy
import numpy as np
from mathutils import Matrix

from .. import axes
from . import mesh

if TYPE_CHECKING:
    from . import Import

_SMALLEST_EMPTY = 0.25


def create(state: "Import") -> None:
    """Creates the objects of a scene."""
    scene = state.scene
    stack = [(root, None, None) for root in reversed(scene.roots)]
    seen: set[int] = set()
    while stack:
        index, parent, layer = stack.pop()
        if index in seen:
            continue
        seen.add(index)
        node = scene.nodes[index]
        layer = node.layer or layer
        if index not in state.bones:
            state.objects[index] = _object(state, index, node, parent, layer)
        children = reversed(node.children)
        stack.extend((child, index, layer) for child in children)


def collection(state: "Import", layer: str | None) -> bpy.types.Collection:
    """The collection of a layer."""
    if layer is None:
        return state.root
    if layer not in state.layers:
        created = bpy.data.collections.new(layer)
        created.antiquary.layer = layer
        state.root.children.link(created)
        state.layers[layer] = created
    return state.layers[layer]


def _object(
    state: "Import", index: int, node: antiquary.Node, parent: int | None, layer: str | None
) -> bpy.types.Object:
    shown = None if node.mesh is None else state.meshes[node.mesh]
    placed = state.scene.instances.get(index)
    light = None if node.light is None else state.lights[node.light]
    is_lamp = light is not None and shown is None and not node.children
    data = light if is_lamp else (shown if placed is None else None)
    target = bpy.data.objects.new(node.name or f"node {index}", data)
    target.antiquary.node, target.antiquary.name = index, target.name
    into = collection(state, layer)
    into.objects.link(target)
    _place(state, target, node, parent)
    if is_lamp:
        _turn(target, light)
    elif light is not None:
        _add(state, into, target, light, "light")
    if data is None and light is None:
        _style_empty(target, node)
    if shown is not None:
        _dress(state, target, node, shown)
    for matrix in placed if placed is not None and shown is not None else ():
        copy = _add(state, into, target, shown, "instance")
        copy.matrix_local = axes.matrix(matrix)
    return target


def _dress(state: "Import", target: bpy.types.Object, node: antiquary.Node, shown: bpy.types.Mesh) -> None:
    """Adds shape keys and weights, and hides geometry that the game does not draw."""
    source = state.scene.meshes[node.mesh]
    if target.data is not None:
        mesh.add_shape_keys(target, source)
    if node.skin is not None and state.bones:
        add_weights(state, target, source, node.skin)
    if node.body in ("barrier", "trigger"):
        target.display_type = "WIRE"
        target.hide_render = True


def _add(
    state: "Import", into: bpy.types.Collection, parent: bpy.types.Object, data: bpy.types.ID, part: str
) -> bpy.types.Object:
    """Adds a further object for the same node."""
    target = bpy.data.objects.new(f"{parent.name} {part}", data)
    target.antiquary.node, target.antiquary.part = parent.antiquary.node, part
    target.parent = parent
    target.rotation_mode = "QUATERNION"
    into.objects.link(target)
    if isinstance(data, bpy.types.Light):
        _turn(target, data)
    return target


def _turn(target: bpy.types.Object, light: bpy.types.Light) -> None:
    if light.type != "POINT":
        target.rotation_quaternion = target.rotation_quaternion @ axes.LIGHT_TURN


def _place(state: "Import", target: bpy.types.Object, node: antiquary.Node, parent: int | None) -> None:
    target.rotation_mode = "QUATERNION"
    target.location = axes.location(*node.translation)
    target.rotation_quaternion = axes.rotation(*node.rotation)
    target.scale = axes.scale(*node.scale)
    if parent is None:
        return
    if parent in state.bones:
        armature, bone = state.bones[parent]
        target.parent, target.parent_type, target.parent_bone = armature, "BONE", bone
        # Children of a bone are placed at its tail.
        target.matrix_parent_inverse = Matrix.Translation((0.0, -armature.data.bones[bone].length, 0.0))
    else:
        target.parent = state.objects[parent]


def _style_empty(target: bpy.types.Object, node: antiquary.Node) -> None:
    target.empty_display_size = _SMALLEST_EMPTY
    target.empty_display_type = "PLAIN_AXES" if node.children else "SPHERE"


def add_weights(state: "Import", target: bpy.types.Object, source: antiquary.Mesh, skin: int) -> None:
    """Adds vertex groups for the joints of a skin, and a modifier that deforms the object."""
    joints = state.scene.skins[skin].joints
    names = [state.bones[joint][1] for joint in joints]
    groups = [target.vertex_groups.new(name=name) for name in names]
    start = 0
    for primitive in source.primitives:
        if primitive.joints is not None:
            for joint, weight, vertices in influences(primitive):
                if joint < len(groups):
                    groups[joint].add([int(it) + start for it in vertices], weight, "REPLACE")
        start += len(primitive.positions)
    armature = state.bones[joints[0]][0]
    modifier = target.modifiers.new("Armature", "ARMATURE")
    modifier.object = armature
    target.parent = armature
    target.matrix_parent_inverse = armature.matrix_world.inverted_safe()


def influences(primitive: antiquary.Primitive) -> list[tuple[int, float, np.ndarray]]:
    """The vertices of each pair of a joint and a weight above 0."""
    joints, weights = primitive.joints.ravel(), primitive.weights.ravel()
    vertices = np.repeat(np.arange(len(primitive.positions)), primitive.joints.shape[1])
    used = weights > 0.0
    pairs = np.stack([joints[used].astype(np.float64), weights[used].astype(np.float64)], axis=1)
    unique, inverse = np.unique(pairs, axis=0, return_inverse=True)
    order = np.argsort(inverse.ravel(), kind="stable")
    ends = np.searchsorted(inverse.ravel()[order], np.arange(len(unique) + 1))
    found = vertices[used][order]
    return [(int(j), float(w), found[ends[i] : ends[i + 1]]) for i, (j, w) in enumerate(unique)]
