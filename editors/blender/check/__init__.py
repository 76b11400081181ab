"""Finds what was edited in Blender, and checks that the exported file has it.

The exported file is opened again, and each edit is looked up in its scene. Edits that it does not have are reported. So no edit
is lost silently, whatever the format or the library does with it.
"""

from collections.abc import Iterator
from typing import Any

import antiquary
import bpy

from . import bones, lights, materials, meshes, objects
from .edit import HIDDEN, NOT_WRITTEN, OUTSIDE, ROUNDED, Edit, Rounded, warning
from .result import Result

__all__ = ["HIDDEN", "NOT_WRITTEN", "OUTSIDE", "ROUNDED", "Edit", "Result", "Rounded", "find", "missing", "warning"]


def find(root: bpy.types.Collection, file: antiquary.File, scene: antiquary.Scene) -> list[Edit]:
    """The edits of an imported collection. ``file`` is the one that was imported, and ``scene`` its scene. Animations are
    compared by ``write.animation``."""
    state = objects.State(root, file, scene)
    parts = (objects.find(state), meshes.find(state), materials.find(state), lights.find(state), bones.find(state))
    return [edit for part in parts for edit in part]


def missing(
    edits: list[Edit], exported: antiquary.File, scene: antiquary.Scene | None = None
) -> Iterator[dict[str, Any]]:
    """Warnings for the edits that the exported file does not have. ``scene`` is its scene, if it is known."""
    if not edits:
        return
    result = Result(exported, scene)
    for edit in edits:
        found = edit.is_in(result) if edit.is_in is not None else False
        if isinstance(found, Rounded):
            yield warning(ROUNDED, f"written approximately: {edit.what}: {found.how}", edit.target)
        elif not found:
            yield warning(NOT_WRITTEN, f"not in the exported file: {edit.what}", edit.target)
