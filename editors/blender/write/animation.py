"""Animations: tracks whose keyframes were edited are replaced."""

from typing import TYPE_CHECKING, Any

import antiquary
import bpy
import numpy as np
from mathutils import Quaternion

from .. import curves
from ..read import animation as read
from .glb import Document

if TYPE_CHECKING:
    from .scene import _Scene

_CLOSE = 2e-6


class _Reader:
    """The objects of an export in the form that the import uses."""

    def __init__(self, edited: "_Scene") -> None:
        self.scene, self.objects, self.bones = edited.before, edited.owners, edited.bones


def apply(edited: "_Scene") -> list[dict[str, Any]]:
    """Replaces the edited tracks of all clips. Returns what was lost."""
    reader, rate = _Reader(edited), edited.root.antiquary.rate
    # Clips without keyframes are not in the document.
    clips = [(i, it) for i, it in enumerate(edited.before.animations) if any(len(t.times) for t in it.tracks)]
    stored = edited.document.json.get("animations", [])
    if len(clips) != len(stored) or rate <= 0.0:
        return []
    losses = []
    edited_tracks: dict[tuple[str, int], list[int]] = {}
    for (index, clip), json in zip(clips, stored):
        actions = {it.antiquary.target: _curves(it) for it in _actions(edited.root, index)}
        for track in clip.tracks:
            for kind, at in track.targets:
                if kind.startswith("uv_") or kind == "base_color":
                    continue
                loss = _track(edited.document, reader, json, actions, track, kind, at, rate)
                if isinstance(loss, str):
                    losses.append(_loss(clip, loss))
                elif loss:
                    edited_tracks.setdefault((kind, at), []).append(index)
    losses += _hidden(edited.before, edited_tracks)
    _drop_missing(edited, stored)
    return losses


def _loss(clip: antiquary.Animation, message: str) -> dict[str, Any]:
    return {"severity": "warning", "code": "", "message": f"{clip.name}: {message}", "path": ""}


def _hidden(scene: antiquary.Scene, edited: dict[tuple[str, int], list[int]]) -> list[dict[str, Any]]:
    """Warnings for edits of a clip whose frames are also those of another clip, which was not edited and takes precedence."""
    losses = []
    for (kind, at), indices in edited.items():
        for index in indices:
            clip = scene.animations[index]
            first, last = clip.extras.get("frames", (0, -1))
            for number, other in enumerate(scene.animations):
                start, end = other.extras.get("frames", (0, -1))
                is_part = number not in indices and first <= start <= end <= last
                if is_part and any((kind, at) in it.targets for it in other.tracks):
                    name = scene.nodes[at].name
                    losses.append(_loss(clip, f'the frames of "{name}" are also in "{other.name}", which takes precedence'))
    return losses


def _actions(root: bpy.types.Collection, index: int) -> list[bpy.types.Action]:
    actions = (it for it in bpy.data.actions if it.antiquary.source == root.name)
    return [it for it in actions if it.antiquary.index == index]


def _curves(action: bpy.types.Action) -> dict[tuple[str, int], bpy.types.FCurve]:
    return {(it.data_path, it.array_index): it for it in curves.existing(action)}


def _drop_missing(edited: "_Scene", stored: list[dict[str, Any]]) -> None:
    """Removes the channels of removed nodes."""
    kept = set(edited.owners) | set(edited.bones)
    for json in stored:
        json["channels"] = [it for it in json["channels"] if it["target"].get("node", None) in kept | {None}]
    if "animations" in edited.document.json:
        edited.document.json["animations"] = [it for it in stored if it["channels"]]


def _track(
    document: Document,
    reader: Any,
    json: dict[str, Any],
    actions: dict[str, dict[tuple[str, int], bpy.types.FCurve]],
    track: antiquary.Track,
    kind: str,
    at: int,
    rate: float,
) -> str | bool:
    """Replaces a track if it was edited. Returns whether it was, or what was lost."""
    target = read.target_of(reader, kind, at)
    if target is None or not len(track.times):
        return False
    found = actions.get(read.key_of(kind, at, reader))
    if found is None:
        return f"the action of {target.name} was removed; its original keyframes are kept"
    expected = read.components(reader, track, kind, at)
    before = read.frames_of(track.times, rate)
    is_edited = False
    for path, component, values in expected:
        curve = found.get((path, component))
        if curve is None:
            return f"a curve of {target.name} was removed; its original keyframes are kept"
        frames, kept = read.reduced(before, values, track.interpolation)
        keys, now, _, _ = curves.read(curve)
        is_edited |= len(keys) != len(frames) or not np.array_equal(keys, frames) or not _is_close(now, kept)
    if is_edited:
        _replace(document, reader, json, track, (kind, at), rate, [found[it[:2]] for it in expected])
    return is_edited


def _is_close(now: np.ndarray, before: np.ndarray) -> bool:
    return len(now) == len(before) and bool((np.abs(now - before) <= _CLOSE).all())


def _replace(
    document: Document,
    reader: Any,
    json: dict[str, Any],
    track: antiquary.Track,
    target: tuple[str, int],
    rate: float,
    found: list[bpy.types.FCurve],
) -> None:
    """Writes the keyframes of a track."""
    kind, at = target
    before = read.frames_of(track.times, rate)
    keys = np.unique(np.concatenate([curves.read(it)[0] for it in found]))
    if track.interpolation == "step":
        # Keyframes that repeat the value before them have no keyframe in Blender.
        keys = np.unique(np.concatenate([keys, before[(before >= keys.min()) & (before <= keys.max())]]))
    values = np.stack([curves.sample(it, keys) for it in found], axis=1)
    nearest = np.clip(np.searchsorted(before, keys), 0, len(before) - 1)
    is_known = before[nearest] == keys
    times = np.where(is_known, np.asarray(track.times)[nearest], (keys / rate).astype(np.float32)).astype(np.float32)
    values = _to_gltf(reader, kind, at, values)
    # Values that were not edited keep their bits.
    original = read.middle(track)[nearest]
    if original.shape == values.shape:
        same = np.all(np.abs(original - values) <= 4 * _CLOSE, axis=1) & is_known
        if kind == "rotation":
            same |= np.all(np.abs(original + values) <= 4 * _CLOSE, axis=1) & is_known
        values[same] = original[same]
    sampler = {
        "input": document.add_array(times, bounds=True),
        "output": document.add_array(values.ravel() if kind == "weights" else values),
    }
    if track.interpolation == "step":
        sampler["interpolation"] = "STEP"
    json["samplers"].append(sampler)
    for channel in json["channels"]:
        if channel["target"].get("node") == at and channel["target"]["path"] == kind:
            channel["sampler"] = len(json["samplers"]) - 1


def _to_gltf(reader: Any, kind: str, at: int, values: np.ndarray) -> np.ndarray:
    """The inverse of the conversion of the import."""
    if kind == "weights":
        return values.astype(np.float32)
    if at in reader.bones and kind != "scale":
        location, rotation, _ = read.rest_of(reader.bones[at][0], at).decompose()
        if kind == "translation":
            turn = np.array(rotation.to_matrix(), np.float64)
            values = (values @ turn.T + np.array(location)).astype(np.float32)
        else:
            turned = [rotation @ Quaternion([float(it) for it in row]) for row in values]
            values = np.array([tuple(it) for it in turned], np.float32)
    if kind == "translation":
        return np.stack([values[:, 0], values[:, 2], -values[:, 1]], axis=1)
    if kind == "scale":
        return values[:, [0, 2, 1]]
    lengths = np.linalg.norm(values, axis=1, keepdims=True)
    values = np.divide(values, lengths, out=values.copy(), where=lengths > 0.0)
    return np.stack([values[:, 1], values[:, 3], -values[:, 2], values[:, 0]], axis=1)
