"""Edits of objects: location, rotation, scale, name, parent, collection, values; new, copied and removed objects."""

from collections import defaultdict
from collections.abc import Callable, Iterator
from functools import cached_property, partial
from typing import Any

import antiquary
import bpy
import numpy as np
from mathutils import Matrix, Quaternion, Vector

from .. import axes, curves, fields
from ..read import skin
from ..write import mesh as write
from ..write import node as nodes
from .edit import Edit, Rounded
from .result import NEAR, Result, linear, stem, without_number

# Differences of quaternions and scales that formats with integers round by.
_NEAR_ROTATION, _NEAR_SCALE = 2e-3, 2e-3
# The types of objects that are exported.
_TYPES = ("MESH", "EMPTY", "LIGHT", "ARMATURE")


class State:
    """The objects of an import, and its scene."""

    def __init__(self, root: bpy.types.Collection, file: antiquary.File, scene: antiquary.Scene) -> None:
        self.root, self.file, self.scene = root, file, scene
        self.owners, self.further = nodes.claims(root)
        self.moving = nodes.moving(scene, self.owners, nodes.bones_of(root))
        self.above = skin.parents(scene)
        self.joints = {it for one in skin.skeletons(scene) for it in one}
        self.exact: dict[str, Matrix] = {}
        self._evaluated: dict[str, dict[str, list[list[float]]]] = {}

    @cached_property
    def before(self) -> Result:
        """The scene that was imported."""
        return Result(self.file, self.scene)

    @property
    def objects(self) -> list[tuple[int | None, bpy.types.Object]]:
        """All objects that are exported, each with its node unless it is new."""
        return [*self.owners.items(), *((None, it) for it in self.further)]

    def evaluated(self, target: bpy.types.Object) -> dict[str, list[list[float]]]:
        """The values of actions of an object at the current frame, by path."""
        if target.name not in self._evaluated:
            self._evaluated[target.name] = nodes.evaluated(target, self.root)
        return self._evaluated[target.name]

    def is_skinned(self, index: int | None) -> bool:
        """Whether a node is deformed by a skin, so that its own transform has no effect."""
        return index is not None and self.scene.nodes[index].skin is not None

    def local(self, index: int | None, target: bpy.types.Object) -> Matrix:
        """The transform of an object that is exported. Animated objects show a frame of an animation."""
        now = nodes.local_matrix(target)
        if index is None:
            return now
        original = nodes.original_matrix(self.scene.nodes[index])
        return nodes.without(now, original, self.moving.get(index, set()))

    def world(self, index: int | None, target: bpy.types.Object) -> Matrix:
        """The transform in the space of the file."""
        if target.name in self.exact:
            return self.exact[target.name]
        parent = nodes.parent_node(target)
        if target.parent is None or target.parent.antiquary.part == "armature" and target.parent_type != "BONE":
            if index is not None and self.is_skinned(index):
                matrix = Matrix.Identity(4)
            else:
                matrix = target.matrix_world @ nodes.light_turn(target) if index is None else self.local(index, target)
        elif target.parent in self.owners.values() or target.parent in self.further:
            above = next((i for i, it in self.owners.items() if it == target.parent), None)
            matrix = self.world(above, target.parent) @ self.local(index, target)
        elif parent is not None:
            matrix = self.before.world[parent] @ self.local(index, target)
        else:
            matrix = target.matrix_world.copy()
        self.exact[target.name] = matrix
        return matrix


def find(state: State) -> Iterator[Edit]:
    """The edits of the objects of an import."""
    for index, target in state.owners.items():
        yield from _transform(state, index, target)
        yield from _name(target)
        yield from _parent(state, index, target)
        yield from _layer(state, index, target)
    yield from _removed(state)
    for target in state.further:
        yield from _added(state, target)
    yield from _parts(state)
    for target in state.root.all_objects:
        yield from _settings(target)
    yield from _values(state)
    for it in curves.animated(state.root):
        if len(it.animation_data.drivers):
            yield Edit(f'the drivers of "{it.name}"', None)


def outside(context: bpy.types.Context, roots: list[bpy.types.Collection]) -> list[bpy.types.Object]:
    """The objects of the scene that belong to no import, and so are not exported."""
    inside = {it.name for root in roots for it in root.all_objects}
    return [it for it in context.scene.objects if it.name not in inside and it.type in (*_TYPES, "CURVE", "FONT")]


def _quoted(target: bpy.types.Object) -> str:
    return f'"{target.name}"'


def _transform(state: State, index: int, target: bpy.types.Object) -> Iterator[Edit]:
    node = state.scene.nodes[index]
    if any(target.delta_location) or any(it != 1.0 for it in target.delta_scale):
        yield Edit(f"the delta transform of {_quoted(target)}", target)
    if state.is_skinned(index):
        yield from _skinned(target)
        return
    before, now = nodes.original_matrix(node), state.local(index, target)
    kinds = state.moving.get(index, set())
    shown = nodes.local_matrix(target)
    yield from _unkeyed(state, target, kinds, shown, before)
    if state.above.get(index) != nodes.parent_node(target):
        # The space has changed: the place in the world is compared.
        before = state.before.world[index]
        now = state.world(index, target)
    was, is_now = before.decompose(), now.decompose()
    world = state.world(index, target)
    if _differ(was[0], is_now[0]):
        old = state.before.world[index].translation.copy()
        yield Edit(f"the location of {_quoted(target)}", target, _location(state, target, world, old))
    if _turned(was[1], is_now[1]):
        yield Edit(f"the rotation of {_quoted(target)}", target, _rotation(target, world))
    if _differ(was[2], is_now[2]):
        yield Edit(f"the scale of {_quoted(target)}", target, _scale(target, world))


def _skinned(target: bpy.types.Object) -> Iterator[Edit]:
    armature = target.parent
    inside = armature.matrix_world.inverted_safe() if armature else Matrix.Identity(4)
    if nodes.differs(nodes.local_matrix(target), inside @ Matrix.Identity(4)) and nodes.differs(
        target.matrix_basis, Matrix.Identity(4)
    ):
        yield Edit(f"the transform of {_quoted(target)}, which its bones deform", target)


def _unkeyed(
    state: State, target: bpy.types.Object, kinds: set[str], shown: Matrix, before: Matrix
) -> Iterator[Edit]:
    """Edits of animated values without keyframes, which are gone when the frame changes."""
    if nodes.has_tracks(target):
        return
    was, is_now = before.decompose(), shown.decompose()
    for kind, path, position in nodes.KINDS:
        if kind not in kinds or not _is_other(kind, was[position], is_now[position]):
            continue
        # Between keyframes, Blender interpolates each number of a quaternion.
        of_kind = Quaternion if kind == "rotation" else Vector
        expected = [of_kind(it) for it in state.evaluated(target)[path]]
        expected = [it.normalized() for it in expected] if kind == "rotation" else expected
        if all(_is_other(kind, it, is_now[position]) for it in expected):
            yield Edit(f"the {kind} of {_quoted(target)}, which is animated and has no keyframe for it", target)


def _is_other(kind: str, first: Any, second: Any) -> bool:
    return _turned(first, second) if kind == "rotation" else _differ(first, second)


def _differ(first: Vector, second: Vector) -> bool:
    return any(abs(a - b) > nodes.TOLERANCE * max(1.0, abs(a), abs(b)) for a, b in zip(first, second))


def _turned(first: Quaternion, second: Quaternion) -> bool:
    # The dot product itself is less exact than the difference of the numbers.
    one, other = np.array(first), np.array(second)
    return min(np.abs(one - other).max(), np.abs(one + other).max()) > 4 * nodes.TOLERANCE


def _has_mesh(target: bpy.types.Object) -> bool:
    return isinstance(target.data, bpy.types.Mesh) and len(target.data.vertices) > 0


def _shown_points(target: bpy.types.Object, matrix: Matrix) -> np.ndarray:
    """A few vertices of an object that belong to faces: the outermost ones, and others all over the mesh."""
    mesh = target.data
    used = np.unique(write.arrays(mesh.loops, "vertex_index", 1, np.int32))
    points = write.arrays(mesh.shape_keys.key_blocks[0].data if mesh.shape_keys else mesh.vertices, "co", 3)[used]
    if not len(points):
        return points
    chosen = {*points.argmin(axis=0).tolist(), *points.argmax(axis=0).tolist(), *range(0, len(points), len(points) // 32 + 1)}
    return points[sorted(chosen)].astype(np.float64) @ linear(matrix).T


def _has_points(tree: Any, points: np.ndarray) -> bool:
    return len(points) > 0 and all((found := tree.find(it))[2] is not None and found[2] < NEAR for it in points.tolist())


def _location(
    state: State, target: bpy.types.Object, world: Matrix, old: Vector
) -> Callable[[Result], bool | Rounded]:
    def is_in(result: Result) -> bool | Rounded:
        place = world.translation
        if any((it.translation - place).length < NEAR for it in result.world):
            return True
        if _has_mesh(target):
            points = _shown_points(target, world) + np.array(place)
            if _has_points(result.placed, points):
                return True
        moved = [result.world[it].translation for it in result.named(target.name)]
        moved = [it for it in moved if (it - old).length > NEAR]
        if len(moved) == 1:
            x, y, z = moved[0]
            return Rounded(f"({x:.3f}, {y:.3f}, {z:.3f}) m in place of ({place.x:.3f}, {place.y:.3f}, {place.z:.3f}) m")
        return False

    return is_in


def _candidates(result: Result, target: bpy.types.Object) -> list[Matrix]:
    """The transforms of the nodes that an object may have become."""
    named = result.named(target.name) or result.named(without_number(target.name))
    return [result.world[it] for it in named] or result.world


def _rotation(target: bpy.types.Object, world: Matrix) -> Callable[[Result], bool]:
    expected = np.array(world.to_quaternion())

    def is_in(result: Result) -> bool:
        for it in _candidates(result, target):
            found = np.array(it.to_quaternion())
            if min(np.abs(found - expected).max(), np.abs(found + expected).max()) < _NEAR_ROTATION:
                return True
        return _has_mesh(target) and _has_points(result.turned, _shown_points(target, world))

    return is_in


def _scale(target: bpy.types.Object, world: Matrix) -> Callable[[Result], bool]:
    expected = world.to_scale()

    def is_in(result: Result) -> bool:
        for it in _candidates(result, target):
            found = it.to_scale()
            if all(abs(a - b) < _NEAR_SCALE * max(1.0, abs(a)) for a, b in zip(expected, found)):
                return True
        return _has_mesh(target) and _has_points(result.turned, _shown_points(target, world))

    return is_in


def _name(target: bpy.types.Object) -> Iterator[Edit]:
    name = target.name
    if name != target.antiquary.name:
        yield Edit(f'the name of "{name}" (originally "{target.antiquary.name}")', target, lambda it: bool(it.named(name)))


def _parent(state: State, index: int, target: bpy.types.Object) -> Iterator[Edit]:
    if state.is_skinned(index):
        return
    before, now = state.above.get(index), nodes.parent_node(target)
    if now == before and (target.parent is None) == (before is None):
        return
    parent = None if target.parent is None else target.parent.name
    if target.parent_type == "BONE":
        parent = target.parent_bone

    def is_in(result: Result) -> bool:
        for found in result.named(target.name):
            above = result.parents.get(found)
            if parent is None and (above is None or above in result.scene.roots):
                return True
            if above is not None and result.scene.nodes[above].name == parent:
                return True
        return False

    yield Edit(f"the parent of {_quoted(target)}", target, is_in)


def _layer(state: State, index: int, target: bpy.types.Object) -> Iterator[Edit]:
    """An edit if an object is in another collection than that of its layer."""
    layer, at = None, index
    while at is not None and layer is None:
        layer, at = state.scene.nodes[at].layer, state.above.get(at)
    own = {it.antiquary.layer for it in target.users_collection if it == state.root or it.antiquary.layer}
    if (layer or "") not in own:
        yield Edit(f"the collection of {_quoted(target)}", target)
    for it in target.users_collection:
        if it.antiquary.layer and without_number(it.name) != it.antiquary.layer:
            yield Edit(f'the name of the collection "{it.name}", which contains {_quoted(target)}', target)


def _removed(state: State) -> Iterator[Edit]:
    gone = [it for it in range(len(state.scene.nodes)) if it not in state.owners and it not in state.joints]
    counts: dict[str, int] = {}
    for index in gone:
        counts[stem(state.scene.nodes[index].name)] = counts.get(stem(state.scene.nodes[index].name), 0) + 1
    added: dict[str, int] = {}
    for target in state.further:
        added[stem(target.name)] = added.get(stem(target.name), 0) + 1
    for index in gone:
        name = state.scene.nodes[index].name
        expected = state.before.count(name) - counts[stem(name)] + added.get(stem(name), 0)
        is_in = lambda it, name=name, expected=expected: not it.named(name) or it.count(name) <= expected  # noqa: E731
        yield Edit(f'the removal of "{name}"', None, is_in)


def _added(state: State, target: bpy.types.Object) -> Iterator[Edit]:
    if target.type not in _TYPES:
        yield Edit(f"the new object {_quoted(target)} ({target.type.title()}), convert it to a mesh; it", target)
        return
    world = state.world(None, target)
    before = state.before.count(target.name)

    def is_in(result: Result) -> bool:
        if _has_mesh(target):
            points = _shown_points(target, world)
            return _has_points(result.placed, points + np.array(world.translation)) or (
                result.count(target.name) > before and _has_points(result.turned, points)
            )
        if isinstance(target.data, bpy.types.Light):
            return _has_lamp_at(result, world) and not _has_lamp_at(state.before, world)
        return result.count(target.name) > before or bool(result.named(target.name) and not state.before.named(target.name))

    kind = "copy" if target.antiquary.node >= 0 else "new object"
    yield Edit(f"the {kind} {_quoted(target)}", target, is_in)
    old = Vector((float("inf"),) * 3)
    yield Edit(f"the location of the {kind} {_quoted(target)}", target, _location(state, target, world, old))


def _has_lamp_at(result: Result, world: Matrix) -> bool:
    lamps = (place for node, place in zip(result.scene.nodes, result.world) if node.light is not None)
    return any((it.translation - world.translation).length < NEAR for it in lamps)


def _parts(state: State) -> Iterator[Edit]:
    """Edits of the further objects of a node: its lamp, its armature, and its instances."""
    found: dict[tuple[int, str], int] = defaultdict(int)
    for target in state.root.all_objects:
        part, index = target.antiquary.part, target.antiquary.node
        if not part:
            continue
        found[index, part] += 1
        if part == "armature":
            expected = skin.outer_matrix(state.scene, skin.skeleton_of(state.scene, target.data.antiquary.index))
            now = target.matrix_world
        elif part == "light":
            expected, now = Matrix.Identity(4), nodes.local_matrix(target)
        else:
            # Instances of one node have no identity of their own.
            now = nodes.local_matrix(target)
            placed = [axes.matrix(it) for it in state.scene.instances.get(index, ())]
            expected = next((it for it in placed if not nodes.differs(it, now)), Matrix.Scale(0.0, 4))
        if nodes.differs(expected, now):
            yield Edit(f"the transform of {_quoted(target)}", target)
    for index, owner in state.owners.items():
        count = len(state.scene.instances.get(index, ()))
        if count and found[index, "instance"] != count:
            yield Edit(f"the number of instances of {_quoted(owner)}", owner)
        has_lamp = isinstance(owner.data, bpy.types.Light)
        count = int(state.scene.nodes[index].light is not None)
        if found[index, "light"] + has_lamp != count:
            yield Edit(f"the number of lamps of {_quoted(owner)}", owner, partial(_has_lamps, owner.name, count == 0))


def _has_lamps(name: str, expected: bool, result: Result) -> bool:
    return any((result.scene.nodes[it].light is not None) == expected for it in result.named(name))


def _settings(target: bpy.types.Object) -> Iterator[Edit]:
    """Settings of Blender that no file has."""
    for modifier in target.modifiers:
        if modifier.type != "ARMATURE":
            yield Edit(f'the modifier "{modifier.name}" of {_quoted(target)}, which has to be applied', target)
    for constraint in target.constraints:
        yield Edit(f'the constraint "{constraint.name}" of {_quoted(target)}, which has to be applied', target)
    if target.instance_type != "NONE":
        yield Edit(f"the instancing of {_quoted(target)}", target)
    for slot in target.material_slots:
        if slot.link == "OBJECT":
            yield Edit(f"the material slot of {_quoted(target)} that is linked to the object, not to its mesh", target)


# Custom properties of other extensions.
_FOREIGN = ("_RNA_UI", "cycles", "antiquary")


def _values(state: State) -> Iterator[Edit]:
    """Edited custom properties, those that the file has no field for, and removed ones."""
    owners = [it for it in (*state.owners.values(), *state.further) if it.antiquary.field and it.antiquary.names]
    records = fields.read(state.file, [it.antiquary.field for it in owners])
    for target in owners:
        for name, value in fields.edited(target, records.get(target.antiquary.field, {})).items():
            # Records may get other names and places, so those with the value are counted.
            expected = sum(fields.is_same(it.get(name), value) for it in owners if name in it.antiquary.names.split("\n"))
            yield Edit(f'the value "{name}" of {_quoted(target)}', target, partial(_has_values, name, value, expected))
    for target in state.root.all_objects:
        yield from _names_of_values(target)


def _has_values(name: str, value: Any, expected: int, result: Result) -> bool:
    return sum(fields.is_same(it.get(name), value) for it in result.values) >= expected


def _names_of_values(target: bpy.types.Object) -> Iterator[Edit]:
    known = set(target.antiquary.names.split("\n")) - {""}
    if target.antiquary.node < 0:
        return
    for name in sorted(set(target.keys()) - known - set(_FOREIGN)):
        yield Edit(f'the custom property "{name}" of {_quoted(target)}, which is no field of the file', target)
    for name in sorted(known - set(target.keys())):
        yield Edit(f'the removal of the value "{name}" of {_quoted(target)}', target)
