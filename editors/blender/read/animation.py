"""Animations as actions. Keyframes are on the frames of the game, whose rate becomes that of the scene."""

from typing import TYPE_CHECKING, Any

import antiquary
import bpy
import numpy as np
from mathutils import Quaternion

from .. import axes, curves
from .material import MAPPING, mapping_location

if TYPE_CHECKING:
    from . import Import

# The highest frame rate that is tried, and the tolerance for a keyframe to be on a frame.
_HIGHEST_RATE = 240.0
_TOLERANCE = 2e-3

PATHS = {"translation": "location", "rotation": "rotation_quaternion", "scale": "scale"}


def create(state: "Import") -> None:
    """Creates an action for each clip and each datablock that it animates. The first clip is shown."""
    clips = state.scene.animations
    if not clips:
        return
    rate = frame_rate(clips) or scene_rate(state.context.scene)
    state.root.antiquary.rate = rate
    for index, clip in enumerate(clips):
        _clip(state, index, clip, rate)
    _show(state, rate)


def scene_rate(scene: bpy.types.Scene) -> float:
    """The frames per second of a scene of Blender."""
    return scene.render.fps / scene.render.fps_base


def frame_rate(clips: list[antiquary.Animation]) -> float | None:
    """The lowest known rate at which all keyframes are on frames, or None."""
    rates = {float(it.extras["frames_per_second"]) for it in clips if "frames_per_second" in it.extras}
    times = np.unique(np.concatenate([np.asarray(track.times) for it in clips for track in it.tracks] or [[0.0]]))
    steps = np.diff(times)
    steps = steps[steps > 1.0 / _HIGHEST_RATE]
    if len(steps):
        step = float(steps.min())
        rates.update(1.0 / step * factor for factor in (1, 2, 3, 4, 5, 6, 8, 10))
    for rate in sorted(it for it in rates if 0.0 < it <= _HIGHEST_RATE):
        frames = times.astype(np.float64) * rate
        if np.all(np.abs(frames - np.round(frames)) < _TOLERANCE * np.maximum(1.0, frames / 100.0)):
            return rate
    return None


def frames_of(times: np.ndarray, rate: float) -> np.ndarray:
    """The frames of times, without rounding errors: float32."""
    frames = times.astype(np.float64) * rate
    nearest = np.round(frames)
    is_near = np.abs(frames - nearest) < _TOLERANCE * np.maximum(1.0, frames / 100.0)
    return np.where(is_near, nearest, frames).astype(np.float32)


def _clip(state: "Import", index: int, clip: antiquary.Animation, rate: float) -> None:
    actions: dict[Any, bpy.types.Action] = {}
    for track in clip.tracks:
        for kind, at in track.targets:
            target = target_of(state, kind, at)
            if target is None:
                continue
            if target not in actions:
                actions[target] = _action(state, index, clip, target)
                actions[target].antiquary.target = key_of(kind, at, state)
            into = curves.channels(actions[target], target)
            for path, component, values in components(state, clip, track, kind, at):
                if into.find(path, index=component) is None:
                    frames, kept = reduced(frames_of(track.times, rate), values, track.interpolation)
                    curves.write(into, path, component, frames, kept, interpolation(track))


def interpolation(track: antiquary.Track) -> str:
    """The interpolation of keyframes: smooth curves of glTF become linear."""
    return "step" if track.interpolation == "step" else "linear"


def _action(state: "Import", index: int, clip: antiquary.Animation, target: bpy.types.ID) -> bpy.types.Action:
    name = clip.name or f"clip {index}"
    action = bpy.data.actions.new(name)
    action.use_fake_user = True
    action.antiquary.clip, action.antiquary.index = name, index
    action.antiquary.source, action.antiquary.name = state.root.antiquary.key, action.name
    if not hasattr(action, "slots"):
        action.id_root = target.id_type
    curves.channels(action, target)
    if target.animation_data is None or target.animation_data.action is None:
        curves.assign(target, action)
    return action


def target_of(state: "Import", kind: str, at: int) -> bpy.types.ID | None:
    """The datablock that a value belongs to."""
    if kind.startswith("uv_"):
        material = state.materials[at]
        has_mapping = material is not None and MAPPING in material.node_tree.nodes
        return material.node_tree if has_mapping else None
    if kind == "base_color":
        return None
    if kind == "weights":
        shown = state.objects.get(at)
        return shown.data.shape_keys if shown is not None and isinstance(shown.data, bpy.types.Mesh) else None
    if at in state.bones:
        return state.bones[at][0]
    return state.objects.get(at)


def key_of(kind: str, at: int, state: Any) -> str:
    """Identifies the datablock that a value belongs to, in the properties of actions."""
    if kind.startswith("uv_"):
        return f"material {at}"
    if kind == "weights":
        return f"shape keys {at}"
    if at in state.bones:
        return f"armature {state.bones[at][0].data.antiquary.index}"
    return f"object {at}"


def components(
    state: "Import", clip: antiquary.Animation, track: antiquary.Track, kind: str, at: int
) -> list[tuple[str, int, np.ndarray]]:
    """The curves of a track of a clip for one of its targets: path, index and values."""
    values = middle(track)
    if kind == "weights":
        keys = state.objects[at].data.shape_keys.key_blocks
        count = min(values.shape[1], len(keys) - 1)
        names = [keys[index + 1].name for index in range(count)]
        return [(f'key_blocks["{bpy.utils.escape_identifier(it)}"].value', 0, values[:, i]) for i, it in enumerate(names)]
    if kind.startswith("uv_"):
        return _mapping(state.scene.materials[at], clip, track, (kind, at), values)
    converted = transform(kind, values)
    prefix = ""
    if at in state.bones:
        armature, bone = state.bones[at]
        prefix = f'pose.bones["{bpy.utils.escape_identifier(bone)}"].'
        converted = to_basis(state.scene, armature, at, kind, converted)
    return [(prefix + PATHS[kind], index, converted[:, index]) for index in range(converted.shape[1])]


def middle(track: antiquary.Track) -> np.ndarray:
    """The values of the keyframes, without tangents."""
    values = np.asarray(track.values)
    if track.interpolation == "cubic":
        count = values.shape[1] // 3
        return values[:, count : 2 * count]
    return values


def transform(kind: str, values: np.ndarray) -> np.ndarray:
    """Converts values of glTF to Blender's axes: locations, quaternions (w first) or scales."""
    if kind == "translation":
        return axes.points(values)
    if kind == "scale":
        return values[:, [0, 2, 1]]
    out = np.stack([values[:, 3], values[:, 0], -values[:, 2], values[:, 1]], axis=1)
    return _continuous(out)


def _continuous(quaternions: np.ndarray) -> np.ndarray:
    """Negates quaternions so that neighbors take the short way, because Blender interpolates each number."""
    out = quaternions.copy()
    dots = np.sum(out[1:] * out[:-1], axis=1)
    signs = np.concatenate([[1.0], np.cumprod(np.where(dots < 0.0, -1.0, 1.0))])
    return (out * signs[:, None]).astype(np.float32)


def to_basis(
    scene: antiquary.Scene, armature: bpy.types.Object, joint: int, kind: str, values: np.ndarray
) -> np.ndarray:
    """Converts values of a joint to those of a bone, which are relative to the rest pose."""
    rest = rest_of(armature, joint)
    location, rotation, _ = rest.decompose()
    if kind == "translation":
        inverse = np.array(rotation.inverted().to_matrix(), np.float64)
        return ((values - np.array(location)) @ inverse.T).astype(np.float32)
    if kind == "scale":
        return values
    inverse = rotation.inverted()
    turned = [inverse @ Quaternion([float(it) for it in row]) for row in values]
    return _continuous(np.array([tuple(it) for it in turned], np.float32))


def rest_of(armature: bpy.types.Object, joint: int) -> Any:
    """The rest pose of the bone of a joint, in the space of its parent."""
    bone = next(it for it in armature.data.bones if it.antiquary.node == joint)
    if bone.parent is None:
        return bone.matrix_local.copy()
    return bone.parent.matrix_local.inverted_safe() @ bone.matrix_local


# The curves of each animated value of a texture: path and indices.
MAPPING_PATH = f'nodes["{MAPPING}"].inputs[%d].default_value'
UV_CURVES = {
    "uv_offset": (MAPPING_PATH % 1, (0, 1)),
    "uv_rotation": (MAPPING_PATH % 2, (2,)),
    "uv_scale": (MAPPING_PATH % 3, (0, 1)),
}


def _mapping(
    material: antiquary.Material,
    clip: antiquary.Animation,
    track: antiquary.Track,
    target: tuple[str, int],
    values: np.ndarray,
) -> list[tuple[str, int, np.ndarray]]:
    kind, at = target
    path, indices = UV_CURVES[kind]
    if kind != "uv_offset":
        return [(path, index, values[:, column]) for column, index in enumerate(indices)]
    # The location of the node depends on the scale and the rotation at the same time.
    reference = material.base_color_texture or {}
    height = _sampled(clip, ("uv_scale", at), 1, track, reference.get("scale", (1.0, 1.0))[1])
    angle = _sampled(clip, ("uv_rotation", at), 0, track, reference.get("rotation", 0.0))
    moved = [mapping_location((float(u), float(v)), *it) for (u, v), it in zip(values, zip(height.tolist(), angle.tolist()))]
    return [(path, index, np.array([it[index] for it in moved], np.float32)) for index in indices]


def _sampled(
    clip: antiquary.Animation, target: tuple[str, int], column: int, at: antiquary.Track, default: float
) -> np.ndarray:
    """One number of an animated value at the keyframes of another track, or the default if it is not animated."""
    track = next((it for it in clip.tracks if target in it.targets and len(it.times)), None)
    if track is None:
        return np.full(len(at.times), default)
    if track.interpolation == "step":
        index = np.clip(np.searchsorted(track.times, at.times, side="right") - 1, 0, len(track.times) - 1)
        return middle(track)[index, column].astype(np.float64)
    return np.interp(at.times, track.times, middle(track)[:, column])


def reduced(frames: np.ndarray, values: np.ndarray, kind: str) -> tuple[np.ndarray, np.ndarray]:
    """Leaves out keyframes of a step curve that repeat the value before them, except for the last one."""
    if kind != "step" or len(frames) < 3:
        return frames, values
    is_kept = np.concatenate([[True], values[1:] != values[:-1]])
    is_kept[-1] = True
    return frames[is_kept], values[is_kept]


def _show(state: "Import", rate: float) -> None:
    """Sets the frame rate and range of the scene to those of the first clip."""
    scene = state.context.scene
    # Blender stores the rate as an integer and a divisor.
    scene.render.fps = max(1, round(rate))
    scene.render.fps_base = scene.render.fps / rate
    first = state.scene.animations[0]
    ends = [float(track.times[-1]) for track in first.tracks if len(track.times)]
    scene.frame_start = 0
    scene.frame_end = max(1, round(max(ends, default=0.0) * rate))

