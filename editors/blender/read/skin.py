"""Skins as armatures. The axes of bones are those of the joints, so keyframes keep their numbers."""

from typing import TYPE_CHECKING

import antiquary
import bpy
import numpy as np
from mathutils import Matrix

from .. import axes

if TYPE_CHECKING:
    from . import Import

_SHORTEST_BONE = 0.05


def create(state: "Import") -> None:
    """Creates an armature for each skeleton: skins that share joints share it."""
    for joints in skeletons(state.scene):
        _armature(state, joints)


def parents(scene: antiquary.Scene) -> dict[int, int]:
    """The parent of each node that has one."""
    return {child: index for index, node in enumerate(scene.nodes) for child in node.children}


def skeletons(scene: antiquary.Scene) -> list[set[int]]:
    """The joints of each skeleton, and the nodes between them."""
    above = parents(scene)
    out: list[set[int]] = []
    for skin in scene.skins:
        joints = set(skin.joints)
        for joint in skin.joints:
            path, at = [], above.get(joint)
            while at is not None and at not in joints:
                path.append(at)
                at = above.get(at)
            if at is not None:
                joints.update(path)
        for other in [it for it in out if it & joints]:
            out.remove(other)
            joints |= other
        if joints:
            out.append(joints)
    return out


def skeleton_of(scene: antiquary.Scene, skin: int) -> set[int]:
    """The skeleton with the first joint of a skin."""
    joint = scene.skins[skin].joints[0]
    return next(it for it in skeletons(scene) if joint in it)


def outer_matrix(scene: antiquary.Scene, joints: set[int]) -> Matrix:
    """The space that a skeleton is placed in: that of the node above its topmost joint."""
    above = parents(scene)
    root = next(it for it in sorted(joints) if above.get(it) not in joints)
    return axes.matrix(scene.world_matrices[above[root]]) if root in above else Matrix.Identity(4)


def rest_matrices(scene: antiquary.Scene, joints: set[int]) -> dict[int, Matrix]:
    """The rest pose of bones in the space of the armature: that of the skin if the node is a joint, otherwise its transform."""
    inside = outer_matrix(scene, joints).inverted_safe()
    out = {}
    for skin in scene.skins:
        for joint, inverse in zip(skin.joints, skin.inverse_bind):
            if joint in joints:
                out[joint] = _rigid(inside @ axes.matrix(inverse).inverted_safe())
    for joint in joints - out.keys():
        out[joint] = _rigid(inside @ axes.matrix(scene.world_matrices[joint]))
    return out


def _rigid(matrix: Matrix) -> Matrix:
    """The matrix without its scale, which bones cannot have."""
    location, rotation, _ = matrix.decompose()
    return Matrix.LocRotScale(location, rotation, None)


def _armature(state: "Import", joints: set[int]) -> None:
    scene = state.scene
    above = parents(scene)
    skin = next(index for index, it in enumerate(scene.skins) if joints & set(it.joints))
    name = scene.skins[skin].name or "skeleton"
    data = bpy.data.armatures.new(name)
    data.antiquary.index = skin
    armature = bpy.data.objects.new(name, data)
    armature.antiquary.part = "armature"
    armature.matrix_world = outer_matrix(scene, joints)
    state.root.objects.link(armature)
    rest = rest_matrices(scene, joints)
    names = _bones(state, armature, joints, rest, above)
    for joint in joints:
        state.bones[joint] = (armature, names[joint])
        bone = data.bones[names[joint]]
        bone.antiquary.node, bone.antiquary.name = joint, scene.nodes[joint].name
        bone.antiquary.blender_name = bone.name
        pose = armature.pose.bones[names[joint]]
        pose.rotation_mode = "QUATERNION"
        inverse = local_rest(rest, above, joints, joint).inverted_safe()
        pose.matrix_basis = inverse @ local_pose(scene.nodes[joint])
    if not _is_bound(scene, joints):
        state.notes.append("The skin has scaled joints; its rest pose is approximate")


def local_rest(rest: dict[int, Matrix], above: dict[int, int], joints: set[int], joint: int) -> Matrix:
    """The rest pose of a bone in the space of its parent."""
    parent = above.get(joint)
    return rest[parent].inverted_safe() @ rest[joint] if parent in joints else rest[joint]


def local_pose(node: antiquary.Node) -> Matrix:
    """The pose of a joint in the space of its parent bone, or of the armature."""
    place = axes.location(*node.translation), axes.rotation(*node.rotation), axes.scale(*node.scale)
    return Matrix.LocRotScale(*place)


def _bones(
    state: "Import",
    armature: bpy.types.Object,
    joints: set[int],
    rest: dict[int, Matrix],
    above: dict[int, int],
) -> dict[int, str]:
    """Creates the bones. Returns their names by joint."""
    view_layer = state.context.view_layer
    previous = view_layer.objects.active
    view_layer.objects.active = armature
    with state.context.temp_override(active_object=armature, object=armature):
        bpy.ops.object.mode_set(mode="EDIT")
        bones = {}
        for joint in sorted(joints):
            bone = armature.data.edit_bones.new(state.scene.nodes[joint].name or f"joint {joint}")
            bone.head, bone.tail = (0.0, 0.0, 0.0), (0.0, _length(joint, joints, rest, above), 0.0)
            bone.matrix = rest[joint]
            bones[joint] = bone
        for joint, bone in bones.items():
            if above.get(joint) in joints:
                bone.parent = bones[above[joint]]
        names = {joint: bone.name for joint, bone in bones.items()}
        bpy.ops.object.mode_set(mode="OBJECT")
    view_layer.objects.active = previous
    return names


def _length(joint: int, joints: set[int], rest: dict[int, Matrix], above: dict[int, int]) -> float:
    """The distance to the nearest child, which looks natural."""
    here = rest[joint].translation
    children = [it for it in joints if above.get(it) == joint]
    distances = [(rest[it].translation - here).length for it in children]
    parent = above.get(joint)
    if not distances and parent in joints:
        distances = [(rest[parent].translation - here).length]
    return max(_SHORTEST_BONE, min((it for it in distances if it > 0.0), default=_SHORTEST_BONE))


def _is_bound(scene: antiquary.Scene, joints: set[int]) -> bool:
    """Whether the joints of the bind pose have no scale."""
    for skin in scene.skins:
        for joint, inverse in zip(skin.joints, skin.inverse_bind):
            lengths = np.linalg.norm(inverse[:3, :3], axis=0)
            if joint in joints and not np.allclose(lengths, 1.0, atol=1e-3):
                return False
    return True
