"""Channels of clips: the values of curves in the order and axes of glTF, and new channels and clips."""

import re
from typing import TYPE_CHECKING, Any

import bpy
import numpy as np
from mathutils import Euler

from .. import axes, curves
from ..check import Edit
from ..check.clip import Expected
from ..read import animation as read
from ..read.material import MAPPING

if TYPE_CHECKING:
    from .animation import Animations, Curves

# What is animated, as in ``Track.targets``: the kind and the index of a node or of a material.
Target = tuple[str, int]

_TEXTURE = "/materials/%d/pbrMetallicRoughness/baseColorTexture/extensions/KHR_texture_transform/%s"
_PATHS = {"location": "translation", "rotation_quaternion": "rotation", "rotation_euler": "rotation", "scale": "scale"}
_SIZES = {"location": 3, "rotation_quaternion": 4, "rotation_euler": 3, "scale": 3}
_BONE = re.compile(r'pose\.bones\["(.*)"\]\.(\w+)')
_KEY = re.compile(r'key_blocks\["(.*)"\]\.value')


def json_target(document: Any, target: Target) -> dict[str, Any]:
    """The target of a channel in a document."""
    kind, at = target
    if not kind.startswith("uv_"):
        return {"node": at, "path": kind}
    document.use("KHR_animation_pointer")
    pointer = _TEXTURE % (at, kind.removeprefix("uv_"))
    return {"path": "pointer", "extensions": {"KHR_animation_pointer": {"pointer": pointer}}}


def key_frames(curve: bpy.types.FCurve) -> np.ndarray:
    """The frames that describe a curve: its keyframes, and for splines all frames between them."""
    keys = curves.read(curve)[0]
    if curves.is_simple(curve) or len(keys) < 2:
        return keys
    return np.unique(np.concatenate([keys, np.arange(np.ceil(keys.min()), np.floor(keys.max()) + 1.0)])).astype(np.float32)


def with_middles(frames: np.ndarray) -> np.ndarray:
    """Frames, and those in the middle between two of them."""
    return np.unique(np.concatenate([frames, (frames[:-1] + frames[1:]) / 2.0]))


def frames_of(found: list[bpy.types.FCurve], kind: str) -> tuple[np.ndarray, bool]:
    """The frames that describe the curves of a target, and whether values between them follow from those at them.

    Blender interpolates each number of a rotation, files turn the short way. Where that differs, all frames are taken.
    """
    keys = np.unique(np.concatenate([key_frames(it) for it in found]))
    is_simple = all(map(curves.is_simple, found))
    if kind == "rotation" and is_simple and len(keys) > 1 and not all(curves.read(it)[2] for it in found):
        values = np.stack([curves.sample(it, keys) for it in found], axis=1)
        is_long = np.sum(values[1:] * values[:-1], axis=1) < 0.0 if len(found) == 4 else np.ones(len(keys) - 1, bool)
        between = [np.arange(np.ceil(a), np.floor(b) + 1.0) for a, b in zip(keys[:-1][is_long], keys[1:][is_long])]
        keys = np.unique(np.concatenate([keys, *between])).astype(np.float32)
        is_simple = not is_long.any()
    return keys, is_simple


def times_of(frames: np.ndarray, rate: float) -> np.ndarray:
    """The times of frames in seconds."""
    return (frames / rate).astype(np.float32)


def to_gltf(animations: "Animations", target: Target, values: np.ndarray, found: "Curves", frames: np.ndarray) -> np.ndarray:
    """The inverse of the conversion of the import. ``found`` are the curves of the action."""
    from . import animation

    kind, at = target
    if kind in ("weights", "uv_rotation", "uv_scale"):
        return values.astype(np.float32)
    if kind == "uv_offset":
        return _offsets(animations, at, values, found, frames)
    if at in animations.reader.bones and kind != "scale":
        values = animation.bone_values(animations.reader, at, kind, values)
    if kind == "translation":
        return axes.points_to_gltf(values)
    if kind == "scale":
        return values[:, [0, 2, 1]]
    return animation.rotations(values)


def _offsets(animations: "Animations", at: int, values: np.ndarray, found: "Curves", frames: np.ndarray) -> np.ndarray:
    from .material import offset_of

    reference = animations.scene.materials[at].base_color_texture or {}
    angle, height = reference.get("rotation", 0.0), reference.get("scale", (1.0, 1.0))[1]
    rotation, scale = found.get((read.MAPPING_PATH % 2, 2)), found.get((read.MAPPING_PATH % 3, 1))
    angles = np.full(len(frames), angle) if rotation is None else curves.sample(rotation, frames)
    heights = np.full(len(frames), height) if scale is None else curves.sample(scale, frames)
    rows = zip(values.tolist(), heights.tolist(), angles.tolist())
    return np.array([offset_of(x, y, h, a) for (x, y), h, a in rows], np.float32).reshape(-1, 2)


def new_clips(animations: "Animations") -> list[Edit]:
    """Adds a clip for each action that was created in Blender and animates objects of the import."""
    own = {it.name for found in animations.actions.values() for it in found.values()}
    used: dict[str, dict[str, list[bpy.types.FCurve]]] = {}
    for key, target in animations.targets.items():
        for action, found in curves.used(target):
            if action.name not in own:
                used.setdefault(action.name, {}).setdefault(key, found)
    for action in (it for it in animations.copies if it.antiquary.target in animations.targets):
        used.setdefault(action.name, {action.antiquary.target: curves.existing(action)})
    edits: list[Edit] = []
    for name, parts in used.items():
        edits += _new_clip(animations, bpy.data.actions[name], parts)
    for target in curves.animated(animations.edited.root):
        for action, _ in curves.used(target):
            if action.name not in own and action.name not in used:
                edits.append(Edit(f'the new action "{action.name}" of "{target.name}"', None))
    for action in bpy.data.actions:
        if not action.antiquary.source and not _is_used(action):
            edits.append(Edit(f'the new action "{action.name}", which no object uses', None))
    return edits


def _is_used(action: bpy.types.Action) -> bool:
    """Whether an object uses an action. A fake user is none."""
    return action.users > int(action.use_fake_user)


def targets(animations: "Animations") -> dict[str, bpy.types.ID]:
    """The datablocks that actions can animate, by the name that actions store."""
    edited = animations.edited
    out: dict[str, bpy.types.ID] = {}
    for node, target in edited.owners.items():
        out[f"object {node}"] = target
        keys = getattr(target.data, "shape_keys", None)
        if keys is not None:
            out[f"shape keys {node}"] = keys
        if isinstance(target.data, bpy.types.Light):
            out[f"lamp {node}"] = target.data
    for target in edited.root.all_objects:
        if isinstance(target.data, bpy.types.Armature) and target.antiquary.part == "armature":
            out[f"armature {target.data.antiquary.index}"] = target
    for name, node in edited.created.items():
        out[f"object {node}"] = bpy.data.objects[name]
    for index, material in animations.reader.materials.items():
        if material is not None:
            out[f"material {index}"] = material.node_tree
            out[f"settings of material {index}"] = material
    return {key: it for key, it in out.items() if it is not None}


def _new_clip(
    animations: "Animations", action: bpy.types.Action, parts: dict[str, list[bpy.types.FCurve]]
) -> list[Edit]:
    json: dict[str, Any] = {"name": action.name, "channels": [], "samplers": []}
    edits = [
        edit for key, found in parts.items() for edit in add_curves(animations, json, action.name, key, action, found)
    ]
    if json["channels"]:
        animations.document["animations"].append(json)
    return edits


def add_curves(
    animations: "Animations",
    json: dict[str, Any],
    clip: str,
    key: str,
    action: bpy.types.Action,
    found: list[bpy.types.FCurve],
) -> list[Edit]:
    """Adds channels for curves that the import did not create. Returns the edits."""
    edits, grouped = [], {}
    for curve in found:
        target = _target_of(animations, key, curve.data_path)
        if target is None or not len(curve.keyframe_points):
            what = f'the curve "{curve.data_path}" of the action "{action.name}"'
            edits.append(Edit(what, _user(animations, key)))
        else:
            grouped.setdefault((target, curve.data_path if target[0] != "weights" else ""), []).append(curve)
    by_path = {(it.data_path, it.array_index): it for it in found}
    for (target, path), group in grouped.items():
        edits.append(_add(animations, json, clip, target, path, action, group, by_path))
    return edits


def _add(
    animations: "Animations",
    json: dict[str, Any],
    clip: str,
    target: Target,
    path: str,
    action: bpy.types.Action,
    group: list[bpy.types.FCurve],
    by_path: "Curves",
) -> Edit:
    kind, at = target
    frames, is_simple = frames_of(group, kind)
    values = to_gltf(animations, target, _sampled(animations, target, path, group, frames), by_path, frames)
    is_step = all(curves.read(it)[2] for it in group)
    # Clips start at 0.
    start = min(0.0, float(frames.min()))
    animations.set_channel(json, target, times_of(frames - start, animations.rate), values, is_step)
    name = animations._name(kind, at) if at < _count(animations, kind) else ""
    looked_up = with_middles(frames) if is_simple else frames
    expected = to_gltf(animations, target, _sampled(animations, target, path, group, looked_up), by_path, looked_up)
    check = Expected(clip, target, name, (looked_up - start) / animations.rate, expected)
    what = f'the new animation "{action.name}" of "{name}" ({kind})'
    return Edit(what, animations.target_object(kind, at), check.is_in)


def _count(animations: "Animations", kind: str) -> int:
    return len(animations.scene.materials if kind.startswith("uv_") else animations.scene.nodes)


def _sampled(
    animations: "Animations", target: Target, path: str, group: list[bpy.types.FCurve], frames: np.ndarray
) -> np.ndarray:
    """The values of curves at frames. Numbers without a curve keep their values."""
    kind, at = target
    by_index = {it.array_index: it for it in group}
    if kind == "weights":
        keys = list(animations.edited.owners[at].data.shape_keys.key_blocks)[1:]
        names = {_KEY.fullmatch(it.data_path)[1]: it for it in group}
        found = [(names.get(bpy.utils.escape_identifier(it.name)), it.value) for it in keys]
    elif kind.startswith("uv_"):
        node = animations.reader.materials[at].node_tree.nodes[MAPPING]
        _, indices = read.UV_CURVES[kind]
        number = int(re.search(r"inputs\[(\d)\]", path)[1])
        found = [(by_index.get(it), node.inputs[number].default_value[it]) for it in indices]
    else:
        owner = _posed(animations, at)
        name = path.rsplit(".", 1)[-1]
        found = [(by_index.get(it), getattr(owner, name)[it]) for it in range(_SIZES[name])]
    values = np.stack(
        [np.full(len(frames), value, np.float32) if it is None else curves.sample(it, frames) for it, value in found], axis=1
    )
    if path.endswith("rotation_euler"):
        order = _posed(animations, at).rotation_mode
        order = "XYZ" if order in ("QUATERNION", "AXIS_ANGLE") else order
        turned = [Euler(row, order).to_quaternion() for row in values.tolist()]
        values = np.array([tuple(it) for it in turned], np.float32)
    return values


def _posed(animations: "Animations", at: int) -> Any:
    """The object or the pose of the bone of a node."""
    if at in animations.edited.bones:
        armature, name = animations.edited.bones[at]
        return armature.pose.bones[name]
    if at in animations.edited.owners:
        return animations.edited.owners[at]
    return next(bpy.data.objects[name] for name, node in animations.edited.created.items() if node == at)


def _target_of(animations: "Animations", key: str, path: str) -> Target | None:
    """The target that a curve animates, or None if no clip can have it."""
    what, _, number = key.rpartition(" ")
    at = int(number)
    if what == "object" and path in _PATHS:
        return _PATHS[path], at
    if what == "shape keys" and _KEY.fullmatch(path):
        return "weights", at
    bone = _BONE.fullmatch(path)
    if what == "armature" and bone and bone[2] in _PATHS:
        names = {bpy.utils.escape_identifier(name): node for node, (_, name) in animations.edited.bones.items()}
        node = names.get(bone[1])
        return None if node is None else (_PATHS[bone[2]], node)
    if what == "material" and animations.scene.materials[at].base_color_texture:
        return next(((kind, at) for kind, (known, _) in read.UV_CURVES.items() if known == path), None)
    return None


def _user(animations: "Animations", key: str) -> bpy.types.Object | None:
    what, _, number = key.rpartition(" ")
    if what == "armature":
        return next((it for it in animations.edited.root.all_objects if it.type == "ARMATURE"), None)
    kind = "uv_offset" if what.endswith("material") else "translation"
    return animations.target_object(kind, int(number))


def unwritten(root: bpy.types.Collection, scene: Any) -> list[Edit]:
    """Edits of the animations of a file that is not built from scenes: keyframes of its clips, and new actions."""
    from .animation import Animations

    return Animations(Unwritten(root, scene)).apply()


class Unwritten:
    """The objects of an import whose animations are compared but not written."""

    def __init__(self, root: bpy.types.Collection, scene: Any) -> None:
        from .glb import Document
        from .node import bones_of, claims

        self.root, self.before, self.created, self.added, self.losses = root, scene, {}, set(), []
        self.document = Document.empty([it.name for it in scene.animations if any(len(t.times) for t in it.tracks)])
        self.owners, _ = claims(root)
        self.bones = bones_of(root)
        self.materials_of_root = dict.fromkeys(range(len(scene.materials)))
        for target in root.all_objects:
            for slot in target.material_slots:
                if slot.material is not None and slot.material.antiquary.index >= 0:
                    self.materials_of_root[slot.material.antiquary.index] = slot.material
