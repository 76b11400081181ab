"""Edits of armatures: names, parents and rest poses of bones, and poses that no clip moves."""

from collections.abc import Iterator

import bpy
import numpy as np

from ..read import skin
from ..write import node as nodes
from .edit import Edit
from .objects import State
from .result import Result

# Blender computes rest poses from head, tail and roll, which rounds them.
_NEAR_REST = 1e-4


def find(state: State) -> Iterator[Edit]:
    """The edits of the armatures of an import."""
    left = [min(it) for it in skin.skeletons(state.scene)]
    for target in state.root.all_objects:
        if not isinstance(target.data, bpy.types.Armature):
            continue
        is_known = target.antiquary.part == "armature"
        joint = min(skin.skeleton_of(state.scene, target.data.antiquary.index)) if is_known else -1
        if joint in left:
            left.remove(joint)
            yield from _armature(state, target)
        else:
            yield Edit(f'the new armature "{target.name}"', target)
    for joint in left:
        yield Edit(f'the removal of the armature with the bone "{state.scene.nodes[joint].name}"', None)


def _armature(state: State, target: bpy.types.Object) -> Iterator[Edit]:
    joints = skin.skeleton_of(state.scene, target.data.antiquary.index)
    rest, above = skin.rest_matrices(state.scene, joints), state.above
    found = {it.antiquary.node for it in target.data.bones}
    for joint in sorted(joints - found):
        yield Edit(f'the removal of the bone "{state.scene.nodes[joint].name}" of "{target.name}"', target)
    bones = {it.antiquary.node: it for it in target.data.bones if it.antiquary.node >= 0}
    for bone in target.data.bones:
        joint, name = bone.antiquary.node, f'the bone "{bone.name}" of "{target.name}"'
        if joint not in joints or bones[joint] != bone:
            yield Edit(f"the new bone {name.removeprefix('the bone ')}", target)
            continue
        if bone.name != bone.antiquary.blender_name:
            new = bone.name
            yield Edit(f"the name of {name}", target, lambda it, new=new: bool(it.named(new)))
        parent = bones.get(above.get(joint, -1)) if above.get(joint) in joints else None
        if bone.parent != parent:
            yield Edit(f"the parent of {name}", target)
        elif _far(bone.matrix_local, rest[joint]):
            yield Edit(f"the rest pose of {name}", target)
        for constraint in target.pose.bones[bone.name].constraints:
            yield Edit(f'the constraint "{constraint.name}" of {name}', target)
        yield from _pose(state, target, bone, joint, name)


def _pose(state: State, target: bpy.types.Object, bone: bpy.types.Bone, joint: int, name: str) -> Iterator[Edit]:
    now = nodes.posed(target, bone)
    before = nodes.original_matrix(state.scene.nodes[joint])
    if not _far(now, before):
        return
    kinds = state.moving.get(joint, set())
    prefix = f'pose.bones["{bpy.utils.escape_identifier(bone.name)}"].'
    pose = target.pose.bones[bone.name]
    for kind, path, position in nodes.KINDS:
        value, was = now.decompose()[position], before.decompose()[position]
        if kind == "rotation":
            is_same = abs(abs(value.dot(was)) - 1.0) < 1e-6
        else:
            is_same = np.abs(np.array(value) - np.array(was)).max() < _NEAR_REST
        if is_same:
            continue
        if kind in kinds:
            shown = np.array(getattr(pose, path))
            is_keyed = any(np.abs(shown - it).max() < 1e-4 for it in state.evaluated(target)[prefix + path])
            if not is_keyed and not nodes.has_tracks(target):
                yield Edit(f"the {kind} of {name}, which is animated and has no keyframe for it", target)
            continue
        yield Edit(f"the {kind} of {name}", target, lambda it, kind=kind, value=value: _has(it, state, joint, kind, value))


def _has(result: Result, state: State, joint: int, kind: str, value: object) -> bool:
    for index in result.named(state.scene.nodes[joint].name):
        found = nodes.original_matrix(result.scene.nodes[index]).decompose()
        position = next(it for it, (name, _, _) in enumerate(nodes.KINDS) if name == kind)
        first, second = np.array(found[position]), np.array(value)
        if min(np.abs(first - second).max(), np.abs(first + second).max()) < 2e-3:
            return True
    return False


def _far(first: object, second: object) -> bool:
    return bool(np.abs(np.array(first) - np.array(second)).max() > _NEAR_REST)
