"""Values of fields as custom properties of objects."""

from collections.abc import Iterator
from typing import Any

import antiquary
import bpy

# Fields that follow from the position, rotation and scale of the object.
_PLACEMENT = {
    "position", "position_units", "rotation", "scale", "degrees", "angles", "angle", "matrix", "pitch", "yaw",
    "box", "x", "y", "quarter_turns",
}  # fmt: skip

# The part of the record of an object that has its values, by format. Those of models are vertices and keyframes.
_PARTS = {"scpcb.rmesh": "", "scpcb.cbmap": "", "redguard.rgm": "", "redguard.rob": ".header"}

# Longest text and list that are custom properties; longer ones are edited as JSON (`antiquary unpack`).
_LONGEST_TEXT = 1000
_LONGEST_LIST = 16
_DEEPEST = 3


def part_of(file: antiquary.File, path: str) -> str:
    """The path of the values of an object, whose record is at ``path``."""
    return path + _PARTS.get(file.format, "")


def read(file: antiquary.File, paths: list[str]) -> dict[str, dict[str, Any]]:
    """Reads the values of objects by name, for each path of a record."""
    wanted = sorted(set(paths))
    if not wanted or file.format not in _PARTS:
        return {}
    parts = {path: part_of(file, path) for path in wanted}
    found = file.fields(*parts.values())
    return {path: dict(_flat(_record(found[it]))) for path, it in parts.items() if isinstance(found.get(it), dict)}


def _record(value: dict[str, Any]) -> dict[str, Any]:
    """The members of a record; a variant, such as that of an entity, is an object in an object."""
    if len(value) == 1:
        (inner,) = value.values()
        if isinstance(inner, dict):
            return inner
    return value


def _flat(record: dict[str, Any], prefix: str = "", depth: int = 1) -> Iterator[tuple[str, Any]]:
    for name, value in record.items():
        if name in _PLACEMENT:
            continue
        path = f"{prefix}{name}"
        if isinstance(value, dict):
            if depth < _DEEPEST:
                yield from _flat(value, f"{path}.", depth + 1)
        elif is_editable(value):
            yield path, value


def is_editable(value: Any) -> bool:
    """Whether a value can be a custom property."""
    if isinstance(value, str):
        return len(value) <= _LONGEST_TEXT
    if isinstance(value, list):
        kinds = {type(it) for it in value}
        return 0 < len(value) <= _LONGEST_LIST and (kinds == {int} or kinds == {float}) and all(map(_fits, value))
    return isinstance(value, bool | int | float)


def _fits(value: Any) -> bool:
    """Whether an integer fits into the integers of Blender, which have 32 bits."""
    return not isinstance(value, int) or -(1 << 31) <= value < 1 << 31


def store(target: bpy.types.Object, values: dict[str, Any]) -> None:
    """Stores values as custom properties."""
    for name, value in values.items():
        target[name] = value if isinstance(value, bool) or _fits(value) else str(value)
    target.antiquary.names = "\n".join(values)


def edited(target: bpy.types.Object, values: dict[str, Any]) -> dict[str, Any]:
    """The custom properties that differ from the values of the file."""
    out = {}
    for name, value in values.items():
        if name in target.keys():
            now = _like(value, target[name])
            if now != value:
                out[name] = now
    return out


def _like(value: Any, now: Any) -> Any:
    """A custom property with the type of a value of the file, if it can have it."""
    if hasattr(now, "to_list"):
        now = now.to_list()
    if isinstance(value, int) and not isinstance(value, bool) and isinstance(now, str):
        now = int(now) if now.strip().lstrip("-").isdigit() else now
    if isinstance(value, bool) and isinstance(now, int):
        now = bool(now)
    if isinstance(value, float) and isinstance(now, int):
        now = float(now)
    return now


def is_same(value: Any, other: Any) -> bool:
    """Whether a custom property or a value of a file is another value, except for rounding to 32 bits."""
    value = _like(other, value)
    if isinstance(other, list) and isinstance(value, list):
        return len(value) == len(other) and all(map(is_same, value, other))
    if isinstance(other, float) and isinstance(value, float):
        return abs(value - other) <= 1e-6 * max(1.0, abs(other))
    return bool(value == other)
