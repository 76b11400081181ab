"""An edit, and the warnings about edits that are lost."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import bpy

from .result import Result

# The exported file does not have an edit.
NOT_WRITTEN = "BLENDER-W001"
# The exported file has the nearest value that its format can represent.
ROUNDED = "BLENDER-W002"
# Another clip that was not edited has the same frames, and takes precedence.
HIDDEN = "BLENDER-W003"
# An object is not in the collection that was exported.
OUTSIDE = "BLENDER-W004"


@dataclass(frozen=True)
class Rounded:
    """The exported file has an edit approximately."""

    how: str


@dataclass(frozen=True)
class Edit:
    """Something that was edited."""

    # A noun phrase: 'the location of "crate"'.
    what: str
    # The object to select.
    target: bpy.types.Object | None
    # Whether the exported file has the edit. None if no format can have it.
    is_in: Callable[[Result], bool | Rounded] | None = None
    # What was edited, for formats that write it in another way.
    kind: str = ""


def warning(code: str, message: str, target: bpy.types.Object | None = None) -> dict[str, Any]:
    """A warning in the form of the library's warnings, with the name of the object to select."""
    field, name = ("", "") if target is None else (target.antiquary.field, target.name)
    message = message[:1].upper() + message[1:]
    return {"severity": "warning", "code": code, "message": message, "path": field, "object": name}
