"""Looks up edited animations in the clips of an exported file."""

from dataclasses import dataclass

import antiquary
import numpy as np

from ..read.animation import middle
from .result import Result, without_number

_NEAR = {"translation": 2e-3, "rotation": 3e-3, "scale": 3e-3, "weights": 1e-3}
_NEAR_UV = 1e-3
# Two keyframes within this time, in seconds, are a jump.
_NEAR_TIME = 2e-3


@dataclass(frozen=True)
class Expected:
    """The values that a clip must have for a target."""

    clip: str
    # The kind of value, and the index of the node or material.
    target: tuple[str, int]
    name: str
    times: np.ndarray
    values: np.ndarray

    def is_in(self, result: Result) -> bool:
        """Whether the exported file has these values."""
        animations = result.scene.animations
        clips = [it for it in animations if without_number(it.name) == without_number(self.clip) or it.name == self.clip]
        if not clips and len(animations) == 1:
            clips = list(animations)
        return any(self._is_in_clip(result, it) for it in clips)

    def _is_in_clip(self, result: Result, clip: antiquary.Animation) -> bool:
        kind, _ = self.target
        listed = result.scene.materials if kind.startswith("uv_") else result.scene.nodes
        tracks = [
            track for track in clip.tracks for other, at in track.targets
            if other == kind and self.name in (listed[at].name, "") and len(track.times)
        ]  # fmt: skip
        return any(self._is_in_track(it) for it in tracks)

    def _is_in_track(self, track: antiquary.Track) -> bool:
        kind, _ = self.target
        near = _NEAR.get(kind, _NEAR_UV)
        # Formats round times; a value of a step track counts from its keyframe on.
        found = sample(track, self.times + (_NEAR_TIME if track.interpolation == "step" else 0.0))
        if found.shape[1] != self.values.shape[1]:
            return False
        far = self._distances(found)
        if track.interpolation != "step":
            known = np.asarray(track.times, np.float64)
            is_jump = [np.count_nonzero(np.abs(known - it) < _NEAR_TIME) > 1 for it in self.times]
            for shift in (-_NEAR_TIME, _NEAR_TIME):
                # Before and after a jump, either value is right.
                other = self._distances(sample(track, self.times + shift))
                far = np.where(is_jump, np.minimum(far, other), far)
        return bool((far < near).all())

    def _distances(self, found: np.ndarray) -> np.ndarray:
        far = np.abs(found - self.values).max(axis=1)
        if self.target[0] == "rotation":
            far = np.minimum(far, np.abs(found + self.values).max(axis=1))
        return far


def sample(track: antiquary.Track, times: np.ndarray) -> np.ndarray:
    """The values of a track at times: (T, columns)."""
    known, values = np.asarray(track.times, np.float64), middle(track).astype(np.float64)
    if track.interpolation == "step":
        return values[np.clip(np.searchsorted(known, times + 1e-5, side="right") - 1, 0, len(known) - 1)]
    after = np.clip(np.searchsorted(known, times), 1, max(1, len(known) - 1))
    if len(known) == 1:
        return values[np.zeros(len(times), int)]
    start, end = known[after - 1], known[after]
    share = np.clip((times - start) / np.maximum(end - start, 1e-9), 0.0, 1.0)[:, None]
    first, second = values[after - 1], values[after]
    if any(kind == "rotation" for kind, _ in track.targets):
        sign = np.where((first * second).sum(axis=1, keepdims=True) < 0.0, -1.0, 1.0)
        mixed = first * (1.0 - share) + sign * second * share
        return mixed / np.maximum(np.linalg.norm(mixed, axis=1, keepdims=True), 1e-9)
    return first * (1.0 - share) + second * share
