"""Edits of lamps: color, power, distance, cone and kind."""

from collections.abc import Iterator
from functools import partial

import antiquary
import bpy
import numpy as np

from ..read import light as read
from ..read import snapshot
from .edit import Edit
from .objects import State
from .result import Result

_NEAR = 2e-2


def find(state: State) -> Iterator[Edit]:
    """The edits of the lamps of an import."""
    seen: set[str] = set()
    for target in state.root.all_objects:
        lamp = target.data
        if isinstance(lamp, bpy.types.Light) and lamp.name not in seen:
            seen.add(lamp.name)
            yield from _lamp(state, target, lamp)


def _lamp(state: State, target: bpy.types.Object, lamp: bpy.types.Light) -> Iterator[Edit]:
    index, name = lamp.antiquary.index, f'the lamp "{target.name}"'
    if not 0 <= index < len(state.scene.lights):
        color, power = list(lamp.color), lamp.energy if lamp.type == "SUN" else read.candela(lamp.energy)
        yield Edit(f"the color of {name}", target, partial(_has, target, "color", color))
        yield Edit(f"the power of {name}", target, partial(_has, target, "intensity", [power]))
        return
    before, different = state.scene.lights[index], set(snapshot.differences(lamp))
    handled = set()
    kind = {"SUN": "directional", "SPOT": "spot"}.get(lamp.type, "point")
    if kind != before.kind or lamp.type == "AREA":
        is_in = None if lamp.type == "AREA" else lambda it: any(found.kind == kind for found in _candidates(it, target))
        yield Edit(f"the type of {name}", target, is_in)
        return
    pairs = [("color", "color", list(lamp.color), list(before.color))]
    power = lamp.energy if lamp.type == "SUN" else read.candela(lamp.energy)
    pairs.append(("power", "intensity", [power], [before.intensity]))
    handled |= {"settings > color", "settings > energy"}
    if before.range is not None and hasattr(lamp, "cutoff_distance"):
        reach = [lamp.cutoff_distance] if lamp.use_custom_distance else [float("inf")]
        pairs.append(("distance", "range", reach, [before.range]))
        handled |= {"settings > cutoff_distance", "settings > use_custom_distance"}
    if lamp.type == "SPOT" and before.cone is not None:
        outer = lamp.spot_size / 2.0
        pairs.append(("cone", "cone", [outer * (1.0 - lamp.spot_blend), outer], list(before.cone)))
        handled |= {"settings > spot_size", "settings > spot_blend"}
    for what, member, now, was in pairs:
        if any(abs(a - b) > 1e-4 * max(1.0, abs(b)) for a, b in zip(now, was)):
            yield Edit(f"the {what} of {name}", target, partial(_has, target, member, now))
    left = sorted(different - handled)
    if left:
        listed = ", ".join(it.removeprefix("settings > ") for it in left)
        yield Edit(f"settings of {name} ({listed})", target)


def _candidates(result: Result, target: bpy.types.Object) -> list[antiquary.Light]:
    """The lights that a lamp may have become."""
    named = [result.scene.nodes[it].light for it in result.named(target.name)]
    return [result.scene.lights[it] for it in named if it is not None] or result.scene.lights


def _has(target: bpy.types.Object, member: str, expected: list[float], result: Result) -> bool:
    for light in _candidates(result, target):
        value = getattr(light, member)
        found = np.atleast_1d(np.array(value if value is not None else np.inf, np.float64))
        with np.errstate(invalid="ignore"):
            is_near = np.abs(found - expected) <= _NEAR * np.maximum(1.0, np.abs(expected))
        if bool(np.all(is_near | (found == expected))):
            return True
    return False
