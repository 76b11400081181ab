"""Animations: tracks whose keyframes were edited are replaced, and new actions become new clips."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import antiquary
import bpy
import numpy as np
from mathutils import Quaternion

from .. import curves
from .. import source as sources
from ..check import HIDDEN, Edit, warning
from ..check.clip import Expected
from ..read import animation as read
from ..read.skin import skeletons
from . import channel
from .channel import Target

if TYPE_CHECKING:
    from .scene import _Scene

_CLOSE = 2e-6

Curves = dict[tuple[str, int], bpy.types.FCurve]


class _Reader:
    """The objects of an export in the form that the import uses."""

    def __init__(self, edited: "_Scene") -> None:
        self.scene, self.objects, self.bones = edited.before, edited.owners, edited.bones
        self.materials = edited.materials_of_root


@dataclass
class _Clip:
    """A clip of the document, and its actions by the datablock that they animate."""

    index: int
    clip: antiquary.Animation
    json: dict[str, Any]
    actions: dict[str, bpy.types.Action]


class Animations:
    """Compares the actions of an import with the clips of its scene, and replaces what differs."""

    def __init__(self, edited: "_Scene") -> None:
        self.edited, self.document, self.scene = edited, edited.document, edited.before
        self.reader = _Reader(edited)
        self.rate = edited.root.antiquary.rate or read.scene_rate(bpy.context.scene)
        self.edits: list[Edit] = []
        self.names: dict[tuple[int, str], str] = {}
        self.edited_tracks: dict[Target, list[int]] = {}
        # The actions of the import by clip and datablock, copies of them, and the datablocks that actions can animate.
        self.actions: dict[int, dict[str, bpy.types.Action]] = {}
        self.targets: dict[str, bpy.types.ID] = {}
        self.copies: list[bpy.types.Action] = []
        names = [(armature.data.bones[name].antiquary.blender_name, name) for armature, name in edited.bones.values()]
        escape = bpy.utils.escape_identifier
        self.renamed = {escape(before): escape(name) for before, name in names if before != name}

    def apply(self) -> list[Edit]:
        """Replaces the edited tracks of all clips, and adds new ones. Returns the edits."""
        self.actions, self.targets = self._own_actions(), channel.targets(self)
        # Clips without keyframes are not in the document.
        clips = [(i, it) for i, it in enumerate(self.scene.animations) if any(len(t.times) for t in it.tracks)]
        stored = list(self.document.json.get("animations", []))
        if len(clips) == len(stored):
            for (index, clip), json in zip(clips, stored):
                self._clip(_Clip(index, clip, json, self.actions.get(index, {})))
        elif clips:
            self.edits.append(Edit("the animations of the file, whose clips are not those that were imported", None))
        self.edits += channel.new_clips(self)
        shown = read.scene_rate(bpy.context.scene)
        if clips and not any(abs(shown - it.antiquary.rate) < 1e-3 * shown for it in sources.roots()):
            self.edits.append(Edit(f"the frame rate of the scene ({self.rate:.4g} after the import)", None))
        self._report_hidden()
        self._drop_missing()
        return self.edits

    def target_object(self, kind: str, at: int) -> bpy.types.Object | None:
        """The object to select for a message about a track."""
        if kind.startswith("uv_") or kind == "base_color":
            users = (it for it in self.edited.root.all_objects for slot in it.material_slots
                     if slot.material and slot.material.antiquary.index == at)  # fmt: skip
            return next(users, None)
        return self.edited.bones[at][0] if at in self.edited.bones else self.edited.owners.get(at)

    def _own_actions(self) -> dict[int, dict[str, bpy.types.Action]]:
        """The actions of the import by clip and datablock. Copies of an action become new clips."""
        out: dict[int, dict[str, bpy.types.Action]] = {}
        own = [it for it in bpy.data.actions if it.antiquary.source == self.edited.root.antiquary.key]
        for action in sorted(own, key=lambda it: (it.name != it.antiquary.name, it.name)):
            found = out.setdefault(action.antiquary.index, {})
            if action.antiquary.target in found:
                self.copies.append(action)
            else:
                found[action.antiquary.target] = action
        return out

    def _clip(self, clip: _Clip) -> None:
        known: dict[str, set[tuple[str, int]]] = {}
        uvs: dict[int, list[tuple[antiquary.Track, str]]] = {}
        for action in clip.actions.values():
            if action.name != action.antiquary.name:
                what = f'the name of the action "{action.name}" (originally "{action.antiquary.name}")'
                self.edits.append(Edit(what, None))
            for slot in curves.further_slots(action):
                self.edits.append(Edit(f'the slot "{slot}" of the action "{action.name}"', None))
        for track in clip.clip.tracks:
            for kind, at in track.targets:
                if kind.startswith("uv_"):
                    uvs.setdefault(at, []).append((track, kind))
                key = read.key_of(kind, at, self.reader)
                if read.target_of(self.reader, kind, at) is not None and len(track.times):
                    expected = read.components(self.reader, clip.clip, track, kind, at)
                    known.setdefault(key, set()).update(it[:2] for it in expected)
                    if not kind.startswith("uv_") and self._is_edited(clip, track, (kind, at), expected):
                        self._replace(clip, track, (kind, at), [it[:2] for it in expected])
        for at, tracks in uvs.items():
            self._textures(clip, at, tracks)
        for key, action in clip.actions.items():
            if key in self.targets:
                added = [it for path, it in self._curves(action).items() if path not in known.get(key, set())]
                self.edits += channel.add_curves(self, clip.json, clip.clip.name, key, action, added)

    def _textures(self, clip: _Clip, at: int, tracks: list[tuple[antiquary.Track, str]]) -> None:
        """Replaces the animation of a texture. The location of its node depends on rotation and scale, so that an edit of one
        of them changes all."""
        if read.target_of(self.reader, "uv_offset", at) is None:
            return
        parts = [(it, kind, read.components(self.reader, clip.clip, it, kind, at)) for it, kind in tracks if len(it.times)]
        if any([self._is_edited(clip, track, (kind, at), expected) for track, kind, expected in parts]):
            for track, kind, expected in parts:
                self._replace(clip, track, (kind, at), [it[:2] for it in expected])

    def _is_edited(
        self, clip: _Clip, track: antiquary.Track, target: Target, expected: list[tuple[str, int, np.ndarray]]
    ) -> bool:
        """Whether the keyframes of a track were edited."""
        kind, at = target
        name = self._name(kind, at)
        action = clip.actions.get(read.key_of(kind, at, self.reader))
        shown = self.target_object(kind, at)
        if action is None:
            if (clip.index, name) not in self.names:
                self.names[clip.index, name] = name
                self.edits.append(Edit(f'the removal of the action "{clip.clip.name}" of "{name}"', shown))
            return False
        found, before = self._curves(action), read.frames_of(track.times, self.rate)
        is_edited = False
        for path, component, values in expected:
            curve = found.get((path, component))
            if curve is None:
                what = f'the removal of the curve "{path}" of "{name}" in the action "{action.name}"'
                self.edits.append(Edit(what, shown))
                return False
            frames, kept = read.reduced(before, values, track.interpolation)
            keys, now, is_constant, is_linear = curves.read(curve)
            is_edited |= len(keys) != len(frames) or not np.array_equal(keys, frames) or not _is_close(now, kept)
            is_edited |= not (is_constant if track.interpolation == "step" else is_linear) or len(curve.modifiers) > 0
            if curve.mute:
                self.edits.append(Edit(f'the muting of the curve "{path}" of "{name}"', shown))
        return is_edited

    def _name(self, kind: str, at: int) -> str:
        is_material = kind.startswith("uv_") or kind == "base_color"
        return (self.scene.materials if is_material else self.scene.nodes)[at].name

    def _curves(self, action: bpy.types.Action) -> Curves:
        """The curves of an action by path. Blender renames the bone of a curve only in actions that are in use."""
        out = {}
        for it in curves.existing(action):
            path = it.data_path
            for before, now in self.renamed.items():
                path = path.replace(f'pose.bones["{before}"]', f'pose.bones["{now}"]')
            out[path, it.array_index] = it
        return out

    def _replace(self, clip: _Clip, track: antiquary.Track, target: Target, paths: list[tuple[str, int]]) -> None:
        """Writes the keyframes of a track."""
        kind, at = target
        action = clip.actions[read.key_of(kind, at, self.reader)]
        by_path = self._curves(action)
        found = [by_path[it] for it in paths]
        before = read.frames_of(track.times, self.rate)
        keys, is_simple = channel.frames_of(found, kind)
        is_step = all(curves.read(it)[2] for it in found)
        if is_step:
            # Keyframes that repeat the value before them have no keyframe in Blender.
            keys = np.unique(np.concatenate([keys, before[(before >= keys.min()) & (before <= keys.max())]]))
        values = np.stack([curves.sample(it, keys) for it in found], axis=1)
        nearest = np.clip(np.searchsorted(before, keys), 0, len(before) - 1)
        is_known = before[nearest] == keys
        times = np.where(is_known, np.asarray(track.times)[nearest], channel.times_of(keys, self.rate)).astype(np.float32)
        values = channel.to_gltf(self, target, values, by_path, keys)
        # Values that were not edited keep their bits.
        original = read.middle(track)[nearest]
        if original.shape == values.shape:
            same = np.all(np.abs(original - values) <= 4 * _CLOSE, axis=1) & is_known
            if kind == "rotation":
                same |= np.all(np.abs(original + values) <= 4 * _CLOSE, axis=1) & is_known
            values[same] = original[same]
        self.set_channel(clip.json, target, times, values, is_step)
        self.edited_tracks.setdefault(target, []).append(clip.index)
        # Values are also looked up at the frames of removed keyframes, and between keyframes.
        frames = np.unique(np.concatenate([keys, before[(before >= keys.min()) & (before <= keys.max())]]))
        frames = channel.with_middles(frames) if is_simple else frames
        sampled = np.stack([curves.sample(it, frames) for it in found], axis=1)
        expected = channel.to_gltf(self, target, sampled, by_path, frames)
        what = f'the animation of "{self._name(kind, at)}" in the action "{action.name}" ({kind})'
        check = Expected(clip.clip.name, target, self._name(kind, at), frames / self.rate, expected)
        self.edits.append(Edit(what, self.target_object(kind, at), check.is_in))

    def set_channel(
        self, json: dict[str, Any], target: Target, times: np.ndarray, values: np.ndarray, is_step: bool
    ) -> None:
        """Replaces or adds the channel of a clip for a target."""
        kind, _ = target
        sampler = {
            "input": self.document.add_array(times, bounds=True),
            "output": self.document.add_array(values.ravel() if kind in ("weights", "uv_rotation") else values),
        }
        if is_step:
            sampler["interpolation"] = "STEP"
        json.setdefault("samplers", []).append(sampler)
        index, wanted = len(json["samplers"]) - 1, channel.json_target(self.document, target)
        for it in json.setdefault("channels", []):
            if it["target"] == wanted:
                it["sampler"] = index
                return
        json["channels"].append({"sampler": index, "target": wanted})

    def _report_hidden(self) -> None:
        """Reports edits of a clip whose frames are also those of another clip, which was not edited and takes precedence."""
        for (kind, at), indices in self.edited_tracks.items():
            for index in indices:
                clip = self.scene.animations[index]
                first, last = clip.extras.get("frames", (0, -1))
                for number, other in enumerate(self.scene.animations):
                    start, end = other.extras.get("frames", (0, -1))
                    is_part = number not in indices and first <= start <= end <= last
                    if is_part and any((kind, at) in it.targets for it in other.tracks):
                        name = self._name(kind, at)
                        message = f'{clip.name}: the frames of "{name}" are also in "{other.name}", which takes precedence'
                        self.edited.losses.append(warning(HIDDEN, message, self.target_object(kind, at)))

    def _drop_missing(self) -> None:
        """Removes the channels of removed nodes. Joints stay, because the skin depends on them."""
        joints = {it for one in skeletons(self.scene) for it in one}
        kept = set(self.edited.owners) | joints | self.edited.added
        for json in self.document.json.get("animations", []):
            json["channels"] = [it for it in json["channels"] if it["target"].get("node", None) in kept | {None}]
        if "animations" in self.document.json:
            self.document.json["animations"] = [it for it in self.document.json["animations"] if it["channels"]]


def _is_close(now: np.ndarray, before: np.ndarray) -> bool:
    return len(now) == len(before) and bool((np.abs(now - before) <= _CLOSE).all())


def rotations(values: np.ndarray) -> np.ndarray:
    """Normalized quaternions of Blender in the order of glTF."""
    lengths = np.linalg.norm(values, axis=1, keepdims=True)
    values = np.divide(values, lengths, out=values.copy(), where=lengths > 0.0)
    return np.stack([values[:, 1], values[:, 3], -values[:, 2], values[:, 0]], axis=1)


def bone_values(reader: Any, at: int, kind: str, values: np.ndarray) -> np.ndarray:
    """Values of a bone in the space of its parent."""
    location, rotation, _ = read.rest_of(reader.bones[at][0], at).decompose()
    if kind == "translation":
        turn = np.array(rotation.to_matrix(), np.float64)
        return (values @ turn.T + np.array(location)).astype(np.float32)
    turned = [rotation @ Quaternion([float(it) for it in row]) for row in values]
    return np.array([tuple(it) for it in turned], np.float32)
