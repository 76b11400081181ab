"""Keyframes of actions, in Blender versions with and without slots, as arrays of numpy."""

from typing import Any

import bpy
import numpy as np

_CONSTANT, _LINEAR = 0, 1
_NAMES = {"step": _CONSTANT, "linear": _LINEAR}


def assign(target: bpy.types.ID, action: bpy.types.Action) -> None:
    """Lets an action animate a datablock."""
    data = target.animation_data_create()
    data.action = action
    if hasattr(data, "action_slot") and len(action.slots):
        data.action_slot = action.slots[0]


def channels(action: bpy.types.Action, target: bpy.types.ID) -> Any:
    """The curves of an action that animate a datablock. They are created if necessary."""
    if not hasattr(action, "slots"):
        return action.fcurves
    slot = action.slots[0] if len(action.slots) else action.slots.new(id_type=target.id_type, name=target.name)
    layer = action.layers[0] if len(action.layers) else action.layers.new("Layer")
    strip = layer.strips[0] if len(layer.strips) else layer.strips.new(type="KEYFRAME")
    return strip.channelbag(slot, ensure=True).fcurves


def of_target(target: bpy.types.ID) -> list[bpy.types.FCurve]:
    """The curves of the active action of a datablock that animate it."""
    data = target.animation_data
    return [] if data is None or data.action is None else _of_slot(data.action, data)


def used(target: bpy.types.ID) -> list[tuple[bpy.types.Action, list[bpy.types.FCurve]]]:
    """The actions that animate a datablock, also in tracks of the NLA editor, and their curves."""
    data = target.animation_data
    if data is None:
        return []
    users = [data, *(strip for track in data.nla_tracks for strip in track.strips)]
    return [(it.action, _of_slot(it.action, it)) for it in users if it.action is not None]


def animated(root: bpy.types.Collection) -> list[bpy.types.ID]:
    """The datablocks of the objects of a collection that actions or drivers animate."""
    out: dict[bpy.types.ID, None] = {}
    for target in root.all_objects:
        materials = [slot.material for slot in target.material_slots]
        parts = [target, target.data, getattr(target.data, "shape_keys", None), *materials]
        parts += [getattr(it, "node_tree", None) for it in (target.data, *materials)]
        out.update((it, None) for it in parts if getattr(it, "animation_data", None) is not None)
    return list(out)


def further_slots(action: bpy.types.Action) -> list[str]:
    """The names of the slots of an action after the first one, with which it animates further datablocks."""
    return [it.name_display for it in list(action.slots)[1:]] if hasattr(action, "slots") else []


def existing(action: bpy.types.Action) -> list[bpy.types.FCurve]:
    """The curves of an action for the datablock that it was created for."""
    if not hasattr(action, "slots"):
        return list(action.fcurves)
    return _in_slot(action, action.slots[0]) if len(action.slots) else []


def _of_slot(action: bpy.types.Action, user: Any) -> list[bpy.types.FCurve]:
    """The curves of the slot of an action that its user has chosen."""
    if not hasattr(action, "slots"):
        return list(action.fcurves)
    return [] if user.action_slot is None else _in_slot(action, user.action_slot)


def _in_slot(action: bpy.types.Action, slot: Any) -> list[bpy.types.FCurve]:
    bags = [strip.channelbag(slot) for layer in action.layers for strip in layer.strips]
    return [curve for bag in bags if bag is not None for curve in bag.fcurves]


def write(
    curves: Any, path: str, index: int, frames: np.ndarray, values: np.ndarray, interpolation: str
) -> None:
    """Creates a curve with the given keyframes. ``interpolation`` is ``step`` or ``linear``."""
    curve = curves.new(path, index=index)
    points = np.empty((len(frames), 2), np.float32)
    points[:, 0], points[:, 1] = frames, values
    curve.keyframe_points.add(len(frames))
    curve.keyframe_points.foreach_set("co", points.ravel())
    kind = np.full(len(frames), _NAMES[interpolation], np.int32)
    curve.keyframe_points.foreach_set("interpolation", kind)
    curve.update()


def read(curve: bpy.types.FCurve) -> tuple[np.ndarray, np.ndarray, bool, bool]:
    """The frames and values of the keyframes of a curve, and whether all are constant or all are linear."""
    count = len(curve.keyframe_points)
    points = np.empty(2 * count, np.float32)
    curve.keyframe_points.foreach_get("co", points)
    kind = np.empty(count, np.int32)
    curve.keyframe_points.foreach_get("interpolation", kind)
    points = points.reshape(-1, 2)
    return points[:, 0], points[:, 1], bool(np.all(kind == _CONSTANT)), bool(np.all(kind == _LINEAR))


def is_simple(curve: bpy.types.FCurve) -> bool:
    """Whether all keyframes are constant, or all are linear, so that the keyframes alone describe the curve."""
    *_, is_constant, is_linear = read(curve)
    return (is_constant or is_linear) and not len(curve.modifiers)


def sample(curve: bpy.types.FCurve, frames: np.ndarray) -> np.ndarray:
    """The values of a curve at frames."""
    keys, values, is_constant, is_linear = read(curve)
    if len(curve.modifiers):
        return np.array([curve.evaluate(float(frame)) for frame in frames], np.float32)
    if len(keys) and is_constant:
        at = np.searchsorted(keys, frames + 1e-4, side="right") - 1
        return values[np.clip(at, 0, len(keys) - 1)]
    if len(keys) and is_linear:
        exact = np.clip(np.searchsorted(keys, frames), 0, len(keys) - 1)
        return np.where(keys[exact] == frames, values[exact], np.interp(frames, keys, values)).astype(np.float32)
    return np.array([curve.evaluate(float(frame)) for frame in frames], np.float32)
