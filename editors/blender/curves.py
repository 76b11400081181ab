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
    if data is None or data.action is None:
        return []
    if not hasattr(data.action, "slots"):
        return list(data.action.fcurves)
    slot = data.action_slot
    bags = [strip.channelbag(slot) for layer in data.action.layers for strip in layer.strips] if slot else []
    return [curve for bag in bags if bag is not None for curve in bag.fcurves]


def existing(action: bpy.types.Action) -> list[bpy.types.FCurve]:
    """All curves of an action."""
    if not hasattr(action, "slots"):
        return list(action.fcurves)
    return [
        curve
        for layer in action.layers
        for strip in layer.strips
        for slot in action.slots
        for bag in (strip.channelbag(slot),)
        if bag is not None
        for curve in bag.fcurves
    ]


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
