"""Passes what was edited in Blender back to the library.

A format that is built from scenes (``import`` in the list of formats) goes through the library's own glTF file of the original:
the edited parts of that file are replaced, and ``antiquary.pack`` builds the file from it and from the original. Everything else,
including data that Blender cannot hold, is in that glTF file and in the original, bit for bit. A format that is not built from
scenes, such as a map, is edited field by field with ``File.set``. Nothing that was not edited passes through Blender.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import antiquary
import bpy

from .. import check
from .. import source as sources
from ..report import Refused
from . import record, scene

Warnings = list[dict[str, Any]]


@dataclass
class Export:
    """The result of an export."""

    # Paths of the written files.
    outputs: list[str] = field(default_factory=list)
    # What was lost, in the form of the library's warnings.
    warnings: Warnings = field(default_factory=list)


def export_collection(
    context: bpy.types.Context,
    root: bpy.types.Collection,
    output: Path,
    file_format: dict[str, Any],
    options: dict[str, Any],
    progress: Callable[[float], None] = lambda done: None,
) -> Export:
    """Exports an imported collection. Parts that were not edited keep their bytes.

    Raises:
        antiquary.Error: The library refuses the result.
        Refused: The request cannot be fulfilled.
        SourceChanged: The original is missing or has changed.
    """
    original = sources.of_collection(root)
    if not original.entry and output.exists() and output.samefile(original.path):
        raise Refused(f"{output.name} is the file that was imported, which is never overwritten; choose another name")
    file = sources.open_unchanged(root)
    # Transforms in the world are up to date only after this.
    context.view_layer.update()
    progress(0.2)
    if "import" in file_format["can"]:
        out = scene.export(context, root, file, output, file_format, options, progress)
    elif file.format != file_format["id"]:
        raise Refused(f"{output.name}: a {file.format} file cannot be exported as {file_format['id']}")
    else:
        with sources.temporary() as folder:
            data, warnings = record.export(root, file, Path(folder))
        progress(0.8)
        write(output, data)
        out = Export([str(output)], warnings)
    for target in check.objects.outside(context, sources.roots()):
        message = f'"{target.name}" is not in the collection "{root.name}", and was not exported'
        out.warnings.append(check.warning(check.OUTSIDE, message, target))
    return out


def export_new(context: bpy.types.Context, output: Path, options: dict[str, Any]) -> Export:
    """Exports a scene that was created in Blender, with Blender's own glTF exporter.

    Raises:
        antiquary.Error: The library refuses the result.
    """
    with sources.temporary() as folder:
        glb = Path(folder) / f"{output.stem}.glb"
        bpy.ops.export_scene.gltf(
            filepath=str(glb), export_format="GLB", export_extras=True, export_lights=True, export_apply=True
        )
        return packed(antiquary.pack(glb, output, overwrite=True, **options))


def packed(result: dict[str, Any]) -> Export:
    """The result of ``antiquary.pack``."""
    out = Export()
    for one in result["results"]:
        out.outputs += one.get("outputs", [])
        out.warnings += one.get("warnings", [])
    return out


def write(output: Path, data: bytes) -> None:
    """Writes a file, which gets its name once it is complete."""
    part = output.with_name(output.name + ".part")
    part.write_bytes(data)
    part.replace(output)
